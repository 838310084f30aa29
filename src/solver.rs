//! The main entry point of the library: [`Solver`], which holds the options of a solve and runs it.
//!
//! The command line and the packages for Python and the web use it too, with a [`Request`] and a [`ReportRequest`] that
//! hold all options.

use std::fmt;
#[cfg(feature = "cli")]
use std::io::{self, BufRead};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::audit::{self, AuditRequest, Audited};
use crate::base::memory;
#[cfg(feature = "cli")]
use crate::batch;
use crate::chess::MateLength;
use crate::problem::Problem;
#[cfg(feature = "cli")]
use crate::problem::input::{Reading, entries};
use crate::published::Published;
use crate::report::{NoObserver, ReportObserver, ReportRequest, report_observed};
use crate::results::report::ReportOptions;
use crate::results::workbench::{Economy, Proposals};
use crate::results::{Report, Solution};
use crate::search::syzygy::{SyzygyError, SyzygyFiles};
use crate::search::{Observer, Silent};
use crate::solve::{self, Length, MovesObserver, MovesWanted, Request, Solved, registry};
use crate::workbench::{self, Refused, WorkbenchObserver, WorkbenchRequest};

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

/// Why a [`Solver`] makes no report: it has an option that a report cannot follow. Its text is a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReportRefused {
    /// The engine of this name was chosen; a report has its own.
    Engine(&'static str),
    /// An audit cannot say that its verdict rests on Syzygy files. A report can, and reads them.
    Syzygy,
    /// [`Solver::defend`] was called; a problem or its stipulation says who begins.
    Defend,
}

impl fmt::Display for ReportRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportRefused::Engine(name) => {
                write!(f, "a report cannot use the engine {name}: it has its own; leave the engine out")
            }
            ReportRefused::Syzygy => write!(f, "an audit does not read Syzygy files; leave them out"),
            ReportRefused::Defend => {
                write!(f, "a report cannot defend; state the stipulation #-n, or use the option post_key")
            }
        }
    }
}

impl std::error::Error for ReportRefused {}

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
        Solver { request, stop: StopHandle::default() }
    }

    /// Limits each problem to this time.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Solver {
        self.request.time = Some(time);
        self
    }

    /// Limits each problem to this number of nodes. With one thread, two runs then give the same answer.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Solver {
        self.request.nodes = Some(nodes);
        self
    }

    /// Limits the memory for one problem, in bytes. Default: 256 MiB. More than seven eighths of the machine's memory
    /// is reduced to that.
    #[must_use]
    pub fn hash(mut self, bytes: usize) -> Solver {
        self.request.hash = bytes.min(memory::most());
        self
    }

    /// Searches each problem on this number of threads, at least 1. Default: 1.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Solver {
        self.request.threads = threads.max(1);
        self
    }

    /// Refutes positions of few men by the Syzygy files in these folders. What is refuted may then rest on them, which
    /// nobody replays; [`crate::results::solution::Outcome::with_tables`] says so. Only the engine `race` reads them.
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
        self.request.options.race.syzygy = Some(SyzygyFiles::open(folders)?);
        Ok(self)
    }

    /// Looks for any mate in at most this many moves, not for the shortest.
    #[must_use]
    pub fn any_mate_within(mut self, moves: u16) -> Solver {
        self.request.length = Length::Within(MateLength(moves));
        self
    }

    /// Looks for the shortest mate of at most this many moves. Default: the length that the problem states, if it
    /// states one.
    #[must_use]
    pub fn at_most(mut self, moves: u16) -> Solver {
        self.request.length = Length::AtMost(MateLength(moves));
        self
    }

    /// Looks for the shortest mate, whatever length the problem states.
    #[must_use]
    pub fn shortest(mut self) -> Solver {
        self.request.length = Length::Shortest;
        self
    }

    /// Looks for the number of moves in which the side to move *is mated*.
    #[must_use]
    pub fn defend(mut self) -> Solver {
        self.request.defend = true;
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
    pub fn solve_with_proof(&self, problem: &Problem) -> Solved {
        self.solve_observed(problem, &mut Silent)
    }

    /// Solves a problem and reports each shorter mate and each longer refutation while the search runs.
    ///
    /// ```
    /// use matesolve::{Problem, Solver, search::Event};
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
        solve::solve_with_proof(problem, &self.request, &self.stop.0, observer)
    }

    /// Solves a problem like [`Solver::solve_observed`]. If the side to move is to mate and no mate is found, the
    /// solution also says whether it is mated itself ([`Solution::other_side`]).
    pub fn solve_both_sides(&self, problem: &Problem, observer: &mut (dyn Observer + Send)) -> Solved {
        solve::solve_both_sides(problem, &self.request, &self.stop.0, observer)
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
        solve::solve_moves(problem, &self.request, wanted, &self.stop.0, observer)
    }

    /// Makes the composer's report: the whole solution within the length that the problem states, and whether the
    /// problem is sound. Time, nodes, memory, threads, Syzygy files and the length apply; a report has an engine of its
    /// own.
    ///
    /// # Errors
    /// If the solver has options that a report cannot follow: another engine than the default, or [`Solver::defend`].
    ///
    /// ```
    /// use matesolve::{Problem, Solver, results::report::ReportOptions};
    ///
    /// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;").unwrap();
    /// let options = ReportOptions::default().with(|options| options.tries = Some(1));
    /// let report = Solver::new().report(&problem, options)?;
    /// let tries: Vec<&str> = report.tries.iter().flatten().map(|t| t.ply.san.as_str()).collect();
    /// assert_eq!((report.keys[0].ply.san.as_str(), tries), ("Rh6", vec!["Rh5", "Rxh7+"]));
    /// # Ok::<(), matesolve::ReportRefused>(())
    /// ```
    pub fn report(&self, problem: &Problem, options: ReportOptions) -> Result<Report, ReportRefused> {
        self.report_observed(problem, ReportRequest { options, ..ReportRequest::default() }, &NoObserver)
    }

    /// Makes a report like [`Solver::report`], with the conventions of a request and events for a person who waits. A
    /// stipulation of the request comes before that of the solver and of the problem.
    ///
    /// # Errors
    /// As [`Solver::report`].
    ///
    /// ```
    /// use matesolve::report::{ReportEvent, ReportObserver, ReportRequest};
    /// use matesolve::{Problem, Solver};
    ///
    /// struct Printer;
    ///
    /// impl ReportObserver for Printer {
    ///     fn event(&self, event: ReportEvent, nodes: u64) {
    ///         println!("{event}, {nodes} nodes");
    ///     }
    /// }
    ///
    /// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;").unwrap();
    /// let report = Solver::new().report_observed(&problem, ReportRequest::default(), &Printer)?;
    /// assert_eq!(report.keys[0].ply.san, "Rh6");
    /// # Ok::<(), matesolve::ReportRefused>(())
    /// ```
    pub fn report_observed(
        &self,
        problem: &Problem,
        request: ReportRequest,
        observer: &dyn ReportObserver,
    ) -> Result<Report, ReportRefused> {
        Ok(report_observed(problem, &self.limited(problem, request)?, &self.stop.0, observer))
    }

    /// Adds the limits and the length of this solver to a request for a report.
    fn limited(&self, problem: &Problem, request: ReportRequest) -> Result<ReportRequest, ReportRefused> {
        let Request { engine, length, defend, .. } = self.request;
        if defend {
            return Err(ReportRefused::Defend);
        }
        if engine.name != registry::ENGINES[0].name {
            return Err(ReportRefused::Engine(engine.name));
        }
        let of_length = match length {
            Length::Stipulated => None,
            Length::Shortest => Some(problem.stipulation.within(None)),
            Length::AtMost(moves) | Length::Within(moves) => Some(problem.stipulation.within(Some(moves))),
        };
        let stipulation = request.stipulation.or(of_length);
        Ok(ReportRequest { stipulation, solve: self.request, ..request })
    }

    /// Audits a published problem: compares the published solution with a report. With `confirm`, the engine `exhaustive`
    /// searches each differing key again for that number of nodes.
    ///
    /// # Errors
    /// As [`Solver::report`], or if the solver has Syzygy files.
    ///
    /// ```
    /// use matesolve::{Solver, published::Published, results::audit::AuditVerdict};
    ///
    /// let json = r##"{"fen": "7k/8/5K2/6Q1/8/8/8/8 w - -", "stipulation": "#1", "solution": "1.Qg7#!"}"##;
    /// let audited = Solver::new().audit(&Published::of_json(json, 1)?, None)?;
    /// assert_eq!(audited.audit.verdict, AuditVerdict::Agrees);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn audit(&self, published: &Published, confirm: Option<u64>) -> Result<Audited, ReportRefused> {
        let report = self.limited(&published.problem, ReportRequest::default())?;
        if report.solve.options.race.syzygy.is_some() {
            return Err(ReportRefused::Syzygy);
        }
        Ok(audit::audit(published, &AuditRequest { report, confirm }, &self.stop.0))
    }

    /// Looks for sound versions of an unsound problem by one or two small changes. Time, nodes, memory and threads of
    /// this solver apply.
    ///
    /// # Errors
    /// If the question is not one for the workbench, or the diagram is sound.
    ///
    /// ```
    /// use matesolve::workbench::{SilentWorkbench, WorkbenchRequest};
    /// use matesolve::{Problem, Solver};
    ///
    /// // Without the pawn on g6 the diagram has no solution.
    /// let problem = Problem::read("5Kbk/6pp/8/8/8/8/8/7R w - - dm 2;").unwrap();
    /// let request = WorkbenchRequest::default().with(|request| request.key = Some("Rh6".to_owned()));
    /// let found = Solver::new().mend(&problem, &request, &SilentWorkbench)?;
    /// assert!(found.proposals.iter().any(|it| it.fen.starts_with("5Kbk/6pp/6P1/8/8/8/8/7R")));
    /// # Ok::<(), matesolve::workbench::Refused>(())
    /// ```
    pub fn mend(
        &self,
        problem: &Problem,
        request: &WorkbenchRequest,
        observer: &dyn WorkbenchObserver,
    ) -> Result<Proposals, Refused> {
        workbench::mend(problem, &self.at_the_workbench(request), &self.stop.0, observer)
    }

    /// Looks for twins of a sound problem: sound problems with another key, one change away.
    ///
    /// # Errors
    /// If the question is not one for the workbench, or the diagram is not sound.
    pub fn twins(
        &self,
        problem: &Problem,
        request: &WorkbenchRequest,
        observer: &dyn WorkbenchObserver,
    ) -> Result<Proposals, Refused> {
        workbench::twins(problem, &self.at_the_workbench(request), &self.stop.0, observer)
    }

    /// Says what each man of a sound problem is for, and looks for versions with fewer or weaker men.
    ///
    /// # Errors
    /// If the question is not one for the workbench, or the diagram is not sound.
    pub fn economy(
        &self,
        problem: &Problem,
        request: &WorkbenchRequest,
        observer: &dyn WorkbenchObserver,
    ) -> Result<Economy, Refused> {
        workbench::economy(problem, &self.at_the_workbench(request), &self.stop.0, observer)
    }

    /// Finds the diagrams from which a position after the key can have come, with the keys and tries of each.
    ///
    /// # Errors
    /// If the question is not one for the workbench, or the position is not lost for the side to move.
    pub fn retract(
        &self,
        problem: &Problem,
        request: &WorkbenchRequest,
        observer: &dyn WorkbenchObserver,
    ) -> Result<Proposals, Refused> {
        workbench::retract(problem, &self.at_the_workbench(request), &self.stop.0, observer)
    }

    /// Adds the limits of this solver to a request.
    fn at_the_workbench(&self, request: &WorkbenchRequest) -> WorkbenchRequest {
        let Request { time, nodes, hash, threads, .. } = self.request;
        WorkbenchRequest { time, nodes, hash, threads, ..request.clone() }
    }

    /// Solves a text with one problem on each line (FEN, EPD or JSON), `jobs` problems at a time, and calls `emit` with
    /// each solution in the order of the lines. A line that is not a valid problem gives a solution whose `error` says
    /// why.
    ///
    /// # Errors
    /// The first error of `emit`, which ends the batch; or an error if the threads cannot be started.
    ///
    /// ```
    /// use matesolve::Solver;
    ///
    /// let lines = "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;\n7k/5Q2/6K1/8/8/8/8/8 w - -\n";
    /// let mut lengths = Vec::new();
    /// Solver::new().nodes(100_000).batch(lines.as_bytes(), 2, |solution| {
    ///     lengths.push(solution.result.mate_in);
    ///     Ok(())
    /// }).unwrap();
    /// assert_eq!(lengths, [Some(2), Some(1)]);
    /// ```
    #[cfg(feature = "cli")]
    pub fn batch(
        &self,
        lines: impl BufRead + Send,
        jobs: usize,
        mut emit: impl FnMut(Solution) -> io::Result<()>,
    ) -> io::Result<()> {
        let lines = entries(lines, 0, Reading::default());
        let nodes = batch::NodeCount::default();
        let emit = &mut |answered: batch::BatchAnswer| emit(answered.solution);
        batch::run(lines, &self.request, None, jobs.max(1), &self.stop.0, &nodes, emit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::{Extent, Soundness};

    /// Runs `work` on a thread with a stack of 2 MiB, the default of a user's threads.
    fn with_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, work).unwrap();
            thread.join().unwrap()
        })
    }

    #[test]
    fn a_long_mate_is_solved_from_a_thread_with_a_small_stack() {
        let problem = Problem::read("8/7k/8/p3p3/P3P2p/7P/6P1/1QK5 w - -").unwrap();
        let solution = with_small_stack(|| Solver::new().any_mate_within(1000).nodes(1_000_000).solve(&problem));
        assert!(solution.result.verified.is_set(), "{solution:?}");
        assert!(solution.result.mate_in.is_some_and(|n| n >= 50), "the test needs a long mate: {solution:?}");
    }

    #[test]
    fn a_report_follows_the_options_of_its_solver_or_refuses_them() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 3;").unwrap();
        let report = |solver: Solver| solver.report(&problem, ReportOptions::default());
        let two = report(Solver::new().at_most(2).threads(2)).unwrap();
        assert_eq!((two.stats.threads, two.stipulation.unwrap().stipulation.to_string()), (2, "#2".to_owned()));
        assert_eq!(two.keys.iter().map(|key| key.ply.san.as_str()).collect::<Vec<_>>(), ["Rh6"]);
        assert_eq!(report(Solver::new().engine("pn").unwrap()).unwrap_err(), ReportRefused::Engine("pn"));
        let why = report(Solver::new().defend()).unwrap_err();
        assert_eq!(why, ReportRefused::Defend);
        assert!(why.to_string().contains("#-n"));
    }

    #[test]
    fn a_report_uses_tables_of_few_men() {
        // King, bishop and knight: a search for the mate in 31 takes hours.
        let problem = Problem::read("8/8/8/8/4k3/8/8/K2N1B2 w - - dm 31;").unwrap();
        let options = ReportOptions { extent: Extent::Soundness, ..ReportOptions::default() };
        let report = Solver::new().nodes(10_000_000).report(&problem, options).unwrap();
        assert_eq!(report.verdict.soundness, Soundness::Sound, "{report:?}");
        assert_eq!(report.keys.iter().map(|key| key.ply.san.as_str()).collect::<Vec<_>>(), ["Kb2"]);
        assert!(report.verdict.verified.is_set() && !report.verdict.with_tables);
    }

    #[test]
    fn a_long_report_is_made_from_a_thread_with_a_small_stack() {
        let problem = Problem::read("7k/8/8/4p3/4P3/8/8/1QK5 w - - dm 1000;").unwrap();
        let report =
            with_small_stack(|| Solver::new().nodes(300_000).report(&problem, ReportOptions::default()).unwrap());
        assert!(report.error.is_none(), "{:?}", report.error);
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
