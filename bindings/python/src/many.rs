//! `batch`: the program's batch over problems that Python hands over one by one.
//!
//! ```text
//! Python: put(text) ── texts ──> a thread: the program's batch ── answers ──> Python: take()
//! ```
//!
//! Reading and solving a problem need no interpreter lock, so Python only hands texts over. An answer is written
//! as JSON or text when a field of its result is asked for, or the result is printed. A thread lives as long as
//! the batch: no problem pays for one of its own, and tables and the memory of equal problems serve the whole
//! batch.

use std::iter;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use matesolve::problem::Asked;
use matesolve::problem::input::one_entry;
use matesolve::{Solution, StopHandle};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::limits::Limits;
use crate::running::{INTERVAL, Stop};
use crate::solving::{Question, as_json, as_text};

/// A running batch. It ends when the object is dropped.
#[pyclass(frozen, module = "matesolve._matesolve")]
pub struct Batch {
    stop: StopHandle,
    /// The texts of problems, with the numbers of their lines.
    texts: Sender<(usize, String)>,
    results: Mutex<Receiver<Solution>>,
    /// What is asked beside each problem.
    told: Asked,
}

/// The answer to a problem.
#[pyclass(frozen, module = "matesolve._matesolve")]
pub struct Answer {
    solution: Solution,
    told: Asked,
}

#[pymethods]
impl Answer {
    /// Returns the result object.
    fn json(&self) -> String {
        as_json(&self.solution)
    }

    /// Returns what the program prints.
    fn text(&self) -> String {
        as_text(&self.solution, &self.told)
    }
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
            let emit = |solution| sender.send(solution).map_err(std::io::Error::other);
            let _ = solver.batch_entries(entries, jobs, emit);
        });
        Ok(Batch { stop, texts, results: Mutex::new(results), told })
    }

    /// Hands a problem over. `line` is the number of its line.
    fn put(&self, line: usize, text: String) {
        // If the batch has broken down, `take` says so.
        let _ = self.texts.send((line, text));
    }

    /// Returns the next answers that are ready, in the order of the problems. If none is, waits for one if `waits` is
    /// set.
    fn take(&self, py: Python<'_>, waits: bool) -> PyResult<Vec<Answer>> {
        loop {
            let next = py.detach(|| {
                let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
                let first = results.recv_timeout(if waits { INTERVAL } else { Duration::ZERO })?;
                Ok(iter::once(first).chain(results.try_iter()).collect::<Vec<_>>())
            });
            match next {
                Ok(next) => {
                    let told = self.told;
                    return Ok(next.into_iter().map(|solution| Answer { solution, told }).collect());
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the batch broke down; please report this"));
                }
                Err(RecvTimeoutError::Timeout) if waits => py.check_signals()?,
                Err(RecvTimeoutError::Timeout) => return Ok(Vec::new()),
            }
        }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.stop.stop();
    }
}
