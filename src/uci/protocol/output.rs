//! Writes lines to the GUI: whole lines, flushed one by one, from any thread.
//!
//! When the GUI has closed the pipe, the next line cannot be written. The output then reports failure, and the
//! session ends.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::base::printable;

/// The stream to the GUI, shared by all threads.
pub(crate) struct GuiOutput {
    writer: Mutex<Box<dyn Write + Send>>,
    /// The error of the last line that could not be written.
    failure: Mutex<Option<io::Error>>,
    /// Whether any line could not be written.
    failed: AtomicBool,
}

impl GuiOutput {
    /// Makes an output that writes to `writer`.
    pub(crate) fn new(writer: Box<dyn Write + Send>) -> GuiOutput {
        GuiOutput { writer: Mutex::new(writer), failure: Mutex::new(None), failed: AtomicBool::new(false) }
    }

    /// Writes one line and flushes it. Control characters of the input that it quotes are replaced.
    pub(crate) fn line(&self, text: &str) {
        let text = printable::line(text);
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writer.write_all(format!("{text}\n").as_bytes()).and_then(|()| writer.flush());
        if let Err(error) = written {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.failed.store(true, Relaxed);
        }
    }

    /// Writes a sentence for the user, as `info string`.
    pub(crate) fn say(&self, sentence: &str) {
        self.line(&format!("info string {sentence}"));
    }

    /// Returns whether a line could not be written: the GUI is gone.
    pub(crate) fn failed(&self) -> bool {
        self.failed.load(Relaxed)
    }

    /// Takes the error of the last failed line.
    pub(crate) fn take_failure(&self) -> Option<io::Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
