//! The engines that can be chosen, by name. Adding one is a row here.

use crate::search::Engine;
use crate::search::dfpn::{Dfpn, DfpnOptions};
use crate::search::exhaustive::Exhaustive;
use crate::search::pn::{Pn, PnOptions};
use crate::search::pvs::{Pvs, PvsOptions};
use crate::search::race::{Race, RaceOptions};

/// An engine as the command line offers it.
#[derive(Debug, Clone, Copy)]
pub struct EngineEntry {
    /// The name after `--engine`.
    pub name: &'static str,
    /// What it is, in half a sentence, for `--help`.
    pub about: &'static str,
    /// How much of the memory goes to the table of facts, in percent; the engine's own structures get the rest.
    pub facts_percent: usize,
    /// It searches on all the threads it is given; else on one.
    pub parallel: bool,
    /// Which options it reads.
    pub reads: &'static [Part],
    /// Makes one.
    pub make: fn(&EngineOptions) -> Box<dyn Engine>,
}

/// A part of the [`EngineOptions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Those of proof-number search.
    Pn,
    /// Those of the principal-variation search.
    Pvs,
}

/// What can be varied inside the engines. Each reads its own part.
#[derive(Debug, Clone, Copy, Default)]
pub struct EngineOptions {
    /// For `pn`.
    pub pn: PnOptions,
    /// For `pvs`.
    pub pvs: PvsOptions,
    /// For `dfpn`.
    pub dfpn: DfpnOptions,
    /// For `race`; the number of threads is the solve's.
    pub race: RaceOptions,
}

/// All engines, the default first.
pub const ENGINES: &[EngineEntry] = &[
    EngineEntry {
        name: "race",
        about: "proof-number searches and a principal-variation search, taking turns or in parallel",
        facts_percent: 3,
        parallel: true,
        reads: &[],
        make: |options| Box::new(Race::new(options.race)),
    },
    EngineEntry {
        name: "dfpn",
        about: "depth-first proof-number search: a mate, then shorter ones, then that there is none",
        facts_percent: 5,
        parallel: false,
        reads: &[],
        make: |options| Box::new(Dfpn::new(options.dfpn)),
    },
    EngineEntry {
        name: "pn",
        about: "best-first proof-number search: finds long mates, then shortens them",
        facts_percent: 5,
        parallel: false,
        reads: &[Part::Pn],
        make: |options| Box::new(Pn::new(options.pn)),
    },
    EngineEntry {
        name: "pvs",
        about: "principal-variation search over mate lengths with verified null moves",
        facts_percent: 5,
        parallel: false,
        reads: &[Part::Pvs],
        make: |options| Box::new(Pvs::new(options.pvs)),
    },
    EngineEntry {
        name: "exhaustive",
        about: "full width, length by length: slow, simple, the oracle",
        facts_percent: 0,
        parallel: false,
        reads: &[],
        make: |_| Box::new(Exhaustive),
    },
];

/// The engine of this name.
pub fn engine(name: &str) -> Option<&'static EngineEntry> {
    ENGINES.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_found_by_the_name_it_gives_itself() {
        for entry in ENGINES {
            assert_eq!((entry.make)(&EngineOptions::default()).name(), entry.name);
            assert_eq!(engine(entry.name).map(|found| found.about), Some(entry.about));
            assert!(entry.facts_percent <= 100);
        }
        assert!(engine("stockfish").is_none());
    }
}
