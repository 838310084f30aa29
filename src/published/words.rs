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

/// What stands around a group.
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
    /// The byte of the text where the word starts that holds the move.
    pub at: usize,
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
        let mut after_blank = true;
        for word in paragraph.split_whitespace() {
            let at = clean.place(word);
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
            if let Some(group) = groups.last_mut().filter(|_| !rest.is_empty()) {
                add_word(group, rest, at);
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

/// Adds the moves and marks of a word to a group.
fn add_word(group: &mut Group, word: &str, at: usize) {
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
    for text in word.split('/') {
        let bare = text.split('[').next().unwrap_or_default();
        let bare = bare.trim_end_matches(['!', '?', ')', ']', '+', '#', ',', ';', '.', '"']);
        let bare = bare.trim_start_matches('(');
        let squares =
            bare.bytes().any(|b| (b'1'..=b'8').contains(&b)) && bare.bytes().any(|b| (b'a'..=b'h').contains(&b));
        let castles = bare.starts_with("0-0") || bare.starts_with("O-O");
        if (squares || castles) && bare.chars().count() <= 9 {
            group.moves.push(Word { text: bare.to_owned(), at });
        }
        group.marks.extend(text.chars().filter(|c| matches!(c, '!' | '?')));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_places_around_comments() {
        let text = "{a comment\nof two lines} 1.Ké4 !\n  1...é5/Kd4 {(x)} 2.Qd2#";
        let found: Vec<(String, Place)> = groups(text)
            .into_iter()
            .flat_map(|group| group.moves)
            .map(|word| (word.text, place(text, word.at)))
            .collect();
        let at = |line, column| Place { line, column };
        let expected = [("Ké4", at(2, 15)), ("Kd4", at(3, 3)), ("Qd2", at(3, 20))];
        assert_eq!(found[1..], expected.map(|(word, place)| (word.to_owned(), place))[1..]);
        assert_eq!(groups("[2.Qd2]")[0].setting, Setting::Brackets);
        assert_eq!(place("ab", 9), at(1, 3));
    }
}
