//! Runs work on a thread with a large stack, for deep recursion.
//!
//! Searches and the rebuilding of proofs recurse once for each ply, over lines of up to thousands of plies. The stack
//! of the calling thread, often 2 MiB, is too small for that.
//!
//! WebAssembly has no threads of that kind. There the work runs where it is, on the stack that the host gives; a host
//! stops a program that overflows it, so an overflow cannot make a wrong answer.

use std::io;

/// The stack of each thread that searches, in bytes. The address space is reserved, but only the part that a search
/// reaches takes memory.
pub const STACK_SIZE: usize = 256 << 20;

/// Runs `work` on a thread with a stack of [`STACK_SIZE`] and waits for its result.
///
/// # Errors
/// If the thread cannot be started, or if `work` panicked.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    use std::thread;

    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work)?;
        thread.join().map_err(|_| io::Error::other("the search ended with an internal failure"))
    })
}

/// Runs `work` on the present stack, because there are no threads.
///
/// # Errors
/// None.
#[cfg(target_family = "wasm")]
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    Ok(work())
}
