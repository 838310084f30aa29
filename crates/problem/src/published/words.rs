//! Cuts the text of a solution into numbered groups of moves: `1...Ke4/Kd4`, `2.Qd2#`, `(2.Rf1#)`.
//!
//! Comments in braces are left out. A word has its place in the text as it was published, so that a message can name
//! line and column; what is written out from brackets may have the place of the bracket or of the whole word.

use std::collections::BTreeSet;

use crate::problem::moves::short_capture;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

/// Returns the place of byte `at` of a text.
pub fn place(text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    Place { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
}

/// The surroundings of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// A line of play.
    Line,
    /// Brackets after a first move: a threat.
    Brackets,
    /// After "but".
    AfterBut,
}

/// A move as it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    /// The byte of the text where it starts.
    pub at: usize,
    /// Whether a stroke or a comma joins it to the move before it: both are moves of one side.
    pub joined: bool,
    /// The move with the man of the move before it: `Sf4/e3` may be `Sf4/Se3`. The text itself comes first.
    pub of_same_man: Option<String>,
    /// The byte at which a second move begins, if the text is none alone: `Sg6R6f5` may be `Sg6` and `R6f5`.
    pub second: Option<usize>,
}

impl Word {
    /// Returns the first character of the move, usually its man.
    fn man(&self) -> Option<char> {
        self.of_same_man.as_ref().unwrap_or(&self.text).chars().next()
    }

    /// Returns whether the word stands for any move, such as `~` or `Sc4~`.
    pub(super) fn is_any(&self) -> bool {
        self.text.contains('~')
    }
}

/// One numbered group of moves.
#[derive(Debug)]
pub(super) struct Group {
    pub number: u32,
    pub defence: bool,
    pub setting: Setting,
    /// Whether an empty line stands before the group.
    pub after_blank: bool,
    pub moves: Vec<Word>,
    pub marks: String,
}

impl Group {
    fn new(number: u32, defence: bool, setting: Setting, after_blank: bool) -> Group {
        Group { number, defence, setting, after_blank, moves: Vec::new(), marks: String::new() }
    }

    /// Returns whether it is a first defence after an empty line.
    pub(super) fn begins_defences(&self) -> bool {
        self.after_blank && self.number == 1 && self.defence
    }

    /// Returns the moves of the side to which the number belongs, and the reply that may follow: in `1.Kb1! Kd2`, it
    /// has no number of its own.
    pub(super) fn split(&self) -> (&[Word], &[Word]) {
        let end = |from: usize| {
            self.moves.iter().skip(from + 1).position(|word| !word.joined).map_or(self.moves.len(), |at| from + 1 + at)
        };
        let reply = end(0);
        let after = if reply < self.moves.len() { end(reply) } else { reply };
        (&self.moves[..reply], &self.moves[reply..after])
    }
}

/// A text without its comments, and where each of its bytes stood.
struct Clean {
    text: String,
    places: Vec<usize>,
}

impl Clean {
    fn new(text: &str) -> Clean {
        let mut clean = Clean { text: String::with_capacity(text.len()), places: Vec::with_capacity(text.len()) };
        let (mut depth, mut skip) = (0_usize, 0);
        for (at, c) in text.char_indices() {
            match c {
                _ if at < skip => {}
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                '(' if depth == 0 && clean.text.ends_with(|c: char| c.is_ascii_alphanumeric()) => {
                    let list = alternatives(&text[at + 1..]);
                    let (joined, length) = list.map_or(("(".to_owned(), 1), |(joined, end)| (joined, end + 1));
                    clean.push(&joined, at);
                    skip = at + length;
                }
                '(' if depth == 0
                    && let Some((joined, end)) = other_man(&clean.text, &text[at + 1..]) =>
                {
                    clean.text.pop();
                    clean.places.pop();
                    clean.push(&joined, at);
                    skip = at + 1 + end;
                }
                _ if depth == 0 => clean.push(c.encode_utf8(&mut [0; 4]), at),
                _ => {}
            }
        }
        clean
    }

    fn push(&mut self, part: &str, at: usize) {
        self.text.push_str(part);
        self.places.resize(self.text.len(), at);
    }

    /// Returns the place in the published text of a part of the clean text.
    fn place(&self, part: &str) -> usize {
        let offset = part.as_ptr() as usize - self.text.as_ptr() as usize;
        self.places.get(offset).copied().unwrap_or_default()
    }
}

/// The greatest number of bytes of a list of alternatives, with its bracket.
const LONGEST_LIST: usize = 24;

/// Reads the rest of a list of alternatives with spaces or "or": `h2 or h6)`, `b4, d2, or xe5)`, `or Q)`. Returns it as
/// one word, `(h2,h6)`, and the number of bytes read.
fn alternatives(text: &str) -> Option<(String, usize)> {
    let end = text.bytes().take(LONGEST_LIST).position(|byte| byte == b')')?;
    let list = text.get(..end).filter(|list| list.contains(' '))?;
    let parts: Vec<&str> = list.split([',', '/', ' ']).filter(|part| !matches!(*part, "" | "or" | "oder")).collect();
    let is_alternative = |part: &&str| is_target(part) || is_promoted(part);
    (!parts.is_empty() && parts.iter().all(is_alternative)).then(|| (format!("({})", parts.join(",")), end + 1))
}

/// Reads another man that can make the move of the man before the bracket, of which this is the rest: `or B)xc5` after
/// `b `. Returns the rest of both moves, `xc5/Bxc5`, and the number of bytes read.
fn other_man(before: &str, rest: &str) -> Option<(String, usize)> {
    let (man, tail) = rest.strip_prefix("or ")?.split_once(')')?;
    let tail = &tail[..tail.find(char::is_whitespace).unwrap_or(tail.len())];
    let first = before.strip_suffix(' ')?.rsplit(|c: char| c.is_whitespace() || c == '.').next()?;
    let is_man = |text: &str| matches!(text.len(), 1 | 2) && text.chars().all(|c| "KQRBSNabcdefgh12345678".contains(c));
    let is_rest = is_man(first) && is_man(man) && is_target(tail.trim_end_matches(['!', '?', '+', '#']));
    is_rest.then(|| (format!("{tail}/{man}{tail}"), "or )".len() + man.len() + tail.len()))
}

/// Returns whether a text is the end of a move, such as `h6` or `xe5`.
fn is_target(text: &str) -> bool {
    let square = text.strip_prefix(['x', ':', '*']).unwrap_or(text);
    matches!(square.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// Returns whether a text is the letter of a man that a pawn becomes.
fn is_promoted(text: &str) -> bool {
    matches!(text, "Q" | "R" | "B" | "S" | "N")
}

/// Returns the numbered groups of a text without its comments.
pub(super) fn groups(text: &str) -> Vec<Group> {
    let clean = Clean::new(text);
    let mut groups: Vec<Group> = Vec::new();
    let mut after_but = false;
    for paragraph in clean.text.split("\n\n") {
        let (mut after_blank, mut comma, mut after_threat) = (true, false, false);
        for word in paragraph.split_whitespace() {
            let source = word;
            let joins = std::mem::replace(&mut comma, word.ends_with(','));
            let word = word.trim_matches(|c| c == '"' || c == ',');
            if word.eq_ignore_ascii_case("but") {
                after_but = true;
                continue;
            }
            let is_threat = std::mem::replace(&mut after_threat, announces_threat(word));
            let rest = match numbered(word) {
                None if is_threat && groups.last().is_some_and(|last| !last.defence) => {
                    // "1.Sd6! threat Sf7#"
                    let number = groups.last().map_or(1, |last| last.number).saturating_add(1);
                    groups.push(Group::new(number, false, Setting::Brackets, false));
                    word
                }
                Some((number, defence, rest)) => {
                    after_but &= defence;
                    let setting = match (word.starts_with(['(', '[']), after_but) {
                        (true, _) => Setting::Brackets,
                        (false, true) => Setting::AfterBut,
                        (false, false) => Setting::Line,
                    };
                    groups.push(Group::new(number, defence, setting, after_blank));
                    after_blank = false;
                    rest
                }
                None => word,
            };
            let Some(group) = groups.last_mut() else { continue };
            if !word.is_empty() && word.trim_matches(['.', '…']).is_empty() && group.moves.is_empty() {
                // "1. ... Kd5"
                group.defence = true;
            } else if !rest.is_empty() {
                let first = group.moves.len();
                add_word(group, rest, joins);
                for found in &mut group.moves[first..] {
                    found.at = clean.place(&source[source.find(&found.text).unwrap_or(0)..]);
                }
            }
        }
        after_but = false;
    }
    groups
}

/// Returns whether a word says that a threat follows.
fn announces_threat(word: &str) -> bool {
    let word = word.trim_end_matches([':', ',']);
    ["threat", "threats", "threatening", "Drohung", "menace"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Splits `1...Ke4` or `(2.Qd2#)` into the number, whether the defender moves, and the text after the dots.
fn numbered(word: &str) -> Option<(u32, bool, &str)> {
    // A star marks set play.
    let word = word.trim_start_matches(['(', '[', '*']);
    let digits = word.find(|c: char| !c.is_ascii_digit()).filter(|&end| end > 0)?;
    let number = word[..digits].parse().ok()?;
    let rest = &word[digits..];
    let after = rest.trim_start_matches(['.', '…']);
    let dots = rest.len() - after.len();
    (dots > 0).then_some((number, dots > 1, after))
}

/// Adds the moves and marks of a word to a group, without their places.
fn add_word(group: &mut Group, word: &str, joins: bool) {
    let word = &unfolded(word);
    // "Kb5-c4" is one move and "Kb5/Kc4" are two, but "f8/S" is a promotion. A label such as [a] belongs to the move
    // before it.
    let promotions = ["Q", "R", "B", "S", "N", "~"].iter().flat_map(|man| ['8', '1'].map(|rank| (rank, *man)));
    let word = promotions.fold(word.to_owned(), |word, (rank, man)| match word.split_once(&format!("{rank}/{man}")) {
        Some((before, after))
            if !after.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '*' | '~'))
                && before.rsplit(['/', ',']).next().is_some_and(|pawn| !pawn.starts_with(char::is_uppercase)) =>
        {
            format!("{before}{rank}{man}{after}")
        }
        _ => word,
    });
    let mut joined = joins && !group.moves.is_empty();
    for text in word.split(['/', ',']) {
        let bare = text.split('[').next().unwrap_or_default();
        let marked = bare.len();
        let bare = bare.trim_end_matches(['!', '?', ')', ']', '+', '#', '=', ',', ';', '.', '"']);
        let is_marked = bare.len() < marked;
        let bare = bare.trim_start_matches('(');
        let squares =
            bare.bytes().any(|b| (b'1'..=b'8').contains(&b)) && bare.bytes().any(|b| (b'a'..=b'h').contains(&b));
        let castles = bare.starts_with("0-0") || bare.starts_with("O-O");
        // "de" and "ed" are words of some languages.
        let is_word = matches!(bare, "de" | "ed") && !is_marked && !joined && !group.moves.is_empty();
        let captures = short_capture(bare).is_some() && !is_word;
        let second = second_move(bare);
        let longest = if second.is_some() { LONGEST_PAIR } else { LONGEST_MOVE };
        if (squares || castles || captures || bare.contains('~')) && bare.chars().count() <= longest {
            let man = group.moves.last().filter(|_| joined).and_then(Word::man);
            let man = man.filter(|man| is_target(bare) && !man.is_ascii_lowercase() && !man.is_ascii_digit());
            let of_same_man = man.map(|man| format!("{man}{bare}"));
            group.moves.push(Word { text: bare.to_owned(), at: 0, joined, of_same_man, second });
            joined = true;
        }
        group.marks.extend(text.chars().filter(|c| matches!(c, '!' | '?')));
    }
}

/// The greatest numbers of characters of a move, and of two moves without a sign between them.
const LONGEST_MOVE: usize = 9;
const LONGEST_PAIR: usize = 14;

/// Returns the byte at which a second move may begin in a word: the letter of a man between two squares.
fn second_move(word: &str) -> Option<usize> {
    let is_square = |at: usize| word.get(at..at + 2).is_some_and(|square| is_target(square) && square.len() == 2);
    let is_man =
        |(at, man): &(usize, char)| "KQRBSNDTL".contains(*man) && *at >= 2 && is_square(*at - 2) && word.len() > at + 2;
    word.char_indices().find(is_man).map(|(at, _)| at).filter(|_| is_square(word.len() - 2))
}

/// Writes out what brackets leave open: `B(x)g6` and `B(:)g6` are `Bg6`, `Bg6(8)` is `Bg6/Bg8`, `Bxd7(e6)` is
/// `Bxd7/Bxe6`, `Ba5(b4,d2)` is `Ba5/Bb4/Bd2`, `b8/S(Q)` is `b8/S/b8/Q`. Checks in brackets are left out, because not
/// every reply is one.
fn unfolded(word: &str) -> String {
    let word = ["(x)", "(:)", "(*)", "(×)", "(+)"].iter().fold(word.to_owned(), |word, sign| word.replace(sign, ""));
    let split = word.split_once('(').and_then(|(first, rest)| Some((first, rest.split_once(')')?)));
    let Some((first, (other, rest))) = split else { return word };
    let alternative = |other: &str| {
        if is_promoted(other) {
            let pawn = first.strip_suffix(|c: char| is_promoted(c.encode_utf8(&mut [0; 4])))?;
            return Some(format!("/{pawn}{other}"));
        }
        let is_square = other.len() <= 3 && other.ends_with(|c: char| ('1'..='8').contains(&c));
        // A capture stands in the place of the whole square.
        let width = if other.starts_with('x') { 2 } else { other.len() };
        let start = first.len().checked_sub(width).and_then(|end| first.get(..end))?;
        (is_square && !start.is_empty()).then(|| format!("/{start}{other}"))
    };
    let alternatives: Option<String> = other.split(',').map(alternative).collect();
    alternatives.map_or(word.clone(), |alternatives| format!("{first}{alternatives}{rest}"))
}

/// Returns the lines of play after the keys of a solution in Popeye's layout, at all depths: each move with all moves
/// before it, as printed. A missing move of the defender is written as "threat".
pub fn paths(text: &str) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    let mut path: Vec<String> = Vec::new();
    let mut key = false;
    for line in Clean::new(text).text.lines() {
        let mut words = line.trim_matches(|c: char| c == '"' || c.is_whitespace()).split_whitespace();
        let Some((number, defence, rest)) = words.next().and_then(numbered) else { continue };
        let ply = 2 * (number as usize).saturating_sub(1) + usize::from(defence);
        if ply > DEEPEST {
            continue;
        }
        if ply == 0 {
            key = line.contains('!') && !line.contains('?');
        } else if ply == 1 && path.is_empty() {
            key = false;
        }
        path.truncate(ply);
        path.resize(ply, "threat".to_owned());
        path.push(rest.trim_end_matches(['!', '?', '#', '+']).to_owned());
        if key && !(ply == 1 && line.trim_end().ends_with('!')) {
            paths.insert(path.join(" "));
        }
    }
    paths
}

/// The deepest half-move that is read. A number beyond it is no number of a move.
const DEEPEST: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_without_a_number_are_told_from_alternatives() {
        let found =
            groups("1.Kb1! Kd2/Ke2 2.Qa1, Qb2+ Kf3 Kg4 1. ... Bg6(8) 2.R(x)g6 ~ 2...Ba5(b4,xd2),c6 3.Bxd7(e6)# (Qd1)");
        let words = |words: &[Word]| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let split: Vec<_> = found
            .iter()
            .map(|group| (group.number, group.defence, words(group.split().0), words(group.split().1)))
            .collect();
        let expected = [
            (1, false, "Kb1", "Kd2 Ke2"),
            (2, false, "Qa1 Qb2", "Kf3"),
            (1, true, "Bg6 Bg8", ""),
            (2, false, "Rg6", "~"),
            (2, true, "Ba5 Bb4 Bxd2 c6", ""),
            (3, false, "Bxd7 Bxe6", "Qd1"),
        ];
        assert_eq!(split, expected.map(|(number, defence, own, reply)| (number, defence, own.into(), reply.into())));
    }

    #[test]
    fn shorthand_is_written_out() {
        let words = |text: &str| {
            let found = groups(text).into_iter().map(|group| {
                let words: Vec<String> =
                    group.moves.into_iter().map(|word| word.of_same_man.unwrap_or(word.text)).collect();
                (group.number, group.setting == Setting::Brackets, words.join(" "))
            });
            found.collect::<Vec<_>>()
        };
        for (text, expected) in [
            ("1...Sf2(h2 or h6)", vec![(1, false, "Sf2 Sh2 Sh6")]),
            ("1...Ba1(b2,d4, or xe5)", vec![(1, false, "Ba1 Bb2 Bd4 Bxe5")]),
            ("2.cxb8/B(or Q)#", vec![(2, false, "cxb8B cxb8Q")]),
            ("1....b (or B)xc5 2.Sb5#", vec![(1, false, "bxc5 Bxc5"), (2, false, "Sb5")]),
            ("2.Q (or aR)xb5# 3.Ka1", vec![(2, false, "Qxb5 aRxb5"), (3, false, "Ka1")]),
            ("2.Ra1 (or b) Kd4", vec![(2, false, "Ra1 Kd4")]),
            ("1...d1/S(Q)", vec![(1, false, "d1S d1Q")]),
            ("1...Kd1/S~", vec![(1, false, "Kd1 S~")]),
            ("1.Sd6! threat Sf7#", vec![(1, false, "Sd6"), (2, true, "Sf7")]),
            ("1.Sd6! threat: 2.Sf7#", vec![(1, false, "Sd6"), (2, false, "Sf7")]),
            ("2.Sb4(+) Kh1=", vec![(2, false, "Sb4 Kh1")]),
            ("1.hg! de 2.h:g", vec![(1, false, "hg"), (2, false, "h:g")]),
            ("1.Qa1 ed! 2.fe/gf", vec![(1, false, "Qa1 ed"), (2, false, "fe gf")]),
            ("2.Sf4/e3, d4", vec![(2, false, "Sf4 Se3 Sd4")]),
            ("1...Sc3/b2 2.S(:)c3#", vec![(1, false, "Sc3 Sb2"), (2, false, "Sc3")]),
            ("1.♖h6 ♞g6♜6f5 é8", vec![(1, false, "♖h6 ♞g6♜6f5")]),
            ("1...d1/~ 2.Sb6", vec![(1, false, "d1~"), (2, false, "Sb6")]),
            ("1.a8Q (of the author) 1...e4/e3", vec![(1, false, "a8Q"), (1, false, "e4 e3")]),
        ] {
            let expected: Vec<_> =
                expected.into_iter().map(|(number, threat, it)| (number, threat, it.to_owned())).collect();
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn words_keep_their_places_around_comments() {
        let text = "{a comment\nof two línes} 1.Kf4 !\n  1...Kd5/Kd4 {(x)} 2.Qd2#";
        let found: Vec<(String, Place)> = groups(text)
            .into_iter()
            .flat_map(|group| group.moves)
            .map(|word| (word.text, place(text, word.at)))
            .collect();
        let at = |line, column| Place { line, column };
        let expected = [("Kf4", at(2, 17)), ("Kd5", at(3, 7)), ("Kd4", at(3, 11)), ("Qd2", at(3, 23))];
        assert_eq!(found, expected.map(|(word, place)| (word.to_owned(), place)));
        assert_eq!(groups("[2.Qd2]")[0].setting, Setting::Brackets);
        assert_eq!(place("ab", 9), at(1, 3));
    }

    #[test]
    fn lines_are_read_to_any_depth() {
        let text = "      1...g7*h6\n          2.g6-g7 #\n\n   1.Rh1-g1 ? threat:\n          2.g6*h7\n\n   1.Rh1-h6 ! \
                    threat:\n          2.Rh6*h7 + {so}\n              2...Kh8*h7\n                  3.g6 #\n      \
                    1...g7*h6\n  99999999.x\n";
        let expected = [
            "Rh1-h6",
            "Rh1-h6 g7*h6",
            "Rh1-h6 threat Rh6*h7",
            "Rh1-h6 threat Rh6*h7 Kh8*h7",
            "Rh1-h6 threat Rh6*h7 Kh8*h7 g6",
        ];
        assert_eq!(paths(text).iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }
}
