//! The options of `pvs`: null move, extensions, move ordering, and the searches after the selective iterations.

use super::depth::Depth;
use super::extend::{Extension, Extensions};
use super::null_move::NullMove;

/// The options of the engine `pvs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PvsOptions {
    /// The null move of the defender.
    pub null: NullMove,
    /// The moves that cost less than a ply of depth.
    pub extensions: Extensions,
    /// Whether quiet moves of the attacker that threaten a mate in one are tried first. The test costs one node for
    /// each move.
    pub threats: bool,
    /// The searches that follow the selective iterations.
    pub finish: Finish,
}

/// The searches that follow the selective iterations, if these found no mate or one that may not be the shortest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// Exact iterations up to the bound, or up to the length of the mate found. They answer the task.
    Exact,
    /// None. If no mate was found, there may still be one. For experiments.
    Selective,
    /// None, and the selective iterations end at this depth. For the papers' tables at fixed depth.
    AtDepth(Depth),
}

impl Default for PvsOptions {
    /// Returns the papers' settings: verified null move with R = 3, and DUCK's extensions.
    fn default() -> PvsOptions {
        PvsOptions { null: NullMove::VERIFIED, extensions: Extensions::DUCK, threats: true, finish: Finish::Exact }
    }
}

impl PvsOptions {
    /// Settings that find more mates: no null move, and every extension but the recapture. With a node limit, a null
    /// move or the recapture extension finds fewer mates (`benches/tuning/pvs.md`): a null move costs nodes where every
    /// reply must be answered anyway, and recaptures spend depth on exchanges. The race's lane has these settings and
    /// the verified null move.
    pub const LANE: PvsOptions = PvsOptions {
        null: NullMove::None,
        extensions: Extensions::DUCK.without(Extension::Recapture),
        threats: false,
        finish: Finish::Exact,
    };

    /// Returns the same options with a full-width search: no null move and no extension.
    #[must_use]
    pub fn exact(self) -> PvsOptions {
        PvsOptions { null: NullMove::None, extensions: Extensions::NONE, threats: true, ..self }
    }

    /// Returns whether the search is full-width.
    pub fn is_exact(self) -> bool {
        self.null == NullMove::None && self.extensions.is_empty()
    }
}
