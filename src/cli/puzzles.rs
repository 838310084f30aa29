//! `matesolve puzzles FILE…`: certifies puzzle databases.
//!
//! Puzzles are read as they are needed and judged several at a time; the answers are written in input order, so the
//! memory does not depend on the length of the file. A run is continued and shared as a batch is.

use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use clap::Args as ClapArgs;
use serde_json::Map;

use crate::base::printable;
use crate::output::puzzles::{PuzzleFormat, PuzzleTally};
use crate::puzzles::{Certified, Judge, Puzzle, PuzzleRecord, PuzzleVerdict, records};

use crate::cli::files::inputs;
use crate::cli::options::args::{Color, LimitArgs};
use crate::cli::options::config;
use crate::cli::runs::run::{Hands, Items, Run, RunArgs, RunFiles, over_files};
use crate::cli::terminal::{CliError, Exit, Tally, print_message};

#[derive(Debug, ClapArgs)]
pub(crate) struct PuzzlesArgs {
    /// Puzzle databases: the published CSV of lichess, with or without its header, or JSON or EPD lines with `fen`,
    /// `moves`, `themes`, also compressed by gzip or zstd; - means standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The format of the answers
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: PuzzleFormat,
    /// Write the answers to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Print no progress, no warnings and no totals on standard error
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

pub(crate) fn run(args: &PuzzlesArgs) -> Result<Exit, CliError> {
    let files = RunFiles {
        args: &args.run,
        inputs: &args.files,
        output: args.output.as_deref(),
        color: Color::Never.into(),
        quiet: args.quiet,
        is_jsonl: args.format == PuzzleFormat::Jsonl,
        is_exact: false,
    };
    let (limits, jobs) = config::of_each(&args.limits, args.run.jobs, args.quiet)?;
    let run = PuzzleRun { args, names: files.names(), tally: PuzzleTally::default() };
    let work = |record: PuzzleRecord, hands: &Hands<'_>| {
        Judge { limits, stop: hands.stop, nodes: hands.nodes.0.clone() }.certify(&record)
    };
    over_files(files, (&args.limits, jobs), Map::new(), || puzzles(args), work, run)
}

/// Returns the puzzles of all inputs. All inputs are opened first.
fn puzzles<'a>(args: &PuzzlesArgs) -> Result<Items<'a, PuzzleRun<'a>>, CliError> {
    let open = |path: &PathBuf| Ok((inputs::name(path), inputs::open(path)?));
    let files = args.files.iter().map(open).collect::<Result<Vec<_>, CliError>>()?;
    Ok(Box::new(files.into_iter().enumerate().flat_map(|(file, (name, input))| {
        inputs::warned(name, records(BufReader::new(input), file), |record| record.is_latin1)
    })))
}

/// Writes the answers, and counts them.
struct PuzzleRun<'a> {
    args: &'a PuzzlesArgs,
    /// The names of the inputs.
    names: Vec<String>,
    tally: PuzzleTally,
}

impl Run for PuzzleRun<'_> {
    type Item = PuzzleRecord;
    type Answer = Certified;
    type Written = Certified;

    const PROBLEMS: &'static str = "puzzles";
    const NOTHING: &'static str = "puzzle";

    fn place(record: &PuzzleRecord) -> (usize, usize) {
        (record.file, record.line)
    }

    fn text(record: &PuzzleRecord) -> String {
        format!("{} {:?}", record.line, record.puzzle)
    }

    fn count(&mut self, written: Certified, record: &PuzzleRecord) -> bool {
        let id = match &record.puzzle {
            Ok(Puzzle { id, .. }) | Err((id, _)) => id.as_deref().map(printable::line),
        };
        self.tally.add(&written);
        (written.line, written.id.as_deref().map(printable::line)) == (record.line, id)
    }

    fn is_interrupted(answer: &Certified) -> bool {
        answer.interrupted
    }

    fn write(&mut self, answer: Certified, out: &mut dyn Write) -> io::Result<()> {
        let file = (self.names.len() > 1).then(|| self.names[answer.file].as_str());
        let text = self.args.format.item(&answer, file, self.tally.puzzles == 0);
        self.tally.add(&answer);
        out.write_all(text.as_bytes())
    }

    fn tally(&self) -> Tally {
        let PuzzleTally { puzzles: lines, undecided, failed, .. } = self.tally;
        let invalid = self.tally.count(PuzzleVerdict::Invalid);
        let mates = lines - undecided - failed - invalid;
        Tally { lines, mates, undecided, invalid, failed, ..Tally::default() }
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let any = self.tally.puzzles > 0;
        if self.args.format == PuzzleFormat::Text && any {
            writeln!(out, "{}", self.tally)?;
        } else if any && !self.args.quiet {
            print_message(&self.tally.to_string());
        }
        Ok(())
    }

    fn exit(&mut self) -> Result<Exit, CliError> {
        Ok(match self.tally {
            PuzzleTally { failed: 1.., .. } => Exit::Failed,
            PuzzleTally { wrong: 1.., .. } => Exit::Disagrees,
            _ if self.tally.count(PuzzleVerdict::Invalid) > 0 => Exit::Invalid,
            PuzzleTally { undecided: 1.., .. } => Exit::Undecided,
            _ => Exit::Answered,
        })
    }
}
