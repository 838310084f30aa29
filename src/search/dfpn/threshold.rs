//! How long a refutation stays where few moves are left.
//!
//! A visit ends when the node's numbers reach the threshold, because another node then looks better. To come back costs
//! the way down again: moves are listed once more, and what the table has forgotten is searched once more. Where little
//! work is left, that is more than what a better choice could save. So a refutation finishes an OR node with two moves
//! left once it has begun it, and at an AND node with two or three moves left it stays for longer than its threshold says.
//!
//! # What was tried
//!
//! The refutations of [`super::question`], and one that is long for its length (a mate in 6):
//! nodes in millions.
//!
//! | variant | all | the long one | kept |
//! |---|---|---|---|
//! | thresholds as they are | 12.4 | 12.6 | no |
//! | OR nodes with two moves left are finished | 11.4 | 5.1 | yes |
//! | OR nodes with three moves left as well | 10.7 | 5.9 | no |
//! | those have a threshold 2 or 4 times as high | 11.6, 11.2 | | no |
//! | AND nodes with two or three moves left: 4 times | 10.7 | 2.3 | yes |
//! | the same: 2, 8, 16 times | 11.1, 10.7, 10.8 | | no |
//! | AND nodes with two moves left; with two to four; all: 4 times | 11.5, 11.1, 11.3 | 3.7, 2.7, 9.4 | no |

use crate::chess::NodeKind;
use crate::search::numbers::ProofNumbers;

use super::question::{Aim, Question};
use super::search::UNLIMITED;

/// OR nodes with so many moves left are finished.
const FINISHED: u16 = 2;
/// AND nodes with so many moves left have a threshold so many times as high.
const PATIENT: u16 = 3;
const PATIENCE: u32 = 4;

impl Question {
    /// The threshold of a node of this kind to which its parent gave the limit.
    #[inline]
    pub(super) fn patient(self, kind: NodeKind, limit: ProofNumbers) -> ProofNumbers {
        let left = self.longest();
        match (self.aim, kind) {
            (Aim::Refutation, NodeKind::Or) if left <= FINISHED => UNLIMITED,
            (Aim::Refutation, NodeKind::And) if left <= PATIENT => {
                ProofNumbers { pn: limit.pn.saturating_mul(PATIENCE), dn: limit.dn.saturating_mul(PATIENCE) }
            }
            _ => limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MateLength;
    use crate::search::horizon::Horizon;

    #[test]
    fn only_refutations_with_few_moves_left_are_patient() {
        let limit = ProofNumbers { pn: 10, dn: 20 };
        let within = |n| Horizon::within(MateLength(n));
        let refute = |n| Question::refutation(within(n));
        assert_eq!(refute(2).patient(NodeKind::Or, limit), UNLIMITED);
        assert_eq!(refute(3).patient(NodeKind::Or, limit), limit);
        assert_eq!(refute(3).patient(NodeKind::And, limit), ProofNumbers { pn: 40, dn: 80 });
        assert_eq!(refute(3).patient(NodeKind::And, UNLIMITED), UNLIMITED);
        assert_eq!(refute(4).patient(NodeKind::And, limit), limit);
        assert_eq!(Question::mate(within(2)).patient(NodeKind::Or, limit), limit);
        assert_eq!(Question::mate(Horizon::NONE).patient(NodeKind::And, limit), limit);
    }
}
