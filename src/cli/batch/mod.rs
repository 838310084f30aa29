//! `matesolve batch FILE…`: solves files of problems and writes a result for each.

pub(crate) mod args;
pub(crate) mod summary;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::batch::{Batch, BatchAnswer, Order};
use crate::output::epd;
use crate::problem::Asked;
use crate::problem::input::Entry;
use crate::results::Solution;
use crate::results::solution::{Status, StoppedBy};

use crate::cli::batch::args::BatchArgs;
use crate::cli::batch::summary::Summary;
use crate::cli::files::inputs;
use crate::cli::options::config;
use crate::cli::runs::run::{Items, Run, RunFiles, RunPlace, WorkerTools, over_files};
use crate::cli::terminal::{CliError, Exit, Tally};

pub(crate) fn run(args: &BatchArgs) -> Result<Exit, CliError> {
    let (common, output) = (&args.common, &args.common.output);
    let files = RunFiles::new(&args.run, &common.search.limits, &args.files, output.quiet);
    let mut files = files.writing(output.format, output.output.as_ref(), output.color);
    files.order = if args.unordered { Order::Ready } else { Order::Input };
    let (limits, jobs) = files.limits()?;
    let request = config::request(common, limits)?;
    let asked = common.question.asked()?;
    let run = BatchRun { args, summary: Summary::default(), started: Instant::now() };
    let batch = Batch::new(&request, args.checking.checking(), jobs);
    let work = |line: Entry, tools: &mut WorkerTools<'_>| {
        let started = Instant::now();
        let answer = batch.answer(&line, tools.region, tools.stop, tools.nodes);
        (answer, started.elapsed())
    };
    over_files(&files, jobs, || problems(args, asked), work, run)
}

/// Returns the problems of all inputs. All inputs are opened first.
fn problems(args: &BatchArgs, told: Asked) -> Result<Items<'_, BatchRun<'_>>, CliError> {
    let lines = inputs::all_entries(&args.files, args.game.ply, false)?;
    Ok(Box::new(lines.map(move |line| line.asked(&told))))
}

/// Prints the results of a batch, and counts them.
struct BatchRun<'a> {
    args: &'a BatchArgs,
    summary: Summary,
    started: Instant,
}

impl Run for BatchRun<'_> {
    type Item = Entry;
    /// The answer, and the time that it took.
    type Answer = (BatchAnswer, Duration);
    type Written = Solution;

    const PROBLEMS: &'static str = "lines";
    const NOTHING: &'static str = "position; write one FEN or EPD on each line";

    fn count(&mut self, written: Solution, line: &Entry, tally: &mut Tally) -> bool {
        let mut solution = match &line.problem {
            Ok(problem) => Solution::of(problem),
            Err(error) => Solution::rejected(line, error),
        };
        if line.problem.as_ref().map_or(written.fen.is_some(), |problem| !written.answers(problem)) {
            return false;
        }
        solution.internal_failure = written.error.is_some() && written.result.status != Status::Invalid;
        solution.stipulation = written.stipulation.filter(|_| line.problem.is_ok());
        (solution.stats.nodes, solution.stats.time_ms) = (written.stats.nodes, written.stats.time_ms);
        (solution.result, solution.check) = (written.result, written.check);
        tally.add(&solution);
        self.summary.add(&solution, Duration::from_millis(solution.stats.time_ms), false);
        true
    }

    fn is_interrupted((answer, _): &(BatchAnswer, Duration)) -> bool {
        answer.solution.stats.stopped_by == Some(StoppedBy::Interrupt)
    }

    fn write(
        &mut self,
        (mut answer, time): (BatchAnswer, Duration),
        place: &mut RunPlace<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let output = &self.args.common.output;
        if self.args.update {
            epd::update(&mut answer.solution);
        }
        let (solution, first) = (&answer.solution, place.tally.lines == 0);
        place.tally.add(solution);
        let time = if answer.is_repeated { Duration::from_millis(solution.stats.time_ms) } else { time };
        self.summary.add(solution, time, !answer.is_repeated);
        // The results contain the error too.
        place.warn(&solution.warnings);
        if let Some(error) = solution.error.as_ref().filter(|_| !output.quiet) {
            place.message(error);
        }
        output.format.write_item(solution, first, out)?;
        out.write_all(output.format.separator().as_bytes())
    }

    fn end(&mut self, _: &RunFiles<'_>, tally: &Tally, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.args.common.output.format.end(tally.lines == 0).unwrap_or_default().as_bytes())
    }

    fn totals(&self, tally: &Tally) -> String {
        let nothing = if tally.claims_nothing() { "no line claims anything, so nothing was compared\n" } else { "" };
        format!("{tally}\n{nothing}")
    }

    fn summary(&self, tally: &Tally, is_text: bool) -> String {
        self.summary.text(tally, !is_text, self.started.elapsed())
    }
}
