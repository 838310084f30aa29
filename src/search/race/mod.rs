//! Who searches what, for how long: the default engine.
//!
//! No search is best at everything. Without a horizon, proof-number search finds long mates and leaves them long; within
//! a horizon it shortens and refutes; a principal-variation search sees quiet keys among few men. A race runs them on one
//! position ([`campaign`] says which when), shares what they prove in one table of facts, and ends as soon as the two
//! bounds meet: the mate that is proved and the length that is refuted. After a first mate everything goes into a shorter
//! one and into the proof that there is none.
//!
//! On one thread the lanes take turns by the node, so that two runs do the same. On several, each **worker** has a prover
//! of its own; they meet in the facts and in the campaign. The verdicts are the same, whoever comes first.
//!
//! # What the lanes give
//!
//! A sample of 304 of matetrack's mates, the length not told, one thread, 1,000,000 nodes: found, found at the best
//! known length, proved shortest. The lanes' shares are in [`campaign`].
//!
//! | lanes of the first worker | found | best | proved |
//! |---|---|---|---|
//! | the main one alone: a mate, then shorter ones | 271 | 233 | 63 |
//! | and one part in nine for the length next to be refuted | 268 | 237 | 63 |
//! | and one part in ten for `pvs` | 269 | 238 | 59 |
//! | the same, `pvs` only until there is a mate (kept) | 269 | 238 | 63 |
//!
//! So `pvs` does no harm and adds one mate in three hundred; what proof-number search alone adds is in
//! [`crate::search::dfpn`].

pub mod campaign;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::descend::Outcome;
use super::dfpn::{DfpnOptions, Prover};
use super::pvs::{Pvs, PvsOptions};
use super::{Answer, Engine, Event, Meter, Observer, Silent, StopReason, Task};
use crate::proof::Facts;

use campaign::{Campaign, Lane, News};

/// What can be varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaceOptions {
    /// Workers. At least 1; default 1.
    pub threads: usize,
    /// Look up facts that were there before the race, or come from elsewhere. Default: false. On several threads the workers
    /// always do.
    pub listen: bool,
    /// The stack of each worker but the first, in bytes.
    pub stack_size: usize,
}

impl Default for RaceOptions {
    fn default() -> RaceOptions {
        RaceOptions { threads: 1, listen: false, stack_size: 256 << 20 }
    }
}

/// Nodes after which further workers are called in: most problems are solved before a thread has started.
const ALONE: u64 = 20_000;

/// The longest slice on several threads, in nodes, so that nobody goes on for long with a question that was answered.
const LONGEST_SHARED_SLICE: u64 = 32_000;

/// The share of a worker's memory that the principal-variation lane gets: one part in so many.
const PVS_SHARE: usize = 8;

/// The engine. It keeps nothing from one task to the next.
#[derive(Debug, Default)]
pub struct Race {
    options: RaceOptions,
}

impl Race {
    /// A race with these options.
    pub fn new(options: RaceOptions) -> Race {
        Race { options }
    }
}

impl Engine for Race {
    fn name(&self) -> &'static str {
        "race"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let threads = self.options.threads.max(1);
        let race = Shared { task, facts, campaign: Mutex::new(Campaign::new(task)) };
        let memory = task.memory / threads;
        let listen = self.options.listen || threads > 1;
        let mut first = Worker::new(0, memory, listen, meter);
        let limit = if threads == 1 { u64::MAX } else { ALONE };
        race.run(&mut first, limit, u64::MAX, observer);
        if !race.campaign().is_over() {
            let control = first.meter.control();
            thread::scope(|scope| {
                for index in 1..threads {
                    let race = &race;
                    let work = move || {
                        let mut meter = Meter::new(control);
                        let mut worker = Worker::new(index, memory, listen, &mut meter);
                        race.run(&mut worker, u64::MAX, LONGEST_SHARED_SLICE, &mut Silent);
                    };
                    // Without the thread the race is slower, and no less true.
                    let _ = thread::Builder::new().stack_size(self.options.stack_size).spawn_scoped(scope, work);
                }
                race.run(&mut first, u64::MAX, LONGEST_SHARED_SLICE, observer);
            });
        }
        race.campaign.into_inner().unwrap_or_else(PoisonError::into_inner).into_answer()
    }
}

/// What the workers share.
struct Shared<'t> {
    task: &'t Task,
    facts: &'t Facts,
    campaign: Mutex<Campaign>,
}

/// One thread's searchers.
struct Worker<'m, 'c> {
    index: usize,
    prover: Prover,
    pvs: Pvs,
    pvs_memory: usize,
    meter: &'m mut Meter<'c>,
}

impl<'m, 'c> Worker<'m, 'c> {
    fn new(index: usize, memory: usize, listen: bool, meter: &'m mut Meter<'c>) -> Worker<'m, 'c> {
        // Workers on the same question should not take the same way.
        let options =
            DfpnOptions { quiet: if index.is_multiple_of(2) { 8 } else { 16 }, listen, ..DfpnOptions::default() };
        let pvs_memory = if index == 0 { memory / PVS_SHARE } else { 0 };
        let prover = Prover::new(options, memory - pvs_memory);
        Worker { index, prover, pvs: Pvs::new(PvsOptions::LANE), pvs_memory, meter }
    }
}

impl Shared<'_> {
    fn campaign(&self) -> MutexGuard<'_, Campaign> {
        // A worker that panicked has left the bounds as they were.
        self.campaign.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works in slices until the race is over or the worker has made `limit` nodes.
    fn run(&self, worker: &mut Worker<'_, '_>, limit: u64, longest_slice: u64, observer: &mut dyn Observer) {
        let mut told = Told::default();
        let end = worker.meter.count().saturating_add(limit);
        while worker.meter.count() < end {
            let (lane, slice) = {
                let campaign = self.campaign();
                told.tell(&campaign, worker.meter, observer);
                if campaign.is_over() {
                    break;
                }
                campaign.next(worker.index)
            };
            let before = worker.meter.count();
            let news = self.slice(worker, lane, slice.min(longest_slice));
            let nodes = worker.meter.count() - before;
            self.campaign().learn(worker.index, lane, nodes, news);
        }
        told.tell(&self.campaign(), worker.meter, observer);
    }

    fn slice(&self, worker: &mut Worker<'_, '_>, lane: Lane, nodes: u64) -> News {
        worker.meter.set_slice(Some(nodes));
        let news = match lane {
            Lane::Prove(horizon) => match worker.prover.prove(self.task, horizon, worker.meter, self.facts) {
                Ok(Outcome::Proved(tree)) => News::Mate(tree),
                Ok(Outcome::Refuted) => {
                    News::Refuted(horizon.moves().map_or(self.task.bound, crate::chess::MateLength))
                }
                Ok(Outcome::Nothing) => News::Nothing,
                Err(StopReason::Slice) => News::More,
                Err(reason) => News::Stopped(reason),
            },
            Lane::Pvs => {
                let task = Task { memory: worker.pvs_memory, ..*self.task };
                let answer = worker.pvs.solve(&task, worker.meter, self.facts, &mut Silent);
                match (answer.proof, answer.stopped) {
                    (Some(tree), _) => News::Mate(tree),
                    (None, Some(StopReason::Slice) | None) => News::Refuted(answer.refuted),
                    (None, Some(reason)) => News::Stopped(reason),
                }
            }
        };
        worker.meter.set_slice(None);
        news
    }
}

/// What the observer has been told.
#[derive(Default)]
struct Told {
    refuted: crate::chess::MateLength,
    length: Option<crate::chess::MateLength>,
}

impl Told {
    fn tell(&mut self, campaign: &Campaign, meter: &Meter<'_>, observer: &mut dyn Observer) {
        if campaign.refuted() > self.refuted {
            self.refuted = campaign.refuted();
            observer.event(Event::Refuted(self.refuted), meter.count());
        }
        if let Some((length, tree)) = campaign.proof()
            && self.length.is_none_or(|known| length < known)
        {
            self.length = Some(length);
            observer.event(Event::Mate(tree), meter.count());
        }
    }
}
