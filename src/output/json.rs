//! The result object as JSON, and the schema that describes it.

use crate::results::Solution;

/// The JSON Schema (draft 2020-12) of the result object, as `matesolve schema` prints it.
pub const SCHEMA: &str = include_str!("schema.json");

/// The object on one line.
pub fn line(solution: &Solution) -> String {
    serde_json::to_string(solution).expect("a result is made of strings, numbers and lists")
}

/// The object, indented.
pub fn pretty(solution: &Solution) -> String {
    serde_json::to_string_pretty(solution).expect("a result is made of strings, numbers and lists")
}
