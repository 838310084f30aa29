//! `matesolve compare A B`: sets two runs over the same problems side by side.
//!
//! Of each line a small record stays in memory, because a position may stand anywhere in the other file.

use std::io::{BufReader, Write as _};
use std::path::Path;

use crate::compare::{self, Comparison, Results};

use super::compare_args::{CompareArgs, CompareFormat};
use super::exit::Exit;
use super::inputs;
use super::messages::{CliError, print_message};
use super::output_file;

/// The number of positions of each kind that are listed without `--all`.
const LISTED: usize = 20;

pub(super) fn run(args: &CompareArgs) -> Result<Exit, CliError> {
    if inputs::is_stdin(&args.a) && inputs::is_stdin(&args.b) {
        return Err(CliError::Usage("standard input can be one of the two runs; name a file for the other".to_owned()));
    }
    let inputs = [args.a.clone(), args.b.clone()];
    output_file::check(&[args.html.as_deref(), args.output.as_deref()], &inputs)?;
    let [a, b] = [&args.a, &args.b].map(|path| results(path));
    let comparison = Comparison::new(a?, b?);
    let most = if args.all { usize::MAX } else { LISTED };
    if let Some(path) = &args.html {
        write(Some(path), &compare::page(&comparison, most))?;
    }
    let text = match args.format {
        CompareFormat::Text => compare::text(&comparison, most),
        CompareFormat::Json => compare::json(&comparison, most),
    };
    write(args.output.as_deref(), &text)?;
    if comparison.compared() == 0 {
        print_message("matesolve: the files have no problem in common; lines are matched by `id` or position (`fen`)");
        return Ok(Exit::Invalid);
    }
    Ok(if comparison.disagreements() > 0 { Exit::Disagrees } else { Exit::Answered })
}

fn results(path: &Path) -> Result<Results, CliError> {
    compare::read(&inputs::name(path), BufReader::new(inputs::open(path)?)).map_err(CliError::Usage)
}

fn write(path: Option<&Path>, text: &str) -> Result<(), CliError> {
    let mut out = output_file::open(path, anstream::ColorChoice::Never)?;
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
