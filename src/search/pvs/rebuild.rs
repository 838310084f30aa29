//! From "there is a mate" to the tree that proves it.
//!
//! The search answers with a length; the moves lie scattered in the tables. They are collected here: the remembered
//! move at OR nodes, every reply at AND nodes. Where a table has lost an entry the position is searched again, first as
//! deep as the iteration that found the mate, then deeper, at last by full width, which cannot fail because the mate exists.
//! Everything counts as nodes. What cannot be rebuilt within the limits is not claimed, and neither is what is not there:
//! two positions that share a key may have fooled the table.
//!
//! Positions that occur more than once share their node, so the proof is no larger than the set of its positions.

use hashbrown::HashMap;

use crate::chess::{MateLength, MoveCode, NodeKind, Position};
use crate::proof::{NodeId, ProofNode, ProofTree};

use super::super::Interrupted;
use super::nodes::Search;
use super::window::Depth;

/// Why a proof could not be rebuilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// A limit was reached.
    Interrupted(Interrupted),
    /// The mate does not exist: an entry was another position's.
    NotThere,
}

impl From<Interrupted> for Lost {
    fn from(reason: Interrupted) -> Lost {
        Lost::Interrupted(reason)
    }
}

/// A proof under construction.
pub struct Rebuild<'r, 's, 'c> {
    search: &'r mut Search<'s, 'c>,
    /// The depth of the iteration that found the mate.
    depth: Depth,
    tree: ProofTree,
    /// OR nodes already in the tree, with the length of their proof.
    done: HashMap<u64, (NodeId, MateLength)>,
}

impl<'r, 's, 'c> Rebuild<'r, 's, 'c> {
    /// Collects from what this search left behind.
    pub fn new(search: &'r mut Search<'s, 'c>, depth: Depth) -> Rebuild<'r, 's, 'c> {
        Rebuild { search, depth, tree: ProofTree::new(), done: HashMap::new() }
    }

    /// The proof of a mate within `length` moves, which the search has found.
    pub fn proof(mut self, kind: NodeKind, position: &Position, length: MateLength) -> Result<ProofTree, Lost> {
        match kind {
            NodeKind::Or => self.attack(position, length)?,
            NodeKind::And => self.defend(position, length)?,
        };
        Ok(self.tree)
    }

    /// OR node with a mate within `length` moves.
    fn attack(&mut self, position: &Position, length: MateLength) -> Result<(NodeId, MateLength), Lost> {
        let key = position.key();
        if let Some(&done) = self.done.get(&key).filter(|(_, known)| *known <= length) {
            return Ok(done);
        }
        let (code, within) = self.mating_move(position, length)?;
        let m = position.find_move(code).ok_or(Lost::NotThere)?;
        self.search.meter.node()?;
        let rest = within.shorter().unwrap_or_default();
        let (child, longest) = self.defend(&position.play(m), rest)?;
        let id = self.tree.push(ProofNode::Attack(code, child));
        let done = (id, MateLength(longest.0 + 1));
        self.done.insert(key, done);
        Ok(done)
    }

    /// AND node whose replies are all mated within `length` moves.
    fn defend(&mut self, position: &Position, length: MateLength) -> Result<(NodeId, MateLength), Lost> {
        let mut replies = Vec::new();
        let mut longest = MateLength(0);
        let moves = position.legal_moves();
        if moves.is_empty() && !position.is_check() || !moves.is_empty() && length.0 == 0 {
            return Err(Lost::NotThere);
        }
        for m in moves {
            self.search.meter.node()?;
            let (child, known) = self.attack(&position.play(m), length)?;
            longest = longest.max(known);
            replies.push((m.code(), child));
        }
        Ok((self.tree.push(ProofNode::Defend(replies)), longest))
    }

    /// The remembered mating move, or one found again.
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), Lost> {
        if let Some(found) = self.remembered(position, length) {
            return Ok(found);
        }
        let full = Depth::full(NodeKind::Or, length);
        let mut depth = self.depth.min(full);
        loop {
            let exact = depth >= full;
            if exact {
                self.search.options = self.search.options.exact();
            }
            match self.search.find_again(position, length, depth)? {
                Some(found) => return Ok(found),
                None if exact => return Err(Lost::NotThere),
                None => depth = if depth.plus(2) < full { depth.plus(2) } else { full },
            }
        }
    }

    fn remembered(&self, position: &Position, length: MateLength) -> Option<(MoveCode, MateLength)> {
        let key = position.key();
        let entry = self.search.table.get(key);
        let fact = self.search.facts.get(key);
        let own = entry.proved.map(|within| (entry.best, within));
        let shared = Some((fact.best, MateLength(fact.mate_within)));
        let fits = |&(code, within): &(MoveCode, MateLength)| {
            within <= length && code != MoveCode::NONE && position.find_move(code).is_some()
        };
        own.filter(fits).or(shared.filter(fits))
    }
}
