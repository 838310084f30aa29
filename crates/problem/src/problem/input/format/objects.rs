//! Cuts JSON texts into their objects: one after the other, of an array or an object, or of an array inside of objects,
//! such as the arrays `entries` in the pages of the YACPDB's gateway.
//!
//! One object is in memory at a time, and of an object at most a number of bytes. What stands where an object should,
//! such as a number, a list or text between objects, is a piece of its own. A position outside of the objects, or a
//! part of the question around them (but `options`), is a fault of a piece of its own, or of the objects behind it; the
//! end of a text that was cut is a fault, too. Other fields outside of the objects, such as the number of pages, are
//! skipped.

use std::io::{self, BufRead};

use serde_json::Value;

use crate::base::encoding::Decoded;
use crate::base::printable::excerpt;
use crate::problem::input::{Entries, Entry, Input, LONGEST_TEXT, Rejected, until_error};
pub use crate::problem::item::Item;
use crate::problem::item::unmarked;
use crate::problem::names::{Meaning, Part, is_asked, meaning, part};
use crate::problem::{Problem, ProblemError, once};

/// Where the objects of a JSON text stand: the brackets that are open around each of them, and the name of the
/// innermost array, if it has one. No brackets: they stand one after the other. `[`: in an array. `{[`: in an array of
/// an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nest {
    open: Vec<u8>,
    name: Vec<u8>,
}

impl Nest {
    /// The objects of one array.
    pub fn array() -> Nest {
        Nest { open: b"[".to_vec(), name: Vec::new() }
    }

    /// Returns the place within these brackets.
    fn within(open: &[(u8, Vec<u8>)]) -> Nest {
        let name = open.last().filter(|last| last.0 == b'[').map(|last| last.1.clone());
        Nest { open: open.iter().map(|(bracket, _)| *bracket).collect(), name: name.unwrap_or_default() }
    }

    /// Finds where the problems of a text stand by its beginning: in the innermost array around the first object with a
    /// field that only a problem has, or in the first array named `entries`. Without an array, the whole value is the
    /// problem, or each object of several. `None` if the beginning does not show it.
    pub(super) fn of(start: &[u8]) -> Option<Nest> {
        let mut walk = Walk::default();
        // The place of the first position, if no array stands around it.
        let mut first: Option<Nest> = None;
        let start = text(start);
        for (at, &byte) in start.iter().enumerate() {
            match walk.step(byte) {
                Step::Name if is_position(&walk.name, &start[at + 1..]) => {
                    let around = &walk.open[..walk.open.len().saturating_sub(1)];
                    let array = around.iter().rposition(|(bracket, _)| *bracket == b'[');
                    if array.is_some() || around.is_empty() {
                        return Some(Nest::within(&around[..array.map_or(0, |at| at + 1)]));
                    }
                    let place = Nest::within(around);
                    if first.as_ref() == Some(&place) {
                        return first;
                    }
                    first = first.or(Some(place));
                }
                Step::Open if walk.open.last().is_some_and(|last| (last.0, &last.1[..]) == (b'[', b"entries")) => {
                    return Some(Nest::within(&walk.open));
                }
                Step::Close if walk.depth() == 0 && first.is_some() => return Some(Nest::default()),
                _ => {}
            }
        }
        None
    }

    /// Returns whether the objects stand one after the other.
    pub(super) fn is_flat(&self) -> bool {
        self.open.is_empty()
    }
}

/// Returns whether a field is one that only a problem has: by its name, or by a name that may be that of the position
/// and a value that begins with a board.
pub(in crate::problem::input) fn is_position(name: &[u8], value: &[u8]) -> bool {
    let is_named = || part(&String::from_utf8_lossy(name)) == Some(Part::Position);
    let board = value.trim_ascii_start().split(|byte| b"\" ".contains(byte)).nth(1);
    [&b"fen"[..], b"algebraic", b"puzzle"].into_iter().any(|known| name.eq_ignore_ascii_case(known))
        || board.is_some_and(|board| board.split(|byte| *byte == b'/').count() == 8) && is_named()
}

/// A walk through JSON, byte by byte.
#[derive(Debug, Default)]
struct Walk {
    /// Whether a string is open, and whether a backslash stands before the place in it.
    is_open: bool,
    is_escaped: bool,
    /// The beginning of the last string, which may be a name.
    name: Vec<u8>,
    /// The open brackets that are kept, each with the name of its field, and the number of further ones.
    open: Vec<(u8, Vec<u8>)>,
    deeper: usize,
}

/// A step of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A colon behind a name.
    Name,
    Open,
    Close,
    Other,
}

impl Walk {
    /// The longest name that is kept, in bytes, and the most brackets.
    const MOST: usize = 40;

    fn depth(&self) -> usize {
        self.open.len() + self.deeper
    }

    /// Returns whether the next byte stands in a string; the quotes around one do not.
    fn holds(&mut self, byte: u8) -> bool {
        let is_inside = self.is_open && (byte != b'"' || self.is_escaped);
        self.is_escaped = is_inside && byte == b'\\' && !self.is_escaped;
        self.is_open = is_inside || byte == b'"' && !self.is_open;
        is_inside
    }

    fn step(&mut self, byte: u8) -> Step {
        if self.holds(byte) {
            self.name.extend((self.name.len() < Walk::MOST).then_some(byte));
            return Step::Other;
        }
        match byte {
            b':' => return Step::Name,
            b'{' | b'[' => {
                let name = std::mem::take(&mut self.name);
                if self.depth() < Walk::MOST {
                    self.open.push((byte, name));
                } else {
                    self.deeper += 1;
                }
                return Step::Open;
            }
            b'"' if !self.is_open => return Step::Other,
            b'}' | b']' if self.deeper > 0 => self.deeper -= 1,
            b'}' | b']' => drop(self.open.pop()),
            b'"' | b',' => {}
            _ => return Step::Other,
        }
        self.name.clear();
        if matches!(byte, b'}' | b']') { Step::Close } else { Step::Other }
    }
}

/// Returns whether the first line of a text is a whole object, or broken; `None` if the line does not end here.
pub(super) fn is_one_a_line(start: &[u8]) -> Option<bool> {
    let text = text(start);
    let mut walk = Walk::default();
    for &byte in &text[..text.iter().position(|&byte| byte == b'\n')?] {
        walk.step(byte);
    }
    Some(walk.depth() == 0 || walk.is_open)
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
    /// The way through what stands outside of the objects.
    walk: Walk,
    /// The number of open brackets where the objects stand, if it is there, and whether everything there is one.
    place: Option<(usize, bool)>,
    /// The line on which the outermost value began that is being read, as long as its objects have not been met.
    began: Option<usize>,
    /// A part of the question beside the objects, with the number of brackets around it: why they are not read.
    beside: Option<(usize, String)>,
    /// The line of the text behind the last object.
    behind: Option<usize>,
    /// The last byte outside of the objects that is no white space.
    last: u8,
}

impl<R: BufRead> Objects<R> {
    /// Reads `input`, and of each object at most `longest` bytes.
    pub fn new(input: R, longest: usize, nest: Nest) -> Objects<R> {
        let place = nest.is_flat().then_some((0, true));
        let (walk, began, beside, behind) = (Walk::default(), None, None, None);
        Objects { input, longest, line: 1, nest, walk, place, began, beside, behind, last: 0 }
    }

    /// Returns the next byte without taking it.
    fn byte(&mut self) -> io::Result<Option<u8>> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    fn take(&mut self, byte: u8) {
        self.input.consume(1);
        self.line += usize::from(byte == b'\n');
    }

    /// Returns whether a piece begins with this byte: an object in its place, or anything else there or outside of all
    /// brackets.
    fn begins(&self, byte: u8) -> bool {
        let depth = self.walk.depth();
        let place = self.place.filter(|place| place.0 == depth);
        let is_list = depth == 0 || self.walk.open.last().is_some_and(|last| last.0 == b'[');
        let takes_all = is_list && place.is_some_and(|place| place.1);
        match byte {
            _ if self.walk.is_open || byte.is_ascii_whitespace() => false,
            b'{' => place.is_some(),
            b'[' => takes_all,
            b',' => depth == 0 && !self.nest.is_flat(),
            b']' | b'}' => depth == 0,
            _ => takes_all || depth == 0,
        }
    }

    /// Reads a byte outside of the objects. At the end of a value in which no place of objects was, it returns an
    /// object without fields, so that the value is not skipped in silence.
    fn between(&mut self, byte: u8) -> Option<Item> {
        let open = self.walk.open.last().filter(|_| self.walk.deeper == 0).map(|last| last.0);
        let is_wrong = !self.walk.is_open
            && match (open, byte) {
                (Some(b'['), b'}') | (Some(b'{'), b']') => true,
                (Some(b'{'), b'{' | b'[') => self.last != b':',
                _ => false,
            };
        self.last = if byte.is_ascii_whitespace() { self.last } else { byte };
        let step = self.walk.step(byte);
        let depth = self.walk.depth();
        match step {
            Step::Name => return self.field(),
            Step::Open => {
                self.began = if depth == 1 { Some(self.line) } else { self.began };
                let Nest { open, name } = Nest::within(&self.walk.open);
                let is_named = byte == b'[' && !name.is_empty() && name == self.nest.name;
                if self.place.is_none() && (is_named || open == self.nest.open && self.walk.deeper == 0) {
                    self.place = Some((depth, is_named || self.nest.name.is_empty()));
                    self.began = None;
                }
            }
            Step::Close => {
                self.place = self.place.filter(|place| place.0 <= depth);
                self.beside = self.beside.take().filter(|beside| beside.0 <= depth);
                if let Some(line) = self.began.filter(|_| depth == 0) {
                    self.began = None;
                    return Some(Item { line, bytes: b"{}".to_vec(), ..Item::default() });
                }
            }
            Step::Other => {}
        }
        let why = "this bracket does not fit the one that is open around it; correct the brackets";
        is_wrong.then(|| Item::faulty(self.line, why))
    }

    /// Looks at the name of a field outside of the objects. A position there is a piece that is not read; so is a part
    /// of the question, and the objects behind it are not read without it.
    fn field(&mut self) -> Option<Item> {
        let is_position = is_position(&self.walk.name, b"");
        let is_around = self.nest.open.starts_with(&Nest::within(&self.walk.open).open);
        let name = String::from_utf8_lossy(&self.walk.name);
        // The options of a page are not those of a problem.
        let is_part = is_around && !is_position && is_asked(&name) && !name.eq_ignore_ascii_case("options");
        let why = format!(
            "the field \"{}\" in line {} stands outside of the objects that are read; write it into each of them",
            excerpt(&name),
            self.line
        );
        if is_part {
            self.beside = Some((self.walk.depth(), why.clone()));
        }
        // As long as no object has been read, those that follow say it.
        (is_position || is_part && self.began.is_none()).then(|| Item::faulty(self.line, &why))
    }

    /// Returns the part of the question beside the objects of the first value, if the beginning shows one.
    fn beside(start: R, nest: &Nest) -> Option<(usize, String)> {
        let mut objects = Objects::new(start, LONGEST_TEXT, nest.clone());
        while objects.next().is_some() && objects.beside.is_none() && objects.walk.depth() > 0 {}
        objects.beside
    }

    /// Reads the next piece.
    fn object(&mut self) -> io::Result<Option<Item>> {
        while let Some(byte) = self.byte()? {
            if self.begins(byte) {
                let item = self.item()?;
                self.behind = None;
                return Ok(Some(Item { fault: self.beside.as_ref().map(|(_, why)| why.clone()), ..item }));
            }
            if byte != b',' && !byte.is_ascii_whitespace() {
                self.behind.get_or_insert(self.line);
            }
            self.take(byte);
            if let Some(item) = self.between(byte) {
                return Ok(Some(item));
            }
        }
        let Walk { is_open, open, .. } = std::mem::take(&mut self.walk);
        let is_cut = !open.is_empty() || is_open;
        let line = self.behind.unwrap_or(self.line);
        let why = "the input ends before its brackets are closed: its end is missing, and nothing from here on is read";
        Ok(is_cut.then(|| Item::faulty(line, why)))
    }

    /// Reads a piece that begins here: to the bracket that closes it, or to the end of a value without brackets.
    fn item(&mut self) -> io::Result<Item> {
        let mut item = Item { line: self.line, ..Item::default() };
        let mut walk = Walk::default();
        while let Some(byte) = self.byte()? {
            let is_end = byte.is_ascii_whitespace() || b",:[]{}".contains(&byte);
            if walk.depth() == 0 && is_end && !walk.is_open && !item.is_empty() {
                return Ok(item);
            }
            self.take(byte);
            item.push(&[byte], self.longest);
            if walk.step(byte) == Step::Close && walk.depth() == 0 {
                return Ok(item);
            }
        }
        // The piece that is not closed is at fault, not what stands around it.
        if walk.depth() > 0 {
            self.walk = Walk::default();
        }
        Ok(item)
    }
}

impl<R: BufRead> Iterator for Objects<R> {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<io::Result<Item>> {
        self.object().transpose()
    }
}

/// Returns whether JSON begins with an object whose first value is a position, but not by its name: `{"a name": "FEN"`.
pub(super) fn is_map(start: &[u8]) -> bool {
    let name = text(start).strip_prefix(b"{").map(<[u8]>::trim_ascii_start).and_then(|rest| rest.strip_prefix(b"\""));
    let mut parts = name.unwrap_or_default().splitn(3, |&byte| byte == b'"');
    let (Some(name), Some(between), Some(value)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let value = value.split(|&byte| byte == b'"').next().unwrap_or_default();
    between.trim_ascii() == b":" && is_fen(&String::from_utf8_lossy(value)) && is_remark(&String::from_utf8_lossy(name))
}

/// Returns whether a name is that of no part of a problem.
fn is_remark(name: &str) -> bool {
    matches!(meaning(name), Meaning::Remark | Meaning::PartIfRead(Part::Id, _))
}

/// Returns whether a text begins with a board.
fn is_fen(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|board| board.matches('/').count() == 7)
}

/// Returns whether JSON begins with the names of columns, and no problem is seen beside them.
pub(super) fn has_columns_apart(start: &[u8]) -> bool {
    const NAMES: [&[u8]; 5] = [b"columns", b"features", b"fields", b"header", b"schema"];
    let start = text(start);
    if !start.starts_with(b"{") && !start.starts_with(b"[") || Nest::of(start).is_some() {
        return false;
    }
    let mut walk = Walk::default();
    for &byte in start {
        let step = walk.step(byte);
        if step == Step::Name && walk.depth() < 3 && NAMES.contains(&&walk.name.to_ascii_lowercase()[..]) {
            return true;
        }
        if byte == b'\n' && walk.depth() == 0 {
            break;
        }
    }
    false
}

/// Returns the names and positions of an object that holds nothing else, each with its line; `None` if it is another.
fn map(item: &str, line: usize) -> Option<Vec<(usize, String, String)>> {
    let fields = if item.starts_with('{') { once::object(item).ok()? } else { return None };
    let is_position = |(name, value): (&String, &Value)| value.as_str().is_some_and(is_fen) && is_remark(name);
    let mut at = 0;
    let mut place = |name: &str| {
        at += item[at..].find(&Value::from(name).to_string()).unwrap_or(0);
        line + item[..at].matches('\n').count()
    };
    (!fields.is_empty() && fields.iter().all(is_position)).then(|| {
        let fields = fields.iter();
        fields.map(|(name, fen)| (place(name), name.clone(), fen.as_str().unwrap_or_default().to_owned())).collect()
    })
}

/// Returns the entries of an input whose objects stand there.
pub(super) fn entries<'a>(input: Input<'a>, start: &[u8]) -> Entries<'a> {
    let read = |item: Item| {
        let line = item.line;
        if let Some(why) = &item.fault {
            let text = String::from_utf8_lossy(&item.bytes);
            return vec![Entry::of(line, Err(why.clone().into()), || Rejected::line(&text))];
        }
        let Some(Decoded { text, is_latin1 }) = item.decoded() else {
            return vec![Entry::too_long(line, "object", LONGEST_TEXT)];
        };
        if let Some(named) = map(&text, line) {
            let entry = |(line, name, fen): (usize, String, String)| {
                let rejected = || Rejected { id: Some(name.clone()), ..Rejected::text(&fen) };
                Entry { is_latin1, ..Entry::of(line, Problem::read_beside(&fen, &name, ""), rejected) }
            };
            return named.into_iter().map(entry).collect();
        }
        if text.starts_with('[') {
            let why = "this is a list, whose columns have no names; write an object {\"fen\": \"…\"} for each problem";
            return vec![Entry::of(line, Err(why.into()), || Rejected::text(&text))];
        }
        // A string is a line of FEN or EPD.
        let text = serde_json::from_str::<String>(&text).unwrap_or(text);
        vec![Entry { is_latin1, ..Entry::of_text(text.trim(), line) }]
    };
    let nest = super::nest(start);
    let beside = Objects::beside(start, &nest);
    let objects = Objects { beside, ..Objects::new(input, LONGEST_TEXT, nest) };
    let (mut line, mut item) = (0, 0);
    let mut numbered = move |entry: Entry| {
        (line, item) = (entry.line, if entry.line == line { item + 1 } else { 1 });
        let place = |error| match error {
            ProblemError::Text(why) if item > 1 => ProblemError::Text(format!("item {item}: {why}")),
            error => error,
        };
        Entry { item, problem: entry.problem.map_err(place), ..entry }
    };
    let entries = objects.flat_map(move |item| match item {
        Ok(item) => read(item).into_iter().map(|entry| Ok(numbered(entry))).collect(),
        Err(error) => vec![Err(error)],
    });
    until_error(entries, Entry::unreadable)
}

/// Returns the beginning of an input without a byte order mark and white space.
pub(super) fn text(start: &[u8]) -> &[u8] {
    unmarked(start).trim_ascii_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &[u8], nest: &str) -> Vec<(usize, Option<String>)> {
        let input = io::BufReader::with_capacity(5, text);
        let (open, name) = nest.split_at(nest.find(|c: char| c.is_alphabetic()).unwrap_or(nest.len()));
        let items = Objects::new(input, LONGEST_TEXT, Nest { open: open.into(), name: name.into() });
        let text = |item: Item| item.fault.clone().or(item.decoded().map(|decoded| decoded.text));
        items.map(Result::unwrap).map(|item| (item.line, text(item))).collect()
    }

    fn nest(start: &str) -> Option<String> {
        Nest::of(start.as_bytes()).map(|Nest { open, name }| String::from_utf8([open, name].concat()).unwrap())
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
            (r#"{"tags": [{"name": "x"}], "problems": [{"authors": [{"name": "y"}], "fen":"#, Some("{[problems")),
            (r#"{"success": true, "result": {"entries": ["#, Some("{{[entries")),
            (r#"{"entries": 3, "algebraic":"#, Some("")),
            (r#"{"game": {"pgn": "e4"}, "puzzle": {"#, Some("")),
            (r#"{"a": "fen", "b": ["fen"], "c"#, None),
            (r#"{"stipulation": "h#1", "diagram": {"fen": "x"}"#, None),
            (r#"{"stipulation": "h#1", "diagram": {"fen": "x"}}"#, Some("")),
            (r#"{"problems": [{"stipulation": "s#3", "diagram": {"fen":"#, Some("{[problems")),
            (r#"{"meta": {"fen": "x"}, "problems": [{"fen":"#, Some("{[problems")),
            (r#"{"a": {"fen": "x"}, "b": {"fen":"#, Some("{")),
            (r#"{"board": 3, "list": [{"position": "5Kbk/6pp/6P1/8/8/8/8/7R w"#, Some("{[list")),
        ] {
            assert_eq!(nest(start).as_deref(), expected, "{start}");
        }
        let is_one = |start: &str| is_one_a_line(start.as_bytes());
        assert_eq!((is_one("{\"a\": [\n"), is_one("{\"a\": \"{\"}\n"), is_one("{}")), (Some(false), Some(true), None));
    }

    #[test]
    fn an_array_is_cut_into_its_objects() {
        let text = b" [\n{\"a\": {\"b\": [1]}},\n\n  {\"c\": \"}\\\"]{\"},{\n}\n]\n{\"c\": 1}";
        let expected = [(2, "{\"a\": {\"b\": [1]}}"), (4, "{\"c\": \"}\\\"]{\"}"), (4, "{\n}"), (7, "{}")];
        assert_eq!(items(text, "["), expected.map(|(line, text)| (line, Some(text.to_owned()))));
        assert_eq!(items(b"[{}, {\"cut", "[").last().unwrap().1.as_deref(), Some("{\"cut"));
        assert!(items(b"[]", "[").is_empty());
        let wrong = items(b"[{},\n}{}]\n", "[").into_iter().nth(1).unwrap();
        assert!(wrong.0 == 2 && wrong.1.as_deref().unwrap().contains("does not fit"), "{wrong:?}");
        let wrong = items(b"{\"p\":[{}],\n{}}\n", "{[p").into_iter().nth(1).unwrap();
        assert!(wrong.0 == 2 && wrong.1.as_deref().unwrap().contains("does not fit"), "{wrong:?}");
        let cut = items(b"[{},\n]{\"a\": \"x}\n{}\n]\n", "[").pop().unwrap();
        assert!(cut.0 == 2 && cut.1.as_deref().unwrap().contains("from here on"), "{cut:?}");
        let text = b"{\"n\": {\"m\": [{}]}, \"p\": [{\"a\": 1},\n{}], \"q\": [7, {\"b\": 2}], \"s\": \"[{\"}\n{}";
        let expected = [(1, "{\"a\": 1}"), (2, "{}"), (2, "{\"b\": 2}"), (3, "{}")];
        assert_eq!(items(text, "{[p"), expected.map(|(line, text)| (line, Some(text.to_owned()))));
        assert_eq!(items(b"{\n\"a\": 1}\n\n{}", "").iter().map(|item| item.0).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(items(&b"[".repeat(100_000), "{[").len(), 1);
        let text = b"{\"p\": []}\n{\"fen\": \"x\"}\n{\"p\": [{\"a\": 1}]}";
        assert_eq!(items(text, "{[").iter().map(|item| item.0).collect::<Vec<_>>(), [2, 2, 3]);
    }

    #[test]
    fn nothing_in_the_place_of_an_object_is_skipped() {
        const CUT: &str = "the input ends before";
        const OUTSIDE: &str = "stands outside of the objects";
        for (text, nest, expected) in [
            ("[{},\n{}]\n", "[", &[(1, "{}"), (2, "{}")][..]),
            ("[{},\n", "[", &[(1, "{}"), (2, CUT)]),
            ("[{}, 7, null,\n[{}], \"a, b\"]", "[", &[(1, "{}"), (1, "7"), (1, "null"), (2, "[{}]"), (2, "\"a, b\"")]),
            ("[{}]\n\nx y", "[", &[(1, "{}"), (3, "x"), (3, "y")]),
            ("[{}],", "[", &[(1, "{}"), (1, ",")]),
            ("{} 7\n[1]]\n{}", "", &[(1, "{}"), (1, "7"), (2, "[1]"), (2, "]"), (3, "{}")]),
            ("{\"result\": {\"entries\": [1]},\n\"entries\": [2]}", "{{[entries", &[(1, "1"), (2, "2")]),
            ("{\"meta\": {\"fen\": \"x\"},\n\"p\": [{}]}", "{[p", &[(1, OUTSIDE), (2, "{}")]),
            ("{\"stipulation\": 2, \"p\": [{}]}\n{\"p\": [{}]}", "{[p", &[(1, OUTSIDE), (2, "{}")]),
            ("{\"p\": [{}],\n\"stipulation\": 2}", "{[p", &[(1, "{}"), (2, OUTSIDE)]),
            ("{\"q\": {\"stipulation\": 2}, \"options\": 1, \"p\": [{}]}", "{[p", &[(1, "{}")]),
        ] {
            let found = items(text.as_bytes(), nest);
            let is_same = |(found, expected): (&(usize, Option<String>), &(usize, &str))| {
                let text = found.1.as_deref().unwrap_or_default();
                found.0 == expected.0 && (text == expected.1 || expected.1.len() > 9 && text.contains(expected.1))
            };
            assert!(found.len() == expected.len() && found.iter().zip(expected).all(is_same), "{text}: {found:?}");
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
