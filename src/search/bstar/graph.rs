//! The graph of the search: a node for every position, or for every pair of position and moves left.
//!
//! The nodes and edges live in chunks that never move ([`Slab`]), and are found by key. A node with one parent takes 40
//! bytes, its edge 16 and its index entry about 8. The graph takes at most half of the memory given, because a
//! collection copies the live nodes to a new graph (`collect`).

use hashbrown::HashTable;

use crate::chess::{MateLength, Move, NodeKind};
use crate::search::horizon::Horizon;

use super::slab::Slab;
use super::value::Cost;

/// The index of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// Returns the index as a number.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// The node that stands for every checkmate.
pub(super) const MATE: NodeId = NodeId(0);

/// The end of a list of edges.
const END: u32 = u32::MAX;

/// A node of the graph.
///
/// RealVal, OptVal and PessVal are mate lengths here: RealVal is the proved length, or open; OptVal is `optimum`;
/// PessVal is "no mate" until the node is proved. `attack` and `defence` are the OptPrbs of the two sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The key that the index finds the node by.
    pub key: u64,
    /// The attacker's OptPrb: the probability of a mate within the moves left.
    pub attack: Cost,
    /// The defender's OptPrb: the probability of an escape.
    pub defence: Cost,
    edges: u32,
    parents: u32,
    count: u16,
    /// The edge of the best move, counted from the node's first.
    pub best: u16,
    /// At a proved node the length of the mate, otherwise the horizon.
    span: u16,
    /// The shortest mate that the attacker may hope for, in moves.
    pub optimum: u16,
    flags: u8,
    /// How often an edge of this node was opened again after a repetition.
    reopened: u8,
}

const AND: u8 = 1;
const EXPANDED: u8 = 2;
const ON_PATH: u8 = 4;
const QUEUED: u8 = 8;
const URGENT: u8 = 16;
const STALE: u8 = 32;
const HAS_CUT: u8 = 64;

/// The number of times that a node's conditional edges are opened again.
const MAX_REOPENED: u8 = 8;

impl Node {
    /// Creates a leaf.
    pub fn new(kind: NodeKind, key: u64, horizon: Horizon, leaf: Leaf) -> Node {
        Node {
            key,
            attack: leaf.attack,
            defence: leaf.defence,
            edges: 0,
            parents: END,
            count: 0,
            best: 0,
            span: horizon.to_bits(),
            optimum: leaf.optimum,
            flags: if kind == NodeKind::And { AND } else { 0 },
            reopened: 0,
        }
    }

    /// Returns the node without its edges and without marks.
    pub fn as_leaf(&self) -> Node {
        Node { edges: 0, count: 0, parents: END, flags: self.flags & AND, ..*self }
    }

    /// Returns the kind of the node.
    #[inline]
    pub fn kind(&self) -> NodeKind {
        if self.has(AND) { NodeKind::And } else { NodeKind::Or }
    }

    /// Returns whether the node has its children.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.has(EXPANDED)
    }

    /// Returns whether a mate is proved.
    #[inline]
    pub fn is_proved(&self) -> bool {
        self.attack == Cost::CERTAIN
    }

    /// Returns whether every mate within the horizon is refuted, whatever the path.
    #[inline]
    pub fn is_refuted(&self) -> bool {
        self.attack == Cost::NEVER
    }

    /// Returns whether the node is proved or refuted.
    #[inline]
    pub fn is_solved(&self) -> bool {
        self.is_proved() || self.is_refuted()
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

    /// Marks the node as proved, with this length.
    pub fn set_proved(&mut self, length: MateLength) {
        (self.attack, self.defence, self.span) = (Cost::CERTAIN, Cost::NEVER, length.0);
        self.optimum = length.0;
    }

    /// Marks the node as refuted.
    pub fn set_refuted(&mut self) {
        (self.attack, self.defence) = (Cost::NEVER, Cost::CERTAIN);
    }

    /// Returns whether the node is on the path from the root.
    #[inline]
    pub fn is_on_path(&self) -> bool {
        self.has(ON_PATH)
    }

    /// Marks the node as being on the path, or not.
    #[inline]
    pub fn set_on_path(&mut self, on: bool) {
        self.set(ON_PATH, on);
    }

    /// Marks the node as queued. Returns `false` if it was queued already.
    #[inline]
    pub fn mark_queued(&mut self) -> bool {
        let new = !self.has(QUEUED);
        self.set(QUEUED, true);
        new
    }

    /// Returns whether the node is queued for an update.
    #[inline]
    pub fn is_queued(&self) -> bool {
        self.has(QUEUED)
    }

    /// Marks the node's update as one that must not be postponed.
    #[inline]
    pub fn mark_urgent(&mut self) {
        self.set(URGENT, true);
    }

    /// Returns whether the node's update must not be postponed.
    #[inline]
    pub fn is_urgent(&self) -> bool {
        self.has(URGENT)
    }

    /// Takes the node out of the queue without an update.
    #[inline]
    pub fn postpone_update(&mut self) {
        self.set(QUEUED, false);
        self.set(STALE, true);
    }

    /// Returns whether an update was postponed.
    #[inline]
    pub fn is_stale(&self) -> bool {
        self.has(STALE)
    }

    /// Clears the marks of a pending update.
    #[inline]
    pub fn clear_update_marks(&mut self) {
        self.set(QUEUED | URGENT | STALE, false);
    }

    /// Returns whether an edge of the node is cut because it closed a cycle.
    #[inline]
    pub fn has_cut(&self) -> bool {
        self.has(HAS_CUT)
    }

    /// Counts one more opening of cut edges. Returns `false` if there were too many.
    pub fn count_reopening(&mut self) -> bool {
        let allowed = self.reopened < MAX_REOPENED;
        self.reopened += u8::from(allowed);
        allowed
    }

    #[inline]
    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    fn set(&mut self, flags: u8, on: bool) {
        if on {
            self.flags |= flags;
        } else {
            self.flags &= !flags;
        }
    }
}

/// The estimates of a new leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leaf {
    pub attack: Cost,
    pub defence: Cost,
    /// The shortest mate that the attacker may hope for, in moves.
    pub optimum: u16,
}

impl Leaf {
    /// A leaf without a mate within the horizon.
    pub const REFUTED: Leaf = Leaf { attack: Cost::NEVER, defence: Cost::CERTAIN, optimum: u16::MAX };
}

/// The mark of a cut edge in the number of its child.
const CUT: u32 = 1 << 31;

/// A move from one position to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// The node after the move, with the mark [`CUT`].
    child: u32,
    /// The node before the move.
    pub parent: NodeId,
    next_parent: u32,
    /// The move.
    pub played: Move,
}

impl Edge {
    /// Returns the node after the move.
    #[inline]
    pub fn child(&self) -> NodeId {
        NodeId(self.child & !CUT)
    }

    /// Returns whether the move closed a cycle when it was last followed.
    #[inline]
    pub fn is_cut(&self) -> bool {
        self.child & CUT != 0
    }
}

/// A graph of nodes and edges, with an index by key.
#[derive(Debug)]
pub(super) struct Graph {
    nodes: Slab<Node>,
    edges: Slab<Edge>,
    index: HashTable<NodeId>,
    /// The bytes that the graph may take.
    usable: usize,
}

impl Graph {
    /// Creates a graph that takes at most `usable` bytes.
    pub fn new(usable: usize) -> Graph {
        let mut graph = Graph { nodes: Slab::new(), edges: Slab::new(), index: HashTable::new(), usable };
        let mut mate = Node::new(NodeKind::And, 0, Horizon::NONE, Leaf::REFUTED);
        mate.set_proved(MateLength(0));
        graph.nodes.push(mate);
        graph
    }

    /// Returns the bytes that the graph may take.
    pub fn usable(&self) -> usize {
        self.usable
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> u32 {
        self.nodes.len()
    }

    /// Returns the bytes taken.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.edges.bytes() + self.index.allocation_size()
    }

    /// Makes room for `n` more nodes and their edges. Returns `false` if the memory does not suffice.
    pub fn make_room(&mut self, n: usize) -> bool {
        let records = self.nodes.bytes_for(n) + self.edges.bytes_for(2 * n);
        let growth = if self.index.capacity() - self.index.len() >= n {
            0
        } else {
            // A full table doubles its size, and the old one exists until all entries have moved.
            (2 * self.index.allocation_size()).max(16 * n)
        };
        if self.bytes() + records + growth > self.usable {
            return false;
        }
        if !self.nodes.make_room(n) || !self.edges.make_room(2 * n) {
            return false;
        }
        let nodes = &self.nodes;
        growth == 0 || self.index.try_reserve(n, |id| nodes[id.0].key).is_ok()
    }

    /// Returns a node.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// Returns a node for changing it.
    #[inline]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    /// Adds a node. [`Graph::make_room`] must have made room for it.
    pub fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.push(node));
        let nodes = &self.nodes;
        self.index.insert_unique(node.key, id, |id| nodes[id.0].key);
        id
    }

    /// Returns the node with this key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<NodeId> {
        self.index.find(key, |id| self.nodes[id.0].key == key).copied()
    }

    /// Gives a node another key, under which the index finds it from then on. If the index is full, nothing changes.
    pub fn rekey(&mut self, id: NodeId, key: u64) {
        let nodes = &self.nodes;
        if let Some(entry) = self.index.find_mut(key, |other| nodes[other.0].key == key) {
            *entry = id;
        } else if self.index.len() < self.index.capacity() {
            self.index.insert_unique(key, id, |id| nodes[id.0].key);
        } else {
            return;
        }
        // The entry under the old key stays. A lookup compares keys, so it never matches.
        self.nodes[id.0].key = key;
    }

    /// Gives a leaf its edges. An edge whose flag is set is cut.
    pub fn expand(&mut self, id: NodeId, moves: impl IntoIterator<Item = (Move, NodeId, bool)>) {
        let first = self.edges.len();
        let mut any_cut = false;
        for (played, child, cut) in moves {
            any_cut |= cut;
            let next_parent = self.nodes[child.0].parents;
            let mark = if cut { CUT } else { 0 };
            let at = self.edges.push(Edge { child: child.0 | mark, parent: id, next_parent, played });
            if child != MATE {
                self.nodes[child.0].parents = at;
            }
        }
        let count = (self.edges.len() - first) as u16;
        let node = &mut self.nodes[id.0];
        (node.edges, node.count) = (first, count);
        node.set(EXPANDED, true);
        node.set(HAS_CUT, any_cut);
    }

    /// Returns a node's edges.
    #[inline]
    pub fn edges(&self, id: NodeId) -> impl ExactSizeIterator<Item = &Edge> {
        let node = &self.nodes[id.0];
        (node.edges..node.edges + u32::from(node.count)).map(|at| &self.edges[at])
    }

    /// Returns the edge of the best move.
    #[inline]
    pub fn best_edge(&self, id: NodeId) -> &Edge {
        let node = &self.nodes[id.0];
        &self.edges[node.edges + u32::from(node.best)]
    }

    /// Cuts the node's edge with this number.
    pub fn cut_edge(&mut self, id: NodeId, offset: u16) {
        let node = &mut self.nodes[id.0];
        node.set(HAS_CUT, true);
        self.edges[node.edges + u32::from(offset)].child |= CUT;
    }

    /// Opens the cut edges of a node that lead to nodes for which `off_path` holds. Returns whether there was one.
    pub fn open_edges(&mut self, id: NodeId, off_path: impl Fn(&Node) -> bool) -> bool {
        let (first, count) = (self.nodes[id.0].edges, self.nodes[id.0].count);
        let (mut opened, mut left) = (false, false);
        for at in first..first + u32::from(count) {
            let edge = self.edges[at];
            if edge.is_cut() {
                let open = off_path(&self.nodes[edge.child().0]);
                if open {
                    self.edges[at].child &= !CUT;
                }
                opened |= open;
                left |= !open;
            }
        }
        self.nodes[id.0].set(HAS_CUT, left);
        opened
    }

    /// Returns the nodes with an edge to this one.
    pub fn first_parent(&self, id: NodeId) -> Option<Edge> {
        self.parent_edge(self.nodes[id.0].parents)
    }

    /// Returns the next edge in the list of those that lead to the same node.
    pub fn next_parent(&self, edge: &Edge) -> Option<Edge> {
        self.parent_edge(edge.next_parent)
    }

    fn parent_edge(&self, at: u32) -> Option<Edge> {
        (at != END).then(|| self.edges[at])
    }
}
