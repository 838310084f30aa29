//! Divides one hard problem into parts for many machines, and puts their answers together.
//!
//! ```text
//! Problem ── plan ──> parts, as EPD lines ── batch, on any machines ──> results ── join ──> Report
//! ```
//!
//! A **part** is the rest of the problem after a first move, or after a first move and a reply. Each part is a line of
//! EPD with its own question. Its operation `split` says which problem it belongs to: the problem as an EPD line, its
//! question, the moves to the part in UCI notation, and where castling rights come from, if not from the FEN.
//!
//! ```text
//! 6bk/6pp/5KPR/8/8/8/8/8 b - - stip "#-2"; id "Prinz: 1. Rh6"; split "5Kbk/…" "#3" "h1h6";
//! ```
//!
//! Parts of one problem have many positions in common, so a batch with the default engine keeps one table for parts
//! that follow each other (`tables`).
//!
//! | file | content |
//! |---|---|
//! | `plan` | chooses the parts: estimates the cost of each move, and divides the heavy ones further |
//! | `tables` | solves parts in a batch, with a table that is kept |
//! | `join` | reads the parts and their results: the bounds of the whole problem from those of its parts |

pub(crate) mod join;
pub(crate) mod plan;
pub(crate) mod tables;

use shakmaty::{Chess, Position as _};

use crate::chess::{Move, MoveCode, NodeKind, Position, Stipulation, notation, rules};
use crate::problem::epd::{Operand, Operation};
use crate::problem::{Problem, ProblemError};
use crate::report::{Castling, ReportRequest, settled_diagram};

/// The opcode that says which problem a part belongs to.
pub(crate) const SPLIT: &str = "split";

/// A problem that is divided, with its question.
#[derive(Debug, Clone)]
pub(crate) struct Whole {
    /// The problem as an EPD line.
    pub line: String,
    pub problem: Problem,
    /// The question.
    pub asked: Stipulation,
    /// The source of castling rights.
    pub castling: Castling,
    /// The diagram after the conventions were applied.
    pub chess: Chess,
}

impl Whole {
    /// Makes a problem to be divided. An error is a sentence that says why it cannot be.
    pub(crate) fn new(problem: Problem, castling: Castling) -> Result<Whole, String> {
        let asked = problem.question.stipulation;
        let mut words = vec![problem.fen.clone()];
        words.extend(problem.operations.iter().filter(|operation| !operation.is_remark()).map(ToString::to_string));
        let chess = settled_diagram(&problem.chess, castling, ReportRequest::default().proves_en_passant);
        let whole = Whole { line: words.join(" "), problem, asked, castling, chess };
        whole.refusal().map_or(Ok(whole), |why| Err(why.to_owned()))
    }

    fn refusal(&self) -> Option<&'static str> {
        if self.asked.is_helped() {
            Some("only play in which one side resists can be split; help play is solved whole by `matesolve batch`")
        } else if self.asked.goal().exact {
            Some("a question of exactly so many moves cannot be split; use `matesolve report`")
        } else if !self.problem.exclusive.is_empty() {
            Some(
                "a problem with castling rights that exclude each other cannot be split, because its parts are lines of EPD, \
                  which cannot state that; use `matesolve report`",
            )
        } else if !self.problem.phases.is_empty() {
            Some("a problem with twins cannot be split; split each of its phases")
        } else if self.asked.moves().is_none() {
            Some("the length is missing; add one, such as -s '#9'")
        } else if self.asked.moves().is_some_and(|n| n.0 < 2) {
            Some("a problem in one move has no parts; use `matesolve report`")
        } else if rules::over(self.asked.goal(), &self.root(), self.kind()).is_some() {
            Some("there is nothing to search in this diagram; use `matesolve report`")
        } else {
            None
        }
    }

    /// Returns the kind of the diagram's node.
    pub(crate) fn kind(&self) -> NodeKind {
        self.asked.begins().into()
    }

    /// Returns the position of the diagram.
    pub(crate) fn root(&self) -> Position {
        Position::from_chess(&self.chess)
    }

    /// Returns the moves that count in a position of this kind.
    pub(crate) fn moves(&self, position: &Position, kind: NodeKind) -> Vec<Move> {
        match kind {
            NodeKind::Or => position.legal_moves().into_iter().collect(),
            NodeKind::And => rules::replies(self.asked.goal(), position).into_iter().collect(),
        }
    }

    /// Returns the question after these moves, and the position, which `path` leads to.
    pub(crate) fn after(&self, path: &[MoveCode]) -> Option<(Position, Stipulation)> {
        path.iter().try_fold((self.root(), self.asked), |(position, asked), &code| {
            Some((position.play(position.find_move(code)?), asked.after_first()?))
        })
    }

    /// Returns the name of a part: its moves, as in `1. Rh6 Ba2`.
    pub(crate) fn name_of(&self, path: &[MoveCode]) -> String {
        notation::line(&self.chess, path).map_or_else(String::new, |line| line.san)
    }

    /// Writes a part as an EPD line.
    pub(crate) fn line_of(&self, path: &[MoveCode]) -> Option<String> {
        let (position, asked) = self.after(path)?;
        let written = notation::line(&self.chess, path)?;
        let id = self.problem.id.as_ref().map_or_else(|| written.san.clone(), |id| format!("{id}: {}", written.san));
        let mut operands = vec![self.line.clone(), self.asked.to_string(), written.uci.join(" ")];
        operands.extend(castling_word(self.castling).map(str::to_owned));
        let operands = operands.iter().flat_map(|text| Operation::string(SPLIT, text).operands).collect();
        let operations = [
            Operation::string(crate::problem::epd::STIPULATION, &asked.to_string()),
            Operation::string("id", &id),
            Operation { code: SPLIT.to_owned(), operands },
        ];
        let operations: Vec<String> = operations.iter().map(ToString::to_string).collect();
        Some(format!("{} {}", position.fen(), operations.join(" ")))
    }
}

/// Returns the word for a source of castling rights that is not the FEN.
fn castling_word(castling: Castling) -> Option<&'static str> {
    match castling {
        Castling::Fen => None,
        Castling::Assume => Some("assume"),
        Castling::None => Some("none"),
    }
}

/// The operation of a part: the problem that it belongs to, and the moves to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PartOf {
    /// The problem as an EPD line, and its question.
    pub line: String,
    pub asked: String,
    /// The moves to the part, in UCI notation.
    moves: Vec<String>,
    castling: Option<String>,
}

impl PartOf {
    /// Reads the operation of a part; `None` if the problem is no part.
    pub(crate) fn read(problem: &Problem) -> Option<PartOf> {
        let operation = problem.operations.iter().find(|operation| operation.code == SPLIT)?;
        let texts: Vec<String> = operation.operands.iter().map(Operand::meaning).collect();
        let (line, asked, moves, castling) = match texts.as_slice() {
            [line, asked, moves] => (line, asked, moves, None),
            [line, asked, moves, castling] => (line, asked, moves, Some(castling.clone())),
            _ => return None,
        };
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        Some(PartOf { line: line.clone(), asked: asked.clone(), moves, castling })
    }

    /// Returns whether both are parts of one problem.
    pub(crate) fn is_of_the_same(&self, other: &PartOf) -> bool {
        (&self.line, &self.asked, &self.castling) == (&other.line, &other.asked, &other.castling)
    }

    /// Returns the moves before the last one: the part's parent.
    pub(crate) fn parent(&self) -> &[String] {
        self.moves.split_last().map_or(&[], |(_, before)| before)
    }

    /// Reads the problem.
    pub(crate) fn whole(&self) -> Result<Whole, String> {
        let problem = Problem::read(&self.line).map_err(|error: ProblemError| error.to_string())?;
        let asked = Stipulation::parse_stated(&self.asked).map_err(|error| error.to_string())?;
        let sources = [Castling::Fen, Castling::Assume, Castling::None];
        let castling = sources.into_iter().find(|&it| castling_word(it) == self.castling.as_deref());
        let problem = if problem.question.stipulation == asked { problem } else { problem.stipulated(asked) };
        Whole::new(problem, castling.ok_or("its source of castling rights is unknown")?)
    }

    /// Returns the moves to the part; `None` if one is not legal.
    pub(crate) fn path(&self, whole: &Whole) -> Option<Vec<MoveCode>> {
        let mut chess = whole.chess.clone();
        let moves = self.moves.iter().map(|text| {
            let m = notation::of_uci(&chess, text)?;
            chess.play_unchecked(m);
            Some(notation::code(m))
        });
        moves.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(line: &str, castling: Castling) -> Result<Whole, String> {
        let problem = Problem::read(line).expect("a problem");
        Whole::new(problem, castling)
    }

    #[test]
    fn a_part_says_which_problem_it_belongs_to() {
        let line = r#"r3k3/8/8/8/8/8/8/4K2R w Kq - stip "s#3"; id "a \"b\"; c\\";"#;
        for castling in [Castling::Fen, Castling::Assume, Castling::None] {
            let whole = whole(line, castling).expect("it can be split");
            for m in whole.root().legal_moves() {
                let part = Problem::read(&whole.line_of(&[m.code()]).expect("legal")).expect("a part");
                assert_eq!(part.question.stipulation.to_string(), "s#-2");
                let of = PartOf::read(&part).expect("it says so");
                let again = of.whole().expect("the problem can be read");
                assert_eq!((&again.line, again.asked, again.castling), (&whole.line, whole.asked, castling));
                assert_eq!(again.problem.id, whole.problem.id);
                assert_eq!(of.path(&again), Some(vec![m.code()]));
                assert_eq!(Position::from_chess(&part.chess).key(), whole.root().play(m).key());
            }
        }
    }

    #[test]
    fn what_cannot_be_split_gets_a_sentence() {
        for (line, why) in [
            (r#"8/8/8/8/8/1k6/8/1K3Q2 w - - stip "h#2";"#, "help play"),
            ("8/8/8/8/8/1k6/8/1K3Q2 w - -", "the length is missing"),
            ("8/8/8/8/8/1k6/8/1K3Q2 w - - dm 1;", "one move"),
            ("k7/1Q6/1K6/8/8/8/8/8 b - - bm #-3;", "nothing to search"),
        ] {
            let error = whole(line, Castling::Fen).expect_err(line);
            assert!(error.contains(why), "{error}");
        }
    }
}
