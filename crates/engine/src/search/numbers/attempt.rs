//! An attempt of a proof-number search: horizon and aim.
//!
//! Finding a mate and refuting one need different numbers. A search for a mate compares many similar moves and starts
//! with small numbers. A refutation needs one reply to every attacking move, and a half-finished refutation is worth
//! nothing. If every new leaf counted 1, a node would look worse the more is searched below it. Then the search would
//! change to its siblings, and search all replies equally far before one of them refutes. So a refutation search gives
//! a leaf the expected **cost** of refuting it: the estimate falls while the work is done, and the search stays with
//! the reply that it has begun.
//!
//! ```text
//! cost = 4^(n − 1) for n moves left, n at most 4:   1, 4, 16, 64, 64, …
//! ```
//!
//! Searches with these costs find fewer mates, so there are two aims. The third is a mate by moves that lose no
//! material, or least (`technique`). A search of one aim does not use the numbers of another, but the proofs and exact
//! refutations of each hold for all.
//!
//! Rejected: other growths, limits and leaf costs (`benches/tuning/refutation_costs.md`).

use std::num::NonZeroU32;

use crate::chess::MateLength;
use crate::search::horizon::Horizon;

/// The result that a search expects, which decides its numbers. It may end with the other result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// A mate. Lines that return to a position of the path are given up, so the search may end without an answer.
    Mate,
    /// The proof that no mate exists within the horizon.
    Refutation,
    /// A mate by moves that lose no material (`technique`). That they do not mate says nothing about the others, so a
    /// disproof is tainted.
    Technique,
}

/// An attempt at a position: to find, or to refute, a mate within the horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    pub(crate) horizon: Horizon,
    pub(crate) aim: Aim,
}

/// The factor by which the expected cost of a refutation grows with each move left. With 2 long refutations take 3 %
/// fewer nodes and short ones 4 % more; with 8 it is 13 % more and 6 % fewer (`benches/tuning/refutation_costs.md`).
const COST_GROWTH: u32 = 4;

/// The number of moves left from which the cost stays the same. With many moves left the choice of the reply matters
/// most, and costs that kept growing would hold the search at the first reply that does well. With 3 refutations take 4
/// % more nodes, with 5 12 % more (`benches/tuning/refutation_costs.md`).
const MAX_COST_MOVES: MateLength = MateLength(4);

/// The bits of the aims in a stored attempt. One of them is always set, so a stored attempt is never 0.
const MATE_BIT: NonZeroU32 = NonZeroU32::new(1 << 16).unwrap();
const REFUTATION_BIT: NonZeroU32 = NonZeroU32::new(2 << 16).unwrap();
const TECHNIQUE_BIT: NonZeroU32 = NonZeroU32::new(4 << 16).unwrap();

impl Attempt {
    /// Looks for a mate of any length by moves that lose no material.
    pub const TECHNIQUE: Attempt = Attempt { horizon: Horizon::NONE, aim: Aim::Technique };

    /// Looks for a mate within the horizon. The search may end without an answer.
    pub const fn mate(horizon: Horizon) -> Attempt {
        Attempt { horizon, aim: Aim::Mate }
    }

    /// Refutes all mates within the horizon, or finds one. Without a horizon this is the same as [`Attempt::mate`].
    pub fn refutation(horizon: Horizon) -> Attempt {
        let aim = if horizon == Horizon::NONE { Aim::Mate } else { Aim::Refutation };
        Attempt { horizon, aim }
    }

    /// Returns whether the attempt expects a refutation.
    pub(crate) fn is_refutation(self) -> bool {
        self.aim == Aim::Refutation
    }

    /// Returns the attacker's moves left; `None` without a horizon.
    #[inline]
    pub fn moves(self) -> Option<MateLength> {
        self.horizon.moves()
    }

    /// Returns whether a mate in `n` moves is within the horizon.
    #[inline]
    pub(crate) fn admits(self, n: MateLength) -> bool {
        self.horizon.admits(n)
    }

    /// Returns the length of the longest mate that the attempt admits.
    #[inline]
    pub(crate) fn longest(self) -> MateLength {
        self.horizon.moves().unwrap_or(MateLength::MAX)
    }

    /// Returns the attempt for the position after an attacking move.
    #[inline]
    #[must_use]
    pub(crate) fn after_attack(self) -> Attempt {
        Attempt { horizon: self.horizon.after_attack(), ..self }
    }

    /// Returns the expected cost of refuting one attacking move, for the attempt after that move.
    #[inline]
    pub(crate) fn cost(self) -> u32 {
        match (self.aim, self.horizon.moves()) {
            (Aim::Refutation, Some(n)) => COST_GROWTH.pow(u32::from(n.min(MAX_COST_MOVES).0).saturating_sub(1)),
            _ => 1,
        }
    }

    /// Returns the attempt as a number, to store in a table entry.
    #[inline]
    pub(crate) fn to_bits(self) -> NonZeroU32 {
        let aim = match self.aim {
            Aim::Mate => MATE_BIT,
            Aim::Refutation => REFUTATION_BIT,
            Aim::Technique => TECHNIQUE_BIT,
        };
        aim | u32::from(self.horizon.to_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(n: u16) -> Horizon {
        Horizon::within(MateLength(n))
    }

    #[test]
    fn different_questions_have_different_bits() {
        let mut bits: Vec<NonZeroU32> = (0..=MateLength::MAX.0)
            .flat_map(|n| [Attempt::mate(within(n)), Attempt::refutation(within(n))])
            .chain([Attempt::refutation(Horizon::NONE), Attempt::TECHNIQUE])
            .map(Attempt::to_bits)
            .collect();
        let count = bits.len();
        bits.sort_unstable();
        bits.dedup();
        assert_eq!(bits.len(), count);
    }

    #[test]
    fn a_refutation_costs_more_with_more_moves_left() {
        let costs = [1, 2, 3, MAX_COST_MOVES.0, MAX_COST_MOVES.0 + 1].map(|n| Attempt::refutation(within(n)).cost());
        assert_eq!(costs, [1, 4, 16, 64, 64]);
        assert_eq!(Attempt::mate(within(5)).cost(), 1);
    }
}
