//! Splits a stream into YAML documents.
//!
//! YAML separates documents by lines that are `---` or begin with it and white space, which no value has. A collection
//! is split there before it is parsed, so that a broken entry does not affect the others. An entry may begin on the
//! line of the separator (`--- {algebraic: …}`, `--- !tag`), and a line `...` ends one, so that what follows it is
//! another entry. One of more than `LONGEST_DOCUMENT` bytes has no text. The bytes between documents are kept, up to
//! the same number.

use std::io::{self, BufRead};

use crate::base::encoding::encoded;
use crate::base::lines::{Line, Lines};
use crate::problem::item::{Item, unmarked};

/// The longest entry that is read, in bytes.
pub(crate) const LONGEST_DOCUMENT: usize = 1 << 20;

/// One YAML document of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The number of its first line in the file, from 1: the one after `---`, or that of `---` if it begins there.
    pub line: usize,
    /// The text between two separators; `None` if it is too long.
    pub text: Option<String>,
    /// The bytes since the document before: separators, directives, comments and blank documents.
    pub before: Vec<u8>,
    /// Whether the text is not UTF-8 and was read as Latin-1.
    pub is_latin1: bool,
}

impl Document {
    /// Returns whether the document contains only blank lines, comments and directives (`%YAML 1.2`).
    fn is_blank(&self) -> bool {
        let ignored = |line: &str| {
            line.trim().is_empty()
                || line.trim_start().starts_with('#')
                || is_end(line.as_bytes())
                || line.starts_with('%')
        };
        self.text.as_deref().is_some_and(|text| text.split(['\n', '\r']).all(ignored))
    }
}

/// Iterates over the YAML documents of a stream that are not blank.
#[derive(Debug)]
pub struct Documents<R> {
    lines: Lines<R>,
    /// The start of the next document, if it stands on the line of its separator.
    opened: Option<Item>,
    /// Whether the input has ended or cannot be read.
    done: bool,
    /// The bytes that belong to no document, since the last one.
    between: Vec<u8>,
}

impl<R: BufRead> Documents<R> {
    /// Splits `input` into documents.
    pub fn new(input: R) -> Documents<R> {
        let lines = Lines::new(input, LONGEST_DOCUMENT);
        Documents { lines, opened: None, done: false, between: Vec::new() }
    }

    /// Returns the next document, blank or not, or `None` at the end of the input.
    fn document(&mut self) -> io::Result<Option<Document>> {
        let mut any = self.opened.is_some();
        let first = self.lines.number() + 1;
        let mut opened = self.opened.take().unwrap_or(Item { line: first, ..Item::default() });
        while let Some(Line { number, bytes, is_cut, .. }) = self.lines.next_line()? {
            let unmarked = unmarked(bytes);
            if is_separator(unmarked) {
                let line = bytes.to_vec();
                let document = self.finish(opened);
                self.separate(&line, number, is_cut);
                return Ok(Some(document));
            }
            any = true;
            let mark = &bytes[..if opened.bytes.is_empty() { bytes.len() - unmarked.len() } else { 0 }];
            let kept = &bytes[mark.len()..];
            self.between.extend_from_slice(mark);
            opened.is_cut |= is_cut;
            opened.push(kept, LONGEST_DOCUMENT);
            if is_end(kept) {
                return Ok(Some(self.finish(opened)));
            }
        }
        self.done = true;
        Ok(any.then(|| self.finish(opened)))
    }

    /// Keeps the separator on line `number`. What stands after it on its line, other than a comment, begins the next
    /// document.
    fn separate(&mut self, line: &[u8], number: usize, is_cut: bool) {
        let marker = line.windows(SEPARATOR.len()).position(|part| part == SEPARATOR).unwrap_or(0) + SEPARATOR.len();
        let (before, content) = line.split_at(marker);
        // A line break of old files (`\r`) ends a comment too.
        let is_line = !content.trim_ascii_end().contains(&b'\r') && !is_cut;
        if is_line && matches!(content.trim_ascii_start(), [] | [b'#', ..]) {
            return self.between.extend_from_slice(line);
        }
        self.between.extend_from_slice(before);
        self.opened = Some(Item { line: number, bytes: content.to_vec(), is_cut, fault: None });
    }

    /// Makes a document, or keeps its bytes if it is blank.
    fn finish(&mut self, item: Item) -> Document {
        let line = item.line;
        let (text, is_latin1) = item.decoded().map_or((None, false), |it| (Some(it.text), it.is_latin1));
        let mut document = Document { line, text, before: Vec::new(), is_latin1 };
        if document.is_blank() {
            self.between.extend_from_slice(&encoded(document.text.as_deref().unwrap_or_default(), is_latin1));
        } else {
            document.before = std::mem::take(&mut self.between);
        }
        document
    }

    /// Returns the bytes after the last document, once the input has ended.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.between
    }
}

/// The beginning of a document.
const SEPARATOR: &[u8] = b"---";

/// Returns whether a line begins with `---`, alone or followed by white space.
fn is_separator(line: &[u8]) -> bool {
    line.strip_prefix(SEPARATOR).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Returns whether a line is `...`, which ends a document.
fn is_end(line: &[u8]) -> bool {
    line.strip_prefix(b"...").is_some_and(|rest| matches!(rest.trim_ascii(), [] | [b'#', ..]))
}

/// Returns whether a text begins like a collection: its first line is a separator. Blank lines, comments and directives
/// may stand before it.
///
/// ```
/// use matesolve_problem::problem::olv::is_collection;
///
/// assert!(is_collection(b"%YAML 1.2\n--- # first\n"));
/// assert!(!is_collection(b"# problems\n5Kbk/6pp/6P1/8/8/8/8/7R w - -\n"));
/// ```
pub fn is_collection(start: &[u8]) -> bool {
    first_line(start).is_some_and(is_separator)
}

/// Returns what must stand between an entry of another file and a document with these bytes before it: a separator if
/// it has none, and the end of a document before a directive.
pub fn joint(before: &[u8]) -> &'static [u8] {
    let mut lines = before.split(|&byte| byte == b'\n').map(unmarked);
    match () {
        () if lines.clone().any(|line| line.starts_with(b"%")) => b"...\n",
        () if lines.any(is_separator) => b"",
        () => b"---\n",
    }
}

/// Returns the first line that is neither blank nor a comment or directive, and all that follows it.
pub(crate) fn first_line(start: &[u8]) -> Option<&[u8]> {
    let mut rest = unmarked(start);
    loop {
        let ignored = matches!(rest.trim_ascii_start(), [] | [b'#', ..]) || rest.starts_with(b"%");
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let is_blank = rest[..end.unwrap_or(rest.len())].trim_ascii().is_empty();
        if !ignored && !is_blank {
            return Some(rest);
        }
        rest = &rest[end? + 1..];
    }
}

impl<R: BufRead> Iterator for Documents<R> {
    type Item = io::Result<Document>;

    fn next(&mut self) -> Option<io::Result<Document>> {
        while !self.done {
            match self.document() {
                // Too many comments in a row are like an entry that is too long: they are left out, with a message.
                Ok(Some(document)) if document.is_blank() && self.between.len() > LONGEST_DOCUMENT => {
                    self.between.clear();
                    return Some(Ok(Document { text: None, ..document }));
                }
                Ok(Some(document)) if document.is_blank() => {}
                Ok(document) => return document.map(Ok),
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(text: &[u8]) -> Vec<(usize, Option<String>)> {
        Documents::new(text).map(|document| document.map(|d| (d.line, d.text)).unwrap()).collect()
    }

    #[test]
    fn documents_are_split_at_separators_with_their_line_numbers() {
        let text = "\u{feff}---\na: 1\n--- # next\n\n# nothing\n---\nb: |\n  ---\n  x\n---\r\nc: 3";
        let found = documents(text.as_bytes());
        assert_eq!(found[0], (2, Some("a: 1\n".to_owned())));
        assert_eq!(found[1], (7, Some("b: |\n  ---\n  x\n".to_owned())));
        assert_eq!(found[2], (11, Some("c: 3".to_owned())));
        assert_eq!(found.len(), 3);
        assert_eq!(documents(b"%YAML 1.1\n---\na: 1\n"), [(3, Some("a: 1\n".to_owned()))]);
        assert!(documents(b"").is_empty() && documents(b"---\n---\n").is_empty());
    }

    #[test]
    fn every_byte_of_a_stream_is_in_a_document_or_beside_one() {
        let text =
            b"\xef\xbb\xbf%YAML 1.1\n--- # a\n\n---\r\na: 1\n---\nb: \xff\n--- \nc: 3\n...\nd: 4\n--- {e: 5}\n--- # f\n# end"
                .as_slice();
        let mut documents = Documents::new(text);
        let mut again = Vec::new();
        for document in documents.by_ref() {
            let Document { text, before, is_latin1, .. } = document.unwrap();
            again.extend([before.as_slice(), &encoded(&text.unwrap_or_default(), is_latin1)].concat());
        }
        again.extend_from_slice(documents.rest());
        assert_eq!(again, text);
    }

    #[test]
    fn an_entry_may_begin_on_the_line_of_its_separator() {
        let text = "--- {a: 1}\n--- # next\nb: 2\n--- !tag\nc: 3\n---\td: 4\n--- 'e'";
        let expected = [(1, " {a: 1}\n"), (3, "b: 2\n"), (4, " !tag\nc: 3\n"), (6, "\td: 4\n"), (7, " 'e'")];
        assert_eq!(documents(text.as_bytes()), expected.map(|(line, text)| (line, Some(text.to_owned()))));
    }

    #[test]
    fn a_document_ends_at_three_dots_or_a_byte_order_mark_before_a_separator() {
        let text = "a: 1\n...\nb: 2\n\u{feff}---\nc: 3\n... # end\n%TAG ! x:\n---\nd: 4\n";
        let expected = [(1, "a: 1\n...\n"), (3, "b: 2\n"), (5, "c: 3\n... # end\n"), (9, "d: 4\n")];
        assert_eq!(documents(text.as_bytes()), expected.map(|(line, text)| (line, Some(text.to_owned()))));
    }

    #[test]
    fn an_overlong_document_does_not_affect_the_others() {
        let mut text = b"a: \xff\n---\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', 3 * LONGEST_DOCUMENT));
        text.extend_from_slice(b"\n---\nb: 2\n");
        assert_eq!(documents(&text), [(1, Some("a: ÿ\n".to_owned())), (3, None), (5, Some("b: 2\n".to_owned()))]);
    }
}
