//! Plays the published line of a puzzle.
//!
//! A line is judged only if every word of it is a legal move. How it ends decides what it is: a mate by the solver, a
//! mate by the opponent, or something else.

use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position as _};

use crate::problem::fen;
use crate::problem::moves::in_line;

use super::record::Puzzle;

/// The line of a puzzle from the solver's first move on.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// The position in which the solver is to move.
    pub root: Chess,
    /// Each move with the position before it. The solver's are the first, the third and so on.
    pub moves: Vec<(Chess, Move)>,
    /// The side that is checkmated at the end.
    pub mated: Option<Color>,
}

impl Line {
    /// Plays the line.
    ///
    /// # Errors
    /// The position cannot be read, or a move is not legal. The sentence says which; beside it is the position of the
    /// solver if it is known.
    pub(super) fn play(puzzle: &Puzzle) -> Result<Line, (Option<String>, String)> {
        let diagram = fen::read(&puzzle.fen).map_err(|error| (None, error.to_string()))?;
        if diagram.drops_rights {
            return Err((None, diagram.warnings.join(" ")));
        }
        let mut chess = diagram.chess;
        let mut words = puzzle.moves.split_whitespace().enumerate();
        if !puzzle.starts_with_solver {
            let first = words.next().ok_or((None, "the puzzle has no moves; add its line".to_owned()))?;
            let m = in_line(&chess, first).map_err(|why| (None, why))?;
            chess.play_unchecked(m);
        }
        let root = chess.clone();
        let mut moves = Vec::new();
        for word in words {
            let m = in_line(&chess, word).map_err(|why| (Some(fen_of(&root)), why))?;
            let before = chess.clone();
            chess.play_unchecked(m);
            moves.push((before, m));
        }
        if moves.is_empty() {
            return Err((Some(fen_of(&root)), "the line has no move of the solver; add its solution".to_owned()));
        }
        let mated = chess.is_checkmate().then_some(chess.turn());
        Ok(Line { root, moves, mated })
    }

    /// Returns the number of the solver's moves.
    pub(super) fn length(&self) -> u16 {
        u16::try_from(self.moves.len().div_ceil(2)).unwrap_or(u16::MAX)
    }

    /// Returns the FEN of the position in which the solver is to move.
    pub(super) fn fen(&self) -> String {
        fen_of(&self.root)
    }
}

fn fen_of(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}
