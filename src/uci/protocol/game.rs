//! The `position` command: the position on the board and the moves that led to it.
//!
//! Mates are searched for in the position. The moves are needed to count repetitions (option `Rule50`), and to follow
//! the game through a proof of an earlier search.
//!
//! This file also reads and writes moves in UCI notation. The two forms of a move differ in castling: a [`MoveCode`] is
//! always king takes rook; UCI writes castling so only in Chess960, and as the king's own two steps otherwise.

use std::collections::HashMap;

use shakmaty::{CastlingMode, Chess, Position as _};

use crate::base::printable;
use crate::chess::MoveCode;
use crate::chess::notation::{after, code, legal_move, of_uci};
use crate::problem::fen;

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
            let m = of_uci(game.chess(), text)
                .ok_or_else(|| format!("move {number}, {}, is not legal", printable::excerpt(text)))?;
            game.positions.push(after(game.chess(), m));
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

/// Returns how to write castling: as king takes rook if `chess960` is set or if the position's castling rights need it.
pub(crate) fn castling_mode(chess: &Chess, chess960: bool) -> CastlingMode {
    if chess960 { CastlingMode::Chess960 } else { chess.castles().mode() }
}

/// Plays a line from `start`; returns its moves in UCI notation and its last position, or `None` if a move is illegal.
pub(crate) fn write_line(start: &Chess, line: &[MoveCode], mode: CastlingMode) -> Option<(Vec<String>, Chess)> {
    let mut chess = start.clone();
    let mut words = Vec::with_capacity(line.len());
    for &code in line {
        let m = legal_move(&chess, code)?;
        words.push(m.to_uci(mode).to_string());
        chess.play_unchecked(m);
    }
    Some((words, chess))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::fen;

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

    #[test]
    fn castling_is_read_in_both_forms_and_written_in_the_chosen_one() {
        let chess = fen::read("8/3k4/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap().chess;
        for (text, standard, other) in
            [("e1g1", "e1g1", "e1h1"), ("e1h1", "e1g1", "e1h1"), ("e1c1", "e1c1", "e1a1"), ("e1f1", "e1f1", "e1f1")]
        {
            let m = of_uci(&chess, text).unwrap();
            let written = |chess960| m.to_uci(castling_mode(&chess, chess960)).to_string();
            assert_eq!((written(false), written(true)), (standard.to_owned(), other.to_owned()));
            assert_eq!(legal_move(&chess, code(m)), Some(m));
        }
        for text in ["e1e3", "0000", "", "e1", "h1h9", "a1b2c3", "Ke2"] {
            assert_eq!(of_uci(&chess, text), None, "{text}");
        }
    }
}
