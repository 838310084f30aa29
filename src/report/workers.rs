//! The threads of one report: they work off lists of independent questions with deciders that share one table.
//!
//! A report asks its questions in lists: one for each first move, one for each defence. The first decider begins alone, because
//! most problems are solved before a thread has started. When the list gets long work, the other threads join. A thread that
//! finds no untouched item helps with one that another thread is working on: both put the same questions to the same table,
//! and so divide the work (see `search::dfpn`).
//!
//! All answers are exact, so the results do not depend on the number of threads.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::search::decider::Decider;
use crate::search::{Interrupted, StopReason};
use crate::solve::STACK_SIZE;

/// The nodes that the first decider makes before the others join.
const SINGLE_THREADED_NODES: u64 = 20_000;

/// A source of threads that nobody else needs at the moment.
pub trait ThreadSource: Sync {
    /// Takes all threads that are idle, and returns their number.
    fn borrow(&self) -> usize;

    /// Gives threads back.
    fn give_back(&self, threads: usize);
}

/// No thread is to be borrowed.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoThreads;

impl ThreadSource for NoThreads {
    fn borrow(&self) -> usize {
        0
    }

    fn give_back(&self, _: usize) {}
}

/// The deciders of a report, one for each thread.
pub(super) struct Workers<'a, 'c> {
    /// At least one; the first belongs to the calling thread.
    deciders: Vec<Decider<'a, 'c>>,
    /// The threads of this report, at least 1.
    threads: usize,
    /// The threads it may borrow for a while.
    source: &'a dyn ThreadSource,
    /// The limit that ended the work.
    stopped: Option<StopReason>,
}

impl<'a, 'c> Workers<'a, 'c> {
    /// Makes the workers of a report on `threads` threads, at least 1, and those it can borrow. The others are made when they are
    /// first needed.
    pub(super) fn new(first: Decider<'a, 'c>, threads: usize, source: &'a dyn ThreadSource) -> Workers<'a, 'c> {
        Workers { deciders: vec![first], threads: threads.max(1), source, stopped: None }
    }

    /// The decider of the calling thread.
    pub(super) fn first(&mut self) -> &mut Decider<'a, 'c> {
        &mut self.deciders[0]
    }

    /// Calls `work` with the first decider and the number of threads that it may use, borrowed ones included.
    pub(super) fn with_threads<R>(&mut self, work: impl FnOnce(&mut Decider<'a, 'c>, usize) -> R) -> R {
        let borrowed = self.source.borrow();
        let result = work(&mut self.deciders[0], self.threads + borrowed);
        self.source.give_back(borrowed);
        result
    }

    /// The limit that ended the work, if one did.
    pub(super) fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Remembers that a limit has ended the work.
    pub(super) fn stop(&mut self, reason: StopReason) {
        self.stopped = self.stopped.or(Some(reason));
    }

    /// Works off all items. `None` in the place of a result: a limit ended the work first, see [`Workers::stopped`].
    pub(super) fn map<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        work: impl Fn(&mut Decider<'a, 'c>, &T) -> Result<R, Interrupted> + Sync,
    ) -> Vec<Option<R>> {
        self.work_off(items, None, work)
    }

    /// Works on each item for at most `slice` nodes. `None` in the place of a result: the slice was too short, or a limit ended the
    /// work. Work on an item continues where it stopped when it is given again.
    pub(super) fn map_slices<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        slice: u64,
        work: impl Fn(&mut Decider<'a, 'c>, &T) -> Result<R, Interrupted> + Sync,
    ) -> Vec<Option<R>> {
        self.work_off(items, Some(slice), work)
    }

    fn work_off<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        slice: Option<u64>,
        work: impl Fn(&mut Decider<'a, 'c>, &T) -> Result<R, Interrupted> + Sync,
    ) -> Vec<Option<R>> {
        let borrowed = self.source.borrow();
        let threads = self.threads + borrowed;
        let may_help = slice.is_none() || items.len() < threads;
        let list = WorkList { items, slice, state: Mutex::new(ListState::new(items.len(), may_help, self.stopped)) };
        let alone = if threads == 1 { None } else { Some(SINGLE_THREADED_NODES) };
        list.run(&mut self.deciders[0], alone, &work);
        if threads > 1 && list.state().is_open() {
            self.make_deciders(threads);
            thread::scope(|scope| {
                let (first, others) = self.deciders.split_at_mut(1);
                let (list, work) = (&list, &work);
                for decider in others.iter_mut().take(threads - 1) {
                    // If a thread cannot be started the work takes longer, no more.
                    let _ = thread::Builder::new()
                        .stack_size(STACK_SIZE)
                        .spawn_scoped(scope, move || list.run(decider, None, work));
                }
                list.run(&mut first[0], None, work);
            });
        }
        self.source.give_back(borrowed);
        let state = list.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.stopped = state.stopped;
        state.results
    }

    fn make_deciders(&mut self, count: usize) {
        while self.deciders.len() < count {
            let other = self.deciders[0].for_another_thread();
            self.deciders.push(other);
        }
    }
}

/// A list of items that several threads work off.
struct WorkList<'l, T, R> {
    items: &'l [T],
    slice: Option<u64>,
    state: Mutex<ListState<R>>,
}

impl<T, R> WorkList<'_, T, R> {
    fn state(&self) -> MutexGuard<'_, ListState<R>> {
        // A worker that panicked has left no half-written result.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on items until none is left, or until the decider has made `alone` nodes altogether.
    fn run<'a, 'c>(
        &self,
        decider: &mut Decider<'a, 'c>,
        alone: Option<u64>,
        work: &impl Fn(&mut Decider<'a, 'c>, &T) -> Result<R, Interrupted>,
    ) {
        loop {
            let left = alone.map(|nodes| nodes.saturating_sub(decider.nodes()));
            if left == Some(0) {
                return;
            }
            let Some(at) = self.state().next() else { return };
            let slice = [self.slice, left].into_iter().flatten().min();
            decider.set_slice(slice);
            let result = work(decider, &self.items[at]);
            decider.set_slice(None);
            // Work that made no node has not looked at the limits.
            let limit = decider.check_limits();
            let cut_short = slice < self.slice || self.slice.is_none();
            let mut state = self.state();
            state.finish(at, result, cut_short);
            if let Err(reason) = limit {
                state.stopped = state.stopped.or(Some(reason));
            }
        }
    }
}

/// The results so far, and who works on what.
struct ListState<R> {
    results: Vec<Option<R>>,
    places: Vec<Place>,
    /// Threads without an untouched item may help others.
    may_help: bool,
    stopped: Option<StopReason>,
}

/// The state of one item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Untouched,
    /// This number of threads is working on it.
    Busy(usize),
    /// It has its result, or its slice is used up.
    Done,
}

impl<R> ListState<R> {
    fn new(count: usize, may_help: bool, stopped: Option<StopReason>) -> ListState<R> {
        let results = std::iter::repeat_with(|| None).take(count).collect();
        ListState { results, places: vec![Place::Untouched; count], may_help, stopped }
    }

    fn is_open(&self) -> bool {
        self.stopped.is_none() && self.places.iter().any(|place| *place != Place::Done)
    }

    /// The item to work on: the first untouched one, else the one with the fewest workers.
    fn next(&mut self) -> Option<usize> {
        if self.stopped.is_some() {
            return None;
        }
        let untouched = self.places.iter().position(|place| *place == Place::Untouched);
        let busy = || {
            let busy = self.places.iter().enumerate().filter_map(|(at, place)| match place {
                Place::Busy(workers) => Some((*workers, at)),
                _ => None,
            });
            busy.min().map(|(_, at)| at).filter(|_| self.may_help)
        };
        let at = untouched.or_else(busy)?;
        self.places[at] = match self.places[at] {
            Place::Busy(workers) => Place::Busy(workers + 1),
            _ => Place::Busy(1),
        };
        Some(at)
    }

    /// Takes in what work on an item has brought. `cut_short`: a used-up slice does not finish the item.
    fn finish(&mut self, at: usize, result: Result<R, Interrupted>, cut_short: bool) {
        let still_busy = match self.places[at] {
            Place::Busy(workers @ 2..) => Place::Busy(workers - 1),
            Place::Busy(_) => Place::Untouched,
            other => other,
        };
        self.places[at] = match result {
            _ if self.places[at] == Place::Done => Place::Done,
            Ok(result) => {
                self.results[at] = Some(result);
                Place::Done
            }
            Err(StopReason::Slice) if cut_short => still_busy,
            Err(StopReason::Slice) => Place::Done,
            Err(reason) => {
                self.stopped = self.stopped.or(Some(reason));
                still_busy
            }
        };
    }
}
