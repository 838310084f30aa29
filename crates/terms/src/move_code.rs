//! Moves in 16 bits: origin, target and promotion.
//!
//! The code of a legal castling is "king takes own rook", as in Chess960, so that one form serves all castling rights.

use std::fmt;
use std::num::NonZeroU16;

use shakmaty::{Role, Square, uci::UciMove};

/// Packs a role that may be missing into three bits.
#[inline]
pub fn role_bits(role: Option<Role>) -> u32 {
    role.map_or(0, |r| r as u32)
}

/// The role for each value of three bits. A table lookup is cheaper than testing whether the bits are a valid role.
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

/// Reverses [`role_bits`]; bits above the three lowest do not matter.
#[inline]
pub fn bits_role(bits: u32) -> Option<Role> {
    ROLES[bits as usize & 7]
}

/// The part of a move that identifies it within its position: origin, target and promotion. Tables and proofs store
/// moves in this form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveCode(NonZeroU16);

/// The bit that is set in the code of every move. So no code is 0, and `Option<MoveCode>` takes 16 bits.
const CODE_MARK: NonZeroU16 = NonZeroU16::new(1 << 15).unwrap();

impl MoveCode {
    /// Creates a code from the parts of a move; castling is king takes rook.
    #[inline]
    pub fn new(from: Square, to: Square, promotion: Option<Role>) -> MoveCode {
        MoveCode::from_bits((from as u32 | (to as u32) << 6 | role_bits(promotion) << 12) as u16)
    }

    /// Reads the code of a move in UCI notation, whose castling may also be two steps of the king. `None`: it is none.
    pub fn of_uci(text: &str) -> Option<MoveCode> {
        match text.parse().ok()? {
            UciMove::Normal { from, to, promotion } => Some(MoveCode::new(from, to, promotion)),
            _ => None,
        }
    }

    /// Creates a code from origin, target and promotion in the lower 15 bits, in the order in which a code has them.
    /// The highest bit does not matter.
    #[inline]
    pub fn from_bits(bits: u16) -> MoveCode {
        MoveCode(CODE_MARK | bits)
    }

    /// Packs a code that may be missing into 16 bits; 0 stands for `None`.
    #[inline]
    pub fn pack(code: Option<MoveCode>) -> u16 {
        code.map_or(0, |code| code.0.get())
    }

    /// Reverses [`MoveCode::pack`].
    #[inline]
    pub fn unpack(bits: u16) -> Option<MoveCode> {
        NonZeroU16::new(bits).map(MoveCode)
    }

    /// Returns origin and target as a number below 4096.
    #[inline]
    pub fn squares(self) -> usize {
        usize::from(self.0.get()) & 0xfff
    }

    /// Returns the square where the move starts.
    #[inline]
    pub fn from(self) -> Square {
        Square::new(u32::from(self.0.get()) & 63)
    }

    /// Returns the square where the move ends; for castling the square of the rook.
    #[inline]
    pub fn to(self) -> Square {
        Square::new((u32::from(self.0.get()) >> 6) & 63)
    }

    /// Returns the role to which a pawn is promoted.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        bits_role(u32::from(self.0.get()) >> 12)
    }
}

impl fmt::Display for MoveCode {
    /// Writes the squares and the letter of a promotion: `e2e4`, `e7e8q`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}

impl fmt::Debug for MoveCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
