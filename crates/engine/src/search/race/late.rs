//! The lanes of engines that run on one thread, and when they begin.
//!
//! Beside `dfpn`, the lane `pvs` is **late**. At a few hundred thousand nodes it would cost more mates than it finds
//! (`benches/tuning/lanes.md`). It begins when the race has searched long without a mate, or at once on the third
//! thread, where the prover gains least. Its memory is what the prover's table will never need; if that is too little,
//! it waits until the table has its final size.
//!
//! `corridor` needs few nodes where it finds anything, and finds what the prover does not. It begins after a short
//! while, and gets as many nodes as the prover once short mates are refuted, or none if it sees no corridor; half as
//! many when the race has long found nothing. When a long mate is known it goes on: the mates that it finds are mostly
//! shorter.
//!
//! `ladder` begins soon after it. It needs few nodes to see whether it can help: if the defender has no free pawns it
//! ends, and if the position without them is not won it waits until the others have searched for long. It uses the
//! prover of its worker, and ends with the first mate.

use crate::chess::MateLength;

use super::lanes::LaneName;
use super::schedule::{EIGHTH_WEIGHT, FULL_WEIGHT, HALF_WEIGHT, UNPROMISING, Weight};
use super::state::{LONG_WITHOUT_A_MATE, Lane, RaceState};

/// The first worker that runs late lanes from the start.
const FIRST_WORKER_WITH_LATE_LANES: usize = 2;

/// The nodes of all workers without a mate after which `corridor` begins.
pub(super) const BEFORE_CORRIDORS: u64 = 80_000;

/// While no more than this is refuted, the shortest mate may be a short one. Those the prover mostly finds alone, so
/// `corridor` gets few nodes.
const MAY_BE_SHORT: MateLength = MateLength(4);

/// With at most this many men `corridor` does not run.
const MOST_MEN_OF_A_FREE_KING: usize = 8;

/// A mate of more moves than this may well be made shorter by `corridor`.
const LONG_MATE: MateLength = MateLength(20);

/// The lane of `corridor`.
const CORRIDOR: Lane = Lane::Engine(LaneName::Corridor);

impl RaceState {
    /// Returns the lanes of the engines that run beside the prover.
    pub(super) fn engine_lanes(&self, worker: usize) -> impl Iterator<Item = (Lane, Weight)> {
        self.engines_of(worker)
            .filter(move |&name| match name {
                _ if !self.set.is_late(name) => true,
                LaneName::Corridor => self.is_time_for_corridors() && !self.is_near(),
                LaneName::Ladder => self.nodes() >= self.before_the_ladder && !self.is_near(),
                _ => self.is_time_for_late_lanes(worker),
            })
            .filter_map(move |name| match name {
                LaneName::Pn => None,
                // Near its end it needs most nodes.
                LaneName::Ladder => Some((Lane::Ladder, self.main_weight())),
                LaneName::Corridor => Some((CORRIDOR, self.corridor_weight())),
                _ => Some((Lane::Engine(name), EIGHTH_WEIGHT)),
            })
    }

    /// Returns the weight of `corridor` before there is a mate: few nodes as long as the mate may be short. Most lists
    /// that lead to a mate are done when the race becomes unpromising.
    fn corridor_weight(&self) -> Weight {
        match self.nodes() {
            UNPROMISING.. => HALF_WEIGHT,
            LONG_WITHOUT_A_MATE.. => FULL_WEIGHT,
            _ if self.refuted > Some(MAY_BE_SHORT) => FULL_WEIGHT,
            _ => EIGHTH_WEIGHT,
        }
    }

    /// Returns whether `corridor` may run. With few men the defender's king is free, and lists find nothing.
    fn is_time_for_corridors(&self) -> bool {
        self.nodes() >= BEFORE_CORRIDORS && self.men > MOST_MEN_OF_A_FREE_KING
    }

    /// Returns whether `corridor` may have told the others mates that only its lists find.
    pub(super) fn lists_tell_mates(&self) -> bool {
        self.set.has(LaneName::Corridor) && self.nodes() >= BEFORE_CORRIDORS
    }

    /// Returns the lane `corridor` when a long mate is known, which it may make shorter.
    pub(super) fn corridor_after_a_mate(&self, worker: usize) -> Option<(Lane, Weight)> {
        let is_long = self.proof.is_some() && self.upper() >= LONG_MATE && self.is_time_for_corridors();
        let runs = is_long && self.engines_of(worker).any(|name| name == LaneName::Corridor);
        runs.then_some((CORRIDOR, HALF_WEIGHT))
    }

    /// Returns whether the late lanes run: from the start on the third thread and later ones, on the others when the
    /// prover has searched so long that it will probably find nothing.
    fn is_time_for_late_lanes(&self, worker: usize) -> bool {
        self.spare_memory > self.least_memory && (worker >= FIRST_WORKER_WITH_LATE_LANES || self.nodes() >= UNPROMISING)
    }

    /// Returns the lanes that only this worker runs.
    pub(super) fn engines_of(&self, worker: usize) -> impl Iterator<Item = LaneName> {
        let (workers, set) = (self.workers, self.set);
        let home = move |(i, name): (usize, LaneName)| match name {
            _ if !set.is_late(name) => i % workers,
            LaneName::Corridor | LaneName::Ladder => 1.min(workers - 1),
            _ => FIRST_WORKER_WITH_LATE_LANES.min(workers - 1),
        };
        set.single_threaded().enumerate().filter(move |&lane| home(lane) == worker).map(|(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::LaneSet;
    use super::super::schedule::DOUBLE_WEIGHT;
    use super::super::state::{ANY_MATE, BEFORE_THE_LADDER, SliceResult, refutation_of};
    use super::*;

    const PVS: Lane = Lane::Engine(LaneName::Pvs);

    #[test]
    fn corridor_begins_early_and_goes_on_after_a_long_mate() {
        let set = LaneSet::of(&[LaneName::Dfpn, LaneName::Corridor]);
        let begun = |refuted: MateLength, bound: u16, workers: usize, nodes: u64, mate: Option<u16>| {
            let mut race = RaceState { workers, ..RaceState::for_test(bound, set) };
            race.record(0, Lane::Prove(refutation_of(refuted)), 10, SliceResult::Refuted(refuted));
            race.record(0, Lane::Prove(ANY_MATE), nodes, SliceResult::Unfinished);
            if let Some(length) = mate {
                race.record(
                    0,
                    Lane::Prove(ANY_MATE),
                    1,
                    SliceResult::Mate(crate::search::testing::tree_of_length(length)),
                );
            }
            let weight = |worker| race.lanes(worker).into_iter().find(|(lane, _)| *lane == CORRIDOR).map(|(_, w)| w);
            (0..workers).map(weight).collect::<Vec<_>>()
        };
        let long = MAY_BE_SHORT.longer();
        assert_eq!(begun(long, 1000, 1, BEFORE_CORRIDORS - 100, None), [None]);
        assert_eq!(begun(long, 1000, 1, BEFORE_CORRIDORS, None), [Some(FULL_WEIGHT)]);
        assert_eq!(begun(MAY_BE_SHORT, 1000, 1, BEFORE_CORRIDORS, None), [Some(EIGHTH_WEIGHT)]);
        assert_eq!(begun(MAY_BE_SHORT, 1000, 1, LONG_WITHOUT_A_MATE, None), [Some(FULL_WEIGHT)]);
        assert_eq!(begun(long, 1000, 1, UNPROMISING, None), [Some(HALF_WEIGHT)]);
        assert_eq!(begun(long, 1000, 2, BEFORE_CORRIDORS, None), [None, Some(FULL_WEIGHT)]);
        assert_eq!(begun(long, 12, 1, BEFORE_CORRIDORS, None), [None], "a short length is told");
        assert_eq!(begun(long, 1000, 1, BEFORE_CORRIDORS, Some(LONG_MATE.0 + 1)), [Some(HALF_WEIGHT)]);
        assert_eq!(begun(long, 1000, 1, BEFORE_CORRIDORS, Some(LONG_MATE.0)), [None]);
    }

    #[test]
    fn the_ladder_begins_early_and_waits_if_the_first_core_is_not_won() {
        let set = LaneSet::of(&[LaneName::Dfpn, LaneName::Ladder]);
        let begun = |bound: u16, waits: bool, nodes: u64| {
            let mut race = RaceState { workers: 2, ..RaceState::for_test(bound, set) };
            if waits {
                race.let_the_ladder_wait();
            }
            let two = Lane::Prove(refutation_of(MateLength(2)));
            race.record(0, two, 10, SliceResult::Refuted(MateLength(2)));
            race.record(0, Lane::Prove(ANY_MATE), nodes, SliceResult::Unfinished);
            [0, 1].map(|worker| race.lanes(worker).into_iter().find(|(lane, _)| *lane == Lane::Ladder).map(|(_, w)| w))
        };
        assert_eq!(begun(1000, false, BEFORE_THE_LADDER - 100), [None, None]);
        assert_eq!(begun(1000, false, BEFORE_THE_LADDER), [None, Some(FULL_WEIGHT)], "beside the first worker");
        assert_eq!(begun(12, false, BEFORE_THE_LADDER), [None, None], "a short length is told");
        assert_eq!(begun(1000, true, LONG_WITHOUT_A_MATE - 100), [None, None]);
        assert_eq!(begun(1000, true, LONG_WITHOUT_A_MATE), [None, Some(FULL_WEIGHT)]);
        assert_eq!(begun(1000, true, UNPROMISING), [None, Some(DOUBLE_WEIGHT)]);
    }

    #[test]
    fn pvs_begins_late_beside_the_prover_and_only_where_memory_is_left() {
        let begun = |workers: usize, nodes: u64, spare_memory: usize| {
            let set = [LaneName::Dfpn, LaneName::Pn, LaneName::Pvs];
            let state = RaceState::for_test(MateLength::MAX.0, LaneSet::of(&set));
            let mut race = RaceState { workers, spare_memory, ..state };
            let two = Lane::Prove(refutation_of(MateLength(2)));
            race.record(0, two, 10, SliceResult::Refuted(MateLength(2)));
            race.record(0, Lane::Prove(ANY_MATE), nodes, SliceResult::Unfinished);
            let runs = |worker| race.lanes(worker).into_iter().any(|(lane, _)| lane == PVS);
            (0..workers).map(runs).collect::<Vec<_>>()
        };
        assert_eq!(begun(1, UNPROMISING - 100, 1), [false]);
        assert_eq!(begun(1, UNPROMISING, 1), [true]);
        assert_eq!(begun(1, UNPROMISING, 0), [false]);
        assert_eq!(begun(2, 1_000, 1), [false, false]);
        assert_eq!(begun(2, UNPROMISING, 1), [false, true]);
        assert_eq!(begun(3, 1_000, 1), [false, false, true]);
        assert_eq!(begun(4, 1_000, 1), [false, false, true, false]);
    }
}
