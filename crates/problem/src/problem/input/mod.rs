//! The problems of a file or stream: one pipeline from bytes of any kind to entries.
//!
//! ```text
//! bytes ── format ──> records of bounded size ──> Entry: problem, name, line, text, what a collection says beside it
//! ```
//!
//! | file | content |
//! |---|---|
//! | `format` | the formats: their names, how each is recognised, and their readers |
//! | `file` | opens files, and decompresses them |
//! | `entry` | the entry: problem, name, line and text of one place of an input |
//!
//! An input may contain anything: a line of 10 MB, a binary file, bytes that are not UTF-8. Of a line, an object, a
//! game or an entry at most 1 MiB is kept, and one is read after the other; only Popeye's input and databases of
//! Scacchi Painter are read as a whole. A record that is no problem does not stop the reading; damaged data and
//! brackets that are not closed do. Among lines, blank ones and comments (`#`, `%`) are skipped but counted.

mod entry;
#[cfg(feature = "files")]
pub mod file;
mod format;

use std::io::{self, BufRead, Cursor};
use std::sync::Arc;

pub use entry::{Entry, EntryKind, Rejected};
pub use format::{InputFormat, objects, rows};

use super::csv::Header;
use super::item::unmarked;
use super::pasted::{self, NO_MOVES};
use super::{Asked, Problem, ProblemError};
use crate::base::encoding::Decoded;
use crate::base::lines::{Line, Lines};
use objects::{Item, Objects};
use rows::Rows;

/// The longest line of FEN or EPD, and the longest record of a table, in bytes.
pub(crate) const LONGEST_LINE: usize = 1 << 16;

/// The longest text of any other problem, in bytes.
pub(crate) const LONGEST_TEXT: usize = 1 << 20;

/// The options of reading an input.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading {
    /// The format, if the name of the input says it; else it is recognised by the beginning of the input.
    pub format: Option<InputFormat>,
    /// Of games, the half-move whose position is the problem; `None`: the last one. An input without games has no
    /// problems then.
    pub ply: Option<u16>,
    /// Whether every byte of a collection is kept, so that it can be written again.
    pub keeps_bytes: bool,
    /// Whether the whole input is there, as in a file, so that looking ahead never waits for a writer.
    pub is_whole: bool,
}

/// The bytes of an input.
type Input<'a> = Box<dyn BufRead + Send + 'a>;

/// The entries of an input, in order.
pub type Entries<'a> = Box<dyn Iterator<Item = Entry> + Send + 'a>;

/// Returns the entries of `input`, which has the index `file` among several.
///
/// ```
/// use matesolve_problem::problem::input::{Reading, entries};
///
/// let text = "# two problems\n5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;\nnonsense\n";
/// let read: Vec<_> = entries(text.as_bytes(), 0, Reading::default()).collect();
/// assert_eq!((read.len(), read[0].line, read[1].line), (2, 2, 3));
/// assert!(read[0].problem.is_ok() && read[1].problem.is_err());
/// ```
pub fn entries<'a>(input: impl BufRead + Send + 'a, file: usize, reading: Reading) -> Entries<'a> {
    let mut input = input;
    // If reading fails here, the reader of the format meets the error again and reports it.
    let start = format::beginning(&mut input);
    let format = reading.format.unwrap_or_else(|| InputFormat::of_input(&start, reading.is_whole));
    // In a collection, a byte order mark is kept like every byte.
    let kept = if format == InputFormat::Collection { &start } else { unmarked(&start) };
    let whole = Box::new(io::Read::chain(Cursor::new(kept.to_vec()), input));
    let is_without_moves = reading.ply.is_some() && format != InputFormat::Games;
    Box::new(format.entries(whole, reading, &start).map(move |mut entry| {
        if is_without_moves && entry.kind == EntryKind::Record {
            entry.problem = Err(NO_MOVES.into());
        }
        Entry { file, ..entry }
    }))
}

/// Returns the beginning of an input, and the whole input without a byte order mark.
fn begun<R: BufRead>(mut input: R) -> (Vec<u8>, io::Chain<Cursor<Vec<u8>>, R>) {
    let start = format::beginning(&mut input);
    let unmarked = Cursor::new(unmarked(&start).to_vec());
    (start, io::Read::chain(unmarked, input))
}

/// Returns the objects of a JSON input, of each at most `longest` bytes. An input that is written one object a line is
/// read line by line, so that a broken line does not affect the others.
pub fn objects_of<'a>(input: impl BufRead + 'a, longest: usize) -> Box<dyn Iterator<Item = io::Result<Item>> + 'a> {
    let (start, whole) = begun(input);
    if InputFormat::of(&start) == InputFormat::Json {
        return Box::new(Objects::new(whole, longest, format::nest(&start)));
    }
    let mut lines = Lines::new(whole, longest);
    let item = |line: Line<'_>| Item::of_line(&line, line.content().trim_ascii());
    Box::new(std::iter::from_fn(move || {
        loop {
            let item = lines.next_line().map(|line| line.map(item)).transpose()?;
            if !item.as_ref().is_ok_and(Item::is_empty) {
                return Some(item);
            }
        }
    }))
}

/// Returns the texts of an input that are neither blank nor comments: the objects of JSON in any form, else lines, and
/// records of tables; of lists with names and solutions, games and scripts the entries.
pub fn texts<'a>(input: impl BufRead + Send + 'a, reading: Reading) -> Box<dyn Iterator<Item = Text> + Send + 'a> {
    let (start, whole) = begun(input);
    let format = InputFormat::of_input(&start, reading.is_whole);
    if matches!(format, InputFormat::Blocks | InputFormat::Games | InputFormat::Script) {
        let text = |entry: Entry| {
            let text = Text::of(entry.line, Err(String::new()));
            Text { entry: Some(Box::new(entry)), ..text }
        };
        return Box::new(format.entries(Box::new(whole), reading, &start).map(text));
    }
    if format != InputFormat::Json {
        let mut rows = Rows::new(whole);
        return Box::new(std::iter::from_fn(move || rows.text()));
    }
    let text = |item: io::Result<Item>| {
        let item = item?;
        let why = || format!("the object is longer than {LONGEST_TEXT} bytes; shorten it");
        Ok(Text::of(item.line, item.fault.clone().map_or_else(|| item.decoded().ok_or_else(why), Err)))
    };
    let items = Objects::new(whole, LONGEST_TEXT, format::nest(&start));
    until_error(items.map(text), |error| Text::of(0, Err(entry::unreadable(error))))
}

/// A text of an input.
#[derive(Debug)]
pub struct Text {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The text, or why it cannot be read.
    pub text: Result<Decoded, String>,
    /// The columns of the table of which it is a row.
    pub header: Option<Arc<Header>>,
    /// The entry of a format whose problems are neither lines nor objects; it has no text.
    pub entry: Option<Box<Entry>>,
}

impl Text {
    fn of(line: usize, text: Result<Decoded, String>) -> Text {
        Text { line, text, header: None, entry: None }
    }
}

/// Returns the items up to the first error, of which the last one is made.
fn until_error<'a, T>(
    items: impl Iterator<Item = io::Result<T>> + Send + 'a,
    last: impl Fn(&io::Error) -> T + Send + 'a,
) -> Box<dyn Iterator<Item = T> + Send + 'a> {
    let mut failed = false;
    Box::new(items.map_while(move |item| {
        let item = (!failed).then_some(item)?;
        failed = item.is_err();
        Some(item.unwrap_or_else(|error| last(&error)))
    }))
}

/// Reads the problem of a text that a person has pasted: one position in any form, perhaps with a name above and its
/// solution below. Returns its line too.
///
/// # Errors
/// As [`pasted::problem_asked`].
pub fn one(text: &str, ply: Option<usize>, told: &Asked) -> Result<(Problem, String), ProblemError> {
    match ply.is_none().then(|| block(text)).flatten() {
        Some(problem) => told.of(Ok(problem)).map(|problem| (problem.clone(), problem.fen)),
        None => pasted::problem_asked(text, ply, told),
    }
}

/// Reads a pasted text as the entry that begins in this line.
pub fn one_entry(text: &str, line: usize) -> Entry {
    let read = one(text, None, &Asked::default());
    Entry::of(line, read.map(|(problem, _)| problem), || Rejected::line(text))
}

/// Reads a text of several lines in which a name stands above the only position, or its solution below it.
fn block(text: &str) -> Option<Problem> {
    let is_block = text.trim().contains('\n') && InputFormat::of_text(text.trim()) == InputFormat::Blocks;
    let reading = Reading { format: Some(InputFormat::Blocks), is_whole: true, ..Reading::default() };
    let mut entries = is_block.then(|| entries(text.trim().as_bytes(), 0, reading))?;
    let first = entries.next()?.problem.ok()?;
    entries.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Problem, ProblemError};

    #[test]
    fn tables_arrays_and_games_are_recognised_by_their_start() {
        let read = |text: &'static str| -> Vec<(usize, String)> {
            let lines = entries(text.as_bytes(), 0, Reading::default());
            lines.map(|line| (line.line, line.problem.map_or_else(|error| error.to_string(), |it| it.fen))).collect()
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
    fn a_half_move_is_chosen_in_every_game_and_games_are_named() {
        let read = |text: &'static str, ply| -> Vec<(Option<String>, Result<String, String>)> {
            let lines = entries(text.as_bytes(), 0, Reading { ply, ..Reading::default() });
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
                let read: Vec<Entry> = entries(input, 0, Reading::default()).collect();
                assert_eq!((read.len(), read[0].line), (1, line), "{text}");
                let fen = read[0].problem.as_ref().map(|problem| problem.fen.as_str());
                assert_eq!(fen, Ok("5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1"), "{text}");
            }
        }
    }
}
