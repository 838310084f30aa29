//! Extracts the proof tree of a proved node.
//!
//! An OR node gives its best move, an AND node all its replies. From an OR node to its best child the length of the
//! mate falls, and from an AND node to its children it never rises, so the proof has no cycle.

use hashbrown::HashMap;

use crate::chess::NodeKind;
use crate::proof::{ProofNode, ProofTree};

use super::graph::{Edge, Graph, MATE, NodeId};

/// Builds the proof of the proved node `root`.
pub(super) fn extract(graph: &Graph, root: NodeId) -> ProofTree {
    let mut tree = ProofTree::new();
    let mut written = HashMap::new();
    let mut stack = vec![root];
    while let Some(&id) = stack.last() {
        let before = stack.len();
        stack.extend(children(graph, id).map(|edge| edge.child).filter(|c| *c != MATE && !written.contains_key(c)));
        // Children come first in the tree.
        if stack.len() > before {
            continue;
        }
        stack.pop();
        if written.contains_key(&id) {
            continue;
        }
        let mut replies: Vec<_> = Vec::new();
        for edge in children(graph, id) {
            // All checkmates share one node of the graph, but they are different positions.
            let child = match edge.child {
                MATE => tree.push(ProofNode::MATE),
                child => written[&child],
            };
            replies.push((edge.played.code(), child));
        }
        let node = match (graph.node(id).kind, replies.first()) {
            (NodeKind::Or, Some(&(code, child))) => ProofNode::Attack(code, child),
            (_, None) => ProofNode::MATE,
            _ => ProofNode::Defend(replies),
        };
        written.insert(id, tree.push(node));
    }
    tree
}

/// Returns the edges that belong to the proof of a proved node.
fn children<'g>(graph: &'g Graph<'_>, id: NodeId) -> impl Iterator<Item = &'g Edge> {
    let node = graph.node(id);
    let edges = graph.edges(id);
    let (skip, take) = match node.kind {
        NodeKind::Or => (usize::from(node.best), 1),
        NodeKind::And => (0, edges.len()),
    };
    edges.skip(skip).take(take)
}
