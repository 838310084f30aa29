//! Reads lists of positions with text around them: a name above the position, and its solution below it.
//!
//! ```text
//! Name of A vs B, Town, 1900
//! 5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1
//! 1. Rh6 gxh6 2. g7#
//! ```
//!
//! A line is blank, a comment, a stipulation alone (which is refused), a position, moves or text. A line with three
//! slashes that is no comment is a position, however damaged. Moves are numbered, or there is nothing else on the line.
//! Text belongs to the next position, unless a blank line and other text stand between them. Text and moves that belong
//! to no position are refused with their place.
//!
//! On a pipe, a block ends with its first line of moves, or with a blank line below the position, so that its answer
//! need not wait for the next block. In an input that is there as a whole, the solution may have several lines.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::rows::{ALONE, is_alone};
use crate::base::encoding::{Decoded, decoded};
use crate::base::lines::Lines;
use crate::problem::csv::{Header, is_marked};
use crate::problem::input::{Entries, Entry, Input, LONGEST_LINE, Reading, Rejected, until_error};
use crate::problem::moves::is_move;
use crate::problem::{Problem, ProblemError};

/// The kind of a line of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Comment,
    /// A stipulation alone, which may belong to any position.
    Alone,
    Position,
    Moves,
    Text,
}

#[derive(Debug, Clone)]
struct ListLine {
    number: usize,
    text: String,
    is_latin1: bool,
    kind: Kind,
}

impl Kind {
    fn of(text: &str) -> Kind {
        let text = text.trim();
        match () {
            () if text.is_empty() => Kind::Blank,
            () if is_marked(text) && is_alone(text) => Kind::Alone,
            () if is_marked(text) => Kind::Comment,
            () if text.matches('/').count() > 2 || text.starts_with('{') => Kind::Position,
            () if are_moves(solution(text)) => Kind::Moves,
            () => Kind::Text,
        }
    }
}

/// Removes the heading of a solution.
fn solution(text: &str) -> &str {
    let heading = text
        .split_once(':')
        .filter(|(word, _)| ["solution", "lösung", "moves", "answer"].contains(&word.trim().to_lowercase().as_str()));
    heading.map_or(text, |(_, moves)| moves.trim())
}

/// Returns whether a line consists of moves: a numbered one, or nothing else.
fn are_moves(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < text.len() && rest.starts_with(['.', '…']);
    let mut words = text
        .split(|c: char| c.is_whitespace() || ".…;,".contains(c))
        .filter(|word| word.contains(char::is_alphabetic) || word.contains("0-0"));
    if is_numbered {
        words.any(is_like_move)
    } else {
        words.next().is_some_and(is_like_move) && words.all(is_like_move)
    }
}

/// Returns whether a word may be a move, in any letters: it names a square, or castles.
fn is_like_move(word: &str) -> bool {
    let word = word.trim_end_matches(['!', '?', '+', '#', '‡']);
    let has_square = word.as_bytes().windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']));
    word.len() <= 12 && (has_square || is_move(word) && word.len() != 2)
}

/// Returns whether an input begins like such a list: with a line of text.
pub(super) fn begins_with_name(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(super::objects::text(start));
    let first = text.lines().map(str::trim).find(|line| !matches!(Kind::of(line), Kind::Blank | Kind::Comment));
    let is_table = |line: &str| Header::read(line).is_some() || Header::is_only_column(line) || line.starts_with('|');
    // Of a table of Markdown, text may stand above.
    let has_table = || text.lines().any(|line| line.starts_with('|') && Header::read(line).is_some());
    let is_name = |line: &str| line.contains(char::is_alphabetic) && Kind::of(line) == Kind::Text && !is_table(line);
    first.is_some_and(is_name) && !has_table()
}

/// Returns whether an input begins like such a list without names: with a position, and its solution below it.
pub(super) fn begins_with_solution(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(super::objects::text(start));
    let mut kinds = text.lines().map(Kind::of).filter(|kind| !matches!(kind, Kind::Blank | Kind::Comment));
    kinds.next() == Some(Kind::Position) && kinds.next() == Some(Kind::Moves)
}

/// Reads the blocks of a list.
struct Blocks<R> {
    lines: Lines<R>,
    /// Lines that are read again.
    again: VecDeque<ListLine>,
    /// Whether the whole input is there, so that looking ahead does not wait.
    is_whole: bool,
}

impl<R: BufRead> Blocks<R> {
    fn line(&mut self) -> io::Result<Option<ListLine>> {
        if let Some(line) = self.again.pop_front() {
            return Ok(Some(line));
        }
        let line = self.lines.next_line()?.map(|line| {
            let Decoded { text, is_latin1 } = decoded(line.content().to_vec());
            let text = text.trim_start_matches('\u{feff}').trim().to_owned();
            // A line that is too long is refused where a position is read.
            let kind = if line.is_cut { Kind::Position } else { Kind::of(&text) };
            ListLine { number: line.number, text, is_latin1, kind }
        });
        Ok(line)
    }

    /// Reads the next block.
    fn entry(&mut self) -> io::Result<Option<Entry>> {
        let (mut names, mut has_gap): (Vec<ListLine>, bool) = (Vec::new(), false);
        while let Some(line) = self.line()? {
            match line.kind {
                Kind::Blank => has_gap = !names.is_empty(),
                Kind::Comment => {}
                Kind::Text if !has_gap => names.push(line),
                Kind::Position => {
                    let moves = self.moves()?;
                    return Ok(Some(block(&names, &line, &moves)));
                }
                _ if !names.is_empty() => {
                    self.again.push_front(line);
                    break;
                }
                Kind::Alone => return Ok(Some(refused(&[line], ALONE))),
                _ => {
                    let why = "these moves stand below no position; write the FEN above them, and the moves of a solution \
                               on one line";
                    return Ok(Some(refused(&[line], why)));
                }
            }
        }
        let why = "this text belongs to no position: a name stands above its FEN; correct it, or begin the line with # if \
                   it is a comment";
        Ok((!names.is_empty()).then(|| refused(&names, why)))
    }

    /// Reads the solution below a position.
    fn moves(&mut self) -> io::Result<Vec<ListLine>> {
        let (mut moves, mut passed): (Vec<ListLine>, VecDeque<ListLine>) = (Vec::new(), VecDeque::new());
        while let Some(line) = self.line()? {
            match line.kind {
                Kind::Moves => {
                    moves.push(line);
                    passed.clear();
                    if !self.is_whole {
                        break;
                    }
                }
                Kind::Blank if !self.is_whole || !moves.is_empty() => break,
                Kind::Blank | Kind::Comment => passed.push_back(line),
                _ => {
                    passed.push_back(line);
                    break;
                }
            }
        }
        passed.append(&mut self.again);
        self.again = passed;
        Ok(moves)
    }
}

/// Makes the entry of a block.
fn block(names: &[ListLine], position: &ListLine, moves: &[ListLine]) -> Entry {
    let joined =
        |lines: &[ListLine], between: &str| lines.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(between);
    let (name, line) = (joined(names, ", "), position.number);
    let solution: Vec<&str> = moves.iter().map(|it| solution(&it.text)).collect();
    let is_latin1 = names.iter().chain(moves).any(|line| line.is_latin1) || position.is_latin1;
    if position.text.len() >= LONGEST_LINE {
        return Entry::too_long(line, "line", LONGEST_LINE);
    }
    if position.text.starts_with('{') && names.is_empty() && moves.is_empty() {
        return Entry { is_latin1, ..Entry::of_text(&position.text, line) };
    }
    let rejected = || Rejected {
        id: Some(name.clone()).filter(|name| !name.is_empty()),
        ..Rejected::text(&format!("{}\n{}", position.text, joined(moves, "\n")))
    };
    Entry { is_latin1, ..Entry::of(line, Problem::read_beside(&position.text, &name, &solution.join("\n")), rejected) }
}

/// Makes the entry of lines that belong to no position.
fn refused(lines: &[ListLine], why: &str) -> Entry {
    let text = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    let number = lines.first().map_or(0, |line| line.number);
    Entry::of(number, Err(ProblemError::Text(why.to_owned())), || Rejected::text(&text))
}

/// Returns the entries of a list.
pub(super) fn entries(input: Input<'_>, reading: Reading) -> Entries<'_> {
    let lines = Lines::new(input, LONGEST_LINE);
    let mut blocks = Blocks { lines, again: VecDeque::new(), is_whole: reading.is_whole };
    until_error(std::iter::from_fn(move || blocks.entry().transpose()), Entry::unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";

    /// Name, stipulation and number of printed moves of a problem, or its error.
    type Found = Result<(Option<String>, String, usize), String>;

    fn read(text: &str, is_whole: bool) -> Vec<(usize, Found)> {
        let reading = Reading { is_whole, ..Reading::default() };
        let found = |problem: Problem| (problem.id, problem.question.stipulation.to_string(), problem.printed.len());
        let entries = entries(Box::new(text.as_bytes()), reading);
        entries.map(|it| (it.line, it.problem.map(found).map_err(|error| error.to_string()))).collect()
    }

    #[allow(clippy::unnecessary_wraps, reason = "it is compared with what is found")]
    fn is(name: &str, stipulation: &str, moves: usize) -> Found {
        Ok((Some(name.to_owned()).filter(|name| !name.is_empty()), stipulation.to_owned(), moves))
    }

    #[test]
    fn names_stand_above_and_solutions_below() {
        let text = format!(
            "A vs B, Town, 1900\n{TWO}\n1. Rh6 gxh6 2. g7#\n\nC. de la D.\n\n{TWO}\nE\nF\n{TWO}\nSolution: 1.Th6\n{TWO}\n"
        );
        let expected = [
            (2, is("A vs B, Town, 1900", "#2", 3)),
            (7, is("C. de la D.", "#", 0)),
            (10, is("E, F", "#", 1)),
            (12, is("", "#", 0)),
        ];
        assert_eq!(read(&text, false), expected);
        assert_eq!(read(&text, true), expected);
        assert!(begins_with_name(text.as_bytes()) && begins_with_solution(format!("{TWO}\n\n1. Rh6\n").as_bytes()));
    }

    #[test]
    fn a_whole_input_may_have_solutions_of_several_lines() {
        let text = format!("A\n{TWO}\n\n1. Rh6 gxh6\n2. g7#\n\n{TWO}\n1. Rh6\n");
        assert_eq!(read(&text, true), [(2, is("A", "#2", 3)), (7, is("", "#", 1))]);
        let lines: Vec<_> = read(&text, false).iter().map(|(line, read)| (*line, read.is_ok())).collect();
        assert_eq!(lines, [(2, true), (4, false), (5, false), (7, true)]);
    }

    #[test]
    fn what_belongs_to_no_position_is_refused_with_its_place() {
        let text = format!(
            "Heading\n\nA\n5Kbk/6pp/6P1/8/8/8/7R w - - 0 1\n1. Rh6\n1. Rh6 gxh6\nB, mate in 2\n{TWO}\nCirce\n{TWO}\n#3\nend"
        );
        let read = read(&text, false);
        let why: Vec<_> =
            read.iter().map(|(line, it)| (*line, it.as_ref().err().map_or("", |why| why.as_str()))).collect();
        for (at, (line, part)) in [
            (1, "belongs to no position"),
            (4, "7 ranks"),
            (6, "below no position"),
            (8, ""),
            (10, "may belong to the question"),
            (11, "alone on a line"),
            (12, "belongs to no position"),
        ]
        .into_iter()
        .enumerate()
        {
            assert!(why[at].0 == line && why[at].1.contains(part), "{:?}", why[at]);
        }
        assert_eq!((why.len(), &read[3].1), (7, &is("B, mate in 2", "#2", 0)));
    }
}
