//! Writes moves as JSON objects with their notation.

use serde_json::{Value, json};

use crate::results::report::Ply;

/// Returns a move as an object.
pub(in crate::output) fn ply(ply: &Ply) -> Value {
    json!({"san": ply.san, "uci": ply.uci})
}

/// Returns moves as objects.
pub(in crate::output) fn plies(moves: &[Ply]) -> Vec<Value> {
    moves.iter().map(ply).collect()
}
