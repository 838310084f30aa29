//! Writes an audit as a JSON object. Contains the JSON Schema of that object.

use serde::{Deserialize, Serialize};

use crate::output::stream::{JsonForm, json_text};
use crate::results::audit::{AUDIT_SCHEMA_VERSION, Audit};

/// The JSON Schema (draft 2020-12) of the audit object. `matesolve schema audit` prints it.
pub const SCHEMA: &str = include_str!("schema.json");

/// A written audit.
#[derive(Debug, Serialize, Deserialize)]
pub struct WrittenAudit<S = String, A = Audit> {
    schema_version: S,
    /// The name of the file.
    pub file: S,
    /// The audit.
    #[serde(flatten)]
    pub audit: A,
}

/// Writes the object on one line. `file` is the name of the input.
pub fn line(audit: &Audit, file: &str) -> String {
    json_text(&WrittenAudit { schema_version: AUDIT_SCHEMA_VERSION, file, audit }, JsonForm::Line)
}
