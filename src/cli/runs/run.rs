//! One run over files, for every command that answers their problems one by one: `batch`, `report`, `audit`, `puzzles`.
//!
//! Several problems are worked on at the same time, and what is written of them stands in input order. A run can be
//! divided among machines (`--shard`) and continued (`--resume`). What the command does with a problem is a [`Run`].
//!
//! `--shard K/N`: a fixed share of the problems of an input, for several machines.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use clap::Args as ClapArgs;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::batch::{NodeCount, SpareThreads, ordered};
use crate::cli::files::{inputs, output_file};
use crate::cli::options::args::LimitArgs;
use crate::cli::runs::batch_progress::BatchProgress;
use crate::cli::runs::checkpoint::{Problems, RunOutput};
use crate::cli::runs::resume;
use crate::cli::terminal::{CliError, Exit, Interrupt, Tally, print_message};

/// The largest result that is written in one piece, in bytes.
const BYTES_AT_ONCE: usize = 1 << 16;

/// The options of every run.
#[derive(Debug, ClapArgs)]
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
}

/// The inputs and the output of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunFiles<'a> {
    pub args: &'a RunArgs,
    pub inputs: &'a [PathBuf],
    pub output: Option<&'a Path>,
    pub color: anstream::ColorChoice,
    pub quiet: bool,
    /// Whether each result is one line of JSON.
    pub is_jsonl: bool,
    /// Whether the bytes of a collection are copied.
    pub is_exact: bool,
}

impl RunFiles<'_> {
    /// Returns the names of the inputs, for messages.
    pub(crate) fn names(&self) -> Vec<String> {
        self.inputs.iter().map(|path| inputs::name(path)).collect()
    }

    /// Refuses options that do not fit together, and outputs that would overwrite something.
    fn check<R: Run>(&self) -> Result<(), CliError> {
        let why = if self.args.shard.is_some() && self.inputs.len() > 1 && !R::NAMES_FILES {
            "--shard takes one input, because results are put together by the numbers of their lines; give one FILE"
        } else if self.args.shard.is_some() && self.is_exact {
            "--format olv writes the whole collection; leave out --shard"
        } else if self.args.resume && !self.is_jsonl {
            "--resume needs --format jsonl, whose lines say which problem they answer"
        } else if self.args.resume && self.output.is_some_and(inputs::is_stdin) {
            "--resume needs a file to continue; name it with -o FILE"
        } else {
            return resume::check_outputs(self.output, self.args.resume, self.inputs);
        };
        Err(CliError::Usage(why.to_owned()))
    }

    /// Describes the run for `--resume`: the options that change its results, and its inputs with their sizes.
    fn record(&self, limits: &LimitArgs, options: Map<String, Value>) -> Map<String, Value> {
        let mut record = Map::new();
        record.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        record.insert("input".into(), resume::inputs(self.inputs).into());
        record.insert("shard".into(), self.args.shard.map(|shard| shard.to_string()).into());
        record.insert("limits".into(), resume::limits(limits.time, limits.nodes, limits.hash));
        record.extend(options);
        record
    }
}

/// The parts of a run that the work on a problem needs.
pub(crate) struct Hands<'a> {
    pub stop: &'a AtomicBool,
    pub nodes: &'a NodeCount,
    /// The threads that have nothing to do.
    pub spare: &'a SpareThreads,
}

/// What a command does with the problems of files, one after the other: it counts and writes their answers.
pub(crate) trait Run {
    /// A problem of the input.
    type Item: Send;
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

    /// Returns the number of the input that a problem comes from, from 0, and its line there.
    fn place(item: &Self::Item) -> (usize, usize);

    /// Returns everything that a problem says that its answer depends on.
    fn text(item: &Self::Item) -> String;

    /// Counts the answer that an earlier run has written. Returns false if it is not the answer to this problem.
    fn count(&mut self, written: Self::Written, item: &Self::Item) -> bool;

    /// Returns whether the user ended the search for this answer.
    fn is_interrupted(answer: &Self::Answer) -> bool;

    /// Counts an answer and writes it.
    fn write(&mut self, answer: Self::Answer, out: &mut dyn Write) -> io::Result<()>;

    /// Returns the numbers of answers so far.
    fn tally(&self) -> Tally;

    /// Ends the output, and prints the totals.
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()>;

    /// Returns the exit code of a run that came to its end.
    fn exit(&mut self) -> Result<Exit, CliError>;
}

/// The problems of a run.
pub(crate) type Items<'a, R> = Box<dyn Iterator<Item = <R as Run>::Item> + Send + 'a>;

/// Works on the problems of files, `jobs` at a time. `open` opens all inputs and returns their problems; `work` answers
/// one; `options` are those that change the answers, besides `limits`.
pub(crate) fn over_files<'a, R: Run + 'a>(
    files: RunFiles<'a>,
    (limits, jobs): (&LimitArgs, usize),
    options: Map<String, Value>,
    open: impl FnOnce() -> Result<Items<'a, R>, CliError>,
    work: impl Fn(R::Item, &Hands<'_>) -> R::Answer + Sync,
    mut run: R,
) -> Result<Exit, CliError> {
    files.check::<R>()?;
    let mut items = open()?;
    if let Some(shard) = files.args.shard {
        items = Box::new(items.enumerate().filter(move |(index, _)| shard.has(*index)).map(|(_, item)| item));
    }
    let interrupt = Interrupt::install();
    let (stop, nodes) = (interrupt.stop_flag(), NodeCount::default());
    let progress = BatchProgress::new(files.quiet, files.inputs, &nodes);
    let mut out = match files.output {
        Some(path) if files.args.resume => {
            let problems = Problems::default();
            let mut watched = problems.watch(items, R::text).peekable();
            let mut results = resume::open(path, files.record(limits, options), &problems)?;
            while let Some(item) = watched.peek() {
                let Some(written) = results.next()? else { break };
                let (file, line) = R::place(item);
                if !run.count(written, item) {
                    return Err(results.other_input(line));
                }
                results.check_saved()?;
                progress.add(run.tally(), file, Some(line), false);
                watched.next();
            }
            let is_end = watched.peek().is_none();
            items = Box::new(watched);
            RunOutput::Continued(results.finish(is_end)?)
        }
        path if files.is_exact || files.is_jsonl => RunOutput::New(output_file::open_exact(path)?),
        path => RunOutput::New(output_file::open(path, files.color)?),
    };
    let work = |item: R::Item, spare: &SpareThreads| {
        let place = R::place(&item);
        (place, work(item, &Hands { stop, nodes: &nodes, spare }))
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
            run.write(answer, &mut out)?;
            out.flush()
        })?;
        progress.add(run.tally(), file, Some(line), true);
        Ok(())
    };
    let finished = ordered(items, jobs, stop, work, emit);
    progress.remove();
    finished?;
    run.end(out.writer())?;
    out.finish()?;
    ended(&mut run, &files, &interrupt)
}

/// Says why a run does not end with success, and returns its exit code.
fn ended<R: Run>(run: &mut R, files: &RunFiles<'_>, interrupt: &Interrupt) -> Result<Exit, CliError> {
    let (exit, done) = (run.exit()?, run.tally().lines);
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
            print_message(&format!("matesolve: {} holds no {}", files.names().join(", "), R::NOTHING));
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

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
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
        assert!(shares[0].has(0) && shares[2].has(5) && shares[1].to_string() == "2/3");
        for text in ["0/3", "4/3", "3", "a/b", "1/0", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
