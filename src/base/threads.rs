//! Threads: deep recursion on a large stack, and a crew of threads that share one piece of work.
//!
//! Searches and the rebuilding of proofs recurse once for each ply, over lines of up to thousands of plies. The stack
//! of the calling thread, often 2 MiB, is too small for that.
//!
//! A crew works with one state for each thread. The calling thread is its first member. If a thread cannot be started,
//! the others do its work: the result is the same and only comes later. WebAssembly has no threads of this kind. There
//! the calling thread does everything, on the stack that the host gives; a host stops a program that overflows it, so
//! an overflow cannot make a wrong answer.

use std::cell::Cell;
use std::io;
use std::iter::Enumerate;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

/// The stack of each thread that searches, in bytes. The address space is reserved, but only the part that a search
/// reaches takes memory.
pub const STACK_SIZE: usize = 256 << 20;

/// The stack of a thread that does not search, in bytes.
const SMALL_STACK: usize = 2 << 20;

/// The time between two calls of [`ticking`].
const TICK: Duration = Duration::from_millis(200);

thread_local! {
    /// Whether this thread has a large stack that is hardly used yet.
    static HAS_LARGE_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a stack of [`STACK_SIZE`] and waits for its result: on a new thread, or here if this is a worker with
/// such a stack ([`beside`]). The work must catch its own panics; the guard ([`super::guard`]) sees to it.
///
/// # Errors
/// If the thread cannot be started.
#[cfg(not(target_family = "wasm"))]
pub(super) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    // Work that is called from here on may use up the stack, so it counts as a small one meanwhile.
    if HAS_LARGE_STACK.replace(false) {
        let result = work();
        HAS_LARGE_STACK.set(true);
        return Ok(result);
    }
    let mut result = None;
    thread::scope(|scope| start(scope, STACK_SIZE, Box::new(|| result = Some(work()))).map(drop))?;
    Ok(result.expect("the thread has ended its work"))
}

/// Runs `work` on the present stack, because there are no threads.
///
/// # Errors
/// None.
#[cfg(target_family = "wasm")]
#[allow(clippy::unnecessary_wraps)]
pub(super) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    Ok(work())
}

/// Starts a thread with a stack of `stack` bytes. The standard function is compiled anew for every kind of work, and it
/// is large; this one is not.
fn start<'s>(
    scope: &'s Scope<'s, '_>,
    stack: usize,
    work: Box<dyn FnOnce() + Send + 's>,
) -> io::Result<ScopedJoinHandle<'s, ()>> {
    thread::Builder::new().stack_size(stack).spawn_scoped(scope, work)
}

/// Calls `work` once with each of these states, each on a thread of its own with a large stack; the first on the
/// calling thread. A state whose thread cannot be started is left out. Returns when all threads have ended.
pub(crate) fn crew<S: Send>(states: &mut [S], work: impl Fn(&mut S) + Sync) {
    let Some((first, others)) = states.split_first_mut() else { return };
    beside(STACK_SIZE, others, &work, || work(first));
}

/// Calls `work` once with each of these states, each on a thread of its own with a stack of `stack` bytes, and `here`
/// meanwhile on the calling thread. A state whose thread cannot be started is dropped. Returns when all threads have
/// ended.
pub(crate) fn beside<S: Send, R>(
    stack: usize,
    states: impl IntoIterator<Item = S>,
    work: impl Fn(S) + Sync,
    here: impl FnOnce() -> R,
) -> R {
    thread::scope(|scope| {
        for state in states {
            let work = &work;
            let work = move || {
                HAS_LARGE_STACK.set(stack >= STACK_SIZE);
                work(state);
            };
            let _ = start(scope, stack, Box::new(work));
        }
        here()
    })
}

/// Calls `work`. Meanwhile, another thread calls `tick` five times a second; if it cannot be started, nothing does.
pub(crate) fn ticking<R>(tick: impl Fn() + Send, work: impl FnOnce() -> R) -> R {
    thread::scope(|scope| {
        // When this end is dropped, also by a panic, the other thread ends.
        let (_working, ended) = mpsc::channel::<()>();
        let ticks = move || {
            while ended.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
                tick();
            }
        };
        let _ = start(scope, SMALL_STACK, Box::new(ticks));
        work()
    })
}

/// Items that several threads take in turn: each gets the next one when it has finished its last.
pub(crate) struct Turns<I>(Mutex<Enumerate<I>>);

impl<I: Iterator> Turns<I> {
    /// Returns the turns at these items, which are read only as they are needed.
    pub(crate) fn at(items: I) -> Turns<I> {
        Turns(Mutex::new(items.enumerate()))
    }

    /// Calls `work` with each item that this thread gets and its number, from 0, until none is left.
    pub(crate) fn each(&self, mut work: impl FnMut(usize, I::Item)) {
        let next = || self.0.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((at, item)) = next() {
            work(at, item);
        }
    }
}

/// Calls `work` once with each item, on as many threads as there are states, and returns the results in the order of
/// the items.
pub(crate) fn share<S: Send, T: Sync, R: Send>(
    states: &mut [S],
    items: &[T],
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let (turns, results) = (Turns::at(items.iter()), Mutex::new(items.iter().map(|_| None).collect::<Vec<_>>()));
    crew(states, |state| {
        turns.each(|at, item| {
            let result = work(state, item);
            results.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(result);
        });
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once_and_the_results_keep_their_order() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 3] {
            let mut counts = vec![0; threads];
            let results = share(&mut counts, &items, |count, item| {
                *count += 1;
                item * 2
            });
            assert_eq!(results, items.iter().map(|item| item * 2).collect::<Vec<_>>());
            assert_eq!(counts.iter().sum::<usize>(), items.len(), "{threads} threads");
        }
    }

    #[test]
    fn a_crew_has_one_thread_for_each_state() {
        let mut states = [1, 2, 3];
        crew(&mut states, |state| *state *= 10);
        assert_eq!(states, [10, 20, 30]);
        crew(&mut [] as &mut [u8; 0], |_| ());
    }
}
