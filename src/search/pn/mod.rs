//! `pn`: proof-number search on a graph in memory.

mod fold;
mod kept;
mod list;
mod options;
mod proof;
mod replay;
mod search;
mod store;
#[cfg(test)]
mod tests;
mod tree;

use shakmaty::Color;

use crate::chess::MateLength;
use crate::proof::Facts;

use super::arena::Region;
use super::descend::{Finding, HorizonSearch, descend};
use super::dfpn::attempt::Attempt;
use super::dfpn::order::ReplyOrder;
use super::dfpn::{DfpnOptions, FewMen};
use super::horizon::Horizon;
use super::rebuild::{RebuildError, rebuild};
use super::{Answer, Engine, Interrupted, Meter, Observer, Task};

pub use options::{Graph, Init, PnOptions};

use kept::KeptPositions;
use search::PnSearch;
use store::{Child, Edge, Store};
use tree::TreeSearch;

/// A task whose bound is at most this many moves is searched within that bound from the start.
const NEAR_BOUND: MateLength = MateLength(12);

/// The engine `pn`. It keeps no state from one task to the next.
#[derive(Debug, Default)]
pub struct Pn {
    options: PnOptions,
}

impl Pn {
    /// Creates an engine with these options.
    pub fn new(options: PnOptions) -> Pn {
        Pn { options }
    }
}

impl Engine for Pn {
    fn name(&self) -> &'static str {
        "pn"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let region = Region::default();
        if self.options.graph == Graph::Tree {
            let mut tree = TreeSearch::new(&region, self.options.init, task, meter);
            return descend(task, NEAR_BOUND, &mut tree, observer);
        }
        let mut graph = PnGraph::new(&region, self.options, task.attacker(), task.memory);
        descend(task, NEAR_BOUND, &mut OnGraph { graph: &mut graph, meter, facts }, observer)
    }
}

/// The graph of one position and one attacker.
pub(crate) struct PnGraph<'r> {
    store: Store<'r>,
    options: PnOptions,
    attacker: Color,
    order: ReplyOrder,
    kept: KeptPositions,
    /// What is known of positions with few men.
    few_men: FewMen,
    /// The number of flights of the defender's king at the root.
    root_flights: u32,
    /// The keys and the edges of the moves that are being listed.
    keys: Vec<u64>,
    listed: Vec<Edge>,
}

impl<'r> PnGraph<'r> {
    /// Creates an empty graph that takes at most `memory` bytes from an unused region.
    pub(crate) fn new(region: &'r Region, options: PnOptions, attacker: Color, memory: usize) -> PnGraph<'r> {
        PnGraph {
            store: Store::new(region, memory),
            options,
            attacker,
            order: ReplyOrder::new(),
            kept: KeptPositions::new(memory / 16),
            few_men: FewMen::default(),
            root_flights: 0,
            keys: Vec::new(),
            listed: Vec::new(),
        }
    }

    /// Returns the same graph with tables and Syzygy files for positions of few men.
    #[must_use]
    pub(crate) fn with_few_men(mut self, few_men: FewMen) -> PnGraph<'r> {
        self.few_men = few_men;
        self
    }

    /// Looks for a mate within `horizon` from the task's position. The task's own bound is ignored. After an
    /// interruption the same call goes on where the search stopped.
    pub(crate) fn prove(
        &mut self,
        task: &Task,
        horizon: Horizon,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<Finding, Interrupted> {
        let mut search = PnSearch::new(self, meter, facts);
        let root = search.solve(&task.position, Attempt::refutation(horizon))?;
        let node = *search.graph.store.node(root);
        if node.numbers.is_disproved() {
            return Ok(if node.is_tainted() { Finding::Nothing } else { Finding::Refuted });
        }
        search.meter.set_slice(None);
        proof::shorten(&mut search.graph.store, root);
        let length = search.graph.store.node(root).length;
        match rebuild(&mut search, task.root_kind(), &task.position, length, None) {
            Ok(tree) => Ok(Finding::Proved(tree)),
            Err(RebuildError::Interrupted(reason)) => Err(reason),
            Err(RebuildError::NotFound) => Ok(Finding::Nothing),
        }
    }

    /// Returns the options of the leaves, which are those of `dfpn`.
    fn leaf_options(&self) -> DfpnOptions {
        DfpnOptions::default()
    }

    /// Returns the node that stands for a position: a proved node whose mate lies within the horizon, or the position's
    /// own.
    #[inline]
    fn known(&self, key: u64, attempt: Attempt) -> Option<Child> {
        let salt = attempt.horizon.salt();
        if salt != 0
            && let Some(id) = self.store.find(key)
            && self.store.node(id).numbers.is_proved()
            && attempt.admits(self.store.node(id).length)
        {
            return Some(id);
        }
        self.store.find(key ^ salt)
    }
}

/// A graph with its node counter and facts, as [`descend`] calls it.
struct OnGraph<'s, 'r, 'c> {
    graph: &'s mut PnGraph<'r>,
    meter: &'s mut Meter<'c>,
    facts: &'s Facts,
}

impl HorizonSearch for OnGraph<'_, '_, '_> {
    fn search(&mut self, task: &Task, horizon: Horizon) -> Result<Finding, Interrupted> {
        self.graph.prove(task, horizon, self.meter, self.facts)
    }

    fn meter(&self) -> &Meter<'_> {
        self.meter
    }
}
