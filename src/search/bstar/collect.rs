//! Frees the nodes that no longer matter, by copying the others to a new graph.
//!
//! A node matters if it can be reached from the root along edges that can still change the root's values or that belong
//! to a proof: from an open OR node the moves that are not refuted, from a proved one the best, from an AND node all
//! replies, from a refuted node none.
//!
//! If this frees too little, a collection may also **trim**: an open node that has only leaves below it becomes a leaf
//! again and keeps its values. Its children are made again if the search comes back.

use crate::chess::NodeKind;

use super::graph::{Edge, Graph, MATE, Node, NodeId};

impl Graph {
    /// Frees every node that does not matter for `root`, and with `trim` also leaves. Returns the root's new number;
    /// the others are invalid.
    pub fn collect(&mut self, root: NodeId, trim: bool) -> NodeId {
        let mut copy = Graph::new(self.usable());
        let trims = |id: NodeId| trim && id != root && self.has_only_leaves_below(id);
        let order = self.live(root, trims);
        // The new numbers of the nodes, by their old ones. Those of nodes that are freed are never used.
        let mut moved = vec![MATE; self.len() as usize];
        for &id in &order {
            moved[id.number()] = copy.add(self.node(id).as_leaf());
        }
        for &id in &order {
            let node = self.node(id);
            if !node.is_expanded() || node.is_refuted() || trims(id) {
                continue;
            }
            let kept: Vec<(u16, &Edge)> =
                (0_u16..).zip(self.edges(id)).filter(|&(i, edge)| self.matters(node, i, edge)).collect();
            let best = kept.iter().position(|&(i, _)| i == node.best).unwrap_or(0);
            let edges: Vec<_> = kept.iter().map(|(_, e)| (e.played, moved[e.child().number()], e.is_cut())).collect();
            let new = moved[id.number()];
            copy.expand(new, edges);
            copy.node_mut(new).best = best as u16;
        }
        *self = copy;
        moved[root.number()]
    }

    /// Returns the nodes that matter for `root`, which comes first.
    fn live(&self, root: NodeId, trims: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        let mut seen = vec![false; self.len() as usize];
        let mut order = vec![root];
        seen[root.number()] = true;
        let mut at = 0;
        while let Some(&id) = order.get(at) {
            at += 1;
            if trims(id) {
                continue;
            }
            let node = self.node(id);
            for (i, edge) in (0_u16..).zip(self.edges(id)) {
                let child = edge.child();
                if child != MATE && self.matters(node, i, edge) && !seen[child.number()] {
                    seen[child.number()] = true;
                    order.push(child);
                }
            }
        }
        order
    }

    /// Returns whether a node is open and none of its children is expanded or proved.
    fn has_only_leaves_below(&self, id: NodeId) -> bool {
        let is_leaf = |child: &Node| !child.is_expanded() && !child.is_proved();
        !self.node(id).is_solved() && self.edges(id).all(|edge| is_leaf(self.node(edge.child())))
    }

    /// Returns whether the edge of `node` with this number matters.
    fn matters(&self, node: &Node, offset: u16, edge: &Edge) -> bool {
        match node.kind() {
            _ if node.is_refuted() => false,
            NodeKind::And => true,
            NodeKind::Or if node.is_proved() => offset == node.best,
            NodeKind::Or => !self.node(edge.child()).is_refuted(),
        }
    }
}
