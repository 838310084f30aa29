//! The two sides, and the kinds of nodes: OR nodes (attacker to move) and AND nodes (defender to move).
//!
//! The two sides of a mate problem are the **attacker** (the side that mates) and the **defender**; either colour may
//! be the attacker. A position with the attacker to move is an **OR node**: one good move is enough. A position with
//! the defender to move is an **AND node**: every reply must be answered. Either side may be to move at the root.

use shakmaty::Color;

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
    /// Returns the kind of a node where `turn` is to move and `attacker` is the side that mates.
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
