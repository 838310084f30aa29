//! Names the moves of a proof in the graph, from which the proof is written ([`crate::search::rebuild`]).
//!
//! From an OR node to its best child the length of the mate falls, and from an AND node to its children it never rises,
//! so the proof has no cycle.

use crate::chess::{MateLength, Move, MoveCode, Position};
use crate::search::Interrupted;
use crate::search::rebuild::{ProofSource, RebuildError};

use super::search::BstarSearch;

impl ProofSource for BstarSearch<'_, '_> {
    fn mating_move(&mut self, position: &Position, length: MateLength) -> Result<(MoveCode, MateLength), RebuildError> {
        let graph = &self.state.graph;
        let id = graph.find(position.key()).ok_or(RebuildError::NotFound)?;
        let node = graph.node(id);
        let fits = node.is_proved() && node.length <= length;
        if fits { Ok((graph.best_edge(id).played.code(), node.length)) } else { Err(RebuildError::NotFound) }
    }

    fn mate_at_once(&self, position: &Position) -> Option<MoveCode> {
        position.mate_in_one().map(Move::code)
    }

    fn completed(&mut self, _: u64, _: MateLength) -> bool {
        true
    }

    fn node(&mut self) -> Result<(), Interrupted> {
        self.meter.node()
    }
}
