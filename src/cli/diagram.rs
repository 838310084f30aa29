//! `matesolve diagram POSITION`: prints an SVG picture of the position, or of the first entry of an `.olv` collection
//! with its twins.

use std::io::{BufReader, Write as _};
use std::path::Path;

use crate::chess::Stipulation;
use crate::output::svg::{self, Caption};
use crate::problem::source::{self, Reading};
use crate::problem::{Problem, ProblemError};

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
    let svg = svg::diagram(svg::board_of(&problem), &caption, args.width);
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
            Ok(source::problems(input, 0, Reading { olv: true, ply: None }).next().ok_or_else(no_entry)?.problem)
        }
        words => Ok(position::read(words, args.game.ply)?.map(|given| given.problem)),
    }
}

/// Returns the texts around the board. Options take precedence over the EPD line.
fn caption(problem: &Problem, args: &DiagramArgs) -> Result<Caption, CliError> {
    let stipulation = match &args.stipulation {
        Some(text) => Stipulation::parse_any(text).map_err(|error| CliError::Usage(error.to_string()))?,
        None => problem.stipulation,
    };
    let caption = Caption::of(problem, stipulation);
    Ok(Caption { title: args.title.clone().or(caption.title), coordinates: args.coordinates, ..caption })
}
