//! The output formats of an audit. `src/cli/audit` writes pages and collections.
//!
//! | file | format |
//! |---|---|
//! | `text` | a line for each problem, and lines for its findings |
//! | `json` | the audit object, and its JSON Schema |
//! | `csv` | a row for each problem |
//! | `table` | the totals at the end |

use crate::results::audit::Audit;

pub mod csv;
pub mod json;
pub mod table;
pub mod text;

/// The output format of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditFormat {
    /// A line for each problem, what was found below it, and a table at the end
    Text,
    /// One JSON object per line
    Jsonl,
    /// A table with a row for each problem
    Csv,
    /// A page with boards and solutions, and what was found
    Html,
    /// The .olv collection with its solutions written anew
    Olv,
}

impl AuditFormat {
    /// Returns what stands before the first problem.
    pub fn start(self) -> &'static str {
        if self == AuditFormat::Csv { csv::HEADER } else { "" }
    }

    /// Writes the audit of one of several problems, with its line break; nothing in a page or a collection. `file` is
    /// the name of its input, which a text shows only if it is one of `several`.
    pub fn item(self, audit: &Audit, file: &str, several: bool) -> String {
        match self {
            AuditFormat::Text if several => format!("{file}:{}", text::entry(audit)),
            AuditFormat::Text => text::entry(audit),
            AuditFormat::Jsonl => json::line(audit, file) + "\n",
            AuditFormat::Csv => csv::row(audit, file) + "\n",
            AuditFormat::Html | AuditFormat::Olv => String::new(),
        }
    }
}
