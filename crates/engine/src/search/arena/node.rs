//! The records of the graph of a best-first search: [`Node`] is a position, [`Edge`] a move.

use shakmaty::{Role, Square};

use crate::chess::{MateLength, Move, NodeKind};
use crate::search::horizon::Horizon;

/// The numbers of a node, by which an engine searches.
pub(crate) trait Numbers: Copy + 'static {
    /// The numbers of a checkmate.
    const MATE: Self;
    /// The numbers of a node without a mate.
    const REFUTED: Self;

    /// Returns whether a mate is proved.
    fn is_proved(self) -> bool;

    /// Returns whether every mate is refuted.
    fn is_refuted(self) -> bool;
}

/// The index of a node in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeIndex(pub(super) u32);

/// The node that stands for every checkmate.
pub(crate) const MATE: NodeIndex = NodeIndex(0);

/// A link in the list of edges that lead to a node: an edge, or the end of the list.
///
/// It takes 32 bits; `u32::MAX` is the end. While [`Arena::collect`](super::Arena::collect) runs, the lists are not
/// needed and a node's link holds the node's new index instead.
#[derive(Debug, Clone, Copy)]
pub(super) struct ParentLink(u32);

impl ParentLink {
    /// The end of the list.
    pub(super) const END: ParentLink = ParentLink(u32::MAX);

    /// Links to an edge.
    #[inline]
    pub(super) fn to(edge: u32) -> ParentLink {
        ParentLink(edge)
    }

    /// Returns the edge, or `None` at the end of the list.
    #[inline]
    pub(super) fn edge(self) -> Option<u32> {
        (self.0 != ParentLink::END.0).then_some(self.0)
    }

    /// Stores the index that a node will have after the collection.
    #[inline]
    pub(super) fn forward_to(id: NodeIndex) -> ParentLink {
        ParentLink(id.0)
    }

    /// Returns the index stored by [`ParentLink::forward_to`].
    #[inline]
    pub(super) fn new_index(self) -> NodeIndex {
        NodeIndex(self.0)
    }
}

/// A node of the graph: a position, or with a horizon a position and a number of moves left. The key distinguishes
/// them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<V> {
    /// The key that the index finds the node by.
    pub key: u64,
    /// The numbers by which the engine searches.
    pub numbers: V,
    /// The first of the node's edges.
    pub(super) edges: u32,
    /// The first edge that leads here. The others follow through [`Arena::next_parent`](super::Arena::next_parent).
    pub(super) parents: ParentLink,
    /// The number of edges.
    pub(super) count: u16,
    /// The edge to the most-proving child or, at a proved node, to the child that proves it. Counted from `edges`.
    pub best: u16,
    /// At a proved node the length of the proof, in moves. At other nodes the horizon, packed by `Horizon::to_bits`.
    span: u16,
    pub(super) flags: u8,
    /// A count of the engine's own.
    pub count_of_engine: u8,
}

impl<V> Node<V> {
    pub(super) const AND: u8 = 1;
    pub(super) const EXPANDED: u8 = 2;
    pub(super) const MARKED: u8 = 4;
    pub(super) const ON_PATH: u8 = 8;
    pub(super) const QUEUED: u8 = 16;
    pub(super) const URGENT: u8 = 32;
    pub(super) const STALE: u8 = 64;
    pub(super) const LIVE: u8 = 128;

    /// Creates a leaf that is not proved.
    pub fn new(kind: NodeKind, key: u64, numbers: V, horizon: Horizon) -> Node<V> {
        let flags = if kind == NodeKind::And { Self::AND } else { 0 };
        let span = horizon.to_bits();
        let parents = ParentLink::END;
        Node { key, numbers, edges: 0, parents, count: 0, best: 0, span, flags, count_of_engine: 0 }
    }

    /// Returns the horizon of a node that is not proved.
    #[inline]
    pub fn horizon(&self) -> Horizon {
        Horizon::from_bits(self.span)
    }

    /// Returns the length of the mate at a proved node.
    #[inline]
    pub fn mate_length(&self) -> MateLength {
        MateLength(self.span)
    }

    /// Replaces the horizon, or the length of a longer mate, by the length of a mate.
    #[inline]
    pub fn set_mate_length(&mut self, length: MateLength) {
        self.span = length.0;
    }

    /// Returns whether this is an OR or an AND node.
    #[inline]
    pub fn kind(&self) -> NodeKind {
        if self.has(Self::AND) { NodeKind::And } else { NodeKind::Or }
    }

    /// Returns whether the node has been given its children.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.has(Self::EXPANDED)
    }

    /// Returns whether the node has the mark, whose meaning is the engine's.
    #[inline]
    pub fn is_marked(&self) -> bool {
        self.has(Self::MARKED)
    }

    /// Marks the node, or not.
    #[inline]
    pub fn set_marked(&mut self, on: bool) {
        self.set(Self::MARKED, on);
    }

    /// Returns whether the node is on the path from the root to the leaf in work.
    #[inline]
    pub fn is_on_path(&self) -> bool {
        self.has(Self::ON_PATH)
    }

    /// Marks the node as being on the path, or not.
    #[inline]
    pub fn set_on_path(&mut self, on: bool) {
        self.set(Self::ON_PATH, on);
    }

    /// Marks the node as queued for an update of its numbers. Returns `false` if it was queued already.
    #[inline]
    pub fn mark_queued(&mut self) -> bool {
        let new = !self.has(Self::QUEUED);
        self.set(Self::QUEUED, true);
        new
    }

    /// Marks the node's update as urgent because a child has been solved. An urgent update is never postponed.
    #[inline]
    pub fn mark_urgent(&mut self) {
        self.set(Self::URGENT, true);
    }

    /// Returns whether the node's update is urgent.
    #[inline]
    pub fn is_urgent(&self) -> bool {
        self.has(Self::URGENT)
    }

    /// Returns whether the node is queued for an update.
    #[inline]
    pub fn is_queued(&self) -> bool {
        self.has(Self::QUEUED)
    }

    /// Takes the node out of the queue without an update. Its numbers are stale from then on.
    #[inline]
    pub fn postpone_update(&mut self) {
        self.set(Self::QUEUED, false);
        self.set(Self::STALE, true);
    }

    /// Clears the marks for queued, urgent and stale. Called when the node is updated.
    #[inline]
    pub fn clear_update_marks(&mut self) {
        self.set(Self::QUEUED | Self::URGENT | Self::STALE, false);
    }

    /// Returns whether the node's update was postponed, so that its numbers are out of date.
    #[inline]
    pub fn is_stale(&self) -> bool {
        self.has(Self::STALE)
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

    /// Returns the range of the node's edges.
    #[inline]
    pub(super) fn edge_range(&self) -> std::ops::Range<u32> {
        self.edges..self.edges + u32::from(self.count)
    }
}

impl<V: Numbers> Node<V> {
    /// Returns whether a mate is proved.
    #[inline]
    pub fn is_proved(&self) -> bool {
        self.numbers.is_proved()
    }

    /// Returns whether every mate within the horizon is refuted.
    #[inline]
    pub fn is_refuted(&self) -> bool {
        self.numbers.is_refuted()
    }

    /// Returns whether the node is proved or refuted.
    #[inline]
    pub fn is_solved(&self) -> bool {
        self.is_proved() || self.is_refuted()
    }

    /// Creates the content of an unused record.
    pub(super) fn new_filler() -> Node<V> {
        Node::new(NodeKind::Or, 0, V::REFUTED, Horizon::NONE)
    }
}

/// The mark of a cut edge in the index of its child.
const CUT: u32 = 1 << 31;

/// A move from one position to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    /// The node after the move, with the mark [`CUT`].
    child: u32,
    /// The node before the move.
    pub parent: NodeIndex,
    /// The next edge that leads to the child.
    pub(super) next_parent: ParentLink,
    /// The move.
    pub played: Move,
}

impl Edge {
    /// Creates an edge that is not cut.
    pub(super) fn new(child: NodeIndex, parent: NodeIndex, next_parent: ParentLink, played: Move) -> Edge {
        Edge { child: child.0, parent, next_parent, played }
    }

    /// Returns the node after the move.
    #[inline]
    pub fn child(&self) -> NodeIndex {
        NodeIndex(self.child & !CUT)
    }

    /// Replaces the node after the move.
    #[inline]
    pub(super) fn set_child(&mut self, child: NodeIndex) {
        self.child = child.0 | self.child & CUT;
    }

    /// Returns whether the edge is cut.
    #[inline]
    pub fn is_cut(&self) -> bool {
        self.child & CUT != 0
    }

    /// Cuts the edge, or opens it.
    #[inline]
    pub(super) fn set_cut(&mut self, cut: bool) {
        self.child = if cut { self.child | CUT } else { self.child & !CUT };
    }

    /// Creates the content of an unused record.
    pub(super) fn new_filler() -> Edge {
        let played = Move::normal(Square::A1, Square::A1, Role::King, None, None);
        Edge::new(MATE, MATE, ParentLink::END, played)
    }
}
