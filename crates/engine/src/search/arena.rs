//! The memory of a search that keeps its whole graph: slabs of records, and an index that finds a node by its key.
//!
//! Such a search may continue at any leaf. Nodes and edges are records of a fixed size in
//! slabs of some 128 KB, with indices of 32 bits: half the size of pointers, and valid when the records move. The edges
//! of a node lie side by side. What the records hold is the engine's business (`pn::store`, `bstar::graph`).
//!
//! ```text
//!   nodes  │ A │ B │ C │ …
//!   edges  │ A→B │ A→C │ … │ B→C │ …
//!   index  │ half a key, node │           at most three of four entries are used
//! ```
//!
//! The slabs of the engine `pn` come from one `bumpalo` region and are freed as a whole. Those of a graph that goes on
//! in the next call, as in `bstar` and in the race, come from the heap.

use std::fmt;
use std::ops::DerefMut;

use bumpalo::Bump;

use super::{Interrupted, StopReason};

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

/// Finds nodes by key: a table of 64-bit entries, each with half of a key and a node.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) entries: Vec<u64>,
    len: usize,
}

impl Index {
    /// The entries of the first table.
    const SMALLEST: usize = 1 << 10;

    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<u64>()
    }

    pub fn bytes_of_twice_the_size(&self) -> usize {
        (2 * self.entries.len()).max(Index::SMALLEST) * size_of::<u64>()
    }

    /// Returns whether there is room for `n` more entries.
    #[inline]
    pub fn has_room(&self, n: usize) -> bool {
        (self.len + n) * 4 <= self.entries.len() * 3
    }

    /// Loads the entries of these keys into the processor's cache. Loads that do not wait for one another take little
    /// more time together than one.
    #[inline]
    pub fn fetch(&self, keys: &[u64]) {
        if let Some(mask) = self.entries.len().checked_sub(1) {
            std::hint::black_box(keys.iter().fold(0, |all, &key| all ^ self.entries[key as usize & mask]));
        }
    }

    #[inline]
    pub fn find(&self, key: u64, key_of: impl Fn(u32) -> u64) -> Option<u32> {
        let mask = self.entries.len().checked_sub(1)?;
        let mut at = key as usize & mask;
        loop {
            let entry = self.entries[at];
            if entry == 0 {
                return None;
            }
            if entry >> 32 == key >> 32 && key_of(entry as u32) == key {
                return Some(entry as u32);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds an entry; there must be room.
    #[inline]
    pub fn insert(&mut self, key: u64, id: u32) {
        let mask = self.entries.len() - 1;
        let mut at = key as usize & mask;
        while self.entries[at] != 0 {
            at = (at + 1) & mask;
        }
        self.entries[at] = key >> 32 << 32 | u64::from(id);
        self.len += 1;
    }

    pub fn replace_or_insert(&mut self, key: u64, id: u32, key_of: impl Fn(u32) -> u64) {
        let mask = self.entries.len() - 1;
        let mut at = key as usize & mask;
        while self.entries[at] != 0 {
            if self.entries[at] >> 32 == key >> 32 && key_of(self.entries[at] as u32) == key {
                self.entries[at] = key >> 32 << 32 | u64::from(id);
                return;
            }
            at = (at + 1) & mask;
        }
        self.entries[at] = key >> 32 << 32 | u64::from(id);
        self.len += 1;
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.fill(0);
        self.len = 0;
    }

    /// Doubles the table.
    #[cold]
    pub fn grow(&mut self, key_of: impl Fn(u32) -> u64) -> Result<(), Interrupted> {
        let size = self.bytes_of_twice_the_size() / size_of::<u64>();
        let mut entries = Vec::new();
        entries.try_reserve_exact(size).map_err(|_| StopReason::Memory)?;
        entries.resize(size, 0);
        let old = std::mem::replace(self, Index { entries, len: 0 });
        for &entry in old.entries.iter().filter(|entry| **entry != 0) {
            let key = key_of(entry as u32);
            // An entry under a key that its node no longer has is not found again.
            if key >> 32 == entry >> 32 {
                self.insert(key, entry as u32);
            }
        }
        Ok(())
    }
}

/// The index of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(pub u32);

/// A node of a graph.
pub(crate) trait NodeRecord: Copy + 'static {
    /// The first index of a node; the smaller ones have other meanings.
    const FIRST: u32;
    /// Returns the record in the place of an unused node.
    fn filler() -> Self;
    /// Returns the key that the index finds the node by.
    fn key(&self) -> u64;
    fn set_key(&mut self, key: u64);
}

/// Nodes, edges and index in a limited memory. When it is full, what needs more fails and the graph stays valid.
pub(crate) struct Graph<S: SlabSource, N: NodeRecord, E: Copy + 'static> {
    pub nodes: SlabList<S, N, NODES_PER_SLAB>,
    pub edges: SlabList<S, E, EDGES_PER_SLAB>,
    pub index: Index,
    source: S,
    /// The record in the place of an unused edge.
    filler: E,
    /// The bytes that the graph may take.
    usable: usize,
}

impl<S: SlabSource, N: NodeRecord, E: Copy + 'static> fmt::Debug for Graph<S, N, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes", self.nodes.len)
    }
}

impl<S: SlabSource, N: NodeRecord, E: Copy + 'static> Graph<S, N, E> {
    /// One more than the largest index of a node: `pn::fold` needs a bit.
    const LIMIT: u32 = 1 << 31;

    /// Returns an empty graph that takes at most `usable` bytes from an unused source.
    pub fn with_bytes(source: S, usable: usize, filler: E) -> Graph<S, N, E> {
        Graph { nodes: SlabList::new(), edges: SlabList::new(), index: Index::default(), source, filler, usable }
    }

    /// Returns the bytes taken so far.
    pub fn bytes(&self) -> usize {
        let lists = (self.nodes.slabs.capacity() + self.edges.slabs.capacity()) * size_of::<usize>();
        self.source.bytes(self.nodes.bytes() + self.edges.bytes()) + lists + self.index.bytes()
    }

    /// Makes room for this number of nodes and edges more.
    #[inline]
    pub fn make_room(&mut self, nodes: usize, edges: usize) -> Result<(), Interrupted> {
        while self.nodes.room() < nodes || self.edges.room() < edges || !self.index.has_room(nodes) {
            self.grow(nodes, edges)?;
        }
        Ok(())
    }

    /// Adds a slab, or doubles the index, where there is too little room.
    #[cold]
    fn grow(&mut self, nodes: usize, edges: usize) -> Result<(), Interrupted> {
        let (node, edge) = (self.nodes.room() < nodes, self.edges.room() < edges);
        let bytes = match () {
            () if node => SlabList::<S, N, NODES_PER_SLAB>::GROWTH,
            () if edge => SlabList::<S, E, EDGES_PER_SLAB>::GROWTH,
            () => self.index.bytes_of_twice_the_size(),
        };
        let nodes = &self.nodes;
        if self.bytes() + bytes > self.usable || self.nodes.len >= Self::LIMIT - NODES_PER_SLAB as u32 {
            return Err(StopReason::Memory);
        }
        let has_grown = match () {
            () if node => self.nodes.grow(&self.source, N::filler()),
            () if edge => self.edges.grow(&self.source, self.filler),
            () => self.index.grow(|id| nodes.get(id).key()).is_ok(),
        };
        while self.nodes.len < N::FIRST && self.nodes.room() > 0 {
            self.nodes.push(N::filler());
        }
        if has_grown { Ok(()) } else { Err(StopReason::Memory) }
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
        self.index.find(key, |id| self.nodes.get(id).key()).map(NodeId)
    }

    /// Adds a node, also to the index.
    pub fn add(&mut self, node: N) -> Result<NodeId, Interrupted> {
        self.make_room(1, 0)?;
        let id = self.nodes.push(node);
        self.index.insert(node.key(), id);
        Ok(NodeId(id))
    }

    /// Gives a node another key. The index then finds this node under the key, and not a node that had the key before.
    pub fn rekey(&mut self, id: NodeId, key: u64) -> Result<(), Interrupted> {
        self.make_room(1, 0)?;
        let nodes = &self.nodes;
        self.index.replace_or_insert(key, id.0, |id| nodes.get(id).key());
        self.nodes.get_mut(id.0).set_key(key);
        Ok(())
    }
}
