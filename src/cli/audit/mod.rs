//! `matesolve audit FILE…`: solves published problems again and says whether their solutions are right.
//!
//! Several entries are worked on at the same time, and the results are written in input order, as in a batch. The list
//! of unsound problems is sorted by year, so it is written at the end; it holds a line for each of them, no more.

pub(crate) mod args;

use std::io::{self, Write};
use std::sync::atomic::Ordering::Relaxed;

use serde_json::{Map, Value};

use crate::audit::{AuditRequest, Audited, audit_entry};
use crate::base::printable;
use crate::output::audit::json::{self, WrittenAudit};
use crate::output::audit::table::AuditTable;
use crate::output::audit::{AuditFormat, csv, text};
use crate::output::booklet::Booklet;
use crate::output::olv;
use crate::output::report::{ReportFormat, ReportStyle};
use crate::problem::ProblemError;
use crate::problem::input::{Entry, EntryKind};
use crate::problem::olv::OlvEntry;
use crate::published::Published;
use crate::report::{self, ReportRequest};
use crate::results::audit::{Audit, AuditVerdict, FindingKind};
use crate::results::report::{Report, ReportOptions};
use matesolve_terms::encoding::encoded;

use crate::cli::audit::args::{AuditArgs, Listed};
use crate::cli::files::inputs;
use crate::cli::files::output_file::Rewriting;
use crate::cli::options::config;
use crate::cli::runs::run::{Hands, Items, Run, RunFiles, over_files};
use crate::cli::terminal::{CliError, Exit, Tally, print_message};

pub(crate) fn run(args: &AuditArgs) -> Result<Exit, CliError> {
    check_options(args)?;
    let is_olv = args.format == AuditFormat::Olv;
    let files = RunFiles {
        args: &args.run,
        inputs: &args.files,
        output: args.output.as_deref(),
        color: args.color.into(),
        quiet: args.quiet,
        is_jsonl: args.format == AuditFormat::Jsonl,
        is_exact: is_olv,
    };
    let (limits, jobs) = config::of_each(&args.limits, args.run.jobs, args.quiet)?;
    let mut report = ReportRequest { limits, ..ReportRequest::default() };
    report.options.themes = args.themes;
    let request = AuditRequest { report, confirm: args.confirm };
    let run = AuditRun {
        args,
        names: files.names(),
        rewriting: Rewriting::default(),
        table: AuditTable::default(),
        unsolved: 0,
        unsound: Vec::new(),
        booklet: ReportFormat::Html.booklet().filter(|_| args.format == AuditFormat::Html),
    };
    let work = |item: AuditItem, hands: &Hands<'_>| {
        let audited = audit_entry(item.content.as_ref(), item.entry.line, &request, hands.stop, hands.spare);
        let nodes = audited.audit.phases.iter().map(|phase| phase.stats.nodes).sum();
        hands.nodes.0.fetch_add(nodes, Relaxed);
        let written = if is_olv { rewritten(&item, &audited, args) } else { Ok(None) };
        let report = audited.report.filter(|_| args.format == AuditFormat::Html);
        AuditAnswer { item, audit: audited.audit, written, report }
    };
    over_files(files, (&args.limits, jobs), options(args), || items(args), work, run)
}

/// The audit of an entry.
struct AuditAnswer {
    item: AuditItem,
    audit: Audit,
    /// The text of the entry, if it is written anew.
    written: Result<Option<String>, String>,
    /// The report, if it is shown.
    report: Option<Report>,
}

/// An entry and what was published about it.
struct AuditItem {
    entry: Entry,
    content: Result<Published, ProblemError>,
}

/// Returns the entries of all inputs. All inputs are opened first.
fn items(args: &AuditArgs) -> Result<Items<'_, AuditRun<'_>>, CliError> {
    let entries = inputs::all_entries(&args.files, None, args.format == AuditFormat::Olv)?;
    Ok(Box::new(entries.map(|entry| AuditItem { content: Published::of(&entry), entry })))
}

/// Returns the text of an entry with its solution written anew, or its keywords put right, or both, as the options want
/// it; `None` if nothing changes.
fn rewritten(item: &AuditItem, audited: &Audited, args: &AuditArgs) -> Result<Option<String>, String> {
    let entry = item.content.as_ref().ok().and_then(|published| published.entry.as_deref());
    let (Some(entry), Some(report)) = (entry, &audited.report) else { return Ok(None) };
    let solved = if args.keywords_only { Ok(None) } else { olv::with_solution(entry, report) };
    let solved = solved.map_err(|error| error.to_string())?;
    let Audit { wrong_keywords: wrong, missing_keywords: missing, .. } = &audited.audit;
    if !args.mark || wrong.is_empty() && missing.is_empty() {
        return Ok(solved);
    }
    let source = solved.as_deref().unwrap_or(entry.source());
    let entry = OlvEntry::read(source, item.entry.line).map_err(|error| error.to_string())?;
    entry.with_keywords(wrong, missing).map(Some).map_err(|error| error.to_string())
}

/// Refuses options that do not fit together.
fn check_options(args: &AuditArgs) -> Result<(), CliError> {
    let is_olv = args.format == AuditFormat::Olv;
    let other = args.files.iter().find(|path| !inputs::is_collection(path) && !inputs::is_stdin(path));
    let why = if args.list != Listed::All && (args.run.resume || is_olv) {
        "--list cannot leave out entries with --resume or --format olv, which need all of them; leave it out".to_owned()
    } else if args.mark && !is_olv {
        "--mark changes the keywords of a collection that is written anew; add --format olv".to_owned()
    } else if let (true, Some(path)) = (is_olv, other) {
        format!("--format olv writes a collection again, and {} is none; give .olv files", inputs::name(path))
    } else {
        return Ok(());
    };
    Err(CliError::Usage(why))
}

/// Returns the options that change the results, besides the limits.
fn options(args: &AuditArgs) -> Map<String, Value> {
    let mut options = Map::new();
    options.insert("confirm".into(), args.confirm.into());
    if args.themes {
        options.insert("themes".into(), true.into());
    }
    options
}

/// Writes the audits, and counts them.
struct AuditRun<'a> {
    args: &'a AuditArgs,
    /// The names of the inputs.
    names: Vec<String>,
    rewriting: Rewriting,
    table: AuditTable,
    /// The number of entries with a phase that cannot be solved.
    unsolved: usize,
    /// Year, authors and line of each problem that was published as sound and is not.
    unsound: Vec<(Option<u16>, String, String)>,
    /// The page that is written at the end.
    booklet: Option<Booklet>,
}

impl Run for AuditRun<'_> {
    type Item = AuditItem;
    type Answer = AuditAnswer;
    type Written = WrittenAudit;

    const PROBLEMS: &'static str = "entries";
    const NOTHING: &'static str = "published problem";
    const NAMES_FILES: bool = true;

    fn place(item: &AuditItem) -> (usize, usize) {
        (item.entry.file, item.entry.line)
    }

    fn text(item: &AuditItem) -> String {
        match &item.content {
            Ok(published) => {
                let Published { problem, keywords, keys, solution, intended, .. } = published;
                let (line, fen, twins) = (item.entry.line, &problem.fen, &problem.phases);
                format!(
                    "{line} {fen} {:?} {twins:?} {keywords:?} {keys:?} {solution:?} {intended:?}",
                    problem.stipulation
                )
            }
            Err(error) => format!("{} {error}", item.entry.line),
        }
    }

    fn count(&mut self, written: WrittenAudit, item: &AuditItem) -> bool {
        let published = item.content.as_ref().ok();
        let id = published.and_then(|published| published.problem.id.as_ref()).map(|id| printable::line(id));
        self.table.add(&written.audit);
        (written.file.as_str(), written.audit.line) == (self.names[item.entry.file].as_str(), Some(item.entry.line))
            && written.audit.id.as_deref().map(printable::line) == id
    }

    fn is_interrupted(answer: &AuditAnswer) -> bool {
        answer.audit.interrupted
    }

    fn write(&mut self, answer: AuditAnswer, out: &mut dyn Write) -> io::Result<()> {
        let AuditAnswer { item, audit, written, report } = answer;
        let file = &self.names[item.entry.file];
        if item.entry.kind == EntryKind::End {
            return self.rewriting.write(out, item.entry.file, &item.entry.before, &[]);
        }
        let is_first = self.table.entries() == 0;
        self.table.add(&audit);
        self.unsolved += usize::from(audit.findings().any(|(_, finding)| finding.kind == FindingKind::Unsolved));
        if audit.unsound_unmarked {
            self.unsound.push((audit.year, audit.authors.join(" & "), text::unsound(&audit, file)));
        }
        if is_first && self.args.format == AuditFormat::Csv {
            out.write_all(csv::HEADER.as_bytes())?;
        }
        match self.args.format {
            AuditFormat::Olv => self.copy(&item, written, out),
            _ if !self.is_listed(&audit) => Ok(()),
            AuditFormat::Text => {
                let several = if self.names.len() > 1 { format!("{file}:") } else { String::new() };
                write!(out, "{several}{}", text::entry(&audit))
            }
            AuditFormat::Jsonl => writeln!(out, "{}", json::line(&audit, file)),
            AuditFormat::Csv => writeln!(out, "{}", csv::row(&audit, file)),
            AuditFormat::Html => {
                self.show(&audit, report, &format!("{file}, line {}", item.entry.line));
                Ok(())
            }
        }
    }

    fn tally(&self) -> Tally {
        let [undecided, invalid, failed] = [AuditVerdict::Undecided, AuditVerdict::Invalid, AuditVerdict::Failed]
            .map(|verdict| self.table.count(verdict));
        let (lines, disagreeing) = (self.table.entries(), self.table.disagreeing());
        let mates = lines - undecided - invalid - failed;
        Tally { lines, mates, undecided, invalid, failed, disagreeing, ..Tally::default() }
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let is_text = self.args.format == AuditFormat::Text;
        if is_text && self.args.list == Listed::Unsound {
            self.unsound.sort_by(|a, b| (a.0.unwrap_or(u16::MAX), &a.1).cmp(&(b.0.unwrap_or(u16::MAX), &b.1)));
            for (.., line) in &self.unsound {
                writeln!(out, "{line}")?;
            }
        }
        if let Some(booklet) = &self.booklet {
            booklet.write(&printable::line(&self.names.join(", ")), out)?;
        }
        let any = self.table.entries() > 0;
        if is_text && any {
            write!(out, "\n{}", self.table.text())?;
        } else if any && !self.args.quiet {
            self.table.text().lines().for_each(print_message);
        }
        Ok(())
    }

    fn exit(&mut self) -> Result<Exit, CliError> {
        let has = |verdict| self.table.count(verdict) > 0;
        let open = [
            AuditVerdict::OtherRights,
            AuditVerdict::OtherRotation,
            AuditVerdict::WrongMove,
            AuditVerdict::Dual,
            AuditVerdict::Unreadable,
        ];
        Ok(match () {
            () if has(AuditVerdict::Failed) => Exit::Failed,
            () if self.table.disagreeing() > 0 => Exit::Disagrees,
            () if has(AuditVerdict::Invalid) => Exit::Invalid,
            () if has(AuditVerdict::Undecided) => Exit::Undecided,
            () if self.unsolved > 0 || open.into_iter().any(has) => Exit::Incomplete,
            () => Exit::Answered,
        })
    }
}

impl AuditRun<'_> {
    /// Adds an entry to the page: its report with the verdict and the findings of the audit.
    fn show(&mut self, audit: &Audit, report: Option<Report>, name: &str) {
        let Some(booklet) = &mut self.booklet else { return };
        let unread = || {
            let why = ProblemError::Text(audit.error.clone().unwrap_or_default());
            Report { id: audit.id.clone(), ..report::invalid(&why, ReportOptions::default()) }
        };
        booklet.set_note(&printable::line(&text::note(audit)));
        ReportFormat::add_to_booklet(booklet, &report.unwrap_or_else(unread), ReportStyle::default(), name);
    }

    /// Writes an entry of a collection again, with what stands before it.
    fn copy(
        &mut self,
        item: &AuditItem,
        written: Result<Option<String>, String>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let place = format!("{}:{}", self.names[item.entry.file], item.entry.line);
        let written = written.unwrap_or_else(|why| {
            print_message(&format!("{place}: {why}"));
            None
        });
        if let Err(error) = &item.content {
            print_message(&format!("{place}: {error}"));
        }
        let Entry { source, olv, .. } = &item.entry;
        let source = source.as_deref().or(olv.as_ref().map(|olv| olv.source().as_bytes()));
        let text = written.as_ref().map(|text| encoded(text, item.entry.is_latin1));
        let text = text.as_deref().or(source).unwrap_or_default();
        self.rewriting.write(out, item.entry.file, &item.entry.before, text)
    }

    fn is_listed(&self, audit: &Audit) -> bool {
        match self.args.list {
            Listed::All => true,
            Listed::Differing => text::is_notable(audit),
            Listed::Unsound => self.args.format != AuditFormat::Text && audit.unsound_unmarked,
        }
    }
}
