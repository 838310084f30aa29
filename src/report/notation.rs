//! Adds notation to the kernel's moves, for the report.

use shakmaty::{CastlingMode, Chess, Position as _};

use crate::chess::notation::legal_move;
use crate::chess::{Move, Position};
use crate::results::report::Ply;

/// Adds standard and UCI notation to moves. The castling rights of the diagram decide how UCI writes castling.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scribe {
    /// Standard or Chess960.
    mode: CastlingMode,
}

impl Scribe {
    /// Makes a writer for moves in the play from this diagram.
    pub(crate) fn of(diagram: &Chess) -> Scribe {
        Scribe { mode: diagram.castles().mode() }
    }

    /// Returns these moves with their notation, in the order of their UCI notation. All must be legal in the position.
    pub(crate) fn plies(self, position: &Position, moves: &[Move]) -> Vec<(Move, Ply)> {
        let chess = position.to_chess();
        let mut plies: Vec<(Move, Ply)> = moves.iter().map(|&m| (m, self.write(&chess, m))).collect();
        plies.sort_by(|(_, a), (_, b)| a.uci.cmp(&b.uci));
        plies
    }

    /// Returns a legal move with its notation.
    pub(crate) fn ply(self, position: &Position, m: Move) -> Ply {
        self.write(&position.to_chess(), m)
    }

    fn write(self, chess: &Chess, m: Move) -> Ply {
        self.written(chess, legal_move(chess, m.code()).expect("kernel and shakmaty agree about legal moves"))
    }

    /// Returns a legal move of shakmaty's with its notation.
    pub(super) fn written(self, chess: &Chess, mv: shakmaty::Move) -> Ply {
        Ply::of(chess, mv, self.mode)
    }
}
