//! The memory of best-first search: nodes and edges in a bump arena, found again by position.
//!
//! A best-first search may return to any leaf at any time, so it keeps its whole graph. The graph lives in slabs of
//! fixed size taken from one `bumpalo` region and is addressed by 32-bit numbers, half as wide as pointers and still
//! good after the graph has been moved.
//!
//! ```text
//!   nodes  │ 0 mate │ 1 repetition │ A │ B │ C │ D │ …           32 bytes each
//!                                    │       ▲ parents
//!                              edges │       │ (list through the edges)
//!                                    ▼       │
//!   edges  │ … │ A→B │ A→C │ A→D │ … │ B→C │ …                   16 bytes each; a node's edges are contiguous
//!   index  │ key → node │                                       5 bytes a bucket, at most 7 of 8 used
//! ```
//!
//! A node with one parent takes 32 bytes, its edge 16 and its index entry 6 to 11; without an index, in tree mode, 48.
//!
//! **What the arena promises**: everything above, the slabs' headers and the index at the moment it grows (when old and
//! new table exist together) stay under the number of bytes given; a sixteenth of it is kept back for the search's
//! path, its queue, the marking stack and the proof that is built in the end. When no more fits, [`Arena::make_room`]
//! says so, and nothing breaks.
//!
//! **What it cannot do**: a node cannot be freed by itself. [`Arena::collect`] frees everything that no longer matters
//! by moving the rest together, within the slabs; node numbers change. Slabs are given back only with the region.

mod collect;
mod node;

use bumpalo::Bump;
use hashbrown::HashTable;

use crate::chess::{Move, NodeKind};

use super::numbers::ProofNumbers;

pub use collect::Collected;
pub use node::{Edge, Node};

/// Number of a node in its arena.
pub type NodeIndex = u32;

/// The node that stands for every checkmate.
pub const MATE: NodeIndex = 0;
/// The node that stands for the return to a position on the path: disproved, but for this path only.
pub const REPETITION: NodeIndex = 1;
/// Nodes that exist in every arena.
const RESERVED: u32 = 2;
/// No edge.
const NONE: u32 = u32::MAX;

/// The region the slabs are taken from. One search, one region; it is given back as a whole.
#[derive(Debug, Default)]
pub struct Region(Bump);

/// Slabs of records that are numbered through.
struct Slab<'a, T, const N: usize> {
    region: &'a Bump,
    chunks: Vec<&'a mut [T; N]>,
    len: u32,
}

/// Bytes of a slab, whatever its records: with one size the region never has to reserve more than is asked for.
const SLAB_BYTES: usize = 128 << 10;
/// What a slab takes from the region beyond its records: a page for the region's own header, and rounding.
const SLAB_OVERHEAD: usize = 8 << 10;
const NODES_PER_SLAB: usize = SLAB_BYTES / size_of::<Node>();
const EDGES_PER_SLAB: usize = SLAB_BYTES / size_of::<Edge>();

impl<'a, T: Copy, const N: usize> Slab<'a, T, N> {
    fn new(region: &'a Bump) -> Slab<'a, T, N> {
        Slab { region, chunks: Vec::new(), len: 0 }
    }

    fn room(&self) -> usize {
        self.chunks.len() * N - self.len as usize
    }

    /// Adds a slab, or says that the allocator has none to give. `filler` is only there to be overwritten.
    fn grow(&mut self, filler: T) -> bool {
        // The region would rather double what it has; the limit makes it take one slab and no more.
        let now = self.region.allocated_bytes();
        self.region.set_allocation_limit(Some(now + SLAB_BYTES + SLAB_OVERHEAD));
        let slab = self.region.try_alloc_slice_fill_copy(N, filler).ok();
        match slab.and_then(|records| <&mut [T; N]>::try_from(records).ok()) {
            Some(chunk) => {
                self.chunks.push(chunk);
                true
            }
            None => false,
        }
    }

    /// There must be room.
    #[inline]
    fn push(&mut self, record: T) -> u32 {
        let number = self.len;
        self.chunks[number as usize / N][number as usize % N] = record;
        self.len += 1;
        number
    }

    #[inline]
    fn get(&self, number: u32) -> &T {
        &self.chunks[number as usize / N][number as usize % N]
    }

    #[inline]
    fn get_mut(&mut self, number: u32) -> &mut T {
        &mut self.chunks[number as usize / N][number as usize % N]
    }
}

/// The graph of one search.
pub struct Arena<'a> {
    nodes: Slab<'a, Node, NODES_PER_SLAB>,
    edges: Slab<'a, Edge, EDGES_PER_SLAB>,
    index: Option<HashTable<NodeIndex>>,
    region: &'a Bump,
    usable: usize,
}

impl<'a> Arena<'a> {
    /// An empty graph in a fresh region, which may grow to `bytes`. With `indexed`, nodes can be found by key.
    pub fn new(region: &'a Region, bytes: usize, indexed: bool) -> Arena<'a> {
        let Region(bump) = region;
        Arena {
            nodes: Slab::new(bump),
            edges: Slab::new(bump),
            index: indexed.then(HashTable::new),
            region: bump,
            usable: bytes - bytes / 16,
        }
    }

    /// Makes sure that `n` more nodes and edges fit; `false` if the memory given does not allow it.
    pub fn make_room(&mut self, n: usize) -> bool {
        while self.nodes.room() < n + RESERVED as usize {
            if !self.may_take(SLAB_BYTES + SLAB_OVERHEAD) || !self.nodes.grow(Node::new_filler()) {
                return false;
            }
        }
        // A child that is mated in one brings an edge of its own.
        while self.edges.room() < 2 * n {
            if !self.may_take(SLAB_BYTES + SLAB_OVERHEAD) || !self.edges.grow(Edge::new_filler()) {
                return false;
            }
        }
        if self.nodes.len == 0 {
            self.push_reserved();
        }
        self.make_room_in_index(n)
    }

    fn push_reserved(&mut self) {
        self.nodes.push(Node::new(NodeKind::And, 0, ProofNumbers::PROVED, 0));
        let mut repetition = Node::new(NodeKind::And, 0, ProofNumbers::DISPROVED, 0);
        repetition.taint();
        self.nodes.push(repetition);
    }

    fn make_room_in_index(&mut self, n: usize) -> bool {
        let Some(index) = &self.index else { return true };
        if index.capacity() - index.len() >= n {
            return true;
        }
        // A full table doubles; while its entries move, the old one is still there.
        let doubled = (2 * index.allocation_size()).max(16 * n);
        if !self.may_take(doubled) {
            return false;
        }
        let nodes = &self.nodes;
        self.index.as_mut().is_none_or(|index| index.try_reserve(n, |&id| nodes.get(id).key).is_ok())
    }

    fn may_take(&self, bytes: usize) -> bool {
        self.bytes() + bytes <= self.usable
    }

    /// The bytes taken so far.
    pub fn bytes(&self) -> usize {
        let tables = (self.nodes.chunks.capacity() + self.edges.chunks.capacity()) * size_of::<usize>();
        let index = self.index.as_ref().map_or(0, HashTable::allocation_size);
        self.region.allocated_bytes_including_metadata() + tables + index
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len.saturating_sub(RESERVED) as usize
    }

    /// Whether there is no node yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all nodes and keeps the slabs for new ones.
    pub fn clear(&mut self) {
        self.nodes.len = self.nodes.len.min(RESERVED);
        self.edges.len = 0;
        if let Some(index) = &mut self.index {
            index.clear();
        }
    }

    /// A node.
    #[inline]
    pub fn node(&self, id: NodeIndex) -> &Node {
        self.nodes.get(id)
    }

    /// A node, to be changed.
    #[inline]
    pub fn node_mut(&mut self, id: NodeIndex) -> &mut Node {
        self.nodes.get_mut(id)
    }

    /// Adds a node ([`Arena::make_room`] first), findable by its key if the arena is indexed.
    #[inline]
    pub fn add(&mut self, node: Node) -> NodeIndex {
        let id = self.nodes.push(node);
        let nodes = &self.nodes;
        if let Some(index) = &mut self.index {
            index.insert_unique(node.key, id, |&id| nodes.get(id).key);
        }
        id
    }

    /// The node with this key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<NodeIndex> {
        self.index.as_ref()?.find(key, |&id| self.nodes.get(id).key == key).copied()
    }

    /// Gives a node another key, under which it is found from now on instead of any node that had it. Where the index
    /// has no room left the node keeps the key it has.
    pub fn rekey(&mut self, id: NodeIndex, key: u64) {
        let nodes = &mut self.nodes;
        let Some(index) = &mut self.index else {
            nodes.get_mut(id).key = key;
            return;
        };
        if let Some(entry) = index.find_mut(key, |&other| nodes.get(other).key == key) {
            *entry = id;
        } else if index.len() < index.capacity() {
            index.insert_unique(key, id, |&id| nodes.get(id).key);
        } else {
            return;
        }
        // The entry under the old key stays behind; it compares keys, so it finds nothing any more.
        nodes.get_mut(id).key = key;
    }

    /// Gives a leaf its edges ([`Arena::make_room`] first).
    pub fn expand(&mut self, id: NodeIndex, moves: impl Iterator<Item = (Move, NodeIndex)>) {
        let first = self.edges.len;
        for (played, child) in moves {
            let to = self.nodes.get_mut(child);
            let next_parent = to.parents;
            let edge = self.edges.push(Edge { child, parent: id, next_parent, played });
            // The nodes that stand for mates and repetitions never change, so nobody asks for their parents.
            if child >= RESERVED {
                to.parents = edge;
            }
        }
        let node = self.nodes.get_mut(id);
        node.edges = first;
        node.count = (self.edges.len - first) as u16;
        node.set(Node::EXPANDED, true);
    }

    /// A node's edges.
    #[inline]
    pub fn edges(&self, id: NodeIndex) -> impl ExactSizeIterator<Item = &Edge> {
        self.nodes.get(id).block().map(|edge| self.edges.get(edge))
    }

    /// The edge to the most-proving child, or to the child that proves the node.
    #[inline]
    pub fn best_edge(&self, id: NodeIndex) -> &Edge {
        let node = self.nodes.get(id);
        self.edges.get(node.edges + u32::from(node.best))
    }

    /// Makes the best edge lead to the node that stands for a repetition.
    pub fn cut_best_edge(&mut self, id: NodeIndex) {
        let node = self.nodes.get(id);
        let edge = node.edges + u32::from(node.best);
        self.edges.get_mut(edge).child = REPETITION;
    }

    /// The first of the edges that lead to a node. An edge that was cut is still among them.
    #[inline]
    pub fn first_parent(&self, id: NodeIndex) -> Option<&Edge> {
        self.parent_edge(self.nodes.get(id).parents)
    }

    /// The edge that leads to the same node after this one.
    #[inline]
    pub fn next_parent(&self, edge: &Edge) -> Option<&Edge> {
        self.parent_edge(edge.next_parent)
    }

    #[inline]
    fn parent_edge(&self, number: u32) -> Option<&Edge> {
        (number != NONE).then(|| self.edges.get(number))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;

    #[test]
    fn records_are_as_small_as_stated() {
        assert_eq!((size_of::<Node>(), size_of::<Edge>()), (32, 16));
    }

    fn leaf(key: u64) -> Node {
        Node::new(NodeKind::Or, key, ProofNumbers::leaf(NodeKind::Or, 3, 0), 0)
    }

    #[test]
    fn the_cap_holds_and_is_nearly_used() {
        for indexed in [false, true] {
            for cap in [0, 1 << 18, 1 << 20, 5_000_000] {
                let region = Region::default();
                let mut arena = Arena::new(&region, cap, indexed);
                let mut key = 1_u64;
                while arena.make_room(1) {
                    let id = arena.add(leaf(key));
                    arena.expand(id, std::iter::empty());
                    key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
                    assert!(arena.bytes() <= cap, "{} of {cap} bytes", arena.bytes());
                }
                if cap >= 1 << 20 {
                    assert!(arena.len() * 100 > cap / 2, "{} nodes in {cap} bytes", arena.len());
                }
            }
        }
    }

    #[test]
    fn nodes_are_found_by_key_and_know_their_parents() {
        let region = Region::default();
        let mut arena = Arena::new(&region, 1 << 20, true);
        assert!(arena.make_room(10));
        let (a, b, c) = (arena.add(leaf(7)), arena.add(leaf(8)), arena.add(leaf(9)));
        let m = Move::normal(Square::A1, Square::A2, Role::Rook, None, None);
        arena.expand(a, [(m, c), (m, MATE)].into_iter());
        arena.expand(b, [(m, c)].into_iter());
        let first = arena.first_parent(c).unwrap();
        let second = arena.next_parent(first).unwrap();
        assert_eq!((first.parent, second.parent), (b, a));
        assert!(arena.next_parent(second).is_none());
        assert_eq!(arena.edges(a).map(|edge| edge.child).collect::<Vec<_>>(), [c, MATE]);
        assert_eq!((arena.find(8), arena.find(10)), (Some(b), None));
        arena.rekey(b, 10);
        assert_eq!((arena.find(8), arena.find(10)), (None, Some(b)));
    }
}
