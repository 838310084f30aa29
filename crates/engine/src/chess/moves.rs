//! Packed moves of the kernel, and move lists.
//!
//! A [`Move`] packs what is needed to play it into 32 bits. Its [`code`](Move::code) is the 16 bits that identify it
//! within a position and fit into a table entry. Castling is stored as "king takes own rook", as in Chess960, so that
//! one notation serves all castling rights.

use std::fmt;

use arrayvec::ArrayVec;
use shakmaty::{Chess, Role, Square};

use super::MoveCode;
use super::move_code::{bits_role, role_bits};
use super::notation::legal_move;

/// The largest number of moves in a [`MoveList`].
///
/// No position has more, even with more men than a game allows. Each square that is not occupied by the side to move is
/// reached by at most eight line pieces, kings or pawns; each knight adds at most eight moves, promotions add at most
/// 72 and castling adds two.
pub(crate) const MOVE_CAPACITY: usize = 640;

/// A list of moves, stored without allocation. It has room for all moves of any position.
pub type MoveList = ArrayVec<Move, MOVE_CAPACITY>;

/// A move in 32 bits: origin, target, moving role, captured role, promotion, and marks for castling and en passant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

const CASTLE: u32 = 1 << 24;
const EN_PASSANT: u32 = 1 << 25;

impl Move {
    /// Creates an ordinary move, capture or promotion.
    #[inline]
    pub(crate) fn normal(from: Square, to: Square, role: Role, capture: Option<Role>, promotion: Option<Role>) -> Move {
        Move(
            from as u32
                | (to as u32) << 6
                | role_bits(promotion) << 12
                | (role as u32) << 16
                | role_bits(capture) << 20,
        )
    }

    /// Creates the castling move of the king on the one square with the rook on the other.
    pub(crate) fn castle(king: Square, rook: Square) -> Move {
        Move(king as u32 | (rook as u32) << 6 | (Role::King as u32) << 16 | CASTLE)
    }

    /// Creates a capture en passant.
    pub(crate) fn en_passant(from: Square, to: Square) -> Move {
        Move(from as u32 | (to as u32) << 6 | (Role::Pawn as u32) << 16 | (Role::Pawn as u32) << 20 | EN_PASSANT)
    }

    /// Returns the square where the move starts.
    #[inline]
    pub fn from(self) -> Square {
        Square::new(self.0 & 63)
    }

    /// Returns the square where the move ends; for castling the square of the rook.
    #[inline]
    pub fn to(self) -> Square {
        Square::new((self.0 >> 6) & 63)
    }

    /// Returns the role of the moving man; for a promotion this is the pawn.
    #[inline]
    pub fn role(self) -> Role {
        bits_role(self.0 >> 16).unwrap_or(Role::King)
    }

    /// Returns the role of the man on the target square after the move. It differs from `role` for promotions only.
    #[inline]
    pub fn role_after(self) -> Role {
        self.promotion().unwrap_or_else(|| self.role())
    }

    /// Returns the role of the captured man.
    #[inline]
    pub fn capture(self) -> Option<Role> {
        bits_role(self.0 >> 20)
    }

    /// Returns the role to which a pawn is promoted.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        bits_role(self.0 >> 12)
    }

    /// Returns whether this is castling.
    #[inline]
    pub fn is_castle(self) -> bool {
        self.0 & CASTLE != 0
    }

    /// Returns whether this is a capture en passant.
    #[inline]
    pub fn is_en_passant(self) -> bool {
        self.0 & EN_PASSANT != 0
    }

    /// Returns whether this is the double step of a pawn. It is the only pawn move whose two squares, as numbers from 0
    /// to 63, differ in the bit of value 16 alone.
    #[inline]
    pub(crate) fn is_double_step(self) -> bool {
        (self.0 >> 16) & 7 == Role::Pawn as u32 && (self.0 ^ (self.0 >> 6)) & 63 == 16
    }

    /// Returns origin, target and promotion in 16 bits. The code is unique within a position.
    #[inline]
    pub fn code(self) -> MoveCode {
        MoveCode::from_bits(self.0 as u16)
    }

    /// Returns the same move as shakmaty has it, in the position in which it is legal.
    pub fn to_shakmaty(self, chess: &Chess) -> shakmaty::Move {
        legal_move(chess, self.code()).expect("kernel and shakmaty agree about legal moves")
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code().fmt(f)
    }
}
