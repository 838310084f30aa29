//! Restrictions: searching for a mate by some of the attacker's moves only.
//!
//! A search of fewer moves sees further, and a mate found by them is a mate. But if the allowed moves do not mate, this
//! says nothing about the others. So a move that the restriction excludes gets a tainted
//! disproof, like a repetition, which never becomes a fact. The moves that leave the king few flights are the ones that
//! solvers look at first in longer problems (the program `MateProver` has the same restriction).
//!
//! Rejected: restrictions by the number of replies or of checks (`benches/tuning/restriction.md`).

use crate::chess::{Attack, Move, Position};

/// A restriction of the attacker's moves in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restriction {
    /// All moves.
    #[default]
    None,
    /// Moves after which the enemy king has at most this many flights.
    Flights(u8),
}

impl Restriction {
    /// Returns whether a checking move is allowed.
    #[inline]
    pub(super) fn allows_check(self, attack: &Attack, check: Move) -> bool {
        match self {
            Restriction::None => true,
            Restriction::Flights(max) => attack.flights_after(check) <= u32::from(max),
        }
    }

    /// Returns whether a quiet move is allowed, given the position after it.
    #[inline]
    pub(super) fn allows_quiet(self, after: &Position) -> bool {
        match self {
            Restriction::None => true,
            Restriction::Flights(max) => after.flights().count() <= usize::from(max),
        }
    }

    /// Returns the restriction as a number of twelve bits.
    pub(super) fn to_bits(self) -> u16 {
        match self {
            Restriction::None => 0,
            Restriction::Flights(max) => 1 + u16::from(max),
        }
    }
}
