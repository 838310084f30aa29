//! The proof of a mate in a list: the listed moves with the shortest mates, and the small search off the list.
//!
//! The list holds no moves. They are found again: a move of the proof leads to a position of the list. Everything that
//! the proof rests on becomes a fact that other searches may use.

use hashbrown::HashMap;

use crate::chess::{MateLength, Move, MoveCode, Position};
use crate::proof::ProofTree;
use crate::search::rebuild::{ProofSource, RebuildError, bytes_of_map, rebuild};
use crate::search::{Facts, Interrupted, Meter, Task};

use super::context::Context;
use super::lengths;
use super::list::List;
use super::quick;

/// Builds the proof of the mate at the root of the list, whose lengths have been computed. It takes at most `memory`
/// bytes.
pub(super) fn build(
    list: &List,
    moves: u16,
    length: MateLength,
    task: &Task,
    memory: usize,
    context: &mut Context<'_, '_>,
) -> Result<ProofTree, RebuildError> {
    let mut source =
        ListSource { list, moves, meter: context.meter, facts: context.facts, completed: HashMap::new(), memory };
    rebuild(&mut source, task.root_kind(), &task.position, length, None)
}

/// The moves of a proof, from a list.
struct ListSource<'s, 'c> {
    list: &'s List,
    /// The moves of the small search.
    moves: u16,
    meter: &'s mut Meter<'c>,
    facts: &'s Facts,
    /// By key: the positions with the defender to move from which the proof is complete, and the lengths of their
    /// mates.
    completed: HashMap<u64, MateLength>,
    /// The memory for the proof and for `completed`, in bytes.
    memory: usize,
}

impl ListSource<'_, '_> {
    /// Returns the move of a mate that another search has proved.
    fn known(&self, position: &Position, length: MateLength) -> Option<(MoveCode, MateLength)> {
        let fact = self.facts.get(position.key());
        let (code, known) = fact.best.zip(fact.bounds.proved())?;
        (known <= length && position.find_move(code).is_some()).then_some((code, known))
    }
}

impl ProofSource for ListSource<'_, '_> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        let listed = lengths::best_move(self.list, position).filter(|&(_, known)| known <= length);
        let found = if let Some(found) = listed.or_else(|| self.known(position, length)) {
            Some(found)
        } else {
            let moves = self.moves.min(length.0);
            quick::mate(position, moves, self.meter)?.map(|(m, length)| (m.code(), length))
        };
        let (best, length) = found.ok_or(RebuildError::NotFound)?;
        self.facts.prove(position.key(), length, Some(best));
        Ok((best, length))
    }

    fn mate_at_once(&self, position: &Position) -> Option<MoveCode> {
        position.mate_in_one().map(Move::code)
    }

    fn completed(&mut self, key: u64, length: MateLength) -> bool {
        self.facts.prove(key, length, None);
        self.completed.insert(key, length);
        true
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.meter.node()
    }

    fn has_room_for(&self, bytes: usize) -> bool {
        bytes + bytes_of_map(&self.completed) <= self.memory
    }
}
