//! One run over files, for every command that answers their problems one by one: `batch`, `report`, `audit`, `puzzles`.
//!
//! Several problems may be worked on at the same time. Their answers are written in input order, or each as soon as it
//! is ready. A run can be divided among machines (`--shard K/N`: a fixed share of the problems) and continued
//! (`--resume`). A [`Run`] is how a command counts and writes the answers.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Args as ClapArgs;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::base::printable;
use crate::batch::{Order, SpareThreads, each};
use crate::cli::files::{inputs, output_file};
use crate::cli::options::args::LimitArgs;
use crate::cli::options::config;
use crate::cli::options::words::Words;
use crate::cli::runs::batch_progress::BatchProgress;
use crate::cli::runs::checkpoint::{Problems, RunOutput, SyncedFile};
use crate::cli::runs::resume::{self, Identity};
use crate::cli::terminal::{CliError, Exit, Interrupt, Tally, print_lines, print_message, print_unsolved_twins};
use crate::problem::Problem;
use crate::problem::input::Entry;
use crate::report::ReportContext;
use crate::search::Region;
use crate::solve::{Limits, NodeCount};

/// The largest result that is written in one piece, in bytes.
const BYTES_AT_ONCE: usize = 1 << 16;

/// The words of the formats that a run knows.
const TEXT: &str = "text";
const JSON_LINES: &str = "jsonl";
const COLLECTION: &str = "olv";

/// The options of every run.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunArgs {
    /// Problems of files to work on at the same time; the threads are divided among them [default: the number of
    /// threads]
    #[arg(short, long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Work on the K-th of N shares of the input: every N-th problem, beginning with the K-th. `matesolve merge` puts
    /// results in JSON lines together
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Continue the run that was writing to the output file, or begin it. Needs -o and --format jsonl
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// The options of the command that change its results.
    #[arg(skip)]
    pub options: Map<String, Value>,
}

impl RunArgs {
    /// Refuses the options that one position cannot have.
    pub(crate) fn check_one(&self) -> Result<(), CliError> {
        if self.shard.is_none() && !self.resume {
            return Ok(());
        }
        let why = "--shard and --resume belong to files of problems, not to one position; give a FILE";
        Err(CliError::Usage(why.to_owned()))
    }
}

/// The inputs, the limits and the output of a run.
#[derive(Debug)]
pub(crate) struct RunFiles<'a> {
    args: &'a RunArgs,
    limits: &'a LimitArgs,
    inputs: &'a [PathBuf],
    /// The names of the inputs, for messages.
    pub names: Vec<String>,
    /// Whether there are no progress, no warnings and no totals on standard error.
    pub quiet: bool,
    /// The word of the output's format.
    format: &'static str,
    output: Option<&'a Path>,
    color: anstream::ColorChoice,
    /// The order in which answers are written.
    pub order: Order,
}

impl<'a> RunFiles<'a> {
    pub(crate) fn new(args: &'a RunArgs, limits: &'a LimitArgs, inputs: &'a [PathBuf], quiet: bool) -> RunFiles<'a> {
        let names = inputs.iter().map(|path| inputs::name(path)).collect();
        let (format, output, color) = (TEXT, None, anstream::ColorChoice::Never);
        RunFiles { args, limits, inputs, names, quiet, format, output, color, order: Order::Input }
    }

    /// The same run with its output. The format says what a run may do: results in JSON lines are read again, a
    /// collection gets every byte, and a text ends with the totals.
    pub(crate) fn writing<F: Words + PartialEq>(
        self,
        format: F,
        output: Option<&'a PathBuf>,
        color: impl Into<anstream::ColorChoice>,
    ) -> RunFiles<'a> {
        RunFiles { format: format.word(), output: output.map(PathBuf::as_path), color: color.into(), ..self }
    }

    /// Returns the limits for each problem, and the number of problems to work on at the same time.
    pub(crate) fn limits(&self) -> Result<(Limits, usize), CliError> {
        config::of_each(self.limits, self.args.jobs, self.quiet)
    }

    /// Returns whether the bytes of a collection are copied.
    fn is_exact(&self) -> bool {
        self.format == COLLECTION
    }

    /// Refuses options that do not fit together, and outputs that would overwrite something.
    fn check<R: Run>(&self) -> Result<(), CliError> {
        let why = if self.args.shard.is_some() && self.inputs.len() > 1 && !R::NAMES_FILES {
            "--shard takes one input, because results are put together by the numbers of their lines; give one FILE"
        } else if self.args.shard.is_some() && self.is_exact() {
            "--format olv writes the whole collection; leave out --shard"
        } else if self.args.resume && self.format != JSON_LINES {
            "--resume needs --format jsonl, whose lines say which problem they answer"
        } else if self.args.resume && self.output.is_some_and(inputs::is_stdin) {
            "--resume needs a file to continue; name it with -o FILE"
        } else {
            return resume::check_outputs(self.output, self.args.resume, self.inputs);
        };
        Err(CliError::Usage(why.to_owned()))
    }

    /// Describes the run for `--resume`: the version, the inputs with their sizes, and the options that change results.
    fn record(&self) -> Map<String, Value> {
        let mut record = self.args.options.clone();
        record.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
        record.insert("input".to_owned(), resume::inputs(self.inputs).into());
        record
    }
}

/// The parts of a run that the work on a problem needs.
pub(crate) struct WorkerTools<'a> {
    pub stop: &'a AtomicBool,
    pub nodes: &'a NodeCount,
    /// The threads that have nothing to do.
    pub spare: &'a SpareThreads,
    /// The memory for graphs of the thread that works on the problem.
    pub region: &'a mut Region,
}

impl WorkerTools<'_> {
    /// Returns what is around the report on a problem.
    pub(crate) fn context(&self) -> ReportContext<'_> {
        ReportContext { threads: self.spare, ..ReportContext::new(self.stop) }
    }

    /// Counts the nodes of an answer that did not count them itself.
    pub(crate) fn count(&self, nodes: u64) {
        self.nodes.0.fetch_add(nodes, Relaxed);
    }
}

/// A problem of an input.
pub(crate) trait RunItem: Send {
    /// Returns the number of its input, from 0, and its line there.
    fn place(&self) -> (usize, usize);

    /// Returns its name.
    fn id(&self) -> Option<String>;

    /// Returns the parts of its text on which the answer depends.
    fn text(&self) -> String;

    /// Returns its position, if a result has the same.
    fn fen(&self) -> Option<&str> {
        None
    }
}

impl RunItem for Entry {
    fn place(&self) -> (usize, usize) {
        (self.file, self.line)
    }

    fn id(&self) -> Option<String> {
        Entry::id(self)
    }

    fn text(&self) -> String {
        let olv = self.olv.as_ref().map_or("", |olv| olv.source());
        match &self.problem {
            Ok(Problem { fen, question, id, operations, given, .. }) => {
                let operations: Vec<String> = operations.iter().map(ToString::to_string).collect();
                json!([self.line, fen, question.stipulation.to_string(), id, operations, given.fields, olv]).to_string()
            }
            Err(error) => json!([self.line, error.to_string(), olv]).to_string(),
        }
    }

    fn fen(&self) -> Option<&str> {
        self.problem.as_ref().ok().map(|problem| problem.fen.as_str())
    }
}

/// The place of an answer in a run.
pub(crate) struct RunPlace<'a> {
    files: &'a RunFiles<'a>,
    file: usize,
    line: usize,
    /// The numbers of answers so far, to which this one is added.
    pub tally: &'a mut Tally,
}

impl RunPlace<'_> {
    /// Returns the name of the input.
    pub(crate) fn name(&self) -> &str {
        &self.files.names[self.file]
    }

    /// Returns the name of the input if there are several.
    pub(crate) fn one_of_several(&self) -> Option<&str> {
        (self.files.names.len() > 1).then(|| self.name())
    }

    /// Prints a message about the problem.
    pub(crate) fn message(&self, text: &str) {
        print_message(&format!("{}:{}: {text}", self.name(), self.line));
    }

    /// Prints warnings about the problem, unless the run is quiet.
    pub(crate) fn warn(&self, warnings: &[String]) {
        warnings.iter().filter(|_| !self.files.quiet).for_each(|text| self.message(&format!("warning: {text}")));
    }
}

/// What a command does with the problems of files, one after the other: it counts and writes their answers.
pub(crate) trait Run {
    /// A problem of the input.
    type Item: RunItem;
    /// The answer to it.
    type Answer: Send;
    /// The parts that are read again of an answer that an earlier run has written.
    type Written: DeserializeOwned;

    /// The word for several problems: `lines`.
    const PROBLEMS: &'static str;
    /// The words for what an input without problems lacks.
    const NOTHING: &'static str;
    /// Whether a result names its file, so that shares of several files can be put together.
    const NAMES_FILES: bool = false;

    /// Returns the name that the answer to a problem has.
    fn id(item: &Self::Item) -> Option<String> {
        item.id()
    }

    /// Counts the answer that an earlier run has written. Returns false if it is not the answer to this problem,
    /// although line and name are.
    fn count(&mut self, written: Self::Written, item: &Self::Item, tally: &mut Tally) -> bool;

    /// Returns whether the user ended the search for this answer.
    fn is_interrupted(answer: &Self::Answer) -> bool;

    /// Counts an answer and writes it.
    fn write(&mut self, answer: Self::Answer, place: &mut RunPlace<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// Ends the output.
    fn end(&mut self, _files: &RunFiles<'_>, _tally: &Tally, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Returns the totals of a run with answers, with line breaks: a text ends with them. Empty if it has none.
    fn totals(&self, tally: &Tally) -> String;

    /// Returns what standard error shows at the end of a run with answers: the totals, unless a text has them.
    fn summary(&self, tally: &Tally, is_text: bool) -> String {
        if is_text { String::new() } else { self.totals(tally) }
    }

    /// Returns the exit code of a run that came to its end.
    fn exit(&mut self, tally: &Tally) -> Result<Exit, CliError> {
        Ok(tally.exit())
    }
}

/// The problems of a run.
pub(crate) type Items<'a, R> = Box<dyn Iterator<Item = <R as Run>::Item> + Send + 'a>;

/// Works on the problems of files, `jobs` at a time. `open` opens all inputs and returns their problems; `work` answers
/// one.
pub(crate) fn over_files<'a, R: Run + 'a>(
    files: &RunFiles<'a>,
    jobs: usize,
    open: impl FnOnce() -> Result<Items<'a, R>, CliError>,
    work: impl Fn(R::Item, &mut WorkerTools<'_>) -> R::Answer + Sync,
    mut run: R,
) -> Result<Exit, CliError> {
    files.check::<R>()?;
    let mut items = open()?;
    if let Some(shard) = files.args.shard {
        items = Box::new(items.enumerate().filter(move |(index, _)| shard.has(*index)).map(|(_, item)| item));
    }
    let interrupt = Interrupt::install();
    let (stop, nodes, mut tally) = (interrupt.stop_flag(), NodeCount::default(), Tally::default());
    let progress = BatchProgress::new(files.quiet, files.inputs, &nodes);
    let mut out = match files.output {
        Some(path) if files.args.resume => {
            let (rest, results) = read_again(&mut run, files, path, items, (&mut tally, &progress))?;
            items = rest;
            RunOutput::Continued(results)
        }
        path if files.is_exact() || files.format == JSON_LINES => RunOutput::New(output_file::open_exact(path)?),
        path => RunOutput::New(output_file::open(path, files.color)?),
    };
    let work = |item: R::Item, spare: &SpareThreads, region: &mut Region| {
        let place = item.place();
        (place, work(item, &mut WorkerTools { stop, nodes: &nodes, spare, region }))
    };
    let mut is_cut = false;
    let emit = &mut |((file, line), answer)| {
        // A continued run begins with the first problem that was interrupted.
        is_cut |= files.args.resume && R::is_interrupted(&answer);
        if is_cut {
            return Ok(());
        }
        progress.suspend(|| {
            // In large pieces, so that an ended run leaves whole lines as far as possible.
            let mut out = BufWriter::with_capacity(BYTES_AT_ONCE, out.writer());
            run.write(answer, &mut RunPlace { files, file, line, tally: &mut tally }, &mut out)?;
            out.flush()
        })?;
        progress.add(tally, (file, line), true);
        Ok(())
    };
    let finished = each(items, jobs, files.order, stop, work, emit);
    progress.remove();
    finished?;
    run.end(files, &tally, out.writer())?;
    let (any, is_text) = (tally.lines > 0, files.format == TEXT);
    if any && is_text {
        out.writer().write_all(run.totals(&tally).as_bytes())?;
    }
    out.finish()?;
    if any && !files.quiet {
        print_lines(run.summary(&tally, is_text).trim_start_matches('\n'));
    }
    ended(&mut run, &tally, files, &interrupt)
}

/// Counts the results that an earlier run has written to `path`. Returns the problems that are left, and the file for
/// their results.
fn read_again<'a, R: Run + 'a>(
    run: &mut R,
    files: &RunFiles<'a>,
    path: &Path,
    items: Items<'a, R>,
    (tally, progress): (&mut Tally, &BatchProgress),
) -> Result<(Items<'a, R>, SyncedFile), CliError> {
    let problems = Problems::default();
    let mut watched = problems.watch(items, R::Item::text).peekable();
    let mut results = resume::open(path, files.record(), &problems)?;
    while let Some(item) = watched.peek() {
        let Some((of, written)) = results.next()? else { break };
        let place = item.place();
        if !(is_of::<R>(&of, item, &files.names) && run.count(written, item, tally)) {
            return Err(results.other_input(place.1));
        }
        results.check_saved()?;
        progress.add(*tally, place, false);
        watched.next();
    }
    if !files.quiet {
        results.warn_uncompared();
    }
    let is_end = watched.peek().is_none();
    Ok((Box::new(watched), results.finish(is_end)?))
}

/// Returns whether a result belongs to a problem, as far as its line, its name, its men and its file say.
fn is_of<R: Run>(of: &Identity, item: &R::Item, names: &[String]) -> bool {
    let ((file, line), id) = (item.place(), R::id(item));
    // A report may have other castling rights than the input.
    let board = |fen: Option<&str>| fen.and_then(|fen| fen.split(' ').next()).map(str::to_owned);
    let printed = |id: Option<&str>| id.map(|id| printable::line(id).into_owned());
    of.line == Some(line)
        && printed(of.id.as_deref()) == printed(id.as_deref())
        && board(of.fen()).zip(board(item.fen())).is_none_or(|(written, here)| written == here)
        && (!R::NAMES_FILES || of.file.as_ref() == Some(&names[file]))
}

/// Says why a run does not end with success, and returns its exit code.
fn ended<R: Run>(run: &mut R, tally: &Tally, files: &RunFiles<'_>, interrupt: &Interrupt) -> Result<Exit, CliError> {
    let (exit, done) = (run.exit(tally)?, tally.lines);
    print_unsolved_twins(tally.twins);
    if interrupt.is_requested() {
        let problems = R::PROBLEMS;
        print_message(&format!(
            "matesolve: interrupted after {done} {problems}; the remaining {problems} were not tried"
        ));
        return Ok(Exit::Interrupted);
    }
    Ok(match done {
        // Of few problems, some shares have none.
        0 if files.args.shard.is_some() => Exit::Answered,
        0 => {
            print_message(&format!("matesolve: {} holds no {}", files.names.join(", "), R::NOTHING));
            Exit::Invalid
        }
        _ => exit,
    })
}

/// The K-th of N shares: every N-th problem of the input, beginning with the K-th. It depends on the input alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 1 to `of`.
    number: usize,
    of: usize,
}

impl Shard {
    /// Returns whether the share has the problem with this index, from 0.
    pub(crate) fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err("write K/N, such as 1/4 to 4/4 for four shares".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_in_one_share() {
        let shares: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        for index in 0..10 {
            assert_eq!(shares.iter().filter(|share| share.has(index)).count(), 1);
        }
        assert!(shares[0].has(0) && shares[2].has(5) && shares[1] == Shard { number: 2, of: 3 });
        for text in ["0/3", "4/3", "3", "a/b", "1/0", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
