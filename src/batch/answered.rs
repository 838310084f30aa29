//! Remembers answers of a batch, so that a problem that occurs again need not be solved again.
//!
//! Two problems are the same if their [`ProblemKey`], their warnings and the limits of their lines are. A mirrored
//! position, or one with the colours exchanged, is solved: its main line could be another. Only whole answers are
//! remembered, not those that a limit cut short. Nodes and times are those of the one search.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::problem::{LineLimits, Problem, ProblemKey};
use crate::results::Solution;
use crate::results::help::HelpSolutions;
use crate::results::solution::Status;
use crate::solve::lines::PAGE;

/// The largest number of answers in each of the two generations: together a few megabytes.
const CAPACITY: usize = 2048;

/// What must be equal for the same answer: the problem, the limits of its line, and the warnings.
type AnswerKey = (ProblemKey, LineLimits, Vec<String>);

/// The answers so far. If the young generation is full, the old one is forgotten, and the young one becomes old.
#[derive(Debug, Default)]
pub(super) struct Answered {
    generations: Mutex<Generations>,
}

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<AnswerKey, Solution>,
    old: HashMap<AnswerKey, Solution>,
}

fn answer_key(problem: &Problem) -> AnswerKey {
    (problem.key(), problem.limits, problem.every_warning())
}

impl Answered {
    /// Returns the answer to a problem if the same one was solved before.
    pub(super) fn get(&self, problem: &Problem) -> Option<Solution> {
        let key = answer_key(problem);
        let generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        let known = generations.young.get(&key).or_else(|| generations.old.get(&key))?.clone();
        let Solution { line, id, stipulation, given, operations, .. } = Solution::of(problem);
        Some(Solution { line, id, stipulation, given, operations, ..known })
    }

    /// Remembers the answer to a problem, unless it is undecided, a limit ended the search, or it is longer than a
    /// page.
    pub(super) fn insert(&self, problem: &Problem, solution: &Solution) {
        let is_whole = solution.stats.stopped_by.is_none() && solution.result.status != Status::Undecided;
        let is_long =
            solution.help.iter().flat_map(HelpSolutions::parts).map(|(_, lines)| lines.len()).sum::<usize>() > PAGE;
        if !is_whole || is_long || solution.error.is_some() {
            return;
        }
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if generations.young.len() >= CAPACITY {
            generations.old = std::mem::take(&mut generations.young);
        }
        generations.young.insert(answer_key(problem), solution.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Solver;

    #[test]
    fn the_same_problem_is_answered_and_others_are_not() {
        let answered = Answered::default();
        let read = |line: &str| Problem::read(line).unwrap();
        let first = read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; id \"a\";");
        answered.insert(&first, &Solver::new().solve(&first));
        let again = answered.get(&read("5Kbk/6pp/6P1/8/8/8/8/7R w - - bm #2; id \"b\";")).unwrap();
        assert_eq!((again.id.as_deref(), again.result.mate_in), (Some("b"), Some(2)));
        assert_eq!(again.operations[0].to_string(), "bm #2;");
        let limited = r#"{"fen":"5Kbk/6pp/6P1/8/8/8/8/7R w - -","dm":2,"nodes":1}"#;
        assert!(answered.get(&read(limited)).is_none(), "alone it may be undecided");
        for other in ["dm 3;", "bm #-2;", "", "3 9 dm 2;"] {
            assert!(answered.get(&read(&format!("5Kbk/6pp/6P1/8/8/8/8/7R w - - {other}"))).is_none(), "{other}");
        }
        let hard = read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
        answered.insert(&hard, &Solver::new().nodes(100).solve(&hard));
        assert!(answered.get(&hard).is_none());
    }

    #[test]
    fn the_memory_is_bounded() {
        let answered = Answered::default();
        let mut problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -").unwrap();
        let solution = Solver::new().solve(&problem);
        for number in 0..3 * CAPACITY {
            problem.fen = number.to_string();
            answered.insert(&problem, &solution);
        }
        assert!(answered.get(&problem).is_some());
        let generations = answered.generations.lock().unwrap();
        assert!(generations.young.len() + generations.old.len() <= 2 * CAPACITY);
    }
}
