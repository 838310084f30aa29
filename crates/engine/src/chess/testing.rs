//! Positions for unit tests.
//!
//! They are read by shakmaty alone, so that a test does not need the readers of problems, which stand higher.

use shakmaty::{CastlingMode, Chess, PositionError, fen::Fen};

use super::Position;

/// Reads a FEN or the position of an EPD line. Too many men of a kind and impossible checks are accepted, as in
/// problems.
pub(crate) fn chess(text: &str) -> Chess {
    let fen: Fen = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    let mode = CastlingMode::detect(fen.as_setup());
    fen.into_position(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Reads a position of the kernel, as [`chess`] does.
pub(crate) fn position(text: &str) -> Position {
    Position::from_chess(&chess(text))
}
