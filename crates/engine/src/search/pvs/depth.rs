//! The search depth of `pvs`.
//!
//! The **depth** is the number of plies that the search looks ahead. Extensions increase it and reductions decrease it.
//! If the depth does not cover the bound, lines may be cut off, and a failure that depends on one proves nothing.

use crate::chess::{MateLength, NodeKind};

/// The depth of a search from a node downwards, in quarters of a ply, because a nearly forced reply costs less than a
/// whole ply. With a depth of zero or less nothing is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

/// The number of units in a ply.
const PARTS: i32 = 4;

impl Depth {
    /// Returns a depth given in plies.
    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * PARTS)
    }

    /// Returns a depth given in quarters of a ply.
    pub(super) const fn quarters(quarters: i32) -> Depth {
        Depth(quarters)
    }

    /// Converts the depth to quarters of a ply.
    pub(super) const fn in_quarters(self) -> i32 {
        self.0
    }

    /// Converts the depth to whole plies, rounded down.
    pub(super) const fn in_plies(self) -> i32 {
        self.0.div_euclid(PARTS)
    }

    /// Returns the smallest depth that is enough for every mate within `n` moves.
    pub(super) fn full(kind: NodeKind, n: MateLength) -> Depth {
        Depth::plies(i32::try_from(n.plies(kind)).unwrap_or(i32::MAX / PARTS))
    }

    /// Returns the depth of an iteration that looks for a mate within `n` moves: one ply more than necessary. The
    /// papers do the same (8 plies for mates in 4, 10 plies for mates in 5). A null move with R = 1 uses up the spare
    /// ply.
    pub(super) fn iteration(kind: NodeKind, n: MateLength) -> Depth {
        Depth::full(kind, n).plus(1)
    }

    /// Returns whether the depth is enough for every mate within `n` moves.
    pub(super) fn covers(self, kind: NodeKind, n: MateLength) -> bool {
        self >= Depth::full(kind, n)
    }

    /// Returns the depth increased by `plies` plies.
    #[must_use]
    pub(super) fn plus(self, plies: i32) -> Depth {
        Depth(self.0 + plies * PARTS)
    }

    /// Returns the depth decreased by `plies` plies.
    #[must_use]
    pub(super) fn minus(self, plies: i32) -> Depth {
        self.plus(-plies)
    }

    /// Returns the depth increased by `quarters` quarters of a ply.
    #[must_use]
    pub(super) fn plus_quarters(self, quarters: i32) -> Depth {
        Depth(self.0 + quarters)
    }

    /// Returns the number of moves that the attacker can make before the depth is used up, if it is his turn.
    pub(super) fn moves(self) -> u16 {
        u16::try_from((self.in_plies() + 1).div_euclid(2)).unwrap_or(0).min(MateLength::MAX.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_depth_of_an_iteration_covers_its_bound() {
        let depth = Depth::iteration(NodeKind::Or, MateLength(4));
        assert_eq!(depth, Depth::plies(8));
        assert!(depth.covers(NodeKind::Or, MateLength(4)) && !depth.covers(NodeKind::Or, MateLength(5)));
        assert_eq!([-3, 0, 1, 2, 3].map(|plies| Depth::plies(plies).moves()), [0, 0, 1, 1, 2]);
        assert_eq!(Depth::quarters(3).moves(), 0, "less than a ply is not enough for a move");
    }
}
