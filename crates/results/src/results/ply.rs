//! A move with its notation, and how men and some fields of results are written.

use std::fmt::Display;

use serde::{Serialize, Serializer};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _, Role};

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
    pub fn of(position: &Chess, mv: Move, mode: CastlingMode) -> Ply {
        let mut next = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut next, mv).to_string();
        let uci = mv.to_uci(mode).to_string();
        Ply { mv, check: next.is_check(), mate: next.is_checkmate(), san, uci }
    }
}

/// Returns the English word for a kind of man.
pub(crate) fn word(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// Writes a value as its text.
pub(super) fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes values as a list of their texts.
pub(super) fn texts<S: Serializer>(values: &[impl Display], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}

/// Writes a side as `white` or `black`.
// The signature is that of a field.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(super) fn color<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(color.fold_wb("white", "black"))
}

/// Writes a kind of man as its English letter.
// The signature is that of a field.
#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
pub(super) fn role<S: Serializer>(role: &Option<Role>, serializer: S) -> Result<S::Ok, S::Error> {
    role.map(Role::upper_char).serialize(serializer)
}
