//! The proof of a mate in a list: the listed moves with the shortest mates; off the list, the mates of other searches
//! and the small search.
//!
//! The list holds no moves. They are found again: a move of the proof leads to a position of the list. Everything that
//! the proof rests on becomes a fact that other searches may use.

use crate::chess::{MateLength, MoveCode, Position};
use crate::proof::ProofTree;
use crate::search::rebuild::{ProofSource, RebuildError, rebuild, stored_move};
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
) -> Result<Option<ProofTree>, Interrupted> {
    let mut source = ListSource { list, moves, meter: context.meter, facts: context.facts, memory };
    rebuild(&mut source, task.root_kind(), &task.position, length, None)
}

/// The moves of a proof, from a list.
struct ListSource<'s, 'c> {
    list: &'s List,
    /// The moves of the small search.
    moves: u16,
    meter: &'s mut Meter<'c>,
    facts: &'s Facts,
    /// The memory for the proof, in bytes.
    memory: usize,
}

impl ProofSource for ListSource<'_, '_> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        let listed = lengths::best_move(self.list, position).filter(|&(_, known)| known <= length);
        let fact = self.facts.get(position.key());
        let known = || stored_move(position, length, [(fact.best, fact.bounds)]);
        let found = if let Some(found) = listed.or_else(known) {
            Some(found)
        } else {
            let moves = self.moves.min(length.0);
            quick::mate(position, moves, self.meter)?.map(|(m, length)| (m.code(), length))
        };
        let (best, length) = found.ok_or(RebuildError::NotFound)?;
        self.facts.prove(position.key(), length, Some(best));
        Ok((best, length))
    }

    fn completed(&mut self, key: u64, length: MateLength) -> bool {
        self.facts.prove(key, length, None);
        true
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.meter.node()
    }

    fn has_room_for(&self, bytes: usize) -> bool {
        bytes <= self.memory
    }
}
