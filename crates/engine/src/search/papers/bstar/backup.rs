//! Backs values up from the children of a node to the node and its ancestors.
//!
//! | | OR: the attacker to move | AND: the defender to move |
//! |---|---|---|
//! | the attacker's OptPrb | the greatest | the product over the replies |
//! | the defender's OptPrb | the product over the moves | the greatest |
//! | OptVal | the shortest mate hoped for after a move that is not refuted, and one move | the longest |
//!
//! # Updates
//!
//! When the values of a node change, its parents that are not refuted are queued. The nodes of the path are updated
//! first, then other queued nodes up to a limit. Those beyond are marked *stale* and updated when the search reaches
//! them. Updates of the parents of a solved node are never postponed. A proved node is updated too when a child's mate
//! becomes shorter.

use crate::chess::{MateLength, NodeKind};
use crate::search::horizon::Horizon;

use super::graph::{Edge, Graph, Leaf, NodeId, Update};
use super::search::BstarSearch;
use super::value::Cost;

/// The number of queued nodes that one update recomputes before it postpones the others. Doubled, values are fresher
/// and each expansion takes longer; halved, more of them are stale.
const MAX_UPDATES: usize = 1024;

impl BstarSearch<'_, '_, '_> {
    /// Queues a node for an update.
    pub(super) fn enqueue(&mut self, id: NodeId) {
        let node = self.state.graph.node_mut(id);
        if !node.is_refuted() && !matches!(node.update, Update::Queued | Update::Urgent) {
            node.update = Update::Queued;
            self.state.queue.push(id);
        }
    }

    /// Queues the parents of a node. If the node is solved, their updates are urgent.
    pub(super) fn enqueue_parents(&mut self, id: NodeId) {
        let solved = self.state.graph.node(id).is_solved();
        let parents: Vec<NodeId> = self.state.graph.parents(id).collect();
        for parent in parents {
            self.enqueue(parent);
            let node = self.state.graph.node_mut(parent);
            if solved && node.update == Update::Queued {
                node.update = Update::Urgent;
            }
        }
    }

    /// Updates the queued nodes and, where values change, their ancestors.
    pub(super) fn update_queued(&mut self) {
        for depth in (0..self.state.path.len()).rev() {
            self.update_node(self.state.path[depth].node);
        }
        let mut at = 0;
        while let Some(&id) = self.state.queue.get(at) {
            at += 1;
            let node = self.state.graph.node_mut(id);
            if at <= MAX_UPDATES || node.update == Update::Urgent {
                self.update_node(id);
            } else if node.update == Update::Queued {
                node.update = Update::Stale;
            }
        }
        self.state.queue.clear();
    }

    /// Recomputes a node if it is queued, and queues its parents if its values changed.
    fn update_node(&mut self, id: NodeId) {
        if matches!(self.state.graph.node(id).update, Update::Queued | Update::Urgent) {
            self.update_now(id);
        }
    }

    /// Recomputes a node, and queues its parents if its values changed. Returns whether it is solved.
    pub(super) fn update_now(&mut self, id: NodeId) -> bool {
        self.state.graph.node_mut(id).update = Update::None;
        if self.recompute(id) {
            self.enqueue_parents(id);
        }
        self.state.graph.node(id).is_solved()
    }

    /// Computes a node's values from those of its children. Returns whether they changed.
    fn recompute(&mut self, id: NodeId) -> bool {
        let graph = &self.state.graph;
        let node = *graph.node(id);
        if node.is_refuted() || !node.is_expanded {
            return false;
        }
        if node.is_proved() {
            return self.record_proved(id);
        }
        let (backed, best) = match node.kind {
            NodeKind::Or => back_up_or(graph, id),
            NodeKind::And => back_up_and(graph, id),
        };
        if backed.attack == Cost::CERTAIN {
            return self.record_proved(id);
        }
        if backed.attack == Cost::NEVER {
            self.record_refuted(id);
            return true;
        }
        let node = self.state.graph.node_mut(id);
        let changed = (node.numbers.attack, node.numbers.defence) != (backed.attack, backed.defence);
        (node.numbers, node.best) = (backed, best);
        changed
    }

    /// Records a node that is proved by its children, or whose proof has become shorter. A proof is a fact whatever the
    /// path; the node gets the key without a horizon, so that searches with any horizon find it. Returns whether
    /// anything changed.
    fn record_proved(&mut self, id: NodeId) -> bool {
        let node = *self.state.graph.node(id);
        let (best, length) = shortest_proof(&self.state.graph, id, node.kind);
        if node.is_proved() && length >= node.length {
            return false;
        }
        let salt = if node.is_proved() { 0 } else { node.horizon.salt() };
        let key = node.key ^ salt;
        let changed = self.state.graph.node_mut(id);
        changed.best = best;
        changed.set_proved(length);
        let best = (node.kind == NodeKind::Or).then(|| self.state.graph.best_edge(id).played.code());
        if length <= MateLength::MAX {
            self.facts.prove(key, length, best);
        }
        if salt != 0 {
            // If the memory is full, the node keeps its key.
            let _ = self.state.graph.rekey(id, key);
        }
        true
    }

    /// Records a refuted node. With a horizon this is a fact; without, it is true of every length, but is not recorded.
    pub(super) fn record_refuted(&mut self, id: NodeId) {
        let node = self.state.graph.node_mut(id);
        let horizon: Horizon = node.horizon;
        node.set_refuted();
        if let Some(left) = horizon.moves() {
            self.facts.refute(node.key ^ horizon.salt(), left);
        }
    }
}

/// Returns the OptPrbs of a move: those of the node it leads to, unless it closes a cycle.
#[inline]
pub(super) fn costs(graph: &Graph, edge: &Edge) -> (Cost, Cost) {
    let child = graph.node(edge.child);
    // Proofs and refutations do not depend on the path, everything else does.
    if edge.is_cut && !child.is_solved() {
        (Cost::CONDITIONAL, Cost::HALF)
    } else {
        (child.numbers.attack, child.numbers.defence)
    }
}

/// Returns the values of an OR node, from those of its children, and its best edge.
fn back_up_or(graph: &Graph, id: NodeId) -> (Leaf, u16) {
    let (mut backed, mut best) = (Leaf::REFUTED, 0);
    for (i, edge) in graph.edges(id).enumerate() {
        let (attack, defence) = costs(graph, edge);
        if attack < backed.attack {
            (backed.attack, best) = (attack, i as u16);
        }
        backed.defence = backed.defence.and(defence);
        if attack != Cost::NEVER {
            backed.optimum = backed.optimum.min(graph.node(edge.child).numbers.optimum.saturating_add(1));
        }
    }
    (backed, best)
}

/// The same for an AND node.
fn back_up_and(graph: &Graph, id: NodeId) -> (Leaf, u16) {
    let (mut backed, mut best) = (Leaf::MATE, 0);
    for (i, edge) in graph.edges(id).enumerate() {
        let (attack, defence) = costs(graph, edge);
        if defence < backed.defence {
            (backed.defence, best) = (defence, i as u16);
        }
        backed.attack = backed.attack.and(attack);
        backed.optimum = backed.optimum.max(graph.node(edge.child).numbers.optimum);
    }
    (backed, best)
}

/// Returns the best edge of a proved node and the length of its mate, from the lengths of its children.
fn shortest_proof(graph: &Graph, id: NodeId, kind: NodeKind) -> (u16, MateLength) {
    let proved = graph.edges(id).enumerate().filter_map(|(i, edge)| {
        let child = graph.node(edge.child);
        child.is_proved().then_some((i as u16, child.length))
    });
    match kind {
        NodeKind::Or => {
            proved.min_by_key(|&(_, length)| length).map_or((0, MateLength(1)), |(i, length)| (i, length.longer()))
        }
        NodeKind::And => proved.max_by_key(|&(_, length)| length).unwrap_or((0, MateLength(0))),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;
    use crate::chess::Move;
    use crate::search::arena::Region;
    use crate::search::papers::bstar::graph::Node;

    /// Returns a graph with an AND node whose children have these OptPrbs.
    fn replies<'r>(region: &'r Region, children: &[f64]) -> (Graph<'r>, NodeId) {
        let mut graph = Graph::of_bytes(None, region, 1 << 20);
        graph.make_room(children.len() + 1, children.len()).unwrap();
        let played = Move::normal(Square::A1, Square::A2, Role::Rook, None, None);
        let leaf = |chance| Leaf { attack: Cost::of(chance), defence: Cost::HALF, optimum: 2 };
        let parent = graph.add(Node::new(NodeKind::And, 1, leaf(0.5), Horizon::NONE)).unwrap();
        let edges: Vec<_> = (2..)
            .zip(children)
            .map(|(key, &chance)| {
                (played, graph.add(Node::new(NodeKind::Or, key, leaf(chance), Horizon::NONE)).unwrap())
            })
            .collect();
        graph.expand(parent, edges);
        (graph, parent)
    }

    #[test]
    fn the_example_of_the_paper_is_backed_up_by_products() {
        // Figure 10: node F has the three answers I, J and K.
        let region = Region::default();
        let (graph, parent) = replies(&region, &[0.606, 0.693, 0.746]);
        let (backed, _) = back_up_and(&graph, parent);
        assert!((backed.attack.probability() - 0.313).abs() < 0.005);
        // The same children at the forcing side's node: the greatest.
        let (backed, best) = back_up_or(&graph, parent);
        assert!((backed.attack.probability() - 0.746).abs() < 0.005);
        assert_eq!(best, 2);
    }

    #[test]
    fn a_cut_edge_is_conditional_unless_its_child_is_solved() {
        let region = Region::default();
        let (mut graph, parent) = replies(&region, &[0.5, 0.5]);
        graph.cut_edge(parent, 0);
        let (backed, _) = back_up_and(&graph, parent);
        assert!(backed.attack.is_conditional() && backed.attack != Cost::NEVER);
        assert!(backed.defence != Cost::CERTAIN, "the defender has refuted nothing");
        assert_eq!(back_up_or(&graph, parent).1, 1);
        let child = graph.edges(parent).next().unwrap().child;
        graph.node_mut(child).set_proved(MateLength(3));
        assert_eq!(back_up_and(&graph, parent).0.attack, Cost::of(0.5));
    }
}
