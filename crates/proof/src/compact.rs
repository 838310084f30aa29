//! Compacts a proof: leaves one node for each position.
//!
//! A search may leave more than a proof behind: nodes of lines that it gave up, and several proofs of one position that
//! is reached by different move orders. Compacting takes for each position (of an exact goal, for each of its lengths)
//! the node with the shortest claimed mate, and keeps of these nodes those that are reached. It merges nodes of the
//! same position, not nodes of the same content: all checkmates have the same content, but the checker demands that a
//! node is one position.
//!
//! Redirecting a move to another node of the same position makes no cycle: an attacker's move leads to a node whose
//! claimed length is one move shorter, a defence to a node whose length is not longer, and the node that is kept is
//! never longer than the node it replaces. For the same reason the mate does not become longer. It may become shorter
//! where another line mates faster from the same position.
//!
//! Positions are identified by 128 random bits. A proof in which two positions with the same bits were taken for one is
//! refused by the checker.

use std::collections::HashMap;

use matesolve_terms::{Goal, MateLength};
use shakmaty::{Chess, Color, EnPassantMode, Position as _, Square, zobrist::Zobrist128};

use super::checker::replay;
use super::{NodeId, ProofError, ProofNode, ProofTree};

impl ProofTree {
    /// Returns the same proof with one node for each position that it reaches (of an exact goal, one for each length).
    /// The mate is not longer than before.
    ///
    /// # Errors
    /// The first fault found, as in [`check`](super::check): only a proof that holds can be compacted.
    pub fn compact(
        &self,
        root: &Chess,
        attacker: Color,
        goal: Goal,
        exclusive: &[(Square, Square)],
    ) -> Result<ProofTree, ProofError> {
        let mut keys: Vec<Option<u128>> = vec![None; self.nodes().len()];
        replay(root, attacker, goal, self, exclusive, |id, position| {
            keys[id as usize] = Some(position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal).0);
        })?;
        let lengths = self.lengths();
        let kept = representatives(&keys, &lengths, goal.exact);
        Ok(self.rebuild(&kept))
    }

    /// Copies the nodes that can be reached from the root, children first, with each child replaced by the node that is
    /// `kept` for it.
    fn rebuild(&self, kept: &[NodeId]) -> ProofTree {
        let mut tree = ProofTree::new();
        let mut copies: Vec<Option<NodeId>> = vec![None; self.nodes().len()];
        let mut open: Vec<NodeId> = self.root().map(|root| kept[root as usize]).into_iter().collect();
        while let Some(&id) = open.last() {
            let waiting = open.len();
            if copies[id as usize].is_none() {
                let children = self.children(id).map(|child| kept[child as usize]);
                open.extend(children.filter(|&child| copies[child as usize].is_none()));
            }
            if open.len() > waiting {
                // The first child is copied first, so it goes on top of the stack.
                open[waiting..].reverse();
                continue;
            }
            open.pop();
            if copies[id as usize].is_none() {
                let copy = |child: NodeId| copies[kept[child as usize] as usize].unwrap_or_default();
                let node = match &self.nodes()[id as usize] {
                    ProofNode::Attack(code, child) => ProofNode::Attack(*code, copy(*child)),
                    ProofNode::Defend(replies) => {
                        ProofNode::Defend(replies.iter().map(|&(code, child)| (code, copy(child))).collect())
                    }
                    ProofNode::End(end) => ProofNode::End(*end),
                };
                copies[id as usize] = Some(tree.push(node));
            }
        }
        tree
    }

    /// Returns the children of a node, in the order of its moves.
    fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let (one, many) = match &self.nodes()[id as usize] {
            ProofNode::Attack(_, child) => (Some(*child), &[][..]),
            ProofNode::Defend(replies) => (None, &replies[..]),
            ProofNode::End(_) => (None, &[][..]),
        };
        one.into_iter().chain(many.iter().map(|&(_, child)| child))
    }
}

/// Returns for each node the one that is kept for its position: that with the shortest mate, of equally short ones the
/// first. `keys` are the positions of the nodes, `None` for nodes that cannot be reached. `exact`: only nodes of the
/// same length stand for one another.
fn representatives(keys: &[Option<u128>], lengths: &[MateLength], exact: bool) -> Vec<NodeId> {
    let of_length = |id: NodeId| if exact { lengths[id as usize] } else { MateLength(0) };
    let mut best: HashMap<(u128, MateLength), NodeId> = HashMap::new();
    for (id, key) in (0..).zip(keys) {
        if let Some(key) = key {
            let kept = best.entry((*key, of_length(id))).or_insert(id);
            if lengths[id as usize] < lengths[*kept as usize] {
                *kept = id;
            }
        }
    }
    let of =
        |(id, key): (NodeId, &Option<u128>)| key.and_then(|key| best.get(&(key, of_length(id))).copied()).unwrap_or(id);
    (0..).zip(keys).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use crate::testing::chess;
    use ProofNode::{Attack, Defend};
    use matesolve_terms::MoveCode;

    fn mv(text: &str) -> MoveCode {
        MoveCode::new(text[0..2].parse().unwrap(), text[2..4].parse().unwrap(), None)
    }

    #[test]
    fn each_position_keeps_its_shortest_proof_only() {
        let root = chess("7k/8/7p/7P/8/8/6Q1/K5R1 w - - 0 1");
        let mut tree = ProofTree::new();
        // 1. Ka2 Kh7 2. Ka1 Kh8 leads back to the diagram; from there 1. Qg7 mates at once.
        for node in [
            ProofNode::MATE,
            Attack(mv("a1a2"), 0), // no mate, and not part of the proof
            ProofNode::MATE,
            Attack(mv("g2g7"), 2),
            Defend(vec![(mv("h7h8"), 3)]),
            Attack(mv("a2a1"), 4),
            Defend(vec![(mv("h8h7"), 5)]),
            Attack(mv("a1a2"), 6),
        ] {
            tree.push(node);
        }
        let proof = check(&root, Color::White, Goal::MATE, tree).unwrap();
        assert_eq!(proof.length(), MateLength(3));
        let tree = proof.tree().compact(&root, Color::White, Goal::MATE, &[]).unwrap();
        let compact = check(&root, Color::White, Goal::MATE, tree).unwrap();
        assert_eq!(compact.tree().nodes(), [ProofNode::MATE, Attack(mv("g2g7"), 0)]);
        assert_eq!(compact.length(), MateLength(1));
    }
}
