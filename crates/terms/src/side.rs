//! The two sides, the kinds of nodes: OR nodes (attacker to move) and AND nodes (defender to move), and passing.
//!
//! The two sides of a mate problem are the **attacker** (the side that strives for the goal) and the **defender**;
//! either colour may be the attacker. A position with the attacker to move is an **OR node**: one good move is enough.
//! A position with the defender to move is an **AND node**: every reply must be answered. Either side may be to move at
//! the root.
//!
//! A side passes in a series or in set play, for example. Problems have positions that no game can lead to, with too
//! many men of a kind. The readers accept them, so every place that passes must accept them too. shakmaty's own
//! `swap_turn` does not; nothing but [`passed`] calls it.

use shakmaty::{Chess, Color, Position as _, PositionError};

/// One of the two sides of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that strives for the goal. White, if the problem is printed in the usual way.
    Attacker,
    /// The other side.
    Defender,
}

impl Side {
    /// Returns the opponent.
    #[inline]
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Attacker => Side::Defender,
            Side::Defender => Side::Attacker,
        }
    }

    /// Returns the colour of this side, if the attacker has the colour `attacker`.
    #[inline]
    pub fn color(self, attacker: Color) -> Color {
        if self == Side::Attacker { attacker } else { !attacker }
    }
}

/// The kind of a node in a mate search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The attacker is to move: one move that mates within the length proves the node.
    Or,
    /// The defender is to move: the node is proved if every legal reply is mated within the length.
    And,
}

impl From<Side> for NodeKind {
    #[inline]
    fn from(to_move: Side) -> NodeKind {
        match to_move {
            Side::Attacker => NodeKind::Or,
            Side::Defender => NodeKind::And,
        }
    }
}

impl NodeKind {
    /// Returns the kind of a node where `turn` is to move and `attacker` is the colour of the attacker.
    #[inline]
    pub fn of(turn: Color, attacker: Color) -> NodeKind {
        if turn == attacker { NodeKind::Or } else { NodeKind::And }
    }

    /// Returns the kind of a node's children.
    #[inline]
    #[must_use]
    pub fn other(self) -> NodeKind {
        if self == NodeKind::Or { NodeKind::And } else { NodeKind::Or }
    }
}

/// Returns the position with the other side to move. The right to capture en passant is gone. `None` if the side to
/// move is in check, so that it cannot pass.
#[expect(clippy::disallowed_methods, reason = "this is what is called instead")]
pub fn passed(position: &Chess) -> Option<Chess> {
    tolerated(position.clone().swap_turn()).ok()
}

/// Returns the position that was built, also if no game can lead to it, as problems have them: with too many men of a
/// kind, or with an impossible check. Castling rights and an en passant square that cannot be are dropped.
///
/// # Errors
/// A sentence that says why the position cannot be played.
pub fn tolerated(built: Result<Chess, PositionError<Chess>>) -> Result<Chess, String> {
    built
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| error.to_string())
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
