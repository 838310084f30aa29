//! The results of iterative deepening: which lengths are refuted, and the shortest mate with its proof.
//!
//! `pvs` and `selective` search again and again from the root and keep this between their searches. A mate counts only
//! with its whole proof tree.

use crate::chess::MateLength;
use crate::proof::{Bounds, ProofTree};

use super::rebuild::{RebuildError, found};
use super::window::{Value, Window};
use super::{Answer, Event, Interrupted, Observer, StopReason, Task};

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

    /// Records the proof of a mate and reports it. Returns whether it could be rebuilt.
    fn record_proof(
        &mut self,
        rebuilt: Result<ProofTree, RebuildError>,
        nodes: u64,
        observer: &mut dyn Observer,
    ) -> Result<bool, Interrupted> {
        let Some(proof) = found(rebuilt)? else { return Ok(false) };
        observer.event(Event::Mate(&proof), nodes);
        self.bounds.prove(proof.length());
        self.proof = Some(proof);
        Ok(true)
    }

    /// Records that no mate within this length exists, and reports it.
    fn record_refutation(&mut self, within: MateLength, nodes: u64, observer: &mut dyn Observer) {
        self.bounds.refute(within);
        observer.event(Event::Refuted(within), nodes);
    }

    /// Records the value of a search from the root for mates within this length; of a mate what has been rebuilt.
    /// Returns whether a mate was found.
    pub fn record(
        &mut self,
        value: Value,
        within: MateLength,
        rebuilt: Option<Result<ProofTree, RebuildError>>,
        nodes: u64,
        observer: &mut dyn Observer,
    ) -> Result<bool, Interrupted> {
        if value == Value::NoMate {
            self.record_refutation(within, nodes, observer);
        }
        rebuilt.map_or(Ok(false), |rebuilt| self.record_proof(rebuilt, nodes, observer))
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
        assert_eq!(claims.record_proof(Ok(crate::search::testing::tree_of_length(5)), 1, &mut Silent), Ok(true));
        assert_eq!(claims.limit(&task), Some(MateLength(4)));
        assert_eq!(claims.limit(&Task { shortest: false, ..task }), None);
        claims.record_refutation(MateLength(4), 2, &mut Silent);
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
        assert_eq!(claims.record_proof(Err(RebuildError::NotFound), 1, &mut Silent), Ok(false));
        let limit = Err(RebuildError::Interrupted(StopReason::Nodes));
        assert_eq!(claims.record_proof(limit, 1, &mut Silent), Err(StopReason::Nodes));
        assert!(claims.answer(None).proof.is_none());
    }
}
