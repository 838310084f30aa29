//! The reference: the oracle's definition of "mate in n" with a table, for what the oracle is too slow for.
//!
//! Full width, keyed on position and remaining moves: a position's entry is how many moves are refuted and within how
//! many a mate is proved. It answers the questions a problem is tested by: how long is the shortest mate, which first
//! moves are keys, is there a threat after the key, would a solver that takes stalemate for mate be fooled. Its own
//! agreement with `search::exhaustive` is tested in `agreement.rs`, its proofs by the checker.
#![allow(dead_code, reason = "every test binary asks its own questions")]

use std::collections::HashMap;

use matesolve::chess::{Move, MoveCode, MoveList, Moves, NodeKind, Position};
use matesolve::proof::{NodeId, ProofNode, ProofTree};

/// The node budget is used up: the answer is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted;

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy)]
struct Known {
    none_below: u16,
    mate_within: u16,
}

/// A solver with a node budget.
pub struct Reference {
    table: HashMap<u64, Known>,
    /// By remaining moves: the defence that refuted last.
    killers: Vec<MoveCode>,
    left: u64,
    /// Take stalemate for mate, as a faulty solver would.
    stalemate_mates: bool,
}

impl Reference {
    /// A solver that makes at most so many nodes.
    pub fn new(nodes: u64) -> Reference {
        Reference { table: HashMap::new(), killers: vec![MoveCode::NONE; 64], left: nodes, stalemate_mates: false }
    }

    /// A faulty solver: it takes stalemate for mate.
    pub fn fooled_by_stalemate(nodes: u64) -> Reference {
        Reference { stalemate_mates: true, ..Reference::new(nodes) }
    }

    fn count(&mut self) -> Result<(), Exhausted> {
        self.left = self.left.checked_sub(1).ok_or(Exhausted)?;
        Ok(())
    }

    /// Whether the side to move mates within `n`.
    pub fn mates(&mut self, position: &Position, n: u16) -> Result<bool, Exhausted> {
        if n == 0 {
            return Ok(false);
        }
        if n == 1 && !self.stalemate_mates {
            self.count()?;
            return Ok(position.mate_in_one().is_some());
        }
        let mut known = self.table.get(&position.key()).copied().unwrap_or(Known { none_below: 1, mate_within: 999 });
        if n < known.none_below || n >= known.mate_within {
            return Ok(n >= known.mate_within);
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
        if mates {
            known.mate_within = n;
        } else {
            known.none_below = n + 1;
        }
        let entry = self.table.entry(position.key()).or_insert(known);
        entry.none_below = entry.none_below.max(known.none_below);
        entry.mate_within = entry.mate_within.min(known.mate_within);
        Ok(mates)
    }

    /// Whether the side to move is mated within `n`.
    pub fn mated(&mut self, position: &Position, n: u16) -> Result<bool, Exhausted> {
        if n == 0 {
            return Ok(!position.has_move() && (self.stalemate_mates || position.is_check()));
        }
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Ok(self.stalemate_mates || position.is_check());
        }
        if let Some(killer) = moves.iter().position(|m| m.code() == self.killers[usize::from(n)]) {
            moves.swap(0, killer);
        }
        for m in moves {
            self.count()?;
            if !self.mates(&position.play(m), n)? {
                self.killers[usize::from(n)] = m.code();
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the node is a mate within `n`.
    pub fn holds(&mut self, position: &Position, kind: NodeKind, n: u16) -> Result<bool, Exhausted> {
        match kind {
            NodeKind::Or => self.mates(position, n),
            NodeKind::And => self.mated(position, n),
        }
    }

    /// The length of the shortest mate, if there is one within `bound`.
    pub fn shortest(&mut self, position: &Position, kind: NodeKind, bound: u16) -> Result<Option<u16>, Exhausted> {
        for n in 0..=bound {
            if self.holds(position, kind, n)? {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// The first moves that mate within `n`.
    pub fn keys(&mut self, position: &Position, n: u16) -> Result<Vec<Move>, Exhausted> {
        let mut keys = Vec::new();
        for m in position.legal_moves() {
            self.count()?;
            if self.mated(&position.play(m), n - 1)? {
                keys.push(m);
            }
        }
        Ok(keys)
    }

    /// The proof of a mate within `n` that holds.
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
        // The shortest proof of the position, so that one proof serves wherever the position occurs.
        let n = self.shortest(position, kind, n)?.expect("the caller knows that the mate holds");
        let node = match kind {
            NodeKind::Or => {
                let m = self.first_key(position, n)?;
                ProofNode::Attack(m.code(), self.prove(&position.play(m), NodeKind::And, n - 1, tree, done)?)
            }
            NodeKind::And => {
                let mut replies = Vec::new();
                for m in position.legal_moves() {
                    replies.push((m.code(), self.prove(&position.play(m), NodeKind::Or, n, tree, done)?));
                }
                ProofNode::Defend(replies)
            }
        };
        let id = tree.push(node);
        done.insert(position.key(), id);
        Ok(id)
    }

    fn first_key(&mut self, position: &Position, n: u16) -> Result<Move, Exhausted> {
        for m in checks_first(position) {
            if self.mated(&position.play(m), n - 1)? {
                return Ok(m);
            }
        }
        unreachable!("a mate within {n} has a key: {}", position.fen())
    }
}

fn checks_first(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    position.generate(Moves::Checks, &mut moves);
    position.generate(Moves::Quiet, &mut moves);
    moves
}
