//! `matesolve report FILE…`: reports on every problem of the files, several at the same time, in input order.
//!
//! A file is an `.olv` collection, or has one problem on each line (FEN, EPD, JSON). With `--format olv` a collection
//! is written again: each entry gets its solution, and nothing else changes. An entry that cannot be solved is written
//! as it was, with a message on standard error. Many short problems are worked on side by side; the last ones share the
//! threads that are left.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

use serde::Deserialize;
use serde_json::Map;

use crate::base::printable;
use crate::output;
use crate::output::booklet::Booklet;
use crate::output::report::ReportFormat;
use crate::problem::Asked;
use crate::problem::input::{Entry, EntryKind};
use crate::report::request::report_entry;
use crate::report::{Castling, ReportRequest};
use crate::results::report::{Report, Soundness};
use crate::results::solution::{Status, StoppedBy};
use crate::solve::Limits;
use matesolve_terms::encoding::encoded;

use crate::cli::files::inputs;
use crate::cli::files::output_file::Rewriting;
use crate::cli::options::{config, position};
use crate::cli::report::args::ReportArgs;
use crate::cli::runs::checkpoint::text_of;
use crate::cli::runs::run::{Hands, Items, Run, RunFiles, over_files};
use crate::cli::terminal::{CliError, Exit, Tally, print_message};

/// Returns the input files if every word of the position argument is an existing file, names a collection, or is `-`
/// (standard input). A single `.pgn` file is one position.
pub(crate) fn files(position: &[String]) -> Option<Vec<PathBuf>> {
    let files: Vec<PathBuf> = position.iter().map(PathBuf::from).collect();
    let is_input = |path: &PathBuf| inputs::is_stdin(path) || inputs::is_collection(path) || path.is_file();
    let is_game = matches!(position, [word] if position::is_game_file(word));
    (!files.is_empty() && !is_game && files.iter().all(is_input)).then_some(files)
}

/// Reports on all problems of the files, in their order.
pub(crate) fn run(args: &ReportArgs, mut request: ReportRequest, paths: &[PathBuf]) -> Result<Exit, CliError> {
    let is_olv = args.format == ReportFormat::Olv;
    let files = RunFiles {
        args: &args.run,
        inputs: paths,
        output: args.output.as_deref(),
        color: args.color.into(),
        quiet: args.quiet,
        is_jsonl: args.format == ReportFormat::Jsonl,
        is_exact: is_olv,
    };
    let (limits, jobs) = config::of_each(&args.limits, args.run.jobs, args.quiet)?;
    // A record has the limits apart, and not the threads.
    request.limits = Limits { syzygy: request.limits.syzygy, ..Limits::default() };
    request.castling = args.rights.castling.unwrap_or(Castling::Fen);
    let options = Map::from_iter([("report".to_owned(), format!("{request:?}, {:?}", args.depth).into())]);
    request.limits = Limits { syzygy: request.limits.syzygy, ..limits };
    let run = CollectionRun {
        args,
        names: files.names(),
        is_exact: args.output.as_ref().is_some_and(|path| !inputs::is_stdin(path)),
        rewriting: Rewriting::default(),
        booklet: args.format.booklet(),
        tally: Tally::default(),
        unreadable: None,
    };
    let open = || -> Result<Items<'_, CollectionRun<'_>>, CliError> {
        let asked = Asked { stipulation: request.stipulation, begins: request.help.begins };
        Ok(Box::new(inputs::all_entries(paths, args.game.ply, is_olv)?.map(move |entry| entry.asked(asked))))
    };
    let work = |entry: Entry, hands: &Hands<'_>| {
        let report = report_entry(&entry, &request, hands.stop, hands.spare);
        hands.nodes.0.fetch_add(report.stats.nodes, Relaxed);
        (entry, report)
    };
    over_files(files, (&args.limits, jobs), options, open, work, run)
}

/// Returns the name of an input without its folder and its extension, for titles.
fn stem(name: &str) -> &str {
    let file = Path::new(name).file_name().and_then(|file| file.to_str()).unwrap_or(name);
    file.split_once('.').map_or(file, |(stem, _)| stem)
}

/// The parts of a written report that are counted.
#[derive(Debug, Deserialize)]
struct WrittenReport {
    line: usize,
    id: Option<String>,
    result: WrittenVerdict,
    error: Option<String>,
}

#[derive(Debug, Deserialize)]
struct WrittenVerdict {
    status: Status,
    soundness: Soundness,
}

/// Writes the reports on the entries of files, and counts them.
struct CollectionRun<'a> {
    args: &'a ReportArgs,
    /// The names of the inputs.
    names: Vec<String>,
    /// Whether the output is a file, which gets every byte of a collection.
    is_exact: bool,
    rewriting: Rewriting,
    /// The page or document of all problems, which is written at the end.
    booklet: Option<Booklet>,
    /// The sound entries count as mates.
    tally: Tally,
    /// The input that could not be read to its end, and why.
    unreadable: Option<String>,
}

impl Run for CollectionRun<'_> {
    type Item = Entry;
    type Answer = (Entry, Report);
    type Written = WrittenReport;

    const PROBLEMS: &'static str = "entries";
    const NOTHING: &'static str =
        "problem; give one FEN or EPD line per problem, or .olv entries that begin with a line ---";

    fn place(entry: &Entry) -> (usize, usize) {
        (entry.file, entry.line)
    }

    fn text(entry: &Entry) -> String {
        text_of(entry)
    }

    fn count(&mut self, written: WrittenReport, entry: &Entry) -> bool {
        let WrittenReport { line, id, result: WrittenVerdict { status, soundness }, error } = written;
        let failed = error.is_some() && status != Status::Invalid;
        self.tally.count(if failed { Exit::Failed } else { Exit::of_verdict(status, soundness) });
        let expected = entry.problem.as_ref().ok().and_then(|problem| problem.id.as_deref());
        line == entry.line && id.as_deref().map(printable::line) == expected.map(printable::line)
    }

    fn is_interrupted((_, report): &(Entry, Report)) -> bool {
        report.stats.stopped_by == Some(StoppedBy::Interrupt)
    }

    fn write(&mut self, (entry, report): (Entry, Report), out: &mut dyn Write) -> io::Result<()> {
        let (file, line) = (&self.names[entry.file], entry.line);
        match (entry.kind, &entry.problem) {
            (EntryKind::Unreadable, Err(error)) => {
                self.unreadable = Some(format!("{file}: {error}"));
                return Ok(());
            }
            (EntryKind::End, _) => return self.rewrite(entry.file, &entry.before, &[], out),
            _ => {}
        }
        let warnings = report.warnings.iter().filter(|_| !self.args.quiet).map(|text| format!("warning: {text}"));
        for message in warnings.chain(report.error.clone()) {
            print_message(&format!("{file}:{line}: {message}"));
        }
        let first = self.tally.lines == 0;
        self.tally.count(Exit::of_report(&report));
        if let Some(booklet) = &mut self.booklet {
            let note = entry.olv.as_ref().map_or(String::new(), |olv| olv.date_and_award().join(", "));
            booklet.set_note(&printable::line(&note));
            ReportFormat::add_to_booklet(booklet, &report, self.args.style(), &format!("{}, line {line}", stem(file)));
            return Ok(());
        }
        match (self.args.format, &entry.olv, &entry.source) {
            (ReportFormat::Olv, Some(olv), Some(source)) => {
                let solved = output::olv::with_solution(olv, &report).unwrap_or_else(|error| {
                    print_message(&format!("{file}:{line}: {error}"));
                    None
                });
                let text = solved.as_ref().map(|text| encoded(text, entry.is_latin1));
                self.rewrite(entry.file, &entry.before, text.as_deref().unwrap_or(source), out)
            }
            (ReportFormat::Olv, _, Some(source)) => self.rewrite(entry.file, &entry.before, source, out),
            (format, ..) => self.write_report(format, report, &entry, first, out),
        }
    }

    fn tally(&self) -> Tally {
        self.tally
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.args.format == ReportFormat::Json {
            out.write_all(if self.tally.lines == 0 { b"[]\n" } else { b"\n]\n" })?;
        }
        if let Some(booklet) = &self.booklet {
            let stems: Vec<&str> = self.names.iter().map(|name| stem(name)).collect();
            let title = self.args.title.clone().unwrap_or_else(|| stems.join(", "));
            booklet.write(&printable::line(&title), out)?;
        }
        Ok(())
    }

    fn exit(&mut self) -> Result<Exit, CliError> {
        match (self.unreadable.take(), self.tally) {
            (Some(why), _) => Err(CliError::Usage(why)),
            (_, Tally { failed: 1.., .. }) => Ok(Exit::Failed),
            (_, Tally { lines, mates, .. }) if lines == mates => Ok(Exit::Answered),
            _ => Ok(Exit::Incomplete),
        }
    }
}

impl CollectionRun<'_> {
    /// Writes an entry of a collection with what stands before it.
    fn rewrite(&mut self, file: usize, before: &[u8], text: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let safe = |bytes| if self.is_exact { Cow::Borrowed(bytes) } else { printable::bytes(bytes) };
        self.rewriting.write(out, file, &safe(before), &safe(text))
    }

    /// Writes the report on an entry as one of several; `first`: it is the first one.
    fn write_report(
        &self,
        format: ReportFormat,
        report: Report,
        entry: &Entry,
        first: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if report.position.is_none() && report.phases.is_empty() && !format.writes_errors() {
            return Ok(());
        }
        let end = match format {
            ReportFormat::Json => {
                out.write_all(if first { b"[\n" } else { b",\n" })?;
                ""
            }
            ReportFormat::Jsonl | ReportFormat::Olv => "\n",
            _ => {
                let name = report.id.as_deref().map_or(String::new(), |id| format!(" {}", printable::line(id)));
                write!(out, "{}{name}\n\n", entry.line)?;
                "\n\n"
            }
        };
        match &entry.problem {
            Ok(problem) if format == ReportFormat::Olv => {
                let text = output::olv::with_publication(&report, &problem.given.fields);
                out.write_all(text.unwrap_or_default().trim_end_matches('\n').as_bytes())?;
            }
            _ => format.write_to(Cow::Owned(report), self.args.style(), out)?,
        }
        out.write_all(end.as_bytes())
    }
}
