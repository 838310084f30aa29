//! Reads texts with problems: one position in any form, lists of positions, `.olv` collections, Popeye's input.

use std::io::Cursor;

use matesolve::problem::olv::{self, Document, Documents, OlvEntry};
use matesolve::problem::popeye::{self, PopeyeProblem};
use matesolve::problem::{Problem, ProblemError, pasted, source};
use matesolve::report::Castling;
use matesolve::shakmaty::{Position as _, Square};
use serde_json::{Value, json};

use crate::options::{Options, Refusal};
use matesolve::chess::Stipulation;

/// A problem, and what its text asks a report for.
pub(crate) struct Given {
    pub problem: Problem,
    pub castling: Castling,
    pub set_play: bool,
    pub post_key: bool,
    pub tries: Option<u16>,
    pub exclusive: Vec<(Square, Square)>,
    /// Whether a capture en passant is allowed if the position proves the double step.
    pub proves_en_passant: bool,
}

impl Given {
    fn new(problem: Problem, castling: Castling) -> Given {
        Given {
            problem,
            castling,
            set_play: false,
            post_key: false,
            tries: None,
            exclusive: Vec::new(),
            proves_en_passant: true,
        }
    }

    /// Describes the problem for a page.
    pub fn describe(&self) -> Value {
        let problem = &self.problem;
        let stipulation = problem.stipulation;
        json!({
            "fen": problem.fen,
            "id": problem.id,
            "line": problem.line,
            "stipulation": (stipulation != Stipulation::default()).then(|| stipulation.to_string()),
            "phases": problem.phases.iter().map(|phase| phase.name.to_string()).collect::<Vec<_>>(),
            "asked": {
                "setPlay": self.set_play,
                "tries": self.tries,
                "intended": problem.intended,
                "postKey": self.post_key,
            },
            "warnings": problem.warnings,
        })
    }
}

/// A problem, or the reason why its text is none.
pub(crate) type Reading = Result<Given, ProblemError>;

/// Returns the problem that a request is about: the only one of its text, or that of the option `problem`.
pub(crate) fn one(text: &str, options: &mut Options) -> Result<Reading, Refusal> {
    let number = options.number("problem", 1, u64::from(u32::MAX))?;
    let mut problems = all(text);
    let count = problems.len();
    let index = match number {
        Some(number) => usize::try_from(number - 1).unwrap_or(usize::MAX),
        None if count == 1 => 0,
        None => return Err(format!("the text has {count} problems; choose one with the option problem, from 1")),
    };
    if index >= count {
        return Err(format!("the text has {count} problems; there is no problem {}", index + 1));
    }
    Ok(problems.swap_remove(index))
}

/// Returns the problems of a text, at least one.
pub(crate) fn all(text: &str) -> Vec<Reading> {
    // Line breaks before the text stay: problems have the numbers of their lines.
    let text = text.trim_start_matches('\u{feff}').trim_end();
    let bytes = || Cursor::new(text.to_owned().into_bytes());
    let several: Vec<Reading> = if is_olv(text) {
        Documents::new(bytes()).map_while(Result::ok).map(entry).collect()
    } else if let Ok(problems) = popeye::read(text) {
        problems.iter().map(of_popeye).collect()
    } else {
        let position = position(text);
        if position.is_ok() || text.lines().filter(|line| !line.trim().is_empty()).count() < 2 {
            return vec![position];
        }
        source::problems(bytes(), 0, source::Reading::default())
            .map(|line| Ok(Given::new(line.problem?, Castling::Fen)))
            .collect()
    };
    if several.is_empty() { vec![position(text)] } else { several }
}

/// Reads a position as the command line does, however it is pasted.
fn position(text: &str) -> Reading {
    let pasted = pasted::read(text, None)?;
    let mut problem = Problem::read(&pasted.line)?;
    problem.warnings.extend(pasted.warnings);
    problem.is_game = pasted.is_game;
    Ok(Given::new(problem, Castling::of_line(&pasted.line)))
}

/// Returns whether a text is an `.olv` collection or one of its entries.
fn is_olv(text: &str) -> bool {
    olv::is_collection(text.as_bytes()) || text.lines().any(|line| line.starts_with("algebraic:"))
}

fn entry(document: Document) -> Reading {
    let Some(text) = document.text else {
        return Err(ProblemError::Text("the entry is too long; shorten it".to_owned()));
    };
    let OlvEntry { problem, options, .. } = OlvEntry::read(&text, document.line)?;
    let given = Given::new(problem, Castling::Fen);
    Ok(Given { set_play: options.set_play, tries: options.tries, ..given })
}

fn of_popeye(source: &PopeyeProblem) -> Reading {
    if let Some(fault) = &source.refused {
        return Err(ProblemError::Text(fault.to_string()));
    }
    if source.stipulation.is_none() {
        let why = "there is no stipulation; write one, such as Stipulation #2";
        return Err(ProblemError::Text(why.to_owned()));
    }
    let phases = source.phases();
    let mut problem = match phases.iter().find_map(|phase| phase.problem.as_ref().ok()) {
        Some(problem) => problem.clone(),
        None => return Err(phases.into_iter().find_map(|phase| phase.problem.err()).unwrap_or_else(no_phase)),
    };
    if phases.len() > 1 {
        problem.phases = phases;
    }
    problem.id = (!source.authors.is_empty()).then(|| source.authors.join(", "));
    problem.warnings.extend(source.notes.iter().map(ToString::to_string));
    let options = &source.options;
    let rights = problem.chess.castles().castling_rights();
    let both = |&(a, b): &(Square, Square)| rights.contains(a) && rights.contains(b);
    let exclusive = options.exclusive.iter().copied().filter(both).collect();
    Ok(Given {
        set_play: options.set_play,
        post_key: options.post_key,
        tries: options.tries,
        exclusive,
        proves_en_passant: false,
        ..Given::new(problem, Castling::Fen)
    })
}

fn no_phase() -> ProblemError {
    ProblemError::Text("there is no position".to_owned())
}
