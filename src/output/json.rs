//! Writes a result as a JSON object. Contains the JSON Schema of that object.

use serde_json::Value;

use crate::printable;
use crate::results::Solution;

/// The JSON Schema (draft 2020-12) of the result object. `matesolve schema` prints it.
pub(crate) const SCHEMA: &str = include_str!("schema.json");

/// Writes a result as a JSON object on one line.
pub(crate) fn line(solution: &Solution) -> String {
    printable::json(match with_number_as_id(solution) {
        Some(value) => value.to_string(),
        None => serde_json::to_string(solution).expect("a result contains only strings, numbers and lists"),
    })
}

/// Writes a result as an indented JSON object.
pub(crate) fn pretty(solution: &Solution) -> String {
    printable::json(match with_number_as_id(solution) {
        Some(value) => format!("{value:#}"),
        None => serde_json::to_string_pretty(solution).expect("a result contains only strings, numbers and lists"),
    })
}

/// Returns the object of a result whose name was a number in the input: there it is a number again.
fn with_number_as_id(solution: &Solution) -> Option<Value> {
    let id = solution.id.as_deref().filter(|_| solution.given.id_is_number)?;
    let mut value = serde_json::to_value(solution).ok()?;
    value["id"] = serde_json::from_str(id).ok()?;
    Some(value)
}
