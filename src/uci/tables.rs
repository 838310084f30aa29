//! What searches remember from one `go` to the next: the tables of facts, one for each side that may mate.
//!
//! A fact names its position but not who mates there, so the two questions must not share a table. Facts are true
//! whatever game they were learned in; `ucinewgame` and `Clear Hash` forget them only so that a search can be
//! repeated as it was.

use std::sync::OnceLock;

use shakmaty::Color;

use crate::proof::Facts;
use crate::solve::registry::EngineEntry;

/// See the module. Memory is taken when it is first needed.
#[derive(Debug)]
pub(super) struct Tables {
    /// For each table.
    bytes: usize,
    facts: [OnceLock<Facts>; 2],
}

impl Tables {
    /// For an engine that may use so many bytes altogether.
    pub(super) fn new(hash: usize, engine: &EngineEntry) -> Tables {
        Tables { bytes: hash / 200 * engine.facts_percent, facts: [OnceLock::new(), OnceLock::new()] }
    }

    /// The facts about mates by this side.
    pub(super) fn facts(&self, attacker: Color) -> &Facts {
        self.facts[usize::from(attacker == Color::White)].get_or_init(|| Facts::with_bytes(self.bytes))
    }

    /// The memory that both tables leave of so many bytes.
    pub(super) fn left(&self, hash: usize) -> usize {
        hash.saturating_sub(2 * self.bytes)
    }

    /// How full they are together, in permille.
    pub(super) fn permille(&self) -> usize {
        self.facts.iter().filter_map(OnceLock::get).map(Facts::permille).sum::<usize>() / 2
    }
}
