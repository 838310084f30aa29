//! The formats of inputs: the only place where the kind of a file or of a text is recognised.
//!
//! A new format is a file with its reader, a row in [`FORMATS`], and a row in `docs/formats.md`.

use std::io::BufRead;

use super::start::text;
use super::{Entries, Entry, Input, LONGEST_LINE, Reading, Rejected, collection, games, objects, rows};
use crate::problem::{ProblemError, olv, popeye};

/// The format of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputFormat {
    /// An `.olv` collection: YAML documents.
    Collection,
    /// The JSON of the YACPDB's query gateway, one page or several.
    Pages,
    /// A JSON array of objects.
    JsonArray,
    /// A collection of games in PGN.
    Games,
    /// A certificate, see [`crate::proof::Certificate`]. It holds no problem to solve.
    Certificate,
    /// Popeye's input.
    Popeye,
    /// JSON objects, one a line.
    JsonLines,
    /// Lines of FEN or EPD, or a table.
    Lines,
}

/// A reader of entries.
type Reader = for<'a> fn(Input<'a>, Reading) -> Entries<'a>;

/// A format, the ends of the names of such files (after the dot), whether an input that begins like this has it (unless
/// it has one that stands before it), and its reader.
type Row = (InputFormat, &'static [&'static str], fn(&[u8]) -> bool, Reader);

/// All formats, in the order in which they are tried.
const FORMATS: [Row; 8] = [
    (InputFormat::Collection, &["olv", "yaml", "yml"], olv::is_collection, collection::entries),
    (InputFormat::Pages, &[], objects::is_page, |input, _| objects::entries(input, true)),
    (InputFormat::JsonArray, &["json"], is_array, |input, _| objects::entries(input, false)),
    (InputFormat::Games, &["pgn"], is_games, games::entries),
    (
        InputFormat::Certificate,
        &[],
        |start| text(start).starts_with(b"matesolve certificate"),
        |_, _| refused("this is a certificate, which `matesolve verify` checks; give the problem itself"),
    ),
    (InputFormat::Popeye, &[], popeye::is_input, |_, _| {
        refused("this is Popeye's input; solve it with `matesolve popeye`")
    }),
    (InputFormat::JsonLines, &["jsonl"], |start| text(start).starts_with(b"{"), rows::entries),
    (InputFormat::Lines, &["epd", "fen", "txt", "csv"], |_| true, rows::entries),
];

/// Returns the only entry of an input that another command reads.
fn refused<'a>(why: &str) -> Entries<'a> {
    let why = ProblemError::Text(why.to_owned());
    Box::new(std::iter::once(Entry::of(1, Err(why), Rejected::default)))
}

/// Returns the first letter after the bracket `[` with which an input begins.
fn after_bracket(start: &[u8]) -> Option<u8> {
    text(start).strip_prefix(b"[")?.trim_ascii_start().first().copied()
}

fn is_array(start: &[u8]) -> bool {
    text(start).starts_with(b"[") && matches!(after_bracket(start), None | Some(b'{' | b']'))
}

fn is_games(start: &[u8]) -> bool {
    after_bracket(start).is_some_and(|byte| byte.is_ascii_alphabetic())
}

impl InputFormat {
    /// Recognises the format of an input by its beginning.
    pub fn of(start: &[u8]) -> InputFormat {
        FORMATS.iter().find(|(_, _, begins, _)| begins(start)).map_or(InputFormat::Lines, |row| row.0)
    }

    /// Recognises the format of a whole text, which may also be an entry of a collection without its separator.
    pub fn of_text(text: &str) -> InputFormat {
        let is_entry = text.lines().any(|line| line.starts_with("algebraic:"));
        if is_entry { InputFormat::Collection } else { InputFormat::of(text.as_bytes()) }
    }

    /// Returns the format of files whose names end like this, after the last dot. Only collections are read by their
    /// names: their entries need no separators. Of other files, the beginning decides.
    pub fn of_ending(ending: &str) -> Option<InputFormat> {
        let is_known = |endings: &[&str]| endings.iter().any(|known| known.eq_ignore_ascii_case(ending));
        FORMATS.iter().find(|(_, endings, ..)| is_known(endings)).map(|row| row.0)
    }

    /// Returns the entries of an input of this format.
    pub(super) fn entries(self, input: Input<'_>, reading: Reading) -> Entries<'_> {
        match FORMATS.iter().find(|row| row.0 == self) {
            Some((.., reader)) => reader(input, reading),
            None => rows::entries(input, reading),
        }
    }
}

/// Reads the beginning of an input, until it shows its format: an input may be a pipe that gives one byte at a time.
pub(super) fn beginning(input: &mut impl BufRead) -> Vec<u8> {
    let mut start = Vec::new();
    while let Some(buffer) = input.fill_buf().ok().filter(|buffer| !buffer.is_empty()) {
        start.extend_from_slice(buffer);
        let read = buffer.len();
        input.consume(read);
        if is_decided(&start) || start.len() >= LONGEST_LINE {
            break;
        }
    }
    start
}

/// Returns whether more bytes after these cannot change the format.
fn is_decided(start: &[u8]) -> bool {
    match text(start) {
        [b'[', ..] => after_bracket(start).is_some(),
        // The first line as a whole, or a field that only a problem or only a page has.
        [b'{', ..] => objects::is_decided(text(start)),
        _ => olv::first_line(start).is_some_and(|line| line.contains(&b'\n') || line.len() >= LONGEST_LINE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_recognised_by_its_beginning() {
        for (start, format) in [
            ("%YAML 1.2\n---\n", InputFormat::Collection),
            ("{\"result\": {\"entries\": [", InputFormat::Pages),
            ("\u{feff} [\n", InputFormat::JsonArray),
            ("[ {", InputFormat::JsonArray),
            ("[Event", InputFormat::Games),
            ("matesolve certificate 1\n", InputFormat::Certificate),
            (" begin\n", InputFormat::Popeye),
            ("{\"fen\"", InputFormat::JsonLines),
            ("", InputFormat::Lines),
            ("[1] 5Kbk/6pp/6P1/8/8/8/8/7R w - -", InputFormat::Lines),
            ("beginning of a list\n", InputFormat::Lines),
        ] {
            assert_eq!(InputFormat::of(start.as_bytes()), format, "{start}");
        }
        assert_eq!(InputFormat::of_text("authors: x\nalgebraic:\n"), InputFormat::Collection);
        assert_eq!(
            (InputFormat::of_ending("OLV"), InputFormat::of_ending("pgn")),
            (Some(InputFormat::Collection), Some(InputFormat::Games))
        );
        assert_eq!(InputFormat::of_ending("doc"), None);
    }

    #[test]
    fn no_more_is_read_than_is_needed_to_recognise_a_format() {
        for (text, format, most) in [
            ("5Kbk/6pp/6P1/8/8/8/8/7R w - -\nmore", InputFormat::Lines, 31),
            ("{\"a\": 1}\n{\"b\": 2}\n", InputFormat::JsonLines, 9),
            ("{\"id\": 1, \"fen\": \"x\"}\n", InputFormat::JsonLines, 16),
            ("{\n\"entries\" : [{}]}", InputFormat::Pages, 15),
        ] {
            let mut input = std::io::BufReader::with_capacity(1, text.as_bytes());
            let start = beginning(&mut input);
            assert!(InputFormat::of(&start) == format && start.len() <= most, "{text}: {}", start.len());
        }
    }
}
