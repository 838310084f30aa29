//! The search engines that can be chosen by name. A new engine needs an entry in [`ENGINES`].

use crate::search::corridor::{Corridor, CorridorOptions};
use crate::search::dfpn::Dfpn;
use crate::search::exhaustive::Exhaustive;
use crate::search::papers::bstar::Bstar;
use crate::search::papers::prover::TreeProver;
use crate::search::papers::selective::{Selective, SelectiveOptions};
use crate::search::pn::{Pn, PnOptions};
use crate::search::pvs::{Pvs, PvsOptions};
use crate::search::race::{Race, RaceOptions};
use crate::search::retro::Retro;
use crate::search::{Engine, Region};

/// Makes an engine with these options, whose graph, if it has one, lies in the region.
pub(crate) type MakeEngine = for<'r> fn(&EngineOptions, &'r Region) -> Box<dyn Engine + 'r>;

/// A search engine that can be chosen by name.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct EngineEntry {
    /// The name, as after `--engine`.
    pub name: &'static str,
    /// A short description, for `--help`.
    pub about: &'static str,
    /// The part of the memory for the table of facts, in percent. The engine's own tables get the rest.
    pub(crate) facts_percent: usize,
    /// Whether the engine searches on all threads it is given. Other engines search on one.
    pub parallel: bool,
    /// Whether the engine searches for every goal that one side can force; others look for direct mates only.
    pub every_goal: bool,
    /// Makes the engine.
    pub(crate) make: MakeEngine,
}

impl EngineEntry {
    /// Returns whether this is the engine that solves without a choice.
    pub(crate) fn is_default(&self) -> bool {
        self.name == ENGINES[0].name
    }
}

/// Options of the search engines. Each engine reads its own.
#[derive(Debug, Clone, Copy, Default)]
#[doc(hidden)]
pub struct EngineOptions {
    /// Options of `pn`.
    pub pn: PnOptions,
    /// Options of `pvs`.
    pub pvs: PvsOptions,
    /// Options of `prover`.
    pub prover: TreeProver,
    /// Options of `selective`.
    pub selective: SelectiveOptions,
    /// Options of `corridor`.
    pub corridor: CorridorOptions,
    /// Options of `race`. A solve overwrites the number of threads with its own.
    pub race: RaceOptions,
}

/// All engines, the default first.
pub const ENGINES: &[EngineEntry] = &[
    EngineEntry {
        name: "race",
        about: "runs several searches in turn, or side by side: finds a mate, shortens it, refutes shorter ones",
        facts_percent: 3,
        parallel: true,
        every_goal: true,
        make: |options, region| Box::new(Race::new(options.race, region)),
    },
    EngineEntry {
        name: "dfpn",
        about: "depth-first proof-number search: finds a mate, shortens it, then refutes shorter ones",
        facts_percent: 5,
        parallel: false,
        every_goal: true,
        make: |_, _| Box::new(Dfpn),
    },
    EngineEntry {
        name: "pn",
        about: "proof-number search on a graph in memory: finds a mate, shortens it, then refutes shorter ones",
        facts_percent: 5,
        parallel: false,
        every_goal: false,
        make: |options, region| Box::new(Pn::new(options.pn, region)),
    },
    EngineEntry {
        name: "pvs",
        about: "principal-variation search over mate lengths, with verified null moves",
        facts_percent: 5,
        parallel: false,
        every_goal: false,
        make: |options, _| Box::new(Pvs::new(options.pvs)),
    },
    EngineEntry {
        name: "prover",
        about: "proof-number search on a tree, best first, as in the paper on mate in 38",
        facts_percent: 0,
        parallel: false,
        every_goal: false,
        make: |options, _| Box::new(options.prover),
    },
    EngineEntry {
        name: "bstar",
        about: "B*: best-first search by the probability of reaching a target",
        facts_percent: 5,
        parallel: false,
        every_goal: false,
        make: |_, region| Box::new(Bstar::new(region)),
    },
    EngineEntry {
        name: "selective",
        about: "principal-variation search over candidate lists that are widened until they hold every move",
        facts_percent: 5,
        parallel: false,
        every_goal: false,
        make: |options, _| Box::new(Selective::new(options.selective)),
    },
    EngineEntry {
        name: "retro",
        about: "builds distance-to-mate tables of the men on the board: exact both ways, for few men",
        facts_percent: 0,
        parallel: true,
        every_goal: false,
        make: |options, _| Box::new(Retro::new(options.race.threads)),
    },
    EngineEntry {
        name: "corridor",
        about: "restricts the attacker, lists all positions that are left and solves the list backward: for long mates",
        facts_percent: 5,
        parallel: false,
        every_goal: false,
        make: |options, _| Box::new(Corridor::new(options.corridor)),
    },
    EngineEntry {
        name: "exhaustive",
        about: "searches every move, length by length: slow and simple, for checking the others",
        facts_percent: 0,
        parallel: false,
        every_goal: true,
        make: |_, _| Box::new(Exhaustive),
    },
];

/// Returns the engine with this name; `None` if there is none.
#[doc(hidden)]
pub fn engine(name: &str) -> Option<&'static EngineEntry> {
    ENGINES.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_found_by_its_own_name() {
        for entry in ENGINES {
            assert_eq!((entry.make)(&EngineOptions::default(), &Region::default()).name(), entry.name);
            assert_eq!(engine(entry.name).map(|found| found.about), Some(entry.about));
            assert!(entry.facts_percent <= 100);
        }
        assert!(engine("stockfish").is_none());
    }
}
