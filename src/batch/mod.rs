//! Solves many problems, several at the same time, and returns the answers in input order, or each when it is ready.
//!
//! Lines are read only as they are needed and are given to a pool of workers, one problem per worker. In input order, a
//! finished answer waits until all earlier answers have been emitted. Input and output are therefore streams. The parts
//! of a divided problem share a table, so their nodes and main lines may depend on the number of workers
//! ([`crate::split`]).
//!
//! | file | content |
//! |---|---|
//! | `answered` | the answers so far, for problems that occur again |
//! | `check` | the comparison of answers with what their lines claim |

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, sync_channel};

use crate::base::guard::caught;
use crate::problem::input::Entry;
use crate::results::Solution;
use crate::search::Region;
use crate::search::decider::pool::ThreadSource;
use crate::solve::{NodeCount, Request, solve_in};
use crate::split::tables::Tables;
use matesolve_engine::base::parallel;
use matesolve_engine::base::parallel::prelude::*;

pub(crate) use check::Checking;

mod answered;
mod check;

use answered::Answered;

/// The answer to one line of the input.
#[derive(Debug)]
pub(crate) struct BatchAnswer {
    /// The solution, or the error if the line holds no valid problem.
    pub solution: Solution,
    /// Whether it is the answer to an equal problem, which was solved before.
    pub is_repeated: bool,
}

/// The order in which results are emitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The order of the items.
    Input,
    /// Each result as soon as it is ready.
    Ready,
}

/// Calls `work` with each item, for `jobs` items at the same time, and passes the results to `emit` in this order.
/// `work` also gets the threads that have nothing to do because the items are used up, and the region of its worker.
///
/// When `stop` becomes true, no further item is started, and the running searches end with what they have proved. Their
/// results are still emitted, so in the order of the items they always belong to the first ones, without gaps. An error
/// returned by `emit` stops all searches and is returned.
pub fn each<I: Send, O: Send>(
    items: impl Iterator<Item = I> + Send,
    jobs: usize,
    order: Order,
    stop: &AtomicBool,
    work: impl Fn(I, &SpareThreads, &mut Region) -> O + Sync,
    emit: &mut dyn FnMut(O) -> io::Result<()>,
) -> io::Result<()> {
    let (pool, spare) = (parallel::start(jobs)?, SpareThreads { jobs, ..SpareThreads::default() });
    // The channel is bounded: if `emit` is slow, the solver waits instead of filling the memory.
    let (sender, receiver) = sync_channel(2 * jobs);
    let items = spare.watch(items.take_while(|_| !stop.load(Relaxed))).enumerate();
    let worker = |region: &mut Region, (index, item)| {
        let result = work(item, &spare, region);
        spare.in_progress.fetch_sub(1, Relaxed);
        (index, result)
    };
    pool.in_place_scope(|scope| {
        // This pool has the items and nothing else: what one item needs is never its to take up.
        scope.spawn(|_| {
            // Sending fails only after `emit` has failed; then the result is not needed.
            let results = items.par_bridge().map_init(Region::default, worker);
            results.for_each_with(sender, |sender, result| _ = sender.send(result));
        });
        let emitted = match order {
            Order::Input => in_order(receiver, emit),
            Order::Ready => receiver.into_iter().try_for_each(|(_, result)| emit(result)),
        };
        emitted.inspect_err(|_| stop.store(true, Relaxed))
    })
}

/// The threads of a batch that have no item left to work on. The last items of a batch can borrow them.
///
/// What is lent is a number, and the borrower starts threads of its own. The idle workers themselves do not come to
/// help: a borrower that waited for them in their pool would take up their items, on its own stack and past its limits.
#[derive(Debug, Default)]
pub struct SpareThreads {
    jobs: usize,
    /// Items that have been read and are not finished.
    in_progress: AtomicUsize,
    /// There are no more items.
    exhausted: AtomicBool,
    borrowed: AtomicUsize,
}

impl SpareThreads {
    /// The same items, counted as they are read.
    fn watch<I>(&self, mut items: impl Iterator<Item = I>) -> impl Iterator<Item = I> {
        std::iter::from_fn(move || {
            let item = items.next();
            match item {
                Some(_) => self.in_progress.fetch_add(1, Relaxed),
                None => usize::from(self.exhausted.swap(true, Relaxed)),
            };
            item
        })
    }
}

impl ThreadSource for SpareThreads {
    fn borrow(&self) -> usize {
        if !self.exhausted.load(Relaxed) {
            return 0;
        }
        let idle = self.jobs.saturating_sub(self.in_progress.load(Relaxed));
        let taken = self.borrowed.fetch_max(idle, Relaxed);
        idle.saturating_sub(taken)
    }

    fn give_back(&self, threads: usize) {
        self.borrowed.fetch_sub(threads, Relaxed);
    }
}

/// The question that a batch asks about each problem, and what is kept from one to the next.
pub(crate) struct Batch<'a> {
    request: &'a Request,
    checking: Option<Checking>,
    answered: Answered,
    /// For the parts of a problem that was divided.
    tables: Tables,
}

impl<'a> Batch<'a> {
    /// `checking`: each answer is compared with what its line claims. `jobs` lines are solved at the same time.
    pub(crate) fn new(request: &'a Request, checking: Option<Checking>, jobs: usize) -> Batch<'a> {
        Batch { request, checking, answered: Answered::default(), tables: Tables::new(jobs) }
    }

    /// Solves the problem of one line. A panic costs this answer only: inside the search `solve` catches it, outside of
    /// it this function does.
    pub(crate) fn answer(
        &self,
        line: &Entry,
        region: &mut Region,
        stop: &AtomicBool,
        nodes: &NodeCount,
    ) -> BatchAnswer {
        let Batch { request, checking, answered, tables } = self;
        let known = line.problem.as_ref().ok().filter(|_| checking.is_none()).and_then(|problem| answered.get(problem));
        if let Some(solution) = known {
            return BatchAnswer { solution, is_repeated: true };
        }
        let request = &line.problem.as_ref().map_or(**request, |problem| request.within(problem.limits));
        let solution = match &line.problem {
            Ok(problem) => caught(|| match *checking {
                Some(checking) => check::Claims { entry: line, problem, request, stop, nodes }.answer(checking),
                None => match Tables::part(problem, request) {
                    Some(part) => tables.solve(problem, &part, request, stop, &mut nodes.clone()),
                    None => solve_in(region, problem, request, stop, &mut nodes.clone()).solution,
                },
            })
            .unwrap_or_else(|broken| {
                let place = format_args!("the position {}", problem.fen);
                Solution::of(problem).failed(broken.sentence("matesolve", place))
            }),
            Err(error) => Solution::rejected(line, error),
        };
        if let (Ok(problem), None) = (&line.problem, checking) {
            answered.insert(problem, &solution);
        }
        BatchAnswer { solution, is_repeated: false }
    }
}

/// Emits the results, which arrive in any order, by their index. Takes ownership of the receiver, so that sending fails
/// as soon as this function has returned.
fn in_order<O>(receiver: Receiver<(usize, O)>, emit: &mut dyn FnMut(O) -> io::Result<()>) -> io::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (index, result) in receiver {
        waiting.insert(index, result);
        while let Some(result) = waiting.remove(&next) {
            emit(result)?;
            next += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{MateLength, Stipulation};
    use crate::problem::Problem;
    use crate::results::solution::{Status, StoppedBy};
    use crate::search::{Answer, Engine, Facts, Meter, Observer, Task};
    use crate::solve::Limits;
    use crate::solve::registry::{self, EngineEntry};
    use crate::solver::Solver;
    use std::sync::Arc;
    use std::time::Duration;

    /// Problems of very different difficulty, so that they do not finish in input order.
    const TEXT: &str = "\
5Kbk/6pp/6P1/8/8/8/8/7R w - - bm #2;
garbage
7k/5Q2/6K1/8/8/8/8/8 w - - bm #1;
5Kbk/6pp/6P1/8/8/8/8/7R w - - bm #3;
7k/5Q2/6K1/8/8/8/8/8 w - - bm #1;
";

    fn answers(jobs: usize) -> Vec<String> {
        let mut out = Vec::new();
        let emit = |solution: Solution| {
            out.push(format!("{:?} {:?} {}", solution.line, solution.result, solution.stats.nodes));
            Ok(())
        };
        Solver::new().batch(TEXT.as_bytes(), jobs, emit).unwrap();
        out
    }

    #[test]
    fn answers_and_their_order_do_not_depend_on_the_number_of_workers() {
        let one = answers(1);
        assert_eq!(one.len(), 5);
        assert!(one[0].starts_with("Some(1)") && one[1].contains("Invalid") && one[4].starts_with("Some(5)"));
        assert_eq!(one, answers(4));
    }

    /// An engine that panics on every second position.
    #[derive(Default)]
    struct Fragile;

    impl Engine for Fragile {
        fn name(&self) -> &'static str {
            "fragile"
        }
        fn solve(&mut self, task: &Task, _: &mut Meter<'_>, _: &Facts, _: &mut dyn Observer) -> Answer {
            assert!(task.bound() == MateLength(1), "breaks down on purpose");
            Answer::default()
        }
    }

    #[test]
    fn a_panic_in_one_line_is_an_internal_failure_of_that_line_only() {
        static FRAGILE: EngineEntry = EngineEntry {
            name: "fragile",
            about: "",
            facts_percent: 0,
            parallel: false,
            every_goal: false,
            make: |_, _| Box::new(Fragile),
        };
        let request = Request { engine: &FRAGILE, ..Request::default() };
        let mut failures = Vec::new();
        let emit = |solution: Solution| {
            let Solution { line, internal_failure, error, .. } = solution;
            failures.push((line, internal_failure, error.unwrap_or_default()));
            Ok(())
        };
        Solver::with_request(request).batch(TEXT.as_bytes(), 2, emit).unwrap();
        let failed: Vec<_> = failures.iter().map(|(line, failed, _)| (line.unwrap_or_default(), *failed)).collect();
        assert_eq!(failed, [(1, true), (2, false), (3, false), (4, true), (5, false)]);
        assert!(failures[0].2.contains("fragile broke down on the position 5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1; please"));
    }

    #[test]
    fn an_error_from_emit_stops_the_batch() {
        let solver = Solver::new();
        let result = solver.batch(TEXT.as_bytes(), 2, |_| Err(io::ErrorKind::BrokenPipe.into()));
        assert_eq!(result.map_err(|error| error.kind()), Err(io::ErrorKind::BrokenPipe));
        assert!(solver.stop_handle().is_stopped());
    }

    #[test]
    fn the_last_items_can_borrow_the_threads_that_are_idle() {
        let borrowed = |items: usize| {
            let mut most = 0;
            let work = |item: usize, spare: &SpareThreads, _: &mut Region| {
                // The first item waits until the others are done.
                let started = std::time::Instant::now();
                let mut threads = 0;
                while item == 0 && threads < 3 && started.elapsed().as_secs() < 10 {
                    threads += spare.borrow();
                    std::thread::yield_now();
                }
                spare.give_back(threads);
                threads
            };
            let emit = &mut |threads: usize| {
                most = most.max(threads);
                Ok(())
            };
            each(0..items, 4, Order::Input, &AtomicBool::new(false), work, emit).unwrap();
            most
        };
        assert_eq!((borrowed(1), borrowed(6)), (3, 3));
    }

    /// A problem with its own request and stop flag.
    struct Asked {
        problem: Problem,
        request: Request,
        stop: Arc<AtomicBool>,
    }

    /// Asks a question with four threads, which stops after this number of nodes.
    fn asked(fen: &str, stipulation: &str, engine: &str, nodes: u64) -> Asked {
        let problem = Problem::read(fen).unwrap();
        let problem = problem.stipulated(Stipulation::parse_any(stipulation).unwrap());
        let engine = registry::engine(engine).unwrap();
        let limits = Limits { threads: 4, nodes: Some(nodes), hash: 8 << 20, ..Limits::default() };
        let request = Request { engine, limits, ..Request::default() };
        Asked { problem, request, stop: Arc::default() }
    }

    #[test]
    fn no_line_waits_for_the_work_of_another_and_none_runs_past_its_limits() {
        const FEW: u64 = 30_000;
        /// By far more than can be made while the other lines are worked on.
        const MANY: u64 = 1 << 25;
        let (start, series) = ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - -", "8/8/8/8/8/1k1K4/8/6RR w - -");
        let direct = "r1b1k1nr/pp1p1ppp/2n5/8/8/2N5/PP1P1PPP/R1BQK1NR w - -";
        // The first line has no end of its own: it is stopped when all the others are done. If one of them waited for
        // it, or took up a part of it, it would run to its many nodes.
        let endless = asked(start, "h=7", "race", MANY);
        let mut short = asked(start, "h=7", "race", MANY);
        short.request.limits.time = Some(Duration::from_millis(100));
        let tables = asked("8/8/8/8/4k3/8/8/K1BN4 w - -", "#40", "retro", MANY);
        let mut many_lines = asked(series, "ser-#5", "race", FEW);
        many_lines.request.limits.hash = 64 << 20;
        let others = [
            asked(start, "h=7", "race", FEW),
            short,
            asked(direct, "#9", "race", FEW),
            tables,
            many_lines,
            asked("7k/5Q2/6K1/8/8/8/8/8 w - -", "#1", "race", FEW),
        ];
        let (left, end) = (AtomicUsize::new(others.len()), endless.stop.clone());
        let work = |asked: Asked, _: &SpareThreads, region: &mut Region| {
            let is_endless = Arc::ptr_eq(&asked.stop, &end);
            let Asked { problem, request, stop, .. } = &asked;
            let solution = solve_in(region, problem, request, stop, &mut NodeCount::default()).solution;
            if !is_endless && left.fetch_sub(1, Relaxed) == 1 {
                end.store(true, Relaxed);
            }
            solution
        };
        let mut found = Vec::new();
        let emit = &mut |solution: Solution| {
            found.push((solution.stats.nodes, solution.stats.stopped_by, solution.result.status));
            Ok(())
        };
        let items = [endless].into_iter().chain(others);
        each(items, 2, Order::Input, &AtomicBool::new(false), work, emit).unwrap();
        let stopped: Vec<Option<StoppedBy>> = found.iter().map(|(_, stopped, _)| *stopped).collect();
        let (nodes, time) = (Some(StoppedBy::Nodes), Some(StoppedBy::Time));
        assert_eq!(stopped, [Some(StoppedBy::Interrupt), nodes, time, nodes, None, nodes, None], "{found:?}");
        // Each thread looks at the limit after 1024 nodes.
        let within = |at: usize| (FEW..FEW + 4 * 1024).contains(&found[at].0);
        assert!([1, 3, 5].into_iter().all(within), "{found:?}");
        assert_eq!(found[6].2, Status::Mate);
    }
}
