//! `solve`, `first_moves` and `verify`.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use matesolve::output::{self, Format, text};
use matesolve::problem::question::{Colors, Said};
use matesolve::problem::{Asked, Problem, input};
use matesolve::proof::Certificate;
use matesolve::results::solution::MoveOutcome;
use matesolve::shakmaty::Color;
use matesolve::solve::{MovesObserver, MovesWanted, Request, Solved, registry};
use matesolve::terms::{MateLength, Stipulation};
use matesolve::{Event, Observer};
use matesolve::{Solution, Solver};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::limits::{Limits, out_of_range};
use crate::running::{self, News, Stop};

pyo3::create_exception!(
    matesolve,
    ProblemError,
    PyValueError,
    "A text is not a problem, or a certificate does not prove its mate. The message says why."
);
pyo3::create_exception!(
    matesolve,
    InternalError,
    PyRuntimeError,
    "matesolve failed: a proof did not pass the check. Please report the position."
);

/// Reads a position in any form that the command line reads, with what these parts ask beside it. Returns the problem
/// and its line of FEN, EPD or JSON.
pub fn read(text: &str, told: &Asked) -> PyResult<(String, Problem)> {
    let read = input::one(text, None, told);
    let (problem, line) = read.map_err(|error| ProblemError::new_err(error.to_string()))?;
    Ok((line, problem))
}

/// Returns what the parameter `stipulation` asks.
pub fn stipulated(stipulation: Option<&str>) -> PyResult<Asked> {
    let read = stipulation.map(Stipulation::parse_stated).transpose();
    let read = read.map_err(|error| ProblemError::new_err(error.to_string()))?;
    Ok(Asked { stipulation: read.map(|value| Said { value, by: "stipulation" }), ..Asked::default() })
}

/// Returns the colour of the side that strives for the goal, if the parameter `attacker` states it.
pub fn attacker(side: Option<&str>) -> PyResult<Option<Said<Colors>>> {
    match side {
        None => Ok(None),
        Some(side @ ("white" | "black")) => {
            Ok(Some(Said { value: Colors::Attacker(Color::from_white(side == "white")), by: "attacker" }))
        }
        Some(other) => Err(out_of_range("attacker", &other, "\"white\" or \"black\"")),
    }
}

/// The mate that a solve looks for.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Question {
    stipulation: Option<String>,
    mate: Option<u32>,
    first: bool,
    any_length: bool,
    defend: bool,
    attacker: Option<String>,
    engine: String,
    set_play: bool,
    intended: Option<u16>,
}

impl Question {
    /// Returns the parts of the question that Python's arguments state.
    pub fn asked(&self) -> PyResult<Asked> {
        if self.mate.is_some() && self.any_length {
            return Err(PyValueError::new_err("give only one of mate and any_length"));
        }
        let any = self.any_length.then_some(Said { value: None, by: "any_length" });
        let asked = Asked {
            length: moves("mate", self.mate)?.or(any),
            first: self.first.then_some(Said { value: true, by: "first" }),
            defend: self.defend.then_some(Said { value: true, by: "defend" }),
            colors: attacker(self.attacker.as_deref())?,
            intended: self.intended.map(|value| Said { value, by: "intended" }),
            set_play: self.set_play.then_some(Said { value: true, by: "set_play" }),
            ..stipulated(self.stipulation.as_deref())?
        };
        asked.of_request().map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns a solver with the engine.
    pub fn solver(&self, limits: &Limits) -> PyResult<Solver> {
        let Some(engine) = registry::engine(&self.engine) else {
            let names: Vec<&str> = registry::ENGINES.iter().map(|entry| entry.name).collect();
            let why = format!("there is no engine {:?}; the engines are {}", self.engine, names.join(", "));
            return Err(PyValueError::new_err(why));
        };
        limits.solver(Request::default().with(|request| request.engine = engine))
    }
}

/// Returns a length in moves that a parameter states.
fn moves(name: &'static str, value: Option<u32>) -> PyResult<Option<Said<Option<MateLength>>>> {
    match value.map(|n| (n, u16::try_from(n).map(MateLength))) {
        None => Ok(None),
        Some((1.., Ok(length))) if length <= MateLength::MAX => Ok(Some(Said { value: Some(length), by: name })),
        Some((n, _)) => Err(out_of_range(name, &n, &format!("a number of moves from 1 to {}", MateLength::MAX))),
    }
}

/// Returns a result as JSON.
pub fn as_json(solution: &Solution) -> String {
    Format::Jsonl.single(solution)
}

/// Returns a result as the text that the program prints. Like the program, it does not repeat a question that was
/// `told` beside the problem.
pub fn as_text(solution: &Solution, told: &Asked) -> String {
    let mut shown = solution.clone();
    let is_told = told.stipulation.is_some() || told.length.is_some() || told.defend.is_some();
    if let Some(question) = shown.stipulation.as_mut().filter(|_| is_told) {
        question.from = None;
    }
    output::plain(&Format::Text.single(&shown))
}

/// Passes the events of a search on. `what` is the noun for a solution.
struct Events {
    what: &'static str,
    news: News,
}

impl Observer for Events {
    fn event(&mut self, event: Event<'_>, nodes: u64) {
        let text = match event {
            Event::Mate(tree) => format!("{} in {}", self.what, tree.length()),
            Event::Refuted(moves) => format!("no {} in {moves}", self.what),
            Event::Building { .. } => return,
        };
        self.news.say(text, nodes);
    }

    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        Some(self.news.counter())
    }
}

/// Passes the answers for first moves on.
struct Answered(News);

impl MovesObserver for Answered {
    fn answered(&mut self, first: &MoveOutcome) {
        self.0.say(format!("1. {} decided", first.san), 0);
    }

    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        Some(self.0.counter())
    }
}

/// Solves one problem. Returns the result object as JSON, the text, and, if it is wanted and there is a mate, a
/// certificate. `other_side`: without a mate, it is asked whether the side to move is mated.
#[pyfunction]
pub fn solve<'py>(
    py: Python<'py>,
    text: &str,
    question: Question,
    limits: Limits,
    certified: bool,
    other_side: bool,
    stop: Option<&Stop>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<(String, String, Option<Bound<'py, PyBytes>>)> {
    let search = question.solver(&limits)?;
    let told = question.asked()?;
    let (_, problem) = read(text, &told)?;
    if certified && !problem.exclusive.is_empty() {
        let why = "castling rights exclude each other, which the certificate of a solution cannot state";
        return Err(PyValueError::new_err(why));
    }
    let what = problem.question.stipulation.goal().noun();
    let stop = Stop::handle(stop);
    let search = search.stopped_by(stop.clone());
    let solved = running::run(py, &stop, on_progress.as_ref(), |news| {
        let mut observer = Events { what, news };
        if other_side {
            search.solve_both_sides(&problem, &mut observer)
        } else {
            search.solve_observed(&problem, &mut observer)
        }
    })?;
    if solved.solution.internal_failure {
        return Err(InternalError::new_err(solved.solution.error));
    }
    let certificate = if certified { certificate(&solved)? } else { None };
    let (json, text) = (as_json(&solved.solution), as_text(&solved.solution, &told));
    Ok((json, text, certificate.map(|bytes| PyBytes::new(py, &bytes))))
}

/// Answers the question for each first move, or for the best `lines`. Returns the result object as JSON, and the text.
#[pyfunction]
pub fn first_moves(
    py: Python<'_>,
    text: &str,
    question: Question,
    limits: Limits,
    lines: Option<usize>,
    stop: Option<&Stop>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    let search = question.solver(&limits)?;
    let told = question.asked()?;
    let (_, problem) = read(text, &told)?;
    if problem.question.stipulation.is_helped() || problem.question.stipulation.defender_begins() {
        let why = "first_moves lists the moves of a side that strives for the goal while the other resists; solve \
                   answers this stipulation";
        return Err(PyValueError::new_err(why));
    }
    let wanted = lines.map_or(MovesWanted::All, MovesWanted::Best);
    let stop = Stop::handle(stop);
    let search = search.stopped_by(stop.clone());
    let solution = running::run(py, &stop, on_progress.as_ref(), |news| {
        search.first_moves(&problem, wanted, &mut Answered(news))
    })?;
    if solution.internal_failure {
        return Err(InternalError::new_err(solution.error));
    }
    if solution.moves.as_ref().is_none_or(Vec::is_empty) {
        return Ok((as_json(&solution), as_text(&solution, &told)));
    }
    Ok((as_json(&solution), output::plain(&text::first_moves(&solution, lines))))
}

/// Returns the certificate of the mate, if there is one.
fn certificate(solved: &Solved) -> PyResult<Option<Vec<u8>>> {
    let (Some(fen), Some(proof)) = (&solved.solution.fen, &solved.proof) else { return Ok(None) };
    let certificate = Certificate::new(fen, proof).map_err(|error| InternalError::new_err(error.to_string()))?;
    let mut bytes = Vec::new();
    certificate.write(&mut bytes)?;
    Ok(Some(bytes))
}

/// Checks a certificate. Returns the FEN, the stipulation, whether White strives for the goal, the length in moves, the
/// main line in UCI and in standard notation.
#[pyfunction]
pub fn verify(py: Python<'_>, certificate: &[u8]) -> PyResult<(String, String, bool, u16, Vec<String>, String)> {
    let checked = py.detach(|| {
        let certificate = Certificate::read(certificate)?;
        let (fen, attacker) = (certificate.fen().to_owned(), certificate.attacker());
        Ok((fen, attacker, certificate.into_verified()?))
    });
    let (fen, attacker, proof) =
        checked.map_err(|error: matesolve::proof::CertificateError| ProblemError::new_err(error.to_string()))?;
    let line = proof.main_line_uci();
    Ok((fen, proof.stipulation().to_string(), attacker.is_white(), proof.length().0, line, proof.main_line_san()))
}
