//! Replays a proof in a sibling position.
//!
//! CITE: Kawano 1996, "Using similar positions to search game trees".
//!
//! When a reply is proved, the same attacking moves are tried against the other replies: where the defender has many
//! moves that change nothing, one proof serves for all of them. The proved node is the **model**; its edges say what
//! the attacker plays. In the sibling every legal reply must be answered: as in the model if the reply exists there,
//! otherwise by a mate in one. A failure costs a few nodes and leaves only proofs of positions on the way; a success is
//! a proof like any other.
//!
//! A position may be proved while its own replay is running, by another way through the graph. Its node then stays as
//! it is: with the edges of the replay the proof might contain itself.

use crate::chess::{MateLength, Move, NodeKind, Position};
use crate::search::Interrupted;
use crate::search::arena::SlabSource;
use crate::search::dfpn::attempt::Attempt;
use crate::search::numbers::ProofNumbers;

use super::search::PnSearch;
use super::store::{Child, Edge, Node};

impl<S: SlabSource> PnSearch<'_, '_, S> {
    /// Tries the proof of a reply, which is the node `model`, against the open replies of an AND node.
    pub(super) fn replay_in_siblings(
        &mut self,
        id: Child,
        model: Child,
        position: &Position,
        attempt: Attempt,
    ) -> Result<(), Interrupted> {
        let mut offset = 0;
        while offset < self.graph.store.node(id).open {
            let at = self.graph.store.node(id).edges + u32::from(offset);
            let edge = *self.graph.store.edge(at);
            offset += 1;
            if edge.numbers.is_solved() {
                continue;
            }
            let m = edge.played;
            let next = self.graph.kept.play(position, m, position.key_after(m), self.meter)?;
            let Some(child) = self.replay(&next, model, attempt)? else { continue };
            if self.graph.store.node(id).numbers.is_solved() {
                return Ok(());
            }
            *self.graph.store.edge_mut(at) = Edge { child, numbers: ProofNumbers::PROVED, played: m };
            self.graph.store.close_edge(id, at);
            offset -= 1;
        }
        Ok(())
    }

    /// Replays the proof of an OR node in a position with the attacker to move. Returns what an edge to the position
    /// leads to if it is proved.
    fn replay(&mut self, position: &Position, model: Child, attempt: Attempt) -> Result<Option<Child>, Interrupted> {
        if let Some(solved) = self.solved(position, attempt) {
            return Ok(solved);
        }
        if !attempt.admits(MateLength(1)) {
            return Ok(None);
        }
        if position.mate_in_one().is_some() {
            return Ok(Some(Child::MATE_IN_ONE));
        }
        if !model.is_node() || !attempt.admits(MateLength(2)) {
            return Ok(None);
        }
        let node = *self.graph.store.node(model);
        if node.count == 0 {
            return Ok(None);
        }
        let best = *self.graph.store.edge(node.edges + u32::from(node.best));
        let (Some(m), true) = (position.find_move(best.played.code()), best.child.is_node()) else { return Ok(None) };
        self.meter.node()?;
        let next = position.play(m);
        let Some(after) = self.replay_replies(&next, best.child, attempt.after_attack())? else { return Ok(None) };
        self.record_replay(
            position,
            NodeKind::Or,
            &[Edge { child: after, numbers: ProofNumbers::PROVED, played: m }],
            attempt,
        )
    }

    /// Replays the proof of an AND node in a position with the defender to move.
    fn replay_replies(
        &mut self,
        position: &Position,
        model: Child,
        attempt: Attempt,
    ) -> Result<Option<Child>, Interrupted> {
        if let Some(solved) = self.solved(position, attempt) {
            return Ok(solved);
        }
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check().then_some(Child::MATE));
        }
        let mut edges = Vec::with_capacity(replies.len());
        for &reply in &replies {
            let same = self.model_of(model, reply);
            let next = self.graph.kept.play(position, reply, position.key_after(reply), self.meter)?;
            let Some(child) = self.replay(&next, same, attempt)? else { return Ok(None) };
            edges.push(Edge { child, numbers: ProofNumbers::PROVED, played: reply });
        }
        self.record_replay(position, NodeKind::And, &edges, attempt)
    }

    /// Returns what the same reply leads to in the model; [`Child::MATE_IN_ONE`] if it does not exist there.
    fn model_of(&self, model: Child, reply: Move) -> Child {
        let store = &self.graph.store;
        let mut edges = store.node(model).range().map(|at| store.edge(at));
        edges.find(|edge| edge.played.code() == reply.code()).map_or(Child::MATE_IN_ONE, |edge| edge.child)
    }

    /// Returns the proved node of a position, or `Some(None)` if the position is disproved; `None` if it is open.
    #[expect(clippy::option_option, reason = "proved, disproved and open")]
    fn solved(&self, position: &Position, attempt: Attempt) -> Option<Option<Child>> {
        let id = self.graph.known(position.key(), attempt)?;
        let node = self.graph.store.node(id);
        node.numbers.is_solved().then(|| node.numbers.is_proved().then_some(id))
    }

    /// Records a proof that a replay has found, unless the position has been proved meanwhile.
    pub(super) fn record_replay(
        &mut self,
        position: &Position,
        kind: NodeKind,
        edges: &[Edge],
        attempt: Attempt,
    ) -> Result<Option<Child>, Interrupted> {
        if let Some(solved) = self.solved(position, attempt) {
            return Ok(solved);
        }
        let store = &mut self.graph.store;
        let longest = edges.iter().map(|edge| store.length(edge)).max().unwrap_or(MateLength(0));
        let length = if kind == NodeKind::Or { longest.longer() } else { longest };
        if !attempt.admits(length) {
            return Ok(None);
        }
        let id = if let Some(id) = self.graph.known(position.key(), attempt) {
            id
        } else {
            let node = Node::new(kind, position.key() ^ attempt.horizon.salt(), ProofNumbers { pn: 1, dn: 1 });
            self.graph.store.add(node)?
        };
        self.graph.store.set_edges(id, edges)?;
        let node = self.graph.store.node_mut(id);
        (node.best, node.open) = (0, 0);
        let best = (kind == NodeKind::Or).then(|| edges[0].played);
        let start = self.meter.count();
        self.record_proof(id, length, best, attempt, start)?;
        Ok(Some(id))
    }
}
