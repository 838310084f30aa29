//! `bstar`: B*, a best-first search by the probability of reaching a target.
//!
//! CITE: Berliner & McConnell 1996, "B* probability based search".

mod backup;
mod collect;
mod graph;
mod leaf;
mod options;
mod phases;
mod proof;
mod search;
mod slab;
mod value;

use shakmaty::Color;

use crate::chess::{MOVE_CAPACITY, MateLength, NodeKind, Position};
use crate::proof::Facts;

use super::descend::{Finding, HorizonSearch, descend};
use super::horizon::Horizon;
use super::{Answer, Engine, Interrupted, Meter, Observer, StopReason, Task};

pub use options::BstarOptions;
pub use phases::Phase;

use graph::NodeId;
use phases::Phases;
use search::{BstarSearch, SearchState};

/// A task whose bound is at most this many moves is searched within that bound from the start.
const NEAR_BOUND: MateLength = MateLength(30);

/// A collection must free more than one node in `MIN_FREED`. Otherwise the next one would come too soon.
const MIN_FREED: u32 = 8;

/// The engine `bstar`. If it is called again with the same task, it continues where it was interrupted.
#[derive(Debug, Default)]
pub struct Bstar {
    options: BstarOptions,
    saved: Option<SavedSearch>,
}

/// The state that is kept from one call to the next.
#[derive(Debug)]
struct SavedSearch {
    key: u64,
    attacker: Color,
    state: SearchState,
    phases: Phases,
}

impl Bstar {
    /// Creates an engine with these options.
    pub fn new(options: BstarOptions) -> Bstar {
        Bstar { options, saved: None }
    }
}

impl Engine for Bstar {
    fn name(&self) -> &'static str {
        "bstar"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let (key, attacker) = (task.position.key(), task.attacker);
        let saved = self.saved.take().filter(|saved| (saved.key, saved.attacker) == (key, attacker));
        let mut saved = saved.unwrap_or_else(|| SavedSearch {
            key,
            attacker,
            state: SearchState::new(task.memory / 2),
            phases: Phases::default(),
        });
        let search = BstarSearch { state: &mut saved.state, options: self.options, attacker, meter, facts };
        let mut run = Run { search, phases: &mut saved.phases };
        let answer = descend(task, NEAR_BOUND, &mut run, observer);
        self.saved = Some(saved);
        answer
    }
}

/// A running search with the phases at its root.
struct Run<'s, 'c> {
    search: BstarSearch<'s, 'c>,
    phases: &'s mut Phases,
}

impl HorizonSearch for Run<'_, '_> {
    fn search(&mut self, task: &Task, horizon: Horizon) -> Result<Finding, Interrupted> {
        self.prove(&task.position, horizon)
    }

    fn meter(&self) -> &Meter<'_> {
        self.search.meter
    }
}

impl Run<'_, '_> {
    /// Looks for a mate from `position` within `horizon`. Returns [`Finding::Nothing`] if everything left depends on
    /// repetitions.
    fn prove(&mut self, position: &Position, horizon: Horizon) -> Result<Finding, Interrupted> {
        self.search.clear_path();
        let mut root = None;
        loop {
            self.search.meter.look()?;
            if !self.search.state.graph.make_room(MOVE_CAPACITY) {
                root = self.free_nodes(root)?;
            }
            let id = match root {
                Some(id) => id,
                None => self.search.node_at(position, horizon)?,
            };
            root = Some(id);
            let node = self.search.state.graph.node(id);
            if node.is_proved() {
                return Ok(Finding::Proved(proof::extract(&self.search.state.graph, id)));
            }
            if node.is_refuted() {
                return Ok(Finding::Refuted);
            }
            if node.attack.is_conditional() {
                return Ok(Finding::Nothing);
            }
            let choose = node.is_expanded() && node.kind() == NodeKind::Or;
            let shortening = horizon != Horizon::NONE;
            self.search.start_path(id, horizon, position);
            let chosen = !choose || self.search.choose_first_move(self.phases, shortening);
            if chosen && self.search.descend_to_leaf() {
                self.search.expand()?;
            }
        }
    }

    /// Frees the nodes that cannot change the answer. Returns the root's new number, or an error if these are too few.
    fn free_nodes(&mut self, root: Option<NodeId>) -> Result<Option<NodeId>, Interrupted> {
        self.search.clear_path();
        let graph = &mut self.search.state.graph;
        let Some(root) = root else { return Err(StopReason::Memory) };
        let before = graph.len();
        let root = graph.collect(root);
        if (before - graph.len()) * MIN_FREED > before && graph.make_room(MOVE_CAPACITY) {
            Ok(Some(root))
        } else {
            Err(StopReason::Memory)
        }
    }
}
