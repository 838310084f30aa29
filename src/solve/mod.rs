//! From problem to solution: one engine run, one check, one answer.
//!
//! ```text
//! Problem ── Request ──> Task ── engine ──> Answer ── check ──> Solution
//! ```
//!
//! This is where claims become statements. A claimed mate is replayed move by move before it is called one; a
//! refutation counts as far as the engine's full-width search says; the two may not contradict each other. Whatever
//! breaks (a proof that does not hold, a contradiction, a panic in a search) takes the whole claim back and is
//! reported as an internal failure, so that an error can cost an answer but never make a false one.

pub mod registry;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use shakmaty::{Color, Position as _};

use crate::chess::{MateLength, Position, notation};
use crate::problem::{Problem, Stipulation};
use crate::proof::{Bounds, Facts, ProofNode, ProofTree, check};
use crate::results::Solution;
use crate::results::solution::{Goal, Outcome, Stats, Status, StoppedBy};
use crate::search::race::RaceOptions;
use crate::search::{Answer, Control, Limits, Meter, Observer, StopReason, Task};

/// Stack for a thread that searches or checks proofs, in bytes: both may recurse once a ply, over thousands of plies.
pub const STACK_SIZE: usize = 256 << 20;

/// How long a mate may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Length {
    /// The shortest, within the problem's stipulation if it has one.
    #[default]
    Stipulated,
    /// The shortest, whatever the problem's stipulation says.
    Shortest,
    /// The shortest, if it is at most so long.
    AtMost(MateLength),
    /// Any within so many moves.
    Within(MateLength),
}

/// What is asked of every problem, and what may be spent on it.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// Who searches.
    pub engine: &'static registry::EngineEntry,
    /// What is varied inside it.
    pub options: registry::EngineOptions,
    /// How long a mate may be.
    pub length: Length,
    /// Ask whether the side to move *is mated*, also where the problem does not say so.
    pub defend: bool,
    /// The limit in time.
    pub time: Option<Duration>,
    /// The limit in nodes.
    pub nodes: Option<u64>,
    /// The memory cap for tables and trees together, in bytes.
    pub hash: usize,
    /// Threads for one problem.
    pub threads: usize,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            engine: &registry::ENGINES[0],
            options: registry::EngineOptions::default(),
            length: Length::Stipulated,
            defend: false,
            time: None,
            nodes: None,
            hash: 256 << 20,
            threads: 1,
        }
    }
}

/// The question one problem and the request make together.
#[derive(Debug, Clone, Copy)]
struct SolveGoal {
    mated: bool,
    attacker: Color,
    bound: MateLength,
    shortest: bool,
}

impl SolveGoal {
    fn new(problem: &Problem, request: &Request) -> SolveGoal {
        let mated = request.defend || problem.stipulation.mated;
        let turn = problem.chess.turn();
        let (bound, shortest) = match request.length {
            Length::Stipulated => (problem.stipulation.moves.unwrap_or(MateLength::MAX), true),
            Length::Shortest => (MateLength::MAX, true),
            Length::AtMost(n) => (n, true),
            Length::Within(n) => (n, false),
        };
        SolveGoal { mated, attacker: if mated { !turn } else { turn }, bound, shortest }
    }

    fn asked(self) -> Goal {
        let moves = (self.bound < MateLength::MAX).then_some(self.bound);
        let text = Stipulation { moves, mated: self.mated }.to_string();
        Goal { text, moves: moves.map(|n| n.0), attacker: self.attacker }
    }
}

/// A solution together with the proof it stands on.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The answer.
    pub solution: Solution,
    /// If the answer is a mate, its proof, which the checker has replayed.
    pub proof: Option<Proof>,
}

/// A proof and whose mate it proves.
#[derive(Debug, Clone)]
pub struct Proof {
    /// The side that mates.
    pub attacker: Color,
    /// Every defence with an answer, from the problem's position on.
    pub tree: ProofTree,
}

/// Solves one problem. Stops early, with what is known by then, when `stop` becomes true.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use matesolve::{problem::Problem, search::Silent, solve::{Request, solve}};
///
/// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -").unwrap();
/// let solution = solve(&problem, &Request::default(), &AtomicBool::new(false), &mut Silent);
/// assert_eq!(solution.result.mate_in, Some(2));
/// assert!(solution.result.proved_shortest && solution.result.verified);
/// ```
pub fn solve(problem: &Problem, request: &Request, stop: &AtomicBool, observer: &mut dyn Observer) -> Solution {
    solve_with_proof(problem, request, stop, observer).solution
}

/// [`solve`] for those who want to keep the proof, for a certificate or to look into it.
pub fn solve_with_proof(
    problem: &Problem,
    request: &Request,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Solved {
    let question = SolveGoal::new(problem, request);
    let mut solution = Solution { stipulation: Some(question.asked()), ..Solution::of(problem) };
    let without_proof = |solution| Solved { solution, proof: None };
    let attempt = AssertUnwindSafe(|| attempt(problem, question, request, stop, observer));
    match catch_unwind(attempt) {
        Ok((stats, Ok((outcome, proof)))) => {
            solution.stats = stats;
            solution.result = outcome;
            warn_of_short_mate(&mut solution, problem, request);
            Solved { solution, proof }
        }
        Ok((stats, Err(why))) => {
            solution.stats = stats;
            let why = format!("{} failed: {why}; please report this position", request.engine.name);
            without_proof(solution.failed(why))
        }
        Err(_) => {
            let why = format!("{} broke down on this position; please report it", request.engine.name);
            without_proof(solution.failed(why))
        }
    }
}

/// An answer with the proof of it, or why the engine cannot be believed.
type Judgement = Result<(Outcome, Option<Proof>), String>;

/// Runs the engine, unless the position answers by itself.
fn attempt(
    problem: &Problem,
    question: SolveGoal,
    request: &Request,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> (Stats, Judgement) {
    let threads = if request.engine.parallel { request.threads } else { 1 };
    let mut stats = Stats { threads, hash_mb: request.hash >> 20, ..Stats::NONE };
    if let Some(over) = over(problem) {
        return (stats, Ok(over));
    }
    let start = Instant::now();
    let facts = Facts::with_bytes(request.hash / 100 * request.engine.facts_percent);
    let task = Task {
        position: Position::from_chess(&problem.chess),
        attacker: question.attacker,
        bound: question.bound,
        shortest: question.shortest,
        memory: request.hash.saturating_sub(facts.bytes()),
    };
    let deadline = request.time.and_then(|time| start.checked_add(time));
    let control = Control::new(Limits { nodes: request.nodes, deadline }, stop);
    let answer = {
        let mut meter = Meter::new(&control);
        let race = RaceOptions { threads, stack_size: STACK_SIZE, read_facts: false };
        let options = registry::EngineOptions { race, ..request.options };
        (request.engine.make)(&options).solve(&task, &mut meter, &facts, observer)
    };
    stats.engine = Some(request.engine.name.to_owned());
    stats.nodes = control.nodes();
    stats.stopped_by = answer.stopped.map(stopped_by);
    let judgement = judge(problem, question, answer);
    stats.time_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    (stats, judgement)
}

/// A position in which nobody can move needs no search.
fn over(problem: &Problem) -> Option<(Outcome, Option<Proof>)> {
    if problem.chess.is_checkmate() {
        let mated = Outcome::bare(Status::Mated);
        let (pv, pv_san) = (Some(Vec::new()), Some(String::new()));
        let outcome = Outcome { mate_in: Some(0), proved_shortest: true, verified: true, pv, pv_san, ..mated };
        let mut tree = ProofTree::new();
        tree.push(ProofNode::Defend(Vec::new()));
        return Some((outcome, Some(Proof { attacker: !problem.chess.turn(), tree })));
    }
    problem.chess.is_stalemate().then(|| (Outcome::bare(Status::Stalemate), None))
}

pub(crate) fn stopped_by(reason: StopReason) -> StoppedBy {
    match reason {
        StopReason::Nodes | StopReason::Slice => StoppedBy::Nodes,
        StopReason::Time => StoppedBy::Time,
        StopReason::Memory => StoppedBy::Memory,
        StopReason::Stopped => StoppedBy::Interrupt,
    }
}

/// Turns an engine's answer into statements, or says why it cannot be believed.
fn judge(problem: &Problem, question: SolveGoal, answer: Answer) -> Judgement {
    let proof = answer.proof.filter(|proof| proof.length() <= question.bound);
    let proved = match &proof {
        None => None,
        Some(tree) => Some(
            check(&problem.chess, question.attacker, tree)
                .map_err(|error| format!("its proof of a mate does not hold ({error})"))?,
        ),
    };
    let bounds = Bounds { refuted: answer.refuted, proved };
    if !bounds.is_consistent() {
        return Err(format!("it proved and refuted a mate in {}", answer.refuted));
    }
    let refuted_through = Some(answer.refuted.0);
    let (Some(tree), Some(length)) = (proof, proved) else {
        let decided = answer.refuted >= question.bound;
        let status = if decided { Status::NoMate } else { Status::Undecided };
        return Ok((Outcome { refuted_through, ..Outcome::bare(status) }, None));
    };
    let line = main_line(problem, question, &tree)?;
    let outcome = Outcome {
        status: if question.mated { Status::Mated } else { Status::Mate },
        mate_in: Some(length.0),
        refuted_through,
        proved_shortest: bounds.is_exact(),
        verified: true,
        pv: Some(line.uci),
        pv_san: Some(line.san),
    };
    Ok((outcome, Some(Proof { attacker: question.attacker, tree })))
}

fn main_line(problem: &Problem, question: SolveGoal, tree: &ProofTree) -> Result<notation::WrittenLine, String> {
    let plies = tree.length().plies(crate::chess::NodeKind::of(problem.chess.turn(), question.attacker));
    notation::line(&problem.chess, &tree.longest_line())
        .filter(|line| line.mates && line.uci.len() == plies)
        .ok_or_else(|| "its main line does not end in checkmate".to_owned())
}

fn warn_of_short_mate(solution: &mut Solution, problem: &Problem, request: &Request) {
    let stated = problem.stipulation.moves.filter(|_| request.length == Length::Stipulated);
    if let (Some(stated), Some(found)) = (stated, solution.result.mate_in)
        && found < stated.0
    {
        solution.warnings.push(format!("the mate in {found} is shorter than the stipulated {}", problem.stipulation));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Engine, Silent};

    /// Claims whatever it is built to claim.
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

    fn entry(make: fn(&registry::EngineOptions) -> Box<dyn Engine>) -> registry::EngineEntry {
        registry::EngineEntry { name: "liar", about: "", facts_percent: 0, parallel: false, reads: &[], make }
    }

    fn ask(make: fn(&registry::EngineOptions) -> Box<dyn Engine>) -> Solution {
        let problem = Problem::read("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1").unwrap();
        let engine: &'static registry::EngineEntry = Box::leak(Box::new(entry(make)));
        solve(&problem, &Request { engine, ..Request::default() }, &AtomicBool::new(false), &mut Silent)
    }

    #[test]
    fn a_false_proof_is_taken_back() {
        let solution = ask(|_| {
            let mut tree = ProofTree::new();
            let leaf = tree.push(ProofNode::Defend(vec![]));
            let code = crate::chess::MoveCode::new(shakmaty::Square::F1, shakmaty::Square::F7, None);
            tree.push(ProofNode::Attack(code, leaf));
            Box::new(Liar(Answer { proof: Some(tree), ..Answer::default() }))
        });
        assert!(solution.internal_failure && solution.error.is_some_and(|why| why.contains("does not hold")));
        assert_eq!((solution.result.status, solution.result.mate_in), (Status::Undecided, None));
    }

    #[test]
    fn a_panic_costs_one_answer_only() {
        let solution = ask(|_| Box::new(Liar(Answer { stopped: Some(StopReason::Time), ..Answer::default() })));
        assert!(solution.internal_failure && solution.error.is_some_and(|why| why.contains("broke down")));
    }

    #[test]
    fn a_contradiction_is_noticed() {
        let solution = ask(|_| {
            let mut tree = ProofTree::new();
            let leaf = tree.push(ProofNode::Defend(vec![]));
            let code = crate::chess::MoveCode::new(shakmaty::Square::F1, shakmaty::Square::F8, None);
            tree.push(ProofNode::Attack(code, leaf));
            Box::new(Liar(Answer { proof: Some(tree), refuted: MateLength(1), stopped: None }))
        });
        assert!(solution.error.is_some_and(|why| why.contains("proved and refuted")));
    }

    #[test]
    fn nothing_claimed_is_undecided() {
        let solution = ask(|_| Box::new(Liar(Answer::default())));
        assert_eq!((solution.result.status, solution.internal_failure), (Status::Undecided, false));
    }
}
