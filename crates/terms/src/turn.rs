//! Gives the move to the other side: in a series, in set play, and where a diagram names the wrong side.
//!
//! Problems have positions that no game can lead to, with too many men of a kind. The readers accept them, so every
//! place that passes must accept them too. shakmaty's own `swap_turn` does not; nothing but this function calls it.

use shakmaty::{Chess, Position as _, PositionError};

/// Returns the position with the other side to move. The right to capture en passant is gone. `None` if the side to
/// move is in check, so that it cannot pass.
#[expect(clippy::disallowed_methods, reason = "this is what is called instead")]
pub fn passed(position: &Chess) -> Option<Chess> {
    position
        .clone()
        .swap_turn()
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::chess;

    #[test]
    fn a_side_with_too_many_men_passes_and_one_in_check_does_not() {
        for fen in ["7k/8/5K2/8/QQ6/8/PPPPPPPP/8 w - -", "7k/8/5K2/8/QQ6/8/PPPPPPPP/8 b - -"] {
            let (before, after) = (chess(fen), passed(&chess(fen)).unwrap());
            assert_eq!((after.board(), after.turn()), (before.board(), !before.turn()));
        }
        assert_eq!(passed(&chess("4k3/8/8/3Pp3/8/8/8/4K3 w - e6")).unwrap().maybe_ep_square(), None);
        assert_eq!(passed(&chess("Q6k/8/5K2/8/1Q6/8/PPPPPPPP/8 b - -")), None);
    }
}
