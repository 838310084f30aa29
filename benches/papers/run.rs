//! One engine on one position, and the checker behind it.

use std::sync::atomic::AtomicBool;

use matesolve::chess::{MateLength, Position};
use matesolve::proof::{self, Facts};
use matesolve::search::pvs::{Depth, Extensions, Finish, NullMove, Pvs, PvsOptions};
use matesolve::search::{Control, Engine, Limits, Meter, Silent, Task};
use shakmaty::Position as _;

use super::sets::Problem;

/// Memory a position for the engine; the facts get a quarter of it besides.
const MEMORY: usize = 256 << 20;

/// What came of it.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    pub nodes: u64,
    /// The length of the mate found, as the checker measured it.
    pub mate: Option<MateLength>,
}

/// Lets an engine look for a first mate within `bound` moves.
pub fn run(problem: &Problem, engine: &mut dyn Engine, bound: MateLength, nodes: u64) -> Run {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes: Some(nodes), deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    let useful = MEMORY.min(nodes as usize * 64);
    let facts = Facts::with_bytes(useful / 4);
    let position = Position::from_chess(&problem.chess);
    let task = Task { position, attacker: problem.chess.turn(), bound, shortest: false, memory: useful };
    let answer = engine.solve(&task, &mut meter, &facts, &mut Silent);
    let mate = answer.proof.map(|tree| {
        let checked = proof::check(&problem.chess, problem.chess.turn(), tree).map(|proof| proof.length());
        checked.unwrap_or_else(|fault| panic!("{} claims a false mate for {}: {fault}", engine.name(), problem.id))
    });
    Run { nodes: meter.count(), mate }
}

/// A search with this null move and no extension, whose iterations end at so many plies.
pub fn at_depth(null: NullMove, plies: u16) -> Pvs {
    plain(null, Finish::AtDepth(Depth::plies(i32::from(plies))))
}

/// A search with this null move and no extension, as deep as anything new can be found.
pub fn selective(null: NullMove) -> Pvs {
    plain(null, Finish::Selective)
}

fn plain(null: NullMove, finish: Finish) -> Pvs {
    Pvs::new(PvsOptions { null, extensions: Extensions::NONE, threats: false, finish })
}

/// How many found a mate, and all their nodes.
pub fn totals(runs: &[Run]) -> (usize, u64) {
    (runs.iter().filter(|run| run.mate.is_some()).count(), runs.iter().map(|run| run.nodes).sum())
}

/// 1234567 as 1,234,567.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
