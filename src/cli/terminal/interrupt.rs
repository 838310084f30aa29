//! Handles Ctrl-C and termination signals: the first stops the searches, so that most commands print what they have
//! proved; the second ends the program at once, as does the first after [`Interrupt::end_at_once`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::progress;
use crate::solver::StopHandle;

/// Remembers whether the user has asked the program to stop, and holds the flag that stops the searches.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt {
    requested: Arc<AtomicBool>,
    stop: StopHandle,
}

impl Interrupt {
    /// Installs the handler for Ctrl-C and for termination signals. A program has one: a second call changes nothing,
    /// and what it returns never learns of a signal. So each command installs it once and passes it on.
    pub(crate) fn install() -> Interrupt {
        let interrupt = Interrupt::default();
        let in_handler = interrupt.clone();
        // If the handler cannot be installed, a signal ends the program without a result.
        let _ = ctrlc::set_handler(move || {
            if in_handler.requested.swap(true, SeqCst) {
                progress::remove_all();
                std::process::exit(Exit::Interrupted as i32);
            }
            in_handler.stop.stop();
        });
        interrupt
    }

    /// Returns the flag that stops the searches. A search may also set it for another reason than a signal.
    pub(crate) fn stop_flag(&self) -> &AtomicBool {
        self.stop.flag()
    }

    /// Returns the handle that stops the searches.
    pub(crate) fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// From now on the first Ctrl-C ends the program at once: there is nothing to stop but the writing.
    pub(crate) fn end_at_once(&self) {
        self.requested.store(true, SeqCst);
    }

    /// Returns whether the user has asked the program to stop.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested.load(SeqCst)
    }
}
