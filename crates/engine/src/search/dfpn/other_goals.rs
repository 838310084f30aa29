//! Evaluates positions of searches for other goals than a direct mate, such as stalemates, selfmates and reflex mates.
//!
//! This file says what a leaf is worth, and which positions are decided without a search. With one move left, or none,
//! a position is decided depth first (`last_moves`). Before that, an AND leaf begins with the number of legal moves as
//! its proof number, as in the paper of `pn`: where one side must force the other to move as it wants, few moves say
//! even more than in a direct mate.

use crate::chess::{MateLength, NodeKind, Position, rules};
use crate::search::Interrupted;
use crate::search::numbers::{INFINITY, ProofNumbers};

use super::last_moves::LAST_MOVES;
use super::state::DfpnSearch;
use crate::search::numbers::attempt::{Aim, Attempt};
use crate::search::numbers::leaf::NodeValue;

impl DfpnSearch<'_, '_> {
    /// Evaluates a node of this kind without searching below the last moves. What is decided is stored.
    pub(super) fn evaluate_for_goal(
        &mut self,
        position: &Position,
        kind: NodeKind,
        attempt: Attempt,
    ) -> Result<NodeValue, Interrupted> {
        let key = position.key();
        if let Some(reached) = rules::over(self.goal, position, kind) {
            if reached {
                self.table.prove(key, MateLength(0), None, 0);
                return Ok(NodeValue::proved(MateLength(0)));
            }
            self.table.refute(key, MateLength::MAX, 0);
            return Ok(NodeValue::DISPROVED);
        }
        // A mate in one is looked for at every leaf of a direct mate; this is the same.
        let exact = match attempt.moves() {
            Some(n) if n.0 <= LAST_MOVES => n.0,
            _ => u16::from(kind == NodeKind::Or),
        };
        let start = self.meter.count();
        let least = rules::least(position, kind);
        let reached = match kind {
            _ if exact < least => false,
            NodeKind::Or => self.attacks_in_time(position, exact)?,
            NodeKind::And => self.defended_in_time(position, exact)?,
        };
        let work = self.meter.count() - start;
        if reached {
            if kind == NodeKind::And {
                self.table.prove(key, MateLength(exact), None, work);
            }
            return Ok(NodeValue::proved(MateLength(exact)));
        }
        self.table.refute(key, MateLength(exact), work);
        if attempt.longest() <= MateLength(exact) || attempt.longest() < MateLength(least) {
            return Ok(NodeValue::DISPROVED);
        }
        let moves = position.count_moves() as u32;
        let numbers = match (kind, attempt.aim) {
            (NodeKind::Or, Aim::Mate | Aim::Technique) => ProofNumbers { pn: 1, dn: 1 },
            (NodeKind::Or, Aim::Refutation) => ProofNumbers { pn: 1, dn: moves * attempt.after_attack().cost() },
            (NodeKind::And, _) => ProofNumbers { pn: moves.min(INFINITY - 1), dn: attempt.cost() },
        };
        self.table.store(key, attempt, numbers, 0);
        Ok(NodeValue::from_numbers(numbers))
    }
}
