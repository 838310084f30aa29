//! From result to text. Pure functions: they read a [`Solution`] and return a string, and nothing else.
//!
//! | file | for |
//! |---|---|
//! | `text` | people: one problem in a few lines, or one line of a batch |
//! | `json` | programs: the result object and its schema |
//! | `report` | the composer's report: text, JSON and its schema |
//! | `epd` | suites: the position with `dm`, `bm`, `pv` and what it cost |
//! | `olv` | collections: entries with their solution filled in |
//! | `html` | a browser: board and solution tree in one file |
//! | `popeye` | sites and programs that read Popeye's solutions |
//! | `svg` | print and pages: a diagram |

pub mod epd;
pub mod html;
pub mod json;
pub mod olv;
pub mod popeye;
pub mod report;
#[cfg(test)]
mod sample;
pub mod svg;
pub mod text;

use crate::results::Solution;

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For reading
    Text,
    /// Indented JSON; a batch is one array
    Json,
    /// One JSON object a line
    Jsonl,
    /// One EPD line a problem
    Epd,
}

impl Format {
    /// A single problem's result, without a final line break.
    pub fn single(self, solution: &Solution) -> String {
        match self {
            Format::Text => text::full(solution),
            Format::Json => json::pretty(solution),
            Format::Jsonl => json::line(solution),
            Format::Epd => epd::line(solution),
        }
    }

    /// A result among several, without a final line break; `first` is set for the first.
    pub fn item(self, solution: &Solution, first: bool) -> String {
        match self {
            Format::Text => text::row(solution),
            Format::Json => format!("{}{}", if first { "[\n" } else { ",\n" }, json::pretty(solution)),
            Format::Jsonl | Format::Epd => self.single(solution),
        }
    }

    /// What follows the last of several results; `none` is set if there was not one.
    pub fn end(self, none: bool) -> Option<&'static str> {
        match self {
            Format::Json if none => Some("[]\n"),
            Format::Json => Some("\n]\n"),
            _ => None,
        }
    }

    /// What follows a result among several.
    pub fn separator(self) -> &'static str {
        if self == Format::Json { "" } else { "\n" }
    }
}
