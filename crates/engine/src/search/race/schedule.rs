//! The choice of the lane that a worker runs next.
//!
//! Each worker has a list of lanes with weights. The lane that has had the fewest nodes for its weight runs next, for a
//! quarter of the nodes it has had so far.
//!
//! `dfpn` shares its table between all workers, so every worker has lanes of it. The graph of `pn` is on one worker and
//! takes its search for a mate of any length; if only `pn` takes part, its graph makes all attempts. The other engines
//! choose their attempts themselves. They run until there is a mate; on a worker that has nothing else to do they go
//! on, to shorten it.

use crate::chess::MateLength;
use crate::search::dfpn::{self, Attempt};
use crate::search::horizon::Horizon;
use crate::search::pn::PnOptions;

use super::lanes::LaneName;
use super::state::{ANY_MATE, ANY_ON_GRAPH, FIRST_SLICE, Lane, RaceState, TECHNIQUE, mate_within, refutation_of};

/// The share of a worker's nodes that a lane gets, in proportion to the worker's other lanes.
pub(super) type Weight = u64;

/// The weight of a worker's main lane.
pub(super) const FULL_WEIGHT: Weight = 8;
pub(super) const HALF_WEIGHT: Weight = 4;
pub(super) const DOUBLE_WEIGHT: Weight = 16;
const TWELVEFOLD_WEIGHT: Weight = 96;
pub(super) const QUARTER_WEIGHT: Weight = 2;
pub(super) const EIGHTH_WEIGHT: Weight = 1;

/// An ending has at most this many men.
const MAX_MEN_OF_AN_ENDING: usize = 16;

/// A race without a mate after this many nodes of all workers is unpromising: `technique` and `pvs` begin, the main
/// search and `ladder` get twice as many nodes as before, and `corridor` half as many (`benches/tuning/lanes.md`,
/// `ladder.md`).
pub(super) const UNPROMISING: u64 = 4_000_000;
/// The other lanes will almost certainly not find a mate that they have not found after this many nodes.
const ALMOST_HOPELESS: u64 = 20_000_000;

/// A first mate after this many nodes of all workers is long, or hard to find. From then on the graph prefers no short
/// one (`benches/tuning/lanes.md`).
const BEFORE_LONG_MATES: u64 = 150_000;

/// A mate is probably the shortest if the race has searched this many nodes, and this many times as many as when the
/// mate was proved. With 5,000,000 nodes, one of 90 mates that had stood for that many times the nodes was shortened
/// later (`benches/tuning/lanes.md`).
const MIN_NODES_FOR_SHORTEST: u64 = 200_000;
const SHORTEST_FACTOR: u64 = 8;

/// Refuting all open lengths gets the full weight if it is expected to take at most this many times the nodes that the
/// race has searched so far.
const AFFORDABLE_FACTOR: u64 = 16;
/// A refutation is expected to take at least this many times the nodes of the refutation of one move less.
const MIN_GROWTH: u64 = 2;

impl RaceState {
    /// Returns the lane that the worker runs next, and for how many nodes: the lane with the fewest nodes for its
    /// weight. Returns `None` if all its lanes are closed.
    pub fn next_slice(&self, worker: usize) -> Option<(Lane, u64)> {
        let lanes = self.lanes(worker);
        let (lane, _) = lanes.iter().min_by_key(|(lane, weight)| self.spent(worker, *lane) * FULL_WEIGHT / weight)?;
        Some((*lane, (self.spent(worker, *lane) / 4).max(FIRST_SLICE)))
    }

    /// Returns the lanes of a worker with their weights, the most important first.
    pub(super) fn lanes(&self, worker: usize) -> Vec<(Lane, Weight)> {
        let mut lanes = self.prover_lanes(worker);
        if self.is_searching(worker) || lanes.is_empty() {
            lanes.extend(self.engine_lanes(worker));
            lanes.extend(self.technique_lane());
        } else {
            lanes.extend(self.corridor_after_a_mate(worker));
        }
        lanes.retain(|(lane, _)| !self.closed.contains(lane));
        lanes
    }

    /// Returns the lanes of `dfpn` and `pn`. Beside `dfpn`, the graph of `pn` looks for a mate of any length on its
    /// worker until its search has ended; without `dfpn` it makes all attempts.
    fn prover_lanes(&self, worker: usize) -> Vec<(Lane, Weight)> {
        let dfpn = self.set.has(LaneName::Dfpn);
        let graph = self.engines_of(worker).any(|name| name == LaneName::Pn);
        if !dfpn && !graph {
            return Vec::new();
        }
        let graph_finds = graph && !self.closed.contains(&ANY_ON_GRAPH);
        let lane = |attempt: Attempt| {
            if !dfpn || (attempt == ANY_MATE && graph_finds) { graph_lane(attempt) } else { Lane::Prove(attempt) }
        };
        let mut lanes: Vec<(Lane, Weight)> = Vec::new();
        for (attempt, weight) in self.attempts(worker, self.closed.contains(&lane(ANY_MATE))) {
            // The graph does not distinguish the two aims of an attempt.
            if lanes.iter().all(|(other, _)| *other != lane(attempt)) {
                lanes.push((lane(attempt), weight));
            }
        }
        lanes
    }

    /// Returns the attempts of a worker with their weights, the most important first. `any_closed` says that the
    /// search for a mate of any length has ended without an answer.
    ///
    /// The first worker refutes mates in one and two, then looks for a mate, then for shorter ones. It also refutes the
    /// open lengths one by one, the shortest first: with full weight once the two bounds are expected to meet. The
    /// search for a shorter mate then gets half as much, and less when only one length is open, because that length
    /// probably has no mate either, or when that search has long found nothing.
    ///
    /// With several threads every second worker refutes. Until there is a mate it also takes part in the search for any
    /// mate, and looks for a mate a little longer than the refuted lengths, which that search may miss. If any mate
    /// within a bound of at most [`dfpn::NEAR_BOUND`] answers the task, no shorter length is searched.
    fn attempts(&self, worker: usize, any_closed: bool) -> Vec<(Attempt, Weight)> {
        let (upper, below) = (self.upper(), self.below());
        let ahead = self.ahead(worker);
        let main = self.main_attempt(ahead, any_closed);
        match (worker % 2, self.proof.is_some()) {
            _ if worker == 0 && below <= FIRST_LENGTHS => vec![(refutation_of(below), FULL_WEIGHT)],
            // Beyond short lengths, a search that may be close to a mate goes on as if more lengths were open.
            (0, false) if below == upper && self.is_near() => {
                vec![(refutation_of(upper), FULL_WEIGHT), (mate_within(upper), FULL_WEIGHT)]
            }
            (0, true) if below == upper && self.is_probably_shortest() => vec![(refutation_of(upper), FULL_WEIGHT)],
            (0, true) if below == upper && !self.is_too_long() => {
                vec![(refutation_of(upper), FULL_WEIGHT), (mate_within(upper), EIGHTH_WEIGHT)]
            }
            (0, true) => {
                let (shorter, refutation) = self.weights_after_a_mate(below, upper);
                vec![(mate_within(upper), shorter), (refutation_of(below), refutation)]
            }
            (0, false) => vec![(main, self.main_weight()), (refutation_of(below), EIGHTH_WEIGHT)],
            (_, false) if below == upper => {
                vec![(mate_within(upper), FULL_WEIGHT), (refutation_of(upper), FULL_WEIGHT)]
            }
            (_, false) => {
                let any = (main == ANY_MATE).then_some((ANY_MATE, QUARTER_WEIGHT));
                [(refutation_of(below), FULL_WEIGHT), (mate_within(ahead), EIGHTH_WEIGHT)]
                    .into_iter()
                    .chain(any)
                    .collect()
            }
            (_, true) => vec![(refutation_of(below), FULL_WEIGHT)],
        }
    }

    /// Returns the attempt that looks for a mate: for one of any length at first, for a shorter one later.
    pub(super) fn main_attempt(&self, ahead: MateLength, any_closed: bool) -> Attempt {
        match (self.proof.is_some() || self.is_near(), any_closed) {
            (true, _) => mate_within(self.upper()),
            (false, true) => mate_within(ahead),
            (false, false) => ANY_MATE,
        }
    }

    /// Returns the weight of the search for a first mate, and of `ladder`.
    pub(super) fn main_weight(&self) -> Weight {
        if self.nodes() < UNPROMISING { FULL_WEIGHT } else { DOUBLE_WEIGHT }
    }

    /// Returns the depth weight of the graph's new leaves, in eighths.
    pub(super) fn depth_weight(&self) -> u32 {
        if self.nodes() < BEFORE_LONG_MATES { PnOptions::LANE.depth_weight } else { 0 }
    }

    /// Returns whether lengths within the task's bound are searched from the start.
    pub(super) fn is_near(&self) -> bool {
        self.bound <= dfpn::NEAR_BOUND
    }

    /// Returns the length to refute next.
    fn below(&self) -> MateLength {
        if self.is_near() && !self.shortest { self.upper() } else { self.shortest_open() }
    }

    /// Returns a length a little longer than the refuted ones. While there is no mate, it may be longer than the bound.
    pub(super) fn ahead(&self, worker: usize) -> MateLength {
        let ahead = MateLength(self.below().0.saturating_add(2 + (worker / 2) as u16)).min(MateLength::MAX);
        if self.is_near() || self.proof.is_some() { ahead.min(self.upper()) } else { ahead }
    }

    /// Returns whether the worker looks for a first mate: neither the shortest lengths nor a single length are open.
    fn is_searching(&self, worker: usize) -> bool {
        let below = self.below();
        self.proof.is_none() && below != self.upper() && (worker != 0 || below > FIRST_LENGTHS)
    }

    /// Returns the lane that wins by technique. It begins when the others have searched so long that they will probably
    /// find nothing, and in an ending it then gets half as many nodes as `pn`; later almost all. With many men it gets
    /// few nodes.
    fn technique_lane(&self) -> Option<(Lane, Weight)> {
        if !self.set.has(LaneName::Technique) || self.proof.is_some() || self.is_near() {
            return None;
        }
        let alone = !self.set.has(LaneName::Dfpn);
        let is_ending = self.men <= MAX_MEN_OF_AN_ENDING;
        let weight = match self.nodes() {
            ALMOST_HOPELESS.. if is_ending => TWELVEFOLD_WEIGHT,
            UNPROMISING.. if is_ending => FULL_WEIGHT,
            UNPROMISING.. => EIGHTH_WEIGHT,
            _ if alone => FULL_WEIGHT,
            _ => return None,
        };
        Some((TECHNIQUE, weight))
    }

    /// Returns the lane that refutes mates in at most `n` moves.
    fn refutation_lane(&self, n: MateLength) -> Lane {
        if self.set.has(LaneName::Dfpn) { Lane::Prove(refutation_of(n)) } else { Lane::Graph(Horizon::within(n)) }
    }

    /// Returns the weights of the search for a shorter mate and of the refutations of the first worker.
    fn weights_after_a_mate(&self, below: MateLength, upper: MateLength) -> (Weight, Weight) {
        match (self.refutation_is_affordable(below, upper), self.is_probably_shortest()) {
            (false, _) => (FULL_WEIGHT, EIGHTH_WEIGHT),
            (true, true) => (QUARTER_WEIGHT, FULL_WEIGHT),
            // The task asks for a shorter mate, so there probably is one.
            (true, false) if self.is_too_long() => (FULL_WEIGHT, FULL_WEIGHT),
            (true, false) => (HALF_WEIGHT, FULL_WEIGHT),
        }
    }

    /// Returns whether the search for a shorter mate has been without success for so long that it will probably
    /// find none. A task that asks for a shorter mate probably knows of one.
    fn is_probably_shortest(&self) -> bool {
        !self.is_too_long()
            && self.nodes() >= MIN_NODES_FOR_SHORTEST.max(self.proved_at.saturating_mul(SHORTEST_FACTOR))
    }

    /// Returns whether the lengths from `below` to `upper` are expected to be refuted soon. The expectation continues
    /// the growth of the last two refutations.
    fn refutation_is_affordable(&self, below: MateLength, upper: MateLength) -> bool {
        let taken = |n: u16| -> u64 {
            let lane = self.refutation_lane(MateLength(n));
            self.spent.iter().filter(|spent| spent.lane == lane).map(|spent| spent.nodes).sum()
        };
        let mut left = self.nodes().saturating_mul(AFFORDABLE_FACTOR).saturating_add(taken(below.0));
        let (last, one_less) = (taken(below.0.saturating_sub(1)).max(1), taken(below.0.saturating_sub(2)).max(1));
        let mut cost = last;
        (below.0..=upper.0).all(|_| {
            cost = (cost.saturating_mul(last) / one_less).max(cost.saturating_mul(MIN_GROWTH));
            let affordable = cost <= left;
            left = left.saturating_sub(cost);
            affordable
        })
    }

    /// Returns the nodes that the worker has spent on the lane.
    pub(super) fn spent(&self, worker: usize, lane: Lane) -> u64 {
        self.spent.iter().find(|spent| (spent.worker, spent.lane) == (worker, lane)).map_or(0, |spent| spent.nodes)
    }
}

/// The lengths that the first worker refutes before anything else.
const FIRST_LENGTHS: MateLength = MateLength(2);

/// Returns the lane of `pn` for an attempt.
pub(super) fn graph_lane(attempt: Attempt) -> Lane {
    Lane::Graph(attempt.moves().map_or(Horizon::NONE, Horizon::within))
}

#[cfg(test)]
mod tests {
    use super::super::lanes::LaneSet;
    use super::super::state::SliceResult;
    use super::*;
    use crate::search::{Answer, StopReason};

    fn race(bound: u16) -> RaceState {
        RaceState::for_test(bound, LaneSet::of(&[LaneName::Dfpn, LaneName::Selective]))
    }

    const ANY: Lane = Lane::Prove(ANY_MATE);

    fn within(n: u16) -> Lane {
        Lane::Prove(mate_within(MateLength(n)))
    }

    fn refute(n: u16) -> Lane {
        Lane::Prove(refutation_of(MateLength(n)))
    }

    fn length(race: &RaceState) -> Option<MateLength> {
        race.proof().map(|(length, _)| length)
    }

    #[test]
    fn short_lengths_come_first_then_any_mate_then_shorter_ones() {
        let mut race = race(MateLength::MAX.0);
        for n in 1..=2 {
            assert_eq!(race.next_slice(0).unwrap().0, refute(n));
            race.record(0, refute(n), 10, SliceResult::Refuted(MateLength(n)));
            assert_eq!(race.refuted(), Some(MateLength(n)));
        }
        assert_eq!(race.next_slice(0).unwrap(), (ANY, FIRST_SLICE));
        race.record(0, ANY, 5_000, SliceResult::Mate(crate::search::testing::tree_of_length(9)));
        assert_eq!(length(&race), Some(MateLength(9)));
        assert_eq!(race.next_slice(0).unwrap().0, within(8));
        assert_eq!(race.next_slice(1).unwrap().0, refute(3));
        let known = race.proof().unwrap().1.clone();
        race.record(0, within(8), 5_000, SliceResult::Mate(crate::search::testing::tree_of_length(10)));
        assert_eq!(race.proof(), Some((MateLength(9), &known)), "no shorter than before");
        race.record(1, within(3), 5_000, SliceResult::Refuted(MateLength(1)));
        assert_eq!(race.refuted(), Some(MateLength(2)), "no more than before");
        race.record(0, refute(3), 5_000, SliceResult::Refuted(MateLength(7)));
        assert_eq!(race.next_slice(0).unwrap().0, refute(8), "the last open length probably has no mate");
        race.record(0, refute(8), 5_000, SliceResult::Refuted(MateLength(8)));
        assert!(race.is_over());
        let answer = race.answer();
        assert_eq!((answer.refuted, answer.stopped), (Some(MateLength(8)), None));
    }

    #[test]
    fn an_affordable_refutation_gets_more_than_the_search_for_a_shorter_mate() {
        let weight = |known: u16, costs: [u64; 4]| {
            let mut race = race(MateLength::MAX.0);
            for (n, cost) in (1..).zip(costs) {
                race.record(0, refute(n), cost, SliceResult::Refuted(MateLength(n)));
            }
            race.record(0, ANY, 100_000, SliceResult::Mate(crate::search::testing::tree_of_length(known)));
            let of = |lane| race.lanes(0).into_iter().find(|(other, _)| *other == lane).map(|(_, weight)| weight);
            [of(refute(5)), of(within(known - 1))]
        };
        let (affordable, too_much) = ([Some(FULL_WEIGHT), Some(HALF_WEIGHT)], [Some(EIGHTH_WEIGHT), Some(FULL_WEIGHT)]);
        // The fifth and the sixth move will take some 16,000 and 64,000 nodes; up to the tenth they would take 22
        // million.
        assert_eq!(weight(7, [10, 250, 1_000, 4_000]), affordable);
        assert_eq!(weight(11, [10, 250, 1_000, 4_000]), too_much);
        // Nine times as much from move to move.
        assert_eq!(weight(8, [10, 50, 450, 4_050]), too_much);
        assert_eq!(weight(11, [10, 10, 10, 10]), affordable);
    }

    #[test]
    fn shorter_lengths_are_not_searched_if_any_mate_will_do() {
        let any = RaceState { shortest: false, ..race(4) };
        assert_eq!((any.next_slice(0).unwrap().0, any.next_slice(1).unwrap().0), (refute(4), within(4)));
    }

    #[test]
    fn no_lane_starves() {
        for worker in 0..2 {
            let mut race = race(MateLength::MAX.0);
            race.record(0, within(2), 10, SliceResult::Refuted(MateLength(2)));
            let mut spent = std::collections::HashMap::new();
            for _ in 0..200 {
                let (lane, slice) = race.next_slice(worker).unwrap();
                *spent.entry(format!("{lane:?}")).or_insert(0) += slice;
                race.record(worker, lane, slice, SliceResult::Unfinished);
            }
            let total: u64 = spent.values().sum();
            assert_eq!(spent.len(), 3);
            assert!(spent.contains_key(&format!("{ANY:?}")), "{spent:?}");
            // The smallest weight is a sixteenth of the largest.
            assert!(spent.values().all(|&nodes| nodes * 24 > total), "{spent:?}");
        }
    }

    #[test]
    fn a_search_without_a_horizon_that_ends_without_an_answer_is_not_repeated() {
        let mut race = race(MateLength::MAX.0);
        race.record(0, within(2), 10, SliceResult::Refuted(MateLength(2)));
        race.record(0, ANY, 10, SliceResult::NoAnswer);
        assert!(!race.is_over());
        assert!((0..4).all(|worker| race.next_slice(worker).unwrap().0 != ANY));
    }

    #[test]
    fn a_proof_that_could_not_be_rebuilt_closes_and_starves_no_lane() {
        let mut race = race(MateLength::MAX.0);
        race.record(0, within(2), 10, SliceResult::Refuted(MateLength(2)));
        let mut turns = Vec::new();
        for _ in 0..200 {
            let (lane, slice) = race.next_slice(0).unwrap();
            turns.push(lane);
            match lane {
                Lane::Prove(attempt) if attempt.moves().is_some() => race.record(0, lane, 0, SliceResult::NoAnswer),
                _ => race.record(0, lane, slice, SliceResult::Unfinished),
            }
        }
        for lane in [ANY, refute(3), Lane::Engine(LaneName::Selective)] {
            assert!(turns.iter().filter(|&&turn| turn == lane).count() > 10, "{lane:?} of {turns:?}");
        }
        assert!(!race.is_over());
    }

    #[test]
    fn refutations_get_most_nodes_when_the_mate_is_probably_the_shortest() {
        let weights = |length: u16, refuted: u16, proved_at: u64, nodes: u64| {
            let mut race = race(MateLength::MAX.0);
            race.record(0, refute(refuted), 10, SliceResult::Refuted(MateLength(refuted)));
            race.record(0, ANY, proved_at, SliceResult::Mate(crate::search::testing::tree_of_length(length)));
            race.record(0, within(length - 1), nodes, SliceResult::Unfinished);
            race.lanes(0)
        };
        let searching = [(within(5), HALF_WEIGHT), (refute(3), FULL_WEIGHT)];
        let refuting = [(within(5), QUARTER_WEIGHT), (refute(3), FULL_WEIGHT)];
        assert_eq!(weights(6, 2, 1_000, MIN_NODES_FOR_SHORTEST / 2), searching);
        assert_eq!(weights(6, 2, 1_000, MIN_NODES_FOR_SHORTEST), refuting);
        assert_eq!(weights(6, 2, 1_000_000, 6_000_000), searching);
        assert_eq!(weights(6, 2, 1_000_000, 8_000_000), refuting);
        let hopeless = [(within(29), FULL_WEIGHT), (refute(3), EIGHTH_WEIGHT)];
        assert_eq!(weights(30, 2, 1_000, MIN_NODES_FOR_SHORTEST), hopeless);
        let last = [(refute(5), FULL_WEIGHT), (within(5), EIGHTH_WEIGHT)];
        assert_eq!(weights(6, 4, 1_000, MIN_NODES_FOR_SHORTEST / 2), last);
        assert_eq!(weights(6, 4, 1_000, MIN_NODES_FOR_SHORTEST), last[..1], "it finds a mate if there is one");
    }

    fn race_of(lanes: &[LaneName], workers: usize) -> RaceState {
        RaceState { set: LaneSet::of(lanes), workers, ..race(MateLength::MAX.0) }
    }

    #[test]
    fn technique_begins_when_the_others_have_found_nothing() {
        let weight = |is_ending: bool, nodes: u64| {
            let mut race = race_of(&[LaneName::Dfpn, LaneName::Technique], 2);
            race.men = if is_ending { MAX_MEN_OF_AN_ENDING } else { MAX_MEN_OF_AN_ENDING + 1 };
            race.record(0, refute(2), 10, SliceResult::Refuted(MateLength(2)));
            race.record(1, ANY, nodes, SliceResult::Unfinished);
            let of = |worker| race.lanes(worker).into_iter().find(|(lane, _)| *lane == TECHNIQUE).map(|(_, w)| w);
            assert_eq!(of(0), of(1), "on all workers");
            of(0)
        };
        assert_eq!((weight(true, 1_000), weight(false, UNPROMISING - 100)), (None, None));
        assert_eq!(weight(true, UNPROMISING), Some(FULL_WEIGHT));
        assert_eq!(weight(true, ALMOST_HOPELESS), Some(TWELVEFOLD_WEIGHT));
        assert_eq!(weight(false, ALMOST_HOPELESS), Some(EIGHTH_WEIGHT), "the others still find mating attacks");
        let alone = race_of(&[LaneName::Technique], 1);
        assert_eq!(alone.lanes(0), [(TECHNIQUE, FULL_WEIGHT)]);
    }

    const PVS: Lane = Lane::Engine(LaneName::Pvs);

    #[test]
    fn without_dfpn_the_graph_of_pn_answers_its_questions() {
        let mut race = race_of(&[LaneName::Pn, LaneName::Pvs], 1);
        for n in 1..=2 {
            let lane = Lane::Graph(Horizon::within(MateLength(n)));
            assert_eq!(race.lanes(0), [(lane, FULL_WEIGHT)]);
            race.record(0, lane, 10, SliceResult::Refuted(MateLength(n)));
        }
        let refutation = Lane::Graph(Horizon::within(MateLength(3)));
        let lanes = [(ANY_ON_GRAPH, FULL_WEIGHT), (refutation, EIGHTH_WEIGHT), (PVS, EIGHTH_WEIGHT)];
        assert_eq!(race.lanes(0), lanes);
        race.record(0, PVS, 10, SliceResult::Mate(crate::search::testing::tree_of_length(4)));
        assert_eq!(race.lanes(0), [(refutation, FULL_WEIGHT)], "one length is open, and pvs has done its work");
    }

    #[test]
    fn the_graph_looks_for_any_mate_until_it_ends_and_then_dfpn_does() {
        let mut race = race_of(&[LaneName::Dfpn, LaneName::Pn], 2);
        race.record(0, refute(2), 10, SliceResult::Refuted(MateLength(2)));
        let lanes = |race: &RaceState, worker| race.lanes(worker).iter().map(|(lane, _)| *lane).collect::<Vec<_>>();
        assert_eq!(lanes(&race, 0), [ANY_ON_GRAPH, refute(3)]);
        assert!(lanes(&race, 1).contains(&ANY), "there is one graph");
        race.record(0, ANY_ON_GRAPH, 10, SliceResult::OutOfMemory);
        assert_eq!(lanes(&race, 0), [ANY, refute(3)]);
        race.record(0, ANY, 10, SliceResult::Mate(crate::search::testing::tree_of_length(9)));
        race.record(0, within(8), 10, SliceResult::Mate(crate::search::testing::tree_of_length(7)));
        assert_eq!(lanes(&race, 0)[0], within(6), "dfpn shortens");
        assert_eq!(race.answer().first_found_by, Some("dfpn"));
    }

    #[test]
    fn on_several_threads_every_search_has_its_own_worker() {
        let mut race = race_of(&[LaneName::Pn, LaneName::Pvs], 2);
        assert_eq!(race.lanes(1), [(PVS, EIGHTH_WEIGHT)]);
        race.record(1, PVS, 10, SliceResult::Mate(crate::search::testing::tree_of_length(9)));
        assert_eq!(race.lanes(1), [(PVS, EIGHTH_WEIGHT)], "it has nothing else to do");
    }

    #[test]
    fn the_last_open_length_takes_little_from_the_search_for_any_mate() {
        let mut race = race(40);
        race.record(0, refute(39), 10, SliceResult::Refuted(MateLength(39)));
        assert_eq!(race.lanes(0), [(ANY, FULL_WEIGHT), (refute(40), EIGHTH_WEIGHT)]);
        race.record(0, ANY, 10, SliceResult::Mate(crate::search::testing::tree_of_length(45)));
        assert_eq!(race.lanes(0)[0], (within(40), FULL_WEIGHT), "a shorter one probably exists");
    }

    #[test]
    fn a_race_pauses_for_tables_unless_it_is_answered() {
        let mut race = RaceState { pause: Some(5_000), ..race(40) };
        race.record(0, ANY, 4_999, SliceResult::Unfinished);
        assert!(!race.is_over());
        race.record(0, ANY, 1, SliceResult::Unfinished);
        assert!(race.is_over() && race.is_paused() && race.answer().stopped.is_none());
        race.record(0, ANY, 10, SliceResult::Refuted(MateLength(40)));
        assert!(race.is_over() && !race.is_paused());
    }

    #[test]
    fn a_race_whose_lanes_are_all_closed_is_over() {
        let mut race = race_of(&[LaneName::Pvs], 1);
        race.record(0, PVS, 10, SliceResult::Answer(Answer { stopped: Some(StopReason::Slice), ..Answer::default() }));
        assert!(!race.is_over());
        race.record(0, PVS, 10, SliceResult::Answer(Answer { refuted: Some(MateLength(6)), ..Answer::default() }));
        assert!(race.is_over() && race.next_slice(0).is_none());
        let answer = race.answer();
        assert_eq!((answer.refuted, answer.stopped), (Some(MateLength(6)), None));
        let mut race = race_of(&[LaneName::Pvs], 1);
        let full = Answer { stopped: Some(StopReason::Memory), ..Answer::default() };
        race.record(0, PVS, 10, SliceResult::Answer(full));
        assert_eq!(race.answer().stopped, Some(StopReason::Memory));
    }
}
