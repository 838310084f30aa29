//! Finds the moves of a proof.
//!
//! An entry of the table may have been replaced, and a mate learned from another search comes without the moves after
//! its first. So a move is looked for in the tables for few men, in the search's own table, in the shared facts, and
//! among the moves to positions whose mate is known. If it is not there, the position is searched again, within the
//! length that its parent's proof allows. If that finds nothing, for example because two positions shared a key, no
//! mate is claimed.
//!
//! A long mate may take very long to find again. A search that works in slices stops after a number of such nodes and
//! goes on in a later slice, where more of the proof is known.

use crate::chess::{Goal, MateLength, Move, MoveCode, NodeKind, Position};
use crate::search::Interrupted;
use crate::search::horizon::Horizon;
use crate::search::rebuild::{ProofSource, RebuildError, stored_move};

use super::state::DfpnSearch;
use crate::search::numbers::attempt::Attempt;

/// How often a lost move is searched again in a shared table. Another thread may overwrite the entry between the search
/// and the look-up; in a table of one bucket this happens. Halved, a proof is lost more often in a very small table;
/// doubled, the loss is found out later.
const SHARED_ATTEMPTS: usize = 8;

/// The question about any mate. Bounds do not depend on the question.
const ANY_MATE: Attempt = Attempt::mate(Horizon::NONE);

impl ProofSource for DfpnSearch<'_, '_> {
    fn goal(&self) -> Goal {
        self.goal
    }

    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        let leaf = self.few_men.best_move(position);
        if let Some(found) = leaf.filter(|(_, known)| *known <= length) {
            return Ok(found);
        }
        if let Some(found) = self.known_move(position, length).or_else(|| self.move_to_known(position, length)) {
            return Ok(found);
        }
        self.meter.set_slice(Some(self.lost_nodes));
        let found = self.search_again(position, length);
        self.lost_nodes = self.meter.slice_left().unwrap_or(0);
        self.meter.set_slice(None);
        found
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.meter.node()
    }
}

impl DfpnSearch<'_, '_> {
    /// Returns the move of a mate within `length` moves, with the mate's length, if the table or the facts hold it.
    fn known_move(&self, position: &Position, length: MateLength) -> Option<(MoveCode, MateLength)> {
        let (own, fact) = (self.table.get(position.key(), ANY_MATE), self.facts.get(position.key()));
        stored_move(position, length, [(own.best, own.bounds), (fact.best, fact.bounds)])
    }

    /// Returns the move to a position from which a mate within `length` moves in all is known, the shortest one. An
    /// entry may be lost while those after it are there.
    fn move_to_known(&self, position: &Position, length: MateLength) -> Option<(MoveCode, MateLength)> {
        let known = |m: &Move| {
            let key = position.key_after(*m);
            let bounds = self.table.get(key, ANY_MATE).bounds.merge(self.facts.get(key).bounds);
            bounds.proved().map(|rest| (m.code(), rest.longer()))
        };
        let moves = position.legal_moves();
        moves.iter().filter_map(known).filter(|&(_, whole)| whole <= length).min_by_key(|&(_, whole)| whole)
    }

    /// Searches a position again whose mate within `length` moves is known, but no longer its move.
    fn search_again(
        &mut self,
        position: &Position,
        length: MateLength,
    ) -> Result<(MoveCode, MateLength), RebuildError> {
        let horizon = Horizon::within(length);
        // A search for a mate may give it up because of a repetition, on this path or an earlier one. A refutation
        // search is exact.
        for _ in 0..if self.shared { SHARED_ATTEMPTS } else { 1 } {
            for attempt in [Attempt::mate(horizon), Attempt::refutation(horizon)] {
                if self.solve(position, NodeKind::Or, attempt)?.numbers.is_proved() {
                    break;
                }
            }
            if let Some(found) = self.known_move(position, length) {
                return Ok(found);
            }
        }
        Err(RebuildError::NotFound)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::chess::testing::position;
    use crate::search::StopReason;
    use crate::search::dfpn::table::DfpnTable;
    use crate::search::dfpn::tests::{THREE, with_search};
    use crate::search::numbers::ProofNumbers;
    use crate::search::numbers::leaf::Taint;

    /// The move f7g7, the key of [`THREE`].
    fn key() -> MoveCode {
        MoveCode::new(Square::F7, Square::G7, None)
    }

    #[test]
    fn a_lost_move_is_found_in_the_facts_or_by_the_position_after_it() {
        let position = position(THREE);
        let after = position.key_after(position.find_move(key()).unwrap());
        for in_the_table in [false, true] {
            let mut table = DfpnTable::with_bytes(1 << 20);
            let (found, nodes) = with_search(&mut table, |search| {
                if in_the_table {
                    search.table.prove(after, MateLength(2), None, 1);
                } else {
                    search.facts.prove(position.key(), MateLength(3), Some(key()));
                }
                (search.mating_move(&position, MateLength(3)), search.meter.count())
            });
            assert_eq!((found, nodes), (Ok((key(), MateLength(3))), 0));
        }
        let mut table = DfpnTable::with_bytes(1 << 20);
        let too_long = with_search(&mut table, |search| {
            search.facts.prove(after, MateLength(9), None);
            search.move_to_known(&position, MateLength(3))
        });
        assert_eq!(too_long, None);
    }

    #[test]
    fn the_search_for_a_lost_move_goes_on_in_a_later_slice() {
        let position = position(THREE);
        let mut table = DfpnTable::with_bytes(1 << 20);
        let slices = with_search(&mut table, |search| {
            let mut again = || {
                search.lost_nodes = 20;
                let found = search.mating_move(&position, MateLength(3));
                assert_eq!(search.meter.slice_left(), None, "the rest of the proof is built whole");
                found
            };
            (0..1000).map(|_| again()).take_while(|found| *found != Ok((key(), MateLength(3)))).collect::<Vec<_>>()
        });
        assert!(slices.len() > 1 && slices.len() < 1000, "{}", slices.len());
        assert!(slices.iter().all(|stopped| *stopped == Err(RebuildError::Interrupted(StopReason::Slice))));
    }

    #[test]
    fn a_lost_move_is_found_again_after_tainted_disproofs() {
        let position = position(THREE);
        let within = |n| Attempt::mate(Horizon::within(MateLength(n)));
        let mut table = DfpnTable::with_bytes(1 << 20);
        for m in position.legal_moves() {
            table.store(position.key_after(m), within(2), ProofNumbers::DISPROVED, 1);
        }
        let (taint, found) = with_search(&mut table, |search| {
            let value = search.solve(&position, NodeKind::Or, within(3)).unwrap();
            (value.taint, search.mating_move(&position, MateLength(3)))
        });
        let (code, length) = found.unwrap_or_else(|_| panic!("the mate is lost"));
        assert_eq!((code, taint, length), (key(), Taint::Attempt, MateLength(3)));
    }
}
