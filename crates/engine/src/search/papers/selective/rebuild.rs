//! Finds the moves of a proof in the tables of `selective`.
//!
//! While a variation is live its entries are linked, so most proofs are complete. If the tables have lost an entry, the
//! position is searched again: first at the width of the iteration that found the mate, and then at full width. If that
//! fails too, two positions share a key.

use crate::chess::{MateLength, MoveCode, Position};

use super::nodes::SelectiveSearch;
use super::width::Width;
use crate::search::Interrupted;
use crate::search::rebuild::{ProofSource, RebuildError};

/// A search that has found a mate, as a source of the moves of its proof.
pub(super) struct SelectiveProofSource<'r, 's, 'c> {
    /// The search, with its tables.
    pub search: &'r mut SelectiveSearch<'s, 'c>,
    /// The width of the iteration that found the mate.
    pub width: Width,
}

impl ProofSource for SelectiveProofSource<'_, '_, '_> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        let (entry, fact) = (self.search.table.get(position.key()), self.search.facts.get(position.key()));
        if let Some(stored) = entry.mating_move(fact, position, length) {
            return Ok(stored);
        }
        for width in [self.width, Width::FULL] {
            if let Some(found) = self.search.find_mating_move(position, length, width)? {
                return Ok(found);
            }
        }
        Err(RebuildError::NotFound)
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.search.meter.node()
    }
}
