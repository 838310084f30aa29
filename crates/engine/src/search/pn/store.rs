//! The nodes and edges of the graph, and the index that finds a node by its key.
//!
//! ```text
//!   nodes  │ A │ B │ C │ …                                32 bytes each
//!            │  ▲
//!            ▼  └──────┐
//!   edges  │ A→B │ A→leaf │ A→quiet moves │ B→C │ …       16 bytes each: the move, the child and its numbers
//!   index  │ A │ – │ C │ B │ …                            5 bytes an entry, at most seven of eight used
//! ```
//!
//! A position mostly gets a node when the search first visits it. Without one it is a **leaf**: an edge with numbers.
//! The edges of a node lie side by side and repeat the numbers of their children, so a visit that compares them does
//! not read the children. No edge knows its parent: a change is seen when the parent is visited next.
//!
//! When the memory given is full, what needs more fails, such as [`Store::add`]; [`Store::fold`] then makes room.

use shakmaty::{Role, Square};

use crate::chess::{MateLength, Move, NodeKind};
use crate::search::Interrupted;
use crate::search::arena::{Graph, NodeRecord, Region};
use crate::search::numbers::ProofNumbers;

/// The end of an edge: a node, or one of the values below.
pub(super) use crate::search::arena::NodeId as Child;

impl Child {
    /// A checkmate.
    pub(super) const MATE: Child = Child(0);
    /// A position with the attacker to move and a mate in one.
    pub(super) const MATE_IN_ONE: Child = Child(1);
    /// A position that has been evaluated; its numbers are in the edge.
    pub(super) const LEAF: Child = Child(2);
    /// A position after a reply that has not been evaluated. The numbers in the edge are an estimate from the move.
    pub(super) const UNEVALUATED: Child = Child(3);
    /// All quiet moves of the attacker.
    pub(super) const QUIET: Child = Child(4);
    /// The first index of a node. Smaller ones are the values above.
    pub(super) const FIRST: u32 = 8;

    #[inline]
    pub(super) fn is_node(self) -> bool {
        self.0 >= Child::FIRST
    }
}

/// A move, what it leads to, and the numbers of that as they were when they were read last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub child: Child,
    pub numbers: ProofNumbers,
    pub played: Move,
}

impl Edge {
    /// Returns an edge that stands for all quiet moves.
    pub fn to_quiet_moves(numbers: ProofNumbers) -> Edge {
        let played = Move::normal(Square::A1, Square::A1, Role::King, None, None);
        Edge { child: Child::QUIET, numbers, played }
    }
}

/// A position, or with a horizon a position and a number of moves left; the key distinguishes them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub key: u64,
    pub numbers: ProofNumbers,
    /// The first of the node's edges, and their number.
    pub edges: u32,
    pub count: u16,
    /// AND nodes: the number of edges whose replies are not proved. They come first.
    pub open: u16,
    /// At a proved OR node the edge that proves it, counted from `edges`.
    pub best: u16,
    /// At a proved node the length of the mate, in moves.
    pub length: MateLength,
    flags: u8,
    /// The nodes made below this node, as a power of two.
    pub work: u8,
}

impl Node {
    const AND: u8 = 1;
    const EXPANDED: u8 = 2;
    const ON_PATH: u8 = 8;
    pub(super) const LIVE: u8 = 16;

    /// Returns a node that has not been expanded.
    pub fn new(kind: NodeKind, key: u64, numbers: ProofNumbers) -> Node {
        let flags = if kind == NodeKind::And { Node::AND } else { 0 };
        Node { key, numbers, edges: 0, count: 0, open: 0, best: 0, length: MateLength(0), flags, work: 0 }
    }

    /// Returns whether this is an OR or an AND node.
    #[inline]
    pub fn kind(&self) -> NodeKind {
        if self.has(Node::AND) { NodeKind::And } else { NodeKind::Or }
    }

    /// Returns whether the node has its edges.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.has(Node::EXPANDED)
    }

    /// Removes the edges of a disproved node, of which only the numbers are used.
    pub fn drop_edges(&mut self) {
        (self.count, self.open) = (0, 0);
    }

    /// Returns whether the search is below the node.
    #[inline]
    pub fn is_on_path(&self) -> bool {
        self.has(Node::ON_PATH)
    }

    /// Notes that the search enters the node, or leaves it.
    #[inline]
    pub fn set_on_path(&mut self, on: bool) {
        self.set(Node::ON_PATH, on);
    }

    /// Adds to the nodes made below this node.
    #[inline]
    pub fn add_work(&mut self, nodes: u64) {
        let sum = nodes + ((1 << self.work) - 1);
        self.work = (u64::BITS - sum.leading_zeros()).min(63) as u8;
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
    pub fn range(&self) -> std::ops::Range<u32> {
        self.edges..self.edges + u32::from(self.count)
    }
}

impl NodeRecord for Node {
    const FIRST: u32 = Child::FIRST;

    fn filler() -> Node {
        Node::new(NodeKind::Or, 0, ProofNumbers::DISPROVED)
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn set_key(&mut self, key: u64) {
        self.key = key;
    }
}

/// Nodes, edges and index in a limited memory.
pub(super) type Store<'r> = Graph<'r, Node, Edge>;

impl<'r> Store<'r> {
    /// Returns an empty graph that takes at most `bytes` bytes, with the slabs of the old one. A sixteenth is kept back
    /// for the path and the proof, and one for the positions that are kept.
    pub fn of_bytes(old: Option<Store<'r>>, region: &'r Region, bytes: usize) -> Store<'r> {
        Graph::begin(old, region, bytes - bytes / 8, Edge::to_quiet_moves(ProofNumbers::DISPROVED))
    }

    /// Gives a node these edges in place of those that it has.
    pub fn set_edges(&mut self, id: Child, edges: &[Edge]) -> Result<(), Interrupted> {
        self.make_room(0, edges.len())?;
        let first = self.edges.len;
        for &edge in edges {
            self.edges.push(edge);
        }
        let node = self.node_mut(id);
        (node.edges, node.count, node.open) = (first, edges.len() as u16, edges.len() as u16);
        node.set(Node::EXPANDED, true);
        Ok(())
    }

    /// Returns the present numbers of what an edge leads to. A node on the path counts as disproved for this visit.
    #[inline]
    pub fn numbers(&self, edge: &Edge) -> ProofNumbers {
        if !edge.child.is_node() {
            return edge.numbers;
        }
        let node = self.node(edge.child);
        if node.is_on_path() && !node.numbers.is_solved() { ProofNumbers::DISPROVED } else { node.numbers }
    }

    /// Returns the length of the mate that a proved edge leads to.
    pub fn length(&self, edge: &Edge) -> MateLength {
        match edge.child {
            Child::MATE => MateLength(0),
            Child::MATE_IN_ONE => MateLength(1),
            child => self.node(child).length,
        }
    }

    /// Removes an edge of a node; the others keep their order.
    pub fn remove_edge(&mut self, id: Child, at: u32) {
        let node = *self.node(id);
        for i in at + 1..node.range().end {
            *self.edges.get_mut(i - 1) = *self.edges.get(i);
        }
        self.node_mut(id).count -= 1;
    }

    /// Moves an open edge of an AND node behind the open ones.
    pub fn close_edge(&mut self, id: Child, at: u32) {
        let node = *self.node(id);
        let edge = *self.edges.get(at);
        let last = node.edges + u32::from(node.open) - 1;
        for i in at..last {
            *self.edges.get_mut(i) = *self.edges.get(i + 1);
        }
        *self.edges.get_mut(last) = edge;
        self.node_mut(id).open -= 1;
    }
}
