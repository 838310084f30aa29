//! The first moves of a position one by one: which of them mate, and in how many moves.
//!
//! After every first move there is a question of its own: is the other side mated, and in how many moves? The race
//! works on these questions in rounds of growing slices, so what is easy is answered first. All share one table. Every
//! mate is published only after the checker has replayed a proof that begins with the first move.
//!
//! If only the k fastest mates are wanted, a question is closed as soon as its answer cannot be among them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

use shakmaty::{Position as _, san::SanPlus};

use crate::chess::notation::legal_move;
use crate::chess::{Goal, MateLength, MoveCode, Position, Stipulation};
use crate::clock::Instant;
use crate::problem::Problem;
use crate::proof::{Bounds, Facts, ProofNode, ProofTree, Verified, check};
use crate::results::Question;
use crate::results::Solution;
use crate::results::solution::{MoveOutcome, Outcome, Stats, Status};
use crate::search::dfpn::{DfpnOptions, Prover};
use crate::search::race::{Race, RaceOptions};
use crate::search::{Answer, Control, Limits, Meter, Silent, StopReason, Task};
use crate::threads;

use super::{Asked, Request, judge::game_over, stopped_by};

/// The first moves that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MovesWanted {
    /// All, each with its exact length.
    All,
    /// This number of moves that mate fastest.
    Best(usize),
}

/// The nodes of the first slice of each question; each later round has four times as many as the one before.
const FIRST_SLICE: u64 = 2_000;
const SLICE_GROWTH: u64 = 4;

/// The part of the memory for the table of facts, in percent.
const FACTS_PERCENT: usize = 3;

/// Answers the question of the request for each first move of the problem. Calls `emit` with every move whose answer is
/// final, as soon as it is known.
///
/// The solution lists all moves in `moves`: mates first, the fastest before the others. Its `result` is the answer for
/// the position, as far as the moves give it. The side to move is the attacker, also if the request or the problem says
/// otherwise.
pub(crate) fn solve_moves(
    problem: &Problem,
    request: &Request,
    wanted: MovesWanted,
    stop: &AtomicBool,
    emit: &mut (dyn FnMut(&MoveOutcome) + Send),
) -> Solution {
    let asked = Asked::new(problem, request).by_the_side_to_move(problem);
    let solution = Solution { stipulation: Some(asked.question), ..Solution::of(problem) };
    if let Some(Ok((result, _))) = game_over(problem) {
        return Solution { result, moves: Some(Vec::new()), ..solution };
    }
    let search = || MoveSearch::new(problem, request, asked, wanted, stop).run(emit);
    match threads::on_large_stack(|| catch_unwind(AssertUnwindSafe(search))) {
        Ok(Ok(Ok((result, moves, stats)))) => Solution { result, moves: Some(moves), stats, ..solution },
        Ok(Ok(Err(why))) => solution.failed(format!("race failed: {why}; please report this position")),
        Ok(Err(_)) => solution.failed("race broke down on this position; please report it".to_owned()),
        Err(error) => solution.failed(format!("the search could not be run: {error}")),
    }
}

/// A first move with the bounds of its mate. All lengths count the move itself.
struct FirstMove {
    code: MoveCode,
    san: String,
    uci: String,
    after: Position,
    /// Within this many moves there is no mate by this move.
    refuted: MateLength,
    refuted_at_any_length: bool,
    proof: Option<Verified>,
    /// The memory does not suffice for an answer.
    out_of_memory: bool,
    emitted: bool,
}

impl FirstMove {
    fn length(&self) -> Option<MateLength> {
        self.proof.as_ref().map(Verified::length)
    }

    /// Returns the answer for this move. Mates longer than `bound` do not count.
    fn outcome(&self, bound: MateLength, threads: usize) -> Result<MoveOutcome, String> {
        let outcome = outcome(self.proof.as_ref(), self.refuted, self.refuted_at_any_length, bound, threads)?;
        Ok(MoveOutcome { san: self.san.clone(), uci: self.uci.clone(), outcome })
    }
}

/// Returns the answer that a proof and a refuted length give.
fn outcome(
    proof: Option<&Verified>,
    refuted: MateLength,
    at_any_length: bool,
    bound: MateLength,
    threads: usize,
) -> Result<Outcome, String> {
    let Some(proof) = proof else {
        let status = if refuted >= bound { Status::NoMate } else { Status::Undecided };
        let no_mate_at_all = at_any_length;
        return Ok(Outcome { refuted_through: Some(refuted.0), no_mate_at_all, ..Outcome::bare(status) });
    };
    let bounds = Bounds::new(Some(refuted), Some(proof.length()));
    if at_any_length || !bounds.is_consistent() {
        return Err(format!("it proved and refuted a mate in {}", proof.length()));
    }
    let outcome = Outcome::of_proof(proof, bounds).ok_or("a main line does not end in checkmate")?;
    // Whose proof comes first is a matter of timing, and so is the proof that a limit leaves.
    Ok(Outcome { pv_repeatable: Some(threads == 1 && outcome.proved_shortest), ..outcome })
}

/// The search of all first moves.
struct MoveSearch<'s> {
    problem: &'s Problem,
    asked: Asked,
    wanted: MovesWanted,
    request: &'s Request,
    start: Instant,
    stop: &'s AtomicBool,
    facts: Facts,
    /// The nodes that are used or granted to a running slice.
    nodes: AtomicU64,
    moves: Vec<FirstMove>,
}

impl<'s> MoveSearch<'s> {
    fn new(
        problem: &'s Problem,
        request: &'s Request,
        asked: Asked,
        wanted: MovesWanted,
        stop: &'s AtomicBool,
    ) -> MoveSearch<'s> {
        let root = Position::from_chess(&problem.chess);
        let moves = root.legal_moves().into_iter().map(|m| {
            let mv = legal_move(&problem.chess, m.code()).expect("kernel and shakmaty agree about legal moves");
            FirstMove {
                code: m.code(),
                san: SanPlus::from_move(problem.chess.clone(), mv).to_string(),
                uci: mv.to_uci(problem.chess.castles().mode()).to_string(),
                after: root.play(m),
                refuted: MateLength(0),
                refuted_at_any_length: false,
                proof: None,
                out_of_memory: false,
                emitted: false,
            }
        });
        let Question { stipulation, attacker } = asked.question;
        let facts = Facts::with_bytes(request.hash / 100 * FACTS_PERCENT).about(stipulation, attacker);
        let (moves, nodes) = (moves.collect(), AtomicU64::new(0));
        MoveSearch { problem, asked, wanted, request, start: Instant::now(), stop, facts, nodes, moves }
    }

    fn run(
        mut self,
        emit: &mut (dyn FnMut(&MoveOutcome) + Send),
    ) -> Result<(Outcome, Vec<MoveOutcome>, Stats), String> {
        self.answer_without_search()?;
        let memory = self.request.hash.saturating_sub(self.facts.bytes());
        let mut provers = vec![Prover::new(DfpnOptions::default(), memory)];
        let mut slice = FIRST_SLICE;
        let stopped = loop {
            self.emit_answered(emit)?;
            let open: Vec<usize> = (0..self.moves.len()).filter(|&at| self.useful_length(at).is_some()).collect();
            if open.is_empty() {
                let out_of_memory = self.moves.iter().any(|first| first.out_of_memory);
                break out_of_memory.then_some(StopReason::Memory);
            }
            if let Err(reason) = self.control(u64::MAX).check() {
                break Some(reason);
            }
            self.round(&open, slice, &mut provers)?;
            slice = slice.saturating_mul(SLICE_GROWTH);
        };
        self.finish(stopped, emit)
    }

    /// Answers the moves after which the other side has no legal move, and mates in one.
    fn answer_without_search(&mut self) -> Result<(), String> {
        for at in 0..self.moves.len() {
            let first = &self.moves[at];
            if first.after.is_checkmate() {
                let mut tree = ProofTree::new();
                tree.push(ProofNode::MATE);
                self.learn(at, tree)?;
                continue;
            }
            let stalemate = first.after.legal_moves().is_empty();
            let first = &mut self.moves[at];
            first.refuted_at_any_length = stalemate;
            first.refuted = if stalemate { self.asked.bound() } else { MateLength(1) };
        }
        Ok(())
    }

    /// Takes over a proof for the position after a first move, if it is within the bound and the shortest so far.
    fn learn(&mut self, at: usize, tree: ProofTree) -> Result<(), String> {
        let first = &mut self.moves[at];
        let length = tree.length().longer();
        if length > self.asked.bound() || first.length().is_some_and(|known| known <= length) {
            return Ok(());
        }
        let proof = check(&self.problem.chess, self.asked.question.attacker, Goal::MATE, tree.after(first.code))
            .map_err(|error| format!("its proof of a mate does not hold ({error})"))?;
        first.proof = Some(proof);
        Ok(())
    }

    /// Returns the longest mate by this move that would change the answer, in moves; `None` if none would.
    fn useful_length(&self, at: usize) -> Option<MateLength> {
        let first = &self.moves[at];
        let known = first.length();
        if first.out_of_memory || (known.is_some() && !self.asked.shortest) {
            return None;
        }
        let mut longest = known.map_or(self.asked.bound(), |known| known.shorter().unwrap_or_default());
        if let MovesWanted::Best(count) = self.wanted {
            let mut lengths: Vec<MateLength> = self.moves.iter().filter_map(FirstMove::length).collect();
            lengths.sort_unstable();
            let last = count.checked_sub(1).and_then(|last| lengths.get(last));
            // A move that mates as fast as the last of the best would not replace it.
            longest = longest.min(last.map_or(longest, |last| last.shorter().unwrap_or_default()));
        }
        (first.refuted < longest).then_some(longest)
    }

    /// Returns the limits for a slice of `nodes` nodes.
    fn control(&self, nodes: u64) -> Control<'s> {
        let deadline = self.request.time.and_then(|time| self.start.checked_add(time));
        let left = self.request.nodes.map(|limit| limit.saturating_sub(self.nodes.load(SeqCst)).min(nodes));
        let slice = (nodes < u64::MAX).then_some(nodes);
        Control::new(Limits { nodes: left.or(slice), deadline }, self.stop)
    }

    /// Works one slice on each of the open moves, on all threads.
    fn round(&mut self, open: &[usize], slice: u64, provers: &mut Vec<Prover>) -> Result<(), String> {
        let threads = self.request.threads.max(1);
        // Most positions are answered before another thread has started.
        let workers = if slice == FIRST_SLICE { 1 } else { threads.min(open.len()) };
        while provers.len() < workers {
            let other = provers[0].sharing_table();
            provers.push(other);
        }
        // With more threads than questions, the first question gets the rest.
        let spare = if slice == FIRST_SLICE { 0 } else { threads - workers };
        let answers = threads::share(&mut provers[..workers], open, |prover, &at| {
            let extra = if at == open[0] { spare } else { 0 };
            self.slice(at, slice, 1 + extra, prover)
        });
        for (&at, answer) in open.iter().zip(answers).filter_map(|(at, answer)| Some((at, answer?))) {
            let first = &mut self.moves[at];
            let refuted = if answer.refuted_at_any_length { self.asked.bound() } else { answer.refuted.longer() };
            first.refuted = first.refuted.max(refuted).min(self.asked.bound());
            first.refuted_at_any_length |= answer.refuted_at_any_length;
            first.out_of_memory = answer.stopped == Some(StopReason::Memory);
            if let Some(tree) = answer.proof {
                self.learn(at, tree)?;
            }
        }
        Ok(())
    }

    /// Works at most `nodes` nodes on the position after a first move; `None` if there is nothing to ask about it.
    fn slice(&self, at: usize, nodes: u64, threads: usize, prover: &mut Prover) -> Option<Answer> {
        let bound = self.useful_length(at)?.shorter()?;
        let granted = match self.request.nodes {
            Some(limit) => {
                let before = self.nodes.fetch_add(nodes, SeqCst);
                let granted = nodes.min(limit.saturating_sub(before));
                self.nodes.fetch_sub(nodes - granted, SeqCst);
                granted
            }
            None => nodes,
        };
        let deadline = self.request.time.and_then(|time| self.start.checked_add(time));
        let control = Control::new(Limits { nodes: Some(granted), deadline }, self.stop);
        let position = self.moves[at].after;
        let stipulation = Stipulation::mated(Some(bound));
        let task = Task { position, stipulation, shortest: self.asked.shortest, memory: 0 };
        let answer = {
            let mut meter = Meter::new(&control);
            let options = RaceOptions { threads, ..RaceOptions::default() };
            Race::new(options).solve_with(prover, &task, &mut meter, &self.facts, &mut Silent)
        };
        match self.request.nodes {
            Some(_) => self.nodes.fetch_sub(granted.saturating_sub(control.nodes()), SeqCst),
            None => self.nodes.fetch_add(control.nodes(), SeqCst),
        };
        Some(answer)
    }

    /// Emits the moves whose answer is final. If only the best are wanted, they are known at the end.
    fn emit_answered(&mut self, emit: &mut (dyn FnMut(&MoveOutcome) + Send)) -> Result<(), String> {
        if self.wanted != MovesWanted::All {
            return Ok(());
        }
        let mut answered = Vec::new();
        for at in 0..self.moves.len() {
            if !self.moves[at].emitted && self.useful_length(at).is_none() && !self.moves[at].out_of_memory {
                self.moves[at].emitted = true;
                answered.push(self.moves[at].outcome(self.asked.bound(), self.request.threads)?);
            }
        }
        answered.sort_by(by_length);
        answered.iter().for_each(emit);
        Ok(())
    }

    /// Returns the answer for the position, and those for all moves. Emits the moves that are not emitted yet: of the
    /// best moves, those wanted.
    fn finish(
        self,
        stopped: Option<StopReason>,
        emit: &mut (dyn FnMut(&MoveOutcome) + Send),
    ) -> Result<(Outcome, Vec<MoveOutcome>, Stats), String> {
        let bound = self.asked.bound();
        let outcomes = self.moves.iter().map(|first| Ok((first.outcome(bound, self.request.threads)?, first.emitted)));
        let mut outcomes = outcomes.collect::<Result<Vec<_>, String>>()?;
        outcomes.sort_by(|(a, _), (b, _)| by_length(a, b));
        let count = match self.wanted {
            MovesWanted::All => outcomes.len(),
            MovesWanted::Best(count) => count.min(outcomes.iter().filter(|(m, _)| m.outcome.mate_in.is_some()).count()),
        };
        outcomes.iter().take(count).filter(|(_, emitted)| !emitted).for_each(|(outcome, _)| emit(outcome));
        let best = self.moves.iter().filter(|first| first.proof.is_some()).min_by_key(|first| first.length());
        let refuted = self.moves.iter().map(|first| first.refuted).min().unwrap_or_default();
        let never = self.moves.iter().all(|first| first.refuted_at_any_length);
        let result = outcome(best.and_then(|first| first.proof.as_ref()), refuted, never, bound, self.request.threads)?;
        let stats = Stats {
            found_by: None,
            engine: Some("race".to_owned()),
            nodes: self.nodes.into_inner(),
            time_ms: u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX),
            threads: self.request.threads,
            hash_mb: self.request.hash >> 20,
            stopped_by: stopped.map(stopped_by),
        };
        Ok((result, outcomes.into_iter().map(|(outcome, _)| outcome).collect(), stats))
    }
}

/// Orders moves by the length of their mates, then by the length that is refuted, the shorter one first.
fn by_length(a: &MoveOutcome, b: &MoveOutcome) -> std::cmp::Ordering {
    let key = |m: &MoveOutcome| (m.outcome.mate_in.unwrap_or(u16::MAX), m.outcome.refuted_through);
    key(a).cmp(&key(b)).then_with(|| a.uci.cmp(&b.uci))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Length;

    fn solve(fen: &str, request: &Request, wanted: MovesWanted) -> (Solution, Vec<String>) {
        let problem = Problem::read(fen).unwrap();
        let mut emitted = Vec::new();
        let mut emit = |m: &MoveOutcome| emitted.push(m.san.clone());
        let solution = solve_moves(&problem, request, wanted, &AtomicBool::new(false), &mut emit);
        (solution, emitted)
    }

    fn at_most(moves: u16, threads: usize) -> Request {
        Request { length: Length::AtMost(MateLength(moves)), threads, ..Request::default() }
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
            for threads in [1, 3] {
                let (solution, emitted) = solve(fen, &at_most(n, threads), MovesWanted::All);
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
    fn a_limit_leaves_bounds() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for nodes in [0, 1_000, 100_000] {
            let (solution, emitted) =
                solve(start, &Request { nodes: Some(nodes), ..Request::default() }, MovesWanted::All);
            assert!(solution.stats.nodes <= nodes, "{nodes}: {}", solution.stats.nodes);
            assert_eq!((emitted.len(), solution.result.status), (20, Status::Undecided));
            assert_eq!(solution.stats.stopped_by, Some(crate::results::solution::StoppedBy::Nodes));
        }
        let (bare, _) = solve("8/8/8/4k3/8/8/8/4K3 w - -", &Request::default(), MovesWanted::All);
        assert!(bare.result.no_mate_at_all && bare.result.status == Status::NoMate);
    }
}
