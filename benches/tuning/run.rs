//! Runs one search of one position. Every mate passes the checker, and no result may contradict the stated length.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use indicatif::HumanCount;
use matesolve::proof::{self, ProofTree};
use matesolve_engine::chess::{Goal, MateLength, MoveCode, Position};
use matesolve_engine::search::{Control, Engine, Facts, Limits, Meter, Silent, Task};
use shakmaty::Position as _;

use super::sample::StatedMate;

/// The memory for each position, in bytes.
const MEMORY: usize = 256 << 20;
/// The part of that memory for the shared facts, in percent.
const FACTS_PERCENT: usize = 5;

/// The result of an engine on a position.
#[derive(Debug)]
pub struct Run {
    /// The length of the mate found, in moves, as the checker measured it.
    pub mate: Option<MateLength>,
    /// Whether the mate found is proved shortest.
    pub proved: bool,
    /// Whether the attacker's first move in the mate found gives check.
    pub checking_key: bool,
    pub nodes: u64,
}

/// Runs an engine that does not know the stated length, to the proof that its mate is the shortest or to the node
/// limit.
pub fn run(stated: &StatedMate, engine: &mut dyn Engine, nodes: u64) -> Result<Run, String> {
    run_with(stated, engine, nodes, &facts())
}

/// Runs an engine like [`run`], with this table of shared facts.
pub fn run_with(stated: &StatedMate, engine: &mut dyn Engine, nodes: u64, facts: &Facts) -> Result<Run, String> {
    let task = task(stated, MateLength::MAX);
    let (answer, nodes) = limited(nodes, |meter| engine.solve(&task, meter, facts, &mut Silent));
    let mate = answer.proof.as_ref().map(|tree| checked(stated, tree)).transpose()?;
    // A direct mate takes a move at least.
    let refuted = answer.refuted.unwrap_or(MateLength(0));
    if refuted >= stated.length || mate.is_some_and(|length| length <= refuted) {
        return Err(contradiction(stated, refuted));
    }
    let proved = mate.is_some_and(|length| length.0 == refuted.0 + 1);
    let checking_key = answer.proof.is_some_and(|tree| key_gives_check(stated, &tree));
    Ok(Run { mate, proved, checking_key, nodes })
}

/// Calls `search` with a new node counter. Returns its result and the nodes of all threads.
pub fn limited<T>(nodes: u64, search: impl FnOnce(&mut Meter<'_>) -> T) -> (T, u64) {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes: Some(nodes), deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    let result = search(&mut meter);
    drop(meter);
    (result, control.nodes())
}

/// Returns the seconds that `work` takes, with its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// Returns an empty table of shared facts.
pub fn facts() -> Facts {
    Facts::with_bytes(MEMORY / 100 * FACTS_PERCENT)
}

/// Returns the task of finding the shortest mate in at most `bound` moves.
pub fn task(stated: &StatedMate, bound: MateLength) -> Task {
    let memory = MEMORY - MEMORY / 100 * FACTS_PERCENT;
    let position = Position::from_chess(&stated.chess);
    Task { memory, ..Task::mate(position, stated.attacker, bound) }
}

/// Replays a proof. Returns the length of its mate, in moves.
pub fn checked(stated: &StatedMate, tree: &ProofTree) -> Result<MateLength, String> {
    let checked = proof::check(&stated.chess, stated.attacker, Goal::MATE, tree.clone()).map(|proof| proof.length());
    let length = checked.map_err(|fault| format!("{}: a false mate is claimed: {fault}.", stated.name))?;
    if length < stated.length {
        println!("{}: a mate in {length}, shorter than the stated mate in {}", stated.name, stated.length);
    }
    Ok(length)
}

/// Returns the error for a refutation of a mate that exists.
pub fn contradiction(stated: &StatedMate, refuted: MateLength) -> String {
    format!(
        "{}: mates in {refuted} are refuted, but a mate in {} is stated or proved. Check the line; if it is right, this \
         is an error of the engine.",
        stated.name, stated.length
    )
}

fn key_gives_check(stated: &StatedMate, tree: &ProofTree) -> bool {
    let before_key = usize::from(stated.chess.turn() != stated.attacker);
    let position = Position::from_chess(&stated.chess);
    let line: Vec<MoveCode> = tree.longest_line();
    let after_key = line.iter().take(before_key + 1).try_fold(position, |position, code| {
        let m = position.find_move(*code)?;
        Some(position.play(m))
    });
    after_key.is_some_and(|position| position.is_check())
}

/// Formats a number with commas: 1234567 as 1,234,567.
pub fn grouped(n: u64) -> String {
    HumanCount(n).to_string()
}
