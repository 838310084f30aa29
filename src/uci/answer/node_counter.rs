//! Counts the nodes of one `go` over all its worker threads.
//!
//! An engine counts its nodes from zero in every slice of work. So each worker slot has the count of its running slice,
//! and one sum holds the nodes of all slices that have ended.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The nodes of one `go`.
#[derive(Debug)]
pub(crate) struct NodeCounter {
    /// The nodes of all slices that have ended.
    ended: AtomicU64,
    /// The nodes of the running slice, by worker slot.
    running: Vec<AtomicU64>,
}

impl NodeCounter {
    /// Makes a counter for this number of worker slots.
    pub(crate) fn new(slots: usize) -> NodeCounter {
        NodeCounter { ended: AtomicU64::new(0), running: (0..slots).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Returns the nodes counted so far.
    pub(crate) fn total(&self) -> u64 {
        self.ended.load(Relaxed) + self.running.iter().map(|slot| slot.load(Relaxed)).sum::<u64>()
    }

    /// Sets the nodes of the running slice of a slot.
    pub(crate) fn set_running(&self, slot: usize, nodes: u64) {
        self.running[slot].store(nodes, Relaxed);
    }

    /// Ends the running slice of a slot with its final count.
    pub(crate) fn end_slice(&self, slot: usize, nodes: u64) {
        self.running[slot].store(0, Relaxed);
        self.ended.fetch_add(nodes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_all_threads_are_counted_once() {
        let nodes = NodeCounter::new(2);
        nodes.set_running(0, 5);
        nodes.set_running(1, 7);
        nodes.end_slice(1, 9);
        assert_eq!(nodes.total(), 14);
    }
}
