//! Castling rights that exclude each other.
//!
//! In some diagrams each of two castlings may be legal, but not both: whatever the last moves were, a king or a rook
//! has moved. The Codex for Chess Composition decides by *retro strategy*: the castling that is played first is legal,
//! and it proves that the other right is lost.

use shakmaty::Square;

use crate::chess::{Move, Position};

/// Pairs of rooks, by square, whose castling rights exclude each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exclusive(Vec<(Square, Square)>);

impl Exclusive {
    /// Creates a set of pairs.
    pub fn pairs(pairs: Vec<(Square, Square)>) -> Exclusive {
        Exclusive(pairs)
    }

    /// Returns the pairs.
    pub fn as_pairs(&self) -> &[(Square, Square)] {
        &self.0
    }

    /// Returns the rooks that lose their castling right when `rook` castles.
    pub fn denied_by(&self, rook: Square) -> impl Iterator<Item = Square> {
        self.0.iter().filter_map(move |&(a, b)| match rook {
            _ if a == rook => Some(b),
            _ if b == rook => Some(a),
            _ => None,
        })
    }

    /// Plays a legal move. If it castles, removes the rights that this castling excludes.
    #[inline]
    #[must_use]
    pub fn play(&self, position: &Position, m: Move) -> Position {
        let next = position.play(m);
        if self.0.is_empty() || !m.is_castle() {
            return next;
        }
        self.denied_by(m.to()).fold(next, |next, rook| next.without_castling(rook))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Bitboard, CastlingMode, fen::Fen};

    #[test]
    fn castling_removes_only_the_rights_it_excludes() {
        let fen: Fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
        let position = Position::from_chess(&fen.into_position(CastlingMode::Standard).unwrap());
        let exclusive = Exclusive::pairs(vec![(Square::A1, Square::H8), (Square::A8, Square::A1)]);
        let after = |from, to| {
            let m = position.legal_moves().into_iter().find(|m| m.from() == from && m.to() == to).unwrap();
            let next = exclusive.play(&position, m);
            // Positions with different rights must have different keys.
            assert_eq!(next.key(), Position::from_chess(&next.to_chess()).key());
            next.castling_rights()
        };
        assert_eq!(after(Square::E1, Square::A1), Bitboard::EMPTY);
        assert_eq!(after(Square::E1, Square::H1), Bitboard::from(Square::A8).with(Square::H8));
        assert_eq!(after(Square::E1, Square::E2), Bitboard::from(Square::A8).with(Square::H8));
        assert_eq!(after(Square::A1, Square::A2).count(), 3);
    }
}
