//! A move with its notation, as reports contain it.

use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Move, Position as _, san::SanPlus};

/// A move, with its notation. The JSON has `san` and `uci`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ply {
    /// The move itself, for writing it in another notation: man, origin, target, captured man, castling, en passant and
    /// promotion.
    #[serde(skip)]
    pub mv: Move,
    /// Whether the move gives check, including checkmate.
    #[serde(skip)]
    pub check: bool,
    /// Whether the move gives checkmate.
    #[serde(skip)]
    pub mate: bool,
    /// The move in standard algebraic notation, with `+` or `#`.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
}

impl Ply {
    /// Returns a legal move with its notation. `mode` decides how UCI writes castling.
    pub(crate) fn of(position: &Chess, mv: Move, mode: CastlingMode) -> Ply {
        let mut next = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut next, mv).to_string();
        let uci = mv.to_uci(mode).to_string();
        Ply { mv, check: next.is_check(), mate: next.is_checkmate(), san, uci }
    }
}
