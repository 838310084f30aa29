//! Positions for the unit tests of this crate.

use shakmaty::Chess;

/// Reads a position as certificates write it.
pub(crate) fn chess(fen: &str) -> Chess {
    crate::parse_position(fen).unwrap_or_else(|why| panic!("{why}: {fen}"))
}
