//! Replaying a sibling's proof.
//!
//! When a reply has been mated, the other replies are tried with the same moves: where the defender has many moves that
//! change nothing, one proof then serves for all of them instead of being searched again for each (Kawano 1996,
//! "Using similar positions to search game trees"; the shogi solvers call it simulation). The two positions are walked
//! side by side. At OR nodes the attacker makes the move that proved the model; at AND nodes every legal reply must
//! be answered: as in the model if it exists there, by mate in one otherwise. The replay gives up at the first reply that
//! is not, so a failure costs a few nodes and says nothing; a success is a proof like any other.

use crate::chess::{MoveCode, Position};
use crate::search::Interrupted;

use super::question::Question;
use super::search::{Child, Frame, Search, Step};
use super::table::NEVER;

impl Search<'_, '_> {
    /// Tries the proof of the reply that has just been mated against its siblings: often they change nothing.
    pub(super) fn replay_in_siblings(
        &mut self,
        frame: &mut Frame,
        position: &Position,
        model: &Position,
        question: Question,
    ) -> Result<(), Interrupted> {
        let mut i = frame.first;
        while let Some(&Child { step, value, .. }) = self.children.get(i) {
            if let Step::Known(m) | Step::Fresh(m) = step
                && !value.numbers.is_disproved()
            {
                let next = self.position(i, position, m)?;
                if let Some(length) = self.replay(&next, model, question)? {
                    frame.longest = frame.longest.max(length);
                    self.children.remove(i);
                    continue;
                }
            }
            i += 1;
        }
        Ok(())
    }

    /// The attacker is to move in both; `model` is proved. The length of the proof found here, in moves.
    fn replay(
        &mut self,
        position: &Position,
        model: &Position,
        question: Question,
    ) -> Result<Option<u16>, Interrupted> {
        let known = self.table.get(position.key(), question);
        if known.mate_within < NEVER && question.admits(known.mate_within) {
            return Ok(Some(known.mate_within));
        }
        let refuted = question.moves().is_some_and(|n| n < known.none_below);
        if refuted || !question.admits(1) {
            return Ok(None);
        }
        if position.mate_in_one().is_some() {
            self.table.prove(position.key(), 1, MoveCode::NONE, 0);
            return Ok(Some(1));
        }
        let proof = self.table.get(model.key(), question);
        if !question.admits(2) || proof.mate_within == NEVER || proof.best == MoveCode::NONE {
            return Ok(None);
        }
        let (Some(m), Some(same)) = (position.find_move(proof.best), model.find_move(proof.best)) else {
            return Ok(None);
        };
        self.meter.node()?;
        let next = position.play(m);
        self.meter.node()?;
        let Some(length) = self.replay_replies(&next, &model.play(same), question.after_attack())? else {
            return Ok(None);
        };
        self.table.prove(position.key(), length + 1, m.code(), 0);
        Ok(Some(length + 1))
    }

    fn replay_replies(
        &mut self,
        position: &Position,
        model: &Position,
        question: Question,
    ) -> Result<Option<u16>, Interrupted> {
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check().then_some(0));
        }
        let mut longest = 0;
        for &reply in &replies {
            let known = self.table.get(position.key_after(reply), question);
            if known.mate_within < NEVER && question.admits(known.mate_within) {
                longest = longest.max(known.mate_within);
                continue;
            }
            self.meter.node()?;
            let next = position.play(reply);
            let length = match model.find_move(reply.code()) {
                Some(same) => {
                    self.meter.node()?;
                    self.replay(&next, &model.play(same), question)?
                }
                None => next.mate_in_one().filter(|_| question.admits(1)).map(|_| 1),
            };
            let Some(length) = length else { return Ok(None) };
            longest = longest.max(length);
        }
        self.table.prove(position.key(), longest, MoveCode::NONE, 0);
        Ok(Some(longest))
    }
}
