//! Divides one attempt among several threads that share a table.
//!
//! Without further measures all threads would follow the same numbers to the same leaf. So a thread that goes down to a
//! child first stores a **virtual number** for it (Kaneko 2010, "Parallel depth first proof number search", AAAI): the
//! threshold of the visit, if there is one. To the other threads the child then looks worse than the second best, and
//! they search that one. The real number replaces the virtual one when the visit ends.
//!
//! Threads divide only where all children are needed. A refutation needs every attacking move refuted but only one
//! reply to each, so refutation searches divide at OR nodes; searches for a mate divide at AND nodes. Just before the
//! end of the horizon they do not divide.

use crate::chess::{MateLength, NodeKind};
use crate::search::numbers::{INFINITY, ProofNumbers};

use super::node::{ChildMove, OpenChild};
use super::state::DfpnSearch;
use crate::search::numbers::attempt::{Aim, Attempt};

/// With fewer moves left than this, a search is over before another thread could help. A larger one leaves threads on
/// the same leaf more often.
const MIN_DIVIDED_MOVES: MateLength = MateLength(2);

impl DfpnSearch<'_, '_> {
    /// Stores a virtual number for a child that this thread is about to search up to the threshold. `parent` is the
    /// kind of the child's parent.
    #[inline]
    pub(super) fn store_virtual_number(
        &mut self,
        parent: NodeKind,
        child: &OpenChild,
        attempt: Attempt,
        threshold: ProofNumbers,
    ) {
        let divided_kind = match attempt.aim {
            Aim::Refutation => NodeKind::Or,
            Aim::Mate | Aim::Technique => NodeKind::And,
        };
        if !self.shared || parent != divided_kind || attempt.moves().is_some_and(|n| n < MIN_DIVIDED_MOVES) {
            return;
        }
        let raised = |number: u32, limit: u32| if limit < INFINITY { number.max(limit) } else { number };
        let ProofNumbers { pn, dn } = child.value.numbers;
        let numbers = match parent {
            NodeKind::Or => ProofNumbers { pn: raised(pn, threshold.pn), dn },
            NodeKind::And => ProofNumbers { pn, dn: raised(dn, threshold.dn) },
        };
        self.table.store(child.key, attempt, numbers, 0);
    }

    /// Reads the table again for a child that another thread may have searched meanwhile. Returns whether its value has
    /// changed.
    #[inline]
    pub(super) fn refresh_child(&mut self, at: usize, attempt: Attempt) -> bool {
        if !self.shared {
            return false;
        }
        let OpenChild { key, value, .. } = self.children[at];
        let Some(new) = self.look_up(key, attempt).filter(|&new| new != value) else { return false };
        let child = &mut self.children[at];
        child.value = new;
        if let ChildMove::Unevaluated(m) = child.step {
            child.step = ChildMove::Evaluated(m);
        }
        true
    }
}
