//! Reads problems that are written line by line: FEN, EPD, JSON objects, and the rows of tables.
//!
//! Of a table (CSV), the first line names the columns. A row may have several lines, and its number is that of the
//! first.

use std::io::{self, BufRead};

use crate::base::encoding::{Decoded, decoded};
use crate::base::lines::Lines;
use crate::problem::ProblemError;
use crate::problem::csv::Header;
use crate::problem::input::entry::unreadable;
use crate::problem::input::{Entries, Entry, Input, LONGEST_LINE, LONGEST_TEXT, Rejected};

/// Reads the lines of one input that should hold problems.
#[derive(Debug)]
pub struct Rows<R> {
    lines: Lines<R>,
    /// Whether no line has been read yet that is neither blank nor a comment.
    is_start: bool,
    /// The columns, if the input is a table.
    header: Option<Header>,
    /// Whether a line has said that its remarks mean nothing.
    has_noted_remarks: bool,
}

/// A line, or a row of several lines.
struct Record {
    /// The number of its first line, from 1.
    line: usize,
    /// Its text, or the reason why it is too long and what it holds.
    text: Result<Decoded, (String, Vec<u8>)>,
}

impl<R: BufRead> Rows<R> {
    /// Reads the lines of `input`.
    pub fn new(input: R) -> Rows<R> {
        let lines = Lines::new(input, LONGEST_TEXT);
        Rows { lines, is_start: true, header: None, has_noted_remarks: false }
    }

    /// Returns the number and the text of the next line that is neither blank nor a comment, or why it cannot be read.
    pub(crate) fn text(&mut self) -> Option<(usize, Result<Decoded, String>)> {
        Some(match self.record().transpose()? {
            Ok(Record { line, text }) => (line, text.map_err(|(why, _)| why)),
            Err(error) => (self.lines.number() + 1, Err(unreadable(&error))),
        })
    }

    /// Returns the next record that is neither blank nor a comment.
    fn record(&mut self) -> io::Result<Option<Record>> {
        loop {
            let Some(first) = self.lines.next_line()? else { return Ok(None) };
            let (line, mut bytes, mut is_cut) = (first.number, first.content().to_vec(), first.is_cut);
            while !is_cut && self.header.as_ref().is_some_and(|header| header.is_open(&bytes)) {
                let Some(next) = self.lines.next_line()? else { break };
                bytes.push(b'\n');
                bytes.extend_from_slice(next.content());
                is_cut = next.is_cut || bytes.len() > LONGEST_LINE;
            }
            if let Some(text) = text(bytes, is_cut) {
                return Ok(Some(Record { line, text }));
            }
        }
    }

    /// Returns the next entry.
    fn entry(&mut self) -> io::Result<Option<Entry>> {
        loop {
            let Some(Record { line, text }) = self.record()? else { return Ok(None) };
            let Decoded { text, is_latin1 } = match text {
                Ok(decoded) => decoded,
                Err((why, bytes)) => {
                    let rejected = || Rejected::text(&String::from_utf8_lossy(&bytes));
                    return Ok(Some(Entry::of(line, Err(ProblemError::Text(why)), rejected)));
                }
            };
            if std::mem::take(&mut self.is_start) {
                self.header = Header::read(&text);
                if self.header.is_some() {
                    continue;
                }
                self.header = Header::of_row(&text);
            }
            let mut entry = match &self.header {
                Some(header) => {
                    let rejected = || Rejected { id: header.id(&text), ..Rejected::text(&text) };
                    Entry::of(line, header.problem(&text), rejected)
                }
                None => Entry::of_text(&text, line),
            };
            if let Ok(problem) = &mut entry.problem {
                self.has_noted_remarks = self.has_noted_remarks || problem.note_remarks();
            }
            return Ok(Some(Entry { is_latin1, ..entry }));
        }
    }
}

/// Returns the text of a record, or why it is too long and what it holds; `None` for a blank line and a comment.
fn text(bytes: Vec<u8>, is_cut: bool) -> Option<Result<Decoded, (String, Vec<u8>)>> {
    let longest = if bytes.trim_ascii_start().starts_with(b"{") { LONGEST_TEXT } else { LONGEST_LINE };
    if is_cut || bytes.len() > longest {
        let why = format!("the line is longer than {longest} bytes; write one problem on a line");
        return Some(Err((why, bytes)));
    }
    let Decoded { text, is_latin1 } = decoded(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    let is_read = !text.is_empty() && !text.starts_with(['#', '%']);
    is_read.then(|| Ok(Decoded { text: text.to_owned(), is_latin1 }))
}

impl<R: BufRead> Iterator for Rows<R> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let entry = self.entry().transpose()?;
        Some(entry.unwrap_or_else(|error| Entry::unreadable(self.lines.number() + 1, &error)))
    }
}

/// Returns the entries of an input that is written line by line.
pub(super) fn entries(input: Input<'_>) -> Entries<'_> {
    Box::new(Rows::new(input))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> Vec<(usize, Result<(), String>)> {
        // A tiny buffer makes lines span several reads.
        let input = io::BufReader::with_capacity(7, bytes);
        Rows::new(input).map(|line| (line.line, line.problem.map(|_| ()).map_err(|error| error.to_string()))).collect()
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
    fn a_record_of_a_table_may_have_several_lines() {
        let text = "FEN,note\n5Kbk/6pp/6P1/8/8/8/8/7R w - -,\"a\n# b\n\"\nx,\"\ny\"\n5Kbk/6pp/6P1/8/8/8/8/7R w - -,\n";
        let lines = read_all(text.as_bytes());
        let numbers: Vec<_> = lines.iter().map(|(number, read)| (*number, read.is_ok())).collect();
        assert_eq!(numbers, [(2, true), (5, false), (7, true)]);
        // A quote that is never closed ends with the input or with the longest line.
        let line = format!("{}\n", "x".repeat(99));
        let open = format!("FEN,note\n5Kbk/6pp/6P1/8/8/8/8/7R w - -,\"\n{}", line.repeat(LONGEST_LINE / 50));
        let lines = read_all(open.as_bytes());
        assert!(lines[0].0 == 2 && lines[0].1.as_ref().is_err_and(|why| why.contains("longer than")), "{:?}", lines[0]);
    }

    #[test]
    fn overlong_lines_and_lines_of_other_bytes_are_errors_of_their_own() {
        let mut bytes = vec![b'8'; 10 * LONGEST_LINE];
        bytes.extend_from_slice(b"\n\xff\xfe\x00\n5Kbk/6pp/6P1/8/8/8/8/7R w - -\n");
        let lines = read_all(&bytes);
        assert!(lines[0].1.as_ref().is_err_and(|why| why.contains("longer than 65536 bytes")));
        assert!(lines[1].1.as_ref().is_err());
        assert_eq!(lines[2], (3, Ok(())));
    }
}
