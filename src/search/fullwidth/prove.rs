//! Builds proof trees from the bounds of a finished full-width search.
//!
//! The search stores bounds and best moves, not trees. At an OR node the tree takes the stored move, or searches for it
//! again if the table has lost it; at an AND node it takes every reply. Equal positions with equal lengths share one
//! node, so a tree is about as large as its set of positions.

use hashbrown::HashMap;

use crate::chess::{MateLength, Move, MoveCode, NodeKind, Position};
use crate::proof::{NodeId, ProofNode, ProofTree};
use crate::search::{Interrupted, StopReason};

use super::FullWidth;

/// A proof tree under construction.
#[derive(Debug, Default)]
struct TreeBuilder {
    tree: ProofTree,
    /// The nodes in the tree, by key and mate length.
    done: HashMap<(u64, u16), NodeId>,
}

impl FullWidth<'_, '_> {
    /// Returns a proof that the attacker mates within `n` moves from a node of this kind, or `None` if he does not.
    pub fn prove(&mut self, position: &Position, kind: NodeKind, n: u16) -> Result<Option<ProofTree>, Interrupted> {
        let mut builder = TreeBuilder::default();
        let root = match kind {
            NodeKind::Or => self.prove_mates(position, n, &mut builder)?,
            NodeKind::And => self.prove_mated(position, n, &mut builder)?,
        };
        Ok(root.map(|_| builder.tree))
    }

    /// Adds an OR node from which the attacker mates within `n` moves. Returns `None` if he does not.
    fn prove_mates(
        &mut self,
        position: &Position,
        n: u16,
        builder: &mut TreeBuilder,
    ) -> Result<Option<NodeId>, Interrupted> {
        let Some(length) = self.shortest(position, n)? else { return Ok(None) };
        if let Some(&id) = builder.done.get(&(position.key(), length)) {
            return Ok(Some(id));
        }
        let Some(m) = self.find_mating_move(position, length)? else { return Ok(None) };
        let child = self.play(position, m)?;
        let Some(child) = self.prove_mated(&child, length - 1, builder)? else { return Ok(None) };
        let id = builder.tree.push(ProofNode::Attack(m.code(), child));
        builder.done.insert((position.key(), length), id);
        Ok(Some(id))
    }

    /// Adds an AND node at which the defender is mated within `n` moves. Returns `None` if he is not.
    fn prove_mated(
        &mut self,
        position: &Position,
        n: u16,
        builder: &mut TreeBuilder,
    ) -> Result<Option<NodeId>, Interrupted> {
        let moves = position.legal_moves();
        if moves.is_empty() && !position.is_check() || n == 0 && !moves.is_empty() {
            return Ok(None);
        }
        if self.proof_limit.is_some_and(|limit| builder.tree.nodes().len() >= limit) {
            return Err(StopReason::Memory);
        }
        let key = (position.key(), n);
        if let Some(&id) = builder.done.get(&key) {
            return Ok(Some(id));
        }
        let mut replies: Vec<(MoveCode, NodeId)> = Vec::with_capacity(moves.len());
        for m in moves {
            let child = self.play(position, m)?;
            let Some(child) = self.prove_mates(&child, n, builder)? else { return Ok(None) };
            replies.push((m.code(), child));
        }
        let id = builder.tree.push(ProofNode::Defend(replies));
        builder.done.insert(key, id);
        Ok(Some(id))
    }

    /// Returns a move that mates in `length` moves, the length of the shortest mate: the stored move, or the first such
    /// move.
    fn find_mating_move(&mut self, position: &Position, length: u16) -> Result<Option<Move>, Interrupted> {
        if length == 1 {
            return Ok(position.mate_in_one());
        }
        let fact = self.facts.get(position.key());
        if fact.bounds.proved() == Some(MateLength(length))
            && let Some(m) = fact.best.and_then(|best| position.find_move(best))
        {
            return Ok(Some(m));
        }
        for m in position.legal_moves() {
            let child = self.play(position, m)?;
            if self.mated(&child, length - 1)? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }
}
