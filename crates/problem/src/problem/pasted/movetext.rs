//! Reads the moves of a game from its text, and plays them.
//!
//! ```text
//! 1. e4 {a comment} e5 $1 (1... c5 2. Nf3) 2. Lc4 ♞c6 3.Dh5 Ng8-f6 4.Qxf7# 1-0
//! ```
//!
//! Comments, variations, move numbers, glyphs and remarks such as `mate` are passed over; the game ends at its result,
//! or at the tags of another game. Every other word is a move: in English or German letters, with figurines, in short
//! or long notation. If that does not fit and a word begins with another capital letter, the letters of other languages
//! are tried: some must fit the whole game, and those that fit must give the same position. A word that means no move,
//! or several, is refused with its place: to leave it out would give another position.

use shakmaty::{Chess, Move, Position as _};

use crate::base::printable::excerpt;
use crate::chess::Letters;
use crate::problem::ProblemError;
use crate::problem::moves::{find_all, is_move, uci};

use super::illegal;

/// The moves of a game, as written.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Movetext<'a> {
    /// The words that are moves.
    pub words: Vec<&'a str>,
    /// The number of the first move, if it has one.
    pub first: Option<u32>,
    /// The first move number that does not follow from those before it, with the number that does.
    pub gap: Option<(u32, u32)>,
    /// The text after the result.
    pub rest: &'a str,
}

/// The results of games.
const RESULTS: [&str; 11] = ["1-0", "0-1", "1/2-1/2", "1/2", "½-½", "½", "*", "1:0", "0:1", "1–0", "0–1"];

/// Words that belong to the move before them.
const REMARKS: [&str; 8] = ["e.p.", "ep", "ep.", "mate", "matt", "ch", "ch.", "check"];

impl<'a> Movetext<'a> {
    /// Reads the moves of a text, up to the result or to the tags of another game. `black_begins` says whether the
    /// first move is Black's.
    pub(super) fn read(text: &'a str, black_begins: bool) -> Result<Movetext<'a>, ProblemError> {
        let mut found = Movetext::default();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            rest = match c {
                _ if c.is_whitespace() => rest.trim_start(),
                '{' => after_comment(&rest[1..])?,
                ';' => {
                    let (line, next) = rest[1..].split_once('\n').unwrap_or((&rest[1..], ""));
                    if is_all_moves(line) {
                        // A semicolon between moves is a slip, not a comment.
                        return Err(no_move(found.words.len(), &format!(";{line}")));
                    }
                    next
                }
                '%' if is_line_start(text, rest) => rest.split_once('\n').map_or("", |(_, next)| next),
                '(' => after_variation(rest)?,
                '[' if is_line_start(text, rest) && !found.words.is_empty() => {
                    found.rest = rest;
                    return Ok(found);
                }
                '$' => rest[1..].trim_start_matches(|c: char| c.is_ascii_digit()),
                ')' | '}' | ']' | '[' => return Err(no_move(found.words.len(), &c.to_string())),
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "{}();[]$".contains(c)).unwrap_or(rest.len());
                    let (word, next) = rest.split_at(end);
                    if RESULTS.contains(&word) {
                        found.rest = next.trim();
                        return Ok(found);
                    }
                    let ply = found.words.len() as u32 + u32::from(black_begins);
                    let word = match number(word, found.first.map(|first| first + ply / 2)) {
                        Some((number, word)) => {
                            let expected = *found.first.get_or_insert(number.saturating_sub(ply / 2)) + ply / 2;
                            found.gap = found.gap.or((number != expected).then_some((number, expected)));
                            word
                        }
                        None => word,
                    };
                    found.words.extend(Some(word).filter(|word| !is_passed_over(word)));
                    next
                }
            };
        }
        Ok(found)
    }

    /// Plays the first `plies` moves. Returns them with the position after them, and the language of the letters if it
    /// is not the usual one.
    pub(super) fn play(&self, start: &Chess, plies: usize) -> Result<(Played, Option<Letters>), ProblemError> {
        let words = &self.words[..plies.min(self.words.len())];
        // A Dutch P is a knight, so it is no pawn before all languages have been asked.
        let usual = play(start, words, |word| if word.starts_with('P') { format!("?{word}") } else { word.to_owned() });
        let Err(error) = usual else { return usual.map(|played| (played, None)) };
        // Without a letter that English and German lack, it is a misprint.
        let is_foreign = |word: &&str| {
            latin(word).chars().next().is_some_and(|c| c.is_ascii_uppercase() && !"KQRBNSDTLO".contains(c))
        };
        if !words.iter().any(is_foreign) {
            return Err(error);
        }
        let languages = Letters::NAMES.iter().map(|&(letters, _)| letters);
        let mut fitting = languages
            .filter_map(|letters| Some((play(start, words, |word| letters.to_english(&latin(word))).ok()?, letters)));
        let Some((played, letters)) = fitting.next() else { return Err(error) };
        if fitting.any(|(other, _)| other.1 != played.1) { Err(error) } else { Ok((played, Some(letters))) }
    }
}

/// Moves, and the position after them.
pub(super) type Played = (Vec<Move>, Chess);

/// Plays words, each changed by `english`.
fn play(start: &Chess, words: &[&str], english: impl Fn(&str) -> String) -> Result<Played, ProblemError> {
    let (mut chess, mut moves) = (start.clone(), Vec::with_capacity(words.len()));
    for (index, word) in words.iter().enumerate() {
        let text = english(word);
        let m = match find_all(&chess, &text)[..] {
            [only] => only,
            [] if is_move(&text) => return Err(illegal(index, word)),
            [] => return Err(no_move(index, word)),
            ref several => {
                let fits = several.iter().map(|&m| uci(m)).collect::<Vec<_>>().join(", ");
                let (number, word) = (index + 1, excerpt(word));
                return Err(ProblemError::Text(format!(
                    "half-move {number}, \"{word}\", fits several legal moves: {fits}; name the square from which the man \
                     moves"
                )));
            }
        };
        chess.play_unchecked(m);
        moves.push(m);
    }
    Ok((moves, chess))
}

/// Writes the Russian letters of the men in Latin ones.
fn latin(word: &str) -> String {
    let letters = [("Кр", "Kr"), ("К", "K"), ("Ф", "F"), ("Л", "L"), ("С", "S"), ("П", "P")];
    letters.iter().fold(word.to_owned(), |word, (russian, latin)| word.replace(russian, latin))
}

/// Returns the error of a word that is no move, in the place of the half-move with this index.
fn no_move(index: usize, word: &str) -> ProblemError {
    let (number, text) = (index + 1, excerpt(word));
    let what = if is_null_move(word) {
        "is a null move, which no game has; give the position after it as a FEN"
    } else {
        "is not a move; correct it, or put remarks in braces"
    };
    ProblemError::Text(format!("half-move {number}, \"{text}\", {what}"))
}

fn unclosed(bracket: char) -> ProblemError {
    ProblemError::Text(format!("a bracket \"{bracket}\" of the game is not closed; close it, or remove it"))
}

/// Returns what stands after a comment. A second brace inside it means that the first was not closed.
fn after_comment(text: &str) -> Result<&str, ProblemError> {
    let (comment, rest) = text.split_once('}').ok_or_else(|| unclosed('{'))?;
    if comment.contains('{') { Err(unclosed('{')) } else { Ok(rest) }
}

/// Returns whether a text consists of moves and move numbers, and has a move.
fn is_all_moves(text: &str) -> bool {
    let mut moves = text.split_whitespace().filter_map(|word| match number(word, None) {
        Some((_, "")) => None,
        Some((_, word)) => Some(word),
        None => Some(word),
    });
    let first = moves.next();
    first.is_some_and(|word| is_move(word) && moves.all(is_move))
}

/// Returns what stands after a variation in brackets, which may contain others, and comments.
fn after_variation(text: &str) -> Result<&str, ProblemError> {
    let (mut rest, mut depth) = (text, 0_usize);
    while let Some(at) = rest.find(['(', ')', '{', ';']) {
        let next = &rest[at + 1..];
        rest = match rest.as_bytes()[at] {
            b'{' => after_comment(next)?,
            b';' => next.split_once('\n').map_or("", |(_, next)| next),
            bracket => {
                depth = if bracket == b'(' { depth + 1 } else { depth - 1 };
                if depth == 0 {
                    return Ok(next);
                }
                next
            }
        };
    }
    Err(unclosed('('))
}

/// Returns whether a part of a text begins a line.
fn is_line_start(text: &str, part: &str) -> bool {
    let before = &text[..text.len() - part.len()];
    before.is_empty() || before.ends_with('\n')
}

/// Splits `12.Nf3` or `12...` into the number and the rest. A number without dots counts only if it is `expected`.
fn number(word: &str, expected: Option<u32>) -> Option<(u32, &str)> {
    let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    let number = word[..digits].parse().ok()?;
    let rest = word[digits..].trim_start_matches(['.', '…']);
    let has_dots = rest.len() < word.len() - digits;
    (has_dots || rest.is_empty() && expected.is_none_or(|expected| expected == number)).then_some((number, rest))
}

/// Returns whether a word is no move and cannot change the position: dots, glyphs such as `!?` and `+-`, and remarks.
fn is_passed_over(word: &str) -> bool {
    REMARKS.contains(&word) || (!is_null_move(word) && !word.chars().any(char::is_alphanumeric) && !has_figurine(word))
}

/// Returns whether a word is a null move: the side to move passes.
fn is_null_move(word: &str) -> bool {
    matches!(word, "--" | "<>" | "Z0" | "@@@@" | "0000")
}

fn has_figurine(word: &str) -> bool {
    word.chars().any(|c| ('\u{2654}'..='\u{265f}').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(text: &str) -> Result<(String, Option<Letters>), String> {
        let movetext = Movetext::read(text, false).map_err(|error| error.to_string())?;
        let ((_, chess), letters) = movetext.play(&Chess::default(), usize::MAX).map_err(|error| error.to_string())?;
        Ok((chess.board().board_fen().to_string(), letters))
    }

    const FOOLS: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR";
    const SCHOLARS: &str = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR";

    #[test]
    fn moves_are_read_in_every_notation() {
        for text in [
            "1. f3 e5 2. g4 Dh4#",
            "1.f2-f3 e7-e5 2.g2-g4 Dd8-h4 matt",
            "1. f3 e5 2. g4 ♛h4‡",
            "1 f3 e5 2 g4 Qh4++",
            "1. f3! (1. e4 e5 {good (}) 1... e5 $2 {a)} 2. g4?? -+ 2... Qh4# 0-1",
            "1. ♙f3 e5 2. g2g4 d8h4",
        ] {
            assert_eq!(played(text), Ok((FOOLS.to_owned(), None)), "{text}");
        }
        let german = "1. e4 e5 2. Lc4 Sc6 3. Dh5 Sf6 4. Dxf7#";
        assert_eq!(played(german), Ok((SCHOLARS.to_owned(), None)));
        for (text, letters) in [
            ("1. e4 e5 2. Fc4 Cc6 3. Dh5 Cf6 4. Dxf7", Letters::Fr),
            ("1. e4 e5 2. Ac4 Cc6 3. Dh5 Cf6 4. Dxf7", Letters::Es),
            ("1. e4 e5 2. Lc4 Pc6 3. Dh5 Pf6 4. Dxf7", Letters::Nl),
            ("1. e4 e5 2. Сc4 Кc6 3. Фh5 Кf6 4. Ф:f7×", Letters::Ru),
        ] {
            assert_eq!(played(text), Ok((SCHOLARS.to_owned(), Some(letters))), "{text}");
        }
        let castled = played("1. e4 e5 2. Ng1-f3 Ng8-f6 3. Bc4 Bc5 4. OO 00").unwrap().0;
        assert_eq!(castled, "rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1");
    }

    #[test]
    fn words_that_are_no_move_are_refused_with_their_place() {
        for (text, why) in [
            ("1. f3 e5 2. g4 Xh4#", "half-move 4, \"Xh4#\", is not a move"),
            ("1. f3 e5 2. g4 Dh5#", "half-move 4, \"Dh5#\", is not legal there"),
            ("1. e4 -- 2. d4", "half-move 2, \"--\", is a null move"),
            ("1. e4 e5 2. <> d5", "half-move 3, \"<>\", is a null move"),
            ("1. e4 e5 2. Z0 d5", "half-move 3, \"Z0\", is a null move"),
            ("1. Nf3 d5 2. Nc3 e5 3. Nd4 Nc6 4. Nb5", "fits several legal moves: c3b5, d4b5"),
            ("1. e4 e5 best 2. d4", "half-move 3, \"best\", is not a move"),
            ("1. e4 (1. d4 e5", "is not closed"),
            ("1. e4 {1... e5", "is not closed"),
            ("1. e4 ) e5", "half-move 2, \")\""),
            ("1. e4 7 e5", "half-move 2, \"7\""),
            ("1. e4 {x e5 2. Nf3 {y} Nc6", "is not closed"),
            ("1. e4 e5; 2. Nf3 Nc6", "half-move 3, \"; 2. Nf3 Nc6\", is not a move"),
            // A misprint of a king's move is no knight's move of another language.
            ("1. e4 e5 2. Kf3", "half-move 3, \"Kf3\", is not legal there"),
        ] {
            let error = played(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn a_gap_in_the_numbers_is_found() {
        let gap = |text, black| Movetext::read(text, black).unwrap().gap;
        assert_eq!(gap("1. e4 e5 3. Nf3", false), Some((3, 2)));
        assert_eq!(gap("1. e4 e5 2. Nf3 2... Nc6 3. Bb5", false), None);
        assert_eq!((gap("12... Kf8 13. Ra1", true), gap("12. Kf8 Ra1 13. Ra1", false)), (None, None));
        assert_eq!(Movetext::read("1. e4 1-0\n\n[Event \"x\"]", false).unwrap().rest, "[Event \"x\"]");
    }
}
