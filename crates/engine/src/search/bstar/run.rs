//! The sequence of targets, from the first mate to the proof that none is shorter.
//!
//! 1. The first target is any mate: without a horizon, or within the bound of the task if it is small.
//! 2. After a mate in L the target is a mate in L − 1. (The paper's TargetVal would be halfway to the best that the
//!    second-best move may hope for; that loses mates, `benches/tuning/bstar.md`.)
//! 3. If everything left depends on repetitions, the targets are mates in 1, 2, 3 … moves. Within a horizon no position
//!    repeats, so each of these questions has an answer.
//!
//! The search ends when the bound, or one move less than the shortest mate found, is refuted.

use crate::chess::{MOVE_CAPACITY, MateLength, NodeKind};
use crate::proof::ProofTree;
use crate::search::descend::Finding;
use crate::search::horizon::Horizon;
use crate::search::{Answer, Event, Interrupted, Observer, StopReason, Task};

use super::graph::Update;
use super::phases::Phases;
use super::proof;
use super::search::BstarSearch;

/// A task whose bound is at most this many moves is searched within that bound from the start.
const NEAR_BOUND: MateLength = MateLength(30);

/// What has been found, and the phases at the root. Kept from one call to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct RunState {
    /// The proof of the shortest mate found.
    proof: Option<ProofTree>,
    /// The longest refuted length; `None` if no search has refuted one.
    refuted: Option<MateLength>,
    /// Whether a search without a horizon has ended without an answer.
    repetitions: bool,
    phases: Phases,
}

/// A running search.
pub(super) struct Run<'r, 's, 'c> {
    pub search: BstarSearch<'s, 'c>,
    pub state: &'r mut RunState,
    pub task: &'r Task,
    pub observer: &'r mut dyn Observer,
}

impl Run<'_, '_, '_> {
    /// Searches until the task is answered or a limit is reached.
    pub fn answer(mut self) -> Answer {
        let stopped = self.search_targets().err();
        Answer { proof: self.state.proof.clone(), refuted: self.state.refuted, stopped, ..Answer::default() }
    }

    fn search_targets(&mut self) -> Result<(), Interrupted> {
        let mut first = true;
        while let Some(target) = self.next_target() {
            if !std::mem::take(&mut first) {
                // A search that makes no node does not check the limits.
                self.search.meter.control().check()?;
            }
            let finding = self.prove(target)?;
            let nodes = self.search.meter.count();
            match finding {
                Finding::Proved(tree) => {
                    if tree.length() <= self.task.bound() {
                        self.observer.event(Event::Mate(&tree), nodes);
                        self.state.proof = Some(tree);
                    } else {
                        // Only a search without a horizon finds a mate that is too long.
                        self.state.repetitions = true;
                    }
                }
                Finding::Refuted => {
                    let refuted = target.moves().unwrap_or(self.task.bound());
                    self.state.refuted = self.state.refuted.max(Some(refuted));
                    self.observer.event(Event::Refuted(refuted), nodes);
                }
                Finding::Nothing => self.state.repetitions = true,
            }
        }
        Ok(())
    }

    /// Returns the horizon of the next target, or `None` if the task is answered.
    fn next_target(&self) -> Option<Horizon> {
        let lowest = self.shortest_open();
        let Some(known) = self.state.proof.as_ref().map(ProofTree::length) else {
            return match () {
                () if self.state.refuted >= Some(self.task.bound()) => None,
                () if self.state.repetitions => Some(Horizon::within(lowest)),
                () if self.task.bound() <= NEAR_BOUND => Some(Horizon::within(self.task.bound())),
                () => Some(Horizon::NONE),
            };
        };
        let shorter = known.shorter().filter(|shorter| self.task.shortest && *shorter >= lowest)?;
        Some(Horizon::within(shorter))
    }

    /// Returns the shortest length that is not refuted.
    fn shortest_open(&self) -> MateLength {
        self.state.refuted.map_or(self.task.stipulation.least(), MateLength::longer)
    }
}

impl Run<'_, '_, '_> {
    /// Looks for a mate within `horizon`. Returns [`Finding::Nothing`] if everything left depends on repetitions.
    fn prove(&mut self, horizon: Horizon) -> Result<Finding, Interrupted> {
        let position = &self.task.position;
        self.search.clear_path();
        let mut root = None;
        loop {
            self.search.meter.look()?;
            if !self.search.state.graph.make_room(MOVE_CAPACITY) {
                return Err(StopReason::Memory);
            }
            let id = match root {
                Some(id) => id,
                None => self.search.node_at(position, horizon)?,
            };
            root = Some(id);
            if self.search.state.graph.node(id).update == Update::Stale {
                self.search.update_now(id);
            }
            let node = self.search.state.graph.node(id);
            if node.is_proved() {
                return Ok(Finding::Proved(proof::extract(&self.search.state.graph, id)));
            }
            if node.is_refuted() {
                return Ok(Finding::Refuted);
            }
            if node.numbers.attack.is_conditional() {
                return Ok(Finding::Nothing);
            }
            let choose = node.is_expanded && node.kind == NodeKind::Or;
            self.search.clear_path();
            self.search.extend_path(id, horizon, *position);
            let shortening = self.state.proof.is_some();
            let phases = &mut self.state.phases;
            let chosen = !choose || self.search.choose_first_move(phases, shortening);
            if chosen && self.search.descend_to_leaf() {
                self.search.expand()?;
            }
        }
    }
}
