//! The position on the board and how the game came to it.
//!
//! `position startpos|fen … moves …` gives both. Mates are looked for in the position; the moves matter when draws
//! count (option `Rule50`) and for finding one's way in a proof that an earlier search has left.

use std::collections::HashMap;

use shakmaty::{Chess, Position as _};

use crate::chess::MoveCode;
use crate::problem::fen;

use super::notation;

/// A game from its first known position to the one on the board.
#[derive(Debug, Clone)]
pub(super) struct Game {
    /// One more than moves; the last is on the board.
    positions: Vec<Chess>,
    moves: Vec<MoveCode>,
}

impl Default for Game {
    fn default() -> Game {
        Game { positions: vec![Chess::default()], moves: Vec::new() }
    }
}

impl Game {
    /// Reads what follows the word `position`; also gives the sentences to be said about the position.
    pub(super) fn read(words: &[&str]) -> Result<(Game, Vec<String>), String> {
        let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (setup, moves) = words.split_at(split);
        let (start, warnings) = match setup {
            ["startpos"] => (Chess::default(), Vec::new()),
            ["fen", fields @ ..] => {
                let diagram = fen::read(&fields.join(" ")).map_err(|error| error.to_string())?;
                (diagram.chess, diagram.warnings)
            }
            _ => return Err("position wants startpos or fen, then moves if there are any".to_owned()),
        };
        let mut game = Game { positions: vec![start], moves: Vec::new() };
        for (number, text) in (1..).zip(moves.iter().skip(1)) {
            let m = notation::read(game.chess(), text)
                .ok_or_else(|| format!("move {number}, {}, is not legal there", fen::excerpt(text)))?;
            let mut next = game.chess().clone();
            next.play_unchecked(m);
            game.positions.push(next);
            game.moves.push(crate::chess::notation::code(m));
        }
        Ok((game, warnings))
    }

    /// The position on the board.
    pub(super) fn chess(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }

    /// The moves played since this position was last on the board; `None` if it never was.
    pub(super) fn since(&self, earlier: &Chess) -> Option<&[MoveCode]> {
        let at = self.positions.iter().rposition(|position| position == earlier)?;
        Some(&self.moves[at..])
    }

    /// How often every position has been on the board, the present one included.
    pub(super) fn occurrences(&self) -> HashMap<Chess, u32> {
        let mut times = HashMap::new();
        for position in &self.positions {
            *times.entry(position.clone()).or_insert(0) += 1;
        }
        times
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Game, Vec<String>), String> {
        Game::read(&text.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn games_are_played_from_the_array_or_a_fen() {
        let (game, warnings) = read("startpos moves e2e4 e7e5 g1f3 b8c6 f3g1 c6b8").unwrap();
        assert!(warnings.is_empty());
        let array = read("startpos moves e2e4 e7e5").unwrap().0;
        assert_eq!((game.chess(), game.occurrences()[game.chess()]), (array.chess(), 2));
        assert_eq!(game.since(&Chess::default()).map(<[_]>::len), Some(6));
        assert_eq!(game.since(game.chess()).map(<[_]>::len), Some(0));
        let (game, warnings) = read("fen 7k/8/8/8/8/8/8/4K3 w Q - 90 100 moves e1e2").unwrap();
        assert_eq!((game.chess().halfmoves(), warnings.len()), (91, 1));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, expected) in [
            ("", "wants startpos or fen"),
            ("startpos e2e4", "wants startpos or fen"),
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
