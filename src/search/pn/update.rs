//! Updating the ancestors of a node that has changed, and what happens when one is solved.
//!
//! In a tree a change goes straight up the path. In a graph it goes up along every parent, and where much transposes
//! that is most of the graph for every leaf; around a cycle the sums would even feed on themselves without end. So the
//! path is recomputed first, then other ancestors up to a limit; those beyond it are marked **stale** and recomputed
//! when the selection comes by. Stale numbers misjudge how hard a node is, never whether it is solved: that a node is
//! solved is always carried all the way up, at once.

use crate::chess::{MateLength, MoveCode, NodeKind};
use crate::search::arena::{Edge, Node, NodeIndex};
use crate::search::numbers::ProofNumbers;

use super::proof;
use super::search::PnSearch;
use crate::search::horizon::Horizon;

/// How many nodes off the path one update recomputes before it puts the rest off. Where much transposes, every leaf has
/// most of the graph above it, and around a cycle the sums would feed on themselves without end.
const PATIENCE: usize = 1024;

impl PnSearch<'_, '_> {
    pub(super) fn enqueue(&mut self, id: NodeIndex) {
        let node = self.arena.node_mut(id);
        if !node.numbers.is_solved() && node.wait() {
            self.queue.push(id);
        }
    }

    pub(super) fn enqueue_parents(&mut self, id: NodeIndex) {
        let solved = self.arena.node(id).numbers.is_solved();
        let mut edge = self.arena.first_parent(id).copied();
        while let Some(Edge { parent, .. }) = edge {
            self.enqueue(parent);
            if solved {
                self.arena.node_mut(parent).make_urgent();
            }
            edge = edge.and_then(|edge| self.arena.next_parent(&edge).copied());
        }
    }

    /// Recomputes what waits in the queue and, where something changes, all ancestors: first along the path, so that
    /// the next selection starts from numbers that are right, then elsewhere. News of solved nodes always goes all the
    /// way up; other news only as far as [`PATIENCE`] allows, and the nodes it does not reach are marked stale.
    pub(super) fn update_queued(&mut self) {
        let (sure, leaf) = (self.sure, self.path.len().saturating_sub(1));
        let mut depth = self.path.len();
        // A leaf that was settled at its expansion does not wait; its parent does.
        while depth > 0 && (depth > leaf || self.arena.node(self.path[depth - 1].node).is_waiting()) {
            depth -= 1;
            self.refresh(self.path[depth].node);
        }
        // Refreshing a step assumes the worst, that nothing is sure; here it is known where the steps are.
        self.sure = sure.min(depth);
        let mut at = 0;
        while let Some(&id) = self.queue.get(at) {
            at += 1;
            let node = self.arena.node_mut(id);
            if at <= PATIENCE || node.is_urgent() {
                self.refresh(id);
            } else if node.is_waiting() {
                node.put_off();
            }
        }
        self.queue.clear();
    }

    /// Recomputes a node if it waits for that, and has its parents wait if it changed.
    fn refresh(&mut self, id: NodeIndex) {
        let node = self.arena.node_mut(id);
        if node.is_waiting() {
            node.refresh();
            if node.is_on_path() {
                self.sure = 0;
            }
            if self.recompute(id) {
                self.enqueue_parents(id);
            }
        }
    }

    /// Recomputes a node whose recomputation was put off; says whether that solved it. Parents that are now out of date
    /// wait for the next update: to restart the selection each time could keep it from ever reaching a leaf.
    pub(super) fn settle_stale(&mut self, id: NodeIndex) -> bool {
        self.arena.node_mut(id).refresh();
        if self.recompute(id) {
            self.enqueue_parents(id);
        }
        self.arena.node(id).numbers.is_solved()
    }

    /// Backs a node's numbers up from its children; says whether they changed.
    fn recompute(&mut self, id: NodeIndex) -> bool {
        let node = self.arena.node(id);
        if node.numbers.is_solved() {
            return false;
        }
        let (kind, old) = (node.kind(), node.numbers);
        let mut numbers = ProofNumbers::of_no_children(kind);
        let mut best = 0;
        for (i, edge) in self.arena.edges(id).enumerate() {
            if numbers.absorb(kind, self.arena.node(edge.child).numbers) {
                best = i as u16;
            }
        }
        let node = self.arena.node_mut(id);
        node.best = best;
        if numbers.is_proved() {
            self.prove_node(id, kind);
        } else if numbers.is_disproved() {
            self.disprove_node(id, kind);
        } else {
            node.numbers = numbers;
        }
        numbers != old
    }

    /// Settles a node whose children prove it.
    fn prove_node(&mut self, id: NodeIndex, kind: NodeKind) {
        let (best, length) = proof::shortest(&self.arena, id);
        let node = self.arena.node_mut(id);
        node.numbers = ProofNumbers::PROVED;
        node.best = best;
        let code = match kind {
            NodeKind::Or => self.arena.best_edge(id).played.code(),
            NodeKind::And => MoveCode::NONE,
        };
        self.publish_proof(id, length, code);
    }

    /// Settles a node whose children disprove it. An OR node needs all of them, so one tainted child taints it; an AND
    /// node needs one, so one clean child keeps it clean.
    fn disprove_node(&mut self, id: NodeIndex, kind: NodeKind) {
        let tainted = {
            let mut children = self.arena.edges(id).map(|edge| self.arena.node(edge.child));
            match kind {
                NodeKind::Or => children.any(Node::is_tainted),
                NodeKind::And => children.all(|child| child.is_tainted() || !child.numbers.is_disproved()),
            }
        };
        if tainted {
            self.arena.node_mut(id).taint();
        }
        self.refute(id);
    }

    /// Records a disproof, which is a fact if the node has a horizon.
    pub(super) fn refute(&mut self, id: NodeIndex) {
        let node = self.arena.node_mut(id);
        node.numbers = ProofNumbers::DISPROVED;
        let horizon = Horizon::from_bits(node.span);
        if let Some(left) = horizon.moves()
            && !node.is_tainted()
        {
            self.facts.refute(node.key ^ horizon.salt(), MateLength(left));
        }
    }

    /// Records a proof of so many moves, which is a fact in any case, and lets it be found with any horizon.
    pub(super) fn publish_proof(&mut self, id: NodeIndex, length: u16, code: MoveCode) {
        let node = self.arena.node_mut(id);
        let horizon = Horizon::from_bits(node.span);
        let key = node.key ^ horizon.salt();
        node.span = length;
        if length <= MateLength::MAX.0 {
            self.facts.prove(key, MateLength(length), code);
        }
        if horizon != Horizon::NONE {
            self.arena.rekey(id, key);
        }
    }
}
