//! Audits published problems: solves them again and says whether the published solution is right.
//!
//! ```text
//! Published ──> phases ──> report ──> keys compared ──> verdict, findings ──> keywords compared ──> Audit
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `keys` | the keys of a report against the published ones, and the reason of a difference |
//! | `lines` | the second moves of a report against the published ones: duals, moves that do not mate |
//! | `helped` | the lines of help play against the published ones |
//! | `phase` | a phase and what was published about it |
//! | `judge` | the verdict of a phase, with its findings |
//! | `remarks` | the keywords about soundness against the truth, and those that name themes against the themes that are found |
//!
//! What an audit says about keys and mates comes from a report, so it is proved and checked as all reports are. What a
//! limit leaves open is `undecided`.

mod helped;
mod judge;
pub mod keys;
mod lines;
mod phase;
mod remarks;

use crate::base::guard::caught;
use crate::problem::twins::Phase as ProblemPhase;
use crate::problem::{Problem, ProblemError};
use crate::published::{PhaseText, Published, phase_texts};
use crate::report::{self, ReportContext, ReportRequest};
use crate::results::audit::{Audit, AuditVerdict};
use crate::results::report::Report;
use crate::results::solution::StoppedBy;

use phase::PublishedPhase;

/// The options of an audit, and its limits.
#[derive(Debug, Clone, Default)]
pub(crate) struct AuditRequest {
    /// The options and limits of each report.
    pub report: ReportRequest,
    /// The number of nodes with which the engine `exhaustive` confirms each differing key; `None`: it does not.
    pub confirm: Option<u64>,
}

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
        audit.error =
            Some("no length is stated, so there is nothing to compare with; state one, such as #3".to_owned());
        return Audited { audit, report: None };
    }
    if let Some(keyword) = remarks::other_board(published) {
        audit.error = Some(format!("the keyword \"{keyword}\" says that the board is not the usual one"));
        return Audited { audit, report: None };
    }
    let text = published.solution.as_deref().unwrap_or_default();
    let texts = phase_texts(text);
    let request = AuditRequest { report: report_request(published, &request.report), ..*request };
    let solve = |problem: &Problem| report::report(problem, &request.report, context);
    let report = solve(&published.problem);
    let phases = phases(published, &report);
    if phases.len() > 1 && published.keys.len() > phases.len() {
        let (keys, phases) = (published.keys.len(), phases.len());
        audit.error = Some(format!("keys has {keys} items, and the problem {phases} phases; write one for each phase"));
        audit.verdict = AuditVerdict::Invalid;
        return Audited { audit, report: None };
    }
    let (count, published_keys) = (phases.len(), &published.keys[..]);
    for (at, (name, solved, report)) in phases.into_iter().enumerate() {
        let letter = name.and_then(|phase| phase.name.letter.chars().next());
        let problem = match solved {
            Ok(problem) => problem,
            Err(error) => {
                audit.phases.push(judge::unsolved(letter, report, error));
                continue;
            }
        };
        let part = part(&texts, half(&published.problem, name).or(letter), text);
        let is_half = name.is_some_and(|phase| phase.name.attacker.is_some());
        let turned = name.is_some_and(|phase| phase.turned);
        let (whole, marked) = (text, audit.marked);
        let is_counted = problem.stated.intended.is_some();
        // The only phase has all items, others have one each.
        let keys = if count == 1 { published_keys } else { published_keys.get(at..=at).unwrap_or_default() };
        let phase =
            PublishedPhase { letter, problem, is_half, turned, published, keys, whole, part, marked, is_counted };
        audit.phases.push(phase.judge(report, request.confirm, &solve));
    }
    audit.interrupted = report.stats.stopped_by == Some(StoppedBy::Interrupt);
    audit.verdict = audit.phases.iter().map(|phase| phase.verdict).max().unwrap_or(AuditVerdict::NotAudited);
    remarks::compare(&mut audit, published);
    audit.themes = remarks::compare_themes(&published.keywords, &report);
    Audited { audit: audit.compared(), report: Some(report) }
}

/// Audits what was published at a line of a file. A panic costs this entry only.
pub(crate) fn audit_entry(
    published: Result<&Published, &ProblemError>,
    line: usize,
    request: &AuditRequest,
    context: ReportContext<'_>,
) -> Audited {
    let audited = match published {
        Ok(published) => caught(|| audit(published, request, context)).map_err(|broken| {
            let place = format_args!("the position {}", published.problem.fen);
            failed(published, broken.sentence("matesolve", place))
        }),
        Err(error) => Err(unreadable(error, line)),
    };
    audited.unwrap_or_else(|audit| Audited { audit, report: None })
}

/// Returns the audit of an entry that holds no problem to audit.
fn unreadable(error: &ProblemError, line: usize) -> Audit {
    Audit { line: Some(line), verdict: verdict_on(error), error: Some(error.to_string()), ..Audit::default() }
}

/// Returns the verdict on a text that is no problem to audit.
fn verdict_on(error: &ProblemError) -> AuditVerdict {
    if error.is_other_genre() { AuditVerdict::NotAudited } else { AuditVerdict::Invalid }
}

/// Returns the audit of a problem on which the program failed.
fn failed(published: &Published, why: String) -> Audit {
    Audit { verdict: AuditVerdict::Failed, error: Some(why), ..blank(published) }
}

fn blank(published: &Published) -> Audit {
    Audit {
        line: published.problem.line,
        id: published.problem.id.clone(),
        authors: published.authors.clone(),
        source: published.source.clone(),
        year: published.year,
        marked: published.is_marked() || published.solution.as_deref().is_some_and(remarks::admits_fault),
        ..Audit::default()
    }
}

/// A phase, if the problem has several; its problem, or why it is not a problem; and the report on it.
type SolvedPhase<'a> = (Option<&'a ProblemPhase>, Result<&'a Problem, &'a ProblemError>, &'a Report);

fn phases<'a>(published: &'a Published, report: &'a Report) -> Vec<SolvedPhase<'a>> {
    let problem = &published.problem;
    if problem.phases.is_empty() {
        return vec![(None, Ok(problem), report)];
    }
    let phases = problem.phases.iter().zip(&report.phases);
    phases.map(|(phase, report)| (Some(phase), phase.problem.as_ref(), report)).collect()
}

/// Returns the letter that publications give to this half of a duplex without twins; `None` if it is none.
fn half(problem: &Problem, phase: Option<&ProblemPhase>) -> Option<char> {
    let [first, second] = &problem.phases[..] else { return None };
    let is_duplex = first.name.attacker.is_some() && first.name.letter == second.name.letter;
    let is_second = phase?.name.attacker == second.name.attacker;
    is_duplex.then_some(if is_second { 'b' } else { 'a' })
}

/// Returns the part of a solution that belongs to a phase.
fn part<'a>(texts: &[PhaseText<'a>], letter: Option<char>, whole: &'a str) -> PhaseText<'a> {
    let all = PhaseText { letter: None, start: 0, text: whole };
    match letter {
        None => all,
        Some(_) if texts.len() == 1 => all,
        Some(_) => {
            let found = texts.iter().find(|text| text.letter == letter).copied();
            found.unwrap_or(PhaseText { letter, start: whole.len(), text: "" })
        }
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
