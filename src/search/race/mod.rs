//! `race`: the default engine. It runs several searches on one position, in turn or in parallel.
//!
//! No search is best at everything. Proof-number search without a horizon finds long mates but rarely the shortest;
//! restricted to few of the attacker's moves it finds other mates and shorter ones; within a horizon it shortens and
//! refutes. Each such search is a **lane**. The race decides which lane runs next and for how long (`state`), shares
//! what the lanes prove in one table of facts, and ends when its two bounds meet: the shortest proved mate and the
//! longest refuted length. After the first mate all nodes go into a shorter one and into refutations.
//!
//! On one thread the lanes take turns by node count, so two runs do the same. With several threads each **worker** has
//! its own prover, and all provers share one table: a worker uses what the others have learned, and workers with the
//! same question divide it ([`super::dfpn`]). The verdict does not depend on the order in which they finish.
//!
//! One lane of the first worker is the principal-variation search (`pvs`): until there is a mate it gets one part in
//! twelve of the nodes (one in ten when the restricted lane does not run), and it reserves an eighth of the memory. In
//! the last measurement it gained nothing: 270 mates found, 234 at the best known length and 73 proved shortest with
//! it; 271, 236 and 73 without it.
//!
//! Rejected: other shares of the nodes, separate tables for the threads, and a second worker that only refutes
//! (`benches/tuning/lanes.md`, `benches/tuning/threads.md`).

mod endings;
mod state;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::descend::Finding;
use super::dfpn::{DfpnOptions, Prover, Question};
use super::pvs::{Pvs, PvsOptions};
use super::{Answer, Engine, Event, Meter, Observer, Silent, StopReason, Task};
use crate::chess::MateLength;
use crate::proof::Facts;

use state::{Lane, RaceState, SliceResult};

/// Options of a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaceOptions {
    /// The number of workers. At least 1; default 1.
    pub threads: usize,
    /// Reads the shared facts at every node: useful if they were filled before the race, or are filled from elsewhere.
    /// Default: false.
    pub read_facts: bool,
    /// The stack of each worker but the first, in bytes. Default: 256 MiB.
    pub stack_size: usize,
}

impl Default for RaceOptions {
    fn default() -> RaceOptions {
        RaceOptions { threads: 1, read_facts: false, stack_size: 256 << 20 }
    }
}

/// The nodes that the first worker searches before the others start: most problems are solved before a thread starts.
const SINGLE_THREADED_NODES: u64 = 20_000;

/// The longest slice with several threads, in nodes. It limits how long a worker searches a question that another
/// worker has answered.
const LONGEST_SHARED_SLICE: u64 = 32_000;

/// The principal-variation lane gets the memory of the race divided by this.
const PVS_MEMORY_DIVISOR: usize = 8;

/// The engine `race`. It keeps nothing from one task to the next.
#[derive(Debug, Default)]
pub struct Race {
    options: RaceOptions,
}

impl Race {
    /// Returns a race with these options.
    pub fn new(options: RaceOptions) -> Race {
        Race { options }
    }

    /// Solves the task with a prover of the caller's, which keeps what it learns for later questions. Of the task's
    /// memory only the share of `pvs` is used; the prover has its own.
    pub fn solve_with(
        &self,
        prover: &mut Prover,
        task: &Task,
        meter: &mut Meter<'_>,
        facts: &Facts,
        observer: &mut dyn Observer,
    ) -> Answer {
        let threads = self.options.threads.max(1);
        let race = SharedRace { task, facts, state: Mutex::new(RaceState::new(task)) };
        let pvs_memory = task.memory / PVS_MEMORY_DIVISOR;
        let mut first = Worker { index: 0, prover, pvs: Pvs::new(PvsOptions::LANE), pvs_memory, meter };
        let limit = if threads == 1 { u64::MAX } else { SINGLE_THREADED_NODES };
        race.run(&mut first, limit, u64::MAX, observer);
        if !race.state().is_over() {
            let control = first.meter.control();
            thread::scope(|scope| {
                for index in 1..threads {
                    let race = &race;
                    let mut prover = first.prover.sharing_table();
                    let work = move || {
                        let (pvs, meter) = (Pvs::new(PvsOptions::LANE), &mut Meter::new(control));
                        let mut worker = Worker { index, prover: &mut prover, pvs, pvs_memory: 0, meter };
                        race.run(&mut worker, u64::MAX, LONGEST_SHARED_SLICE, &mut Silent);
                    };
                    // If the thread cannot be started, the race is slower but its answer is as certain.
                    let _ = thread::Builder::new().stack_size(self.options.stack_size).spawn_scoped(scope, work);
                }
                race.run(&mut first, u64::MAX, LONGEST_SHARED_SLICE, observer);
            });
        }
        race.state.into_inner().unwrap_or_else(PoisonError::into_inner).into_answer()
    }
}

impl Engine for Race {
    fn name(&self) -> &'static str {
        "race"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        if let Some(answer) = endings::by_tables(self, task, meter, facts, observer) {
            return answer;
        }
        let options = DfpnOptions { read_facts: self.options.read_facts, ..DfpnOptions::default() };
        let mut prover = endings::prover(options, task, task.memory - task.memory / PVS_MEMORY_DIVISOR);
        self.solve_with(&mut prover, task, meter, facts, observer)
    }
}

/// The part of a race that all workers share.
struct SharedRace<'t> {
    task: &'t Task,
    facts: &'t Facts,
    state: Mutex<RaceState>,
}

/// The searches of one thread.
struct Worker<'m, 'c> {
    /// 0 for the first worker.
    index: usize,
    prover: &'m mut Prover,
    pvs: Pvs,
    /// The memory of `pvs`, in bytes.
    pvs_memory: usize,
    meter: &'m mut Meter<'c>,
}

impl SharedRace<'_> {
    fn state(&self) -> MutexGuard<'_, RaceState> {
        // A worker that panicked has not changed the bounds.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches slice by slice until the race is over or the worker has made `limit` nodes.
    fn run(&self, worker: &mut Worker<'_, '_>, limit: u64, longest_slice: u64, observer: &mut dyn Observer) {
        let mut reported = ReportedBounds::default();
        let end = worker.meter.count().saturating_add(limit);
        while worker.meter.count() < end {
            let (lane, slice) = {
                let state = self.state();
                reported.report(&state, worker.meter, observer);
                if state.is_over() {
                    break;
                }
                state.next_slice(worker.index)
            };
            let before = worker.meter.count();
            let result = self.slice(worker, lane, slice.min(longest_slice));
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

    /// Runs a lane for at most `nodes` nodes.
    fn slice(&self, worker: &mut Worker<'_, '_>, lane: Lane, nodes: u64) -> SliceResult {
        worker.meter.set_slice(Some(nodes));
        let result = match lane {
            Lane::Prove(question) => self.prove(worker, question),
            Lane::Pvs => {
                let task = Task { memory: worker.pvs_memory, ..*self.task };
                let answer = worker.pvs.solve(&task, worker.meter, self.facts, &mut Silent);
                match (answer.proof, answer.stopped) {
                    (Some(tree), _) => SliceResult::Mate(tree),
                    (None, Some(StopReason::Slice) | None) => SliceResult::Refuted(answer.refuted),
                    (None, Some(reason)) => SliceResult::Stopped(reason),
                }
            }
        };
        worker.meter.set_slice(None);
        result
    }

    /// Runs the worker's prover until it has an answer or its slice is used up.
    fn prove(&self, worker: &mut Worker<'_, '_>, question: Question) -> SliceResult {
        let before = worker.meter.count();
        match worker.prover.prove(self.task, question, worker.meter, self.facts) {
            Ok(Finding::Proved(tree)) => SliceResult::Mate(tree),
            Ok(Finding::Refuted) => SliceResult::Refuted(question.moves().unwrap_or(self.task.bound)),
            // A question that may be put again must cost a node; otherwise a node limit would never end the race.
            Ok(Finding::Nothing) if question.moves().is_some() && worker.meter.count() == before => {
                worker.meter.node().map_or_else(SliceResult::Stopped, |()| SliceResult::NoAnswer)
            }
            Ok(Finding::Nothing) => SliceResult::NoAnswer,
            Err(StopReason::Slice) => SliceResult::Unfinished,
            Err(reason) => SliceResult::Stopped(reason),
        }
    }
}

/// The bounds that the observer has received.
#[derive(Default)]
struct ReportedBounds {
    refuted: MateLength,
    /// The length of the shortest mate reported.
    length: Option<MateLength>,
}

impl ReportedBounds {
    /// Reports the bounds that are better than the reported ones.
    fn report(&mut self, state: &RaceState, meter: &Meter<'_>, observer: &mut dyn Observer) {
        if state.refuted() > self.refuted {
            self.refuted = state.refuted();
            observer.event(Event::Refuted(self.refuted), meter.count());
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
    use std::time::Instant;

    use super::*;
    use crate::chess::Position;
    use crate::problem::fen;
    use crate::search::{Control, Limits};

    fn race(text: &str, threads: usize, control: &Control<'_>) -> (Answer, u64) {
        let position = Position::from_chess(&fen::read(text).unwrap().chess);
        let attacker = position.turn();
        let task = Task { position, attacker, bound: MateLength::MAX, shortest: true, memory: 1 << 22 };
        let mut meter = Meter::new(control);
        let options = RaceOptions { threads, ..RaceOptions::default() };
        let answer = Race::new(options).solve(&task, &mut meter, &Facts::with_bytes(1 << 12), &mut Silent);
        (answer, meter.count())
    }

    #[test]
    fn a_stop_or_a_deadline_ends_slices_without_nodes() {
        // A bare king cannot mate: every question is answered without a node.
        let bare = "8/8/8/8/8/1k6/8/1K6 w - -";
        let go = AtomicBool::new(false);
        let (answer, nodes) = race(bare, 1, &Control::new(Limits::default(), &go));
        assert_eq!((answer.refuted, answer.stopped, nodes), (MateLength::MAX, None, 0));
        let stop = AtomicBool::new(true);
        let late = Limits { nodes: None, deadline: Some(Instant::now()) };
        for threads in [1, 2] {
            let (answer, nodes) = race(bare, threads, &Control::new(Limits::default(), &stop));
            assert_eq!((answer.refuted, answer.stopped, nodes), (MateLength(1), Some(StopReason::Stopped), 0));
            let (answer, nodes) = race(bare, threads, &Control::new(late, &go));
            assert_eq!((answer.refuted, answer.stopped, nodes), (MateLength(1), Some(StopReason::Time), 0));
        }
    }

    #[test]
    fn a_mate_in_one_is_reported_even_when_stopped() {
        let stop = AtomicBool::new(true);
        let (answer, nodes) = race("7k/5Q2/6K1/8/8/8/8/8 w - -", 1, &Control::new(Limits::default(), &stop));
        assert_eq!((answer.proof.map(|tree| tree.length()), answer.stopped, nodes), (Some(MateLength(1)), None, 0));
    }
}
