//! Checking files that claim mates, whoever wrote them.
//!
//! | file | what is checked | what that does not show |
//! |---|---|---|
//! | a certificate | the whole proof: every legal defence is answered, every line ends in checkmate | that nothing shorter exists |
//! | results, JSON or JSONL | the main line of every mate: legal, as long as claimed, ending in checkmate | that the mate is forced, that nothing shorter exists, that what is called refuted is |
//!
//! Nothing is searched, and nothing of the kernel or of the readers of problems is used: positions and moves come from
//! shakmaty alone. A main line that passes may still be one the defender need not enter; whoever says more than the
//! right-hand column allows has made of a check an assertion.

use std::fmt;

use serde::Deserialize;
use shakmaty::{Chess, Position as _, uci::UciMove};

use crate::proof::parse_position;

/// The files that can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// [`crate::proof::Certificate`].
    Certificate,
    /// Result objects: one, an array, or one a line.
    Results,
}

impl Kind {
    /// What a file is by its beginning; `None` if it is neither.
    pub fn of(bytes: &[u8]) -> Option<Kind> {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        match bytes.trim_ascii_start() {
            text if text.starts_with(b"matesolve certificate") => Some(Kind::Certificate),
            [b'{' | b'[', ..] => Some(Kind::Results),
            _ => None,
        }
    }
}

/// A result and what became of its claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Where the result stands in the file.
    pub place: Place,
    /// The problem's name.
    pub id: Option<String>,
    /// Whether a mate is claimed whose main line holds; `Ok(false)`: none is claimed.
    pub holds: Result<bool, LineFault>,
}

/// Where a result stands, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On this line of the file.
    Line(usize),
    /// At this place of the file's array.
    Element(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(number) => write!(f, "line {number}"),
            Place::Element(number) => write!(f, "result {number}"),
        }
    }
}

/// What is wrong with a claimed main line. Moves are quoted as the file writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineFault {
    /// It is not a result object; the text says why.
    Unreadable(String),
    /// A mate is claimed, but this field of the object is null.
    Missing(&'static str),
    /// The side to move is said to mate in no moves.
    NoMoves,
    /// The position cannot be played; the text says why.
    Position(String),
    /// The line has the wrong number of half-moves.
    Length {
        /// As the claim demands.
        claimed: usize,
        /// As it is.
        found: usize,
    },
    /// A half-move cannot be played.
    Illegal {
        /// Its number, from 1.
        ply: usize,
        /// The move.
        played: String,
    },
    /// At the end of the line nobody is checkmated.
    NotCheckmate {
        /// But stalemated.
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

/// What is looked at of a result object.
#[derive(Deserialize)]
struct Claim {
    id: Option<String>,
    fen: Option<String>,
    result: ClaimedResult,
}

#[derive(Deserialize)]
struct ClaimedResult {
    status: String,
    mate_in: Option<u16>,
    pv: Option<Vec<String>>,
}

/// Checks every result of a file: a JSON object, an array of them, or one on each line.
pub fn results(text: &str) -> Vec<Checked> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('[') {
        return match serde_json::from_str::<Vec<serde_json::Value>>(text) {
            Ok(elements) => {
                let read = |element| serde_json::from_value(element).map_err(|error| error.to_string());
                (1..).zip(elements).map(|(i, element)| checked(Place::Element(i), read(element))).collect()
            }
            Err(error) => vec![checked(Place::Line(error.line()), Err(error.to_string()))],
        };
    }
    if let Ok(claim) = serde_json::from_str(text) {
        return vec![checked(Place::Element(1), Ok(claim))];
    }
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |line| serde_json::from_str(line).map_err(|error| error.to_string());
    lines.map(|(number, line)| checked(Place::Line(number), read(line))).collect()
}

fn checked(place: Place, claim: Result<Claim, String>) -> Checked {
    match claim {
        Ok(claim) => Checked { place, holds: claim.check(), id: claim.id },
        Err(why) => Checked { place, id: None, holds: Err(LineFault::Unreadable(why)) },
    }
}

impl Claim {
    fn check(&self) -> Result<bool, LineFault> {
        let ClaimedResult { status, mate_in, pv } = &self.result;
        let mates = match status.as_str() {
            "mate" => true,
            "mated" => false,
            "no_mate" | "undecided" | "stalemate" | "invalid" => return Ok(false),
            other => return Err(LineFault::Unreadable(format!("\"{other}\" is no status"))),
        };
        let moves = usize::from(mate_in.ok_or(LineFault::Missing("mate_in"))?);
        let pv = pv.as_ref().ok_or(LineFault::Missing("pv"))?;
        let fen = self.fen.as_ref().ok_or(LineFault::Missing("fen"))?;
        let plies = if mates { (2 * moves).checked_sub(1).ok_or(LineFault::NoMoves)? } else { 2 * moves };
        check_line(parse_position(fen).map_err(LineFault::Position)?, pv, plies)?;
        Ok(true)
    }
}

/// Plays a line in UCI notation (castling also as king takes rook) that is to end in checkmate after so many half-moves.
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
        match &results(&text)[..] {
            [Checked { holds: Err(fault), .. }] => fault.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn every_fault_of_a_line_is_named() {
        assert!(fault("mate", "2", r#"["c6c7","a8a7","b1a1"]"#).contains("holds: Ok(true)"));
        assert!(fault("undecided", "null", "null").contains("holds: Ok(false)"));
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
            let said = fault("mate", mate_in, pv);
            assert!(said.contains(expected), "{said}");
        }
        assert!(fault("mated", "0", "[]").contains("does not end in checkmate"));
        assert!(fault("won", "1", "[]").contains("\"won\" is no status"));
    }

    #[test]
    fn both_ways_to_write_castling_are_played() {
        let holds = |fen: &str, castling: &str| {
            let text = format!(r#"{{"fen":"{fen}","result":{{"status":"mate","mate_in":1,"pv":["{castling}"]}}}}"#);
            results(&text)[0].holds.clone()
        };
        let standard = "5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1";
        assert_eq!(holds(standard, "e1g1"), Ok(true));
        assert_eq!(holds(standard, "e1h1"), Ok(true));
        assert_eq!(holds("5k2/8/8/8/8/8/4R1R1/5KR1 w K - 0 1", "f1g1"), Ok(true));
    }

    #[test]
    fn one_object_an_array_and_lines_are_read() {
        let one = r#"{"fen":null,"result":{"status":"invalid","mate_in":null,"pv":null}}"#;
        assert_eq!(results(one).len(), 1);
        assert_eq!(results(&format!("[{one},\n{one}]")).len(), 2);
        let lines = results(&format!("\u{feff}{one}\n\nnonsense\n{one}\n"));
        let places: Vec<_> = lines.iter().map(|checked| (checked.place.to_string(), checked.holds.is_ok())).collect();
        assert_eq!(places, [("line 1".to_owned(), true), ("line 3".to_owned(), false), ("line 4".to_owned(), true)]);
        assert!(results("[{]").iter().all(|checked| checked.holds.is_err()));
        assert!(results(&format!("[{one},{{}}]"))[1].holds.is_err());
    }

    #[test]
    fn kinds_are_told_by_their_beginning() {
        assert_eq!(Kind::of(b"matesolve certificate 1\n"), Some(Kind::Certificate));
        assert_eq!(Kind::of("\u{feff} [\n".as_bytes()), Some(Kind::Results));
        assert_eq!(Kind::of(b""), None);
        assert_eq!(Kind::of(b"7k/8/8/8/8/8/8/K7 w - -"), None);
    }
}
