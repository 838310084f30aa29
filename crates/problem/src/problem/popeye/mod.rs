//! Reads Popeye's input language: problems with their options and twins, as editors and sites write them.
//!
//! ```text
//! BeginProblem
//! Author Dietrich Günter Prinz
//! Pieces White Kf8 Rh1 Pg6
//!        Black Kh8 Bg8 Pg7 Ph7
//! Stipulation #2
//! Option Variation SetPlay
//! EndProblem
//! ```
//!
//! What is not solved (other stipulations, fairy men, conditions) refuses a problem with one sentence; the reader goes
//! on with the next one.
//!
//! CITE: the description of the language in the file `py-engl.txt` of Popeye (Schlosser, Maeder and others).
//!
//! | file | content |
//! |---|---|
//! | `language` | keywords in English, German and French, and their abbreviations |
//! | `tokens` | words with line and column |
//! | `reader` | the commands, and the words after `Twin` |
//! | `men` | positions |
//! | `options` | the words after `Option` |

mod language;
mod men;
mod options;
mod reader;
mod tokens;

use std::fmt;

use shakmaty::Board;

use super::twins::{self, Phase, TwinDiagram, Twins, phases};
use super::{Problem, ProblemError};
use crate::base::printable::excerpt;
use crate::chess::Stipulation;

pub use super::twins::Language;
#[cfg(test)]
pub(super) use language::OPTIONS;
pub(super) use language::{OptionWord, Treatment};
pub use options::PopeyeOptions;
pub(super) use options::in_collection;

use reader::Reader;
use tokens::Tokens;

/// A problem of an input.
#[derive(Debug, Clone, Default)]
pub struct PopeyeProblem {
    /// The line of the keyword before the problem, from 1.
    pub line: usize,
    /// The language of the input.
    pub language: Language,
    /// The lines of `Author`.
    pub authors: Vec<String>,
    /// The lines of `Origin`.
    pub origins: Vec<String>,
    /// The lines of `Award`.
    pub awards: Vec<String>,
    /// The lines of `Title`.
    pub titles: Vec<String>,
    /// The men of the diagram.
    pub board: Board,
    /// The stipulation; `None` if there is none.
    pub stipulation: Option<Stipulation>,
    /// The options.
    pub options: PopeyeOptions,
    /// The twins.
    pub twins: Twins,
    /// Sentences about words that were skipped or ignored.
    pub notes: Vec<Fault>,
    /// The reason why the problem cannot be solved, if there is one.
    pub refused: Option<Fault>,
}

/// A sentence about a place in the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// The sentence.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

/// Reads all problems of an input.
///
/// # Errors
/// If the text is not Popeye's input at all.
pub fn read(text: &str) -> Result<Vec<PopeyeProblem>, ProblemError> {
    if text.contains('\0') {
        return Err("the input is not a text, because it contains NUL characters".into());
    }
    let mut tokens = Tokens::new(text);
    let Some(first) = tokens.next() else {
        return Err("the input is empty; it must begin with BeginProblem".into());
    };
    let begin = "BeginProblem (AnfangProblem, DebutProbleme)";
    let why = || format!("\"{}\" is not the beginning of Popeye's input, which is {begin}", excerpt(first.text));
    let language = language::language_of(first.text).ok_or_else(|| first.fault(why()).to_string())?;
    Ok(Reader::new(tokens, language).all())
}

/// Returns whether a text that starts like this is Popeye's input: its first word begins a problem.
pub(super) fn is_input(start: &[u8]) -> bool {
    let end = start.iter().position(|&byte| byte == b'\n').unwrap_or(start.len());
    let text = String::from_utf8_lossy(start.trim_ascii_start().get(..64).unwrap_or(start));
    let first = Tokens::new(&text).next();
    end > 0 && !start.contains(&0) && first.is_some_and(|word| language::language_of(word.text).is_some())
}

impl PopeyeProblem {
    /// Returns a problem of which nothing has been read.
    fn new(language: Language) -> PopeyeProblem {
        PopeyeProblem { language, board: Board::empty(), ..PopeyeProblem::default() }
    }

    /// Returns the phases of the problem: the diagram and its twins, and under the option `Duplex` both sides of each.
    /// Castling is allowed if king and rook stand on their original squares, en passant only if an option states it.
    pub fn phases(&self) -> Vec<Phase> {
        let stipulation = self.stipulation.map_or(String::new(), |stipulation| stipulation.to_string());
        let options = self.options.phase.clone();
        phases(&TwinDiagram { board: self.board.clone(), stipulation, options }, &self.twins)
    }

    /// Returns the first phase that can be solved, with all phases if there are several, and what the options ask.
    ///
    /// # Errors
    /// The problem is refused, or no phase can be solved.
    pub fn problem(&self) -> Result<Problem, ProblemError> {
        if let Some(fault) = &self.refused {
            return Err(ProblemError::Text(fault.to_string()));
        }
        if self.stipulation.is_none() {
            return Err("there is no stipulation; write one, such as Stipulation #2".into());
        }
        let phases = self.phases();
        let mut problem = twins::first(&phases)?;
        if phases.len() > 1 {
            problem.phases = phases;
        }
        problem.id = (!self.authors.is_empty()).then(|| self.authors.join(", "));
        problem.line = Some(self.line);
        problem.warnings.extend(self.notes.iter().map(ToString::to_string));
        Ok(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_goes_on_after_a_problem_that_is_not_solved() {
        let text = "BeginProblem\nAuthor A. Name\nForsyth 7k/8/8/8/8/8/8/K7\nStipulation pser-#2\nCondition Circe\n\
                    NextProblem\nForsyth 5Kbk/6pp/6P1/8/8/8/8/7R\nStip #2\nCondition Circe RexInclusive Option Vari\n\
                    NextProblem\nRemark #3 and more\nForsyth 5Kbk/6pp/6P1/8/8/8/8/7R\nStip #2\nEndProblem\nrest";
        let problems = read(text).unwrap();
        let refused: Vec<String> = problems
            .iter()
            .map(|problem| problem.refused.as_ref().map_or(String::new(), ToString::to_string))
            .collect();
        assert_eq!(problems[0].authors, ["A. Name"]);
        assert!(
            refused[0]
                .starts_with("line 4, column 13: the stipulation pser-#2 is not solved here: it is a series in which"),
            "{}",
            refused[0]
        );
        assert!(refused[1].starts_with("line 9, column 1: the condition Circe RexInclusive is not"), "{}", refused[1]);
        assert!(problems[1].options.variations);
        assert_eq!(refused[2], "");
        assert_eq!(problems.len(), 3);
    }

    #[test]
    fn an_unknown_keyword_has_a_place_and_suggestions() {
        let problems =
            read("BeginProblem\nStipulation #2\nOption Variaton\nNextProblem\nStpulation #2\nEndProblem").unwrap();
        let why = |at: usize| problems[at].refused.as_ref().unwrap().to_string();
        assert!(why(0).starts_with("line 3, column 8: \"Variaton\" is no option") && why(0).contains("Variations"));
        assert!(why(1).starts_with("line 5, column 1: \"Stpulation\" is no command") && why(1).contains("Stipulation"));
    }

    #[test]
    fn a_keyword_without_its_argument_does_not_take_the_end_of_the_problem() {
        let problems = read("BeginProblem\nStip\nNextProblem\nOpti MaxSol\nNextProblem\nStip #2\nEndProblem").unwrap();
        assert_eq!(
            problems.iter().map(|problem| problem.stipulation.is_some()).collect::<Vec<_>>(),
            [false, false, true]
        );
    }

    #[test]
    fn other_texts_are_refused_as_a_whole() {
        for (text, part) in [("", "empty"), ("k7/8 w", "\"k7/8\""), ("Begin\0", "NUL")] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn a_duplex_has_a_phase_for_each_side() {
        let problems =
            read("BeginProblem Forsyth r3k3/8/8/8/8/8/8/4K2R Option Duplex NoCastling a8 Stip #2 End").unwrap();
        let fens: Vec<String> = problems[0].phases().into_iter().map(|phase| phase.problem.unwrap().fen).collect();
        assert_eq!(fens, ["r3k3/8/8/8/8/8/8/4K2R w K - 0 1", "r3k3/8/8/8/8/8/8/4K2R b K - 0 1"]);
    }

    #[test]
    fn a_foreign_letter_after_an_s_ends_nothing() {
        let problems = read("BeginProblem\nZ\nS\u{0a85}\nEndProblem").unwrap();
        assert_eq!(problems.len(), 1);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(words in proptest::collection::vec("[a-zA-Z]{1,6}|[#a-h0-9]{1,4}|\\PC{1,3}|[sS]\\PC{1,2}", 0..30)) {
            let text = format!("BeginProblem\n{}", words.join("\n"));
            let problems = read(&text).unwrap();
            proptest::prop_assert!(!problems.is_empty());
        }
    }
}
