//! The request for a report: its parts and conventions, and its limits.

use std::time::Duration;

use shakmaty::{Color, Square};

use super::rights::Castling;
use crate::chess::Stipulation;
use crate::results::report::{Ply, ReportOptions};
use crate::search::syzygy::SyzygyFiles;

/// The parts of a report and the conventions it follows. [`crate::Solver`] adds the limits.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReportRequest {
    /// The stipulation; `None`: the one that the problem states, or the shortest mate if it states none.
    pub stipulation: Option<Stipulation>,
    /// The parts and the size of the report.
    pub options: ReportOptions,
    /// The side that makes the first half-move of help play; `None`: the one that the problem or the stipulation names.
    pub begins: Option<Color>,
    /// The number of solutions of help play after which to stop; `None`: as many as the memory holds.
    pub most: Option<usize>,
    /// The way in which castling rights are decided.
    pub castling: Castling,
    /// The squares of rooks whose castling rights exclude each other, in pairs.
    pub exclusive: Vec<(Square, Square)>,
    /// Whether an en passant capture is allowed in the diagram if the position proves that the last move was the double
    /// step, even if the problem does not state it. Default: yes.
    pub proves_en_passant: bool,
    /// Syzygy files, which refute positions of few men; what rests on them is marked ([`Verdict::with_tables`]).
    /// Default: none.
    ///
    /// [`Verdict::with_tables`]: crate::results::report::Verdict::with_tables
    pub syzygy: Option<&'static SyzygyFiles>,
    /// The first move after which the diagram stands, if only this move is asked about; then the report has a line for
    /// each of its refutations. Needs the option `post_key`. Default: none.
    pub why: Option<Ply>,
    /// Time limit; `None`: no limit.
    pub(crate) time: Option<Duration>,
    /// Node limit; `None`: no limit.
    pub(crate) nodes: Option<u64>,
    /// Memory for the table and the proofs together, in bytes. Default: 256 MiB.
    pub(crate) hash: usize,
    /// Threads, at least 1. Default: 1.
    pub(crate) threads: usize,
}

impl Default for ReportRequest {
    fn default() -> ReportRequest {
        ReportRequest {
            stipulation: None,
            options: ReportOptions::default(),
            begins: None,
            most: None,
            castling: Castling::Fen,
            exclusive: Vec::new(),
            proves_en_passant: true,
            syzygy: None,
            why: None,
            time: None,
            nodes: None,
            hash: 256 << 20,
            threads: 1,
        }
    }
}

impl ReportRequest {
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
