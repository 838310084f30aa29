//! From the solved part of the arena to a proof tree.
//!
//! The search stops at the first proof it meets, and that may be much longer than it need be. Before the proof is
//! written down, every proved position is given the shortest of the proofs that the graph holds for it, until nothing
//! gets shorter any more:
//!
//! ```text
//!   length(AND) = max over all children      length(OR) = 1 + min over the proved children
//! ```
//!
//! Lengths fall strictly from every OR node to the child it chooses and never rise from an AND node to its children, so
//! the proof cannot run in a circle, whichever of several nodes with the same position is chosen.

use hashbrown::{HashMap, HashSet};

use crate::chess::NodeKind;
use crate::proof::{NodeId, ProofNode, ProofTree};
use crate::search::arena::{Arena, MATE, NodeIndex};

/// The edge to choose at a proved node, and the length of its proof by the lengths of its children.
pub(super) fn shortest(arena: &Arena<'_>, id: NodeIndex) -> (u16, u16) {
    let kind = arena.node(id).kind();
    let lengths = arena.edges(id).map(|edge| arena.node(edge.child)).enumerate();
    let proved = lengths.filter(|(_, child)| child.numbers.is_proved()).map(|(i, child)| (i as u16, child.span));
    match kind {
        NodeKind::Or => proved.min_by_key(|&(_, span)| span).map_or((0, 1), |(i, span)| (i, span.saturating_add(1))),
        NodeKind::And => proved.max_by_key(|&(_, span)| span).unwrap_or((0, 0)),
    }
}

/// A position without a reply.
const CHECKMATE: ProofNode = ProofNode::Defend(Vec::new());

/// The shortest proof that the graph holds for the proved node `root`.
pub(super) fn extract(arena: &mut Arena<'_>, root: NodeIndex) -> ProofTree {
    let proved = proved_below(arena, root);
    let chosen = shorten(arena, &proved);
    let mut tree = ProofTree::new();
    let mut written = HashMap::new();
    let mut stack = vec![root];
    while let Some(&id) = stack.last() {
        let id = representative(arena, &chosen, id);
        let waiting = stack.len();
        stack.extend(
            proof_children(arena, id).filter(|&child| !written.contains_key(&representative(arena, &chosen, child))),
        );
        if stack.len() > waiting {
            continue;
        }
        stack.pop();
        if !written.contains_key(&id) {
            let node = write(arena, id, |child| {
                // All checkmates are one node of the arena, but each is a position of its own.
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

/// The proved nodes that can be reached from a proved node along proved ones, roughly parents first.
fn proved_below(arena: &Arena<'_>, root: NodeIndex) -> Vec<NodeIndex> {
    let mut seen: HashSet<NodeIndex> = HashSet::from_iter([root]);
    let mut found = vec![root];
    let mut at = 0;
    while let Some(&id) = found.get(at) {
        at += 1;
        for edge in arena.edges(id) {
            if arena.node(edge.child).numbers.is_proved() && edge.child != MATE && seen.insert(edge.child) {
                found.push(edge.child);
            }
        }
    }
    found
}

/// For every key, the node with the shortest proof.
type Chosen = HashMap<u64, NodeIndex>;

fn representative(arena: &Arena<'_>, chosen: &Chosen, id: NodeIndex) -> NodeIndex {
    if id == MATE { MATE } else { chosen.get(&arena.node(id).key).copied().unwrap_or(id) }
}

/// Shortens the proofs of all the nodes as far as they allow it among themselves.
fn shorten(arena: &mut Arena<'_>, proved: &[NodeIndex]) -> Chosen {
    let mut chosen = Chosen::new();
    let mut changed = true;
    while changed {
        changed = false;
        for &id in proved.iter().rev() {
            let (best, length) = shortest(arena, id);
            let shortest_so_far = *chosen.entry(arena.node(id).key).or_insert(id);
            let node = arena.node_mut(id);
            if length < node.span {
                (node.best, node.span) = (best, length);
                changed = true;
            }
            let length = node.span;
            // Another node with the same position may lend its shorter proof.
            if length < arena.node(shortest_so_far).span {
                chosen.insert(arena.node(id).key, id);
                changed = true;
            }
        }
    }
    chosen
}

/// The children that the proof of a proved node is made of, checkmates excepted.
fn proof_children<'t>(arena: &'t Arena<'_>, id: NodeIndex) -> impl Iterator<Item = NodeIndex> + 't {
    let node = arena.node(id);
    let (skip, take) = match node.kind() {
        NodeKind::Or => (usize::from(node.best), 1),
        NodeKind::And => (0, usize::MAX),
    };
    arena.edges(id).skip(skip).take(take).map(|edge| edge.child).filter(|&child| child != MATE)
}

fn write(arena: &Arena<'_>, id: NodeIndex, mut number: impl FnMut(NodeIndex) -> NodeId) -> ProofNode {
    match arena.node(id).kind() {
        NodeKind::Or => {
            let edge = arena.best_edge(id);
            ProofNode::Attack(edge.played.code(), number(edge.child))
        }
        NodeKind::And => {
            ProofNode::Defend(arena.edges(id).map(|edge| (edge.played.code(), number(edge.child))).collect())
        }
    }
}
