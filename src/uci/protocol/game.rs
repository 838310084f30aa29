//! The `position` command: the position on the board and the moves that led to it.
//!
//! Mates are searched for in the position. The moves are needed to count repetitions (option `Rule50`), and to follow
//! the game through a proof of an earlier search.

use std::collections::HashMap;

use shakmaty::{Chess, Position as _};

use crate::base::printable;
use crate::chess::MoveCode;
use crate::chess::notation::code;
use crate::problem::fen;

use super::notation;

/// A game, from the first position of the `position` command to the one on the board.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    /// All positions in order, one more than `moves`; the last is on the board.
    positions: Vec<Chess>,
    /// The moves between them.
    moves: Vec<MoveCode>,
}

impl Default for Game {
    fn default() -> Game {
        Game { positions: vec![Chess::default()], moves: Vec::new() }
    }
}

impl Game {
    /// Parses the words after `position`. Returns the game and warnings about the FEN, or an error sentence.
    pub(crate) fn read(words: &[&str]) -> Result<(Game, Vec<String>), String> {
        let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (setup, moves) = words.split_at(split);
        let (start, warnings) = match setup {
            ["startpos"] => (Chess::default(), Vec::new()),
            ["fen", fields @ ..] => {
                let diagram = fen::read(&fields.join(" ")).map_err(|error| error.to_string())?;
                (diagram.chess, diagram.warnings)
            }
            _ => return Err("position needs startpos or fen".to_owned()),
        };
        let mut game = Game { positions: vec![start], moves: Vec::new() };
        for (number, text) in (1..).zip(moves.iter().skip(1)) {
            let m = notation::read(game.chess(), text)
                .ok_or_else(|| format!("move {number}, {}, is not legal", printable::excerpt(text)))?;
            let mut next = game.chess().clone();
            next.play_unchecked(m);
            game.positions.push(next);
            game.moves.push(code(m));
        }
        Ok((game, warnings))
    }

    /// Returns the position on the board.
    pub(crate) fn chess(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }

    /// Returns the moves played since `earlier` was last on the board; `None` if it never was.
    pub(crate) fn moves_since(&self, earlier: &Chess) -> Option<&[MoveCode]> {
        let at = self.positions.iter().rposition(|position| position == earlier)?;
        Some(&self.moves[at..])
    }

    /// Counts how often each position was on the board, the present one included.
    pub(crate) fn occurrences(&self) -> HashMap<Chess, u32> {
        let mut counts = HashMap::new();
        for position in &self.positions {
            *counts.entry(position.clone()).or_insert(0) += 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Game, Vec<String>), String> {
        Game::read(&text.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn games_start_from_the_initial_position_or_a_fen() {
        let (game, warnings) = read("startpos moves e2e4 e7e5 g1f3 b8c6 f3g1 c6b8").unwrap();
        assert!(warnings.is_empty());
        let shorter = read("startpos moves e2e4 e7e5").unwrap().0;
        assert_eq!((game.chess(), game.occurrences()[game.chess()]), (shorter.chess(), 2));
        assert_eq!(game.moves_since(&Chess::default()).map(<[_]>::len), Some(6));
        assert_eq!(game.moves_since(game.chess()).map(<[_]>::len), Some(0));
        let (game, warnings) = read("fen 7k/8/8/8/8/8/8/4K3 w Q - 90 100 moves e1e2").unwrap();
        assert_eq!((game.chess().halfmoves(), warnings.len()), (91, 1));
    }

    #[test]
    fn errors_name_the_word_that_is_wrong() {
        for (text, expected) in [
            ("", "needs startpos or fen"),
            ("startpos e2e4", "needs startpos or fen"),
            ("fen", "no position"),
            ("fen 8/8/8/8/8/8/8/8 w - -", "no king"),
            ("startpos moves e2e4 e2e4", "move 2, e2e4, is not legal"),
            ("startpos moves 0000", "move 1, 0000, is not legal"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
