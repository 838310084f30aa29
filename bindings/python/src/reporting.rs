//! `report`, and the formats of a report.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use matesolve::output;
use matesolve::output::report::{ReportFormat, ReportStyle};
use matesolve::problem::Asked;
use matesolve::problem::question::Said;
use matesolve::report::{Castling, ReportEvent, ReportObserver, ReportRequest};
use matesolve::results::report::{Extent, ReportOptions, Tries};
use matesolve::solve::Request;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::limits::Limits;
use crate::running::{self, News, Stop};
use crate::solving::{InternalError, attacker, read, stipulated};

/// A finished report, which can be written in several formats.
#[pyclass(frozen, module = "matesolve._matesolve")]
pub struct Report(pub matesolve::Report);

#[pymethods]
impl Report {
    /// Writes the report: `text`, `json`, `jsonl`, `popeye`, `html`, `latex`, `olv` or `pgn`.
    fn write(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let Some((format, ..)) = ReportFormat::WORDS.into_iter().find(|&(_, name, _)| name == format) else {
            let names = ReportFormat::WORDS.map(|(_, name, _)| name).join(", ");
            return Err(PyValueError::new_err(format!("there is no format {format:?}; the formats are {names}")));
        };
        Ok(py.detach(|| output::plain(&format.write(&self.0, ReportStyle::default()))))
    }
}

/// The parts of a report.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Content {
    stipulation: Option<String>,
    attacker: Option<String>,
    tries: Option<String>,
    full: bool,
    set_play: bool,
    phases: bool,
    themes: bool,
    post_key: bool,
    short_variations: bool,
    soundness_only: bool,
    intended: Option<u16>,
    castling: Option<String>,
}

impl Content {
    /// Returns the request for a report. `castling`: the convention if the content names none.
    pub fn request(&self, castling: Castling) -> PyResult<ReportRequest> {
        let castling = match self.castling.as_deref() {
            None => castling,
            Some("fen") => Castling::Fen,
            Some("assume") => Castling::Assume,
            Some("none") => Castling::None,
            Some(word) => {
                let why = format!("castling={word:?} is not allowed; give \"fen\", \"assume\" or \"none\"");
                return Err(PyValueError::new_err(why));
            }
        };
        let tries = self.tries.as_deref().map(str::parse::<Tries>).transpose();
        let options = self.options(tries.map_err(PyValueError::new_err)?);
        Ok(ReportRequest::default().with(|request| (request.options, request.castling) = (options, castling)))
    }

    /// Returns the parts of the question that Python's arguments state.
    pub fn asked(&self) -> PyResult<Asked> {
        let intended = self.intended.map(|value| Said { value, by: "intended" });
        let colors = attacker(self.attacker.as_deref())?;
        Ok(Asked { intended, colors, ..stipulated(self.stipulation.as_deref())? })
    }

    fn options(&self, tries: Option<Tries>) -> ReportOptions {
        ReportOptions::default().with(|options| {
            options.show(tries);
            options.set_play = self.set_play;
            options.phases_table = self.phases;
            options.themes = self.themes;
            options.post_key = self.post_key;
            options.short_variations = self.short_variations;
            options.extent = if self.soundness_only { Extent::Soundness } else { Extent::WholeSolution };
            if self.full {
                options.add_full();
            }
        })
    }
}

/// Passes the events of a report on.
struct Events(News);

impl ReportObserver for Events {
    fn event(&self, event: ReportEvent, nodes: u64) {
        self.0.say(event.to_string(), nodes);
    }

    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        Some(self.0.counter())
    }
}

/// Makes the composer's report on one problem.
#[pyfunction]
pub fn report(
    py: Python<'_>,
    text: &str,
    content: Content,
    limits: Limits,
    stop: Option<&Stop>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Report> {
    let (line, problem) = read(text, &content.asked()?)?;
    let request = content.request(Castling::of_line(&line))?;
    let stop = Stop::handle(stop);
    let solver = limits.solver(Request::default())?.stopped_by(stop.clone());
    let report =
        running::run(py, &stop, on_progress.as_ref(), |news| solver.report_observed(&problem, request, &Events(news)))?;
    if report.internal_failure {
        return Err(InternalError::new_err(report.error));
    }
    Ok(Report(report))
}
