//! What is asked of a node, and in which hope.
//!
//! To find a mate and to refute one are different errands. Who looks for a mate does well to compare many attempts that
//! look alike, and to begin with small numbers: every reply could be the last that holds. A refutation needs one reply to
//! every attempt, and one that is half finished is worth nothing. If a fresh leaf counts 1 whatever is below it, then a
//! node seems to become worse with everything that is searched, its siblings seem better, and all replies are taken as far
//! as each other before one refutes. So where a refutation is expected, leaves are given what their refutation is
//! likely to **cost** ([`Question::cost`]): the estimate falls while the work is done, and the search stays with what it has begun.
//!
//! The numbers of one aim mean nothing to the other; what they prove and refute holds for both.

use crate::chess::MateLength;
use crate::search::horizon::Horizon;

/// What a search is expected to end with. It does whatever comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Aim {
    /// A mate.
    #[default]
    Mate,
    /// The proof that there is none.
    Refutation,
}

/// A horizon and an aim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Question {
    pub horizon: Horizon,
    pub aim: Aim,
}

/// How many times more a refutation costs with one move more to go. Half a dozen to a dozen are alike; half of it, or twice,
/// costs a fifth more.
const GROWTH: u32 = 8;

/// Costs are not told apart beyond so many moves, so that sums of them stay finite.
const FARTHEST: u16 = 8;

impl Question {
    /// Is there a mate within the horizon?
    pub fn mate(horizon: Horizon) -> Question {
        Question { horizon, aim: Aim::Mate }
    }

    /// Is there none within the horizon? Without a horizon only mates can be looked for.
    pub fn new(horizon: Horizon, aim: Aim) -> Question {
        if horizon == Horizon::NONE { Question::mate(horizon) } else { Question { horizon, aim } }
    }

    /// The attacker's moves left; `None` without a horizon.
    #[inline]
    pub fn moves(self) -> Option<u16> {
        self.horizon.moves()
    }

    /// Whether a mate within `n` moves counts.
    #[inline]
    pub fn admits(self, n: u16) -> bool {
        self.horizon.admits(n)
    }

    /// The longest mate that would count.
    #[inline]
    pub fn longest(self) -> u16 {
        self.horizon.moves().unwrap_or(MateLength::MAX.0)
    }

    /// What is asked once the attacker has moved.
    #[inline]
    #[must_use]
    pub fn after_attack(self) -> Question {
        Question { horizon: self.horizon.after_attack(), aim: self.aim }
    }

    /// What the refutation of one attacking move is expected to cost, with so much left after it.
    #[inline]
    pub fn cost(self) -> u32 {
        match (self.aim, self.horizon.moves()) {
            (Aim::Refutation, Some(n)) => GROWTH.pow(u32::from(n.min(FARTHEST)).saturating_sub(1)),
            _ => 1,
        }
    }

    /// Sixteen bits to keep in an entry. Lengths leave the highest bit free.
    #[inline]
    pub fn to_bits(self) -> u16 {
        self.horizon.to_bits() ^ (u16::from(self.aim == Aim::Refutation) << 15)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(n: u16, aim: Aim) -> Question {
        Question::new(Horizon::within(MateLength(n)), aim)
    }

    #[test]
    fn every_question_has_bits_of_its_own() {
        let mut bits: Vec<u16> = (0..=MateLength::MAX.0)
            .flat_map(|n| [Aim::Mate, Aim::Refutation].map(|aim| within(n, aim).to_bits()))
            .collect();
        bits.push(Question::new(Horizon::NONE, Aim::Refutation).to_bits());
        bits.sort_unstable();
        bits.dedup();
        assert_eq!(bits.len(), 2 * (usize::from(MateLength::MAX.0) + 1) + 1);
    }

    #[test]
    fn a_refutation_costs_more_the_more_moves_are_left() {
        let costs = [1, 2, 3, FARTHEST, FARTHEST + 1].map(|n| within(n, Aim::Refutation).cost());
        assert_eq!(costs, [1, 8, 64, 8u32.pow(7), 8u32.pow(7)]);
        assert_eq!(within(5, Aim::Mate).cost(), 1);
    }
}
