//! Popeye's keywords in its three languages, and the words that people write instead.
//!
//! Popeye accepts any beginning of a keyword that fits no other keyword of its language, in any case. The language of
//! the input is tried first. A word of another language must have at least four letters.

use shakmaty::{Role, Square};

use super::command::Mirror;

/// A language of Popeye's input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English: `Move`, `K Q R B S P`.
    #[default]
    English,
    /// German: `versetze`, `K D T L S B`.
    German,
    /// French: `deplacement`, `R D T F C P`.
    French,
}

impl Language {
    /// Returns the kind of man that a letter stands for, in any case.
    pub fn role(self, letter: char) -> Option<Role> {
        let letters = match self {
            Language::English => "KQRBSP",
            Language::German => "KDTLSB",
            Language::French => "RDTFCP",
        };
        let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
        letters.chars().position(|known| known.eq_ignore_ascii_case(&letter)).map(|at| roles[at])
    }
}

/// A keyword of a twin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    Move,
    Exchange,
    Stipulation,
    StructuredStipulation,
    Add,
    Remove,
    Continued,
    Rotate,
    Condition,
    PolishType,
    Mirror,
    Shift,
    Substitute,
}

use Keyword::{
    Add, Condition, Continued, Exchange, Move, PolishType, Remove, Rotate, Shift, Stipulation, StructuredStipulation,
    Substitute,
};

/// The keywords of one language.
type Table = [(&'static str, Keyword); 13];

const LANGUAGES: [Table; 3] = [
    [
        ("move", Move),
        ("exchange", Exchange),
        ("stipulation", Stipulation),
        ("sstipulation", StructuredStipulation),
        ("add", Add),
        ("remove", Remove),
        ("continued", Continued),
        ("rotate", Rotate),
        ("condition", Condition),
        ("polishtype", PolishType),
        ("mirror", Keyword::Mirror),
        ("shift", Shift),
        ("substitute", Substitute),
    ],
    [
        ("versetze", Move),
        ("tausche", Exchange),
        ("forderung", Stipulation),
        ("sforderung", StructuredStipulation),
        ("hinzufuegen", Add),
        ("entferne", Remove),
        ("ferner", Continued),
        ("drehung", Rotate),
        ("bedingung", Condition),
        ("farbwechsel", PolishType),
        ("spiegelung", Keyword::Mirror),
        ("verschiebung", Shift),
        ("ersetze", Substitute),
    ],
    [
        ("deplacement", Move),
        ("echange", Exchange),
        ("enonce", Stipulation),
        ("senonce", StructuredStipulation),
        ("ajoute", Add),
        ("ote", Remove),
        ("enplus", Continued),
        ("rotation", Rotate),
        ("condition", Condition),
        ("couleurechange", PolishType),
        ("miroir", Keyword::Mirror),
        ("translation", Shift),
        ("remplace", Substitute),
    ],
];

/// The number of letters of a word that is looked up in the other languages.
const SHORTEST_FOREIGN: usize = 4;

/// Words that are no keywords of Popeye, but mean one.
const OTHER_WORDS: [(&str, Keyword); 10] = [
    ("moves", Move),
    ("swap", Exchange),
    ("delete", Remove),
    ("without", Remove),
    ("ohne", Remove),
    ("no", Remove),
    ("rotated", Rotate),
    ("turn", Rotate),
    ("swapcolors", PolishType),
    ("replace", Substitute),
];

/// Returns the keyword that a word stands for; `None` if it stands for none, or for several.
pub(super) fn keyword(word: &str, language: Language) -> Option<Keyword> {
    let word = word.to_lowercase();
    let others = LANGUAGES.iter().filter(|_| word.len() >= SHORTEST_FOREIGN);
    let other_word = || OTHER_WORDS.iter().find(|(name, _)| *name == word).map(|&(_, keyword)| keyword);
    abbreviated(&word, &LANGUAGES[language as usize])
        .or_else(|| others.into_iter().find_map(|table| abbreviated(&word, table)))
        .or_else(other_word)
}

/// Returns whether a word is a keyword in German and in no other language.
pub(super) fn is_german(word: &str) -> bool {
    let word = word.to_lowercase();
    let [english, german, french] = LANGUAGES.each_ref().map(|table| abbreviated(&word, table).is_some());
    word.len() >= SHORTEST_FOREIGN && german && !english && !french
}

/// Returns the keyword of a language that begins with `word`, if there is exactly one, or the keyword itself.
fn abbreviated(word: &str, language: &Table) -> Option<Keyword> {
    if word.is_empty() {
        return None;
    }
    let mut fitting = language.iter().filter(|(name, _)| name.starts_with(word));
    let (name, keyword) = fitting.next()?;
    (*name == word || fitting.next().is_none()).then_some(*keyword)
}

/// Returns the reflection that exchanges two corners, in any order.
pub(super) fn mirror(first: Square, second: Square) -> Option<Mirror> {
    [Mirror::A1H1, Mirror::A1A8, Mirror::A1H8, Mirror::A8H1].into_iter().find(|mirror| {
        let corner: Option<Square> = mirror.name().get(..2).and_then(|name| name.parse().ok());
        let is_corner = corner == Some(first) || corner == Some(second);
        is_corner && mirror.apply(first) == second && first != second
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyword(word: &str) -> Option<Keyword> {
        super::keyword(word, Language::English)
    }

    #[test]
    fn abbreviations_must_be_unique_in_their_language() {
        assert_eq!(keyword("mov"), Some(Move));
        assert_eq!((keyword("Cont"), keyword("cond"), keyword("CON")), (Some(Continued), Some(Condition), None));
        assert_eq!((keyword("POLISH"), keyword("sst")), (Some(PolishType), Some(StructuredStipulation)));
        assert_eq!((keyword("Entf"), keyword("ajoute"), keyword("tausche")), (Some(Remove), Some(Add), Some(Exchange)));
        assert_eq!(super::keyword("v", Language::German), None);
        assert_eq!((super::keyword("h", Language::German), keyword("h")), (Some(Add), None));
        assert_eq!((keyword("moved"), keyword(""), keyword("Kb2")), (None, None, None));
    }

    #[test]
    fn a_mirror_is_named_by_corners_in_any_order() {
        assert_eq!(mirror(Square::H1, Square::A1), Some(Mirror::A1H1));
        assert_eq!(mirror(Square::A8, Square::H1), Some(Mirror::A8H1));
        assert_eq!((mirror(Square::A1, Square::B1), mirror(Square::D4, Square::E5)), (None, None));
    }
}
