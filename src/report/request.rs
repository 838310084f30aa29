//! The request for a report: its parts and conventions, and its limits.

use shakmaty::Square;

use super::rights::Castling;
use crate::chess::Stipulation;
use crate::problem::Problem;
use crate::results::report::{Ply, ReportOptions};
use crate::solve::Request;

/// The parts of a report and the conventions it follows. [`crate::Solver`] adds its [`Request`], which has the limits.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReportRequest {
    /// The stipulation; `None`: the one that the problem states, or the shortest mate if it states none.
    pub stipulation: Option<Stipulation>,
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
    /// The limits of time, nodes, memory and threads, the Syzygy files, and of help play who begins and after how many
    /// solutions to stop. A report has its own engine and its own length.
    pub(crate) solve: Request,
}

impl Default for ReportRequest {
    fn default() -> ReportRequest {
        ReportRequest {
            stipulation: None,
            options: ReportOptions::default(),
            castling: Castling::Fen,
            exclusive: Vec::new(),
            proves_en_passant: true,
            why: None,
            solve: Request::default(),
        }
    }
}

impl ReportRequest {
    /// Returns this request with the castling rights that exclude each other in this problem.
    pub(super) fn with_exclusive_of(&self, problem: &Problem) -> ReportRequest {
        let mut request = self.clone();
        request.exclusive.extend(problem.exclusive.iter().filter(|pair| !self.exclusive.contains(pair)));
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
