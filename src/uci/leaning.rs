//! Which of the two questions is the likelier one: does the side to move mate, or is it mated?
//!
//! Before anything is searched one thing tells much: whose king has fewer **flights**, squares it could step to if it
//! were its turn. Material tells nothing: the side that mates has often sacrificed most of it. Where the difference
//! is small both questions get the same effort; where it is not, the likelier one gets several times the other's.
//! Never all: flights are a hint and nothing more.

use shakmaty::Color;

use crate::chess::Position;

/// From this difference in flights on one of the questions is the likelier one.
const CLEAR: usize = 2;
/// A check is worth so many flights to the side that gives it.
const CHECK: usize = 2;
/// The likelier question gets so many times the effort of the other.
const FAVOUR: u64 = 7;

/// How the effort is to be shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leaning {
    /// The side that is asked about first and gets more.
    pub attacker: Color,
    /// How many times more.
    pub favour: u64,
}

impl Leaning {
    pub(super) fn of(position: &Position) -> Leaning {
        let us = position.turn();
        let (ours, theirs) = (position.flights_of(us).count(), position.flights_of(!us).count());
        let theirs = if position.is_check() { theirs + CHECK } else { theirs };
        let attacker = if ours < theirs { !us } else { us };
        Leaning { attacker, favour: if ours.abs_diff(theirs) >= CLEAR { FAVOUR } else { 1 } }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::problem::fen;

    fn of(text: &str) -> Leaning {
        Leaning::of(&Position::from_chess(&fen::read(text).unwrap().chess))
    }

    #[test]
    fn the_king_without_flights_is_the_one_to_be_mated() {
        let (white, black) = (Color::White, Color::Black);
        assert_eq!(of("k7/8/1K6/8/8/8/8/1R6 w - -"), Leaning { attacker: white, favour: FAVOUR });
        assert_eq!(of("k7/8/1K6/8/8/8/8/1R6 b - -"), Leaning { attacker: white, favour: FAVOUR });
        assert_eq!(of("K7/8/1k6/8/8/8/8/1r6 w - -"), Leaning { attacker: black, favour: FAVOUR });
        // The array: no king has any.
        assert_eq!(of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").favour, 1);
        assert_eq!(of("7k/8/8/8/8/8/8/K7 w - -").favour, 1);
        // One flight less would not be clear; with the check it is.
        assert_eq!(of("7k/8/8/8/7r/8/8/7K w - -"), Leaning { attacker: black, favour: FAVOUR });
    }
}
