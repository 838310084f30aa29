//! Runs a search on a thread of its own, without the interpreter lock. Meanwhile the calling thread looks for signals,
//! so that Ctrl-C stops the search, and calls the function that wants progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use matesolve::StopHandle;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two looks for signals.
pub const INTERVAL: Duration = Duration::from_millis(50);

/// The longest time without a call of the function that wants progress.
const PULSE: Duration = Duration::from_millis(500);

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

/// Takes the news of a running search: sentences, and the number of its nodes.
#[derive(Clone)]
pub struct News {
    sentences: Sender<(String, u64)>,
    nodes: Arc<AtomicU64>,
}

impl News {
    /// Says a sentence, with the number of nodes so far.
    pub fn say(&self, sentence: String, nodes: u64) {
        // Nobody listens after an exception.
        let _ = self.sentences.send((sentence, nodes));
    }

    /// Returns the counter that a search keeps while it runs.
    pub fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.nodes)
    }
}

/// Runs `work` without the interpreter lock and returns its result. `work` gives its news away. `on_progress` is called
/// with each sentence, and else about twice a second with the last one, each time with the number of nodes.
///
/// # Errors
/// The exception of a signal handler (`KeyboardInterrupt`) or of `on_progress`; the search is stopped first.
pub fn run<T: Send>(
    py: Python<'_>,
    stop: &StopHandle,
    on_progress: Option<&Py<PyAny>>,
    work: impl FnOnce(News) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sentences, heard) = mpsc::channel();
            let nodes = Arc::<AtomicU64>::default();
            let news = News { sentences, nodes: Arc::clone(&nodes) };
            let search = scope.spawn(move || work(news));
            let (mut raised, mut called, mut last) = (None, Instant::now(), ("searching".to_owned(), 0));
            // The channel is closed when the search ends.
            loop {
                let item = heard.recv_timeout(INTERVAL);
                if item == Err(RecvTimeoutError::Disconnected) {
                    break;
                }
                let is_due = item.is_ok() || called.elapsed() >= PULSE;
                last = item.unwrap_or(last);
                if raised.is_none() {
                    last.1 = last.1.max(nodes.load(Relaxed));
                    let call = on_progress.filter(|_| is_due);
                    raised = Python::attach(|py| attend(py, call, &last)).err();
                    if raised.is_some() {
                        stop.stop();
                    }
                }
                if is_due {
                    called = Instant::now();
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

/// Handles signals, and passes on the news if somebody wants them.
fn attend(py: Python<'_>, call: Option<&Py<PyAny>>, (sentence, nodes): &(String, u64)) -> PyResult<()> {
    py.check_signals()?;
    if let Some(call) = call {
        call.call1(py, (sentence, nodes))?;
    }
    Ok(())
}
