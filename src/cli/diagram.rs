//! `matesolve diagram POSITION`: prints an SVG picture of the position, or of the first entry of an `.olv` collection with
//! its twins.

use std::io::{BufReader, Write as _};
use std::path::Path;

use shakmaty::Position as _;

use crate::output::svg::{self, Caption};
use crate::problem::twins::PhaseName;
use crate::problem::{Problem, ProblemError, Stipulation, source};

use super::args::DiagramArgs;
use super::exit::Exit;
use super::inputs;
use super::messages::{CliError, print_message};
use super::position;

pub(super) fn run(args: &DiagramArgs) -> Result<Exit, CliError> {
    let problem = match read(args)? {
        Ok(problem) => problem,
        Err(error) => {
            print_message(&format!("matesolve: {error}"));
            return Ok(Exit::Invalid);
        }
    };
    let caption = if args.bare { Caption::default() } else { caption(&problem, args)? };
    let board = problem.phases.first().map_or_else(|| problem.chess.board(), |phase| &phase.board);
    let svg = svg::diagram(board, &caption, args.width);
    let mut out = std::io::stdout().lock();
    out.write_all(svg.as_bytes())?;
    out.flush()?;
    Ok(Exit::Answered)
}

/// Reads the position, or the first entry of a collection.
fn read(args: &DiagramArgs) -> Result<Result<Problem, ProblemError>, CliError> {
    match &args.position[..] {
        [word] if inputs::is_collection(Path::new(word)) && Path::new(word).is_file() => {
            let input = BufReader::new(inputs::open(Path::new(word))?);
            let no_entry = || CliError::Usage(format!("{word} has no entry; an entry begins with a line ---"));
            Ok(source::problems(input, 0, true).next().ok_or_else(no_entry)?.problem)
        }
        words => Ok(position::read(words, args.game.ply)?.map(|given| given.problem)),
    }
}

/// Returns the texts around the board. Options take precedence over the EPD line.
fn caption(problem: &Problem, args: &DiagramArgs) -> Result<Caption, CliError> {
    let stipulation = match &args.stipulation {
        Some(text) => Stipulation::parse(text).map_err(|error| CliError::Usage(error.to_string()))?,
        None => problem.stipulation,
    };
    let mut below = stipulation.moves.map_or(String::new(), |_| stipulation.to_string());
    // In a diagram White moves first unless it says otherwise.
    let is_duplex = problem.phases.first().is_some_and(|phase| phase.name.attacker.is_some());
    if is_duplex {
        below.push_str(" Duplex");
    } else if problem.chess.turn().is_black() {
        below.push_str(if below.is_empty() { "Black to move" } else { " Black to move" });
    }
    Ok(Caption {
        title: args.title.clone().or_else(|| problem.id.clone()),
        stipulation: (!below.is_empty()).then_some(below),
        counts: true,
        twins: twins(problem),
        coordinates: args.coordinates,
    })
}

/// Returns the headings of the phases that change something. The two halves of a duplex have one heading.
fn twins(problem: &Problem) -> Vec<String> {
    let names = problem.phases.iter().map(|phase| PhaseName { attacker: None, ..phase.name.clone() });
    let mut lines: Vec<String> = names.filter(|name| !name.heading.is_empty()).map(|name| name.to_string()).collect();
    lines.dedup();
    lines
}
