//! Full width within n: exact answers, and nothing else.
//!
//! A composer's report asks of *every* move at every node of a solution "does this mate in k?", and both answers are
//! printed: a continuation, or its absence. So this searcher takes no shortcut that could be wrong in either direction.
//! It is the definition of "mate within n" ([`super::exhaustive`] is the same without the rest) plus
//!
//! - the end by bitboards: mates in one are read off the position (`crate::chess::Attack`), no position made;
//! - a table keyed on the position with two monotone bounds, "none within" and "mate within": a fact about (position,
//!   moves left) does not depend on how the position arose, so there is no history to go wrong;
//! - order: the attacker tries what leaves the fewest replies, the defender what refuted last. Order decides how long
//!   an answer takes, never which it is.
//!
//! Lengths are tried upward at every attacker's node. A mate found is a shortest one, and each length costs some forty
//! times the one before it, so the shorter ones are nearly free and leave the table filled for the longer.
//!
//! The cost of getting it wrong: a false "no" hides a cook, a false "yes" invents a dual. Neither is a mate that the
//! checker would catch. Hence `tests/fullwidth.rs`, which asks about every move of generated positions and compares
//! with the reference.
//!
//! | file | idea |
//! |---|---|
//! | `refutations` | which defence to try first |
//! | `exclusive` | castling rights of which one denies the other |
//! | `prove` | a proof tree for the checker |

mod exclusive;
mod prove;
mod refutations;

use crate::chess::{ManList, MateLength, Move, MoveCode, MoveList, Moves, Position};
use crate::proof::{Fact, Facts};

use super::{Interrupted, Meter};

pub use exclusive::Exclusive;
use refutations::Refutations;

/// Answers "does the attacker mate within n moves?" for any position, either side to move. The attacker is the side to
/// move in [`FullWidth::mates`] and the other in [`FullWidth::mated`]; one searcher serves one attacker.
#[derive(Debug)]
pub struct FullWidth<'a, 'c> {
    facts: &'a Facts,
    meter: &'a mut Meter<'c>,
    exclusive: Exclusive,
    refutations: Refutations,
    proof_limit: usize,
}

impl<'a, 'c> FullWidth<'a, 'c> {
    /// A searcher that keeps its facts in this table. The table may hold facts from before, if they were found with the
    /// same attacker and the same exclusive rights.
    pub fn new(facts: &'a Facts, meter: &'a mut Meter<'c>, exclusive: Exclusive) -> FullWidth<'a, 'c> {
        FullWidth { facts, meter, exclusive, refutations: Refutations::default(), proof_limit: usize::MAX }
    }

    /// The castling rights that exclude each other.
    pub fn exclusive(&self) -> &Exclusive {
        &self.exclusive
    }

    /// Proofs may have so many nodes; the search for a larger one ends with [`super::StopReason::Memory`].
    pub fn set_proof_limit(&mut self, nodes: usize) {
        self.proof_limit = nodes;
    }

    /// Makes a position, and counts it.
    #[inline]
    pub fn play(&mut self, position: &Position, m: Move) -> Result<Position, Interrupted> {
        self.meter.node()?;
        Ok(self.exclusive.play(position, m))
    }

    /// The position after a legal move that is already known; not counted.
    pub fn after(&self, position: &Position, m: Move) -> Position {
        self.exclusive.play(position, m)
    }

    /// The nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.meter.count()
    }

    /// OR node: whether the side to move mates within `n` moves.
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
                self.facts.prove(position.key(), MateLength(k), best);
                return Ok(true);
            }
            self.facts.refute(position.key(), MateLength(k));
        }
        Ok(false)
    }

    /// The shortest mate of the side to move within `max` moves, in moves.
    pub fn shortest(&mut self, position: &Position, max: u16) -> Result<Option<u16>, Interrupted> {
        for k in 1..=max {
            if self.mates(position, k)? {
                return Ok(Some(k));
            }
        }
        Ok(None)
    }

    /// AND node: whether the side to move is mated within `n` moves of the other; within 0 is checkmate.
    pub fn mated(&mut self, position: &Position, n: u16) -> Result<bool, Interrupted> {
        match n {
            0 => Ok(position.is_checkmate()),
            1 => self.mated_in_one(position, MoveCode::NONE),
            _ => self.mated_within(position, n, MoveCode::NONE),
        }
    }

    /// AND node: the replies after which there is no mate within `n`; `None` when there are more than `max`.
    pub fn refutations(&mut self, position: &Position, n: u16, max: usize) -> Result<Option<Vec<Move>>, Interrupted> {
        let mut replies = position.legal_moves();
        self.refutations.order(&mut replies, n, MoveCode::NONE);
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

    /// OR node: every move that mates within `n`.
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

    /// OR node without a mate in fewer than `n` moves: a move that mates in `n`.
    fn mates_in(&mut self, position: &Position, n: u16, fact: Fact) -> Result<Option<MoveCode>, Interrupted> {
        match n {
            1 => Ok(position.mate_in_one().map(Move::code)),
            2 => self.mates_in_two(position),
            _ => self.mates_by_few_replies(position, n, fact),
        }
    }

    /// Checks first, for they leave few replies; nothing is sorted, for every child is answered at once.
    fn mates_in_two(&mut self, position: &Position) -> Result<Option<MoveCode>, Interrupted> {
        for which in [Moves::Checks, Moves::Quiet] {
            let mut moves = MoveList::new();
            position.generate(which, &mut moves);
            for m in moves {
                let child = self.play(position, m)?;
                if self.mated_in_one(&child, m.code())? {
                    return Ok(Some(m.code()));
                }
            }
        }
        Ok(None)
    }

    /// Children in the order of how many replies they leave, a check counting as none.
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
            // Stalemate does not mate, and neither does a mate in one: there is none.
            if replies > 0 {
                let rank = if m.code() == fact.best { 0 } else { 1 + replies + 64 * usize::from(quiet) };
                children.push((rank, m, child));
            }
        }
        children.sort_unstable_by_key(|&(rank, m, _)| (rank, m));
        for (_, m, child) in children {
            if self.mated_within(&child, n - 1, m.code())? {
                return Ok(Some(m.code()));
            }
        }
        Ok(None)
    }

    /// AND node, one move left: every reply allows a mate in one. `last` is the attacker's move that led here.
    fn mated_in_one(&mut self, position: &Position, last: MoveCode) -> Result<bool, Interrupted> {
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

    /// AND node, several moves left.
    fn mated_within(&mut self, position: &Position, n: u16, last: MoveCode) -> Result<bool, Interrupted> {
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
        self.facts.prove(position.key(), length, MoveCode::NONE);
        Ok(true)
    }

    /// A reply after which there is no mate within `n`. The likeliest is asked in full; of the others first those drop
    /// out that lose faster, which costs little, for a reply that holds out for `n − 1` moves more often holds for `n`.
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
