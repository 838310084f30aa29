//! One node a position.
//!
//! Searches leave behind more than a proof: nodes of lines they gave up, and the same position proved again wherever
//! moves transpose. This pass keeps, for every position that the proof can reach, one node only (the one with the
//! shortest claimed mate) and drops the rest. It merges by position, not by content: all checkmates look alike as
//! nodes, but the checker wants a node to be one position.
//!
//! Redirecting a line to another node of the same position cannot close a circle: an attacker's move leads to a node
//! whose claim is one move shorter, a defence to one that is not longer, and the node kept is never longer than the
//! one it replaces. Nor can it lengthen the mate; where a transposition was mated faster elsewhere, it shortens it.
//!
//! Positions are told apart by 128 random bits. Should two ever collide, the result is a proof that the checker
//! refuses, not a false one.

use std::collections::HashMap;

use shakmaty::{Chess, Color, EnPassantMode, Position as _, zobrist::Zobrist128};

use crate::chess::MateLength;

use super::checker::replay;
use super::{NodeId, ProofError, ProofNode, ProofTree, Verified, check};

impl ProofTree {
    /// The same proof with one node for each position it reaches, and no others. The mate is not longer than before.
    ///
    /// # Errors
    /// As [`super::check`]: only what proves something can be compacted.
    pub fn compact(&self, root: &Chess, attacker: Color) -> Result<ProofTree, ProofError> {
        let mut keys: Vec<Option<u128>> = vec![None; self.nodes().len()];
        replay(root, attacker, self, &[], |id, position| {
            keys[id as usize] = Some(position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal).0);
        })?;
        let kept = Representatives::choose(&keys, &self.lengths());
        Ok(self.rebuild(&kept))
    }

    /// Copies the nodes reachable from the root, children first, each child replaced by its representative.
    fn rebuild(&self, kept: &Representatives) -> ProofTree {
        let mut tree = ProofTree::new();
        let mut copies: Vec<Option<NodeId>> = vec![None; self.nodes().len()];
        let mut open: Vec<NodeId> = self.root().map(|root| kept.of(root)).into_iter().collect();
        while let Some(&id) = open.last() {
            let waiting = open.len();
            if copies[id as usize].is_none() {
                let children = self.children(id).map(|child| kept.of(child));
                open.extend(children.filter(|&child| copies[child as usize].is_none()));
            }
            if open.len() > waiting {
                // The first child is to be copied first.
                open[waiting..].reverse();
                continue;
            }
            open.pop();
            if copies[id as usize].is_none() {
                let copy = |child: NodeId| copies[kept.of(child) as usize].unwrap_or_default();
                let node = match &self.nodes()[id as usize] {
                    ProofNode::Attack(code, child) => ProofNode::Attack(*code, copy(*child)),
                    ProofNode::Defend(replies) => {
                        ProofNode::Defend(replies.iter().map(|&(code, child)| (code, copy(child))).collect())
                    }
                };
                copies[id as usize] = Some(tree.push(node));
            }
        }
        tree
    }

    fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let (one, many) = match &self.nodes()[id as usize] {
            ProofNode::Attack(_, child) => (Some(*child), &[][..]),
            ProofNode::Defend(replies) => (None, &replies[..]),
        };
        one.into_iter().chain(many.iter().map(|&(_, child)| child))
    }
}

impl Verified {
    /// The same mate with one node for each position, checked again. The mate is not longer than before.
    ///
    /// # Errors
    /// If the compacted proof does not pass the check, which would be a fault of the program.
    pub fn compact(&self) -> Result<Verified, ProofError> {
        check(self.root(), self.attacker(), self.tree().compact(self.root(), self.attacker())?)
    }
}

/// For every node the one that stands for its position.
struct Representatives(Vec<NodeId>);

impl Representatives {
    /// `keys` names the positions of the nodes that are reached; of equal positions the shortest mate is kept, then the
    /// earliest node.
    fn choose(keys: &[Option<u128>], lengths: &[MateLength]) -> Representatives {
        let mut best: HashMap<u128, NodeId> = HashMap::new();
        for (id, key) in (0..).zip(keys) {
            if let Some(key) = key {
                let kept = best.entry(*key).or_insert(id);
                if lengths[id as usize] < lengths[*kept as usize] {
                    *kept = id;
                }
            }
        }
        let of = |(id, key): (NodeId, &Option<u128>)| key.and_then(|key| best.get(&key).copied()).unwrap_or(id);
        Representatives((0..).zip(keys).map(of).collect())
    }

    fn of(&self, id: NodeId) -> NodeId {
        self.0[id as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MoveCode;
    use ProofNode::{Attack, Defend};
    use shakmaty::{CastlingMode, fen::Fen};

    fn mv(text: &str) -> MoveCode {
        MoveCode::new(text[0..2].parse().unwrap(), text[2..4].parse().unwrap(), None)
    }

    #[test]
    fn a_position_keeps_its_shortest_proof_and_nothing_else_stays() {
        let fen: Fen = "7k/8/7p/7P/8/8/6Q1/K5R1 w - - 0 1".parse().unwrap();
        let root: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let mut tree = ProofTree::new();
        // 1. Ka2 Kh7 2. Ka1 Kh8 is the diagram again, with Black's and White's part played for nothing.
        for node in [
            Defend(vec![]),
            Attack(mv("a1a2"), 0), // not a mate, and not reached
            Defend(vec![]),
            Attack(mv("g2g7"), 2),
            Defend(vec![(mv("h7h8"), 3)]),
            Attack(mv("a2a1"), 4),
            Defend(vec![(mv("h8h7"), 5)]),
            Attack(mv("a1a2"), 6),
        ] {
            tree.push(node);
        }
        let proof = check(&root, Color::White, tree).unwrap();
        assert_eq!(proof.length(), MateLength(3));
        let compact = proof.compact().unwrap();
        assert_eq!(compact.tree().nodes(), [Defend(vec![]), Attack(mv("g2g7"), 0)]);
        assert_eq!(compact.length(), MateLength(1));
    }
}
