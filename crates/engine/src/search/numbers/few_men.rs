//! What is known of positions with few men: distances from tables, and refutations from Syzygy files.
//!
//! `dfpn` and `pn` ask about positions with the attacker to move. Only searches for a direct mate have tables and
//! files.

use crate::chess::{MateLength, MoveCode, Position};
use crate::search::Control;
use crate::search::retro::{Distance, Leaves};
use crate::search::syzygy::SyzygyRefuter;

use super::attempt::Attempt;
use super::leaf::NodeValue;

/// Tables and Syzygy files, if there are any.
#[derive(Debug, Clone, Default)]
pub(crate) struct FewMen {
    pub leaves: Option<Leaves>,
    pub syzygy: Option<SyzygyRefuter>,
}

impl FewMen {
    /// Returns the distance of a position with the attacker to move; `None` if it is not known. May build tables.
    #[inline]
    pub fn distance(&mut self, position: &Position, control: &Control<'_>) -> Option<Distance> {
        let leaves = self.leaves.as_mut();
        if let Some(distance) = leaves.and_then(|leaves| leaves.distance(position, position.turn(), control)) {
            return Some(distance);
        }
        self.syzygy.as_ref()?.refutes(position, position.turn()).then_some(Distance::NoMate)
    }

    /// Returns what the distance of a position with the attacker to move says about an attempt.
    #[inline]
    pub fn value(&mut self, position: &Position, attempt: Attempt, control: &Control<'_>) -> Option<NodeValue> {
        Some(match self.distance(position, control)? {
            Distance::Mate(length) if attempt.admits(length) => NodeValue::proved(length),
            Distance::Mate(_) | Distance::NoMate => NodeValue::DISPROVED,
        })
    }

    /// Returns a move that leads to the shortest mate, and the length of that mate, if tables tell.
    pub fn best_move(&mut self, position: &Position) -> Option<(MoveCode, MateLength)> {
        self.leaves.as_mut()?.best_move(position, position.turn())
    }
}
