//! Writes an audit as a JSON object. Contains the JSON Schema of that object.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::base::printable;
use crate::results::audit::{AUDIT_SCHEMA_VERSION, Audit, AuditVerdict, PhaseAudit};

use super::table::Counted;

/// The JSON Schema (draft 2020-12) of the audit object. `matesolve schema audit` prints it.
pub const SCHEMA: &str = include_str!("schema.json");

/// Writes the object on one line. `file` is the name of the input.
pub fn line(audit: &Audit, file: &str) -> String {
    let mut object = json!({
        "schema_version": AUDIT_SCHEMA_VERSION,
        "file": file,
        "line": audit.line,
        "id": audit.id,
        "authors": audit.authors,
        "source": audit.source,
        "year": audit.year,
        "verdict": audit.verdict,
        "marked": audit.marked,
        "disagrees": audit.disagrees(),
        "unsound_unmarked": audit.is_unsound_unmarked(),
        "wrong_keywords": audit.wrong_keywords,
        "missing_keywords": audit.missing_keywords,
        "phases": audit.phases.iter().map(phase).collect::<Vec<_>>(),
        "error": audit.error,
    });
    if let Some(themes) = &audit.themes {
        object["themes"] = json!(themes);
    }
    printable::json(object.to_string())
}

fn phase(phase: &PhaseAudit) -> Value {
    json!({
        "letter": phase.letter,
        "fen": phase.fen,
        "stipulation": phase.stipulation,
        "verdict": phase.verdict,
        "keys": phase.keys,
        "soundness": phase.soundness,
        "found": phase.found,
        "published": phase.published,
        "refuted_through": phase.refuted_through,
        "open": phase.open,
        "findings": phase.findings,
        "stats": {"nodes": phase.nodes, "time_ms": phase.time_ms},
    })
}

/// The fields of a written audit that are needed to count it and to know its problem.
#[derive(Debug, Deserialize)]
pub struct WrittenAudit {
    /// The name of the file.
    pub file: String,
    /// The line in the file.
    pub line: Option<usize>,
    /// The name of the problem.
    pub id: Option<String>,
    verdict: AuditVerdict,
    disagrees: bool,
    unsound_unmarked: bool,
    wrong_keywords: Vec<String>,
    missing_keywords: Vec<String>,
    phases: Vec<WrittenPhase>,
}

#[derive(Debug, Deserialize)]
struct WrittenPhase {
    stipulation: Option<String>,
}

impl WrittenAudit {
    /// Returns what the table counts.
    pub fn counted(&self) -> Counted {
        Counted {
            verdict: self.verdict,
            length: Counted::length(self.phases.first().and_then(|phase| phase.stipulation.as_deref())),
            disagrees: self.disagrees,
            unsound_unmarked: self.unsound_unmarked,
            wrong_keywords: self.wrong_keywords.len(),
            missing_keywords: self.missing_keywords.len(),
        }
    }
}
