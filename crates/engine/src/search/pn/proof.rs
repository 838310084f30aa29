//! Extracts a proof tree from the solved part of the graph.
//!
//! The search stops at the first proof, which may be much longer than necessary. Before the tree is written, every
//! proved position gets the shortest proof that the graph holds for it. This is repeated until no proof becomes
//! shorter:
//!
//! ```text
//!   length(AND) = max over all children      length(OR) = 1 + min over the proved children
//! ```
//!
//! From an OR node to its chosen child the length falls, and from an AND node to its children it never rises. So the
//! proof contains no cycle, whichever of several nodes with the same position is chosen.

use hashbrown::{HashMap, HashSet};

use crate::chess::{MateLength, NodeKind};
use crate::proof::{NodeId, ProofNode, ProofTree};
use crate::search::arena::{Edge, MATE, NodeIndex};

use super::graph::Arena;

/// Returns the best edge of a proved node and the length of its proof, from the lengths of its children.
pub(super) fn shortest(arena: &Arena<'_>, id: NodeIndex) -> (u16, MateLength) {
    let kind = arena.node(id).kind();
    let lengths = arena.edges(id).map(|edge| arena.node(edge.child())).enumerate();
    let proved =
        lengths.filter(|(_, child)| child.numbers.is_proved()).map(|(i, child)| (i as u16, child.mate_length()));
    match kind {
        NodeKind::Or => {
            let shortest = proved.min_by_key(|&(_, length)| length);
            shortest.map_or((0, MateLength(1)), |(i, length)| (i, length.longer()))
        }
        NodeKind::And => proved.max_by_key(|&(_, length)| length).unwrap_or((0, MateLength(0))),
    }
}

/// The proof of a checkmate: there is no reply.
const CHECKMATE: ProofNode = ProofNode::MATE;

/// Builds the shortest proof that the graph holds for the proved node `root`.
pub(super) fn extract(arena: &mut Arena<'_>, root: NodeIndex) -> ProofTree {
    let proved = proved_below(arena, root);
    let chosen = shorten(arena, &proved);
    let mut tree = ProofTree::new();
    let mut written = HashMap::new();
    let mut stack = vec![root];
    while let Some(&id) = stack.last() {
        let id = representative(arena, &chosen, id);
        let before = stack.len();
        stack.extend(
            proof_children(arena, id).filter(|&child| !written.contains_key(&representative(arena, &chosen, child))),
        );
        // Children come first in the tree.
        if stack.len() > before {
            continue;
        }
        stack.pop();
        if !written.contains_key(&id) {
            let node = write(arena, id, |child| {
                // All checkmates share one node of the arena, but they are different positions.
                if child == MATE {
                    return tree.push(CHECKMATE);
                }
                written[&representative(arena, &chosen, child)]
            });
            written.insert(id, tree.push(node));
        }
    }
    tree
}

/// Returns the proved nodes that can be reached from `root` through proved nodes, in breadth-first order.
fn proved_below(arena: &Arena<'_>, root: NodeIndex) -> Vec<NodeIndex> {
    let mut seen: HashSet<NodeIndex> = HashSet::from_iter([root]);
    let mut found = vec![root];
    let mut at = 0;
    while let Some(&id) = found.get(at) {
        at += 1;
        for edge in arena.edges(id) {
            if arena.node(edge.child()).numbers.is_proved() && edge.child() != MATE && seen.insert(edge.child()) {
                found.push(edge.child());
            }
        }
    }
    found
}

/// The node with the shortest proof, for every key.
type Chosen = HashMap<u64, NodeIndex>;

/// Returns the node with the shortest proof of the position of node `id`.
fn representative(arena: &Arena<'_>, chosen: &Chosen, id: NodeIndex) -> NodeIndex {
    if id == MATE { MATE } else { chosen.get(&arena.node(id).key).copied().unwrap_or(id) }
}

/// Shortens the proofs of the nodes as far as the other nodes' proofs allow.
fn shorten(arena: &mut Arena<'_>, proved: &[NodeIndex]) -> Chosen {
    let mut chosen = Chosen::new();
    let mut changed = true;
    while changed {
        changed = false;
        for &id in proved.iter().rev() {
            let (best, length) = shortest(arena, id);
            let shortest_so_far = *chosen.entry(arena.node(id).key).or_insert(id);
            let node = arena.node_mut(id);
            if length < node.mate_length() {
                node.best = best;
                node.set_mate_length(length);
                changed = true;
            }
            let length = node.mate_length();
            // A shorter proof of this node also serves the other nodes with the same position.
            if length < arena.node(shortest_so_far).mate_length() {
                chosen.insert(arena.node(id).key, id);
                changed = true;
            }
        }
    }
    chosen
}

/// Returns the children that belong to the proof of a proved node, without checkmates.
fn proof_children<'t>(arena: &'t Arena<'_>, id: NodeIndex) -> impl Iterator<Item = NodeIndex> + 't {
    let node = arena.node(id);
    let edges = arena.edges(id);
    let (skip, take) = match node.kind() {
        NodeKind::Or => (usize::from(node.best), 1),
        NodeKind::And => (0, edges.len()),
    };
    edges.skip(skip).take(take).map(Edge::child).filter(|&child| child != MATE)
}

/// Converts a proved node into a node of the proof tree. `child_id` returns the tree's node for a child.
fn write(arena: &Arena<'_>, id: NodeIndex, mut child_id: impl FnMut(NodeIndex) -> NodeId) -> ProofNode {
    match arena.node(id).kind() {
        NodeKind::Or => {
            let edge = arena.best_edge(id);
            ProofNode::Attack(edge.played.code(), child_id(edge.child()))
        }
        NodeKind::And if arena.edges(id).len() == 0 => CHECKMATE,
        NodeKind::And => {
            ProofNode::Defend(arena.edges(id).map(|edge| (edge.played.code(), child_id(edge.child()))).collect())
        }
    }
}
