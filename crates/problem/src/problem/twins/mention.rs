//! Reads the men that a twin names: `Kh1`, `wKh1`, `white Kh1`, `White King h1`, `h1`.
//!
//! Twins of collections are English, but people also write German: words (`sBg7 nach g6`), the side `s`, and the
//! letters `D`, `T`, `L`, which mean nothing else in English. In a twin with one of these, `B` may be a bishop or a
//! pawn (Bauer): the man on the square decides, and where there is none, the twin is not understood.

use shakmaty::{Color, Role, Square};

use super::command::NamedMan;
use super::keywords::{self, Language};
use super::tokens::Token;
use crate::problem::men::only_squares;

/// The tokens of a twin, read from left to right.
pub(super) struct Words {
    pub tokens: Vec<Token>,
    pub at: usize,
    pub language: Language,
    /// Whether an English text has German words.
    pub german: bool,
}

/// A man as it is named: each part may be missing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mention {
    pub color: Option<Color>,
    pub role: Option<Role>,
    /// Another kind that the letter may mean.
    pub other: Option<Role>,
    pub square: Option<Square>,
}

impl Mention {
    pub fn named(self) -> Option<NamedMan> {
        Some(NamedMan { color: self.color, role: self.role, other: self.other, square: self.square? })
    }

    /// Returns the kind of a man that is new, if it is certain.
    pub fn certain_role(self) -> Option<Role> {
        self.role.filter(|_| self.other.is_none())
    }
}

/// Words that only German twins have, besides Popeye's keywords.
const GERMAN: &str = "nach auf statt ohne weg fehlt entfernt und diagramm turm läufer springer bauer könig";

impl Words {
    pub(super) fn new(tokens: Vec<Token>, language: Language) -> Words {
        let is_german = |token: &Token| {
            let Token::Word(word) = token else { return false };
            let lower = word.to_lowercase();
            GERMAN.split(' ').any(|word| word == lower)
                || lower.starts_with("weiß")
                || lower.starts_with("weiss")
                || lower.len() > 3 && "schwarzer".starts_with(&lower)
                || keywords::is_german(word)
                || lower.len() == 4 && lower.starts_with('s') && lower.get(2..).is_some_and(is_square)
                || word.starts_with(['D', 'T', 'L']) && word.get(1..).is_some_and(is_square)
        };
        let german = language == Language::English && tokens.iter().any(is_german);
        Words { tokens, at: 0, language, german }
    }

    /// Returns the kind of man that a letter stands for, and another kind that it may mean. `side` is the letter of the
    /// side before it.
    fn kind_of(&self, side: Option<char>, letter: char) -> Option<(Role, Option<Role>)> {
        match self.language.role(letter) {
            Some(Role::Bishop) if self.german => Some((Role::Bishop, Some(Role::Pawn))),
            Some(role) => Some((role, None)),
            // With `b`, it could be French, where `b` is White.
            None if self.language == Language::English && letter.is_ascii_uppercase() && side != Some('b') => {
                Language::German.role(letter).map(|role| (role, None))
            }
            None => None,
        }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn word(&self) -> Option<&str> {
        self.word_at(0)
    }

    /// Returns the word that stands `ahead` tokens from here.
    pub(super) fn word_at(&self, ahead: usize) -> Option<&str> {
        if let Some(Token::Word(word)) = self.tokens.get(self.at + ahead) { Some(word) } else { None }
    }

    /// Skips the next token if it is one of these.
    pub(super) fn skip(&mut self, tokens: &[Token]) -> bool {
        let is_one = self.peek().is_some_and(|token| tokens.contains(token));
        self.at += usize::from(is_one);
        is_one
    }

    /// Skips the next word if it is one of these.
    pub(super) fn skip_word(&mut self, words: &[&str]) -> bool {
        let is_one = self.word().is_some_and(|found| words.iter().any(|word| found.eq_ignore_ascii_case(word)));
        self.at += usize::from(is_one);
        is_one
    }

    /// Returns whether a man stands `ahead` tokens from here.
    pub(super) fn is_man_next(&self, ahead: usize) -> bool {
        self.word_at(ahead).is_some_and(|word| self.compact(word).is_some())
    }

    /// Returns the side that the next word names, if it does.
    pub(super) fn side_name(&self) -> Option<Color> {
        let word = self.word()?.to_lowercase();
        side_name(&word).or_else(|| {
            let names: &[[&str; 2]] = match self.language {
                Language::English if self.german => &[["white", "black"], ["weiss", "schwarz"]],
                Language::English => &[["white", "black"]],
                Language::German => &[["weiss", "schwarz"]],
                Language::French => &[["blanc", "noir"]],
            };
            let begins = |side: usize| word.len() > 1 && names.iter().any(|names| names[side].starts_with(&word));
            begins(0).then_some(Color::White).or(begins(1).then_some(Color::Black))
        })
    }

    /// Skips an arrow or a word that stands for one.
    pub(super) fn skip_arrow(&mut self) -> bool {
        self.skip(&[Token::To, Token::Dash]) || self.skip_word(&["to", "on", "at", "nach", "auf"])
    }

    pub(super) fn two_squares(&mut self) -> Option<(Square, Square)> {
        let first = self.mention()?.square?;
        let _ = self.skip_arrow() || self.skip(&[Token::Both]);
        Some((first, self.mention()?.square?))
    }

    /// Reads a man: `Kh1`, `wKh1`, `h1`, `white Kh1`, `White King h1`, `wK h1`, `wK`.
    pub(super) fn mention(&mut self) -> Option<Mention> {
        let is_letter_of_side = self.word().is_some_and(|word| word.len() == 1 && (word != "s" || self.german));
        let is_whole = |man: Mention| man.color.is_none() && man.role.is_some();
        let is_man_next =
            is_letter_of_side && self.word_at(1).and_then(|word| self.compact(word)).is_some_and(is_whole);
        let letter = self.word().filter(|_| is_man_next).and_then(side_letter);
        let color = letter.or_else(|| self.side_name());
        self.at += usize::from(color.is_some());
        let word = self.word()?.to_owned();
        if let Some(mention) = self.compact(&word) {
            self.at += 1;
            return Some(Mention { color: mention.color.or(color), ..mention });
        }
        let (own, (role, other)) = match word.split_at_checked(1) {
            Some((side, role)) if side_letter(side).is_some() && role.len() == 1 => {
                (side_letter(side), self.kind_of(side.chars().next(), role.chars().next()?)?)
            }
            _ => (color, self.role_word(&word)?),
        };
        let is_letter = word.chars().count() == 1;
        if is_letter && color.is_none() && !self.word_at(1).is_some_and(is_square) {
            return None;
        }
        self.at += 1;
        let _ = self.skip_word(&["from", "on", "at", "auf", "von"]);
        let square = self.word().filter(|word| is_square(word)).and_then(|word| word.to_ascii_lowercase().parse().ok());
        self.at += usize::from(square.is_some());
        Some(Mention { color: own.or(color), role: Some(role), other, square })
    }

    /// Reads a man in one word: `Kh1`, `wKh1`, `h1`.
    pub(super) fn compact(&self, word: &str) -> Option<Mention> {
        let (before, square) = word.split_at_checked(word.len().checked_sub(2)?)?;
        let square = Some(square.to_ascii_lowercase().parse().ok()?);
        let mut letters = before.chars();
        Some(match (letters.next(), letters.next(), letters.next()) {
            // `bd5` is a black pawn or a bishop: only the square is certain.
            (None | Some('b'), None, _) => Mention { square, ..Mention::default() },
            (Some('w' | 'W'), None, _) => Mention { color: Some(Color::White), square, ..Mention::default() },
            (Some(letter), None, _) => self.of_letters(None, letter, square)?,
            (Some(side), Some(letter), None) => self.of_letters(Some(side), letter, square)?,
            _ => return None,
        })
    }

    /// Reads a man with the letter of its kind, after that of its side. `N`, with which some mean the knight, may name
    /// a man but not add one: its kind is not known.
    fn of_letters(&self, side: Option<char>, letter: char, square: Option<Square>) -> Option<Mention> {
        let color = match side {
            Some(side) => Some(side_letter(side.encode_utf8(&mut [0; 4]))?),
            None => None,
        };
        let kind = self.kind_of(side, letter);
        let (role, other) = kind.map_or((None, None), |(role, other)| (Some(role), other));
        (role.is_some() || letter.eq_ignore_ascii_case(&'n')).then_some(Mention { color, role, other, square })
    }

    pub(super) fn kind(&mut self) -> Option<Role> {
        let (role, other) = self.word().and_then(|word| self.role_word(word))?;
        self.at += 1;
        Some(role).filter(|_| other.is_none())
    }

    /// Reads a kind of man, and another kind that its letter may mean.
    pub(super) fn role_word(&self, word: &str) -> Option<(Role, Option<Role>)> {
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => self.kind_of(None, letter),
            _ => role_name(word).map(|role| (role, None)),
        }
    }

    /// Returns the kind of man that a letter certainly stands for.
    pub(super) fn certain(&self, letter: char) -> Option<Role> {
        self.kind_of(None, letter).filter(|(_, other)| other.is_none()).map(|(role, _)| role)
    }
}

/// Reads the whole name of a side.
pub(in crate::problem) fn side_name(word: &str) -> Option<Color> {
    let is = |names: &[&str]| names.contains(&word.to_lowercase().as_str());
    match () {
        () if is(&["white", "weiss", "weiß", "weisser", "weißer", "blanc", "blancs"]) => Some(Color::White),
        () if is(&["black", "schwarz", "schwarzer", "noir", "noirs"]) => Some(Color::Black),
        () => None,
    }
}

/// Reads the letter of a side: `w`, and `b` or the German `s`.
fn side_letter(text: &str) -> Option<Color> {
    match text {
        "w" | "W" => Some(Color::White),
        "b" | "B" | "s" => Some(Color::Black),
        _ => None,
    }
}

pub(super) fn role_name(word: &str) -> Option<Role> {
    Some(match word.to_lowercase().as_str() {
        "king" | "könig" => Role::King,
        "queen" | "dame" => Role::Queen,
        "rook" | "turm" => Role::Rook,
        "bishop" | "läufer" => Role::Bishop,
        "knight" | "springer" => Role::Knight,
        "pawn" | "bauer" => Role::Pawn,
        _ => return None,
    })
}

fn is_square(text: &str) -> bool {
    only_squares(text).is_some_and(|list| list.len() == 1)
}
