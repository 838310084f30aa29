//! Full-width search with a table: exact answers to "does this mate within n moves?"
//!
//! A composer's report asks this about *every* move at every node of a solution, and prints both answers: a
//! continuation, or the absence of one. This search therefore takes no shortcut that could be wrong in either
//! direction. It is the definition of "mate within n" ([`super::exhaustive`]) with three additions:
//!
//! - Mates in one are found with bitboards (`crate::chess::Attack`), without making a position.
//! - A table holds two bounds for each position, "no mate within" and "mate within". They do not depend on the moves
//!   that led to the position, so no repetition can make them wrong.
//! - Move ordering: the attacker tries the moves that leave the fewest replies first, the defender the replies that
//!   refuted last. The order changes the time of an answer, never the answer.
//!
//! At every node of the attacker, lengths are tried upwards, so a mate found is a shortest one. Each length costs some
//! forty times as much as the one before. The shorter ones are therefore nearly free, and they fill the table for the
//! longer ones.
//!
//! A wrong "no" hides a cook and a wrong "yes" invents a dual, and the proof checker would notice neither. For this
//! reason `tests/fullwidth.rs` compares every move of generated positions with the reference.
//!
//! | file | content |
//! |---|---|
//! | `refutations` | the order of the defender's replies |
//! | `exclusive` | castling rights that exclude each other |
//! | `prove` | proof trees for the checker |

mod exclusive;
mod prove;
mod refutations;

use crate::chess::{ManList, MateLength, Move, MoveCode, MoveList, Moves, Position};
use crate::proof::{Fact, Facts};

use super::{Interrupted, Meter};

pub use exclusive::Exclusive;
use refutations::Refutations;

/// The search. It answers "does the attacker mate within n moves?" for any position with either side to move.
///
/// In [`FullWidth::mates`] the attacker is the side to move, in [`FullWidth::mated`] the other side. All calls to one
/// `FullWidth` must have the same attacker.
#[derive(Debug)]
pub struct FullWidth<'a, 'c> {
    facts: &'a Facts,
    meter: &'a mut Meter<'c>,
    exclusive: Exclusive,
    refutations: Refutations,
    /// The largest number of nodes of a proof tree.
    proof_limit: Option<usize>,
}

impl<'a, 'c> FullWidth<'a, 'c> {
    /// Creates a search that stores its bounds in `facts`. Bounds that are already there must come from searches with
    /// the same attacker and the same exclusive castling rights.
    pub fn new(facts: &'a Facts, meter: &'a mut Meter<'c>, exclusive: Exclusive) -> FullWidth<'a, 'c> {
        FullWidth { facts, meter, exclusive, refutations: Refutations::default(), proof_limit: None }
    }

    /// Returns the castling rights that exclude each other.
    pub fn exclusive(&self) -> &Exclusive {
        &self.exclusive
    }

    /// Limits the size of proof trees, in nodes. Building a larger one ends with [`super::StopReason::Memory`].
    pub fn set_proof_limit(&mut self, nodes: usize) {
        self.proof_limit = Some(nodes);
    }

    /// Plays a legal move and counts a node.
    #[inline]
    pub fn play(&mut self, position: &Position, m: Move) -> Result<Position, Interrupted> {
        self.meter.node()?;
        Ok(self.exclusive.play(position, m))
    }

    /// Plays a legal move without counting a node, for a position that has been counted before.
    pub fn after(&self, position: &Position, m: Move) -> Position {
        self.exclusive.play(position, m)
    }

    /// Returns the nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.meter.count()
    }

    /// OR node: returns whether the side to move mates within `n` moves.
    pub fn mates(&mut self, position: &Position, n: u16) -> Result<bool, Interrupted> {
        if n <= 1 {
            return Ok(n == 1 && position.mate_in_one().is_some());
        }
        let fact = self.facts.get(position.key());
        let length = MateLength(n);
        if fact.bounds.proves(length) || fact.bounds.refutes(length) {
            return Ok(fact.bounds.proves(length));
        }
        for k in fact.bounds.shortest_open().0.max(1)..=n {
            if let Some(best) = self.mates_in(position, k, fact)? {
                self.facts.prove(position.key(), MateLength(k), Some(best));
                return Ok(true);
            }
            self.facts.refute(position.key(), MateLength(k));
        }
        Ok(false)
    }

    /// OR node: returns the length of the shortest mate within `max` moves, in moves.
    pub fn shortest(&mut self, position: &Position, max: u16) -> Result<Option<u16>, Interrupted> {
        for k in 1..=max {
            if self.mates(position, k)? {
                return Ok(Some(k));
            }
        }
        Ok(None)
    }

    /// AND node: returns whether the side to move is mated within `n` moves of the attacker. With `n` = 0, whether it
    /// is checkmated.
    pub fn mated(&mut self, position: &Position, n: u16) -> Result<bool, Interrupted> {
        match n {
            0 => Ok(position.is_checkmate()),
            1 => self.mated_in_one(position, None),
            _ => self.mated_within(position, n, None),
        }
    }

    /// AND node: returns the replies after which there is no mate within `n` moves, or `None` if there are more than
    /// `max`.
    pub fn refutations(&mut self, position: &Position, n: u16, max: usize) -> Result<Option<Vec<Move>>, Interrupted> {
        let mut replies = position.legal_moves();
        self.refutations.order(&mut replies, n, None);
        let mut refuting = Vec::new();
        for m in replies {
            let child = self.play(position, m)?;
            if !self.mates(&child, n)? {
                if refuting.len() == max {
                    return Ok(None);
                }
                refuting.push(m);
            }
        }
        Ok(Some(refuting))
    }

    /// OR node: returns all moves that mate within `n` moves.
    pub fn mating_moves(&mut self, position: &Position, n: u16) -> Result<Vec<Move>, Interrupted> {
        let mut mating = Vec::new();
        let mut moves = MoveList::new();
        if n == 1 {
            let mut men = ManList::new();
            let attack = position.attack(&mut men);
            attack.checks(&mut moves);
            return Ok(moves.into_iter().filter(|&m| attack.mates(m)).collect());
        }
        position.generate(Moves::All, &mut moves);
        for m in moves {
            let child = self.play(position, m)?;
            if self.mated(&child, n - 1)? {
                mating.push(m);
            }
        }
        Ok(mating)
    }

    /// OR node without a mate in fewer than `n` moves: returns a move that mates in `n`.
    fn mates_in(&mut self, position: &Position, n: u16, fact: Fact) -> Result<Option<MoveCode>, Interrupted> {
        match n {
            1 => Ok(position.mate_in_one().map(Move::code)),
            2 => self.mates_in_two(position),
            _ => self.mates_by_few_replies(position, n, fact),
        }
    }

    /// Looks for a mate in two. Checks come first, because they leave few replies. Sorting would not pay: each child is
    /// decided at once.
    fn mates_in_two(&mut self, position: &Position) -> Result<Option<MoveCode>, Interrupted> {
        for which in [Moves::Checks, Moves::Quiet] {
            let mut moves = MoveList::new();
            position.generate(which, &mut moves);
            for m in moves {
                let child = self.play(position, m)?;
                if self.mated_in_one(&child, Some(m.code()))? {
                    return Ok(Some(m.code()));
                }
            }
        }
        Ok(None)
    }

    /// Looks for a mate in `n` moves. The stored move comes first, then checks and then quiet moves, each by the number
    /// of replies that they leave.
    fn mates_by_few_replies(
        &mut self,
        position: &Position,
        n: u16,
        fact: Fact,
    ) -> Result<Option<MoveCode>, Interrupted> {
        let mut children = Vec::with_capacity(48);
        for m in position.legal_moves() {
            let child = self.play(position, m)?;
            let replies = child.count_moves();
            let quiet = !child.is_check();
            // A move without replies is stalemate: a mate in one does not exist here.
            if replies > 0 {
                let rank = if Some(m.code()) == fact.best { 0 } else { 1 + replies + 64 * usize::from(quiet) };
                children.push((rank, m, child));
            }
        }
        children.sort_unstable_by_key(|&(rank, m, _)| (rank, m));
        for (_, m, child) in children {
            if self.mated_within(&child, n - 1, Some(m.code()))? {
                return Ok(Some(m.code()));
            }
        }
        Ok(None)
    }

    /// AND node: returns whether the side to move is checkmated or all its replies allow a mate in one. `last` is the
    /// attacker's move that led here.
    fn mated_in_one(&mut self, position: &Position, last: Option<MoveCode>) -> Result<bool, Interrupted> {
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        self.refutations.order(&mut replies, 1, last);
        for m in replies {
            let child = self.play(position, m)?;
            if child.mate_in_one().is_none() {
                self.refutations.remember(1, last, m.code());
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// AND node: returns whether the side to move is mated within `n` moves, at least one.
    fn mated_within(&mut self, position: &Position, n: u16, last: Option<MoveCode>) -> Result<bool, Interrupted> {
        if n == 1 {
            return self.mated_in_one(position, last);
        }
        let fact = self.facts.get(position.key());
        let length = MateLength(n);
        if fact.bounds.proves(length) || fact.bounds.refutes(length) {
            return Ok(fact.bounds.proves(length));
        }
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        self.refutations.order(&mut replies, n, last);
        if let Some(refuter) = self.refuter(position, &replies, n)? {
            self.refutations.remember(n, last, refuter.code());
            self.facts.refute(position.key(), length);
            return Ok(false);
        }
        self.facts.prove(position.key(), length, None);
        Ok(true)
    }

    /// Returns a reply after which there is no mate within `n` moves. The likeliest reply is searched to `n` at once.
    /// The others are searched to `n − 1` first, which is cheap, and only those that are not mated there are searched
    /// to `n`.
    fn refuter(&mut self, position: &Position, replies: &MoveList, n: u16) -> Result<Option<Move>, Interrupted> {
        let mut holding = Vec::with_capacity(replies.len());
        for (i, &m) in replies.iter().enumerate() {
            let child = self.play(position, m)?;
            if i == 0 {
                if !self.mates(&child, n)? {
                    return Ok(Some(m));
                }
            } else if !self.mates(&child, n - 1)? {
                holding.push((m, child));
            }
        }
        for (m, child) in holding {
            if !self.mates(&child, n)? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }
}
