//! Makes room in a full graph.
//!
//! While the root is open nearly every node can be reached and may still matter. So the nodes below which the search
//! has worked least are **folded**: the edges that lead to them become leaves with their numbers, and what only they
//! lead to is freed. If the search comes back, it lists their moves again. How little work is enough is chosen so that
//! at most half of the graph remains, if that is possible. Proofs that are still reached are kept: of a proved OR node
//! the one move, of a proved AND node all replies.
//!
//! The nodes and edges that remain move down within their slabs and keep their order. No second copy is needed: a list
//! of the new indices takes the memory of the index meanwhile, and the first edge of each block holds its node. All
//! indices may change, so nothing may be on the path.

use crate::chess::NodeKind;
use crate::search::{Interrupted, StopReason};

use super::store::{Child, Edge, Node, Store};

/// The mark of the first edge of a block, in the place of its child. The other bits are then its node.
const BLOCK: u32 = 1 << 31;

impl Store<'_> {
    /// Frees about half of the graph below `root`. Returns the root's new index.
    ///
    /// # Errors
    /// Less than an eighth can be freed; the next time would come too soon.
    pub fn fold(&mut self, root: Child) -> Result<Child, Interrupted> {
        let used = self.bytes_of_records();
        let mut live = used;
        for work in 0..u64::BITS as u8 {
            live = self.mark(root, work);
            if live * 2 <= used {
                break;
            }
        }
        if live * 8 > used * 7 {
            return Err(StopReason::Memory);
        }
        self.drop_index();
        let new = self.new_indices()?;
        self.slide_edges(&new);
        self.slide_nodes();
        self.rebuild_index()?;
        Ok(new[root.0 as usize])
    }

    /// Returns the bytes of the nodes and edges in use.
    fn bytes_of_records(&self) -> usize {
        self.ids().count() * size_of::<Node>() + self.edges.len as usize * size_of::<Edge>()
    }

    fn ids(&self) -> impl Iterator<Item = Child> + use<> {
        (Child::FIRST..self.nodes.len).map(Child)
    }

    /// Marks the nodes that remain if those with at most this work, as a power of two, are folded. Returns their bytes.
    fn mark(&mut self, root: Child, work: u8) -> usize {
        for id in self.ids() {
            self.node_mut(id).set(Node::LIVE, false);
        }
        self.node_mut(root).set(Node::LIVE, true);
        let (mut bytes, mut stack) = (0, vec![root]);
        while let Some(id) = stack.pop() {
            self.drop_needless_edges(id);
            let node = *self.node(id);
            bytes += size_of::<Node>() + usize::from(node.count) * size_of::<Edge>();
            for at in node.range() {
                let child = self.edge(at).child;
                if child.is_node() && self.remains(child, work) {
                    self.node_mut(child).set(Node::LIVE, true);
                    stack.push(child);
                }
            }
        }
        bytes
    }

    /// Returns whether a node is not marked yet and is not folded.
    fn remains(&self, id: Child, work: u8) -> bool {
        let node = self.node(id);
        !node.has(Node::LIVE) && (node.numbers.is_solved() || (node.is_expanded() && node.work > work))
    }

    /// Leaves a solved node only what belongs to its proof.
    fn drop_needless_edges(&mut self, id: Child) {
        let node = self.node_mut(id);
        if node.numbers.is_disproved() {
            node.drop_edges();
        } else if node.numbers.is_proved() && node.kind() == NodeKind::Or && node.count > 1 {
            (node.edges, node.count, node.best) = (node.edges + u32::from(node.best), 1, 0);
        }
    }

    /// Returns the new index of every node. That of a node that does not remain is none of a node.
    fn new_indices(&self) -> Result<Vec<Child>, Interrupted> {
        let mut all = Vec::new();
        all.try_reserve_exact(self.nodes.len as usize).map_err(|_| StopReason::Memory)?;
        all.resize(self.nodes.len as usize, Child::LEAF);
        let remaining = self.ids().filter(|&id| self.node(id).has(Node::LIVE));
        for (new, id) in (Child::FIRST..).zip(remaining) {
            all[id.0 as usize] = Child(new);
        }
        Ok(all)
    }

    /// Moves the edges of the nodes that remain down, and writes the new indices into them.
    fn slide_edges(&mut self, new: &[Child]) {
        for id in self.ids() {
            let node = *self.node(id);
            if node.has(Node::LIVE) && node.count > 0 {
                let first = std::mem::replace(&mut self.edge_mut(node.edges).child, Child(id.0 | BLOCK));
                self.node_mut(id).edges = first.0;
            }
        }
        let (mut at, mut free) = (0, 0);
        while at < self.edges.len {
            let owner = self.edge(at).child.0;
            if owner & BLOCK == 0 {
                at += 1;
                continue;
            }
            let id = Child(owner & !BLOCK);
            let count = u32::from(self.node(id).count);
            let first = std::mem::replace(&mut self.node_mut(id).edges, free);
            self.edge_mut(at).child = Child(first);
            for i in 0..count {
                *self.edge_mut(free + i) = self.slid(*self.edge(at + i), new);
            }
            (at, free) = (at + count, free + count);
        }
        self.edges.len = free;
    }

    /// Returns an edge with the new index of its child, or as a leaf if the child is folded.
    fn slid(&self, edge: Edge, new: &[Child]) -> Edge {
        if !edge.child.is_node() {
            return edge;
        }
        let child = new[edge.child.0 as usize];
        if child.is_node() {
            Edge { child, ..edge }
        } else {
            Edge { child: Child::LEAF, numbers: self.node(edge.child).numbers, ..edge }
        }
    }

    /// Moves the nodes that remain down.
    fn slide_nodes(&mut self) {
        let mut free = Child::FIRST;
        for id in self.ids() {
            let node = *self.node(id);
            if node.has(Node::LIVE) {
                *self.node_mut(Child(free)) = node;
                free += 1;
            }
        }
        self.nodes.len = free;
    }
}
