//! Updates the ancestors of a changed node, and records nodes that are solved.
//!
//! In a tree a change goes straight up the path. In a DAG it goes up to every parent: where many moves transpose, that
//! is most of the graph for every leaf, and around a cycle sums would grow without end. So the path is updated first,
//! and then other ancestors up to a limit. The ancestors beyond the limit are marked **stale** and are updated when the
//! selection reaches them. Stale numbers may misjudge how hard a node is, but never whether it is solved: a solved node
//! is always reported to all its ancestors at once.

use crate::chess::{MateLength, MoveCode, NodeKind};
use crate::search::arena::{Edge, NodeIndex};
use crate::search::numbers::ProofNumbers;

use super::graph::Node;
use super::proof;
use super::search::PnSearch;
use crate::search::horizon::Horizon;

/// The number of queued nodes that one update recomputes before it postpones the others.
const MAX_UPDATES: usize = 1024;

impl PnSearch<'_, '_, '_> {
    /// Queues a node for an update, unless it is solved or queued already.
    pub(super) fn enqueue(&mut self, id: NodeIndex) {
        let node = self.graph.arena.node_mut(id);
        if !node.numbers.is_solved() && node.mark_queued() {
            self.graph.queue.push(id);
        }
    }

    /// Queues the parents of a node. If the node is solved, their updates are urgent.
    pub(super) fn enqueue_parents(&mut self, id: NodeIndex) {
        let solved = self.graph.arena.node(id).numbers.is_solved();
        let mut edge = self.graph.arena.first_parent(id).copied();
        while let Some(Edge { parent, .. }) = edge {
            self.enqueue(parent);
            if solved {
                self.graph.arena.node_mut(parent).mark_urgent();
            }
            edge = edge.and_then(|edge| self.graph.arena.next_parent(&edge).copied());
        }
    }

    /// Updates the queued nodes and, where numbers change, their ancestors. The path comes first, so that the next
    /// selection starts from correct numbers. A solved node is reported to all ancestors; other changes stop after
    /// [`MAX_UPDATES`] nodes, and the nodes left in the queue become stale.
    pub(super) fn update_queued(&mut self) {
        let (still_selected, leaf) = (self.graph.still_selected, self.graph.path.len().saturating_sub(1));
        let mut depth = self.graph.path.len();
        // A leaf that was solved by its expansion is not queued, but its parent is.
        while depth > 0 && (depth > leaf || self.graph.arena.node(self.graph.path[depth - 1].node).is_queued()) {
            depth -= 1;
            self.update_node(self.graph.path[depth].node);
        }
        // `update_node` sets `still_selected` to 0 because it does not know where on the path the node is.
        self.graph.still_selected = still_selected.min(depth);
        let mut at = 0;
        while let Some(&id) = self.graph.queue.get(at) {
            at += 1;
            let node = self.graph.arena.node_mut(id);
            if at <= MAX_UPDATES || node.is_urgent() {
                self.update_node(id);
            } else if node.is_queued() {
                node.postpone_update();
            }
        }
        self.graph.queue.clear();
    }

    /// Recomputes a node if it is queued, and queues its parents if its numbers changed.
    fn update_node(&mut self, id: NodeIndex) {
        let node = self.graph.arena.node_mut(id);
        if node.is_queued() {
            node.clear_update_marks();
            if node.is_on_path() {
                self.graph.still_selected = 0;
            }
            if self.recompute(id) {
                self.enqueue_parents(id);
            }
        }
    }

    /// Recomputes a stale node. Returns whether it is solved. If its numbers change, its parents are queued for the
    /// next update: if the selection started again each time, it might never reach a leaf.
    pub(super) fn update_stale(&mut self, id: NodeIndex) -> bool {
        self.graph.arena.node_mut(id).clear_update_marks();
        if self.recompute(id) {
            self.enqueue_parents(id);
        }
        self.graph.arena.node(id).numbers.is_solved()
    }

    /// Computes a node's numbers from those of its children. Returns whether they changed.
    fn recompute(&mut self, id: NodeIndex) -> bool {
        let node = self.graph.arena.node(id);
        if node.numbers.is_solved() {
            return false;
        }
        let (kind, old) = (node.kind(), node.numbers);
        let mut numbers = ProofNumbers::of_no_children(kind);
        let mut best = 0;
        for (i, edge) in self.graph.arena.edges(id).enumerate() {
            if numbers.absorb(kind, self.graph.arena.node(edge.child()).numbers) {
                best = i as u16;
            }
        }
        let node = self.graph.arena.node_mut(id);
        node.best = best;
        if numbers.is_proved() {
            self.record_proved(id, kind);
        } else if numbers.is_disproved() {
            self.record_disproved(id, kind);
        } else {
            node.numbers = numbers;
        }
        numbers != old
    }

    /// Records a node that is proved by its children.
    fn record_proved(&mut self, id: NodeIndex, kind: NodeKind) {
        let (best, length) = proof::shortest(&self.graph.arena, id);
        let node = self.graph.arena.node_mut(id);
        node.numbers = ProofNumbers::PROVED;
        node.best = best;
        let code = match kind {
            NodeKind::Or => Some(self.graph.arena.best_edge(id).played.code()),
            NodeKind::And => None,
        };
        self.publish_proof(id, length, code);
    }

    /// Records a node that is disproved by its children. The disproof of an OR node needs all children, so one tainted
    /// child taints it. The disproof of an AND node needs one child, so it is untainted if one disproved child is.
    fn record_disproved(&mut self, id: NodeIndex, kind: NodeKind) {
        let tainted = {
            let mut children = self.graph.arena.edges(id).map(|edge| self.graph.arena.node(edge.child()));
            match kind {
                NodeKind::Or => children.any(Node::is_tainted),
                NodeKind::And => children.all(|child| child.is_tainted() || !child.numbers.is_disproved()),
            }
        };
        if tainted {
            self.graph.arena.node_mut(id).taint();
        }
        self.set_disproved(id);
    }

    /// Sets a node's numbers to disproved. If the node has a horizon and is not tainted, this is a fact and is shared.
    pub(super) fn set_disproved(&mut self, id: NodeIndex) {
        let node = self.graph.arena.node_mut(id);
        node.numbers = ProofNumbers::DISPROVED;
        let horizon = node.horizon();
        if let Some(left) = horizon.moves()
            && !node.is_tainted()
        {
            self.facts.refute(node.key ^ horizon.salt(), left);
        }
    }

    /// Records the proof of a mate in `length` moves, which is always a fact. The node gets the key without a horizon,
    /// so that searches with any horizon find it.
    pub(super) fn publish_proof(&mut self, id: NodeIndex, length: MateLength, code: Option<MoveCode>) {
        let node = self.graph.arena.node_mut(id);
        let horizon = node.horizon();
        let key = node.key ^ horizon.salt();
        node.set_mate_length(length);
        if length <= MateLength::MAX {
            self.facts.prove(key, length, code);
        }
        if horizon != Horizon::NONE {
            self.graph.arena.rekey(id, key);
        }
    }
}
