//! The state of a race: its bounds, its lanes, and the choice of the next lane.
//!
//! A race has two bounds: the longest refuted length and the shortest proved one. Every **lane** is a question whose
//! answer moves one of them. Nothing here searches, counts nodes or waits; the same calls give the same results.
//!
//! Each worker has a list of lanes with weights. The lane that has had the fewest nodes for its weight runs next, for a
//! quarter of the nodes it has had so far.

use crate::chess::MateLength;
use crate::proof::ProofTree;
use crate::search::dfpn::{self, Question, Restriction};
use crate::search::horizon::Horizon;
use crate::search::{Answer, StopReason, Task};

/// A search that a worker can spend a slice of nodes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// Depth-first proof-number search for this question.
    Prove(Question),
    /// The principal-variation search.
    Pvs,
}

/// The lane that looks for a mate of any length.
const ANY_MATE: Lane = Lane::Prove(Question::mate(Horizon::NONE));

/// Returns the lane that looks for a mate in at most `n` moves.
fn mate_within(n: MateLength) -> Lane {
    Lane::Prove(Question::mate(Horizon::within(n)))
}

/// Returns the lane that refutes all mates in at most `n` moves.
fn refutation_of(n: MateLength) -> Lane {
    Lane::Prove(Question::refutation(Horizon::within(n)))
}

/// The share of a worker's nodes that a lane gets, in proportion to the worker's other lanes.
type Weight = u64;

/// The weight of a worker's main lane.
const FULL_WEIGHT: Weight = 8;
const QUARTER_WEIGHT: Weight = 2;
const EIGHTH_WEIGHT: Weight = 1;

/// Refuting all open lengths gets the full weight if it is expected to take at most this many times the nodes that the
/// race has searched so far.
const AFFORDABLE_FACTOR: u64 = 8;
/// A refutation is expected to take at least this many times the nodes of the refutation of one move less.
const MIN_GROWTH: u64 = 2;

/// The first and smallest slice of a lane, in nodes.
const FIRST_SLICE: u64 = 2_000;

/// The state of a race.
#[derive(Debug)]
pub(super) struct RaceState {
    /// The task's bound: the longest mate to look for, in moves.
    bound: MateLength,
    /// Whether the task is to find the shortest mate and to prove that it is the shortest.
    shortest: bool,
    /// The longest refuted length, in moves; 0 if nothing is refuted.
    refuted: MateLength,
    /// The shortest proved mate.
    proof: Option<(MateLength, ProofTree)>,
    /// Whether the lane for a mate of any length has ended without an answer.
    any_mate_closed: bool,
    /// The restriction of the restricted lane, computed at the root.
    restriction: Restriction,
    /// Whether the restricted lane has ended without an answer.
    restricted_closed: bool,
    spent: Vec<LaneNodes>,
    /// The first limit that was reached.
    stopped: Option<StopReason>,
}

/// The nodes that a worker has spent on a lane.
#[derive(Debug, Clone, Copy)]
struct LaneNodes {
    worker: usize,
    lane: Lane,
    nodes: u64,
}

/// The result of a slice.
#[derive(Debug)]
pub(super) enum SliceResult {
    /// A mate is proved.
    Mate(ProofTree),
    /// There is no mate in at most this many moves.
    Refuted(MateLength),
    /// The search ended without an answer: its disproof is tainted, or its proof could not be rebuilt.
    NoAnswer,
    /// The slice is used up.
    Unfinished,
    /// A limit is reached.
    Stopped(StopReason),
}

/// Returns the restriction of the restricted lane: one flight more than the enemy king has at the root. Solvers begin
/// with moves that give the king no flight, and a key may give one.
fn root_restriction(task: &Task) -> Restriction {
    let defending = if task.position.turn() == task.attacker { task.position.pass() } else { Some(task.position) };
    Restriction::Flights(1 + defending.map_or(0, |position| position.flights().count() as u8))
}

impl RaceState {
    /// Returns the state at the start, when no length is proved or refuted.
    pub fn new(task: &Task) -> RaceState {
        RaceState {
            bound: task.bound,
            shortest: task.shortest,
            refuted: MateLength(0),
            proof: None,
            any_mate_closed: false,
            restriction: root_restriction(task),
            restricted_closed: false,
            spent: Vec::new(),
            stopped: None,
        }
    }

    /// Returns whether the task is answered or a limit is reached.
    pub fn is_over(&self) -> bool {
        let answered = match &self.proof {
            Some((length, _)) => !self.shortest || *length <= self.refuted.longer(),
            None => self.refuted >= self.bound,
        };
        answered || self.stopped.is_some()
    }

    /// Returns the longest open length, in moves: one less than the known mate, or the bound.
    fn upper(&self) -> MateLength {
        let shorter = self.proof.as_ref().and_then(|(length, _)| length.shorter());
        shorter.unwrap_or(self.bound).min(self.bound)
    }

    /// Returns the restricted lane: it looks for a mate by the attacker's moves that leave the king few flights.
    fn restricted_lane(&self) -> Lane {
        Lane::Prove(Question::restricted(self.restriction))
    }

    /// Returns the lanes of a worker with their weights, the most important first.
    ///
    /// The first worker refutes mates in one and two, then looks for a mate, then for shorter ones. It also refutes the
    /// open lengths one by one, the shortest first: with full weight once the two bounds are expected to meet, and with
    /// more weight than the search for a shorter mate when only one length is open, because that length probably has no
    /// mate either. Until there is a mate, the principal-variation search and the restricted lane take part.
    ///
    /// With several threads every second worker refutes. Until there is a mate it also takes part in the search for any
    /// mate, and looks for a mate a little longer than the refuted lengths, which that search may miss. If any mate
    /// within a bound of at most [`dfpn::NEAR_BOUND`] answers the task, no shorter length is searched.
    fn lanes(&self, worker: usize) -> Vec<(Lane, Weight)> {
        let upper = self.upper();
        let near = self.bound <= dfpn::NEAR_BOUND;
        let below = if near && !self.shortest { upper } else { self.refuted.longer() };
        let ahead = MateLength(below.0 + 2 + (worker / 2) as u16).min(upper);
        let restricted = |weight| {
            if near || self.restricted_closed { Vec::new() } else { vec![(self.restricted_lane(), weight)] }
        };
        let main = match (self.proof.is_some() || near, self.any_mate_closed) {
            (true, _) => mate_within(upper),
            (false, true) => mate_within(ahead),
            (false, false) => ANY_MATE,
        };
        match (worker % 2, self.proof.is_some()) {
            _ if worker == 0 && below.0 <= 2 => vec![(refutation_of(below), FULL_WEIGHT)],
            (0, false) if below == upper => {
                vec![(refutation_of(upper), FULL_WEIGHT), (mate_within(upper), FULL_WEIGHT)]
            }
            (0, true) if below == upper => {
                vec![(refutation_of(upper), FULL_WEIGHT), (mate_within(upper), QUARTER_WEIGHT)]
            }
            (0, true) => {
                let refutation = if self.refutation_is_affordable(below, upper) { FULL_WEIGHT } else { EIGHTH_WEIGHT };
                vec![(mate_within(upper), FULL_WEIGHT), (refutation_of(below), refutation)]
            }
            (0, false) if worker == 0 => [
                vec![(main, FULL_WEIGHT), (refutation_of(below), EIGHTH_WEIGHT), (Lane::Pvs, EIGHTH_WEIGHT)],
                restricted(QUARTER_WEIGHT),
            ]
            .concat(),
            (0, false) => vec![(main, FULL_WEIGHT), (refutation_of(below), EIGHTH_WEIGHT)],
            (_, false) if below == upper => {
                vec![(mate_within(upper), FULL_WEIGHT), (refutation_of(upper), FULL_WEIGHT)]
            }
            (_, false) => {
                let any = if main == ANY_MATE { vec![(ANY_MATE, QUARTER_WEIGHT)] } else { Vec::new() };
                [
                    vec![(refutation_of(below), FULL_WEIGHT), (mate_within(ahead), EIGHTH_WEIGHT)],
                    any,
                    restricted(EIGHTH_WEIGHT),
                ]
                .concat()
            }
            (_, true) => vec![(refutation_of(below), FULL_WEIGHT)],
        }
    }

    /// Returns whether the lengths from `below` to `upper` are expected to be refuted soon. The expectation continues
    /// the growth of the last two refutations.
    fn refutation_is_affordable(&self, below: MateLength, upper: MateLength) -> bool {
        let taken = |n: u16| -> u64 {
            let lane = refutation_of(MateLength(n));
            self.spent.iter().filter(|spent| spent.lane == lane).map(|spent| spent.nodes).sum()
        };
        let total: u64 = self.spent.iter().map(|spent| spent.nodes).sum();
        let mut left = total.saturating_mul(AFFORDABLE_FACTOR).saturating_add(taken(below.0));
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
    fn spent(&self, worker: usize, lane: Lane) -> u64 {
        self.spent.iter().find(|spent| (spent.worker, spent.lane) == (worker, lane)).map_or(0, |spent| spent.nodes)
    }

    /// Returns the lane that the worker runs next, and for how many nodes: the lane with the fewest nodes for its
    /// weight.
    pub fn next_slice(&self, worker: usize) -> (Lane, u64) {
        let lanes = self.lanes(worker);
        let behind = lanes.iter().min_by_key(|(lane, weight)| self.spent(worker, *lane) * FULL_WEIGHT / weight);
        let lane = behind.map_or(Lane::Pvs, |(lane, _)| *lane);
        (lane, (self.spent(worker, lane) / 4).max(FIRST_SLICE))
    }

    /// Records the result of a slice and the nodes it took.
    pub fn record(&mut self, worker: usize, lane: Lane, nodes: u64, result: SliceResult) {
        // A search that ends without an answer may take almost no nodes; without a minimum it would run again and
        // again.
        let least = if matches!(result, SliceResult::NoAnswer) { FIRST_SLICE } else { 1 };
        let nodes = nodes.max(least);
        match self.spent.iter_mut().find(|spent| (spent.worker, spent.lane) == (worker, lane)) {
            Some(spent) => spent.nodes += nodes,
            None => self.spent.push(LaneNodes { worker, lane, nodes }),
        }
        match result {
            SliceResult::Mate(tree) => self.shorten(lane, tree),
            SliceResult::Refuted(length) => self.refuted = self.refuted.max(length),
            SliceResult::NoAnswer => self.close(lane),
            SliceResult::Unfinished => {}
            SliceResult::Stopped(reason) => self.stopped = self.stopped.or(Some(reason)),
        }
    }

    /// Closes a lane that has ended without an answer, if it has no horizon. A lane with a horizon stays open: its
    /// question may be answered the next time, by a proof that was lost or by what the refutation lane has learned
    /// meanwhile.
    fn close(&mut self, lane: Lane) {
        self.any_mate_closed |= lane == ANY_MATE;
        self.restricted_closed |= lane == self.restricted_lane();
    }

    /// Keeps a mate if it is within the bound and shorter than the known one.
    fn shorten(&mut self, lane: Lane, tree: ProofTree) {
        let length = tree.length();
        if length > self.bound {
            self.close(lane);
        } else if self.proof.as_ref().is_none_or(|(known, _)| length < *known) {
            self.proof = Some((length, tree));
        }
    }

    /// Returns the shortest proved mate, with its length.
    pub fn proof(&self) -> Option<(MateLength, &ProofTree)> {
        self.proof.as_ref().map(|(length, tree)| (*length, tree))
    }

    /// Returns the longest refuted length: there is no mate in at most this many moves.
    pub fn refuted(&self) -> MateLength {
        self.refuted
    }

    /// Returns the answer to the task.
    pub fn into_answer(self) -> Answer {
        let answered = RaceState { stopped: None, ..self };
        let over = answered.is_over();
        Answer {
            stopped: if over { None } else { self.stopped },
            proof: answered.proof.map(|(_, tree)| tree),
            refuted: answered.refuted,
            depends_on_timing: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn race(bound: u16) -> RaceState {
        let position = Position::from_chess(&shakmaty::Chess::default());
        let attacker = position.turn();
        RaceState::new(&Task { position, attacker, bound: MateLength(bound), shortest: true, memory: 0 })
    }

    fn within(n: u16) -> Lane {
        mate_within(MateLength(n))
    }

    fn refute(n: u16) -> Lane {
        refutation_of(MateLength(n))
    }

    fn length(race: &RaceState) -> Option<MateLength> {
        race.proof().map(|(length, _)| length)
    }

    #[test]
    fn short_lengths_come_first_then_any_mate_then_shorter_ones() {
        let mut race = race(MateLength::MAX.0);
        for n in 1..=2 {
            assert_eq!(race.next_slice(0).0, refute(n));
            race.record(0, refute(n), 10, SliceResult::Refuted(MateLength(n)));
            assert_eq!(race.refuted(), MateLength(n));
        }
        assert_eq!(race.next_slice(0), (ANY_MATE, FIRST_SLICE));
        race.record(0, ANY_MATE, 5_000, SliceResult::Mate(ProofTree::of_length(9)));
        assert_eq!(length(&race), Some(MateLength(9)));
        assert_eq!(race.next_slice(0).0, within(8));
        assert_eq!(race.next_slice(1).0, refute(3));
        let known = race.proof().unwrap().1.clone();
        race.record(0, within(8), 5_000, SliceResult::Mate(ProofTree::of_length(10)));
        assert_eq!(race.proof(), Some((MateLength(9), &known)), "no shorter than before");
        race.record(1, within(3), 5_000, SliceResult::Refuted(MateLength(1)));
        assert_eq!(race.refuted(), MateLength(2), "no more than before");
        race.record(0, refute(3), 5_000, SliceResult::Refuted(MateLength(7)));
        assert_eq!(race.next_slice(0).0, refute(8), "the last open length probably has no mate");
        race.record(0, refute(8), 5_000, SliceResult::Refuted(MateLength(8)));
        assert!(race.is_over());
        let answer = race.into_answer();
        assert_eq!((answer.refuted, answer.stopped), (MateLength(8), None));
    }

    #[test]
    fn an_affordable_refutation_gets_as_much_as_the_search_for_a_shorter_mate() {
        let weight = |known: u16, costs: [u64; 4]| {
            let mut race = race(MateLength::MAX.0);
            for (n, cost) in (1..).zip(costs) {
                race.record(0, refute(n), cost, SliceResult::Refuted(MateLength(n)));
            }
            race.record(0, ANY_MATE, 100_000, SliceResult::Mate(ProofTree::of_length(known)));
            race.lanes(0).into_iter().find(|(lane, _)| *lane == refute(5)).map(|(_, weight)| weight)
        };
        // The fifth and the sixth move will take some 16,000 and 64,000 nodes; up to the tenth they would take 22
        // million.
        assert_eq!(weight(7, [10, 250, 1_000, 4_000]), Some(FULL_WEIGHT));
        assert_eq!(weight(11, [10, 250, 1_000, 4_000]), Some(EIGHTH_WEIGHT));
        // Nine times as much from move to move.
        assert_eq!(weight(8, [10, 50, 450, 4_050]), Some(EIGHTH_WEIGHT));
        assert_eq!(weight(11, [10, 10, 10, 10]), Some(FULL_WEIGHT));
    }

    #[test]
    fn shorter_lengths_are_not_searched_if_any_mate_will_do() {
        let any = RaceState { shortest: false, ..race(4) };
        assert_eq!((any.next_slice(0).0, any.next_slice(1).0), (refute(4), within(4)));
    }

    #[test]
    fn no_lane_starves() {
        for worker in 0..2 {
            let mut race = race(MateLength::MAX.0);
            race.record(0, within(2), 10, SliceResult::Refuted(MateLength(2)));
            let mut spent = std::collections::HashMap::new();
            for _ in 0..200 {
                let (lane, slice) = race.next_slice(worker);
                *spent.entry(format!("{lane:?}")).or_insert(0) += slice;
                race.record(worker, lane, slice, SliceResult::Unfinished);
            }
            let total: u64 = spent.values().sum();
            assert_eq!(spent.len(), 4);
            assert!(spent.contains_key(&format!("{ANY_MATE:?}")), "{spent:?}");
            assert!(spent.values().all(|&nodes| nodes * 16 > total), "{spent:?}");
        }
    }

    #[test]
    fn a_search_without_a_horizon_that_ends_without_an_answer_is_not_repeated() {
        let mut race = race(MateLength::MAX.0);
        race.record(0, within(2), 10, SliceResult::Refuted(MateLength(2)));
        race.record(0, ANY_MATE, 10, SliceResult::NoAnswer);
        assert!(!race.is_over());
        assert!((0..4).all(|worker| race.next_slice(worker).0 != ANY_MATE));
        let restricted = race.restricted_lane();
        assert!(race.lanes(0).iter().any(|(lane, _)| *lane == restricted));
        race.record(0, restricted, 10, SliceResult::NoAnswer);
        assert!((0..4).all(|worker| race.lanes(worker).iter().all(|(lane, _)| *lane != restricted)));
    }

    #[test]
    fn a_mate_beyond_the_bound_ends_the_lane_that_found_it() {
        let mut race = race(20);
        race.record(0, race.restricted_lane(), 10, SliceResult::Mate(ProofTree::of_length(21)));
        assert_eq!((race.restricted_closed, race.any_mate_closed, length(&race)), (true, false, None));
        race.record(0, ANY_MATE, 10, SliceResult::Mate(ProofTree::of_length(20)));
        assert_eq!(length(&race), Some(MateLength(20)));
    }

    #[test]
    fn the_restricted_lane_allows_the_king_one_flight_more() {
        let restriction = |text: &str| {
            let position = Position::from_chess(&crate::problem::fen::read(text).unwrap().chess);
            let attacker = shakmaty::Color::White;
            root_restriction(&Task { position, attacker, bound: MateLength::MAX, shortest: true, memory: 0 })
        };
        // From h8 the king can go to g7 and h7; g8 is covered.
        assert_eq!(restriction("7k/8/8/8/8/8/8/K5R1 w - -"), Restriction::Flights(2));
        assert_eq!(restriction("7k/8/8/8/8/8/8/K5R1 b - -"), Restriction::Flights(2));
        assert_eq!(restriction("7k/8/8/8/8/8/8/KR6 w - -"), Restriction::Flights(4));
    }

    #[test]
    fn a_proof_that_could_not_be_rebuilt_closes_and_starves_no_lane() {
        let mut race = race(MateLength::MAX.0);
        race.record(0, within(2), 10, SliceResult::Refuted(MateLength(2)));
        let mut turns = Vec::new();
        for _ in 0..200 {
            let (lane, slice) = race.next_slice(0);
            turns.push(lane);
            match lane {
                Lane::Prove(question) if question.moves().is_some() => race.record(0, lane, 0, SliceResult::NoAnswer),
                _ => race.record(0, lane, slice, SliceResult::Unfinished),
            }
        }
        for lane in [ANY_MATE, race.restricted_lane(), refute(3), Lane::Pvs] {
            assert!(turns.iter().filter(|&&turn| turn == lane).count() > 10, "{lane:?} of {turns:?}");
        }
        assert!(!race.is_over());
    }

    #[test]
    fn a_limit_ends_an_unanswered_race() {
        let mut race = race(3);
        race.record(0, within(3), 10, SliceResult::Stopped(StopReason::Nodes));
        assert!(race.is_over());
        assert_eq!(race.into_answer().stopped, Some(StopReason::Nodes));
    }
}
