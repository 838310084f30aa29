//! Castling rights that exclude each other.
//!
//! In some diagrams each of two castlings is possible by itself, but not both: whatever the earlier moves were, one of
//! the kings and rooks must have moved. The Codex for Chess Composition decides by *retro strategy*: the castling that
//! is executed first is legal, and proves that the other right is gone. So a position carries pairs of rights, one of
//! each side, and [`Position::play`](super::Position::play) takes away the other right when one of a pair is used.

use shakmaty::{Color, Square};

/// Pairs of castling rights, one of each side. Using one right of a pair takes away the other. Packed into one byte:
/// two bits for each right, one for each right of the opponent that it takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ExclusiveRights(u8);

/// Returns the number of a right: 0 and 1 for Black, 2 and 3 for White, the king's side second.
fn number(color: Color, king: Square, rook: Square) -> u32 {
    2 * color as u32 + u32::from(rook > king)
}

impl ExclusiveRights {
    /// Adds a pair of rights, given by the squares of king and rook of each side.
    pub fn add(&mut self, white: (Square, Square), black: (Square, Square)) {
        let (white, black) = (number(Color::White, white.0, white.1), number(Color::Black, black.0, black.1));
        self.0 |= 1 << (2 * white + black % 2) | 1 << (2 * black + white % 2);
    }

    /// Returns whether castling of `color` with `king` and `rook` takes away the opponent's right with `their_king` and
    /// `their_rook`.
    pub fn deny(self, color: Color, king: Square, rook: Square, their_king: Square, their_rook: Square) -> bool {
        let bit = 2 * number(color, king, rook) + u32::from(their_rook > their_king);
        self.0 >> bit & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use super::*;
    use crate::chess::testing::position;
    use shakmaty::Bitboard;

    #[test]
    fn only_castling_takes_rights_away_and_only_those_of_its_pairs() {
        let pairs = [(Square::A1, Square::H8), (Square::A8, Square::A1)];
        let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").with_exclusive_castling(&pairs);
        let after = |position: &Position, from, to| {
            let m = position.legal_moves().into_iter().find(|m| m.from() == from && m.to() == to).unwrap();
            let next = position.play(m);
            // The key follows the rights; otherwise the tables would confuse two positions.
            assert_eq!(next.key(), Position::from_chess(&next.to_chess()).key());
            assert_eq!(next.key(), position.key_after(m));
            next
        };
        let rights = |from, to| after(&position, from, to).castling_rights();
        let both = Bitboard::from(Square::A8).with(Square::H8);
        assert_eq!(rights(Square::E1, Square::A1), Bitboard::EMPTY);
        assert_eq!(rights(Square::E1, Square::H1), both);
        assert_eq!(rights(Square::E1, Square::E2), both);
        let passed = position.pass().unwrap();
        assert_eq!(after(&passed, Square::E8, Square::H8).castling_rights(), Bitboard::from(Square::H1));
        assert_eq!(after(&passed, Square::E8, Square::A8).castling_rights(), Bitboard::from(Square::H1));
        let moved = after(&after(&position, Square::H1, Square::H2), Square::E8, Square::H8);
        assert!(moved.castling_rights().is_empty(), "the pair still holds after other moves");
    }
}
