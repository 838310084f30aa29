//! The results of iterative deepening: which lengths are refuted, and the shortest mate with its proof.
//!
//! `pvs` and `selective` search again and again from the root and keep this between their searches. A mate counts only
//! with its whole proof tree.

use crate::chess::MateLength;
use crate::proof::{Bounds, ProofTree};

use super::window::{Value, Window};
use super::{Answer, Event, Observer, StopReason, Task};

/// The claims of the searches from the root so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct RootClaims {
    /// The refuted lengths, and the length of the shortest mate found.
    pub bounds: Bounds,
    /// The proof of the shortest mate found.
    proof: Option<ProofTree>,
}

impl RootClaims {
    /// Returns the longest mate that is still of interest, or `None` if the task is answered.
    pub fn limit(&self, task: &Task) -> Option<MateLength> {
        let limit = match self.bounds.proved() {
            Some(_) if !task.shortest => return None,
            Some(length) => length.shorter()?.min(task.bound()),
            None => task.bound(),
        };
        Some(limit).filter(|&limit| !self.bounds.refutes(limit))
    }

    /// Returns the window of a search for mates within this length. Until there is a mate, any will do; then the length
    /// matters.
    pub fn window(&self, within: MateLength) -> Window {
        match self.proof {
            None => Window::scout(within),
            Some(_) => Window::open(self.bounds.shortest_open(), within),
        }
    }

    /// Records the value of a search from the root for mates within this length, with the proof of a mate if it could
    /// be rebuilt, and reports it. Returns whether there is such a proof.
    pub fn record(
        &mut self,
        value: Value,
        within: MateLength,
        proof: Option<ProofTree>,
        nodes: u64,
        observer: &mut dyn Observer,
    ) -> bool {
        if value == Value::NoMate {
            self.bounds.refute(within);
            observer.event(Event::Refuted(within), nodes);
        }
        let Some(proof) = proof else { return false };
        observer.event(Event::Mate(&proof), nodes);
        self.bounds.prove(proof.length());
        self.proof = Some(proof);
        true
    }

    /// Returns the answer to the task. `stopped` is the limit that ended the search.
    pub fn answer(&self, stopped: Option<StopReason>) -> Answer {
        Answer { proof: self.proof.clone(), refuted: self.bounds.refuted(), stopped, ..Answer::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::search::Silent;

    #[test]
    fn only_shorter_mates_are_of_interest_after_a_mate() {
        let position = Position::from_chess(&shakmaty::Chess::default());
        let attacker = position.turn();
        let task = Task::mate(position, attacker, MateLength(9));
        let mut claims = RootClaims::default();
        assert_eq!(claims.limit(&task), Some(MateLength(9)));
        let (found, tree) = (Value::Mate(MateLength(5)), crate::search::testing::tree_of_length(5));
        assert!(claims.record(found, MateLength(9), Some(tree), 1, &mut Silent));
        assert_eq!(claims.limit(&task), Some(MateLength(4)));
        assert_eq!(claims.limit(&Task { shortest: false, ..task }), None);
        assert!(!claims.record(Value::NoMate, MateLength(4), None, 2, &mut Silent));
        assert_eq!(claims.limit(&task), None);
        let answer = claims.answer(None);
        assert_eq!(
            (answer.proof.map(|proof| proof.length()), answer.refuted),
            (Some(MateLength(5)), Some(MateLength(4)))
        );
    }

    #[test]
    fn a_proof_that_cannot_be_rebuilt_is_no_mate() {
        let mut claims = RootClaims::default();
        assert!(!claims.record(Value::Mate(MateLength(5)), MateLength(9), None, 1, &mut Silent));
        assert!(claims.answer(None).proof.is_none());
        assert_eq!(claims.bounds, Bounds::default());
    }
}
