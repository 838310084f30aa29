//! Who searches what, for how long: the default engine.
//!
//! No search is best at everything. Without a horizon, proof-number search finds long mates and leaves them long; by
//! few of the attacker's moves it finds others, and shorter ones; within a horizon it shortens and refutes. A race runs
//! them on one position ([`campaign`] says which when), shares what they prove in one table of facts, and ends as soon
//! as the two bounds meet: the mate that is proved and the length that is refuted. After a first mate everything goes
//! into a shorter one and into the proof that there is none.
//!
//! On one thread the lanes take turns by the node, so that two runs do the same. On several, each **worker** has a
//! prover of its own, and all provers have one table: what one learns the others know, and two that are asked the same
//! question divide it ([`super::dfpn`]). The verdicts are the same, whoever comes first.
//!
//! # What threads give
//!
//! 29 mates in 5 to 7 whose refutation of one move less takes some 250,000 nodes: on one thread 7.5 M nodes and 5.0 to
//! 6.1 s altogether; on two with tables of their own that share facts 12.0 to 12.5 M and 4.2 to 5.4 s, with one table
//! 8.7 M and 3.2 to 3.9 s. 20 other mates in 7: 53.8 M and 44.8 s; 54 to 56 M and 16.0 to 18.8 s; 38.7 M and 12.7 s.
//! The 101 of every third line of the sample below, 5 s and two threads: 95, 89 and 61 (found, at the best known
//! length, proved shortest) with tables of their own, 96, 89 and 62 with one, 96, 90 and 64 with one and the narrow
//! lane.
//!
//! While there is no mate the second worker takes part in the boundless search. Of the 87 of the 768 of the sample in
//! `dfpn::balance` that one thread does not find with 1,000,000 nodes, two find 41 with 6,000,000 if it does not, 26 of them
//! at the best known length; 48 and 28 if it spends half as much there as on refutations, 48 and 27 if as much.
//! A quarter is kept, though it was not tried on the 87: of 328 mates in up to six, the one that takes longest takes 21 to
//! 26 M nodes with half as much, and 19 M with a quarter.
//! On 27 others three times the look ahead, or after a first mate half as much for the middle of what is open as for the
//! refutation, changed no more than one.
//! Another kind of search finds none of those 87: all positions that the attacker's moves lead to if they leave at most r
//! replies (r = 1, 2, 3, … while 1,500,000 nodes are enough to list them), solved backward.
//!
//! # What the lanes give
//!
//! A sample of 304 of matetrack's mates, and every tenth line of its list (327), the length not told, one thread, 300,000
//! nodes: found, found at the best known length, proved shortest. In each row what the first worker does after the first
//! mate, parts of ten.
//!
//! | a shorter mate / refutation from below, | the same when one length is open | of 304 | of 327 |
//! |---|---|---|---|
//! | 9 / 1 | 9 / 1 | 250, 200, 39 | 267, 227, 34 |
//! | 9 / 1 (kept) | 2 / 8 | 250, 200, 41 | 267, 227, 39 |
//! | 7 / 3 | 2 / 8 | 250, 197, 42 | 267, 219, 46 |
//! | 3 / 7 | 2 / 8 | 250, 189, 43 | 267, 203, 46 |
//!
//! With refutations that are cheaper (`dfpn::question`), after the first mate, of the 768 of `dfpn::balance` with 400,000 nodes:
//!
//! | a shorter mate / refutation from below | of 768 |
//! |---|---|
//! | 8 / 1 | 638, 542, 119 |
//! | 8 / 3; 8 / 8; 8 / 16 | 638, 539, 144; 638, 539, 149; 638, 518, 150 |
//! | 8 / 8 if the refutation is expected to take no more than a quarter of what was taken so far, else 8 / 1 | 638, 542, 121 |
//! | as much; four times; sixteen times | 638, 542, 125; 638, 542, 142; 638, 541, 145 |
//! | eight times (kept) | 638, 542, 146 |
//! | 8 / 16 if no more than eight times as much | 638, 542, 145 |
//!
//! With 1,000,000 nodes 8 / 8 throughout gives 684, 592, 237 where 8 / 1 gives 684, 607, 195.
//!
//! On the 768 that `dfpn::balance` has drawn anew, with 400,000 nodes: expectations that allow for what the open refutation
//! has taken already change nothing (one position). Before there is a mate, as much for the refutation as for the search
//! where the last refutations grew less than two- or threefold loses one to four mates and proves no more.
//!
//! Four times the memory (1 GiB) finds none of the 12 mates that 10,000,000 nodes with 256 MiB do not find of the 72 mates
//! in ten and more of the 304 that five seconds leave unproved, and brings no more of the other 60 to the best known length.
//!
//! The first table was measured before the narrow lane, whose gain is in [`super::dfpn::Restriction`]'s file. Twice as much
//! for the refutation before there is a mate loses six mates and three. Nothing is gained by `pvs`: of the 304 with
//! 1,000,000 nodes, 270, 234 and 73 with it (one part in ten until there is a mate), 271, 236 and 73 without, which is
//! no more than small changes of any kind do. With an earlier proof-number search it was 269, 238 and 63 with it, 268,
//! 237 and 63 without, and 269, 238 and 59 with it to the end. What each engine finds alone is in
//! [`crate::search::pvs`].

pub mod campaign;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::descend::Finding;
use super::dfpn::{DfpnOptions, Prover, Question};
use super::pvs::{Pvs, PvsOptions};
use super::{Answer, Engine, Event, Meter, Observer, Silent, StopReason, Task};
use crate::chess::MateLength;
use crate::proof::Facts;

use campaign::{Campaign, Lane, News};

/// What can be varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaceOptions {
    /// Workers. At least 1; default 1.
    pub threads: usize,
    /// Look up facts that were there before the race, or come from elsewhere. Default: false.
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
        let pvs_memory = task.memory / PVS_SHARE;
        let options = DfpnOptions { listen: self.options.listen, ..DfpnOptions::default() };
        let prover = Prover::new(options, task.memory - pvs_memory);
        let mut first = Worker { index: 0, prover, pvs: Pvs::new(PvsOptions::LANE), pvs_memory, meter };
        let limit = if threads == 1 { u64::MAX } else { ALONE };
        race.run(&mut first, limit, u64::MAX, observer);
        if !race.campaign().is_over() {
            let control = first.meter.control();
            thread::scope(|scope| {
                for index in 1..threads {
                    let race = &race;
                    let prover = first.prover.companion();
                    let work = move || {
                        let (pvs, meter) = (Pvs::new(PvsOptions::LANE), &mut Meter::new(control));
                        let mut worker = Worker { index, prover, pvs, pvs_memory: 0, meter };
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
            // A slice may bring news without a node, and then nobody has looked.
            let limit = worker.meter.control().check();
            let mut campaign = self.campaign();
            campaign.learn(worker.index, lane, nodes, news);
            if let Err(reason) = limit {
                campaign.learn(worker.index, lane, 0, News::Stopped(reason));
            }
        }
        told.tell(&self.campaign(), worker.meter, observer);
    }

    fn slice(&self, worker: &mut Worker<'_, '_>, lane: Lane, nodes: u64) -> News {
        worker.meter.set_slice(Some(nodes));
        let news = match lane {
            Lane::Prove(question) => self.prove(worker, question),
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

    fn prove(&self, worker: &mut Worker<'_, '_>, question: Question) -> News {
        let before = worker.meter.count();
        match worker.prover.prove(self.task, question, worker.meter, self.facts) {
            Ok(Finding::Proved(tree)) => News::Mate(tree),
            Ok(Finding::Refuted) => News::Refuted(question.moves().map_or(self.task.bound, MateLength)),
            // A question that can be asked again must cost a node, or a node limit would never end it.
            Ok(Finding::Nothing) if question.moves().is_some() && worker.meter.count() == before => {
                worker.meter.node().map_or_else(News::Stopped, |()| News::Nothing)
            }
            Ok(Finding::Nothing) => News::Nothing,
            Err(StopReason::Slice) => News::More,
            Err(reason) => News::Stopped(reason),
        }
    }
}

/// What the observer has been told.
#[derive(Default)]
struct Told {
    refuted: MateLength,
    length: Option<MateLength>,
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
    fn a_stop_or_a_deadline_ends_rounds_without_nodes() {
        // A lone king mates nobody: every question is answered without a node.
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
    fn an_answer_at_once_is_given_in_spite_of_a_stop() {
        let stop = AtomicBool::new(true);
        let (answer, nodes) = race("7k/5Q2/6K1/8/8/8/8/8 w - -", 1, &Control::new(Limits::default(), &stop));
        assert_eq!((answer.proof.map(|tree| tree.length()), answer.stopped, nodes), (Some(MateLength(1)), None, 0));
    }
}
