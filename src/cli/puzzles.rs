//! `matesolve puzzles FILE…`: certifies puzzle databases.
//!
//! Puzzles are read as they are needed and judged several at a time; the answers are written in input order, so the
//! memory does not depend on the length of the file. A run is continued and shared as a batch is.

use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use serde_json::{Map, Value};

use crate::base::printable;
use crate::batch::{self, NodeCount};
use crate::output::puzzles::{Counted, PuzzleFormat, PuzzleTally};
use crate::puzzles::{Certified, Judge, Puzzle, PuzzleRecord, PuzzleVerdict, records};

use crate::cli::files::inputs;
use crate::cli::files::output_file;
use crate::cli::options::args::{Color, LimitArgs};
use crate::cli::options::config;
use crate::cli::options::words::words;
use crate::cli::runs::batch_progress::BatchProgress;
use crate::cli::runs::checkpoint::{Problems, RunOutput, SyncedFile};
use crate::cli::runs::resume;
use crate::cli::runs::shard::Shard;
use crate::cli::terminal::exit::{Exit, Tally};
use crate::cli::terminal::interrupt::Interrupt;
use crate::cli::terminal::messages::{CliError, print_message};

#[derive(Debug, ClapArgs)]
pub(crate) struct PuzzlesArgs {
    /// Puzzle databases: the published CSV of lichess, with or without its header, or JSON or EPD lines with `fen`,
    /// `moves`, `themes`, also compressed by gzip or zstd; - means standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Puzzles to judge at the same time [default: the number of threads]
    #[arg(short, long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Judge the K-th of N shares of the input: every N-th puzzle, beginning with the K-th
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Continue the run that was writing to the output file, or begin it. Needs -o and --format jsonl
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// The format of the answers
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output",
        value_parser = words::<PuzzleFormat>()
    )]
    pub format: PuzzleFormat,
    /// Write the answers to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Print no progress and no totals on standard error
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

pub(crate) fn run(args: &PuzzlesArgs) -> Result<Exit, CliError> {
    check_options(args)?;
    let path = args.output.as_deref();
    resume::check_outputs(path, args.resume, &args.files)?;
    let limits = &args.limits;
    let jobs = args.jobs.or(limits.threads).map_or_else(|| config::total_threads(None), usize::from);
    let puzzles = puzzles(args)?;
    let names: Vec<String> = args.files.iter().map(|path| inputs::name(path)).collect();
    let interrupt = Interrupt::install();
    let nodes = NodeCount::default();
    let progress = BatchProgress::new(args.quiet, &args.files, &nodes);
    let mut counts = PuzzleCounts { tally: PuzzleTally::default(), progress };
    let (out, puzzles) = if args.resume {
        let (file, puzzles) = continued(path.unwrap_or(Path::new("-")), record(args), puzzles, &mut counts)?;
        (RunOutput::Continued(file), puzzles)
    } else {
        (RunOutput::New(output_file::open(path, Color::Never.into())?), puzzles)
    };
    let mut output = PuzzleOutput { args, names: &names, out, counts, is_cut: false };
    let judge =
        Judge { limits: config::of_each(limits, jobs, args.quiet), stop: interrupt.stop_flag(), nodes: nodes.0 };
    let emit = &mut |answer: Certified| output.add(&answer);
    let finished = batch::ordered(puzzles, jobs, interrupt.stop_flag(), |record, _| judge.certify(&record), emit);
    output.counts.progress.remove();
    finished?;
    output.finish(&interrupt)
}

/// The puzzles of a run.
type Puzzles = Box<dyn Iterator<Item = PuzzleRecord> + Send>;

/// Returns the puzzles of all inputs that this run is to judge. All inputs are opened first.
fn puzzles(args: &PuzzlesArgs) -> Result<Puzzles, CliError> {
    let open = |path: &PathBuf| Ok((inputs::name(path), inputs::open(path)?));
    let files = args.files.iter().map(open).collect::<Result<Vec<_>, CliError>>()?;
    let puzzles = files.into_iter().enumerate().flat_map(|(file, (name, input))| {
        inputs::warned(name, records(BufReader::new(input), file), |record| record.is_latin1)
    });
    let shard = args.shard;
    let puzzles = puzzles.enumerate().filter(move |(index, _)| shard.is_none_or(|shard| shard.has(*index)));
    Ok(Box::new(puzzles.map(|(_, puzzle)| puzzle)))
}

/// Opens the file of a run that is continued, and counts the answers that are there. Returns the file for more answers
/// and the puzzles that are left.
fn continued(
    path: &Path,
    options: Map<String, Value>,
    puzzles: Puzzles,
    counts: &mut PuzzleCounts,
) -> Result<(SyncedFile, Puzzles), CliError> {
    let read = Problems::default();
    let mut puzzles = read.watch(puzzles, |record| format!("{} {:?}", record.line, record.puzzle)).peekable();
    let mut continued = resume::open(path, options, &read)?;
    while let Some(PuzzleRecord { file, line, puzzle, .. }) = puzzles.peek() {
        let Some(written) = continued.next::<Counted>()? else { break };
        let id = match puzzle {
            Ok(Puzzle { id, .. }) | Err((id, _)) => id.as_deref().map(printable::line),
        };
        if (written.line, written.id.as_deref().map(printable::line)) != (*line, id) {
            return Err(continued.other_input(*line));
        }
        continued.check_saved()?;
        counts.add(&written, *file, false);
        puzzles.next();
    }
    let is_end = puzzles.peek().is_none();
    Ok((continued.finish(is_end)?, Box::new(puzzles)))
}

/// Refuses options that do not fit together.
fn check_options(args: &PuzzlesArgs) -> Result<(), CliError> {
    let why = if args.shard.is_some() && args.files.len() > 1 {
        "--shard takes one input, because results are put together by the numbers of their lines; give one FILE"
    } else if args.resume && args.format != PuzzleFormat::Jsonl {
        "--resume needs --format jsonl, whose lines say which puzzle they answer"
    } else if args.resume && args.output.as_deref().is_some_and(inputs::is_stdin) {
        "--resume needs a file to continue; name it with -o FILE"
    } else {
        return Ok(());
    };
    Err(CliError::Usage(why.to_owned()))
}

/// Describes the run for `--resume`: the options that change its answers, and its inputs with their sizes.
fn record(args: &PuzzlesArgs) -> Map<String, Value> {
    let limits = &args.limits;
    let mut record = Map::new();
    record.insert("version".into(), env!("CARGO_PKG_VERSION").into());
    record.insert("puzzles".into(), resume::inputs(&args.files).into());
    record.insert("shard".into(), args.shard.map(|shard| shard.to_string()).into());
    record.insert("limits".into(), resume::limits(limits.time, limits.nodes, limits.hash));
    record
}

/// Counts answers, for the progress, the totals and the exit code.
struct PuzzleCounts {
    tally: PuzzleTally,
    progress: BatchProgress,
}

impl PuzzleCounts {
    /// Counts the answer to a puzzle of an input. `is_new` is false if an earlier run has given it.
    fn add(&mut self, answer: &Counted, file: usize, is_new: bool) {
        self.tally.add(answer);
        let PuzzleTally { puzzles: lines, undecided, failed, .. } = self.tally;
        let invalid = self.tally.count(PuzzleVerdict::Invalid);
        let mates = lines - undecided - failed - invalid;
        let tally = Tally { lines, mates, undecided, invalid, failed, ..Tally::default() };
        self.progress.add(tally, file, Some(answer.line), is_new);
    }
}

/// Writes the answers, in input order.
struct PuzzleOutput<'a> {
    args: &'a PuzzlesArgs,
    /// The names of the inputs.
    names: &'a [String],
    out: RunOutput,
    counts: PuzzleCounts,
    /// Whether an answer was left out, because its search was interrupted.
    is_cut: bool,
}

impl PuzzleOutput<'_> {
    fn add(&mut self, answer: &Certified) -> io::Result<()> {
        self.is_cut |= self.args.resume && answer.interrupted;
        if self.is_cut {
            // The continued run begins with the first puzzle that was interrupted.
            return Ok(());
        }
        let file = (self.names.len() > 1).then(|| self.names[answer.file].as_str());
        let text = self.args.format.item(answer, file, self.counts.tally.puzzles == 0);
        self.counts.add(&Counted::of(answer), answer.file, true);
        let out = &mut self.out;
        self.counts.progress.suspend(|| {
            out.write_all(text.as_bytes())?;
            out.flush()
        })
    }

    /// Ends the output with the totals and returns the exit code.
    fn finish(mut self, interrupt: &Interrupt) -> Result<Exit, CliError> {
        let tally = self.counts.tally;
        if self.args.format == PuzzleFormat::Text && tally.puzzles > 0 {
            writeln!(self.out, "{tally}")?;
        } else if tally.puzzles > 0 && !self.args.quiet {
            print_message(&tally.to_string());
        }
        self.out.finish()?;
        if interrupt.is_requested() {
            let puzzles = tally.puzzles;
            print_message(&format!(
                "matesolve: interrupted after {puzzles} puzzles; the remaining ones were not judged"
            ));
            return Ok(Exit::Interrupted);
        }
        if tally.puzzles == 0 && self.args.shard.is_none() {
            print_message(&format!("matesolve: {} holds no puzzle", self.names.join(", ")));
            return Ok(Exit::Invalid);
        }
        Ok(match tally {
            PuzzleTally { failed: 1.., .. } => Exit::Failed,
            PuzzleTally { wrong: 1.., .. } => Exit::Disagrees,
            _ if tally.count(PuzzleVerdict::Invalid) > 0 => Exit::Invalid,
            PuzzleTally { undecided: 1.., .. } => Exit::Undecided,
            _ => Exit::Answered,
        })
    }
}
