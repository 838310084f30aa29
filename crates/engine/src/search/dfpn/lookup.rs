//! Reads and writes the results for a position, in the table and in the shared facts.
//!
//! The table belongs to depth-first proof-number search and is read for every child. The search reads the facts, which
//! all searches on this position share, only when it enters a node, and only if the caller wants it
//! ([`super::Prover::read_facts`]). A result is written to them only if it cost some work or is a long mate.

use crate::chess::{MateLength, MoveCode, NodeKind, Position};
use crate::search::Interrupted;
use crate::search::numbers::{HOPELESS, ProofNumbers};
use crate::search::retro::Distance;

use super::state::DfpnSearch;
use super::table::TableData;
use crate::search::numbers::attempt::{Aim, Attempt};
use crate::search::numbers::last_move;
use crate::search::numbers::leaf::{self, NodeValue, Taint};
use crate::search::numbers::shared::{MIN_SHARED_WORK, is_shared_proof};
use crate::search::numbers::two_moves;

impl DfpnSearch<'_, '_> {
    /// Decides an AND node with one move left: it is proved if every reply allows a mate in one.
    pub(super) fn last_replies(&mut self, position: &Position, attempt: Attempt) -> Result<NodeValue, Interrupted> {
        let start = self.meter.count();
        let value = last_move::last_replies(position, self.order, self.meter)?;
        let work = self.meter.count() - start;
        Ok(match value.numbers.is_proved() {
            _ if work == 0 => value,
            true => self.record_proof(position.key(), MateLength(1), None, work),
            false => self.record_disproof(position.key(), attempt, Taint::None, work),
        })
    }

    /// Returns the value that the table holds for a position.
    #[inline]
    pub(super) fn look_up(&self, key: u64, attempt: Attempt) -> Option<NodeValue> {
        let data = self.table.get(key, attempt);
        solved_value(data, attempt).or_else(|| data.numbers.map(NodeValue::from_numbers))
    }

    /// Returns the value that the shared facts prove for a position, and copies it into the table.
    pub(super) fn look_up_shared_fact(&mut self, key: u64, attempt: Attempt) -> Option<NodeValue> {
        if !self.reads_facts {
            return None;
        }
        let fact = self.facts.get(key);
        if let Some(length) = fact.bounds.proved().filter(|&length| attempt.admits(length)) {
            self.table.prove(key, length, fact.best, MIN_SHARED_WORK);
            return Some(NodeValue::proved(length));
        }
        let refuted = fact.bounds.refuted().filter(|&refuted| attempt.longest() <= refuted)?;
        self.table.refute(key, refuted, MIN_SHARED_WORK);
        Some(NodeValue::DISPROVED)
    }

    /// Records a mate in at most `length` moves. `best` is the attacker's move, `None` at AND nodes; `work` is in
    /// nodes.
    pub(super) fn record_proof(
        &mut self,
        key: u64,
        length: MateLength,
        best: Option<MoveCode>,
        work: u64,
    ) -> NodeValue {
        self.table.prove(key, length, best, work);
        if is_shared_proof(length, work) {
            self.facts.prove(key, length, best);
        }
        NodeValue::proved(length)
    }

    /// Records a disproof; `work` is in nodes. One that depends on nothing is a fact, one that depends on the attempt
    /// is stored as its numbers.
    ///
    /// What is disproved by a repetition on one path may be won on another, so it stays open and counts as twice as
    /// hard to prove, until it is hopeless. A search by sound moves does not even store that
    /// (`benches/tuning/endings.md`).
    pub(super) fn record_disproof(&mut self, key: u64, attempt: Attempt, taint: Taint, work: u64) -> NodeValue {
        if taint != Taint::None {
            let stored = match taint {
                Taint::Path if attempt.aim == Aim::Technique => None,
                Taint::Path => Some(self.after_repetition(key, attempt)),
                Taint::Attempt | Taint::None => Some(ProofNumbers::DISPROVED),
            };
            if let Some(numbers) = stored {
                self.table.store(key, attempt, numbers, work);
            }
            return NodeValue::disproved(taint);
        }
        let n = attempt.longest();
        self.table.refute(key, n, work);
        if work >= MIN_SHARED_WORK {
            self.facts.refute(key, n);
        }
        NodeValue::DISPROVED
    }

    /// Returns the numbers of a node whose lines have all led back to the path.
    fn after_repetition(&self, key: u64, attempt: Attempt) -> ProofNumbers {
        let known = self.table.get(key, attempt).numbers.unwrap_or(ProofNumbers::leaf(NodeKind::Or, 1));
        if known.pn < HOPELESS { known.after_repetition() } else { ProofNumbers::DISPROVED }
    }

    /// Returns the value of a position with the attacker to move that the tables for few men or the Syzygy files give,
    /// and copies it into the search's own table. Both bounds are facts.
    #[inline]
    pub(super) fn look_up_leaf(&mut self, position: &Position, attempt: Attempt) -> Option<NodeValue> {
        let known = self.few_men.distance(position, self.meter.control())?;
        let key = position.key();
        match known {
            Distance::Mate(length) if attempt.admits(length) => {
                self.table.prove(key, length, None, 0);
                return Some(NodeValue::proved(length));
            }
            Distance::Mate(length) => self.table.refute(key, length.shorter().unwrap_or(MateLength(0)), 0),
            Distance::NoMate => self.table.refute(key, MateLength::MAX, 0),
        }
        Some(NodeValue::DISPROVED)
    }

    /// Evaluates the position after a reply without searching it, and stores the value in the table.
    pub(super) fn evaluate_reply(&mut self, position: &Position, attempt: Attempt) -> Result<NodeValue, Interrupted> {
        if !self.goal.is_mate() {
            return self.evaluate_for_goal(position, NodeKind::Or, attempt);
        }
        if let Some(value) = self.look_up_leaf(position, attempt) {
            return Ok(value);
        }
        if two_moves::refuted(position, attempt) {
            self.table.refute(position.key(), attempt.longest(), 0);
            return Ok(NodeValue::DISPROVED);
        }
        let value = leaf::or_node(position, attempt).times(|| self.factor(position, position.turn(), attempt));
        if value.numbers.is_proved() {
            self.table.prove(position.key(), value.length, None, 0);
        } else if value.numbers.is_disproved() {
            // There is no mate in one, and either one move is left or the attacker can never mate.
            self.table.refute(position.key(), attempt.moves().unwrap_or(MateLength(1)), 0);
        } else {
            self.table.store(position.key(), attempt, value.numbers, 0);
        }
        Ok(value)
    }
}

/// Returns the value if a stored proof or disproof decides the attempt.
#[inline]
fn solved_value(data: TableData, attempt: Attempt) -> Option<NodeValue> {
    if let Some(length) = data.admitted_mate(attempt) {
        return Some(NodeValue::proved(length));
    }
    data.bounds.refutes(attempt.longest()).then_some(NodeValue::DISPROVED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::dfpn::table::DfpnTable;
    use crate::search::dfpn::tests::with_search;
    use crate::search::horizon::Horizon;

    #[test]
    fn a_node_disproved_by_a_repetition_stays_open_until_it_is_hopeless() {
        let mut table = DfpnTable::with_bytes(1 << 16);
        with_search(&mut table, |search| {
            let attempt = Attempt::mate(Horizon::NONE);
            let mut again = || {
                assert!(search.record_disproof(1, attempt, Taint::Path, 1).numbers.is_disproved());
                search.look_up(1, attempt).unwrap()
            };
            assert_eq!([again(), again()].map(|value| value.numbers.pn), [2, 4]);
            let last = (0..40).map(|_| again()).last().unwrap();
            assert_eq!((last.numbers, last.taint), (ProofNumbers::DISPROVED, Taint::Attempt));
        });
    }

    #[test]
    fn a_search_by_sound_moves_stores_no_disproof_by_repetition() {
        let mut table = DfpnTable::with_bytes(1 << 16);
        let mut stored = |attempt, taint| {
            with_search(&mut table, |search| {
                let key = 1 + taint as u64;
                assert!(search.record_disproof(key, attempt, taint, 1).numbers.is_disproved());
                search.look_up(key, attempt).map(|value| value.taint)
            })
        };
        let sound = Attempt::TECHNIQUE;
        assert_eq!((stored(sound, Taint::Attempt), stored(sound, Taint::Path)), (Some(Taint::Attempt), None));
        assert_eq!(stored(sound, Taint::None), Some(Taint::None));
    }
}
