//! The output formats of an audit.
//!
//! | file | format |
//! |---|---|
//! | `text` | a line for each problem and one for each finding |
//! | `json` | the audit object, and its JSON Schema |
//! | `csv` | a row for each problem |
//! | `table` | the totals at the end |

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
