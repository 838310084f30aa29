//! The graph of the search: a node for every position, or for every pair of position and moves left.
//!
//! The memory is that of [`crate::search::arena`], on the heap, because the graph is kept from one call to the next.
//! Here stands what a node means to B*.

use crate::chess::MateLength;
use crate::search::arena::{self, Arena, Heap, Numbers};

use super::value::Cost;

pub(super) use crate::search::arena::{Edge, MATE, NodeIndex as NodeId};

/// The nodes and edges of the graph, with an index by key.
pub(super) type Graph = Arena<Heap, Leaf>;

/// A node of the graph.
///
/// RealVal, OptVal and PessVal are mate lengths here: RealVal is the proved length, or open; OptVal is `optimum`;
/// PessVal is "no mate" until the node is proved. `attack` and `defence` are the OptPrbs of the two sides. The mark
/// says that an edge of the node is cut because it closed a cycle. The engine's count is how often an edge was opened
/// again after a repetition.
pub(super) type Node = arena::Node<Leaf>;

/// The number of times that a node's conditional edges are opened again.
const MAX_REOPENED: u8 = 8;

/// The values of a node, which are estimates at a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leaf {
    /// The attacker's OptPrb: the probability of a mate within the moves left.
    pub attack: Cost,
    /// The defender's OptPrb: the probability of an escape.
    pub defence: Cost,
    /// The shortest mate that the attacker may hope for, in moves.
    pub optimum: u16,
}

impl Numbers for Leaf {
    const MATE: Leaf = Leaf { attack: Cost::CERTAIN, defence: Cost::NEVER, optimum: 0 };
    const REFUTED: Leaf = Leaf { attack: Cost::NEVER, defence: Cost::CERTAIN, optimum: u16::MAX };

    #[inline]
    fn is_proved(self) -> bool {
        self.attack == Cost::CERTAIN
    }

    #[inline]
    fn is_refuted(self) -> bool {
        self.attack == Cost::NEVER
    }
}

impl Node {
    /// Marks the node as proved, with this length.
    pub(super) fn set_proved(&mut self, length: MateLength) {
        self.numbers = Leaf { optimum: length.0, ..Leaf::MATE };
        self.set_mate_length(length);
    }

    /// Marks the node as refuted.
    pub(super) fn set_refuted(&mut self) {
        (self.numbers.attack, self.numbers.defence) = (Cost::NEVER, Cost::CERTAIN);
    }

    /// Counts one more opening of cut edges. Returns `false` if there were too many.
    pub(super) fn count_reopening(&mut self) -> bool {
        let allowed = self.count_of_engine < MAX_REOPENED;
        self.count_of_engine += u8::from(allowed);
        allowed
    }
}

/// Cuts the node's edge with this number.
pub(super) fn cut_edge(graph: &mut Graph, id: NodeId, offset: u16) {
    graph.node_mut(id).set_marked(true);
    graph.set_cut(id, offset, true);
}

/// Opens the cut edges of a node that lead to nodes for which `off_path` holds. Returns whether there was one.
pub(super) fn open_edges(graph: &mut Graph, id: NodeId, off_path: impl Fn(&Node) -> bool) -> bool {
    let cut: Vec<(u16, bool)> = (0..)
        .zip(graph.edges(id))
        .filter(|(_, edge)| edge.is_cut())
        .map(|(offset, edge)| (offset, off_path(graph.node(edge.child()))))
        .collect();
    for &(offset, opens) in &cut {
        graph.set_cut(id, offset, !opens);
    }
    graph.node_mut(id).set_marked(cut.iter().any(|&(_, opens)| !opens));
    cut.iter().any(|&(_, opens)| opens)
}
