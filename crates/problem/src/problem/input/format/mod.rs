//! The formats of inputs, how each is recognised, and their readers:
//!
//! | file | reads |
//! |---|---|
//! | `blocks` | positions with a name above and a solution below them |
//! | `rows` | lines of FEN, EPD and JSON, and rows of tables |
//! | `objects` | JSON over several lines, arrays, and objects that hold others: cuts them into their objects |
//! | `collections` | entries of `.olv` collections, the games of PGN collections, and Popeye's input |
//! | `script` | arrays in source text, which become JSON |
//! | `painter` | databases of Scacchi Painter |
//!
//! To add a format: a file with its reader, a variant of [`InputFormat`] and its row in [`FORMATS`], and a row in
//! `docs/formats.md`.

mod blocks;
mod collections;
pub mod objects;
mod painter;
pub mod rows;
mod script;

use std::io::BufRead;

use objects::{Nest, text};

use super::{Entries, Entry, Input, LONGEST_LINE, Reading, Rejected};
use crate::problem::csv::Header;
use crate::problem::{Problem, ProblemError, olv, popeye};

/// The format of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputFormat {
    /// An `.olv` collection: YAML documents.
    Collection,
    /// JSON that is not one object a line: an object over several lines, an array of objects, or objects that hold such
    /// an array, as the pages of the YACPDB's query gateway do.
    Json,
    /// A collection of games in PGN.
    Games,
    /// A certificate, see `matesolve::proof::Certificate`. It holds no problem to solve.
    Certificate,
    /// Popeye's input.
    Popeye,
    /// A database of Scacchi Painter.
    Painter,
    /// JSON objects, one a line.
    JsonLines,
    /// Arrays in the source text of a script.
    Script,
    /// Text of two bytes a character.
    Utf16,
    /// JSON that names its columns apart from its rows.
    Columns,
    /// A table without a column for the position.
    NoPosition,
    /// Positions with names above and solutions below them.
    Blocks,
    /// Nothing that is known: many lines, none of which looks like a problem.
    Unknown,
    /// Lines of FEN or EPD, or a table.
    Lines,
}

/// A reader of entries. It is given the beginning of the input, too.
type Reader = for<'a> fn(Input<'a>, Reading, &[u8]) -> Entries<'a>;

/// A format, the ends of the names of such files (after the dot), whether an input that begins like this has it (unless
/// it has one that stands before it), and its reader.
type Row = (InputFormat, &'static [&'static str], fn(&[u8]) -> bool, Reader);

/// All formats, in the order in which they are tried.
const FORMATS: [Row; 14] = [
    (
        InputFormat::Utf16,
        &[],
        |start| matches!(start, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'\t'..=b'~', 0, b'\t'..=b'~', 0, ..]),
        |_, _, _| refused("this text is UTF-16; save it as UTF-8"),
    ),
    (InputFormat::Collection, &["olv", "yaml", "yml"], olv::is_collection, |input, reading, _| {
        collections::entries(input, reading)
    }),
    (InputFormat::Columns, &[], objects::has_columns_apart, |_, _, _| {
        refused(
            "this JSON describes its columns in one place and has its rows in another; write each problem as an object \
             {\"fen\": \"…\"} (in pandas: orient=\"records\")",
        )
    }),
    (InputFormat::Script, &["js", "mjs", "ts"], script::is_script, |input, _, _| script::entries(input)),
    (InputFormat::Json, &["json"], is_json, |input, _, start| objects::entries(input, start)),
    (InputFormat::Games, &["pgn"], is_games, |input, reading, _| collections::games(input, reading)),
    (
        InputFormat::Certificate,
        &[],
        |start| text(start).starts_with(b"matesolve certificate"),
        |_, _, _| refused("this is a certificate, which `matesolve verify` checks; give the problem itself"),
    ),
    (InputFormat::Popeye, &[], popeye::is_input, |input, _, _| collections::popeye(input)),
    (InputFormat::Painter, &["sp2"], painter::is_database, |input, _, _| painter::entries(input)),
    (InputFormat::JsonLines, &["jsonl"], |start| text(start).starts_with(b"{"), |input, _, _| rows::entries(input)),
    (
        InputFormat::NoPosition,
        &[],
        |start| columns_without_position(start).is_some(),
        |_, _, start| {
            let names = columns_without_position(start).unwrap_or_default().join(", ");
            let names = crate::base::printable::excerpt(&names);
            refused(&format!("the columns of this table are {names}, and none is the position; name that column FEN"))
        },
    ),
    (InputFormat::Unknown, &[], is_unknown, |_, _, _| {
        refused(
            "no line at the beginning of this input is a problem; expected lines of FEN or EPD, a table with a column \
             FEN, JSON objects, games in PGN, or a collection (.olv)",
        )
    }),
    (InputFormat::Blocks, &[], blocks::begins_with_name, |input, reading, _| blocks::entries(input, reading)),
    (InputFormat::Lines, &["epd", "fen", "txt", "csv"], |_| true, |input, _, _| rows::entries(input)),
];

/// Returns the only entry of an input that is refused as a whole.
fn refused<'a>(why: &str) -> Entries<'a> {
    let why = ProblemError::Text(why.to_owned());
    Box::new(std::iter::once(Entry::of(1, Err(why), Rejected::default)))
}

/// Returns the first letter after the bracket `[` with which an input begins.
fn after_bracket(start: &[u8]) -> Option<u8> {
    text(start).strip_prefix(b"[")?.trim_ascii_start().first().copied()
}

/// Returns whether an input begins like an array of JSON: with a value that has a bracket or a quote, or one that a
/// comma follows.
fn is_array(start: &[u8]) -> bool {
    let Some(inside) = text(start).strip_prefix(b"[").map(<[u8]>::trim_ascii_start) else { return false };
    let word = inside.split(|byte| b",]".contains(byte)).next().unwrap_or_default();
    matches!(inside.first(), None | Some(b'{' | b'[' | b']' | b'"'))
        || inside.get(word.len()) == Some(&b',') && serde_json::from_slice::<serde_json::Value>(word).is_ok()
}

/// Returns the part of the beginning that shows where the objects of JSON stand: the first line, if it is a whole
/// object.
fn first_value(start: &[u8]) -> &[u8] {
    let text = text(start);
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if objects::is_one_a_line(start) == Some(true) { line } else { text }
}

/// Returns where the objects stand in JSON that begins like this.
pub(super) fn nest(start: &[u8]) -> Nest {
    let is_array = text(start).starts_with(b"[");
    Nest::of(first_value(start)).unwrap_or_else(|| if is_array { Nest::array() } else { Nest::default() })
}

fn is_json(start: &[u8]) -> bool {
    match text(start) {
        [b'[', ..] => is_array(start),
        [b'{', ..] => objects::is_one_a_line(start) == Some(false) || !nest(start).is_flat() || objects::is_map(start),
        _ => false,
    }
}

/// Returns the lines of a text that are neither blank nor comments.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !matches!(line, [] | [b'#' | b'%', ..]))
}

/// Returns the names in the first line of a table in which none is that of the position.
fn columns_without_position(start: &[u8]) -> Option<Vec<String>> {
    Header::without_position(&String::from_utf8_lossy(lines(text(start)).next()?))
}

/// Returns whether there are many lines, and none looks like a problem. Only whole lines count: an input may come
/// slowly.
fn is_unknown(start: &[u8]) -> bool {
    const MANY: usize = 5;
    let whole = start.iter().rposition(|&byte| byte == b'\n').map_or(&[][..], |end| &start[..end]);
    let lines: Vec<&[u8]> = lines(whole).collect();
    // A board has seven slashes; a faulty one may have fewer.
    let is_like_problem = |line: &&[u8]| {
        let text = String::from_utf8_lossy(line);
        line.starts_with(b"{") || line.split(u8::is_ascii_whitespace).any(has_board) || Problem::read(&text).is_ok()
    };
    let is_header = |line: &str| Header::read(line).is_some() || Header::is_only_column(line);
    let is_table = || lines.first().is_some_and(|line| is_header(&String::from_utf8_lossy(line)));
    lines.len() >= MANY && !is_table() && !lines.iter().any(is_like_problem)
}

fn has_board(word: &[u8]) -> bool {
    word.split(|&byte| byte == b'/').count() > 4
}

fn is_games(start: &[u8]) -> bool {
    after_bracket(start).is_some_and(|byte| byte.is_ascii_alphabetic())
}

impl InputFormat {
    /// Recognises the format of an input by its beginning.
    pub fn of(start: &[u8]) -> InputFormat {
        FORMATS.iter().find(|(_, _, begins, _)| begins(start)).map_or(InputFormat::Lines, |row| row.0)
    }

    /// Recognises the format of an input by its beginning. If the whole input is there, solutions may stand below its
    /// positions though the first has no name.
    pub(super) fn of_input(start: &[u8], is_whole: bool) -> InputFormat {
        match InputFormat::of(start) {
            InputFormat::Lines if is_whole && blocks::begins_with_solution(start) => InputFormat::Blocks,
            format => format,
        }
    }

    /// Recognises the format of a whole text, which may also be an entry of a collection without its separator.
    pub fn of_text(text: &str) -> InputFormat {
        let is_entry = text.lines().any(|line| line.starts_with("algebraic:"));
        if is_entry { InputFormat::Collection } else { InputFormat::of_input(text.as_bytes(), true) }
    }

    /// Returns the format of files whose names end like this, after the last dot. The commands read only collections by
    /// their names, because their entries need no separators. Of other files, the beginning decides.
    pub fn of_ending(ending: &str) -> Option<InputFormat> {
        let is_known = |endings: &[&str]| endings.iter().any(|known| known.eq_ignore_ascii_case(ending));
        FORMATS.iter().find(|(_, endings, ..)| is_known(endings)).map(|row| row.0)
    }

    /// Returns the entries of an input of this format.
    pub(super) fn entries<'a>(self, input: Input<'a>, reading: Reading, start: &[u8]) -> Entries<'a> {
        match FORMATS.iter().find(|row| row.0 == self) {
            Some((.., reader)) => reader(input, reading, start),
            None => rows::entries(input),
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
        [b'[', ..] => {
            is_array(start) && after_bracket(start).is_some() || text(start).iter().any(|byte| b"],\n".contains(byte))
        }
        [b'/', b'/' | b'*', ..] => script::first_code(start).is_some_and(|code| code.contains(&b'\n')),
        // The first line as a whole, or a field that only a problem has, or an array of entries.
        [b'{', ..] => objects::is_one_a_line(start) == Some(true) || Nest::of(start).is_some(),
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
            ("{\"result\": {\"entries\": [", InputFormat::Json),
            ("{\"x\": [{\"fen\":", InputFormat::Json),
            ("{\n  \"fen\":", InputFormat::Json),
            ("\u{feff} [\n", InputFormat::Json),
            ("[ {", InputFormat::Json),
            ("[null, {", InputFormat::Json),
            ("[\n7, {", InputFormat::Json),
            ("[\"5Kbk", InputFormat::Json),
            ("[Event", InputFormat::Games),
            ("matesolve certificate 1\n", InputFormat::Certificate),
            (" begin\n", InputFormat::Popeye),
            ("{\"fen\"", InputFormat::JsonLines),
            ("", InputFormat::Lines),
            ("[1] 5Kbk/6pp/6P1/8/8/8/8/7R w - -", InputFormat::Lines),
            ("beginning of a list\n", InputFormat::Blocks),
            ("id,moves,rating\n", InputFormat::NoPosition),
            ("A vs B, London, 1900\n", InputFormat::Blocks),
            ("fen\n", InputFormat::Lines),
            ("const p = [\n", InputFormat::Script),
            ("{\"columns\": [\"fen\"], \"data\": [[\"x\"]]}\n", InputFormat::Columns),
            ("{\"a\": \"5Kbk/6pp/6P1/8/8/8/8/7R w\"", InputFormat::Json),
            ("f\0e\0n\0", InputFormat::Utf16),
            ("# a list\n1\n2\n3\n4\n5\n", InputFormat::Unknown),
            ("1\n2\n3\n4\n5\n5Kbk/6pp/6P1/8/8/8/8/7R w - -\n", InputFormat::Lines),
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
            ("{\n\"entries\" : [{}]}", InputFormat::Json, 15),
        ] {
            let mut input = std::io::BufReader::with_capacity(1, text.as_bytes());
            let start = beginning(&mut input);
            assert!(InputFormat::of(&start) == format && start.len() <= most, "{text}: {}", start.len());
        }
    }
}
