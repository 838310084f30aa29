//! Finds the moves of a proof in the tables of `pvs`.
//!
//! If the tables have lost an entry, the position is searched again: first at the depth of the iteration that found the
//! mate, then deeper, and at last with full width. As the mate exists, the full-width search fails only at a limit, or
//! if two positions share a key.

use crate::chess::{MateLength, MoveCode, NodeKind, Position};

use super::super::Interrupted;
use super::super::rebuild::{ProofSource, RebuildError};
use super::depth::Depth;
use super::nodes::PvsSearch;

/// A search that has found a mate, as a source of the moves of its proof.
pub(super) struct PvsProofSource<'r, 's, 'c> {
    /// The search, with its tables.
    pub search: &'r mut PvsSearch<'s, 'c>,
    /// The depth of the iteration that found the mate.
    pub depth: Depth,
}

impl ProofSource for PvsProofSource<'_, '_, '_> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        let (entry, fact) = (self.search.table.get(position.key()), self.search.facts.get(position.key()));
        if let Some(stored) = entry.mating_move(fact, position, length) {
            return Ok(stored);
        }
        let full = Depth::full(NodeKind::Or, length);
        let mut depth = self.depth.min(full);
        loop {
            let exact = depth >= full;
            if exact {
                self.search.options = self.search.options.exact();
            }
            match self.search.find_mating_move(position, length, depth)? {
                Some(found) => return Ok(found),
                None if exact => return Err(RebuildError::NotFound),
                None => depth = if depth.plus(2) < full { depth.plus(2) } else { full },
            }
        }
    }

    fn mate_at_once(&self, _: &Position) -> Option<MoveCode> {
        None
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.search.meter.node()
    }
}
