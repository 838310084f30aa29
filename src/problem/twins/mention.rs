//! Reads the men that a twin names: `Kh1`, `wKh1`, `white Kh1`, `White King h1`, `h1`.

use shakmaty::{Color, Role, Square};

use super::command::NamedMan;
use super::keywords::Language;
use super::tokens::Token;

/// The tokens of a twin, read from left to right.
pub(super) struct Words {
    pub tokens: Vec<Token>,
    pub at: usize,
    pub language: Language,
}

/// A man as it is named: each part may be missing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mention {
    pub color: Option<Color>,
    pub role: Option<Role>,
    pub square: Option<Square>,
}

impl Mention {
    pub fn named(self) -> Option<NamedMan> {
        Some(NamedMan { color: self.color, role: self.role, square: self.square? })
    }
}

impl Words {
    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn word(&self) -> Option<&str> {
        if let Some(Token::Word(word)) = self.peek() { Some(word) } else { None }
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
        matches!(self.tokens.get(self.at + ahead), Some(Token::Word(word)) if self.compact(word).is_some())
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
        let color = self.word().and_then(side_name);
        self.at += usize::from(color.is_some());
        let word = self.word()?.to_owned();
        if let Some(mention) = self.compact(&word) {
            self.at += 1;
            return Some(Mention { color: mention.color.or(color), ..mention });
        }
        let (own, role) = match word.split_at_checked(1) {
            Some((side, role)) if side_letter(side).is_some() && role.len() == 1 => {
                (side_letter(side), self.role_word(role)?)
            }
            _ => (color, self.role_word(&word)?),
        };
        let is_letter = word.chars().count() == 1;
        let square_follows = || matches!(self.tokens.get(self.at + 1), Some(Token::Word(next)) if is_square(next));
        if is_letter && color.is_none() && !square_follows() {
            return None;
        }
        self.at += 1;
        let _ = self.skip_word(&["from", "on", "at"]);
        let square = self.word().filter(|word| is_square(word)).and_then(|word| word.to_ascii_lowercase().parse().ok());
        self.at += usize::from(square.is_some());
        Some(Mention { color: own.or(color), role: Some(role), square })
    }

    /// Reads a man in one word: `Kh1`, `wKh1`, `h1`.
    pub(super) fn compact(&self, word: &str) -> Option<Mention> {
        let (before, square) = word.split_at_checked(word.len().checked_sub(2)?)?;
        let square = Some(square.to_ascii_lowercase().parse().ok()?);
        let mut letters = before.chars();
        Some(match (letters.next(), letters.next(), letters.next()) {
            // `bd5` is a black pawn or a bishop: only the square is certain.
            (None | Some('b'), None, _) => Mention { square, ..Mention::default() },
            (Some('w' | 'W'), None, _) => Mention { color: Some(Color::White), role: None, square },
            (Some(letter), None, _) if self.is_man(letter) => {
                Mention { color: None, role: self.language.mixed_role(letter), square }
            }
            (Some(side), Some(letter), None) if self.is_man(letter) => {
                let color = Some(side_letter(side.encode_utf8(&mut [0; 4]))?);
                Mention { color, role: self.language.mixed_role(letter), square }
            }
            _ => return None,
        })
    }

    /// Returns whether a letter stands for a man. `N`, with which some mean the knight, may name a man but not add one:
    /// its kind is not known.
    fn is_man(&self, letter: char) -> bool {
        letter.eq_ignore_ascii_case(&'n') || self.language.mixed_role(letter).is_some()
    }

    pub(super) fn kind(&mut self) -> Option<Role> {
        let role = self.word().and_then(|word| self.role_word(word))?;
        self.at += 1;
        Some(role)
    }

    pub(super) fn role_word(&self, word: &str) -> Option<Role> {
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => self.language.mixed_role(letter),
            _ => role_name(word),
        }
    }
}

/// Reads the name of a side.
pub(super) fn side_name(word: &str) -> Option<Color> {
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
    squares(text).is_some_and(|list| list.len() == 1)
}

/// Reads one or more squares without spaces, such as `e5f6`.
pub(super) fn squares(text: &str) -> Option<Vec<Square>> {
    let text = text.to_ascii_lowercase();
    let list: Option<Vec<Square>> = text.as_bytes().chunks(2).map(|square| Square::from_ascii(square).ok()).collect();
    list.filter(|list| !list.is_empty())
}
