//! A pool of threads that work through lists of independent questions about one problem, with deciders that share one
//! table.
//!
//! A list has an item for each first move, for example, or for each trial of the workbench. The first decider starts
//! alone, because many problems are solved before a thread has started. When it has made `SINGLE_THREADED_NODES` nodes
//! in all, the other threads join. A thread that finds no untouched item helps with one that another thread works on:
//! both search the same position with the same table, and so divide the work (see `search::dfpn`). Of items with slices
//! this happens only if they are fewer than the threads.
//!
//! These threads are a crew of their own and no pool of rayon: each has its decider, two may work on one item, and none
//! may be taken for another problem's work while it waits (see `base::parallel`).
//!
//! Whether there is a mate does not depend on the number of threads. The length that is found first, and whether an
//! item is answered within its slice, may.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::base::threads;

use super::Decider;
use crate::search::{Interrupted, StopReason};

/// The nodes that the first decider makes before the others join. Doubled, the others join later; halved, they start
/// for more problems that are nearly done.
const SINGLE_THREADED_NODES: u64 = 20_000;

/// A source of threads that are idle at the moment.
pub trait ThreadSource: Sync {
    /// Borrows all idle threads and returns their number.
    fn borrow(&self) -> usize;

    /// Gives this number of borrowed threads back.
    fn give_back(&self, threads: usize);
}

/// A source without threads.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoThreads;

impl ThreadSource for NoThreads {
    fn borrow(&self) -> usize {
        0
    }

    fn give_back(&self, _: usize) {}
}

/// The deciders of a pool, one for each thread.
pub struct DeciderPool<'a, 'c> {
    /// At least one; the first belongs to the calling thread.
    deciders: Vec<Decider<'a, 'c>>,
    /// The threads of this pool, at least 1.
    threads: usize,
    /// The threads it may borrow for a while.
    source: &'a dyn ThreadSource,
    /// The limit that ended the work.
    stopped: Option<StopReason>,
}

impl<'a, 'c> DeciderPool<'a, 'c> {
    /// Makes a pool of `threads` threads, at least 1, and those it can borrow. The deciders of the others are made when
    /// they are first needed.
    pub fn new(first: Decider<'a, 'c>, threads: usize, source: &'a dyn ThreadSource) -> DeciderPool<'a, 'c> {
        DeciderPool { deciders: vec![first], threads: threads.max(1), source, stopped: None }
    }

    /// Returns the number of nodes that all deciders have made and counted so far.
    pub fn nodes(&self) -> u64 {
        self.deciders[0].meter.control().nodes()
    }

    /// Returns the decider of the calling thread.
    pub fn first(&mut self) -> &mut Decider<'a, 'c> {
        &mut self.deciders[0]
    }

    /// Calls `work` with the first decider and the number of threads that it may use, borrowed ones included.
    pub fn with_threads<R>(&mut self, work: impl FnOnce(&mut Decider<'a, 'c>, usize) -> R) -> R {
        let borrowed = self.source.borrow();
        let result = work(&mut self.deciders[0], self.threads + borrowed);
        self.source.give_back(borrowed);
        result
    }

    /// Returns the limit that ended the work, if one did.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Records that a limit has ended the work. All further work is skipped.
    pub fn stop(&mut self, reason: StopReason) {
        self.stopped = self.stopped.or(Some(reason));
    }

    /// Checks the limits. One that is reached ends the work.
    pub fn check_limits(&mut self) -> Result<(), Interrupted> {
        if let Err(reason) = self.first().meter.control().check() {
            self.stop(reason);
        }
        self.stopped.map_or(Ok(()), Err)
    }

    /// Calls `work` with each item until all are finished. Returns the results in the order of the items; `None` for an
    /// item that a limit left unfinished, see [`DeciderPool::stopped`].
    pub fn map<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        work: impl Fn(&mut Decider<'a, 'c>, &T) -> Result<R, Interrupted> + Sync,
    ) -> Vec<Option<R>> {
        self.map_slices(items, None, work)
    }

    /// Like [`DeciderPool::map`], with at most `slice` nodes for each item. Returns `None` for an item that needs more.
    /// The work on it continues where it stopped when the item is given again.
    pub fn map_slices<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        slice: impl Into<Option<u64>>,
        work: impl Fn(&mut Decider<'a, 'c>, &T) -> Result<R, Interrupted> + Sync,
    ) -> Vec<Option<R>> {
        let slice = slice.into();
        let borrowed = self.source.borrow();
        let threads = self.threads + borrowed;
        let may_help = slice.is_none() || items.len() < threads;
        let list = WorkList { items, slice, state: Mutex::new(ListState::new(items.len(), may_help, self.stopped)) };
        let alone = if threads == 1 { None } else { Some(SINGLE_THREADED_NODES) };
        list.run(&mut self.deciders[0], alone, &work);
        if threads > 1 && list.state().is_open() {
            while self.deciders.len() < threads {
                let other = self.deciders[0].for_another_thread();
                self.deciders.push(other);
            }
            let crew = &mut self.deciders[..threads];
            threads::crew(crew, |decider| list.run(decider, None, &work));
        }
        self.source.give_back(borrowed);
        let state = list.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.stopped = state.stopped;
        state.results
    }
}

/// A list of items that several threads work through.
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
            let limit = decider.meter.control().check();
            let cut_short = slice < self.slice || self.slice.is_none();
            let mut state = self.state();
            state.finish(at, result, cut_short);
            if let Err(reason) = limit {
                state.stopped = state.stopped.or(Some(reason));
            }
        }
    }
}

/// The results so far, and the state of each item.
struct ListState<R> {
    results: Vec<Option<R>>,
    places: Vec<Place>,
    /// Whether a thread without an untouched item may help another thread.
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

    /// Returns the item to work on: the first untouched one, or else the one with the fewest workers.
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

    /// Records the result of work on an item. With `cut_short`, an item whose slice is used up stays unfinished.
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

    use super::*;
    use crate::chess::Position;
    use crate::search::dfpn::Prover;
    use crate::search::{Control, Facts, Limits, Meter};

    /// Calls `run` with a pool of this number of threads, and a node limit.
    fn with_pool<R>(threads: usize, nodes: Option<u64>, run: impl FnOnce(&mut DeciderPool<'_, '_>) -> R) -> R {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes, deadline: None }, &stop);
        let facts = Facts::with_bytes(1 << 10);
        let prover = Prover::new(1 << 20);
        run(&mut DeciderPool::new(Decider::new(prover, &facts, Meter::new(&control)), threads, &NoThreads))
    }

    /// Makes this number of nodes.
    fn spend(decider: &mut Decider<'_, '_>, nodes: u64) -> Result<(), Interrupted> {
        let position = Position::from_chess(&shakmaty::Chess::default());
        let m = position.legal_moves()[0];
        (0..nodes).try_for_each(|_| decider.play(&position, m).map(|_| ()))
    }

    #[test]
    fn results_come_in_the_order_of_the_items_on_any_number_of_threads() {
        let items: Vec<u64> = (0..40).collect();
        for threads in [1, 2, 5] {
            let squares = with_pool(threads, None, |pool| {
                pool.map(&items, |decider, n| spend(decider, 1_000 * (40 - n)).map(|()| n * n))
            });
            let expected: Vec<Option<u64>> = items.iter().map(|n| Some(n * n)).collect();
            assert_eq!(squares, expected, "{threads} threads");
        }
    }

    #[test]
    fn an_item_that_needs_more_than_its_slice_has_no_result() {
        for threads in [1, 3] {
            let results = with_pool(threads, None, |pool| {
                pool.map_slices(&[10, 5_000, 20], 1_000, |decider, &nodes| spend(decider, nodes))
            });
            assert_eq!(results, [Some(()), None, Some(())], "{threads} threads");
        }
    }

    #[test]
    fn a_limit_ends_the_work_for_good() {
        with_pool(1, Some(2_500), |pool| {
            let results = pool.map(&[1_000, 1_000, 1_000, 1], |decider, &nodes| spend(decider, nodes));
            assert_eq!((results, pool.stopped()), (vec![Some(()), Some(()), None, None], Some(StopReason::Nodes)));
            assert_eq!(pool.map(&[0], |_, _| Ok(())), [None]);
        });
    }

    #[test]
    fn a_long_item_is_interrupted_once_so_that_the_other_threads_can_join() {
        let calls = AtomicUsize::new(0);
        let results = with_pool(3, None, |pool| {
            pool.map(&[2 * SINGLE_THREADED_NODES], |decider, &nodes| {
                calls.fetch_add(1, SeqCst);
                spend(decider, nodes)
            })
        });
        assert_eq!((results, calls.load(SeqCst) > 1), (vec![Some(())], true));
    }
}
