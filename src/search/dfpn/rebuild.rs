//! From a proved root to the tree that shows it.
//!
//! The proof lies in the table, position by position: the attacker's move at OR nodes, "all replies" at AND nodes. It is
//! collected from there; a position whose entry has been replaced is searched again, within the length its parent's
//! proof allows. That search cannot fail, because the mate exists, unless two positions shared a key; then nothing is
//! claimed. Positions that occur more than once share their node.

use hashbrown::HashMap;

use crate::chess::{MateLength, MoveCode, NodeKind, Position};
use crate::proof::{NodeId, ProofNode, ProofTree};
use crate::search::Interrupted;
use crate::search::horizon::Horizon;

use super::search::Search;
use super::table::NEVER;

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    /// A limit was reached.
    Interrupted(Interrupted),
    /// The mate is not there: an entry was another position's.
    NotThere,
}

impl From<Interrupted> for Lost {
    fn from(reason: Interrupted) -> Lost {
        Lost::Interrupted(reason)
    }
}

/// A tree under construction.
pub(super) struct Rebuild<'r, 's, 'c> {
    search: &'r mut Search<'s, 'c>,
    tree: ProofTree,
    /// The OR nodes that are in the tree, with the length of the mate from there.
    done: HashMap<u64, (NodeId, u16)>,
}

impl<'r, 's, 'c> Rebuild<'r, 's, 'c> {
    pub fn new(search: &'r mut Search<'s, 'c>) -> Rebuild<'r, 's, 'c> {
        Rebuild { search, tree: ProofTree::new(), done: HashMap::new() }
    }

    /// The proof of the position, which the search has proved within `length` moves.
    pub fn proof(mut self, position: &Position, kind: NodeKind, length: u16) -> Result<ProofTree, Lost> {
        match kind {
            NodeKind::Or => self.attack(position, length)?,
            NodeKind::And => self.defend(position, length)?,
        };
        Ok(self.tree)
    }

    fn attack(&mut self, position: &Position, length: u16) -> Result<(NodeId, u16), Lost> {
        let key = position.key();
        if let Some(&done) = self.done.get(&key).filter(|(_, known)| *known <= length) {
            return Ok(done);
        }
        let done = if let Some(mate) = position.mate_in_one() {
            let leaf = self.tree.push(ProofNode::Defend(Vec::new()));
            (self.tree.push(ProofNode::Attack(mate.code(), leaf)), 1)
        } else {
            let (code, within) = self.mating_move(position, length)?;
            let m = position.find_move(code).ok_or(Lost::NotThere)?;
            self.search.meter.node()?;
            let (child, rest) = self.defend(&position.play(m), within - 1)?;
            (self.tree.push(ProofNode::Attack(code, child)), rest + 1)
        };
        self.done.insert(key, done);
        Ok(done)
    }

    fn defend(&mut self, position: &Position, length: u16) -> Result<(NodeId, u16), Lost> {
        let mut replies = Vec::new();
        let mut longest = 0;
        let moves = position.legal_moves();
        if (length == 0 || moves.is_empty()) && !position.is_checkmate() {
            return Err(Lost::NotThere);
        }
        for m in moves {
            self.search.meter.node()?;
            let (child, rest) = self.attack(&position.play(m), length)?;
            replies.push((m.code(), child));
            longest = longest.max(rest);
        }
        Ok((self.tree.push(ProofNode::Defend(replies)), longest))
    }

    /// The move that mates within `length` moves (at least 1; not at once), and within how many it does.
    fn mating_move(&mut self, position: &Position, length: u16) -> Result<(MoveCode, u16), Lost> {
        let horizon = Horizon::within(MateLength(length));
        let known = |search: &Search<'_, '_>| {
            let found = search.table.get(position.key(), horizon);
            let usable = found.mate_within < NEVER && found.mate_within <= length && found.best != MoveCode::NONE;
            usable.then_some((found.best, found.mate_within))
        };
        if let Some(found) = known(self.search) {
            return Ok(found);
        }
        let value = self.search.again(position, horizon)?;
        if !value.numbers.is_proved() {
            return Err(Lost::NotThere);
        }
        known(self.search).ok_or(Lost::NotThere)
    }
}
