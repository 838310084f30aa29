//! `matesolve batch FILE…`: problems by the line.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use crate::batch::{self, Answered};
use crate::output::Format;
use crate::problem::source;
use crate::results::Solution;

use super::args::BatchArgs;
use super::config::{self, Output};
use super::exit::Tally;
use super::interrupt::Interrupt;
use super::progress::Progress;
use super::{Exit, Failure, collection, complain};

pub(super) fn run(args: &BatchArgs) -> Result<Exit, Failure> {
    let (request, jobs) = config::batch(&args.common, args.jobs)?;
    let inputs = args.files.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = args.files.iter().map(|path| name(path)).collect();
    let collections: Vec<bool> = args.files.iter().map(|path| collection::is_collection(path)).collect();
    let inputs = inputs.into_iter().zip(collections).enumerate();
    let lines = inputs.flat_map(|(file, (input, olv))| source::problems(BufReader::new(input), file, olv));
    let output = Output::new(&args.common.output);
    let interrupt = Interrupt::listen();
    let mut report =
        BatchOutput { output, out: output.stdout(), tally: Tally::default(), progress: Progress::new(output) };
    let done = batch::run(lines, &request, jobs, interrupt.stop(), &mut |answered| report.add(&answered, &names));
    report.progress.end();
    done?;
    report.end()?;
    if interrupt.asked() {
        complain(&format!("matesolve: interrupted after {} lines; the rest was not tried", report.tally.lines));
        return Ok(Exit::Interrupted);
    }
    if report.tally.lines == 0 {
        complain(&format!("matesolve: {} holds no position; one FEN or EPD a line is expected", names.join(", ")));
    }
    Ok(report.tally.exit())
}

/// What is told about the answers as they come.
struct BatchOutput<W> {
    output: Output,
    out: W,
    tally: Tally,
    progress: Progress,
}

impl<W: Write> BatchOutput<W> {
    fn add(&mut self, answered: &Answered, names: &[String]) -> io::Result<()> {
        let solution = &answered.solution;
        let format = self.output.format;
        let text = format.item(solution, self.tally.lines == 0);
        self.tally.add(solution);
        let out = &mut self.out;
        let quiet = self.output.quiet;
        self.progress.aside(|| {
            comment(solution, names.get(answered.file).map_or("-", String::as_str), quiet);
            write!(out, "{text}{}", format.separator())?;
            out.flush()
        })?;
        self.progress.tally(self.tally);
        Ok(())
    }

    /// Closes the output, and sums up at the end of a text.
    fn end(&mut self) -> io::Result<()> {
        if let Some(end) = self.output.format.end(self.tally.lines == 0) {
            self.out.write_all(end.as_bytes())?;
        }
        let Tally { lines, mates, proved, refuted, undecided, invalid, failed } = self.tally;
        if self.output.format == Format::Text && lines > 0 {
            write!(self.out, "lines {lines}: mates {mates} (proved shortest {proved}), no mate {refuted}, ")?;
            writeln!(self.out, "undecided {undecided}, invalid {invalid}, failed {failed}")?;
        }
        self.out.flush()
    }
}

/// Errors and warnings of a line, with its place.
fn comment(solution: &Solution, file: &str, quiet: bool) {
    let place = format!("{file}:{}", solution.line.unwrap_or_default());
    for warning in solution.warnings.iter().filter(|_| !quiet) {
        complain(&format!("{place}: warning: {warning}"));
    }
    if let Some(error) = &solution.error {
        complain(&format!("{place}: {error}"));
    }
}

pub(super) fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens an input before anything is solved, so that a mistyped name does not come up after an hour.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read + Send>, Failure> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin()));
    }
    let unreadable = |why: &str| Failure::Usage(format!("{} cannot be read: {why}", path.display()));
    let file = File::open(path).map_err(|error| unreadable(&error.to_string()))?;
    let metadata = file.metadata().map_err(|error| unreadable(&error.to_string()))?;
    if metadata.is_dir() {
        return Err(unreadable("it is a directory; name the files in it"));
    }
    Ok(Box::new(file))
}
