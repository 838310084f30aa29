//! Replays a proof in a sibling position.
//!
//! When a search for a direct mate proves a reply by a mate of more than one move, it tries the same attacking moves
//! against the other replies. Where the defender has many moves that change nothing, one proof then serves for all of
//! them (Kawano 1996, "Using similar positions to search game trees"; the shogi solvers call it simulation). The proved
//! position is the **model**. Model and sibling are walked side by side. At OR nodes the attacker plays the move that
//! proved the model; at AND nodes every legal reply must be answered, as in the model if the reply exists there,
//! otherwise by mate in one. A mate that the table knows, or in one, ends a line. The replay gives up at the first
//! reply without an answer. The mates found until then are recorded, and are proofs like any other.

use crate::chess::{MateLength, Position};
use crate::search::Interrupted;

use super::node::{ChildMove, OpenChild, OpenNode};
use super::state::DfpnSearch;
use crate::search::numbers::attempt::Attempt;

impl DfpnSearch<'_, '_> {
    /// Tries the proof of a reply against its siblings. `model` is the position after the proved reply, `proved` the
    /// length of its mate.
    pub(super) fn replay_in_siblings(
        &mut self,
        node: &mut OpenNode,
        position: &Position,
        model: &Position,
        proved: MateLength,
        attempt: Attempt,
    ) -> Result<(), Interrupted> {
        let mut i = node.first_child;
        while let Some(&OpenChild { step, value, .. }) = self.children.get(i) {
            if let ChildMove::Evaluated(m) | ChildMove::Unevaluated(m) = step
                && !value.numbers.is_disproved()
            {
                let next = self.position(i, position, m)?;
                if let Some(length) = self.replay(&next, model, attempt, proved)? {
                    node.longest = node.longest.max(length);
                    self.children.remove(i);
                    continue;
                }
            }
            i += 1;
        }
        Ok(())
    }

    /// Replays the proof of an OR node. Returns the length of the mate found for `position`, in moves.
    ///
    /// Only a mate in at most `proved` moves of `model` is followed. An entry that was lost may have been stored again
    /// with a longer mate than the moves before it assume; following such entries can lead in a circle.
    fn replay(
        &mut self,
        position: &Position,
        model: &Position,
        attempt: Attempt,
        proved: MateLength,
    ) -> Result<Option<MateLength>, Interrupted> {
        let known = self.table.get(position.key(), attempt);
        if let Some(length) = known.admitted_mate(attempt) {
            return Ok(Some(length));
        }
        let refuted = attempt.moves().is_some_and(|n| known.bounds.refutes(n));
        if refuted || !attempt.admits(MateLength(1)) {
            return Ok(None);
        }
        if position.mate_in_one().is_some() {
            self.table.prove(position.key(), MateLength(1), None, 0);
            return Ok(Some(MateLength(1)));
        }
        let proof = self.table.get(model.key(), attempt);
        let length = proof.bounds.proved().filter(|&length| length <= proved);
        let (Some(length), Some(best)) = (length, proof.best) else { return Ok(None) };
        if !attempt.admits(MateLength(2)) {
            return Ok(None);
        }
        let (Some(m), Some(same)) = (position.find_move(best), model.find_move(best)) else {
            return Ok(None);
        };
        self.meter.node()?;
        let next = position.play(m);
        self.meter.node()?;
        let (after, rest) = (attempt.after_attack(), length.shorter().unwrap_or(MateLength(0)));
        let Some(length) = self.replay_replies(&next, &model.play(same), after, rest)? else {
            return Ok(None);
        };
        self.table.prove(position.key(), length.longer(), Some(m.code()), 0);
        Ok(Some(length.longer()))
    }

    /// Replays the proof of an AND node. Returns the length of the mate found for `position`, in moves.
    fn replay_replies(
        &mut self,
        position: &Position,
        model: &Position,
        attempt: Attempt,
        proved: MateLength,
    ) -> Result<Option<MateLength>, Interrupted> {
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check().then_some(MateLength(0)));
        }
        let mut longest = MateLength(0);
        for &reply in &replies {
            let known = self.table.get(position.key_after(reply), attempt);
            if let Some(length) = known.admitted_mate(attempt) {
                longest = longest.max(length);
                continue;
            }
            self.meter.node()?;
            let next = position.play(reply);
            let length = match model.find_move(reply.code()) {
                Some(same) => {
                    self.meter.node()?;
                    self.replay(&next, &model.play(same), attempt, proved)?
                }
                None => next.mate_in_one().filter(|_| attempt.admits(MateLength(1))).map(|_| MateLength(1)),
            };
            let Some(length) = length else { return Ok(None) };
            longest = longest.max(length);
        }
        self.table.prove(position.key(), longest, None, 0);
        Ok(Some(longest))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::chess::MoveCode;
    use crate::chess::testing::position;
    use crate::search::dfpn::table::DfpnTable;
    use crate::search::dfpn::tests::with_search;
    use crate::search::horizon::Horizon;

    /// Returns a rank of a FEN with a black king on this file, 0 to 7, and nothing else.
    fn rank_with_king(file: usize) -> String {
        let squares = |n: usize| if n == 0 { String::new() } else { n.to_string() };
        format!("{}k{}", squares(file), squares(7 - file))
    }

    #[test]
    fn a_circle_of_proofs_is_not_followed() {
        // The black king cannot leave its rank. For each of its squares the table says that White mates in five by
        // moving the king between a1 and b1.
        let mut table = DfpnTable::with_bytes(1 << 20);
        for black in 1..8 {
            for (white, to) in [(Square::A1, Square::B1), (Square::B1, Square::A1)] {
                let kings = |white: &str| position(&format!("{}/R7/1P6/8/8/8/8/{white} w - -", rank_with_king(black)));
                let position = kings(if white == Square::A1 { "K7" } else { "1K6" });
                table.prove(position.key(), MateLength(5), Some(MoveCode::new(white, to, None)), 1);
            }
        }
        let (model, other) = (position("4k3/R7/1P6/8/8/8/8/K7 w - -"), position("4k3/R7/1P6/8/8/8/7P/K7 w - -"));
        let attempt = Attempt::mate(Horizon::NONE);
        let replayed = with_search(&mut table, |search| search.replay(&other, &model, attempt, MateLength(5)));
        assert_eq!(replayed, Ok(None));
    }
}
