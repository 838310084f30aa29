//! The lengths of the mates in a list, computed from the end.
//!
//! ```text
//! attacker to move:  one more than the shortest mate after a listed move
//! defender to move:  the longest mate after a reply, in the list or off it
//! ```
//!
//! The small search and other searches give the lengths off the list, not always the shortest; given these, the lengths
//! are the shortest by listed moves. One pass goes over the lengths in rising order, so that a node gets its length
//! when it is certain. Cycles do no harm, because a node gets its length from nodes that have theirs already.

use crate::chess::{MateLength, Move, MoveCode, NodeKind, PackedPosition, Position};

use super::list::{List, NodeIndex, UNKNOWN};

/// Computes the lengths of all nodes from which there is a mate, and marks them as solved.
pub(super) fn compute(list: &mut List) {
    // By length: the nodes that may have it. A node may stand under a larger length, too.
    let mut waiting: Vec<Vec<NodeIndex>> = vec![Vec::new()];
    // The replies of an AND node whose length is not known.
    let mut unknown = vec![0u16; list.len()];
    for at in list.indices() {
        let replies = list.children(at).count();
        let node = list.node_mut(at);
        node.length = UNKNOWN;
        if node.known != UNKNOWN {
            push(&mut waiting, node.known, at);
        }
        let node = list.node(at);
        if node.kind == NodeKind::And {
            unknown[at as usize] = replies as u16;
            if replies == 0 && !node.stalemate {
                let shortest = node.bound;
                push(&mut waiting, shortest, at);
            }
        }
    }
    let mut length = 0;
    while length < waiting.len() {
        // An AND node gives its parents a longer mate, an OR node one that is not shorter than its own.
        while let Some(at) = waiting[length].pop() {
            let node = list.node_mut(at);
            if node.length != UNKNOWN {
                continue;
            }
            (node.length, node.solved) = (length as u16, true);
            let kind = node.kind;
            let mut parent = list.first_parent(at);
            while let Some((from, edge)) = parent {
                let node = list.node(from);
                if kind == NodeKind::And {
                    if node.length == UNKNOWN {
                        push(&mut waiting, length as u16 + 1, from);
                    }
                } else {
                    let left = &mut unknown[from as usize];
                    *left -= 1;
                    if *left == 0 {
                        push(&mut waiting, node.bound.max(length as u16), from);
                    }
                }
                parent = list.next_parent(edge);
            }
        }
        length += 1;
    }
}

fn push(waiting: &mut Vec<Vec<NodeIndex>>, length: u16, at: NodeIndex) {
    if length > MateLength::MAX.0 {
        return;
    }
    let length = usize::from(length);
    if waiting.len() <= length {
        waiting.resize(length + 1, Vec::new());
    }
    waiting[length].push(at);
}

/// Returns the shortest mate after a listed move of an OR node: the move's node.
pub(super) fn best_child(list: &List, at: NodeIndex) -> Option<NodeIndex> {
    let known = list.children(at).filter(|&child| list.node(child).length != UNKNOWN);
    known.min_by_key(|&child| (list.node(child).length, child))
}

/// Returns the move to a position of the list with the shortest mate, and the length of the mate with this move.
pub(super) fn best_move(list: &List, position: &Position) -> Option<(MoveCode, MateLength)> {
    let length_after = |m: Move| {
        let found = list.find(position.key_after(m), || PackedPosition::of(&position.play(m)))?;
        let length = list.node(found).length;
        (length != UNKNOWN).then_some(length)
    };
    let moves = position.legal_moves().into_iter();
    let known = moves.filter_map(|m| Some((length_after(m)?, m)));
    known.min_by_key(|&(length, _)| length).map(|(length, m)| (m.code(), MateLength(length + 1)))
}

/// Returns the OR nodes of the solution: those that the shortest mates of the list lead to.
pub(super) fn solution(list: &List, root: NodeIndex) -> Vec<NodeIndex> {
    let mut seen = vec![false; list.len()];
    let (mut solution, mut waiting) = (Vec::new(), vec![root]);
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        if list.node(at).kind == NodeKind::Or {
            solution.push(at);
            waiting.extend(best_child(list, at));
        } else {
            waiting.extend(list.children(at));
        }
    }
    solution
}
