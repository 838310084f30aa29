//! Writes a result as a JSON object. Contains the JSON Schema of that object.

use std::io::{self, Write};

use serde_json::Value;

use crate::results::Solution;

use super::stream::{self, JsonForm};

/// The JSON Schema (draft 2020-12) of the result object. `matesolve schema` prints it.
pub const SCHEMA: &str = include_str!("schema.json");

/// Writes a result as a JSON object, piece by piece.
pub(super) fn write(solution: &Solution, form: JsonForm, out: &mut dyn Write) -> io::Result<()> {
    match with_number_as_id(solution) {
        Some(value) => stream::json(&value, form, out),
        None => stream::json(solution, form, out),
    }
}

/// Returns the object of a result whose name was a number in the input: there it is a number again.
fn with_number_as_id(solution: &Solution) -> Option<Value> {
    let id = solution.id.as_deref().filter(|_| solution.given.id_is_number)?;
    let mut value = serde_json::to_value(solution).ok()?;
    value["id"] = serde_json::from_str(id).ok()?;
    Some(value)
}
