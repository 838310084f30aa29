//! Decides exactly whether a goal other than a direct mate is forced by the attacker's last move.
//!
//! Many nodes of such a search lie there, where proof numbers do not help: the moves are tried depth first. The moves
//! that decided last are tried first in the next position.
//!
//! `n` counts the attacker's moves left. With none left, the defender of a selfmate must mate now.

use crate::chess::{Duty, Goal, MateLength, MoveList, Moves, NodeKind, Position, rules};
use crate::search::Interrupted;

use super::state::DfpnSearch;

/// The most moves left for which positions are decided depth first. With 2, refuting a move takes more nodes
/// (`benches/tuning/selfmates.md`).
pub(super) const LAST_MOVES: u16 = 1;

impl DfpnSearch<'_, '_> {
    /// Decides whether the attacker reaches the goal from a position where he is to move, within `n` moves, at most
    /// [`LAST_MOVES`].
    pub(super) fn attacks_in_time(&mut self, position: &Position, n: u16) -> Result<bool, Interrupted> {
        if n == 0 {
            return Ok(rules::over(self.goal, position, NodeKind::Or) == Some(true));
        }
        if rules::must_end(self.goal, position, NodeKind::Or) {
            return Ok(false);
        }
        let mut list = MoveList::new();
        self.list_last_attacks(position, &mut list);
        if list.is_empty() {
            return Ok(rules::over(self.goal, position, NodeKind::Or) == Some(true));
        }
        self.last_attacks.to_front(&mut list);
        let start = self.meter.count();
        for &m in &list {
            self.meter.node()?;
            if self.reached_by_every_reply(&position.play(m))? {
                self.last_attacks.record(m.code());
                self.table.prove(position.key(), MateLength(1), Some(m.code()), self.meter.count() - start);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Decides whether every reply in a position with the defender to move is answered within `n` moves, at most
    /// [`LAST_MOVES`].
    pub(super) fn defended_in_time(&mut self, position: &Position, n: u16) -> Result<bool, Interrupted> {
        if n == 0 {
            return self.reached_by_every_reply(position);
        }
        let key = position.key();
        let bounds = self.table.bounds(key);
        if bounds.proves(MateLength(n)) || bounds.refutes(MateLength(n)) {
            return Ok(bounds.proves(MateLength(n)));
        }
        let mut replies = rules::replies(self.goal, position);
        if replies.is_empty() {
            return Ok(rules::over(self.goal, position, NodeKind::And) == Some(true));
        }
        self.last_replies.to_front(&mut replies);
        let start = self.meter.count();
        for &m in &replies {
            self.meter.node()?;
            if !self.attacks_in_time(&position.play(m), n)? {
                self.last_replies.record(m.code());
                self.table.refute(key, MateLength(n), self.meter.count() - start);
                return Ok(false);
            }
        }
        self.table.prove(key, MateLength(n), None, self.meter.count() - start);
        Ok(true)
    }

    /// Lists the attacker's last moves, without those that the kernel knows to fail.
    #[inline]
    fn list_last_attacks(&self, position: &Position, list: &mut MoveList) {
        match self.goal {
            Goal::SELFMATE => position.last_attacks(false, list),
            Goal::STALEMATE => position.last_attacks(true, list),
            Goal::EXACT => position.generate(Moves::Checks, list),
            _ => position.generate(Moves::All, list),
        }
    }

    /// Decides whether the goal stands on the board, or every reply of the defender reaches it, with no move left to
    /// the attacker.
    fn reached_by_every_reply(&mut self, position: &Position) -> Result<bool, Interrupted> {
        match self.goal {
            Goal::SELFMATE => Ok(position.must_mate()),
            goal if goal.duty != Duty::None => Ok(rules::can_end(position, goal.end)),
            goal if !goal.is_self() => Ok(rules::over(goal, position, NodeKind::And) == Some(true)),
            goal => {
                let replies = position.legal_moves();
                for &m in &replies {
                    self.meter.node()?;
                    if rules::end(&position.play(m)) != Some(goal.end) {
                        return Ok(false);
                    }
                }
                Ok(!replies.is_empty())
            }
        }
    }
}
