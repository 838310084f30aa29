//! `matesolve compare A B`: sets two runs over the same problems side by side.
//!
//! Of each result a small record stays in memory, because its problem may stand anywhere in the other file.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};

use crate::compare::{self, Comparison, Results};

use crate::cli::files::written::WrittenFiles;
use crate::cli::files::{inputs, output_file};
use crate::cli::terminal::{CliError, Exit, print_message};

/// The number of positions of each kind that are listed without `--all`.
const LISTED: usize = 20;

#[derive(Debug, ClapArgs)]
pub(crate) struct CompareArgs {
    /// The results of the first run in JSON lines, also compressed by gzip or zstd; - means standard input
    pub a: PathBuf,
    /// The results of the second run
    pub b: PathBuf,
    /// List all positions that differ, instead of 20 of each kind
    #[arg(long)]
    pub all: bool,
    /// The format of the comparison
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: CompareFormat,
    /// Write the comparison to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also write an HTML page with the table and with plots
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also draw the plot of solved positions against nodes as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// The formats of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// Plain text, for reading
    Text,
    /// One JSON object
    Json,
}

pub(crate) fn run(args: &CompareArgs) -> Result<Exit, CliError> {
    if inputs::is_stdin(&args.a) && inputs::is_stdin(&args.b) {
        return Err(CliError::Usage("standard input can be one of the two runs; name a file for the other".to_owned()));
    }
    let inputs = [args.a.clone(), args.b.clone()];
    let written = WrittenFiles::output(args.output.as_deref()).and(args.html.as_deref()).and(args.svg.as_deref());
    written.check(&inputs)?;
    let [a, b] = [&args.a, &args.b].map(|path| results(path));
    let comparison = Comparison::new(a?, b?);
    let most = if args.all { usize::MAX } else { LISTED };
    if let Some(path) = &args.html {
        output_file::write(Some(path), &compare::page(&comparison, most))?;
    }
    if let Some(path) = &args.svg {
        output_file::write(Some(path), &compare::picture(&comparison))?;
    }
    let text = match args.format {
        CompareFormat::Text => compare::text(&comparison, most),
        CompareFormat::Json => compare::json(&comparison, most),
    };
    output_file::write(args.output.as_deref(), &text)?;
    if comparison.compared() == 0 {
        print_message("matesolve: the files have no problem in common; lines are matched by `id` or position (`fen`)");
        return Ok(Exit::Invalid);
    }
    Ok(if comparison.disagreements() > 0 { Exit::Disagrees } else { Exit::Answered })
}

fn results(path: &Path) -> Result<Results, CliError> {
    compare::read(&inputs::name(path), BufReader::new(inputs::open(path)?)).map_err(CliError::Usage)
}
