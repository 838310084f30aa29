//! Decides all first moves: whether each reaches the goal within the stipulated length, and in exactly how many moves.
//! "Mate" stands for any goal here.
//!
//! 1. The race finds a mate from the diagram and refutes every shorter one (`search::race`); short problems are
//!    searched length by length instead. This gives one key, and decides all first moves for shorter lengths.
//! 2. The other first moves are decided one by one (`solve::first_moves`). Every one that mates gets a proof, which the
//!    checker replays. This step is left out if no length is stipulated and no mate is found.
//!
//! A limit ends the work at any point. What is decided by then stays decided.
//!
//! This file also finds the tries: first moves that only a few defences refute.
//!
//! They are looked for when all first moves are decided. The count for a first move stops when it has one refutation
//! more than a try may have.

use shakmaty::{Chess, Square};

use crate::chess::{Goal, MateLength, Move, MoveCode, NodeKind, Position, Stipulation, rules};
use crate::proof::{ProofTree, Verified, VerifiedFlag, check_exclusive};
use crate::report::progress::{ReportEvent, ReportObserver, Workers};
use crate::report::unfold::Scribe;
use crate::search::race::{self, RaceOptions};
use crate::search::{Answer, Event, Interrupted, Task, help};
use crate::solve::first_moves::{Caller, FirstMove, FirstMoveSearch, Method, Slices, Wanted};

/// The longest stipulation, in moves, that is searched length by length. For short problems a race costs more nodes
/// than it saves (`benches/tuning/reports.md`).
const WITHOUT_RACE: u16 = 5;

/// The nodes for each first move, in rounds.
const SLICES: Slices = Slices { first: 1_000, growth: 2 };

/// The results for all first moves of a diagram. For a diagram after the key, only the length of the mate and no moves.
#[derive(Debug)]
pub(super) struct FirstMoves {
    pub moves: Vec<FirstMove>,
    /// The longest mate that counts, in moves.
    bound: MateLength,
    /// The shortest proved mate from the diagram.
    pub shortest: Option<MateLength>,
    /// Whether the checker has replayed its proof.
    pub verified: VerifiedFlag,
    /// Every mate from the diagram within this many moves is refuted; `None`: nothing is.
    pub refuted_through: Option<MateLength>,
    /// The first move of the shortest proof.
    key: Option<MoveCode>,
}

impl FirstMoves {
    /// Returns results in which no mate within `bound` moves is proved or refuted.
    pub(super) fn within(bound: MateLength) -> FirstMoves {
        let (moves, verified) = (Vec::new(), VerifiedFlag::default());
        FirstMoves { moves, bound, shortest: None, verified, refuted_through: None, key: None }
    }

    /// Returns the first moves that mate, with the length of the mate.
    pub(super) fn keys(&self) -> impl Iterator<Item = (&FirstMove, MateLength)> {
        self.moves.iter().filter_map(|first| Some((first, first.mate?)))
    }

    /// Returns the first moves that are refuted.
    pub(super) fn refuted(&self) -> impl Iterator<Item = &FirstMove> {
        self.moves.iter().filter(|first| first.mate.is_none() && !first.is_open(self.bound))
    }

    /// Returns the first moves that are not decided.
    pub(super) fn open(&self) -> impl Iterator<Item = &FirstMove> {
        self.moves.iter().filter(|first| first.is_open(self.bound))
    }

    /// Takes over the length and the first move of a checked proof, if it is the shortest so far.
    fn learn(&mut self, proof: &Verified) {
        if self.shortest.is_none_or(|known| proof.length() < known) {
            self.shortest = Some(proof.length());
            self.verified = VerifiedFlag::by(proof);
            self.key = proof.main_line().first().copied();
        }
    }

    /// Records the first move of the proof from the diagram as a key. It needs no search of its own.
    fn take_over_the_key(&mut self, diagram: &Diagram<'_>, workers: &mut Workers<'_, '_>) {
        let (Some(key), Some(length)) = (self.key, self.shortest) else { return };
        if let Some(first) = self.moves.iter_mut().find(|first| first.m.code() == key) {
            first.mate = Some(length);
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
    /// The question.
    pub asked: Stipulation,
    /// The largest proof that fits the memory, in nodes.
    pub max_proof: usize,
    pub scribe: Scribe,
}

impl Diagram<'_> {
    /// Returns what the attacker strives for.
    pub(super) fn goal(&self) -> Goal {
        self.asked.goal()
    }

    /// Returns the kind of the diagram's node.
    pub(super) fn kind(&self) -> NodeKind {
        self.asked.begins().into()
    }

    /// Replays a proof from the diagram.
    fn check(&self, tree: ProofTree) -> Result<Verified, String> {
        check_exclusive(self.chess, self.attacker, self.goal(), tree, self.exclusive)
            .map_err(|fault| format!("a proof does not hold ({fault})"))
    }
}

/// Finds the shortest mate from the diagram, at most `bound` moves long. Post-key play needs nothing else.
pub(super) fn find_mate(
    diagram: &Diagram<'_>,
    bound: MateLength,
    workers: &mut Workers<'_, '_>,
) -> Result<FirstMoves, String> {
    let mut found = FirstMoves::within(bound);
    if help::is_out_of_reach(diagram.goal(), &diagram.root, diagram.attacker) {
        found.refuted_through = Some(MateLength::MAX);
        return Ok(found);
    }
    let answer =
        if bound.0 <= WITHOUT_RACE { length_by_length(diagram, bound, workers) } else { race(diagram, bound, workers) };
    let refuted = answer.refuted.max(diagram.asked.refuted_at_sight());
    found.refuted_through = if answer.refuted_at_any_length { Some(MateLength::MAX) } else { refuted };
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
    found.moves = FirstMove::all(&diagram.root, found.refuted_through.unwrap_or(MateLength(0)));
    // If no length is given and no mate is found, all lengths were looked for.
    found.bound = moves.or(found.shortest).unwrap_or(MateLength::MAX);
    if found.refuted_through >= Some(found.bound) || found.shortest.is_none() && moves.is_none() {
        return Ok(found);
    }
    found.take_over_the_key(diagram, workers);
    let mut moves = std::mem::take(&mut found.moves);
    let wanted = Wanted { bound: found.bound, shortest: true, best: None };
    let method = Method::Decide { max_proof: diagram.max_proof };
    let mut keys = Keys { diagram, found: &mut found, observer: workers.observer };
    let (attacker, goal) = (diagram.attacker, diagram.goal());
    let search = FirstMoveSearch { attacker, goal, wanted, method, slices: SLICES, pause: None };
    search.run(&mut moves, workers, &mut keys)?;
    found.moves = moves;
    Ok(found)
}

/// Finds the shortest mate by deciding one length after the other, on one thread.
fn length_by_length(diagram: &Diagram<'_>, bound: MateLength, workers: &mut Workers<'_, '_>) -> Answer {
    let kind = diagram.kind();
    let mut answer = Answer::default();
    let searched: Result<(), Interrupted> = (|| {
        for n in (diagram.asked.least().0..=bound.0).map(MateLength) {
            answer.proof = workers.first().prove(&diagram.root, kind, n, diagram.max_proof)?;
            if answer.proof.is_some() {
                break;
            }
            answer.refuted = Some(n);
            workers.send(ReportEvent::Refuted(n));
        }
        Ok(())
    })();
    answer.stopped = searched.err();
    answer
}

/// Finds the shortest mate with the race, on all threads.
fn race(diagram: &Diagram<'_>, bound: MateLength, workers: &mut Workers<'_, '_>) -> Answer {
    let stipulation = diagram.asked.within(Some(bound));
    let task = Task { position: diagram.root, stipulation, shortest: true, memory: 0 };
    let observer = workers.observer;
    workers.with_threads(|decider, threads| {
        let options = RaceOptions { threads, ..RaceOptions::default() };
        let (prover, meter, facts) = decider.parts();
        let control = meter.control();
        let mut refuted = None;
        let mut listener = |event: Event<'_>, _: u64| match event {
            Event::Refuted(moves) if refuted < Some(moves) => {
                refuted = Some(moves);
                observer.event(ReportEvent::Refuted(moves), control.nodes());
            }
            Event::Mate(tree) if observer.node_counter().is_some() && diagram.check(tree.clone()).is_ok() => {
                observer.event(ReportEvent::Mate(tree.length()), control.nodes());
            }
            _ => {}
        };
        race::solve_with(&options, prover, &task, meter, facts, &mut listener)
    })
}

/// Collects the keys that a search finds, and reports its progress.
struct Keys<'k> {
    diagram: &'k Diagram<'k>,
    found: &'k mut FirstMoves,
    observer: &'k dyn ReportObserver,
}

impl Caller for Keys<'_> {
    fn check(&mut self, first: &FirstMove, tree: ProofTree, nodes: u64) -> Result<Option<MateLength>, String> {
        let proof = self.diagram.check(tree.after(first.m.code()))?;
        self.found.learn(&proof);
        let san = self.diagram.scribe.ply(&self.diagram.root, first.m).san;
        self.observer.event(ReportEvent::Key { san, moves: proof.length() }, nodes);
        Ok(Some(proof.length()))
    }

    fn round(&mut self, moves: &[FirstMove], open: &[usize], nodes: u64) -> Result<(), String> {
        if let Some(&next) = open.first() {
            let current = self.diagram.scribe.ply(&self.diagram.root, moves[next].m).san;
            let event = ReportEvent::FirstMoves { decided: moves.len() - open.len(), total: moves.len(), current };
            self.observer.event(event, nodes);
        }
        Ok(())
    }
}

/// A first move that fails, and all defences that refute it.
#[derive(Debug, Clone)]
pub(super) struct FoundTry {
    pub m: Move,
    /// The position after it.
    pub after: Position,
    pub refutations: Vec<Move>,
}

/// Finds the first moves that at most `max` defences refute within `moves` moves. `None` if a limit was reached.
pub(super) fn find_tries(
    diagram: &Diagram<'_>,
    first_moves: &FirstMoves,
    moves: MateLength,
    max: u16,
    workers: &mut Workers<'_, '_>,
) -> Option<Vec<FoundTry>> {
    let rest = moves.shorter().filter(|rest| *rest > MateLength(0) || diagram.goal().is_self());
    let Some(rest) = rest else { return Some(Vec::new()) };
    let failed: Vec<_> = first_moves
        .refuted()
        .filter(|first| rules::over(diagram.goal(), &first.after, NodeKind::And).is_none())
        .collect();
    let found = workers.map(&failed, |decider, first| decider.refutations(&first.after, rest, usize::from(max)));
    let mut tries = Vec::new();
    for (first, refutations) in failed.iter().zip(found) {
        if let Some(refutations) = refutations? {
            let san = diagram.scribe.ply(&diagram.root, first.m).san;
            workers.send(ReportEvent::Try { san, refutations: refutations.len() });
            tries.push(FoundTry { m: first.m, after: first.after, refutations });
        }
    }
    Some(tries)
}
