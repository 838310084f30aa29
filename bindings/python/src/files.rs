//! The problems of files and texts in every format: reports on them, and audits of their printed solutions.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use matesolve::output::audit::json;
use matesolve::problem::input::{self, EntryKind, file};
use matesolve::report::Castling;
use matesolve::results::report::ReportOptions;
use matesolve::solve::Request;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::limits::Limits;
use crate::reporting::{Content, Report};
use crate::running::{self, Stop};

/// The entries of a file or a text, read one after the other.
#[pyclass(frozen, module = "matesolve._matesolve")]
pub struct Entries(Mutex<input::Entries<'static>>);

/// An entry: a problem, or why it is none.
#[pyclass(frozen, module = "matesolve._matesolve")]
pub struct Entry(input::Entry);

#[pymethods]
impl Entries {
    /// Opens a file. What gzip or Zstandard has compressed is decompressed.
    #[staticmethod]
    fn of_file(path: PathBuf) -> PyResult<Entries> {
        Ok(Entries(Mutex::new(file::problems(&path)?)))
    }

    /// Reads a text.
    #[staticmethod]
    fn of_text(text: Vec<u8>) -> PyResult<Entries> {
        Ok(Entries(Mutex::new(file::problems_of(text)?)))
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// Returns the next entry. An input that cannot be read any further is an `OSError`.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Entry>> {
        let next = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).next());
        match next {
            Some(entry) if entry.kind == EntryKind::Unreadable => {
                let why = entry.problem.err().map_or_else(String::new, |error| error.to_string());
                Err(PyOSError::new_err(why))
            }
            next => Ok(next.map(Entry)),
        }
    }
}

/// Reports on an entry. One that is no problem gives a report whose error says why.
#[pyfunction]
pub fn report_entry(
    py: Python<'_>,
    entry: &Entry,
    content: Content,
    limits: Limits,
    stop: Option<&Stop>,
) -> PyResult<Report> {
    let (request, told) = (content.request(Castling::Fen)?, content.asked()?);
    let stop = Stop::handle(stop);
    let solver = limits.solver(Request::default())?.asking(told).stopped_by(stop.clone());
    running::run(py, &stop, None, |_| solver.report_entry(&entry.0, request)).map(Report)
}

/// Audits an entry. Returns the audit as JSON. `name`: the name of the input. `confirm`: the nodes with which the
/// engine `exhaustive` searches each differing key again.
#[pyfunction]
pub fn audit_entry(
    py: Python<'_>,
    entry: &Entry,
    name: &str,
    themes: bool,
    confirm: Option<u64>,
    limits: Limits,
    stop: Option<&Stop>,
) -> PyResult<String> {
    let options = ReportOptions::default().with(|options| options.themes = themes);
    let stop = Stop::handle(stop);
    let solver = limits.solver(Request::default())?.stopped_by(stop.clone());
    let audited = running::run(py, &stop, None, |_| solver.audit_entry(&entry.0, options, confirm))?;
    Ok(json::line(&audited.audit, name))
}
