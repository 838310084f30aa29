//! Checks files that claim mates or other solutions, written by matesolve or by another program.
//!
//! | file | what is checked | what the check does not show |
//! |---|---|---|
//! | certificate | every claim, by its whole proof: each legal defence is answered and each line ends in the goal, or each move of the attacker has a reply | what the file does not claim |
//! | results (JSON or JSONL) | every main line: it is legal, as long as claimed, no longer than asked, and ends with the goal; of help play every line, its notation, and the verdict that the lines give | that the goal is forced, that no shorter solution exists, that any refutation is correct, that there are no other lines |
//!
//! This module reads files of results, `line` checks one result, and `lines` one of help play;
//! [`crate::proof::CheckedCertificate`] checks certificates. Nothing is searched. Positions and moves come from
//! shakmaty, and not from the code that the searches use. A main line is only one line: the defender may have a better
//! move, so a correct main line does not prove that the goal is forced.

use std::io::{self, BufRead};

use thiserror::Error;

use crate::base::json_fault::json_fault;
use crate::base::lines::LONGEST_RESULT;
use crate::problem::input::objects::Item;
use crate::problem::input::{InputFormat, objects_of};
use crate::results::Solution;

mod line;
mod lines;

#[cfg(feature = "cli")]
pub(crate) use line::check;

/// The kinds of files that can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A certificate, see [`crate::proof::Certificate`].
    Certificate,
    /// Result objects in JSON: a single object, an array, or one object per line.
    Results,
    /// What another command has written, by its name: there is nothing in it that is replayed.
    Of(&'static str),
}

/// A field of what other commands write, which no result of `solve` and `batch` has before its `result`.
const OF_OTHERS: [(&str, &str); 3] =
    [("\"position\":", "report"), ("\"authors\":", "audit"), ("\"length_of_line\":", "puzzles")];

impl FileKind {
    /// Recognises a file by its beginning. Returns `None` if it is neither a certificate nor JSON.
    pub fn of(bytes: &[u8]) -> Option<FileKind> {
        match InputFormat::of(bytes) {
            InputFormat::Certificate => Some(FileKind::Certificate),
            InputFormat::Json | InputFormat::JsonLines => {
                let start = String::from_utf8_lossy(bytes);
                let before = start.split("\"result\":").next().filter(|text| text.contains("\"schema_version\":"));
                let other = OF_OTHERS.iter().find(|(field, _)| before.is_some_and(|text| text.contains(field)));
                Some(other.map_or(FileKind::Results, |(_, command)| FileKind::Of(command)))
            }
            _ => None,
        }
    }
}

/// A result from the file together with the outcome of its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedResult {
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// The name of the problem.
    pub id: Option<String>,
    /// The outcome of the check, or the first fault of the main line.
    pub outcome: Result<LineCheck, LineFault>,
}

/// Checks every result of a file, in its order, and passes them to `emit`. The file is a single JSON object, an array
/// of objects, or objects one after the other. One result is in memory at a time, and of a result at most 16 MiB.
///
/// # Errors
/// If the input cannot be read.
pub fn check_results(input: impl BufRead, emit: &mut dyn FnMut(CheckedResult)) -> io::Result<()> {
    for object in objects_of(input, LONGEST_RESULT) {
        let object = object?;
        let (line, claim) = (object.line, claim(&object));
        emit(match claim {
            Ok(claim) => CheckedResult { line, outcome: line::check(&claim), id: claim.id },
            Err(why) => CheckedResult { line, id: None, outcome: Err(LineFault::Unreadable(why)) },
        });
    }
    Ok(())
}

/// Reads a result, or says why it is none.
fn claim(object: &Item) -> Result<Solution, String> {
    match &object.fault {
        Some(why) => Err(why.clone()),
        None if object.is_cut => Err(format!("it is longer than {LONGEST_RESULT} bytes")),
        None => serde_json::from_slice(&object.bytes).map_err(|error| json_fault(&error)),
    }
}

/// The outcome of checking a result without faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineCheck {
    /// The result claims a mate or another goal, and all its main lines end as claimed.
    Mates,
    /// The result lists this number of lines of help play, and all reach the goal.
    HelpLines(usize),
    /// The result claims no solution, so there is nothing to check.
    NoMateClaimed,
}

/// What is wrong with a line of help play that is no solution.
const NO_LINE: &str = "does not hold: a move may not be made, the number of half-moves or the notation is another, or the \
                       goal does not stand at its end";

/// The fault of a claimed main line. Moves are quoted as the file writes them.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineFault {
    /// The JSON value is not a result object; the text says why.
    #[error("not a result of matesolve: {0}")]
    Unreadable(String),
    /// The result claims a solution, but this field of the object is missing or null.
    #[error("a mate is claimed, but \"{0}\" is missing")]
    Missing(&'static str),
    /// The position is not legal; the text says why.
    #[error("the position cannot be played: {0}")]
    Position(String),
    /// The main line has a different number of half-moves than the claimed solution.
    #[error("the claimed mate takes {claimed} half-moves, and the main line has {found}")]
    Length {
        /// The number of half-moves of the claimed solution.
        claimed: usize,
        /// The number of half-moves of the main line.
        found: usize,
    },
    /// A move is not legal.
    #[error("half-move {ply} of the main line, \"{played}\", is not legal, or may not be made")]
    Illegal {
        /// The number of the half-move, from 1.
        ply: usize,
        /// The move, at most its first 20 characters.
        played: String,
    },
    /// The last position of the line is not checkmate.
    #[error("the main line {}", if *.stalemate { "ends in stalemate" } else { "does not end in checkmate" })]
    NotCheckmate {
        /// Whether it is stalemate.
        stalemate: bool,
    },
    /// The last position of the line is not the one that another stipulation asks for.
    #[error("the main line does not end as the stipulation asks")]
    NotTheGoal,
    /// A line of help play is not one of its question, or stands twice.
    #[error("line {number} of \"{list}\" {}", if *.twice { "has the moves of another" } else { NO_LINE })]
    HelpLine {
        /// The field of its list.
        list: &'static str,
        /// Its number in the list, from 1.
        number: usize,
        /// Whether it stands twice.
        twice: bool,
    },
    /// The claimed solution is none of the question: its goal, its side or its length is another.
    #[error("what is claimed does not answer the stipulation")]
    OtherQuestion,
    /// This field contradicts the others: the lines, the bounds or the position.
    #[error("\"{0}\" contradicts the other fields")]
    OtherClaim(&'static str),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(text: &str) -> Vec<CheckedResult> {
        let mut results = Vec::new();
        // A tiny buffer makes results span several reads.
        let input = io::BufReader::with_capacity(7, text.as_bytes());
        check_results(input, &mut |checked| results.push(checked)).expect("a text can be read");
        results
    }

    #[test]
    fn a_single_object_an_array_and_json_lines_are_read() {
        let one = r#"{"fen":null,"result":{"status":"invalid","mate_in":null,"pv":null}}"#;
        assert_eq!(results(one).len(), 1);
        assert_eq!(results(&format!("[{one},\n{one}]")).len(), 2);
        let lines = results(&format!("\u{feff}{one}\n\nnonsense\n{one}\n"));
        let places: Vec<_> = lines.iter().map(|checked| (checked.line, checked.outcome.is_ok())).collect();
        assert_eq!(places, [(1, true), (3, false), (4, true)]);
        assert!(results("[{]").iter().all(|checked| checked.outcome.is_err()));
        assert!(results(&format!("[{one},{{}}]"))[1].outcome.is_err());
        let cut_off = results(&format!("[{one},\n"));
        assert!(cut_off.len() == 2 && cut_off[0].outcome.is_ok() && cut_off[1].outcome.is_err(), "{cut_off:?}");
        let numbered = results(&one.replacen('{', "{\"id\":7,", 1));
        assert_eq!((numbered[0].id.as_deref(), &numbered[0].outcome), (Some("7"), &Ok(LineCheck::NoMateClaimed)));
    }

    #[test]
    fn a_result_that_is_too_long_is_a_fault_of_its_own() {
        let one = r#"{"fen":null,"result":{"status":"invalid","mate_in":null,"pv":null}}"#;
        let long = format!("{{\"id\":\"{}\"}}", "x".repeat(LONGEST_RESULT));
        let faults = |text: &str| -> Vec<String> {
            let outcome = |checked: CheckedResult| match checked.outcome {
                Ok(_) => String::new(),
                Err(fault) => format!("line {}: {fault}", checked.line),
            };
            results(text).into_iter().map(outcome).collect()
        };
        let lines = faults(&format!("{one}\n{long}\n{one}\n"));
        assert_eq!((lines.len(), &lines[0], &lines[2]), (3, &String::new(), &String::new()));
        assert_eq!(lines[1], "line 2: not a result of matesolve: it is longer than 16777216 bytes");
        let array = faults(&format!("[{one},\n{long},{one}]"));
        assert_eq!((array.len(), &array[0], &array[2]), (3, &String::new(), &String::new()));
        assert_eq!(array[1], "line 2: not a result of matesolve: it is longer than 16777216 bytes");
    }

    #[test]
    fn file_kinds_are_recognised_by_their_beginning() {
        assert_eq!(FileKind::of(b"matesolve certificate 1\n"), Some(FileKind::Certificate));
        assert_eq!(FileKind::of("\u{feff} [\n".as_bytes()), Some(FileKind::Results));
        for (text, kind) in [
            (
                r#"{"schema_version": "1", "id": "\"position\":", "fen": null, "result": {}, "authors": []}"#,
                FileKind::Results,
            ),
            (r#"{"schema_version":"1","line":1,"id":null,"position":{"fen":"#, FileKind::Of("report")),
            (r#"{"schema_version":"1","file":"a","line":1,"id":null,"authors":[]"#, FileKind::Of("audit")),
            (r#"{"schema_version":"1","line":1,"id":null,"fen":null,"length_of_line":null"#, FileKind::Of("puzzles")),
        ] {
            assert_eq!(FileKind::of(text.as_bytes()), Some(kind), "{text}");
        }
        assert_eq!(FileKind::of(b""), None);
        assert_eq!(FileKind::of(b"7k/8/8/8/8/8/8/K7 w - -"), None);
    }
}
