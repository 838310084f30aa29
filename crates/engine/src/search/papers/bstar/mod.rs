//! `bstar`: B*, a best-first search by the probability of reaching a target.
//!
//! CITE: Berliner & McConnell 1996, "B* probability based search".
//!
//! A node has a best estimate of its value (RealVal), an optimistic one (OptVal) and the probability that a target
//! between them is reached (OptPrb). The search expands where the probability is greatest.
//!
//! # Mates
//!
//! A mate in k moves has the value M − k, an open question 0. The target is a mate within the moves left.
//!
//! | the paper | here |
//! |---|---|
//! | RealVal, from a shallow search | the length of a proved mate, or open; the probe is a mate in one |
//! | OptVal, from a search after a free move | of a quiet move, the mate that it threatens if the defender passes |
//! | PessVal, the optimism of the other side | "no mate", until the node is proved |
//! | OptPrb of the side that forces, and of the other in VERIFY | `attack` and `defence` of a node |
//! | Player and Opponent | the attacker and the defender |
//! | reply groups: replies that are met alike count once | none, but a quiet threat counts a quarter of the replies (`leaf`) |
//! | a move is clearly best | the mate is proved and, if the shortest is wanted, a shorter one is refuted after every first move |
//!
//! Probabilities are kept as negative logarithms (`value`). At the nodes of the side that forces, the smallest of these
//! costs is taken, at the others their sum: the rules of proof-number search, with probabilities at the leaves.
//!
//! | file | content |
//! |---|---|
//! | `value` | OptPrb, TargetVal, MinAct, and the values of mates |
//! | `leaf` | the probes: first values of a node |
//! | `backup` | values from those of the children |
//! | `phases` | SELECT, VERIFY and DisproveRest: which first move is next |
//! | `search` | the way down to a leaf, its expansion, repetitions |
//! | `run` | the search for one target, and its rounds |
//! | `graph` | the nodes and edges of the graph |
//! | `proof` | extracts the proof tree |
//!
//! # What is certain
//!
//! The estimates only guide the search: an expanded node is proved or refuted by what is proved and refuted below it. A
//! value that depends on a repetition is conditional and refutes nothing (`search`). Proofs of expanded nodes and their
//! refutations within a horizon are shared in [`Facts`].

// The values are called what the paper calls them: RealVal, OptVal, PessVal, OptPrb, TargetVal and MinAct.
#![allow(clippy::doc_markdown)]

mod backup;
mod graph;
mod leaf;
mod phases;
mod proof;
mod run;
mod search;
#[cfg(test)]
mod tests;
mod value;

use crate::search::Facts;

use crate::search::arena::Region;
use crate::search::descend::descend;
use crate::search::saved::SavedSearch;
use crate::search::{Answer, Engine, Meter, Observer, Task};

use run::NEAR_BOUND;
use search::{BstarSearch, SearchState};

/// The engine `bstar`. If it is called again with the same task, it continues where it was interrupted.
#[derive(Debug)]
pub struct Bstar<'r> {
    region: &'r Region,
    saved: Option<SavedSearch<SearchState<'r>>>,
}

impl<'r> Bstar<'r> {
    /// Creates an engine whose graph lies in a region.
    pub fn new(region: &'r Region) -> Bstar<'r> {
        Bstar { region, saved: None }
    }
}

impl Engine for Bstar<'_> {
    fn name(&self) -> &'static str {
        "bstar"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let saved =
            SavedSearch::resume(self.saved.take(), task, |old| SearchState::begin(old, self.region, task.memory));
        let state = &mut self.saved.insert(saved).state;
        let mut search = |meter: &mut Meter<'_>, horizon| {
            BstarSearch { state, attacker: task.attacker(), meter, facts }.search(task, horizon)
        };
        descend(task, NEAR_BOUND, meter, &mut search, observer)
    }
}
