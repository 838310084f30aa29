//! Reads the entries of `.olv` collections, one document at a time, the games of PGN collections, and Popeye's input.
//!
//! `pasted::pgn` says which position of a game is the problem. A new game begins with a tag behind moves, or with any
//! text behind a line that ends with the result of the game before.

use std::io::{self, BufRead, Read as _};

use super::objects::Item;
use crate::base::encoding::{Decoded, decoded, encoded};
use crate::base::lines::{Line, Lines};
use crate::problem::input::{Entries, Entry, Input, LONGEST_TEXT, Reading, Rejected, until_error};
use crate::problem::olv::{Document, Documents, LONGEST_DOCUMENT};
use crate::problem::{pasted, popeye};

/// Reads the texts of games.
struct Games<R> {
    lines: Lines<R>,
    /// The game that is being read.
    game: Item,
}

impl<R: BufRead> Games<R> {
    /// Reads the next game: tags, then moves, to the next line that begins with a tag, or to any line behind its
    /// result.
    fn game(&mut self) -> io::Result<Option<Item>> {
        let mut seen = Seen::default();
        seen.line(&self.game.bytes);
        while let Some(line) = self.lines.next_line()? {
            let Line { bytes, is_cut, .. } = line;
            let is_tag = bytes.starts_with(b"[") && !seen.in_comment;
            let is_blank = bytes.iter().all(u8::is_ascii_whitespace) && !is_cut;
            let mut next = Item::of_line(&line, &[]);
            if is_tag && seen.has_moves || seen.has_ended && !is_blank {
                next.push(bytes, LONGEST_TEXT);
                return Ok(Some(std::mem::replace(&mut self.game, next)));
            }
            if self.game.is_empty() {
                self.game = next;
            }
            if !(is_blank && self.game.is_empty()) {
                self.game.push(bytes, LONGEST_TEXT);
                self.game.is_cut |= is_cut;
            }
            seen.line(bytes);
            // Where a comment of such a length ends is not known; the next tag begins a game.
            seen.in_comment &= !self.game.is_cut;
        }
        let last = std::mem::take(&mut self.game);
        Ok((!last.is_empty()).then_some(last))
    }
}

/// The part of a game that has been read.
#[derive(Debug, Default)]
struct Seen {
    has_moves: bool,
    in_comment: bool,
    /// Whether the last line with moves ends with the result of the game.
    has_ended: bool,
}

impl Seen {
    fn line(&mut self, line: &[u8]) {
        // Moves may stand behind a tag.
        let end = line.iter().rposition(|&byte| byte == b']');
        let has_more = end.is_some_and(|end| !line[end + 1..].trim_ascii().is_empty());
        let is_tag = line.starts_with(b"[") && !has_more;
        if is_tag && !self.in_comment || line.trim_ascii().is_empty() {
            return;
        }
        self.has_moves = true;
        self.in_comment = line.iter().fold(self.in_comment, |inside, &byte| (inside || byte == b'{') && byte != b'}');
        let last = line.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        let is_result = [&b"*"[..], b"1-0", b"0-1", b"1/2-1/2"].contains(&last);
        self.has_ended = is_result && !self.in_comment && !line.contains(&b';');
    }
}

/// Returns the entries of a collection of games.
pub(super) fn games(input: Input<'_>, reading: Reading) -> Entries<'_> {
    let mut games = Games { lines: Lines::new(input, LONGEST_TEXT), game: Item::default() };
    let next = move || games.game().transpose().map(|item| Ok(game(item?, reading.ply)));
    until_error(std::iter::from_fn(next), Entry::unreadable)
}

fn game(item: Item, ply: Option<u16>) -> Entry {
    let line = item.line;
    let Some(Decoded { text, is_latin1 }) = item.decoded() else {
        return Entry::too_long(line, "game", LONGEST_TEXT);
    };
    let name = || pasted::name_of_game(&text);
    let problem = pasted::problem(&text, ply.map(usize::from)).map(|(mut problem, _)| {
        problem.id = problem.id.or_else(name);
        problem
    });
    let rejected = || Rejected { id: name(), ..Rejected::text(&text) };
    Entry { is_latin1, ..Entry::of(line, problem, rejected) }
}

/// Returns the problems of Popeye's input. Twins refer to what stands above them, so it is read as a whole.
pub(super) fn popeye(input: Input<'_>) -> Entries<'_> {
    const LONGEST: usize = 64 << 20;
    let mut bytes = Vec::new();
    let read = input.take(LONGEST as u64 + 1).read_to_end(&mut bytes);
    let Decoded { text, is_latin1 } = decoded(bytes);
    let entries: Vec<Entry> = match (read, popeye::read(&text)) {
        (Err(error), _) => vec![Entry::unreadable(&error)],
        _ if text.len() > LONGEST => vec![Entry::too_long(1, "input", LONGEST)],
        (_, Err(why)) => vec![Entry::of(1, Err(why), || Rejected::text(&text))],
        (_, Ok(problems)) => {
            let rejected = |it: &popeye::PopeyeProblem| Rejected::text(&it.authors.join(", "));
            problems.iter().map(|it| Entry::of(it.line, it.problem(), || rejected(it))).collect()
        }
    };
    Box::new(entries.into_iter().map(move |entry| Entry { is_latin1, ..entry }))
}

/// Returns the entries of a collection, and its end if its bytes are kept.
pub(super) fn entries(input: Input<'_>, reading: Reading) -> Entries<'_> {
    let mut documents = Documents::new(input);
    let keeps = reading.keeps_bytes;
    let mut has_end = keeps;
    let documents = std::iter::from_fn(move || match documents.next() {
        Some(document) => Some(document.map(|document| entry(document, keeps))),
        None => std::mem::take(&mut has_end).then(|| Ok(Entry::end(documents.rest().to_vec()))),
    });
    until_error(documents, Entry::unreadable)
}

fn entry(document: Document, keeps_bytes: bool) -> Entry {
    let Document { line, text, before, is_latin1 } = document;
    let entry = match &text {
        Some(text) => Entry::of_olv(text, line, || Rejected::text(text)),
        None => Entry::too_long(line, "entry", LONGEST_DOCUMENT),
    };
    let entry = Entry { is_latin1, ..entry };
    if !keeps_bytes {
        return entry;
    }
    let source = encoded(text.as_deref().unwrap_or_default(), is_latin1).into_owned();
    Entry { before, source: Some(source), ..entry }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &[u8]) -> Vec<(usize, Option<String>)> {
        let lines = Lines::new(io::BufReader::with_capacity(5, text), LONGEST_TEXT);
        let mut games = Games { lines, game: Item::default() };
        let games = std::iter::from_fn(|| games.game().unwrap());
        games.map(|game| (game.line, game.decoded().map(|decoded| decoded.text))).collect()
    }

    #[test]
    fn a_collection_is_cut_into_its_games() {
        let text = b"\n[A \"1\"]\n[B \"2\"]\n\n1. e4 {\n[%x]\n} e5\n*\n\n[A \"2\"]\n\n*\n[FEN \"3\"]\n\n*";
        let games = games(text);
        let starts: Vec<(usize, &str)> =
            games.iter().map(|(line, text)| (*line, &text.as_ref().unwrap()[..8])).collect();
        assert_eq!(starts, [(2, "[A \"1\"]\n"), (10, "[A \"2\"]\n"), (13, "[FEN \"3\"")]);
        assert!(games[0].1.as_ref().unwrap().ends_with("} e5\n*\n\n"));
    }

    #[test]
    fn what_follows_the_result_of_a_game_is_another() {
        let text = b"[A \"1\"]\n\n1. e4 *\n\n1. d4 {*\n} 1-0\nB \"2\"]\n1. c4 ; *\n1... c5 *\n\n";
        let games = games(text);
        assert_eq!(games.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 5, 7], "{games:?}");
        let games = self::games(b"[A \"1\"] 1. e4 *\n[A \"2\"]\n*");
        assert_eq!(games.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 2], "{games:?}");
    }

    #[test]
    fn games_that_are_too_long_are_named_and_the_next_one_is_read() {
        let mut text = b"[A \"1\"]\n\n{".to_vec();
        text.extend(vec![b'x'; 2 * LONGEST_TEXT]);
        text.extend(b"} *\n[A \"2\"]\n");
        assert_eq!(games(&text), [(1, None), (4, Some("[A \"2\"]\n".to_owned()))]);
    }
}
