//! Solves many problems at the same time and returns the answers in input order.
//!
//! Lines are read only as they are needed and are given to a pool of workers, one problem per worker. A finished answer
//! waits until all earlier answers have been emitted. Input and output are therefore streams, and without a time limit
//! the output does not depend on the number of workers. This is the only module that uses rayon.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, sync_channel};

use rayon::iter::{ParallelBridge, ParallelIterator};

use crate::problem::source::InputLine;
use crate::results::Solution;
use crate::search::Silent;
use crate::solve::{Request, solve};

/// The answer to one line of the input.
#[derive(Debug)]
pub(crate) struct BatchAnswer {
    /// The number of the input that the line comes from, from 0.
    pub file: usize,
    /// The solution, or the error if the line holds no valid problem.
    pub solution: Solution,
}

/// Solves the problems of `lines`, `jobs` at a time, and passes the answers to `emit` in input order.
///
/// When `stop` becomes true, no further line is started, and the running searches end with what they have proved. Their
/// answers are still emitted, so the emitted answers always belong to the first lines of the input, without gaps.
/// An error returned by `emit` stops all searches and is returned.
pub(crate) fn run(
    lines: impl Iterator<Item = InputLine> + Send,
    request: &Request,
    jobs: usize,
    stop: &AtomicBool,
    emit: &mut dyn FnMut(BatchAnswer) -> io::Result<()>,
) -> io::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(io::Error::other)?;
    pool.in_place_scope(|scope| {
        // The channel is bounded: if `emit` is slow, the solver waits instead of filling the memory.
        let (sender, receiver) = sync_channel(2 * jobs);
        scope.spawn(move |_| {
            lines.take_while(|_| !stop.load(Relaxed)).enumerate().par_bridge().for_each_with(
                sender,
                |sender, (index, line)| {
                    // Sending fails only after `emit` has failed; then the answer is not needed.
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

fn answer(line: &InputLine, request: &Request, stop: &AtomicBool) -> BatchAnswer {
    let solution = match &line.problem {
        Ok(problem) => solve(problem, request, stop, &mut Silent),
        Err(error) => Solution::invalid(Some(line.number), error),
    };
    BatchAnswer { file: line.file, solution }
}

/// Emits the answers, which arrive in any order, by their index. Takes ownership of the receiver, so that sending fails
/// as soon as this function has returned.
fn in_order(
    receiver: Receiver<(usize, BatchAnswer)>,
    emit: &mut dyn FnMut(BatchAnswer) -> io::Result<()>,
) -> io::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (index, answer) in receiver {
        waiting.insert(index, answer);
        while let Some(answer) = waiting.remove(&next) {
            emit(answer)?;
            next += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::source::Lines;

    /// Problems of very different difficulty, so that they do not finish in input order.
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
        let emit = &mut |answer: BatchAnswer| {
            let solution = answer.solution;
            out.push(format!("{:?} {:?} {}", solution.line, solution.result, solution.stats.nodes));
            Ok(())
        };
        run(lines, &Request::default(), jobs, &AtomicBool::new(false), emit).unwrap();
        out
    }

    #[test]
    fn answers_and_their_order_do_not_depend_on_the_number_of_workers() {
        let one = answers(1);
        assert_eq!(one.len(), 5);
        assert!(one[0].starts_with("Some(1)") && one[1].contains("Invalid") && one[4].starts_with("Some(5)"));
        assert_eq!(one, answers(4));
    }

    #[test]
    fn an_error_from_emit_stops_the_batch() {
        let stop = AtomicBool::new(false);
        let lines = Lines::new(TEXT.as_bytes(), 0);
        let result = run(lines, &Request::default(), 2, &stop, &mut |_| Err(io::ErrorKind::BrokenPipe.into()));
        assert_eq!(result.map_err(|error| error.kind()), Err(io::ErrorKind::BrokenPipe));
        assert!(stop.load(Relaxed));
    }
}
