//! `matesolve diagram "<FEN or EPD>"`: prints an SVG picture of the position.

use std::io::Write as _;

use shakmaty::Position as _;

use crate::output::svg::{self, Caption};
use crate::problem::{Problem, Stipulation};

use super::args::DiagramArgs;
use super::exit::Exit;
use super::messages::{CliError, print_message};
use super::position;

pub(super) fn run(args: &DiagramArgs) -> Result<Exit, CliError> {
    let problem = match position::read(&args.position, args.game.ply)? {
        Ok(given) => given.problem,
        Err(error) => {
            print_message(&format!("matesolve: {error}"));
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

/// Returns the texts around the board. Options take precedence over the EPD line.
fn caption(problem: &Problem, args: &DiagramArgs) -> Result<Caption, CliError> {
    let stipulation = match &args.stipulation {
        Some(text) => Stipulation::parse(text).map_err(|error| CliError::Usage(error.to_string()))?,
        None => problem.stipulation,
    };
    let mut below = stipulation.moves.map_or(String::new(), |_| stipulation.to_string());
    // In a diagram White moves first unless it says otherwise.
    if problem.chess.turn().is_black() {
        below.push_str(if below.is_empty() { "Black to move" } else { " Black to move" });
    }
    Ok(Caption {
        title: args.title.clone().or_else(|| problem.id.clone()),
        stipulation: (!below.is_empty()).then_some(below),
        counts: true,
        coordinates: args.coordinates,
    })
}
