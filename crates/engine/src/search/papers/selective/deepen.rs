//! Iterative deepening by length and width: the sequence of searches from the root.
//!
//! Up to three **series** of searches take turns; series of the same length are one. Each looks for mates within a
//! length of its own, first by narrow lists, then by wider ones:
//!
//! 1. the shortest length that is not refuted,
//! 2. one move more,
//! 3. long mates, which a narrow search may find before the short lengths are searched.
//!
//! The series that has had the fewest nodes is next. Its lists are widened whenever they fail. Finally they hold every
//! move, and then a failure refutes the length. Before that search at full width, a series waits until the others have
//! had eight times its nodes. Mates in one and two are searched at full width at once; while they are open, there are
//! no other series.
//!
//! No length is longer than the task's. After a mate, only shorter ones are looked for, if the task wants the shortest.
//! The first mate is looked for with a scout window, because any mate will do. Later searches open the window, because
//! then the length matters.
//!
//! [`DeepeningState`] is kept from one call to the next.

use crate::chess::{MateLength, NodeKind};

use super::nodes::SelectiveSearch;
use super::rebuild::SelectiveProofSource;
use super::width::Width;
use crate::search::claims::RootClaims;
use crate::search::rebuild::rebuild;
use crate::search::{Answer, Interrupted, Observer, StopReason, Task};

/// The length that is searched at full width at once, in moves.
const SHORT: MateLength = MateLength(2);

/// The length of long mates, in moves. Doubled, the third series looks further and slower; halved, longer mates wait
/// for the other series.
const LONG: MateLength = MateLength(24);

/// The longest mate to look for, in moves. The search recurses, and threads that search have
/// `crate::base::threads::STACK_SIZE`. A full-width search comes this far only if almost no man can move.
const LONGEST_MATE: MateLength = MateLength(150);

/// The width of the first search of a series. Doubled, the first lists are longer; halved, they find less.
const FIRST_WIDTH: Width = Width::quarters(8);

/// The step by which lists are widened, in quarters of a bit: the proofs looked for grow by a factor of four. Doubled,
/// each search is far larger than the last; halved, more of them find nothing new.
const STEP: u16 = 8;

/// The width of the last search of a series before the one at full width. Doubled, the full width comes later; halved,
/// sooner.
const LAST_WIDTH: Width = Width::quarters(80);

/// A series waits for its search at full width until the others have had this many times its nodes. Doubled,
/// refutations come later; halved, narrow searches get less.
const FULL_WIDTH_FACTOR: u64 = 8;

/// A series of searches for mates within one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Series {
    /// The longest mate looked for, in moves.
    within: MateLength,
    /// The width of the next search.
    width: Width,
    /// The nodes searched.
    nodes: u64,
}

impl Series {
    /// Returns the width after a search that failed.
    fn wider(self) -> Width {
        let wider = self.width.wider(STEP);
        if wider > LAST_WIDTH { Width::FULL } else { wider }
    }

    /// Returns the nodes that the other series may have before this one is next.
    fn claim(self) -> u64 {
        if self.width.is_full() { self.nodes.saturating_mul(FULL_WIDTH_FACTOR) } else { self.nodes }
    }
}

/// The state of the iterations on a task.
#[derive(Debug, Clone, Default)]
pub(super) struct DeepeningState {
    claims: RootClaims,
    /// The series, the shortest length first.
    series: Vec<Series>,
}

impl DeepeningState {
    /// Searches the task, starting where the last call stopped.
    pub fn run(&mut self, search: &mut SelectiveSearch<'_, '_>, task: &Task, observer: &mut dyn Observer) -> Answer {
        let mut deepening = Deepening { search, task, observer, state: self };
        let stopped = deepening.iterate().err();
        self.claims.answer(stopped)
    }

    /// Returns the place of the series to search next. `limit` is the longest length of interest.
    fn next_series(&mut self, limit: MateLength) -> usize {
        let open = self.claims.bounds.shortest_open();
        let lengths = if open <= SHORT { [open; 3] } else { [open, open.longer(), LONG.max(open)] };
        for within in lengths.map(|within| within.min(limit)) {
            if self.series.iter().all(|series| series.within != within) {
                let width = if within <= SHORT { Width::FULL } else { FIRST_WIDTH };
                self.series.push(Series { within, width, nodes: 0 });
            }
        }
        self.series.retain(|series| lengths.iter().any(|&within| within.min(limit) == series.within));
        self.series.sort_by_key(|series| series.within);
        (0..self.series.len()).min_by_key(|&i| self.series[i].claim()).unwrap_or(0)
    }
}

/// The iterations of one call.
struct Deepening<'d, 's, 'c> {
    search: &'d mut SelectiveSearch<'s, 'c>,
    task: &'d Task,
    observer: &'d mut dyn Observer,
    state: &'d mut DeepeningState,
}

impl Deepening<'_, '_, '_> {
    fn iterate(&mut self) -> Result<(), Interrupted> {
        if self.task.root_kind() == NodeKind::Or {
            self.state.claims.bounds.refute(MateLength(0));
        }
        while let Some(limit) = self.state.claims.limit(self.task) {
            if self.state.claims.bounds.shortest_open() > LONGEST_MATE {
                return Err(StopReason::Memory);
            }
            let at = self.state.next_series(limit);
            let Series { within, width, .. } = self.state.series[at];
            let before = self.search.meter.count();
            let found = self.search_root(within, width);
            self.state.series[at].nodes += self.search.meter.count() - before;
            if !found? {
                if width.is_full() && !self.state.claims.bounds.refutes(within) {
                    // The proof could not be rebuilt: two positions share a key. The same search would end like this.
                    return Err(StopReason::Memory);
                }
                self.state.series[at].width = self.state.series[at].wider();
            }
            // A search that makes no node does not check the limits.
            self.search.meter.control().check()?;
        }
        Ok(())
    }

    /// Searches from the root and records the result. Returns whether a mate was found.
    fn search_root(&mut self, within: MateLength, width: Width) -> Result<bool, Interrupted> {
        let kind = self.task.root_kind();
        let window = self.state.claims.window(within);
        let value = self.search.search_root(kind, &self.task.position, window, width)?;
        let mut source = SelectiveProofSource { search: self.search, width };
        let rebuilt = value.length().map(|length| rebuild(&mut source, kind, &self.task.position, length, None));
        let (proof, nodes) = (rebuilt.transpose()?.flatten(), self.search.meter.count());
        Ok(self.state.claims.record(value, window.within, proof, nodes, self.observer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the choice of series, in which every search fails and takes `cost` nodes. Returns lengths and widths.
    fn schedule(state: &mut DeepeningState, limit: u16, cost: u64, searches: usize) -> Vec<(u16, Width)> {
        let mut order = Vec::new();
        for _ in 0..searches {
            let at = state.next_series(MateLength(limit));
            let series = &mut state.series[at];
            order.push((series.within.0, series.width));
            series.nodes += cost;
            series.width = series.wider();
        }
        order
    }

    #[test]
    fn the_series_take_turns_and_widen_their_lists() {
        let mut state = DeepeningState::default();
        state.claims.bounds.refute(SHORT);
        let second = FIRST_WIDTH.wider(STEP);
        assert_eq!(
            schedule(&mut state, 1000, 100, 6),
            [(3, FIRST_WIDTH), (4, FIRST_WIDTH), (24, FIRST_WIDTH), (3, second), (4, second), (24, second)]
        );
    }

    #[test]
    fn the_last_width_is_full_and_waits_for_the_others() {
        let mut state = DeepeningState::default();
        state.claims.bounds.refute(SHORT);
        let searched = schedule(&mut state, 3, 1, 30);
        assert_eq!(searched.iter().filter(|(_, width)| !width.is_full()).max().unwrap().1, LAST_WIDTH);
        assert!(searched.last().is_some_and(|(_, width)| width.is_full()));
        let full = Series { within: MateLength(3), width: Width::FULL, nodes: 100 };
        assert_eq!(full.claim(), 100 * FULL_WIDTH_FACTOR);
    }

    #[test]
    fn short_lengths_are_searched_at_full_width_at_once() {
        let mut state = DeepeningState::default();
        assert_eq!(schedule(&mut state, 1000, 1, 1), [(0, Width::FULL)]);
        state.claims.bounds.refute(MateLength(1));
        assert_eq!(schedule(&mut state, 1000, 1, 1), [(2, Width::FULL)]);
        state.claims.bounds.refute(SHORT);
        state.claims.bounds.prove(MateLength(6));
        let lengths: Vec<u16> = schedule(&mut state, 5, 1, 3).iter().map(|&(within, _)| within).collect();
        assert_eq!(lengths, [3, 4, 5], "only shorter mates are of interest");
    }
}
