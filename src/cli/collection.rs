//! `matesolve report FILE.olv`: reports on every entry of `.olv` collections.
//!
//! With `--format olv` the collection is written again, each entry with its solution filled in and nothing else
//! changed. An entry that cannot be solved is written unchanged, and a message says why.

use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use crate::output;
use crate::output::report::ReportFormat;
use crate::problem::ProblemError;
use crate::problem::olv::{Document, Documents, OlvEntry};
use crate::report::{Castling, ReportRequest, invalid, report};
use crate::results::report::Report;

use super::args::ReportArgs;
use super::config;
use super::exit::Exit;
use super::inputs;
use super::interrupt::Interrupt;
use super::messages::{CliError, print_message};

/// Returns the input files if every word of the position argument names a collection or is `-` (standard input).
pub(super) fn files(position: &[String]) -> Option<Vec<PathBuf>> {
    let files: Vec<PathBuf> = position.iter().map(PathBuf::from).collect();
    let is_input = |path: &PathBuf| inputs::is_stdin(path) || inputs::is_collection(path);
    (!files.is_empty() && files.iter().all(is_input)).then_some(files)
}

/// Reports on all entries of the files, in their order.
pub(super) fn run(args: &ReportArgs, mut request: ReportRequest, files: &[PathBuf]) -> Result<Exit, CliError> {
    if args.format == ReportFormat::Html {
        let why = "--format html writes a page for one problem; give its position instead of a collection";
        return Err(CliError::Usage(why.to_owned()));
    }
    let opened = files.iter().map(|path| inputs::open(path)).collect::<Result<Vec<_>, _>>()?;
    request.time = config::batch_time(request.time, request.nodes);
    request.castling = args.rights.castling.unwrap_or(Castling::Fen);
    let interrupt = Interrupt::install();
    let out = anstream::AutoStream::new(io::stdout().lock(), args.color.into());
    let mut run = CollectionRun { args, request, interrupt, out, entries: 0, sound: 0, failed: false };
    for (path, file) in files.iter().zip(opened) {
        for document in Documents::new(BufReader::new(file)) {
            if run.interrupt.is_requested() {
                break;
            }
            run.add(&inputs::name(path), document)?;
        }
    }
    run.finish()
}

/// The state of a run over collections.
struct CollectionRun<'a, W> {
    args: &'a ReportArgs,
    /// The request from the command line.
    request: ReportRequest,
    interrupt: Interrupt,
    out: W,
    /// The number of entries reported on.
    entries: usize,
    /// The number of sound entries.
    sound: usize,
    /// Whether an entry ended with an internal failure.
    failed: bool,
}

impl<W: Write> CollectionRun<'_, W> {
    /// Reports on one document of `file`.
    fn add(&mut self, file: &str, document: io::Result<Document>) -> Result<(), CliError> {
        let unreadable = |error| CliError::Usage(format!("{file} cannot be read any further: {error}"));
        let Document { line, text } = document.map_err(unreadable)?;
        let entry = match &text {
            Some(text) => OlvEntry::read(text, line),
            None => Err(ProblemError::Text(
                "the entry is too long or not UTF-8 text; shorten it or convert it to UTF-8".to_owned(),
            )),
        };
        let report = match &entry {
            Ok(entry) => report(&entry.problem, &self.request_for(entry), self.interrupt.stop_flag()),
            Err(error) => invalid(error, self.request.options),
        };
        let warnings = report.warnings.iter().filter(|_| !self.args.quiet).map(|text| format!("warning: {text}"));
        for message in warnings.chain(report.error.clone()) {
            print_message(&format!("{file}:{line}: {message}"));
        }
        let exit = Exit::of_report(&report);
        self.failed |= exit == Exit::Failed;
        self.sound += usize::from(exit == Exit::Answered);
        let output = match (self.args.format, entry) {
            (ReportFormat::Olv, Ok(entry)) => output::olv::solved(&entry, &report).unwrap_or_else(|error| {
                print_message(&format!("{file}:{line}: {error}"));
                format!("---\n{}", entry.source())
            }),
            (ReportFormat::Olv, Err(_)) => text.map_or(String::new(), |text| format!("---\n{text}")),
            (format, _) => self.format_report(format, &report, line),
        };
        write!(self.out, "{output}")?;
        self.entries += 1;
        self.out.flush()?;
        Ok(())
    }

    /// Adds what the entry's own options demand to the request from the command line.
    fn request_for(&self, entry: &OlvEntry) -> ReportRequest {
        let mut request = self.request.clone();
        request.options.set_play |= entry.options.set_play;
        request.options.tries = request.options.tries.or(entry.options.tries);
        if request.options.intended_solutions == 1 {
            request.options.intended_solutions = entry.intended.unwrap_or(1);
        }
        request
    }

    /// Formats a report as one of several; `line` is the line number of its entry.
    fn format_report(&self, format: ReportFormat, report: &Report, line: usize) -> String {
        if report.position.is_none() && !format.writes_errors() {
            return String::new();
        }
        let text = format.write(report);
        match format {
            ReportFormat::Json if self.entries == 0 => format!("[\n{text}"),
            ReportFormat::Json => format!(",\n{text}"),
            ReportFormat::Jsonl => format!("{text}\n"),
            _ => {
                let name = report.id.as_deref().map_or(String::new(), |id| format!(" {id}"));
                format!("{line}{name}\n\n{text}\n\n")
            }
        }
    }

    /// Ends the output and returns the exit code.
    fn finish(mut self) -> Result<Exit, CliError> {
        if self.args.format == ReportFormat::Json {
            let end = if self.entries == 0 { "[]\n" } else { "\n]\n" };
            self.out.write_all(end.as_bytes())?;
            self.out.flush()?;
        }
        Ok(match self {
            _ if self.interrupt.is_requested() => {
                print_message(&format!(
                    "matesolve: interrupted after {} entries; the remaining entries were not tried",
                    self.entries
                ));
                Exit::Interrupted
            }
            CollectionRun { failed: true, .. } => Exit::Failed,
            CollectionRun { entries: 0, .. } => {
                print_message("matesolve: the collection holds no entry; every entry must begin with a line ---");
                Exit::Invalid
            }
            CollectionRun { entries, sound, .. } if entries == sound => Exit::Answered,
            _ => Exit::Incomplete,
        })
    }
}
