//! Decides all first moves: whether each mates within the stipulated length, and in exactly how many moves.
//!
//! 1. The race finds a mate from the diagram and refutes every shorter one (`search::race`); short problems are
//!    searched length by length instead. This gives one key, and decides all first moves for shorter lengths.
//! 2. The other first moves are decided one by one, in rounds of growing slices: what is easy is decided first and
//!    fills the table for what is hard.
//! 3. Every first move that mates gets a proof, which the checker replays.
//!
//! A limit ends the work at any point. What is decided by then stays decided.

use shakmaty::{Chess, Square};

use crate::chess::{Goal, MateLength, Move, MoveCode, NodeKind, Position};
use crate::proof::{ProofTree, Verified, VerifiedFlag, check_exclusive};
use crate::search::decider::Decider;
use crate::search::race::{Race, RaceOptions};
use crate::search::{Answer, Event, Interrupted, StopReason, Task};

use super::notation::Scribe;
use super::progress::ReportEvent;
use super::workers::Workers;

/// The longest stipulation, in moves, that is searched length by length. For short problems a race costs more nodes
/// than it saves (`benches/tuning/reports.md`).
const WITHOUT_RACE: u16 = 5;

/// The nodes for each first move in the first round. Each later round has twice as many as the one before.
const FIRST_SLICE: u64 = 1_000;

/// The result for a first move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Not decided.
    Open,
    /// It does not mate within the stipulated length.
    Refuted,
    /// It mates in exactly this many moves, itself counted.
    Mates(MateLength),
    /// It mates in at most this many moves; a limit was reached before it was known whether it mates in fewer.
    MatesWithin(MateLength),
}

/// A first move.
#[derive(Debug, Clone, Copy)]
pub(super) struct FirstMove {
    pub m: Move,
    /// The position after it.
    pub after: Position,
    pub fate: Fate,
}

/// The results for all first moves of a diagram. For a diagram after the key, only the length of the mate and no moves.
#[derive(Debug, Default)]
pub(super) struct FirstMoves {
    pub moves: Vec<FirstMove>,
    /// The shortest proved mate from the diagram.
    pub shortest: Option<MateLength>,
    /// Whether the checker has replayed its proof.
    pub verified: VerifiedFlag,
    /// Every mate from the diagram within this many moves is refuted.
    pub refuted_through: MateLength,
    /// The first move of the shortest proof.
    key: Option<MoveCode>,
}

impl FirstMoves {
    /// Returns the first moves that mate, with the length of the mate.
    pub(super) fn keys(&self) -> impl Iterator<Item = (&FirstMove, MateLength)> {
        self.moves.iter().filter_map(|first| match first.fate {
            Fate::Mates(length) | Fate::MatesWithin(length) => Some((first, length)),
            Fate::Open | Fate::Refuted => None,
        })
    }

    /// Returns the first moves that are refuted.
    pub(super) fn refuted(&self) -> impl Iterator<Item = &FirstMove> {
        self.moves.iter().filter(|first| first.fate == Fate::Refuted)
    }

    /// Returns the first moves that are not decided.
    pub(super) fn open(&self) -> impl Iterator<Item = &FirstMove> {
        self.moves.iter().filter(|first| first.fate == Fate::Open)
    }

    /// Takes over the length and the first move of a checked proof, if it is the shortest so far.
    fn learn(&mut self, proof: &Verified) {
        if self.shortest.is_none_or(|known| proof.length() < known) {
            self.shortest = Some(proof.length());
            self.verified = VerifiedFlag::by(proof);
            self.key = proof.main_line().first().copied();
        }
    }
}

impl FirstMoves {
    /// Records the first move of the proof from the diagram as a key. It needs no search of its own.
    fn take_over_the_key(&mut self, diagram: &Diagram<'_>, workers: &mut Workers<'_, '_>) {
        let (Some(key), Some(length)) = (self.key, self.shortest) else { return };
        let exact = length.shorter().is_none_or(|shorter| self.refuted_through >= shorter);
        if let Some(first) = self.moves.iter_mut().find(|first| first.m.code() == key) {
            first.fate = if exact { Fate::Mates(length) } else { Fate::MatesWithin(length) };
            let san = diagram.scribe.ply(&diagram.root, first.m).san;
            workers.send(ReportEvent::Key { san, moves: length });
        }
    }
}

/// The diagram, and what is needed to check proofs that start there.
#[derive(Clone, Copy)]
pub(super) struct Diagram<'d> {
    pub chess: &'d Chess,
    pub root: Position,
    /// Rooks whose castling rights exclude each other.
    pub exclusive: &'d [(Square, Square)],
    pub attacker: shakmaty::Color,
    /// The largest proof that fits the memory, in nodes.
    pub max_proof: usize,
    pub scribe: Scribe,
}

impl Diagram<'_> {
    /// Replays a proof from the diagram.
    fn check(&self, tree: ProofTree) -> Result<Verified, String> {
        check_exclusive(self.chess, self.attacker, Goal::MATE, tree, self.exclusive)
            .map_err(|fault| format!("a proof does not hold ({fault})"))
    }
}

/// Finds the shortest mate from the diagram, at most `bound` moves long. For post-key play this is all there is to
/// find.
pub(super) fn find_mate(
    diagram: &Diagram<'_>,
    bound: MateLength,
    workers: &mut Workers<'_, '_>,
) -> Result<FirstMoves, String> {
    let mut found = FirstMoves::default();
    if diagram.root.cannot_mate(diagram.attacker) {
        found.refuted_through = MateLength::MAX;
        return Ok(found);
    }
    let answer = if bound.0 <= WITHOUT_RACE {
        length_by_length(diagram, bound, workers.first())
    } else {
        race(diagram, bound, workers)
    };
    found.refuted_through = if answer.refuted_at_any_length { MateLength::MAX } else { answer.refuted };
    if let Some(reason) = answer.stopped {
        workers.stop(reason);
    }
    if let Some(tree) = answer.proof {
        found.learn(&diagram.check(tree)?);
    }
    Ok(found)
}

/// Finds all first moves that mate within `moves`; if no length is given, all that mate in the shortest time.
pub(super) fn find_keys(
    diagram: &Diagram<'_>,
    moves: Option<MateLength>,
    workers: &mut Workers<'_, '_>,
) -> Result<FirstMoves, String> {
    let mut found = find_mate(diagram, moves.unwrap_or(MateLength::MAX), workers)?;
    let first = |m: Move| FirstMove { m, after: diagram.root.play(m), fate: Fate::Open };
    found.moves = diagram.root.legal_moves().into_iter().map(first).collect();
    // If no length is given and no mate is found, all lengths were looked for.
    let bound = moves.or(found.shortest).unwrap_or(MateLength::MAX);
    if found.refuted_through >= bound {
        found.moves.iter_mut().for_each(|first| first.fate = Fate::Refuted);
        return Ok(found);
    }
    if found.shortest.is_none() && moves.is_none() {
        return Ok(found);
    }
    found.take_over_the_key(diagram, workers);
    decide(diagram, &mut found, bound, workers)?;
    Ok(found)
}

/// Finds the shortest mate by deciding one length after the other, on one thread.
fn length_by_length(diagram: &Diagram<'_>, bound: MateLength, decider: &mut Decider<'_, '_>) -> Answer {
    let kind = NodeKind::of(diagram.root.turn(), diagram.attacker);
    let mut answer = Answer::default();
    let searched: Result<(), Interrupted> = (|| {
        for n in (1..=bound.0).map(MateLength) {
            answer.proof = decider.prove(&diagram.root, kind, n, diagram.max_proof)?;
            if answer.proof.is_some() {
                break;
            }
            answer.refuted = n;
        }
        Ok(())
    })();
    answer.stopped = searched.err();
    answer
}

/// Finds the shortest mate with the race, on all threads.
fn race(diagram: &Diagram<'_>, bound: MateLength, workers: &mut Workers<'_, '_>) -> Answer {
    let task = Task::mate(diagram.root, diagram.attacker, bound);
    let observer = workers.observer();
    workers.with_threads(|decider, threads| {
        let options = RaceOptions { threads, ..RaceOptions::default() };
        let (prover, meter, facts) = decider.parts();
        let control = meter.control();
        let mut refuted = None;
        let mut listener = |event: Event<'_>, _: u64| {
            if let Event::Refuted(moves) = event
                && refuted < Some(moves)
            {
                refuted = Some(moves);
                observer.event(ReportEvent::Refuted(moves), control.nodes());
            }
        };
        Race::new(options).solve_with(prover, &task, meter, facts, &mut listener)
    })
}

/// Decides the open first moves in rounds, and proves those that mate.
fn decide(
    diagram: &Diagram<'_>,
    found: &mut FirstMoves,
    bound: MateLength,
    workers: &mut Workers<'_, '_>,
) -> Result<(), String> {
    let refuted = found.refuted_through;
    let mut slice = FIRST_SLICE;
    loop {
        let open: Vec<usize> = (0..found.moves.len()).filter(|&i| found.moves[i].fate == Fate::Open).collect();
        let (Some(&next), None) = (open.first(), workers.stopped()) else { break };
        let current = diagram.scribe.ply(&diagram.root, found.moves[next].m).san;
        let (total, decided) = (found.moves.len(), found.moves.len() - open.len());
        workers.send(ReportEvent::FirstMoves { decided, total, current });
        let moves = &found.moves;
        let fates = workers.map_slices(&open, slice, |decider, &i| fate(decider, &moves[i].after, bound, refuted));
        for (&i, fate) in open.iter().zip(fates) {
            let Some(fate) = fate else { continue };
            if let Fate::Mates(length) = fate {
                // Without a proof it stays open; what is decided about the others holds.
                let Some(proof) = prove(diagram, &found.moves[i], length, workers)? else { continue };
                found.learn(&proof);
                let san = diagram.scribe.ply(&diagram.root, found.moves[i].m).san;
                workers.send(ReportEvent::Key { san, moves: length });
            }
            found.moves[i].fate = fate;
        }
        slice = slice.saturating_mul(2);
    }
    Ok(())
}

/// Decides the position after a first move: whether it mates within `bound` moves, itself counted, and in exactly how
/// many. Mates from the diagram within `refuted` moves are known not to exist.
fn fate(
    decider: &mut Decider<'_, '_>,
    after: &Position,
    bound: MateLength,
    refuted: MateLength,
) -> Result<Fate, Interrupted> {
    let rest = MateLength(bound.0.saturating_sub(1));
    if decider.mated(after, rest)?.is_none() {
        return Ok(Fate::Refuted);
    }
    for n in (refuted.0..rest.0).map(MateLength) {
        if decider.mated(after, n)?.is_some() {
            return Ok(Fate::Mates(n.longer()));
        }
    }
    Ok(Fate::Mates(bound))
}

/// Proves that a first move mates in exactly `length` moves, and has the proof checked. `None`: a limit was reached.
fn prove(
    diagram: &Diagram<'_>,
    first: &FirstMove,
    length: MateLength,
    workers: &mut Workers<'_, '_>,
) -> Result<Option<Verified>, String> {
    let rest = MateLength(length.0.saturating_sub(1));
    let tree = match workers.first().prove(&first.after, NodeKind::And, rest, diagram.max_proof) {
        Ok(tree) => tree.ok_or("the search claims a mate and cannot show it")?,
        Err(reason) => {
            workers.stop(if reason == StopReason::Slice { StopReason::Nodes } else { reason });
            return Ok(None);
        }
    };
    let proof = diagram.check(tree.after(first.m.code()))?;
    if proof.length() == length {
        return Ok(Some(proof));
    }
    Err(format!("a proof of a mate in {length} takes {} moves", proof.length()))
}
