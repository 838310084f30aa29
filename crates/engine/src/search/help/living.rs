//! The solutions as a graph: what follows a position need not be found and stored again when it is reached in another
//! way.
//!
//! A node is what follows a position; its edges are the moves that lead to solutions, in the order of the kernel. A
//! problem with millions of solutions may have few nodes, because moves can be exchanged. Two indices lead to a node:
//!
//! - **By position**, so that it need not be searched twice (positions before the last half-move are not stored). As in
//!   the table of dead positions, an entry holds the **whole** position with the half-moves left, not a key of it, and
//!   what follows does not depend on the way to it. Where memory is short, entries are forgotten, and their positions
//!   are searched again.
//! - **By edges.** Positions of one graph with the same edges are one node.
//!
//! Each thread adds to a graph of its own, so a node is stored once in each graph. All threads find the positions of
//! all: an edge may lead into another graph.

use std::hash::BuildHasher as _;
use std::ops::ControlFlow::{self, Continue};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::chess::MoveCode;

use super::dead::Exact;

/// A node: the number of its graph, and its place there.
pub(super) type Node = (u16, u32);

/// A node and the number of lines from it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solutions {
    pub node: Node,
    pub lines: usize,
}

/// A move that leads to solutions, and what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Edge {
    /// The move; the last edge of a node is without the [`MARK`].
    code: u16,
    graph: u16,
    /// [`END`]: the goal.
    place: u32,
}

const END: u32 = u32::MAX;

/// The bit that is set in the code of every move.
const MARK: u16 = 1 << 15;

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
    /// The number of parts that have been forgotten.
    forgotten: AtomicUsize,
}

type Table = HashTable<(Exact, Solutions)>;

/// The parts of the known positions, each with its own lock, so that threads rarely wait for one another. Halved,
/// threads wait more often; doubled, parts have more memory that is not used.
const PARTS: usize = 64;

impl Known {
    pub(super) fn new() -> Known {
        Known {
            parts: [const { Mutex::new(HashTable::new()) }; PARTS],
            bytes: AtomicUsize::new(0),
            forgotten: AtomicUsize::new(0),
        }
    }

    /// Returns the memory that they and the graphs take, in bytes.
    fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Returns the part for a hash. The table in it chooses its places by the first and the last bits.
    fn part(&self, hash: usize) -> MutexGuard<'_, Table> {
        self.parts[(hash >> (usize::BITS / 2)) % PARTS].lock().unwrap_or_else(PoisonError::into_inner)
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
        self.bytes.fetch_add(part.allocation_size() - before, Relaxed);
        solutions
    }

    /// Notes that the graphs take `more` bytes more. Returns whether everything fits into `room` bytes. If it does
    /// not, positions are forgotten first, part by part: their nodes are not found again.
    pub(super) fn fits(&self, more: usize, room: usize) -> bool {
        self.bytes.fetch_add(more, Relaxed);
        for _ in 0..PARTS {
            if self.bytes() <= room {
                break;
            }
            let oldest = &self.parts[self.forgotten.fetch_add(1, Relaxed) % PARTS];
            let positions = std::mem::take(&mut *oldest.lock().unwrap_or_else(PoisonError::into_inner));
            self.bytes.fetch_sub(positions.allocation_size(), Relaxed);
        }
        self.bytes() <= room
    }
}

/// The graph of one thread: the edges of all nodes. The place of a node is that of its first edge, and no two nodes
/// have the same edges.
#[derive(Debug, Clone, Default)]
pub(super) struct SolutionGraph {
    pub number: u16,
    edges: Vec<Edge>,
    /// The nodes, found by their edges.
    places: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl SolutionGraph {
    /// Makes the graph with this number.
    pub(super) fn new(number: u16) -> SolutionGraph {
        SolutionGraph { number, ..SolutionGraph::default() }
    }

    /// Returns the memory that the graph takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge>() + self.places.allocation_size()
    }

    /// Adds a node with these edges, under its position if one is given. There must be one edge at least. Returns the
    /// node that is known of the position.
    pub(super) fn add(&mut self, edges: &mut [Edge], lines: usize, exact: Option<(Exact, &Known)>) -> Solutions {
        let new = Solutions { node: (self.number, self.place(edges)), lines };
        exact.map_or(new, |(exact, known)| known.add(&exact, new))
    }

    fn place(&mut self, edges: &mut [Edge]) -> u32 {
        let SolutionGraph { edges: all, places, hasher, .. } = self;
        edges.last_mut().expect("an edge").code &= !MARK;
        let is_same = |&place: &u32| all[place as usize..].starts_with(edges);
        let hash = |&place: &u32| hasher.hash_one(node_at(all, place));
        match places.entry(hasher.hash_one(&*edges), is_same, hash) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let place = *new.insert(all.len() as u32).get();
                all.extend_from_slice(edges);
                place
            }
        }
    }
}

fn node_at(edges: &[Edge], place: u32) -> &[Edge] {
    edges[place as usize..].split_inclusive(|edge| edge.code & MARK == 0).next().unwrap_or_default()
}

/// Visits the lines from a node, with the moves that lead there. The graphs stand in the order of their numbers.
pub(super) fn walk<B>(
    graphs: &[SolutionGraph],
    node: Node,
    path: &mut Vec<MoveCode>,
    visit: &mut impl FnMut(&[MoveCode]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for &Edge { code, graph, place } in node_at(&graphs[usize::from(node.0)].edges, node.1) {
        path.push(MoveCode::from_bits(code));
        let result = if place == END { visit(path) } else { walk(graphs, (graph, place), path, visit) };
        path.pop();
        result?;
    }
    Continue(())
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::chess::testing::position;

    #[test]
    fn positions_with_the_same_moves_to_the_end_are_one_node() {
        let (known, mut graph) = (Known::new(), SolutionGraph::new(3));
        let end = |to| Edge::new(MoveCode::new(Square::A1, to, None), None);
        let places = [[Square::A2, Square::A3], [Square::A2, Square::A4], [Square::A2, Square::A3]];
        let nodes = places.map(|squares| graph.add(&mut squares.map(end), 2, None).node);
        assert_eq!(nodes, [(3, 0), (3, 2), (3, 0)]);
        assert_eq!(graph.add(&mut [end(Square::A2)], 1, None).node, (3, 4), "only the beginning is the same");
        let exact = Exact::of(&position("4k3/8/8/8/8/8/8/R3K3 w - -"), 2);
        assert!(known.find(&exact).is_none());
        graph.add(&mut places[1].map(end), 2, Some((exact, &known)));
        assert_eq!(known.find(&exact).map(|solutions| (solutions.node, solutions.lines)), Some((nodes[1], 2)));
        assert!(known.fits(0, 1 << 20) && known.find(&exact).is_some());
        assert!(known.fits(100, 100) && known.find(&exact).is_none(), "it is forgotten");
        assert!(!known.fits(1, 100));
    }
}
