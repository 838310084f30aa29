//! The keywords of twins in Popeye's three languages, how keywords are looked up, and the words that people write
//! instead.
//!
//! Popeye accepts any beginning of a keyword that fits no other keyword of its table and language, in capitals or small
//! letters. A whole keyword is that keyword, even if a longer one begins with it. In a twin, the language of the input
//! is tried first; a word of another language must have at least four letters. The other tables of Popeye are in
//! `problem::popeye`.

use shakmaty::{Role, Square};

use super::command::{Mirror, Reflection};

/// The kinds of men, as they are listed.
pub(in crate::problem) const ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

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
    /// All languages, in the order of [`Word`].
    pub(in crate::problem) const ALL: [Language; 3] = [Language::English, Language::German, Language::French];

    /// Returns the letters of the men, in the order of [`ROLES`].
    pub(in crate::problem) fn letters(self) -> &'static str {
        ["KQRBSP", "KDTLSB", "RDTFCP"][self as usize]
    }

    /// Returns the kind of man that a letter stands for, in any case.
    pub fn role(self, letter: char) -> Option<Role> {
        self.letters().chars().zip(ROLES).find(|(known, _)| known.eq_ignore_ascii_case(&letter)).map(|(_, role)| role)
    }
}

/// A keyword in the three languages.
#[derive(Debug, Clone, Copy)]
pub(in crate::problem) struct Word(pub [&'static str; 3]);

impl Word {
    pub(in crate::problem) fn of(self, language: Language) -> &'static str {
        self.0[language as usize]
    }
}

/// The result of looking a word up in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::problem) enum Found<T> {
    /// The word is this keyword.
    One(T),
    /// Several keywords begin with the word.
    Several,
    /// No keyword begins with it.
    Nothing,
}

/// Returns whether a word is a beginning of a keyword, in any case.
pub(in crate::problem) fn abbreviates(word: &str, keyword: &str) -> bool {
    !word.is_empty() && keyword.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

pub(in crate::problem) fn look_up<T: Copy>(word: &str, table: &[(T, Word)], language: Language) -> Found<T> {
    let mut candidates = table.iter().filter(|(_, keyword)| abbreviates(word, keyword.of(language)));
    if let Some((meaning, _)) = candidates.clone().find(|(_, keyword)| keyword.of(language).len() == word.len()) {
        return Found::One(*meaning);
    }
    match (candidates.next(), candidates.next()) {
        (Some((meaning, _)), None) => Found::One(*meaning),
        (Some(_), Some(_)) => Found::Several,
        (None, _) => Found::Nothing,
    }
}

/// A command within a twin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::problem) enum Keyword {
    Move,
    Exchange,
    Stipulation,
    Add,
    Remove,
    Continued,
    Rotate,
    PolishType,
    Mirror,
    Shift,
    Substitute,
    /// It is not solved: a structured stipulation, a condition, another diagram.
    Unsolved,
}

/// The commands within a twin.
pub(in crate::problem) const TWINNINGS: &[(Keyword, Word)] = &[
    (Keyword::Move, Word(["Move", "versetze", "deplacement"])),
    (Keyword::Exchange, Word(["Exchange", "tausche", "echange"])),
    (Keyword::Stipulation, Word(["Stipulation", "Forderung", "enonce"])),
    (Keyword::Unsolved, Word(["SStipulation", "SForderung", "senonce"])),
    (Keyword::Add, Word(["Add", "hinzufuegen", "ajoute"])),
    (Keyword::Remove, Word(["Remove", "entferne", "ote"])),
    (Keyword::Continued, Word(["Continued", "ferner", "enplus"])),
    (Keyword::Rotate, Word(["Rotate", "Drehung", "rotation"])),
    (Keyword::Unsolved, Word(["Condition", "Bedingung", "condition"])),
    (Keyword::PolishType, Word(["PolishType", "Farbwechsel", "CouleurEchange"])),
    (Keyword::Mirror, Word(["Mirror", "Spiegelung", "miroir"])),
    (Keyword::Shift, Word(["Shift", "Verschiebung", "translation"])),
    (Keyword::Substitute, Word(["Substitute", "ersetze", "remplace"])),
    (Keyword::Unsolved, Word(["Forsyth", "Forsyth", "Forsyth"])),
];

/// The number of letters of a word that is looked up in the other languages.
const SHORTEST_FOREIGN: usize = 4;

/// Words that are no keywords of Popeye, but mean one.
const OTHER_WORDS: [(&str, Keyword); 10] = [
    ("moves", Keyword::Move),
    ("swap", Keyword::Exchange),
    ("delete", Keyword::Remove),
    ("without", Keyword::Remove),
    ("ohne", Keyword::Remove),
    ("no", Keyword::Remove),
    ("rotated", Keyword::Rotate),
    ("turn", Keyword::Rotate),
    ("swapcolors", Keyword::PolishType),
    ("replace", Keyword::Substitute),
];

/// Returns the keyword that a word stands for; `None` if it stands for none, or for several.
pub(super) fn keyword(word: &str, language: Language) -> Option<Keyword> {
    let others = Language::ALL.into_iter().filter(|_| word.len() >= SHORTEST_FOREIGN);
    let other_word = || OTHER_WORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|&(_, it)| it);
    let in_language = |language| match look_up(word, TWINNINGS, language) {
        Found::One(keyword) => Some(keyword),
        Found::Several | Found::Nothing => None,
    };
    in_language(language).or_else(|| others.into_iter().find_map(in_language)).or_else(other_word)
}

/// Returns whether a word is a keyword in German and in no other language.
pub(super) fn is_german(word: &str) -> bool {
    let is_keyword = |language| matches!(look_up(word, TWINNINGS, language), Found::One(_));
    word.len() >= SHORTEST_FOREIGN && Language::ALL.map(is_keyword) == [false, true, false]
}

/// Returns the reflection that exchanges two corners, in any order.
pub(super) fn mirror(first: Square, second: Square) -> Option<Mirror> {
    let is_of = |&&(_, name, apply): &&Reflection| {
        let is_corner = [first, second].iter().any(|square| name.starts_with(&square.to_string()));
        is_corner && apply(first) == second && first != second
    };
    Mirror::ALL.iter().find(is_of).map(|(mirror, ..)| *mirror)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Keyword::{Add, Continued, Exchange, Move, PolishType, Remove, Unsolved};

    fn keyword(word: &str) -> Option<Keyword> {
        super::keyword(word, Language::English)
    }

    #[test]
    fn abbreviations_must_be_unique_in_their_language() {
        assert_eq!(keyword("mov"), Some(Move));
        assert_eq!((keyword("Cont"), keyword("cond"), keyword("CON")), (Some(Continued), Some(Unsolved), None));
        assert_eq!((keyword("POLISH"), keyword("sst")), (Some(PolishType), Some(Unsolved)));
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
