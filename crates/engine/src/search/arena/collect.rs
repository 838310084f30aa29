//! Garbage collection: frees the nodes that no longer matter and moves the others together.
//!
//! A node matters if it can be reached from the root along edges that can still change the root's numbers or that
//! belong to a proof:
//!
//! | node | edges kept | reason |
//! |---|---|---|
//! | unsolved OR | to children that are not refuted | a refuted child adds ∞ to a minimum and 0 to a sum |
//! | unsolved AND | all | a proved child is part of the proof to come |
//! | proved OR | the proving one | one move is enough |
//! | proved AND | all | every reply is needed |
//! | refuted | none | only its numbers are used |
//!
//! If this frees too little, [`Arena::trim`] also removes leaves: a node whose children are all unexpanded becomes a
//! leaf again and keeps its numbers. This costs making the children again if the search returns to the node. Repeated
//! trimming also loses what the numbers of deeper leaves contributed.
//!
//! Nodes and edges move down within their slabs and keep their order. No second copy is needed, so live nodes may fill
//! all of the memory given.

use crate::chess::NodeKind;

use super::node::ParentLink;
use super::{Arena, MATE, Node, NodeIndex, Numbers, SlabSource};

/// A collection must free more than one node in `MIN_FREED`. Otherwise the next one would come too soon.
const MIN_FREED: usize = 8;

/// The result of a garbage collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Collected {
    /// The root's new index.
    pub root: NodeIndex,
    /// The number of nodes before the collection.
    pub before: usize,
    /// The number of nodes after it.
    pub after: usize,
}

impl<S: SlabSource, V: Numbers> Arena<S, V> {
    /// Frees nodes that do not matter for `root` and, if these are too few, leaves too, to make room for `wanted`
    /// nodes. Returns the root's new index, and whether there is room for a while.
    pub fn free(&mut self, mut root: NodeIndex, wanted: usize) -> (NodeIndex, bool) {
        for free in [Arena::collect, Arena::trim] {
            let collected = free(self, root);
            root = collected.root;
            if (collected.before - collected.after) * MIN_FREED > collected.before && self.make_room(wanted) {
                return (root, true);
            }
        }
        (root, false)
    }

    /// Frees every node that does not matter for `root`. The index of every node changes: indices from before are
    /// invalid.
    pub fn collect(&mut self, root: NodeIndex) -> Collected {
        self.keep(root, |_, _| true)
    }

    /// Does the same as [`Arena::collect`], and turns every node that has only leaves below it into a leaf.
    pub fn trim(&mut self, root: NodeIndex) -> Collected {
        self.keep(root, |arena: &Self, id| id == root || !arena.has_only_leaves_below(id))
    }

    /// Returns whether a node is unsolved and none of its children is expanded or proved.
    fn has_only_leaves_below(&self, id: NodeIndex) -> bool {
        let is_leaf = |child: &Node<V>| !child.is_expanded() && !child.is_proved();
        !self.node(id).is_solved() && self.edges(id).all(|edge| is_leaf(self.node(edge.child())))
    }

    /// Frees every node that does not matter for `root`. A node for which `keeps_children` is false becomes a leaf.
    fn keep(&mut self, root: NodeIndex, keeps_children: impl Fn(&Self, NodeIndex) -> bool) -> Collected {
        let before = self.len();
        self.mark(root, keeps_children);
        self.assign_new_indices();
        self.slide_edges();
        let root = self.node(root).parents.new_index();
        self.slide_nodes();
        self.restore_links();
        Collected { root, before, after: self.len() }
    }

    /// Returns the indices of all nodes, mate included.
    fn all_indices(&self) -> impl Iterator<Item = NodeIndex> + use<S, V> {
        (0..self.nodes.len).map(NodeIndex)
    }

    /// Returns whether an edge of the node matters. `offset` counts from the node's first edge.
    fn matters(&self, node: &Node<V>, offset: u16) -> bool {
        if node.is_refuted() || !node.is_expanded() {
            return false;
        }
        match node.kind() {
            NodeKind::And => true,
            NodeKind::Or if node.is_proved() => offset == node.best,
            NodeKind::Or => {
                let edge = self.edges.get(node.edges + u32::from(offset));
                !self.node(edge.child()).is_refuted()
            }
        }
    }

    /// Marks the nodes that matter as live, and turns nodes without `keeps_children` into leaves.
    fn mark(&mut self, root: NodeIndex, keeps_children: impl Fn(&Self, NodeIndex) -> bool) {
        for id in self.all_indices() {
            self.node_mut(id).set(Node::<V>::LIVE, id == root || id == MATE);
        }
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if self.node(id).is_expanded() && !keeps_children(self, id) {
                self.node_mut(id).set(Node::<V>::EXPANDED, false);
            }
            let node = *self.node(id);
            for offset in 0..node.count {
                let child = self.edges.get(node.edges + u32::from(offset)).child();
                if !self.matters(&node, offset) {
                    continue;
                }
                if !self.node(child).has(Node::<V>::LIVE) {
                    self.node_mut(child).set(Node::<V>::LIVE, true);
                    stack.push(child);
                }
            }
        }
    }

    /// Computes the new index of every live node and stores it in the node's link to its parents. The lists of parents
    /// are built again afterwards.
    fn assign_new_indices(&mut self) {
        let mut next = 0;
        for id in self.all_indices() {
            let node = self.node_mut(id);
            if node.has(Node::<V>::LIVE) {
                node.parents = ParentLink::forward_to(NodeIndex(next));
                next += 1;
            }
        }
    }

    /// Moves the edges that matter down, in their order, and writes the new node indices into them.
    fn slide_edges(&mut self) {
        let mut free = 0;
        let mut at = 0;
        while at < self.edges.len {
            let id = self.edges.get(at).parent;
            let node = *self.node(id);
            // Every block of edges belongs to one node, and the size of a block never changes between collections.
            debug_assert_eq!(node.edges, at);
            if node.has(Node::<V>::LIVE) {
                free = self.slide_block(id, &node, free);
            }
            at += u32::from(node.count);
        }
        self.edges.len = free;
    }

    /// Moves one node's edges to `free`. Returns the index after them.
    fn slide_block(&mut self, id: NodeIndex, node: &Node<V>, mut free: u32) -> u32 {
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
            edge.set_child(self.node(edge.child()).parents.new_index());
            edge.parent = node.parents.new_index();
            *self.edges.get_mut(free) = edge;
            free += 1;
        }
        let node = self.node_mut(id);
        node.edges = first;
        node.count = (free - first) as u16;
        node.best = best;
        free
    }

    /// Moves the live nodes down.
    fn slide_nodes(&mut self) {
        let mut free = 0;
        for id in self.all_indices() {
            let mut node = *self.node(id);
            if node.has(Node::<V>::LIVE) {
                node.parents = ParentLink::END;
                node.set(Node::<V>::ON_PATH, false);
                *self.nodes.get_mut(free) = node;
                free += 1;
            }
        }
        self.nodes.len = free;
    }

    /// Builds the lists of parents and the index again.
    fn restore_links(&mut self) {
        for at in 0..self.edges.len {
            let child = self.edges.get(at).child();
            if child != MATE {
                let next_parent = std::mem::replace(&mut self.node_mut(child).parents, ParentLink::to(at));
                self.edges.get_mut(at).next_parent = next_parent;
            }
        }
        let (ids, nodes) = (self.indices(), &self.nodes);
        self.index.clear();
        for id in ids {
            self.index.insert_unique(nodes.get(id.0).key, id, |&id| nodes.get(id.0).key);
        }
    }
}
