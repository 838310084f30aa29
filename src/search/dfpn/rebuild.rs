//! How the moves of a proof are found in the table.
//!
//! A position whose entry has been replaced is searched again, within the length its parent's proof allows. That search
//! cannot fail, because the mate exists, unless two positions shared a key; then nothing is claimed.

use crate::chess::{MateLength, Move, MoveCode, NodeKind, Position};
use crate::search::Interrupted;
use crate::search::horizon::Horizon;
use crate::search::rebuild::{ProofSource, RebuildError};

use super::question::Question;
use super::search::DfpnSearch;
use super::table::NEVER;

impl ProofSource for DfpnSearch<'_, '_> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        let horizon = Horizon::within(length);
        let known = |search: &DfpnSearch<'_, '_>| {
            let found = search.table.get(position.key(), Question::mate(horizon));
            let usable = found.mate_within < NEVER && found.mate_within <= length.0 && found.best != MoveCode::NONE;
            usable.then_some((found.best, MateLength(found.mate_within)))
        };
        if let Some(found) = known(self) {
            return Ok(found);
        }
        // Who looks for a mate may give it up for a repetition, on this path or an earlier one; who refutes is exact.
        for question in [Question::mate(horizon), Question::refutation(horizon)] {
            if self.solve(position, NodeKind::Or, question)?.numbers.is_proved() {
                break;
            }
        }
        known(self).ok_or(RebuildError::NotFound)
    }

    fn mate_at_once(&self, position: &Position) -> Option<MoveCode> {
        position.mate_in_one().map(Move::code)
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.meter.node()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::fen;
    use crate::search::dfpn::table::DfpnTable;
    use crate::search::dfpn::tests::{THREE, with_search};
    use crate::search::numbers::ProofNumbers;

    #[test]
    fn a_lost_move_is_found_again_where_a_repetition_was_given_up() {
        let position = Position::from_chess(&fen::read(THREE).unwrap().chess);
        let within = |n| Question::mate(Horizon::within(MateLength(n)));
        let mut table = DfpnTable::with_bytes(1 << 20);
        for m in position.legal_moves() {
            table.store(position.key_after(m), within(2), ProofNumbers::DISPROVED, 1);
        }
        let (given_up, found) = with_search(&mut table, |search| {
            let given_up = search.solve(&position, NodeKind::Or, within(3)).unwrap();
            (given_up.tainted, search.mating_move(&position, MateLength(3)))
        });
        let (code, length) = found.unwrap_or_else(|_| panic!("the mate is lost"));
        let key = position.find_move(code).unwrap();
        assert_eq!((given_up, length), (true, MateLength(3)));
        assert_eq!(format!("{}{}", key.from(), key.to()), "f7g7");
    }
}
