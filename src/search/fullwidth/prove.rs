//! A proof tree for the checker, from the facts of a finished search.
//!
//! The search keeps bounds, not trees: a proof is unfolded afterwards. At an attacker's node the recorded move is taken
//! (or searched for again, if the table has lost it), at a defender's node every reply. Equal positions with equal
//! lengths become one node, so a proof is about as large as the number of positions in it.

use hashbrown::HashMap;

use crate::chess::{MateLength, Move, MoveCode, NodeKind, Position};
use crate::proof::{NodeId, ProofNode, ProofTree};
use crate::search::{Interrupted, StopReason};

use super::FullWidth;

/// A proof being put together.
#[derive(Debug, Default)]
struct Unfolding {
    tree: ProofTree,
    done: HashMap<(u64, u16), NodeId>,
}

impl FullWidth<'_, '_> {
    /// A proof that the attacker mates within `n` from a node of this kind; `None` if he does not.
    pub fn prove(&mut self, position: &Position, kind: NodeKind, n: u16) -> Result<Option<ProofTree>, Interrupted> {
        let mut unfolding = Unfolding::default();
        let root = match kind {
            NodeKind::Or => self.prove_mates(position, n, &mut unfolding)?,
            NodeKind::And => self.prove_mated(position, n, &mut unfolding)?,
        };
        Ok(root.map(|_| unfolding.tree))
    }

    fn prove_mates(
        &mut self,
        position: &Position,
        n: u16,
        unfolding: &mut Unfolding,
    ) -> Result<Option<NodeId>, Interrupted> {
        let Some(length) = self.shortest(position, n)? else { return Ok(None) };
        if let Some(&id) = unfolding.done.get(&(position.key(), length)) {
            return Ok(Some(id));
        }
        let Some(m) = self.a_mating_move(position, length)? else { return Ok(None) };
        let child = self.play(position, m)?;
        let Some(child) = self.prove_mated(&child, length - 1, unfolding)? else { return Ok(None) };
        let id = unfolding.tree.push(ProofNode::Attack(m.code(), child));
        unfolding.done.insert((position.key(), length), id);
        Ok(Some(id))
    }

    fn prove_mated(
        &mut self,
        position: &Position,
        n: u16,
        unfolding: &mut Unfolding,
    ) -> Result<Option<NodeId>, Interrupted> {
        let moves = position.legal_moves();
        if moves.is_empty() && !position.is_check() || n == 0 && !moves.is_empty() {
            return Ok(None);
        }
        // Checkmates share a key with no other position, whatever `n` is.
        if unfolding.tree.nodes().len() >= self.proof_limit {
            return Err(StopReason::Memory);
        }
        let key = (position.key(), n);
        if let Some(&id) = unfolding.done.get(&key) {
            return Ok(Some(id));
        }
        let mut replies: Vec<(MoveCode, NodeId)> = Vec::with_capacity(moves.len());
        for m in moves {
            let child = self.play(position, m)?;
            let Some(child) = self.prove_mates(&child, n, unfolding)? else { return Ok(None) };
            replies.push((m.code(), child));
        }
        let id = unfolding.tree.push(ProofNode::Defend(replies));
        unfolding.done.insert(key, id);
        Ok(Some(id))
    }

    /// A move that mates in `length`, the shortest: the recorded one, or the first that does.
    fn a_mating_move(&mut self, position: &Position, length: u16) -> Result<Option<Move>, Interrupted> {
        if length == 1 {
            return Ok(position.mate_in_one());
        }
        let fact = self.facts.get(position.key());
        if fact.bounds.proved() == Some(MateLength(length))
            && let Some(m) = position.find_move(fact.best)
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
