//! The check of one result: its main line is legal, as long as the claimed mate, and ends in checkmate.

use std::fmt;

use serde::Deserialize;
use shakmaty::{Chess, Position as _, uci::UciMove};

use crate::base::printable::excerpt;
use crate::proof::parse_position;

/// The outcome of checking a result without faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineCheck {
    /// The result claims a mate, and its main line ends in checkmate as claimed.
    Mates,
    /// The result claims no mate, so there is nothing to check.
    NoMateClaimed,
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
pub(super) struct ClaimedObject {
    pub(super) id: Option<JsonId>,
    fen: Option<String>,
    result: ClaimedResult,
}

/// The name of a problem, or its number.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum JsonId {
    Text(String),
    Number(serde_json::Number),
}

impl JsonId {
    pub(super) fn text(self) -> String {
        match self {
            JsonId::Text(text) => text,
            JsonId::Number(number) => number.to_string(),
        }
    }
}

#[derive(Deserialize)]
struct ClaimedResult {
    status: String,
    mate_in: Option<u16>,
    pv: Option<Vec<String>>,
}

impl ClaimedObject {
    pub(super) fn check(&self) -> Result<LineCheck, LineFault> {
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

    fn checked(text: &str) -> Result<LineCheck, LineFault> {
        serde_json::from_str::<ClaimedObject>(text).unwrap().check()
    }

    fn fault(status: &str, mate_in: &str, pv: &str) -> String {
        let fen = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1";
        let text = format!(r#"{{"fen":"{fen}","result":{{"status":"{status}","mate_in":{mate_in},"pv":{pv},"x":1}}}}"#);
        checked(&text).map_or_else(|fault| fault.to_string(), |check| format!("{check:?}"))
    }

    #[test]
    fn every_fault_of_a_main_line_is_reported() {
        assert_eq!(fault("mate", "2", r#"["c6c7","a8a7","b1a1"]"#), "Mates");
        assert_eq!(fault("undecided", "null", "null"), "NoMateClaimed");
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
            checked(&text)
        };
        let standard = "5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1";
        assert_eq!(outcome(standard, "e1g1"), Ok(LineCheck::Mates));
        assert_eq!(outcome(standard, "e1h1"), Ok(LineCheck::Mates));
        assert_eq!(outcome("5k2/8/8/8/8/8/4R1R1/5KR1 w K - 0 1", "f1g1"), Ok(LineCheck::Mates));
    }
}
