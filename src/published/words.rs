//! Cuts the text of a solution into numbered groups of moves: `1...Ke4/Kd4`, `2.Qd2#`, `(2.Rf1#)`.
//!
//! Comments in braces are left out, but every word keeps its place in the text as it was published, so that a message
//! can name line and column.

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
}

impl Word {
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
        let mut depth = 0_usize;
        for (at, c) in text.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ if depth == 0 => {
                    clean.text.push(c);
                    clean.places.resize(clean.text.len(), at);
                }
                _ => {}
            }
        }
        clean
    }

    /// Returns the place in the published text of a part of the clean text.
    fn place(&self, part: &str) -> usize {
        let offset = part.as_ptr() as usize - self.text.as_ptr() as usize;
        self.places.get(offset).copied().unwrap_or_default()
    }
}

/// Returns a text without the comments in braces.
pub(super) fn without_comments(text: &str) -> String {
    Clean::new(text).text
}

/// Returns the numbered groups of a text without its comments.
pub(super) fn groups(text: &str) -> Vec<Group> {
    let clean = Clean::new(text);
    let mut groups: Vec<Group> = Vec::new();
    let mut after_but = false;
    for paragraph in clean.text.split("\n\n") {
        let (mut after_blank, mut comma) = (true, false);
        for word in paragraph.split_whitespace() {
            let source = word;
            let joins = std::mem::replace(&mut comma, word.ends_with(','));
            let word = word.trim_matches(|c| c == '"' || c == ',');
            if word.eq_ignore_ascii_case("but") {
                after_but = true;
                continue;
            }
            let rest = match numbered(word) {
                Some((number, defence, rest)) => {
                    after_but &= defence;
                    let setting = match (word.starts_with(['(', '[']), after_but) {
                        (true, _) => Setting::Brackets,
                        (false, true) => Setting::AfterBut,
                        (false, false) => Setting::Line,
                    };
                    groups.push(Group { number, defence, setting, after_blank, moves: vec![], marks: String::new() });
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

/// Splits `1...Ke4` or `(2.Qd2#)` into the number, whether the defender moves, and the text after the dots.
pub(super) fn numbered(word: &str) -> Option<(u32, bool, &str)> {
    let word = word.trim_start_matches(['(', '[']);
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
    let word = ["Q", "R", "B", "S", "N"].iter().fold(word.to_owned(), |word, man| {
        match word.split_once(&format!("8/{man}")) {
            Some((before, after)) if !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '*') => {
                format!("{before}8{man}{after}")
            }
            _ => word,
        }
    });
    let mut joined = joins && !group.moves.is_empty();
    for text in word.split(['/', ',']) {
        let bare = text.split('[').next().unwrap_or_default();
        let bare = bare.trim_end_matches(['!', '?', ')', ']', '+', '#', ',', ';', '.', '"']);
        let bare = bare.trim_start_matches('(');
        let squares =
            bare.bytes().any(|b| (b'1'..=b'8').contains(&b)) && bare.bytes().any(|b| (b'a'..=b'h').contains(&b));
        let castles = bare.starts_with("0-0") || bare.starts_with("O-O");
        if (squares || castles || bare.contains('~')) && bare.chars().count() <= 9 {
            group.moves.push(Word { text: bare.to_owned(), at: 0, joined });
            joined = true;
        }
        group.marks.extend(text.chars().filter(|c| matches!(c, '!' | '?')));
    }
}

/// Writes out what brackets leave open: `B(x)g6` is `Bg6`, `Bg6(8)` is `Bg6/Bg8`, `Bxd7(e6)` is `Bxd7/Bxe6`,
/// `Ba5(b4,d2)` is
/// `Ba5/Bb4/Bd2`.
fn unfolded(word: &str) -> String {
    let word = word.replace("(x)", "");
    let split = word.split_once('(').and_then(|(first, rest)| Some((first, rest.split_once(')')?)));
    let Some((first, (other, rest))) = split else { return word };
    let alternative = |other: &str| {
        let is_square = other.len() <= 3 && other.ends_with(|c: char| ('1'..='8').contains(&c));
        // A capture stands in the place of the whole square.
        let width = if other.starts_with('x') { 2 } else { other.len() };
        let start = first.len().checked_sub(width).and_then(|end| first.get(..end))?;
        (is_square && !start.is_empty()).then(|| format!("/{start}{other}"))
    };
    let alternatives: Option<String> = other.split(',').map(alternative).collect();
    alternatives.map_or(word.clone(), |alternatives| format!("{first}{alternatives}{rest}"))
}

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
}
