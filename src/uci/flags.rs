//! Stopping: one lane for every searching thread, each with a flag of its own, and one wish for all.
//!
//! A lane is stopped alone when another has answered its question, and is then used again; the wish of the GUI to
//! stop is never taken back. A flag cannot serve both purposes: [`crate::search::Control::stop`] sets it for reasons
//! inside an engine.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// See the module.
#[derive(Debug)]
pub(super) struct Flags {
    asked: AtomicBool,
    lanes: Vec<AtomicBool>,
}

impl Flags {
    pub(super) fn new(lanes: usize) -> Flags {
        Flags { asked: AtomicBool::new(false), lanes: (0..lanes).map(|_| AtomicBool::new(false)).collect() }
    }

    /// Stops everything, for good.
    pub(super) fn stop_all(&self) {
        self.asked.store(true, SeqCst);
        for lane in &self.lanes {
            lane.store(true, SeqCst);
        }
    }

    /// Stops what runs in one lane.
    pub(super) fn stop_lane(&self, lane: usize) {
        self.lanes[lane].store(true, SeqCst);
    }

    /// Whether everything is to stop.
    pub(super) fn asked(&self) -> bool {
        self.asked.load(SeqCst)
    }

    /// The flag for a new task in a lane, down unless everything is to stop.
    pub(super) fn lower(&self, lane: usize) -> &AtomicBool {
        let flag = &self.lanes[lane];
        flag.store(false, SeqCst);
        // In this order a wish that comes in between is seen here or has raised the flag again.
        if self.asked() {
            flag.store(true, SeqCst);
        }
        flag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_to_stop_outlives_the_tasks() {
        let flags = Flags::new(2);
        flags.stop_lane(0);
        assert!(!flags.lower(0).load(SeqCst) && !flags.asked());
        flags.stop_all();
        assert!(flags.lower(1).load(SeqCst) && flags.asked());
    }
}
