//! `matesolve batch FILE…`: solves files of problems and prints one result per line.

pub(crate) mod args;
pub(crate) mod summary;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::batch::{Batch, BatchAnswer};
use crate::output::{Format, epd};
use crate::problem::input::Entry;
use crate::results::Solution;
use crate::results::solution::{Status, StoppedBy};

use crate::cli::batch::args::BatchArgs;
use crate::cli::batch::summary::Summary;
use crate::cli::files::inputs;
use crate::cli::options::config::{self, OutputSettings};
use crate::cli::runs::checkpoint::text_of;
use crate::cli::runs::run::{Hands, Items, Run, RunFiles, over_files};
use crate::cli::terminal::{CliError, Exit, Tally, print_message, print_unsolved_twins};

pub(crate) fn run(args: &BatchArgs) -> Result<Exit, CliError> {
    let (request, jobs) = config::batch(&args.common, args.run.jobs, args.memory)?;
    let settings = OutputSettings::new(&args.common.output);
    let files = RunFiles {
        args: &args.run,
        inputs: &args.files,
        output: args.common.output.output.as_deref(),
        color: settings.color,
        quiet: settings.quiet,
        is_jsonl: settings.format == Format::Jsonl,
        is_exact: false,
    };
    let run = BatchRun {
        settings,
        names: files.names(),
        update: args.update,
        tally: Tally::default(),
        summary: Summary::default(),
        started: Instant::now(),
    };
    let batch = Batch::new(&request, args.checking.checking(), jobs);
    let work = |line: Entry, hands: &Hands<'_>| {
        let started = Instant::now();
        let answer = batch.answer(&line, hands.stop, hands.nodes);
        (answer, started.elapsed())
    };
    over_files(files, (&args.common.search.limits, jobs), options(args), || problems(args), work, run)
}

/// Returns the problems of all inputs. All inputs are opened first.
fn problems(args: &BatchArgs) -> Result<Items<'_, BatchRun>, CliError> {
    let question = &args.common.question;
    let lines = inputs::all_entries(&args.files, args.game.ply, false)?;
    Ok(Box::new(lines.map(|line| {
        let mut line = line.asked(question.asked());
        if let Ok(problem) = &mut line.problem {
            question.stipulate(problem);
        }
        line
    })))
}

/// Returns the options that change the results, besides the limits.
fn options(args: &BatchArgs) -> Map<String, Value> {
    let mut options = Map::new();
    options.insert("question".into(), args.common.question.record());
    let (name, of_engine) = (&args.common.search.engine, &args.common.engine_options);
    options.insert("engine".into(), json!({ "name": name, "options": of_engine }));
    options.insert("check".into(), serde_json::to_value(args.checking.checking()).unwrap_or_default());
    options.insert("ply".into(), args.game.ply.into());
    options
}

/// Prints the results of a batch, and counts them.
struct BatchRun {
    settings: OutputSettings,
    /// The names of the inputs.
    names: Vec<String>,
    /// Whether EPD output replaces the operations of the input.
    update: bool,
    tally: Tally,
    summary: Summary,
    started: Instant,
}

impl Run for BatchRun {
    type Item = Entry;
    /// The answer, and the time that it took.
    type Answer = (BatchAnswer, Duration);
    type Written = Solution;

    const PROBLEMS: &'static str = "lines";
    const NOTHING: &'static str = "position; write one FEN or EPD on each line";

    fn place(line: &Entry) -> (usize, usize) {
        (line.file, line.line)
    }

    fn text(line: &Entry) -> String {
        text_of(line)
    }

    fn count(&mut self, written: Solution, line: &Entry) -> bool {
        let mut solution = match &line.problem {
            Ok(problem) => Solution::of(problem),
            Err(error) => Solution::rejected(line, error),
        };
        if (written.line, &written.id, &written.fen) != (solution.line, &solution.id, &solution.fen) {
            return false;
        }
        solution.internal_failure = written.error.is_some() && written.result.status != Status::Invalid;
        solution.stipulation = written.stipulation.filter(|_| line.problem.is_ok());
        (solution.stats.nodes, solution.stats.time_ms) = (written.stats.nodes, written.stats.time_ms);
        (solution.result, solution.check) = (written.result, written.check);
        self.tally.add(&solution);
        self.summary.add(&solution, Duration::from_millis(solution.stats.time_ms), false);
        true
    }

    fn is_interrupted((answer, _): &(BatchAnswer, Duration)) -> bool {
        answer.solution.stats.stopped_by == Some(StoppedBy::Interrupt)
    }

    fn write(&mut self, (mut answer, time): (BatchAnswer, Duration), out: &mut dyn Write) -> io::Result<()> {
        if self.update {
            epd::update(&mut answer.solution);
        }
        let (solution, format, first) = (&answer.solution, self.settings.format, self.tally.lines == 0);
        self.tally.add(solution);
        let time = if answer.is_repeated { Duration::from_millis(solution.stats.time_ms) } else { time };
        self.summary.add(solution, time, !answer.is_repeated);
        print_messages(solution, &self.names[answer.file], self.settings.quiet);
        format.write_item(solution, first, out)?;
        out.write_all(format.separator().as_bytes())
    }

    fn tally(&self) -> Tally {
        self.tally
    }

    /// Text output ends with a line of totals.
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(end) = self.settings.format.end(self.tally.lines == 0) {
            out.write_all(end.as_bytes())?;
        }
        let is_text = self.settings.format == Format::Text;
        let any = self.tally.lines > 0;
        if is_text && any {
            writeln!(out, "{}", self.tally)?;
        }
        out.flush()?;
        if any && !self.settings.quiet {
            let summary = self.summary.text(&self.tally, !is_text, self.started.elapsed());
            summary.lines().for_each(print_message);
        }
        Ok(())
    }

    fn exit(&mut self) -> Result<Exit, CliError> {
        print_unsolved_twins(self.tally.twins);
        Ok(self.tally.exit())
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
