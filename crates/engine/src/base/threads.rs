//! Threads: deep recursion on a large stack, and a crew of threads of which each has a state of its own.
//!
//! Many searches, and the rebuilding of proofs, recurse once for each ply, over lines of up to thousands of plies. The
//! stack of the calling thread, often 2 MiB, is too small for that.
//!
//! A crew works with one state for each thread. The calling thread is its first member. A state whose thread cannot be
//! started is left out, so the members must share their work in such a way that any of them can do all of it.
//! WebAssembly has no threads of this kind. There the calling thread does everything, on the stack that the host gives;
//! a host stops a program that overflows it, so an overflow cannot make a wrong answer.
//!
//! Work that falls into independent parts is for the pools of `parallel`.

use std::cell::Cell;
use std::io;
use std::sync::mpsc;
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
    beside(others, &work, || work(first));
}

/// Calls `work` once with each of these states, each on a thread of its own with a large stack, and `here` meanwhile on
/// the calling thread. A state whose thread cannot be started is dropped. Returns when all threads have ended.
pub fn beside<S: Send, R>(states: impl IntoIterator<Item = S>, work: impl Fn(S) + Sync, here: impl FnOnce() -> R) -> R {
    thread::scope(|scope| {
        for state in states {
            let work = &work;
            let work = move || {
                mark_large_stack();
                work(state);
            };
            let _ = start(scope, STACK_SIZE, Box::new(work));
        }
        here()
    })
}

/// Notes that the calling thread has just been started, with a stack of [`STACK_SIZE`].
pub(crate) fn mark_large_stack() {
    HAS_LARGE_STACK.set(true);
}

/// Calls `work` on a thread of its own with a small stack, and waits for its result; here, if that thread cannot be
/// started. A panic of `work` goes on here.
#[cfg(feature = "threads")]
pub(crate) fn apart<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let (mut work, mut result) = (Some(work), None);
    let mut run = || result = work.take().map(|work| work());
    let ended = thread::scope(|scope| start(scope, SMALL_STACK, Box::new(&mut run)).map(ScopedJoinHandle::join));
    match ended {
        Ok(ended) => ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => run(),
    }
    result.expect("the work is done")
}

/// Calls `work`. Meanwhile, another thread calls `tick` five times a second; if it cannot be started, nothing does.
pub fn ticking<R>(tick: impl Fn() + Send, work: impl FnOnce() -> R) -> R {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crew_has_one_thread_for_each_state() {
        let mut states = [1, 2, 3];
        crew(&mut states, |state| *state *= 10);
        assert_eq!(states, [10, 20, 30]);
        crew(&mut [] as &mut [u8; 0], |_| ());
    }
}
