//! The main loop: select the most-proving node, expand it, update its ancestors. The update is in `update`.

use crate::chess::{MOVE_CAPACITY, MateLength, NodeKind, Position};
use crate::search::arena::{MATE, NodeIndex, REPETITION};
use crate::search::descend::Finding;
use crate::search::horizon::Horizon;
use crate::search::numbers::ProofNumbers;
use crate::search::{Facts, Interrupted, Meter, StopReason};

use super::graph::{Evaluation, Node, PathNode, PnGraph};
use super::options::{Graph, Init};
use super::proof;

/// The longest path that is followed, in plies: long enough for a mate in 256 moves. Where every defence is forced,
/// proof numbers do not grow with the depth, and a path could go on for ever. A path that reaches this length
/// counts as a repetition and taints its nodes.
const LONGEST_PATH: usize = 512;

/// A search on a graph, for as long as its meter is at hand. The graph outlives it.
pub(super) struct PnSearch<'s, 'r, 'c> {
    pub(super) graph: &'s mut PnGraph<'r>,
    pub(super) meter: &'s mut Meter<'c>,
    pub(super) facts: &'s Facts,
}

impl PnSearch<'_, '_, '_> {
    /// Looks for a mate from `position` within `horizon`. Returns [`Finding::Nothing`] if the root is disproved, but
    /// the disproof depends on a repetition. After an interruption the same call goes on.
    pub(super) fn prove(&mut self, position: &Position, horizon: Horizon) -> Result<Finding, Interrupted> {
        self.shorten_path(0);
        let mut root = self.tree_root(position, horizon).map_or_else(|| self.add_root(position, horizon), Ok)?;
        loop {
            let node = self.graph.arena.node(root);
            if node.numbers.is_proved() {
                return Ok(Finding::Proved(proof::extract(&mut self.graph.arena, root)));
            }
            if node.numbers.is_disproved() {
                return Ok(if node.is_tainted() { Finding::Nothing } else { Finding::Refuted });
            }
            if !self.graph.arena.make_room(MOVE_CAPACITY) {
                root = self.free_nodes(root)?;
            }
            if self.graph.path.is_empty() {
                self.extend_path(root, horizon, *position);
            }
            if self.select_most_proving() {
                self.expand_and_update()?;
            }
        }
    }

    /// Returns the root of the tree if this question was the last one. The tree of another question is removed.
    fn tree_root(&mut self, position: &Position, horizon: Horizon) -> Option<NodeIndex> {
        if self.graph.options.graph == Graph::Dag {
            return None;
        }
        let root = self.graph.tree_root.filter(|&(key, _)| key == position.key() ^ horizon.salt());
        if root.is_none() {
            self.graph.arena.clear();
        }
        root.map(|(_, root)| root)
    }

    /// Returns the node of the root position, which is made if it does not exist. If there is no room for it, the
    /// graphs of other questions are removed.
    pub(super) fn add_root(&mut self, position: &Position, horizon: Horizon) -> Result<NodeIndex, Interrupted> {
        if !self.graph.arena.make_room(MOVE_CAPACITY) {
            self.graph.arena.clear();
            if !self.graph.arena.make_room(MOVE_CAPACITY) {
                return Err(StopReason::Memory);
            }
        }
        let kind = NodeKind::of(position.turn(), self.graph.attacker);
        let evaluation = self.evaluate(position, kind, horizon);
        let root = self.node_of(evaluation, kind, horizon);
        self.graph.tree_root = Some((position.key() ^ horizon.salt(), root));
        Ok(root)
    }

    /// Frees nodes that cannot change the answer and, if these are too few, leaves too. Returns the root's new index,
    /// or an error if that is not enough either.
    fn free_nodes(&mut self, root: NodeIndex) -> Result<NodeIndex, Interrupted> {
        self.shorten_path(0);
        let (root, is_enough) = self.graph.arena.free(root, MOVE_CAPACITY);
        self.graph.tree_root = self.graph.tree_root.map(|(key, _)| (key, root));
        if is_enough { Ok(root) } else { Err(StopReason::Memory) }
    }
}

// Step 1: selection.
impl PnSearch<'_, '_, '_> {
    /// Follows the most-proving children down to a leaf and leaves it at the end of the path. Returns `false` if the
    /// graph had to be corrected on the way; the selection must then be repeated.
    pub(super) fn select_most_proving(&mut self) -> bool {
        let kept = self.unchanged_path();
        self.shorten_path(kept);
        while let Some(&PathNode { node: id, horizon, position }) = self.graph.path.last() {
            if !self.graph.arena.node(id).is_expanded() {
                self.graph.still_selected = self.graph.path.len();
                return true;
            }
            let edge = *self.graph.arena.best_edge(id);
            let child = *self.graph.arena.node(edge.child());
            if child.is_stale() && !child.is_on_path() && self.update_stale(edge.child()) {
                self.update_queued();
                return false;
            }
            if child.is_on_path() || self.graph.path.len() >= LONGEST_PATH {
                // The path closes a cycle or is too long: the edge becomes a repetition.
                self.graph.arena.replace_best_edge(id);
                self.enqueue(id);
                self.update_queued();
                return false;
            }
            let horizon = match self.graph.arena.node(id).kind() {
                NodeKind::Or => horizon.after_attack(),
                NodeKind::And => horizon,
            };
            self.extend_path(edge.child(), horizon, position.play(edge.played));
        }
        false
    }

    /// Returns the number of nodes at the start of the last path that the selection chooses again.
    fn unchanged_path(&self) -> usize {
        let mut kept = self.graph.still_selected.clamp(1, self.graph.path.len());
        while kept < self.graph.path.len() {
            let (above, here) = (self.graph.path[kept - 1].node, self.graph.path[kept].node);
            if self.graph.arena.best_edge(above).child() != here || self.graph.arena.node(here).numbers.is_solved() {
                break;
            }
            kept += 1;
        }
        kept
    }

    /// Adds a node to the end of the path.
    pub(super) fn extend_path(&mut self, node: NodeIndex, horizon: Horizon, position: Position) {
        self.graph.arena.node_mut(node).set_on_path(true);
        if self.graph.options.graph == Graph::Tree {
            self.graph.keys_on_path.insert(position.key());
        }
        self.graph.path.push(PathNode { node, horizon, position });
    }

    /// Removes all nodes but the first `kept` from the path.
    pub(super) fn shorten_path(&mut self, kept: usize) {
        self.graph.still_selected = self.graph.still_selected.min(kept);
        while self.graph.path.len() > kept {
            if let Some(removed) = self.graph.path.pop() {
                self.graph.arena.node_mut(removed.node).set_on_path(false);
                if self.graph.options.graph == Graph::Tree {
                    self.graph.keys_on_path.remove(&removed.position.key());
                }
            }
        }
    }
}

// Step 2: expansion.
impl PnSearch<'_, '_, '_> {
    /// Expands the leaf at the end of the path and updates its ancestors.
    pub(super) fn expand_and_update(&mut self) -> Result<(), Interrupted> {
        let Some(&PathNode { node: leaf, horizon, position }) = self.graph.path.last() else { return Ok(()) };
        let kind = self.graph.arena.node(leaf).kind();
        let (child_kind, child_horizon) = match kind {
            NodeKind::Or => (NodeKind::And, horizon.after_attack()),
            NodeKind::And => (NodeKind::Or, horizon),
        };
        self.graph.children.clear();
        for &m in &position.legal_moves() {
            self.meter.node()?;
            let child = self.evaluate(&position.play(m), child_kind, child_horizon);
            let numbers = self.numbers(child);
            match kind {
                NodeKind::Or if numbers.is_proved() => {
                    self.graph.children.clear();
                    self.graph.children.push((m, child));
                    break;
                }
                NodeKind::Or if numbers.is_disproved() => self.inherit_taint(leaf, child),
                NodeKind::And if numbers.is_disproved() => {
                    self.inherit_taint(leaf, child);
                    self.set_disproved(leaf);
                    self.enqueue_parents(leaf);
                    self.update_queued();
                    return Ok(());
                }
                _ => self.graph.children.push((m, child)),
            }
        }
        self.add_children(leaf, child_kind, child_horizon);
        self.enqueue(leaf);
        self.update_queued();
        Ok(())
    }

    /// Makes the nodes of the leaf's children and the edges to them.
    fn add_children(&mut self, leaf: NodeIndex, kind: NodeKind, horizon: Horizon) {
        let mut children = std::mem::take(&mut self.graph.children);
        for (_, child) in &mut children {
            *child = Evaluation::Existing(self.node_of(*child, kind, horizon));
        }
        let edges = children.iter().filter_map(|&(m, child)| match child {
            Evaluation::Existing(id) => Some((m, id)),
            Evaluation::New { .. } => None,
        });
        self.graph.arena.expand(leaf, edges);
        self.graph.children = children;
    }

    /// Taints the leaf if the child is tainted.
    fn inherit_taint(&mut self, leaf: NodeIndex, child: Evaluation) {
        if let Evaluation::Existing(id) = child
            && self.graph.arena.node(id).is_tainted()
        {
            self.graph.arena.node_mut(leaf).taint();
        }
    }

    fn numbers(&self, child: Evaluation) -> ProofNumbers {
        match child {
            Evaluation::Existing(id) => self.graph.arena.node(id).numbers,
            Evaluation::New { numbers, .. } => numbers,
        }
    }

    /// Returns the node of an evaluated position, which is made if it does not exist.
    fn node_of(&mut self, evaluation: Evaluation, kind: NodeKind, horizon: Horizon) -> NodeIndex {
        match evaluation {
            Evaluation::Existing(id) => id,
            Evaluation::New { key, numbers, mate } => {
                let id = self.graph.arena.add(Node::new(kind, key, numbers, horizon));
                if let Some(m) = mate {
                    self.graph.arena.expand(id, std::iter::once((m, MATE)));
                    self.publish_proof(id, MateLength(1), Some(m.code()));
                }
                id
            }
        }
    }

    /// Evaluates a position without searching it: finds its node, solves it if that is easy, or computes a leaf's
    /// numbers.
    fn evaluate(&self, position: &Position, kind: NodeKind, horizon: Horizon) -> Evaluation {
        if let Some(id) = self.existing_node(position, horizon) {
            return Evaluation::Existing(id);
        }
        let new = |numbers, mate| Evaluation::New { key: position.key() ^ horizon.salt(), numbers, mate };
        let refuted = new(ProofNumbers::DISPROVED, None);
        let left = horizon.moves();
        let is_refuted = |n| self.facts.get(position.key()).bounds.refutes(n);
        if left.is_some_and(is_refuted) || self.has_lone_king(position) {
            return refuted;
        }
        if kind == NodeKind::Or && (left == Some(MateLength(1)) || self.graph.options.mate_in_one) {
            if let Some(m) = position.mate_in_one() {
                return new(ProofNumbers::PROVED, Some(m));
            }
            if left == Some(MateLength(1)) {
                return refuted;
            }
        }
        let moves = match self.graph.options.init {
            Init::Mobility => position.count_moves(),
            Init::Unit => usize::from(position.has_move()),
        };
        if moves == 0 {
            let mated = kind == NodeKind::And && position.is_check();
            return if mated { Evaluation::Existing(MATE) } else { refuted };
        }
        if left == Some(MateLength(0)) {
            return refuted;
        }
        let ply = self.graph.path.len() as u32;
        let numbers = ProofNumbers::leaf(kind, moves as u32, self.graph.options.depth_weight.saturating_mul(ply));
        new(numbers, None)
    }

    /// Returns the node that stands for a position: a proved node whose mate lies within the horizon, the position's
    /// own node, or [`REPETITION`] if the position is on the path.
    fn existing_node(&self, position: &Position, horizon: Horizon) -> Option<NodeIndex> {
        if self.graph.options.graph == Graph::Tree {
            let repeated = horizon == Horizon::NONE && self.graph.keys_on_path.contains(&position.key());
            return repeated.then_some(REPETITION);
        }
        if let Some(left) = horizon.moves()
            && let Some(id) = self.graph.arena.find(position.key())
        {
            let node = self.graph.arena.node(id);
            if node.numbers.is_proved() && node.mate_length() <= left {
                return Some(id);
            }
        }
        let id = self.graph.arena.find(position.key() ^ horizon.salt())?;
        Some(if self.graph.arena.node(id).is_on_path() { REPETITION } else { id })
    }

    /// Returns whether the attacker has only his king and so cannot mate.
    fn has_lone_king(&self, position: &Position) -> bool {
        position.by_color(self.graph.attacker).count() == 1
    }
}
