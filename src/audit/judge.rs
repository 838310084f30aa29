//! Judges one phase: compares its report with its part of the published solution.

use std::collections::BTreeSet;

use shakmaty::Chess;

use crate::chess::{Goal, passed};
use crate::problem::{Problem, ProblemError};
use crate::published::{Printed, PrintedSolution, uci};
use crate::results::audit::{AuditVerdict, FindingKind, Keys, PhaseAudit};
use crate::results::report::{Report, Soundness};
use crate::results::solution::Status;

use super::helped;
use super::keys::{self, KeyPair, Moves};
use super::lines::{SecondMove, concealed_duals, false_mates, sans};
use super::phase::{PublishedPhase, blank, finding, letter, solved_position};
use super::remarks;

/// Returns the audit of a phase that cannot be solved.
pub(super) fn unsolved(letter: Option<char>, report: &Report, error: &ProblemError) -> PhaseAudit {
    let verdict = super::verdict_on(error);
    let findings = vec![finding(FindingKind::Unsolved, error.to_string(), Vec::new())];
    PhaseAudit { verdict, findings, soundness: None, ..blank(letter, report) }
}

impl PublishedPhase<'_> {
    /// Compares the report on the phase with what was published. `solve` makes further reports, on the same diagram
    /// with other rights.
    pub(super) fn judge(
        &self,
        report: &Report,
        confirm: Option<u64>,
        solve: &dyn Fn(&Problem) -> Report,
    ) -> PhaseAudit {
        let mut audit = blank(letter(self.name), report);
        if report.internal_failure || report.position.is_none() {
            audit.verdict = if report.internal_failure { AuditVerdict::Failed } else { AuditVerdict::Invalid };
            return audit;
        }
        if let Some(help) = &report.help {
            return helped::judge(self, report, help);
        }
        let chess = solved_position(report).unwrap_or_else(|| self.problem.chess.clone());
        let solution = self.read(&chess);
        let published = solution.keys();
        audit.published = sans(&chess, &published);
        let keys = if report.verdict.soundness == Soundness::Undecided {
            Keys::Undecided
        } else if self.keys.is_empty() && !solution.names_key() {
            Keys::Unnamed
        } else {
            self.compare(report, &chess, confirm, solve, &mut audit)
        };
        audit.keys = Some(keys).filter(|_| self.has_claims() && !report.options.post_key);
        audit.verdict = self.verdict(report, keys, &published);
        if audit.verdict.disagrees() && remarks::is_retro(self.published) {
            // Rights that only the history of the game decides are not searched.
            let text =
                format!("{} with the rights that the diagram shows, but it is a retro problem", audit.verdict.words());
            audit.findings.push(finding(FindingKind::Undecided, text, audit.found.clone()));
            audit.verdict = AuditVerdict::Undecided;
            return audit;
        }
        self.explain(report, &published, &mut audit);
        if audit.verdict == AuditVerdict::Agrees {
            self.check_lines(report, &solution, &mut audit);
        }
        if !matches!(audit.verdict, AuditVerdict::OtherRights | AuditVerdict::OtherRotation) {
            self.check_words(&solution, &mut audit);
        }
        audit
    }

    /// Returns whether the publication says anything about the solution.
    pub(crate) fn has_claims(&self) -> bool {
        !self.keys.is_empty() || !self.part.text.trim().is_empty()
    }

    /// Reads the published solution as that of a position, with the keys that are named beside it.
    pub(crate) fn read(&self, chess: &Chess) -> PrintedSolution {
        // The text may hold the play of both halves of a duplex.
        let other = self.name.filter(|phase| phase.name.attacker.is_some()).and_then(|_| passed(chess));
        let defender_ends = self.problem.question.stipulation.goal().is_self();
        let text = PrintedSolution::read_for(self.part.text, chess, other.as_ref(), defender_ends);
        text.with_keys(self.keys, chess)
    }

    /// Compares the keys, and notes the rights that explain a difference.
    fn compare(
        &self,
        report: &Report,
        chess: &Chess,
        confirm: Option<u64>,
        solve: &dyn Fn(&Problem) -> Report,
        audit: &mut PhaseAudit,
    ) -> Keys {
        let read = |chess: &Chess| self.read(chess).keys();
        let Problem { question, exclusive, .. } = self.problem;
        let (stipulation, ours) = (question.stipulation, keys::keys(report));
        let (marked, turned) = (self.published.is_marked(), self.name.is_some_and(|phase| phase.turned));
        let pair = KeyPair { chess, exclusive, stipulation, ours: &ours, read: &read, marked, turned, confirm };
        let (keys, other) = pair.compare(&mut |fen| {
            let other = Problem::read(fen).ok()?;
            let other = other.stipulated(question.stipulation);
            let other = Problem { question: question.clone(), exclusive: exclusive.clone(), ..other };
            Some(keys::keys(&solve(&other)))
        });
        if let Some(fen) = other {
            let turned = if keys == Keys::Rotation { ", with the board turned in the other direction" } else { "" };
            let text = format!("the published keys are right in {fen}{turned}");
            audit.findings.push(finding(FindingKind::OtherRights, text, Vec::new()));
        }
        keys
    }

    fn verdict(&self, report: &Report, keys: Keys, published: &Moves) -> AuditVerdict {
        let ours = keys::keys(report);
        let is_post_key = report.options.post_key;
        match (keys, report.verdict.soundness) {
            (Keys::Undecided, _) => AuditVerdict::Undecided,
            (Keys::Castling | Keys::EnPassant, _) => AuditVerdict::OtherRights,
            (Keys::Rotation, _) => AuditVerdict::OtherRotation,
            (_, Soundness::NoSolution) if ours.is_empty() => AuditVerdict::NoSolution,
            (_, Soundness::ShortSolution) => AuditVerdict::ShortSolution,
            (Keys::Agree, _) => AuditVerdict::Agrees,
            (_, Soundness::Cooked) if !self.has_claims() => AuditVerdict::Cooked,
            _ if is_post_key || !self.has_claims() => AuditVerdict::Agrees,
            _ if published.is_empty() => AuditVerdict::Unreadable,
            _ if report.first_moves.open.iter().any(|ply| published.contains(&uci(ply.mv))) => AuditVerdict::Undecided,
            _ if ours.is_superset(published) => AuditVerdict::Cooked,
            _ if ours.is_subset(published) => AuditVerdict::WrongKey,
            _ => AuditVerdict::AnotherKey,
        }
    }

    /// Adds the findings about the keys.
    fn explain(&self, report: &Report, published: &Moves, audit: &mut PhaseAudit) {
        let mut add = |kind, text: String, moves| audit.findings.push(finding(kind, text, moves));
        let length = self.problem.question.stipulation;
        let unpublished = |ply: &&crate::results::report::Ply| !published.contains(&uci(ply.mv));
        let keys = report.keys.iter().map(|key| &key.ply);
        match audit.verdict {
            AuditVerdict::Undecided => add(FindingKind::Undecided, how_far(report), Vec::new()),
            AuditVerdict::NoSolution => add(FindingKind::NoSolution, format!("there is no {length}"), Vec::new()),
            AuditVerdict::ShortSolution => {
                let what = length.goal().noun();
                let stated = length.moves().map_or(0, |moves| moves.0);
                let lengths: BTreeSet<u16> =
                    report.keys.iter().map(|key| key.mate_in).filter(|&n| n < stated).collect();
                for n in lengths {
                    let moves = report.keys.iter().filter(|key| key.mate_in == n).map(|key| key.ply.san.clone());
                    add(FindingKind::ShortSolution, format!("there is a {what} in {n}"), moves.collect());
                }
            }
            AuditVerdict::Unreadable if audit.keys != Some(Keys::Misprint) => {
                let found = keys.map(|ply| ply.san.clone()).collect();
                add(FindingKind::NoKey, "the solution marks no first move as the key".to_owned(), found);
            }
            AuditVerdict::Cooked | AuditVerdict::AnotherKey => {
                let cooks: Vec<String> = keys.filter(unpublished).map(|ply| ply.san.clone()).collect();
                let what = if self.has_claims() { "keys that are not in the solution" } else { "several keys" };
                add(FindingKind::Cook, what.to_owned(), cooks);
            }
            AuditVerdict::Agrees
                if report.verdict.soundness == Soundness::Cooked && !remarks::is_marked(self.published) =>
            {
                let all = keys.map(|ply| ply.san.clone()).collect();
                add(FindingKind::SeveralKeys, "the solution gives more keys than intended".to_owned(), all);
            }
            _ => {}
        }
        let ours = keys::keys(report);
        if audit.verdict.disagrees() {
            let chess = solved_position(report).unwrap_or_else(|| self.problem.chess.clone());
            // A published key that a limit left open is not called wrong.
            let open: Moves = report.first_moves.open.iter().map(|ply| uci(ply.mv)).collect();
            let wrong = sans(&chess, &published.difference(&ours).filter(|m| !open.contains(*m)).cloned().collect());
            if !wrong.is_empty() {
                add(FindingKind::FalseKey, format!("published keys that are no {length}"), wrong);
            }
        }
        if audit.keys == Some(Keys::Unexplained) {
            add(FindingKind::Undecided, "the engine exhaustive did not confirm this".to_owned(), Vec::new());
        }
    }

    /// Looks for published second moves that do not mate, and for duals that the publication conceals.
    fn check_lines(&self, report: &Report, solution: &PrintedSolution, audit: &mut PhaseAudit) {
        let keys: Vec<&Printed> = solution.parts.iter().filter(|part| part.key).collect();
        let start = solved_position(report).unwrap_or_else(|| self.problem.chess.clone());
        let wrong = keys.iter().flat_map(|part| false_mates(report, &start, part));
        let leads = if self.problem.question.stipulation.goal().is_mate() { "mate" } else { "reach the goal" };
        let wrong = wrong.map(|SecondMove { defence, published, right }| {
            let text = format!("1...{defence} 2.{} does not {leads}", published.join("/"));
            finding(FindingKind::WrongMove, text, right)
        });
        audit.findings.extend(wrong);
        if !audit.findings.is_empty() && audit.findings.iter().any(|it| it.kind == FindingKind::WrongMove) {
            audit.verdict = audit.verdict.max(AuditVerdict::WrongMove);
        }
        if remarks::mentions_duals(self.published) {
            return;
        }
        for SecondMove { defence, right, .. } in keys.iter().flat_map(|part| concealed_duals(report, part)) {
            let text = format!("a dual after 1...{defence}");
            audit.findings.push(finding(FindingKind::Dual, text, right));
            audit.verdict = audit.verdict.max(AuditVerdict::Dual);
        }
    }

    /// Adds the words that are no legal moves, or that fit several. The latter are bad style, not wrong.
    fn check_words(&self, solution: &PrintedSolution, audit: &mut PhaseAudit) {
        for (word, is_legal) in &solution.faulty_keys {
            let (kind, verdict, what) = match is_legal {
                true => (FindingKind::FalseKey, AuditVerdict::WrongKey, "does not mate"),
                false => (FindingKind::Unreadable, AuditVerdict::Unreadable, "is no legal move"),
            };
            audit.findings.push(finding(kind, format!("the published key {word} {what}"), Vec::new()));
            audit.verdict = audit.verdict.max(verdict);
        }
        let mut last = None;
        for misprint in &solution.misprints {
            // A move that follows several defences is named once.
            if last.replace(misprint.at) == Some(misprint.at) {
                continue;
            }
            audit.findings.push(self.unread(misprint));
            if audit.verdict == AuditVerdict::Agrees && misprint.fits.is_empty() {
                audit.verdict = AuditVerdict::WrongMove;
            }
        }
    }
}

/// Says how far a search got before a limit stopped it.
fn how_far(report: &Report) -> String {
    let refuted = match report.verdict.refuted_through {
        None | Some(0) => "nothing is refuted".to_owned(),
        Some(n) => {
            let what = report.stipulation.map_or(Goal::MATE, |question| question.stipulation.goal()).noun();
            format!("there is no {what} in {n}")
        }
    };
    let keys = match (report.verdict.status, report.keys.len()) {
        (Status::Mate | Status::Solved, count @ 1..) => format!(", {count} found"),
        _ => String::new(),
    };
    let total = report.first_moves.total;
    let open = report.first_moves.open.len();
    let stopped = report.stats.stopped_by.map_or_else(String::new, |limit| format!("; stopped by {}", limit.option()));
    format!("{refuted}{keys}, {open} of {total} first moves are not decided{stopped}")
}
