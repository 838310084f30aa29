//! Writes the answers of the workbench. `src/cli/workbench` writes them in the other formats.
//!
//! | file | idea |
//! |---|---|
//! | `json` | one JSON object for a whole answer, or one for each proposal |
//! | `text` | lists for people |

pub mod json;
pub mod text;

/// The output format of the workbench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkbenchFormat {
    /// A list for people
    Text,
    /// One JSON object for the whole answer
    Json,
    /// One JSON object per line for each proposal, the best first
    Jsonl,
    /// One line of EPD for each proposal
    Epd,
    /// The proposals as entries of a collection, with their solutions
    Olv,
    /// A page with diagrams and solutions of the proposals
    Html,
}
