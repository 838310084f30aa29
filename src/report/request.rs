//! The request for a report: its parts and conventions, and its limits.
//!
//! The report on one entry of a file: its problem, with what the entry itself demands.

use std::sync::atomic::AtomicBool;

use shakmaty::Square;

use crate::chess::Stipulation;
use crate::problem::input::Entry;
use crate::problem::{Asked, Problem, ProblemError};
use crate::report::blank::rejected;
use crate::report::rights::Castling;
use crate::report::{NoObserver, report_borrowing};
use crate::results::report::{Ply, Report, ReportOptions};
use crate::search::pool::ThreadSource;
use crate::solve::{HelpOptions, Limits};

/// The parts of a report and the conventions it follows. It has its own engine.
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
    /// What the report may use: that of the [`crate::Solver`].
    pub(crate) limits: Limits,
    /// Of help play: who begins, and after how many solutions to stop.
    pub(crate) help: HelpOptions,
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
            limits: Limits::default(),
            help: HelpOptions::default(),
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

/// Reports on an entry, with threads that it may borrow beside those of the request. An entry that is no problem gives
/// a report whose error says why.
pub(crate) fn report_entry(
    entry: &Entry,
    request: &ReportRequest,
    stop: &AtomicBool,
    threads: &dyn ThreadSource,
) -> Report {
    let turned;
    let problem = match &entry.problem {
        Err(ProblemError::Turn(_)) => {
            let asked = Asked { stipulation: request.stipulation, begins: request.help.begins };
            turned = asked.of(entry.problem.clone());
            &turned
        }
        problem => problem,
    };
    let mut report = match problem {
        Ok(problem) => report_borrowing(problem, &asked(entry, request), stop, &NoObserver, threads),
        Err(error) => rejected(entry, error, request.options),
    };
    report.line = Some(entry.line).filter(|&line| line > 0);
    report
}

/// Adds what an entry's own options demand to a request.
fn asked(entry: &Entry, request: &ReportRequest) -> ReportRequest {
    let mut request = request.clone();
    if let Some(olv) = &entry.olv {
        request.options.add_asked(olv.options.set_play, olv.options.tries);
    }
    request
}
