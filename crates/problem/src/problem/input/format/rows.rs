//! Reads problems that are written line by line: FEN, EPD, JSON objects, and the rows of tables.
//!
//! The first line of a table (CSV) names the columns, or they are guessed from its first row. A row may have several
//! lines; its number is that of its first line.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;

use crate::base::encoding::{Decoded, decoded};
use crate::base::lines::Lines;
use crate::chess::Stipulation;
use crate::problem::ProblemError;
use crate::problem::csv::{Header, is_marked};
use crate::problem::input::entry::unreadable;
use crate::problem::input::objects::Item;
use crate::problem::input::{Entries, Entry, Input, LONGEST_LINE, LONGEST_TEXT, Rejected, Text};

/// Reads the lines of one input that should hold problems.
#[derive(Debug)]
pub struct Rows<R> {
    lines: Lines<R>,
    /// Lines that were taken for those of a row, and are read again.
    again: VecDeque<Item>,
    /// Whether no line has been read yet that is neither blank nor a comment.
    is_start: bool,
    /// The columns, if the input is a table.
    header: Option<Arc<Header>>,
    /// Whether a line has said that its remarks mean nothing.
    has_noted_remarks: bool,
}

/// The text of a line or of a row, or the reason why it is not read and what it holds.
type RowText = Result<Decoded, (String, Vec<u8>)>;

/// Why a row with an open quote is refused.
const OPEN_QUOTE: &str = "a quote opens a field of this row and no other closes it; close it, or double a quote inside of a \
                          field";

/// Why a line such as `#3` is refused.
pub(super) const ALONE: &str = "a stipulation alone on a line belongs to no position; write it behind the position (stip \"#3\";), and \
                     a comment as # text";

impl<R: BufRead> Rows<R> {
    /// Reads the lines of `input`.
    pub fn new(input: R) -> Rows<R> {
        let lines = Lines::new(input, LONGEST_TEXT);
        Rows { lines, again: VecDeque::new(), is_start: true, header: None, has_noted_remarks: false }
    }

    /// Returns the next line that is neither blank nor a comment, with its number and the columns if it is a row, or
    /// why it cannot be read.
    pub(crate) fn text(&mut self) -> Option<Text> {
        let (line, text) = match self.record().transpose()? {
            Ok((line, text)) => (line, text.map_err(|(why, _)| why)),
            Err(error) => (self.lines.number() + 1, Err(unreadable(&error))),
        };
        Some(Text { line, text, header: self.header.clone(), entry: None })
    }

    /// Returns the next line.
    fn line(&mut self) -> io::Result<Option<Item>> {
        match self.again.pop_front() {
            Some(line) => Ok(Some(line)),
            None => Ok(self.lines.next_line()?.map(|line| Item::of_line(&line, line.content()))),
        }
    }

    /// Returns the next record that is neither blank nor a comment, with the number of its first line.
    fn record(&mut self) -> io::Result<Option<(usize, RowText)>> {
        while let Some(first) = self.line()? {
            let Some(text) = self::text(&first) else { continue };
            let start = text.as_ref().map_or("", |decoded| &decoded.text);
            // A table of Markdown may stand below other text.
            let may_name = self.is_start || self.header.is_none() && start.starts_with('|');
            if may_name && !start.is_empty() {
                if self.is_start && Header::is_only_column(start) {
                    self.is_start = false;
                    continue;
                }
                let header = Header::read(start);
                let names_columns = header.is_some();
                self.header = header.or_else(|| Header::of_row(start)).map(Arc::new);
                self.is_start = is_marked(start) && self.header.is_none();
                if names_columns {
                    continue;
                }
            }
            if self.header.as_ref().is_some_and(|header| header.is_rule(start)) {
                continue;
            }
            if is_marked(start) && self.header.as_ref().is_none_or(|header| header.is_comment(start)) {
                if !is_alone(start) {
                    continue;
                }
                return Ok(Some((first.line, Err((ALONE.to_owned(), first.bytes)))));
            }
            let line = first.line;
            let text = match text {
                Ok(decoded) => self.whole(first, decoded)?,
                too_long => too_long,
            };
            return Ok(Some((line, text)));
        }
        Ok(None)
    }

    /// Reads the other lines of a record. If a quote is not closed in it, they are lines of their own.
    fn whole(&mut self, first: Item, decoded: Decoded) -> io::Result<RowText> {
        let Some(header) = self.header.clone() else {
            return Ok(Ok(Decoded { text: decoded.text.trim().to_owned(), ..decoded }));
        };
        let (mut whole, mut others) = (first.bytes.clone(), VecDeque::new());
        let mut is_open = header.is_open(&whole, false);
        while is_open == Some(true) {
            let next = if whole.len() <= LONGEST_LINE { self.line()? } else { None };
            is_open = next.as_ref().filter(|next| !next.is_cut).and_then(|next| header.is_open(&next.bytes, true));
            if let Some(next) = next {
                whole.push(b'\n');
                whole.extend_from_slice(&next.bytes);
                others.push_back(next);
            }
        }
        if is_open.is_none() {
            others.append(&mut self.again);
            self.again = others;
            return Ok(Err((OPEN_QUOTE.to_owned(), first.bytes)));
        }
        let whole = Item { bytes: whole, ..first };
        Ok(if others.is_empty() { Ok(decoded) } else { text(&whole).unwrap_or(Ok(decoded)) })
    }

    /// Returns the next entry.
    fn entry(&mut self) -> io::Result<Option<Entry>> {
        let Some((line, text)) = self.record()? else { return Ok(None) };
        let Decoded { text, is_latin1 } = match text {
            Ok(decoded) => decoded,
            Err((why, bytes)) => {
                let rejected = || Rejected::text(&String::from_utf8_lossy(&bytes));
                return Ok(Some(Entry::of(line, Err(ProblemError::Text(why)), rejected)));
            }
        };
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
        Ok(Some(Entry { is_latin1, ..entry }))
    }
}

/// Returns whether a line that begins like a comment is a stipulation such as `#3`.
pub(super) fn is_alone(line: &str) -> bool {
    let text = line.trim_end_matches(['.', ',', ';', ':', '*', '!']);
    !text.contains(char::is_alphabetic) && Stipulation::parse_any(text).is_ok()
}

/// Returns the text of a line or of a row, or why it is too long and what it holds; `None` for a blank one. A tab at
/// its beginning stays: the first cell of the row is empty.
fn text(Item { bytes, is_cut, .. }: &Item) -> Option<RowText> {
    let longest = if bytes.trim_ascii_start().starts_with(b"{") { LONGEST_TEXT } else { LONGEST_LINE };
    if *is_cut || bytes.len() > longest {
        let why = format!("the line is longer than {longest} bytes; write one problem on a line");
        return Some(Err((why, bytes.clone())));
    }
    let Decoded { text, is_latin1 } = decoded(bytes.clone());
    let text = text.trim_start_matches('\u{feff}').trim_matches(|c: char| c.is_whitespace() && c != '\t');
    (!text.trim().is_empty()).then(|| Ok(Decoded { text: text.to_owned(), is_latin1 }))
}

impl<R: BufRead> Iterator for Rows<R> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let entry = self.entry().transpose()?;
        Some(entry.unwrap_or_else(|error| Entry { line: self.lines.number() + 1, ..Entry::unreadable(&error) }))
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
    }

    #[test]
    fn a_quote_that_is_never_closed_takes_no_other_row() {
        let row = "5Kbk/6pp/6P1/8/8/8/8/7R w - -,";
        for (rows, expected) in [
            // Without another quote, before a field in quotes, and before another quote that is never closed.
            (format!("{row}\"a\n{row}b\n{row}c\n"), vec![(2, false), (3, true), (4, true)]),
            (format!("{row}\"a\n{row}b\n{row}\"c, d\"\n{row}\n"), vec![(2, false), (3, true), (4, true), (5, true)]),
            (format!("{row}\"a\n{row}\"b\n{row}c"), vec![(2, false), (3, false), (4, true)]),
            (format!("{row}\"a\n"), vec![(2, false)]),
        ] {
            for start in ["FEN,note\n".to_owned(), format!("{row}x\n")] {
                let mut read = read_all(format!("{start}{rows}").as_bytes());
                assert!(read.iter().all(|(_, read)| read.as_ref().err().is_none_or(|why| why.contains("quote opens"))));
                read.retain(|(line, _)| *line > 1);
                assert_eq!(
                    read.iter().map(|(line, read)| (*line, read.is_ok())).collect::<Vec<_>>(),
                    expected,
                    "{rows}"
                );
            }
        }
        // No more than the longest line is searched for the other quote.
        let count = LONGEST_LINE / 30;
        let open = format!("FEN,note\n{row}\"\n{}", format!("{row}x\n").repeat(count));
        let lines = read_all(open.as_bytes());
        assert!(lines.len() == count + 1 && lines[0].1.is_err() && lines[1..].iter().all(|line| line.1.is_ok()));
    }

    #[test]
    fn rows_that_begin_like_comments_are_read_and_a_stipulation_alone_is_refused() {
        let fen = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";
        let read = |text: &str| {
            let read =
                |entry: Entry| (entry.line, entry.problem.ok().map(|it| (it.id, it.question.stipulation.to_string())));
            Rows::new(text.as_bytes()).map(read).collect::<Vec<_>>()
        };
        let is = |id: &str, text: &str| Some((Some(id.to_owned()).filter(|id| !id.is_empty()), text.to_owned()));
        let table =
            format!("# a comment\nstipulation,FEN,id\n#2,{fen},a\n# another\n#3,{fen},b\n% x,\n#4,{fen}\n#5,,\n");
        assert_eq!(read(&table), [(3, is("a", "#2")), (5, is("b", "#3")), (7, is("", "#4")), (8, None)]);
        let table = format!("%1;{fen};#2\n#2;{fen};#3\n# no row\n");
        assert_eq!(read(&table), [(1, is("%1", "#2")), (2, None)]);
        assert_eq!(read(&format!("#2;{fen};a\n#3;{fen}\n")), [(1, is("a", "#2")), (2, is("", "#3"))]);
        assert_eq!(read(&format!("#\tFEN\tid\n#1\t{fen}\ta\n")), [(2, is("a", "#"))]);
        assert_eq!(read(&format!("\tFEN\tid\n\t{fen}\ta\n\t{fen}\tb")), [(2, is("a", "#")), (3, is("b", "#"))]);
        for alone in ["#3", " # 3", "#-2", "#3."] {
            assert_eq!(read(&format!("{fen}\n{alone}\n# Prinz 3\n#\n#x\n")), [(1, is("", "#")), (2, None)], "{alone}");
        }
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
