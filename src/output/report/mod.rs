//! The composer's report: its formats, of which text and JSON are here.
//!
//! | file | for |
//! |---|---|
//! | `text` | composers: the whole solution, made for reading |
//! | `json` | programs: the report object and its schema |
//!
//! [`popeye`], [`html`] and [`olv`] stand beside this folder.

pub mod json;
pub mod text;

use crate::results::report::Report;

use super::{html, olv, popeye};

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ReportFormat {
    /// For reading
    Text,
    /// Indented JSON
    Json,
    /// The JSON object on one line
    Jsonl,
    /// The solution in Popeye's layout
    Popeye,
    /// A page with board and solution tree, for any browser
    Html,
    /// An .olv entry with the solution filled in
    Olv,
}

impl ReportFormat {
    /// The report, without a final line break.
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

    /// Whether a report on no position at all can be written: programs get an object in any case.
    pub fn writes_errors(self) -> bool {
        matches!(self, ReportFormat::Json | ReportFormat::Jsonl)
    }
}
