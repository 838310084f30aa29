//! What a report is asked for: its parts, its conventions and its limits.

use std::time::Duration;

use shakmaty::{Color, Square};

use super::rights::Castling;
use crate::chess::Stipulation;
use crate::results::report::ReportOptions;

/// The parts of a report, the conventions it follows, and its limits.
#[derive(Debug, Clone)]
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
    /// Time limit; `None`: no limit.
    pub time: Option<Duration>,
    /// Node limit; `None`: no limit.
    pub nodes: Option<u64>,
    /// Memory for the table and the proofs together, in bytes. Default: 256 MiB.
    pub hash: usize,
    /// Threads, at least 1. Default: 1.
    pub threads: usize,
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
            time: None,
            nodes: None,
            hash: 256 << 20,
            threads: 1,
        }
    }
}
