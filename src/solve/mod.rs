//! Solves one problem: runs an engine and checks its answer.
//!
//! ```text
//! Problem ── Request ──> Task ── engine ──> Answer ── judge ──> Solution
//! ```
//!
//! [`crate::Solver`] is the simple way to call this. A claimed solution of forced play is published only after the
//! checker has replayed its proof. If something fails (a proof that does not hold, a contradiction, a panic in a
//! search), nothing of the answer is published and the solution reports an internal failure.
//!
//! | file | idea |
//! |---|---|
//! | `engine_options` | the options of all engines, in one list |
//! | `first_moves` | the search of all first moves, for `moves`, reports and UCI |
//! | `helped`, `lines` | all solutions of help play; their lines, within the limits |
//! | `judge` | checks an engine's answer |
//! | `other_side` | without a mate by the side to move: is it mated itself? |
//! | `other_to_move` | without a solution: is there one with the other colour to move? |
//! | `moves` | the first moves one by one, each with the length of its mate |
//! | `limits` | what a task may use |
//! | `registry` | the engines by name |

#[doc(hidden)]
pub mod engine_options;
pub mod registry;

pub(crate) mod first_moves;
mod helped;
mod judge;
mod limits;
pub(crate) mod lines;
pub(crate) mod moves;
mod other_side;
mod other_to_move;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use shakmaty::{Chess, Square};

use crate::base::clock::Instant;
use crate::base::guard::guarded;
use crate::chess::{MateLength, Position, Stipulation};
use crate::problem::{LineLimits, Problem, Question};
use crate::proof::Verified;
use crate::results::solution::{FoundAt, Stats, Status, StoppedBy};
use crate::results::{SidedStipulation, Solution};
use crate::search::race::RaceOptions;
use crate::search::{
    Answer, Control, Engine, Event, Facts, Meter, Observer, Region, StopReason, Task, fortress, help, retro,
};

pub(crate) use helped::helpmate;
use judge::{Judgement, game_over, judge};
pub use limits::Limits;
pub(crate) use moves::solve_moves;
pub use moves::{MovesObserver, MovesWanted};
pub(crate) use other_side::solve_both_sides;
pub use other_to_move::solve_either_to_move;

/// The options of a solve: engine and limits. The question is that of the problem. One request serves any number of
/// problems.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Request {
    /// The search engine to use.
    pub engine: &'static registry::EngineEntry,
    /// Options of the engines; each engine reads its own part.
    #[doc(hidden)]
    pub options: registry::EngineOptions,
    /// The limits of each problem.
    pub limits: Limits,
    /// Whether all shortest solutions of an `h#` are listed, as a report does, and not only one.
    pub lists_shortest: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            engine: &registry::ENGINES[0],
            options: registry::EngineOptions::default(),
            limits: Limits::default(),
            lists_shortest: false,
        }
    }
}

impl Request {
    /// Returns this request with the limits that a line states for itself, which are never above these.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "lines with limits are read by `batch`"))]
    pub(crate) fn within(mut self, line: LineLimits) -> Request {
        self.limits.time = self.limits.time.into_iter().chain(line.time).min();
        self.limits.nodes = self.limits.nodes.into_iter().chain(line.nodes).min();
        self
    }

    /// Returns this request after a change of its fields. Other crates use this instead of writing all fields.
    ///
    /// ```
    /// use matesolve::solve::Request;
    ///
    /// let request = Request::default().with(|request| request.limits.nodes = Some(9));
    /// assert!(request.limits.nodes == Some(9) && request.limits.time.is_none());
    /// ```
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Request)) -> Request {
        change(&mut self);
        self
    }
}

/// A solution together with its proof.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Solved {
    /// The answer.
    pub solution: Solution,
    /// The checked proof, if the goal is forced.
    pub proof: Option<Verified>,
}

impl Solved {
    /// Makes a solution without a proof.
    pub(crate) fn of(solution: Solution) -> Solved {
        Solved { solution, proof: None }
    }
}

/// Solves one problem. When `stop` becomes true the search ends with what it has proved by then.
///
/// The search runs on a thread of its own with a large stack, so any thread may call this.
pub fn solve(
    problem: &Problem,
    request: &Request,
    stop: &AtomicBool,
    observer: &mut (dyn Observer + Send),
) -> Solution {
    solve_with_proof(problem, request, stop, observer).solution
}

/// Solves one problem like [`solve`], and also returns the checked proof of the mate.
pub(crate) fn solve_with_proof(
    problem: &Problem,
    request: &Request,
    stop: &AtomicBool,
    observer: &mut (dyn Observer + Send),
) -> Solved {
    solve_in(&mut Region::default(), problem, request, stop, observer)
}

/// Solves one problem like [`solve_with_proof`]. The graph of the search lies in the caller's region, which is reset.
pub(crate) fn solve_in(
    region: &mut Region,
    problem: &Problem,
    request: &Request,
    stop: &AtomicBool,
    observer: &mut (dyn Observer + Send),
) -> Solved {
    if problem.question.stipulation.is_helped() {
        return Solved::of(helped::solve(problem, request, stop, observer));
    }
    solve_by(problem, request, EngineOf::Request(region), stop, observer)
}

/// The engine that solves a problem.
pub(crate) enum EngineOf<'e> {
    /// A new engine of the request, in this region.
    Request(&'e mut Region),
    /// An engine that stays with the caller. The problem is a part of one.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "`split` keeps one"))]
    Caller(&'e mut (dyn Engine + Send)),
}

/// Solves one problem of forced play.
pub(crate) fn solve_by(
    problem: &Problem,
    request: &Request,
    by: EngineOf<'_>,
    stop: &AtomicBool,
    observer: &mut (dyn Observer + Send),
) -> Solved {
    let asked = SidedStipulation::of_problem(problem);
    let solution = Solution::of(problem);
    let (is_part, engine) = match &by {
        EngineOf::Request(_) => (false, request.engine.name),
        EngineOf::Caller(engine) => (true, engine.name()),
    };
    let searched = guarded(|| attempt(problem, asked, request, by, stop, observer));
    let failed = |stats, why| Solved::of(Solution { stats, ..solution.clone() }.failed(why));
    match searched {
        Ok(EngineRun { stats, judgement: Ok((outcome, proof)), warning }) => {
            let mut solution = Solution { stats, result: outcome, ..solution };
            solution.warnings.extend(warning);
            if !is_part {
                warn_of_short_mate(&mut solution, problem);
            }
            Solved { solution, proof }
        }
        Ok(EngineRun { stats, judgement: Err(why), .. }) => {
            failed(stats, format!("{engine} failed on the position {}: {why}; please report it", problem.fen))
        }
        Err(broken) => failed(Stats::default(), broken.sentence(engine, format_args!("the position {}", problem.fen))),
    }
}

/// Returns a position as the searches use it for a question, with the castling rights that exclude each other.
pub(crate) fn start(chess: &Chess, exclusive: &[(Square, Square)], asked: Stipulation) -> Position {
    Position::from_chess(chess).with_exclusive_castling(exclusive).counting(asked)
}

/// The result of running an engine.
struct EngineRun {
    stats: Stats,
    judgement: Judgement,
    /// Why the engine did not search, or what would decide the position.
    warning: Option<String>,
}

/// Answers a question by the engine, or without it where the position says enough.
fn attempt(
    problem: &Problem,
    asked: SidedStipulation,
    request: &Request,
    by: EngineOf<'_>,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> EngineRun {
    let Request { limits, .. } = request;
    let mut stats = Stats { threads: threads(request), hash_mb: limits.hash >> 20, ..Stats::default() };
    let position = start(&problem.chess, &problem.exclusive, asked.stipulation);
    if let Some(judgement) = without_search(problem, asked, &position) {
        return EngineRun { stats, judgement, warning: None };
    }
    let start = Instant::now();
    let SidedStipulation { stipulation, attacker, .. } = asked;
    let facts = Facts::with_bytes(limits.hash / 100 * request.engine.facts_percent).about(stipulation, attacker);
    let memory = limits.hash.saturating_sub(facts.bytes());
    let task = Task { position, stipulation, shortest: !problem.question.first, memory };
    let control = Control::new(limits.of_search(start), stop).watched(observer.node_counter());
    let is_part = matches!(by, EngineOf::Caller(_));
    let mut mates = FoundMates { observer, start, found: Vec::new() };
    let (name, refusal, mut answer) = run(request, by, &task, &control, &facts, &mut mates);
    if !is_part && request.engine.is_default() {
        look_beyond_the_longest(&mut answer, &task, &mut Meter::new(&control));
    }
    stats.engine = Some(name);
    stats.found_by = answer.found_by.map(str::to_owned);
    stats.first_found_by = answer.first_found_by.map(str::to_owned);
    stats.nodes = control.nodes();
    stats.stopped_by = answer.stopped.map(stopped_by);
    let runs_alike =
        !answer.depends_on_timing && !matches!(answer.stopped, Some(StopReason::Time | StopReason::Stopped));
    let with_tables = answer.with_tables;
    let mut judgement = judge(problem, asked, answer);
    if let Ok((outcome, proof)) = &mut judgement {
        outcome.with_tables = with_tables && outcome.refuted_through.is_some_and(|n| n > 0);
        let mate = if proof.is_some() { Some(outcome) } else { outcome.longer_mate.as_deref_mut() };
        if let Some(mate) = mate {
            mate.pv_repeatable = Some(runs_alike);
            let is_printed = |(length, _): &&(MateLength, FoundAt)| Some(length.0) <= mate.length();
            stats.found_at = mates.found.iter().find(is_printed).map(|(_, at)| *at);
        }
    }
    stats.time_ms = milliseconds(start);
    let is_open = matches!(&judgement, Ok((outcome, _)) if outcome.status == Status::Undecided);
    let refused = refusal.map(|why| format!("{} was not run: {why}", request.engine.name));
    let warning = refused.or_else(|| unused_files(request, stipulation)).or_else(|| {
        let may_help = is_open && request.engine.is_default() && stipulation.goal().is_mate();
        retro::hint(&task.position, attacker, task.memory).filter(|_| may_help)
    });
    EngineRun { stats, judgement, warning }
}

/// Returns the number of threads that the engine of a request uses.
fn threads(request: &Request) -> usize {
    if request.engine.parallel { request.limits.threads } else { 1 }
}

/// Judges a question that needs no search: the side to move has no legal move, or no play ever reaches the goal.
fn without_search(problem: &Problem, asked: SidedStipulation, position: &Position) -> Option<Judgement> {
    let is_out_of_reach = || help::is_out_of_reach(asked.stipulation.goal(), position, asked.attacker);
    let none = || Answer { refuted: Some(MateLength::MAX), refuted_at_any_length: true, ..Answer::default() };
    game_over(problem, asked).or_else(|| is_out_of_reach().then(|| judge(problem, asked, none())))
}

/// Runs the engine. Returns its name, why it did not search, and its answer.
fn run(
    request: &Request,
    by: EngineOf<'_>,
    task: &Task,
    control: &Control<'_>,
    facts: &Facts,
    observer: &mut dyn Observer,
) -> (String, Option<String>, Answer) {
    let (threads, syzygy) = (threads(request), request.limits.syzygy);
    let race = RaceOptions { threads, repeatable: true, syzygy, ..request.options.race };
    let mut unused = Region::default();
    let (kept, region) = match by {
        EngineOf::Caller(engine) => (Some(engine), &mut unused),
        EngineOf::Request(region) => (None, region),
    };
    region.reset();
    let mut created = None;
    let new_engine = || (request.engine.make)(&registry::EngineOptions { race, ..request.options }, region);
    let engine: &mut dyn Engine = match kept {
        Some(kept) => kept,
        None => &mut **created.insert(new_engine()),
    };
    let name = engine.name().to_owned();
    let refusal = refusal(request, task.stipulation).or_else(|| engine.refusal(task));
    let answer = match refusal {
        Some(_) => Answer::default(),
        None => engine.solve(task, &mut Meter::new(control), facts, observer),
    };
    // The checker needs memory too.
    drop(created);
    region.reset();
    (name, refusal, answer)
}

/// Returns the warning that Syzygy files were given and say nothing about this question.
fn unused_files(request: &Request, stipulation: Stipulation) -> Option<String> {
    let is_unused = request.limits.syzygy.is_some() && !stipulation.goal().is_mate();
    is_unused.then(|| format!("the Syzygy files are not used: they say nothing about {stipulation}"))
}

/// If the longest mate is refuted, looks whether longer ones are refuted too.
fn look_beyond_the_longest(answer: &mut Answer, task: &Task, meter: &mut Meter<'_>) {
    let is_open = answer.refuted == Some(MateLength::MAX) && !answer.refuted_at_any_length;
    if is_open && fortress::holds(task, meter) == Ok(true) {
        (answer.refuted_at_any_length, answer.with_tables) = (true, false);
    }
}

/// Returns why the engine of this request cannot answer a question of this stipulation; `None` if it can.
pub(crate) fn refusal(request: &Request, stipulation: Stipulation) -> Option<String> {
    if stipulation.goal().is_mate() || stipulation.is_helped() || request.engine.every_goal {
        return None;
    }
    let others = registry::ENGINES.iter().filter(|entry| entry.every_goal).map(|entry| entry.name);
    let others = others.collect::<Vec<_>>().join(", ");
    let name = request.engine.name;
    Some(format!(
        "the engine {name} looks for direct mates only, not for {stipulation}; engines for every goal: {others}"
    ))
}

/// The nodes of searches, counted while they run. Short questions beside a main search are left out.
#[derive(Debug, Clone, Default)]
pub(crate) struct NodeCount(pub Arc<AtomicU64>);

impl Observer for NodeCount {
    fn event(&mut self, _: Event<'_>, _: u64) {}

    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        Some(self.0.clone())
    }
}

/// Notes when each mate is found, and passes all events on.
struct FoundMates<'o> {
    observer: &'o mut dyn Observer,
    start: Instant,
    found: Vec<(MateLength, FoundAt)>,
}

impl Observer for FoundMates<'_> {
    fn event(&mut self, event: Event<'_>, nodes: u64) {
        if let Event::Mate(tree) = &event {
            self.found.push((tree.length(), FoundAt { nodes, time_ms: milliseconds(self.start) }));
        }
        self.observer.event(event, nodes);
    }
}

/// Returns the statistics of a search that has ended.
pub(crate) fn stats(engine: &str, nodes: u64, start: Instant, limits: &Limits, stopped: Option<StopReason>) -> Stats {
    Stats {
        engine: Some(engine.to_owned()),
        nodes,
        time_ms: milliseconds(start),
        threads: limits.threads.max(1),
        hash_mb: limits.hash >> 20,
        stopped_by: stopped.map(stopped_by),
        ..Stats::default()
    }
}

fn milliseconds(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Returns the published name of a limit.
pub(crate) fn stopped_by(reason: StopReason) -> StoppedBy {
    match reason {
        StopReason::Nodes | StopReason::Slice => StoppedBy::Nodes,
        StopReason::Time => StoppedBy::Time,
        StopReason::Memory => StoppedBy::Memory,
        StopReason::Stopped => StoppedBy::Interrupt,
    }
}

/// Adds a warning if the mate is shorter than the stipulated one.
fn warn_of_short_mate(solution: &mut Solution, problem: &Problem) {
    let Question { stipulation, is_as_stated, .. } = problem.question;
    let stated = stipulation.moves().filter(|_| is_as_stated);
    if let (Some(stated), Some(found)) = (stated, solution.result.length())
        && found < stated.0
    {
        let what = stipulation.goal().noun();
        solution.warnings.push(format!("the {what} in {found} is shorter than the stipulated {stipulation}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{ProofNode, ProofTree};
    use crate::search::{Engine, Silent};

    /// An engine that returns a prepared answer, or panics if that answer has a reason for stopping.
    struct Liar(Answer);

    impl Engine for Liar {
        fn name(&self) -> &'static str {
            "liar"
        }
        fn solve(&mut self, _: &Task, _: &mut Meter<'_>, _: &Facts, _: &mut dyn Observer) -> Answer {
            assert!(self.0.stopped.is_none(), "breaks down on purpose");
            self.0.clone()
        }
    }

    fn entry(make: registry::MakeEngine) -> registry::EngineEntry {
        registry::EngineEntry { name: "liar", about: "", facts_percent: 0, parallel: false, every_goal: false, make }
    }

    fn solve_with(make: registry::MakeEngine) -> Solution {
        let problem = Problem::read("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1").unwrap();
        let engine: &'static registry::EngineEntry = Box::leak(Box::new(entry(make)));
        solve(&problem, &Request { engine, ..Request::default() }, &AtomicBool::new(false), &mut Silent)
    }

    #[test]
    fn a_false_proof_is_not_published() {
        let solution = solve_with(|_, _| {
            let mut tree = ProofTree::new();
            let leaf = tree.push(ProofNode::MATE);
            let code = crate::chess::MoveCode::new(shakmaty::Square::F1, shakmaty::Square::F7, None);
            tree.push(ProofNode::Attack(code, leaf));
            Box::new(Liar(Answer { proof: Some(tree), ..Answer::default() }))
        });
        assert!(solution.internal_failure && solution.error.is_some_and(|why| why.contains("does not hold")));
        assert_eq!((solution.result.status, solution.result.mate_in), (Status::Undecided, None));
    }

    #[test]
    fn a_panic_costs_one_answer_only() {
        let solution =
            solve_with(|_, _| Box::new(Liar(Answer { stopped: Some(StopReason::Time), ..Answer::default() })));
        assert!(solution.internal_failure && solution.error.is_some_and(|why| why.contains("broke down")));
    }

    #[test]
    fn a_contradiction_is_refused() {
        let solution = solve_with(|_, _| {
            let mut tree = ProofTree::new();
            let leaf = tree.push(ProofNode::MATE);
            let code = crate::chess::MoveCode::new(shakmaty::Square::F1, shakmaty::Square::F8, None);
            tree.push(ProofNode::Attack(code, leaf));
            Box::new(Liar(Answer { proof: Some(tree), refuted: Some(MateLength(1)), ..Answer::default() }))
        });
        assert!(solution.error.is_some_and(|why| why.contains("proved and refuted")));
    }

    #[test]
    fn a_warning_names_the_tables_that_would_decide_the_position() {
        let warnings = |fen: &str, nodes| {
            let problem = Problem::read(fen).unwrap();
            solve(
                &problem,
                &Request { limits: Limits { nodes, ..Limits::default() }, ..Request::default() },
                &AtomicBool::new(false),
                &mut Silent,
            )
            .warnings
        };
        let five = "8/8/8/3n4/4k3/8/8/K1B2B2 w - -";
        let [warning] = &warnings(five, Some(1_000))[..] else { panic!("one warning") };
        assert!(warning.starts_with("the tables of KBBKN decide this position; --engine retro --hash "), "{warning}");
        assert!(warnings("7k/8/5K2/5NQN/8/8/8/8 w - -", None).is_empty(), "a mate is found");
        assert!(warnings("8/8/7p/3n4/4k3/8/8/K1B2B2 w - -", Some(1_000)).is_empty(), "six men");
    }

    #[test]
    fn an_answer_without_claims_is_undecided() {
        let solution = solve_with(|_, _| Box::new(Liar(Answer::default())));
        assert_eq!((solution.result.status, solution.internal_failure), (Status::Undecided, false));
    }
}
