//! A move with its notation, as reports contain it.

use shakmaty::Move;

/// A move, with its notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ply {
    /// The move itself, for writing it in another notation: man, origin, target, captured man, castling, en passant and
    /// promotion.
    pub mv: Move,
    /// Whether the move gives check, including checkmate.
    pub check: bool,
    /// Whether the move gives checkmate.
    pub mate: bool,
    /// The move in standard algebraic notation, with `+` or `#`.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
}
