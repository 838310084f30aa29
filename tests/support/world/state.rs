//! A position with few men, as shakmaty knows it and as squares.
//!
//! A right to capture en passant that can be used is part of a position. The pawn that has just gone two steps is
//! stored on the first rank of its side, where no pawn can stand. Nobody castles.

use arrayvec::ArrayVec;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Piece, Position as _, PositionError, Rank, Role, Setup,
    Square,
};

/// The largest number of men besides the kings.
pub const MOST: usize = 2;

/// A position. A pawn that can be captured en passant stands on the first rank of its side.
#[derive(Debug, Clone)]
pub struct State {
    pub turn: Color,
    /// The squares of the kings: White's, then Black's.
    pub kings: [Square; 2],
    pub men: ArrayVec<(Piece, Square), MOST>,
}

/// Returns the number of a kind of man, from 1.
pub fn number(piece: Piece) -> usize {
    piece.role as usize + if piece.color.is_black() { 5 } else { 0 }
}

/// Returns the square in front of another, as `color` sees it.
pub fn ahead(color: Color, square: Square, steps: i32) -> Option<Square> {
    square.offset(color.fold_wb(8, -8) * steps)
}

/// Returns the rank that `color` calls the `rank`th, from 1.
pub fn rank(color: Color, rank: u32) -> Rank {
    Rank::new(color.fold_wb(rank - 1, 8 - rank))
}

/// Returns the square of a man on the board, and whether he can be captured en passant.
pub fn stands(piece: Piece, at: Square) -> (Square, bool) {
    if piece.role == Role::Pawn && at.rank() == rank(piece.color, 1) {
        (ahead(piece.color, at, 3).expect("a square of the fourth rank"), true)
    } else {
        (at, false)
    }
}

/// The reflections, as bits: files, ranks, diagonal.
pub fn reflected(square: Square, reflection: u8) -> Square {
    let square = if reflection & 1 > 0 { square.flip_horizontal() } else { square };
    let square = if reflection & 2 > 0 { square.flip_vertical() } else { square };
    if reflection & 4 > 0 { square.flip_diagonal() } else { square }
}

impl State {
    /// Returns a reflection of a position without pawns.
    pub fn reflected(&self, reflection: u8) -> State {
        let men = self.men.iter().map(|&(piece, at)| (piece, reflected(at, reflection))).collect();
        State { turn: self.turn, kings: self.kings.map(|king| reflected(king, reflection)), men }
    }

    pub fn king(&self, color: Color) -> Square {
        self.kings[color.fold_wb(0, 1)]
    }

    /// Returns the squares on which men stand.
    pub fn occupied(&self) -> Bitboard {
        let men = self.men.iter().map(|&(piece, at)| stands(piece, at).0);
        self.kings.into_iter().chain(men).collect()
    }

    /// Returns the position as shakmaty knows it; `None` if it is none, or if its right cannot be used.
    pub fn chess(&self) -> Option<Chess> {
        let mut setup = Setup { board: Board::empty(), turn: self.turn, ..Setup::empty() };
        for color in Color::ALL {
            setup.board.set_piece_at(self.king(color), color.king());
        }
        for &(piece, at) in &self.men {
            let (square, is_flagged) = stands(piece, at);
            if is_flagged {
                setup.ep_square = ahead(piece.color, at, 2);
            }
            setup.board.set_piece_at(square, piece);
        }
        let right = setup.ep_square;
        if setup.board.occupied().count() < 2 + self.men.len() {
            return None;
        }
        let chess = setup.position::<Chess>(CastlingMode::Standard);
        let chess = chess.or_else(PositionError::ignore_impossible_check).ok()?;
        (chess.ep_square(EnPassantMode::Legal) == right).then_some(chess)
    }

    pub fn of(chess: &Chess) -> State {
        let board = chess.board();
        let right = chess.ep_square(EnPassantMode::Legal);
        let kings = Color::ALL.map(|color| board.king_of(color).expect("a king"));
        let mut men = ArrayVec::new();
        for square in board.occupied() & !board.kings() {
            let piece = board.piece_at(square).expect("a man");
            let is_flagged = right.is_some_and(|right| ahead(piece.color, right, 1) == Some(square));
            men.push((piece, if is_flagged { ahead(piece.color, square, -3).expect("a square") } else { square }));
        }
        State { turn: chess.turn(), kings, men }
    }
}
