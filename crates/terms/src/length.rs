//! Mate lengths in moves, and their conversion to plies.
//!
//! "Mate in n" counts the attacker's moves. With the attacker to move, a mate in n takes `2n − 1` plies; with the
//! defender to move ("mated in n") it takes `2n`. In selfmates and the like it is one more
//! ([`Goal::plies`](crate::Goal::plies)).

use std::fmt;

use crate::NodeKind;

/// A mate length in **moves of the attacker**.
///
/// 0 means that the attacker makes no further move: the goal stands on the board or, where it happens to the attacker
/// himself, every move of the defender reaches it. It is a length like any other, and never stands for "nothing is
/// known": what may be unknown is an `Option`, and so there is no default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MateLength(pub u16);

impl MateLength {
    /// The longest mate that the program handles, in moves.
    pub const MAX: MateLength = MateLength(1000);

    /// Returns the number of plies from a node of the given kind to the checkmate.
    #[inline]
    pub fn plies(self, kind: NodeKind) -> usize {
        match kind {
            NodeKind::Or => (2 * usize::from(self.0)).saturating_sub(1),
            NodeKind::And => 2 * usize::from(self.0),
        }
    }

    /// Returns the length that is one move longer.
    #[inline]
    #[must_use]
    pub fn longer(self) -> MateLength {
        MateLength(self.0.saturating_add(1))
    }

    /// Returns the length that is one move shorter, or `None` for 0.
    #[inline]
    pub fn shorter(self) -> Option<MateLength> {
        self.0.checked_sub(1).map(MateLength)
    }
}

impl fmt::Display for MateLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_count_from_the_side_to_move() {
        assert_eq!(MateLength(5).plies(NodeKind::Or), 9);
        assert_eq!(MateLength(5).plies(NodeKind::And), 10);
        assert_eq!(MateLength(0).plies(NodeKind::And), 0);
        assert_eq!(MateLength(0).shorter(), None);
    }
}
