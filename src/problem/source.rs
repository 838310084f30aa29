//! Numbered lines out of a stream that may hold anything.
//!
//! A batch must survive its input: a 10 MB line, a binary file, bytes that are not UTF-8. Lines are read one at a
//! time, never more than [`LONGEST_LINE`] bytes of them are kept, and a line that is not text is an error *of that
//! line*. Blank lines and comments (`#`, `%`) are passed over but counted.
//!
//! Inputs may also be `.olv` collections, of which every entry counts as one line, numbered by where it begins.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, BufRead};

use super::olv::{Document, Documents, LONGEST_DOCUMENT, OlvEntry};
use super::{Problem, ProblemError};

/// The longest line that is read as a problem, in bytes.
pub const LONGEST_LINE: usize = 1 << 16;

/// One line that should hold a problem.
#[derive(Debug, Clone)]
pub struct InputLine {
    /// Which of the inputs it came from, from 0.
    pub file: usize,
    /// Its number in that input, from 1.
    pub number: usize,
    /// What it holds.
    pub problem: Result<Problem, ProblemError>,
}

/// The problems of `input`, which is number `file` of several. It is read as an `.olv` collection if it is said to be
/// one or if its first line is `---`, else line by line.
pub fn problems<R: BufRead + Send + 'static>(
    mut input: R,
    file: usize,
    olv: bool,
) -> Box<dyn Iterator<Item = InputLine> + Send> {
    // An error will be found again by who reads on.
    let start = input.fill_buf().unwrap_or_default();
    let documents = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).starts_with(b"---");
    if olv || documents {
        Box::new(Documents::new(input).map(move |document| entry(document, file)))
    } else {
        Box::new(Lines::new(input, file))
    }
}

fn entry(document: io::Result<Document>, file: usize) -> InputLine {
    match document {
        Ok(Document { line, text: Some(text) }) => {
            InputLine { file, number: line, problem: OlvEntry::read(&text, line).map(|entry| entry.problem) }
        }
        Ok(Document { line, text: None }) => {
            let why =
                format!("the entry is longer than {LONGEST_DOCUMENT} bytes or not UTF-8 text; mend or convert it");
            InputLine { file, number: line, problem: Err(ProblemError::Text(why)) }
        }
        Err(error) => InputLine { file, number: 0, problem: Err(unreadable(&error)) },
    }
}

fn unreadable(error: &io::Error) -> ProblemError {
    ProblemError::Text(format!("the input cannot be read from here on: {error}"))
}

/// Reads the lines of one input that should hold problems.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    file: usize,
    number: usize,
    /// The input broke; there are no more lines.
    failed: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `input`, which is number `file` of several.
    pub fn new(input: R, file: usize) -> Lines<R> {
        Lines { input, file, number: 0, failed: false }
    }

    /// The next raw line without its end, `None` at the end of the input; the flag says that it was cut.
    fn raw(&mut self) -> io::Result<Option<(Vec<u8>, bool)>> {
        let mut line = Vec::new();
        let mut cut = false;
        let mut any = false;
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(any.then_some((line, cut)));
            }
            any = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = LONGEST_LINE - line.len();
            cut |= part.len() > room;
            line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                return Ok(Some((line, cut)));
            }
        }
    }
}

fn read(raw: Vec<u8>, cut: bool) -> Option<Result<Problem, ProblemError>> {
    if cut {
        let why = format!("the line is longer than {LONGEST_LINE} bytes; write one problem on a line");
        return Some(Err(ProblemError::Text(why)));
    }
    let Ok(text) = String::from_utf8(raw) else {
        let why = "the line is not UTF-8 text; convert the file, or check that it is a list of FEN or EPD lines";
        return Some(Err(ProblemError::Text(why.to_owned())));
    };
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() || text.starts_with(['#', '%']) {
        return None;
    }
    Some(Problem::read(text))
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = InputLine;

    fn next(&mut self) -> Option<InputLine> {
        while !self.failed {
            let raw = self.raw().transpose()?;
            self.number += 1;
            let read = raw.map_or_else(
                |error| {
                    self.failed = true;
                    Some(Err(unreadable(&error)))
                },
                |(raw, cut)| read(raw, cut),
            );
            if let Some(mut problem) = read {
                if let Ok(problem) = &mut problem {
                    problem.line = Some(self.number);
                }
                return Some(InputLine { file: self.file, number: self.number, problem });
            }
        }
        None
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> Vec<(usize, Result<(), String>)> {
        // A tiny buffer, so that lines span several reads.
        let input = io::BufReader::with_capacity(7, bytes);
        Lines::new(input, 0)
            .map(|line| (line.number, line.problem.map(|_| ()).map_err(|error| error.to_string())))
            .collect()
    }

    #[test]
    fn comments_blanks_bom_and_crlf() {
        let text =
            "\u{feff}# a comment\r\n\r\n  \n5Kbk/6pp/6P1/8/8/8/8/7R w - -\r\n% x\n5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;";
        assert_eq!(read_all(text.as_bytes()), [(4, Ok(())), (6, Ok(()))]);
        assert_eq!(read_all("\u{feff}5Kbk/6pp/6P1/8/8/8/8/7R w - -".as_bytes()), [(1, Ok(()))]);
        assert!(read_all(b"").is_empty() && read_all(b"\n\n").is_empty());
    }

    #[test]
    fn collections_are_known_by_name_or_by_their_first_line() {
        let text =
            "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: '#2'\n---\n: [\n";
        let read = |text: &'static str, olv| -> Vec<(usize, bool)> {
            problems(text.as_bytes(), 0, olv).map(|line| (line.number, line.problem.is_ok())).collect()
        };
        assert_eq!(read(text, false), [(2, true), (5, false)]);
        assert_eq!(read(&text[4..], true), [(1, true), (4, false)]);
        assert_eq!(read("5Kbk/6pp/6P1/8/8/8/8/7R w - -", false), [(1, true)]);
    }

    #[test]
    fn monstrous_lines_and_bytes_that_are_no_text() {
        let mut bytes = vec![b'8'; 10 * LONGEST_LINE];
        bytes.extend_from_slice(b"\n\xff\xfe\x00\n5Kbk/6pp/6P1/8/8/8/8/7R w - -\n");
        let lines = read_all(&bytes);
        assert!(lines[0].1.as_ref().is_err_and(|why| why.contains("longer than 65536 bytes")));
        assert!(lines[1].1.as_ref().is_err_and(|why| why.contains("not UTF-8")));
        assert_eq!(lines[2], (3, Ok(())));
    }
}
