//! `matesolve popeye`: reads Popeye's input and prints solutions in Popeye's layout, for programs that call Popeye.
//!
//! A link to matesolve whose name begins with `popeye` or `pywin`, or is `py`, does the same: an editor that calls
//! Popeye may have a setting for its path and none for its first argument.
//!
//! The solutions go to standard output, warnings to standard error. A problem that is refused gets a sentence in the
//! place of its solution, and the next one follows. If the input can be read, the exit code is 0 whatever the solutions
//! are, unless the program fails or is interrupted.

pub(crate) mod args;

use std::ffi::OsString;
use std::io::{self, Read as _, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::base::printable;
use crate::output::popeye::{diagram::diagram, run, words::PopeyeWords};
use crate::problem::Asked;
use crate::problem::popeye::{self, PopeyeOptions, PopeyeProblem};
use crate::problem::twins::Phase;
use crate::report::{ReportContext, ReportRequest, report};
use crate::results::report::{Extent, ReportOptions};
use crate::results::solution::StoppedBy;
use crate::solve::Limits;
use matesolve_terms::encoding::decoded;

use crate::cli::files::inputs;
use crate::cli::help;
use crate::cli::options::{config, question};
use crate::cli::popeye::args::PopeyeArgs;
use crate::cli::terminal::{CliError, Exit, Interrupt, ProgressLine, print_message, print_warnings};

/// The longest input, in bytes.
const LONGEST_INPUT: u64 = 64 << 20;

/// The memory of a search without `-maxmem`, in bytes.
const MEMORY: usize = 256 << 20;
/// The least memory of a search, in bytes.
const LEAST_MEMORY: usize = 1 << 20;

/// The greatest number of positions in the tree of a solution. Popeye has no limit; this one keeps the memory bounded.
const TREE: usize = 1_000_000;

/// Returns whether a program of this name is to act as Popeye.
pub(crate) fn is_name_of_popeye(program: &OsString) -> bool {
    let stem = Path::new(program).file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase());
    stem.is_some_and(|stem| stem == "py" || stem.starts_with("popeye") || stem.starts_with("pywin"))
}

pub(crate) fn run(words: &[OsString]) -> Result<Exit, CliError> {
    let args = PopeyeArgs::read(words)?;
    if args.help {
        return help::print(Some("popeye"));
    }
    print_warnings(&args.warnings, false);
    let path = args.file.clone().unwrap_or_else(|| "-".into());
    let text = text_of(&path)?;
    let memory = config::share_of_memory(args.memory.unwrap_or(MEMORY), 1, false).max(LEAST_MEMORY);
    let problems = match popeye::read(&text) {
        Ok(problems) => problems,
        Err(error) => {
            print_message(&format!("matesolve: {}: {error}", inputs::name(&path)));
            return Ok(Exit::Invalid);
        }
    };
    let mut run = PopeyeRun {
        args,
        memory,
        name: inputs::name(&path),
        out: io::stdout().lock(),
        interrupt: Interrupt::install(),
        place: String::new(),
        refused: 0,
        failed: false,
    };
    if !run.args.regression {
        writeln!(run.out, "matesolve {} ({} MB)", env!("CARGO_PKG_VERSION"), memory >> 20)?;
    }
    for (number, problem) in (1..).zip(&problems) {
        run.place = format!("problem {number} of {}: ", problems.len());
        run.problem(problem)?;
        if run.interrupt.is_requested() {
            return Ok(Exit::Interrupted);
        }
    }
    if run.refused > 0 {
        let (name, refused) = (&run.name, run.refused);
        print_message(&format!("matesolve: {name}: not solved: {refused}; the output says why in the place of each"));
    }
    Ok(if run.failed { Exit::Failed } else { Exit::Answered })
}

/// Reads the input. What is not UTF-8 is read as Latin-1, in which old files are written.
fn text_of(path: &Path) -> Result<String, CliError> {
    let unreadable = |error: io::Error| CliError::Usage(format!("{} cannot be read: {error}", inputs::name(path)));
    let mut bytes = Vec::new();
    inputs::open(path)?.take(LONGEST_INPUT + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LONGEST_INPUT {
        let why = format!("{} is longer than {} MiB; divide it", inputs::name(path), LONGEST_INPUT >> 20);
        return Err(CliError::Usage(why));
    }
    // Old inputs of Popeye are Latin-1 as often as UTF-8, so nobody is warned.
    Ok(decoded(bytes).text)
}

/// A run over an input.
struct PopeyeRun<W> {
    args: PopeyeArgs,
    /// The memory of a search, in bytes.
    memory: usize,
    /// The name of the input.
    name: String,
    out: W,
    interrupt: Interrupt,
    /// The number of the problem, for the progress.
    place: String,
    /// The number of problems and phases that were refused.
    refused: usize,
    /// Whether the program failed on a phase.
    failed: bool,
}

impl<W: Write> PopeyeRun<W> {
    /// Solves one problem and prints its solution.
    fn problem(&mut self, problem: &PopeyeProblem) -> Result<(), CliError> {
        let start = Instant::now();
        let words = PopeyeWords::of(problem.language);
        for note in &problem.notes {
            print_message(&format!("matesolve: {}: {note}", self.name));
        }
        if problem.refused.is_none() {
            self.print(&diagram(problem))?;
        }
        let complete = match refusal(problem) {
            Some(why) => self.refuse(&why)?,
            None => self.phases(problem, words, start)?,
        };
        if problem.refused.is_none()
            && let Some(note) = run::not_applied(&problem.options)
        {
            self.print(&format!("\n{{{note}}}\n"))?;
        }
        let end = if complete { words.finished } else { words.partial };
        let time = if self.args.regression { "-".to_owned() } else { duration(start.elapsed()) };
        self.print(&format!("\n{end} {} = {time}\n\n\n", words.time))
    }

    /// Solves the phases of a problem. Returns whether all solutions are complete.
    fn phases(&mut self, problem: &PopeyeProblem, words: PopeyeWords, start: Instant) -> Result<bool, CliError> {
        let options = PopeyeOptions {
            max_solutions: self.args.max_solutions.into_iter().chain(problem.options.max_solutions).min(),
            ..problem.options.clone()
        };
        let limits = self.args.time.into_iter().chain(options.max_time.map(u64::from));
        let deadline = limits.min().and_then(|seconds| start.checked_add(Duration::from_secs(seconds)));
        if problem.twins.zero_position {
            self.print(&format!("\n{}\n", words.zero_position))?;
        }
        let mut heading = String::new();
        let mut complete = true;
        for phase in problem.phases() {
            let name = &phase.name;
            let sign = if name.continued { "+" } else { "" };
            let gap = if name.heading.is_empty() { "" } else { "  " };
            let this = format!("\n{sign}{}) {}{gap}\n", name.letter, printable::line(&words.heading(&name.heading)));
            if !name.letter.is_empty() && this != heading {
                self.print(&this)?;
                heading = this;
            }
            complete &= self.phase(&phase, &options, words, deadline)?;
        }
        Ok(complete)
    }

    /// Solves one phase and prints its solution. Returns whether it is complete.
    fn phase(
        &mut self,
        phase: &Phase,
        options: &PopeyeOptions,
        words: PopeyeWords,
        deadline: Option<Instant>,
    ) -> Result<bool, CliError> {
        let problem = match &phase.problem {
            Ok(problem) => problem,
            Err(error) => return self.refuse(&error.to_string()),
        };
        let limits = Limits {
            time: deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            hash: self.memory,
            threads: config::total_threads(self.args.threads),
            ..Limits::default()
        };
        let told = Asked { most: question::most(options.max_solutions), ..Asked::default() };
        let problem = &problem.clone().asked(&told).unwrap_or_else(|_| problem.clone());
        let request = ReportRequest {
            options: report_options(options),
            proves_en_passant: false,
            limits,
            ..ReportRequest::default()
        };
        let progress = ProgressLine::new(false, false).about(problem).labelled(&self.place);
        let report = report(problem, &request, ReportContext::new(self.interrupt.stop_flag()).observed(&progress));
        progress.remove();
        for warning in &report.warnings {
            print_message(&format!("matesolve: {}: {warning}", self.name));
        }
        self.failed |= report.internal_failure;
        if let Some(error) = &report.error {
            return self.refuse(error);
        }
        let complete = run::phase(&report, &problem.chess, options, words, &mut self.out)?;
        self.out.flush()?;
        Ok(complete && report.stats.stopped_by != Some(StoppedBy::Interrupt))
    }

    /// Counts a refusal, and says why in the place of the solution. Returns false: the solutions are not complete.
    fn refuse(&mut self, why: &str) -> Result<bool, CliError> {
        self.refused += 1;
        self.print(&format!("\n{}\n\n", printable::line(why)))?;
        Ok(false)
    }

    fn print(&mut self, text: &str) -> Result<(), CliError> {
        self.out.write_all(text.as_bytes())?;
        Ok(self.out.flush()?)
    }
}

/// Returns the sentence for a problem that cannot be solved.
fn refusal(problem: &PopeyeProblem) -> Option<String> {
    let nothing = || "there is no stipulation; write one, such as Stipulation #2".to_owned();
    let refused = problem.refused.as_ref().map(ToString::to_string);
    refused.or_else(|| problem.stipulation.is_none().then(nothing))
}

/// Returns the options of a report that contains what these options ask for.
fn report_options(options: &PopeyeOptions) -> ReportOptions {
    ReportOptions {
        tries: options.tries,
        set_play: options.phase.set_play,
        extent: if options.variations { Extent::WholeSolution } else { Extent::FirstMoves },
        post_key: options.phase.post_key,
        threats: !options.no_threats,
        full_length: true,
        max_tree_nodes: TREE,
        ..ReportOptions::default()
    }
}

/// Writes a time as Popeye does: `0.044 s`, `1:02.500 m:s`, `1:00:00 h:m:s`.
fn duration(time: Duration) -> String {
    let (seconds, millis) = (time.as_secs(), time.subsec_millis());
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds}.{millis:03} s"),
        (0, _) => format!("{minutes}:{seconds:02}.{millis:03} m:s"),
        _ => format!("{hours}:{minutes:02}:{seconds:02} h:m:s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_popeye_writes_them() {
        let written = |millis| duration(Duration::from_millis(millis));
        assert_eq!([written(44), written(62_500), written(3_600_000)], ["0.044 s", "1:02.500 m:s", "1:00:00 h:m:s"]);
    }

    #[test]
    fn a_link_of_popeyes_name_acts_as_popeye() {
        for (name, expected) in
            [("/usr/bin/popeye", true), ("py.exe", true), ("pywin64", true), ("python", false), ("matesolve", false)]
        {
            assert_eq!(is_name_of_popeye(&OsString::from(name)), expected, "{name}");
        }
    }
}
