//! The side that begins, where the stipulation says it and not the FEN.
//!
//! In help play to a goal, of a stated length, the side that begins is the one that the input states as such, or else
//! follows from the stipulation; collections write a side to move by habit. So the position is turned where the FEN
//! names the other side, and a warning says so. A FEN in which the side to move could take the king is a good diagram
//! of help play, if the other side begins. Whether that is asked may stand on the line, or in a request (`-s`), which
//! is known only later. Until then such a problem is an error that holds the problem with the other side to move
//! ([`ProblemError::Turn`]): if no such question is asked, the error stays.

use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Position as _};

use super::fen::{self, FenDiagram, name};
use super::question::{Asked, Question};
use super::{Problem, ProblemError};
use crate::chess::passed;

impl Asked {
    /// Returns the problem that was read, with what these parts ask beside it. A position in which the side to move
    /// could take the king becomes a problem if the question lets the other side begin.
    ///
    /// # Errors
    /// That of the reading, or the parts do not fit to the problem.
    pub fn of(&self, read: Result<Problem, ProblemError>) -> Result<Problem, ProblemError> {
        match read {
            Err(ProblemError::Turn(draft)) => {
                let turn = draft.problem.chess.turn();
                let (question, begins) = Question::asked(&self.over(draft.problem.stated), !turn)?;
                let is_good = question.stipulation.is_helped() && begins == turn;
                if is_good { draft.problem.asked(self) } else { Err(ProblemError::Turn(draft)) }
            }
            Ok(problem) if *self != Asked::default() => problem.asked(self),
            read => read,
        }
    }
}

impl Problem {
    /// Returns the problem with the question that its input and these parts ask, of which these come first. In all
    /// phases of a problem with twins they replace what the phase states.
    ///
    /// # Errors
    /// The parts do not fit to the problem.
    pub fn asked(mut self, told: &Asked) -> Result<Problem, ProblemError> {
        let named = if self.is_turned { !self.chess.turn() } else { self.chess.turn() };
        let asked = told.over(self.stated);
        let (question, begins) = Question::asked(&asked, named)?;
        if begins != self.chess.turn() {
            self.chess = passed(&self.chess).ok_or_else(|| {
                let (turn, other, stipulation) = (name(begins), name(!begins), question.stipulation);
                format!("in {stipulation}, {turn} begins, but then {other} is in check and not to move")
            })?;
            self.fen = Fen::from_position(&self.chess, EnPassantMode::Legal).to_string();
            self.is_turned = !self.is_turned;
        }
        (self.question, self.stated_by) = (question, asked.stated_by());
        self.phases.iter_mut().for_each(|phase| phase.ask(told));
        Ok(self)
    }

    /// Adds what another place of the input states. The parts that it states already stay.
    ///
    /// # Errors
    /// As [`Problem::asked`].
    pub(super) fn also_stating(self, more: Asked) -> Result<Problem, ProblemError> {
        Problem { stated: self.stated.over(more), ..self }.asked(&Asked::default())
    }

    /// Returns all warnings about this problem: those of the input, and what its question makes of the side to move.
    pub fn every_warning(&self) -> Vec<String> {
        let stipulation = self.question.stipulation;
        let is_unnamed = self.warnings.iter().any(|warning| warning == fen::UNNAMED);
        let is_silent = |warning: &&String| {
            !(stipulation.is_helped() && stipulation.half_moves().is_some() && *warning == fen::UNNAMED)
        };
        let of_input = self.warnings.iter().filter(is_silent).cloned();
        let (turn, other) = (name(self.chess.turn()), name(!self.chess.turn()));
        let turned = (self.is_turned && !is_unnamed)
            .then(|| format!("the diagram says that {other} is to move; in {stipulation}, {turn} begins"));
        of_input.chain(turned).collect()
    }
}

/// A problem that is being read: its question is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The problem as far as it was read.
    pub problem: Problem,
    /// What is wrong with the side to move that the FEN names, if the other one is to move here.
    pub(super) fault: Option<String>,
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
    /// count.
    pub(super) fn stating(self, rest: Problem) -> Draft {
        let Problem { chess, fen, mut warnings, .. } = self.problem;
        warnings.extend_from_slice(&rest.warnings);
        Draft { problem: Problem { chess, fen, warnings, ..rest }, fault: self.fault }
    }

    /// Returns the problem with the side to move that the FEN names: what follows depends on it.
    pub fn with_named_side(self) -> Result<Draft, ProblemError> {
        self.fault.clone().map_or(Ok(self), |fault| Err(fault.into()))
    }

    /// Returns the problem, with the question that its text asks.
    pub(super) fn finished(mut self) -> Result<Problem, ProblemError> {
        if self.fault.is_none() {
            return self.problem.asked(&Asked::default());
        }
        self.problem.is_turned = true;
        Asked::default().of(Err(ProblemError::Turn(Box::new(self))))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::super::Colors;
    use super::*;
    use crate::chess::Stipulation;

    /// Black begins, in check; White could take the king.
    const BLACK: &str = "8/1P6/8/8/5p2/6p1/pp2ppKp/Nk3R2";

    fn asked(stipulation: &str) -> Asked {
        Asked::default().stipulation(Stipulation::parse_any(stipulation).unwrap(), "-s").unwrap()
    }

    fn begun(color: Color, asked: Asked) -> Asked {
        asked.colors(Colors::First(color), "--begins").unwrap()
    }

    #[test]
    fn the_stipulation_of_the_line_says_who_begins_help_play() {
        for (line, side) in [
            (format!("{BLACK} w - - stip \"h=3\";"), "Black"),
            (format!("{{\"fen\": \"{BLACK} w\", \"stipulation\": \"h=3\"}}"), "Black"),
            ("K1k5/8/1B6/8/8/8/8/7b b - - stip \"ser-=14\";".to_owned(), "White"),
            ("8/8/8/8/8/1K6/7R/k7 w - - stip \"h#1\";".to_owned(), "Black"),
        ] {
            let problem = Problem::read(&line).unwrap();
            assert_eq!(name(problem.chess.turn()), side, "{line}");
            let [warning] = &problem.every_warning()[..] else { panic!("one warning: {:?}", problem.warnings) };
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
        assert!(begun(Color::Black, asked("ser-#2")).of(read()).is_ok());
        assert!(begun(Color::White, asked("h=3")).of(read()).is_err());
    }

    #[test]
    fn a_problem_can_be_asked_again() {
        let read = Problem::read("8/8/8/8/8/1K6/7R/k7 w - - stip \"h#1\";").unwrap();
        let again = read.clone().asked(&asked("#3")).unwrap();
        assert!(read.is_turned && !again.is_turned && again.chess.turn().is_white());
        let exchanged = read.clone().asked(&begun(Color::White, Asked::default())).unwrap();
        assert!(exchanged.chess.turn().is_white() && exchanged.attacker().is_black());
        assert_ne!(read.key(), exchanged.key());
        assert_eq!(exchanged.asked(&asked("h#1")).unwrap().key(), read.key());
        let check = Problem::read("7k/8/8/8/8/8/8/K6R b - -").unwrap();
        assert!(check.asked(&asked("h#1.5")).is_err_and(|why| why.to_string().contains("Black is in check")));
    }

    #[test]
    fn who_asks_for_nothing_else_gets_the_error() {
        let both = "4k3/4R3/8/8/8/8/4r3/4K3 w - - stip \"h#2\";";
        assert!(matches!(Problem::read(both), Err(ProblemError::Text(_))), "either side could take the king");
        let forced = format!("{BLACK} w - - stip \"s#3\";");
        assert!(matches!(Problem::read(&forced), Err(ProblemError::Turn(_))));
    }

    #[test]
    fn a_diagram_that_names_no_side_is_whites_with_a_warning_and_silent_in_help_play() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R").unwrap();
        let of = |text: &str| problem.clone().asked(&asked(text)).unwrap().every_warning();
        assert!(problem.chess.turn().is_white());
        assert_eq!((of("#2"), of("h#2")), (vec![fen::UNNAMED.to_owned()], vec![]));
        assert!(Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w").unwrap().every_warning().is_empty());
        // White could take the king, so Black begins, as the stipulation says anyway.
        let turned = asked("h=3").of(Problem::read(BLACK)).unwrap();
        assert!(turned.chess.turn().is_black() && turned.every_warning().is_empty());
    }
}
