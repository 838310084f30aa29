//! `matesolve audit FILE…`: solves published problems again and says whether their solutions are right.
//!
//! Several entries are worked on at the same time, and the results are written in input order, as in a batch. The list
//! of unsound problems is sorted by year, so it is written at the end; it holds a line for each of them, no more.

pub(crate) mod args;

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use serde_json::{Map, Value};

use crate::audit::{AuditRequest, Audited, audit_entry};
use crate::base::printable;
use crate::batch::{self, NodeCount, SpareThreads};
use crate::output::audit::json::{self, WrittenAudit};
use crate::output::audit::table::{AuditTable, Counted};
use crate::output::audit::{AuditFormat, text};
use crate::output::olv;
use crate::problem::input::{Entry, EntryKind};
use crate::problem::olv::OlvEntry;
use crate::published::{Published, PublishedError};
use crate::report::ReportRequest;
use crate::results::audit::{Audit, AuditVerdict, FindingKind};
use matesolve_terms::encoding::encoded;

use crate::cli::audit::args::{AuditArgs, Listed};
use crate::cli::files::inputs;
use crate::cli::files::output_file;
use crate::cli::files::rewriting::Rewriting;
use crate::cli::options::config;
use crate::cli::runs::batch_progress::BatchProgress;
use crate::cli::runs::checkpoint::{Problems, RunOutput, SyncedFile};
use crate::cli::runs::resume;
use crate::cli::terminal::exit::{Exit, Tally};
use crate::cli::terminal::interrupt::Interrupt;
use crate::cli::terminal::messages::{CliError, print_message};

pub(crate) fn run(args: &AuditArgs) -> Result<Exit, CliError> {
    check_options(args)?;
    let path = args.output.as_deref();
    resume::check_outputs(path, args.resume, &args.files)?;
    let items = items(args)?;
    let names: Vec<String> = args.files.iter().map(|path| inputs::name(path)).collect();
    let (request, jobs) = request(args);
    let interrupt = Interrupt::install();
    let nodes = NodeCount::default();
    let progress = BatchProgress::new(args.quiet, &args.files, &nodes);
    let mut counts = AuditCounts { table: AuditTable::default(), names: &names, progress, nodes };
    let (out, items) = match args.format {
        _ if args.resume => {
            let mut skip = |written: &WrittenAudit, item: &AuditItem| counts.skip(written, item);
            let (file, items) = continued(path.unwrap_or(Path::new("-")), record(args), items, &mut skip)?;
            (RunOutput::Continued(file), items)
        }
        AuditFormat::Olv => (RunOutput::New(output_file::open_exact(path)?), items),
        _ => (RunOutput::New(output_file::open(path, args.color.into())?), items),
    };
    let rewriting = Rewriting::default();
    let mut output =
        AuditOutput { args, names: &names, out, rewriting, counts, unsolved: 0, unsound: vec![], is_cut: false };
    let work = |item: AuditItem, spare: &SpareThreads| {
        let audited = audit_entry(item.content.as_ref(), item.entry.line, &request, interrupt.stop_flag(), spare);
        let written = if args.format == AuditFormat::Olv { rewritten(&item, &audited, args) } else { Ok(None) };
        (item, audited.audit, written)
    };
    let emit = &mut |(item, audit, written): (AuditItem, Audit, _)| output.add(&item, &audit, written);
    let finished = batch::ordered(items, jobs, interrupt.stop_flag(), work, emit);
    output.counts.progress.remove();
    finished?;
    output.finish(&interrupt)
}

/// The entries of an audit.
type Items<'a> = Box<dyn Iterator<Item = AuditItem> + Send + 'a>;

/// Opens the file of a run that is continued. Passes the audits that are there to `skip`, which returns `None` if one
/// is of another entry. Returns the file for more audits and the entries that are left.
fn continued<'a>(
    path: &Path,
    options: Map<String, Value>,
    items: Items<'a>,
    skip: &mut dyn FnMut(&WrittenAudit, &AuditItem) -> Option<()>,
) -> Result<(SyncedFile, Items<'a>), CliError> {
    let problems = Problems::default();
    let mut items = problems.watch(items, text_of).peekable();
    let mut continued = resume::open(path, options, &problems)?;
    while let Some(item) = items.peek() {
        let Some(written) = continued.next()? else { break };
        skip(&written, item).ok_or_else(|| continued.other_input(item.entry.line))?;
        continued.check_saved()?;
        items.next();
    }
    let is_end = items.peek().is_none();
    Ok((continued.finish(is_end)?, Box::new(items)))
}

/// Returns everything that an entry says that its audit depends on.
fn text_of(item: &AuditItem) -> String {
    match &item.content {
        Ok(published) => {
            let Published { problem, keywords, keys, solution, intended, .. } = published;
            let (line, fen, twins) = (item.entry.line, &problem.fen, &problem.phases);
            format!("{line} {fen} {:?} {twins:?} {keywords:?} {keys:?} {solution:?} {intended:?}", problem.stipulation)
        }
        Err(error) => format!("{} {error}", item.entry.line),
    }
}

/// An entry and what was published about it.
struct AuditItem {
    entry: Entry,
    content: Result<Published, PublishedError>,
}

/// Returns the entries of all inputs that this run is to audit. All inputs are opened first.
fn items(args: &AuditArgs) -> Result<Items<'_>, CliError> {
    let opened = args.files.iter().map(|path| inputs::open(path)).collect::<Result<Vec<_>, _>>()?;
    let is_copied = args.format == AuditFormat::Olv;
    let opened = args.files.iter().zip(opened).enumerate();
    let entries = opened.flat_map(move |(file, (path, input))| inputs::entries(path, input, file, None, is_copied));
    let shard = args.shard;
    let entries = entries.enumerate().filter(move |(index, _)| shard.is_none_or(|shard| shard.has(*index)));
    Ok(Box::new(entries.map(|(_, entry)| AuditItem { content: Published::of(&entry), entry })))
}

fn request(args: &AuditArgs) -> (AuditRequest, usize) {
    let jobs = config::total_threads(args.limits.threads).max(1);
    let limits = config::of_each(&args.limits, jobs, args.quiet);
    let mut report = ReportRequest { limits, ..ReportRequest::default() };
    report.options.themes = args.themes;
    (AuditRequest { report, confirm: args.confirm }, jobs)
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
    let why = if args.resume && args.format != AuditFormat::Jsonl {
        "--resume needs --format jsonl, whose lines say which entry they audit".to_owned()
    } else if args.resume && args.output.as_deref().is_some_and(inputs::is_stdin) {
        "--resume needs a file to continue; name it with -o FILE".to_owned()
    } else if args.list != Listed::All && (args.resume || is_olv) {
        "--list cannot leave out entries with --resume or --format olv, which need all of them; leave it out".to_owned()
    } else if args.mark && !is_olv {
        "--mark changes the keywords of a collection that is written anew; add --format olv".to_owned()
    } else if let (true, Some(path)) = (is_olv, other) {
        format!("--format olv writes a collection again, and {} is none; give .olv files", inputs::name(path))
    } else if is_olv && args.shard.is_some() {
        "--format olv writes the whole collection; leave out --shard".to_owned()
    } else {
        return Ok(());
    };
    Err(CliError::Usage(why))
}

/// Describes the run for `--resume`: the options that change its results, and its inputs with their sizes.
fn record(args: &AuditArgs) -> Map<String, Value> {
    let limits = &args.limits;
    let mut record = Map::new();
    record.insert("version".into(), env!("CARGO_PKG_VERSION").into());
    record.insert("input".into(), resume::inputs(&args.files).into());
    record.insert("shard".into(), args.shard.map(|shard| shard.to_string()).into());
    record.insert("confirm".into(), args.confirm.into());
    if args.themes {
        record.insert("themes".into(), true.into());
    }
    record.insert("limits".into(), resume::limits(limits.time, limits.nodes, limits.hash));
    record
}

/// Counts the audits of an earlier run.
struct AuditCounts<'a> {
    table: AuditTable,
    /// The names of the inputs.
    names: &'a [String],
    progress: BatchProgress,
    nodes: NodeCount,
}

impl AuditCounts<'_> {
    /// Counts an entry. `is_new` is false if an earlier run has audited it.
    fn add(&mut self, counted: Counted, item: &AuditItem, is_new: bool) {
        self.table.add(counted);
        let [undecided, invalid, failed] = [AuditVerdict::Undecided, AuditVerdict::Invalid, AuditVerdict::Failed]
            .map(|verdict| self.table.count(verdict));
        let (lines, disagreeing) = (self.table.entries(), self.table.disagreeing());
        let mates = lines - undecided - invalid - failed;
        let tally = Tally { lines, mates, undecided, invalid, failed, disagreeing, ..Tally::default() };
        self.progress.add(tally, item.entry.file, Some(item.entry.line), is_new);
    }

    /// Counts an entry that an earlier run has audited; `None` if it is another one.
    fn skip(&mut self, written: &WrittenAudit, item: &AuditItem) -> Option<()> {
        let published = item.content.as_ref().ok();
        let id = published.and_then(|published| published.problem.id.as_ref()).map(|id| printable::line(id));
        let is_same = (written.file.as_str(), written.line)
            == (self.names[item.entry.file].as_str(), Some(item.entry.line))
            && written.id.as_deref().map(printable::line) == id;
        self.add(written.counted(), item, false);
        is_same.then_some(())
    }
}

/// Writes the audits, in input order, and counts them.
struct AuditOutput<'a> {
    args: &'a AuditArgs,
    names: &'a [String],
    out: RunOutput,
    rewriting: Rewriting,
    counts: AuditCounts<'a>,
    /// The number of entries with a phase that cannot be solved.
    unsolved: usize,
    /// Year, authors and line of each problem that was published as sound and is not.
    unsound: Vec<(Option<u16>, String, String)>,
    /// Whether an entry was left out, because its audit was interrupted.
    is_cut: bool,
}

impl AuditOutput<'_> {
    /// Writes one audit.
    fn add(&mut self, item: &AuditItem, audit: &Audit, written: Result<Option<String>, String>) -> io::Result<()> {
        let file = &self.names[item.entry.file];
        if item.entry.kind == EntryKind::End {
            self.rewriting.write(&mut self.out, item.entry.file, &item.entry.before, &[])?;
            return self.out.flush();
        }
        self.is_cut |= self.args.resume && audit.interrupted;
        if self.is_cut {
            // The continued run begins with the first entry that was interrupted.
            return Ok(());
        }
        self.counts.nodes.0.fetch_add(audit.phases.iter().map(|phase| phase.nodes).sum(), Relaxed);
        self.counts.add(Counted::of(audit), item, true);
        self.unsolved += usize::from(audit.findings().any(|(_, finding)| finding.kind == FindingKind::Unsolved));
        if audit.is_unsound_unmarked() {
            self.unsound.push((audit.year, audit.authors.join(" & "), text::unsound(audit, file)));
        }
        let text = match self.args.format {
            AuditFormat::Olv => return self.copy(item, written),
            AuditFormat::Text if self.is_listed(audit) => {
                let several = if self.names.len() > 1 { format!("{file}:") } else { String::new() };
                format!("{several}{}", text::entry(audit))
            }
            AuditFormat::Jsonl if self.is_listed(audit) => format!("{}\n", json::line(audit, file)),
            AuditFormat::Text | AuditFormat::Jsonl => return Ok(()),
        };
        let out = &mut self.out;
        self.counts.progress.suspend(|| {
            out.write_all(text.as_bytes())?;
            out.flush()
        })
    }

    /// Writes an entry of a collection again, with what stands before it.
    fn copy(&mut self, item: &AuditItem, written: Result<Option<String>, String>) -> io::Result<()> {
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
        self.rewriting.write(&mut self.out, item.entry.file, &item.entry.before, text)?;
        self.out.flush()
    }

    fn is_listed(&self, audit: &Audit) -> bool {
        match self.args.list {
            Listed::All => true,
            Listed::Differing => text::is_notable(audit),
            Listed::Unsound => self.args.format == AuditFormat::Jsonl && audit.is_unsound_unmarked(),
        }
    }

    /// Ends the output with the totals and returns the exit code.
    fn finish(mut self, interrupt: &Interrupt) -> Result<Exit, CliError> {
        let is_text = self.args.format == AuditFormat::Text;
        if is_text && self.args.list == Listed::Unsound {
            self.unsound.sort_by(|a, b| (a.0.unwrap_or(u16::MAX), &a.1).cmp(&(b.0.unwrap_or(u16::MAX), &b.1)));
            for (.., line) in &self.unsound {
                writeln!(self.out, "{line}")?;
            }
        }
        let entries = self.counts.table.entries();
        if is_text && entries > 0 {
            self.out.write_all(format!("\n{}", self.counts.table.text()).as_bytes())?;
        } else if entries > 0 && !self.args.quiet {
            self.counts.table.text().lines().for_each(print_message);
        }
        self.out.finish()?;
        if interrupt.is_requested() {
            print_message(&format!(
                "matesolve: interrupted after {entries} entries; the remaining entries were not audited"
            ));
            return Ok(Exit::Interrupted);
        }
        if entries == 0 && self.args.shard.is_none() {
            print_message(&format!("matesolve: {} holds no published problem", self.names.join(", ")));
            return Ok(Exit::Invalid);
        }
        Ok(self.exit())
    }

    fn exit(&self) -> Exit {
        let has = |verdict| self.counts.table.count(verdict) > 0;
        let open = [
            AuditVerdict::OtherRights,
            AuditVerdict::OtherRotation,
            AuditVerdict::WrongMove,
            AuditVerdict::Dual,
            AuditVerdict::Unreadable,
        ];
        match () {
            () if has(AuditVerdict::Failed) => Exit::Failed,
            () if self.counts.table.disagreeing() > 0 => Exit::Disagrees,
            () if has(AuditVerdict::Invalid) => Exit::Invalid,
            () if has(AuditVerdict::Undecided) => Exit::Undecided,
            () if self.unsolved > 0 || open.into_iter().any(has) => Exit::Incomplete,
            () => Exit::Answered,
        }
    }
}
