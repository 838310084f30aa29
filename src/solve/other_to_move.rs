//! Asks the same question, if it does not say who begins, with the other colour to move.
//!
//! It is asked with few nodes: beside a search that is open after a second, or after half its time limit if that is
//! less; or after a search without a solution. With a limit of nodes it is not asked. It is not the question of
//! `other_side`: there the position stays, and the side to move is mated.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use shakmaty::{EnPassantMode, fen::Fen};

use crate::base::clock::Instant;
use crate::base::threads;
use crate::chess::passed;
use crate::problem::Problem;
use crate::results::Solution;
use crate::results::solution::Status;
use crate::search::Observer;

use super::other_side::look;
use super::{Limits, Request, Solved, milliseconds, solve_both_sides};

/// The largest number of nodes: about a tenth of a second.
const NODES: u64 = 50_000;

/// The memory, in bytes: little, because the search beside it has its own.
const MEMORY: usize = 4 << 20;

/// The time after which a search counts as one without an answer.
const WAIT: Duration = Duration::from_secs(1);

/// Solves one problem, and without a mate says whether the side to move is mated. If it has no solution, or none is
/// found, the answer also has the solution with the other colour to move (`other_to_move`). `found` receives it while
/// the search runs. With a limit of nodes this is not asked, so that two runs print the same.
pub fn solve_either_to_move(
    problem: &Problem,
    request: &Request,
    stop: &AtomicBool,
    observer: &mut (dyn Observer + Send),
    found: &(dyn Fn(&Solution) + Sync),
) -> Solved {
    let asked = with_other_to_move(problem).filter(|_| request.limits.nodes.is_none());
    let Some(asked) = asked else { return solve_both_sides(problem, request, stop, observer) };
    let start = Instant::now();
    let wait = request.limits.time.map_or(WAIT, |time| WAIT.min(time / 2));
    let answer = OnceLock::new();
    let ask = || {
        let left = request.limits.time.map_or(WAIT, |time| time.saturating_sub(start.elapsed()).min(WAIT));
        let limits = Limits { time: Some(left), hash: request.limits.hash.min(MEMORY), ..request.limits };
        let solution = look(&asked, &Request { limits, ..*request }, NODES, stop);
        let is_solved = matches!(solution.result.status, Status::Mate | Status::Solved) && !solution.internal_failure;
        is_solved.then_some(solution)
    };
    let tick = || {
        if start.elapsed() >= wait && answer.get().is_none() {
            answer.get_or_init(ask).as_ref().inspect(|solution| found(solution));
        }
    };
    let mut solved = threads::ticking(tick, || solve_both_sides(problem, request, stop, observer));
    let solution = &mut solved.solution;
    let is_open = matches!(solution.result.status, Status::NoMate | Status::NoSolution | Status::Undecided);
    if !is_open || solution.internal_failure || solution.result.longer_mate.is_some() {
        return solved;
    }
    if let Some(other) = answer.get_or_init(ask) {
        solution.other_to_move = Some(other.result.clone());
        solution.stats.nodes += other.stats.nodes;
        solution.stats.time_ms = milliseconds(start);
    }
    solved
}

/// Returns the problem with the other colour to move; `None` if the position would be illegal, or if its question says
/// who begins.
fn with_other_to_move(problem: &Problem) -> Option<Problem> {
    let stipulation = problem.question.stipulation;
    if stipulation.is_helped() || stipulation.defender_begins() {
        return None;
    }
    let chess = passed(&problem.chess)?;
    let fen = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
    Some(Problem { chess, fen, ..problem.clone() }.stipulated(stipulation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Silent;

    fn solve(line: &str, limits: Limits) -> Solution {
        let problem = Problem::read(line).unwrap();
        let request = Request { limits, ..Request::default() };
        solve_either_to_move(&problem, &request, &AtomicBool::new(false), &mut Silent, &|_| ()).solution
    }

    #[test]
    fn a_mate_by_the_other_colour_is_named() {
        for (line, mate_in) in [
            ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - dm 1;", Some(1)),
            ("5Kbk/6pp/6P1/8/8/8/8/7R b - - dm 2;", Some(2)),
            // Longer than asked.
            ("5Kbk/6pp/6P1/8/8/8/8/7R b - - dm 1;", None),
            // White would be to move, and Black's king stands in check.
            ("R6k/8/6K1/8/8/8/8/8 b - - dm 1;", None),
            // The side to move mates.
            ("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;", None),
        ] {
            let solution = solve(line, Limits::default());
            assert_eq!(solution.other_to_move.as_ref().and_then(|other| other.mate_in), mate_in, "{line}");
            assert!(solution.other_to_move.is_none_or(|other| other.verified.is_set()), "{line}");
        }
    }

    #[test]
    fn a_limit_of_nodes_leaves_the_question_out() {
        let line = "5Kbk/6pp/6P1/8/8/8/8/7R b - - dm 2;";
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        assert_eq!(solve(line, limits).other_to_move, None);
    }
}
