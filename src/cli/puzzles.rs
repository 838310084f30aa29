//! `matesolve puzzles FILE…`: certifies puzzle databases.
//!
//! Puzzles are read as they are needed, and several may be judged at the same time. The answers are written in input
//! order. A run is continued and shared as a batch is.

use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::options::words::words;
use crate::output::puzzles::{PuzzleFormat, PuzzleTally};
use crate::puzzles::{Judge, Puzzle, PuzzleRecord, records};
use crate::results::puzzles::Certified;

use serde_json::json;

use crate::cli::files::inputs;
use crate::cli::options::args::{Color, LimitArgs};
use crate::cli::runs::run::{Items, Run, RunArgs, RunFiles, RunItem, RunPlace, WorkerTools, over_files};
use crate::cli::terminal::{CliError, Exit, Tally};

#[derive(Debug, ClapArgs)]
pub(crate) struct PuzzlesArgs {
    /// Puzzle databases: the published CSV of lichess, with or without its header, other tables, JSON or EPD lines with
    /// `fen`, `moves`, `themes`, or games, also compressed by gzip or zstd; - means standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The format of the answers
    #[arg(long, value_name = "FORMAT", value_parser = words::<PuzzleFormat>(), default_value = "text", help_heading = "Output")]
    pub format: PuzzleFormat,
    /// Write the answers to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Print no progress, no warnings and no totals on standard error
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

pub(crate) fn run(args: &PuzzlesArgs) -> Result<Exit, CliError> {
    let files = RunFiles::new(&args.run, &args.limits, &args.files, args.quiet);
    let files = files.writing(args.format, args.output.as_ref(), Color::Never);
    let (limits, jobs) = files.limits()?;
    let work = |record: PuzzleRecord, tools: &mut WorkerTools<'_>| {
        Judge { limits, stop: tools.stop, nodes: tools.nodes.0.clone() }.certify(&record)
    };
    let run = PuzzleRun { format: args.format, tally: PuzzleTally::default() };
    over_files(&files, jobs, || puzzles(args), work, run)
}

/// Returns the puzzles of all inputs. All inputs are opened first.
fn puzzles<'a>(args: &PuzzlesArgs) -> Result<Items<'a, PuzzleRun>, CliError> {
    let open = |path: &PathBuf| Ok((inputs::name(path), inputs::open(path)?, inputs::is_whole(path)));
    let files = args.files.iter().map(open).collect::<Result<Vec<_>, CliError>>()?;
    Ok(Box::new(files.into_iter().enumerate().flat_map(|(file, (name, input, is_whole))| {
        inputs::warned(name, records(BufReader::new(input), file, is_whole), |record| record.is_latin1)
    })))
}

impl RunItem for PuzzleRecord {
    fn place(&self) -> (usize, usize) {
        (self.file, self.line)
    }

    fn id(&self) -> Option<String> {
        let (Ok(Puzzle { id, .. }) | Err((id, _))) = &self.puzzle;
        id.clone()
    }

    fn text(&self) -> String {
        match &self.puzzle {
            Ok(Puzzle { id, fen, moves, starts_with_solver, themes }) => {
                json!([self.line, id, fen, moves, starts_with_solver, themes]).to_string()
            }
            Err((id, why)) => json!([self.line, id, why]).to_string(),
        }
    }
}

/// Writes the answers, and counts their verdicts.
struct PuzzleRun {
    format: PuzzleFormat,
    tally: PuzzleTally,
}

impl Run for PuzzleRun {
    type Item = PuzzleRecord;
    type Answer = Certified;
    type Written = Certified;

    const PROBLEMS: &'static str = "puzzles";
    const NOTHING: &'static str = "puzzle";

    fn count(&mut self, written: Certified, _: &PuzzleRecord, tally: &mut Tally) -> bool {
        self.tally.add(&written);
        tally.count(Exit::of_puzzle(&written));
        true
    }

    fn is_interrupted(answer: &Certified) -> bool {
        answer.interrupted
    }

    fn write(&mut self, answer: Certified, place: &mut RunPlace<'_>, out: &mut dyn Write) -> io::Result<()> {
        let text = self.format.item(&answer, place.one_of_several(), place.tally.lines == 0);
        self.tally.add(&answer);
        place.tally.count(Exit::of_puzzle(&answer));
        out.write_all(text.as_bytes())
    }

    fn totals(&self, _: &Tally) -> String {
        format!("{}\n", self.tally)
    }
}
