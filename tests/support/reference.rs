//! The reference: a simple full-width solver with a table. It solves problems that are too large for the engine
//! `exhaustive`.
//!
//! The table stores, for each position, the length through which mates are refuted and the length of the shortest mate
//! proved. The reference answers the questions of the tests: the length of the shortest mate, the keys, whether there
//! is a threat after the key, and the result of a faulty solver that takes stalemate for mate. `agreement.rs` tests
//! that it agrees with `exhaustive`; the checker tests its proofs.

use std::collections::HashMap;

use matesolve_engine::chess::{MateLength, Move, MoveCode, MoveList, Moves, NodeKind, Position};
use matesolve_proof::{Bounds, NodeId, ProofNode, ProofTree};

/// The error when the node budget is used up: the answer is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted;

/// A solver with a node budget.
pub struct Reference {
    /// The bounds of the positions with the attacker to move, by key.
    table: HashMap<u64, Bounds>,
    /// The defence that refuted last, by the number of moves left.
    killers: Vec<Option<MoveCode>>,
    /// The nodes left of the budget.
    left: u64,
    /// Whether stalemate counts as mate, as in a faulty solver.
    stalemate_mates: bool,
}

impl Reference {
    /// Creates a solver with a budget of `nodes` nodes.
    pub fn new(nodes: u64) -> Reference {
        Reference { table: HashMap::new(), killers: vec![None; 64], left: nodes, stalemate_mates: false }
    }

    /// Creates a faulty solver, which takes stalemate for mate.
    pub fn fooled_by_stalemate(nodes: u64) -> Reference {
        Reference { stalemate_mates: true, ..Reference::new(nodes) }
    }

    /// Counts a node.
    fn count(&mut self) -> Result<(), Exhausted> {
        self.left = self.left.checked_sub(1).ok_or(Exhausted)?;
        Ok(())
    }

    /// Returns whether the side to move mates within `n` moves.
    pub fn mates(&mut self, position: &Position, n: u16) -> Result<bool, Exhausted> {
        if n == 0 {
            return Ok(false);
        }
        if n == 1 && !self.stalemate_mates {
            self.count()?;
            return Ok(position.mate_in_one().is_some());
        }
        let length = MateLength(n);
        let known = self.table.get(&position.key()).copied().unwrap_or_default();
        if known.refutes(length) || known.proves(length) {
            return Ok(known.proves(length));
        }
        let mut mates = self.mates(position, n - 1)?;
        if !mates {
            for m in checks_first(position) {
                self.count()?;
                if self.mated(&position.play(m), n - 1)? {
                    mates = true;
                    break;
                }
            }
        }
        // The recursion may have improved the entry.
        let bounds = self.table.entry(position.key()).or_default();
        if mates {
            bounds.prove(length);
        } else {
            bounds.refute(length);
        }
        Ok(mates)
    }

    /// Returns whether the side to move is mated within `n` moves.
    pub fn mated(&mut self, position: &Position, n: u16) -> Result<bool, Exhausted> {
        if n == 0 {
            return Ok(!position.has_move() && (self.stalemate_mates || position.is_check()));
        }
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Ok(self.stalemate_mates || position.is_check());
        }
        if let Some(killer) = moves.iter().position(|m| Some(m.code()) == self.killers[usize::from(n)]) {
            moves.swap(0, killer);
        }
        for &m in &moves {
            self.count()?;
            if !self.mates(&position.play(m), n)? {
                self.killers[usize::from(n)] = Some(m.code());
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether the node is a mate within `n` moves.
    pub fn holds(&mut self, position: &Position, kind: NodeKind, n: u16) -> Result<bool, Exhausted> {
        match kind {
            NodeKind::Or => self.mates(position, n),
            NodeKind::And => self.mated(position, n),
        }
    }

    /// Returns the length of the shortest mate, or `None` if there is no mate within `bound` moves.
    pub fn shortest(&mut self, position: &Position, kind: NodeKind, bound: u16) -> Result<Option<u16>, Exhausted> {
        for n in 0..=bound {
            if self.holds(position, kind, n)? {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// Returns the first moves that mate within `n` moves.
    pub fn keys(&mut self, position: &Position, n: u16) -> Result<Vec<Move>, Exhausted> {
        let mut keys = Vec::new();
        for &m in &position.legal_moves() {
            self.count()?;
            if self.mated(&position.play(m), n - 1)? {
                keys.push(m);
            }
        }
        Ok(keys)
    }

    /// Returns the proof of a mate within `n` moves. The mate must exist.
    pub fn proof(&mut self, position: &Position, kind: NodeKind, n: u16) -> Result<ProofTree, Exhausted> {
        let mut tree = ProofTree::new();
        self.prove(position, kind, n, &mut tree, &mut HashMap::new())?;
        Ok(tree)
    }

    fn prove(
        &mut self,
        position: &Position,
        kind: NodeKind,
        n: u16,
        tree: &mut ProofTree,
        done: &mut HashMap<u64, NodeId>,
    ) -> Result<NodeId, Exhausted> {
        if let Some(&id) = done.get(&position.key()) {
            return Ok(id);
        }
        // The shortest proof is valid wherever the position occurs.
        let n = self.shortest(position, kind, n)?.expect("the caller knows that the mate holds");
        let node = match kind {
            NodeKind::Or => {
                let m = self.first_key(position, n)?;
                ProofNode::Attack(m.code(), self.prove(&position.play(m), NodeKind::And, n - 1, tree, done)?)
            }
            NodeKind::And => {
                let mut replies = Vec::new();
                for &m in &position.legal_moves() {
                    replies.push((m.code(), self.prove(&position.play(m), NodeKind::Or, n, tree, done)?));
                }
                if replies.is_empty() { ProofNode::MATE } else { ProofNode::Defend(replies) }
            }
        };
        let id = tree.push(node);
        done.insert(position.key(), id);
        Ok(id)
    }

    /// Returns the first move that mates within `n` moves. The mate must exist.
    fn first_key(&mut self, position: &Position, n: u16) -> Result<Move, Exhausted> {
        for m in checks_first(position) {
            if self.mated(&position.play(m), n - 1)? {
                return Ok(m);
            }
        }
        unreachable!("a mate within {n} has a key: {}", position.fen())
    }
}

/// Returns the legal moves, those that give check first.
fn checks_first(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    position.generate(Moves::Checks, &mut moves);
    position.generate(Moves::Quiet, &mut moves);
    moves
}
