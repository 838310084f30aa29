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

mod lanes;
mod schedule;
mod state;
mod worker;

use std::sync::{Mutex, PoisonError};
use std::thread;

use super::arena::Region;
use super::dfpn::{DfpnOptions, Prover};
use super::{Answer, Engine, Meter, Observer, Silent, Task};
use crate::proof::Facts;

pub use lanes::{LaneName, LaneSet};

use state::RaceState;
use worker::{SharedRace, Worker};

/// Options of a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaceOptions {
    /// The number of threads. At least 1; default 1. More workers than searches are not started: `dfpn` and `narrow`
    /// run on all threads, each of the other lanes on one.
    pub threads: usize,
    /// The searches that take part; at least one. Default: `dfpn`, `narrow` and `pvs`.
    pub lanes: LaneSet,
    /// Reads the shared facts at every node: useful if they were filled before the race, or are filled from elsewhere.
    /// Default: false.
    pub read_facts: bool,
    /// The stack of each worker but the first, in bytes. Default: 256 MiB.
    pub stack_size: usize,
}

impl Default for RaceOptions {
    fn default() -> RaceOptions {
        RaceOptions { threads: 1, lanes: LaneSet::default(), read_facts: false, stack_size: 256 << 20 }
    }
}

/// The nodes that the first worker searches before the others start: most problems are solved before a thread starts.
const SINGLE_THREADED_NODES: u64 = 20_000;

/// The longest slice with several threads, in nodes. It limits how long a worker searches a question that another
/// worker has answered.
const LONGEST_SHARED_SLICE: u64 = 32_000;

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
    /// memory only the share of the other lanes is used; the prover has its own.
    pub fn solve_with(
        &self,
        prover: &mut Prover,
        task: &Task,
        meter: &mut Meter<'_>,
        facts: &Facts,
        observer: &mut dyn Observer,
    ) -> Answer {
        let (lanes, threads) = (self.options.lanes, self.options.threads.max(1));
        let workers = if lanes.has_prover() { threads } else { threads.min(lanes.single_threaded().count()) };
        let race = SharedRace { task, facts, lanes, state: Mutex::new(RaceState::new(task, lanes, workers)) };
        let region = Region::default();
        let mut first = Worker::new(0, &race, prover, &region, meter);
        let limit = if workers == 1 { u64::MAX } else { SINGLE_THREADED_NODES };
        race.run(&mut first, limit, u64::MAX, observer);
        if !race.state().is_over() {
            thread::scope(|scope| {
                for index in 1..workers {
                    let (race, control) = (&race, first.meter.control());
                    let mut prover = first.prover.sharing_table();
                    let work = move || {
                        let (region, mut meter) = (Region::default(), Meter::new(control));
                        let mut worker = Worker::new(index, race, &mut prover, &region, &mut meter);
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
        let read_facts = self.options.read_facts || self.options.lanes.share_facts();
        let options = DfpnOptions { read_facts, ..DfpnOptions::default() };
        let mut prover = Prover::new(options, self.options.lanes.memory_of_prover(task.memory));
        self.solve_with(&mut prover, task, meter, facts, observer)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use super::*;
    use crate::chess::MateLength;
    use crate::chess::Position;
    use crate::problem::fen;
    use crate::search::{Control, Limits, StopReason};

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
