//! The threads of one report, and the events for an observer of their work, such as a progress display.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::chess::MateLength;
use crate::search::decider::pool::{DeciderPool, NoThreads, ThreadSource};

/// An event of a running report.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReportEvent {
    /// No mate within this many moves exists in the diagram.
    Refuted(MateLength),
    /// A mate in at most this many moves from the diagram; the checker has replayed its proof. Sent only to observers
    /// with a [node counter](ReportObserver::node_counter), as long as the length is not certain.
    Mate(MateLength),
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
    /// Another part of the solution tree is explored.
    Tree {
        /// The number of positions whose play is complete.
        plays: usize,
    },
}

impl fmt::Display for ReportEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportEvent::Refuted(moves) => write!(f, "no mate in {moves}"),
            ReportEvent::Mate(moves) => write!(f, "mate in ≤ {moves}"),
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

/// Receives the events of a running report, on the thread that makes the report.
pub trait ReportObserver: Sync {
    /// Receives an event. `nodes` is the number of nodes so far, of all threads.
    fn event(&self, event: ReportEvent, nodes: u64);

    /// Returns a counter to which the searches of the report add their nodes, so that others see them while it runs.
    /// `None`: there is no such counter.
    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        None
    }
}

/// Ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoObserver;

impl ReportObserver for NoObserver {
    fn event(&self, _: ReportEvent, _: u64) {}
}

/// The surroundings of a report while it is made: the stop flag, the observer, the threads.
#[derive(Clone, Copy)]
pub(crate) struct ReportContext<'a> {
    /// Ends the search when it becomes true. The report then has what has been proved.
    pub stop: &'a AtomicBool,
    pub observer: &'a dyn ReportObserver,
    /// The threads that the report may borrow beside those of its request.
    pub threads: &'a dyn ThreadSource,
}

impl<'a> ReportContext<'a> {
    /// Nobody observes the report, and there are no threads to borrow.
    pub(crate) fn new(stop: &'a AtomicBool) -> ReportContext<'a> {
        ReportContext { stop, observer: &NoObserver, threads: &NoThreads }
    }

    pub(crate) fn observed(self, observer: &'a dyn ReportObserver) -> ReportContext<'a> {
        ReportContext { observer, ..self }
    }
}

/// The pool of a report, with the observer of the report.
pub(super) struct Workers<'a, 'c> {
    pub pool: DeciderPool<'a, 'c>,
    pub observer: &'a dyn ReportObserver,
}

impl Workers<'_, '_> {
    /// Sends an event to the observer, with the number of nodes so far.
    pub(super) fn send(&self, event: ReportEvent) {
        self.observer.event(event, self.nodes());
    }
}

impl<'a, 'c> Deref for Workers<'a, 'c> {
    type Target = DeciderPool<'a, 'c>;

    fn deref(&self) -> &DeciderPool<'a, 'c> {
        &self.pool
    }
}

impl DerefMut for Workers<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.pool
    }
}
