//! `batch`: the program's batch over problems that Python hands over one by one.
//!
//! ```text
//! Python: put(text) ── texts ──> a thread: the program's batch ── results as JSON ──> Python: take()
//! ```
//!
//! Reading, solving and writing a problem need no interpreter lock, so Python only hands texts over and makes objects
//! of the results. A thread lives as long as the batch: no problem pays for one of its own, and tables and the memory
//! of equal problems serve the whole batch.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use matesolve::StopHandle;
use matesolve::problem::input::one_entry;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::limits::Limits;
use crate::running::{INTERVAL, Stop};
use crate::solving::{Question, written};

/// A running batch. It ends when the object is dropped.
#[pyclass(frozen, module = "matesolve._matesolve")]
pub struct Batch {
    stop: StopHandle,
    /// The texts of problems, with the numbers of their lines.
    texts: Sender<(usize, String)>,
    /// Each as JSON and as text.
    results: Mutex<Receiver<(String, String)>>,
}

#[pymethods]
impl Batch {
    /// Starts a batch that solves `jobs` problems at a time.
    #[new]
    fn new(question: Question, limits: Limits, jobs: usize, stop: &Stop) -> PyResult<Batch> {
        let stop = Stop::handle(Some(stop));
        let told = question.asked()?;
        let solver = question.solver(&limits)?.asking(told).stopped_by(stop.clone());
        let ((texts, waiting), (sender, results)) = (mpsc::channel::<(usize, String)>(), mpsc::channel());
        thread::spawn(move || {
            let entries = waiting.into_iter().map(|(line, text)| one_entry(&text, line));
            // Nobody listens any more if sending fails. If the threads cannot be started, `take` finds no result.
            let emit = |solution| sender.send(written(&solution, &told)).map_err(std::io::Error::other);
            let _ = solver.batch_entries(entries, jobs, emit);
        });
        Ok(Batch { stop, texts, results: Mutex::new(results) })
    }

    /// Hands a problem over. `line` is the number of its line.
    fn put(&self, line: usize, text: String) {
        // If the batch has broken down, `take` says so.
        let _ = self.texts.send((line, text));
    }

    /// Returns the next result as JSON and as text, in the order of the problems. If it is not ready, waits for it if
    /// `waits` is set, or returns None.
    fn take(&self, py: Python<'_>, waits: bool) -> PyResult<Option<(String, String)>> {
        loop {
            let next = py.detach(|| {
                let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
                results.recv_timeout(if waits { INTERVAL } else { Duration::ZERO })
            });
            match next {
                Ok(result) => return Ok(Some(result)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the batch broke down; please report this"));
                }
                Err(RecvTimeoutError::Timeout) if waits => py.check_signals()?,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
            }
        }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.stop.stop();
    }
}
