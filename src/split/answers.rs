//! Reads the parts of a problem and their results, and says what each result means.

use std::collections::{BTreeMap, HashMap};

use crate::chess::{MateLength, MoveCode, Position, Stipulation};
use crate::problem::Problem;
use crate::problem::input::Entry;
use crate::proof::Bounds;
use crate::results::Solution;
use crate::results::solution::{Status, StoppedBy};

use super::{PartOf, Whole};

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
            let question = (problem.fen.clone(), problem.stipulation.to_string());
            parts.parts.insert(path, (question, entry.line));
        }
        first.map(|(_, parts)| parts).ok_or_else(|| "no part of a problem in it".to_owned())
    }

    /// Returns the question of the part that these moves lead to, and its line.
    pub(super) fn get(&self, path: &[MoveCode]) -> Option<(&QuestionText, usize)> {
        self.parts.get(path).map(|(question, line)| (question, *line))
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
        position.key() == Position::from_chess(&part.chess).key() && asked == part.stipulation
    })
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
    /// Adds a result. An error is a sentence that says why it is refused.
    pub(crate) fn add(&mut self, solution: &Solution, parts: &Parts) -> Result<(), String> {
        let (Some(fen), Some(question)) = (&solution.fen, solution.stipulation) else {
            return Err("the result states no position or no question".to_owned());
        };
        let key = (fen.clone(), question.text());
        if !parts.has(&key) {
            let (fen, asked) = key;
            return Err(format!("the result is for {asked} in {fen}, which no part asks about"));
        }
        let found = bounds(solution, question.stipulation);
        let answer = self.by_question.entry(key).or_default();
        answer.bounds = answer.bounds.merge(found);
        if !answer.bounds.is_consistent() {
            return Err("the result contradicts another one for the same part".to_owned());
        }
        answer.why = Some(why_open(solution));
        answer.with_tables |= solution.result.with_tables;
        self.nodes += solution.stats.nodes;
        self.time_ms += solution.stats.time_ms;
        Ok(())
    }

    pub(super) fn get(&self, question: &QuestionText) -> Option<&PartAnswer> {
        self.by_question.get(question)
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
