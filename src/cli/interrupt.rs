//! Ctrl-C: the first asks the searches to stop and lets the program print what is known, the second ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use super::Exit;

/// Whether the user has asked to stop, and the flag that stops the searches.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupt {
    asked: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens to Ctrl-C and to requests to terminate from now on.
    pub(super) fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        let theirs = interrupt.clone();
        // Without a handler the signal ends the program, as it would any other: nothing is lost but the last words.
        let _ = ctrlc::set_handler(move || {
            if theirs.asked.swap(true, SeqCst) {
                std::process::exit(Exit::Interrupted as i32);
            }
            theirs.stop.store(true, SeqCst);
        });
        interrupt
    }

    /// The flag that the searches look at.
    pub(super) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether the user has asked to stop.
    pub(super) fn asked(&self) -> bool {
        self.asked.load(SeqCst)
    }
}
