//! Decides exactly whether the attacker mates, or reaches another goal, within n moves from a position.
//!
//! All decisions of a prover share its table, so each helps the next. The search runs as a refutation, which is exact
//! both ways: it gives up no line because of a repetition, and its results hold for (position, moves left) whatever
//! moves led there.

use crate::chess::{MateLength, NodeKind, Position};
use crate::proof::ProofTree;
use crate::search::horizon::Horizon;
use crate::search::rebuild::rebuild;
use crate::search::{Facts, Interrupted, Meter};

use super::Prover;
use crate::search::numbers::attempt::Attempt;

impl Prover {
    /// Decides whether the attacker mates within `n` moves from a node of this kind. Returns the length of a mate, at
    /// most `n` and not always the shortest, or `None` if there is none. Exact both ways.
    ///
    /// # Errors
    /// A limit of the meter was reached. The same call continues the search where it stopped.
    pub fn decide(
        &mut self,
        position: &Position,
        kind: NodeKind,
        n: MateLength,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<Option<MateLength>, Interrupted> {
        match (kind, n.0) {
            _ if !self.goal.is_mate() => {}
            (NodeKind::Or, 0) => return Ok(None),
            (NodeKind::Or, 1) => return Ok(position.mate_in_one().map(|_| n)),
            (NodeKind::And, 0) => return Ok(position.is_checkmate().then_some(n)),
            _ => {}
        }
        let attempt = Attempt::refutation(Horizon::within(n));
        if self.shared {
            self.table.refresh();
        }
        let mut search = self.search(meter, facts);
        let leaf = if kind == NodeKind::Or { search.look_up_leaf(position, attempt) } else { None };
        let known = leaf.or_else(|| search.look_up(position.key(), attempt)).filter(|value| value.numbers.is_solved());
        let value = known.map_or_else(|| search.solve(position, kind, attempt), Ok)?;
        Ok(value.numbers.is_proved().then_some(value.length))
    }

    /// Returns whether it is known that the attacker does not mate within `n` moves; he is to move. Nothing is
    /// searched.
    pub(crate) fn is_refuted(
        &mut self,
        position: &Position,
        n: MateLength,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> bool {
        let known = self.search(meter, facts).look_up(position.key(), Attempt::refutation(Horizon::within(n)));
        known.is_some_and(|value| value.numbers.is_solved() && !value.numbers.is_proved())
    }

    /// Rebuilds the proof of a mate within `n` moves that [`Prover::decide`] has found. `None` if the mate cannot be
    /// found again, for example because two positions share a key.
    ///
    /// # Errors
    /// A limit of the meter was reached, or the proof would have more than `max_nodes` nodes
    /// ([`super::super::StopReason::Memory`]).
    pub fn proof(
        &mut self,
        position: &Position,
        kind: NodeKind,
        n: MateLength,
        max_nodes: usize,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<Option<ProofTree>, Interrupted> {
        let mut search = self.search(meter, facts);
        rebuild(&mut search, kind, position, n, Some(max_nodes))
    }
}
