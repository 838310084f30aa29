//! The graph of the search. A node is a position or, within a horizon, a position and the moves left. A proved node
//! serves all numbers of moves left that admit its mate. One node stands for every checkmate.
//!
//! ```text
//!   nodes  │ 0 mate │ A │ B │ C │ …          a node's edges lie side by side
//!   edges  │ A→B │ A→C │ … │ B→C │ …         the edges that lead to a node are linked: B→C, A→C
//! ```
//!
//! The records lie in slabs of a region ([`crate::search::arena`]). Nothing is freed while the search runs: when the
//! memory is full, it ends.

use shakmaty::{Role, Square};

use crate::chess::{MateLength, Move, NodeKind};
use crate::search::arena::{self, NodeRecord, Region};
use crate::search::horizon::Horizon;

use super::value::Cost;

pub(super) use arena::NodeId;

/// The node that stands for every checkmate.
pub(super) const MATE: NodeId = NodeId(0);

/// The end of a list of edges.
const END: u32 = u32::MAX;

/// The number of times that a node's conditional edges are opened again. Doubled, cycles cost more; halved, more moves
/// stay conditional.
const MAX_REOPENED: u8 = 8;

/// The values of a node: estimates at a leaf, elsewhere those of its children, backed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leaf {
    /// The attacker's OptPrb: the probability of a mate within the moves left.
    pub attack: Cost,
    /// The defender's OptPrb: the probability of an escape.
    pub defence: Cost,
    /// The shortest mate that the attacker may hope for, in moves.
    pub optimum: u16,
}

impl Leaf {
    /// The values of a checkmate.
    pub const MATE: Leaf = Leaf { attack: Cost::CERTAIN, defence: Cost::NEVER, optimum: 0 };
    /// The values of a node without a mate.
    pub const REFUTED: Leaf = Leaf { attack: Cost::NEVER, defence: Cost::CERTAIN, optimum: u16::MAX };
}

/// A node of the graph.
///
/// RealVal, OptVal and PessVal are mate lengths here: RealVal is the proved length, or open; OptVal is `optimum`;
/// PessVal is "no mate" until the node is proved. `attack` and `defence` are the OptPrbs of the two sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The key that the index finds the node by.
    pub key: u64,
    pub numbers: Leaf,
    /// The first of the node's edges, and their number.
    edges: u32,
    count: u16,
    /// The edge to the best child or, at a proved node, to the child that proves it. Counted from `edges`.
    pub best: u16,
    /// The first edge that leads here, or [`END`].
    first_parent: u32,
    pub horizon: Horizon,
    /// The length of the mate at a proved node, in moves.
    pub length: MateLength,
    pub kind: NodeKind,
    pub is_expanded: bool,
    pub is_on_path: bool,
    /// Whether an edge of the node is cut because it closed a cycle.
    pub has_cut: bool,
    pub update: Update,
    /// The number of times that cut edges were opened again.
    reopened: u8,
}

/// Whether a node waits for an update of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Update {
    None,
    Queued,
    /// Queued because a child has been solved; such an update is never postponed.
    Urgent,
    /// Postponed: the values are out of date.
    Stale,
}

impl Node {
    /// Creates a leaf that is not proved.
    pub fn new(kind: NodeKind, key: u64, numbers: Leaf, horizon: Horizon) -> Node {
        Node {
            key,
            numbers,
            edges: 0,
            count: 0,
            best: 0,
            first_parent: END,
            horizon,
            length: MateLength(0),
            kind,
            is_expanded: false,
            is_on_path: false,
            has_cut: false,
            update: Update::None,
            reopened: 0,
        }
    }

    /// Returns whether a mate is proved.
    #[inline]
    pub fn is_proved(&self) -> bool {
        self.numbers.attack == Cost::CERTAIN
    }

    /// Returns whether every mate within the horizon is refuted.
    #[inline]
    pub fn is_refuted(&self) -> bool {
        self.numbers.attack == Cost::NEVER
    }

    /// Returns whether the node is proved or refuted.
    #[inline]
    pub fn is_solved(&self) -> bool {
        self.is_proved() || self.is_refuted()
    }

    /// Marks the node as proved, with this length.
    pub fn set_proved(&mut self, length: MateLength) {
        (self.numbers, self.length) = (Leaf { optimum: length.0, ..Leaf::MATE }, length);
    }

    /// Marks the node as refuted.
    pub fn set_refuted(&mut self) {
        (self.numbers.attack, self.numbers.defence) = (Cost::NEVER, Cost::CERTAIN);
    }

    /// Counts one more opening of cut edges. Returns `false` if there were too many.
    pub fn count_reopening(&mut self) -> bool {
        let allowed = self.reopened < MAX_REOPENED;
        self.reopened += u8::from(allowed);
        allowed
    }
}

/// A move from one position to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub child: NodeId,
    pub parent: NodeId,
    /// The next edge that leads to the child, or [`END`].
    next_parent: u32,
    pub played: Move,
    pub is_cut: bool,
}

impl NodeRecord for Node {
    const FIRST: u32 = 1;

    /// Returns the node that stands for every checkmate.
    fn filler() -> Node {
        Node::new(NodeKind::And, 0, Leaf::MATE, Horizon::within(MateLength(0)))
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn set_key(&mut self, key: u64) {
        self.key = key;
    }
}

/// The nodes and edges of the graph, with an index by key.
pub(super) type Graph<'r> = arena::Graph<'r, Node, Edge>;

impl<'r> Graph<'r> {
    /// Returns an empty graph that takes at most `bytes` bytes, with the slabs of the old one. A sixteenth is kept back
    /// for path, queue and proof.
    pub fn of_bytes(old: Option<Graph<'r>>, region: &'r Region, bytes: usize) -> Graph<'r> {
        let played = Move::normal(Square::A1, Square::A1, Role::King, None, None);
        let filler = Edge { child: MATE, parent: MATE, next_parent: END, played, is_cut: false };
        Graph::begin(old, region, bytes - bytes / 16, filler)
    }

    /// Gives a leaf its edges. There must be room for them.
    pub fn expand(&mut self, id: NodeId, moves: impl IntoIterator<Item = (Move, NodeId)>) {
        let first = self.edges.len;
        for (played, child) in moves {
            let next_parent = self.node(child).first_parent;
            let edge = self.edges.push(Edge { child, parent: id, next_parent, played, is_cut: false });
            // Mate never changes, so its list of parents is never used.
            if child != MATE {
                self.node_mut(child).first_parent = edge;
            }
        }
        let count = (self.edges.len - first) as u16;
        let node = self.node_mut(id);
        (node.edges, node.count, node.is_expanded) = (first, count, true);
    }

    /// Returns a node's edges.
    #[inline]
    pub fn edges(&self, id: NodeId) -> impl ExactSizeIterator<Item = &Edge> {
        let Node { edges, count, .. } = *self.node(id);
        (edges..edges + u32::from(count)).map(|edge| self.edges.get(edge))
    }

    /// Returns the edge to the best child or, at a proved node, to the child that proves it.
    #[inline]
    pub fn best_edge(&self, id: NodeId) -> &Edge {
        let node = self.node(id);
        self.edges.get(node.edges + u32::from(node.best))
    }

    /// Returns the nodes whose edges lead to a node, the last first.
    pub fn parents(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let edge = |at: u32| (at != END).then(|| self.edges.get(at));
        std::iter::successors(edge(self.node(id).first_parent), move |at| edge(at.next_parent)).map(|edge| edge.parent)
    }

    /// Cuts the node's edge with this number.
    pub fn cut_edge(&mut self, id: NodeId, offset: u16) {
        self.node_mut(id).has_cut = true;
        let at = self.node(id).edges + u32::from(offset);
        self.edges.get_mut(at).is_cut = true;
    }

    /// Opens the cut edges of a node that lead to nodes off the path. Returns whether there was one.
    pub fn open_edges(&mut self, id: NodeId) -> bool {
        let Node { edges, count, .. } = *self.node(id);
        let (mut opened, mut has_cut) = (false, false);
        for at in edges..edges + u32::from(count) {
            let Edge { child, is_cut, .. } = *self.edges.get(at);
            let stays = is_cut && self.node(child).is_on_path;
            (opened, has_cut) = (opened || is_cut && !stays, has_cut || stays);
            self.edges.get_mut(at).is_cut = stays;
        }
        self.node_mut(id).has_cut = has_cut;
        opened
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(key: u64) -> Node {
        let leaf = Leaf { attack: Cost::HALF, defence: Cost::HALF, optimum: 2 };
        Node::new(NodeKind::Or, key, leaf, Horizon::NONE)
    }

    const PLAYED: fn() -> Move = || Move::normal(Square::A1, Square::A2, Role::Rook, None, None);

    #[test]
    fn the_graph_uses_most_of_its_memory_and_never_more() {
        for cap in [0, 1 << 20, 3_000_000] {
            let region = Region::default();
            let (mut graph, mut key) = (Graph::of_bytes(None, &region, cap), 1_u64);
            while graph.add(leaf(key)).is_ok() && graph.make_room(0, 2).is_ok() {
                graph.expand(NodeId(graph.nodes.len - 1), [(PLAYED(), MATE), (PLAYED(), MATE)]);
                key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
                assert!(graph.bytes() <= cap, "{} of {cap}", graph.bytes());
            }
            assert!(cap == 0 || graph.nodes.len as usize * 200 > cap, "{} nodes in {cap} bytes", graph.nodes.len);
        }
    }

    #[test]
    fn cut_edges_are_opened_where_the_child_is_not_on_the_path() {
        let region = Region::default();
        let mut graph = Graph::of_bytes(None, &region, 1 << 20);
        graph.make_room(3, 6).unwrap();
        let [a, b, c] = [1, 2, 3].map(|key| graph.add(leaf(key)).unwrap());
        graph.expand(a, [(PLAYED(), b), (PLAYED(), c)]);
        graph.cut_edge(a, 0);
        graph.cut_edge(a, 1);
        graph.node_mut(b).is_on_path = true;
        assert!(graph.open_edges(a));
        assert_eq!(graph.edges(a).map(|edge| edge.is_cut).collect::<Vec<_>>(), [true, false]);
        assert!(graph.node(a).has_cut && !graph.open_edges(a));
    }

    #[test]
    fn a_node_is_found_by_its_key_and_lists_its_parents() {
        let region = Region::default();
        let mut graph = Graph::of_bytes(None, &region, 1 << 20);
        graph.make_room(3, 6).unwrap();
        let [a, b, c] = [7, 8, 9].map(|key| graph.add(leaf(key)).unwrap());
        graph.expand(a, [(PLAYED(), c), (PLAYED(), MATE)]);
        graph.expand(b, [(PLAYED(), c)]);
        assert_eq!(graph.parents(c).collect::<Vec<_>>(), [b, a]);
        assert_eq!((graph.find(8), graph.find(10)), (Some(b), None));
        graph.rekey(b, 10).unwrap();
        assert_eq!((graph.find(8), graph.find(10)), (None, Some(b)));
    }
}
