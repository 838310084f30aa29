//! How the moves of a proof are found in the tables.
//!
//! Where a table has lost an entry the position is searched again, first as deep as the iteration that found the mate,
//! then deeper, at last by full width, which cannot fail because the mate exists.

use crate::chess::{MateLength, MoveCode, NodeKind, Position};

use super::super::Interrupted;
use super::super::rebuild::{ProofSource, RebuildError};
use super::nodes::PvsSearch;
use super::window::Depth;

/// A search that has found a mate, and the depth of the iteration that did.
pub struct Found<'r, 's, 'c> {
    /// What it left behind is read, and it searches again.
    pub search: &'r mut PvsSearch<'s, 'c>,
    /// The depth.
    pub depth: Depth,
}

impl ProofSource for Found<'_, '_, '_> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        if let Some(found) = self.remembered(position, length) {
            return Ok(found);
        }
        let full = Depth::full(NodeKind::Or, length);
        let mut depth = self.depth.min(full);
        loop {
            let exact = depth >= full;
            if exact {
                self.search.options = self.search.options.exact();
            }
            match self.search.find_again(position, length, depth)? {
                Some(found) => return Ok(found),
                None if exact => return Err(RebuildError::NotFound),
                None => depth = if depth.plus(2) < full { depth.plus(2) } else { full },
            }
        }
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.search.meter.node()
    }
}

impl Found<'_, '_, '_> {
    fn remembered(&self, position: &Position, length: MateLength) -> Option<(MoveCode, MateLength)> {
        let key = position.key();
        let entry = self.search.table.get(key);
        let fact = self.search.facts.get(key);
        let own = entry.proved.map(|within| (entry.best, within));
        let shared = Some((fact.best, MateLength(fact.mate_within)));
        let fits = |&(code, within): &(MoveCode, MateLength)| {
            within <= length && code != MoveCode::NONE && position.find_move(code).is_some()
        };
        own.filter(fits).or(shared.filter(fits))
    }
}
