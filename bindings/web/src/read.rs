//! Reads texts with problems: one position in any form, lists of positions, `.olv` collections, Popeye's input.

use matesolve::problem::input::{self, Entry, InputFormat};
use matesolve::problem::popeye::{self, PopeyeProblem};
use matesolve::problem::{Asked, Problem, ProblemError};
use matesolve::report::Castling;
use serde_json::{Value, json};

use crate::options::{Options, Refusal};
use matesolve::terms::Stipulation;

/// A problem, and what its text asks a report for.
pub(crate) struct Given {
    pub problem: Problem,
    pub castling: Castling,
    pub set_play: bool,
    pub post_key: bool,
    pub tries: Option<u16>,
    /// Whether a capture en passant is allowed if the position proves the double step.
    pub proves_en_passant: bool,
}

impl Given {
    fn new(problem: Problem, castling: Castling) -> Given {
        Given { problem, castling, set_play: false, post_key: false, tries: None, proves_en_passant: true }
    }

    /// Describes the problem for a page.
    pub fn describe(&self) -> Value {
        let problem = &self.problem;
        let stipulation = problem.question.stipulation;
        json!({
            "fen": problem.fen,
            "id": problem.id,
            "line": problem.line,
            "stipulation": (stipulation != Stipulation::default()).then(|| stipulation.to_string()),
            "phases": problem.phases.iter().map(|phase| phase.name.to_string()).collect::<Vec<_>>(),
            "asked": {
                "setPlay": self.set_play,
                "tries": self.tries,
                "intended": problem.stated.intended.map(|said| said.value),
                "postKey": self.post_key,
            },
            "warnings": problem.every_warning(),
        })
    }
}

/// A problem, or the reason why its text is none.
pub(crate) type Reading = Result<Given, ProblemError>;

/// Returns the problem that a request is about: the only one of its text, or that of the option `problem`.
/// `told` is what the request asks beside it.
pub(crate) fn one(text: &str, told: &Asked, options: &mut Options) -> Result<Reading, Refusal> {
    let number = options.number("problem", 1, u64::from(u32::MAX))?;
    let mut problems = all(text, told);
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

/// Returns the problems of a text, at least one, with what these parts ask beside them.
pub(crate) fn all(text: &str, told: &Asked) -> Vec<Reading> {
    // Line breaks before the text stay: problems have the numbers of their lines.
    let text = text.trim_start_matches('\u{feff}').trim_end();
    let format = InputFormat::of_text(text);
    let several: Vec<Reading> = match format {
        InputFormat::Popeye => {
            popeye::read(text).unwrap_or_default().iter().map(|problem| of_popeye(problem, told)).collect()
        }
        InputFormat::Collection | InputFormat::Json => listed(text, format, told),
        _ => match position(text, told) {
            Err(_) if text.lines().filter(|line| !line.trim().is_empty()).count() > 1 => listed(text, format, told),
            position => vec![position],
        },
    };
    if several.is_empty() { vec![position(text, told)] } else { several }
}

/// Returns the problems of a text as the commands for files read it.
fn listed(text: &str, format: InputFormat, told: &Asked) -> Vec<Reading> {
    let reading = input::Reading { format: Some(format), is_whole: true, ..input::Reading::default() };
    let given = |entry: Entry| {
        let given = Given::new(told.of(entry.problem)?, Castling::Fen);
        let Some(olv) = entry.olv else { return Ok(given) };
        Ok(Given { set_play: olv.options.phase.set_play, tries: olv.options.tries, ..given })
    };
    input::entries(text.as_bytes(), 0, reading).map(given).collect()
}

/// Reads a position as the command line does, however it is pasted.
fn position(text: &str, told: &Asked) -> Reading {
    let (problem, line) = input::one(text, None, told)?;
    Ok(Given::new(problem, Castling::of_line(&line)))
}

fn of_popeye(source: &PopeyeProblem, told: &Asked) -> Reading {
    let options = &source.options;
    Ok(Given {
        set_play: options.phase.set_play,
        post_key: options.phase.post_key,
        tries: options.tries,
        proves_en_passant: false,
        ..Given::new(source.problem()?.asked(told)?, Castling::Fen)
    })
}
