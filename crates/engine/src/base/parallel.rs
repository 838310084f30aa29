//! Pools of threads for work that falls into parts which know nothing of one another: the crate rayon, with this
//! program's stack.
//!
//! A pool is made for one piece of work, such as the lines of a batch, the table of one class of men, or the solutions
//! of one problem of help play. **No problem puts its parts into the pool of the lines.** A thread of a pool that waits
//! for others takes up what else lies in its pool meanwhile. If that were another line, the thread would work on it on
//! top of its own problem, past its own limits of time and nodes, and its own answer would come only after the other's.
//! So a problem makes a pool of its own, and while it is at work a thread of no pool waits for it (`Pool::run`).
//!
//! Threads that differ from one another are not for a pool, and stay threads of their own ([`super::threads`]), such as
//! the lanes of a race.
//!
//! A build without rayon has `alone.rs` in place of this file, and the calling thread does everything.

use std::io;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::threads::{self, STACK_SIZE};

pub use rayon::prelude;

/// Starts a pool of `threads` threads, at least one, each with a stack of [`STACK_SIZE`]. If the system refuses that
/// number, the pool has fewer: the result is the same and only comes later. A pool of one thread works on the items in
/// their order.
///
/// # Errors
/// If not even one thread can be started.
pub fn start(threads: usize) -> io::Result<ThreadPool> {
    let pool = |threads| {
        let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_SIZE);
        builder.start_handler(|_| threads::mark_large_stack()).build()
    };
    let mut threads = threads.max(1);
    loop {
        match pool(threads) {
            Ok(pool) => return Ok(pool),
            Err(error) if threads == 1 => return Err(io::Error::other(error)),
            Err(_) => threads /= 2,
        }
    }
}

/// The threads that divide the work on one problem.
#[derive(Debug)]
pub(crate) struct Pool(ThreadPool);

impl Pool {
    /// Starts a pool of this many threads. `None` if that is one, or if no thread can be started: then the calling
    /// thread does the work.
    pub(crate) fn of(threads: usize) -> Option<Pool> {
        (threads > 1).then(|| start(threads).ok()).flatten().map(Pool)
    }

    /// Returns the number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Calls `work` on one of the threads, where the parallel iterators of the [`prelude`] use all of them, and waits.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        // A thread of the pool that shares out the lines of a batch would take up work of that pool while it waits
        // here. A thread of no pool cannot, so that one waits here in its place.
        match rayon::current_thread_index() {
            None => self.0.install(work),
            Some(_) => threads::apart(|| self.0.install(work)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;
    use std::sync::mpsc::sync_channel;
    use std::thread::{self, ThreadId};
    use std::time::Duration;

    use super::prelude::*;
    use super::*;

    #[test]
    fn a_pool_works_on_every_item_once_and_on_its_own_threads_only() {
        for threads in [2, 3] {
            let pool = Pool::of(threads).unwrap();
            let seen = Mutex::new(BTreeSet::new());
            let mut results: Vec<usize> = pool.run(|| {
                let numbers = (0..1000).par_bridge().inspect(|_| {
                    seen.lock().unwrap().insert(format!("{:?}", thread::current().id()));
                });
                numbers.map(|n| 2 * n).collect()
            });
            results.sort_unstable();
            assert_eq!(results, (0..1000).map(|n| 2 * n).collect::<Vec<_>>());
            let seen = seen.into_inner().unwrap();
            assert!((1..=threads).contains(&seen.len()) && pool.threads() == threads, "{seen:?}");
            assert!(!seen.contains(&format!("{:?}", thread::current().id())));
        }
        assert!(Pool::of(1).is_none());
    }

    #[test]
    fn a_pool_of_one_works_on_the_items_in_their_order() {
        let done = Mutex::new(Vec::new());
        start(1).unwrap().install(|| (0..1000).par_bridge().for_each(|n| done.lock().unwrap().push(n)));
        assert_eq!(done.into_inner().unwrap(), (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn a_thread_that_waits_for_another_pool_takes_up_nothing_of_its_own() {
        let (outer, inner) = (start(1).unwrap(), Pool::of(2).unwrap());
        let (sender, ran) = sync_channel(1);
        outer.in_place_scope(|scope| {
            scope.spawn(|scope| {
                // Nobody but this thread can take this up, and it does so only when it has nothing else to wait for.
                scope.spawn(move |_| _ = sender.send(()));
                let meanwhile = inner.run(move || ran.recv_timeout(Duration::from_millis(50)).is_ok());
                assert!(!meanwhile);
            });
        });
    }

    #[test]
    fn a_panic_in_a_pool_reaches_the_thread_that_waits() {
        let (outer, inner) = (start(1).unwrap(), Pool::of(2).unwrap());
        let broken = || inner.run(|| panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(broken)).is_err());
        let caught: Option<ThreadId> = outer.install(|| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(broken)).err().map(|_| thread::current().id())
        });
        assert!(caught.is_some_and(|id| id != thread::current().id()));
    }
}
