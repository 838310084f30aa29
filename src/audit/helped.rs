//! Judges one phase of help play: compares the solutions found with the published lines.
//!
//! The solutions found are all there are if the search was complete. Then a published line that is not among them is
//! wrong, and a solution that was not published is a cook. Each published line that cannot be read may be one of the
//! solutions that seem to be unpublished.

use std::collections::BTreeSet;

use shakmaty::Chess;

use crate::chess::{End, MoveCode};
use crate::problem::Problem;
use crate::proof::helped::Replayer;
use crate::published::{PrintedLine, PrintedLines};
use crate::results::audit::{AuditVerdict, Finding, FindingKind, Keys, PhaseAudit, TextPlace};
use crate::results::help::{HelpLine, HelpSolutions};
use crate::results::report::{Report, Soundness};

use super::phase::{PublishedPhase, blank, finding, letter, solved_position};
use super::remarks::is_marked;

/// Compares the report on a phase of help play with what was published.
pub(super) fn judge(phase: &PublishedPhase<'_>, report: &Report, help: &HelpSolutions) -> PhaseAudit {
    let mut audit = blank(letter(phase.name), report);
    let chess = solved_position(report).unwrap_or_else(|| phase.problem.chess.clone());
    let printed = PrintedLines::read(phase.part.text, &chess, phase.problem.question.stipulation);
    let (set, lines): (Vec<&PrintedLine>, Vec<&PrintedLine>) = printed.lines.iter().partition(|line| line.is_set);
    // In the notation of the lines that were found, as far as they are the same.
    let notation = |line: &&PrintedLine| {
        let same = help.solutions.iter().find(|found| found.moves == line.moves);
        same.map_or_else(|| line.words.clone(), |found| found.san.clone())
    };
    audit.published = lines.iter().map(notation).collect();
    let found = moves(&help.solutions);
    let known: BTreeSet<&[String]> = lines.iter().map(|line| line.moves.as_slice()).collect();
    let wrong: Vec<&PrintedLine> =
        lines.iter().copied().filter(|line| !found.contains(line.moves.as_slice())).collect();
    let cooks = help.solutions.iter().filter(|line| !known.contains(line.moves.as_slice()));
    let cooks: Vec<String> = cooks.map(|line| line.san.clone()).collect();
    let comparison = Comparison { start: &chess, phase, report, help, printed: &printed, wrong, cooks };
    let keys = comparison.keys(!lines.is_empty());
    audit.keys = Some(keys).filter(|_| phase.has_claims());
    audit.verdict = comparison.verdict(keys);
    comparison.explain(&mut audit);
    if let Some(known) = help.set_play.as_deref().map(moves).filter(|_| help.complete) {
        let wrong = set.into_iter().filter(|line| !known.contains(line.moves.as_slice()));
        audit.findings.extend(wrong.map(|line| comparison.fails(FindingKind::WrongMove, "set play", line)));
    }
    audit.findings.extend(printed.misprints.iter().map(|misprint| phase.unread(misprint)));
    let is_wrong = |it: &Finding| it.kind == FindingKind::WrongMove || it.kind == FindingKind::Unreadable;
    if audit.verdict == AuditVerdict::Agrees && audit.findings.iter().any(is_wrong) {
        audit.verdict = AuditVerdict::WrongMove;
    }
    audit
}

fn moves(lines: &[HelpLine]) -> BTreeSet<&[String]> {
    lines.iter().map(|line| line.moves.as_slice()).collect()
}

/// The published lines beside those that were found.
struct Comparison<'a> {
    /// The diagram.
    start: &'a Chess,
    phase: &'a PublishedPhase<'a>,
    report: &'a Report,
    help: &'a HelpSolutions,
    printed: &'a PrintedLines,
    /// The published lines that are no solutions, as far as the search has come.
    wrong: Vec<&'a PrintedLine>,
    /// The solutions that were not published.
    cooks: Vec<String>,
}

impl Comparison<'_> {
    /// Returns the result of comparing the lines. `is_named`: some line is published and can be read.
    fn keys(&self, is_named: bool) -> Keys {
        match () {
            () if !self.help.complete => Keys::Undecided,
            () if !is_named && self.printed.misprints.is_empty() => Keys::Unnamed,
            () if self.wrong.is_empty() && self.cooks.is_empty() => Keys::Agree,
            () if is_marked(self.phase.published) => Keys::Marked,
            () if !self.wrong.is_empty() => Keys::Fails,
            () if self.cooks.len() <= self.printed.misprints.len() => Keys::Misprint,
            () => Keys::Cooked,
        }
    }

    fn verdict(&self, keys: Keys) -> AuditVerdict {
        let has_claims = self.phase.has_claims();
        match (keys, self.report.verdict.soundness) {
            // A shorter solution, or one too many beside all that are published, is certain without the others.
            (_, Soundness::ShortSolution) => AuditVerdict::ShortSolution,
            (Keys::Undecided, _) => AuditVerdict::Undecided,
            (_, Soundness::NoSolution) => AuditVerdict::NoSolution,
            (Keys::Agree, _) => AuditVerdict::Agrees,
            (_, Soundness::Cooked) if !has_claims => AuditVerdict::Cooked,
            (Keys::Unnamed, _) if has_claims => AuditVerdict::Unreadable,
            (Keys::Unnamed, _) => AuditVerdict::Agrees,
            (Keys::Misprint, _) => AuditVerdict::WrongMove,
            _ if self.wrong.is_empty() && self.cooks.len() <= self.printed.misprints.len() => AuditVerdict::WrongMove,
            _ if self.wrong.is_empty() => AuditVerdict::Cooked,
            _ if self.cooks.is_empty() => AuditVerdict::WrongKey,
            _ => AuditVerdict::AnotherKey,
        }
    }

    /// Adds the findings about the lines.
    fn explain(&self, audit: &mut PhaseAudit) {
        let stipulation = self.phase.problem.question.stipulation;
        let found: Vec<String> = self.help.solutions.iter().map(|line| line.san.clone()).collect();
        let (kind, text, moves) = match audit.verdict {
            AuditVerdict::Undecided => {
                let count = found.len();
                (FindingKind::Undecided, format!("{count} solutions found, not everything was searched"), Vec::new())
            }
            AuditVerdict::NoSolution => (FindingKind::NoSolution, format!("there is no {stipulation}"), Vec::new()),
            AuditVerdict::ShortSolution => {
                let short = self.help.short_solutions.iter().flatten().map(|line| line.san.clone()).collect();
                (FindingKind::ShortSolution, "there are shorter solutions".to_owned(), short)
            }
            AuditVerdict::Unreadable => {
                (FindingKind::NoKey, "the solution has no line of help play that can be read".to_owned(), found)
            }
            AuditVerdict::Cooked | AuditVerdict::AnotherKey => {
                let has_claims = self.phase.has_claims();
                let what = if has_claims { "lines that are not in the solution" } else { "several solutions" };
                (FindingKind::Cook, what.to_owned(), self.cooks.clone())
            }
            AuditVerdict::Agrees
                if self.report.verdict.soundness == Soundness::Cooked
                    && self.phase.problem.stated.intended.is_some()
                    && !is_marked(self.phase.published) =>
            {
                (FindingKind::SeveralKeys, "the solution gives more lines than intended".to_owned(), found)
            }
            _ => (FindingKind::Undecided, String::new(), Vec::new()),
        };
        audit.findings.extend((!text.is_empty()).then(|| finding(kind, text, moves)));
        // Without all solutions, only a line that does not hold is certainly none.
        let goal = stipulation.to_string();
        let (hold, fail): (Vec<&PrintedLine>, _) =
            self.wrong.iter().partition(|line| !self.help.complete && holds(self.phase.problem, self.start, line));
        audit.findings.extend(fail.into_iter().map(|line| self.fails(FindingKind::FalseKey, &goal, line)));
        let end = if stipulation.goal().end == End::Stalemate { "stalemate" } else { "mate" };
        audit.findings.extend(hold.into_iter().map(|line| {
            let text = format!("{} is legal and ends in {end}", line.words);
            Finding { place: self.last_word(line), ..finding(FindingKind::Undecided, text, Vec::new()) }
        }));
    }

    /// Returns the finding that a published line is no solution, with the place of its last move.
    fn fails(&self, kind: FindingKind, what: &str, line: &PrintedLine) -> Finding {
        let text = format!("{} is no solution ({what})", line.words);
        Finding { place: self.last_word(line), ..finding(kind, text, Vec::new()) }
    }

    fn last_word(&self, line: &PrintedLine) -> Option<TextPlace> {
        line.words.rsplit(' ').next().map(|last| self.phase.place(line.at, last))
    }
}

/// Returns whether a published line is a solution, whatever others there are.
pub(crate) fn holds(problem: &Problem, start: &Chess, line: &PrintedLine) -> bool {
    let codes: Option<Vec<MoveCode>> = line.moves.iter().map(|text| MoveCode::of_uci(text)).collect();
    let mut rules = Replayer::new(start, problem.question.stipulation, &problem.exclusive);
    codes.is_some_and(|codes| rules.holds(&codes))
}
