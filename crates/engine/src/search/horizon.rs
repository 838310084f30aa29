//! The horizon of a node: the number of moves that the attacker may still make.
//!
//! Without a horizon a node is a position. With a horizon of n moves a node is a pair (position, moves left), because
//! "is there a mate within 3?" and "is there a mate within 2?" are different questions. The number left falls with
//! every move of the attacker. So such a graph has no cycles, and a disproof in it need not depend on a repetition.
//!
//! With the attacker to move, a horizon of n moves is the paper's horizon of `2n − 1` plies (Breuker, Allis & van den
//! Herik 1994, section 6.1).

use crate::chess::{MateLength, NodeKind};

/// The number of moves left to the attacker, or no horizon. In a node it takes 16 bits: `u16::MAX` stands for no
/// horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Horizon(u16);

/// A task whose bound is at most this many moves is searched within that bound from the start. With 8, the race found
/// 229 mates of 304 within their lengths, not 232 (`benches/tuning/lanes.md`).
pub(crate) const NEAR_BOUND: MateLength = MateLength(12);

impl Horizon {
    /// No horizon.
    pub const NONE: Horizon = Horizon(u16::MAX);

    /// Returns the horizon that admits mates in at most `length` moves.
    pub fn within(length: MateLength) -> Horizon {
        Horizon(length.0.min(u16::MAX - 1))
    }

    /// Returns the moves left, or `None` without a horizon.
    #[inline]
    pub fn moves(self) -> Option<MateLength> {
        (self != Horizon::NONE).then_some(MateLength(self.0))
    }

    /// Returns whether a mate in `n` moves lies within the horizon.
    #[inline]
    pub(crate) fn admits(self, n: MateLength) -> bool {
        n.0 <= self.0
    }

    /// Returns the horizon after a move of the attacker.
    #[inline]
    #[must_use]
    pub(crate) fn after_attack(self) -> Horizon {
        if self == Horizon::NONE { self } else { Horizon(self.0.saturating_sub(1)) }
    }

    /// Returns the horizon of the children of a node of this kind.
    #[must_use]
    pub(crate) fn below(self, kind: NodeKind) -> Horizon {
        if kind == NodeKind::Or { self.after_attack() } else { self }
    }

    /// Returns the number that turns a position's key into the node's key, by XOR. It is 0 without a horizon.
    #[inline]
    pub(crate) fn salt(self) -> u64 {
        if self == Horizon::NONE {
            return 0;
        }
        // CITE: Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators": the finalizer.
        let mut z = (u64::from(self.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Packs the horizon into 16 bits.
    #[inline]
    pub(crate) fn to_bits(self) -> u16 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_horizons_have_different_salts() {
        let mut salts: Vec<u64> = (0..=MateLength::MAX.0).map(|n| Horizon::within(MateLength(n)).salt()).collect();
        salts.push(Horizon::NONE.salt());
        salts.sort_unstable();
        salts.dedup();
        assert_eq!(salts.len(), usize::from(MateLength::MAX.0) + 2);
    }

    #[test]
    fn a_move_of_the_attacker_takes_one_move_off_the_horizon() {
        assert_eq!(Horizon::NONE.after_attack(), Horizon::NONE);
        assert_eq!(Horizon::within(MateLength(3)).after_attack().moves(), Some(MateLength(2)));
    }
}
