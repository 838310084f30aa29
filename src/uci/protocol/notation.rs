//! Reads and writes moves in UCI notation.
//!
//! The two forms of a move differ in castling: a [`MoveCode`] is always king takes rook; UCI writes castling so for
//! Chess960 only, and as the king's own two steps otherwise.

use shakmaty::{CastlingMode, Chess, Move, Position as _, uci::UciMove};

use crate::chess::MoveCode;
use crate::chess::notation::legal_move;

/// Finds the legal move that `text` names. Castling may be written in either form.
pub(crate) fn read(chess: &Chess, text: &str) -> Option<Move> {
    text.parse::<UciMove>().ok()?.to_move(chess).ok()
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
    use crate::chess::notation::code;
    use crate::problem::fen;

    #[test]
    fn castling_is_read_in_both_forms_and_written_in_the_chosen_one() {
        let chess = fen::read("8/3k4/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap().chess;
        for (text, standard, other) in
            [("e1g1", "e1g1", "e1h1"), ("e1h1", "e1g1", "e1h1"), ("e1c1", "e1c1", "e1a1"), ("e1f1", "e1f1", "e1f1")]
        {
            let m = read(&chess, text).unwrap();
            let written = |chess960| m.to_uci(castling_mode(&chess, chess960)).to_string();
            assert_eq!((written(false), written(true)), (standard.to_owned(), other.to_owned()));
            assert_eq!(legal_move(&chess, code(m)), Some(m));
        }
        for text in ["e1e3", "0000", "", "e1", "h1h9", "a1b2c3", "Ke2"] {
            assert_eq!(read(&chess, text), None, "{text}");
        }
    }
}
