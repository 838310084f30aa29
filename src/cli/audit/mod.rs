//! `matesolve audit FILE…`: solves published problems again and says whether their solutions are right.
//!
//! Several entries may be worked on at the same time. The results are written in input order. Two outputs are written
//! at the end instead: the text of `--list unsound`, which is sorted by year and author, and the page of `--format
//! html`.

pub(crate) mod args;

use std::io::{self, Write};

use crate::audit::{AuditRequest, Audited, audit_entry};
use crate::base::printable;
use crate::output::audit::json::WrittenAudit;
use crate::output::audit::table::AuditTable;
use crate::output::audit::{AuditFormat, text};
use crate::output::booklet::Booklet;
use crate::output::olv;
use crate::output::report::{ReportFormat, ReportStyle};
use crate::problem::ProblemError;
use crate::problem::input::{Entry, EntryKind};
use crate::problem::olv::OlvEntry;
use crate::published::Published;
use crate::report::{self, ReportRequest};
use crate::results::audit::Audit;
use crate::results::report::{Report, ReportOptions};

use crate::cli::audit::args::{AuditArgs, Listed};
use crate::cli::files::inputs;
use crate::cli::files::output_file::Rewriting;
use crate::cli::runs::run::{Items, Run, RunFiles, RunPlace, WorkerTools, over_files};
use crate::cli::terminal::{CliError, Exit, Tally};

pub(crate) fn run(args: &AuditArgs) -> Result<Exit, CliError> {
    args.check()?;
    let (is_olv, is_html) = (args.format == AuditFormat::Olv, args.format == AuditFormat::Html);
    let files = RunFiles::new(&args.run, &args.limits, &args.files, args.quiet);
    let files = files.writing(args.format, args.output.as_ref(), args.color);
    let (limits, jobs) = files.limits()?;
    let mut report = ReportRequest { limits, ..ReportRequest::default() };
    report.options.themes = args.themes;
    let request = AuditRequest { report, confirm: args.confirm };
    let open = || -> Result<Items<'_, AuditRun<'_>>, CliError> { inputs::all_entries(&args.files, None, is_olv) };
    let work = |entry: Entry, tools: &mut WorkerTools<'_>| {
        let published = Published::of(&entry);
        let audited = audit_entry(&entry, published.as_ref(), &request, tools.context());
        tools.count(audited.audit.phases.iter().map(|phase| phase.stats.nodes).sum());
        let written = published.map_err(|error| error.to_string());
        let written = written.and_then(|_| if is_olv { rewritten(&entry, &audited, args) } else { Ok(None) });
        AuditAnswer { entry, audit: audited.audit, written, report: audited.report.filter(|_| is_html) }
    };
    let run = AuditRun {
        args,
        rewriting: Rewriting::new(true),
        table: AuditTable::default(),
        unsound: Vec::new(),
        booklet: ReportFormat::Html.booklet().filter(|_| is_html),
    };
    over_files(&files, jobs, open, work, run)
}

/// The audit of an entry.
struct AuditAnswer {
    entry: Entry,
    audit: Audit,
    /// The text of the entry, if it is written anew, or why it is not.
    written: Result<Option<String>, String>,
    /// The report, if it is shown.
    report: Option<Report>,
}

/// Returns the text of an entry with its solution written anew, or its keywords put right, or both, as the options want
/// it; `None` if nothing changes.
fn rewritten(entry: &Entry, audited: &Audited, args: &AuditArgs) -> Result<Option<String>, String> {
    let (Some(olv), Some(report)) = (entry.olv.as_deref(), &audited.report) else { return Ok(None) };
    let solved = if args.keywords_only { Ok(None) } else { olv::with_solution(olv, report) };
    let solved = solved.map_err(|error| error.to_string())?;
    let Audit { wrong_keywords: wrong, missing_keywords: missing, .. } = &audited.audit;
    if !args.mark || wrong.is_empty() && missing.is_empty() {
        return Ok(solved);
    }
    let solved = OlvEntry::read(solved.as_deref().unwrap_or(olv.source()), entry.line);
    let marked = solved.and_then(|olv| olv.with_keywords(wrong, missing));
    marked.map(Some).map_err(|error| error.to_string())
}

/// Writes the audits, and counts them.
struct AuditRun<'a> {
    args: &'a AuditArgs,
    rewriting: Rewriting,
    table: AuditTable,
    /// Year, authors and line of each problem that was published as sound and is not.
    unsound: Vec<(Option<u16>, String, String)>,
    /// The page that is written at the end.
    booklet: Option<Booklet>,
}

impl Run for AuditRun<'_> {
    type Item = Entry;
    type Answer = AuditAnswer;
    type Written = WrittenAudit;

    const PROBLEMS: &'static str = "entries";
    const NOTHING: &'static str = "published problem";
    const NAMES_FILES: bool = true;

    fn id(entry: &Entry) -> Option<String> {
        Published::of(entry).map_or_else(|_| entry.id(), |published| published.problem.id)
    }

    fn count(&mut self, written: WrittenAudit, _: &Entry, tally: &mut Tally) -> bool {
        self.table.add(&written.audit);
        tally.count(Exit::of_audit(&written.audit));
        true
    }

    fn is_interrupted(answer: &AuditAnswer) -> bool {
        answer.audit.interrupted
    }

    fn write(&mut self, answer: AuditAnswer, place: &mut RunPlace<'_>, out: &mut dyn Write) -> io::Result<()> {
        let AuditAnswer { entry, mut audit, written, report } = answer;
        if entry.kind == EntryKind::End {
            return self.rewriting.entry(&entry, None, out);
        }
        if self.args.format == AuditFormat::Text && entry.item > 1 && audit.error.is_none() {
            audit.id.get_or_insert_with(|| format!("(item {})", entry.item));
        }
        if place.tally.lines == 0 {
            out.write_all(self.args.format.start().as_bytes())?;
        }
        self.table.add(&audit);
        place.tally.count(Exit::of_audit(&audit));
        if audit.unsound_unmarked {
            self.unsound.push((audit.year, audit.authors.join(" & "), text::unsound(&audit, place.name())));
        }
        if self.args.format == AuditFormat::Olv {
            let text = written.map_err(|why| place.message(&why)).ok().flatten();
            return self.rewriting.entry(&entry, text.as_deref(), out);
        }
        if !self.args.lists(&audit) {
            return Ok(());
        }
        if let Some(booklet) = &mut self.booklet {
            let report = report.unwrap_or_else(|| unread(&audit));
            booklet.set_note(&printable::line(&text::note(&audit)));
            let name = format!("{}, line {}", place.name(), entry.line);
            ReportFormat::add_to_booklet(booklet, &report, ReportStyle::default(), &name);
        }
        let text = self.args.format.item(&audit, place.name(), place.one_of_several().is_some());
        out.write_all(text.as_bytes())
    }

    fn end(&mut self, files: &RunFiles<'_>, _: &Tally, out: &mut dyn Write) -> io::Result<()> {
        if self.args.format == AuditFormat::Text && self.args.list == Listed::Unsound {
            self.unsound.sort_by(|a, b| (a.0.unwrap_or(u16::MAX), &a.1).cmp(&(b.0.unwrap_or(u16::MAX), &b.1)));
            for (.., line) in &self.unsound {
                writeln!(out, "{line}")?;
            }
        }
        match &self.booklet {
            Some(booklet) => booklet.write(&printable::line(&files.names.join(", ")), out),
            None => Ok(()),
        }
    }

    fn totals(&self, _: &Tally) -> String {
        let nothing = "no entry claims anything that can be audited, so nothing was compared\n";
        format!("\n{}{}", self.table.text(), if self.table.claims_nothing() { nothing } else { "" })
    }

    fn exit(&mut self, tally: &Tally) -> Result<Exit, CliError> {
        let exit = tally.exit();
        Ok(if exit == Exit::Answered && self.table.claims_nothing() { Exit::Incomplete } else { exit })
    }
}

/// Returns the report on an entry that could not be read, for the page.
fn unread(audit: &Audit) -> Report {
    let why = ProblemError::Text(audit.error.clone().unwrap_or_default());
    Report { id: audit.id.clone(), ..report::invalid(&why, ReportOptions::default()) }
}
