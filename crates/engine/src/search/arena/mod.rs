//! The memory of best-first search: a graph of nodes and edges, with an index by position.
//!
//! A best-first search may continue at any leaf, so it keeps its whole graph in memory. The graph lives in slabs of
//! fixed size: those of the engine `pn` come from one `bumpalo` region; those of a graph that goes on in the next call, as in
//! `bstar` and in the race, from the heap. The graph of `pn` has nodes and edges of its own (`pn::store`); the ones described here are
//! those of `bstar`. Nodes and edges have 32-bit indices: half the size of pointers, and valid when the records move.
//!
//! ```text
//!   nodes  │ 0 mate │ A │ B │ C │ D │ …                          40 bytes each
//!                     │       ▲ parents
//!               edges │       │ (list through the edges)
//!                     ▼       │
//!   edges  │ … │ A→B │ A→C │ A→D │ … │ B→C │ …                   16 bytes each; a node's edges are contiguous
//!   index  │ key → node │                                       5 bytes a bucket, at most 7 of 8 used
//! ```
//!
//! An engine brings its own [`Numbers`] for the nodes. A node with one parent takes 40 bytes, its edge 16 and its index
//! entry 6 to 11.
//!
//! The arena never takes more than the number of bytes given. This includes slab headers and the moment at which the
//! index grows and both its tables exist. A sixteenth is kept back for the path, the queue, the marking stack and the
//! final proof. When the next nodes do not fit, [`Arena::make_room`] returns `false` and the graph stays valid.
//!
//! A single node cannot be freed. [`Arena::collect`] frees all nodes that no longer matter and moves the rest together,
//! which changes the indices. Slabs are returned only with the whole graph.

mod collect;
mod node;

use std::fmt;
use std::ops::DerefMut;

use bumpalo::Bump;
use hashbrown::HashTable;

use crate::chess::{MateLength, Move, NodeKind};

use super::horizon::Horizon;

use node::ParentLink;
pub(crate) use node::{Edge, MATE, Node, NodeIndex, Numbers};

/// The place from which the slabs of a graph are taken.
pub(crate) trait SlabSource {
    /// `N` records.
    type Slab<T: Copy + 'static, const N: usize>: DerefMut<Target = [T; N]>;

    /// Returns a slab filled with `filler`; `None` if the allocator fails.
    fn slab<T: Copy + 'static, const N: usize>(&self, filler: T) -> Option<Self::Slab<T, N>>;

    /// Returns the bytes taken for slabs of this size together.
    fn bytes(&self, slabs: usize) -> usize;
}

/// A memory region for the slabs of one graph, which are freed as a whole. All slabs have the same size.
#[derive(Debug, Default)]
pub(crate) struct Region(Bump);

impl<'a> SlabSource for &'a Region {
    type Slab<T: Copy + 'static, const N: usize> = &'a mut [T; N];

    fn slab<T: Copy + 'static, const N: usize>(&self, filler: T) -> Option<&'a mut [T; N]> {
        let Region(bump) = self;
        // Without a limit the region would double its size. The limit makes it allocate a single slab.
        bump.set_allocation_limit(Some(bump.allocated_bytes() + N * size_of::<T>() + SLAB_OVERHEAD));
        <&mut [T; N]>::try_from(bump.try_alloc_slice_fill_copy(N, filler).ok()?).ok()
    }

    fn bytes(&self, _: usize) -> usize {
        self.0.allocated_bytes_including_metadata()
    }
}

/// The program's heap, for graphs that outlive the search that makes them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Heap;

impl SlabSource for Heap {
    type Slab<T: Copy + 'static, const N: usize> = Box<[T; N]>;

    fn slab<T: Copy + 'static, const N: usize>(&self, filler: T) -> Option<Box<[T; N]>> {
        let mut records = Vec::new();
        records.try_reserve_exact(N).ok()?;
        records.resize(N, filler);
        records.try_into().ok()
    }

    fn bytes(&self, slabs: usize) -> usize {
        slabs
    }
}

/// A growing list of records in slabs of `N` records each.
pub(crate) struct SlabList<S: SlabSource, T: Copy + 'static, const N: usize> {
    pub(crate) slabs: Vec<S::Slab<T, N>>,
    /// The number of records in use.
    pub(crate) len: u32,
}

/// The bytes that a slab takes beside its records: a page for the header of its region, and rounding.
const SLAB_OVERHEAD: usize = 8 << 10;
/// The records of a slab. Those of `pn` have the same size in bytes, as a [`Region`] wants it.
pub(crate) const NODES_PER_SLAB: usize = 4 << 10;
pub(crate) const EDGES_PER_SLAB: usize = 8 << 10;

impl<S: SlabSource, T: Copy + 'static, const N: usize> SlabList<S, T, N> {
    /// The bytes of one more slab, at most.
    pub(crate) const GROWTH: usize = N * size_of::<T>() + SLAB_OVERHEAD;

    pub(crate) fn new() -> Self {
        SlabList { slabs: Vec::new(), len: 0 }
    }

    /// Returns the number of unused records.
    pub(crate) fn room(&self) -> usize {
        self.slabs.len() * N - self.len as usize
    }

    /// Returns the bytes of all records.
    pub(crate) fn bytes(&self) -> usize {
        self.slabs.len() * N * size_of::<T>()
    }

    /// Adds a slab of unused records, which are filled with `filler`. Returns `false` if the allocator fails.
    pub(crate) fn grow(&mut self, source: &S, filler: T) -> bool {
        let slab = source.slab(filler);
        let has_grown = slab.is_some();
        self.slabs.extend(slab);
        has_grown
    }

    /// Appends a record and returns its index. There must be room.
    #[inline]
    pub(crate) fn push(&mut self, record: T) -> u32 {
        let index = self.len;
        self.slabs[index as usize / N][index as usize % N] = record;
        self.len += 1;
        index
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> &T {
        &self.slabs[index as usize / N][index as usize % N]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: u32) -> &mut T {
        &mut self.slabs[index as usize / N][index as usize % N]
    }
}

/// The graph of one best-first search: its nodes, its edges and an index by key.
pub(crate) struct Arena<S: SlabSource, V: Numbers> {
    nodes: SlabList<S, Node<V>, NODES_PER_SLAB>,
    edges: SlabList<S, Edge, EDGES_PER_SLAB>,
    /// Finds nodes by key.
    index: HashTable<NodeIndex>,
    source: S,
    /// The bytes that the graph may take.
    usable: usize,
}

impl<S: SlabSource, V: Numbers> fmt::Debug for Arena<S, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes", self.len())
    }
}

impl<S: SlabSource, V: Numbers> Arena<S, V> {
    /// Creates an empty graph whose slabs come from an unused source. It may grow to `bytes`.
    pub fn new(source: S, bytes: usize) -> Arena<S, V> {
        let (nodes, edges) = (SlabList::new(), SlabList::new());
        Arena { nodes, edges, index: HashTable::new(), source, usable: bytes - bytes / 16 }
    }

    /// Makes room for `n` more nodes and their edges. Returns `false` if the memory given is too small for them.
    pub fn make_room(&mut self, n: usize) -> bool {
        while self.nodes.room() < n + 1 {
            let growth = SlabList::<S, Node<V>, NODES_PER_SLAB>::GROWTH;
            if !self.may_take(growth) || !self.nodes.grow(&self.source, Node::new_filler()) {
                return false;
            }
        }
        // A child with a mate in one gets an edge of its own.
        while self.edges.room() < 2 * n {
            let growth = SlabList::<S, Edge, EDGES_PER_SLAB>::GROWTH;
            if !self.may_take(growth) || !self.edges.grow(&self.source, Edge::new_filler()) {
                return false;
            }
        }
        if self.nodes.len == 0 {
            self.nodes.push(Node::new(NodeKind::And, 0, V::MATE, Horizon::within(MateLength(0))));
        }
        self.make_room_in_index(n)
    }

    fn make_room_in_index(&mut self, n: usize) -> bool {
        let index = &self.index;
        if index.capacity() - index.len() >= n {
            return true;
        }
        // A full table doubles its size, and the old table exists until all entries have moved.
        let doubled = (2 * index.allocation_size()).max(16 * n);
        if !self.may_take(doubled) {
            return false;
        }
        let nodes = &self.nodes;
        self.index.try_reserve(n, |&id| nodes.get(id.0).key).is_ok()
    }

    fn may_take(&self, bytes: usize) -> bool {
        self.bytes() + bytes <= self.usable
    }

    /// Returns the bytes taken so far.
    pub fn bytes(&self) -> usize {
        let tables = (self.nodes.slabs.capacity() + self.edges.slabs.capacity()) * size_of::<usize>();
        self.source.bytes(self.nodes.bytes() + self.edges.bytes()) + tables + self.index.allocation_size()
    }

    /// Returns the number of nodes, not counting [`MATE`].
    pub fn len(&self) -> usize {
        self.nodes.len.saturating_sub(1) as usize
    }

    /// Returns the indices of all nodes but [`MATE`].
    pub fn indices(&self) -> impl Iterator<Item = NodeIndex> + use<S, V> {
        (1..self.nodes.len).map(NodeIndex)
    }

    /// Returns a node.
    #[inline]
    pub fn node(&self, id: NodeIndex) -> &Node<V> {
        self.nodes.get(id.0)
    }

    /// Returns a node for changing it.
    #[inline]
    pub fn node_mut(&mut self, id: NodeIndex) -> &mut Node<V> {
        self.nodes.get_mut(id.0)
    }

    /// Adds a node, also to the index if there is one. [`Arena::make_room`] must have made room for it.
    #[inline]
    pub fn add(&mut self, node: Node<V>) -> NodeIndex {
        let id = NodeIndex(self.nodes.push(node));
        let nodes = &self.nodes;
        self.index.insert_unique(node.key, id, |&id| nodes.get(id.0).key);
        id
    }

    /// Returns the node with this key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<NodeIndex> {
        self.index.find(key, |&id| self.nodes.get(id.0).key == key).copied()
    }

    /// Gives a node another key. The index then finds this node under the key, and not a node that had the key before.
    /// If the index is full, the node keeps its old key.
    pub fn rekey(&mut self, id: NodeIndex, key: u64) {
        let (nodes, index) = (&mut self.nodes, &mut self.index);
        if let Some(entry) = index.find_mut(key, |&other| nodes.get(other.0).key == key) {
            *entry = id;
        } else if index.len() < index.capacity() {
            index.insert_unique(key, id, |&id| nodes.get(id.0).key);
        } else {
            return;
        }
        // The entry under the old key stays in the index. A lookup compares keys, so it never matches.
        nodes.get_mut(id.0).key = key;
    }

    /// Gives a leaf its edges. [`Arena::make_room`] must have made room for them.
    pub fn expand(&mut self, id: NodeIndex, moves: impl IntoIterator<Item = (Move, NodeIndex)>) {
        let first = self.edges.len;
        for (played, child) in moves {
            let to = self.nodes.get_mut(child.0);
            let next_parent = to.parents;
            let edge = self.edges.push(Edge::new(child, id, next_parent, played));
            // Mate never changes, so its list of parents is never used.
            if child != MATE {
                to.parents = ParentLink::to(edge);
            }
        }
        let node = self.nodes.get_mut(id.0);
        node.edges = first;
        node.count = (self.edges.len - first) as u16;
        node.set(Node::<V>::EXPANDED, true);
    }

    /// Returns a node's edges.
    #[inline]
    pub fn edges(&self, id: NodeIndex) -> impl ExactSizeIterator<Item = &Edge> {
        self.nodes.get(id.0).edge_range().map(|edge| self.edges.get(edge))
    }

    /// Returns the edge to the most-proving child or, at a proved node, to the child that proves it.
    #[inline]
    pub fn best_edge(&self, id: NodeIndex) -> &Edge {
        let node = self.nodes.get(id.0);
        self.edges.get(node.edges + u32::from(node.best))
    }

    /// Cuts the edge of a node with this number, or opens it. Only [`Edge::is_cut`] tells the difference.
    pub fn set_cut(&mut self, id: NodeIndex, offset: u16, cut: bool) {
        let edge = self.nodes.get(id.0).edges + u32::from(offset);
        self.edges.get_mut(edge).set_cut(cut);
    }

    /// Returns the first edge in the list of those that lead to a node. Edges changed by [`Arena::replace_best_edge`]
    /// stay in it.
    #[inline]
    pub fn first_parent(&self, id: NodeIndex) -> Option<&Edge> {
        self.parent_edge(self.nodes.get(id.0).parents)
    }

    /// Returns the edge after this one in the list of those that lead to the same node.
    #[inline]
    pub fn next_parent(&self, edge: &Edge) -> Option<&Edge> {
        self.parent_edge(edge.next_parent)
    }

    #[inline]
    fn parent_edge(&self, link: ParentLink) -> Option<&Edge> {
        link.edge().map(|edge| self.edges.get(edge))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;
    use crate::search::numbers::ProofNumbers;

    #[test]
    fn nodes_take_32_bytes_and_edges_16() {
        assert_eq!((size_of::<Node<ProofNumbers>>(), size_of::<Edge>()), (32, 16));
    }

    fn leaf(key: u64) -> Node<ProofNumbers> {
        Node::new(NodeKind::Or, key, ProofNumbers::leaf(NodeKind::Or, 3), Horizon::NONE)
    }

    #[test]
    fn the_graph_uses_most_of_its_memory_and_never_more() {
        for cap in [0, 1 << 18, 1 << 20, 5_000_000] {
            let region = Region::default();
            let mut arena = Arena::new(&region, cap);
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

    #[test]
    fn a_node_is_found_by_its_key_and_lists_its_parents() {
        let region = Region::default();
        let mut arena = Arena::new(&region, 1 << 20);
        assert!(arena.make_room(10));
        let (a, b, c) = (arena.add(leaf(7)), arena.add(leaf(8)), arena.add(leaf(9)));
        let m = Move::normal(Square::A1, Square::A2, Role::Rook, None, None);
        arena.expand(a, [(m, c), (m, MATE)]);
        arena.expand(b, [(m, c)]);
        let first = arena.first_parent(c).unwrap();
        let second = arena.next_parent(first).unwrap();
        assert_eq!((first.parent, second.parent), (b, a));
        assert!(arena.next_parent(second).is_none());
        assert_eq!(arena.edges(a).map(Edge::child).collect::<Vec<_>>(), [c, MATE]);
        assert_eq!((arena.find(8), arena.find(10)), (Some(b), None));
        arena.rekey(b, 10);
        assert_eq!((arena.find(8), arena.find(10)), (None, Some(b)));
    }
}
