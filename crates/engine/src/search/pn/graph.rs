//! The graph of a proof-number search, which is kept between the slices of one search and between its questions.
//!
//! The records of the graph live in a [`Region`], so the caller of a search in slices makes the region first and drops
//! it last. Everything that an interrupted search needs to go on is here: an interrupted expansion leaves its leaf as
//! it was. In a DAG every question finds its root by key, so questions with other horizons may come between two slices
//! of one question. A tree has no index, and only the question asked last goes on.

use hashbrown::HashSet;
use shakmaty::Color;

use crate::chess::{Move, Position};
use crate::search::arena::{self, NodeIndex, Region};
use crate::search::horizon::Horizon;
use crate::search::numbers::ProofNumbers;

use super::options::{Graph, PnOptions};

/// The nodes and edges of the graph.
pub(super) type Arena<'r> = arena::Arena<&'r Region, ProofNumbers>;
/// A node of the graph. Its mark says that its numbers depend on a repetition, so that a disproof of it is not a fact.
pub(super) type Node = arena::Node<ProofNumbers>;

impl Node {
    /// Returns whether the node's numbers depend on a repetition.
    #[inline]
    pub(super) fn is_tainted(&self) -> bool {
        self.is_marked()
    }

    /// Marks the node's numbers as dependent on a repetition.
    #[inline]
    pub(super) fn taint(&mut self) {
        self.set_marked(true);
    }
}

/// A node on the path from the root to the most-proving node.
#[derive(Clone, Copy)]
pub(super) struct PathNode {
    pub(super) node: NodeIndex,
    pub(super) horizon: Horizon,
    pub(super) position: Position,
}

/// The evaluation of a position, before it gets a node of the graph.
#[derive(Clone, Copy)]
pub(super) enum Evaluation {
    /// The position has a node already.
    Existing(NodeIndex),
    /// The position needs a new node. `mate` is a mate in one at an OR node.
    New { key: u64, numbers: ProofNumbers, mate: Option<Move> },
}

/// The graph of one position and one attacker, and the state of the loop that grows it.
pub(crate) struct PnGraph<'r> {
    pub(super) arena: Arena<'r>,
    pub(super) options: PnOptions,
    pub(super) attacker: Color,
    /// The root of the last question in tree mode, with its key.
    pub(super) tree_root: Option<(u64, NodeIndex)>,
    /// The path of the last selection, from the root down.
    pub(super) path: Vec<PathNode>,
    /// The number of nodes at the start of the path that the next selection is known to choose again.
    pub(super) still_selected: usize,
    /// The keys of the positions on the path. Used in tree mode, where a position may have several nodes.
    pub(super) keys_on_path: HashSet<u64>,
    /// The nodes that wait for an update of their numbers.
    pub(super) queue: Vec<NodeIndex>,
    /// The children of the leaf in work.
    pub(super) children: Vec<(Move, Evaluation)>,
}

impl<'r> PnGraph<'r> {
    /// Creates an empty graph that takes at most `memory` bytes from an unused region.
    pub(crate) fn new(region: &'r Region, options: PnOptions, attacker: Color, memory: usize) -> PnGraph<'r> {
        PnGraph {
            arena: Arena::new(region, memory, options.graph == Graph::Dag),
            options,
            attacker,
            tree_root: None,
            path: Vec::new(),
            still_selected: 0,
            keys_on_path: HashSet::new(),
            queue: Vec::new(),
            children: Vec::new(),
        }
    }
}
