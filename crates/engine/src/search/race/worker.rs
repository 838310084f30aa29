//! The workers of a race: each searches slices of its rows until the race is over or nothing is left for it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::chess::MateLength;
use crate::proof::ProofTree;
use crate::search::arena::Region;
use crate::search::corridor::Corridor;
use crate::search::descend::Finding;
use crate::search::dfpn::{Attempt, Prover};
use crate::search::horizon::Horizon;
use crate::search::ladder::Ladder;
use crate::search::pn::{PnGraph, PnOptions};
use crate::search::pvs::{NullMove, Pvs, PvsOptions};
use crate::search::retro::endings;
use crate::search::{Answer, Engine, Event, Facts, Interrupted, Meter, Observer, Silent, StopReason, Task};

use super::state::{ANY_MATE, Lane, RaceState, SliceResult};
use super::table::{FIRST_SLICE, LaneName};

/// The part of a race that all workers share.
pub(super) struct SharedRace<'t> {
    task: &'t Task,
    facts: &'t Facts,
    state: Mutex<RaceState>,
    /// The searches that no worker runs at the moment.
    idle: Mutex<Searches>,
}

/// The searches of one thread. They begin when their turn comes, and take their memory then.
pub(super) struct Worker<'m, 'r, 'c> {
    /// 0 for the first worker.
    pub(super) index: usize,
    pub(super) prover: &'m mut Prover,
    /// The place of the graph of `pn`, which only the first worker has.
    pub(super) desk: Option<&'m mut Desk<'r>>,
    pub(super) meter: &'m mut Meter<'c>,
}

/// The graph of `pn`, and the region in which it lies. A region serves one thread only, so this is no part of what the
/// workers share.
#[derive(Debug)]
pub(super) struct Desk<'r> {
    pub(super) region: &'r Region,
    /// The graph of the present race, or of an earlier one.
    pub(super) graph: Option<PnGraph<'r>>,
    /// Whether the graph belongs to the present race.
    pub(super) has_begun: bool,
}

/// The searches beside prover and graph that have begun. They go on where a limit stopped them.
#[derive(Debug, Default)]
pub(super) struct Searches {
    pvs: Option<Pvs>,
    corridor: Option<Corridor>,
    ladder: Option<Ladder>,
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

    pub(super) fn state(&self) -> MutexGuard<'_, RaceState> {
        // A worker that panicked has not changed the bounds.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn idle(&self) -> MutexGuard<'_, Searches> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches slice by slice until the race is over, nothing is left for the worker, or it has made `limit` nodes.
    pub(super) fn run(
        &self,
        worker: &mut Worker<'_, '_, '_>,
        limit: u64,
        longest_slice: u64,
        observer: &mut dyn Observer,
    ) {
        let mut reported = ReportedBounds::default();
        let end = worker.meter.count().saturating_add(limit);
        while worker.meter.count() < end {
            let (turn, slice, bound) = {
                let mut state = self.state();
                reported.report(&state, worker.meter, observer);
                if state.is_over() {
                    break;
                }
                let Some((turn, slice)) = state.next_slice(worker.index) else { break };
                (turn, slice, state.upper())
            };
            let before = worker.meter.count();
            worker.meter.set_slice(Some(slice.min(longest_slice)));
            let result = self.run_slice(worker, turn.lane, bound);
            worker.meter.set_slice(None);
            let nodes = worker.meter.count() - before;
            // A slice may end without a node, and then the meter has not checked the limits.
            let limit = worker.meter.control().check();
            let mut state = self.state();
            state.record(turn, nodes, result);
            if let Err(reason) = limit {
                state.stop(reason);
            }
        }
        reported.report(&self.state(), worker.meter, observer);
    }

    /// Runs a lane until it has an answer or its slice is used up. `bound` is the longest open length.
    fn run_slice(&self, worker: &mut Worker<'_, '_, '_>, lane: Lane, bound: MateLength) -> SliceResult {
        let bound = lane.attempt.and_then(Attempt::moves).unwrap_or(bound);
        match lane.name {
            LaneName::Dfpn => self.prove(worker, lane.attempt.unwrap_or(ANY_MATE)),
            LaneName::Technique => self.prove(worker, Attempt::TECHNIQUE),
            LaneName::Ladder => self.climb(worker),
            LaneName::Pn => self.run_graph(worker, lane, bound),
            LaneName::Pvs => {
                // The verified null move makes `pn,pvs` the race of the papers' two programs.
                let options = PvsOptions { null: NullMove::VERIFIED, ..PvsOptions::LANE };
                let run = |pvs: &mut Pvs| self.run_engine(worker, pvs, lane.name, bound);
                self.with(|idle| &mut idle.pvs, || Pvs::new(options), run)
            }
            LaneName::Corridor => {
                let run = |lists: &mut Corridor| self.run_engine(worker, lists, lane.name, bound);
                self.with(|idle| &mut idle.corridor, Corridor::lane, run)
            }
        }
    }

    /// Calls `run` with an idle search, or with a new one.
    fn with<T, R>(
        &self,
        place: fn(&mut Searches) -> &mut Option<T>,
        new: impl FnOnce() -> T,
        run: impl FnOnce(&mut T) -> R,
    ) -> R {
        let idle = place(&mut self.idle()).take();
        let mut search = idle.unwrap_or_else(new);
        let result = run(&mut search);
        *place(&mut self.idle()) = Some(search);
        result
    }

    /// Runs an engine until it has an answer or its slice is used up.
    fn run_engine(
        &self,
        worker: &mut Worker<'_, '_, '_>,
        engine: &mut dyn Engine,
        name: LaneName,
        bound: MateLength,
    ) -> SliceResult {
        let task = Task { memory: self.memory_of(worker, name), ..self.task.within(bound) };
        let answer = engine.solve(&task, worker.meter, self.facts, &mut Silent);
        let mate = answer.proof.is_none().then(|| self.complete(worker, bound)).flatten();
        SliceResult::Answer(Answer { proof: answer.proof.or(mate), ..answer })
    }

    /// Returns the proof of a mate of at most `bound` moves that is a fact. What an engine proves may rest on facts of
    /// which it knows no move; the prover does.
    fn complete(&self, worker: &mut Worker<'_, '_, '_>, bound: MateLength) -> Option<ProofTree> {
        let known = self.facts.proved(self.task.position.key()).filter(|&length| length <= bound)?;
        self.state().set.has_prover().then_some(())?;
        worker.prover.read_facts();
        // This takes no nodes unless another thread has just replaced the fact.
        worker.meter.set_slice(Some(FIRST_SLICE));
        match self.prove(worker, Attempt::mate(Horizon::within(known))) {
            SliceResult::Mate(tree) => Some(tree),
            _ => None,
        }
    }

    /// Returns the memory of a lane beside the prover, in bytes.
    fn memory_of(&self, worker: &Worker<'_, '_, '_>, name: LaneName) -> usize {
        self.state().set.memory_of(name, self.task.memory, worker.prover.spare_bytes())
    }

    /// Runs the worker's prover until it has an answer or its slice is used up.
    fn prove(&self, worker: &mut Worker<'_, '_, '_>, attempt: Attempt) -> SliceResult {
        let before = worker.meter.count();
        let finding = worker.prover.prove(self.task, attempt, worker.meter, self.facts);
        slice_result(finding, attempt.moves(), worker.meter, before)
    }

    /// Runs the ladder until it has an answer or its slice is used up.
    fn climb(&self, worker: &mut Worker<'_, '_, '_>) -> SliceResult {
        let task = Task { memory: self.memory_of(worker, LaneName::Ladder), ..*self.task };
        let before = worker.meter.count();
        let climb = |ladder: &mut Ladder| ladder.climb(worker.prover, &task, worker.meter, self.facts);
        let finding = self.with(|idle| &mut idle.ladder, || Ladder::new(self.task), climb);
        slice_result(finding, None, worker.meter, before)
    }

    /// Runs the graph of `pn` until it has an answer or its slice is used up: for a mate of any length or, if the graph
    /// chooses its questions itself, for the shortest of at most `bound` moves.
    fn run_graph(&self, worker: &mut Worker<'_, '_, '_>, lane: Lane, bound: MateLength) -> SliceResult {
        let memory = self.memory_of(worker, LaneName::Pn).min(endings::memory_beside_tables(self.task));
        let task = Task { memory, ..self.task.within(bound) };
        let Some(desk) = &mut worker.desk else { return SliceResult::NoAnswer };
        let graph = match desk.graph.take() {
            Some(graph) if desk.has_begun => graph,
            old => PnGraph::begin(old, desk.region, PnOptions::default(), &task).with_few_men(worker.prover.few_men()),
        };
        let graph = desk.graph.insert(graph);
        desk.has_begun = true;
        if self.idle().corridor.is_some() {
            graph.read_facts();
        }
        if lane.attempt.is_none() {
            return SliceResult::Answer(graph.descend(&task, worker.meter, self.facts, &mut Silent));
        }
        let before = worker.meter.count();
        let finding = graph.prove(self.task, Horizon::NONE, worker.meter, self.facts);
        worker.prover.learn(graph.take_mates());
        match finding {
            Err(full @ StopReason::Memory) => SliceResult::Answer(Answer { stopped: Some(full), ..Answer::default() }),
            Ok(Finding::Nothing) => {
                self.complete(worker, MateLength::MAX).map_or(SliceResult::NoAnswer, SliceResult::Mate)
            }
            finding => slice_result(finding, None, worker.meter, before),
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

/// The bounds that the observer has received: the longest refuted length, and that of the shortest mate.
#[derive(Default)]
struct ReportedBounds(Option<MateLength>, Option<MateLength>);

impl ReportedBounds {
    /// Reports the bounds that are better than the reported ones.
    fn report(&mut self, state: &RaceState, meter: &Meter<'_>, observer: &mut dyn Observer) {
        if let Some(refuted) = state.refuted.filter(|refuted| self.0 < Some(*refuted)) {
            self.0 = Some(refuted);
            observer.event(Event::Refuted(refuted), meter.count());
        }
        if let Some((length, tree)) = state.proof().filter(|(length, _)| self.1.is_none_or(|known| *length < known)) {
            self.1 = Some(length);
            observer.event(Event::Mate(tree), meter.count());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::table::LaneSet;
    use super::*;
    use crate::chess::Goal;
    use crate::chess::testing::chess;
    use crate::proof::{ProofTree, check};
    use crate::search::{Control, Limits};

    /// Calls `inspect` with a race for a mate in 15 (`problems/zugzwang_pawns.epd`) that lists have found, whose facts
    /// the others know, and with the nodes that the lists took.
    fn after_the_lists(
        lanes: &[LaneName],
        inspect: impl FnOnce(&SharedRace<'_>, &mut Worker<'_, '_, '_>, u64) -> ProofTree,
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
        let state = RaceState::new(&task, LaneSet::of(lanes), 1);
        let idle = Searches { corridor: Some(Corridor::lane()), ..Searches::default() };
        let race = SharedRace::new(&task, &facts, state, idle);
        let mut prover = Prover::for_task(None, &task, 4 << 20);
        let mut meter = Meter::new(&control);
        let region = Region::default();
        let mut desk = Desk { region: &region, graph: None, has_begun: false };
        let mut worker = Worker { index: 0, prover: &mut prover, desk: Some(&mut desk), meter: &mut meter };
        let tree = inspect(&race, &mut worker, lists.count());
        assert_eq!(tree.length(), MateLength(15));
        check(&root, white, Goal::MATE, tree).unwrap();
    }

    #[test]
    fn the_prover_completes_a_mate_of_which_it_knows_the_facts_only() {
        after_the_lists(&[LaneName::Dfpn, LaneName::Corridor], |race, worker, lists| {
            let tree = race.complete(worker, MateLength(15)).unwrap();
            assert!(worker.meter.count() * 4 < lists, "{} and {lists} nodes", worker.meter.count());
            tree
        });
    }

    #[test]
    fn the_prover_completes_a_mate_of_the_graph_that_rests_on_facts() {
        after_the_lists(&[LaneName::Dfpn, LaneName::Pn, LaneName::Corridor], |race, worker, lists| {
            let lane = Lane { name: LaneName::Pn, attempt: Some(ANY_MATE) };
            let result = race.run_graph(worker, lane, MateLength::MAX);
            let SliceResult::Mate(tree) = result else { panic!("{result:?}") };
            assert!(worker.meter.count() * 4 < lists, "{} and {lists} nodes", worker.meter.count());
            tree
        });
    }
}
