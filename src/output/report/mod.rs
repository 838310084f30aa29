//! The composer's report as text and as JSON.
//!
//! | file | for |
//! |---|---|
//! | `text` | composers: the whole solution, made for reading |
//! | `json` | programs: the report object and its schema |

pub mod json;
pub mod text;

use crate::problem::report::Report;

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ReportFormat {
    /// For reading
    Text,
    /// Indented JSON
    Json,
    /// The JSON object on one line
    Jsonl,
}

impl ReportFormat {
    /// The report, without a final line break.
    pub fn write(self, report: &Report) -> String {
        match self {
            ReportFormat::Text => text::full(report),
            ReportFormat::Json => json::pretty(report),
            ReportFormat::Jsonl => json::line(report),
        }
    }

    /// Whether a report on no position at all can be written: programs get an object in any case.
    pub fn writes_errors(self) -> bool {
        matches!(self, ReportFormat::Json | ReportFormat::Jsonl)
    }
}
