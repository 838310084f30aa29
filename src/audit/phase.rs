//! A phase of a published problem, and what every audit of a phase begins with.

use shakmaty::Chess;

use crate::problem::twins::Phase;
use crate::problem::{Problem, ProblemError};
use crate::published::{Misprint, PhaseText, Published, phase_texts, place};
use crate::results::SidedStipulation;
use crate::results::audit::{AuditCost, AuditVerdict, Finding, FindingKind, PhaseAudit, TextPlace};
use crate::results::report::Report;

/// A phase and what was published about it.
pub(crate) struct PublishedPhase<'a> {
    /// Its name, if the problem has several.
    pub name: Option<&'a Phase>,
    pub problem: &'a Problem,
    pub published: &'a Published,
    /// The keys that the field `keys` names: one text or several, each with moves between blanks.
    pub keys: &'a [String],
    /// The part of the text that belongs to the phase.
    pub part: PhaseText<'a>,
}

/// The letter of a phase, and the phase, or why it is no problem.
type NamedPhase<'a> = (Option<char>, Result<PublishedPhase<'a>, &'a ProblemError>);

impl<'a> PublishedPhase<'a> {
    /// Returns the phases of a published problem in their order: one, if it has neither twins nor two halves.
    ///
    /// # Errors
    /// There are more keys than phases.
    pub(crate) fn all(published: &'a Published) -> Result<Vec<NamedPhase<'a>>, String> {
        let (problem, names, keys) = (&published.problem, &published.problem.phases, &published.keys[..]);
        let count = names.len().max(1);
        if count > 1 && keys.len() > count {
            let keys = keys.len();
            return Err(format!("keys has {keys} items, and the problem {count} phases; write one for each phase"));
        }
        let whole = problem.solution.as_deref().unwrap_or_default();
        let texts = phase_texts(whole);
        let phase = |at: usize| {
            let name = names.get(at);
            let part = part(&texts, half(names, at).or(letter(name)), whole);
            // The only phase has all items, others have one each.
            let keys = if count == 1 { keys } else { keys.get(at..=at).unwrap_or_default() };
            let problem = name.map_or(Ok(problem), |phase| phase.problem.as_ref());
            (letter(name), problem.map(|problem| PublishedPhase { name, problem, published, keys, part }))
        };
        Ok((0..count).map(phase).collect())
    }

    /// Returns the finding about a printed word that is no legal move, or fits several.
    pub(super) fn unread(&self, misprint: &Misprint) -> Finding {
        let what = if misprint.fits.is_empty() { "is no legal move" } else { "fits several legal moves" };
        let (text, moves) = (format!("{} {what}", misprint.line), misprint.fits.clone());
        let place = Some(self.place(misprint.at, &misprint.word));
        Finding { place, ..finding(FindingKind::Unreadable, text, moves) }
    }

    /// Returns the place of a word in the whole text of the solution.
    pub(super) fn place(&self, at: usize, word: &str) -> TextPlace {
        let whole = self.published.problem.solution.as_deref().unwrap_or_default();
        let at = place(whole, self.part.start + at);
        let in_file = self.published.entry.as_ref().and_then(|entry| entry.solution_place(at.line, at.column));
        TextPlace { line: at.line, column: at.column, word: word.to_owned(), in_file }
    }
}

/// Returns the letter of a phase.
pub(super) fn letter(name: Option<&Phase>) -> Option<char> {
    name?.name.letter.chars().next()
}

/// Returns the letter that publications give to this half of a duplex without twins; `None` if it is none.
fn half(phases: &[Phase], at: usize) -> Option<char> {
    let [first, second] = phases else { return None };
    let is_duplex = first.name.attacker.is_some() && first.name.letter == second.name.letter;
    let is_second = phases[at].name.attacker == second.name.attacker;
    is_duplex.then_some(if is_second { 'b' } else { 'a' })
}

/// Returns the part of a solution that belongs to a phase.
fn part<'a>(texts: &[PhaseText<'a>], letter: Option<char>, whole: &'a str) -> PhaseText<'a> {
    let all = PhaseText { letter: None, start: 0, text: whole };
    if letter.is_none() || texts.len() == 1 {
        return all;
    }
    let found = texts.iter().find(|text| text.letter == letter).copied();
    found.unwrap_or(PhaseText { letter, start: whole.len(), text: "" })
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
