//! Splits a stream into YAML documents.
//!
//! YAML separates documents by lines `---`, which cannot occur inside a value. A collection is split there before it is
//! parsed, so that a broken entry does not affect the others. At most [`LONGEST_DOCUMENT`] bytes of an entry are kept.

use std::io::{self, BufRead, Read as _};

/// The longest entry that is read, in bytes.
pub(crate) const LONGEST_DOCUMENT: usize = 1 << 20;

/// One YAML document of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The number of its first line (the one after `---`) in the file, from 1.
    pub line: usize,
    /// The text between two separators; `None` if it is too long or not UTF-8.
    pub text: Option<String>,
    /// The bytes since the document before: separators, comments and blank documents.
    pub before: Vec<u8>,
    /// The bytes of a document that is not UTF-8. Empty if it has a text or is too long.
    pub bytes: Vec<u8>,
}

impl Document {
    /// Returns whether the document contains only blank lines, comments and the version of YAML.
    fn is_blank(&self) -> bool {
        let ignored = |line: &str| {
            line.trim().is_empty() || line.trim_start().starts_with('#') || line == "..." || line.starts_with("%YAML")
        };
        self.text.as_deref().is_some_and(|text| text.lines().all(ignored))
    }
}

/// Iterates over the YAML documents of a stream that are not blank.
#[derive(Debug)]
pub struct Documents<R> {
    input: R,
    /// The number of lines read.
    lines: usize,
    /// Whether the input has ended or cannot be read.
    done: bool,
    /// The bytes that belong to no document, since the last one.
    between: Vec<u8>,
    /// The content that the last separator has on its line, as in `--- {algebraic: …}`: the next document begins there.
    /// With it, the number of that line.
    begun: Option<(usize, Vec<u8>)>,
}

impl<R: BufRead> Documents<R> {
    /// Splits `input` into documents.
    pub fn new(input: R) -> Documents<R> {
        Documents { input, lines: 0, done: false, between: Vec::new(), begun: None }
    }

    /// Returns the next line with its line break, or `None` at the end of the input. A line longer than
    /// [`LONGEST_DOCUMENT`] is returned in pieces.
    fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let limit = LONGEST_DOCUMENT as u64 + 1;
        self.input.by_ref().take(limit).read_until(b'\n', &mut line)?;
        self.lines += usize::from(line.ends_with(b"\n"));
        Ok((!line.is_empty()).then_some(line))
    }

    /// Returns the next document, blank or not, or `None` at the end of the input.
    fn document(&mut self) -> io::Result<Option<Document>> {
        let begun = self.begun.take();
        let mut any = begun.is_some();
        let (first, mut bytes) = begun.unwrap_or((self.lines + 1, Vec::new()));
        let mut cut = bytes.len() > LONGEST_DOCUMENT;
        while let Some(mut line) = self.line()? {
            if self.lines <= 1 && line.starts_with(b"\xef\xbb\xbf") {
                self.keep(&line[..3]);
                line.drain(..3);
            }
            if is_separator(&line) {
                let document = self.finish(first, bytes, cut);
                let number = self.lines + usize::from(!line.ends_with(b"\n"));
                let content = line.split_off(content_start(&line));
                self.keep(&line);
                self.begun = Some((number, content)).filter(|(_, content)| !content.is_empty());
                return Ok(Some(document));
            }
            any = true;
            cut |= bytes.len() + line.len() > LONGEST_DOCUMENT;
            if !cut {
                bytes.extend_from_slice(&line);
            }
        }
        self.done = true;
        Ok(any.then(|| self.finish(first, bytes, cut)))
    }

    /// Makes a document, or keeps its bytes if it is blank.
    fn finish(&mut self, line: usize, bytes: Vec<u8>, cut: bool) -> Document {
        let (text, bytes) = match String::from_utf8(bytes) {
            _ if cut => (None, Vec::new()),
            Ok(text) => (Some(text), Vec::new()),
            Err(error) => (None, error.into_bytes()),
        };
        let mut document = Document { line, text, before: Vec::new(), bytes };
        if document.is_blank() {
            self.keep(document.text.as_deref().unwrap_or_default().as_bytes());
        } else {
            document.before = std::mem::take(&mut self.between);
        }
        document
    }

    /// Keeps bytes that belong to no document.
    fn keep(&mut self, bytes: &[u8]) {
        if self.between.len() + bytes.len() <= LONGEST_DOCUMENT {
            self.between.extend_from_slice(bytes);
        }
    }

    /// Returns the bytes after the last document, once the input has ended.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.between
    }
}

/// Returns whether a line is `---`, alone or followed by white space.
fn is_separator(line: &[u8]) -> bool {
    line.strip_prefix(b"---").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Returns where the content of a document begins on the line of a separator, or the end of the line if there is only a
/// comment or nothing.
fn content_start(line: &[u8]) -> usize {
    let start = line.iter().skip(3).position(|byte| !byte.is_ascii_whitespace()).map_or(line.len(), |at| at + 3);
    if line.get(start) == Some(&b'#') { line.len() } else { start }
}

/// Returns whether an input that starts like this is a stream of YAML documents: after a byte order mark, comments and
/// directives, it has a line `---`.
pub(crate) fn begins_documents(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let is_passed_over =
        |line: &&[u8]| line.trim_ascii().is_empty() || line.starts_with(b"#") || line.starts_with(b"%");
    start.split(|&byte| byte == b'\n').find(|line| !is_passed_over(line)).is_some_and(is_separator)
}

impl<R: BufRead> Iterator for Documents<R> {
    type Item = io::Result<Document>;

    fn next(&mut self) -> Option<io::Result<Document>> {
        while !self.done {
            match self.document() {
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
    fn a_document_may_begin_on_the_line_of_its_separator() {
        let text = b"--- {a: 1}\n--- !x {b: 2,\n  c: 3}\n---   # no content\nd: 4\n--- \"e\"".as_slice();
        let found = documents(text);
        let expected = [(1, "{a: 1}\n"), (2, "!x {b: 2,\n  c: 3}\n"), (5, "d: 4\n"), (6, "\"e\"")];
        assert_eq!(found, expected.map(|(line, text)| (line, Some(text.to_owned()))));
        for text in ["---\na: 1", "\u{feff}# x\n%YAML 1.2\n\n--- {a: 1}"] {
            assert!(begins_documents(text.as_bytes()), "{text}");
        }
        assert!(!begins_documents(b"# 8/8\n5Kbk/6pp w") && !begins_documents(b"---x") && !begins_documents(b""));
    }

    #[test]
    fn every_byte_of_a_stream_is_in_a_document_or_beside_one() {
        let text =
            b"\xef\xbb\xbf%YAML 1.1\n--- # a\n\n---\r\na: 1\n---\nb: \xff\n--- \nc: 3\n...\n---\t {d: 1}\n---\n# end"
                .as_slice();
        let mut documents = Documents::new(text);
        let mut again = Vec::new();
        for document in documents.by_ref() {
            let Document { text, before, bytes, .. } = document.unwrap();
            again.extend([before, text.unwrap_or_default().into_bytes(), bytes].concat());
        }
        again.extend_from_slice(documents.rest());
        assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(text));
    }

    #[test]
    fn an_overlong_or_broken_document_does_not_affect_the_others() {
        let mut text = b"a: \xff\n---\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', 3 * LONGEST_DOCUMENT));
        text.extend_from_slice(b"\n---\nb: 2\n");
        assert_eq!(documents(&text), [(1, None), (3, None), (5, Some("b: 2\n".to_owned()))]);
    }
}
