//! Reads the problems of a file or stream, with their line numbers, whatever the input contains.
//!
//! A batch must survive its input: a line of 10 MB, a binary file, bytes that are not UTF-8. Lines are read one at a
//! time, at most 65,536 bytes of a line are kept, and a line that is not text is an error of that line only.
//! Blank lines and comments (`#`, `%`) are skipped but counted.
//!
//! An input may also be an `.olv` collection, a JSON array or a PGN collection. Then each entry counts as one line, and
//! its number is that of its first line. Of a table (CSV), the first line names the columns.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, BufRead, Cursor, Read as _};

use crate::lines;

use super::csv::Header;
use super::items::{Cut, Item, Items, LONGEST_TEXT};
use super::olv::{self, Document, Documents, LONGEST_DOCUMENT, OlvEntry};
use super::rejected::Rejected;
use super::{Problem, ProblemError, pasted};

/// The longest line that is read as a problem, in bytes.
pub(crate) const LONGEST_LINE: usize = 1 << 16;

/// One line of an input that should hold a problem.
#[derive(Debug, Clone)]
pub struct InputLine {
    /// The index of its input, from 0.
    pub file: usize,
    /// The number of the line in that input, from 1; 0 if the input of an `.olv` collection cannot be read.
    pub number: usize,
    /// The problem, or the reason why the line cannot be read as one.
    pub problem: Result<Problem, ProblemError>,
    /// The name and the text of a line that is no problem; empty if it is one.
    pub rejected: Rejected,
}

/// The options of reading an input.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading {
    /// Whether it is an `.olv` collection.
    pub olv: bool,
    /// Of games, the half-move whose position is the problem; `None`: the last one. An input without games has no
    /// problems then.
    pub ply: Option<u16>,
}

/// Returns the problems of `input`, which has the index `file` among several. The input is read as an `.olv` collection
/// if `reading` says so or if its first line is `---` ([`olv::is_collection`]); as a JSON array if it starts with `[{`;
/// as games in PGN if it starts with a tag such as `[Event`; and line by line otherwise.
pub fn problems<R: BufRead + Send + 'static>(
    input: R,
    file: usize,
    reading: Reading,
) -> Box<dyn Iterator<Item = InputLine> + Send> {
    let mut input = input;
    let start = beginning(&mut input);
    let is_documents = reading.olv || olv::is_collection(&start);
    let cut = match without_mark(&start).trim_ascii_start().strip_prefix(b"[").map(<[u8]>::trim_ascii_start) {
        Some([b'{', ..]) => Some(Cut::JsonObjects),
        Some([letter, ..]) if letter.is_ascii_alphabetic() => Some(Cut::Games),
        _ => None,
    };
    let start = if is_documents { start } else { without_mark(&start).to_vec() };
    let input = Cursor::new(start).chain(input);
    let lines: Box<dyn Iterator<Item = InputLine> + Send> = if is_documents {
        Box::new(Documents::new(input).map(move |document| entry(document, file)))
    } else if let Some(cut) = cut {
        return items(input, file, cut, reading.ply);
    } else {
        Box::new(Lines::new(input, file))
    };
    if reading.ply.is_none() {
        return lines;
    }
    Box::new(lines.map(|line| InputLine { problem: Err(pasted::PastedError::NoMoves.into()), ..line }))
}

/// Reads the beginning of an input, until it shows the kind of the input.
pub(crate) fn beginning(input: &mut impl BufRead) -> Vec<u8> {
    let mut start = Vec::new();
    // If reading fails here, the iterator meets the error again and reports it.
    while let Some(buffer) = input.fill_buf().ok().filter(|buffer| !buffer.is_empty()) {
        start.extend_from_slice(buffer);
        let read = buffer.len();
        input.consume(read);
        let is_decided = match without_mark(&start).trim_ascii_start() {
            [b'[', rest @ ..] => !rest.trim_ascii_start().is_empty(),
            _ => olv::first_line(&start).is_some_and(|line| line.len() > 3 || line.contains(&b'\n')),
        };
        if is_decided || start.len() >= LONGEST_LINE {
            break;
        }
    }
    start
}

/// Returns a text without its byte order mark.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Returns the problems of a JSON array or of a PGN collection, up to the first error of reading.
fn items<R: BufRead + Send + 'static>(
    input: R,
    file: usize,
    cut: Cut,
    ply: Option<u16>,
) -> Box<dyn Iterator<Item = InputLine> + Send> {
    let mut items = Items::new(input, cut);
    let mut failed = false;
    Box::new(std::iter::from_fn(move || {
        let item = if failed { None } else { items.next() }?;
        Some(item.map_or_else(
            |error| {
                failed = true;
                InputLine { file, number: 0, problem: Err(unreadable(&error)), rejected: Rejected::default() }
            },
            |Item { line, text }| {
                let mut problem = item_problem(text.as_deref(), cut, ply);
                let mut rejected = Rejected::default();
                match &mut problem {
                    Ok(problem) => problem.line = Some(line),
                    Err(_) => rejected = Rejected::item(text.as_deref().unwrap_or_default(), cut),
                }
                InputLine { file, number: line, problem, rejected }
            },
        ))
    }))
}

/// Reads an object of an array or a game of a collection.
fn item_problem(text: Option<&str>, cut: Cut, ply: Option<u16>) -> Result<Problem, ProblemError> {
    let Some(text) = text else {
        let what = if cut == Cut::Games { "game" } else { "object" };
        let why = format!("the {what} is longer than {LONGEST_TEXT} bytes or not UTF-8 text; shorten or convert it");
        return Err(ProblemError::Text(why));
    };
    if cut == Cut::JsonObjects {
        return match ply {
            Some(_) => Err(pasted::PastedError::NoMoves.into()),
            None => Problem::read(text),
        };
    }
    let game = pasted::read(text, ply.map(usize::from))?;
    let mut problem = Problem::read(&game.line)?;
    problem.id = problem.id.or_else(|| pasted::name_of_game(text));
    problem.warnings.extend(game.warnings);
    problem.is_game = game.is_game;
    Ok(problem)
}

fn entry(document: io::Result<Document>, file: usize) -> InputLine {
    match document {
        Ok(Document { line, text: Some(text), .. }) => {
            let problem = OlvEntry::read(&text, line).map(|entry| entry.problem);
            let rejected = if problem.is_ok() { Rejected::default() } else { Rejected::text(&text) };
            InputLine { file, number: line, problem, rejected }
        }
        Ok(Document { line, text: None, .. }) => {
            let why =
                format!("the entry is longer than {LONGEST_DOCUMENT} bytes or not UTF-8 text; shorten or convert it");
            let rejected = Rejected::default();
            InputLine { file, number: line, problem: Err(ProblemError::Text(why)), rejected }
        }
        Err(error) => InputLine { file, number: 0, problem: Err(unreadable(&error)), rejected: Rejected::default() },
    }
}

/// Returns the error for an input that cannot be read further.
fn unreadable(error: &io::Error) -> ProblemError {
    ProblemError::Text(format!("the input cannot be read from here on: {error}"))
}

/// Reads the lines of one input that should hold problems.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: lines::Lines<R>,
    file: usize,
    number: usize,
    /// Whether reading the input has failed; then there are no more lines.
    failed: bool,
    /// Whether no line has been read yet that is neither blank nor a comment.
    is_start: bool,
    /// The columns, if the input is a table.
    header: Option<Header>,
    /// Whether a line has said that its remarks mean nothing.
    has_noted_remarks: bool,
}

impl<R: BufRead> Lines<R> {
    /// Reads `input`, which has the index `file` among several.
    pub fn new(input: R, file: usize) -> Lines<R> {
        let reader = lines::Lines::new(input, LONGEST_LINE);
        Lines { reader, file, number: 0, failed: false, is_start: true, header: None, has_noted_remarks: false }
    }

    /// Returns the next line without its line break, and whether it was cut because it is too long. Returns `None` at
    /// the end of the input.
    fn raw(&mut self) -> io::Result<Option<(Vec<u8>, bool)>> {
        Ok(self.reader.next()?.map(|line| (line.content().to_vec(), line.is_cut)))
    }

    /// Returns the next record without its line break, whether it was cut, and the number of lines that it takes: one
    /// line, or in a table as many as a field in quotes needs.
    fn record(&mut self) -> io::Result<Option<(Vec<u8>, bool, usize)>> {
        let Some((mut record, mut cut)) = self.raw()? else { return Ok(None) };
        let mut count = 1;
        while !cut && self.header.as_ref().is_some_and(|header| header.is_open(&record)) {
            let Some((next, next_is_cut)) = self.raw()? else { break };
            count += 1;
            cut = next_is_cut || record.len() + next.len() >= LONGEST_LINE;
            record.push(b'\n');
            record.extend(next.iter().take(LONGEST_LINE.saturating_sub(record.len())));
        }
        Ok(Some((record, cut, count)))
    }

    /// Returns the text of a line, or why it is none and what it holds; `None` for a blank line and a comment.
    fn line_text(raw: Vec<u8>, cut: bool) -> Option<Result<String, (String, Vec<u8>)>> {
        if cut {
            let why = format!("the line is longer than {LONGEST_LINE} bytes; write one problem on a line");
            return Some(Err((why, raw)));
        }
        let text = match String::from_utf8(raw) {
            Ok(text) => text,
            Err(error) => {
                let why =
                    "the line is not UTF-8 text; convert the file, or check that it is a list of FEN or EPD lines";
                return Some(Err((why.to_owned(), error.into_bytes())));
            }
        };
        let text = text.trim_start_matches('\u{feff}').trim();
        (!text.is_empty() && !text.starts_with(['#', '%'])).then(|| Ok(text.to_owned()))
    }

    /// Returns the number and the text of the next line that is neither blank nor a comment, or why it cannot be read.
    pub(crate) fn text(&mut self) -> Option<(usize, Result<String, String>)> {
        while !self.failed {
            let line = self.raw().transpose()?;
            self.number += 1;
            match line {
                Ok((raw, cut)) => {
                    if let Some(text) = Lines::<R>::line_text(raw, cut) {
                        return Some((self.number, text.map_err(|(why, _)| why)));
                    }
                }
                Err(error) => {
                    self.failed = true;
                    return Some((self.number, Err(unreadable(&error).to_string())));
                }
            }
        }
        None
    }

    /// Reads a line as a problem; `None` for a blank line, a comment, or the header of a table.
    fn read(&mut self, raw: Vec<u8>, cut: bool) -> Option<(Result<Problem, ProblemError>, Rejected)> {
        let text = match Lines::<R>::line_text(raw, cut)? {
            Ok(text) => text,
            Err((why, raw)) => {
                return Some((Err(ProblemError::Text(why)), Rejected::text(&String::from_utf8_lossy(&raw))));
            }
        };
        let text = text.as_str();
        if std::mem::replace(&mut self.is_start, false) {
            self.header = Header::read(text);
            if self.header.is_some() {
                return None;
            }
            self.header = Header::of_row(text);
        }
        let problem = self.header.as_ref().map_or_else(|| Problem::read(text), |header| header.problem(text));
        let rejected = match (&problem, &self.header) {
            (Ok(_), _) => Rejected::default(),
            (Err(_), Some(header)) => Rejected { id: header.id(text), ..Rejected::text(text) },
            (Err(_), None) => Rejected::line(text),
        };
        Some((problem, rejected))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = InputLine;

    fn next(&mut self) -> Option<InputLine> {
        while !self.failed {
            let record = self.record().transpose()?;
            let number = self.number + 1;
            let read = match record {
                Ok((raw, cut, lines)) => {
                    self.number += lines;
                    self.read(raw, cut)
                }
                Err(error) => {
                    self.failed = true;
                    Some((Err(unreadable(&error)), Rejected::default()))
                }
            };
            if let Some((mut problem, rejected)) = read {
                if let Ok(problem) = &mut problem {
                    self.has_noted_remarks = self.has_noted_remarks || problem.note_remarks();
                    problem.line = Some(number);
                }
                return Some(InputLine { file: self.file, number, problem, rejected });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> Vec<(usize, Result<(), String>)> {
        // A tiny buffer makes lines span several reads.
        let input = io::BufReader::with_capacity(7, bytes);
        Lines::new(input, 0)
            .map(|line| (line.number, line.problem.map(|_| ()).map_err(|error| error.to_string())))
            .collect()
    }

    #[test]
    fn comments_blank_lines_byte_order_marks_and_crlf_are_handled() {
        let text =
            "\u{feff}# a comment\r\n\r\n  \n5Kbk/6pp/6P1/8/8/8/8/7R w - -\r\n% x\n5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;";
        assert_eq!(read_all(text.as_bytes()), [(4, Ok(())), (6, Ok(()))]);
        assert_eq!(read_all("\u{feff}5Kbk/6pp/6P1/8/8/8/8/7R w - -".as_bytes()), [(1, Ok(()))]);
        assert!(read_all(b"").is_empty() && read_all(b"\n\n").is_empty());
    }

    #[test]
    fn collections_are_recognised_by_flag_or_by_their_first_line() {
        let text =
            "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: '#2'\n---\n: [\n";
        let read = |text: &'static str, olv| -> Vec<(usize, bool)> {
            problems(text.as_bytes(), 0, Reading { olv, ply: None })
                .map(|line| (line.number, line.problem.is_ok()))
                .collect()
        };
        assert_eq!(read(text, false), [(2, true), (5, false)]);
        assert_eq!(read(&text[4..], true), [(1, true), (4, false)]);
        assert_eq!(read("5Kbk/6pp/6P1/8/8/8/8/7R w - -", false), [(1, true)]);
    }

    #[test]
    fn tables_arrays_and_games_are_recognised_by_their_start() {
        let read = |text: &'static str| -> Vec<(usize, String)> {
            let lines = problems(text.as_bytes(), 0, Reading::default());
            lines.map(|line| (line.number, line.problem.map_or_else(|error| error.to_string(), |it| it.fen))).collect()
        };
        let fen = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1".to_owned();
        let csv = "# puzzles\nid,FEN\na,5Kbk/6pp/6P1/8/8/8/8/7R w - -\n";
        assert_eq!(read(csv), [(3, fen.clone())]);
        let array = "\u{feff}[\n  {\n\"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"\n}, {\"x\": 1}]";
        let both = read(array);
        assert!(both[0] == (2, fen.clone()) && both[1].1.contains("the field \"fen\" is missing"), "{both:?}");
        let games = "[FEN \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"]\n\n*\n\n[A \"\"]\n\n1. e4 e9 *\n[A \"\"]\n\n1. e4 *\n";
        let games = read(games);
        let numbers: Vec<usize> = games.iter().map(|(number, _)| *number).collect();
        assert_eq!((numbers, &games[0].1), (vec![1, 5, 8], &fen));
        assert!(games[2].1.contains("/4P3/"), "{games:?}");
    }

    #[test]
    fn a_record_of_a_table_may_have_several_lines() {
        let text = "FEN,note\n5Kbk/6pp/6P1/8/8/8/8/7R w - -,\"a\n# b\n\"\nx,\"\ny\"\n5Kbk/6pp/6P1/8/8/8/8/7R w - -,\n";
        let lines = read_all(text.as_bytes());
        let numbers: Vec<_> = lines.iter().map(|(number, read)| (*number, read.is_ok())).collect();
        assert_eq!(numbers, [(2, true), (5, false), (7, true)]);
        // A quote that is never closed ends with the input or with the longest line.
        let open = format!("FEN,note\n5Kbk/6pp/6P1/8/8/8/8/7R w - -,\"\n{}", "x\n".repeat(LONGEST_LINE));
        let lines = read_all(open.as_bytes());
        assert!(lines[0].0 == 2 && lines[0].1.as_ref().is_err_and(|why| why.contains("longer than")), "{:?}", lines[0]);
    }

    #[test]
    fn a_half_move_is_chosen_in_every_game_and_games_are_named() {
        let read = |text: &'static str, ply| -> Vec<(Option<String>, Result<String, String>)> {
            let lines = problems(text.as_bytes(), 0, Reading { olv: false, ply });
            let fen = |problem: Result<Problem, ProblemError>| {
                problem.map(|problem| (problem.id, problem.fen)).map_err(|error| error.to_string())
            };
            let read = lines.map(|line| (line.rejected.id.clone(), fen(line.problem)));
            read.map(|(id, read)| match read {
                Ok((id, fen)) => (id, Ok(fen)),
                Err(why) => (id, Err(why)),
            })
            .collect()
        };
        let games = "[Event \"A\"]\n[Site \"?\"]\n[Round \"2\"]\n[White \"B\"]\n[Black \"C\"]\n\n1. e4 e5 *\n\n[White \"D\"]\n\n1. d4 *\n";
        let second = read(games, Some(2));
        assert!(second[0].1.as_ref().is_ok_and(|fen| fen.contains("/4p3/4P3/")), "{second:?}");
        assert_eq!(second[0].0.as_deref(), Some("A, 2, B - C"));
        assert!(second[1].1.as_ref().is_err_and(|why| why.contains("the game has 1 half-move")), "{second:?}");
        assert_eq!(second[1].0.as_deref(), Some("D - ?"));
        let fen = read("5Kbk/6pp/6P1/8/8/8/8/7R w - -", Some(2));
        assert!(fen[0].1.as_ref().is_err_and(|why| why.contains("there are no moves here")), "{fen:?}");
    }

    #[test]
    fn the_kind_of_an_input_is_recognised_however_it_arrives() {
        let array = "\u{feff}\r\n[\n    {\"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"}\n]\n";
        let games = "\u{feff}[Event \"a\"]\n[FEN \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"]\n\n*\n";
        let entry =
            "\u{feff}---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: '#2'\n";
        for (text, line) in [(array, 3), (games, 1), (entry, 2)] {
            // Four bytes is what a decompressed input gives first.
            for size in [1, 4, 4096] {
                let input = io::BufReader::with_capacity(size, text.as_bytes());
                let read: Vec<InputLine> = problems(input, 0, Reading::default()).collect();
                assert_eq!((read.len(), read[0].number), (1, line), "{text}");
                let fen = read[0].problem.as_ref().map(|problem| problem.fen.as_str());
                assert_eq!(fen, Ok("5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1"), "{text}");
            }
        }
    }

    #[test]
    fn overlong_lines_and_lines_that_are_not_text_are_errors_of_their_own() {
        let mut bytes = vec![b'8'; 10 * LONGEST_LINE];
        bytes.extend_from_slice(b"\n\xff\xfe\x00\n5Kbk/6pp/6P1/8/8/8/8/7R w - -\n");
        let lines = read_all(&bytes);
        assert!(lines[0].1.as_ref().is_err_and(|why| why.contains("longer than 65536 bytes")));
        assert!(lines[1].1.as_ref().is_err_and(|why| why.contains("not UTF-8")));
        assert_eq!(lines[2], (3, Ok(())));
    }
}
