//! The exact search for a mate in two.
//!
//! A mate in one is found by [`Position::mate_in_one`], and there is none where a mate in two is looked for. A first
//! move is refuted by the first reply after which there is no mate in one. The search is full-width, so its failures
//! are refutations.
//!
//! The first moves and the replies that it plays are counted. `pvs` and `selective` depend on this code;
//! `tests/suite/pvs.rs` compares `pvs` with the reference.

use crate::chess::{Move, MoveCode, MoveList, Moves, Position};

use super::learned::Killers;
use super::{Interrupted, Meter};

/// The exact search for a mate in two, with the replies that refuted last.
#[derive(Debug, Default)]
pub(crate) struct MateInTwo {
    /// The replies that refuted last. They often refute the next move too.
    refuters: Killers,
    /// A buffer for the checks in one position: the number of replies, the move, and the position after it.
    checks: Vec<(usize, Move, Position)>,
}

impl MateInTwo {
    /// Returns a move after which every reply allows a mate in one, trying the quiet move `hint` first. There must be
    /// no mate in one.
    pub fn find(
        &mut self,
        position: &Position,
        hint: Option<MoveCode>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Move>, Interrupted> {
        let mut quiet = MoveList::new();
        position.generate(Moves::Quiet, &mut quiet);
        if let Some(at) = quiet.iter().position(|m| Some(m.code()) == hint) {
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
        for &m in &quiet {
            meter.node()?;
            if self.mates_after_every_reply(&position.play(m), meter)? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// Returns a check after which every reply allows a mate in one. Tries the checks with the fewest replies first:
    /// they are the most likely to mate and the cheapest to refute.
    fn mating_check(
        &mut self,
        position: &Position,
        checks: &mut Vec<(usize, Move, Position)>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Move>, Interrupted> {
        let mut moves = MoveList::new();
        position.generate(Moves::Checks, &mut moves);
        checks.clear();
        for &m in &moves {
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

    /// Returns whether the defender has a move and all his moves allow a mate in one.
    fn mates_after_every_reply(&mut self, position: &Position, meter: &mut Meter<'_>) -> Result<bool, Interrupted> {
        let mut replies = position.legal_moves();
        Ok(self.refutation(position, &mut replies, meter)?.is_none() && !replies.is_empty())
    }

    /// Returns a reply after which there is no mate in one. The replies that refuted last are moved to the front of
    /// `replies` and tried first, then the others in their order.
    pub fn refutation(
        &mut self,
        position: &Position,
        replies: &mut MoveList,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Move>, Interrupted> {
        self.refuters.to_front(replies);
        for &reply in &*replies {
            meter.node()?;
            if position.play(reply).mate_in_one().is_none() {
                self.refuters.record(reply.code());
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }
}
