//! The choice of the row that a worker runs next, by the four rules of [`super::table`].
//!
//! A slice is a quarter of the nodes that the row has had, within limits. The phase follows from the two bounds, from
//! an estimate of what the open refutations will take, and from how long the mate has stood.

use crate::chess::MateLength;
use crate::search::dfpn::Attempt;
use crate::search::horizon::{Horizon, NEAR_BOUND};

use super::state::{ANY_MATE, Lane, RaceState, Turn};
use super::table::{Asks, FIRST_SLICE, FULL, LaneName, NotIf, Phase, Row, TABLE};

/// The smallest slice, in nodes.
const LEAST_SLICE: u64 = 125;

/// The lengths that come before anything else, in moves: refuting them takes a few hundred nodes.
const SHORT_LENGTHS: MateLength = MateLength(2);

/// With at most this many men the defender's king is free, and lists find nothing.
const FEW_MEN: usize = 8;

/// A mate of more moves than this may well be made shorter by lists.
const LONG_MATE: MateLength = MateLength(20);

/// A mate is probably the shortest if the race has searched this many nodes, and this many times as many as when the
/// mate was proved. With 5,000,000 nodes, one of 90 mates that had stood for that many times the nodes was shortened
/// later (`benches/tuning/lanes.md`).
const MIN_NODES_FOR_SHORTEST: u64 = 200_000;
const SHORTEST_FACTOR: u64 = 8;

/// Refuting all open lengths is affordable if it is expected to take at most this many times the nodes that the race
/// has searched so far.
const AFFORDABLE_FACTOR: u64 = 16;
/// A refutation is expected to take at least this many times the nodes of the refutation of one move less.
const MIN_GROWTH: u64 = 2;

/// A row that a worker may run, as its number in the table; its present question, and its share.
pub(super) type OpenRow = (usize, Lane, u64);

impl RaceState {
    /// Returns what the worker runs next, and for how many nodes. Returns `None` if nothing is left for it.
    pub fn next_slice(&mut self, worker: usize) -> Option<(Turn, u64)> {
        let rows = self.rows(worker);
        let spent = |state: &RaceState, row, share| state.spent.get(&(worker, row)).map(|nodes| nodes * FULL / share);
        let least = rows.iter().filter_map(|&(row, _, share)| spent(self, row, share)).min().unwrap_or(0);
        for &(row, _, share) in &rows {
            self.spent.entry((worker, row)).or_insert(least * share / FULL);
        }
        let &(row, lane, share) = rows.iter().min_by_key(|&&(row, _, share)| spent(self, row, share))?;
        let slice = (self.spent[&(worker, row)] / 4).max(FIRST_SLICE * share / FULL).max(LEAST_SLICE);
        Some((Turn { worker, row, lane }, slice))
    }

    /// Returns the rows that the worker may run.
    pub(super) fn rows(&self, worker: usize) -> Vec<OpenRow> {
        let rows = self.rows_in(self.phase(), worker, false);
        if rows.is_empty() { self.rows_in(Phase::Find, worker, true) } else { rows }
    }

    /// Returns the rows that the worker may run in this phase. `at_once`: also those that have not begun yet, or that a
    /// condition keeps from running beside others.
    fn rows_in(&self, phase: Phase, worker: usize, at_once: bool) -> Vec<OpenRow> {
        let begun = |row: &Row| at_once || self.proof.is_some() || self.nodes >= row.begins;
        let open = TABLE.iter().enumerate().filter_map(|(number, row)| {
            let (share, lane) = (row.shares[phase as usize], self.lane(row, worker));
            let runs = share > 0 && self.set.has(row.lane) && row.on.includes(worker, self.workers) && begun(row);
            (runs && !self.is_barred(row, at_once) && !self.closed.contains(&lane)).then_some((number, lane, share))
        });
        let mut rows: Vec<OpenRow> = open.collect();
        let names: Vec<LaneName> = rows.iter().map(|(_, lane, _)| lane.name).collect();
        let gives_way = |not_if: &NotIf| matches!(not_if, NotIf::Beside(other) if names.contains(other));
        rows.retain(|&(row, ..)| !TABLE[row].not_if.iter().any(gives_way));
        rows
    }

    /// Returns whether a condition keeps the row from running.
    fn is_barred(&self, row: &Row, at_once: bool) -> bool {
        row.not_if.iter().any(|condition| match *condition {
            NotIf::With(lane) => self.set.has(lane),
            NotIf::Without(lane) => !self.set.has(lane),
            NotIf::Beside(_) => false,
            _ if at_once => false,
            NotIf::Told => self.is_near(),
            NotIf::FewMen => self.task.position.occupied().count() <= FEW_MEN,
            NotIf::Mate => self.proof.as_ref().is_some_and(|(length, _)| *length <= LONG_MATE),
        })
    }

    /// Returns the present question of a row.
    fn lane(&self, row: &Row, worker: usize) -> Lane {
        let attempt = match row.asks {
            Asks::Next => Some(Attempt::refutation(Horizon::within(self.below()))),
            Asks::Any if !self.is_near() => Some(ANY_MATE),
            Asks::Any | Asks::Shorter => Some(Attempt::mate(Horizon::within(self.upper()))),
            Asks::Ahead => Some(Attempt::mate(Horizon::within(self.ahead(worker)))),
            Asks::Own => None,
        };
        let lane = Lane { name: row.lane, attempt };
        // When the prover's search for any mate has ended without an answer, it goes on a little ahead of what is
        // refuted.
        if row.asks == Asks::Any && row.lane.is_of_the_prover() && self.closed.contains(&lane) {
            return Lane { attempt: Some(Attempt::mate(Horizon::within(self.ahead(worker)))), ..lane };
        }
        lane
    }

    /// Returns the phase of the race.
    fn phase(&self) -> Phase {
        let (below, upper) = (self.below(), self.upper());
        match &self.proof {
            _ if below <= SHORT_LENGTHS => Phase::Short,
            None => Phase::Find,
            Some(_) if !self.refutation_is_affordable(below, upper) => Phase::Shorten,
            Some(_) if !self.is_too_long() && (below == upper || self.is_probably_shortest()) => Phase::Last,
            Some(_) => Phase::Close,
        }
    }

    /// Returns whether lengths within the task's bound are searched from the start.
    fn is_near(&self) -> bool {
        self.task.bound() <= NEAR_BOUND
    }

    /// Returns the length to refute next. If any mate within a short bound answers the task, no shorter length is
    /// searched.
    fn below(&self) -> MateLength {
        if self.is_near() && !self.task.shortest { self.upper() } else { self.shortest_open() }
    }

    /// Returns a length a little longer than the refuted ones. While there is no mate, it may be longer than the bound.
    fn ahead(&self, worker: usize) -> MateLength {
        let ahead = MateLength(self.below().0.saturating_add(2 + (worker / 2) as u16)).min(MateLength::MAX);
        if self.is_near() || self.proof.is_some() { ahead.min(self.upper()) } else { ahead }
    }

    /// Returns whether the search for a shorter mate has been without success for so long that it will probably
    /// find none.
    fn is_probably_shortest(&self) -> bool {
        self.nodes >= MIN_NODES_FOR_SHORTEST.max(self.proved_at.saturating_mul(SHORTEST_FACTOR))
    }

    /// Returns whether the lengths from `below` to `upper` are expected to be refuted soon. The expectation continues
    /// the growth of the last two refutations.
    fn refutation_is_affordable(&self, below: MateLength, upper: MateLength) -> bool {
        let taken = |n: u16| self.refuting.get(&MateLength(n)).copied().unwrap_or(0);
        let mut left = self.nodes.saturating_mul(AFFORDABLE_FACTOR).saturating_add(taken(below.0));
        let (last, one_less) = (taken(below.0.saturating_sub(1)).max(1), taken(below.0.saturating_sub(2)).max(1));
        let mut cost = last;
        (below.0..=upper.0).all(|_| {
            cost = (cost.saturating_mul(last) / one_less).max(cost.saturating_mul(MIN_GROWTH));
            let affordable = cost <= left;
            left = left.saturating_sub(cost);
            affordable
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::SliceResult;
    use super::super::table::LaneSet;
    use super::*;
    use crate::search::testing::tree_of_length;
    use crate::search::{Answer, StopReason};
    use hashbrown::HashMap;

    const NO_BOUND: u16 = MateLength::MAX.0;

    fn race_of(lanes: &[LaneName], workers: usize) -> RaceState {
        RaceState::for_test(NO_BOUND, LaneSet::of(lanes), workers)
    }

    fn refute(n: u16) -> Attempt {
        Attempt::refutation(Horizon::within(MateLength(n)))
    }

    fn within(n: u16) -> Attempt {
        Attempt::mate(Horizon::within(MateLength(n)))
    }

    const ANY: Option<Attempt> = Some(ANY_MATE);

    /// Returns a race in which mates in one and two are refuted.
    fn after_two(lanes: &[LaneName], workers: usize) -> RaceState {
        let mut race = race_of(lanes, workers);
        for n in 1..=2 {
            race.record_attempt(refute(n), 50 * u64::from(n), SliceResult::Refuted(MateLength(n)));
        }
        race
    }

    /// Returns the lanes of a worker, with their shares.
    fn lanes(race: &RaceState, worker: usize) -> Vec<(LaneName, Option<Attempt>, u64)> {
        race.rows(worker).into_iter().map(|(_, lane, share)| (lane.name, lane.attempt, share)).collect()
    }

    fn names(race: &RaceState, worker: usize) -> Vec<LaneName> {
        lanes(race, worker).into_iter().map(|(name, ..)| name).collect()
    }

    /// Runs a race for this many nodes without a result. Returns the nodes of each lane of each worker.
    fn spend(race: &mut RaceState, workers: usize, nodes: u64) -> HashMap<(usize, LaneName), u64> {
        let (mut spent, end) = (HashMap::new(), race.nodes + nodes);
        while race.nodes < end {
            for worker in 0..workers {
                let (turn, slice) = race.next_slice(worker).unwrap();
                *spent.entry((worker, turn.lane.name)).or_default() += slice;
                race.record(turn, slice, SliceResult::Unfinished);
            }
        }
        spent
    }

    #[test]
    fn pvs_opens_with_one_and_two_moves_and_then_the_graph_looks_for_any_mate() {
        let mut race = RaceState::for_test(NO_BOUND, LaneSet::default(), 1);
        for n in 1..=2 {
            assert_eq!(lanes(&race, 0), [(LaneName::Pvs, Some(refute(n)), FULL)]);
            let (turn, slice) = race.next_slice(0).unwrap();
            assert_eq!(slice, FIRST_SLICE);
            let answer = Answer { refuted: Some(MateLength(n)), ..Answer::default() };
            race.record(turn, 40, SliceResult::Answer(answer));
            assert_eq!(race.refuting[&MateLength(n)], 40, "known to the estimate");
        }
        assert_eq!(lanes(&race, 0), [(LaneName::Pn, ANY, FULL)]);
        // If `pvs` has no answer, `dfpn` has.
        let mut race = RaceState::for_test(NO_BOUND, LaneSet::default(), 1);
        let (turn, _) = race.next_slice(0).unwrap();
        race.record(turn, 40, SliceResult::NoAnswer);
        assert_eq!(lanes(&race, 0), [(LaneName::Dfpn, Some(refute(1)), FULL)]);
    }

    #[test]
    fn every_row_gets_its_share_and_one_that_begins_does_not_catch_up() {
        let mut race = RaceState::for_test(NO_BOUND, LaneSet::default(), 1);
        race.record_attempt(refute(2), 100, SliceResult::Refuted(MateLength(2)));
        let early = spend(&mut race, 1, 19_000);
        assert_eq!(early.keys().collect::<Vec<_>>(), [&(0, LaneName::Pn)], "nothing else begins before 20,000 nodes");
        let share =
            |spent: &HashMap<(usize, LaneName), u64>, lane| spent[&(0, lane)] * FULL / spent[&(0, LaneName::Pn)];
        let late = spend(&mut race, 1, 2_000_000);
        assert!((3..6).contains(&share(&late, LaneName::Dfpn)), "{late:?}");
        assert!((1..4).contains(&share(&late, LaneName::Pvs)), "{late:?}");
        assert!((45..70).contains(&share(&late, LaneName::Corridor)), "{late:?}");
        // It begins at a million, and from there it has twice as much as the graph.
        let later = spend(&mut race, 1, 1_000_000);
        assert!(share(&late, LaneName::Ladder) < FULL, "{late:?}");
        assert!((100..150).contains(&share(&later, LaneName::Ladder)), "{later:?}");
    }

    #[test]
    fn counts_begin_anew_with_the_first_mate() {
        let mut race = after_two(&[LaneName::Dfpn, LaneName::Pn], 1);
        spend(&mut race, 1, 50_000);
        race.record_attempt(ANY_MATE, 10, SliceResult::Mate(tree_of_length(30)));
        assert!(race.spent.is_empty());
        let lanes = lanes(&race, 0);
        let (shorter, next) = (Some(within(29)), Some(refute(3)));
        assert_eq!(lanes, [(LaneName::Dfpn, shorter, FULL), (LaneName::Dfpn, next, 8)]);
    }

    #[test]
    fn an_affordable_refutation_gets_more_than_the_search_for_a_shorter_mate() {
        let shares = |known: u16, costs: [u64; 4]| {
            let mut race = race_of(&[LaneName::Dfpn], 1);
            for (n, cost) in (1..).zip(costs) {
                race.record_attempt(refute(n), cost, SliceResult::Refuted(MateLength(n)));
            }
            race.record_attempt(ANY_MATE, 100_000, SliceResult::Mate(tree_of_length(known)));
            lanes(&race, 0).into_iter().map(|(.., share)| share).collect::<Vec<_>>()
        };
        let (affordable, too_much) = ([32, FULL], [FULL, 8]);
        // The fifth and the sixth move will take some 16,000 and 64,000 nodes; up to the tenth they would take 22
        // million.
        assert_eq!(shares(7, [10, 250, 1_000, 4_000]), affordable);
        assert_eq!(shares(11, [10, 250, 1_000, 4_000]), too_much);
        // Nine times as much from move to move.
        assert_eq!(shares(8, [10, 50, 450, 4_050]), too_much);
        assert_eq!(shares(11, [10, 10, 10, 10]), affordable);
        assert_eq!(shares(6, [10, 250, 1_000, 4_000]), [8, FULL], "one length is open");
    }

    #[test]
    fn a_mate_that_has_stood_for_long_is_probably_the_shortest() {
        let phase = |proved_at: u64, nodes: u64| {
            let mut race = after_two(&[LaneName::Dfpn], 1);
            race.record_attempt(ANY_MATE, proved_at, SliceResult::Mate(tree_of_length(6)));
            race.record_attempt(within(5), nodes, SliceResult::Unfinished);
            race.phase()
        };
        assert_eq!(phase(1_000, MIN_NODES_FOR_SHORTEST / 2), Phase::Close);
        assert_eq!(phase(1_000, MIN_NODES_FOR_SHORTEST), Phase::Last);
        assert_eq!((phase(1_000_000, 6_000_000), phase(1_000_000, 8_000_000)), (Phase::Close, Phase::Last));
    }

    #[test]
    fn a_told_length_is_searched_by_the_prover() {
        let mut told = RaceState::for_test(NEAR_BOUND.0, LaneSet::default(), 1);
        told.record_attempt(refute(2), 2_000_000, SliceResult::Refuted(MateLength(2)));
        assert_eq!(names(&told, 0), [LaneName::Dfpn, LaneName::Dfpn, LaneName::Pvs]);
        assert_eq!(lanes(&told, 0)[0].1, Some(within(NEAR_BOUND.0)));
        let mut any = RaceState::for_test(4, LaneSet::of(&[LaneName::Dfpn]), 2);
        any.task.shortest = false;
        assert_eq!(lanes(&any, 1)[0].1, Some(refute(4)), "shorter lengths are not searched if any mate will do");
    }

    #[test]
    fn the_graph_looks_for_any_mate_until_it_ends_and_then_dfpn_does() {
        let mut race = after_two(&[LaneName::Dfpn, LaneName::Pn], 2);
        assert_eq!(names(&race, 0), [LaneName::Pn]);
        assert!(lanes(&race, 1).iter().any(|&(_, attempt, _)| attempt == ANY), "there is one graph");
        let (turn, _) = race.next_slice(0).unwrap();
        let full = Answer { stopped: Some(StopReason::Memory), ..Answer::default() };
        race.record(turn, 10, SliceResult::Answer(full));
        assert_eq!(lanes(&race, 0), [(LaneName::Dfpn, ANY, FULL)]);
        race.record_attempt(ANY_MATE, 10, SliceResult::NoAnswer);
        assert_eq!(lanes(&race, 0), [(LaneName::Dfpn, Some(within(5)), FULL)], "its disproof was no answer");
        race.record_attempt(within(5), 10, SliceResult::Mate(tree_of_length(5)));
        assert_eq!(race.answer().first_found_by, Some("dfpn"));
    }

    #[test]
    fn on_several_threads_every_search_has_its_own_worker() {
        let mut race = RaceState::for_test(NO_BOUND, LaneSet::default(), 4);
        race.record_attempt(refute(2), 5_000_000, SliceResult::Refuted(MateLength(2)));
        let own = |worker| {
            let names = names(&race, worker);
            [LaneName::Pn, LaneName::Corridor, LaneName::Ladder, LaneName::Pvs, LaneName::Technique]
                .map(|name| names.contains(&name))
        };
        assert_eq!(own(0), [true, false, false, false, true]);
        assert_eq!(own(1), [false, true, true, false, true]);
        assert_eq!((own(2), own(3)), ([false, false, false, true, true], [false, false, false, false, true]));
        race.record_attempt(ANY_MATE, 10, SliceResult::Mate(tree_of_length(LONG_MATE.0 + 1)));
        assert!(names(&race, 1).contains(&LaneName::Corridor), "lists make long mates shorter");
        race.record_attempt(ANY_MATE, 10, SliceResult::Mate(tree_of_length(LONG_MATE.0)));
        assert!((0..4).all(|worker| names(&race, worker).iter().all(|&name| name == LaneName::Dfpn)));
    }

    #[test]
    fn lanes_that_nothing_else_runs_beside_begin_at_once() {
        for lane in [LaneName::Technique, LaneName::Corridor, LaneName::Ladder, LaneName::Pn] {
            assert_eq!(names(&race_of(&[lane], 1), 0), [lane]);
        }
        let mut race = after_two(&[LaneName::Pn, LaneName::Pvs], 2);
        assert_eq!((names(&race, 0), names(&race, 1)), (vec![LaneName::Pn], vec![LaneName::Pvs]));
        race.record_attempt(ANY_MATE, 10, SliceResult::Mate(tree_of_length(9)));
        assert_eq!((names(&race, 0), names(&race, 1)), (vec![LaneName::Pn], vec![LaneName::Pvs]), "they go on");
    }

    #[test]
    fn a_lane_that_could_not_rebuild_its_proof_is_asked_again_and_starves_nobody() {
        let mut race = after_two(&[LaneName::Dfpn, LaneName::Pvs], 1);
        race.nodes = 20_000;
        let mut turns = HashMap::new();
        for _ in 0..400 {
            let (turn, slice) = race.next_slice(0).unwrap();
            *turns.entry(turn.row).or_insert(0) += 1;
            match turn.lane.attempt.and_then(Attempt::moves) {
                Some(_) => race.record(turn, 0, SliceResult::NoAnswer),
                None => race.record(turn, slice, SliceResult::Unfinished),
            }
        }
        assert!(turns.len() == 3 && turns.values().all(|&turns| turns > 10), "{turns:?}");
        assert!(!race.is_over());
    }

    #[test]
    fn a_race_whose_lanes_are_all_closed_is_over() {
        let mut race = race_of(&[LaneName::Corridor], 1);
        let (turn, _) = race.next_slice(0).unwrap();
        race.record(turn, 10, SliceResult::Answer(Answer { stopped: Some(StopReason::Slice), ..Answer::default() }));
        assert!(!race.is_over());
        race.record(turn, 10, SliceResult::Answer(Answer { refuted: Some(MateLength(6)), ..Answer::default() }));
        assert!(race.is_over() && race.next_slice(0).is_none());
        let answer = race.answer();
        assert_eq!((answer.refuted, answer.stopped), (Some(MateLength(6)), None));
        let mut race = race_of(&[LaneName::Corridor], 1);
        let full = Answer { stopped: Some(StopReason::Memory), ..Answer::default() };
        race.record(turn, 10, SliceResult::Answer(full));
        assert_eq!(race.answer().stopped, Some(StopReason::Memory));
    }
}
