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
use super::search::{Child, DfpnSearch, Frame, Step};
use super::table::NEVER;

impl DfpnSearch<'_, '_> {
    /// Tries the proof of the reply that has just been mated, within so many moves, against its siblings: often they change
    /// nothing.
    pub(super) fn replay_in_siblings(
        &mut self,
        frame: &mut Frame,
        position: &Position,
        model: &Position,
        proved: u16,
        question: Question,
    ) -> Result<(), Interrupted> {
        let mut i = frame.first;
        while let Some(&Child { step, value, .. }) = self.children.get(i) {
            if let Step::Known(m) | Step::Fresh(m) = step
                && !value.numbers.is_disproved()
            {
                let next = self.position(i, position, m)?;
                if let Some(length) = self.replay(&next, model, question, proved)? {
                    frame.longest = frame.longest.max(length);
                    self.children.remove(i);
                    continue;
                }
            }
            i += 1;
        }
        Ok(())
    }

    /// The attacker is to move in both; `model` is proved within so many moves. The length of the proof found here, in moves.
    ///
    /// A proof that was lost may have been found again with a longer mate than the moves before it have room for; followed
    /// without a limit, such proofs can lead in a circle.
    fn replay(
        &mut self,
        position: &Position,
        model: &Position,
        question: Question,
        proved: u16,
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
        if !question.admits(2) || proof.mate_within > proved || proof.best == MoveCode::NONE {
            return Ok(None);
        }
        let (Some(m), Some(same)) = (position.find_move(proof.best), model.find_move(proof.best)) else {
            return Ok(None);
        };
        self.meter.node()?;
        let next = position.play(m);
        self.meter.node()?;
        let (after, rest) = (question.after_attack(), proof.mate_within.saturating_sub(1));
        let Some(length) = self.replay_replies(&next, &model.play(same), after, rest)? else {
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
        proved: u16,
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
                    self.replay(&next, &model.play(same), question, proved)?
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

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::problem::fen;
    use crate::search::dfpn::Horizon;
    use crate::search::dfpn::table::DfpnTable;
    use crate::search::dfpn::tests::with_search;

    fn position(text: &str) -> Position {
        Position::from_chess(&fen::read(text).unwrap().chess)
    }

    /// A rank in a FEN with a black king on this file, 0 to 7, and nothing else.
    fn rank_with_king(file: usize) -> String {
        let squares = |n: usize| if n == 0 { String::new() } else { n.to_string() };
        format!("{}k{}", squares(file), squares(7 - file))
    }

    #[test]
    fn proofs_in_a_circle_are_not_followed_for_ever() {
        // The black king cannot leave its rank, and wherever it stands the white one is said to mate in five by going to and fro.
        let mut table = DfpnTable::with_bytes(1 << 20);
        for black in 1..8 {
            for (white, to) in [(Square::A1, Square::B1), (Square::B1, Square::A1)] {
                let kings = |white: &str| position(&format!("{}/R7/1P6/8/8/8/8/{white} w - -", rank_with_king(black)));
                let position = kings(if white == Square::A1 { "K7" } else { "1K6" });
                table.prove(position.key(), 5, MoveCode::new(white, to, None), 1);
            }
        }
        let (model, other) = (position("4k3/R7/1P6/8/8/8/8/K7 w - -"), position("4k3/R7/1P6/8/8/8/7P/K7 w - -"));
        let question = Question::mate(Horizon::NONE);
        let replayed = with_search(&mut table, |search| search.replay(&other, &model, question, 5));
        assert_eq!(replayed, Ok(None));
    }
}
