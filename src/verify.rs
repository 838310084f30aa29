//! Checks files that claim mates, written by matesolve or by another program.
//!
//! | file | what is checked | what the check does not show |
//! |---|---|---|
//! | certificate | the whole proof: every legal defence is answered, and every line ends in checkmate | that no shorter mate exists |
//! | results (JSON or JSONL) | the main line of every mate: it is legal, as long as claimed, and ends in checkmate | that the mate is forced, that no shorter mate exists, that any refutation is correct |
//!
//! This module checks results; [`crate::proof::Certificate`] checks certificates. Nothing is searched. Positions and
//! moves come from shakmaty alone, not from the code that the searches and the problem readers use. A main line is only
//! one line: the defender may have a better move, so a correct main line does not prove the mate.

use std::fmt;

use serde::Deserialize;
use shakmaty::{Chess, Position as _, uci::UciMove};

use crate::printable::{excerpt, shortened};
use crate::proof::parse_position;

/// The kinds of files that can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A certificate, see [`crate::proof::Certificate`].
    Certificate,
    /// Result objects in JSON: a single object, an array, or one object per line.
    Results,
}

impl FileKind {
    /// Recognises a file by its beginning. Returns `None` if it is neither a certificate nor JSON.
    pub fn of(bytes: &[u8]) -> Option<FileKind> {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        match bytes.trim_ascii_start() {
            text if text.starts_with(b"matesolve certificate") => Some(FileKind::Certificate),
            [b'{' | b'[', ..] => Some(FileKind::Results),
            _ => None,
        }
    }
}

/// A result from the file together with the outcome of its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedResult {
    /// The place of the result in the file.
    pub place: ResultPlace,
    /// The name of the problem.
    pub id: Option<String>,
    /// The outcome of the check, or the first fault of the main line.
    pub outcome: Result<LineCheck, LineFault>,
}

/// The outcome of checking a result without faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineCheck {
    /// The result claims a mate, and its main line ends in checkmate as claimed.
    Mates,
    /// The result claims no mate, so there is nothing to check.
    NoMateClaimed,
}

/// The place of a result in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultPlace {
    /// The line number, from 1.
    Line(usize),
    /// The index in the JSON array, from 1.
    Element(usize),
}

impl fmt::Display for ResultPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResultPlace::Line(number) => write!(f, "line {number}"),
            ResultPlace::Element(number) => write!(f, "result {number}"),
        }
    }
}

/// The fault of a claimed main line. Moves are quoted as the file writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineFault {
    /// The JSON value is not a result object; the text says why.
    Unreadable(String),
    /// The result claims a mate, but this field of the object is null.
    Missing(&'static str),
    /// The result claims that the side to move mates in 0 moves.
    NoMoves,
    /// The position is not legal; the text says why.
    Position(String),
    /// The main line has a different number of half-moves than the claimed mate takes.
    Length {
        /// The number of half-moves of the claimed mate.
        claimed: usize,
        /// The number of half-moves of the main line.
        found: usize,
    },
    /// A move is not legal.
    Illegal {
        /// The number of the half-move, from 1.
        ply: usize,
        /// The move, at most its first 20 characters.
        played: String,
    },
    /// The last position of the line is not checkmate.
    NotCheckmate {
        /// Whether it is stalemate.
        stalemate: bool,
    },
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineFault::Unreadable(why) => write!(f, "not a result of matesolve: {why}"),
            LineFault::Missing(field) => write!(f, "a mate is claimed, but \"{field}\" is missing"),
            LineFault::NoMoves => f.write_str("the side to move cannot mate in 0 moves"),
            LineFault::Position(why) => write!(f, "the position cannot be played: {why}"),
            LineFault::Length { claimed, found } => {
                write!(f, "the claimed mate takes {claimed} half-moves, and the main line has {found}")
            }
            LineFault::Illegal { ply, played } => {
                write!(f, "half-move {ply} of the main line, \"{played}\", is not legal")
            }
            LineFault::NotCheckmate { stalemate: true } => f.write_str("the main line ends in stalemate"),
            LineFault::NotCheckmate { stalemate: false } => f.write_str("the main line does not end in checkmate"),
        }
    }
}

impl std::error::Error for LineFault {}

/// The fields of a result object that the check reads.
#[derive(Deserialize)]
struct Claim {
    id: Option<serde_json::Value>,
    fen: Option<String>,
    result: ClaimedResult,
}

#[derive(Deserialize)]
struct ClaimedResult {
    status: String,
    mate_in: Option<u16>,
    pv: Option<Vec<String>>,
}

/// Checks every result of a file: a single JSON object, an array of objects, or one object per line.
pub fn check_results(text: &str) -> Vec<CheckedResult> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('[') {
        return match serde_json::from_str::<Vec<serde_json::Value>>(text) {
            Ok(elements) => {
                let read = |element| serde_json::from_value(element).map_err(|error| shortened(&error.to_string()));
                (1..).zip(elements).map(|(i, element)| check_claim(ResultPlace::Element(i), read(element))).collect()
            }
            Err(error) => vec![check_claim(ResultPlace::Line(error.line()), Err(shortened(&error.to_string())))],
        };
    }
    if let Ok(claim) = serde_json::from_str(text) {
        return vec![check_claim(ResultPlace::Element(1), Ok(claim))];
    }
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |line| serde_json::from_str(line).map_err(|error| shortened(&error.to_string()));
    lines.map(|(number, line)| check_claim(ResultPlace::Line(number), read(line))).collect()
}

fn check_claim(place: ResultPlace, claim: Result<Claim, String>) -> CheckedResult {
    match claim {
        Ok(claim) => {
            let id = claim.id.as_ref().map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
            CheckedResult { place, outcome: claim.check(), id }
        }
        Err(why) => CheckedResult { place, id: None, outcome: Err(LineFault::Unreadable(why)) },
    }
}

impl Claim {
    fn check(&self) -> Result<LineCheck, LineFault> {
        let ClaimedResult { status, mate_in, pv } = &self.result;
        let to_move_mates = match status.as_str() {
            "mate" => true,
            "mated" => false,
            "no_mate" | "undecided" | "stalemate" | "invalid" => return Ok(LineCheck::NoMateClaimed),
            other => return Err(LineFault::Unreadable(format!("\"{}\" is not a status", excerpt(other)))),
        };
        let moves = usize::from(mate_in.ok_or(LineFault::Missing("mate_in"))?);
        let pv = pv.as_ref().ok_or(LineFault::Missing("pv"))?;
        let fen = self.fen.as_ref().ok_or(LineFault::Missing("fen"))?;
        let plies = if to_move_mates { (2 * moves).checked_sub(1).ok_or(LineFault::NoMoves)? } else { 2 * moves };
        check_line(parse_position(fen).map_err(LineFault::Position)?, pv, plies)?;
        Ok(LineCheck::Mates)
    }
}

/// Plays a line in UCI notation and checks that it has `plies` half-moves and ends in checkmate. Castling may also be
/// written as king takes rook.
fn check_line(mut position: Chess, line: &[String], plies: usize) -> Result<(), LineFault> {
    if line.len() != plies {
        return Err(LineFault::Length { claimed: plies, found: line.len() });
    }
    for (ply, text) in (1..).zip(line) {
        let illegal = || LineFault::Illegal { ply, played: text.chars().take(20).collect() };
        let m = text.parse::<UciMove>().map_err(|_| illegal())?.to_move(&position).map_err(|_| illegal())?;
        position.play_unchecked(m);
    }
    if position.is_checkmate() {
        return Ok(());
    }
    Err(LineFault::NotCheckmate { stalemate: position.is_stalemate() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(status: &str, mate_in: &str, pv: &str) -> String {
        let fen = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1";
        let text = format!(r#"{{"fen":"{fen}","result":{{"status":"{status}","mate_in":{mate_in},"pv":{pv},"x":1}}}}"#);
        match &check_results(&text)[..] {
            [CheckedResult { outcome: Err(fault), .. }] => fault.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn every_fault_of_a_main_line_is_reported() {
        assert!(fault("mate", "2", r#"["c6c7","a8a7","b1a1"]"#).contains("outcome: Ok(Mates)"));
        assert!(fault("undecided", "null", "null").contains("outcome: Ok(NoMateClaimed)"));
        for (mate_in, pv, expected) in [
            ("1", r#"["c6c7","a8a7","b1a1"]"#, "takes 1 half-moves, and the main line has 3"),
            ("2", r#"["c6c7"]"#, "takes 3 half-moves, and the main line has 1"),
            ("2", r#"["c6c7","a8b8","b1a1"]"#, "half-move 2 of the main line, \"a8b8\", is not legal"),
            ("2", r#"["c6c7","a8a7","rook"]"#, "half-move 3 of the main line, \"rook\", is not legal"),
            ("2", r#"["c6c7","a8a7","b1b7"]"#, "does not end in checkmate"),
            ("0", "[]", "cannot mate in 0 moves"),
            ("null", "[]", "\"mate_in\" is missing"),
            ("2", "null", "\"pv\" is missing"),
        ] {
            let found = fault("mate", mate_in, pv);
            assert!(found.contains(expected), "{found}");
        }
        assert!(fault("mated", "0", "[]").contains("does not end in checkmate"));
        assert!(fault("won", "1", "[]").contains("\"won\" is not a status"));
    }

    #[test]
    fn castling_may_be_written_in_both_ways() {
        let outcome = |fen: &str, castling: &str| {
            let text = format!(r#"{{"fen":"{fen}","result":{{"status":"mate","mate_in":1,"pv":["{castling}"]}}}}"#);
            check_results(&text)[0].outcome.clone()
        };
        let standard = "5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1";
        assert_eq!(outcome(standard, "e1g1"), Ok(LineCheck::Mates));
        assert_eq!(outcome(standard, "e1h1"), Ok(LineCheck::Mates));
        assert_eq!(outcome("5k2/8/8/8/8/8/4R1R1/5KR1 w K - 0 1", "f1g1"), Ok(LineCheck::Mates));
    }

    #[test]
    fn a_single_object_an_array_and_json_lines_are_read() {
        let one = r#"{"fen":null,"result":{"status":"invalid","mate_in":null,"pv":null}}"#;
        assert_eq!(check_results(one).len(), 1);
        assert_eq!(check_results(&format!("[{one},\n{one}]")).len(), 2);
        let lines = check_results(&format!("\u{feff}{one}\n\nnonsense\n{one}\n"));
        let places: Vec<_> = lines.iter().map(|checked| (checked.place.to_string(), checked.outcome.is_ok())).collect();
        assert_eq!(places, [("line 1".to_owned(), true), ("line 3".to_owned(), false), ("line 4".to_owned(), true)]);
        assert!(check_results("[{]").iter().all(|checked| checked.outcome.is_err()));
        assert!(check_results(&format!("[{one},{{}}]"))[1].outcome.is_err());
    }

    #[test]
    fn file_kinds_are_recognised_by_their_beginning() {
        assert_eq!(FileKind::of(b"matesolve certificate 1\n"), Some(FileKind::Certificate));
        assert_eq!(FileKind::of("\u{feff} [\n".as_bytes()), Some(FileKind::Results));
        assert_eq!(FileKind::of(b""), None);
        assert_eq!(FileKind::of(b"7k/8/8/8/8/8/8/K7 w - -"), None);
    }
}
