//! Cuts JSON arrays into their objects, and the pages of the YACPDB's gateway into those of their arrays `entries`.
//!
//! One object is in memory at a time, and of an object at most a number of bytes. What stands between objects is
//! skipped; a caller who must know whether it was an array of objects and nothing else asks [`Objects::stray`].

use std::io::{self, BufRead};

use super::start::text;
use super::{Entries, Entry, Input, LONGEST_TEXT, until_error};
use crate::base::encoding::{Decoded, decoded};

/// A piece of an input that should hold a problem.
#[derive(Debug, Default)]
pub(crate) struct Item {
    /// The number of its first line, from 1.
    pub line: usize,
    /// Its bytes, or only the first of them.
    pub bytes: Vec<u8>,
    /// Whether it is too long.
    pub is_cut: bool,
}

impl Item {
    /// Returns the text; `None` if it is too long.
    pub(super) fn decoded(self) -> Option<Decoded> {
        (!self.is_cut).then(|| decoded(self.bytes))
    }

    /// Returns whether nothing has been read of it.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty() && !self.is_cut
    }

    /// Adds bytes, as long as there are at most `longest`.
    pub(super) fn push(&mut self, bytes: &[u8], longest: usize) {
        self.is_cut |= self.bytes.len() + bytes.len() > longest;
        if !self.is_cut {
            self.bytes.extend_from_slice(bytes);
        }
    }
}

/// Reads the objects of an input.
#[derive(Debug)]
pub(crate) struct Objects<R> {
    input: R,
    /// The longest object that is kept as a whole, in bytes.
    longest: usize,
    /// The line that is being read, from 1.
    line: usize,
    /// Whether the objects stand in arrays named `entries`.
    is_paged: bool,
    /// Whether the array is open, or one named `entries`.
    is_open: bool,
    stray: Option<usize>,
}

impl<R: BufRead> Objects<R> {
    pub(crate) fn new(input: R, longest: usize, is_paged: bool) -> Objects<R> {
        Objects { input, longest, line: 1, is_paged, is_open: false, stray: None }
    }

    /// Returns the first line with something that does not belong to one array of objects, once all have been read.
    pub(crate) fn stray(&self) -> Option<usize> {
        self.stray.or(self.is_open.then_some(self.line))
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.input.fill_buf()?.first().copied();
        if let Some(byte) = byte {
            self.input.consume(1);
            self.line += usize::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// Skips what stands before the next array named `entries`, if there is one.
    fn enter(&mut self) -> io::Result<()> {
        // The characters since the last quote, up to the ones that matter: the name, a colon, a bracket.
        let mut seen: Vec<u8> = Vec::new();
        while let Some(byte) = self.byte()? {
            match byte {
                _ if byte.is_ascii_whitespace() => continue,
                b'"' if seen != b"\"entries" => seen.clear(),
                b'[' if seen == b"\"entries\":" => {
                    self.is_open = true;
                    return Ok(());
                }
                _ => {}
            }
            if seen.len() < 16 {
                seen.push(byte);
            }
        }
        Ok(())
    }

    /// Reads a byte between objects.
    fn between(&mut self, byte: u8) -> io::Result<()> {
        match byte {
            b']' => {
                self.is_open = false;
                if self.is_paged {
                    self.enter()?;
                }
            }
            b'[' if !self.is_open => self.is_open = true,
            b',' if self.is_open => {}
            _ if byte.is_ascii_whitespace() => {}
            _ => self.stray = self.stray.or(Some(self.line)),
        }
        Ok(())
    }

    /// Reads the next object: from a brace to the one that closes it.
    fn object(&mut self) -> io::Result<Option<Item>> {
        if self.is_paged && !self.is_open {
            self.enter()?;
        }
        let mut item = Item::default();
        let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
        while let Some(byte) = self.byte()? {
            if depth == 0 && byte != b'{' {
                self.between(byte)?;
                continue;
            }
            if depth == 0 {
                item.line = self.line;
            }
            item.push(&[byte], self.longest);
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                b'{' | b'[' if !in_string => depth += 1,
                b'}' | b']' if !in_string => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(Some(item));
            }
        }
        // The object that is not closed is at fault, not the array.
        self.is_open &= depth == 0;
        Ok((depth > 0).then_some(item))
    }
}

impl<R: BufRead> Iterator for Objects<R> {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<io::Result<Item>> {
        self.object().transpose()
    }
}

/// Returns the entries of an array, or of pages.
pub(super) fn entries(input: Input<'_>, is_paged: bool) -> Entries<'_> {
    let read = |item: Item| {
        let line = item.line;
        match item.decoded() {
            Some(Decoded { text, is_latin1 }) => Entry { is_latin1, ..Entry::of_text(&text, line) },
            None => Entry::too_long(line, "object", LONGEST_TEXT),
        }
    };
    until_error(Objects::new(input, LONGEST_TEXT, is_paged).map(move |item| item.map(read)))
}

/// Returns where a field with one of these names begins.
fn field(text: &[u8], name: &[u8]) -> Option<usize> {
    text.windows(name.len()).position(|window| window == name)
}

/// Returns where the first field stands that only a problem has.
fn diagram(text: &[u8]) -> Option<usize> {
    [&b"\"fen\""[..], b"\"algebraic\""].into_iter().filter_map(|name| field(text, name)).min()
}

/// Returns where the first array named `entries` begins.
fn page(text: &[u8]) -> Option<usize> {
    let name = b"\"entries\"";
    let at = field(text, name)?;
    let after = text[at + name.len()..].trim_ascii_start().strip_prefix(b":")?;
    after.trim_ascii_start().starts_with(b"[").then_some(at)
}

/// Returns whether an input that starts like this is a page: it has an array of entries before any diagram.
pub(super) fn is_page(start: &[u8]) -> bool {
    let text = text(start);
    let is_before = |at| diagram(text).is_none_or(|diagram| at < diagram);
    text.starts_with(b"{") && page(text).is_some_and(is_before)
}

/// Returns whether a text that begins with a brace shows whether it is a page: by a field, or by a whole object.
pub(super) fn is_decided(text: &[u8]) -> bool {
    let line = text.iter().position(|&byte| byte == b'\n').map(|end| text[..end].trim_ascii_end());
    diagram(text).is_some() || page(text).is_some() || line.is_some_and(|line| line.ends_with(b"}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &[u8], is_paged: bool) -> Vec<(usize, Option<String>)> {
        let input = io::BufReader::with_capacity(5, text);
        let items = Objects::new(input, LONGEST_TEXT, is_paged).map(Result::unwrap);
        items.map(|item| (item.line, item.decoded().map(|decoded| decoded.text))).collect()
    }

    #[test]
    fn pages_are_cut_into_their_entries() {
        let text =
            b"{\"success\":true, \"q\": \"entries: [\",\n\"result\":{\"entries\" :\n[{\"a\":[]},\n{}],\"n\":1}}\n\
                     {\"entries\":[]}{\"entries\":[{\"b\":{\"entries\":[{}]}}]}";
        let expected = [(3, "{\"a\":[]}"), (4, "{}"), (5, "{\"b\":{\"entries\":[{}]}}")];
        assert_eq!(items(text, true), expected.map(|(line, text)| (line, Some(text.to_owned()))));
        assert!(is_page(text) && is_decided(text) && !is_page(b"{\"fen\":\"\",\"entries\":[]}"));
        assert!(!is_page(b"{\"entries\":3,\"fen\":\"\"}") && !is_decided(b"{\"a\":1,\n"));
    }

    #[test]
    fn an_array_is_cut_into_its_objects() {
        let text = b" [\n{\"a\": {\"b\": [1]}},\n\n  {\"c\": \"}\\\"]{\"}, 7,{\n}\n]\n{\"cut";
        let expected = [(2, "{\"a\": {\"b\": [1]}}"), (4, "{\"c\": \"}\\\"]{\"}"), (4, "{\n}"), (7, "{\"cut")];
        assert_eq!(items(text, false), expected.map(|(line, text)| (line, Some(text.to_owned()))));
        assert!(items(b"[]", false).is_empty());
    }

    #[test]
    fn what_does_not_belong_to_an_array_is_known() {
        for (text, expected) in [
            (&b"[{},\n{}]\n"[..], None),
            (b"[{},\n", Some(2)),
            (b"[{}, 7]", Some(1)),
            (b"[{}]\n\nx", Some(3)),
            (b"[{}],", Some(1)),
        ] {
            let mut objects = Objects::new(text, LONGEST_TEXT, false);
            assert!(objects.by_ref().all(|item| item.is_ok()));
            assert_eq!(objects.stray(), expected, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn objects_that_are_too_long_are_named_and_the_next_one_is_read() {
        let mut text = b"[{\"a\":\"".to_vec();
        text.extend(vec![b'x'; 2 * LONGEST_TEXT]);
        text.extend(b"\"},{\"a\":\"\xff\"},{}]");
        let latin1 = Some("{\"a\":\"ÿ\"}".to_owned());
        assert_eq!(items(&text, false), [(1, None), (1, latin1), (1, Some("{}".to_owned()))]);
    }
}
