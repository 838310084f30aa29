//! Lanes: a mate by some of the attacker's moves only.
//!
//! Who looks at fewer moves sees further, and a mate by them is a mate. That there is none by them says nothing: what a
//! restriction leaves out counts as disproved in the way of a repetition, and never becomes a fact. Solvers of longer
//! problems look at moves that leave the king little room (the solver `MateProver` restricts them likewise).
//!
//! # What was tried
//!
//! A sample of 304 of matetrack's mates, the length not told, one thread, 1,000,000 nodes in a race: found, found at the
//! best known length, proved shortest. The lane has one part in six until there is a mate.
//!
//! | the lane's moves leave | found | best | proved | kept |
//! |---|---|---|---|---|
//! | no lane | 270 | 234 | 73 | no |
//! | one flight more than the king has at the root | 271 | 240 | 74 | yes |
//! | at most eight replies | 272 | 240 | 72 | no |
//!
//! Since refutations take fewer nodes, one flight more gives 271, 243 and 89, and a lane of the moves after which the
//! defender has no check 270, 238 and 88.
//!
//! Alone and with 600,000 nodes, all moves find 268; those that leave three flights 263, four 266, three after a quiet
//! move and eight after a check 265, two and eight 259. With 300,000, none and one 93, one 184, one and two 214, two
//! 240, three 253, where all moves find 251: narrow searches are no better, but they find others, and shorter mates. Of
//! 18 mates in 9 to 103 that a race did not find with 2,000,000 nodes, two flights and three find 8 within 4,000,000,
//! four 5, all moves 4.

use crate::chess::{Attack, Move, Position};

/// The moves that the attacker may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restriction {
    /// All of them.
    #[default]
    None,
    /// Those that leave the enemy king at most so many squares to go to.
    Flights(u8),
}

impl Restriction {
    /// Whether a move that gives check is allowed.
    #[inline]
    pub(super) fn allows_check(self, attack: &Attack, check: Move) -> bool {
        match self {
            Restriction::None => true,
            Restriction::Flights(most) => attack.flights_after(check) <= u32::from(most),
        }
    }

    /// Whether a move that does not is, by the position after it.
    #[inline]
    pub(super) fn allows_quiet(self, after: &Position) -> bool {
        match self {
            Restriction::None => true,
            Restriction::Flights(most) => after.flights().count() <= usize::from(most),
        }
    }

    /// Twelve bits.
    pub(super) fn to_bits(self) -> u16 {
        match self {
            Restriction::None => 0,
            Restriction::Flights(most) => 1 + u16::from(most),
        }
    }
}
