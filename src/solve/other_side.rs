//! Asks the other question too: if the side to move has no mate, is it mated itself?
//!
//! People often do not know which side mates. Two short searches answer that beside the main one:
//!
//! 1. If the main search might never end, a first look comes before it, with few nodes. A proof that the side to move
//!    is mated answers the main question too: both sides cannot mate, so there is no mate of any length.
//! 2. If the main search finds no mate, a second look takes a share of the limits that are left.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use shakmaty::Position as _;

use crate::base::clock::Instant;
use crate::chess::{MateLength, Stipulation};
use crate::problem::Problem;
use crate::results::solution::{Outcome, Stats, Status, StoppedBy};
use crate::results::{SidedStipulation, Solution};
use crate::search::{Observer, Silent};

use super::{Limits, Request, Solved, milliseconds, registry, solve_with_proof};

/// The nodes of the first look: about a hundredth of a second.
const FIRST_NODES: u64 = 5_000;

/// The largest number of nodes of the second look: about a tenth of a second.
const SECOND_NODES: u64 = 50_000;

/// The second look takes at most this part of the nodes and of the time that are left.
const SHARE: u32 = 10;

/// The memory of a look, in bytes, if the request has as much.
const MEMORY: usize = 16 << 20;

/// Solves one problem like [`solve_with_proof`]. If the side to move is to mate and no mate is found, the solution also
/// says whether it is mated (`other_side`).
///
/// The nodes and the time of the solution include those of the other question if its answer is shown. The proof
/// belongs to the main answer.
pub(crate) fn solve_both_sides(
    problem: &Problem,
    request: &Request,
    stop: &AtomicBool,
    observer: &mut (dyn Observer + Send),
) -> Solved {
    if problem.question.stipulation.is_helped() {
        return solve_with_proof(problem, request, stop, observer);
    }
    let start = Instant::now();
    let asked = SidedStipulation::of_problem(problem);
    let question = asked.stipulation;
    if question.defender_begins() || !question.goal().is_mate() || problem.chess.legal_moves().is_empty() {
        return solve_with_proof(problem, request, stop, observer);
    }
    let left = || request.limits.time.map(|time| time.saturating_sub(start.elapsed()));
    let is_bounded = asked.bound() != MateLength::MAX || request.limits.nodes.is_some();
    let mated = problem.clone().stipulated(Stipulation::mated(None));
    let within = |time| Request { limits: Limits { time, ..request.limits }, ..*request };
    let look = |nodes, time| look(&mated, &within(time), nodes, stop);
    let first =
        (!is_bounded && request.engine.is_default()).then(|| look(FIRST_NODES, left().map(|time| time / SHARE)));
    let mut solved = if first.as_ref().is_some_and(is_mated) {
        Solved::of(Solution::of(problem))
    } else {
        solve_with_proof(problem, &within(left()), stop, observer)
    };
    let solution = &mut solved.solution;
    let is_open = matches!(solution.result.status, Status::NoMate | Status::Undecided) && !solution.internal_failure;
    // A side that mates, however late, is not mated.
    if !is_open || solution.result.longer_mate.is_some() {
        return solved;
    }
    let interrupted = solution.stats.stopped_by == Some(StoppedBy::Interrupt);
    let nodes_left = request.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(solution.stats.nodes));
    let nodes = (nodes_left / u64::from(SHARE)).min(SECOND_NODES);
    let time = left().map(|time| time / SHARE);
    let answered = first.as_ref().is_some_and(|first| first.result.proved_shortest);
    let second = (!interrupted && !answered && nodes > 0 && time != Some(Duration::ZERO)).then(|| look(nodes, time));
    let looks: Vec<Solution> = [second, first].into_iter().flatten().collect();
    add(solution, &looks);
    solution.stats.time_ms = milliseconds(start);
    solved
}

/// Asks a question beside the main one, within these limits. The nodes are those of `nodes`.
pub(super) fn look(problem: &Problem, request: &Request, nodes: u64, stop: &AtomicBool) -> Solution {
    let request = Request {
        engine: &registry::ENGINES[0],
        // One thread, so that two runs print the same.
        limits: Limits { nodes: Some(nodes), hash: request.limits.hash.min(MEMORY), threads: 1, ..request.limits },
        ..*request
    };
    solve_with_proof(problem, &request, stop, &mut Silent).solution
}

fn is_mated(solution: &Solution) -> bool {
    solution.result.status == Status::Mated
}

/// Adds the answer of the looks, the last one first, to a solution without a mate.
fn add(solution: &mut Solution, looks: &[Solution]) {
    if let Some(failed) = looks.iter().find(|look| look.internal_failure) {
        let why = failed.error.clone().unwrap_or_default();
        *solution = solution.clone().failed(why);
        return;
    }
    // The second look searches more than the first, unless it was stopped.
    let Some(best) = looks.iter().find(|look| is_mated(look)).or(looks.first()) else { return };
    let nodes: u64 = looks.iter().map(|look| look.stats.nodes).sum();
    if is_mated(best) {
        let refuted_through = Some(MateLength::MAX.0);
        solution.result = Outcome { refuted_through, no_mate_at_all: true, ..Outcome::bare(Status::NoMate) };
        let engine = solution.stats.engine.take().or(best.stats.engine.clone());
        let Stats { threads, hash_mb, .. } = best.stats;
        let threads = threads.max(solution.stats.threads);
        let hash_mb = hash_mb.max(solution.stats.hash_mb);
        solution.stats = Stats { engine, threads, hash_mb, stopped_by: None, ..solution.stats.clone() };
    }
    solution.stats.nodes += nodes;
    solution.other_side = Some(best.result.clone());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(fen: &str, request: &Request) -> Solution {
        let problem = Problem::read(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        solve_both_sides(&problem, request, &AtomicBool::new(false), &mut Silent).solution
    }

    #[test]
    fn a_side_that_is_mated_has_no_mate_at_all() {
        let solution = solve("5Kbk/6pp/6PR/8/8/8/8/8 b - -", &Request::default());
        assert_eq!((solution.result.status, solution.result.no_mate_at_all), (Status::NoMate, true));
        let other = solution.other_side.unwrap_or_else(|| panic!("the other side was asked"));
        assert_eq!((other.status, other.mate_in, other.proved_shortest), (Status::Mated, Some(1), true));
        assert!(other.verified.is_set() && solution.stats.engine.is_some());
    }

    #[test]
    fn a_mate_is_answered_as_without_the_other_question() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -").unwrap_or_else(|error| panic!("{error}"));
        let stop = AtomicBool::new(false);
        let plain = solve_with_proof(&problem, &Request::default(), &stop, &mut Silent).solution;
        let both = solve_both_sides(&problem, &Request::default(), &stop, &mut Silent).solution;
        assert_eq!((plain.result, plain.stats.nodes), (both.result, both.stats.nodes));
        assert_eq!(both.other_side, None);
    }

    #[test]
    fn the_looks_stay_within_the_limits() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for nodes in [0, 1, 100, 3_000] {
            let solution = solve(
                start,
                &Request { limits: Limits { nodes: Some(nodes), ..Limits::default() }, ..Request::default() },
            );
            assert!(solution.stats.nodes <= nodes, "{nodes}: {}", solution.stats.nodes);
        }
        let request = Request { limits: Limits { nodes: Some(100_000), ..Limits::default() }, ..Request::default() };
        let solution = solve(&format!("{start} dm 1;"), &request);
        assert!(solution.stats.nodes <= 100_000 && solution.other_side.is_some());
        assert_eq!((solution.result.status, solution.result.no_mate_at_all), (Status::NoMate, false));
    }
}
