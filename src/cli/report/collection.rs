//! `matesolve report FILE…`: reports on every problem of the files, several at the same time, in input order.
//!
//! The files are those that `matesolve batch` reads. With `--format olv` a collection is written again: each entry gets
//! its solution, and the text around the entries stays. An entry that cannot be solved is written as it was. A report
//! may borrow threads that have no other problem left.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::base::printable;
use crate::output;
use crate::output::booklet::Booklet;
use crate::output::report::ReportFormat;
use crate::problem::Asked;
use crate::problem::input::{Entry, EntryKind};
use crate::report::report_entry;
use crate::report::{Castling, ReportRequest};
use crate::results::report::{Report, Soundness};
use crate::results::solution::{Status, StoppedBy};
use crate::solve::Limits;

use crate::cli::files::inputs;
use crate::cli::files::output_file::Rewriting;
use crate::cli::report::args::ReportArgs;
use crate::cli::runs::run::{Items, Run, RunFiles, RunPlace, WorkerTools, over_files};
use crate::cli::terminal::{CliError, Exit, Tally};

/// Reports on all problems of the files, in their order.
pub(crate) fn run(
    args: &ReportArgs,
    told: Asked,
    mut request: ReportRequest,
    paths: &[PathBuf],
) -> Result<Exit, CliError> {
    let files = RunFiles::new(&args.run, &args.limits, paths, args.quiet);
    let files = files.writing(args.format, args.output.as_ref(), args.color);
    let (limits, jobs) = files.limits()?;
    request.castling = args.rights.castling.unwrap_or(Castling::Fen);
    request.limits = Limits { syzygy: request.limits.syzygy, ..limits };
    let open = || -> Result<Items<'_, CollectionRun<'_>>, CliError> {
        let entries = inputs::all_entries(paths, args.game.ply, args.format == ReportFormat::Olv)?;
        Ok(Box::new(entries.map(move |entry| entry.asked(&told))))
    };
    let work = |entry: Entry, tools: &mut WorkerTools<'_>| {
        let report = report_entry(&entry, &request, tools.context());
        tools.count(report.stats.nodes);
        (entry, report)
    };
    let run = CollectionRun {
        args,
        rewriting: Rewriting::new(args.output.as_ref().is_some_and(|path| !inputs::is_stdin(path))),
        booklet: args.format.booklet(),
        unreadable: None,
        unsound: None,
    };
    over_files(&files, jobs, open, work, run)
}

/// Returns the name of an input without its folder and its extension, for titles.
fn stem(name: &str) -> &str {
    let file = Path::new(name).file_name().and_then(|file| file.to_str()).unwrap_or(name);
    file.split_once('.').map_or(file, |(stem, _)| stem)
}

/// The parts of a written report that are counted.
#[derive(Debug, Deserialize)]
struct WrittenReport {
    result: WrittenVerdict,
    error: Option<String>,
}

#[derive(Debug, Deserialize)]
struct WrittenVerdict {
    status: Status,
    soundness: Soundness,
}

/// Writes the reports on the entries of files, and counts them: the sound entries count as mates.
struct CollectionRun<'a> {
    args: &'a ReportArgs,
    rewriting: Rewriting,
    /// The page or document of all problems, which is written at the end.
    booklet: Option<Booklet>,
    /// The input that could not be read to its end, and why.
    unreadable: Option<String>,
    /// The place of the first entry that is not sound.
    unsound: Option<String>,
}

impl Run for CollectionRun<'_> {
    type Item = Entry;
    type Answer = (Entry, Report);
    type Written = WrittenReport;

    const PROBLEMS: &'static str = "entries";
    const NOTHING: &'static str =
        "problem; give one FEN or EPD line per problem, or .olv entries that begin with a line ---";

    fn count(&mut self, written: WrittenReport, _: &Entry, tally: &mut Tally) -> bool {
        let WrittenReport { result: WrittenVerdict { status, soundness }, error } = written;
        let failed = error.is_some() && status != Status::Invalid;
        tally.count(if failed { Exit::Failed } else { Exit::of_verdict(status, soundness) });
        true
    }

    fn is_interrupted((_, report): &(Entry, Report)) -> bool {
        report.stats.stopped_by == Some(StoppedBy::Interrupt)
    }

    fn write(
        &mut self,
        (entry, report): (Entry, Report),
        place: &mut RunPlace<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match (entry.kind, &entry.problem) {
            (EntryKind::Unreadable, Err(error)) => {
                self.unreadable = Some(format!("{}: {error}", place.name()));
                return Ok(());
            }
            (EntryKind::End, _) => return self.rewriting.entry(&entry, None, out),
            _ => {}
        }
        place.warn(&report.warnings);
        report.error.iter().for_each(|error| place.message(error));
        let first = place.tally.lines == 0;
        let exit = Exit::of_report(&report);
        place.tally.count(exit);
        if exit != Exit::Answered && self.unsound.is_none() {
            self.unsound = Some(format!("{}:{}", place.name(), entry.line));
        }
        match (self.args.format, &mut self.booklet) {
            (_, Some(booklet)) => {
                let note = entry.olv.as_ref().map_or(String::new(), |olv| olv.date_and_award().join(", "));
                booklet.set_note(&printable::line(&note));
                let name = format!("{}, line {}", stem(place.name()), entry.line);
                ReportFormat::add_to_booklet(booklet, &report, self.args.style(), &name);
                Ok(())
            }
            (ReportFormat::Olv, _) if entry.source.is_some() => {
                let solved = entry.olv.as_ref().map(|olv| output::olv::with_solution(olv, &report)).transpose();
                let text = solved.map_err(|error| place.message(&error.to_string())).ok().flatten().flatten();
                self.rewriting.entry(&entry, text.as_deref(), out)
            }
            (format, _) => format.write_item(report, &entry, self.args.style(), first, out),
        }
    }

    fn end(&mut self, files: &RunFiles<'_>, tally: &Tally, out: &mut dyn Write) -> io::Result<()> {
        if let Some(booklet) = &self.booklet {
            let stems: Vec<&str> = files.names.iter().map(|name| stem(name)).collect();
            let title = self.args.title.clone().unwrap_or_else(|| stems.join(", "));
            booklet.write(&printable::line(&title), out)?;
        }
        out.write_all(self.args.format.end(tally.lines == 0).as_bytes())
    }

    fn totals(&self, _: &Tally) -> String {
        String::new()
    }

    /// Says why the exit code is not 0.
    fn summary(&self, tally: &Tally, _: bool) -> String {
        let (sound, all) = (tally.mates, tally.lines);
        let first = self.unsound.as_ref().map_or(String::new(), |place| format!("; the first that is not: {place}"));
        if sound == all { String::new() } else { format!("{sound} of {all} entries are sound in all phases{first}") }
    }

    /// Every entry must be sound. An input that cannot be read to its end is an error.
    fn exit(&mut self, tally: &Tally) -> Result<Exit, CliError> {
        match (self.unreadable.take(), tally.exit()) {
            (Some(why), _) => Err(CliError::Usage(why)),
            (None, exit @ (Exit::Failed | Exit::Answered)) => Ok(exit),
            (None, _) => Ok(Exit::Incomplete),
        }
    }
}
