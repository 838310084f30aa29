//! Cuts a stream into the texts of its problems where these are not single lines: the objects of a JSON array, and the
//! games of a PGN collection.
//!
//! One text is in memory at a time, and of a text at most [`LONGEST_TEXT`] bytes are kept, so that a big file needs no
//! more memory than a small one.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, BufRead};

/// The longest text of a problem that is read, in bytes.
pub(crate) const LONGEST_TEXT: usize = 1 << 20;

/// The text of a problem.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The text; `None` if it is too long or not UTF-8.
    pub text: Option<String>,
}

/// The kind of texts that a stream is cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Into the objects of a JSON array.
    JsonObjects,
    /// Into the objects of the arrays named `entries`, which other objects hold: the pages of the YACPDB's gateway.
    Entries,
    /// Into games. A game begins with a tag that follows a move.
    Games,
    /// Into lines.
    Lines,
}

/// Reads the texts of a stream.
#[derive(Debug)]
pub(crate) struct Items<R> {
    input: R,
    cut: Cut,
    /// The line that is being read, from 1.
    line: usize,
    /// The first line of the next game, which has been read already.
    pending: Option<Vec<u8>>,
    /// Whether an array named `entries` is open.
    in_entries: bool,
}

/// Bytes of a text, up to the limit.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    too_long: bool,
}

impl Text {
    fn push(&mut self, bytes: &[u8]) {
        self.too_long |= self.bytes.len() + bytes.len() > LONGEST_TEXT;
        if !self.too_long {
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn into_item(self, line: usize) -> Item {
        Item { line, text: String::from_utf8(self.bytes).ok().filter(|_| !self.too_long) }
    }
}

impl<R: BufRead> Items<R> {
    pub(crate) fn new(input: R, cut: Cut) -> Items<R> {
        Items { input, cut, line: 1, pending: None, in_entries: false }
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.input.fill_buf()?.first().copied();
        if let Some(byte) = byte {
            self.input.consume(1);
            self.line += usize::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// Skips what stands before the next array named `entries`. Returns whether there is one.
    fn enter(&mut self) -> io::Result<bool> {
        // The characters since the last quote, up to the ones that matter: the name, a colon, a bracket.
        let mut seen: Vec<u8> = Vec::new();
        while let Some(byte) = self.byte()? {
            match byte {
                _ if byte.is_ascii_whitespace() => continue,
                b'"' if seen != b"\"entries" => seen.clear(),
                b'[' if seen == b"\"entries\":" => return Ok(true),
                _ => {}
            }
            if seen.len() < 16 {
                seen.push(byte);
            }
        }
        Ok(false)
    }

    /// Reads the next object: from a brace to the one that closes it. What stands between objects is skipped.
    fn object(&mut self) -> io::Result<Option<Item>> {
        if self.cut == Cut::Entries && !self.in_entries {
            self.in_entries = self.enter()?;
        }
        let mut text = Text::default();
        let (mut depth, mut in_string, mut escaped, mut line) = (0_usize, false, false, self.line);
        while let Some(byte) = self.byte()? {
            if depth == 0 && byte == b']' && self.cut == Cut::Entries {
                self.in_entries = self.enter()?;
            }
            if depth == 0 && byte != b'{' {
                continue;
            }
            if depth == 0 {
                line = self.line;
            }
            text.push(&[byte]);
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                b'{' | b'[' if !in_string => depth += 1,
                b'}' | b']' if !in_string => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(Some(text.into_item(line)));
            }
        }
        Ok((depth > 0).then(|| text.into_item(line)))
    }

    /// Reads a line with its line break, at most as many bytes as a text may have; an empty one at the end.
    fn whole_line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        loop {
            let buffer = self.input.fill_buf()?;
            let end = buffer.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = (LONGEST_TEXT + 1).saturating_sub(line.len());
            line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len();
            self.input.consume(used);
            if end.is_some() || used == 0 {
                return Ok(line);
            }
        }
    }

    /// Reads the next line.
    fn single_line(&mut self) -> io::Result<Option<Item>> {
        let bytes = self.whole_line()?;
        let mut text = Text::default();
        text.push(&bytes);
        let line = self.line;
        self.line += 1;
        Ok((!bytes.is_empty()).then(|| text.into_item(line)))
    }

    /// Reads the next game: tags, then moves, to the next line that begins with a tag.
    fn game(&mut self) -> io::Result<Option<Item>> {
        let mut text = Text::default();
        let (mut first, mut has_moves, mut in_comment) = (self.line, false, false);
        loop {
            let line = match self.pending.take() {
                Some(line) => line,
                None => self.whole_line()?,
            };
            if line.is_empty() {
                return Ok((!text.bytes.is_empty() || text.too_long).then(|| text.into_item(first)));
            }
            let is_tag = line.starts_with(b"[") && !in_comment;
            if is_tag && has_moves {
                self.pending = Some(line);
                return Ok(Some(text.into_item(first)));
            }
            let is_blank = line.iter().all(u8::is_ascii_whitespace);
            if text.bytes.is_empty() && !text.too_long {
                first = self.line;
            }
            self.line += 1;
            if !is_blank || !text.bytes.is_empty() {
                text.push(&line);
            }
            has_moves |= !is_tag && !is_blank;
            if !is_tag {
                // Where a comment of such a length ends is not known; the next tag begins a game.
                in_comment = !text.too_long
                    && line.iter().fold(in_comment, |inside, &byte| (inside || byte == b'{') && byte != b'}');
            }
        }
    }
}

impl<R: BufRead> Iterator for Items<R> {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<io::Result<Item>> {
        match self.cut {
            Cut::JsonObjects | Cut::Entries => self.object().transpose(),
            Cut::Games => self.game().transpose(),
            Cut::Lines => self.single_line().transpose(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &[u8], cut: Cut) -> Vec<(usize, Option<String>)> {
        let input = io::BufReader::with_capacity(5, text);
        Items::new(input, cut).map(|item| item.map(|item| (item.line, item.text)).unwrap()).collect()
    }

    #[test]
    fn pages_are_cut_into_their_entries_and_files_into_lines() {
        let text =
            b"{\"success\":true, \"q\": \"entries: [\",\n\"result\":{\"entries\" :\n[{\"a\":[]},\n{}],\"n\":1}}\n\
                     {\"entries\":[]}{\"entries\":[{\"b\":{\"entries\":[{}]}}]}";
        let expected = [(3, "{\"a\":[]}"), (4, "{}"), (5, "{\"b\":{\"entries\":[{}]}}")];
        assert_eq!(items(text, Cut::Entries), expected.map(|(line, text)| (line, Some(text.to_owned()))));
        let lines = items(b"a\n\n\xff\nb", Cut::Lines);
        let line = |number, text: &str| (number, Some(text.to_owned()));
        assert_eq!(lines, [line(1, "a\n"), line(2, "\n"), (3, None), line(4, "b")]);
    }

    #[test]
    fn an_array_is_cut_into_its_objects() {
        let text = b" [\n{\"a\": {\"b\": [1]}},\n\n  {\"c\": \"}\\\"]{\"}, 7,{\n}\n]\n{\"cut";
        let expected = [(2, "{\"a\": {\"b\": [1]}}"), (4, "{\"c\": \"}\\\"]{\"}"), (4, "{\n}"), (7, "{\"cut")];
        assert_eq!(items(text, Cut::JsonObjects), expected.map(|(line, text)| (line, Some(text.to_owned()))));
        assert!(items(b"[]", Cut::JsonObjects).is_empty());
    }

    #[test]
    fn a_collection_is_cut_into_its_games() {
        let text = b"\n[A \"1\"]\n[B \"2\"]\n\n1. e4 {\n[%x]\n} e5\n*\n\n[A \"2\"]\n\n*\n[FEN \"3\"]\n\n*";
        let games = items(text, Cut::Games);
        let starts: Vec<(usize, &str)> =
            games.iter().map(|(line, text)| (*line, &text.as_ref().unwrap()[..8])).collect();
        assert_eq!(starts, [(2, "[A \"1\"]\n"), (10, "[A \"2\"]\n"), (13, "[FEN \"3\"")]);
        assert!(games[0].1.as_ref().unwrap().ends_with("} e5\n*\n\n"));
    }

    #[test]
    fn texts_that_are_too_long_or_not_text_are_named_and_the_next_one_is_read() {
        let mut text = b"[{\"a\":\"".to_vec();
        text.extend(vec![b'x'; 2 * LONGEST_TEXT]);
        text.extend(b"\"},{\"a\":\"\xff\"},{}]");
        assert_eq!(items(&text, Cut::JsonObjects), [(1, None), (1, None), (1, Some("{}".to_owned()))]);
        let mut text = b"[A \"1\"]\n\n{".to_vec();
        text.extend(vec![b'x'; 2 * LONGEST_TEXT]);
        text.extend(b"} *\n[A \"2\"]\n");
        assert_eq!(items(&text, Cut::Games), [(1, None), (4, Some("[A \"2\"]\n".to_owned()))]);
    }
}
