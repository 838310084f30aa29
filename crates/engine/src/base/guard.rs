//! The guard around a search: a panic costs one answer, and the answer says so.
//!
//! A fault of the program must not end a batch, and must not look like a result. So the work on a question is done in
//! [`guarded`], with room for its recursion, or in [`caught`] if the searches below it are guarded already. Either
//! gives the result, or [`Broken`], which has the sentence for the answer. A build that aborts on panics has no such
//! guard.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::threads;

/// Why guarded work has no result.
#[derive(Debug)]
pub enum Broken {
    /// It panicked.
    Panicked,
    /// It could not be run, because its thread could not be started.
    NotRun(io::Error),
}

impl Broken {
    /// Returns the sentence for an answer: `what` broke down on `place`, a position.
    pub fn sentence(&self, what: &str, place: impl fmt::Display) -> String {
        match self {
            Broken::Panicked => format!("{what} broke down on {place}; please report it"),
            Broken::NotRun(error) => format!("the search could not be run: {error}"),
        }
    }
}

/// Runs `work` on a large stack and waits for its result.
///
/// # Errors
/// If it panics, or its thread cannot be started.
pub fn guarded<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Broken> {
    threads::on_large_stack(|| caught(work)).map_err(Broken::NotRun)?
}

/// Runs `work` on the present stack.
///
/// # Errors
/// If it panics.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Broken> {
    // What the work has changed before a panic is never used: the answer is made anew, and says that it failed.
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Broken::Panicked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::threads::beside;

    #[test]
    fn a_panic_is_an_error_with_a_sentence() {
        let broken = guarded(|| panic!("on purpose")).map(|(): ()| ()).unwrap_err();
        assert_eq!(broken.sentence("pn", "this position"), "pn broke down on this position; please report it");
        assert!(matches!(caught(|| panic!("on purpose")).map(|(): ()| ()), Err(Broken::Panicked)));
        assert_eq!(guarded(|| 3).unwrap(), 3);
    }

    #[test]
    fn after_a_panic_a_worker_works_on() {
        let here = std::sync::Mutex::new(Vec::new());
        beside(
            [()],
            |()| {
                let own = std::thread::current().id();
                // The worker has a large stack, so its work needs no other thread, except inside other work.
                let is_here = || guarded(|| std::thread::current().id() == own).unwrap();
                let first = guarded(|| panic!("on purpose")).map(|(): ()| ()).is_err();
                let inside = guarded(is_here).unwrap();
                *here.lock().unwrap() = vec![first, is_here(), inside];
            },
            || (),
        );
        assert_eq!(*here.lock().unwrap(), [true, true, false]);
    }
}
