//! Cuts Popeye's input into words, and remembers where each of them stands.
//!
//! Words are separated by blanks, line breaks, commas and semicolons. Some commands take the rest of their line.

use super::Fault;

/// A word of the input and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub text: &'t str,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
}

impl Token<'_> {
    /// Returns a sentence about this place.
    pub(super) fn fault(self, message: String) -> Fault {
        Fault { line: self.line, column: self.column, message }
    }
}

/// The words of a text.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'t> {
    rest: &'t str,
    line: usize,
    column: usize,
}

fn separates(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';')
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Tokens<'t> {
        Tokens { rest: text.trim_start_matches('\u{feff}'), line: 1, column: 1 }
    }

    /// Moves over the first `bytes` bytes of the rest and returns them.
    fn advance(&mut self, bytes: usize) -> &'t str {
        let (passed, rest) = self.rest.split_at(bytes);
        for c in passed.chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = rest;
        passed
    }

    /// Returns the next word without moving on.
    pub(super) fn peek(&self) -> Option<Token<'t>> {
        self.clone().next()
    }

    /// Returns the current line and column.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.line, self.column)
    }

    /// Returns the rest of the current line, without the blanks and separators around it, and moves to its end. A full
    /// stop at the end belongs to it (`A. Name jr.`).
    pub(super) fn rest_of_line(&mut self) -> &'t str {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.advance(end).trim_start_matches(|c| separates(c) || c == '.').trim_end_matches(separates)
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let start = self.rest.find(|c| !separates(c))?;
        self.advance(start);
        let (line, column) = (self.line, self.column);
        let end = self.rest.find(separates).unwrap_or(self.rest.len());
        Some(Token { text: self.advance(end), line, column })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_a_line_and_a_column() {
        let mut tokens = Tokens::new("\u{feff}begin\r\n  Author  É, Läuft;\nopti vari,try");
        let first = tokens.next().map(|token| (token.text, token.line, token.column));
        assert_eq!(first, Some(("begin", 1, 1)));
        assert_eq!(tokens.next().map(|token| (token.line, token.column)), Some((2, 3)));
        assert_eq!(tokens.rest_of_line(), "É, Läuft");
        assert_eq!(Tokens::new(" . A. Name jr. ;\nStip").rest_of_line(), "A. Name jr.");
        assert_eq!(tokens.peek().map(|token| (token.text, token.line, token.column)), Some(("opti", 3, 1)));
        let rest: Vec<&str> = tokens.map(|token| token.text).collect();
        assert_eq!(rest, ["opti", "vari", "try"]);
    }
}
