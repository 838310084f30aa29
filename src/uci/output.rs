//! Standard output, shared: whole lines, flushed one by one, from any thread.
//!
//! A GUI that is gone closes the pipe; the first line that cannot be written says so, and the session ends.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Where lines go.
pub(super) struct Output {
    to: Mutex<Box<dyn Write + Send>>,
    failure: Mutex<Option<io::Error>>,
    failed: AtomicBool,
}

impl Output {
    pub(super) fn new(to: Box<dyn Write + Send>) -> Output {
        Output { to: Mutex::new(to), failure: Mutex::new(None), failed: AtomicBool::new(false) }
    }

    /// Writes one line.
    pub(super) fn line(&self, text: &str) {
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        let written = to.write_all(format!("{text}\n").as_bytes()).and_then(|()| to.flush());
        if let Err(error) = written {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.failed.store(true, Relaxed);
        }
    }

    /// Writes a sentence.
    pub(super) fn say(&self, sentence: &str) {
        self.line(&format!("info string {sentence}"));
    }

    /// Whether nobody is listening any more.
    pub(super) fn failed(&self) -> bool {
        self.failed.load(Relaxed)
    }

    /// Why the last line could not be written.
    pub(super) fn failure(&self) -> Option<io::Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
