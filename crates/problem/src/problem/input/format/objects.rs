//! Cuts JSON texts into their objects: one after the other, of an array, or of an array inside of objects, such as the
//! arrays `entries` in the pages of the YACPDB's gateway.
//!
//! One object is in memory at a time, and of an object at most a number of bytes. What stands between objects is
//! skipped; a caller who must know whether it was an array of objects and nothing else asks [`Objects::stray`].

use std::io::{self, BufRead};

use crate::base::encoding::{Decoded, decoded};
use crate::problem::input::{Entries, Entry, Input, LONGEST_TEXT, until_error};

/// A piece of an input that should hold a problem.
#[derive(Debug, Default)]
pub struct Item {
    /// The number of its first line, from 1.
    pub line: usize,
    /// Its bytes, or only the first of them.
    pub bytes: Vec<u8>,
    /// Whether it is too long.
    pub is_cut: bool,
}

impl Item {
    /// Returns the text; `None` if it is too long.
    pub(in crate::problem::input) fn decoded(self) -> Option<Decoded> {
        (!self.is_cut).then(|| decoded(self.bytes))
    }

    /// Makes the piece that stands for a value that holds no problem.
    fn without_fields(line: usize) -> Item {
        Item { line, bytes: b"{}".to_vec(), is_cut: false }
    }

    /// Returns whether nothing has been read of it.
    pub(in crate::problem::input) fn is_empty(&self) -> bool {
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

/// Where the objects of a JSON text stand: the brackets that are open around each of them. Nothing: they stand one
/// after the other. `[`: in an array. `{[`: in an array of an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nest(Vec<u8>);

impl Nest {
    /// The objects of one array.
    pub fn array() -> Nest {
        Nest(b"[".to_vec())
    }

    /// Finds where the problems of a text stand by its beginning: around the first object with a field that only a
    /// problem has, or in the first array named `entries`. `None` if the beginning does not show it.
    pub(super) fn of(start: &[u8]) -> Option<Nest> {
        let mut open: Vec<u8> = Vec::new();
        let mut rest = text(start);
        // The name of the field whose value begins here.
        let mut name: Option<&[u8]> = None;
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            match byte {
                b'"' => {
                    let end = end_of_string(rest)?;
                    let (string, after) = (&rest[..end], rest[end + 1..].trim_ascii_start());
                    rest = after;
                    let is_name = open.last() == Some(&b'{') && after.first() == Some(&b':');
                    name = is_name.then_some(string);
                    if is_name && PROBLEM_FIELDS.iter().any(|field| string.eq_ignore_ascii_case(field)) {
                        open.pop();
                        return Some(Nest(open));
                    }
                    rest = rest.strip_prefix(b":").filter(|_| is_name).unwrap_or(rest);
                }
                b'{' | b'[' => {
                    open.push(byte);
                    if byte == b'[' && name == Some(b"entries") {
                        return Some(Nest(open));
                    }
                    name = None;
                }
                b'}' | b']' => {
                    open.pop();
                    name = None;
                }
                byte if byte.is_ascii_whitespace() => {}
                _ => name = None,
            }
        }
        None
    }

    /// Returns whether the objects stand one after the other.
    pub(super) fn is_flat(&self) -> bool {
        self.0.is_empty()
    }
}

/// The fields that only a problem has.
const PROBLEM_FIELDS: [&[u8]; 3] = [b"fen", b"algebraic", b"puzzle"];

/// Returns where a JSON string ends that begins here, after its quote.
fn end_of_string(text: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    text.iter().position(|&byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

/// Tells which bytes of JSON stand in strings.
#[derive(Debug, Default)]
struct Strings {
    is_open: bool,
    is_escaped: bool,
}

impl Strings {
    /// Takes the next byte. Returns whether it stands in a string; the quotes around one do not.
    fn hold(&mut self, byte: u8) -> bool {
        let is_inside = self.is_open && (byte != b'"' || self.is_escaped);
        self.is_escaped = is_inside && byte == b'\\' && !self.is_escaped;
        self.is_open = is_inside || byte == b'"' && !self.is_open;
        is_inside
    }
}

/// Returns whether the first line of a text is a whole object, or broken; `None` if the line does not end here.
pub(super) fn is_one_a_line(start: &[u8]) -> Option<bool> {
    let text = text(start);
    let end = text.iter().position(|&byte| byte == b'\n')?;
    let (mut strings, mut depth) = (Strings::default(), 0_usize);
    for &byte in &text[..end] {
        match byte {
            _ if strings.hold(byte) => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Some(depth == 0 || strings.is_open)
}

/// Reads the objects of an input.
#[derive(Debug)]
pub struct Objects<R> {
    input: R,
    /// The longest object that is kept as a whole, in bytes.
    longest: usize,
    /// The line that is being read, from 1.
    line: usize,
    nest: Nest,
    /// The brackets that are open outside of the objects, as many as are compared, and the number of further ones.
    open: Vec<u8>,
    deeper: usize,
    /// The line on which the outermost value began that is being read, as long as its objects have not been met.
    began: Option<usize>,
    stray: Option<usize>,
}

impl<R: BufRead> Objects<R> {
    /// Reads `input`, and of each object at most `longest` bytes.
    pub fn new(input: R, longest: usize, nest: Nest) -> Objects<R> {
        Objects { input, longest, line: 1, nest, open: Vec::new(), deeper: 0, began: None, stray: None }
    }

    /// Returns the first line with something that does not belong to one array of objects, once all have been read.
    pub fn stray(&self) -> Option<usize> {
        self.stray.or((!self.open.is_empty()).then_some(self.line))
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.input.fill_buf()?.first().copied();
        if let Some(byte) = byte {
            self.input.consume(1);
            self.line += usize::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// Reads a byte outside of the objects. At the end of a value in which no place of objects was, it returns an
    /// object without fields, so that the value is not skipped in silence.
    fn between(&mut self, byte: u8) -> Option<Item> {
        let is_first = self.open.is_empty() && self.deeper == 0;
        if is_first && matches!(byte, b'{' | b'[') {
            self.began = Some(self.line);
        }
        match byte {
            b'{' | b'[' if self.deeper > 0 || self.open.len() > self.nest.0.len() => self.deeper += 1,
            b'{' | b'[' => self.open.push(byte),
            b'}' | b']' if self.deeper > 0 => self.deeper -= 1,
            b'}' | b']' => drop(self.open.pop()),
            _ => {}
        }
        let belongs =
            byte.is_ascii_whitespace() || byte == b',' && !is_first || byte == b']' || byte == b'[' && is_first;
        if !belongs {
            self.stray = self.stray.or(Some(self.line));
        }
        if self.open == self.nest.0 {
            self.began = None;
        }
        let line = self.began.filter(|_| self.open.is_empty() && !is_first)?;
        self.began = None;
        Some(Item::without_fields(line))
    }

    /// Reads the next object: from a brace to the one that closes it.
    fn object(&mut self) -> io::Result<Option<Item>> {
        let mut item = Item::default();
        let (mut depth, mut strings) = (0_usize, Strings::default());
        while let Some(byte) = self.byte()? {
            let is_held = strings.hold(byte);
            let is_start = depth == 0 && !is_held && byte == b'{' && self.deeper == 0 && self.open == self.nest.0;
            if is_start {
                item.line = self.line;
            }
            let is_inside = depth > 0 || is_start;
            if is_inside {
                item.push(&[byte], self.longest);
            } else if !is_held && let Some(nothing) = self.between(byte) {
                return Ok(Some(nothing));
            }
            match byte {
                b'{' | b'[' if is_inside && !is_held => depth += 1,
                b'}' | b']' if is_inside && !is_held => depth -= 1,
                _ => {}
            }
            if is_inside && depth == 0 {
                return Ok(Some(item));
            }
        }
        // The object that is not closed is at fault, not the array.
        if depth > 0 {
            self.open.clear();
        }
        Ok(if depth > 0 { Some(item) } else { self.began.take().map(Item::without_fields) })
    }
}

impl<R: BufRead> Iterator for Objects<R> {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<io::Result<Item>> {
        self.object().transpose()
    }
}

/// Returns the entries of an input whose objects stand there.
pub(super) fn entries(input: Input<'_>, nest: Nest) -> Entries<'_> {
    let read = |item: Item| {
        let line = item.line;
        match item.decoded() {
            Some(Decoded { text, is_latin1 }) => Entry { is_latin1, ..Entry::of_text(&text, line) },
            None => Entry::too_long(line, "object", LONGEST_TEXT),
        }
    };
    until_error(Objects::new(input, LONGEST_TEXT, nest).map(move |item| item.map(read)), Entry::cut_off)
}

/// Returns the byte order mark with which an input begins; nothing if it has none.
pub(in crate::problem::input) fn mark(start: &[u8]) -> &[u8] {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if start.starts_with(MARK) { MARK } else { &[] }
}

/// Returns the beginning of an input without a byte order mark and white space.
pub(super) fn text(start: &[u8]) -> &[u8] {
    start[mark(start).len()..].trim_ascii_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &[u8], nest: &str) -> Vec<(usize, Option<String>)> {
        let input = io::BufReader::with_capacity(5, text);
        let items = Objects::new(input, LONGEST_TEXT, Nest(nest.into())).map(Result::unwrap);
        items.map(|item| (item.line, item.decoded().map(|decoded| decoded.text))).collect()
    }

    fn nest(start: &str) -> Option<String> {
        Nest::of(start.as_bytes()).map(|Nest(open)| String::from_utf8(open).unwrap())
    }

    #[test]
    fn pages_are_cut_into_their_entries() {
        let text =
            b"{\"success\":true, \"q\": \"entries: [\",\n\"result\":{\"entries\" :\n[{\"a\":[]},\n{}],\"n\":1}}\n\
                     {\"result\":{\"entries\":[]}}{\"result\":{\"entries\":[{\"b\":{\"entries\":[{}]}}]}}";
        let expected = [(3, "{\"a\":[]}"), (4, "{}"), (5, "{\"b\":{\"entries\":[{}]}}")];
        assert_eq!(items(text, "{{["), expected.map(|(line, text)| (line, Some(text.to_owned()))));
    }

    #[test]
    fn the_place_of_the_problems_is_found_by_the_beginning() {
        for (start, expected) in [
            (r#"{"fen":"#, Some("")),
            (r#" [ {"id": "\"fen\":", "FEN" : "#, Some("[")),
            (r#"{"tags": [{"name": "x"}], "problems": [{"authors": [{"name": "y"}], "fen":"#, Some("{[")),
            (r#"{"success": true, "result": {"entries": ["#, Some("{{[")),
            (r#"{"entries": 3, "algebraic":"#, Some("")),
            (r#"{"game": {"pgn": "e4"}, "puzzle": {"#, Some("")),
            (r#"{"a": "fen", "b": ["fen"], "c"#, None),
        ] {
            assert_eq!(nest(start).as_deref(), expected, "{start}");
        }
        let is_one = |start: &str| is_one_a_line(start.as_bytes());
        assert_eq!((is_one("{\"a\": [\n"), is_one("{\"a\": \"{\"}\n"), is_one("{}")), (Some(false), Some(true), None));
    }

    #[test]
    fn an_array_is_cut_into_its_objects() {
        let text = b" [\n{\"a\": {\"b\": [1]}},\n\n  {\"c\": \"}\\\"]{\"}, 7,{\n}\n]\n{\"cut";
        let expected = [(2, "{\"a\": {\"b\": [1]}}"), (4, "{\"c\": \"}\\\"]{\"}"), (4, "{\n}"), (7, "{}")];
        assert_eq!(items(text, "["), expected.map(|(line, text)| (line, Some(text.to_owned()))));
        assert_eq!(items(b"[{}, {\"cut", "[").last().unwrap().1.as_deref(), Some("{\"cut"));
        assert!(items(b"[]", "[").is_empty());
        let text = b"{\"n\": {\"m\": [{}]}, \"p\": [{\"a\": 1}, [{\"x\": 2}],\n{}], \"s\": \"[{\"}\n{}";
        let expected = [(1, "{\"a\": 1}"), (2, "{}"), (3, "{}")];
        assert_eq!(items(text, "{["), expected.map(|(line, text)| (line, Some(text.to_owned()))));
        assert_eq!(items(b"{\n\"a\": 1}\n\n{}", "").iter().map(|item| item.0).collect::<Vec<_>>(), [1, 4]);
        assert!(items(&b"[".repeat(100_000), "[").is_empty());
        let text = b"{\"p\": []}\n{\"fen\": \"x\"}\n{\"p\": [{\"a\": 1}]}";
        assert_eq!(items(text, "{[").iter().map(|item| item.0).collect::<Vec<_>>(), [2, 3]);
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
            let mut objects = Objects::new(text, LONGEST_TEXT, Nest::array());
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
        assert_eq!(items(&text, "["), [(1, None), (1, latin1), (1, Some("{}".to_owned()))]);
    }
}
