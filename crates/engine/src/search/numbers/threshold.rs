//! Raises the thresholds of refutations with few moves left.
//!
//! A visit ends when one of the node's numbers reaches its threshold, because another node then looks better. Returning
//! to the node later costs the way down again. With few moves left this costs more than a better choice of node could
//! save. So an OR node of a refutation search with at most two moves left has no threshold, and at an AND node with at
//! most three moves left the thresholds are multiplied by four.
//!
//! Rejected: other factors and other numbers of moves (`benches/tuning/thresholds.md`).

use crate::chess::{MateLength, NodeKind};
use crate::search::numbers::{INFINITY, ProofNumbers};

use super::attempt::{Aim, Attempt};

/// The threshold of a search that ends only when its node is solved.
pub(crate) const NO_THRESHOLD: ProofNumbers = ProofNumbers { pn: INFINITY, dn: INFINITY };

/// An OR node with at most this many moves left has no threshold. With 3 short refutations take 6 % fewer nodes and a
/// long one 16 % more (`benches/tuning/thresholds.md`).
const FINISHED_MOVES: MateLength = MateLength(2);
/// An AND node with at most this many moves left has its threshold multiplied by `FACTOR`. With 2 or 4 short
/// refutations take 7 or 4 % more nodes (`benches/tuning/thresholds.md`).
const RAISED_MOVES: MateLength = MateLength(3);
/// The factor of [`RAISED_MOVES`]. With 2 refutations take 4 % more nodes, with 8 as many
/// (`benches/tuning/thresholds.md`).
const FACTOR: u32 = 4;

impl Attempt {
    /// Returns the threshold to use at a node of this kind, computed from the one that its parent passed.
    #[inline]
    pub(crate) fn raise_threshold(self, kind: NodeKind, threshold: ProofNumbers) -> ProofNumbers {
        let moves_left = self.longest();
        match (self.aim, kind) {
            (Aim::Refutation, NodeKind::Or) if moves_left <= FINISHED_MOVES => NO_THRESHOLD,
            (Aim::Refutation, NodeKind::And) if moves_left <= RAISED_MOVES => {
                ProofNumbers { pn: threshold.pn.saturating_mul(FACTOR), dn: threshold.dn.saturating_mul(FACTOR) }
            }
            _ => threshold,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::horizon::Horizon;

    #[test]
    fn only_refutations_with_few_moves_left_have_higher_thresholds() {
        let threshold = ProofNumbers { pn: 10, dn: 20 };
        let within = |n| Horizon::within(MateLength(n));
        let refute = |n| Attempt::refutation(within(n));
        assert_eq!(refute(2).raise_threshold(NodeKind::Or, threshold), NO_THRESHOLD);
        assert_eq!(refute(3).raise_threshold(NodeKind::Or, threshold), threshold);
        assert_eq!(refute(3).raise_threshold(NodeKind::And, threshold), ProofNumbers { pn: 40, dn: 80 });
        assert_eq!(refute(3).raise_threshold(NodeKind::And, NO_THRESHOLD), NO_THRESHOLD);
        assert_eq!(refute(4).raise_threshold(NodeKind::And, threshold), threshold);
        assert_eq!(Attempt::mate(within(2)).raise_threshold(NodeKind::Or, threshold), threshold);
        assert_eq!(Attempt::mate(Horizon::NONE).raise_threshold(NodeKind::And, threshold), threshold);
    }
}
