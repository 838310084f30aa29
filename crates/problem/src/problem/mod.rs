//! Reads problems from text in many forms, one at a time or all those of a file.
//!
//! | file | content |
//! |---|---|
//! | `fen` | positions: accepted, accepted with a warning, or refused with a reason |
//! | `epd` | EPD operations, which follow the position on the line |
//! | `item` | a piece of an input, with a bounded number of bytes |
//! | `jsonl` | problems as JSON objects |
//! | `fields` | the named fields of entries and of JSON objects, and the forms of their values |
//! | `once` | JSON in which no object has a name twice |
//! | `names` | the table of names: which field, column or operation states which part |
//! | `parts` | what the fields of one place state, and the forms of their values |
//! | `played` | the name, the solution and the moves that stand beside a position |
//! | `csv` | tables with a column for the position, as puzzle databases publish them |
//! | `pasted` | one pasted position: in quotes, in UCI commands, in games, in addresses of web pages |
//! | `popeye` | Popeye's input language |
//! | `olv` | entries of `.olv` collections (YAML), read and written |
//! | `moves` | a move in one of many notations, looked up among the legal moves |
//! | `men` | men in the notation of problemists: `Kh1`, `Sf3` |
//! | `twins` | twins and duplexes: the phases of a problem |
//! | `question` | the parts of a question, the sources that state them, and how they are merged |
//! | `turn` | the side that begins in help play, which the FEN may name wrongly |
//! | `input` | the problems of a file or stream, with line numbers |

pub mod csv;
pub mod epd;
pub mod fen;
pub(crate) mod fields;
pub mod input;
pub(crate) mod item;
mod jsonl;
pub mod men;
pub mod moves;
pub mod names;
pub mod olv;
pub mod once;
pub mod parts;
pub mod pasted;
mod played;
pub mod popeye;
pub mod question;
mod turn;
pub mod twins;

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position as _, Square};

use crate::chess::Stipulation;
pub use crate::chess::StipulationError;
pub use parts::LineLimits;
use question::Said;
pub use question::{Asked, Colors, Question};
pub use turn::Draft;

/// A problem: a position, a question about it, and its place in the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problem {
    /// The position, with the side to move that begins.
    pub chess: Chess,
    /// The FEN of the position, with six fields.
    pub fen: String,
    /// The question.
    pub question: Question,
    /// The parts of the question that the input states. [`Problem::asked`] merges others with them.
    pub stated: Asked,
    /// The field or option that states the stipulation or its length; `None` if nothing does.
    pub stated_by: Option<&'static str>,
    /// Whether the side to move is not the one that the input names, because the other one begins.
    pub is_turned: bool,
    /// The squares of rooks whose castling rights exclude each other, in pairs, as the input states them.
    pub exclusive: Vec<(Square, Square)>,
    /// The length that a result claims, which is no part of the question.
    pub claim: Option<Stipulation>,
    /// The limits that the line states for itself.
    pub limits: LineLimits,
    /// The name that the line gives to the problem.
    pub id: Option<String>,
    /// All operations of an EPD line, in order, also those that state the name and the length.
    pub operations: Vec<epd::Operation>,
    /// What a JSON problem contains besides, to be given back with the result.
    pub given: ExtraFields,
    /// The number of the line in its file, from 1.
    pub line: Option<usize>,
    /// The phases of a problem with twins or of a duplex, at least two; else empty. The position above is that of the
    /// first phase that can be solved.
    pub phases: Vec<twins::Phase>,
    /// Sentences about what is unusual in the input, whatever is asked. [`Problem::every_warning`] has those about the
    /// side to move, too.
    pub warnings: Vec<String>,
    /// The moves of the solution that stands beside the position, from the side to move on, as far as they can be
    /// played; empty without one.
    pub printed: Vec<Move>,
    /// The text of the printed solution, if the input has one in a field.
    pub solution: Option<String>,
    /// Whether the position is one of a game that was given by its moves.
    pub is_game: bool,
    /// The reason why the published solution of the input cannot be played: a sentence that names the move. A
    /// comparison with the publication refuses the problem; the position can be solved.
    pub faulty_solution: Option<String>,
}

/// The parts of a JSON problem that matesolve does not use. JSON results repeat them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExtraFields {
    /// Whether the `id` is a number.
    #[serde(skip)]
    pub id_is_number: bool,
    /// The fields that matesolve does not know, in their order.
    pub fields: serde_json::Map<String, serde_json::Value>,
}

/// The reason why a text cannot be read as a problem: a sentence that says what is wrong, where, and how to correct it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemError {
    /// The text is not a stipulation that matesolve solves.
    Stipulation(StipulationError),
    /// The problem is one of other rules or of another genre. Contains the sentence.
    OtherRules(String),
    /// The side to move could take the king, so that only help play can be asked in which the other side begins.
    Turn(Box<Draft>),
    /// What is asked does not fit to the problem. Contains the sentence.
    Asked(String),
    /// The text cannot be read, or the rules of chess cannot play its position. Contains the sentence.
    Text(String),
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemError::Stipulation(error) => error.fmt(f),
            ProblemError::Turn(draft) => f.write_str(draft.fault.as_deref().unwrap_or_default()),
            ProblemError::OtherRules(why) | ProblemError::Asked(why) | ProblemError::Text(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ProblemError {}

impl ProblemError {
    /// Returns the error of what other rules than those of orthodox chess have.
    pub(crate) fn of_other_rules(what: &str) -> ProblemError {
        ProblemError::OtherRules(format!("{what}; matesolve solves orthodox chess only"))
    }

    /// Returns whether the text is that of a problem of another genre, which is no fault of the text.
    pub fn is_other_genre(&self) -> bool {
        matches!(self, ProblemError::Stipulation(_) | ProblemError::OtherRules(_))
    }
}

impl From<StipulationError> for ProblemError {
    fn from(error: StipulationError) -> ProblemError {
        ProblemError::Stipulation(error)
    }
}

impl From<String> for ProblemError {
    fn from(why: String) -> ProblemError {
        ProblemError::Text(why)
    }
}

impl From<&str> for ProblemError {
    fn from(why: &str) -> ProblemError {
        ProblemError::Text(why.to_owned())
    }
}

impl Problem {
    /// Reads one line: a JSON object with a `fen`, or a FEN with or without EPD operations.
    ///
    /// ```
    /// use matesolve_problem::problem::Problem;
    ///
    /// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; id \"Prinz 1951\";").unwrap();
    /// assert_eq!(problem.question.stipulation.to_string(), "#2");
    /// assert_eq!(problem.id.as_deref(), Some("Prinz 1951"));
    /// ```
    pub fn read(line: &str) -> Result<Problem, ProblemError> {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.starts_with('{') { jsonl::read(line) } else { Problem::read_beside(line, "", "") }
    }

    /// Reads a line of FEN or EPD, beside which a name and a solution stand; both may be empty.
    ///
    /// # Errors
    /// As [`Problem::read`]; the name may belong to the question.
    pub(crate) fn read_beside(line: &str, name: &str, solution: &str) -> Result<Problem, ProblemError> {
        if let Some((before, _)) = line.split_once('\0') {
            let at = before.chars().count() + 1;
            let why = format!("character {at} of the line is a NUL character; remove it, or check that this is a text");
            return Err(why.into());
        }
        if let Some(address) = pasted::address(line, None) {
            return Problem::read_beside(&address?.line, name, solution);
        }
        let bare = pasted::bare(line)?;
        let line = &fen::plain(bare.line);
        let (fen, rest) = epd::split(line);
        let (draft, mut stated) = (Draft::plain(fen)?, Problem::default());
        let mut parts = parts::StatedParts::default();
        for operation in epd::read(rest)? {
            operation.state(&mut parts)?;
            if operation.code == "id" {
                let words: Vec<String> = operation.operands.iter().map(epd::Operand::meaning).collect();
                stated.id = Some(words.join(" "));
            }
            stated.operations.push(operation);
        }
        stated.solution.clone_from(&parts.solution);
        stated.stated = parts.question()?.and(bare.asked)?.and(played::of_name(name)?)?;
        stated.id = stated.id.or(Some(name).filter(|name| !name.is_empty()).or(bare.name).map(str::to_owned));
        let draft = played::play(draft, &mut stated, &parts, parts.themes.as_deref())?;
        if !solution.is_empty() {
            played::solution(&draft, &mut stated, solution);
        }
        draft.stating(stated).finished()
    }

    /// Returns the problem of this position.
    pub fn of_position(chess: &Chess, stipulation: Stipulation) -> Problem {
        let fen = shakmaty::fen::Fen::from_position(chess, shakmaty::EnPassantMode::Legal).to_string();
        Problem { fen, chess: chess.clone(), ..Problem::default() }.stipulated(stipulation)
    }

    /// Returns the same position with the question of this stipulation alone. The side to move stays.
    #[must_use]
    pub fn stipulated(self, stipulation: Stipulation) -> Problem {
        let question = Question::of(stipulation, self.chess.turn());
        let colors = stipulation.is_helped().then_some(Said { value: Colors::First(self.chess.turn()), by: "FEN" });
        let stated =
            Asked { stipulation: Some(Said { value: stipulation, by: "stipulation" }), colors, ..Asked::default() };
        Problem { question, stated, stated_by: stated.stated_by(), ..self }
    }

    /// Adds twins. Each text is one, such as `b) Ka1-b1` or `Remove g7`; without a letter it gets the next one. The
    /// stipulation of this problem is that of the diagram, because a twin may have another; what `told` asks besides
    /// holds for all phases.
    pub fn add_twins(&mut self, texts: &[String], told: &Asked) -> Result<(), ProblemError> {
        let twins = olv::asked::twins(&fields::Node::List(texts.iter().cloned().map(fields::Node::Text).collect()))?;
        self.add_phases(&twins, false)?;
        let told = Asked { stipulation: None, length: None, ..*told };
        self.phases.iter_mut().for_each(|phase| phase.ask(&told));
        Ok(())
    }

    /// Makes this position the diagram of a problem with several phases. The other phases have its rights as far as
    /// king and rooks stand on their squares, and its demands.
    fn add_phases(&mut self, twins: &twins::Twins, is_duplex: bool) -> Result<(), ProblemError> {
        if self.question.stipulation.is_helped_at_any_length() {
            // The board of a twin does not say who begins.
            return Err("h# has no twins; state the length, as in h#3".into());
        }
        let (options, with_key) = twins::PhaseOptions::of(self);
        let is_default = with_key == Stipulation::default();
        let stipulation = if is_default { String::new() } else { with_key.to_string() };
        let options = twins::PhaseOptions { duplex: is_duplex, ..options };
        let diagram = twins::TwinDiagram { board: self.chess.board().clone(), stipulation, options };
        self.phases = twins::phases(&diagram, twins);
        let Asked { intended, set_play, most, .. } = self.stated;
        let demands = Asked { intended, set_play, most, ..Asked::default() };
        self.phases.iter_mut().for_each(|phase| phase.state(&demands));
        self.warnings.push(olv::TWINS_UNSOLVED.to_owned());
        Ok(())
    }

    /// Adds a warning if the line has remarks that are no EPD operations. Returns whether it has.
    pub fn note_remarks(&mut self) -> bool {
        let remark = self.operations.iter().find(|operation| operation.is_remark());
        let note = remark.map(|remark| {
            let text = crate::base::printable::excerpt(&remark.code);
            format!("\"{text}\" is no EPD operation; such remarks are kept and mean nothing, here and in other lines")
        });
        let has_remarks = note.is_some();
        self.warnings.extend(note);
        has_remarks
    }

    /// Returns the side that strives for the goal.
    pub fn attacker(&self) -> shakmaty::Color {
        self.question.attacker
    }

    /// Returns what makes this problem the same as another: the position with its rights, and the question. Names,
    /// remarks and what was published beside it do not count. Problems are compared by it everywhere.
    pub fn key(&self) -> ProblemKey {
        let mode = self.chess.castles().mode();
        ProblemKey(self.fen.clone(), mode.is_chess960(), self.exclusive.clone(), self.question.clone())
    }
}

/// The identity of a problem: position, whether it is one of Chess960, rights that exclude each other, and question.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProblemKey(String, bool, Vec<(Square, Square)>, Question);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_lengths_are_read_from_dm_and_bm() {
        let fen = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";
        for (operations, expected) in
            [("dm 2;", "#2"), ("bm #2;", "#2"), ("bm #-4;", "#-4"), ("bm Rh6;", "#"), ("", "#")]
        {
            let problem = Problem::read(&format!("{fen} {operations}")).unwrap();
            assert_eq!(problem.question.stipulation.to_string(), expected, "{operations}");
        }
        let kept = Problem::read(&format!("{fen} 0 1 bm Rh6 Rh5; c0 \"a;b\"; hmvc 3")).unwrap();
        let kept: Vec<String> = kept.operations.iter().map(ToString::to_string).collect();
        assert_eq!(kept, ["bm Rh6 Rh5;", "c0 \"a;b\";", "hmvc 3;"]);
    }

    #[test]
    fn every_stipulation_is_read_from_its_operation() {
        let fen = "5Kbk/6pp/6P1/8/8/8/8/7R w - -";
        let read = |operations: &str| {
            Problem::read(&format!("{fen} {operations}")).map(|it| it.question.stipulation.to_string())
        };
        for (operations, expected) in [
            ("stip \"s#3\";", "s#3"),
            ("stip r#2", "r#2"),
            ("id \"a\"; stip \"h#2.5\";", "h#2.5"),
            ("stip \"=\";", "="),
        ] {
            assert_eq!(read(operations).as_deref(), Ok(expected), "{operations}");
        }
        assert_eq!(read("dm 3; stip \"#3\";").as_deref(), Ok("#3"));
        let message = read("stip \"s#3\"; dm 3;").unwrap_err().to_string();
        assert!(message.contains("\"stip\" and \"dm\" state different problems"), "{message}");
        assert!(read("stip \"pser-#4\";").unwrap_err().to_string().contains("pser-#4"));
    }

    #[test]
    fn a_negative_length_makes_the_other_side_the_attacker() {
        let problem = Problem::read("\u{feff}5Kbk/6pp/6P1/8/8/8/8/7R b - - bm #-4;\r").unwrap();
        assert_eq!(problem.attacker(), shakmaty::Color::White);
    }

    #[test]
    fn a_nul_character_is_refused() {
        let message = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - \0 dm 2;").unwrap_err().to_string();
        assert!(message.starts_with("character 31 of the line is a NUL character"), "{message}");
    }

    #[test]
    fn an_error_quotes_the_wrong_stipulation() {
        let message = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm y;").unwrap_err().to_string();
        assert!(message.contains("\"y\" is not a stipulation"), "{message}");
    }
}
