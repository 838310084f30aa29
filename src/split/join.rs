//! Puts the answers of the parts together: the bounds of the whole problem, and what is still open.
//!
//! ```text
//! attacker to move:  mate in 1 + the shortest after a move;  refuted as far as after every move, and one more
//! defender to move:  mate in the longest after a reply;      refuted as far as after any reply
//! ```
//!
//! The legal moves come from the rules, not from the file of parts: a move that no part asks about is open.

use crate::chess::{MateLength, MoveCode, NodeKind, Position, Stipulation, rules};
use crate::proof::Bounds;
use crate::report::ReportRequest;
use crate::report::joined::{Joined, joined};
use crate::results::report::{Extent, Report, ReportOptions};
use crate::results::solution::Stats;

use super::answers::{Answers, Parts};

/// The joined report, and the parts that it lacks.
#[derive(Debug)]
pub(crate) struct Joining {
    pub report: Report,
    /// Sentences about the parts that are missing or undecided, and are needed.
    pub open: Vec<String>,
}

/// Joins the results of a problem.
pub(crate) fn join(parts: &Parts, answers: &Answers, intended: u16) -> Joining {
    let whole = &parts.whole;
    let mut tree = Tree { parts, answers, with_tables: false };
    let (root, kind) = (whole.root(), whole.kind());
    let mut open = Vec::new();
    let mut after = Vec::new();
    for m in whole.moves(&root, kind) {
        let mut lacking = Vec::new();
        let bounds = tree.after(&[m.code()], &mut lacking);
        if !is_decided(bounds, whole.asked.after_first()) {
            open.append(&mut lacking);
        }
        after.push(bounds);
    }
    let bounds = combined(kind, &after);
    if is_decided(bounds, Some(whole.asked)) && kind == NodeKind::And {
        open.clear();
    }
    let options = ReportOptions { extent: Extent::Soundness, intended_solutions: intended, ..ReportOptions::default() };
    let request =
        ReportRequest { stipulation: Some(whole.asked), options, castling: whole.castling, ..ReportRequest::default() };
    let (nodes, time_ms) = (answers.nodes, answers.time_ms);
    let stats = Stats { engine: Some("decider".to_owned()), nodes, time_ms, ..Stats::NONE };
    let known = Joined { whole: bounds, after: if kind == NodeKind::Or { after } else { Vec::new() }, stats };
    let mut report = joined(&whole.problem, &request, known);
    report.verdict.with_tables = tree.with_tables;
    Joining { report, open }
}

/// Returns whether bounds answer a question: the exact length is known, or that no solution exists.
fn is_decided(bounds: Bounds, asked: Option<Stipulation>) -> bool {
    bounds.is_exact() || asked.is_some_and(|asked| bounds.refutes(asked.bound()))
}

/// Returns the bounds of a position from those after its moves.
fn combined(kind: NodeKind, after: &[Bounds]) -> Bounds {
    let proved = after.iter().map(|bounds| bounds.proved());
    let refuted = after.iter().map(|bounds| bounds.refuted());
    match kind {
        NodeKind::Or => {
            let shortest = proved.flatten().min().map(MateLength::longer);
            // What is not refuted after a move may still reach the goal with the move itself.
            Bounds::new(refuted.map(|n| n.map_or(MateLength(0), MateLength::longer)).min(), shortest)
        }
        NodeKind::And => Bounds::new(
            refuted.max().flatten(),
            proved.collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max()),
        ),
    }
}

struct Tree<'t> {
    parts: &'t Parts,
    answers: &'t Answers,
    with_tables: bool,
}

impl Tree<'_> {
    /// Returns the bounds of the position that these moves lead to. Adds a sentence to `open` for each part that leaves
    /// it open.
    fn after(&mut self, path: &[MoveCode], open: &mut Vec<String>) -> Bounds {
        let whole = &self.parts.whole;
        let Some((position, asked)) = whole.after(path) else { return Bounds::UNKNOWN };
        let kind = NodeKind::from(asked.begins());
        match rules::over(asked.goal(), &position, kind) {
            Some(true) => return Bounds::new(None, Some(MateLength(0))),
            Some(false) => return Bounds::new(Some(MateLength::MAX), None),
            None => {}
        }
        if let Some((question, line)) = self.parts.get(path) {
            let name = whole.name_of(path);
            let Some(answer) = self.answers.get(question) else {
                open.push(format!("line {line}, {name}: the result is missing"));
                return Bounds::UNKNOWN;
            };
            self.with_tables |= answer.with_tables;
            if !is_decided(answer.bounds, Some(asked)) {
                let why = answer.why.as_deref().unwrap_or("undecided");
                open.push(format!("line {line}, {name}: {why}"));
            }
            return answer.bounds;
        }
        if !self.parts.has_below(path) {
            open.push(format!("{}: no part asks about it", whole.name_of(path)));
            return Bounds::UNKNOWN;
        }
        self.below(path, &position, kind, open)
    }

    fn below(&mut self, path: &[MoveCode], position: &Position, kind: NodeKind, open: &mut Vec<String>) -> Bounds {
        let moves = self.parts.whole.moves(position, kind);
        let after: Vec<Bounds> = moves.iter().map(|m| self.after(&[path, &[m.code()]].concat(), open)).collect();
        combined(kind, &after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(refuted: Option<u16>, proved: Option<u16>) -> Bounds {
        Bounds::new(refuted.map(MateLength), proved.map(MateLength))
    }

    #[test]
    fn the_attacker_takes_the_shortest_mate_and_the_defender_the_longest() {
        let (mated, in_two, none) = (bounds(None, Some(0)), bounds(Some(1), Some(2)), bounds(Some(5), None));
        let open = Bounds::UNKNOWN;
        assert_eq!(combined(NodeKind::Or, &[in_two, none]), bounds(Some(2), Some(3)));
        assert_eq!(combined(NodeKind::Or, &[mated, none]), bounds(Some(0), Some(1)));
        assert_eq!(combined(NodeKind::Or, &[none, none]), bounds(Some(6), None));
        assert_eq!(combined(NodeKind::Or, &[in_two, open]), bounds(Some(0), Some(3)), "the open one may be shorter");
        assert_eq!(combined(NodeKind::And, &[in_two, none]), bounds(Some(5), None));
        assert_eq!(combined(NodeKind::And, &[mated, in_two]), bounds(Some(1), Some(2)));
        assert_eq!(combined(NodeKind::And, &[in_two, open]), bounds(Some(1), None));
        assert_eq!(combined(NodeKind::And, &[none, open]), bounds(Some(5), None), "one reply refutes");
    }
}
