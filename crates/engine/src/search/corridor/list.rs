//! The list of positions: nodes with their edges in both directions, found by position.
//!
//! Nodes and edges are numbered in the order in which they are added, and are never removed one by one. The memory for
//! both is reserved when the list is made, so that adding does not copy them.

use hashbrown::HashTable;

use crate::base::memory;
use crate::chess::{NodeKind, PackedPosition};

/// The number of a node in its list.
pub(super) type NodeIndex = u32;

/// The root is the first node of the list.
pub(super) const ROOT: NodeIndex = 0;

/// The number of an edge, where there is none.
const NO_EDGE: u32 = u32::MAX;

/// A length that is not known, in moves.
pub(super) const UNKNOWN: u16 = u16::MAX;

/// A cost above all costs: the node has no move of a higher cost.
pub(super) const NO_COST: u16 = u16::MAX;

/// A position of the list.
#[expect(clippy::struct_excessive_bools, reason = "five independent marks of a node")]
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub state: PackedPosition,
    /// The key of the position.
    pub key: u64,
    first_child: u32,
    first_parent: u32,
    /// At an AND node, the replies in the list that are not solved. At an OR node, the moves in the list that are not
    /// dead.
    pub open: u16,
    /// At an OR node, the smallest cost of a move that was not allowed when the node was expanded, or a bound below it.
    /// At an AND node, the cost of the move to it.
    pub cost: u16,
    /// At an OR node, its level: the largest cost of an allowed move. At an AND node, the longest mate after the
    /// replies that are not in the list, in moves.
    pub bound: u16,
    /// The attacker's moves from the root on the way by which the node came into the list.
    pub depth: u16,
    /// The length of the mate, in moves of the attacker, within the list. [`UNKNOWN`] before it is computed.
    pub length: u16,
    /// The length of a mate that another search has proved from here, in moves. [`UNKNOWN`] if there is none.
    pub known: u16,
    pub kind: NodeKind,
    /// Whether a mate is proved.
    pub solved: bool,
    /// Whether no mate can be found with the moves that are allowed now.
    pub dead: bool,
    /// Whether the position is stalemate.
    pub stalemate: bool,
    /// Whether the moves of an OR node have been listed.
    pub expanded: bool,
    /// Whether the node waits to be expanded.
    pub queued: bool,
}

impl Node {
    /// Returns whether all moves that the level of an OR node allows have been listed.
    pub fn is_listed(&self) -> bool {
        self.expanded && self.cost > self.bound
    }
}

/// An edge: a move from one node to another one. It is in two linked lists.
#[derive(Debug, Clone, Copy)]
struct Edge {
    from: NodeIndex,
    to: NodeIndex,
    next_child: u32,
    next_parent: u32,
}

/// The edges for which memory is reserved, for each node. More would leave memory unused where nodes have fewer edges;
/// fewer end a list before its nodes are used up.
const EDGES_PER_NODE: usize = 3;
/// The memory of a node in the table of positions, in bytes: a number and a byte, at most half full while it grows.
const BYTES_IN_TABLE: usize = 4 * (size_of::<NodeIndex>() + 1);
/// The memory for a node with its edges, in bytes.
const BYTES_PER_NODE: usize = size_of::<Node>() + EDGES_PER_NODE * size_of::<Edge>() + BYTES_IN_TABLE;

/// The list has no room for more positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Full;

/// The list of positions.
#[derive(Debug)]
pub(super) struct List {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    table: HashTable<NodeIndex>,
}

impl List {
    /// Makes an empty list that takes at most `bytes` bytes.
    pub fn with_bytes(bytes: usize) -> List {
        let most = (bytes / BYTES_PER_NODE).min(NO_EDGE as usize / EDGES_PER_NODE);
        let nodes = memory::room(most).unwrap_or_default();
        let edges = memory::room(most * EDGES_PER_NODE).unwrap_or_default();
        List { nodes, edges, table: HashTable::new() }
    }

    /// Removes all nodes. The memory is kept.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.table.clear();
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there is room for `nodes` more nodes with an edge to each.
    pub fn has_room_for(&self, nodes: usize) -> bool {
        self.nodes.len() + nodes <= self.nodes.capacity() && self.edges.len() + nodes < self.edges.capacity()
    }

    pub fn node(&self, at: NodeIndex) -> &Node {
        &self.nodes[at as usize]
    }

    pub fn node_mut(&mut self, at: NodeIndex) -> &mut Node {
        &mut self.nodes[at as usize]
    }

    /// Returns the numbers of all nodes, in the order in which they were added.
    pub fn indices(&self) -> impl Iterator<Item = NodeIndex> + use<> {
        0..self.nodes.len() as NodeIndex
    }

    /// Returns the node of the position with this key; `state` packs the position if there is one with its key.
    pub fn find(&self, key: u64, state: impl FnOnce() -> Option<PackedPosition>) -> Option<NodeIndex> {
        let found = self.table.find(key, |&at| self.node(at).key == key).copied()?;
        (Some(self.node(found).state) == state()).then_some(found)
    }

    /// Adds a position that is not in the list, with its key.
    pub fn add(&mut self, key: u64, state: PackedPosition, kind: NodeKind, depth: u16) -> Result<NodeIndex, Full> {
        if self.nodes.len() == self.nodes.capacity() {
            return Err(Full);
        }
        let at = self.nodes.len() as NodeIndex;
        self.nodes.push(Node {
            state,
            key,
            first_child: NO_EDGE,
            first_parent: NO_EDGE,
            open: 0,
            cost: 0,
            bound: 0,
            depth,
            length: UNKNOWN,
            known: UNKNOWN,
            kind,
            solved: false,
            dead: false,
            stalemate: false,
            expanded: false,
            queued: false,
        });
        let nodes = &self.nodes;
        self.table.insert_unique(key, at, |&at| nodes[at as usize].key);
        Ok(at)
    }

    /// Adds an edge. There must be none between the two nodes.
    pub fn link(&mut self, from: NodeIndex, to: NodeIndex) -> Result<(), Full> {
        if self.edges.len() == self.edges.capacity() {
            return Err(Full);
        }
        let edge = self.edges.len() as u32;
        let next_child = std::mem::replace(&mut self.nodes[from as usize].first_child, edge);
        let next_parent = std::mem::replace(&mut self.nodes[to as usize].first_parent, edge);
        self.edges.push(Edge { from, to, next_child, next_parent });
        Ok(())
    }

    /// Forgets which nodes are dead, but for stalemates, and which are queued.
    pub fn revive(&mut self) {
        for node in &mut self.nodes {
            (node.dead, node.queued) = (node.stalemate, false);
            if node.kind == NodeKind::Or {
                node.open = 0;
            }
        }
        for edge in &self.edges {
            let node = &self.nodes[edge.to as usize];
            if node.kind == NodeKind::And && !node.dead {
                self.nodes[edge.from as usize].open += 1;
            }
        }
    }

    /// Returns the nodes to which edges lead from this one, the latest first.
    pub fn children(&self, at: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        let edge = |index: u32| self.edges.get(index as usize);
        let first = edge(self.nodes[at as usize].first_child);
        std::iter::successors(first, move |last| edge(last.next_child)).map(|edge| edge.to)
    }

    /// Returns the latest node from which an edge leads to this one, and that edge for [`List::next_parent`].
    pub fn first_parent(&self, at: NodeIndex) -> Option<(NodeIndex, u32)> {
        self.parent(self.nodes[at as usize].first_parent)
    }

    /// Returns the node before the one that came with this edge, and its edge.
    pub fn next_parent(&self, edge: u32) -> Option<(NodeIndex, u32)> {
        self.parent(self.edges[edge as usize].next_parent)
    }

    fn parent(&self, edge: u32) -> Option<(NodeIndex, u32)> {
        self.edges.get(edge as usize).map(|known| (known.from, edge))
    }

    /// Returns the nodes from which edges lead to this one, the latest first.
    pub fn parents(&self, at: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        std::iter::successors(self.first_parent(at), |&(_, edge)| self.next_parent(edge)).map(|(from, _)| from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::testing::position;

    #[test]
    fn nodes_are_found_by_position_and_edges_lead_both_ways() {
        assert_eq!(size_of::<Node>(), 64);
        let root = position("7k/8/8/8/8/8/8/K5R1 w - -");
        let mut list = List::with_bytes(10 * BYTES_PER_NODE);
        let state = |position: &Position| PackedPosition::of(position).unwrap();
        let find = |list: &List, position: &Position| list.find(position.key(), || Some(state(position)));
        let a = list.add(root.key(), state(&root), NodeKind::Or, 0).unwrap();
        let children: Vec<_> = root.legal_moves().iter().take(9).map(|&m| root.play(m)).collect();
        for child in &children {
            assert_eq!(find(&list, child), None);
            let at = list.add(child.key(), state(child), NodeKind::And, 1).unwrap();
            list.link(a, at).unwrap();
            assert_eq!(find(&list, child), Some(at));
            assert_eq!(list.find(child.key(), || Some(state(&root))), None, "another position with the same key");
        }
        assert_eq!(list.children(a).collect::<Vec<_>>(), (1..10).rev().collect::<Vec<_>>());
        assert_eq!(list.parents(3).collect::<Vec<_>>(), [a]);
        list.clear();
        assert_eq!((list.len(), find(&list, &root)), (0, None));
    }

    #[test]
    fn a_full_list_takes_no_more() {
        let root = position("7k/8/8/8/8/8/8/K5R1 w - -");
        let mut list = List { nodes: Vec::new(), edges: Vec::new(), table: HashTable::new() };
        assert!(!list.has_room_for(1));
        assert_eq!(list.add(root.key(), PackedPosition::of(&root).unwrap(), NodeKind::Or, 0), Err(Full));
        assert_eq!(list.len(), 0);
    }
}
