//! `matesolve diagram "<FEN or EPD>"`: a picture of the position.

use std::io::Write as _;

use shakmaty::Position as _;

use crate::output::svg::{self, Caption};
use crate::problem::{Problem, Stipulation};

use super::args::DiagramArgs;
use super::{Exit, Failure, complain};

pub(super) fn run(args: &DiagramArgs) -> Result<Exit, Failure> {
    let problem = match Problem::read(&args.position.join(" ")) {
        Ok(problem) => problem,
        Err(error) => {
            complain(&format!("matesolve: {error}"));
            return Ok(Exit::Invalid);
        }
    };
    let caption = if args.bare { Caption::default() } else { caption(&problem, args)? };
    let svg = svg::diagram(problem.chess.board(), &caption, args.width);
    let mut out = std::io::stdout().lock();
    out.write_all(svg.as_bytes())?;
    out.flush()?;
    Ok(Exit::Answered)
}

/// What the line says about itself, unless the options say otherwise.
fn caption(problem: &Problem, args: &DiagramArgs) -> Result<Caption, Failure> {
    let asked = match &args.stipulation {
        Some(text) => Stipulation::parse(text).map_err(|error| Failure::Usage(error.to_string()))?,
        None => problem.stipulation,
    };
    let mut stipulation = asked.moves.map_or(String::new(), |_| asked.to_string());
    // White begins, unless it is said.
    if problem.chess.turn().is_black() {
        stipulation.push_str(if stipulation.is_empty() { "Black to move" } else { " Black to move" });
    }
    Ok(Caption {
        title: args.title.clone().or_else(|| problem.id.clone()),
        stipulation: (!stipulation.is_empty()).then_some(stipulation),
        counts: true,
        coordinates: args.coordinates,
    })
}
