//! A phase of a published problem, and what every audit of a phase begins with.

use shakmaty::Chess;

use crate::problem::Problem;
use crate::published::{PhaseText, Published};
use crate::results::SidedStipulation;
use crate::results::audit::{AuditCost, AuditVerdict, Finding, FindingKind, PhaseAudit};
use crate::results::report::Report;

/// A phase and what was published about it.
#[allow(clippy::struct_excessive_bools, reason = "each is said on its own")]
pub(super) struct PublishedPhase<'a> {
    pub letter: Option<char>,
    pub problem: &'a Problem,
    /// Whether it is one half of a duplex. The text may hold the play of both.
    pub is_half: bool,
    /// Whether a quarter turn of the board leads to it. Publications turn the board in either direction.
    pub turned: bool,
    pub published: &'a Published,
    /// The keys that the field `keys` names: one text or several, each with moves between blanks.
    pub keys: &'a [String],
    /// The whole text of the solution, in which places are counted.
    pub whole: &'a str,
    /// The part of the text that belongs to the phase.
    pub part: PhaseText<'a>,
    /// Whether the collection says that the problem is not sound.
    pub marked: bool,
    /// Whether the entry says how many solutions are intended.
    pub is_counted: bool,
}

/// Returns the audit of a phase before anything is compared.
pub(super) fn blank(letter: Option<char>, report: &Report) -> PhaseAudit {
    let keys = report.keys.iter().map(|key| key.ply.san.clone());
    let lines = report.help.iter().flat_map(|help| &help.solutions);
    PhaseAudit {
        letter,
        fen: report.position.as_ref().map(|position| position.fen.clone()),
        stipulation: report.stipulation.as_ref().map(SidedStipulation::text),
        verdict: AuditVerdict::Undecided,
        keys: None,
        soundness: Some(report.verdict.soundness),
        found: keys.chain(lines.map(|line| line.san.clone())).collect(),
        published: Vec::new(),
        refuted_through: report.verdict.refuted_through,
        open: report.first_moves.open.len(),
        findings: Vec::new(),
        stats: AuditCost { nodes: report.stats.nodes, time_ms: report.stats.time_ms },
    }
}

pub(super) fn finding(kind: FindingKind, text: String, moves: Vec<String>) -> Finding {
    Finding { kind, text, moves, place: None }
}

/// Returns the position that was solved: the report may have added the right to capture en passant.
pub(super) fn solved_position(report: &Report) -> Option<Chess> {
    Problem::read(&report.position.as_ref()?.fen).ok().map(|problem| problem.chess)
}
