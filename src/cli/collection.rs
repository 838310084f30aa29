//! `matesolve report FILE.olv`: a report on every entry of a collection.
//!
//! With `--format olv` the collection comes out again, each entry with its solution filled in and nothing else changed;
//! an entry that cannot be solved comes out as it was, with a sentence on standard error.

use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use crate::output;
use crate::output::report::ReportFormat;
use crate::problem::ProblemError;
use crate::problem::olv::{Document, Documents, OlvEntry};
use crate::report::{Castling, ReportRequest, invalid, report};
use crate::results::report::Report;

use super::args::ReportArgs;
use super::config::BATCH_TIME;
use super::interrupt::Interrupt;
use super::{Exit, Failure, batch, complain};

/// The file's name says that it holds `.olv` entries.
pub(super) fn is_collection(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["olv", "yaml", "yml"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The files, if what stands where a position is expected names collections; `-` is standard input.
pub(super) fn files(position: &[String]) -> Option<Vec<PathBuf>> {
    let files: Vec<PathBuf> = position.iter().map(PathBuf::from).collect();
    let named = |path: &PathBuf| path.as_os_str() == "-" || is_collection(path);
    (!files.is_empty() && files.iter().all(named)).then_some(files)
}

/// Reports on all entries of the files, in their order.
pub(super) fn run(args: &ReportArgs, mut request: ReportRequest, files: &[PathBuf]) -> Result<Exit, Failure> {
    if args.format == ReportFormat::Html {
        let why = "--format html writes a page for one problem; give its position instead of a collection";
        return Err(Failure::Usage(why.to_owned()));
    }
    let inputs = files.iter().map(|path| batch::open(path)).collect::<Result<Vec<_>, _>>()?;
    // As in any batch: a node limit alone is a limit.
    request.time = request.time.or(if request.nodes.is_some() { None } else { Some(BATCH_TIME) });
    request.castling = args.rights.castling.unwrap_or(Castling::Fen);
    let interrupt = Interrupt::listen();
    let out = anstream::AutoStream::new(io::stdout().lock(), args.color.into());
    let mut collection = Collection { args, request, interrupt, out, entries: 0, sound: 0, failed: false };
    for (path, input) in files.iter().zip(inputs) {
        for document in Documents::new(BufReader::new(input)) {
            if collection.interrupt.asked() {
                break;
            }
            collection.document(&batch::name(path), document)?;
        }
    }
    collection.end()
}

struct Collection<'a, W> {
    args: &'a ReportArgs,
    request: ReportRequest,
    interrupt: Interrupt,
    out: W,
    entries: usize,
    sound: usize,
    failed: bool,
}

impl<W: Write> Collection<'_, W> {
    fn document(&mut self, file: &str, document: io::Result<Document>) -> Result<(), Failure> {
        let unreadable = |error| Failure::Usage(format!("{file} cannot be read from here on: {error}"));
        let Document { line, text } = document.map_err(unreadable)?;
        let entry = match &text {
            Some(text) => OlvEntry::read(text, line),
            None => Err(ProblemError::Text("the entry is too long or not UTF-8 text; mend or convert it".to_owned())),
        };
        let report = match &entry {
            Ok(entry) => report(&entry.problem, &self.request_for(entry), self.interrupt.stop()),
            Err(error) => invalid(error, self.request.options),
        };
        let sentences = report.warnings.iter().filter(|_| !self.args.quiet).map(|text| format!("warning: {text}"));
        for sentence in sentences.chain(report.error.clone()) {
            complain(&format!("{file}:{line}: {sentence}"));
        }
        let exit = Exit::of_report(&report);
        self.failed |= exit == Exit::Failed;
        self.sound += usize::from(exit == Exit::Answered);
        let written = match (self.args.format, entry) {
            (ReportFormat::Olv, Ok(entry)) => output::olv::solved(&entry, &report).unwrap_or_else(|error| {
                complain(&format!("{file}:{line}: {error}"));
                format!("---\n{}", entry.source())
            }),
            (ReportFormat::Olv, Err(_)) => text.map_or(String::new(), |text| format!("---\n{text}")),
            (format, _) => self.written(format, &report, line),
        };
        write!(self.out, "{written}")?;
        self.entries += 1;
        self.out.flush()?;
        Ok(())
    }

    /// What the entry asks for beside what the command line asks for.
    fn request_for(&self, entry: &OlvEntry) -> ReportRequest {
        let mut request = self.request.clone();
        request.options.set_play |= entry.options.set_play;
        request.options.tries = request.options.tries.or(entry.options.tries);
        if request.options.intended_solutions == 1 {
            request.options.intended_solutions = entry.intended.unwrap_or(1);
        }
        request
    }

    /// A report among several.
    fn written(&self, format: ReportFormat, report: &Report, line: usize) -> String {
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

    fn end(mut self) -> Result<Exit, Failure> {
        if self.args.format == ReportFormat::Json {
            let end = if self.entries == 0 { "[]\n" } else { "\n]\n" };
            self.out.write_all(end.as_bytes())?;
            self.out.flush()?;
        }
        Ok(match self {
            _ if self.interrupt.asked() => {
                complain(&format!("matesolve: interrupted after {} entries; the rest was not tried", self.entries));
                Exit::Interrupted
            }
            Collection { failed: true, .. } => Exit::Failed,
            Collection { entries: 0, .. } => {
                complain("matesolve: the collection holds no entry; documents that start with --- are expected");
                Exit::Invalid
            }
            Collection { entries, sound, .. } if entries == sound => Exit::Answered,
            _ => Exit::Incomplete,
        })
    }
}
