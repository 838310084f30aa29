//! Positions in which the side to move is forced to mate: the last half-move of a selfmate.
//!
//! A legal move that gives no check is looked for first, from the sets of squares that the men may go to, less those
//! from which they check. Only if every move checks, the moves are tested for mate.

use std::ops::ControlFlow::{self, Break, Continue};

use shakmaty::Role;

use super::movegen::Board;
use super::{Checks, ManList, Position};

impl Position {
    /// Returns whether the side to move has a legal move and each of its legal moves mates. The enemy king must not be
    /// in check.
    pub fn must_mate(&self) -> bool {
        let board = Board::new(self);
        let checks = Checks::of(self);
        if has_quiet_move(&board, &checks) {
            return false;
        }
        let mut men = ManList::new();
        let attack = self.attack(&mut men);
        let mut moves = super::MoveList::new();
        attack.checks(&mut moves);
        moves.len() == attack.count_moves() && !moves.is_empty() && moves.iter().all(|&m| attack.mates(m))
    }
}

/// Returns whether there is a legal move without check. May miss promotions, castling and captures en passant.
fn has_quiet_move(board: &Board<'_>, checks: &Checks) -> bool {
    let found: ControlFlow<()> = board.men(|man| {
        let quiet = man.targets & !board.promoting(&man) & !checks.squares(man.from, man.role);
        if quiet.any() { Break(()) } else { Continue(()) }
    });
    found.is_break() || (board.flights() & !checks.squares(board.king, Role::King)).any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    /// Decides by playing every move.
    fn by_playing(position: &Position) -> bool {
        let moves = position.legal_moves();
        !moves.is_empty() && moves.into_iter().all(|m| position.play(m).is_checkmate())
    }

    #[test]
    fn a_side_must_mate_if_every_move_mates() {
        for (text, must) in [
            // Only the rook can move, and only to a1.
            ("8/8/8/8/8/1pp5/1rk5/K7 b - -", false),
            ("k7/8/8/8/8/2p5/2P1p3/K7 b - -", false),
            ("8/8/8/8/8/k1p5/p1P5/K1b5 b - -", by_playing(&position("8/8/8/8/8/k1p5/p1P5/K1b5 b - -"))),
            ("K1k5/P1Pp4/1P1P4/8/8/8/8/8 b - -", false),
        ] {
            let position = position(text);
            assert_eq!((position.must_mate(), by_playing(&position)), (must, must), "{text}");
        }
    }
}
