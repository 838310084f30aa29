//! Denials: the moves that answer a particular move of the other side.
//!
//! When a move at one ply is refuted by a move at the next, the moves that **deny** this refutation are tried next
//! (AWIT), before the others of the same class and about the same price. A quiet attacking move may be refuted because
//! a knight takes the mating piece: then the moves that pin, capture or shut off that knight come first. In the same
//! way the defender next tries the replies that meet the mating move found against another one, or the threat.
//!
//! A move denies the other side's move from A to B if it
//!
//! * captures on A,
//! * steps between A and B,
//! * attacks B from its new square, so that the man that arrives there can be taken (or the king cannot go there),
//! * moves the man on B away, if the other side's move captures it, or
//! * pins the man on A to its king.
//!
//! Denials only order moves. Nothing is discarded because it denies nothing.

use shakmaty::{Bitboard, Piece, attacks};

use crate::chess::{Move, MoveCode, Position};

/// A move of the other side that is to be denied, in the position before the denial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Denial {
    refutation: MoveCode,
    between: Bitboard,
}

impl Denial {
    /// Returns the denial of a move of the side that is not to move.
    pub fn of(refutation: MoveCode) -> Denial {
        Denial { refutation, between: attacks::between(refutation.from(), refutation.to()) }
    }

    /// Returns whether a legal move of `position` denies the refutation.
    pub fn contains(self, position: &Position, m: Move) -> bool {
        let (from, to) = (self.refutation.from(), self.refutation.to());
        if m.to() == from || m.from() == to || self.between.contains(m.to()) {
            return true;
        }
        let us = position.turn();
        let occupied = position.occupied().without(m.from()).with(m.to());
        let piece = Piece { color: us, role: m.role_after() };
        let reach = attacks::attacks(m.to(), piece, occupied.without(from));
        let pins = || {
            let king = position.king(!us);
            reach.contains(king) && attacks::between(m.to(), king).contains(from)
        };
        reach.contains(to) || pins()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;
    use shakmaty::Square;

    fn denials(epd: &str, from: Square, to: Square) -> Vec<String> {
        let position = position(epd);
        let denial = Denial::of(MoveCode::new(from, to, None));
        let moves = position.legal_moves();
        let mut found: Vec<String> =
            moves.iter().filter(|&&m| denial.contains(&position, m)).map(|m| format!("{m:?}")).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn capturing_blocking_and_guarding_deny_a_move() {
        // White threatens Ra8 mate. The bishop takes the rook; the knight steps between or guards a8.
        let found = denials("6k1/5ppp/8/1n2b3/8/8/6K1/R7 b - -", Square::A1, Square::A8);
        assert!(["e5a1", "b5a7", "b5a3", "b5c7"].iter().all(|m| found.iter().any(|n| n == m)), "{found:?}");
        assert!(!found.contains(&"h7h6".to_owned()) && !found.contains(&"b5d4".to_owned()), "{found:?}");
    }

    #[test]
    fn a_pin_and_a_step_away_deny_a_move() {
        // Black's knight on d5 would take on f4. A rook on d1 pins it, and the man on f4 can step away.
        let found = denials("3k4/8/8/3n4/5B2/8/8/R6K w - -", Square::D5, Square::F4);
        assert!(found.contains(&"a1d1".to_owned()) && found.contains(&"f4g5".to_owned()), "{found:?}");
        assert!(!found.contains(&"a1b1".to_owned()), "{found:?}");
    }
}
