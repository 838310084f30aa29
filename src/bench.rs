//! The benchmark: solves fixed problems one after the other, each within the limits of the request.
//!
//! The total node count serves as a checksum of the search: a change that should only make the search faster must leave
//! it unchanged. A mate that contradicts the length that the suite states is reported: a shorter one, or one of another
//! length that is proved shortest.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::base::clock::Instant;
use crate::problem::Problem;
use crate::problem::input::rows::Rows;
use crate::results::Solution;
use crate::search::Silent;
use crate::solve::{Request, solve};

/// The suites. They hold quiet keys and checks, short and long mates, endings and middle games.
const SUITES: [&str; 4] = [
    include_str!("../problems/classics.epd"),
    include_str!("../problems/quiet_keys.epd"),
    include_str!("../problems/long_checks.epd"),
    include_str!("../problems/zugzwang.epd"),
];

/// The totals of a benchmark run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BenchResult {
    /// The number of problems.
    pub problems: usize,
    /// The number of problems for which a mate of any length was found.
    pub found: usize,
    /// The number of problems for which a mate was found and proved shortest.
    pub proved: usize,
    /// The total number of nodes.
    pub nodes: u64,
    /// The total time.
    pub time: Duration,
    /// One sentence for every answer that contradicts the length the suite states.
    pub contradictions: Vec<String>,
}

impl BenchResult {
    /// Returns the speed in nodes per second.
    pub fn speed(&self) -> u64 {
        let nanos = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }

    /// Counts the solution of one problem.
    fn add(&mut self, problem: &Problem, solution: &Solution) {
        self.problems += 1;
        self.nodes += solution.stats.nodes;
        let stated = problem.question.stipulation.moves().map(|n| n.0);
        let result = &solution.result;
        self.found += usize::from(result.mate_in.is_some());
        self.proved += usize::from(result.proved_shortest);
        let (Some(mate), Some(stated)) = (result.mate_in, stated) else { return };
        if mate < stated || (result.proved_shortest && mate != stated) {
            self.contradictions.push(format!("mate in {mate} where the suite says {stated}: {}", problem.fen));
        }
    }
}

/// Solves all problems of the benchmark with the engine and limits of `request`.
///
/// The engine looks for mates of any length and does not use the lengths that the suites state. When `stop` becomes
/// true, the run ends early and its counts mean nothing.
pub(crate) fn run(request: &Request, stop: &AtomicBool) -> BenchResult {
    let mut result = BenchResult::default();
    let lines = SUITES.iter().flat_map(|text| Rows::new(text.as_bytes()));
    for problem in lines.filter_map(|line| line.problem.ok()) {
        let start = Instant::now();
        let any_length = problem.clone().stipulated(problem.question.stipulation.within(None));
        let solution = solve(&any_length, request, stop, &mut Silent);
        result.time += start.elapsed();
        result.add(&problem, &solution);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Limits;

    #[test]
    fn two_runs_count_the_same_nodes_and_contradict_no_stated_length() {
        let run = || {
            let request = Request {
                limits: Limits { nodes: Some(3_000), hash: 1 << 20, ..Limits::default() },
                ..Request::default()
            };
            BenchResult { time: Duration::ZERO, ..run(&request, &AtomicBool::new(false)) }
        };
        let result = run();
        assert_eq!(result, run());
        assert_eq!(result.contradictions, Vec::<String>::new());
        assert!(result.problems > 100 && result.proved * 2 > result.problems, "{result:?}");
    }
}
