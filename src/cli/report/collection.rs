//! `matesolve report FILE…`: reports on every problem of the files, several at the same time, in input order.
//!
//! A file is an `.olv` collection, or has one problem on each line (FEN, EPD, JSON). With `--format olv` a collection
//! is written again: each entry gets its solution, and nothing else changes. An entry that cannot be solved is written
//! as it was, with a message on standard error. Many short problems are worked on side by side; the last ones share the
//! threads that are left.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::base::printable;
use crate::batch::{self, SpareThreads};
use crate::output;
use crate::output::html::Booklet;
use crate::output::report::ReportFormat;
use crate::problem::Asked;
use crate::problem::input::{Entry, EntryKind};
use crate::report::entry::report_entry;
use crate::report::{Castling, ReportRequest};
use crate::results::report::Report;
use crate::solve::Limits;
use matesolve_terms::encoding::encoded;

use crate::cli::files::inputs;
use crate::cli::files::output_file;
use crate::cli::files::rewriting::Rewriting;
use crate::cli::options::config;
use crate::cli::options::position;
use crate::cli::report::args::ReportArgs;
use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::interrupt::Interrupt;
use crate::cli::terminal::messages::{CliError, print_message};

/// Returns the input files if every word of the position argument is an existing file, names a collection, or is `-`
/// (standard input). A single `.pgn` file is one position.
pub(crate) fn files(position: &[String]) -> Option<Vec<PathBuf>> {
    let files: Vec<PathBuf> = position.iter().map(PathBuf::from).collect();
    let is_input = |path: &PathBuf| inputs::is_stdin(path) || inputs::is_collection(path) || path.is_file();
    let is_game = matches!(position, [word] if position::is_game_file(word));
    (!files.is_empty() && !is_game && files.iter().all(is_input)).then_some(files)
}

/// Reports on all problems of the files, in their order.
pub(crate) fn run(args: &ReportArgs, mut request: ReportRequest, files: &[PathBuf]) -> Result<Exit, CliError> {
    let opened = files.iter().map(|path| inputs::open(path)).collect::<Result<Vec<_>, _>>()?;
    let jobs = request.limits.threads;
    request.limits = Limits { syzygy: request.limits.syzygy, ..config::of_each(&args.limits, jobs, args.quiet) };
    request.castling = args.rights.castling.unwrap_or(Castling::Fen);
    let names: Vec<String> = files.iter().map(|path| inputs::name(path)).collect();
    let (ply, keeps_bytes) = (args.game.ply, args.format == ReportFormat::Olv);
    let opened = files.iter().zip(opened).enumerate();
    let entries = opened.flat_map(move |(file, (path, input))| inputs::entries(path, input, file, ply, keeps_bytes));
    let interrupt = Interrupt::install();
    let path = args.output.as_deref();
    let out = match args.format {
        ReportFormat::Olv => output_file::open_exact(path)?,
        _ => output_file::open(path, args.color.into())?,
    };
    let out = BufWriter::new(out);
    let is_exact = path.is_some_and(|path| !inputs::is_stdin(path));
    let mut run = CollectionRun::new(args, names, out, is_exact);
    let work = |entry: Entry, spare: &SpareThreads| {
        let asked = Asked { stipulation: request.stipulation, begins: request.help.begins };
        let entry = entry.asked(asked);
        let report = report_entry(&entry, &request, interrupt.stop_flag(), spare);
        (entry, report)
    };
    batch::ordered(entries, jobs, interrupt.stop_flag(), work, &mut |(entry, report)| run.add(&entry, report))?;
    run.finish(&interrupt)
}

/// Returns the name of an input without its folder and its extension, for titles.
fn stem(name: &str) -> &str {
    let file = Path::new(name).file_name().and_then(|file| file.to_str()).unwrap_or(name);
    file.split_once('.').map_or(file, |(stem, _)| stem)
}

/// The state of a run over files.
struct CollectionRun<'a, W> {
    args: &'a ReportArgs,
    /// The names of the inputs.
    names: Vec<String>,
    out: W,
    /// Whether the output is a file, which gets every byte of a collection.
    is_exact: bool,
    rewriting: Rewriting,
    /// The page of `--format html`, which is written at the end.
    booklet: Option<Booklet>,
    /// The number of entries reported on.
    entries: usize,
    /// The number of sound entries.
    sound: usize,
    /// Whether an entry ended with an internal failure.
    failed: bool,
    /// The input that could not be read to its end, and why.
    unreadable: Option<String>,
}

impl<'a, W: Write> CollectionRun<'a, W> {
    fn new(args: &'a ReportArgs, names: Vec<String>, out: W, is_exact: bool) -> CollectionRun<'a, W> {
        let booklet = (args.format == ReportFormat::Html).then(Booklet::default);
        let rewriting = Rewriting::default();
        let (entries, sound, failed, unreadable) = (0, 0, false, None);
        CollectionRun { args, names, out, is_exact, rewriting, booklet, entries, sound, failed, unreadable }
    }

    /// Writes the report on an entry.
    fn add(&mut self, entry: &Entry, report: Report) -> io::Result<()> {
        let (file, line) = (&self.names[entry.file], entry.line);
        match (entry.kind, &entry.problem) {
            (EntryKind::Unreadable, Err(error)) => {
                self.unreadable = Some(format!("{file}: {error}"));
                return Ok(());
            }
            (EntryKind::End, _) => return self.rewrite(entry.file, &entry.before, &[]),
            _ => {}
        }
        let warnings = report.warnings.iter().filter(|_| !self.args.quiet).map(|text| format!("warning: {text}"));
        for message in warnings.chain(report.error.clone()) {
            print_message(&format!("{file}:{line}: {message}"));
        }
        let exit = Exit::of_report(&report);
        self.failed |= exit == Exit::Failed;
        self.sound += usize::from(exit == Exit::Answered);
        if let Some(booklet) = &mut self.booklet {
            let note = entry.olv.as_ref().map_or(String::new(), |olv| olv.date_and_award().join(", "));
            booklet.set_note(&printable::line(&note));
            ReportFormat::add_to_booklet(booklet, &report, self.args.style(), &format!("{}, line {line}", stem(file)));
            self.entries += 1;
            return Ok(());
        }
        match (self.args.format, &entry.olv, &entry.source) {
            (ReportFormat::Olv, Some(olv), Some(source)) => {
                let solved = output::olv::with_solution(olv, &report).unwrap_or_else(|error| {
                    print_message(&format!("{file}:{line}: {error}"));
                    None
                });
                let text = solved.as_ref().map(|text| encoded(text, entry.is_latin1));
                self.rewrite(entry.file, &entry.before, text.as_deref().unwrap_or(source))?;
            }
            (ReportFormat::Olv, _, Some(source)) => self.rewrite(entry.file, &entry.before, source)?,
            (format, ..) => self.write_report(format, report, line)?,
        }
        self.entries += 1;
        self.out.flush()
    }

    /// Writes an entry of a collection with what stands before it.
    fn rewrite(&mut self, file: usize, before: &[u8], text: &[u8]) -> io::Result<()> {
        let safe = |bytes| if self.is_exact { Cow::Borrowed(bytes) } else { printable::bytes(bytes) };
        self.rewriting.write(&mut self.out, file, &safe(before), &safe(text))
    }

    /// Writes a report as one of several; `line` is the line number of its entry.
    fn write_report(&mut self, format: ReportFormat, report: Report, line: usize) -> io::Result<()> {
        if report.position.is_none() && report.phases.is_empty() && !format.writes_errors() {
            return Ok(());
        }
        let end = match format {
            ReportFormat::Json => {
                self.out.write_all(if self.entries == 0 { b"[\n" } else { b",\n" })?;
                ""
            }
            ReportFormat::Jsonl | ReportFormat::Olv => "\n",
            _ => {
                let name = report.id.as_deref().map_or(String::new(), |id| format!(" {}", printable::line(id)));
                write!(self.out, "{line}{name}\n\n")?;
                "\n\n"
            }
        };
        format.write_to(Cow::Owned(report), self.args.style(), &mut self.out)?;
        self.out.write_all(end.as_bytes())
    }

    /// Ends the output and returns the exit code.
    fn finish(mut self, interrupt: &Interrupt) -> Result<Exit, CliError> {
        if self.args.format == ReportFormat::Json {
            let end = if self.entries == 0 { "[]\n" } else { "\n]\n" };
            self.out.write_all(end.as_bytes())?;
            self.out.flush()?;
        }
        if let Some(booklet) = &self.booklet {
            let stems: Vec<&str> = self.names.iter().map(|name| stem(name)).collect();
            let title = self.args.title.clone().unwrap_or_else(|| stems.join(", "));
            booklet.write(&printable::line(&title), &mut self.out)?;
            self.out.flush()?;
        }
        if let Some(why) = self.unreadable {
            return Err(CliError::Usage(why));
        }
        Ok(match self {
            _ if interrupt.is_requested() => {
                print_message(&format!(
                    "matesolve: interrupted after {} entries; the remaining entries were not tried",
                    self.entries
                ));
                Exit::Interrupted
            }
            CollectionRun { failed: true, .. } => Exit::Failed,
            CollectionRun { entries: 0, .. } => {
                print_message(
                    "matesolve: there is no problem in the input; give one FEN or EPD line per problem, or .olv entries that \
                     begin with a line ---",
                );
                Exit::Invalid
            }
            CollectionRun { entries, sound, .. } if entries == sound => Exit::Answered,
            _ => Exit::Incomplete,
        })
    }
}
