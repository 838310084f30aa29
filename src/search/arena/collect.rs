//! Freeing what no longer matters: mark what does, then slide it together.
//!
//! What matters for the rest of the search is what can be reached from the root along edges that can still change its
//! answer or are part of a proof:
//!
//! | node | edges kept | because |
//! |---|---|---|
//! | unsolved OR | to unsolved children | a disproved child adds ∞ to a minimum and 0 to a sum |
//! | unsolved AND | all | a proved child is part of the proof to come |
//! | proved OR | the proving one | one move is enough |
//! | proved AND | all | every reply is needed |
//! | disproved | none | only its numbers are asked for |
//!
//! An OR node that loses an edge to a tainted child is tainted itself from then on, so that nothing forgotten makes a
//! disproof look cleaner than it is.
//!
//! Nodes and edges move down within their slabs in the order they have: no second copy is needed, so the whole of the
//! memory given holds live nodes until the moment it is full.

use crate::chess::NodeKind;

use super::{Arena, MATE, NONE, Node, NodeIndex, REPETITION, RESERVED};

/// What a collection did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collected {
    /// The root's new number.
    pub root: NodeIndex,
    /// Nodes before.
    pub before: usize,
    /// Nodes after.
    pub after: usize,
}

impl Arena<'_> {
    /// Frees every node that does not matter for `root`. All node numbers change; no path may be held across this.
    pub fn collect(&mut self, root: NodeIndex) -> Collected {
        let before = self.len();
        self.mark(root);
        self.forward();
        self.slide_edges();
        let root = self.nodes.get(root).parents;
        self.slide_nodes();
        self.restore_links();
        Collected { root, before, after: self.len() }
    }

    /// Whether an edge of the node matters; `offset` counts from the node's first edge.
    fn matters(&self, node: &Node, offset: u16) -> bool {
        if node.numbers.is_disproved() {
            return false;
        }
        match node.kind() {
            NodeKind::And => true,
            NodeKind::Or if node.numbers.is_proved() => offset == node.best,
            NodeKind::Or => {
                let edge = self.edges.get(node.edges + u32::from(offset));
                !self.nodes.get(edge.child).numbers.is_disproved()
            }
        }
    }

    /// Marks what matters.
    fn mark(&mut self, root: NodeIndex) {
        for id in 0..self.nodes.len {
            let live = id == root || id == MATE || id == REPETITION;
            self.nodes.get_mut(id).set(Node::LIVE, live);
        }
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            let node = *self.nodes.get(id);
            for offset in 0..node.count {
                let child = self.edges.get(node.edges + u32::from(offset)).child;
                if !self.matters(&node, offset) {
                    if self.nodes.get(child).is_tainted() {
                        self.nodes.get_mut(id).taint();
                    }
                } else if !self.nodes.get(child).has(Node::LIVE) {
                    self.nodes.get_mut(child).set(Node::LIVE, true);
                    stack.push(child);
                }
            }
        }
    }

    /// Writes every live node's new number where its list of parents was; those lists are made anew afterwards.
    fn forward(&mut self) {
        let mut next = 0;
        for id in 0..self.nodes.len {
            let node = self.nodes.get_mut(id);
            if node.has(Node::LIVE) {
                node.parents = next;
                next += 1;
            }
        }
    }

    /// Moves the edges that matter down, in their order, and writes their nodes' new numbers into them.
    fn slide_edges(&mut self) {
        let mut free = 0;
        let mut at = 0;
        while at < self.edges.len {
            let id = self.edges.get(at).parent;
            let node = *self.nodes.get(id);
            // Every block of edges belongs to one node, and edges are never added to it or taken away in between.
            debug_assert_eq!(node.edges, at);
            if node.has(Node::LIVE) {
                free = self.slide_block(id, &node, free);
            }
            at += u32::from(node.count);
        }
        self.edges.len = free;
    }

    /// Moves one node's edges to `free` and gives the place after them.
    fn slide_block(&mut self, id: NodeIndex, node: &Node, mut free: u32) -> u32 {
        let first = free;
        let mut best = 0;
        for offset in 0..node.count {
            if !self.matters(node, offset) {
                continue;
            }
            let mut edge = *self.edges.get(node.edges + u32::from(offset));
            if offset == node.best {
                best = (free - first) as u16;
            }
            edge.child = self.nodes.get(edge.child).parents;
            edge.parent = node.parents;
            *self.edges.get_mut(free) = edge;
            free += 1;
        }
        let node = self.nodes.get_mut(id);
        node.edges = first;
        node.count = (free - first) as u16;
        node.best = best;
        free
    }

    /// Moves the live nodes down.
    fn slide_nodes(&mut self) {
        let mut free = 0;
        for id in 0..self.nodes.len {
            let mut node = *self.nodes.get(id);
            if node.has(Node::LIVE) {
                node.parents = NONE;
                node.set(Node::ON_PATH | Node::QUEUED, false);
                *self.nodes.get_mut(free) = node;
                free += 1;
            }
        }
        self.nodes.len = free;
    }

    /// Makes the lists of parents and the index anew.
    fn restore_links(&mut self) {
        for at in 0..self.edges.len {
            let child = self.edges.get(at).child;
            if child >= RESERVED {
                let next_parent = std::mem::replace(&mut self.nodes.get_mut(child).parents, at);
                self.edges.get_mut(at).next_parent = next_parent;
            }
        }
        let nodes = &self.nodes;
        if let Some(index) = &mut self.index {
            index.clear();
            for id in RESERVED..nodes.len {
                index.insert_unique(nodes.get(id).key, id, |&id| nodes.get(id).key);
            }
        }
    }
}
