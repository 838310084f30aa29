//! `race`: the default engine. It runs several searches for one task, in turn or in parallel.
//!
//! No search is best at everything. Proof-number search on a graph, without a horizon, finds long mates but rarely the
//! shortest; over a table, within a horizon, it shortens and refutes. Each such search is a **lane**. The race decides
//! which lane runs next and for how long, and shares what the lanes prove. It ends when its two bounds, the shortest
//! proved mate and the longest refuted length, answer the task; or at a limit, or when no lane can go on, or when
//! tables of `retro` are to decide the position. `table` says who runs when, in one table and four rules.
//!
//! On one thread the lanes take turns by node count, so without a time limit two runs do the same. With several threads
//! each **worker** has its own prover, and all provers share one table: a worker uses what the others have learned, and
//! workers with the same attempt share it ([`super::dfpn`]). Which proof is found depends on the order in which they
//! finish. So a shortest mate may be proved once more on one thread, which knows the length
//! (`RaceOptions::repeatable`).
//!
//! The caller chooses the lanes (`RaceOptions::lanes`); a goal other than a direct mate has only `dfpn`. `pn` and `pvs`
//! alone are like the race that Breuker, Allis & van den Herik 1994 held between two programs.
//!
//! A lane mostly writes what it proves to the shared facts; `corridor` and `pvs` read them. The prover reads them only
//! if the caller asks for it, or once an engine has found a mate that rests on a fact, because a look at them at every
//! node costs time. The graph reads them when `corridor` has begun. The mates of its search for any mate go into the
//! prover's table after each slice.
//!
//! A mate that is longer than the task's bound is kept. It is no answer, but it is offered with it
//! ([`Answer::longer`]), and the race goes on to look for a mate within the bound.
//!
//! | file | content |
//! |---|---|
//! | `table` | the lanes that can take part: when, for which share of the nodes, with which memory |
//! | `schedule` | the choice of the next row |
//! | `state` | the bounds, and what the lanes have done so far |
//! | `worker` | one thread: runs slices of its rows |
//!
//! Rejected: other shares of the nodes, separate tables for the threads, and a second worker that only refutes
//! (`benches/tuning/lanes.md`, `benches/tuning/threads.md`).

mod schedule;
mod state;
mod table;
mod worker;

use shakmaty::Color;

use super::arena::Region;
use super::dfpn::{Prover, prove_again};
use super::retro::endings::{self, nodes_before_tables};
use super::syzygy::SyzygyFiles;
use super::{Answer, Engine, Meter, Observer, Silent, StopReason, Task};
use crate::base::threads;
use crate::search::Facts;

pub use table::{LaneName, LaneSet, table_in_markdown};

use state::RaceState;
use worker::{Desk, Searches, SharedRace, Worker};

/// Options of a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaceOptions {
    /// The number of threads. At least 1; default 1. `dfpn` and `technique` run on all threads, the other
    /// lanes on the threads that the table names; more threads than that are not started.
    pub threads: usize,
    /// The searches that take part; at least one. Default: all.
    pub lanes: LaneSet,
    /// Whether a shortest mate that several threads have proved is proved again on one thread. Then the proof does not
    /// depend on timing. Default: false.
    pub repeatable: bool,
    /// Reads the shared facts at every node: useful if they were filled before the race, or are filled from elsewhere.
    /// Default: false.
    pub read_facts: bool,
    /// Syzygy files, which refute positions of few men in `dfpn` and `technique`. Default: none.
    pub syzygy: Option<&'static SyzygyFiles>,
}

impl Default for RaceOptions {
    fn default() -> RaceOptions {
        let lanes = LaneSet::default();
        RaceOptions { threads: 1, lanes, repeatable: false, read_facts: false, syzygy: None }
    }
}

/// The nodes that the first worker searches before the others start, a tenth of a second: most problems are solved
/// before a thread starts, and the graph, which is one for all threads, finds most first mates
/// (`benches/tuning/threads.md`).
const SINGLE_THREADED_NODES: u64 = 80_000;

/// The longest slice with several threads, in nodes. It limits how long a worker makes an attempt that another
/// worker has answered.
const LONGEST_SHARED_SLICE: u64 = 8_000;

/// The engine `race`. If it is called again with the same position and memory, it goes on where a limit stopped it. The
/// bound may be smaller then; a mate that was in an earlier answer is not repeated.
#[derive(Debug)]
pub struct Race<'r> {
    options: RaceOptions,
    saved: Option<SavedRace>,
    desk: Desk<'r>,
}

/// The state of a race that a limit has stopped.
#[derive(Debug)]
struct SavedRace {
    key: u64,
    attacker: Color,
    memory: usize,
    prover: Prover,
    state: RaceState,
    searches: Searches,
}

/// Solves the task with a prover of the caller's, which keeps what it learns for later questions. Only the lanes of the
/// prover take part; it has memory of its own. If the meter has a slice, the race ends soon after it is used up, with
/// [`StopReason::Slice`].
pub fn solve_with(
    options: &RaceOptions,
    prover: &mut Prover,
    task: &Task,
    meter: &mut Meter<'_>,
    facts: &Facts,
    observer: &mut dyn Observer,
) -> Answer {
    let workers = options.workers();
    let state = RaceState::new(task, options.lanes(task).of_the_prover(), workers);
    let race = SharedRace::new(task, facts, state, Searches::default());
    let slice = meter.slice_left();
    let mut first = Worker { index: 0, prover, desk: None, meter };
    let several = match slice {
        None => run(&race, workers, first, observer),
        Some(slice) => {
            race.run(&mut first, slice, u64::MAX, observer);
            false
        }
    };
    let mut state = race.into_parts().0;
    let cut = !state.is_over();
    let mut answer = state.answer();
    answer.stopped = answer.stopped.or(cut.then_some(StopReason::Slice));
    options.complete(answer, several, task, meter)
}

/// Runs the workers until the race is over. Returns whether more than one thread has searched.
fn run(race: &SharedRace<'_>, workers: usize, mut first: Worker<'_, '_, '_>, observer: &mut dyn Observer) -> bool {
    let limit = if workers == 1 { u64::MAX } else { SINGLE_THREADED_NODES };
    race.run(&mut first, limit, u64::MAX, observer);
    let several = workers > 1 && !race.state().is_over();
    if several {
        let control = first.meter.control();
        let others: Vec<_> = (1..workers).map(|index| (index, first.prover.sharing_table())).collect();
        let work = |(index, mut prover): (usize, Prover)| {
            let mut meter = Meter::new(control);
            let mut worker = Worker { index, prover: &mut prover, desk: None, meter: &mut meter };
            race.run(&mut worker, u64::MAX, LONGEST_SHARED_SLICE, &mut Silent);
        };
        // The lanes differ, and each runs until the race is over. So they are threads of their own, which no other
        // problem can be given. If one cannot be started, the race is slower but its answer is as certain.
        let here = || race.run(&mut first, u64::MAX, LONGEST_SHARED_SLICE, observer);
        threads::beside(others, work, here);
    }
    several
}

impl RaceOptions {
    /// Returns the searches that can take part. Before tables that are built soon, the prover is enough.
    fn lanes(&self, task: &Task) -> LaneSet {
        let lanes = self.lanes.for_goal(task.stipulation.goal());
        let is_short = lanes.is_exact() && endings::memory_of_short_search(task).is_some();
        if is_short { lanes.of_the_prover() } else { lanes }
    }

    /// Returns the number of workers.
    fn workers(&self) -> usize {
        let threads = self.threads.max(1);
        if self.lanes.has_prover() { threads } else { threads.min(self.lanes.iter().count()).max(1) }
    }

    /// Completes the answer of a race. `several` says whether more than one thread has searched.
    fn complete(&self, mut answer: Answer, several: bool, task: &Task, meter: &mut Meter<'_>) -> Answer {
        answer.depends_on_timing = several && answer.proof.is_some();
        if answer.depends_on_timing && self.repeatable {
            prove_again(&mut answer, task, meter);
        }
        answer
    }
}

impl<'r> Race<'r> {
    /// Returns a race with these options. Its graph lies in the region.
    pub fn new(options: RaceOptions, region: &'r Region) -> Race<'r> {
        Race { options, saved: None, desk: Desk { region, graph: None, has_begun: false } }
    }

    /// Returns the race that is saved for this task, or a new one.
    fn take_saved(&mut self, task: &Task) -> SavedRace {
        let (key, attacker, memory) = (task.position.key(), task.attacker(), task.memory);
        let fits = |saved: &SavedRace| (saved.key, saved.attacker, saved.memory) == (key, attacker, memory);
        if let Some(mut saved) = self.saved.take().filter(fits) {
            saved.state.go_on(task, self.options.workers());
            return saved;
        }
        self.desk.has_begun = false;
        let lanes = self.options.lanes(task);
        let mut prover = Prover::for_task(self.options.syzygy, task, lanes.memory_of_prover(memory));
        if self.options.read_facts {
            prover.read_facts();
        }
        let state = RaceState::new(task, lanes, self.options.workers());
        SavedRace { key, attacker, memory, prover, state, searches: Searches::default() }
    }
}

impl Engine for Race<'_> {
    fn name(&self) -> &'static str {
        "race"
    }

    fn set_threads(&mut self, threads: usize) {
        self.options.threads = threads;
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let SavedRace { key, attacker, memory, mut prover, mut state, searches } = self.take_saved(task);
        state.pause = nodes_before_tables(task).filter(|_| self.options.lanes.is_exact());
        let race = SharedRace::new(task, facts, state, searches);
        let first = Worker { index: 0, prover: &mut prover, desk: Some(&mut self.desk), meter };
        let several = run(&race, self.options.workers(), first, observer);
        let (mut state, searches) = race.into_parts();
        let answer = Answer { with_tables: prover.has_used_syzygy(), ..state.answer() };
        if state.is_paused() {
            // The tables get the memory of the searches.
            drop((prover, searches));
            let found = self.options.complete(answer, several, task, meter);
            return endings::after_the_search(found, self.options.threads, task, meter, observer);
        }
        if answer.stopped.is_some() {
            self.saved = Some(SavedRace { key, attacker, memory, prover, state, searches });
        } else {
            // An answered task has nothing to go on with.
            drop((prover, searches));
        }
        self.options.complete(answer, several, task, meter)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::base::clock::Instant;
    use crate::chess::MateLength;
    use crate::chess::testing::position;
    use crate::search::{Control, Limits};

    fn race(text: &str, threads: usize, control: &Control<'_>) -> (Answer, u64) {
        let position = position(text);
        let attacker = position.turn();
        let task = Task { memory: 1 << 22, ..Task::mate(position, attacker, MateLength::MAX) };
        let mut meter = Meter::new(control);
        let options = RaceOptions { threads, ..RaceOptions::default() };
        let answer =
            Race::new(options, &Region::default()).solve(&task, &mut meter, &Facts::with_bytes(1 << 12), &mut Silent);
        (answer, meter.count())
    }

    #[test]
    fn a_stop_or_a_deadline_ends_slices_without_nodes() {
        // A bare king cannot mate: every attempt is decided without a node.
        let bare = "8/8/8/8/8/1k6/8/1K6 w - -";
        let go = AtomicBool::new(false);
        let (answer, nodes) = race(bare, 1, &Control::new(Limits::default(), &go));
        assert_eq!((answer.refuted, answer.stopped, nodes), (Some(MateLength::MAX), None, 0));
        assert!(answer.refuted_at_any_length);
        let stop = AtomicBool::new(true);
        let late = Limits { nodes: None, deadline: Some(Instant::now()) };
        for threads in [1, 2] {
            let (answer, nodes) = race(bare, threads, &Control::new(Limits::default(), &stop));
            assert_eq!((answer.refuted, answer.stopped, nodes), (Some(MateLength(1)), Some(StopReason::Stopped), 0));
            let (answer, nodes) = race(bare, threads, &Control::new(late, &go));
            assert_eq!((answer.refuted, answer.stopped, nodes), (Some(MateLength(1)), Some(StopReason::Time), 0));
        }
    }

    #[test]
    fn a_mate_in_one_is_reported_even_when_stopped() {
        let stop = AtomicBool::new(true);
        let (answer, nodes) = race("7k/5Q2/6K1/8/8/8/8/8 w - -", 1, &Control::new(Limits::default(), &stop));
        assert_eq!((answer.proof.map(|tree| tree.length()), answer.stopped, nodes), (Some(MateLength(1)), None, 0));
    }

    #[test]
    fn a_race_goes_on_after_a_limit() {
        // A mate in five: Loyd 1861, Excelsior.
        let position = position("n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - -");
        let task = Task { memory: 1 << 24, ..Task::mate(position, Color::White, MateLength::MAX) };
        let (stop, all) = (AtomicBool::new(false), LaneSet::of(&LaneName::ALL));
        for (threads, lanes) in [(1, LaneSet::default()), (2, all)] {
            let options = RaceOptions { threads, lanes, ..RaceOptions::default() };
            let solve = |race: &mut Race<'_>, facts: &Facts, nodes: u64| {
                let control = Control::new(Limits { nodes: Some(nodes), deadline: None }, &stop);
                let answer = race.solve(&task, &mut Meter::new(&control), facts, &mut Silent);
                (answer, control.nodes())
            };
            let region = Region::default();
            let (whole, nodes) = solve(&mut Race::new(options, &region), &Facts::with_bytes(1 << 16), u64::MAX);
            assert_eq!(whole.stopped, None);
            let (mut race, facts) = (Race::new(options, &region), Facts::with_bytes(1 << 16));
            let (mut proof, mut spent, mut refuted) = (None, 0, None);
            for _ in 0..40 {
                let (answer, more) = solve(&mut race, &facts, nodes.div_ceil(8));
                spent += more;
                assert!(answer.refuted >= refuted, "what was refuted stays");
                (proof, refuted) = (answer.proof.or(proof), answer.refuted);
                if answer.stopped.is_none() {
                    break;
                }
            }
            assert_eq!(proof.map(|tree| tree.length()), whole.proof.map(|tree| tree.length()));
            assert_eq!(refuted, whole.refuted);
            // With two threads the nodes depend on timing.
            assert!(threads > 1 || spent < nodes * 3 / 2, "nothing is lost: {spent} of {nodes}");
        }
    }
}
