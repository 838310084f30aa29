//! Carries a request out.
//!
//! ```text
//! request: {"op": "solve", "text": "5Kbk/… w - -", "options": {"nodes": 1000}, "gaveUp": null}
//! answer:  {"value": …}, or {"refused": "a sentence"} if the request itself is wrong
//! ```
//!
//! | op | value |
//! |---|---|
//! | `solve` | the result object, see `matesolve schema` |
//! | `report` | the report object, see `matesolve schema report`; with `formats` an object with one text for each |
//! | `read` | the problems of a pasted text or a file |
//! | `diagram` | an SVG picture |
//! | `shapes` | the shapes of the men, for a page |
//! | `version` | the version of matesolve |
//!
//! A problem that cannot be read is no wrong request: its result says why, as on the command line.

use std::io::Cursor;

use matesolve::chess::MateLength;
use matesolve::output::svg::{self, Caption};
use matesolve::problem::olv::{Documents, OlvEntry};
use matesolve::problem::{Problem, ProblemError, Stipulation, pasted, source};
use matesolve::shakmaty::Position as _;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::gave_up::GaveUp;
use crate::options::{Options, Refusal};
use crate::search;

/// Sends a progress event to the host.
pub(crate) type Send<'a> = &'a (dyn Fn(&str) + Sync);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    op: Op,
    #[serde(default)]
    text: String,
    #[serde(default)]
    options: Map<String, Value>,
    /// Why an earlier instance of the module could not answer this request.
    #[serde(default)]
    gave_up: Option<GaveUp>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum Op {
    Solve,
    Report,
    Read,
    Diagram,
    Shapes,
    Version,
}

/// Carries a request out and returns the answer.
pub(crate) fn answer(request: &[u8], send: Send<'_>) -> String {
    let request: Result<Request, Refusal> =
        serde_json::from_slice(request).map_err(|error| format!("the request cannot be read: {error}"));
    match request.and_then(|request| carry_out(request, send)) {
        Ok(value) => format!("{{\"value\":{value}}}"),
        Err(refusal) => json!({ "refused": refusal }).to_string(),
    }
}

/// Returns the value of the answer as JSON.
fn carry_out(Request { op, text, options, gave_up }: Request, send: Send<'_>) -> Result<String, Refusal> {
    let options = Options::new(options);
    match op {
        Op::Solve => search::solve(&text, options, gave_up.as_ref(), send),
        Op::Report => search::report(&text, options, gave_up.as_ref(), send),
        Op::Read => options.finish("read").map(|()| Value::from(problems(&text)).to_string()),
        Op::Diagram => diagram(&text, options).map(|svg| Value::from(svg).to_string()),
        Op::Shapes => options.finish("shapes").map(|()| Value::from(svg::shapes()).to_string()),
        Op::Version => options.finish("version").map(|()| json!(env!("CARGO_PKG_VERSION")).to_string()),
    }
}

/// Reads a position as the command line does, however it is pasted. Returns its line of FEN, EPD or JSON too.
pub(crate) fn read(text: &str) -> Result<(String, Problem), ProblemError> {
    let pasted = pasted::read(text, None)?;
    let mut problem = Problem::read(&pasted.line)?;
    problem.warnings.extend(pasted.warnings);
    Ok((pasted.line, problem))
}

/// Returns the problems of a text: a position in any form, or a collection as `matesolve batch` reads it.
fn problems(text: &str) -> Vec<Value> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if is_olv(text) {
        return Documents::new(Cursor::new(text.to_owned().into_bytes()))
            .map(|document| match document {
                Ok(document) => entry(document.text.as_deref().unwrap_or_default(), document.line),
                Err(error) => json!({ "error": error.to_string() }),
            })
            .collect();
    }
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let one = read(text);
    if one.is_ok() || lines().count() < 2 {
        return vec![one.map_or_else(|error| invalid(&error), |(_, problem)| described(&problem, None))];
    }
    let lines = source::problems(Cursor::new(text.to_owned().into_bytes()), 0, false);
    lines.map(|line| line.problem.map_or_else(|error| invalid(&error), |problem| described(&problem, None))).collect()
}

/// Returns whether a text is an `.olv` collection or one of its entries.
fn is_olv(text: &str) -> bool {
    text.starts_with("---") || text.lines().any(|line| line.starts_with("algebraic:"))
}

fn entry(text: &str, line: usize) -> Value {
    OlvEntry::read(text, line).map_or_else(|error| invalid(&error), |entry| described(&entry.problem, Some(&entry)))
}

fn invalid(error: &ProblemError) -> Value {
    json!({ "error": error.to_string() })
}

/// Describes a problem, with what the entry of a collection asks for.
fn described(problem: &Problem, entry: Option<&OlvEntry>) -> Value {
    let options = entry.map(|entry| {
        json!({
            "setPlay": entry.options.set_play,
            "tries": entry.options.tries,
            "intended": entry.intended,
        })
    });
    let stipulation = problem.stipulation;
    json!({
        "fen": problem.fen,
        "id": problem.id,
        "line": problem.line,
        "stipulation": (stipulation != Stipulation::default()).then(|| stipulation.to_string()),
        "warnings": problem.warnings,
        "options": options,
    })
}

/// Draws a position.
fn diagram(text: &str, mut options: Options) -> Result<String, Refusal> {
    let (_, problem) = read(text).map_err(|error| error.to_string())?;
    let (title, coordinates) = (options.text("title")?, options.switch("coordinates")?);
    let width = options.number("width", 1, 10_000)?.and_then(|width| u32::try_from(width).ok());
    let stipulation = stipulation(&mut options)?.unwrap_or(problem.stipulation);
    options.finish("diagram")?;
    let mut below = stipulation.moves.map_or(String::new(), |_| stipulation.to_string());
    if problem.chess.turn().is_black() {
        below.push_str(if below.is_empty() { "Black to move" } else { " Black to move" });
    }
    let caption = Caption {
        title: title.or(problem.id),
        stipulation: (!below.is_empty()).then_some(below),
        counts: true,
        coordinates,
    };
    Ok(svg::diagram(problem.chess.board(), &caption, width.unwrap_or(400)))
}

/// Returns the option `stipulation`, such as `#3`.
pub(crate) fn stipulation(options: &mut Options) -> Result<Option<Stipulation>, Refusal> {
    let read = |text: String| Stipulation::parse(&text).map_err(|error| error.to_string());
    options.text("stipulation")?.map(read).transpose()
}

/// Returns an option that is a number of moves.
pub(crate) fn moves(options: &mut Options, name: &str) -> Result<Option<MateLength>, Refusal> {
    Ok(options.small(name, MateLength::MAX.0)?.map(MateLength))
}
