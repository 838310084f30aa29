//! The side that begins, where the stipulation says it and not the FEN.
//!
//! In help play the table of stipulations decides who makes the first half-move; collections write a side to move by
//! habit. So a FEN in which the side to move could take the king is a good diagram of help play, if the other side
//! begins. Whether that is asked may stand on the line, or in a request (`-s`), which is known only later. Until then
//! such a problem is an error that holds the problem with the other side to move ([`TurnedProblem`]): a caller that
//! does not ask the right question reports the error.

use shakmaty::{Color, Position as _};

use super::fen::FenDiagram;
use super::{FenError, Problem, ProblemError, fen};
use crate::chess::{End, Stipulation};

/// A problem whose FEN names a side to move that could take the king, with the other side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnedProblem {
    problem: Problem,
    /// The fault of the side that the FEN names.
    pub(super) fault: FenError,
}

/// The question of a request, which replaces that of the input, as far as it says who begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// The stipulation; `None`: that of the input.
    pub stipulation: Option<Stipulation>,
    /// The side that begins help play; `None`: the one that the stipulation names.
    pub begins: Option<Color>,
}

impl Asked {
    /// Returns the problem that was read if it is one, or if it becomes one because this question lets the other side
    /// begin. The stipulation of the problem stays.
    pub fn of(self, read: Result<Problem, ProblemError>) -> Result<Problem, ProblemError> {
        match read {
            Err(ProblemError::Turn(turned)) => self.begin(*turned),
            read => read,
        }
    }

    fn begin(self, turned: TurnedProblem) -> Result<Problem, ProblemError> {
        let TurnedProblem { mut problem, fault } = turned;
        let stipulation = self.stipulation.unwrap_or(problem.stipulation);
        let begins = self.begins.unwrap_or_else(|| problem.begins(stipulation));
        if !stipulation.is_helped() || begins != problem.chess.turn() {
            return Err(ProblemError::Turn(Box::new(TurnedProblem { problem, fault })));
        }
        if !problem.is_unnamed() {
            problem.warnings.push(begins_instead(stipulation, begins));
        }
        Ok(problem)
    }
}

impl Problem {
    /// Returns the side that begins help play with this stipulation, whatever the diagram says; but a list of moves is
    /// one of the side to move.
    pub fn begins(&self, stipulation: Stipulation) -> Color {
        if stipulation.goal().end == End::Any {
            return self.chess.turn();
        }
        stipulation.begins().color(self.mates.unwrap_or(Color::White))
    }

    /// Returns whether the diagram does not say who is to move.
    pub fn is_unnamed(&self) -> bool {
        self.warnings.iter().any(|warning| warning == fen::UNNAMED)
    }

    /// Returns the warnings about this problem as far as they concern a stipulation.
    pub fn warnings_of(&self, stipulation: Stipulation) -> Vec<String> {
        let is_silent = |warning: &&String| !(stipulation.is_helped() && *warning == fen::UNNAMED);
        self.warnings.iter().filter(is_silent).cloned().collect()
    }
}

/// Returns the warning for a diagram of help play that names the wrong side to move.
pub fn begins_instead(stipulation: Stipulation, begins: Color) -> String {
    let name = |color: Color| color.fold_wb("White", "Black");
    format!("the diagram says that {} is to move; in {stipulation}, {} begins", name(!begins), name(begins))
}

/// A problem that is being read: its question is not known yet.
pub struct Draft {
    /// What has been read of it.
    pub problem: Problem,
    /// What is wrong with the side to move that the FEN names, if the other one is to move here.
    fault: Option<FenError>,
}

impl Draft {
    /// Reads the position of a problem.
    pub fn new(fen: &str) -> Result<Draft, ProblemError> {
        Draft::plain(&fen::plain(fen))
    }

    /// Reads the position of a problem that is written as the standard has it.
    pub(super) fn plain(fen: &str) -> Result<Draft, ProblemError> {
        let (diagram, fault) = fen::read_of_either_side(fen)?;
        let (fen, FenDiagram { chess, warnings, .. }) = (diagram.fen(), diagram);
        Ok(Draft { problem: Problem { chess, fen, warnings, ..Problem::default() }, fault })
    }

    /// Returns the draft with what its text states beside the position: the fields of `rest`, whose position does not
    /// count. Every reader of problems joins the two here.
    pub(super) fn stating(self, rest: Problem) -> Draft {
        let Problem { chess, fen, mut warnings, .. } = self.problem;
        warnings.extend_from_slice(&rest.warnings);
        Draft { problem: Problem { chess, fen, warnings, ..rest }, fault: self.fault }
    }

    /// Returns whether the side that the FEN names could take the king.
    pub(super) fn is_turned(&self) -> bool {
        self.fault.is_some()
    }

    /// Returns the problem with the side to move that the FEN names: what follows depends on it.
    pub fn with_named_side(self) -> Result<Draft, FenError> {
        self.fault.clone().map_or(Ok(self), Err)
    }

    /// Returns the problem, whose question is known now.
    pub(super) fn finished(self) -> Result<Problem, ProblemError> {
        let Draft { problem, fault } = self;
        match fault {
            None => Ok(problem),
            Some(fault) => Asked::default().begin(TurnedProblem { problem, fault }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black begins, in check; White could take the king.
    const BLACK: &str = "8/1P6/8/8/5p2/6p1/pp2ppKp/Nk3R2";

    fn asked(stipulation: &str) -> Asked {
        Asked { stipulation: Some(Stipulation::parse_any(stipulation).unwrap()), begins: None }
    }

    #[test]
    fn the_stipulation_of_the_line_says_who_begins_help_play() {
        for (line, side) in [
            (format!("{BLACK} w - - stip \"h=3\";"), "Black"),
            (format!("{{\"fen\": \"{BLACK} w\", \"stipulation\": \"h=3\"}}"), "Black"),
            ("K1k5/8/1B6/8/8/8/8/7b b - - stip \"ser-=14\";".to_owned(), "White"),
        ] {
            let problem = Problem::read(&line).unwrap();
            assert_eq!(problem.chess.turn().fold_wb("White", "Black"), side, "{line}");
            let [warning] = &problem.warnings[..] else { panic!("one warning: {:?}", problem.warnings) };
            assert!(warning.ends_with(&format!("{side} begins")), "{warning}");
        }
        let other =
            format!("{{\"fen\": \"{BLACK}\", \"stipulation\": {{\"text\": \"h=3\", \"attacker\": \"black\"}}}}");
        assert!(matches!(Problem::read(&other), Err(ProblemError::Turn(_))), "White begins, and could take the king");
    }

    #[test]
    fn a_request_may_say_who_begins() {
        let read = || Problem::read(BLACK);
        let message = read().unwrap_err().to_string();
        assert!(message.starts_with("White is to move and could take the king on b1"), "{message}");
        assert!(asked("h=3").of(read()).is_ok_and(|problem| problem.chess.turn() == Color::Black));
        for other in [asked("#3"), asked("h=2.5"), asked("ser-#2"), Asked::default()] {
            assert_eq!(other.of(read()).unwrap_err().to_string(), message, "{other:?}");
        }
        let begins = Asked { begins: Some(Color::Black), ..asked("ser-#2") };
        assert!(begins.of(read()).is_ok());
        assert!(Asked { begins: Some(Color::White), ..asked("h=3") }.of(read()).is_err());
    }

    #[test]
    fn who_asks_for_nothing_else_gets_the_error() {
        let both = "4k3/4R3/8/8/8/8/4r3/4K3 w - - stip \"h#2\";";
        assert!(matches!(Problem::read(both), Err(ProblemError::Fen(_))), "either side could take the king");
        let forced = format!("{BLACK} w - - stip \"s#3\";");
        assert!(matches!(Problem::read(&forced), Err(ProblemError::Turn(_))));
    }

    #[test]
    fn a_diagram_that_names_no_side_is_whites_with_a_warning_and_silent_in_help_play() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R").unwrap();
        let of = |text: &str| problem.warnings_of(Stipulation::parse_any(text).unwrap());
        assert!(problem.chess.turn().is_white() && problem.is_unnamed());
        assert_eq!((of("#2"), of("h#2")), (vec![fen::UNNAMED.to_owned()], vec![]));
        assert!(!Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w").unwrap().is_unnamed());
        // White could take the king, so Black begins, as the stipulation says anyway.
        let turned = asked("h=3").of(Problem::read(BLACK)).unwrap();
        assert!(turned.chess.turn().is_black() && turned.warnings_of(asked("h=3").stipulation.unwrap()).is_empty());
    }
}
