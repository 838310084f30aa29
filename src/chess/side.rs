//! Who mates whom.
//!
//! A mate problem has two sides that are not "White" and "Black" but **attacker** (the side that wants to mate) and
//! **defender**. A position with the attacker to move is an **OR node** (one good move is enough), one with the
//! defender to move an **AND node** (every reply must be answered). Either colour may be the attacker, and either side
//! may be to move at the root.

use shakmaty::Color;

/// The two kinds of nodes of a mate search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The attacker is to move: one move that mates in time proves the node.
    Or,
    /// The defender is to move: every legal reply must lose in time.
    And,
}

impl NodeKind {
    /// The kind of a node with `turn` to move when `attacker` is the side that mates.
    pub fn of(turn: Color, attacker: Color) -> NodeKind {
        if turn == attacker { NodeKind::Or } else { NodeKind::And }
    }
}
