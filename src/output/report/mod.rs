//! The output formats of the composer's report.
//!
//! | file | format |
//! |---|---|
//! | `text` | the whole solution as plain text, for people |
//! | `json` | the report object, for programs, and its JSON Schema |
//!
//! The formats `popeye`, `html` and `olv` are in the folder above.

pub mod json;
pub mod text;

use crate::results::report::Report;

use super::{html, olv, popeye};

/// The output format of a report. (The comments of the variants are help texts of `--format`.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ReportFormat {
    /// Plain text, for reading
    Text,
    /// Indented JSON
    Json,
    /// The JSON object on one line
    Jsonl,
    /// The solution in Popeye's layout
    Popeye,
    /// A page with board and solution tree, for any browser
    Html,
    /// An .olv entry with its solution
    Olv,
}

impl ReportFormat {
    /// Writes the report, without a final line break.
    pub fn write(self, report: &Report) -> String {
        match self {
            ReportFormat::Text => text::full(report),
            ReportFormat::Json => json::pretty(report),
            ReportFormat::Jsonl => json::line(report),
            ReportFormat::Popeye => popeye::full(report).trim_end_matches('\n').to_owned(),
            ReportFormat::Html => html::page(report).trim_end_matches('\n').to_owned(),
            ReportFormat::Olv => olv::new(report).unwrap_or_default().trim_end_matches('\n').to_owned(),
        }
    }

    /// Returns whether the format can represent a problem that cannot be read. Programs need an object for each
    /// problem.
    pub fn writes_errors(self) -> bool {
        matches!(self, ReportFormat::Json | ReportFormat::Jsonl)
    }
}
