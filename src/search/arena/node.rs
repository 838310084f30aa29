//! The records of the graph: a node is a position, an edge a move.

use shakmaty::{Role, Square};

use crate::chess::{Move, NodeKind};
use crate::search::numbers::ProofNumbers;

use super::{NONE, NodeIndex, REPETITION};

/// A position of the graph (or a position with a number of moves left: the key decides).
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// What the node is found by.
    pub key: u64,
    /// Proof and disproof number.
    pub numbers: ProofNumbers,
    /// First of the node's edges.
    pub(super) edges: u32,
    /// First edge that leads here; the others follow through [`Arena::next_parent`].
    pub(super) parents: u32,
    /// How many edges.
    pub(super) count: u16,
    /// The edge to the most-proving child or, once proved, to the child that proves it; counted from the first.
    pub best: u16,
    /// Once proved, the proof's length in moves; before that, the horizon.
    pub span: u16,
    pub(super) flags: u8,
}

impl Node {
    pub(super) const AND: u8 = 1;
    pub(super) const EXPANDED: u8 = 2;
    pub(super) const TAINTED: u8 = 4;
    pub(super) const ON_PATH: u8 = 8;
    pub(super) const QUEUED: u8 = 16;
    pub(super) const URGENT: u8 = 32;
    pub(super) const STALE: u8 = 64;
    pub(super) const LIVE: u8 = 128;

    /// A leaf.
    pub fn new(kind: NodeKind, key: u64, numbers: ProofNumbers, span: u16) -> Node {
        let flags = if kind == NodeKind::And { Node::AND } else { 0 };
        Node { key, numbers, edges: 0, parents: NONE, count: 0, best: 0, span, flags }
    }

    /// OR or AND.
    #[inline]
    pub fn kind(&self) -> NodeKind {
        if self.has(Node::AND) { NodeKind::And } else { NodeKind::Or }
    }

    /// Whether the node has got its children.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.has(Node::EXPANDED)
    }

    /// Whether the node's disproof, or what is left of it, leans on a repetition.
    #[inline]
    pub fn is_tainted(&self) -> bool {
        self.has(Node::TAINTED)
    }

    /// Records that a repetition had a part in the node's numbers.
    #[inline]
    pub fn taint(&mut self) {
        self.flags |= Node::TAINTED;
    }

    /// Whether the node is on the path from the root that is being followed.
    #[inline]
    pub fn is_on_path(&self) -> bool {
        self.has(Node::ON_PATH)
    }

    /// Puts the node on the path, or takes it off.
    #[inline]
    pub fn set_on_path(&mut self, on: bool) {
        self.set(Node::ON_PATH, on);
    }

    /// Notes that the node waits to be recomputed; says whether it did not wait yet.
    #[inline]
    pub fn wait(&mut self) -> bool {
        let new = !self.has(Node::QUEUED);
        self.set(Node::QUEUED, true);
        new
    }

    /// Notes that a child has been solved, so that recomputing the node must not be put off.
    #[inline]
    pub fn make_urgent(&mut self) {
        self.set(Node::URGENT, true);
    }

    /// Whether recomputing the node must not be put off.
    #[inline]
    pub fn is_urgent(&self) -> bool {
        self.has(Node::URGENT)
    }

    /// Whether the node waits to be recomputed.
    #[inline]
    pub fn is_waiting(&self) -> bool {
        self.has(Node::QUEUED)
    }

    /// Ends the waiting without the node having been recomputed.
    #[inline]
    pub fn put_off(&mut self) {
        self.set(Node::QUEUED, false);
        self.set(Node::STALE, true);
    }

    /// Ends the waiting because the node is being recomputed.
    #[inline]
    pub fn refresh(&mut self) {
        self.set(Node::QUEUED | Node::URGENT | Node::STALE, false);
    }

    /// Whether recomputing the node was put off.
    #[inline]
    pub fn is_stale(&self) -> bool {
        self.has(Node::STALE)
    }

    #[inline]
    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    pub(super) fn set(&mut self, flag: u8, on: bool) {
        if on {
            self.flags |= flag;
        } else {
            self.flags &= !flag;
        }
    }

    /// The numbers of the node's edges.
    #[inline]
    pub(super) fn block(&self) -> std::ops::Range<u32> {
        self.edges..self.edges + u32::from(self.count)
    }
}

/// A move from a position to another.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// Where the move leads.
    pub child: NodeIndex,
    /// Where it is played.
    pub parent: NodeIndex,
    pub(super) next_parent: u32,
    /// The move.
    pub played: Move,
}

impl Node {
    /// What a slab holds before it is written to.
    pub(super) fn new_filler() -> Node {
        Node::new(NodeKind::Or, 0, ProofNumbers::DISPROVED, 0)
    }
}

impl Edge {
    /// What a slab holds before it is written to.
    pub(super) fn new_filler() -> Edge {
        let played = Move::normal(Square::A1, Square::A1, Role::King, None, None);
        Edge { child: REPETITION, parent: REPETITION, next_parent: NONE, played }
    }
}
