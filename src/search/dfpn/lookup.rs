//! What a search knows of a node beforehand, and what it leaves behind.
//!
//! There are two memories: the table of this kind of search, and the facts that all searches on this position share. The
//! table is asked for every child; the facts only when a node is entered and somebody else is said to be searching
//! ([`listen`](super::DfpnOptions::listen)), and they get only what was worth some work.

use crate::chess::{MateLength, MoveCode, Position};
use crate::search::numbers::ProofNumbers;

use super::leaf::{self, NodeValue};
use super::question::Question;
use super::search::DfpnSearch;
use super::table::{Found, NEVER};

/// Facts of subtrees with at least so many nodes are shared.
const WORTH_SHARING: u64 = 16;

impl DfpnSearch<'_, '_> {
    /// What the table knows of a position, as a value.
    #[inline]
    pub(super) fn look_up(&self, key: u64, question: Question) -> Option<NodeValue> {
        let found = self.table.get(key, question);
        solved(found, question).or_else(|| found.numbers.map(NodeValue::stored))
    }

    /// What the other searches know of a position; taken over into the table.
    pub(super) fn ask_the_others(&mut self, key: u64, question: Question) -> Option<NodeValue> {
        if !self.options.listen {
            return None;
        }
        let fact = self.facts.get(key);
        if let Some(length) = fact.bounds.proved().filter(|length| question.admits(length.0)) {
            self.table.prove(key, length.0, fact.best, WORTH_SHARING);
            return Some(NodeValue::proved(length.0));
        }
        let refuted = fact.bounds.refuted().filter(|refuted| question.longest() <= refuted.0)?;
        self.table.refute(key, refuted.0, WORTH_SHARING);
        Some(NodeValue::REFUTED)
    }

    pub(super) fn record_proof(&mut self, key: u64, length: u16, best: MoveCode, work: u64) -> NodeValue {
        self.table.prove(key, length, best, work);
        if work >= WORTH_SHARING {
            self.facts.prove(key, MateLength(length), best);
        }
        NodeValue::proved(length)
    }

    /// A disproof that leaned on a repetition holds for this search only, as long as it is on the same path; any other is a fact.
    pub(super) fn record_disproof(&mut self, key: u64, question: Question, tainted: bool, work: u64) -> NodeValue {
        if tainted {
            self.table.store(key, question, ProofNumbers::DISPROVED, work);
            return NodeValue::REPETITION;
        }
        let n = question.longest();
        self.table.refute(key, n, work);
        if work >= WORTH_SHARING {
            self.facts.refute(key, MateLength(n));
        }
        NodeValue::REFUTED
    }

    /// The position after a reply, without search.
    pub(super) fn first_look(&mut self, position: &Position, question: Question) -> NodeValue {
        let value = leaf::or_node(position, question);
        if value.numbers.is_proved() {
            self.table.prove(position.key(), value.length, MoveCode::NONE, 0);
        } else if value.numbers.is_disproved() {
            // No mate in one, and either one move is all there is or the attacker can never mate.
            self.table.refute(position.key(), question.moves().unwrap_or(1), 0);
        } else {
            self.table.store(position.key(), question, value.numbers, 0);
        }
        value
    }
}

/// The answer that facts give to the question asked.
#[inline]
fn solved(found: Found, question: Question) -> Option<NodeValue> {
    if found.mate_within < NEVER && question.admits(found.mate_within) {
        return Some(NodeValue::proved(found.mate_within));
    }
    let asked = question.longest();
    (asked < found.none_below).then_some(NodeValue::REFUTED)
}
