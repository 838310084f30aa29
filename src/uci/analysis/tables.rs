//! The tables of facts that are kept from one `go` to the next, one for each attacker.
//!
//! A fact is stored under its position without the attacker, so the questions about White and Black must not share a
//! table. Facts stay true in every game. `ucinewgame` and `Clear Hash` drop them only to make a search repeatable.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use shakmaty::Color;

use crate::chess::Stipulation;
use crate::search::Facts;
use crate::solve::registry::EngineEntry;

/// Two tables of facts. Each allocates its memory when it is first used.
#[derive(Debug)]
pub(crate) struct FactTables {
    /// The size of each table, in bytes.
    bytes_each: usize,
    /// The tables for mates by Black and by White.
    facts: [OnceLock<Facts>; 2],
    /// Whether a search has refuted positions by Syzygy files, so that its facts may rest on them.
    with_tables: AtomicBool,
}

impl FactTables {
    /// Makes the tables for an engine that may use `total` bytes for everything.
    pub(crate) fn new(total: usize, engine: &EngineEntry) -> FactTables {
        FactTables {
            bytes_each: total / 200 * engine.facts_percent,
            facts: Default::default(),
            with_tables: AtomicBool::new(false),
        }
    }

    /// Returns the table for mates by this side.
    pub(crate) fn facts(&self, attacker: Color) -> &Facts {
        self.facts[usize::from(attacker == Color::White)]
            .get_or_init(|| Facts::with_bytes(self.bytes_each).about(Stipulation::default(), attacker))
    }

    /// Remembers that facts may rest on Syzygy files.
    pub(crate) fn set_with_tables(&self) {
        self.with_tables.store(true, Relaxed);
    }

    /// Returns whether facts may rest on Syzygy files.
    pub(crate) fn with_tables(&self) -> bool {
        self.with_tables.load(Relaxed)
    }

    /// Returns how many of `total` bytes remain beside both tables.
    pub(crate) fn remaining(&self, total: usize) -> usize {
        total.saturating_sub(2 * self.bytes_each)
    }

    /// Returns the fill level of both tables together, in permille.
    pub(crate) fn permille(&self) -> usize {
        self.facts.iter().filter_map(OnceLock::get).map(Facts::permille).sum::<usize>() / 2
    }
}
