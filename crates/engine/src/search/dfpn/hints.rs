//! Moves that have won with other pawns of the defender.
//!
//! Where the defender has pawns that can only step, the attacker's manoeuvre is mostly the same wherever they stand. So
//! a caller who asks about many positions that differ by such pawns (`ladder`) has the winning moves remembered by the
//! board without them. Such a move is listed at once, with a small proof number if it is not in the table. No move is
//! excluded, and nothing is proved by a hint.

use hashbrown::HashMap;
use shakmaty::{Bitboard, Color};

use crate::chess::{Move, MoveCode, Position};

/// The most moves that are remembered, which take at most some 10 MB. Doubled, they take 20 MB; halved, a long ladder
/// has fewer hints.
const MOST_MOVES: usize = 1 << 18;

/// The moves that have won, by the board without certain pawns.
#[derive(Debug)]
pub(crate) struct Hints {
    /// The side of the pawns, and the squares on which they do not count.
    color: Color,
    squares: Bitboard,
    moves: HashMap<u64, MoveCode>,
}

impl Hints {
    /// Returns an empty memory. Pawns of this colour on these squares do not count.
    pub fn new(color: Color, squares: Bitboard) -> Hints {
        Hints { color, squares, moves: HashMap::new() }
    }

    /// Remembers that a move has won.
    pub fn learn(&mut self, position: &Position, m: Move) {
        let key = position.key_without_pawns(self.color, self.squares);
        if self.moves.len() < MOST_MOVES || self.moves.contains_key(&key) {
            self.moves.insert(key, m.code());
        }
    }

    /// Returns the move that has won last on this board, with whatever pawns.
    pub fn of(&self, position: &Position) -> Option<Move> {
        let code = self.moves.get(&position.key_without_pawns(self.color, self.squares))?;
        position.find_move(*code)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::chess::testing::position;

    #[test]
    fn a_move_is_found_again_with_other_pawns_if_it_is_legal() {
        let mut hints = Hints::new(Color::Black, Bitboard::from(shakmaty::File::H));
        let root = position("7k/7p/8/8/8/8/8/K5R1 w - -");
        let m = root.find_move(MoveCode::new(Square::G1, Square::G7, None)).unwrap();
        hints.learn(&root, m);
        assert_eq!(hints.of(&position("7k/8/8/7p/8/8/8/K5R1 w - -")), Some(m));
        assert_eq!(hints.of(&position("7k/6p1/8/8/8/8/8/K5R1 w - -")), None, "this pawn counts");
        assert_eq!(hints.of(&position("7k/7p/8/8/8/8/8/K5R1 b - -")), None);
    }
}
