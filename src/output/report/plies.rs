//! Writes moves as JSON objects with their notation.

use serde_json::{Value, json};

use crate::results::report::Ply;

/// Returns a move as an object.
pub(super) fn ply(ply: &Ply) -> Value {
    json!({"san": ply.san, "uci": ply.uci})
}

/// Returns moves as objects.
pub(super) fn plies(moves: &[Ply]) -> Vec<Value> {
    moves.iter().map(ply).collect()
}
