//! The solutions as a graph: what follows a position that is reached on several ways is found and stored once.
//!
//! A node is a position with a number of half-moves left; its edges are the moves that lead to solutions, in the order
//! of the kernel. A problem with millions of solutions has few such positions, because moves can be exchanged. As in
//! the table of dead positions, a node is found again by the **whole** position and no key of it, and what follows a
//! position does not depend on the way to it.
//!
//! Each thread adds to a graph of its own, and all find the positions of all: an edge may lead into another graph.

use std::ops::ControlFlow::{self, Continue};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;

use crate::chess::MoveCode;

use super::dead::Exact;

/// A node: the number of its graph, and its place there.
pub type Node = (u16, u32);

/// A node and the number of lines from it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solutions {
    pub node: Node,
    pub lines: usize,
}

/// A move that leads to solutions, and what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    code: u16,
    graph: u16,
    /// [`END`]: the goal.
    place: u32,
}

const END: u32 = u32::MAX;

/// The memory, in bytes, within which the numbers of nodes and edges fit into 32 bits.
pub(super) const MOST_BYTES: usize = size_of::<Edge>().saturating_mul(END as usize) / 2;

impl Edge {
    /// A move after which the node follows; `None`: the last half-move.
    pub(super) fn new(code: MoveCode, then: Option<Node>) -> Edge {
        let (graph, place) = then.unwrap_or((0, END));
        Edge { code: MoveCode::pack(Some(code)), graph, place }
    }
}

/// The positions from which there are solutions, as far as any thread has found them.
#[derive(Debug)]
pub(super) struct Known {
    parts: [Mutex<Table>; PARTS],
    /// The memory that they and the graphs take, in bytes.
    bytes: AtomicUsize,
}

type Table = HashTable<(Exact, Solutions)>;

fn locked(part: &Mutex<Table>) -> MutexGuard<'_, Table> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The parts of the known positions, each with its own lock, so that threads seldom wait for one another.
const PARTS: usize = 64;

impl Known {
    pub(super) fn new() -> Known {
        Known { parts: [const { Mutex::new(HashTable::new()) }; PARTS], bytes: AtomicUsize::new(0) }
    }

    /// Returns the memory that they and the graphs take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Notes that a graph takes so many bytes more.
    pub(super) fn take(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Relaxed);
    }

    /// Returns the part for a hash. The table in it chooses its places by the first and the last bits.
    fn part(&self, hash: usize) -> MutexGuard<'_, Table> {
        locked(&self.parts[(hash >> (usize::BITS / 2)) % PARTS])
    }

    /// Returns the solutions of a position, if they are known.
    pub(super) fn find(&self, exact: &Exact) -> Option<Solutions> {
        if self.bytes() == 0 {
            return None;
        }
        let hash = exact.hash();
        self.part(hash).find(hash as u64, |(known, _)| known == exact).map(|&(_, solutions)| solutions)
    }

    /// Adds a position. Returns its solutions, which another thread may have added before.
    fn add(&self, exact: &Exact, solutions: Solutions) -> Solutions {
        let hash = exact.hash();
        let mut part = self.part(hash);
        if let Some((_, solutions)) = part.find(hash as u64, |(known, _)| known == exact) {
            return *solutions;
        }
        let before = part.allocation_size();
        part.insert_unique(hash as u64, (*exact, solutions), |(exact, _)| exact.hash() as u64);
        self.take(part.allocation_size() - before);
        solutions
    }

    /// Forgets the positions: no node is found again.
    pub(super) fn forget(&self) {
        for part in &self.parts {
            let forgotten = std::mem::take(&mut *locked(part));
            self.bytes.fetch_sub(forgotten.allocation_size(), Relaxed);
        }
    }
}

/// The graph of one thread: of each node the end of its edges.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    pub number: u16,
    ends: Vec<u32>,
    edges: Vec<Edge>,
}

impl Graph {
    /// Makes the graph with this number.
    pub(super) fn new(number: u16) -> Graph {
        Graph { number, ..Graph::default() }
    }

    /// Returns the memory that the graph takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.ends.capacity() * size_of::<u32>() + self.edges.capacity() * size_of::<Edge>()
    }

    /// Adds a node with these edges, under its position if one is given. The edges may not be empty. Returns the node
    /// that is known of the position.
    pub(super) fn add(&mut self, edges: &[Edge], lines: usize, exact: Option<(Exact, &Known)>) -> Solutions {
        let new = Solutions { node: (self.number, self.ends.len() as u32), lines };
        let solutions = exact.map_or(new, |(exact, known)| known.add(&exact, new));
        if solutions.node == new.node {
            self.edges.extend_from_slice(edges);
            self.ends.push(self.edges.len() as u32);
        }
        solutions
    }

    /// Returns the graph without the memory that only the search needs.
    pub(super) fn finished(mut self) -> Graph {
        self.ends.shrink_to_fit();
        self.edges.shrink_to_fit();
        self
    }

    fn edges(&self, place: u32) -> &[Edge] {
        let first = place.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.edges[first as usize..self.ends[place as usize] as usize]
    }
}

/// Visits each node on each way to it, with the moves that lead there, and the end of each line without a node. What
/// follows a node is visited only if `visit` says so. The graphs stand in the order of their numbers.
pub(super) fn walk<B>(
    graphs: &[Graph],
    node: Node,
    path: &mut Vec<MoveCode>,
    visit: &mut impl FnMut(&[MoveCode], Option<Node>) -> ControlFlow<B, bool>,
) -> ControlFlow<B> {
    if !visit(path, Some(node))? {
        return Continue(());
    }
    for &Edge { code, graph, place } in graphs[usize::from(node.0)].edges(node.1) {
        path.extend(MoveCode::unpack(code));
        let result =
            if place == END { visit(path, None).map_continue(drop) } else { walk(graphs, (graph, place), path, visit) };
        path.pop();
        result?;
    }
    Continue(())
}
