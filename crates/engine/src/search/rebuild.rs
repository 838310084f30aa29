//! Rebuilds the proof tree of a mate, or of another goal, from what a search has stored.
//!
//! This module collects the moves of the proof: one at OR nodes, every reply that the goal allows at AND nodes. The
//! search names the move ([`ProofSource`]); if its table has lost the move, it may look for it again. Every move played
//! on the way counts as a node. If the proof cannot be completed, for example because a limit is reached, or because
//! two positions share a key and the table held the wrong one, no mate is claimed.
//!
//! OR nodes of one position share a node of the tree, if its mate is short enough for both. So do AND nodes, if the
//! search wants that ([`ProofSource::completed`]).

use hashbrown::HashMap;

use crate::chess::{Goal, MateLength, Move, MoveCode, NodeKind, Position, rules};
use crate::proof::{Bounds, NodeId, ProofNode, ProofTree};

use super::{Interrupted, StopReason};

/// The reason why a part of a proof could not be rebuilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RebuildError {
    /// A limit was reached.
    Interrupted(Interrupted),
    /// The mate does not exist: a table entry belonged to another position with the same key.
    NotFound,
}

impl From<Interrupted> for RebuildError {
    fn from(reason: Interrupted) -> RebuildError {
        RebuildError::Interrupted(reason)
    }
}

/// Returns a legal move that mates within `length` moves, with the length of its mate. `stored` holds the moves and
/// bounds that tables have for the position, the preferred one first.
pub(crate) fn stored_move(
    position: &Position,
    length: MateLength,
    stored: impl IntoIterator<Item = (Option<MoveCode>, Bounds)>,
) -> Option<(MoveCode, MateLength)> {
    let mut known = stored.into_iter().filter_map(|(best, bounds)| best.zip(bounds.proved()));
    known.find(|&(code, within)| within <= length && position.find_move(code).is_some())
}

/// A search that has found a mate and can name the moves of its proof.
pub(crate) trait ProofSource {
    /// Returns a move that mates within `length` moves from an OR node, with the length of that mate. Searches the
    /// position again if the table has lost the move.
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError>;

    /// Returns the goal that the proof reaches.
    fn goal(&self) -> Goal {
        Goal::MATE
    }

    /// Returns a mate in one, if the search finds such mates without making the position after them.
    fn mate_at_once(&self, position: &Position) -> Option<MoveCode> {
        if self.goal().is_mate() { position.mate_in_one().map(Move::code) } else { None }
    }

    /// Learns that the proof from a position with the defender to move is complete, with the length of its mate.
    /// Returns whether such positions share nodes of the tree, too.
    fn completed(&mut self, _key: u64, _length: MateLength) -> bool {
        false
    }

    /// Counts a node that is about to be made.
    fn node(&mut self) -> Result<(), Interrupted>;

    /// Returns whether a proof may take this number of bytes while it is built.
    fn has_room_for(&self, _bytes: usize) -> bool {
        true
    }
}

/// Builds the proof that the attacker mates from `position`, a node of the given kind, within `length` moves; `None` if
/// the mate does not exist. A proof of more than `max_nodes` nodes is given up with [`StopReason::Memory`].
pub(crate) fn rebuild(
    search: &mut impl ProofSource,
    kind: NodeKind,
    position: &Position,
    length: MateLength,
    max_nodes: Option<usize>,
) -> Result<Option<ProofTree>, Interrupted> {
    let mut rebuild = Rebuild {
        goal: search.goal(),
        search,
        tree: ProofTree::new(),
        reply_bytes: 0,
        done: HashMap::new(),
        answered: HashMap::new(),
        max_nodes,
    };
    let root = match kind {
        NodeKind::Or => rebuild.attack(position, length),
        NodeKind::And => rebuild.defend(position, length),
    };
    match root {
        Ok(_) => Ok(Some(rebuild.tree)),
        Err(RebuildError::NotFound) => Ok(None),
        Err(RebuildError::Interrupted(reason)) => Err(reason),
    }
}

/// A proof tree under construction.
struct Rebuild<'r, S> {
    search: &'r mut S,
    goal: Goal,
    tree: ProofTree,
    /// The memory of the lists of replies in the tree, in bytes.
    reply_bytes: usize,
    /// The OR nodes that are in the tree, by key, with the length of the mate from there.
    done: HashMap<u64, (NodeId, MateLength)>,
    /// The same for AND nodes, if the search shares them.
    answered: HashMap<u64, (NodeId, MateLength)>,
    max_nodes: Option<usize>,
}

impl<S: ProofSource> Rebuild<'_, S> {
    /// Adds an OR node from which there is a mate within `length` moves. Returns it with the length of its mate.
    fn attack(&mut self, position: &Position, length: MateLength) -> Result<(NodeId, MateLength), RebuildError> {
        let key = position.key();
        if let Some(&done) = self.done.get(&key).filter(|(_, known)| *known <= length) {
            return Ok(done);
        }
        if self.goal.is_self()
            && let Some(reached) = rules::over(self.goal, position, NodeKind::Or)
        {
            return if reached { Ok(self.end()) } else { Err(RebuildError::NotFound) };
        }
        let (code, (child, rest)) = if let Some(mate) = self.search.mate_at_once(position) {
            (mate, self.end())
        } else {
            let (code, within) = self.search.mating_move(position, length)?;
            let m = position.find_move(code).ok_or(RebuildError::NotFound)?;
            self.search.node()?;
            (code, self.defend(&position.play(m), within.shorter().unwrap_or(MateLength(0)))?)
        };
        let done = (self.tree.push(ProofNode::Attack(code, child)), MateLength(rest.0 + 1));
        self.done.insert(key, done);
        Ok(done)
    }

    /// Adds an AND node at which every reply is mated within `length` moves. Returns it with the length of the longest.
    fn defend(&mut self, position: &Position, length: MateLength) -> Result<(NodeId, MateLength), RebuildError> {
        let too_many = self.max_nodes.is_some_and(|max| self.tree.nodes().len() >= max);
        if too_many || !self.search.has_room_for(self.bytes()) {
            return Err(StopReason::Memory.into());
        }
        let key = position.key();
        if let Some(&done) = self.answered.get(&key).filter(|(_, known)| *known <= length) {
            return Ok(done);
        }
        let mut longest = MateLength(0);
        let moves = rules::replies(self.goal, position);
        let mut replies = Vec::with_capacity(moves.len());
        if !rules::over(self.goal, position, NodeKind::And).unwrap_or(length.0 > 0 || self.goal.is_self()) {
            return Err(RebuildError::NotFound);
        }
        for &m in &moves {
            self.search.node()?;
            let (child, rest) = self.attack(&position.play(m), length)?;
            replies.push((m.code(), child));
            longest = longest.max(rest);
        }
        self.reply_bytes += replies.len() * size_of::<(MoveCode, NodeId)>() + ALLOCATION_BYTES;
        let node = if replies.is_empty() { ProofNode::End(self.goal.end) } else { ProofNode::Defend(replies) };
        let done = (self.tree.push(node), longest);
        if self.search.completed(key, longest) {
            self.answered.insert(key, done);
        }
        Ok(done)
    }

    /// Adds the end of a line, where the goal stands on the board.
    fn end(&mut self) -> (NodeId, MateLength) {
        (self.tree.push(ProofNode::End(self.goal.end)), MateLength(0))
    }

    /// Returns the memory of the proof in bytes, with what the next growth of each part needs.
    fn bytes(&self) -> usize {
        let (len, capacity) = (self.tree.nodes().len(), self.tree.capacity());
        let nodes = with_growth(capacity * size_of::<ProofNode>(), len, capacity);
        nodes + self.reply_bytes + bytes_of_map(&self.done) + bytes_of_map(&self.answered)
    }
}

/// A list or map with less room than this may grow before the memory is looked at again.
const ALMOST_FULL: usize = 1024;
/// The memory that an allocation takes beside its content, in bytes.
const ALLOCATION_BYTES: usize = 16;

/// Returns the memory of a map in bytes, with what its next growth needs.
pub(crate) fn bytes_of_map<V>(map: &HashMap<u64, V>) -> usize {
    with_growth(map.allocation_size(), map.len(), map.capacity())
}

/// A list or map that grows is copied into one of twice the size.
fn with_growth(bytes: usize, len: usize, capacity: usize) -> usize {
    if len + ALMOST_FULL > capacity { 3 * bytes } else { bytes }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::chess::Move;
    use crate::chess::testing::position;

    /// A search that names the same move in every position.
    struct OneMove {
        uci: &'static str,
        /// The nodes left until it is interrupted.
        nodes: u32,
        /// Whether it finds mates in one without making a position.
        at_once: bool,
    }

    impl ProofSource for OneMove {
        fn mating_move(
            &mut self,
            position: &Position,
            length: MateLength,
        ) -> Result<(MoveCode, MateLength), RebuildError> {
            let wanted = |m: &Move| format!("{}{}", m.from(), m.to()) == self.uci;
            let m = position.legal_moves().into_iter().find(wanted);
            Ok((m.map_or(MoveCode::new(Square::A1, Square::A1, None), Move::code), length))
        }

        fn mate_at_once(&self, position: &Position) -> Option<MoveCode> {
            position.mate_in_one().filter(|_| self.at_once).map(Move::code)
        }

        fn node(&mut self) -> Result<(), Interrupted> {
            self.nodes = self.nodes.checked_sub(1).ok_or(StopReason::Nodes)?;
            Ok(())
        }
    }

    fn rebuilt(
        text: &str,
        uci: &'static str,
        length: u16,
        nodes: u32,
        at_once: bool,
    ) -> Result<Option<ProofTree>, Interrupted> {
        let position = position(text);
        rebuild(&mut OneMove { uci, nodes, at_once }, NodeKind::Or, &position, MateLength(length), None)
    }

    const MATE_IN_ONE: &str = "7k/5Q2/6K1/8/8/8/8/8 w - -";

    #[test]
    fn a_wrong_move_in_the_table_is_not_claimed_as_a_mate() {
        let good = rebuilt(MATE_IN_ONE, "f7g7", 1, 9, false).unwrap().unwrap();
        assert_eq!((good.length(), good.nodes().len()), (MateLength(1), 2));
        for (uci, why) in [("f7f1", "a flight is left"), ("g6f6", "stalemate"), ("f7a1", "not a legal move")] {
            assert_eq!(rebuilt(MATE_IN_ONE, uci, 1, 9, false), Ok(None), "{why}");
        }
        assert_eq!(rebuilt(MATE_IN_ONE, "g6f6", 5, 9, false), Ok(None), "stalemate, with moves left");
    }

    #[test]
    fn positions_made_while_rebuilding_are_counted() {
        assert_eq!(rebuilt(MATE_IN_ONE, "f7g7", 1, 0, false), Err(StopReason::Nodes));
        assert!(rebuilt(MATE_IN_ONE, "f7g7", 1, 1, false).unwrap().is_some());
        assert!(
            rebuilt(MATE_IN_ONE, "f7g7", 1, 0, true).unwrap().is_some(),
            "a mate in one found without making a position"
        );
    }
}
