//! The first moves of a position one by one: which of them mate, and in how many moves.
//!
//! The search is that of `first_moves`; here it gets its memory and tables, and its answers become a solution. A mate
//! (or other goal) is published only after the checker has replayed a proof that begins with the first move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use shakmaty::{Position as _, san::SanPlus};

use crate::base::clock::Instant;
use crate::base::guard::guarded;
use crate::chess::{MateLength, MoveCode};
use crate::problem::Problem;
use crate::proof::{Bounds, ProofTree, Verified, check_exclusive};
use crate::results::solution::{MoveOutcome, Outcome, Stats, Status};
use crate::results::{SidedStipulation, Solution};
use crate::search::decider::Decider;
use crate::search::decider::pool::{DeciderPool, NoThreads};
use crate::search::dfpn::Prover;
use crate::search::race::RaceOptions;
use crate::search::{Control, Facts, Meter, Silent, StopReason, Task, retro};

use super::first_moves::{Caller, Closed, FirstMove, FirstMoveSearch, Method, Slices, Wanted};
use super::judge::{game_over, none_of};
use super::{Limits, Request, refusal, stats};

/// The first moves that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MovesWanted {
    /// All, each with its exact length.
    All,
    /// This number of moves that mate fastest.
    Best(usize),
}

impl MovesWanted {
    /// Returns the number of moves that mate fastest; `None` if all are wanted.
    pub fn count(self) -> Option<usize> {
        if let MovesWanted::Best(count) = self { Some(count) } else { None }
    }
}

/// Receives the answers for first moves while the search runs. A closure that takes an answer is one.
pub trait MovesObserver: Send {
    /// Receives a move whose answer is final.
    fn answered(&mut self, m: &MoveOutcome);

    /// Receives the length within which no move mates, in moves, and the number of moves whose answer is open.
    fn round(&mut self, _refuted: MateLength, _open: usize) {}

    /// Returns a counter to which the search adds its nodes, so that others see them while it runs. `None`: there is no
    /// such counter.
    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        None
    }
}

impl<F: FnMut(&MoveOutcome) + Send> MovesObserver for F {
    fn answered(&mut self, m: &MoveOutcome) {
        self(m);
    }
}

/// The nodes for each move.
const SLICES: Slices = Slices { first: 2_000, growth: 4 };

/// The part of the memory for the table of facts, in percent.
const FACTS_PERCENT: usize = 3;

/// Answers the question of the request for each first move of the problem. The observer receives every move whose
/// answer is final, as soon as it is known. The engine `retro` reads all answers from its tables; with any other engine
/// they come from `race`.
///
/// The solution lists all moves in `moves`: mates first, the fastest before the others. Its `result` is the answer for
/// the position, as far as the moves give it. The side to move is the attacker, also if the request or the problem says
/// otherwise.
pub(crate) fn solve_moves(
    problem: &Problem,
    request: &Request,
    wanted: MovesWanted,
    stop: &AtomicBool,
    observer: &mut dyn MovesObserver,
) -> Solution {
    let asked = SidedStipulation::of_problem(problem).by_the_side_to_move(problem.chess.turn());
    let solution = Solution { stipulation: Some(asked), ..Solution::of(problem) };
    if let Some(Ok((result, _))) = game_over(problem, asked) {
        return Solution { result, moves: Some(Vec::new()), ..solution };
    }
    let search = || {
        let start = Instant::now();
        let mut listing = Listing::new(problem, request, asked, wanted, observer);
        let searched = listing.search(start, stop)?;
        listing.finish(searched, start)
    };
    let engine = engine(request);
    match guarded(search) {
        Ok(Ok(Listed { result, moves, stats, warning })) => {
            let mut solution = Solution { result, moves: Some(moves), stats, ..solution };
            solution.warnings.extend(warning);
            solution
        }
        Ok(Err(why)) => solution.failed(format!("{engine} failed: {why}; please report this position")),
        Err(broken) => solution.failed(broken.sentence(engine, "this position")),
    }
}

/// The engines that answer the questions about single moves: the default, and the one that builds its tables at once.
pub(crate) const MOVE_ENGINES: [&str; 2] = ["race", RETRO];

const RETRO: &str = "retro";

/// Returns the engine that answers the questions of a request.
fn engine(request: &Request) -> &'static str {
    if request.engine.name == RETRO { RETRO } else { MOVE_ENGINES[0] }
}

/// A first move as it is written.
struct ListedMove {
    code: MoveCode,
    san: String,
    uci: String,
    proof: Option<Verified>,
    emitted: bool,
}

/// The answers that are known, and who receives them.
struct Listing<'s, 'e> {
    problem: &'s Problem,
    request: &'s Request,
    asked: SidedStipulation,
    wanted: Wanted,
    observer: &'e mut dyn MovesObserver,
    moves: Vec<ListedMove>,
}

/// The end of a search.
struct Searched {
    moves: Vec<FirstMove>,
    nodes: u64,
    stopped: Option<StopReason>,
    warning: Option<String>,
}

/// All answers.
struct Listed {
    result: Outcome,
    moves: Vec<MoveOutcome>,
    stats: Stats,
    /// Why the engine did not search, or what would decide the position.
    warning: Option<String>,
}

impl<'s, 'e> Listing<'s, 'e> {
    fn new(
        problem: &'s Problem,
        request: &'s Request,
        asked: SidedStipulation,
        wanted: MovesWanted,
        observer: &'e mut dyn MovesObserver,
    ) -> Listing<'s, 'e> {
        let wanted = Wanted { bound: asked.bound(), shortest: !problem.question.first, best: wanted.count() };
        let moves = super::start(&problem.chess, &problem.exclusive, problem.question.stipulation)
            .legal_moves()
            .into_iter()
            .map(|m| {
                let mv = m.to_shakmaty(&problem.chess);
                ListedMove {
                    code: m.code(),
                    san: SanPlus::from_move(problem.chess.clone(), mv).to_string(),
                    uci: mv.to_uci(problem.chess.castles().mode()).to_string(),
                    proof: None,
                    emitted: false,
                }
            });
        let moves = moves.collect();
        Listing { problem, request, asked, wanted, observer, moves }
    }

    /// Searches the moves, with tables where a solve would use them.
    fn search(&mut self, start: Instant, stop: &AtomicBool) -> Result<Searched, String> {
        let Request { limits, .. } = *self.request;
        let Limits { hash, threads, .. } = limits;
        let control = Control::new(limits.of_search(start), stop).watched(self.observer.node_counter());
        let stipulation = self.asked.stipulation;
        let root = super::start(&self.problem.chess, &self.problem.exclusive, self.asked.stipulation);
        let mut moves = FirstMove::all(&root, MateLength(0));
        let only_tables = engine(self.request) == RETRO;
        let facts = Facts::with_bytes(if only_tables { 0 } else { hash / 100 * FACTS_PERCENT });
        let facts = facts.about(stipulation, self.asked.attacker);
        let task = Task {
            position: root,
            stipulation,
            shortest: self.wanted.shortest,
            memory: hash.saturating_sub(facts.bytes()),
        };
        let search = FirstMoveSearch {
            attacker: self.asked.attacker,
            goal: stipulation.goal(),
            wanted: self.wanted,
            method: Method::Race(RaceOptions::default(), &Silent),
            slices: SLICES,
            pause: retro::nodes_before_tables(&task),
        };
        search.at_sight(&root, &mut moves, self)?;
        let refused = || refusal(self.request, stipulation).or_else(|| retro::refusal(&task));
        let why = if only_tables { refused() } else { None };
        let mut warning = why.map(|why| format!("{RETRO} was not run: {why}"));
        let (mut decided, mut stopped) = (warning.is_some(), None);
        if !only_tables {
            let prover = Prover::for_task(limits.syzygy, &task, task.memory);
            let mut pool = DeciderPool::new(Decider::new(prover, &facts, Meter::new(&control)), threads, &NoThreads);
            decided = search.run(&mut moves, &mut pool, self)?;
            stopped = pool.stopped();
            let hint = || retro::hint(&task.position, self.asked.attacker, task.memory);
            warning = if decided || !stipulation.goal().is_mate() { None } else { hint() };
        }
        if !decided && stopped.is_none() {
            let mut meter = Meter::new(&control);
            stopped = match retro::build(&task, threads, &meter, &mut Silent) {
                Ok(tables) => search.read_tables(&mut moves, &tables, task.memory, &mut meter, self)?,
                Err(reason) => Some(reason),
            };
        }
        let full = moves.iter().any(|first| first.closed == Some(Closed::Memory)).then_some(StopReason::Memory);
        Ok(Searched { moves, nodes: control.nodes(), stopped: stopped.or(full), warning })
    }

    /// Returns the answer for a move.
    fn outcome(&self, first: &FirstMove, listed: &ListedMove) -> Result<MoveOutcome, String> {
        let outcome = self.outcome_of(listed.proof.as_ref(), first.refuted, first.refuted_at_any_length)?;
        let outcome = Outcome { with_tables: first.with_tables, ..outcome };
        Ok(MoveOutcome { san: listed.san.clone(), uci: listed.uci.clone(), outcome })
    }

    /// Returns the answer that a proof and a refuted length give.
    fn outcome_of(
        &self,
        proof: Option<&Verified>,
        refuted: MateLength,
        at_any_length: bool,
    ) -> Result<Outcome, String> {
        let Some(proof) = proof else {
            let none = none_of(self.asked.stipulation.goal());
            let status = if refuted >= self.asked.bound() { none } else { Status::Undecided };
            let no_mate_at_all = at_any_length;
            return Ok(Outcome { refuted_through: Some(refuted.0), no_mate_at_all, ..Outcome::bare(status) });
        };
        let bounds = Bounds::new(Some(refuted), Some(proof.length()));
        if at_any_length || !bounds.is_consistent() {
            return Err(format!("it proved and refuted a mate in {}", proof.length()));
        }
        let outcome = Outcome::of_proof(proof, bounds).ok_or("a main line does not end in the goal")?;
        // Whose proof comes first is a matter of timing, and so is the proof that a limit leaves.
        let pv_repeatable = Some(self.request.limits.threads == 1 && outcome.proved_shortest);
        Ok(Outcome { pv_repeatable, ..outcome })
    }

    /// Returns the answer for the position, and those for all moves. Emits the moves that are not emitted yet: of the
    /// best moves, those wanted.
    fn finish(self, searched: Searched, start: Instant) -> Result<Listed, String> {
        let Searched { moves, nodes, stopped, warning } = searched;
        let listed = moves.iter().zip(&self.moves);
        let outcomes = listed.map(|(first, listed)| Ok((self.outcome(first, listed)?, listed.emitted)));
        let mut outcomes = outcomes.collect::<Result<Vec<_>, String>>()?;
        outcomes.sort_by(|(a, _), (b, _)| by_length(a, b));
        let mates = outcomes.iter().filter(|(m, _)| m.outcome.length().is_some()).count();
        let count = self.wanted.best.map_or(outcomes.len(), |count| count.min(mates));
        let best = self.moves.iter().filter_map(|listed| listed.proof.as_ref()).min_by_key(|proof| proof.length());
        let refuted = moves.iter().map(|first| first.refuted).min().unwrap_or(MateLength(0));
        let never = moves.iter().all(|first| first.refuted_at_any_length);
        let with_tables = moves.iter().any(|first| first.with_tables);
        let result = Outcome { with_tables, ..self.outcome_of(best, refuted, never)? };
        outcomes
            .iter()
            .take(count)
            .filter(|(_, emitted)| !emitted)
            .for_each(|(outcome, _)| self.observer.answered(outcome));
        let stats = stats(engine(self.request), nodes, start, &self.request.limits, stopped);
        let moves = outcomes.into_iter().map(|(outcome, _)| outcome).collect();
        Ok(Listed { result, moves, stats, warning })
    }
}

impl Caller for Listing<'_, '_> {
    fn check(&mut self, first: &FirstMove, tree: ProofTree, _: u64) -> Result<Option<MateLength>, String> {
        let tree = tree.after(first.m.code());
        let SidedStipulation { stipulation, attacker, .. } = self.asked;
        let Problem { chess, exclusive, .. } = self.problem;
        let proof = check_exclusive(chess, attacker, stipulation.goal(), tree, exclusive)
            .map_err(|error| format!("its proof of a mate does not hold ({error})"))?;
        let length = proof.length();
        if let Some(listed) = self.moves.iter_mut().find(|listed| listed.code == first.m.code()) {
            listed.proof = Some(proof);
        }
        Ok(Some(length))
    }

    /// Emits the moves whose answer is final. If only the best are wanted, they are known at the end.
    fn round(&mut self, moves: &[FirstMove], open: &[usize], _: u64) -> Result<(), String> {
        let refuted = moves.iter().map(|first| first.refuted).min();
        self.observer.round(refuted.unwrap_or(MateLength(0)), open.len());
        if self.wanted.best.is_some() {
            return Ok(());
        }
        let mut answered = Vec::new();
        for (at, first) in moves.iter().enumerate() {
            if !self.moves[at].emitted && self.wanted.is_answered(moves, at) {
                self.moves[at].emitted = true;
                answered.push(self.outcome(first, &self.moves[at])?);
            }
        }
        answered.sort_by(by_length);
        for outcome in &answered {
            self.observer.answered(outcome);
        }
        Ok(())
    }
}

/// Orders moves by the length of their mates, then by the length that is refuted, the shorter one first.
fn by_length(a: &MoveOutcome, b: &MoveOutcome) -> std::cmp::Ordering {
    let key = |m: &MoveOutcome| (m.outcome.length().unwrap_or(u16::MAX), m.outcome.refuted_through);
    key(a).cmp(&key(b)).then_with(|| a.uci.cmp(&b.uci))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::registry;

    fn solve(fen: &str, request: &Request, wanted: MovesWanted) -> (Solution, Vec<String>) {
        let problem = Problem::read(fen).unwrap();
        let mut emitted = Vec::new();
        let mut emit = |m: &MoveOutcome| emitted.push(m.san.clone());
        let solution = solve_moves(&problem, request, wanted, &AtomicBool::new(false), &mut emit);
        (solution, emitted)
    }

    fn on(threads: usize) -> Request {
        Request { limits: Limits { threads, ..Limits::default() }, ..Request::default() }
    }

    /// The lengths of all moves as the slow decider of the definition finds them: within `n` moves, or none.
    fn reference(fen: &str, n: u16) -> Vec<(String, Option<u16>)> {
        let problem = Problem::read(fen).unwrap();
        let moves = problem.chess.legal_moves();
        let mut lengths: Vec<(String, Option<u16>)> = moves
            .into_iter()
            .map(|m| {
                let after = problem.chess.clone().play(m).unwrap();
                let length = (1..=n).find(|&n| mated(&after, n - 1));
                (SanPlus::from_move(problem.chess.clone(), m).to_string(), length)
            })
            .collect();
        lengths.sort();
        lengths
    }

    fn mated(chess: &shakmaty::Chess, n: u16) -> bool {
        let replies = chess.legal_moves();
        if replies.is_empty() || n == 0 {
            return chess.is_checkmate();
        }
        replies.into_iter().all(|reply| {
            let next = chess.clone().play(reply).unwrap();
            next.legal_moves().into_iter().any(|m| mated(&next.clone().play(m).unwrap(), n - 1))
        })
    }

    #[test]
    fn every_first_move_has_its_exact_length_on_any_number_of_threads() {
        for (fen, n) in [
            ("5Kbk/6pp/6P1/8/8/8/8/7R w - -", 3),
            ("7k/8/5K2/6Q1/8/8/8/8 w - -", 3),
            ("k7/2Q5/2K5/8/8/8/8/8 w - -", 2),
            ("7k/5P2/6K1/8/8/8/8/8 w - -", 3),
        ] {
            let few_men = fen.chars().take_while(|c| *c != ' ').filter(|c| c.is_alphabetic()).count() <= 4;
            let engines = [("race", 1), ("race", 3), ("retro", 1)];
            for (engine, threads) in engines.into_iter().filter(|&(engine, _)| few_men || engine == "race") {
                let engine = registry::engine(engine).unwrap();
                let (solution, emitted) =
                    solve(&format!("{fen} dm {n};"), &Request { engine, ..on(threads) }, MovesWanted::All);
                assert_eq!(solution.stats.engine.as_deref(), Some(engine.name));
                let moves = solution.moves.unwrap();
                let mut found: Vec<(String, Option<u16>)> =
                    moves.iter().map(|m| (m.san.clone(), m.outcome.mate_in)).collect();
                found.sort();
                assert_eq!(found, reference(fen, n), "{fen}");
                assert_eq!(emitted.len(), moves.len());
                for m in &moves {
                    let exact = m.outcome.proved_shortest && m.outcome.verified.is_set();
                    assert!(exact || m.outcome.status == Status::NoMate, "{fen} {m:?}");
                }
                assert_eq!(solution.result.mate_in, moves[0].outcome.mate_in);
                assert!(solution.result.proved_shortest);
            }
        }
    }

    #[test]
    fn the_best_moves_are_exact_and_come_first() {
        let fen = "7k/8/5K2/6Q1/8/8/8/8 w - -";
        let mut lengths: Vec<u16> = reference(fen, 4).into_iter().filter_map(|(_, length)| length).collect();
        lengths.sort_unstable();
        let (solution, emitted) = solve(fen, &Request::default(), MovesWanted::Best(3));
        let moves = solution.moves.unwrap();
        assert_eq!(moves.iter().take(3).map(|m| m.san.clone()).collect::<Vec<_>>(), emitted);
        let found: Vec<u16> = moves.iter().take(3).filter_map(|m| m.outcome.mate_in).collect();
        assert_eq!(found, lengths[..3]);
        assert!(moves.iter().take(3).all(|m| m.outcome.proved_shortest));
    }

    #[test]
    fn few_men_are_answered_by_tables() {
        // King, bishop and knight: no search finds these mates in seconds.
        let fen = "8/8/8/8/4k3/8/8/K2N1B2 w - -";
        let nodes = Some(200_000);
        let (solution, emitted) = solve(
            fen,
            &Request { limits: Limits { nodes, ..Limits::default() }, ..Request::default() },
            MovesWanted::Best(2),
        );
        let moves = solution.moves.unwrap();
        let found: Vec<_> = moves.iter().map(|m| (m.san.as_str(), m.outcome.mate_in)).take(3).collect();
        assert_eq!(found, [("Kb2", Some(31)), ("Nb2", Some(32)), (found[2].0, None)]);
        assert!(emitted.len() == 2 && moves[..2].iter().all(|m| m.outcome.proved_shortest));
        assert!(moves[2..].iter().all(|m| m.outcome.refuted_through >= Some(31)));
        assert_eq!((solution.result.mate_in, solution.stats.stopped_by), (Some(31), None));
        let pawn = "8/8/8/4k3/8/8/4P3/4K3 w - -";
        let (drawn, _) = solve(
            pawn,
            &Request { limits: Limits { nodes, ..Limits::default() }, ..Request::default() },
            MovesWanted::All,
        );
        assert!(drawn.result.no_mate_at_all && drawn.moves.unwrap().iter().all(|m| m.outcome.no_mate_at_all));
    }

    #[test]
    fn the_engine_retro_says_why_it_has_no_tables() {
        let engine = registry::engine("retro").unwrap();
        let (solution, emitted) =
            solve("5Kbk/6pp/6P1/8/8/8/8/7R w - -", &Request { engine, ..Request::default() }, MovesWanted::All);
        assert!(solution.warnings[0].starts_with("retro was not run: tables hold at most 5 men"), "{solution:?}");
        assert_eq!((solution.result.status, emitted.len()), (Status::Undecided, solution.moves.unwrap().len()));
    }

    #[test]
    fn a_limit_leaves_bounds() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for nodes in [0, 1_000, 100_000] {
            let (solution, emitted) = solve(
                start,
                &Request { limits: Limits { nodes: Some(nodes), ..Limits::default() }, ..Request::default() },
                MovesWanted::All,
            );
            assert!(solution.stats.nodes <= nodes, "{nodes}: {}", solution.stats.nodes);
            assert_eq!((emitted.len(), solution.result.status), (20, Status::Undecided));
            assert_eq!(solution.stats.stopped_by, Some(crate::results::solution::StoppedBy::Nodes));
        }
        let (bare, _) = solve("8/8/8/4k3/8/8/8/4K3 w - -", &Request::default(), MovesWanted::All);
        assert!(bare.result.no_mate_at_all && bare.result.status == Status::NoMate);
    }
}
