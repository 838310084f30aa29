//! Runs one engine on one position and checks the mate found.

use std::sync::atomic::AtomicBool;

use indicatif::HumanCount;
use matesolve::proof;
use matesolve_engine::chess::{Goal, MateLength, Position};
use matesolve_engine::search::pvs::{Depth, Extensions, Finish, NullMove, Pvs, PvsOptions};
use matesolve_engine::search::{Control, Engine, Facts, Limits, Meter, Silent, Task};
use shakmaty::Position as _;

use super::sets::Problem;

/// The engine's memory for a position, in bytes. The facts get a quarter of this in addition.
const MEMORY: usize = 256 << 20;

/// The result of one run.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// The nodes made.
    pub nodes: u64,
    /// The length of the mate found, as measured by the checker.
    pub mate: Option<MateLength>,
}

/// Runs an engine that looks for a first mate within `bound` moves, with a limit of `nodes` nodes.
pub fn run(problem: &Problem, engine: &mut dyn Engine, bound: MateLength, nodes: u64) -> Run {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes: Some(nodes), deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    let useful = MEMORY.min(nodes as usize * 64);
    let facts = Facts::with_bytes(useful / 4);
    let position = Position::from_chess(&problem.chess);
    let task = Task { shortest: false, memory: useful, ..Task::mate(position, problem.chess.turn(), bound) };
    let answer = engine.solve(&task, &mut meter, &facts, &mut Silent);
    let mate = answer.proof.map(|tree| {
        let checked = proof::check(&problem.chess, problem.chess.turn(), Goal::MATE, tree).map(|proof| proof.length());
        checked.unwrap_or_else(|fault| panic!("{} claims a false mate for {}: {fault}", engine.name(), problem.id))
    });
    Run { nodes: meter.count(), mate }
}

/// Creates a `pvs` engine with this null move and no extension, whose iterations end at a depth of `plies` plies.
pub fn at_depth(null: NullMove, plies: u16) -> Pvs {
    plain(null, Finish::AtDepth(Depth::plies(i32::from(plies))))
}

/// Creates a `pvs` engine with this null move and no extension, whose iterations go on as long as more depth can find
/// more.
pub fn selective(null: NullMove) -> Pvs {
    plain(null, Finish::Selective)
}

fn plain(null: NullMove, finish: Finish) -> Pvs {
    Pvs::new(PvsOptions { null, extensions: Extensions::NONE, threats: false, finish })
}

/// Returns the number of runs that found a mate, and the nodes of all runs.
pub fn totals(runs: &[Run]) -> (usize, u64) {
    (runs.iter().filter(|run| run.mate.is_some()).count(), runs.iter().map(|run| run.nodes).sum())
}

/// Formats a number with commas: 1234567 as 1,234,567.
pub fn grouped(n: u64) -> String {
    HumanCount(n).to_string()
}
