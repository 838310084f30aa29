//! Writes a result as a JSON object. Contains the JSON Schema of that object.

use crate::printable;
use crate::results::Solution;

/// The JSON Schema (draft 2020-12) of the result object. `matesolve schema` prints it.
pub(crate) const SCHEMA: &str = include_str!("schema.json");

/// Writes a result as a JSON object on one line.
pub(crate) fn line(solution: &Solution) -> String {
    printable::json(serde_json::to_string(solution).expect("a result contains only strings, numbers and lists"))
}

/// Writes a result as an indented JSON object.
pub(crate) fn pretty(solution: &Solution) -> String {
    printable::json(serde_json::to_string_pretty(solution).expect("a result contains only strings, numbers and lists"))
}
