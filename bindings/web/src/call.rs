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
//! | `moves` | the result object with the answer for each first move in `moves` |
//! | `report` | the report object, see `matesolve schema report`; with `formats` an object with one text for each |
//! | `mend` | the answer of the workbench, see `matesolve schema proposal`; null if the problem is sound |
//! | `read` | the problems of a pasted text or a file |
//! | `diagram` | an SVG picture |
//! | `shapes` | the shapes of the men, for a page |
//! | `version` | the version of matesolve |
//!
//! A problem that cannot be read is no wrong request: its result says why, as on the command line.

use matesolve::output::svg::{self, Caption};
use matesolve::problem::Asked;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::gave_up::GaveUp;
use crate::options::{Options, Refusal, stipulation};
use crate::watch::Send;
use crate::{read, search};

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
    Moves,
    Report,
    Mend,
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
        Op::Moves => search::moves(&text, options, gave_up.as_ref(), send),
        Op::Report => search::report(&text, options, gave_up.as_ref(), send),
        Op::Mend => search::mend(&text, options, gave_up.as_ref(), send),
        Op::Read => options.finish("read").map(|()| problems(&text).to_string()),
        Op::Diagram => diagram(&text, options).map(|svg| Value::from(svg).to_string()),
        Op::Shapes => options.finish("shapes").map(|()| Value::from(svg::shapes()).to_string()),
        Op::Version => options.finish("version").map(|()| json!(env!("CARGO_PKG_VERSION")).to_string()),
    }
}

/// Describes the problems of a text.
fn problems(text: &str) -> Value {
    let describe = |reading: read::Reading| match reading {
        Ok(given) => given.describe(),
        Err(error) => json!({ "error": error.to_string() }),
    };
    read::all(text, &Asked::default()).into_iter().map(describe).collect()
}

/// Draws a position, with its twins.
fn diagram(text: &str, mut options: Options) -> Result<String, Refusal> {
    let told = stipulation(&mut options)?;
    let problem = read::one(text, &told, &mut options)?.map_err(|error| error.to_string())?.problem;
    let (title, coordinates) = (options.text("title")?, options.switch("coordinates")?);
    let width = options.number("width", 1, 10_000)?.and_then(|width| u32::try_from(width).ok());
    options.finish("diagram")?;
    let mut caption = Caption::of(&problem);
    (caption.title, caption.coordinates) = (title.or(caption.title), coordinates);
    Ok(svg::diagram(svg::board_of(&problem), &caption, width.unwrap_or(400)))
}
