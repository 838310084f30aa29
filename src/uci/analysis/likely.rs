//! Guesses which side mates, by the **flights** of the two kings: the squares a king could step to if it were its turn.
//! The king with fewer flights is more likely to be mated; a check on the board counts like flights of the other king.
//! Material is no guide, because the mating side has often sacrificed most of its own. If the difference is clear, the
//! question about the likely attacker gets several times as many nodes as the other.

use shakmaty::Color;

use crate::chess::Position;

/// The least difference in flights that counts as clear.
const CLEAR_DIFFERENCE: usize = 2;
/// The number of flights that a check on the board is worth to the side that gives it.
const CHECK_BONUS: usize = 2;
/// How many times as many nodes the likely attacker's question gets if the difference is clear.
const CLEAR_WEIGHT: u64 = 7;

/// The likely attacker, and how the nodes are divided between the two questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LikelyAttacker {
    /// The side whose question is worked on first.
    pub attacker: Color,
    /// How many times as many nodes its question gets as the other: 1 if the difference is not clear.
    pub weight: u64,
}

impl LikelyAttacker {
    /// Guesses from the flights of both kings.
    pub(super) fn guess(position: &Position) -> LikelyAttacker {
        let us = position.turn();
        let (ours, theirs) = (position.flights_of(us).count(), position.flights_of(!us).count());
        let theirs = if position.is_check() { theirs + CHECK_BONUS } else { theirs };
        let attacker = if ours < theirs { !us } else { us };
        LikelyAttacker { attacker, weight: if ours.abs_diff(theirs) >= CLEAR_DIFFERENCE { CLEAR_WEIGHT } else { 1 } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::fen;

    fn guess(text: &str) -> LikelyAttacker {
        LikelyAttacker::guess(&Position::from_chess(&fen::read(text).unwrap().chess))
    }

    #[test]
    fn the_king_with_fewer_flights_is_likely_to_be_mated() {
        let (white, black) = (Color::White, Color::Black);
        assert_eq!(guess("k7/8/1K6/8/8/8/8/1R6 w - -"), LikelyAttacker { attacker: white, weight: CLEAR_WEIGHT });
        assert_eq!(guess("k7/8/1K6/8/8/8/8/1R6 b - -"), LikelyAttacker { attacker: white, weight: CLEAR_WEIGHT });
        assert_eq!(guess("K7/8/1k6/8/8/8/8/1r6 w - -"), LikelyAttacker { attacker: black, weight: CLEAR_WEIGHT });
        // In the initial position neither king has a flight.
        assert_eq!(guess("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").weight, 1);
        assert_eq!(guess("7k/8/8/8/8/8/8/K7 w - -").weight, 1);
        // A difference of one flight is not clear; with the check it is.
        assert_eq!(guess("7k/8/8/8/7r/8/8/7K w - -"), LikelyAttacker { attacker: black, weight: CLEAR_WEIGHT });
    }
}
