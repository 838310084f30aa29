//! Puts the answers of the parts together: the bounds of the whole problem, and what is still open.
//!
//! ```text
//! attacker to move:  solved in 1 + the shortest after a move;  refuted as far as after every move, and one more
//! defender to move:  solved in the longest after a reply;      refuted as far as after any reply
//! ```
//!
//! The legal moves come from the rules, not from the file of parts: a move that does not end the play, and that no part
//! asks about, is open.
//!
//! This file also reads the parts of a problem and their results.

use std::collections::{BTreeMap, HashMap};

use crate::chess::{MateLength, MoveCode, NodeKind, Position, Stipulation, rules};
use crate::problem::Problem;
use crate::problem::input::Entry;
use crate::proof::Bounds;
use crate::report::ReportRequest;
use crate::report::joined::{Joined, joined};
use crate::results::Solution;
use crate::results::report::{Extent, Report, ReportOptions};
use crate::results::solution::{Stats, Status, StoppedBy};
use crate::split::{PartOf, Whole};
use crate::verify::check;

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
        if whole.asked.after_first().is_none_or(|rest| !is_decided(bounds, rest)) {
            open.append(&mut lacking);
        }
        after.push(bounds);
    }
    let bounds = combined(kind, &after);
    if is_decided(bounds, whole.asked) && kind == NodeKind::And {
        open.clear();
    }
    let options = ReportOptions { extent: Extent::Soundness, intended_solutions: intended, ..ReportOptions::default() };
    let request = ReportRequest { options, castling: whole.castling, ..ReportRequest::default() };
    let (nodes, time_ms) = (answers.nodes, answers.time_ms);
    let stats = Stats { engine: Some("decider".to_owned()), nodes, time_ms, ..Stats::default() };
    let known = Joined { whole: bounds, after: if kind == NodeKind::Or { after } else { Vec::new() }, stats };
    let mut report = joined(&whole.problem, &request, known);
    report.verdict.with_tables = tree.with_tables;
    Joining { report, open }
}

/// Returns whether bounds answer a question: the exact length is known, or that no solution exists.
fn is_decided(bounds: Bounds, asked: Stipulation) -> bool {
    bounds.is_exact() || bounds.refutes(asked.bound())
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
        if let Some((question, line)) = self.parts.parts.get(path) {
            let name = whole.name_of(path);
            let Some(answer) = self.answers.by_question.get(question) else {
                open.push(format!("line {line}, {name}: the result is missing"));
                return Bounds::UNKNOWN;
            };
            self.with_tables |= answer.with_tables;
            if !is_decided(answer.bounds, asked) {
                let why = answer.why.as_deref().unwrap_or("undecided");
                open.push(format!("line {line}, {name}: {why}"));
            }
            return answer.bounds;
        }
        if !self.parts.has_below(path) {
            open.push(format!("{}: no part asks about it", whole.name_of(path)));
            return Bounds::UNKNOWN;
        }
        let moves = whole.moves(&position, kind);
        let after: Vec<Bounds> = moves.iter().map(|m| self.after(&[path, &[m.code()]].concat(), open)).collect();
        combined(kind, &after)
    }
}

/// A question as a part puts it and a result repeats it: the FEN and the stipulation.
type QuestionText = (String, String);

/// The parts of one problem.
#[derive(Debug)]
pub(crate) struct Parts {
    pub whole: Whole,
    /// The question of each part, and its line in the file, by the moves to it.
    parts: BTreeMap<Vec<MoveCode>, (QuestionText, usize)>,
}

impl Parts {
    /// Reads the parts of a file. An error is a sentence that names the line.
    pub(crate) fn read(entries: impl Iterator<Item = Entry>) -> Result<Parts, String> {
        let mut first: Option<(PartOf, Parts)> = None;
        for entry in entries {
            let fault = |why: String| format!("line {}: {why}", entry.line);
            let problem = entry.problem.as_ref().map_err(|error| fault(error.to_string()))?;
            let no_part = || fault("no part of a problem; write the parts with `matesolve split`".to_owned());
            let of = PartOf::read(problem).ok_or_else(no_part)?;
            if first.is_none() {
                first = Some((of.clone(), Parts { whole: of.whole().map_err(fault)?, parts: BTreeMap::new() }));
            }
            let Some((other, parts)) = &mut first else { continue };
            if !of.is_of_the_same(other) {
                return Err(fault("a part of another problem; give the parts of one problem".to_owned()));
            }
            let path = of.path(&parts.whole).filter(|path| is_right(&parts.whole, path, problem));
            let path = path.ok_or_else(|| fault("its position or question is not that after its moves".to_owned()))?;
            let question = (problem.fen.clone(), problem.question.stipulation.to_string());
            parts.parts.insert(path, (question, entry.line));
        }
        first.map(|(_, parts)| parts).ok_or_else(|| "no part of a problem in it".to_owned())
    }

    /// Returns whether there are parts below the position that these moves lead to.
    pub(super) fn has_below(&self, path: &[MoveCode]) -> bool {
        self.parts.range(path.to_vec()..).next().is_some_and(|(first, _)| first.starts_with(path))
    }

    /// Returns whether a result answers a part.
    fn has(&self, question: &QuestionText) -> bool {
        self.parts.values().any(|(known, _)| known == question)
    }
}

/// Returns whether a part has the position and the question after these moves.
fn is_right(whole: &Whole, path: &[MoveCode], part: &Problem) -> bool {
    let after = whole.after(path).filter(|_| !path.is_empty());
    after.is_some_and(|(position, asked)| {
        position.key() == Position::from_chess(&part.chess).key() && asked == part.question.stipulation
    })
}

/// Why a result is refused, in a sentence.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// It answers no part.
    Foreign(String),
    /// It is false: a main line does not hold, or another result says otherwise.
    False(String),
}

/// The results for a part.
#[derive(Debug, Clone, Default)]
pub(crate) struct PartAnswer {
    pub bounds: Bounds,
    /// Why it is not decided.
    pub why: Option<String>,
    /// Whether it may rest on Syzygy files.
    pub with_tables: bool,
}

/// The results of the parts of one problem.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    by_question: HashMap<QuestionText, PartAnswer>,
    /// The cost of all results together.
    pub nodes: u64,
    pub time_ms: u64,
}

impl Answers {
    /// Adds a result after its main line was replayed.
    pub(crate) fn add(&mut self, solution: &Solution, parts: &Parts) -> Result<(), Refusal> {
        let (Some(fen), Some(question)) = (&solution.fen, solution.stipulation) else {
            return Err(Refusal::Foreign("the result states no position or no question".to_owned()));
        };
        let key = (fen.clone(), question.text());
        if !parts.has(&key) {
            let (fen, asked) = key;
            return Err(Refusal::Foreign(format!("the result is for {asked} in {fen}, which no part asks about")));
        }
        check(solution).map_err(|fault| Refusal::False(format!("the result does not hold: {fault}")))?;
        let found = bounds(solution, question.stipulation);
        let answer = self.by_question.entry(key).or_default();
        answer.bounds = answer.bounds.merge(found);
        if !answer.bounds.is_consistent() {
            return Err(Refusal::False("the result contradicts another one for the same part".to_owned()));
        }
        answer.why = Some(why_open(solution));
        answer.with_tables |= solution.result.with_tables;
        self.nodes += solution.stats.nodes;
        self.time_ms += solution.stats.time_ms;
        Ok(())
    }
}

/// Returns what a result says about the shortest solution of its position.
fn bounds(solution: &Solution, asked: Stipulation) -> Bounds {
    let result = &solution.result;
    if solution.error.is_some() {
        return Bounds::UNKNOWN;
    }
    let refuted = result.refuted_through.map(MateLength);
    match result.status {
        Status::NoMate | Status::NoSolution | Status::Stalemate => Bounds::new(Some(asked.bound()), None),
        Status::Mate | Status::Mated | Status::Solved => {
            let proved = result.length().map(MateLength);
            let shorter = proved.and_then(MateLength::shorter).filter(|_| result.proved_shortest);
            Bounds::new(shorter.or(refuted), proved)
        }
        Status::Undecided => Bounds::new(refuted, None),
        Status::Invalid => Bounds::UNKNOWN,
    }
}

/// Says why a result leaves its part open.
fn why_open(solution: &Solution) -> String {
    let limit = solution.stats.stopped_by.map(StoppedBy::text);
    match (&solution.error, limit) {
        (Some(error), _) => format!("failed: {error}"),
        (None, Some(limit)) => format!("undecided, {limit}"),
        (None, None) => "undecided".to_owned(),
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
