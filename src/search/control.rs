//! Limits, stopping, and the one place where nodes are counted.
//!
//! A **node** is a position made by playing one move, wherever that happens: a child, a reply tried in a mate test, a
//! move replayed while a proof is rebuilt. Engines call [`Meter::node`] before they make it. Questions answered from a
//! position's own bitboards (is there a check, how many replies) make no position and cost no node. Neither do the few
//! that the kernel makes to answer such a question: the pass in `Position::threatens_mate`, and the rare moves that are
//! not judged from the board before them (castling, captures en passant, double steps of a pawn, and for a key also king
//! moves that lose castling rights).
//!
//! [`Control`] belongs to one solve and is shared by its threads; every thread counts on its own [`Meter`] and settles
//! with the control every thousand nodes, where clock and stop flag are looked at. With one thread and a node limit
//! the count is exact and a search stops at the same node every time.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Why a search ended before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The node limit is reached.
    Nodes,
    /// The time is up.
    Time,
    /// The memory given is full and no useful work is left without more.
    Memory,
    /// Somebody asked for it: Ctrl-C, UCI `stop`, or a race won by another engine.
    Stopped,
    /// A scheduler's slice is used up; the engine may be resumed.
    Slice,
}

/// Propagated with `?` from wherever the limit was noticed.
pub type Interrupted = StopReason;

/// How much a solve may use.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// Nodes, over all threads.
    pub nodes: Option<u64>,
    /// The moment to stop.
    pub deadline: Option<Instant>,
}

/// Nodes between two looks at the clock.
const INTERVAL: u64 = 1024;

/// Calls of [`Meter::look`] between two looks at the clock.
const LOOKS: u32 = 4 * INTERVAL as u32;

/// The shared state of one solve: limits, the stop flag, and the nodes settled so far.
#[derive(Debug)]
pub struct Control<'a> {
    limits: Limits,
    stop: &'a AtomicBool,
    nodes: AtomicU64,
}

impl<'a> Control<'a> {
    /// A solve with these limits, stopped early when `stop` becomes true.
    pub fn new(limits: Limits, stop: &'a AtomicBool) -> Control<'a> {
        Control { limits, stop, nodes: AtomicU64::new(0) }
    }

    /// The nodes made so far, as far as the threads have settled.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The node limit.
    pub fn node_limit(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// Asks everybody to stop.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether a limit is reached, clock included.
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

/// One thread's node counter.
#[derive(Debug)]
pub struct Meter<'a> {
    control: &'a Control<'a>,
    count: u64,
    settled: u64,
    /// The count at which to settle next.
    next: u64,
    slice_end: u64,
    looks: u32,
}

impl<'a> Meter<'a> {
    /// A counter for one thread.
    pub fn new(control: &'a Control<'a>) -> Meter<'a> {
        Meter { control, count: 0, settled: 0, next: 0, slice_end: u64::MAX, looks: 0 }
    }

    /// Counts a node about to be made, or says that there is none left to make.
    #[inline]
    pub fn node(&mut self) -> Result<(), Interrupted> {
        if self.count >= self.next {
            self.settle()?;
        }
        self.count += 1;
        Ok(())
    }

    /// Looks at the limits now and then where no node is made, so that no walk through a table goes on for ever. A slice
    /// does not end here: it is a number of nodes, and what needs no more of them is still part of it.
    #[inline]
    pub fn look(&mut self) -> Result<(), Interrupted> {
        self.looks = self.looks.wrapping_add(1);
        if self.looks.is_multiple_of(LOOKS) { self.check() } else { Ok(()) }
    }

    #[cold]
    fn check(&mut self) -> Result<(), Interrupted> {
        self.flush();
        self.control.check()
    }

    #[cold]
    fn settle(&mut self) -> Result<(), Interrupted> {
        self.check()?;
        if self.count >= self.slice_end {
            return Err(StopReason::Slice);
        }
        let left = self.control.node_limit().map_or(u64::MAX, |limit| limit - self.control.nodes().min(limit));
        self.next = self.count + INTERVAL.min(left).min(self.slice_end - self.count);
        Ok(())
    }

    fn flush(&mut self) {
        self.control.nodes.fetch_add(self.count - self.settled, Relaxed);
        self.settled = self.count;
    }

    /// This thread's nodes so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// From now on stop with [`StopReason::Slice`] after so many more nodes; `None` lifts it.
    pub fn set_slice(&mut self, nodes: Option<u64>) {
        self.slice_end = nodes.map_or(u64::MAX, |n| self.count.saturating_add(n));
        self.next = self.count;
    }

    /// The control this meter settles with.
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
    fn a_walk_without_nodes_is_stopped_too() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let mut meter = Meter::new(&control);
        assert!((0..3 * LOOKS).all(|_| meter.look().is_ok()));
        control.stop();
        let looks = (0..2 * LOOKS).take_while(|_| meter.look().is_ok()).count();
        assert!(looks < LOOKS as usize, "{looks}");
        assert_eq!(meter.count(), 0);
    }

    #[test]
    fn looking_changes_no_count() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(2500), deadline: None }, &stop);
        let mut meter = Meter::new(&control);
        for slice in [10, 1500] {
            meter.set_slice(Some(slice));
            while meter.node().is_ok() {
                assert!((0..LOOKS + 7).all(|_| meter.look().is_ok()));
            }
        }
        assert_eq!(meter.count(), 1510, "the slices are used up and no more");
        assert!((0..LOOKS).all(|_| meter.look().is_ok()), "a slice ends where a node is wanted");
        meter.set_slice(None);
        while meter.node().is_ok() {}
        let stopped = (0..LOOKS).find_map(|_| meter.look().err());
        assert_eq!((meter.count(), stopped), (2500, Some(StopReason::Nodes)));
    }
}
