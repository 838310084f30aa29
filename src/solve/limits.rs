//! The limits of a task: time, nodes, memory and threads; and its Syzygy files.

use std::time::Duration;

use crate::base::clock::Instant;
use crate::search;
use crate::search::syzygy::SyzygyFiles;

/// The limits of the work on one problem, report or puzzle.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Limits {
    /// Time limit; `None`: no limit.
    pub time: Option<Duration>,
    /// Node limit; `None`: no limit.
    pub nodes: Option<u64>,
    /// Memory for all tables, trees and proofs together, in bytes; at least 1 MiB is useful.
    pub hash: usize,
    /// Threads, at least 1. The engines `race` and `retro`, reports, the workbench and help play use all of them,
    /// other engines one.
    pub threads: usize,
    /// The Syzygy files to read. The engine `race` and reports read them; audits do not.
    pub syzygy: Option<&'static SyzygyFiles>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: None, nodes: None, hash: 256 << 20, threads: 1, syzygy: None }
    }
}

impl Limits {
    /// Returns the limits of a search, which belongs to work that began at `start`.
    pub(crate) fn of_search(&self, start: Instant) -> search::Limits {
        let deadline = self.time.and_then(|time| start.checked_add(time));
        search::Limits { nodes: self.nodes, deadline }
    }
}
