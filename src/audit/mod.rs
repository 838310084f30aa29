//! Audits published problems: solves them again and says whether the published solution is right.
//!
//! ```text
//! Published ──> phases ──> report ──> keys compared ──> verdict, findings ──> keywords compared ──> Audit
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `keys` | the keys of a report against the published ones, and the reason of a difference |
//! | `lines` | the second moves of a report against the published ones: duals, moves that do not reach the goal |
//! | `helped` | the lines of help play against the published ones |
//! | `phase` | a phase and what was published about it |
//! | `judge` | the verdict of a phase, with its findings |
//! | `remarks` | the keywords about soundness against the truth, and those that name themes against the themes that are found |
//!
//! What an audit says about keys and solutions comes from a report, so it is proved and checked as reports are. A
//! published key or line that a limit leaves open is not called wrong.

pub(crate) mod helped;
mod judge;
pub mod keys;
mod lines;
mod phase;
mod remarks;

use crate::base::guard::caught;
use crate::problem::input::Entry;
use crate::problem::{Problem, ProblemError};
use crate::published::Published;
use crate::report::{self, ReportContext, ReportRequest};
use crate::results::audit::{Audit, AuditVerdict};
use crate::results::report::{Report, Soundness};
use crate::results::solution::StoppedBy;

pub(crate) use phase::PublishedPhase;

/// The options of an audit, and its limits.
#[derive(Debug, Clone, Default)]
pub(crate) struct AuditRequest {
    /// The options and limits of each report.
    pub report: ReportRequest,
    /// The number of nodes with which the engine `exhaustive` confirms each differing key; `None`: it does not.
    pub confirm: Option<u64>,
}

/// The largest number of findings of a phase. A text that has nothing to do with the diagram has hundreds.
const MOST_FINDINGS: usize = 50;

/// An audit with the report that it rests on.
#[derive(Debug)]
pub struct Audited {
    /// The audit.
    pub audit: Audit,
    /// The report; `None` if nothing was solved.
    pub report: Option<Report>,
}

/// Audits a published problem. What is not proved when the search ends is undecided.
pub(crate) fn audit(published: &Published, request: &AuditRequest, context: ReportContext<'_>) -> Audited {
    let mut audit = blank(published);
    if published.problem.question.stipulation.moves().is_none() {
        let why = "no length is stated, so there is nothing to compare with; state one, such as #3";
        return refused(published, AuditVerdict::NotAudited, why.to_owned());
    }
    if let Some(keyword) = remarks::other_board(published) {
        let why = format!("the keyword \"{keyword}\" says that the board is not the usual one");
        return refused(published, AuditVerdict::NotAudited, why);
    }
    let phases = match PublishedPhase::all(published) {
        Ok(phases) => phases,
        Err(why) => return refused(published, AuditVerdict::Invalid, why),
    };
    let request = AuditRequest { report: report_request(published, &request.report), ..*request };
    let solve = |problem: &Problem| report::report(problem, &request.report, context);
    let report = solve(&published.problem);
    let single = std::slice::from_ref(&report);
    let reports = if published.problem.phases.is_empty() { single } else { &report.phases };
    for ((letter, phase), report) in phases.into_iter().zip(reports) {
        audit.phases.push(match phase {
            Ok(phase) => phase.judge(report, request.confirm, &solve),
            Err(error) => judge::unsolved(letter, report, error),
        });
    }
    audit.phases.iter_mut().for_each(|phase| phase.findings.truncate(MOST_FINDINGS));
    audit.interrupted = report.stats.stopped_by == Some(StoppedBy::Interrupt);
    let sound = (AuditVerdict::Agrees, Some(Soundness::Sound));
    audit.verdict = match audit.phases.iter().map(|phase| phase.verdict).max() {
        _ if audit.phases.iter().all(|phase| (phase.verdict, phase.soundness) == sound) => AuditVerdict::Sound,
        worst => worst.unwrap_or_default(),
    };
    remarks::compare(&mut audit, published);
    audit.themes = remarks::compare_themes(&published.keywords, &report);
    Audited { audit: audit.compared(), report: Some(report) }
}

/// Audits what was published in an entry of a file. A panic costs this entry only.
pub(crate) fn audit_entry(
    entry: &Entry,
    published: Result<&Published, &ProblemError>,
    request: &AuditRequest,
    context: ReportContext<'_>,
) -> Audited {
    match published {
        Ok(published) => caught(|| audit(published, request, context)).unwrap_or_else(|broken| {
            let place = format_args!("the position {}", published.problem.fen);
            refused(published, AuditVerdict::Failed, broken.sentence("matesolve", place))
        }),
        Err(error) => Audited { audit: unreadable(error, entry), report: None },
    }
}

/// Returns the audit of an entry that holds no problem to audit.
fn unreadable(error: &ProblemError, entry: &Entry) -> Audit {
    let (line, id) = (Some(entry.line), entry.id());
    Audit { line, id, verdict: verdict_on(error), error: Some(error.to_string()), ..Audit::default() }
}

/// Returns the verdict on a text that is no problem to audit.
fn verdict_on(error: &ProblemError) -> AuditVerdict {
    if error.is_other_genre() { AuditVerdict::NotAudited } else { AuditVerdict::Invalid }
}

/// Returns the audit of a problem that is not solved, for this reason.
fn refused(published: &Published, verdict: AuditVerdict, why: String) -> Audited {
    Audited { audit: Audit { verdict, error: Some(why), ..blank(published) }, report: None }
}

fn blank(published: &Published) -> Audit {
    Audit {
        line: published.problem.line,
        id: published.problem.id.clone(),
        authors: published.authors.clone(),
        source: published.source.clone(),
        year: published.year,
        marked: remarks::is_marked(published),
        ..Audit::default()
    }
}

/// Adds what the entry itself demands to the request.
fn report_request(published: &Published, request: &ReportRequest) -> ReportRequest {
    let mut request = request.clone();
    // Publications of help play give set play without saying so.
    request.options.set_play |= published.problem.question.stipulation.is_helped();
    if let Some(entry) = &published.entry {
        request.options.add_asked(entry.options.phase.set_play, entry.options.tries);
    }
    if request.options.themes {
        // Keywords name themes of set play and tries, too.
        request.options.add_asked(true, Some(1));
    }
    request
}
