//! Writes results and reports as text, in all output formats.
//!
//! These are pure functions: they return strings and have no other effect.
//!
//! | file | content |
//! |---|---|
//! | `audit` | the audit of a published problem as text or JSON, the JSON Schema, and the totals |
//! | `clean` | replaces control characters in the texts of a result or report |
//! | `text` | a result as plain text: a few lines, or one line in a batch |
//! | `json` | a result as JSON, and the JSON Schema |
//! | `report` | a composer's report as plain text or JSON, and the JSON Schema |
//! | `puzzles` | a certified puzzle as text, JSON or a row of a table, the JSON Schema, and the totals |
//! | `epd` | a result as an EPD line with `dm`, `bm`, `pv` and node counts |
//! | `csv` | a result as a row of a table |
//! | `olv` | a report as an `.olv` entry with its solution |
//! | `html` | a report as a page with board and solution tree |
//! | `popeye` | a report in Popeye's layout |
//! | `stream` | JSON written piece by piece |
//! | `svg` | a diagram as a picture |

pub(crate) mod audit;
mod clean;
pub(crate) mod csv;
pub(crate) mod epd;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod olv;
pub mod popeye;
#[cfg(feature = "cli")]
pub(crate) mod puzzles;
pub mod report;
#[cfg(test)]
mod sample;
mod stream;
pub mod svg;
pub(crate) mod text;

use crate::results::Solution;

/// The output format of results. (The comments of the variants are help texts of `--format`.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Format {
    /// Plain text, for reading
    Text,
    /// Indented JSON; a batch is one array
    Json,
    /// One JSON object per line
    Jsonl,
    /// One EPD line per problem
    Epd,
    /// A table: a header, and one row per problem
    Csv,
}

impl Format {
    /// Writes the result of a single problem, without a final line break.
    pub fn single(self, solution: &Solution) -> String {
        match self {
            Format::Text => text::full(&clean::solution(solution)),
            Format::Json => json::pretty(solution),
            Format::Jsonl => json::line(solution),
            Format::Epd => epd::line(&clean::solution(solution)),
            Format::Csv => format!("{}{}", csv::HEADER, csv::row(&clean::solution(solution))),
        }
    }

    /// Writes one of several results, without a final line break. `first` is set for the first result.
    pub fn item(self, solution: &Solution, first: bool) -> String {
        match self {
            Format::Text => text::row(&clean::solution(solution)),
            Format::Json => format!("{}{}", if first { "[\n" } else { ",\n" }, json::pretty(solution)),
            Format::Csv if !first => csv::row(&clean::solution(solution)),
            Format::Jsonl | Format::Epd | Format::Csv => self.single(solution),
        }
    }

    /// Returns the text after the last of several results. `none` is set if there were no results.
    pub fn end(self, none: bool) -> Option<&'static str> {
        match self {
            Format::Json if none => Some("[]\n"),
            Format::Json => Some("\n]\n"),
            Format::Csv if none => Some(csv::HEADER),
            _ => None,
        }
    }

    /// Returns the text after each of several results.
    pub fn separator(self) -> &'static str {
        if self == Format::Json { "" } else { "\n" }
    }
}
