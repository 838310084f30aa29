//! Restrictions: searching for a mate by some of the attacker's moves only.
//!
//! A search of fewer moves sees further, and a mate found by them is a mate. But if the allowed moves do not mate, this
//! says nothing about the others. So a move that the restriction excludes gets a tainted
//! disproof, like a repetition, which never becomes a fact. The moves that leave the king few flights are the ones that
//! solvers look at first in longer problems (the program `MateProver` has the same restriction). Endings are won by
//! moves that lose no material; where there is none, by those that lose least.
//!
//! The search by all moves excludes nothing: a move that leaves more flights than there are at the root gets a larger
//! proof number (`leaf`).
//!
//! Rejected: restrictions by the number of replies or of checks (`benches/tuning/restriction.md`).

use crate::chess::{Attack, Move, NodeKind, Position};

use super::technique;

/// Returns the number of flights of the defender's king.
pub(crate) fn flights(position: &Position, kind: NodeKind) -> u32 {
    let defending = if kind == NodeKind::Or { position.pass() } else { Some(*position) };
    defending.map_or(0, |position| position.flights().count() as u32)
}

/// [`Restriction::Sound`] as a number; larger than any number of flights.
const SOUND_BITS: u16 = 1 << 8;

/// A restriction of the attacker's moves in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restriction {
    /// All moves.
    #[default]
    None,
    /// Moves after which the enemy king has at most this many flights.
    Flights(u8),
    /// Moves that lose no material, or least if all lose some (`technique`).
    Sound,
}

impl Restriction {
    /// Returns the restriction to moves that leave the king at most one flight more than he has at the root. Solvers
    /// begin with moves that give the king no flight, and a key may give one.
    pub fn to_usual_flights(root: &Position, kind: NodeKind) -> Restriction {
        Restriction::Flights(flights(root, kind) as u8 + 1)
    }

    /// Returns whether a move is allowed, given the position after it.
    #[inline]
    pub(super) fn allows(self, m: Move, after: &Position) -> bool {
        match self {
            Restriction::None => true,
            Restriction::Flights(max) => after.flights().count() <= usize::from(max),
            Restriction::Sound => technique::is_sound(m, after),
        }
    }

    /// Returns whether a checking move is allowed; `None` if only the position after it tells.
    #[inline]
    pub(super) fn allows_check(self, attack: &Attack, check: Move) -> Option<bool> {
        match self {
            Restriction::None => Some(true),
            Restriction::Flights(max) => Some(attack.flights_after(check) <= u32::from(max)),
            Restriction::Sound => None,
        }
    }

    /// Returns the restriction as a number of twelve bits.
    pub(super) fn to_bits(self) -> u16 {
        match self {
            Restriction::None => 0,
            Restriction::Sound => SOUND_BITS,
            Restriction::Flights(max) => 1 + u16::from(max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    #[test]
    fn the_usual_flights_are_one_more_than_the_defender_has_at_the_root() {
        // A rook on g1 leaves the king on h8 one flight, h7; one on b1 leaves him three.
        for (text, kind, at_root) in [
            ("7k/8/8/8/8/8/8/K5R1 b - -", NodeKind::And, 1),
            ("7k/8/8/8/8/8/8/K5R1 w - -", NodeKind::Or, 1),
            ("7k/8/8/8/8/8/8/KR6 w - -", NodeKind::Or, 3),
        ] {
            let root = position(text);
            assert_eq!(flights(&root, kind), at_root, "{text}");
            assert_eq!(Restriction::to_usual_flights(&root, kind), Restriction::Flights(at_root as u8 + 1));
        }
    }
}
