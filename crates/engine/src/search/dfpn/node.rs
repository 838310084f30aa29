//! A node on the path of a search, its open children, and the positions made for them.
//!
//! The children of all nodes on the path lie in one vector, and their positions in another; a node remembers where its
//! own begin. A child is **open** while its parent still depends on it: disproved children of an OR node and proved
//! children of an AND node are removed, and the node keeps what it still needs of them.

use std::num::NonZeroU32;

use crate::chess::{MateLength, Move, Position};

use crate::search::numbers::leaf::{NodeValue, Taint};

/// A node on the path, whose children are being searched.
pub(super) struct OpenNode {
    /// The index of its first child.
    pub first_child: usize,
    /// The number of positions that were stored before its first one.
    pub first_position: usize,
    /// OR nodes: what the disproofs of the removed children and the excluded moves depend on.
    pub taint: Taint,
    /// OR nodes: whether one of the moves listed so far is allowed (`technique`).
    pub has_allowed_move: bool,
    /// AND nodes: the longest mate among the removed children.
    pub longest: MateLength,
    /// The meter's count when the node was entered.
    pub nodes_before: u64,
}

impl OpenNode {
    /// Adds what the disproof of a removed child, or the exclusion of a move, depends on.
    #[inline]
    pub fn add_taint(&mut self, taint: Taint) {
        self.taint = self.taint.max(taint);
    }
}

/// A child of a node on the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenChild {
    pub step: ChildMove,
    /// The position after the move, if it has been made.
    pub position: Option<PositionIndex>,
    /// The key of the position after the move; 0 for the child that stands for the quiet moves.
    pub key: u64,
    pub value: NodeValue,
}

/// The move, or the moves, that a child stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum ChildMove {
    /// A move whose position has been evaluated, now or in an earlier visit.
    Evaluated(Move),
    /// A reply whose position has not been evaluated; its numbers are an estimate from the move.
    Unevaluated(Move),
    /// All the quiet moves of an OR node.
    QuietMoves,
}

/// The index of a position in a [`PositionStack`], plus one: it is never 0, so an `Option` of it takes no more memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PositionIndex(NonZeroU32);

/// The positions made for the children on the path, in the order of their first visits.
#[derive(Debug, Default)]
pub(super) struct PositionStack(Vec<Position>);

impl PositionStack {
    /// Stores a position and returns its index. `None` would mean more than 2³² − 1 positions, which no path reaches.
    #[inline]
    pub fn push(&mut self, position: Position) -> Option<PositionIndex> {
        self.0.push(position);
        NonZeroU32::new(self.0.len() as u32).map(PositionIndex)
    }

    #[inline]
    pub fn get(&self, index: PositionIndex) -> &Position {
        &self.0[index.0.get() as usize - 1]
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes all positions but the first `length`.
    #[inline]
    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_by_their_index() {
        let start = Position::from_chess(&shakmaty::Chess::default());
        let next = start.play(start.legal_moves()[0]);
        let mut positions = PositionStack::default();
        let (first, second) = (positions.push(start).unwrap(), positions.push(next).unwrap());
        assert_eq!((positions.get(first).key(), positions.get(second).key()), (start.key(), next.key()));
        positions.truncate(1);
        assert_eq!((positions.len(), positions.push(next)), (1, Some(second)));
    }

    #[test]
    fn an_optional_index_takes_four_bytes() {
        assert_eq!((size_of::<Option<PositionIndex>>(), size_of::<OpenChild>()), (4, 32));
    }
}
