//! Moves as UCI writes them, and as the kernel packs them.
//!
//! The two differ in castling: the kernel always writes king takes rook, UCI does so for Chess960 only.

use shakmaty::{CastlingMode, Chess, Move, Position as _, uci::UciMove};

use crate::chess::MoveCode;
use crate::chess::notation::legal_move;

/// The legal move that a GUI means; castling is understood in either notation.
pub(super) fn read(chess: &Chess, text: &str) -> Option<Move> {
    text.parse::<UciMove>().ok()?.to_move(chess).ok()
}

/// How to write castling: as king takes rook if Chess960 is asked for or the position's rights need it.
pub(super) fn mode(chess: &Chess, chess960: bool) -> CastlingMode {
    if chess960 { CastlingMode::Chess960 } else { chess.castles().mode() }
}

/// A line in UCI notation and the position it leads to; `None` if a move of it is illegal.
pub(super) fn write(from: &Chess, line: &[MoveCode], mode: CastlingMode) -> Option<(Vec<String>, Chess)> {
    let mut chess = from.clone();
    let mut words = Vec::with_capacity(line.len());
    for &code in line {
        let m = legal_move(&chess, code)?;
        words.push(m.to_uci(mode).to_string());
        chess.play_unchecked(m);
    }
    Some((words, chess))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chess::notation::code;
    use crate::problem::fen;

    #[test]
    fn castling_is_read_in_both_notations_and_written_as_asked() {
        let chess = fen::read("8/3k4/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap().chess;
        for (text, standard, other) in
            [("e1g1", "e1g1", "e1h1"), ("e1h1", "e1g1", "e1h1"), ("e1c1", "e1c1", "e1a1"), ("e1f1", "e1f1", "e1f1")]
        {
            let m = read(&chess, text).unwrap();
            let written = |chess960| m.to_uci(mode(&chess, chess960)).to_string();
            assert_eq!((written(false), written(true)), (standard.to_owned(), other.to_owned()));
            assert_eq!(legal_move(&chess, code(m)), Some(m));
        }
        for text in ["e1e3", "0000", "", "e1", "h1h9", "a1b2c3", "Ke2"] {
            assert_eq!(read(&chess, text), None, "{text}");
        }
    }
}
