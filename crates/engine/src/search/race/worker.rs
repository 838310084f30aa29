//! The workers of a race: each searches slices of its lanes until the race is over.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::chess::MateLength;
use crate::search::arena::Heap;
use crate::search::bstar::Bstar;
use crate::search::corridor::Corridor;
use crate::search::descend::Finding;
use crate::search::dfpn::{Attempt, Prover};
use crate::search::horizon::Horizon;
use crate::search::ladder::Ladder;
use crate::search::pn::{PnGraph, PnOptions};
use crate::search::pvs::{NullMove, Pvs, PvsOptions};
use crate::search::selective::Selective;
use crate::search::{Answer, Engine, Event, Facts, Interrupted, Meter, Observer, Silent, StopReason, Task};

use super::lanes::{LaneName, LaneSet};
use super::state::{FIRST_SLICE, Lane, RaceState, SliceResult, mate_within};

/// The part of a race that all workers share.
pub(super) struct SharedRace<'t> {
    task: &'t Task,
    facts: &'t Facts,
    state: Mutex<RaceState>,
    /// The searches that no worker runs: those of an earlier call, and those of workers that have ended.
    idle: Mutex<Searches>,
}

/// The searches of one thread.
pub(super) struct Worker<'m, 'c> {
    /// 0 for the first worker.
    index: usize,
    pub(super) prover: &'m mut Prover,
    /// What this worker has begun.
    pub(super) searches: Searches,
    pub(super) meter: &'m mut Meter<'c>,
}

/// The searches beside the prover that have begun. They go on where a limit stopped them.
#[derive(Default)]
pub(super) struct Searches {
    engines: Vec<EngineLane>,
    graph: Option<PnGraph<Heap>>,
    ladder: Option<Ladder>,
}

impl std::fmt::Debug for Searches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.engines.iter().map(|lane| lane.name)).finish()
    }
}

/// An engine that runs as a lane.
struct EngineLane {
    name: LaneName,
    engine: Box<dyn Engine>,
}

impl EngineLane {
    /// Makes the engine of a lane. Returns `None` for the lanes that the prover and the graph run.
    fn new(name: LaneName) -> Option<EngineLane> {
        let engine: Box<dyn Engine> = match name {
            // The verified null move makes `pn,pvs` the race of the papers' two programs.
            LaneName::Pvs => Box::new(Pvs::new(PvsOptions { null: NullMove::VERIFIED, ..PvsOptions::LANE })),
            LaneName::Bstar => Box::new(Bstar::default()),
            LaneName::Selective => Box::new(Selective::default()),
            LaneName::Corridor => Box::new(Corridor::lane()),
            LaneName::Dfpn | LaneName::Technique | LaneName::Pn | LaneName::Ladder => return None,
        };
        Some(EngineLane { name, engine })
    }
}

impl<'m, 'c> Worker<'m, 'c> {
    /// Makes a worker. Its searches begin when their turn comes, and take their memory then.
    pub(super) fn new(index: usize, prover: &'m mut Prover, meter: &'m mut Meter<'c>) -> Worker<'m, 'c> {
        Worker { index, prover, searches: Searches::default(), meter }
    }
}

impl<'t> SharedRace<'t> {
    /// Makes the shared part of a race from its state and the searches of an earlier call.
    pub(super) fn new(task: &'t Task, facts: &'t Facts, state: RaceState, idle: Searches) -> SharedRace<'t> {
        SharedRace { task, facts, state: Mutex::new(state), idle: Mutex::new(idle) }
    }

    /// Returns the state and the searches when all workers have ended.
    pub(super) fn into_parts(self) -> (RaceState, Searches) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state, self.idle.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl SharedRace<'_> {
    pub(super) fn state(&self) -> MutexGuard<'_, RaceState> {
        // A worker that panicked has not changed the bounds.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn idle(&self) -> MutexGuard<'_, Searches> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the engine of a lane: that of an earlier call or, if there is none, a new one.
    fn take_engine(&self, name: LaneName) -> Option<EngineLane> {
        let engines = &mut self.idle().engines;
        let at = engines.iter().position(|lane| lane.name == name);
        at.map(|at| engines.swap_remove(at)).or_else(|| EngineLane::new(name))
    }

    /// Keeps the searches of a worker that has ended.
    pub(super) fn keep(&self, searches: Searches) {
        let mut idle = self.idle();
        idle.engines.extend(searches.engines);
        idle.graph = idle.graph.take().or(searches.graph);
        idle.ladder = idle.ladder.take().or(searches.ladder);
    }

    /// Searches slice by slice until the race is over, the worker has no lane left, or it has made `limit` nodes.
    pub(super) fn run(&self, worker: &mut Worker<'_, '_>, limit: u64, longest_slice: u64, observer: &mut dyn Observer) {
        let mut reported = ReportedBounds::default();
        let end = worker.meter.count().saturating_add(limit);
        while worker.meter.count() < end {
            let (lane, slice, bound, set) = {
                let mut state = self.state();
                state.spare_memory = worker.prover.spare_bytes();
                reported.report(&state, worker.meter, observer);
                if state.is_over() {
                    break;
                }
                let Some((lane, slice)) = state.next_slice(worker.index) else { break };
                (lane, slice, state.upper(), state.set)
            };
            let before = worker.meter.count();
            worker.meter.set_slice(Some(slice.min(longest_slice)));
            let result = match lane {
                Lane::Prove(attempt) => self.prove(worker, attempt),
                Lane::Graph(horizon) => self.prove_on_graph(worker, horizon, set),
                Lane::Ladder => self.climb(worker, set),
                Lane::Engine(name) => {
                    let memory = self.memory_of(worker, set, name);
                    self.run_engine(worker, name, &Task { memory, ..self.task.within(bound) }, set.has_prover())
                }
            };
            worker.meter.set_slice(None);
            let nodes = worker.meter.count() - before;
            // A slice may end without a node, and then the meter has not checked the limits.
            let limit = worker.meter.control().check();
            let mut state = self.state();
            state.record(worker.index, lane, nodes, result);
            if let Err(reason) = limit {
                state.record(worker.index, lane, 0, SliceResult::Stopped(reason));
            }
        }
        reported.report(&self.state(), worker.meter, observer);
    }

    /// Runs an engine until it has an answer or its slice is used up. `has_prover` says whether the prover takes part.
    fn run_engine(&self, worker: &mut Worker<'_, '_>, name: LaneName, task: &Task, has_prover: bool) -> SliceResult {
        if worker.searches.engines.iter().all(|lane| lane.name != name) {
            worker.searches.engines.extend(self.take_engine(name));
        }
        let Some(lane) = worker.searches.engines.iter_mut().find(|lane| lane.name == name) else {
            return SliceResult::NoAnswer;
        };
        let answer = lane.engine.solve(task, worker.meter, self.facts, &mut Silent);
        let known = self.facts.proved(task.position.key());
        match known.filter(|&length| answer.proof.is_none() && length <= task.bound()) {
            Some(length) if has_prover => self.complete(worker, answer, length),
            _ => SliceResult::Answer(answer),
        }
    }

    /// Completes an engine's proof of a mate of this length, which rests on what the prover has found, by the prover.
    fn complete(&self, worker: &mut Worker<'_, '_>, answer: Answer, length: MateLength) -> SliceResult {
        worker.prover.read_facts();
        // The mate is a fact, so this takes no nodes unless another thread has just replaced it.
        worker.meter.set_slice(Some(FIRST_SLICE));
        match self.prove(worker, mate_within(length)) {
            SliceResult::Mate(tree) => SliceResult::Answer(Answer { proof: Some(tree), ..answer }),
            _ => SliceResult::Answer(answer),
        }
    }

    /// Returns the length of the task's mate if it is a fact and within the horizon.
    fn known_mate(&self, horizon: Horizon) -> Option<MateLength> {
        self.facts.proved(self.task.position.key()).filter(|&length| horizon.admits(length))
    }

    /// Returns the memory of a lane beside the prover, in bytes.
    fn memory_of(&self, worker: &Worker<'_, '_>, set: LaneSet, name: LaneName) -> usize {
        set.memory_of(name, if set.has_prover() { worker.prover.spare_bytes() } else { self.task.memory })
    }

    /// Runs the worker's prover until it has an answer or its slice is used up.
    fn prove(&self, worker: &mut Worker<'_, '_>, attempt: Attempt) -> SliceResult {
        let before = worker.meter.count();
        let finding = worker.prover.prove(self.task, attempt, worker.meter, self.facts);
        slice_result(finding, attempt.moves(), worker.meter, before)
    }

    /// Runs the ladder until it has an answer or its slice is used up.
    fn climb(&self, worker: &mut Worker<'_, '_>, set: LaneSet) -> SliceResult {
        let task = Task { memory: self.memory_of(worker, set, LaneName::Ladder), ..*self.task };
        let begin = || self.idle().ladder.take().unwrap_or_else(|| Ladder::new(self.task));
        let ladder = worker.searches.ladder.get_or_insert_with(begin);
        let before = worker.meter.count();
        let finding = ladder.climb(worker.prover, &task, worker.meter, self.facts);
        if ladder.waits() {
            self.state().let_the_ladder_wait();
        }
        slice_result(finding, None, worker.meter, before)
    }

    /// Runs `pn` until it has an answer or its slice is used up.
    fn prove_on_graph(&self, worker: &mut Worker<'_, '_>, horizon: Horizon, set: LaneSet) -> SliceResult {
        let (_, memory) = set.memory_of_prover_and_graph(self.task.memory);
        let new = || PnGraph::new(Heap, PnOptions::LANE, self.task.attacker(), memory);
        let few_men = worker.prover.few_men();
        let begin = || self.idle().graph.take().unwrap_or_else(new).with_few_men(few_men);
        let graph = worker.searches.graph.get_or_insert_with(begin);
        graph.set_depth_weight(self.state().depth_weight());
        if self.state().lists_tell_mates() {
            graph.read_facts();
        }
        let before = worker.meter.count();
        let finding = graph.prove(self.task, horizon, worker.meter, self.facts);
        worker.prover.learn(graph.take_mates());
        match (finding, self.known_mate(horizon)) {
            (Err(StopReason::Memory), _) => SliceResult::OutOfMemory,
            // The mate rests on the facts.
            (Ok(Finding::Nothing), Some(length)) if set.has_prover() => {
                worker.prover.read_facts();
                worker.meter.set_slice(Some(FIRST_SLICE));
                self.prove(worker, mate_within(length))
            }
            (finding, _) => slice_result(finding, horizon.moves(), worker.meter, before),
        }
    }
}

/// Returns the result of a slice from that of a proof-number search within `moves`. `before` is the number of nodes
/// before the slice.
fn slice_result(
    finding: Result<Finding, Interrupted>,
    moves: Option<MateLength>,
    meter: &mut Meter<'_>,
    before: u64,
) -> SliceResult {
    match finding {
        Ok(Finding::Proved(tree)) => SliceResult::Mate(tree),
        Ok(Finding::Refuted) => moves.map_or(SliceResult::RefutedAtAnyLength, SliceResult::Refuted),
        // An attempt that may be made again must cost a node; otherwise a node limit would never end the race.
        Ok(Finding::Nothing) if moves.is_some() && meter.count() == before => {
            meter.node().map_or_else(SliceResult::Stopped, |()| SliceResult::NoAnswer)
        }
        Ok(Finding::Nothing) => SliceResult::NoAnswer,
        Err(StopReason::Slice) => SliceResult::Unfinished,
        Err(reason) => SliceResult::Stopped(reason),
    }
}

/// The bounds that the observer has received.
#[derive(Default)]
struct ReportedBounds {
    refuted: Option<MateLength>,
    /// The length of the shortest mate reported.
    length: Option<MateLength>,
}

impl ReportedBounds {
    /// Reports the bounds that are better than the reported ones.
    fn report(&mut self, state: &RaceState, meter: &Meter<'_>, observer: &mut dyn Observer) {
        if let Some(refuted) = state.refuted().filter(|refuted| self.refuted < Some(*refuted)) {
            self.refuted = Some(refuted);
            observer.event(Event::Refuted(refuted), meter.count());
        }
        if let Some((length, tree)) = state.proof()
            && self.length.is_none_or(|known| length < known)
        {
            self.length = Some(length);
            observer.event(Event::Mate(tree), meter.count());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::endings::prover_of;
    use super::super::late::BEFORE_CORRIDORS;
    use super::*;
    use crate::chess::Goal;
    use crate::chess::testing::chess;
    use crate::proof::{ProofTree, check};
    use crate::search::{Control, Limits};

    /// Calls `inspect` with a race for a mate in 15 (`problems/zugzwang_pawns.epd`) that lists have found, whose facts
    /// the others know, and with the nodes that the lists took.
    fn after_the_lists(
        lanes: &[LaneName],
        inspect: impl FnOnce(&SharedRace<'_>, &mut Worker<'_, '_>, u64) -> ProofTree,
    ) {
        let root = chess("8/8/8/2p5/1pp5/bppp4/1prrp2P/qnkbK3 w - -");
        let (position, white) = (crate::chess::Position::from_chess(&root), shakmaty::Color::White);
        let task = Task { memory: 4 << 20, ..Task::mate(position, white, MateLength::MAX) };
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(200_000), deadline: None }, &stop);
        let facts = Facts::with_bytes(1 << 20);
        let mut lists = Meter::new(&control);
        let found = Corridor::lane().solve(&task, &mut lists, &facts, &mut Silent).proof.unwrap();
        assert_eq!(found.length(), MateLength(15));
        let mut state = RaceState::new(&task, LaneSet::of(lanes), 1);
        state.record(0, Lane::Engine(LaneName::Corridor), BEFORE_CORRIDORS, SliceResult::Unfinished);
        let race = SharedRace::new(&task, &facts, state, Searches::default());
        let mut prover = prover_of(None, &task, 4 << 20);
        let mut meter = Meter::new(&control);
        let mut worker = Worker::new(0, &mut prover, &mut meter);
        let tree = inspect(&race, &mut worker, lists.count());
        assert_eq!(tree.length(), MateLength(15));
        check(&root, white, Goal::MATE, tree).unwrap();
    }

    #[test]
    fn the_prover_completes_a_mate_of_which_it_knows_the_facts_only() {
        after_the_lists(&[LaneName::Dfpn, LaneName::Corridor], |race, worker, lists| {
            let result = race.complete(worker, Answer::default(), MateLength(15));
            let SliceResult::Answer(Answer { proof: Some(tree), .. }) = result else { panic!("{result:?}") };
            assert!(worker.meter.count() * 4 < lists, "{} and {lists} nodes", worker.meter.count());
            tree
        });
    }

    #[test]
    fn the_prover_completes_a_mate_of_the_graph_that_rests_on_facts() {
        after_the_lists(&[LaneName::Dfpn, LaneName::Pn, LaneName::Corridor], |race, worker, lists| {
            let set = race.state().set;
            let result = race.prove_on_graph(worker, Horizon::NONE, set);
            let SliceResult::Mate(tree) = result else { panic!("{result:?}") };
            assert!(worker.meter.count() * 4 < lists, "{} and {lists} nodes", worker.meter.count());
            tree
        });
    }
}
