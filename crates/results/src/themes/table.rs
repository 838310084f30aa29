//! The phases side by side: columns are defences, rows are phases, cells are the answers.
//!
//! A column has all defences that every phase treats alike. Letters are given in the order of the table: small ones to
//! columns, capitals to the attacker's moves, and the same move has the same letter in all phases.

use hashbrown::{HashMap, HashSet};
use shakmaty::Position as _;

use crate::results::report::{Ply, Report};
use crate::results::themes::{DefenceColumn, LetteredPly, PhaseCell, PhaseKind, PhaseRow, PhaseTable};

use super::failures::failures;
use super::phases::{AttackersMove, Phase, PlayMove, Scene, of_legal};

/// Returns the table of a report; `None` if the report has no forced play to compare.
pub fn table(report: &Report) -> Option<PhaseTable> {
    let scene = Scene::of(report)?;
    let phases: Vec<&Phase<'_>> = scene.phases.iter().collect();
    let mut letters = Letters::default();
    let legal: Vec<HashSet<PlayMove>> =
        phases.iter().map(|phase| phase.position.legal_moves().into_iter().map(of_legal).collect()).collect();
    let defences = defences(&phases);
    let mut first_defences: Vec<PlayMove> = Vec::new();
    let mut columns: Vec<DefenceColumn> = Vec::new();
    let mut known: HashMap<Vec<PhaseCell<PlayMove>>, usize> = HashMap::new();
    for (id, ply) in defences {
        let outlines: Vec<_> =
            phases.iter().zip(&legal).map(|(phase, legal)| cell(phase, legal, id, |answer| answer.id)).collect();
        if let Some(&column) = known.get(&outlines) {
            columns[column].defences.push(ply.clone());
            continue;
        }
        known.insert(outlines, columns.len());
        columns.push(DefenceColumn { letter: letter(columns.len(), b'a'), defences: vec![ply.clone()] });
        first_defences.push(id);
    }
    let row = |(phase, legal): (&&Phase<'_>, &HashSet<PlayMove>)| {
        let threats = phase.threats.iter().map(|threat| letters.lettered(threat)).collect();
        let answers = |&id: &PlayMove| cell(phase, legal, id, |answer| letters.lettered(answer));
        let cells = first_defences.iter().map(answers).collect();
        let failures = failures(&scene, phase);
        PhaseRow { phase: phase.label(), threats, zugzwang: phase.zugzwang, cells, failures }
    };
    let rows: Vec<PhaseRow> = phases.iter().zip(&legal).map(row).collect();
    (!rows.is_empty() && !columns.is_empty()).then_some(PhaseTable { columns, rows })
}

/// Returns the defences of all phases, each once. Those of the solutions come first, as a reader looks for them there.
fn defences<'r>(phases: &[&Phase<'r>]) -> Vec<(PlayMove, &'r Ply)> {
    let mut seen = HashSet::new();
    let of_solutions = phases.iter().filter(|phase| phase.kind == PhaseKind::Solution);
    let others = phases.iter().filter(|phase| phase.kind != PhaseKind::Solution);
    let mut all = Vec::new();
    for phase in of_solutions.chain(others) {
        let lines = phase.lines.iter().map(|line| (line.id, line.ply));
        let refutations = phase.refutations.iter().map(|&(ply, id)| (id, ply));
        all.extend(lines.chain(refutations).filter(|&(id, _)| seen.insert(id)));
    }
    all
}

/// Returns what a phase states about a defence. `of` makes the answers.
fn cell<A>(
    phase: &Phase<'_>,
    legal: &HashSet<PlayMove>,
    defence: PlayMove,
    of: impl FnMut(&AttackersMove<'_>) -> A,
) -> PhaseCell<A> {
    if let Some(line) = phase.line(defence).filter(|line| !line.answers.is_empty()) {
        return PhaseCell::Answers(line.answers.iter().map(of).collect());
    }
    if phase.refutations.iter().any(|&(_, id)| id == defence) {
        return PhaseCell::Refutes;
    }
    if !legal.contains(&defence) {
        return PhaseCell::Illegal;
    }
    match phase.kind {
        _ if phase.cut => PhaseCell::Open,
        PhaseKind::SetPlay => PhaseCell::Unanswered,
        _ => PhaseCell::Threat,
    }
}

/// The letters of the attacker's moves.
#[derive(Default)]
struct Letters(HashMap<PlayMove, usize>);

impl Letters {
    fn lettered(&mut self, answer: &AttackersMove<'_>) -> LetteredPly {
        let next = self.0.len();
        let number = *self.0.entry(answer.id).or_insert(next);
        LetteredPly { letter: letter(number, b'A'), ply: answer.ply.clone() }
    }
}

/// Returns the letter with this number, from 0: `a` to `z`, `aa`, `ab`, ….
fn letter(number: usize, first: u8) -> String {
    let last = char::from(first + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letter(more - 1, first)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        let all: Vec<String> = [0, 25, 26, 27, 26 * 27].into_iter().map(|number| letter(number, b'A')).collect();
        assert_eq!(all, ["A", "Z", "AA", "AB", "AAA"]);
    }
}
