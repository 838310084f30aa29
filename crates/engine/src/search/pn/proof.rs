//! Names the moves of a proof, from which it is written ([`crate::search::rebuild`]). What the graph does not know
//! comes from tables for few men and from the shared facts.
//!
//! ```text
//!   length(AND) = max over all children      length(OR) = 1 + length of the child that proves it
//! ```
//!
//! So in the graph the length falls from an OR node to its chosen child, and never rises from an AND node to its
//! children: no proof contains itself.

use crate::chess::{MateLength, MoveCode, Position};
use crate::search::Interrupted;
use crate::search::rebuild::{ProofSource, RebuildError, stored_move};

use super::search::PnSearch;
use super::store::Node;

impl ProofSource for PnSearch<'_, '_, '_> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        let leaf = self.graph.few_men.best_move(position);
        if let Some(found) = leaf.filter(|(_, known)| *known <= length) {
            return Ok(found);
        }
        let store = &self.graph.store;
        let is_known = |node: &&Node| node.numbers.is_proved() && node.length <= length && node.count > 0;
        if let Some(node) = store.find(position.key()).map(|id| store.node(id)).filter(is_known) {
            return Ok((store.edge(node.edges + u32::from(node.best)).played.code(), node.length));
        }
        let fact = self.facts.get(position.key());
        stored_move(position, length, [(fact.best, fact.bounds)]).ok_or(RebuildError::NotFound)
    }

    fn completed(&mut self, _: u64, _: MateLength) -> bool {
        true
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.meter.node()
    }
}
