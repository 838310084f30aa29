//! The search of all first moves of a position: which of them mate, and in how many moves.
//!
//! After every first move there is a question of its own: is the other side mated, and in how many moves? UCI also asks
//! the opposite: does the other side mate? The search works on these questions in rounds of growing slices, on the
//! threads of a pool: what is easy is answered first and fills the table for what is hard. A question is closed as soon
//! as its answer cannot change what the caller wants ([`Wanted::useful`]). A mate counts only after the caller has had
//! a proof of it checked.
//!
//! The callers differ in how a slice is worked ([`Method`]): `moves` and UCI by a race, reports by deciding the longest
//! length that is useful and, if there is a mate, the shorter ones. `moves` and UCI can also answer all moves from
//! tables of few men ([`FirstMoveSearch::read_tables`]). "Mate" stands for any goal here.

use shakmaty::Color;

use crate::chess::{Goal, MateLength, Move, NodeKind, Position, Side, Stipulation, rules};
use crate::proof::{ProofNode, ProofTree};
use crate::search::decider::Decider;
use crate::search::decider::pool::DeciderPool;
use crate::search::race::{self, RaceOptions};
use crate::search::retro::{self, Distance, Tables};
use crate::search::{Event, Interrupted, Meter, Silent, StopReason, Task};

/// A first move with the bounds of its mate. All lengths count the move itself if its side is to mate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstMove {
    /// The move.
    pub m: Move,
    /// The position after it.
    pub after: Position,
    /// There is no mate by this move within this length. At first this is 0, which needs no search: whichever side is
    /// to mate, it makes a move.
    pub refuted: MateLength,
    /// Whether there is no mate by this move at all.
    pub refuted_at_any_length: bool,
    /// Whether what is refuted may rest on Syzygy files.
    pub with_tables: bool,
    /// The length of the shortest mate by this move of which a proof has been checked.
    pub mate: Option<MateLength>,
    /// Why it is not searched any further, without an answer.
    pub closed: Option<Closed>,
}

/// The reason why a first move is not searched any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    /// The memory does not suffice for an answer.
    Memory,
    /// No answer would count.
    NotWanted,
}

impl FirstMove {
    /// Returns all first moves of a position, where mates within `refuted` moves are known not to exist.
    pub(crate) fn all(root: &Position, refuted: MateLength) -> Vec<FirstMove> {
        let first = |m: Move| FirstMove {
            m,
            after: root.play(m),
            refuted,
            refuted_at_any_length: false,
            with_tables: false,
            mate: None,
            closed: None,
        };
        root.legal_moves().into_iter().map(first).collect()
    }

    /// Returns whether nothing is known about mates within `bound` moves that would answer the question.
    pub(crate) fn is_open(&self, bound: MateLength) -> bool {
        self.mate.is_none() && self.refuted < bound
    }

    /// Returns whether the length of the mate is known, and that no shorter one exists.
    pub(crate) fn is_exact(&self) -> bool {
        self.mate.is_some_and(|n| n.shorter().is_none_or(|shorter| self.refuted >= shorter))
    }

    fn refute(&mut self, length: MateLength, at_any_length: bool, bound: MateLength) {
        let length = if at_any_length { bound } else { length };
        self.refuted = self.refuted.max(length).min(bound);
        self.refuted_at_any_length |= at_any_length;
    }
}

/// The mates by first moves that a caller wants to know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// The longest mate that counts, in moves.
    pub bound: MateLength,
    /// Whether to find the shortest mate by each move; else any will do.
    pub shortest: bool,
    /// The number of moves that are wanted, those that mate fastest; `None`: all.
    pub best: Option<usize>,
}

impl Wanted {
    /// Returns the longest mate by a move that would change the answer, in moves; `None` if none would. Of the move,
    /// the refuted length and the shortest mate are known; `lengths` are those of the known mates by all moves.
    pub(crate) fn useful(
        self,
        refuted: MateLength,
        mate: Option<MateLength>,
        lengths: impl Iterator<Item = MateLength>,
    ) -> Option<MateLength> {
        if mate.is_some() && !self.shortest {
            return None;
        }
        let shorter = |known: MateLength| known.shorter().unwrap_or(MateLength(0));
        let mut longest = mate.map_or(self.bound, shorter);
        if let Some(last) = self.best.and_then(|count| count.checked_sub(1)) {
            let mut lengths: Vec<MateLength> = lengths.collect();
            lengths.sort_unstable();
            // A move that mates as fast as the last of the best would not replace it.
            longest = longest.min(lengths.get(last).map_or(longest, |&last| shorter(last)));
        }
        (refuted < longest).then_some(longest)
    }

    fn useful_at(self, moves: &[FirstMove], at: usize) -> Option<MateLength> {
        let FirstMove { refuted, mate, closed, .. } = moves[at];
        let useful = || self.useful(refuted, mate, moves.iter().filter_map(|first| first.mate));
        if closed.is_some() { None } else { useful() }
    }

    /// Returns whether all that is wanted about a move is known.
    pub(crate) fn is_answered(self, moves: &[FirstMove], at: usize) -> bool {
        self.useful_at(moves, at).is_none() && moves[at].closed != Some(Closed::Memory)
    }

    /// Returns the moves about which something useful is not known.
    fn open(self, moves: &[FirstMove]) -> Vec<usize> {
        (0..moves.len()).filter(|&at| self.useful_at(moves, at).is_some()).collect()
    }
}

/// The way in which a slice of work on a move is done.
#[derive(Clone, Copy)]
pub(crate) enum Method<'w> {
    /// By a race for the shortest mate. It keeps what a slice has found.
    Race(RaceOptions, &'w dyn Watcher),
    /// By deciding the longest useful length, and then, if there is a mate, the shorter ones. A proof may have
    /// `max_proof` nodes.
    Decide {
        /// The largest proof, in nodes.
        max_proof: usize,
    },
}

/// Slices that grow from round to round, in nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slices {
    /// The nodes for each move in the first round.
    pub first: u64,
    /// A round has this many times the nodes of the one before.
    pub growth: u64,
}

/// Receives what a race finds about a move as soon as it is found, on the thread that has found it. The proof of a mate
/// begins after the move.
pub(crate) trait Watcher: Sync {
    /// Receives one event.
    fn event(&self, first: &FirstMove, event: Event<'_>);
}

impl Watcher for Silent {
    fn event(&self, _: &FirstMove, _: Event<'_>) {}
}

/// The caller of a search.
pub(crate) trait Caller {
    /// Has the proof of a mate checked, which begins after the first move, and returns the length of the mate; `None`
    /// if the mate does not count, and the move is to be closed. `nodes` is the number of nodes so far.
    fn check(&mut self, first: &FirstMove, tree: ProofTree, nodes: u64) -> Result<Option<MateLength>, String>;

    /// Returns whether the caller needs no further answers.
    fn is_answered(&self) -> bool {
        false
    }

    /// Receives the bounds of all moves before the next round; `open` are the moves that it works on, none at the end.
    fn round(&mut self, moves: &[FirstMove], open: &[usize], nodes: u64) -> Result<(), String>;
}

/// The search of all first moves.
#[derive(Clone, Copy)]
pub(crate) struct FirstMoveSearch<'w> {
    /// The side that is to mate. Deciding ([`Method::Decide`]) needs the side that makes the first moves.
    pub attacker: Color,
    /// The goal that he wants to reach.
    pub goal: Goal,
    /// The mates that are wanted.
    pub wanted: Wanted,
    /// The way in which a slice is worked.
    pub method: Method<'w>,
    /// The nodes of the slices.
    pub slices: Slices,
    /// The search pauses after about this many nodes of the pool.
    pub pause: Option<u64>,
}

/// A mate that work on a move has found, in moves after the first one.
enum Mate {
    Proved(ProofTree),
    Exactly(MateLength),
}

/// What a slice of work on a move has found, in moves after the first one. `refuted` is `None` if nothing is refuted:
/// after the first move, 0 moves may be enough.
struct SliceResult {
    refuted: Option<MateLength>,
    refuted_at_any_length: bool,
    with_tables: bool,
    mate: Option<Mate>,
    out_of_memory: bool,
}

/// The state of a search after a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// All questions are closed.
    Closed,
    /// A limit or the pause has ended the search.
    Stopped,
    /// Some questions need a longer slice.
    Open,
}

impl FirstMoveSearch<'_> {
    /// Searches until all questions are closed, until the pool is stopped by a limit, or until the pause. Returns
    /// whether all are closed.
    pub(crate) fn run(
        &self,
        moves: &mut [FirstMove],
        pool: &mut DeciderPool<'_, '_>,
        caller: &mut dyn Caller,
    ) -> Result<bool, String> {
        let mut slice = self.slices.first;
        loop {
            match self.round(moves, pool, caller, slice)? {
                Standing::Open => slice = slice.saturating_mul(self.slices.growth),
                end => return Ok(end == Standing::Closed),
            }
        }
    }

    /// Works one slice of `slice` nodes on each open question.
    pub(crate) fn round(
        &self,
        moves: &mut [FirstMove],
        pool: &mut DeciderPool<'_, '_>,
        caller: &mut dyn Caller,
        slice: u64,
    ) -> Result<Standing, String> {
        let open = if caller.is_answered() { Vec::new() } else { self.wanted.open(moves) };
        let left = self.pause.map_or(u64::MAX, |pause| pause.saturating_sub(pool.nodes()));
        if open.is_empty() || left == 0 || pool.check_limits().is_err() {
            caller.round(moves, &[], pool.nodes())?;
            return Ok(if open.is_empty() { Standing::Closed } else { Standing::Stopped });
        }
        caller.round(moves, &open, pool.nodes())?;
        // The pause may come in the middle of a round.
        let left = left.div_ceil(open.len() as u64);
        let known = &*moves;
        let work = |decider: &mut Decider<'_, '_>, &at: &usize| self.work(decider, known, at);
        let found = pool.map_slices(&open, slice.min(left), work);
        for (&at, finding) in open.iter().zip(found).filter_map(|(at, found)| Some((at, found?))) {
            let first = &mut moves[at];
            let refuted = finding.refuted.map_or(MateLength(0), |n| self.with_first(first, n));
            first.closed = finding.out_of_memory.then_some(Closed::Memory);
            first.with_tables |= finding.with_tables && refuted > first.refuted;
            first.refute(refuted, finding.refuted_at_any_length, self.wanted.bound);
            match finding.mate {
                Some(Mate::Proved(tree)) => self.learn(first, tree, caller, pool.nodes())?,
                // Without a proof the move stays open; what is decided about the others holds.
                Some(Mate::Exactly(length)) => self.prove(first, length, pool, caller)?,
                None => {}
            }
        }
        Ok(Standing::Open)
    }

    /// Returns a length that is counted after the first move as the caller counts it.
    fn with_first(&self, first: &FirstMove, after: MateLength) -> MateLength {
        if first.after.turn() == self.attacker { after } else { after.longer() }
    }

    /// Returns a length as it is counted after the first move.
    fn without_first(&self, first: &FirstMove, length: MateLength) -> MateLength {
        if first.after.turn() == self.attacker { length } else { length.shorter().unwrap_or(MateLength(0)) }
    }

    fn work(&self, decider: &mut Decider<'_, '_>, moves: &[FirstMove], at: usize) -> Result<SliceResult, Interrupted> {
        let first = &moves[at];
        let longest = self.wanted.useful_at(moves, at).unwrap_or(self.wanted.bound);
        let longest = self.without_first(first, longest);
        match self.method {
            Method::Race(options, watcher) => {
                let mut observer = |event: Event<'_>, _: u64| watcher.event(first, event);
                let task = self.task(first, longest, 0);
                let (prover, meter, facts) = decider.parts();
                let answer = race::solve_with(&options, prover, &task, meter, facts, &mut observer);
                Ok(SliceResult {
                    refuted: answer.refuted.max(task.stipulation.refuted_at_sight()),
                    refuted_at_any_length: answer.refuted_at_any_length,
                    with_tables: prover.has_used_syzygy(),
                    mate: answer.proof.map(Mate::Proved),
                    out_of_memory: answer.stopped == Some(StopReason::Memory),
                })
            }
            Method::Decide { .. } => decide(decider, first, longest),
        }
    }

    /// Returns the question after a first move: whether the attacker mates within `longest` moves after it.
    fn task(&self, first: &FirstMove, longest: MateLength, memory: usize) -> Task {
        let begins = if first.after.turn() == self.attacker { Side::Attacker } else { Side::Defender };
        let stipulation = Stipulation::forced(self.goal, begins, Some(longest));
        Task { position: first.after, stipulation, shortest: self.wanted.shortest, memory }
    }

    /// Proves that a move mates in exactly `length` moves after it.
    fn prove(
        &self,
        first: &mut FirstMove,
        length: MateLength,
        pool: &mut DeciderPool<'_, '_>,
        caller: &mut dyn Caller,
    ) -> Result<(), String> {
        let Method::Decide { max_proof } = self.method else { return Ok(()) };
        match pool.first().prove(&first.after, NodeKind::And, length, max_proof) {
            Ok(Some(tree)) if tree.length() == length => {
                first.with_tables |= pool.first().parts().0.has_used_syzygy();
                first.refute(length, false, self.wanted.bound);
                self.learn(first, tree, caller, pool.nodes())
            }
            Ok(Some(tree)) => {
                let (claimed, proved) = (length.longer(), tree.length().longer());
                Err(format!("a proof of a mate in {claimed} takes {proved} moves"))
            }
            Ok(None) => Err("the search claims a mate and cannot show it".to_owned()),
            Err(reason) => {
                pool.stop(if reason == StopReason::Slice { StopReason::Nodes } else { reason });
                Ok(())
            }
        }
    }

    /// Takes over a proof for the position after a first move, if it is within the bound and the shortest so far.
    fn learn(&self, first: &mut FirstMove, tree: ProofTree, caller: &mut dyn Caller, nodes: u64) -> Result<(), String> {
        let length = self.with_first(first, tree.length());
        let fits = length == self.wanted.bound || !self.goal.exact && length < self.wanted.bound;
        if fits && first.mate.is_none_or(|known| length < known) {
            match caller.check(first, tree, nodes)? {
                Some(length) => first.mate = Some(length),
                None => first.closed = Some(Closed::NotWanted),
            }
        }
        Ok(())
    }
}

/// Decides whether a move mates within `longest` moves after it, and in exactly how many.
fn decide(decider: &mut Decider<'_, '_>, first: &FirstMove, longest: MateLength) -> Result<SliceResult, Interrupted> {
    let (mut refuted, mut mate) = (Some(longest), None);
    if decider.mated(&first.after, longest)?.is_some() {
        let mut length = longest;
        for n in (first.refuted.0..longest.0).map(MateLength) {
            if decider.mated(&first.after, n)?.is_some() {
                length = n;
                break;
            }
        }
        // Shorter lengths count as refuted when the mate is proved.
        (refuted, mate) = (None, Some(Mate::Exactly(length)));
    }
    let with_tables = decider.parts().0.has_used_syzygy();
    Ok(SliceResult { refuted, refuted_at_any_length: false, with_tables, mate, out_of_memory: false })
}

impl FirstMoveSearch<'_> {
    /// Answers the moves that need no search: those after which the other side has no legal move. Unless the other side
    /// makes the last half-move, no other move reaches the goal in one. Where the attacker must mate at once, no move
    /// solves. The attacker makes the first moves, from `root`.
    pub(crate) fn at_sight(
        &self,
        root: &Position,
        moves: &mut [FirstMove],
        caller: &mut dyn Caller,
    ) -> Result<(), String> {
        let has_failed = rules::must_end(self.goal, root, NodeKind::Or);
        for first in moves {
            if has_failed {
                first.refute(MateLength(1), true, self.wanted.bound);
                continue;
            }
            match rules::over(self.goal, &first.after, NodeKind::And) {
                Some(true) => {
                    let mut tree = ProofTree::new();
                    tree.push(ProofNode::End(self.goal.end));
                    self.learn(first, tree, caller, 0)?;
                }
                Some(false) => first.refute(MateLength(1), true, self.wanted.bound),
                None if self.goal.is_self() => {}
                None => first.refute(MateLength(1), false, self.wanted.bound),
            }
        }
        Ok(())
    }

    /// Answers all moves from tables that hold the position. Mates are proved as far as they are wanted, with `memory`
    /// bytes for the tables and a proof.
    pub(crate) fn read_tables(
        &self,
        moves: &mut [FirstMove],
        tables: &Tables,
        memory: usize,
        meter: &mut Meter<'_>,
        caller: &mut dyn Caller,
    ) -> Result<Option<StopReason>, String> {
        let mut by_length = Vec::new();
        for (at, first) in moves.iter_mut().enumerate() {
            first.with_tables = false;
            match tables.distance(&first.after, self.attacker) {
                Some(Distance::Mate(length)) => {
                    if let Some(shorter) = self.with_first(first, length).shorter() {
                        first.refute(shorter, false, self.wanted.bound);
                    }
                    by_length.push((length, at));
                }
                Some(Distance::NoMate) => first.refute(MateLength::MAX, true, self.wanted.bound),
                None => {}
            }
        }
        by_length.sort_unstable();
        for (_, at) in by_length {
            let Some(longest) = self.wanted.useful_at(moves, at) else { continue };
            let longest = self.without_first(&moves[at], longest);
            let task = Task { shortest: true, ..self.task(&moves[at], longest, memory) };
            let answer = retro::answer(tables, &task, meter, &mut Silent);
            match (answer.proof, answer.stopped) {
                (Some(tree), _) => self.learn(&mut moves[at], tree, caller, meter.count())?,
                (None, reason @ Some(_)) => return Ok(reason),
                (None, None) => {}
            }
        }
        Ok(None)
    }
}
