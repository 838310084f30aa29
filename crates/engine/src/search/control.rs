//! Limits, the stop flag and the node counter of a search.
//!
//! A **node** is a position made by playing one move, such as a child in the search, a reply played in a mate test, or
//! a move replayed while a proof is rebuilt. Engines call [`Meter::node`] before they make the position. A question
//! answered from a position's bitboards (whether a move gives check, how many replies there are) makes no position and
//! costs no node. A few positions that are made for such a question are not counted either, such as the pass in
//! `Position::threatens_mate` (only `bstar` counts it) and moves that cannot be judged without playing them (castling,
//! for example).
//!
//! [`Control`] belongs to one solve and is shared by its threads. Every thread counts on its own [`Meter`], which adds
//! its nodes to the control after at most 1024 nodes and then checks the limits and the stop flag. With one thread and
//! only a node limit the count is exact, and a search stops at the same node every time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::base::clock::Instant;

/// The reason why a search ended without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The node limit is reached.
    Nodes,
    /// The deadline has passed.
    Time,
    /// The search cannot go on with the memory it was given.
    Memory,
    /// The stop flag is set, as by Ctrl-C or by UCI `stop`.
    Stopped,
    /// The nodes granted by [`Meter::set_slice`] are used up. The search can be resumed.
    Slice,
}

/// The error type of search functions, passed up with `?` from where the limit was noticed.
pub type Interrupted = StopReason;

/// The limits of nodes and time of one solve. `None` means unlimited.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// The largest number of nodes, over all threads.
    pub nodes: Option<u64>,
    /// The moment at which to stop.
    pub deadline: Option<Instant>,
}

/// The nodes that a thread makes between two checks of the limits. Doubled, limits are noticed later; halved, the clock
/// and the shared count are asked more often.
const NODES_PER_CHECK: u64 = 1024;

/// The calls of [`Meter::look`] between two checks of the limits.
const LOOKS_PER_CHECK: usize = 4 * NODES_PER_CHECK as usize;

/// The state shared by all threads of one solve: limits, stop flag and node count.
#[derive(Debug)]
pub struct Control<'a> {
    limits: Limits,
    stop: &'a AtomicBool,
    nodes: AtomicU64,
    /// Another counter of the same nodes, which several searches may share.
    watched: Option<Arc<AtomicU64>>,
}

impl<'a> Control<'a> {
    /// Creates the control of a solve with these limits. The solve also stops when `stop` becomes true.
    pub fn new(limits: Limits, stop: &'a AtomicBool) -> Control<'a> {
        Control { limits, stop, nodes: AtomicU64::new(0), watched: None }
    }

    /// Adds the nodes to this counter too. It has no influence on the search.
    #[must_use]
    pub fn watched(self, counter: Option<Arc<AtomicU64>>) -> Control<'a> {
        Control { watched: counter, ..self }
    }

    /// Returns the nodes made so far. The last nodes of a running thread (at most 1024) are not included yet.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Returns the node limit.
    pub(crate) fn node_limit(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// Sets the stop flag, so that all threads stop at their next check.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Returns an error if the stop flag is set or a limit is reached. Reads the clock if there is a deadline.
    pub fn check(&self) -> Result<(), Interrupted> {
        if self.stop.load(Relaxed) {
            return Err(StopReason::Stopped);
        }
        if self.limits.nodes.is_some_and(|limit| self.nodes() >= limit) {
            return Err(StopReason::Nodes);
        }
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(StopReason::Time);
        }
        Ok(())
    }
}

/// The node counter of one thread.
#[derive(Debug)]
pub struct Meter<'a> {
    control: &'a Control<'a>,
    count: u64,
    /// The part of `count` that has been added to the control.
    settled: u64,
    /// The count at which the limits are checked next.
    next_check: u64,
    /// The count at which the current slice ends.
    slice_end: Option<u64>,
    /// The calls of [`Meter::look`] so far, modulo 2³².
    looks: usize,
}

impl<'a> Meter<'a> {
    /// Creates a counter that starts at zero.
    pub fn new(control: &'a Control<'a>) -> Meter<'a> {
        Meter { control, count: 0, settled: 0, next_check: 0, slice_end: None, looks: 0 }
    }

    /// Counts a node that is about to be made. Returns an error, and counts nothing, if a limit is reached.
    #[inline]
    pub fn node(&mut self) -> Result<(), Interrupted> {
        if self.count >= self.next_check {
            self.settle()?;
        }
        self.count += 1;
        Ok(())
    }

    /// Checks the limits at every 4096th call. A search calls this where it makes no node, so that a long walk through
    /// its table can be stopped too. The end of a slice is not noticed here, because a slice is a number of nodes.
    #[inline]
    pub fn look(&mut self) -> Result<(), Interrupted> {
        self.looks(1)
    }

    /// Does the work of `count` calls of [`Meter::look`], but checks the limits once at most.
    #[inline]
    pub fn looks(&mut self, count: usize) -> Result<(), Interrupted> {
        self.looks += count;
        if self.looks < LOOKS_PER_CHECK {
            return Ok(());
        }
        self.looks = 0;
        self.check()
    }

    /// Adds this thread's nodes to the control and checks the limits.
    #[cold]
    fn check(&mut self) -> Result<(), Interrupted> {
        self.flush();
        self.control.check()
    }

    /// Checks the limits and the slice, and sets the count at which to check again.
    #[cold]
    fn settle(&mut self) -> Result<(), Interrupted> {
        self.check()?;
        let mut granted = NODES_PER_CHECK;
        if let Some(end) = self.slice_end {
            if self.count >= end {
                return Err(StopReason::Slice);
            }
            granted = granted.min(end - self.count);
        }
        if let Some(limit) = self.control.node_limit() {
            granted = granted.min(limit.saturating_sub(self.control.nodes()));
        }
        self.next_check = self.count + granted;
        Ok(())
    }

    /// Adds the nodes not yet settled to the control's count.
    fn flush(&mut self) {
        let new = self.count - self.settled;
        self.control.nodes.fetch_add(new, Relaxed);
        if let Some(counter) = &self.control.watched {
            counter.fetch_add(new, Relaxed);
        }
        self.settled = self.count;
    }

    /// Returns the nodes that this thread has made.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Makes the search stop with [`StopReason::Slice`] after `nodes` more nodes. `None` removes the slice.
    pub fn set_slice(&mut self, nodes: Option<u64>) {
        self.slice_end = nodes.map(|n| self.count.saturating_add(n));
        self.next_check = self.count;
    }

    /// Returns the nodes that are left of the slice; `None` without a slice.
    pub(crate) fn slice_left(&self) -> Option<u64> {
        self.slice_end.map(|end| end.saturating_sub(self.count))
    }

    /// Returns the control that this meter adds its nodes to.
    pub fn control(&self) -> &'a Control<'a> {
        self.control
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_node_limit_is_exact_on_one_thread() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(2500), deadline: None }, &stop);
        let mut meter = Meter::new(&control);
        let mut made = 0;
        while meter.node().is_ok() {
            made += 1;
        }
        assert_eq!((made, meter.node()), (2500, Err(StopReason::Nodes)));
        drop(meter);
        assert_eq!(control.nodes(), 2500);
    }

    #[test]
    fn another_counter_grows_while_the_search_runs() {
        let stop = AtomicBool::new(false);
        let counter = Arc::new(AtomicU64::new(7));
        let control = Control::new(Limits::default(), &stop).watched(Some(counter.clone()));
        let mut meter = Meter::new(&control);
        assert!((0..5000).all(|_| meter.node().is_ok()));
        let seen = counter.load(Relaxed);
        assert!((5000 - NODES_PER_CHECK..=5007).contains(&seen), "{seen}");
        drop(meter);
        assert_eq!((counter.load(Relaxed), control.nodes()), (5007, 5000));
    }

    #[test]
    fn a_slice_ends_and_can_be_renewed() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let mut meter = Meter::new(&control);
        meter.set_slice(Some(10));
        while meter.node().is_ok() {}
        assert_eq!((meter.count(), meter.node()), (10, Err(StopReason::Slice)));
        meter.set_slice(Some(5));
        while meter.node().is_ok() {}
        assert_eq!(meter.count(), 15);
    }

    #[test]
    fn a_search_that_makes_no_nodes_is_stopped_too() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let mut meter = Meter::new(&control);
        assert!((0..3 * LOOKS_PER_CHECK).all(|_| meter.look().is_ok()));
        control.stop();
        let looks = (0..2 * LOOKS_PER_CHECK).take_while(|_| meter.look().is_ok()).count();
        assert!(looks < LOOKS_PER_CHECK, "{looks}");
        assert_eq!(meter.count(), 0);
    }

    #[test]
    fn look_does_not_change_the_node_count() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(2500), deadline: None }, &stop);
        let mut meter = Meter::new(&control);
        for slice in [10, 1500] {
            meter.set_slice(Some(slice));
            while meter.node().is_ok() {
                assert!((0..LOOKS_PER_CHECK + 7).all(|_| meter.look().is_ok()));
            }
        }
        assert_eq!(meter.count(), 1510, "exactly the nodes of the two slices");
        assert!((0..LOOKS_PER_CHECK).all(|_| meter.look().is_ok()), "only node() notices the end of a slice");
        meter.set_slice(None);
        while meter.node().is_ok() {}
        let stopped = (0..LOOKS_PER_CHECK).find_map(|_| meter.look().err());
        assert_eq!((meter.count(), stopped), (2500, Some(StopReason::Nodes)));
    }
}
