//! Turns results into text: the output formats. They return strings, or write into what they are given; nothing here
//! opens a file or prints.
//!
//! | file | content |
//! |---|---|
//! | `audit` | the audit of a published problem as text, JSON or a row of a table, the JSON Schema, and the totals |
//! | `board` | a diagram as text |
//! | `clean` | replaces unsafe characters in the texts of a result |
//! | `text` | a result as plain text: a few lines, or one line in a batch |
//! | `json` | a result as JSON, and the JSON Schema |
//! | `report` | a composer's report as plain text or JSON, and the JSON Schema |
//! | `puzzles` | a certified puzzle as text, JSON or a row of a table, the JSON Schema, and the totals |
//! | `epd` | a result as an EPD line with `dm`, `bm`, `pv` and node counts |
//! | `csv` | a result as a row of a table |
//! | `olv` | a report as an `.olv` entry with its solution |
//! | `pgn` | reports and results as games with variations |
//! | `html` | a report as a page with board and solution tree |
//! | `latex` | a report or a diagram as a document for pdflatex |
//! | `booklet` | many reports as one page or document |
//! | `popeye` | a report in Popeye's layout |
//! | `stream` | JSON written piece by piece |
//! | `styles` | the styles of text |
//! | `svg` | a diagram as a picture |
//! | `workbench` | proposals and what each man is for, as text and JSON |

pub mod audit;
pub mod board;
pub mod booklet;
mod clean;
pub(crate) mod csv;
pub mod epd;
pub mod html;
pub mod json;
pub mod latex;
pub mod olv;
mod pgn;
pub mod popeye;
pub mod puzzles;
pub mod report;
#[cfg(test)]
pub(crate) mod sample;
mod stream;
mod styles;
pub mod svg;
pub mod text;
pub mod workbench;

use std::io::{self, Write};

use crate::results::Solution;

use stream::JsonForm;

/// Returns a text format without the codes that colour it on a terminal.
///
/// ```
/// use matesolve::{Problem, Solver, output::{self, Format}};
///
/// let problem = Problem::read("7k/5Q2/6K1/8/8/8/8/8 w - -").unwrap();
/// let text = output::plain(&Format::Text.single(&Solver::new().solve(&problem)));
/// assert!(text.starts_with("mate in 1"), "{text}");
/// ```
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// The output format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// A game per problem: its main line
    Pgn,
}

impl Format {
    /// Returns the result of a single problem, without a final line break.
    pub fn single(self, solution: &Solution) -> String {
        stream::text(|out| self.write(solution, out))
    }

    /// Writes the result of a single problem, without a final line break. Solutions of help play are written one after
    /// another, and the text takes no memory.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(self, solution: &Solution, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Format::Text => text::full(&clean::solution(solution), out),
            Format::Json => json::write(solution, JsonForm::Indented, out),
            Format::Jsonl => json::write(solution, JsonForm::Line, out),
            Format::Epd => out.write_all(epd::line(&clean::solution(solution)).as_bytes()),
            Format::Csv => write!(out, "{}{}", csv::HEADER, csv::row(&clean::solution(solution))),
            Format::Pgn => out.write_all(pgn::of_solution(&clean::solution(solution)).trim_end().as_bytes()),
        }
    }

    /// Writes one of several results, without a final line break. `first` is set for the first result.
    ///
    /// # Errors
    /// Those of [`Format::write`].
    pub fn write_item(self, solution: &Solution, first: bool, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Format::Text => out.write_all(text::row(&clean::solution(solution)).as_bytes()),
            Format::Csv if !first => out.write_all(csv::row(&clean::solution(solution)).as_bytes()),
            Format::Json => {
                out.write_all(if first { b"[\n" } else { b",\n" })?;
                self.write(solution, out)
            }
            Format::Jsonl | Format::Epd | Format::Csv | Format::Pgn => self.write(solution, out),
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
        match self {
            Format::Json => "",
            Format::Pgn => "\n\n",
            _ => "\n",
        }
    }
}
