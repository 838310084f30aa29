//! Positions for the unit tests of this crate.

use shakmaty::{CastlingMode, Chess, PositionError, fen::Fen};

/// Reads a FEN or the position of an EPD line. Too many men of a kind are accepted, as in problems.
pub(crate) fn chess(text: &str) -> Chess {
    let fen: Fen = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    let mode = CastlingMode::detect(fen.as_setup());
    fen.into_position(mode)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap_or_else(|error| panic!("{error}: {text}"))
}
