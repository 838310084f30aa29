//! How the moves of a proof are found in the table.
//!
//! A position whose entry has been replaced is searched again, within the length its parent's proof allows. That search
//! cannot fail, because the mate exists, unless two positions shared a key; then nothing is claimed.

use crate::chess::{MateLength, Move, MoveCode, NodeKind, Position};
use crate::search::Interrupted;
use crate::search::horizon::Horizon;
use crate::search::rebuild::{Lost, Remembers};

use super::question::Question;
use super::search::Search;
use super::table::NEVER;

impl Remembers for Search<'_, '_> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), Lost> {
        let horizon = Horizon::within(length);
        let known = |search: &Search<'_, '_>| {
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
        known(self).ok_or(Lost::NotThere)
    }

    fn mate_at_once(&self, position: &Position) -> Option<MoveCode> {
        position.mate_in_one().map(Move::code)
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.meter.node()
    }
}
