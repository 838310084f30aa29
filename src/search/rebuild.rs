//! From "there is a mate" to the tree that proves it.
//!
//! A search with a table answers with a length; the moves lie scattered in what it remembers. They are collected here:
//! the remembered move at OR nodes, every reply at AND nodes. How a move that was forgotten is found again is the
//! search's affair ([`Remembers`]). Every position that is made counts as a node. What cannot be rebuilt within the limits
//! is not claimed, and neither is what is not there: two positions that share a key may have fooled the table.
//!
//! Positions that occur more than once share their node, so the proof is no larger than the set of its positions.

use hashbrown::HashMap;

use crate::chess::{MateLength, MoveCode, NodeKind, Position};
use crate::proof::{NodeId, ProofNode, ProofTree};

use super::Interrupted;

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
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

/// A search that has found a mate.
pub trait Remembers {
    /// The move that mates from an OR node within `length` moves, and within how many it does; searched for if it is
    /// forgotten.
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), Lost>;

    /// The mate in one, for a search that does not make the positions after them.
    fn mate_at_once(&self, _: &Position) -> Option<MoveCode> {
        None
    }

    /// Counts a node about to be made.
    fn node(&mut self) -> Result<(), Interrupted>;
}

/// The proof of the position, which the search has proved within `length` moves.
pub fn rebuild(
    search: &mut impl Remembers,
    kind: NodeKind,
    position: &Position,
    length: MateLength,
) -> Result<ProofTree, Lost> {
    let mut rebuild = Rebuild { search, tree: ProofTree::new(), done: HashMap::new() };
    match kind {
        NodeKind::Or => rebuild.attack(position, length)?,
        NodeKind::And => rebuild.defend(position, length)?,
    };
    Ok(rebuild.tree)
}

/// A tree under construction.
struct Rebuild<'r, S> {
    search: &'r mut S,
    tree: ProofTree,
    /// The OR nodes that are in the tree, with the length of the mate from there.
    done: HashMap<u64, (NodeId, MateLength)>,
}

impl<S: Remembers> Rebuild<'_, S> {
    /// An OR node with a mate within `length` moves.
    fn attack(&mut self, position: &Position, length: MateLength) -> Result<(NodeId, MateLength), Lost> {
        let key = position.key();
        if let Some(&done) = self.done.get(&key).filter(|(_, known)| *known <= length) {
            return Ok(done);
        }
        let (code, (child, rest)) = if let Some(mate) = self.search.mate_at_once(position) {
            (mate, (self.tree.push(ProofNode::Defend(Vec::new())), MateLength(0)))
        } else {
            let (code, within) = self.search.mating_move(position, length)?;
            let m = position.find_move(code).ok_or(Lost::NotThere)?;
            self.search.node()?;
            (code, self.defend(&position.play(m), within.shorter().unwrap_or_default())?)
        };
        let done = (self.tree.push(ProofNode::Attack(code, child)), MateLength(rest.0 + 1));
        self.done.insert(key, done);
        Ok(done)
    }

    /// An AND node whose replies are all mated within `length` moves.
    fn defend(&mut self, position: &Position, length: MateLength) -> Result<(NodeId, MateLength), Lost> {
        let mut replies = Vec::new();
        let mut longest = MateLength(0);
        let moves = position.legal_moves();
        if (length.0 == 0 || moves.is_empty()) && !position.is_checkmate() {
            return Err(Lost::NotThere);
        }
        for m in moves {
            self.search.node()?;
            let (child, rest) = self.attack(&position.play(m), length)?;
            replies.push((m.code(), child));
            longest = longest.max(rest);
        }
        Ok((self.tree.push(ProofNode::Defend(replies)), longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Move;
    use crate::problem::fen;
    use crate::search::StopReason;

    /// Remembers the same move everywhere, and has so many nodes left.
    struct Stubborn {
        uci: &'static str,
        nodes: u32,
        at_once: bool,
    }

    impl Remembers for Stubborn {
        fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), Lost> {
            let wanted = |m: &Move| format!("{}{}", m.from(), m.to()) == self.uci;
            let m = position.legal_moves().into_iter().find(wanted);
            Ok((m.map_or(MoveCode(1), Move::code), length))
        }

        fn mate_at_once(&self, position: &Position) -> Option<MoveCode> {
            position.mate_in_one().filter(|_| self.at_once).map(Move::code)
        }

        fn node(&mut self) -> Result<(), Interrupted> {
            self.nodes = self.nodes.checked_sub(1).ok_or(StopReason::Nodes)?;
            Ok(())
        }
    }

    fn rebuilt(text: &str, uci: &'static str, length: u16, nodes: u32, at_once: bool) -> Result<ProofTree, Lost> {
        let position = Position::from_chess(&fen::read(text).unwrap().chess);
        rebuild(&mut Stubborn { uci, nodes, at_once }, NodeKind::Or, &position, MateLength(length))
    }

    const MATE_IN_ONE: &str = "7k/5Q2/6K1/8/8/8/8/8 w - -";

    #[test]
    fn what_is_remembered_wrongly_is_not_claimed() {
        let good = rebuilt(MATE_IN_ONE, "f7g7", 1, 9, false).unwrap();
        assert_eq!((good.length(), good.nodes().len()), (MateLength(1), 2));
        for (uci, why) in [("f7f1", "a flight is left"), ("g6f6", "stalemate"), ("f7a1", "not a legal move")] {
            assert_eq!(rebuilt(MATE_IN_ONE, uci, 1, 9, false), Err(Lost::NotThere), "{why}");
        }
        assert_eq!(rebuilt(MATE_IN_ONE, "g6f6", 5, 9, false), Err(Lost::NotThere), "stalemate, with moves left");
    }

    #[test]
    fn positions_that_are_made_are_counted() {
        let interrupted = Err(Lost::Interrupted(StopReason::Nodes));
        assert_eq!(rebuilt(MATE_IN_ONE, "f7g7", 1, 0, false), interrupted);
        assert!(rebuilt(MATE_IN_ONE, "f7g7", 1, 1, false).is_ok());
        assert!(rebuilt(MATE_IN_ONE, "f7g7", 1, 0, true).is_ok(), "nothing is made for a mate read off the board");
    }
}
