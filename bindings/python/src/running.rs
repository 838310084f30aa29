//! Runs a search on a thread of its own, without the interpreter lock. Meanwhile the calling thread looks for signals,
//! so that Ctrl-C stops the search, and calls the function that wants progress.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use matesolve::StopHandle;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two looks for signals.
pub const INTERVAL: Duration = Duration::from_millis(50);

/// Stops searches from another thread. One object can be given to several searches.
#[pyclass(frozen, module = "matesolve._matesolve")]
#[derive(Debug, Default)]
pub struct Stop(StopHandle);

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Stop {
        Stop::default()
    }

    /// Ends the searches that have this object, now and later. Each returns what it has proved by then.
    fn stop(&self) {
        self.0.stop();
    }
}

impl Stop {
    /// Returns the handle that stops a search.
    pub fn handle(stop: Option<&Stop>) -> StopHandle {
        stop.map(|stop| stop.0.clone()).unwrap_or_default()
    }
}

/// A sentence about a running search and the number of its nodes, for the function that wants progress.
pub type News = (String, u64);

/// Runs `work` without the interpreter lock and returns its result. `work` sends its news to the channel.
///
/// # Errors
/// The exception of a signal handler (`KeyboardInterrupt`) or of `on_progress`; the search is stopped first.
pub fn run<T: Send>(
    py: Python<'_>,
    stop: &StopHandle,
    on_progress: Option<&Py<PyAny>>,
    work: impl FnOnce(Sender<News>) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, news) = mpsc::channel();
            let search = scope.spawn(move || work(sender));
            let mut raised = None;
            // The channel is closed when the search ends.
            loop {
                let item = news.recv_timeout(INTERVAL);
                if item == Err(RecvTimeoutError::Disconnected) {
                    break;
                }
                if raised.is_none() {
                    raised = Python::attach(|py| attend(py, on_progress, item.ok())).err();
                    if raised.is_some() {
                        stop.stop();
                    }
                }
            }
            let result = search.join();
            match raised {
                Some(exception) => Err(exception),
                None => result.map_err(|_| PyRuntimeError::new_err("the search broke down; please report this")),
            }
        })
    })
}

/// Handles signals, and passes on the news.
fn attend(py: Python<'_>, on_progress: Option<&Py<PyAny>>, news: Option<News>) -> PyResult<()> {
    py.check_signals()?;
    if let (Some(call), Some(news)) = (on_progress, news) {
        call.call1(py, news)?;
    }
    Ok(())
}
