//! Several threads on one question.
//!
//! They work on one table, and would all follow the same numbers to the same leaf. So whoever goes down to a child
//! leaves a **virtual number** in the table (Kaneko, Parallel Depth First Proof Number Search, AAAI 2010): the
//! threshold it was given, which is what the child's number will exceed when it is done. To the others the child then
//! looks worse than its runner-up, and they go there. The number it really has replaces the virtual one at the end of
//! the visit.
//!
//! Not every child is worth parting at. A refutation needs all moves of the attacker refuted but only one reply to each, so
//! threads that look for one part at the attacker's moves and keep together at the replies; those that look for a mate
//! part at the replies.

use crate::chess::NodeKind;
use crate::search::numbers::{INFINITY, ProofNumbers};

use super::question::{Aim, Question};
use super::search::{Child, DfpnSearch, Step};

/// Below so few moves left a search is over before another thread could help.
const WORTH_PARTING: u16 = 2;

impl DfpnSearch<'_, '_> {
    /// Tells the others that this child of a node of this kind will be searched up to the limit.
    #[inline]
    pub(super) fn announce(&mut self, parent: NodeKind, child: &Child, question: Question, limit: ProofNumbers) {
        let all_needed = match question.aim {
            Aim::Refutation => NodeKind::Or,
            Aim::Mate => NodeKind::And,
        };
        if !self.company || parent != all_needed || question.moves().is_some_and(|n| n < WORTH_PARTING) {
            return;
        }
        let raised = |number: u32, limit: u32| if limit < INFINITY { number.max(limit) } else { number };
        let ProofNumbers { pn, dn } = child.value.numbers;
        let numbers = match parent {
            NodeKind::Or => ProofNumbers { pn: raised(pn, limit.pn), dn },
            NodeKind::And => ProofNumbers { pn, dn: raised(dn, limit.dn) },
        };
        self.table.store(child.key, question, numbers, 0);
    }

    /// Looks whether others have something new about a child, and takes it over.
    #[inline]
    pub(super) fn hears(&mut self, at: usize, question: Question) -> bool {
        if !self.company {
            return false;
        }
        let Child { key, value, .. } = self.children[at];
        let Some(news) = self.look_up(key, question).filter(|&news| news != value) else { return false };
        let child = &mut self.children[at];
        child.value = news;
        if let Step::Fresh(m) = child.step {
            child.step = Step::Known(m);
        }
        true
    }
}
