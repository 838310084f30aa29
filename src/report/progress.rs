//! Events of a running report, for a progress display.

use std::fmt;

use crate::chess::MateLength;

/// An event of a running report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportEvent {
    /// No mate within this many moves exists in the diagram.
    Refuted(MateLength),
    /// A first move solves the problem; the checker has replayed the proof.
    Key {
        /// The move in standard algebraic notation.
        san: String,
        /// Its length in moves.
        moves: MateLength,
    },
    /// A round over the open first moves starts.
    FirstMoves {
        /// The number of first moves that are decided, keys included.
        decided: usize,
        /// The number of first moves.
        total: usize,
        /// The first move that is searched next, in standard algebraic notation.
        current: String,
    },
    /// Only a few defences refute a first move.
    Try {
        /// The move in standard algebraic notation.
        san: String,
        /// The number of defences that refute it.
        refutations: usize,
    },
    /// A level of the solution tree is finished.
    Tree {
        /// The number of positions whose play is complete.
        plays: usize,
    },
}

impl fmt::Display for ReportEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportEvent::Refuted(moves) => write!(f, "no mate in {moves}"),
            ReportEvent::Key { san, moves } => write!(f, "key 1. {san}, mate in {moves}"),
            ReportEvent::FirstMoves { decided, total, current } => {
                write!(f, "{decided} of {total} first moves decided, next 1. {current}")
            }
            ReportEvent::Try { san, refutations: 1 } => write!(f, "try 1. {san}, one refutation"),
            ReportEvent::Try { san, refutations } => write!(f, "try 1. {san}, {refutations} refutations"),
            ReportEvent::Tree { plays } => write!(f, "solution tree: {plays} positions"),
        }
    }
}

/// Receives the events of a running report. It is called from the thread that makes the report.
pub trait ReportObserver: Sync {
    /// Receives an event. `nodes` is the number of nodes so far, of all threads.
    fn event(&self, event: ReportEvent, nodes: u64);
}

/// Ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoObserver;

impl ReportObserver for NoObserver {
    fn event(&self, _: ReportEvent, _: u64) {}
}
