//! The solutions as a graph: what follows a position that is reached on several ways is found and stored once.
//!
//! A node is a position with a number of half-moves left; its edges are the moves that lead to solutions, in the order
//! of the kernel. A problem with millions of solutions has few such positions, because moves can be exchanged. As in
//! the table of dead positions, a node is found again by the **whole** position and no key of it, and what follows a
//! position does not depend on the way to it.
//!
//! Each thread has a graph of its own.

use std::ops::ControlFlow::{self, Continue};

use hashbrown::HashTable;

use crate::chess::MoveCode;

use super::dead::Exact;

/// The number of a node.
pub(super) type Node = u32;

/// A move that leads to solutions, and what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    code: u16,
    /// [`END`]: the goal.
    then: Node,
}

const END: Node = Node::MAX;

/// The memory, in bytes, within which the numbers of nodes and edges fit into 32 bits.
pub(super) const MOST_BYTES: usize = size_of::<Edge>().saturating_mul(Node::MAX as usize) / 2;

impl Edge {
    /// A move after which the node follows; `None`: the last half-move.
    pub(super) fn new(code: MoveCode, then: Option<Node>) -> Edge {
        Edge { code: MoveCode::pack(Some(code)), then: then.unwrap_or(END) }
    }
}

/// A position from which there are solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Living {
    first: u32,
    end: u32,
    /// The number of lines from here.
    lines: usize,
}

/// A graph of solutions.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    nodes: Vec<Living>,
    edges: Vec<Edge>,
    known: HashTable<(Exact, Node)>,
}

impl Graph {
    /// Returns the memory that the graph takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Living>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.known.capacity() * (size_of::<(Exact, Node)>() + 2)
    }

    /// Returns the node of a position, if it was stored.
    pub(super) fn find(&self, exact: &Exact) -> Option<Node> {
        if self.known.is_empty() {
            return None;
        }
        self.known.find(exact.hash() as u64, |(known, _)| known == exact).map(|&(_, node)| node)
    }

    /// Adds a node with these edges, under its position if one is given. The edges may not be empty.
    pub(super) fn add(&mut self, edges: &[Edge], exact: Option<&Exact>) -> Node {
        let first = self.edges.len() as u32;
        let lines = edges.iter().fold(0_usize, |sum, edge| sum.saturating_add(self.lines_after(*edge)));
        self.edges.extend_from_slice(edges);
        let node = self.nodes.len() as Node;
        self.nodes.push(Living { first, end: self.edges.len() as u32, lines });
        if let Some(exact) = exact {
            self.known.insert_unique(exact.hash() as u64, (*exact, node), |(exact, _)| exact.hash() as u64);
        }
        node
    }

    fn lines_after(&self, edge: Edge) -> usize {
        if edge.then == END { 1 } else { self.lines(edge.then) }
    }

    /// Returns the number of lines from a node.
    pub(super) fn lines(&self, node: Node) -> usize {
        self.nodes[node as usize].lines
    }

    /// Forgets the positions: no node is found again.
    pub(super) fn forget(&mut self) {
        self.known = HashTable::new();
    }

    /// Returns the graph without what only the search needs.
    pub(super) fn finished(mut self) -> Graph {
        self.forget();
        self.nodes.shrink_to_fit();
        self.edges.shrink_to_fit();
        self
    }

    /// Visits each node on each way to it, with the moves that lead there and its number, and the end of each line
    /// without a number. What follows a node is visited only if `visit` says so.
    pub(super) fn walk<B>(
        &self,
        node: Node,
        path: &mut Vec<MoveCode>,
        visit: &mut impl FnMut(&[MoveCode], Option<Node>) -> ControlFlow<B, bool>,
    ) -> ControlFlow<B> {
        if !visit(path, Some(node))? {
            return Continue(());
        }
        let Living { first, end, .. } = self.nodes[node as usize];
        for edge in &self.edges[first as usize..end as usize] {
            path.extend(MoveCode::unpack(edge.code));
            let result =
                if edge.then == END { visit(path, None).map_continue(drop) } else { self.walk(edge.then, path, visit) };
            path.pop();
            result?;
        }
        Continue(())
    }
}
