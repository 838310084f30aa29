//! Cuts the text of a twin into words, arrows and stipulations.
//!
//! People write `a1-->b2`, `a1 -> b2`, `a1=b2`, `a1–b2`; collections that passed through a web page have lost the `>`
//! of their arrows (`c3<--e2`). So a run of the characters `<>-=` inside a word is an arrow, unless the word is a
//! stipulation: in both directions if it contains `<`, else in one.

/// A part of the text of a twin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Letters, digits and all other characters.
    Word(String),
    /// `-->`, `->`, `==>`, `-`, `=`: from the left to the right.
    To,
    /// `<-->`, `<->`, `<-`: both ways.
    Both,
    /// `-` between spaces: an arrow, or a sign before the man that is removed.
    Dash,
    /// `-` directly before a man: the man is removed.
    Minus,
    /// `+` directly before a man: the man is added.
    Plus,
    /// A word such as `#3`, `h#2` or `s=4`.
    Stipulation(String),
}

/// Characters that only separate.
const SEPARATORS: [char; 14] = [',', ';', '&', '(', ')', '[', ']', '{', '}', '"', '\'', ':', '°', '`'];

/// Cuts a text into its parts.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let plain = text
        .replace(['→', '⇒', '➔'], "-->")
        .replace(['↔', '⇔', '⇄'], "<-->")
        .replace(['–', '—', '−', '‒'], "-")
        .replace('…', "...");
    let mut found = Vec::new();
    for part in plain.split(|c: char| c.is_whitespace() || SEPARATORS.contains(&c)) {
        let part = part.trim_matches('.');
        if is_stipulation(part) {
            found.push(Token::Stipulation(part.to_owned()));
        } else {
            cut(part, &mut found);
        }
    }
    found
}

/// Returns whether a part looks like a stipulation: it has a `#`, or a `=` before a number (`=3`, `ser-h=5`), or begins
/// with `~`.
fn is_stipulation(part: &str) -> bool {
    let stalemate = part.split_once('=').is_some_and(|(before, after)| {
        let after = after.trim_start_matches('=');
        after.starts_with(|c: char| c.is_ascii_digit()) && before.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
    });
    part.contains('#') || part.starts_with('~') || (stalemate && !part.contains('>'))
}

/// Cuts a part without white space into words and arrows.
fn cut(part: &str, found: &mut Vec<Token>) {
    let mut rest = part;
    while let Some(first) = rest.chars().next() {
        let is_arrow = |c: char| matches!(c, '<' | '>' | '-' | '=' | '+');
        let length = rest.find(|c: char| is_arrow(c) != is_arrow(first)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(length);
        found.push(match piece {
            _ if !is_arrow(first) => Token::Word(piece.to_owned()),
            "+" => Token::Plus,
            "-" if piece == part => Token::Dash,
            "-" if rest.len() == part.len() && !after.is_empty() => Token::Minus,
            _ if piece.contains('<') => Token::Both,
            _ => Token::To,
        });
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Token::{Both, Minus, Plus, Stipulation, To};

    fn word(text: &str) -> Token {
        Token::Word(text.to_owned())
    }

    #[test]
    fn arrows_are_read_in_every_form() {
        for arrow in ["-->", " -> ", "==>", " = ", "-", "–", "→", " --", ">"] {
            assert_eq!(tokens(&format!("a1{arrow}b2")), [word("a1"), To, word("b2")], "{arrow}");
        }
        for arrow in ["<-->", " <-> ", "<--", "<-", "↔", "<=>"] {
            assert_eq!(tokens(&format!("a1{arrow}b2")), [word("a1"), Both, word("b2")], "{arrow}");
        }
    }

    #[test]
    fn signs_and_stipulations_are_recognised() {
        assert_eq!(tokens("-wPb3, +bQe8"), [Minus, word("wPb3"), Plus, word("bQe8")]);
        assert_eq!(tokens("a1 - b2"), [word("a1"), Token::Dash, word("b2")]);
        let stipulation = |text: &str| Stipulation(text.to_owned());
        assert_eq!(tokens("Stipulation > s#2"), [word("Stipulation"), To, stipulation("s#2")]);
        assert_eq!(tokens("=3; ser-h=4 ~1"), [stipulation("=3"), stipulation("ser-h=4"), stipulation("~1")]);
        assert_eq!(tokens("Continued ..."), [word("Continued")]);
        assert_eq!(tokens(""), []);
    }
}
