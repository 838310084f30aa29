//! The published problems of a file or stream, one after the other, whatever the file contains.
//!
//! | input | recognised by |
//! |---|---|
//! | an `.olv` collection | the name of the file, or a first line `---` |
//! | the JSON of the YACPDB's query gateway, one page or several | `{`, then an array `entries` before any diagram |
//! | a JSON array | `[{` |
//! | lines of JSON, EPD or FEN | anything else |
//!
//! One entry is in memory at a time. An entry that cannot be read is an error of that entry only.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use crate::problem::items::{Cut, Item, Items, LONGEST_TEXT};
use crate::problem::olv::{self, Document, Documents, LONGEST_DOCUMENT};
use crate::problem::{Problem, ProblemError};

use super::entry::{Published, PublishedError};

/// A place of an input that should hold a published problem.
#[derive(Debug)]
pub struct PublishedItem {
    /// The number of its first line, from 1; 0 if the input cannot be read any further.
    pub line: usize,
    /// The problem, or the reason why there is none.
    pub content: Result<Published, PublishedError>,
    /// The bytes of a collection before this entry, and the bytes of the entry itself if it is no problem. Empty for
    /// other inputs.
    pub before: Vec<u8>,
    /// Whether this stands for the end of a collection: there is no entry, only bytes.
    pub is_end: bool,
}

/// The number of bytes by which an input is recognised.
const START: u64 = 4096;

/// Returns the published problems of an input. It is read as a collection if `collection` is set.
pub fn published(
    mut input: impl Read + Send + 'static,
    collection: bool,
) -> Box<dyn Iterator<Item = PublishedItem> + Send> {
    let mut start = Vec::new();
    if let Err(error) = input.by_ref().take(START).read_to_end(&mut start) {
        return Box::new(std::iter::once(unreadable(&error)));
    }
    let cut = cut(&start);
    let is_collection = collection || olv::is_collection(&start);
    let input = BufReader::new(Cursor::new(start).chain(input));
    if is_collection { Box::new(entries(input)) } else { Box::new(items(input, cut)) }
}

fn without_mark(start: &[u8]) -> &[u8] {
    start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start)
}

/// Returns how an input that starts like this is cut into its problems.
fn cut(start: &[u8]) -> Cut {
    let start = without_mark(start).trim_ascii_start();
    let find = |name: &[u8]| start.windows(name.len()).position(|window| window == name).unwrap_or(usize::MAX);
    let diagram = find(b"\"fen\"").min(find(b"\"algebraic\""));
    match start {
        [b'{', ..] if find(b"\"entries\"") < diagram => Cut::Entries,
        [b'[', rest @ ..] if rest.trim_ascii_start().starts_with(b"{") => Cut::JsonObjects,
        _ => Cut::Lines,
    }
}

/// Returns the entries of a collection, and its end.
fn entries(input: impl BufRead + Send + 'static) -> impl Iterator<Item = PublishedItem> + Send {
    let mut documents = Documents::new(input);
    let mut is_done = false;
    std::iter::from_fn(move || {
        let document = if is_done { None } else { Some(documents.next()) }?;
        Some(match document {
            Some(Ok(document)) => entry(document),
            Some(Err(error)) => {
                is_done = true;
                unreadable(&error)
            }
            None => {
                is_done = true;
                let end = PublishedError::Invalid(ProblemError::Text(String::new()));
                PublishedItem { line: 0, content: Err(end), before: documents.rest().to_vec(), is_end: true }
            }
        })
    })
}

fn entry(document: Document) -> PublishedItem {
    let Document { line, text, mut before, bytes } = document;
    let content = match &text {
        Some(text) => Published::of_entry(text, line),
        None => Err(too_long("entry", LONGEST_DOCUMENT)),
    };
    if content.is_err() {
        before.extend(text.map_or(bytes, String::into_bytes));
    }
    PublishedItem { line, content, before, is_end: false }
}

fn items(input: impl BufRead + Send + 'static, cut: Cut) -> impl Iterator<Item = PublishedItem> + Send {
    let mut items = Items::new(input, cut);
    let mut failed = false;
    std::iter::from_fn(move || {
        while !failed {
            match items.next()? {
                Ok(item) => {
                    if let Some(item) = published_item(item, cut) {
                        return Some(item);
                    }
                }
                Err(error) => {
                    failed = true;
                    return Some(unreadable(&error));
                }
            }
        }
        None
    })
}

/// Reads an object or a line; `None` for a blank line or a comment.
fn published_item(item: Item, cut: Cut) -> Option<PublishedItem> {
    let Item { line, text } = item;
    let content = match &text {
        None => Err(too_long(if cut == Cut::Lines { "line" } else { "object" }, LONGEST_TEXT)),
        Some(text) => {
            let text = text.trim_start_matches('\u{feff}').trim();
            if text.is_empty() || text.starts_with(['#', '%']) {
                return None;
            }
            if text.starts_with('{') {
                Published::of_json(text, line)
            } else {
                Problem::read(text).map(|problem| Published::of_problem(problem, line)).map_err(PublishedError::from)
            }
        }
    };
    Some(PublishedItem { line, content, before: Vec::new(), is_end: false })
}

fn too_long(what: &str, longest: usize) -> PublishedError {
    let why = format!("the {what} is longer than {longest} bytes or not UTF-8 text; shorten it or convert it to UTF-8");
    PublishedError::Invalid(ProblemError::Text(why))
}

fn unreadable(error: &io::Error) -> PublishedItem {
    let why = format!("the input cannot be read from here on: {error}");
    let content = Err(PublishedError::Invalid(ProblemError::Text(why)));
    PublishedItem { line: 0, content, before: Vec::new(), is_end: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEN: &str = r#"{"white":["Kf8","Rh1","Pg6"],"black":["Kh8","Bg8","Ph7","Pg7"]}"#;

    fn read(text: &str) -> Vec<(usize, Option<String>)> {
        let items = published(Cursor::new(text.to_owned().into_bytes()), false).filter(|item| !item.is_end);
        items.map(|item| (item.line, item.content.ok().map(|it| it.problem.stipulation.to_string()))).collect()
    }

    #[test]
    fn every_kind_of_input_is_recognised() {
        let entry = format!(r##"{{"algebraic":{MEN},"stipulation":"#2"}}"##);
        let two = Some("#2".to_owned());
        let page = format!("{{\"result\":{{\"count\":2,\"entries\":[\n{entry},\n{entry}]}}}}\n");
        assert_eq!(read(&page), [(2, two.clone()), (3, two.clone())]);
        assert_eq!(read(&format!("[{entry},\n{entry}]")), [(1, two.clone()), (2, two.clone())]);
        let lines = format!("\u{feff}# x\n\n{entry}\nnonsense\n5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; bm Rh6;\n");
        assert_eq!(read(&lines), [(3, two.clone()), (4, None), (5, two.clone())]);
        assert_eq!(read(&format!("---\n{entry}\n---\n: [\n---\n{entry}\n")), [(2, two.clone()), (4, None), (6, two)]);
        assert_eq!(read(""), []);
    }

    /// A collection that is made while it is read: it is never in memory as a whole.
    struct Endless {
        entry: usize,
        entries: usize,
        rest: Cursor<Vec<u8>>,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.rest.read(buffer)?;
            if read > 0 || self.entry == self.entries {
                return Ok(read);
            }
            self.entry += 1;
            let broken = if self.entry == self.entries / 2 { "keywords: ['\n  }:" } else { "" };
            let text = format!("---\nalgebraic: {MEN}\nstipulation: '#2'\nid: {}\n{broken}\n", self.entry);
            self.rest = Cursor::new(text.into_bytes());
            self.rest.read(buffer)
        }
    }

    #[test]
    fn broken_yaml_among_a_hundred_thousand_entries_costs_one_entry() {
        let entries = 100_000;
        let input = Endless { entry: 0, entries, rest: Cursor::default() };
        let mut wrong = Vec::new();
        let mut count = 0;
        for (index, item) in published(input, true).filter(|item| !item.is_end).enumerate() {
            count += 1;
            match item.content {
                Ok(it) => assert_eq!(it.problem.id, Some((index + 1).to_string())),
                Err(error) => wrong.push((index + 1, item.line, error.to_string())),
            }
        }
        assert_eq!((count, wrong.len()), (entries, 1));
        let (index, line, why) = &wrong[0];
        assert_eq!((*index, *line), (entries / 2, 5 * entries / 2 - 3));
        assert!(why.contains("the entry is not YAML (line 250000:"), "{why}");
    }
}
