//! Stop flags: one for each worker slot, and one for the whole search.
//!
//! A slot is stopped alone when the other slot has answered its question; its flag is reset for the next slice. The
//! flag of the whole search is never reset. It must be a separate flag, because an engine may set the flag of its
//! slot for reasons of its own, through [`crate::search::Control::stop`].

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// The stop flags of one `go`.
#[derive(Debug)]
pub(crate) struct StopFlags {
    /// Whether everything must stop, for good.
    all: AtomicBool,
    /// The flag of each slot; an engine stops when its flag is set.
    slots: Vec<AtomicBool>,
}

impl StopFlags {
    /// Makes the flags for this number of worker slots.
    pub(crate) fn new(slots: usize) -> StopFlags {
        StopFlags { all: AtomicBool::new(false), slots: (0..slots).map(|_| AtomicBool::new(false)).collect() }
    }

    /// Stops everything, for good.
    pub(crate) fn stop_all(&self) {
        self.all.store(true, SeqCst);
        for slot in &self.slots {
            slot.store(true, SeqCst);
        }
    }

    /// Stops the slice that runs in one slot.
    pub(crate) fn stop_slot(&self, slot: usize) {
        self.slots[slot].store(true, SeqCst);
    }

    /// Returns whether everything must stop.
    pub(crate) fn all_stopped(&self) -> bool {
        self.all.load(SeqCst)
    }

    /// Resets and returns the flag of a slot for a new slice. The flag stays set if everything must stop.
    pub(crate) fn reset(&self, slot: usize) -> &AtomicBool {
        let flag = &self.slots[slot];
        flag.store(false, SeqCst);
        // `stop_all` sets `all` first. If it runs meanwhile, it is seen here, or it sets this flag after the reset.
        if self.all_stopped() {
            flag.store(true, SeqCst);
        }
        flag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_all_survives_the_reset_of_a_slot() {
        let flags = StopFlags::new(2);
        flags.stop_slot(0);
        assert!(!flags.reset(0).load(SeqCst) && !flags.all_stopped());
        flags.stop_all();
        assert!(flags.reset(1).load(SeqCst) && flags.all_stopped());
    }
}
