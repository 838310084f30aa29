//! `matesolve batch FILE…`: solves files of problems and prints one result per line.

use std::fs::Metadata;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Map, Value};

use crate::batch::{self, BatchAnswer};
use crate::output::{Format, epd};
use crate::problem::source::{self, InputLine, Reading};
use crate::results::Solution;
use crate::results::solution::StoppedBy;

use super::args::{BatchArgs, SearchArgs};
use super::config::{self, OutputSettings};
use super::exit::{Exit, Tally};
use super::inputs;
use super::interrupt::Interrupt;
use super::messages::{CliError, print_message, print_unsolved_twins};
use super::output_file;
use super::progress::ProgressLine;
use super::resume;
use super::summary::Summary;

pub(super) fn run(args: &BatchArgs) -> Result<Exit, CliError> {
    check_options(args)?;
    let (request, jobs) = config::batch(&args.common, args.jobs, args.memory)?;
    let mut lines = problems(args)?.peekable();
    let names: Vec<String> = args.files.iter().map(|path| inputs::name(path)).collect();
    let settings = OutputSettings::new(&args.common.output);
    let interrupt = Interrupt::install();
    let path = args.common.output.output.as_deref();
    let (out, mut continued): (Box<dyn Write + Send>, _) = if args.resume {
        let (file, continued) = resume::open(path.unwrap_or(Path::new("-")), &record(args))?;
        (Box::new(file), Some(continued))
    } else {
        (output_file::open(path, &args.files, settings.color)?, None)
    };
    let mut output = BatchOutput {
        settings,
        out,
        keep_interrupted: !args.resume,
        is_cut: false,
        tally: Tally::default(),
        progress: ProgressLine::new(settings),
        summary: Summary::default(),
        update: args.update,
        started: Instant::now(),
    };
    while let (Some(continued), Some(line)) = (&mut continued, lines.peek()) {
        let Some(solution) = continued.result_of(line)? else { break };
        output.count(&solution, false);
        lines.next();
    }
    if let (Some(continued), None) = (&mut continued, lines.peek()) {
        continued.expect_end()?;
    }
    let emit = &mut |answer| output.add(answer, &names);
    let finished = batch::run(lines, &request, args.checking.checking(), jobs, interrupt.stop_flag(), emit);
    output.progress.remove();
    finished?;
    output.finish()?;
    Ok(exit(output.tally, &interrupt, args, &names))
}

/// Returns the problems of all inputs that this run is to solve. All inputs are opened first.
fn problems(args: &BatchArgs) -> Result<impl Iterator<Item = InputLine> + Send, CliError> {
    let files = args.files.iter().map(|path| inputs::open(path)).collect::<Result<Vec<_>, _>>()?;
    let collections: Vec<bool> = args.files.iter().map(|path| inputs::is_collection(path)).collect();
    let files = files.into_iter().zip(collections).enumerate();
    let ply = args.game.ply;
    let lines = files
        .flat_map(move |(number, (file, olv))| source::problems(BufReader::new(file), number, Reading { olv, ply }));
    let question = &args.common.question;
    let lines = lines.map(|mut line| {
        if let Ok(problem) = &mut line.problem {
            question.stipulate(problem);
        }
        line
    });
    let lines = lines.enumerate().filter(|(index, _)| args.shard.is_none_or(|shard| shard.has(*index)));
    Ok(lines.map(|(_, line)| line))
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
    let SearchArgs { engine, time, nodes, hash, .. } = &args.common.search;
    let size = |path: &PathBuf| std::fs::metadata(path).ok().filter(Metadata::is_file).map(|file| file.len());
    let inputs = args.files.iter().map(|path| format!("{} ({} bytes)", inputs::name(path), size(path).unwrap_or(0)));
    let limits = format!("time {time:?}, nodes {nodes:?}, hash {hash}");
    let mut record = Map::new();
    record.insert("version".into(), env!("CARGO_PKG_VERSION").into());
    record.insert("input".into(), inputs.collect::<Vec<_>>().join(", ").into());
    record.insert("shard".into(), args.shard.map(|shard| shard.to_string()).into());
    record.insert("question".into(), format!("{:?}", args.common.question).into());
    record.insert("engine".into(), format!("{engine} {:?}", args.common.tuning).into());
    record.insert("limits".into(), limits.into());
    record.insert("check".into(), args.checking.checking().map(|checking| format!("{checking:?}")).into());
    record.insert("ply".into(), args.game.ply.into());
    record
}

/// Prints the results of a batch, in input order, and counts them.
struct BatchOutput<W> {
    settings: OutputSettings,
    out: W,
    tally: Tally,
    progress: ProgressLine,
    summary: Summary,
    /// Whether EPD output replaces the operations of the input.
    update: bool,
    started: Instant,
    /// Whether the answers of searches that the user ended are written. If the run can be continued, they are not, and
    /// those after them neither.
    keep_interrupted: bool,
    /// Whether an answer was left out.
    is_cut: bool,
}

impl<W: Write> BatchOutput<W> {
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
        let text = format.item(solution, self.tally.lines == 0);
        self.count(&answer.solution, !answer.is_repeated);
        let solution = &answer.solution;
        let out = &mut self.out;
        let quiet = self.settings.quiet;
        self.progress.suspend(|| {
            print_messages(solution, names.get(answer.file).map_or("-", String::as_str), quiet);
            // In one piece, so that an ended run leaves whole lines as far as possible.
            out.write_all(format!("{text}{}", format.separator()).as_bytes())?;
            out.flush()
        })?;
        self.progress.show_tally(self.tally);
        Ok(())
    }

    /// Counts a result. `is_new` is unset if this run did not search for it.
    fn count(&mut self, solution: &Solution, is_new: bool) {
        self.tally.add(solution);
        self.summary.add(solution, is_new);
    }

    /// Ends the output. Text output ends with a line of totals.
    fn finish(&mut self) -> io::Result<()> {
        if let Some(end) = self.settings.format.end(self.tally.lines == 0) {
            self.out.write_all(end.as_bytes())?;
        }
        let is_text = self.settings.format == Format::Text;
        let any = self.tally.lines > 0;
        if is_text && any {
            writeln!(self.out, "{}", self.tally)?;
        }
        self.out.flush()?;
        if any && !self.settings.quiet {
            let summary = self.summary.text(&self.tally, !is_text, self.started.elapsed());
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
