//! Reads the position: `Forsyth`, and the lists of `Pieces`.
//!
//! A Forsyth has no side to move and no rights. Popeye skips the slashes, so a run of empty squares may cross ranks,
//! and trailing empty squares may be left out. The letters are those of the language; the knight is `S` in English, and
//! `N` is the nightrider, a fairy man. In `Pieces`, a colour is followed by words such as `Kf8` or `Pa2b3`, or by a
//! letter and a list of squares. A man on an occupied square replaces the man that stands there.

use shakmaty::{Board, Color, File, Piece, Rank, Square};

use super::language::{ATTRIBUTES, COLOURS, Found, look_up};
use super::reader::Reader;
use super::tokens::Token;
use crate::problem::men::{only_squares, squares};

/// Divides a word such as `Qe8f7` or `NHa1` into the letters of the man, one or two, and its squares, of which there
/// may be none.
pub(super) fn man(text: &str) -> Option<(&str, Vec<Square>)> {
    let letters = if text.len() % 2 == 1 { 1 } else { 2 };
    let (walk, rest) = text.split_at_checked(letters)?;
    let (squares, rest) = squares(rest);
    let is_walk = walk.chars().all(|c| c.is_ascii_alphanumeric());
    (rest.is_empty() && is_walk).then_some((walk, squares))
}

impl<'t> Reader<'t> {
    /// Reads the word after `Forsyth`.
    pub(super) fn forsyth(&mut self, keyword: Token<'_>) {
        let Some(token) = self.argument(keyword, "a position such as 8/8/5k2/8/8/3K4/8/Q7") else { return };
        let mut board = Board::empty();
        let mut squares = (0..8).rev().flat_map(|rank| (0..8).map(move |file| (file, rank)));
        let mut rest = token.text.chars().peekable();
        while let Some(c) = rest.next() {
            if let Some(digit) = c.to_digit(10) {
                let second = rest.next_if(char::is_ascii_digit).and_then(|c| c.to_digit(10));
                let run = second.map_or(digit, |second| 10 * digit + second);
                squares.by_ref().take(run as usize).for_each(drop);
            } else if c.is_ascii_alphabetic() {
                let Some(role) = self.language.role(c) else {
                    self.refuse(token, format!("the Forsyth has the letter {c}, which is {}", self.no_man(c)));
                    return;
                };
                let Some((file, rank)) = squares.next() else {
                    self.refuse(token, "the Forsyth has men beyond the square h1".to_owned());
                    return;
                };
                let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
                board.set_piece_at(Square::from_coords(File::new(file), Rank::new(rank)), Piece { color, role });
            } else if matches!(c, '.' | '=') {
                let why = format!("the Forsyth has the sign {c} of fairy men; matesolve solves orthodox chess only");
                self.refuse(token, why);
                return;
            }
        }
        self.problem.board = board;
    }

    /// Says which letters the men have, for a message that refuses another one.
    pub(super) fn no_man(&self, letter: char) -> String {
        let letters: Vec<&str> = self.language.letters().split("").filter(|letter| !letter.is_empty()).collect();
        let (knight, letters) = (letters[4], letters.join(", "));
        let hint = if letter.eq_ignore_ascii_case(&'n') { " (N is the nightrider)" } else { "" };
        format!("no man of orthodox chess: these are {letters}, with {knight} for the knight{hint}")
    }

    /// Reads the groups of men after `Pieces`.
    pub(super) fn pieces(&mut self, keyword: Token<'_>) {
        let mut groups = 0;
        while let Some(token) = self.tokens.peek() {
            let Found::One(color) = look_up(token.text, COLOURS, self.language) else { break };
            self.tokens.next();
            groups += 1;
            if color.is_none() {
                let why = format!("\"{}\" men are fairy men; matesolve solves orthodox chess only", token.text);
                self.refuse(token, why);
            }
            self.attributes();
            self.group(color.unwrap_or(Color::White));
        }
        if groups == 0 {
            self.refuse(keyword, "after Pieces, a colour must follow, such as White Kf8 Rh1 Pg6".to_owned());
        }
    }

    /// Reads attributes of men, which make them fairy men.
    fn attributes(&mut self) {
        // A shorter word may be the letter of a man.
        const SHORTEST: usize = 3;
        while let Some(token) = self.tokens.peek() {
            let is_attribute = token.text.len() >= SHORTEST
                && man(token.text).is_none_or(|(_, squares)| squares.is_empty())
                && matches!(look_up(token.text, ATTRIBUTES, self.language), Found::One(()));
            if !is_attribute {
                return;
            }
            self.tokens.next();
            let why = format!("\"{}\" makes fairy men; matesolve solves orthodox chess only", token.text);
            self.refuse(token, why);
        }
    }

    /// Reads the men of one colour.
    fn group(&mut self, color: Color) {
        while let Some((token, walk, squares)) = self.next_man() {
            let mut letters = walk.chars();
            let role = match (letters.next(), letters.next()) {
                (Some(letter), None) => self.language.role(letter),
                _ => None,
            };
            let Some(role) = role else {
                let first = walk.chars().next().filter(|_| walk.len() == 1).unwrap_or(' ');
                self.refuse(token, format!("\"{}\" is {}", token.text, self.no_man(first)));
                continue;
            };
            for square in squares {
                self.problem.board.set_piece_at(square, Piece { color, role });
            }
        }
    }

    /// Takes the next word, or the next two, if they are a man with its squares. Returns its place, its letters and its
    /// squares.
    pub(super) fn next_man(&mut self) -> Option<(Token<'t>, String, Vec<Square>)> {
        let token = self.tokens.peek()?;
        let (walk, mut squares) = man(token.text)?;
        if squares.is_empty() {
            let mut ahead = self.tokens.clone();
            ahead.next();
            squares = only_squares(ahead.peek()?.text)?;
            self.tokens.next();
        }
        self.tokens.next();
        Some((token, walk.to_owned(), squares))
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    fn board_of(body: &str) -> String {
        let text = format!("BeginProblem\n{body}\nStipulation #2\nEndProblem\n");
        let problem = read(&text).unwrap().remove(0);
        match problem.refused {
            None => problem.board.board_fen().to_string(),
            Some(fault) => fault.to_string(),
        }
    }

    #[test]
    fn a_forsyth_may_cross_ranks_and_end_early() {
        assert_eq!(board_of("Forsyth 5Kbk/6pp/6P1/8/8/8/8/7R"), "5Kbk/6pp/6P1/8/8/8/8/7R");
        assert_eq!(board_of("Forsyth 5Kbk/6pp/6P1/39R"), "5Kbk/6pp/6P1/8/8/8/8/7R");
        assert_eq!(board_of("fors sS"), "nN6/8/8/8/8/8/8/8");
        assert!(board_of("Forsyth 8/8/Nk6").contains("line 2, column 9: the Forsyth has the letter N"));
        assert!(board_of("Forsyth 8/=q7").contains("fairy"));
        assert!(board_of("Forsyth 64k").contains("beyond"));
    }

    #[test]
    fn pieces_are_read_in_all_their_forms() {
        let expected = "5Kbk/6pp/6P1/8/8/8/8/7R";
        for body in [
            "Pieces White Kf8 Rh1 Pg6 Black Kh8 Bg8 Pg7 Ph7",
            "pieces\n  white kf8 rh1 pg6\n  black kh8 bg8 pg7h7",
            "Pieces Black P g7h7 Kh8 B g8 White Kf8 Qh1 Pg6 White Rh1",
        ] {
            assert_eq!(board_of(body), expected, "{body}");
        }
    }

    #[test]
    fn fairy_men_are_refused_by_name() {
        for (body, named) in [
            ("Pieces White Ng4", "\"Ng4\""),
            ("Pieces White NHg4h4", "\"NHg4h4\""),
            ("Pieces Neutral Qg4", "\"Neutral\""),
            ("Pieces White Royal Qg4", "\"Royal\""),
            ("Pieces Qg4", "a colour"),
        ] {
            assert!(board_of(body).contains(named), "{}", board_of(body));
        }
    }
}
