//! The request for a report: its parts and conventions, and its limits.

use shakmaty::Square;

use crate::chess::Stipulation;
use crate::problem::Problem;
use crate::results::report::{Ply, ReportOptions};
use crate::solve::Limits;

use super::rights::Castling;

/// The parts of a report and the conventions it follows. It has its own engine.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReportRequest {
    /// The parts and the size of the report.
    pub options: ReportOptions,
    /// The way in which castling rights are decided.
    pub castling: Castling,
    /// The squares of rooks whose castling rights exclude each other, in pairs.
    pub exclusive: Vec<(Square, Square)>,
    /// Whether an en passant capture is allowed in the diagram if the position proves that the last move was the double
    /// step, even if the problem does not state it. Default: yes.
    pub proves_en_passant: bool,
    /// The first move after which the diagram stands, if only this move is asked about; then the report has a line for
    /// each of its refutations. Needs the option `post_key`. Default: none.
    pub why: Option<Ply>,
    /// The limits of the report: those of the [`crate::Solver`].
    pub(crate) limits: Limits,
}

impl Default for ReportRequest {
    fn default() -> ReportRequest {
        ReportRequest {
            options: ReportOptions::default(),
            castling: Castling::Fen,
            exclusive: Vec::new(),
            proves_en_passant: true,
            why: None,
            limits: Limits::default(),
        }
    }
}

impl ReportRequest {
    /// Returns this request with what a problem demands: castling rights that exclude each other, the number of
    /// solutions, set play.
    pub(super) fn for_problem(&self, problem: &Problem) -> ReportRequest {
        let mut request = self.clone();
        request.exclusive.extend(problem.exclusive.iter().filter(|pair| !self.exclusive.contains(pair)));
        request.options.intended_solutions = problem.question.intended;
        request.options.add_asked(problem.question.set_play, None);
        request
    }

    /// Returns this request after a change of its fields. Other crates use this instead of writing all fields.
    ///
    /// ```
    /// use matesolve::report::{Castling, ReportRequest};
    ///
    /// let request = ReportRequest::default().with(|request| request.castling = Castling::Assume);
    /// assert_eq!(request.castling, Castling::Assume);
    /// ```
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut ReportRequest)) -> ReportRequest {
        change(&mut self);
        self
    }
}

/// Returns the question of a report: the stated one, or the rest of it after the key, if the diagram stands there.
pub(super) fn stipulation_of(problem: &Problem, request: &ReportRequest) -> Stipulation {
    let stated = problem.question.stipulation;
    // `#3` after the key leaves two moves; `#-2` says the same.
    let key_is_played = request.options.post_key && !stated.defender_begins();
    stated.after_first().filter(|_| key_is_played).unwrap_or(stated)
}
