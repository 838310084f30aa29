//! `matesolve batch FILE…`: solves files of problems and prints one result per line.

pub(crate) mod args;
pub(crate) mod summary;

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value, json};

use crate::batch::{self, BatchAnswer, NodeCount};
use crate::output::{Format, epd};
use crate::problem::input::Entry;
use crate::results::Solution;
use crate::results::solution::StoppedBy;

use crate::cli::batch::args::BatchArgs;
use crate::cli::batch::summary::Summary;
use crate::cli::files::inputs;
use crate::cli::files::output_file;
use crate::cli::options::args::{LimitArgs, SearchArgs};
use crate::cli::options::config::{self, OutputSettings};
use crate::cli::runs::batch_progress::BatchProgress;
use crate::cli::runs::checkpoint::{Problems, RunOutput, SyncedFile, text_of};
use crate::cli::runs::resume;
use crate::cli::terminal::exit::{Exit, Tally};
use crate::cli::terminal::interrupt::Interrupt;
use crate::cli::terminal::messages::{CliError, print_message, print_unsolved_twins};

pub(crate) fn run(args: &BatchArgs) -> Result<Exit, CliError> {
    check_options(args)?;
    let path = args.common.output.output.as_deref();
    resume::check_outputs(path, args.resume, &args.files)?;
    let (request, jobs) = config::batch(&args.common, args.jobs, args.memory)?;
    let lines = problems(args)?;
    let names: Vec<String> = args.files.iter().map(|path| inputs::name(path)).collect();
    let settings = OutputSettings::new(&args.common.output);
    let interrupt = Interrupt::install();
    let nodes = NodeCount::default();
    let progress = BatchProgress::new(settings.quiet, &args.files, &nodes);
    let mut counts = BatchCounts { tally: Tally::default(), summary: Summary::default(), progress };
    let (out, lines) = if args.resume {
        let mut add = |solution: &Solution, file| counts.add(solution, file, false);
        let (file, lines) = continued(path.unwrap_or(Path::new("-")), record(args), lines, &mut add)?;
        (RunOutput::Continued(file), lines)
    } else {
        (RunOutput::New(output_file::open(path, settings.color)?), lines)
    };
    let mut output = BatchOutput {
        settings,
        out,
        keep_interrupted: !args.resume,
        is_cut: false,
        counts,
        update: args.update,
        started: Instant::now(),
    };
    let emit = &mut |answer| output.add(answer, &names);
    let checking = args.checking.checking();
    let finished = batch::run(lines, &request, checking, jobs, interrupt.stop_flag(), &nodes, emit);
    output.counts.progress.remove();
    finished?;
    output.finish()?;
    Ok(exit(output.counts.tally, &interrupt, args, &names))
}

/// The problems of a batch.
type InputEntries<'a> = Box<dyn Iterator<Item = Entry> + Send + 'a>;

/// Returns the problems of all inputs that this run is to solve. All inputs are opened first.
fn problems(args: &BatchArgs) -> Result<InputEntries<'_>, CliError> {
    let files = args.files.iter().map(|path| inputs::open(path)).collect::<Result<Vec<_>, _>>()?;
    let ply = args.game.ply;
    let files = args.files.iter().zip(files).enumerate();
    let lines = files.flat_map(move |(number, (path, file))| inputs::entries(path, file, number, ply, false));
    let question = &args.common.question;
    let lines = lines.map(|line| {
        let mut line = line.asked(question.asked());
        if let Ok(problem) = &mut line.problem {
            question.stipulate(problem);
        }
        line
    });
    let lines = lines.enumerate().filter(|(index, _)| args.shard.is_none_or(|shard| shard.has(*index)));
    Ok(Box::new(lines.map(|(_, line)| line)))
}

/// Opens the file of a run that is continued. Passes the results that are there to `add`, each with the number of its
/// input, and returns the file for more results and the problems that are left.
fn continued<'a>(
    path: &Path,
    options: Map<String, Value>,
    lines: InputEntries<'a>,
    add: &mut dyn FnMut(&Solution, usize),
) -> Result<(SyncedFile, InputEntries<'a>), CliError> {
    let problems = Problems::default();
    let mut lines = problems.watch(lines, text_of).peekable();
    let mut continued = resume::open(path, options, &problems)?;
    while let Some(line) = lines.peek() {
        let Some(solution) = continued.result_of(line)? else { break };
        add(&solution, line.file);
        lines.next();
    }
    let is_end = lines.peek().is_none();
    Ok((continued.finish(is_end)?, Box::new(lines)))
}

/// Says why a batch does not end with success, and returns its exit code.
fn exit(tally: Tally, interrupt: &Interrupt, args: &BatchArgs, names: &[String]) -> Exit {
    if interrupt.is_requested() {
        let lines = tally.lines;
        print_message(&format!("matesolve: interrupted after {lines} lines; the remaining lines were not tried"));
        return Exit::Interrupted;
    }
    print_unsolved_twins(tally.twins);
    if tally.lines == 0 && args.shard.is_some() {
        // Of few problems, some shares have none.
        return Exit::Answered;
    }
    if tally.lines == 0 {
        print_message(&format!("matesolve: {} holds no position; write one FEN or EPD on each line", names.join(", ")));
    }
    tally.exit()
}

/// Refuses options that do not fit together.
fn check_options(args: &BatchArgs) -> Result<(), CliError> {
    let output = &args.common.output;
    let why = if args.shard.is_some() && args.files.len() > 1 {
        "--shard takes one input, because results are put together by the numbers of their lines; give one FILE"
    } else if args.resume && output.format != Format::Jsonl {
        "--resume needs --format jsonl, whose lines say which problem they answer"
    } else if args.resume && output.output.as_deref().is_some_and(inputs::is_stdin) {
        "--resume needs a file to continue; name it with -o FILE"
    } else {
        return Ok(());
    };
    Err(CliError::Usage(why.to_owned()))
}

/// Describes the run for `--resume`: the options that change its results, and its inputs with their sizes.
fn record(args: &BatchArgs) -> Map<String, Value> {
    let SearchArgs { engine, limits: LimitArgs { time, nodes, hash, .. }, .. } = &args.common.search;
    let mut record = Map::new();
    record.insert("version".into(), env!("CARGO_PKG_VERSION").into());
    record.insert("input".into(), resume::inputs(&args.files).into());
    record.insert("shard".into(), args.shard.map(|shard| shard.to_string()).into());
    record.insert("question".into(), args.common.question.record());
    record.insert("engine".into(), json!({ "name": engine, "options": args.common.engine_options }));
    record.insert("limits".into(), resume::limits(*time, *nodes, *hash));
    record.insert("check".into(), serde_json::to_value(args.checking.checking()).unwrap_or_default());
    record.insert("ply".into(), args.game.ply.into());
    record
}

/// Counts results, for the progress, the last lines and the exit code.
struct BatchCounts {
    tally: Tally,
    summary: Summary,
    progress: BatchProgress,
}

impl BatchCounts {
    /// Counts a result for a line of an input. `is_new` is false if this run did not search for it.
    fn add(&mut self, solution: &Solution, file: usize, is_new: bool) {
        self.tally.add(solution);
        self.progress.add(self.tally, file, solution.line, is_new);
        self.summary.add(solution, is_new);
    }
}

/// The largest result that is written in one piece, in bytes.
const BYTES_AT_ONCE: usize = 1 << 16;

/// Prints the results of a batch, in input order, and counts them.
struct BatchOutput {
    settings: OutputSettings,
    out: RunOutput,
    counts: BatchCounts,
    /// Whether EPD output replaces the operations of the input.
    update: bool,
    started: Instant,
    /// Whether the answers of searches that the user ended are written. If the run can be continued, they are not, and
    /// those after them neither.
    keep_interrupted: bool,
    /// Whether an answer was left out.
    is_cut: bool,
}

impl BatchOutput {
    /// Prints one result. `names` are the names of the inputs.
    fn add(&mut self, mut answer: BatchAnswer, names: &[String]) -> io::Result<()> {
        if self.update {
            epd::update(&mut answer.solution);
        }
        let solution = &answer.solution;
        self.is_cut |= !self.keep_interrupted && solution.stats.stopped_by == Some(StoppedBy::Interrupt);
        if self.is_cut {
            return Ok(());
        }
        let format = self.settings.format;
        let first = self.counts.tally.lines == 0;
        self.counts.add(solution, answer.file, !answer.is_repeated);
        let out = &mut self.out;
        let quiet = self.settings.quiet;
        self.counts.progress.suspend(|| {
            print_messages(solution, names.get(answer.file).map_or("-", String::as_str), quiet);
            // In large pieces, so that an ended run leaves whole lines as far as possible.
            let mut out = BufWriter::with_capacity(BYTES_AT_ONCE, out);
            format.write_item(solution, first, &mut out)?;
            out.write_all(format.separator().as_bytes())?;
            out.flush()
        })?;
        Ok(())
    }

    /// Ends the output. Text output ends with a line of totals.
    fn finish(&mut self) -> io::Result<()> {
        if let Some(end) = self.settings.format.end(self.counts.tally.lines == 0) {
            self.out.write_all(end.as_bytes())?;
        }
        let is_text = self.settings.format == Format::Text;
        let any = self.counts.tally.lines > 0;
        if is_text && any {
            writeln!(self.out, "{}", self.counts.tally)?;
        }
        self.out.finish()?;
        if any && !self.settings.quiet {
            let summary = self.counts.summary.text(&self.counts.tally, !is_text, self.started.elapsed());
            summary.lines().for_each(print_message);
        }
        Ok(())
    }
}

/// Prints the error and the warnings of a solution, each with file and line number; nothing if `quiet`. The results
/// contain the errors too.
fn print_messages(solution: &Solution, file: &str, quiet: bool) {
    if quiet {
        return;
    }
    let place = format!("{file}:{}", solution.line.unwrap_or_default());
    for warning in &solution.warnings {
        print_message(&format!("{place}: warning: {warning}"));
    }
    if let Some(error) = &solution.error {
        print_message(&format!("{place}: {error}"));
    }
}
