//! Finds the moves of a proof in the table.
//!
//! A position whose entry has been replaced is searched again, within the length that its parent's proof allows. The
//! mate exists, so this search finds it, unless two positions shared a key; then no mate is claimed.

use crate::chess::{Goal, MateLength, Move, MoveCode, NodeKind, Position};
use crate::search::Interrupted;
use crate::search::horizon::Horizon;
use crate::search::rebuild::{ProofSource, RebuildError};

use super::attempt::Attempt;
use super::state::DfpnSearch;

/// How often a lost move is searched again in a shared table. Another thread may overwrite the entry between the search
/// and the look-up; in a table of one bucket this happens.
const SHARED_ATTEMPTS: usize = 8;

impl ProofSource for DfpnSearch<'_, '_> {
    fn goal(&self) -> Goal {
        self.goal
    }

    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        let leaf = self.few_men.as_mut().and_then(|few_men| few_men.best_move(position));
        if let Some(found) = leaf.filter(|(_, known)| *known <= length) {
            return Ok(found);
        }
        let horizon = Horizon::within(length);
        let known = |search: &DfpnSearch<'_, '_>| {
            let data = search.table.get(position.key(), Attempt::mate(horizon));
            data.best.zip(data.bounds.proved().filter(|&proved| proved <= length))
        };
        if let Some(found) = known(self) {
            return Ok(found);
        }
        // A search for a mate may give it up because of a repetition, on this path or an earlier one. A refutation
        // search is exact.
        for _ in 0..if self.shared { SHARED_ATTEMPTS } else { 1 } {
            for attempt in [Attempt::mate(horizon), Attempt::refutation(horizon)] {
                if self.solve(position, NodeKind::Or, attempt)?.numbers.is_proved() {
                    break;
                }
            }
            if let Some(found) = known(self) {
                return Ok(found);
            }
        }
        Err(RebuildError::NotFound)
    }

    fn mate_at_once(&self, position: &Position) -> Option<MoveCode> {
        if self.goal.is_mate() { position.mate_in_one().map(Move::code) } else { None }
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.meter.node()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;
    use crate::search::dfpn::leaf::Taint;
    use crate::search::dfpn::table::DfpnTable;
    use crate::search::dfpn::tests::{THREE, with_search};
    use crate::search::numbers::ProofNumbers;

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
        let key = position.find_move(code).unwrap();
        assert_eq!((taint, length), (Taint::Attempt, MateLength(3)));
        assert_eq!(format!("{}{}", key.from(), key.to()), "f7g7");
    }
}
