//! Writes certified puzzles: as text those that are wrong or not decided, as JSON lines or as a table all of them; and
//! the totals.

use std::fmt;

use serde::Serialize;

use crate::base::printable;
use crate::results::puzzles::{Alternatives, Certified, PuzzleVerdict};

use super::csv;
use super::stream::{JsonForm, json_text};

/// The JSON Schema (draft 2020-12) of the object of a puzzle. `matesolve schema puzzle` prints it.
pub const SCHEMA: &str = include_str!("puzzles.json");

/// The version of the schema. It changes if a reader could break.
const SCHEMA_VERSION: &str = "1";

/// The output format of puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PuzzleFormat {
    /// A line for each puzzle that is not right, and the totals
    Text,
    /// One JSON object per line, for every puzzle
    Jsonl,
    /// A table with a row for every puzzle
    Csv,
}

impl PuzzleFormat {
    /// Returns the text for a puzzle of the input with this name, with its line break; empty if it is not listed.
    /// `is_first`: nothing has been written before.
    pub fn item(self, puzzle: &Certified, file: Option<&str>, is_first: bool) -> String {
        match self {
            PuzzleFormat::Text => text(puzzle, file),
            PuzzleFormat::Jsonl => {
                json_text(&PuzzleObject { schema_version: SCHEMA_VERSION, puzzle }, JsonForm::Line) + "\n"
            }
            PuzzleFormat::Csv if is_first => format!("{HEADER}{}\n", row(puzzle)),
            PuzzleFormat::Csv => row(puzzle) + "\n",
        }
    }
}

/// The names of the columns of a table.
const HEADER: &str = "line,id,fen,mate_in,proved,length_of_line,verdict,theme_right,alternatives,reason\n";

/// The object of a puzzle.
#[derive(Serialize)]
struct PuzzleObject<'a> {
    schema_version: &'static str,
    #[serde(flatten)]
    puzzle: &'a Certified,
}

fn row(puzzle: &Certified) -> String {
    let number = |number: Option<u16>| number.map_or_else(String::new, |number| number.to_string());
    let moves = |it: &Alternatives| format!("{}: {}", it.ply, it.moves.join(" "));
    csv::line(&[
        puzzle.line.to_string(),
        csv::text(puzzle.id.as_deref()),
        puzzle.fen.clone().unwrap_or_default(),
        number(puzzle.mate_in),
        puzzle.proved.to_string(),
        number(puzzle.length_of_line),
        csv::word(&puzzle.verdict),
        puzzle.theme_right.map_or_else(String::new, |right| right.to_string()),
        puzzle.alternatives.iter().map(moves).collect::<Vec<_>>().join("; "),
        csv::text(puzzle.reason.as_deref()),
    ])
}

/// Writes a line for a puzzle that is not right: its place, name, verdict and reason.
fn text(puzzle: &Certified, file: Option<&str>) -> String {
    if !puzzle.is_wrong() && puzzle.is_decided() {
        return String::new();
    }
    let file = file.map_or_else(String::new, |file| format!("{}:", printable::line(file)));
    let id = printable::line(puzzle.id.as_deref().unwrap_or("-"));
    let reason = printable::line(puzzle.reason.as_deref().unwrap_or_default());
    let verdict = match &puzzle.verdict {
        _ if puzzle.failed => "failed".to_owned(),
        None => "undecided".to_owned(),
        Some(PuzzleVerdict::Right) => "wrong theme".to_owned(),
        Some(verdict) => csv::word(verdict),
    };
    format!("{:>8} {id:<10} {verdict:<18} {reason}\n", format!("{file}{}", puzzle.line))
}

/// The totals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PuzzleTally {
    puzzles: usize,
    /// The number of answers with each verdict, as [`PuzzleVerdict::ALL`] lists them.
    verdicts: [usize; PuzzleVerdict::ALL.len()],
    undecided: usize,
    failed: usize,
    /// The puzzles with a theme `mateInN` that is proved wrong.
    wrong_themes: usize,
}

impl PuzzleTally {
    /// Counts an answer.
    pub fn add(&mut self, answer: &Certified) {
        self.puzzles += 1;
        self.wrong_themes += usize::from(answer.theme_right == Some(false));
        match answer.verdict {
            _ if answer.failed => self.failed += 1,
            None => self.undecided += 1,
            Some(verdict) => {
                let known = PuzzleVerdict::ALL.iter().zip(&mut self.verdicts);
                known.filter(|(other, _)| **other == verdict).for_each(|(_, count)| *count += 1);
            }
        }
    }
}

impl fmt::Display for PuzzleTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "puzzles {}:", self.puzzles)?;
        for (verdict, count) in PuzzleVerdict::ALL.iter().zip(self.verdicts) {
            write!(f, " {} {count},", csv::word(verdict))?;
        }
        write!(f, " undecided {}, failed {}; wrong themes {}", self.undecided, self.failed, self.wrong_themes)
    }
}
