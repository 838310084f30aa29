//! The main entry point of the library: [`Solver`], which holds the engine, the limits and the question, and runs the
//! work.
//!
//! | file | methods |
//! |---|---|
//! | `mod` | options and limits, `solve` and its variants, `first_moves` |
//! | `batch` | `batch` and `batch_entries`, with the threads of an operating system |
//! | `reports` | `report`, `audit`, and both for the entries of files; the workbench: `mend`, `twins`, `economy`, `retract` |

#[cfg(feature = "cli")]
mod batch;
mod reports;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::base::memory;
use crate::chess::MateLength;
use crate::problem::question::Said;
use crate::problem::{Asked, Problem, ProblemError};
use crate::results::Solution;
use crate::search::syzygy::{SyzygyError, SyzygyFiles};
use crate::search::{Observer, Silent};
use crate::solve::{self, MovesObserver, MovesWanted, Request, Solved, registry};

/// Solves problems, makes reports and runs batches with fixed options.
///
/// One solver serves any number of problems, and any thread may use it.
///
/// Without limits it searches until the problem is answered, which can take forever. Set a time or a number of nodes,
/// or keep a [`StopHandle`].
///
/// ```
/// use matesolve::{Problem, Solver};
///
/// let problem = Problem::read("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -").unwrap();
/// let solution = Solver::new().nodes(1_000_000).solve(&problem);
/// assert_eq!(solution.result.mate_in, Some(3));
/// assert_eq!(solution.result.pv_san.as_deref().map(|line| &line[..6]), Some("1. Qf1"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Solver {
    request: Request,
    /// The question that the caller asks of every problem.
    told: Asked,
    stop: StopHandle,
}

/// Stops a [`Solver`] from another thread.
///
/// ```
/// use matesolve::{Problem, Solver};
///
/// let solver = Solver::new();
/// let stop = solver.stop_handle();
/// std::thread::spawn(move || stop.stop());
/// // The initial position cannot be solved; only the stop handle ends this search.
/// let problem = Problem::read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").unwrap();
/// assert_eq!(solver.solve(&problem).result.mate_in, None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Returns the flag that the searches read.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Ends the running search and every later search of the same solver. Each returns what it has proved by then.
    pub fn stop(&self) {
        self.0.store(true, Relaxed);
    }

    /// Returns whether [`StopHandle::stop`] has been called.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }
}

impl Solver {
    /// Makes a solver with the default engine, 256 MiB of memory, one thread and no limit of time or nodes.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// Makes a solver with all the options of a [`Request`].
    pub fn with_request(request: Request) -> Solver {
        Solver { request, ..Solver::default() }
    }

    /// Limits each problem to this time.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Solver {
        self.request.limits.time = Some(time);
        self
    }

    /// Limits each problem to this number of nodes. With one thread, two runs then give the same answer.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Solver {
        self.request.limits.nodes = Some(nodes);
        self
    }

    /// Limits the memory for one problem, in bytes. Default: 256 MiB. More than seven eighths of the machine's memory
    /// is reduced to that.
    #[must_use]
    pub fn hash(mut self, bytes: usize) -> Solver {
        self.request.limits.hash = bytes.min(memory::most());
        self
    }

    /// Searches each problem on this number of threads, at least 1. Default: 1.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Solver {
        self.request.limits.threads = threads.max(1);
        self
    }

    /// Refutes positions of few men by the Syzygy files in these folders. What is refuted may then rest on them, which
    /// nobody replays; [`crate::results::solution::Outcome::with_tables`] says so. Only the engine `race` and reports
    /// read them.
    ///
    /// # Errors
    /// If a folder cannot be read, or has no Syzygy file; the error's text names it.
    ///
    /// ```
    /// use matesolve::Solver;
    ///
    /// let why = Solver::new().syzygy(&["/no/such/folder".into()]).unwrap_err().to_string();
    /// assert!(why.starts_with("cannot read the Syzygy files in /no/such/folder"));
    /// ```
    pub fn syzygy(mut self, folders: &[PathBuf]) -> Result<Solver, SyzygyError> {
        self.request.limits.syzygy = Some(SyzygyFiles::open(folders)?);
        Ok(self)
    }

    /// Ends with the first mate found, which need not be the shortest.
    #[must_use]
    pub fn first(mut self) -> Solver {
        self.told.first = Some(Said { value: true, by: "first" });
        self
    }

    /// Looks for the shortest mate of at most this many moves. Default: the length that the problem states, if it
    /// states one.
    #[must_use]
    pub fn at_most(mut self, moves: u16) -> Solver {
        self.told.length = Some(Said { value: Some(MateLength(moves)), by: "at_most" });
        self
    }

    /// Looks for the shortest mate, whatever length the problem states.
    #[must_use]
    pub fn shortest(mut self) -> Solver {
        self.told.length = Some(Said { value: None, by: "shortest" });
        self
    }

    /// Looks for the number of moves in which the side to move *is mated*.
    #[must_use]
    pub fn defend(mut self) -> Solver {
        self.told.defend = Some(Said { value: true, by: "defend" });
        self
    }

    /// Chooses the search engine by its name, such as `race` (the default) or `pn`. Returns `None` if there is no
    /// engine of this name; [`registry::ENGINES`] lists them.
    #[must_use]
    pub fn engine(mut self, name: &str) -> Option<Solver> {
        self.request.engine = registry::engine(name)?;
        Some(self)
    }

    /// Returns the request with which this solver solves each problem.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Stops this solver by a handle that may stop others too.
    #[must_use]
    pub fn stopped_by(mut self, stop: StopHandle) -> Solver {
        self.stop = stop;
        self
    }

    /// Returns a handle with which another thread can stop this solver.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Solves a problem.
    pub fn solve(&self, problem: &Problem) -> Solution {
        self.solve_with_proof(problem).solution
    }

    /// Solves a problem and returns the checked proof too, for a [certificate](crate::proof::Certificate) or for
    /// reading it.
    ///
    /// ```
    /// use matesolve::proof::Certificate;
    /// use matesolve::{Problem, Solver};
    ///
    /// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -")?;
    /// let proof = Solver::new().solve_with_proof(&problem).proof.expect("there is a mate in two");
    /// assert_eq!(proof.length().0, 2);
    /// assert_eq!(proof.main_line_san(), "1. Rh6 Ba2 2. Rxh7#");
    /// let mut file = Vec::new();
    /// Certificate::new(&problem.fen, &proof)?.write(&mut file)?;
    ///
    /// let certificate = Certificate::read(&file)?;
    /// assert_eq!(certificate.length().0, 2);
    /// assert_eq!(certificate.verify()?.main_line_san(), "1. Rh6 gxh6 2. g7#");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_with_proof(&self, problem: &Problem) -> Solved {
        self.solve_observed(problem, &mut Silent)
    }

    /// Solves a problem and reports each shorter mate and each longer refutation while the search runs.
    ///
    /// ```
    /// use matesolve::{Event, Problem, Solver};
    ///
    /// let problem = Problem::read("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -").unwrap();
    /// let mut refuted = Vec::new();
    /// let mut observer = |event: Event<'_>, _nodes: u64| {
    ///     if let Event::Refuted(moves) = event {
    ///         refuted.push(moves.0);
    ///     }
    /// };
    /// let solved = Solver::new().solve_observed(&problem, &mut observer);
    /// assert_eq!(solved.solution.result.mate_in, Some(3));
    /// assert_eq!(refuted.last(), Some(&2));
    /// ```
    pub fn solve_observed(&self, problem: &Problem, observer: &mut (dyn Observer + Send)) -> Solved {
        match self.ask(problem) {
            Ok(problem) => solve::solve_with_proof(&problem, &self.request, &self.stop.0, observer),
            Err(why) => Solved::of(refused(problem, &why)),
        }
    }

    /// Solves a problem like [`Solver::solve_observed`]. If the side to move is to mate and no mate is found, the
    /// solution also says whether it is mated itself ([`Solution::other_side`]).
    pub fn solve_both_sides(&self, problem: &Problem, observer: &mut (dyn Observer + Send)) -> Solved {
        match self.ask(problem) {
            Ok(problem) => solve::solve_both_sides(&problem, &self.request, &self.stop.0, observer),
            Err(why) => Solved::of(refused(problem, &why)),
        }
    }

    /// Answers the question for each first move. The observer receives every move whose answer is final. The solution
    /// lists them in [`Solution::moves`], the fastest mates first. The side to move is the attacker.
    ///
    /// ```
    /// use matesolve::{Problem, Solver, results::solution::MoveOutcome, solve::MovesWanted};
    ///
    /// let problem = Problem::read("7k/8/5K2/6Q1/8/8/8/8 w - -").unwrap();
    /// let mut quiet = |_: &MoveOutcome| ();
    /// let moves = Solver::new().at_most(2).first_moves(&problem, MovesWanted::Best(1), &mut quiet).moves.unwrap();
    /// assert_eq!((moves[0].san.as_str(), moves[0].outcome.mate_in), ("Qg7#", Some(1)));
    /// ```
    pub fn first_moves(&self, problem: &Problem, wanted: MovesWanted, observer: &mut dyn MovesObserver) -> Solution {
        match self.ask(problem) {
            Ok(problem) => solve::solve_moves(&problem, &self.request, wanted, &self.stop.0, observer),
            Err(why) => refused(problem, &why),
        }
    }

    /// Asks this of each problem, in place of what the problem states itself.
    #[must_use]
    pub fn asking(mut self, told: Asked) -> Solver {
        self.told = told.over(self.told);
        self
    }

    /// Returns a problem with the question of the solver merged into its own.
    fn ask<'p>(&self, problem: &'p Problem) -> Result<Cow<'p, Problem>, ProblemError> {
        if self.told == Asked::default() {
            return Ok(Cow::Borrowed(problem));
        }
        problem.clone().asked(&self.told).map(Cow::Owned)
    }
}

/// Returns the solution of a problem of which this cannot be asked.
fn refused(problem: &Problem, why: &ProblemError) -> Solution {
    Solution { id: problem.id.clone(), ..Solution::invalid(problem.line, why) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs `work` on a thread with a stack of 2 MiB, the default of a user's threads.
    pub(super) fn with_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, work).unwrap();
            thread.join().unwrap()
        })
    }

    #[test]
    fn a_long_mate_is_solved_from_a_thread_with_a_small_stack() {
        let problem = Problem::read("k1b5/1p1p4/pP1Pp3/K2pPp2/1P1p1P2/3P1P2/5P2/8 w - -").unwrap();
        let solution = with_small_stack(|| Solver::new().at_most(1000).first().nodes(1_000_000).solve(&problem));
        assert!(solution.result.verified.is_set(), "{solution:?}");
        assert!(solution.result.mate_in.is_some_and(|n| n >= 50), "the test needs a long mate: {solution:?}");
    }

    #[test]
    fn a_solver_that_was_stopped_stays_stopped() {
        let solver = Solver::new();
        solver.stop_handle().stop();
        let problem = Problem::read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").unwrap();
        let stopped = solver.solve(&problem).stats.stopped_by;
        assert_eq!(stopped, Some(crate::results::solution::StoppedBy::Interrupt));
        assert!(solver.clone().stop_handle().is_stopped());
    }
}
