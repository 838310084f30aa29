//! The last two moves, exactly.
//!
//! Most nodes of a mate search lie within two moves of the bound. There is nothing to weigh there: whether the last move
//! mates the kernel says without making a position ([`Position::mate_in_one`]), and the last but one is refuted by the
//! first reply after which nothing mates. Both are full-width whatever the depth, so their failures are refutations, and
//! a null move would cost more than it saves.
//!
//! Every position that is made is counted. A wrong answer here would be wrong everywhere, so `tests/pvs.rs` compares it
//! with the oracle.

use crate::chess::{Move, MoveCode, MoveList, Moves, Position};

use super::super::{Interrupted, Meter};

/// The exact search of the last move but one, with the replies that refuted last: in the next position they often do so again.
#[derive(Debug, Default)]
pub struct Exact {
    refuters: [MoveCode; 2],
    /// Room for the checks of one position: replies, move, and the position after it.
    checks: Vec<(usize, Move, Position)>,
}

impl Exact {
    /// A move after which every reply allows a mate in one. There must be no mate in one now.
    pub fn mate_in_two(
        &mut self,
        position: &Position,
        hint: MoveCode,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Move>, Interrupted> {
        let mut quiet = MoveList::new();
        position.generate(Moves::Quiet, &mut quiet);
        if let Some(at) = quiet.iter().position(|m| m.code() == hint) {
            let m = quiet.remove(at);
            meter.node()?;
            if self.mates_after_every_reply(&position.play(m), meter)? {
                return Ok(Some(m));
            }
        }
        let mut checks = std::mem::take(&mut self.checks);
        let mating = self.mating_check(position, &mut checks, meter);
        self.checks = checks;
        if let Some(m) = mating? {
            return Ok(Some(m));
        }
        for m in quiet {
            meter.node()?;
            if self.mates_after_every_reply(&position.play(m), meter)? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// The same among the checks. One with few replies is both likely to work and cheap to refute.
    fn mating_check(
        &mut self,
        position: &Position,
        checks: &mut Vec<(usize, Move, Position)>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Move>, Interrupted> {
        let mut moves = MoveList::new();
        position.generate(Moves::Checks, &mut moves);
        checks.clear();
        for m in moves {
            meter.node()?;
            let child = position.play(m);
            checks.push((child.count_moves(), m, child));
        }
        checks.sort_by_key(|&(replies, ..)| replies);
        for (_, m, child) in checks {
            if self.mates_after_every_reply(child, meter)? {
                return Ok(Some(*m));
            }
        }
        Ok(None)
    }

    /// Whether the defender has a move and whichever he makes allows a mate in one.
    fn mates_after_every_reply(&mut self, position: &Position, meter: &mut Meter<'_>) -> Result<bool, Interrupted> {
        let mut replies = position.legal_moves();
        for refuter in self.refuters.iter().rev() {
            if let Some(at) = replies.iter().position(|m| m.code() == *refuter) {
                replies[..=at].rotate_right(1);
            }
        }
        for &reply in &replies {
            meter.node()?;
            if position.play(reply).mate_in_one().is_none() {
                self.remember(reply.code());
                return Ok(false);
            }
        }
        Ok(!replies.is_empty())
    }

    fn remember(&mut self, refuter: MoveCode) {
        if self.refuters[0] != refuter {
            self.refuters = [refuter, self.refuters[0]];
        }
    }
}
