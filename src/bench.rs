//! The benchmark: fixed problems, a fixed number of nodes each, one thread.
//!
//! Its node count is the search's checksum: it changes when, and only when, a search visits other nodes than before, so
//! that a change meant to be mere speed can be seen to be that. Every answer is compared with the length the suite states.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::problem::Problem;
use crate::problem::source::Lines;
use crate::results::Solution;
use crate::search::Silent;
use crate::solve::{Length, Request, solve};

/// Suites of different kinds: quiet keys and checks, short and long, endings and middle games.
const SUITES: [&str; 4] = [
    include_str!("../problems/classics.epd"),
    include_str!("../problems/quiet_keys.epd"),
    include_str!("../problems/long_checks.epd"),
    include_str!("../problems/zugzwang.epd"),
];

/// What a run gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Problems tried.
    pub problems: usize,
    /// With a mate found, of any length.
    pub found: usize,
    /// With the shortest mate proved to be the shortest.
    pub proved: usize,
    /// Nodes of all problems together.
    pub nodes: u64,
    /// Time of all problems together.
    pub time: Duration,
    /// Answers that contradict the suite, in words.
    pub wrong: Vec<String>,
}

impl BenchResult {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        let nanos = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }

    fn add(&mut self, problem: &Problem, solution: &Solution) {
        self.problems += 1;
        self.nodes += solution.stats.nodes;
        let stated = problem.stipulation.moves.map(|n| n.0);
        let result = &solution.result;
        self.found += usize::from(result.mate_in.is_some());
        self.proved += usize::from(result.proved_shortest);
        let (Some(mate), Some(stated)) = (result.mate_in, stated) else { return };
        if mate < stated || (result.proved_shortest && mate != stated) {
            self.wrong.push(format!("mate in {mate} where the suite says {stated}: {}", problem.fen));
        }
    }
}

/// Solves the benchmark's problems as the request says; their stated lengths are not told. Stops when `stop` becomes true.
pub fn run(request: &Request, stop: &AtomicBool) -> BenchResult {
    let request = Request { length: Length::Shortest, threads: 1, ..*request };
    let mut outcome = BenchResult::default();
    let lines = SUITES.iter().enumerate().flat_map(|(file, text)| Lines::new(text.as_bytes(), file));
    for problem in lines.filter_map(|line| line.problem.ok()) {
        let start = Instant::now();
        let solution = solve(&problem, &request, stop, &mut Silent);
        outcome.time += start.elapsed();
        outcome.add(&problem, &solution);
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_runs_count_the_same_and_nothing_is_wrong() {
        let run = || {
            let request = Request { nodes: Some(3_000), hash: 1 << 20, ..Request::default() };
            BenchResult { time: Duration::ZERO, ..run(&request, &AtomicBool::new(false)) }
        };
        let outcome = run();
        assert_eq!(outcome, run());
        assert_eq!(outcome.wrong, Vec::<String>::new());
        assert!(outcome.problems > 100 && outcome.proved * 2 > outcome.problems, "{outcome:?}");
    }
}
