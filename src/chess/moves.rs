//! Moves of the mating kernel.
//!
//! A [`Move`] packs what playing it needs (who moves, what is taken) into 32 bits; its [`code`](Move::code) is the 16
//! bits that identify it within a position and fit a table entry. Castling is written as king takes own rook, as
//! Chess960 does, so that one notation serves every set of rights.

use std::fmt;

use arrayvec::ArrayVec;
use shakmaty::{Role, Square};

/// No position has more moves. With `n` men of the side to move, every other square is reached by at most eight
/// sliders, kings or pawns and every knight adds at most eight moves; promotions add at most 72 and castling two.
/// That stays below this even when the board holds more men than a game allows.
pub const MOVE_CAPACITY: usize = 640;

/// A list of moves.
pub type MoveList = ArrayVec<Move, MOVE_CAPACITY>;

/// A move of the kernel: from, to, moving role, captured role, promotion and the two special kinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

const CASTLE: u32 = 1 << 24;
const EN_PASSANT: u32 = 1 << 25;

fn role_bits(role: Option<Role>) -> u32 {
    role.map_or(0, |r| r as u32)
}

/// A load is cheaper than to tell valid bits from others.
const ROLES: [Option<Role>; 8] = [
    None,
    Some(Role::Pawn),
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
    Some(Role::King),
    None,
];

#[inline]
fn bits_role(bits: u32) -> Option<Role> {
    ROLES[bits as usize & 7]
}

impl Move {
    /// An ordinary move, capture or promotion.
    #[inline]
    pub fn normal(from: Square, to: Square, role: Role, capture: Option<Role>, promotion: Option<Role>) -> Move {
        Move(
            from as u32
                | (to as u32) << 6
                | role_bits(promotion) << 12
                | (role as u32) << 16
                | role_bits(capture) << 20,
        )
    }

    /// Castling of the king with the rook.
    pub fn castle(king: Square, rook: Square) -> Move {
        Move(king as u32 | (rook as u32) << 6 | (Role::King as u32) << 16 | CASTLE)
    }

    /// A capture en passant.
    pub fn en_passant(from: Square, to: Square) -> Move {
        Move(from as u32 | (to as u32) << 6 | (Role::Pawn as u32) << 16 | (Role::Pawn as u32) << 20 | EN_PASSANT)
    }

    /// Where the move starts.
    #[inline]
    pub fn from(self) -> Square {
        Square::new(self.0 & 63)
    }

    /// Where it ends; the rook's square for castling.
    #[inline]
    pub fn to(self) -> Square {
        Square::new((self.0 >> 6) & 63)
    }

    /// The moving man.
    #[inline]
    pub fn role(self) -> Role {
        bits_role(self.0 >> 16).unwrap_or(Role::King)
    }

    /// What stands on the target square afterwards.
    #[inline]
    pub fn role_after(self) -> Role {
        self.promotion().unwrap_or_else(|| self.role())
    }

    /// The captured man.
    #[inline]
    pub fn capture(self) -> Option<Role> {
        bits_role(self.0 >> 20)
    }

    /// What a pawn is promoted to.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        bits_role(self.0 >> 12)
    }

    /// Whether this is castling.
    #[inline]
    pub fn is_castle(self) -> bool {
        self.0 & CASTLE != 0
    }

    /// Whether this is a capture en passant.
    #[inline]
    pub fn is_en_passant(self) -> bool {
        self.0 & EN_PASSANT != 0
    }

    /// Whether a pawn makes a double step: the only pawn move whose squares, as numbers from 0 to 63, differ in that bit alone.
    #[inline]
    pub fn is_double_step(self) -> bool {
        (self.0 >> 16) & 7 == Role::Pawn as u32 && (self.0 ^ (self.0 >> 6)) & 63 == 16
    }

    /// From, to and promotion in 16 bits: unique within a position, never zero.
    #[inline]
    pub fn code(self) -> MoveCode {
        MoveCode((self.0 & 0x7fff) as u16)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code().fmt(f)
    }
}

/// The part of a move that identifies it within its position, as tables and proofs keep it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct MoveCode(pub u16);

impl MoveCode {
    /// No move. A move from a1 to a1 does not exist.
    pub const NONE: MoveCode = MoveCode(0);

    /// The code of a move from its parts; castling is king takes rook.
    pub fn new(from: Square, to: Square, promotion: Option<Role>) -> MoveCode {
        MoveCode((from as u32 | (to as u32) << 6 | role_bits(promotion) << 12) as u16)
    }

    /// Where the move starts.
    pub fn from(self) -> Square {
        Square::new(u32::from(self.0) & 63)
    }

    /// Where it ends; the rook's square for castling.
    pub fn to(self) -> Square {
        Square::new((u32::from(self.0) >> 6) & 63)
    }

    /// What a pawn is promoted to.
    pub fn promotion(self) -> Option<Role> {
        bits_role(u32::from(self.0) >> 12)
    }
}

impl fmt::Debug for MoveCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}
