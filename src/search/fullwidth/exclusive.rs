//! Castling rights of which one denies the other.
//!
//! In some diagrams each of two castlings is possible by itself, but not both: whatever last moves one assumes, a king
//! or a rook has moved. The Codex decides by *retro strategy*: whichever castling is executed first is legal, and
//! thereby proves that the other right is gone.

use shakmaty::Square;

use crate::chess::{Move, Position};

/// Pairs of rooks whose castling rights exclude each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exclusive(Vec<(Square, Square)>);

impl Exclusive {
    /// These pairs of rooks.
    pub fn pairs(pairs: Vec<(Square, Square)>) -> Exclusive {
        Exclusive(pairs)
    }

    /// The pairs.
    pub fn as_pairs(&self) -> &[(Square, Square)] {
        &self.0
    }

    /// The rooks whose right castling with `rook` takes away.
    pub fn denied_by(&self, rook: Square) -> impl Iterator<Item = Square> {
        self.0.iter().filter_map(move |&(a, b)| match rook {
            _ if a == rook => Some(b),
            _ if b == rook => Some(a),
            _ => None,
        })
    }

    /// Plays a legal move under these rules.
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
