//! The memory of a search on a graph: slabs of records, and an index that finds a node by its key.
//!
//! Nodes and edges are records of a fixed size, with indices of 32 bits: half the size of pointers. The edges of a node
//! lie side by side. What the records hold is the engine's business (`pn::store`, `bstar::graph`).
//!
//! ```text
//!   nodes  │ A │ B │ C │ …
//!   edges  │ A→B │ A→C │ … │ B→C │ …
//!   index  │ A │ – │ C │ B │ …              a hash table of nodes, compared by their keys
//! ```
//!
//! A graph borrows its slabs from a [`Region`], which serves one thread. The region outlives the engine, and can be
//! reset for the next problem.

use std::fmt;

use bumpalo::Bump;
use hashbrown::HashTable;

use super::{Interrupted, StopReason};

/// A memory region, from which graphs borrow their slabs.
#[derive(Debug, Default)]
pub struct Region(Bump);

impl Region {
    /// The most memory that a region keeps when it is reset, in bytes: as much as the graph of a short problem takes.
    /// Keeping more would take memory from the check of the proof. Doubled, idle memory grows; halved, such a graph
    /// takes its slabs from the system again.
    const KEPT: usize = 16 << 20;

    /// Takes back what was lent. A small region keeps its memory, in one chunk.
    pub fn reset(&mut self) {
        let used = self.0.allocated_bytes();
        self.0.set_allocation_limit(None);
        // Of several chunks only the last one stays.
        self.0.reset();
        if used > Region::KEPT {
            self.0 = Bump::new();
        } else if self.0.allocated_bytes() < used {
            self.0 = Bump::new();
            self.0 = Bump::try_with_capacity(used).unwrap_or_default();
        }
    }

    /// Lends a slab of `N` records that are filled with `filler`; `None` if the allocator fails.
    fn slab<T: Copy, const N: usize>(&self, filler: T) -> Option<&mut [T; N]> {
        let bytes = N * size_of::<T>();
        // Without a limit the region would double its size. The limit makes it allocate a single slab, or two where its
        // chunks have other sizes.
        let within = |slabs: usize| {
            self.0.set_allocation_limit(Some(self.0.allocated_bytes() + slabs * bytes + SLAB_OVERHEAD));
            self.0.try_alloc_slice_fill_copy(N, filler).ok()
        };
        within(1).or_else(|| within(2))?.try_into().ok()
    }
}

/// A growing list of records in slabs of `N` records each.
pub(crate) struct SlabList<'r, T: Copy, const N: usize> {
    slabs: Vec<&'r mut [T; N]>,
    /// The number of records in use.
    pub(crate) len: u32,
}

/// The bytes that a slab takes beside its records: a page for the header of its chunk, and rounding.
const SLAB_OVERHEAD: usize = 8 << 10;
/// The records of a slab. Those of `pn` have the same size in bytes. Twice as many leave more of the last slab unused,
/// half as many take more allocations.
pub(crate) const NODES_PER_SLAB: usize = 4 << 10;
pub(crate) const EDGES_PER_SLAB: usize = 8 << 10;

impl<'r, T: Copy, const N: usize> SlabList<'r, T, N> {
    /// The bytes of a slab, at most.
    const SLAB: usize = N * size_of::<T>() + SLAB_OVERHEAD;

    fn new() -> Self {
        SlabList { slabs: Vec::new(), len: 0 }
    }

    /// Returns the number of unused records.
    fn room(&self) -> usize {
        self.slabs.len() * N - self.len as usize
    }

    /// Returns the bytes of all slabs.
    fn bytes(&self) -> usize {
        self.slabs.len() * Self::SLAB + self.slabs.capacity() * size_of::<usize>()
    }

    /// Adds a slab of unused records, which are filled with `filler`. Returns `false` if the allocator fails.
    fn grow(&mut self, region: &'r Region, filler: T) -> bool {
        let slab = region.slab(filler);
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

/// The index of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(pub u32);

/// A node of a graph.
pub(crate) trait NodeRecord: Copy {
    /// The first index of a node; the smaller ones have other meanings.
    const FIRST: u32;
    /// Returns the record in the place of an unused node.
    fn filler() -> Self;
    /// Returns the key that the index finds the node by.
    fn key(&self) -> u64;
    fn set_key(&mut self, key: u64);
}

/// Nodes, edges and index in a limited memory. When it is full, what needs more fails and the graph stays valid.
pub(crate) struct Graph<'r, N: NodeRecord, E: Copy> {
    pub nodes: SlabList<'r, N, NODES_PER_SLAB>,
    pub edges: SlabList<'r, E, EDGES_PER_SLAB>,
    index: HashTable<u32>,
    region: &'r Region,
    /// The record in the place of an unused edge.
    filler: E,
    /// The bytes that the graph may take.
    usable: usize,
}

impl<N: NodeRecord, E: Copy> fmt::Debug for Graph<'_, N, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes", self.nodes.len)
    }
}

impl<'r, N: NodeRecord, E: Copy> Graph<'r, N, E> {
    /// One more than the largest index of a node: `pn::fold` needs a bit.
    const LIMIT: u32 = 1 << 31;

    /// The entries of the first index. Doubled, a small graph clears more memory; halved, it grows once more.
    const SMALLEST_INDEX: usize = 1 << 10;

    /// Returns an empty graph that takes at most `usable` bytes. It keeps the slabs of the old one, also where they are
    /// more.
    pub fn begin(old: Option<Graph<'r, N, E>>, region: &'r Region, usable: usize, filler: E) -> Graph<'r, N, E> {
        let Some(mut graph) = old else {
            let (nodes, edges, index) = (SlabList::new(), SlabList::new(), HashTable::new());
            return Graph { nodes, edges, index, region, filler, usable };
        };
        (graph.nodes.len, graph.edges.len, graph.usable) = (0, 0, usable);
        graph.index.clear();
        graph.add_fillers();
        graph
    }

    /// Returns the bytes taken so far.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.edges.bytes() + self.index.allocation_size()
    }

    /// Returns the number of nodes that the index has room for.
    fn room_in_index(&self) -> usize {
        self.index.capacity() - self.index.len()
    }

    /// Makes room for this number of nodes and edges more.
    #[inline]
    pub fn make_room(&mut self, nodes: usize, edges: usize) -> Result<(), Interrupted> {
        while self.nodes.room() < nodes || self.edges.room() < edges || self.room_in_index() < nodes {
            self.grow(nodes, edges)?;
        }
        Ok(())
    }

    /// Adds a slab, or doubles the index, where there is too little room.
    #[cold]
    fn grow(&mut self, nodes: usize, edges: usize) -> Result<(), Interrupted> {
        let (node, edge) = (self.nodes.room() < nodes, self.edges.room() < edges);
        let bytes = match () {
            () if node => SlabList::<N, NODES_PER_SLAB>::SLAB,
            () if edge => SlabList::<E, EDGES_PER_SLAB>::SLAB,
            // Entry and control byte, with an eighth of the entries unused.
            () => (2 * self.index.allocation_size()).max(Self::SMALLEST_INDEX * 6),
        };
        if self.bytes() + bytes > self.usable || self.nodes.len >= Self::LIMIT - NODES_PER_SLAB as u32 {
            return Err(StopReason::Memory);
        }
        let has_grown = match () {
            () if node => self.nodes.grow(self.region, N::filler()),
            () if edge => self.edges.grow(self.region, self.filler),
            () => self.reserve_index((self.index.capacity() + 1).max(Self::SMALLEST_INDEX)).is_ok(),
        };
        self.add_fillers();
        if has_grown { Ok(()) } else { Err(StopReason::Memory) }
    }

    /// Fills the places of nodes with another meaning.
    fn add_fillers(&mut self) {
        while self.nodes.len < N::FIRST && self.nodes.room() > 0 {
            self.nodes.push(N::filler());
        }
    }

    /// Makes room for this number of nodes in the index.
    fn reserve_index(&mut self, entries: usize) -> Result<(), Interrupted> {
        let (nodes, more) = (&self.nodes, entries.saturating_sub(self.index.len()));
        self.index.try_reserve(more, |&id| nodes.get(id).key()).map_err(|_| StopReason::Memory)
    }

    /// Frees the index. Nothing is found until [`Graph::rebuild_index`].
    pub fn drop_index(&mut self) {
        self.index = HashTable::new();
    }

    /// Makes the index of all nodes anew.
    pub fn rebuild_index(&mut self) -> Result<(), Interrupted> {
        self.reserve_index(self.nodes.len as usize)?;
        let nodes = &self.nodes;
        for id in N::FIRST..nodes.len {
            self.index.insert_unique(nodes.get(id).key(), id, |&id| nodes.get(id).key());
        }
        Ok(())
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> &N {
        self.nodes.get(id.0)
    }

    #[inline]
    pub fn node_mut(&mut self, id: NodeId) -> &mut N {
        self.nodes.get_mut(id.0)
    }

    #[inline]
    pub fn edge(&self, at: u32) -> &E {
        self.edges.get(at)
    }

    #[inline]
    pub fn edge_mut(&mut self, at: u32) -> &mut E {
        self.edges.get_mut(at)
    }

    /// Returns the node with this key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<NodeId> {
        self.index.find(key, |&id| self.nodes.get(id).key() == key).map(|&id| NodeId(id))
    }

    /// Returns the node that stands for a position with this key and a horizon of this salt: that without a horizon if
    /// it serves, because its mate is proved and lies within the horizon, or the position's own.
    #[inline]
    pub fn standing_for(&self, key: u64, salt: u64, serves: impl FnOnce(&N) -> bool) -> Option<NodeId> {
        if salt != 0
            && let Some(id) = self.find(key)
            && serves(self.node(id))
        {
            return Some(id);
        }
        self.find(key ^ salt)
    }

    /// Adds a node, also to the index.
    pub fn add(&mut self, node: N) -> Result<NodeId, Interrupted> {
        self.make_room(1, 0)?;
        let id = self.nodes.push(node);
        let nodes = &self.nodes;
        self.index.insert_unique(node.key(), id, |&id| nodes.get(id).key());
        Ok(NodeId(id))
    }

    /// Gives a node another key. The index then finds this node under the key, and not a node that had the key before.
    pub fn rekey(&mut self, id: NodeId, key: u64) -> Result<(), Interrupted> {
        self.make_room(1, 0)?;
        let nodes = &self.nodes;
        if let Ok(entry) = self.index.find_entry(nodes.get(id.0).key(), |&other| other == id.0) {
            entry.remove();
        }
        match self.index.find_mut(key, |&other| nodes.get(other).key() == key) {
            Some(entry) => *entry = id.0,
            None => _ = self.index.insert_unique(key, id.0, |&id| nodes.get(id).key()),
        }
        self.nodes.get_mut(id.0).set_key(key);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_reset_to_one_chunk() {
        let mut region = Region::default();
        for slabs in [3, 7, 2] {
            let lent: Vec<_> = (0..slabs).map(|_| region.slab::<u64, NODES_PER_SLAB>(5).unwrap()).collect();
            assert!(lent.iter().all(|slab| slab.iter().all(|&record| record == 5)));
            let used = region.0.allocated_bytes();
            region.reset();
            assert!((used..used + SLAB_OVERHEAD).contains(&region.0.allocated_bytes()), "{used}");
            assert_eq!(region.0.iter_allocated_chunks().count(), 1);
        }
        for _ in 0..=Region::KEPT / (NODES_PER_SLAB * 8) {
            region.slab::<u64, NODES_PER_SLAB>(0).unwrap();
        }
        region.reset();
        assert_eq!(region.0.allocated_bytes(), 0, "a large region is freed");
    }
}
