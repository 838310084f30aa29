//! The steps below the root: follow the best moves to a leaf, expand it, and give its children their first values.
//!
//! `run` chooses the first move of the attacker at the root. Elsewhere each side follows the move with its own greatest
//! OptPrb.
//!
//! # Repetitions
//!
//! A move back to a position on the path brings no mate nearer, but on another path the same move may. The paper gives
//! such a move a **conditional value**. Here its edge is *cut*: it counts as [`Cost::CONDITIONAL`], which is worse than
//! every open value and yet no refutation, so it refutes nothing. A cut edge to a node that is proved meanwhile counts
//! as proved, because proofs do not depend on the path. When the search comes to the node on another path, the edge is
//! opened again, but only a few times for each node. Within a horizon no node repeats. A path of [`LONGEST_PATH`] plies
//! is cut like a repetition, also within a horizon.

use shakmaty::Color;

use crate::chess::{MateLength, Move, NodeKind, Position};
use crate::search::arena::Region;
use crate::search::horizon::Horizon;
use crate::search::{Facts, Interrupted, Meter};

use super::graph::{Graph, Leaf, MATE, Node, NodeId, Update};
use super::leaf::{Probe, probe};
use super::phases::Phases;
use super::value::Cost;

/// A node on the path from the root to the leaf in work.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathNode {
    pub node: NodeId,
    pub horizon: Horizon,
    pub position: Position,
}

/// The longest path that is followed, in plies. A move beyond it counts as a repetition. Doubled, the stack of a path
/// grows; halved, long lines count as repetitions.
const LONGEST_PATH: usize = 512;

/// A child of the leaf in work, before it gets a node.
#[derive(Debug, Clone, Copy)]
enum Child {
    /// It has a node; `true` if the node is on the path.
    Existing(NodeId, bool),
    New {
        key: u64,
        leaf: Leaf,
    },
    /// A position with this key and a mate in one.
    Mate {
        key: u64,
        played: Move,
    },
}

/// The part of the search that is kept when it is interrupted.
#[derive(Debug)]
pub(super) struct SearchState<'r> {
    pub graph: Graph<'r>,
    pub path: Vec<PathNode>,
    /// The nodes that wait for an update.
    pub queue: Vec<NodeId>,
    pub phases: Phases,
}

impl<'r> SearchState<'r> {
    /// Returns the state of a search whose graph takes at most this many bytes. It has the slabs of the old one.
    pub fn begin(old: Option<SearchState<'r>>, region: &'r Region, bytes: usize) -> SearchState<'r> {
        let graph = Graph::of_bytes(old.map(|old| old.graph), region, bytes);
        SearchState { graph, path: Vec::new(), queue: Vec::new(), phases: Phases::default() }
    }
}

/// A running search.
pub(super) struct BstarSearch<'s, 'r, 'c> {
    pub state: &'s mut SearchState<'r>,
    pub attacker: Color,
    pub meter: &'s mut Meter<'c>,
    pub facts: &'s Facts,
}

// Selection.
impl BstarSearch<'_, '_, '_> {
    /// Follows the best moves from the last node of the path to a leaf. Returns `false` if values on the path have
    /// changed: the selection must start again at the root.
    pub fn descend_to_leaf(&mut self) -> bool {
        while let Some(&PathNode { node: id, horizon, position }) = self.state.path.last() {
            if !self.state.graph.node(id).is_expanded {
                return true;
            }
            if self.open_edges(id) {
                return false;
            }
            let best = self.state.graph.node(id).best;
            let edge = *self.state.graph.best_edge(id);
            if !self.follow(id, best, edge.child, horizon, &position.play(edge.played)) {
                return false;
            }
        }
        false
    }

    /// Adds the child at the end of the edge `offset` of node `id` to the path. Returns `false` if the values of the
    /// graph have changed instead.
    pub fn follow(&mut self, id: NodeId, offset: u16, child: NodeId, horizon: Horizon, position: &Position) -> bool {
        let graph = &mut self.state.graph;
        let node = *graph.node(child);
        if node.update == Update::Stale && !node.is_on_path && self.update_now(child) {
            self.update_queued();
            return false;
        }
        let graph = &mut self.state.graph;
        if node.is_on_path || self.state.path.len() >= LONGEST_PATH {
            graph.cut_edge(id, offset);
            self.enqueue(id);
            self.update_queued();
            return false;
        }
        let below = horizon.below(graph.node(id).kind);
        self.extend_path(child, below, *position);
        true
    }

    /// Opens the cut edges of a node on the path whose children are not on the path now. Returns whether this changed
    /// the node's values.
    fn open_edges(&mut self, id: NodeId) -> bool {
        let graph = &mut self.state.graph;
        if !graph.node(id).has_cut || self.state.path.len() + 1 >= LONGEST_PATH {
            return false;
        }
        let before = graph.node(id).numbers;
        let loose = graph.edges(id).any(|edge| edge.is_cut && !graph.node(edge.child).is_on_path);
        if !loose || !graph.node_mut(id).count_reopening() {
            return false;
        }
        graph.open_edges(id);
        self.enqueue(id);
        self.update_queued();
        let node = self.state.graph.node(id);
        (node.numbers.attack, node.numbers.defence) != (before.attack, before.defence)
    }

    /// Adds a node to the end of the path.
    pub fn extend_path(&mut self, node: NodeId, horizon: Horizon, position: Position) {
        self.state.graph.node_mut(node).is_on_path = true;
        self.state.path.push(PathNode { node, horizon, position });
    }

    /// Removes all nodes from the path.
    pub fn clear_path(&mut self) {
        for entry in self.state.path.drain(..) {
            self.state.graph.node_mut(entry.node).is_on_path = false;
        }
    }
}

// Expansion.
impl BstarSearch<'_, '_, '_> {
    /// Returns the node of a position, which is made if it does not exist.
    pub fn node_at(&mut self, position: &Position, horizon: Horizon) -> Result<NodeId, Interrupted> {
        let kind = NodeKind::of(position.turn(), self.attacker);
        let child = self.evaluate(position, kind, horizon)?;
        Ok(self.node_of(child, kind, horizon)?.0)
    }

    /// Expands the leaf at the end of the path and updates its ancestors. If it is interrupted, the leaf stays a leaf.
    pub fn expand(&mut self) -> Result<(), Interrupted> {
        let Some(&PathNode { node: leaf, horizon, position }) = self.state.path.last() else { return Ok(()) };
        let kind = self.state.graph.node(leaf).kind;
        let (child_kind, child_horizon) = (kind.other(), horizon.below(kind));
        let mut children = Vec::new();
        for &m in &position.legal_moves() {
            self.meter.node()?;
            let child = self.evaluate(&position.play(m), child_kind, child_horizon)?;
            match (kind, self.outcome(child)) {
                (NodeKind::Or, Some(true)) => {
                    children = vec![(m, child)];
                    break;
                }
                (NodeKind::Or, Some(false)) => {}
                (NodeKind::And, Some(false)) => {
                    self.record_refuted(leaf);
                    self.enqueue_parents(leaf);
                    self.update_queued();
                    return Ok(());
                }
                _ => children.push((m, child)),
            }
        }
        let (mut edges, mut cut) = (Vec::new(), Vec::new());
        for (offset, (m, child)) in (0..).zip(children) {
            let (id, is_cut) = self.node_of(child, child_kind, child_horizon)?;
            edges.push((m, id));
            cut.extend(is_cut.then_some(offset));
        }
        self.state.graph.expand(leaf, edges);
        for offset in cut {
            self.state.graph.cut_edge(leaf, offset);
        }
        self.enqueue(leaf);
        self.update_queued();
        Ok(())
    }

    /// Returns whether a child is proved (`true`) or refuted (`false`), or `None` if it is open.
    fn outcome(&self, child: Child) -> Option<bool> {
        match child {
            Child::Existing(id, _) => {
                let node = self.state.graph.node(id);
                node.is_solved().then(|| node.is_proved())
            }
            Child::New { leaf, .. } => (leaf.attack == Cost::NEVER).then_some(false),
            Child::Mate { .. } => Some(true),
        }
    }

    /// Evaluates a position with the probes, unless it has a node or a known refutation.
    fn evaluate(&mut self, position: &Position, kind: NodeKind, horizon: Horizon) -> Result<Child, Interrupted> {
        if let Some(id) = self.existing_node(position, horizon) {
            return Ok(Child::Existing(id, self.state.graph.node(id).is_on_path));
        }
        let key = position.key() ^ horizon.salt();
        let refuted = horizon.moves().is_some_and(|left| self.facts.get(position.key()).bounds.refutes(left));
        if refuted || !position.by_color(self.attacker).more_than_one() {
            return Ok(Child::New { key, leaf: Leaf::REFUTED });
        }
        Ok(match probe(position, kind, horizon, self.meter)? {
            Probe::Checkmate => Child::Existing(MATE, false),
            Probe::Mate(played) => Child::Mate { key: position.key(), played },
            Probe::Leaf(leaf) => Child::New { key, leaf },
        })
    }

    /// Returns the node that stands for a position: a proved node whose mate lies within the horizon, or its own.
    fn existing_node(&self, position: &Position, horizon: Horizon) -> Option<NodeId> {
        let serves = |node: &Node| node.is_proved() && horizon.admits(node.length);
        self.state.graph.standing_for(position.key(), horizon.salt(), serves)
    }

    /// Returns the node of a child, which is made if it does not exist, and whether its edge is cut.
    fn node_of(&mut self, child: Child, kind: NodeKind, horizon: Horizon) -> Result<(NodeId, bool), Interrupted> {
        Ok(match child {
            Child::Existing(id, on_path) => (id, on_path),
            Child::New { key, leaf } => (self.state.graph.add(Node::new(kind, key, leaf, horizon))?, false),
            Child::Mate { key, played } => {
                let id = self.mate_in_one(key, kind, played)?;
                self.facts.prove(key, MateLength(1), Some(played.code()));
                (id, false)
            }
        })
    }

    /// Makes the node of a mate in one.
    fn mate_in_one(&mut self, key: u64, kind: NodeKind, played: Move) -> Result<NodeId, Interrupted> {
        let graph = &mut self.state.graph;
        let mut node = Node::new(kind, key, Leaf::REFUTED, Horizon::NONE);
        node.set_proved(MateLength(1));
        // An open node of this position, made without a horizon, is replaced in the index.
        let id = match graph.find(key) {
            Some(_) => {
                node.key = !key;
                let id = graph.add(node)?;
                graph.rekey(id, key)?;
                id
            }
            None => graph.add(node)?,
        };
        graph.expand(id, [(played, MATE)]);
        Ok(id)
    }
}
