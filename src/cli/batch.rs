//! `matesolve batch FILE…`: solves files of problems and prints one result per line.

use std::io::{self, BufReader, Write};
use std::time::Instant;

use crate::batch::{self, BatchAnswer};
use crate::output::{Format, epd};
use crate::problem::source;
use crate::results::Solution;

use super::args::BatchArgs;
use super::config::{self, OutputSettings};
use super::exit::{Exit, Tally};
use super::inputs;
use super::interrupt::Interrupt;
use super::messages::{CliError, print_message, print_unsolved_twins};
use super::output_file;
use super::progress::ProgressLine;
use super::summary::Summary;

pub(super) fn run(args: &BatchArgs) -> Result<Exit, CliError> {
    let (request, jobs) = config::batch(&args.common, args.jobs)?;
    let files = args.files.iter().map(|path| inputs::open(path)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = args.files.iter().map(|path| inputs::name(path)).collect();
    let collections: Vec<bool> = args.files.iter().map(|path| inputs::is_collection(path)).collect();
    let files = files.into_iter().zip(collections).enumerate();
    let lines = files.flat_map(|(number, (file, olv))| source::problems(BufReader::new(file), number, olv));
    let question = &args.common.question;
    let lines = lines.map(|mut line| {
        if let Ok(problem) = &mut line.problem {
            question.stipulate(problem);
        }
        line
    });
    let settings = OutputSettings::new(&args.common.output);
    let interrupt = Interrupt::install();
    let mut output = BatchOutput {
        settings,
        out: output_file::open(args.common.output.output.as_deref(), &args.files, settings.color)?,
        tally: Tally::default(),
        progress: ProgressLine::new(settings),
        summary: Summary::default(),
        update: args.update,
        started: Instant::now(),
    };
    let emit = &mut |answer| output.add(answer, &names);
    let finished = batch::run(lines, &request, args.check, jobs, interrupt.stop_flag(), emit);
    output.progress.remove();
    finished?;
    output.finish()?;
    if interrupt.is_requested() {
        print_message(&format!(
            "matesolve: interrupted after {} lines; the remaining lines were not tried",
            output.tally.lines
        ));
        return Ok(Exit::Interrupted);
    }
    print_unsolved_twins(output.tally.twins);
    if output.tally.lines == 0 {
        print_message(&format!("matesolve: {} holds no position; write one FEN or EPD on each line", names.join(", ")));
    }
    Ok(output.tally.exit())
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
}

impl<W: Write> BatchOutput<W> {
    /// Prints one result. `names` are the names of the inputs.
    fn add(&mut self, mut answer: BatchAnswer, names: &[String]) -> io::Result<()> {
        if self.update {
            epd::update(&mut answer.solution);
        }
        let solution = &answer.solution;
        self.summary.add(solution);
        let format = self.settings.format;
        let text = format.item(solution, self.tally.lines == 0);
        self.tally.add(solution);
        let out = &mut self.out;
        let quiet = self.settings.quiet;
        self.progress.suspend(|| {
            print_messages(solution, names.get(answer.file).map_or("-", String::as_str), quiet);
            write!(out, "{text}{}", format.separator())?;
            out.flush()
        })?;
        self.progress.show_tally(self.tally);
        Ok(())
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
            print_message(&self.summary.text(&self.tally, !is_text, self.started.elapsed()));
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
