//! Many problems at once, answered in the order they came.
//!
//! The lines are read as they are needed and handed to a pool of workers, one problem each; a finished answer waits
//! until all before it are out. So input and output are streams, and the output of a run does not depend on how many
//! workers there were (time limits apart). This is the only module that knows rayon.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, sync_channel};

use rayon::iter::{ParallelBridge, ParallelIterator};

use crate::problem::source::InputLine;
use crate::results::Solution;
use crate::search::Silent;
use crate::solve::{Request, solve};

/// An answered line, and which of the inputs it came from.
#[derive(Debug)]
pub struct Answered {
    /// The number of the input, from 0.
    pub file: usize,
    /// The answer.
    pub solution: Solution,
}

/// Solves the problems of `lines`, `jobs` at a time, and hands the answers to `emit` in input order.
///
/// When `stop` becomes true no further line is begun and the searches under way end with what they know; their
/// answers are still handed out, so that what is emitted is always a beginning of the input. An error from `emit`
/// stops everything and is returned.
pub fn run(
    lines: impl Iterator<Item = InputLine> + Send,
    request: &Request,
    jobs: usize,
    stop: &AtomicBool,
    emit: &mut dyn FnMut(Answered) -> io::Result<()>,
) -> io::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(io::Error::other)?;
    pool.in_place_scope(|scope| {
        // Bounded: a reader who is slower than the solver slows it down instead of filling the memory.
        let (sender, receiver) = sync_channel(2 * jobs);
        scope.spawn(move |_| {
            lines.take_while(|_| !stop.load(Relaxed)).enumerate().par_bridge().for_each_with(
                sender,
                |sender, (index, line)| {
                    // Nobody receives any more: the answer is not wanted.
                    let _ = sender.send((index, answer(&line, request, stop)));
                },
            );
        });
        let result = in_order(receiver, emit);
        if result.is_err() {
            stop.store(true, Relaxed);
        }
        result
    })
}

fn answer(line: &InputLine, request: &Request, stop: &AtomicBool) -> Answered {
    let solution = match &line.problem {
        Ok(problem) => solve(problem, request, stop, &mut Silent),
        Err(error) => Solution::invalid(Some(line.number), error),
    };
    Answered { file: line.file, solution }
}

/// Emits what arrives in any order by its index. Owns the receiver: when it returns, senders learn of it.
fn in_order(receiver: Receiver<(usize, Answered)>, emit: &mut dyn FnMut(Answered) -> io::Result<()>) -> io::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (index, answered) in receiver {
        waiting.insert(index, answered);
        while let Some(answered) = waiting.remove(&next) {
            emit(answered)?;
            next += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::source::Lines;

    /// Problems of very different cost, so that they finish out of order.
    const TEXT: &str = "\
5Kbk/6pp/6P1/8/8/8/8/7R w - - bm #2;
garbage
7k/5Q2/6K1/8/8/8/8/8 w - - bm #1;
5Kbk/6pp/6P1/8/8/8/8/7R w - - bm #3;
7k/5Q2/6K1/8/8/8/8/8 w - - bm #1;
";

    fn answers(jobs: usize) -> Vec<String> {
        let lines = Lines::new(TEXT.as_bytes(), 0);
        let mut out = Vec::new();
        let emit = &mut |answered: Answered| {
            let solution = answered.solution;
            out.push(format!("{:?} {:?} {}", solution.line, solution.result, solution.stats.nodes));
            Ok(())
        };
        run(lines, &Request::default(), jobs, &AtomicBool::new(false), emit).unwrap();
        out
    }

    #[test]
    fn the_answers_and_their_order_do_not_depend_on_the_workers() {
        let one = answers(1);
        assert_eq!(one.len(), 5);
        assert!(one[0].starts_with("Some(1)") && one[1].contains("Invalid") && one[4].starts_with("Some(5)"));
        assert_eq!(one, answers(4));
    }

    #[test]
    fn a_reader_who_leaves_stops_the_work() {
        let stop = AtomicBool::new(false);
        let lines = Lines::new(TEXT.as_bytes(), 0);
        let gone = run(lines, &Request::default(), 2, &stop, &mut |_| Err(io::ErrorKind::BrokenPipe.into()));
        assert_eq!(gone.map_err(|error| error.kind()), Err(io::ErrorKind::BrokenPipe));
        assert!(stop.load(Relaxed));
    }
}
