//! The composer's workbench: `mend`, `twins`, `economy` and `retract`.

use matesolve::output::workbench::{json, text};
use matesolve::results::workbench::Proposals;
use matesolve::solve::Request;
use matesolve::workbench::{Keep, Refused, WorkbenchObserver, WorkbenchRequest};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::limits::Limits;
use crate::running::{self, News, Stop};
use crate::solving::{read, stipulated};

/// The question to the workbench.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Composing {
    /// `mend`, `twins`, `economy` or `retract`.
    tool: String,
    stipulation: Option<String>,
    key: Option<String>,
    keep: Vec<String>,
    tries: Vec<String>,
    changes: u8,
    promoted: bool,
    proposals: usize,
}

/// A tool of the workbench.
#[derive(Debug, Clone, Copy)]
enum Tool {
    Economy,
    Mend,
    Retract,
    Twins,
}

impl Tool {
    fn of(name: &str) -> PyResult<Tool> {
        match name {
            "economy" => Ok(Tool::Economy),
            "mend" => Ok(Tool::Mend),
            "retract" => Ok(Tool::Retract),
            "twins" => Ok(Tool::Twins),
            name => {
                let why = format!("the workbench has no tool {name:?}; it has economy, mend, retract and twins");
                Err(PyValueError::new_err(why))
            }
        }
    }
}

impl Composing {
    fn request(&self) -> PyResult<WorkbenchRequest> {
        let keep = self.keep.iter().map(|word| match word.as_str() {
            "key" => Ok(Keep::Key),
            "variations" => Ok(Keep::Variations),
            "set-play" => Ok(Keep::SetPlay),
            "try" => Ok(Keep::Try),
            word => {
                let why =
                    format!("keep={word:?} is not allowed; give \"key\", \"variations\", \"set-play\" or \"try\"");
                Err(PyValueError::new_err(why))
            }
        });
        let keep = keep.collect::<PyResult<Vec<Keep>>>()?;
        Ok(WorkbenchRequest::default().with(|request| {
            request.key.clone_from(&self.key);
            request.keep = keep;
            request.tries.clone_from(&self.tries);
            request.changes = self.changes;
            request.promoted = self.promoted;
            request.proposals = self.proposals;
        }))
    }
}

/// Passes the progress of the workbench on.
struct Tried(News);

impl WorkbenchObserver for Tried {
    fn tried(&self, tried: u64, sound: u64) {
        self.0.say(format!("{tried} diagrams tried, {sound} sound"), tried);
    }
}

/// Asks the workbench. Returns the answer as JSON and as text; `None` if `mend` was asked about a sound diagram.
#[pyfunction]
pub fn compose(
    py: Python<'_>,
    text: &str,
    composing: Composing,
    limits: Limits,
    stop: Option<&Stop>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Option<(String, String)>> {
    let (_, problem) = read(text, &stipulated(composing.stipulation.as_deref())?)?;
    let request = composing.request()?;
    let stop = Stop::handle(stop);
    let solver = limits.solver(Request::default())?.stopped_by(stop.clone());
    let (fen, asked) = (&problem.fen, problem.question.stipulation);
    let tool = Tool::of(&composing.tool)?;
    let answer = running::run(py, &stop, on_progress.as_ref(), |news| {
        let tried = Tried(news);
        let list = |answer: Result<Proposals, Refused>, what| {
            answer.map(|found| (json::of_proposals(fen, asked, &found), text::of_proposals(&found, what)))
        };
        match tool {
            Tool::Economy => solver
                .economy(&problem, &request, &tried)
                .map(|answer| (json::of_economy(fen, asked, &answer), text::of_economy(&answer, asked))),
            Tool::Mend => list(solver.mend(&problem, &request, &tried), "version"),
            Tool::Retract => list(solver.retract(&problem, &request, &tried), "diagram"),
            Tool::Twins => list(solver.twins(&problem, &request, &tried), "twin"),
        }
    })?;
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Refused::Sound) => Ok(None),
        Err(refused) => Err(PyValueError::new_err(refused.to_string())),
    }
}
