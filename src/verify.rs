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
use std::io::{self, BufRead, Read};

use serde::Deserialize;
use shakmaty::{Chess, Position as _, uci::UciMove};

use crate::base::lines::{LONGEST_RESULT, Lines};
use crate::base::printable::{excerpt, json_fault};
use crate::chess::{End, Goal, MateLength, Stipulation};
use crate::problem::input::InputFormat;
use crate::problem::input::objects::{Item, Objects};
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
        match InputFormat::of(bytes) {
            InputFormat::Certificate => Some(FileKind::Certificate),
            InputFormat::JsonArray | InputFormat::Pages | InputFormat::JsonLines => Some(FileKind::Results),
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
    /// The last position of the line is not the one that another stipulation asks for.
    NotTheGoal,
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
            LineFault::NotTheGoal => f.write_str("the main line does not end as the stipulation asks"),
        }
    }
}

impl std::error::Error for LineFault {}

/// The fields of a result object that the check reads.
#[derive(Deserialize)]
struct ClaimedObject {
    id: Option<JsonId>,
    fen: Option<String>,
    stipulation: Option<ClaimedQuestion>,
    result: ClaimedResult,
}

/// The question of a result. Without one, it is a direct mate.
#[derive(Deserialize)]
struct ClaimedQuestion {
    text: String,
}

/// The name of a problem, or its number.
#[derive(Deserialize)]
#[serde(untagged)]
enum JsonId {
    Text(String),
    Number(serde_json::Number),
}

impl JsonId {
    fn text(self) -> String {
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
    /// Of help play it may have half a move.
    solved_in: Option<serde_json::Number>,
    pv: Option<Vec<String>>,
}

/// Checks every result of a file, in its order, and passes them to `emit`. The file is a single JSON object, an array
/// of objects, or one object per line. One result is in memory at a time, and of a result at most 16 MiB.
///
/// # Errors
/// If the input cannot be read.
pub fn check_results(mut input: impl BufRead, emit: &mut dyn FnMut(CheckedResult)) -> io::Result<()> {
    let mut start = Vec::new();
    input.by_ref().take(LONGEST_RESULT as u64).read_to_end(&mut start)?;
    let text = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&start);
    if text.trim_ascii_start().starts_with(b"[") {
        return check_array(text.chain(input), emit);
    }
    // A single object may have several lines. If there is more, it is one object per line.
    if let (Ok(claim), true) = (serde_json::from_slice(text), input.fill_buf()?.is_empty()) {
        emit(check_claim(ResultPlace::Element(1), Ok(claim)));
        return Ok(());
    }
    check_lines(text.chain(input), emit)
}

/// Checks the results of a file with one object per line.
fn check_lines(input: impl BufRead, emit: &mut dyn FnMut(CheckedResult)) -> io::Result<()> {
    let mut lines = Lines::new(input, LONGEST_RESULT);
    while let Some(line) = lines.next()? {
        let text = line.bytes.trim_ascii();
        if text.is_empty() && !line.is_cut {
            continue;
        }
        let claim = match serde_json::from_slice(text) {
            _ if line.is_cut => Err(format!("the line is longer than {LONGEST_RESULT} bytes")),
            read => read.map_err(|error| json_fault(&error)),
        };
        emit(check_claim(ResultPlace::Line(line.number), claim));
    }
    Ok(())
}

/// Checks the results of a JSON array. A result that is too long ends the check.
fn check_array(input: impl BufRead, emit: &mut dyn FnMut(CheckedResult)) -> io::Result<()> {
    let mut objects = Objects::new(input, LONGEST_RESULT, false);
    for (index, object) in (1..).zip(objects.by_ref()) {
        let Item { line, bytes, is_cut } = object?;
        if is_cut {
            let why = format!("it is longer than {LONGEST_RESULT} bytes");
            emit(check_claim(ResultPlace::Line(line), Err(why)));
            return Ok(());
        }
        let claim = serde_json::from_slice(&bytes).map_err(|error| json_fault(&error));
        emit(check_claim(ResultPlace::Element(index), claim));
    }
    if let Some(line) = objects.stray() {
        let why = "what stands here is no part of an array of results".to_owned();
        emit(check_claim(ResultPlace::Line(line), Err(why)));
    }
    Ok(())
}

fn check_claim(place: ResultPlace, claim: Result<ClaimedObject, String>) -> CheckedResult {
    match claim {
        Ok(claim) => CheckedResult { place, outcome: claim.check(), id: claim.id.map(JsonId::text) },
        Err(why) => CheckedResult { place, id: None, outcome: Err(LineFault::Unreadable(why)) },
    }
}

impl ClaimedObject {
    fn check(&self) -> Result<LineCheck, LineFault> {
        let ClaimedResult { status, mate_in, pv, .. } = &self.result;
        let to_move_mates = match status.as_str() {
            "mate" => true,
            "mated" => false,
            "solved" => return self.check_other_goal(),
            "no_mate" | "no_solution" | "undecided" | "stalemate" | "invalid" => return Ok(LineCheck::NoMateClaimed),
            other => return Err(LineFault::Unreadable(format!("\"{}\" is not a status", excerpt(other)))),
        };
        let moves = usize::from(mate_in.ok_or(LineFault::Missing("mate_in"))?);
        let pv = pv.as_ref().ok_or(LineFault::Missing("pv"))?;
        let fen = self.fen.as_ref().ok_or(LineFault::Missing("fen"))?;
        let plies = if to_move_mates { (2 * moves).checked_sub(1).ok_or(LineFault::NoMoves)? } else { 2 * moves };
        let last = play_line(parse_position(fen).map_err(LineFault::Position)?, pv, plies)?;
        if last.is_checkmate() {
            return Ok(LineCheck::Mates);
        }
        Err(LineFault::NotCheckmate { stalemate: last.is_stalemate() })
    }

    /// Checks the main line of another goal that one side forces. Help play has several lines and claims no main line.
    fn check_other_goal(&self) -> Result<LineCheck, LineFault> {
        let ClaimedResult { solved_in, pv, .. } = &self.result;
        let question = self.stipulation.as_ref().ok_or(LineFault::Missing("stipulation"))?;
        let asked =
            Stipulation::parse_stated(&question.text).map_err(|error| LineFault::Unreadable(error.to_string()))?;
        if asked.is_helped() {
            return Ok(LineCheck::NoMateClaimed);
        }
        let moves = solved_in.as_ref().and_then(serde_json::Number::as_u64);
        let moves = moves.and_then(|moves| u16::try_from(moves).ok()).ok_or(LineFault::Missing("solved_in"))?;
        let plies = asked.within(Some(MateLength(moves))).half_moves().unwrap_or_default();
        let pv = pv.as_ref().ok_or(LineFault::Missing("pv"))?;
        let fen = self.fen.as_ref().ok_or(LineFault::Missing("fen"))?;
        let start = parse_position(fen).map_err(LineFault::Position)?;
        let attacker = asked.attacker(start.turn());
        let last = play_line(start, pv, usize::from(plies))?;
        let Goal { end, of, .. } = asked.goal();
        let is_reached = match end {
            End::Mate => last.is_checkmate(),
            _ => last.is_stalemate(),
        };
        if is_reached && last.turn() == of.color(attacker) { Ok(LineCheck::Mates) } else { Err(LineFault::NotTheGoal) }
    }
}

/// Plays a line in UCI notation and checks that it has `plies` half-moves. Returns the last position. Castling may also
/// be written as king takes rook.
fn play_line(mut position: Chess, line: &[String], plies: usize) -> Result<Chess, LineFault> {
    if line.len() != plies {
        return Err(LineFault::Length { claimed: plies, found: line.len() });
    }
    for (ply, text) in (1..).zip(line) {
        let illegal = || LineFault::Illegal { ply, played: text.chars().take(20).collect() };
        let m = text.parse::<UciMove>().map_err(|_| illegal())?.to_move(&position).map_err(|_| illegal())?;
        position.play_unchecked(m);
    }
    Ok(position)
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

    fn fault(status: &str, mate_in: &str, pv: &str) -> String {
        let fen = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1";
        let text = format!(r#"{{"fen":"{fen}","result":{{"status":"{status}","mate_in":{mate_in},"pv":{pv},"x":1}}}}"#);
        match &results(&text)[..] {
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
    fn the_main_line_of_another_goal_ends_with_that_goal() {
        let outcome = |stipulation: &str, moves: &str, pv: &str| {
            let fen = "7k/8/8/8/8/8/5K2/6Q1 w - - 0 1";
            let text = format!(
                r#"{{"fen":"{fen}","stipulation":{{"text":"{stipulation}","moves":null,"attacker":"white"}},
                "result":{{"status":"solved","mate_in":null,"solved_in":{moves},"pv":{pv}}}}}"#
            );
            results(&text.replace('\n', " ")).remove(0).outcome
        };
        let two = r#"["g1g5","h8h7","f2f1","h7h8"]"#;
        assert_eq!(outcome("s#2", "2", two), Err(LineFault::NotTheGoal));
        assert_eq!(outcome("s#2", "3", two), Err(LineFault::Length { claimed: 6, found: 4 }));
        assert_eq!(outcome("=2", "2", two), Err(LineFault::Length { claimed: 3, found: 4 }));
        assert_eq!(outcome("s#2", "null", two), Err(LineFault::Missing("solved_in")));
        let stalemate = r#"["g1g5","h8h7","f2f1","h7h8","g5g6"]"#;
        assert_eq!(outcome("=3", "3", stalemate), Ok(LineCheck::Mates));
        assert_eq!(outcome("s=3", "3", stalemate), Err(LineFault::Length { claimed: 6, found: 5 }));
        assert!(matches!(outcome("x#3", "3", stalemate), Err(LineFault::Unreadable(_))));
    }

    #[test]
    fn castling_may_be_written_in_both_ways() {
        let outcome = |fen: &str, castling: &str| {
            let text = format!(r#"{{"fen":"{fen}","result":{{"status":"mate","mate_in":1,"pv":["{castling}"]}}}}"#);
            results(&text)[0].outcome.clone()
        };
        let standard = "5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1";
        assert_eq!(outcome(standard, "e1g1"), Ok(LineCheck::Mates));
        assert_eq!(outcome(standard, "e1h1"), Ok(LineCheck::Mates));
        assert_eq!(outcome("5k2/8/8/8/8/8/4R1R1/5KR1 w K - 0 1", "f1g1"), Ok(LineCheck::Mates));
    }

    #[test]
    fn a_single_object_an_array_and_json_lines_are_read() {
        let one = r#"{"fen":null,"result":{"status":"invalid","mate_in":null,"pv":null}}"#;
        assert_eq!(results(one).len(), 1);
        assert_eq!(results(&format!("[{one},\n{one}]")).len(), 2);
        let lines = results(&format!("\u{feff}{one}\n\nnonsense\n{one}\n"));
        let places: Vec<_> = lines.iter().map(|checked| (checked.place.to_string(), checked.outcome.is_ok())).collect();
        assert_eq!(places, [("line 1".to_owned(), true), ("line 3".to_owned(), false), ("line 4".to_owned(), true)]);
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
                Err(fault) => format!("{}: {fault}", checked.place),
            };
            results(text).into_iter().map(outcome).collect()
        };
        let lines = faults(&format!("{one}\n{long}\n{one}\n"));
        assert_eq!((lines.len(), &lines[0], &lines[2]), (3, &String::new(), &String::new()));
        assert_eq!(lines[1], "line 2: not a result of matesolve: the line is longer than 16777216 bytes");
        let array = faults(&format!("[{one},\n{long},{one}]"));
        assert_eq!((array.len(), &array[0]), (2, &String::new()));
        assert_eq!(array[1], "line 2: not a result of matesolve: it is longer than 16777216 bytes");
    }

    #[test]
    fn file_kinds_are_recognised_by_their_beginning() {
        assert_eq!(FileKind::of(b"matesolve certificate 1\n"), Some(FileKind::Certificate));
        assert_eq!(FileKind::of("\u{feff} [\n".as_bytes()), Some(FileKind::Results));
        assert_eq!(FileKind::of(b""), None);
        assert_eq!(FileKind::of(b"7k/8/8/8/8/8/8/K7 w - -"), None);
    }
}
