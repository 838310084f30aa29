//! How many moves the attacker has left at a node.
//!
//! Without a horizon a node is a position, whatever led to it. With a horizon of n moves the same position is a
//! different question at every distance from the root ("is there a mate within 3?" and "within 2?"), so a node is then
//! a pair (position, moves left). The number left falls with every move of the attacker, hence such a graph has no
//! cycles and its disproofs lean on no repetition: they are exact.
//!
//! The horizon of n moves is the paper's (section 6.1) horizon of `2n − 1` plies; below a mate in L it is `2L − 3`.

use crate::chess::MateLength;

/// The attacker's moves left, or no horizon at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Horizon(u16);

impl Horizon {
    /// No horizon.
    pub const NONE: Horizon = Horizon(u16::MAX);

    /// Mates within so many moves count.
    pub fn within(length: MateLength) -> Horizon {
        Horizon(length.0.min(u16::MAX - 1))
    }

    /// The moves left; `None` without a horizon.
    #[inline]
    pub fn moves(self) -> Option<u16> {
        (self != Horizon::NONE).then_some(self.0)
    }

    /// Whether a mate within `n` moves counts.
    #[inline]
    pub fn admits(self, n: u16) -> bool {
        n <= self.0
    }

    /// What is left once the attacker has moved.
    #[inline]
    #[must_use]
    pub fn after_attack(self) -> Horizon {
        if self == Horizon::NONE { self } else { Horizon(self.0.saturating_sub(1)) }
    }

    /// What a position's key is combined with to give the node's key; 0 without a horizon.
    #[inline]
    pub fn salt(self) -> u64 {
        if self == Horizon::NONE {
            return 0;
        }
        // CITE: Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators": the finalizer.
        let mut z = (u64::from(self.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Sixteen bits to keep in a node.
    #[inline]
    pub fn to_bits(self) -> u16 {
        self.0
    }

    /// The horizon from what a node keeps.
    #[inline]
    pub fn from_bits(bits: u16) -> Horizon {
        Horizon(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_horizon_has_a_key_of_its_own() {
        let mut salts: Vec<u64> = (0..=MateLength::MAX.0).map(|n| Horizon::within(MateLength(n)).salt()).collect();
        salts.push(Horizon::NONE.salt());
        salts.sort_unstable();
        salts.dedup();
        assert_eq!(salts.len(), usize::from(MateLength::MAX.0) + 2);
    }

    #[test]
    fn it_shrinks_with_the_attackers_moves_only_where_there_is_one() {
        assert_eq!(Horizon::NONE.after_attack(), Horizon::NONE);
        assert_eq!(Horizon::within(MateLength(3)).after_attack().moves(), Some(2));
    }
}
