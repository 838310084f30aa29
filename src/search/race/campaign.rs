//! What is known so far, and what to search next.
//!
//! A race is a campaign on two bounds: the longest refuted length from below, the shortest proved one from above. Every
//! **lane** is a question whose answer moves one of them. Nothing here searches, counts or waits: it is bookkeeping, and
//! as deterministic as its input.

use crate::chess::MateLength;
use crate::proof::ProofTree;
use crate::search::dfpn::{self, Question, Restriction};
use crate::search::horizon::Horizon;
use crate::search::{Answer, StopReason, Task};

/// A question that a worker can spend a slice of nodes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Depth-first proof-number search.
    Prove(Question),
    /// The principal-variation search.
    Pvs,
}

/// The lane that looks for any mate.
const BOUNDLESS: Lane = Lane::Prove(Question::mate(Horizon::NONE));

/// The lane that looks for a mate within so many moves.
fn find(n: MateLength) -> Lane {
    Lane::Prove(Question::mate(Horizon::within(n)))
}

/// The lane that refutes so many moves.
fn refute(n: MateLength) -> Lane {
    Lane::Prove(Question::refutation(Horizon::within(n)))
}

/// How much of a worker's nodes a lane gets, in proportion to the others'.
type Weight = u64;

/// The lane that is expected to get on.
const MAIN: Weight = 8;
/// The other errand at the same length, or the main lane of another worker, taken part in.
const SECOND: Weight = 2;
/// A lane that gets on where the main one does not.
const SIDE: Weight = 1;

/// A refutation of all that is open is in sight if it will take at most so many times what the race has taken so far.
const IN_SIGHT: u64 = 8;
/// A refutation is expected to take at least so many times as much as that of a move less.
const LEAST_GROWTH: u64 = 2;

/// The first slice of a lane, in nodes. A slice is a quarter of what the lane has had, at least this.
const FIRST_SLICE: u64 = 2_000;

/// The state of a race.
#[derive(Debug)]
pub struct Campaign {
    bound: MateLength,
    shortest: bool,
    refuted: MateLength,
    proof: Option<(MateLength, ProofTree)>,
    /// The search without a horizon has ended without an answer.
    boundless_over: bool,
    /// What the narrow lane looks at, and whether it has ended without an answer.
    restriction: Restriction,
    narrow_over: bool,
    /// Nodes spent by worker and lane.
    spent: Vec<(usize, Lane, u64)>,
    stopped: Option<StopReason>,
}

/// What a slice has brought.
#[derive(Debug)]
pub enum News {
    /// A mate.
    Mate(ProofTree),
    /// No mate within so many moves.
    Refuted(MateLength),
    /// An end without an answer: by a repetition, or with a proof that could not be rebuilt.
    Nothing,
    /// The slice is used up.
    More,
    /// A limit is reached.
    Stopped(StopReason),
}

/// What the narrow lane looks at: one square more for the enemy king to go to than it has now. Solvers begin with the moves
/// that keep it where it is, and a key may give a flight.
fn restriction(task: &Task) -> Restriction {
    let defending = if task.position.turn() == task.attacker { task.position.pass() } else { Some(task.position) };
    Restriction::Flights(1 + defending.map_or(0, |position| position.flights().count() as u8))
}

impl Campaign {
    /// Nothing is known yet.
    pub fn new(task: &Task) -> Campaign {
        Campaign {
            bound: task.bound,
            shortest: task.shortest,
            refuted: MateLength(0),
            proof: None,
            boundless_over: false,
            restriction: restriction(task),
            narrow_over: false,
            spent: Vec::new(),
            stopped: None,
        }
    }

    /// Whether the task is answered or a limit is reached.
    pub fn is_over(&self) -> bool {
        let answered = match &self.proof {
            Some((length, _)) => !self.shortest || length.0 <= self.refuted.0 + 1,
            None => self.refuted >= self.bound,
        };
        answered || self.stopped.is_some()
    }

    /// The longest length worth asking about, in moves: one less than the known mate, or the bound.
    fn upper(&self) -> MateLength {
        let shorter = self.proof.as_ref().and_then(|(length, _)| length.shorter());
        shorter.unwrap_or(self.bound).min(self.bound)
    }

    /// The lane that looks for any mate by few of the moves.
    fn narrow(&self) -> Lane {
        Lane::Prove(Question::restricted(self.restriction))
    }

    /// The lanes of a worker, with their weights, the most important first.
    ///
    /// The first worker finds a mate, then shortens it; its second lane refutes the lengths from below, with as much as the
    /// first once they are expected to meet, and with more when only one is open: that one most probably has no mate
    /// either. The principal-variation search takes part until there is a mate (what it adds to shortening it costs in
    /// proofs), and so does the narrow lane. On several threads every second worker refutes; while there is no mate it also
    /// takes part in the boundless search, and looks a little ahead of the lower bound for a mate that the boundless search
    /// overlooks. Where any mate within a near bound will do, nothing below that bound is asked.
    fn lanes(&self, worker: usize) -> Vec<(Lane, Weight)> {
        let upper = self.upper();
        let near = self.bound <= dfpn::NEAR;
        let below = if near && !self.shortest { upper } else { MateLength(self.refuted.0 + 1) };
        let ahead = MateLength(below.0 + 2 + (worker / 2) as u16).min(upper);
        let narrow = |share| if near || self.narrow_over { Vec::new() } else { vec![(self.narrow(), share)] };
        let main = match (self.proof.is_some() || near, self.boundless_over) {
            (true, _) => find(upper),
            (false, true) => find(ahead),
            (false, false) => BOUNDLESS,
        };
        match (worker % 2, self.proof.is_some()) {
            _ if worker == 0 && below.0 <= 2 => vec![(refute(below), MAIN)],
            (0, false) if below == upper => vec![(refute(upper), MAIN), (find(upper), MAIN)],
            (0, true) if below == upper => vec![(refute(upper), MAIN), (find(upper), SECOND)],
            (0, true) => {
                let refutation = if self.refutation_is_in_sight(below, upper) { MAIN } else { SIDE };
                vec![(find(upper), MAIN), (refute(below), refutation)]
            }
            (0, false) if worker == 0 => {
                [vec![(main, MAIN), (refute(below), SIDE), (Lane::Pvs, SIDE)], narrow(SECOND)].concat()
            }
            (0, false) => vec![(main, MAIN), (refute(below), SIDE)],
            (_, false) if below == upper => vec![(find(upper), MAIN), (refute(upper), MAIN)],
            (_, false) => {
                let any = if main == BOUNDLESS { vec![(BOUNDLESS, SECOND)] } else { Vec::new() };
                [vec![(refute(below), MAIN), (find(ahead), SIDE)], any, narrow(SIDE)].concat()
            }
            (_, true) => vec![(refute(below), MAIN)],
        }
    }

    /// Whether the lengths from `below` to `upper` can be expected to be refuted soon, as the last two refutations grew.
    fn refutation_is_in_sight(&self, below: MateLength, upper: MateLength) -> bool {
        let taken = |n: u16| -> u64 {
            let lane = refute(MateLength(n));
            self.spent.iter().filter(|(_, on, _)| *on == lane).map(|entry| entry.2).sum()
        };
        let total: u64 = self.spent.iter().map(|entry| entry.2).sum();
        let mut left = total.saturating_mul(IN_SIGHT).saturating_add(taken(below.0));
        let (last, one_less) = (taken(below.0.saturating_sub(1)).max(1), taken(below.0.saturating_sub(2)).max(1));
        let mut cost = last;
        (below.0..=upper.0).all(|_| {
            cost = (cost.saturating_mul(last) / one_less).max(cost.saturating_mul(LEAST_GROWTH));
            let affordable = cost <= left;
            left = left.saturating_sub(cost);
            affordable
        })
    }

    fn spent(&self, worker: usize, lane: Lane) -> u64 {
        self.spent.iter().find(|(by, on, _)| (*by, *on) == (worker, lane)).map_or(0, |entry| entry.2)
    }

    /// The lane the worker is to go on with, and for how many nodes: the one that is furthest behind its share.
    pub fn next(&self, worker: usize) -> (Lane, u64) {
        let lanes = self.lanes(worker);
        let behind = lanes.iter().min_by_key(|(lane, weight)| self.spent(worker, *lane) * MAIN / weight);
        let lane = behind.map_or(Lane::Pvs, |(lane, _)| *lane);
        (lane, (self.spent(worker, lane) / 4).max(FIRST_SLICE))
    }

    /// Takes in what a slice of so many nodes has brought.
    pub fn learn(&mut self, worker: usize, lane: Lane, nodes: u64, news: News) {
        // What ends without an answer may cost next to no node; then its turn would come again and again.
        let least = if matches!(news, News::Nothing) { FIRST_SLICE } else { 1 };
        let nodes = nodes.max(least);
        match self.spent.iter_mut().find(|(by, on, _)| (*by, *on) == (worker, lane)) {
            Some(entry) => entry.2 += nodes,
            None => self.spent.push((worker, lane, nodes)),
        }
        match news {
            News::Mate(tree) => self.shorten(lane, tree),
            News::Refuted(length) => self.refuted = self.refuted.max(length),
            News::Nothing => self.end(lane),
            News::More => {}
            News::Stopped(reason) => self.stopped = self.stopped.or(Some(reason)),
        }
    }

    /// A lane without a horizon has nothing to add. Within a horizon the question may well be answered the next time:
    /// by the proof that was lost, or by what the refutation beside it has learned meanwhile.
    fn end(&mut self, lane: Lane) {
        self.boundless_over |= lane == BOUNDLESS;
        self.narrow_over |= lane == self.narrow();
    }

    fn shorten(&mut self, lane: Lane, tree: ProofTree) {
        let length = tree.length();
        if length > self.bound {
            self.end(lane);
        } else if self.proof.as_ref().is_none_or(|(known, _)| length < *known) {
            self.proof = Some((length, tree));
        }
    }

    /// The shortest mate known, with its length.
    pub fn proof(&self) -> Option<(MateLength, &ProofTree)> {
        self.proof.as_ref().map(|(length, tree)| (*length, tree))
    }

    /// No mate within so many moves.
    pub fn refuted(&self) -> MateLength {
        self.refuted
    }

    /// What is known at the end.
    pub fn into_answer(self) -> Answer {
        let answered = Campaign { stopped: None, ..self };
        let over = answered.is_over();
        Answer {
            stopped: if over { None } else { self.stopped },
            proof: answered.proof.map(|(_, tree)| tree),
            refuted: answered.refuted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::proof::ProofNode;

    fn campaign(bound: u16) -> Campaign {
        let position = Position::from_chess(&shakmaty::Chess::default());
        let attacker = position.turn();
        Campaign::new(&Task { position, attacker, bound: MateLength(bound), shortest: true, memory: 0 })
    }

    fn within(n: u16) -> Lane {
        find(MateLength(n))
    }

    fn refute(n: u16) -> Lane {
        super::refute(MateLength(n))
    }

    fn length(campaign: &Campaign) -> Option<MateLength> {
        campaign.proof().map(|(length, _)| length)
    }

    /// A tree of this length; the moves do not matter.
    fn tree(length: u16) -> ProofTree {
        let mut tree = ProofTree::new();
        let mut last = tree.push(ProofNode::Defend(Vec::new()));
        for n in 0..length {
            if n > 0 {
                last = tree.push(ProofNode::Defend(vec![(crate::chess::MoveCode(1), last)]));
            }
            last = tree.push(ProofNode::Attack(crate::chess::MoveCode(1), last));
        }
        tree
    }

    #[test]
    fn short_mates_come_first_then_any_then_shorter_ones() {
        let mut campaign = campaign(MateLength::MAX.0);
        for n in 1..=2 {
            assert_eq!(campaign.next(0).0, refute(n));
            campaign.learn(0, refute(n), 10, News::Refuted(MateLength(n)));
            assert_eq!(campaign.refuted(), MateLength(n));
        }
        assert_eq!(campaign.next(0), (BOUNDLESS, FIRST_SLICE));
        campaign.learn(0, BOUNDLESS, 5_000, News::Mate(tree(9)));
        assert_eq!(length(&campaign), Some(MateLength(9)));
        assert_eq!(campaign.next(0).0, within(8));
        assert_eq!(campaign.next(1).0, refute(3));
        let known = campaign.proof().unwrap().1.clone();
        campaign.learn(0, within(8), 5_000, News::Mate(tree(10)));
        assert_eq!(campaign.proof(), Some((MateLength(9), &known)), "no shorter than before");
        campaign.learn(1, within(3), 5_000, News::Refuted(MateLength(1)));
        assert_eq!(campaign.refuted(), MateLength(2), "no more than before");
        campaign.learn(0, refute(3), 5_000, News::Refuted(MateLength(7)));
        assert_eq!(campaign.next(0).0, refute(8), "the last open length most probably has no mate");
        campaign.learn(0, refute(8), 5_000, News::Refuted(MateLength(8)));
        assert!(campaign.is_over());
        let answer = campaign.into_answer();
        assert_eq!((answer.refuted, answer.stopped), (MateLength(8), None));
    }

    #[test]
    fn a_refutation_in_sight_gets_as_much_as_the_search_for_a_shorter_mate() {
        let weight = |known: u16, costs: [u64; 4]| {
            let mut campaign = campaign(MateLength::MAX.0);
            for (n, cost) in (1..).zip(costs) {
                campaign.learn(0, refute(n), cost, News::Refuted(MateLength(n)));
            }
            campaign.learn(0, BOUNDLESS, 100_000, News::Mate(tree(known)));
            campaign.lanes(0).into_iter().find(|(lane, _)| *lane == refute(5)).map(|(_, weight)| weight)
        };
        // The fifth and the sixth move will take some 16,000 and 64,000 nodes; up to the tenth they would take 22 million.
        assert_eq!(weight(7, [10, 250, 1_000, 4_000]), Some(MAIN));
        assert_eq!(weight(11, [10, 250, 1_000, 4_000]), Some(SIDE));
        // Nine times as much from move to move.
        assert_eq!(weight(8, [10, 50, 450, 4_050]), Some(SIDE));
        assert_eq!(weight(11, [10, 10, 10, 10]), Some(MAIN));
    }

    #[test]
    fn what_is_not_asked_is_not_searched() {
        let any = Campaign { shortest: false, ..campaign(4) };
        assert_eq!((any.next(0).0, any.next(1).0), (refute(4), within(4)));
    }

    #[test]
    fn no_lane_starves() {
        for worker in 0..2 {
            let mut campaign = campaign(MateLength::MAX.0);
            campaign.learn(0, within(2), 10, News::Refuted(MateLength(2)));
            let mut spent = std::collections::HashMap::new();
            for _ in 0..200 {
                let (lane, slice) = campaign.next(worker);
                *spent.entry(format!("{lane:?}")).or_insert(0) += slice;
                campaign.learn(worker, lane, slice, News::More);
            }
            let total: u64 = spent.values().sum();
            assert_eq!(spent.len(), 4);
            assert!(spent.contains_key(&format!("{BOUNDLESS:?}")), "{spent:?}");
            assert!(spent.values().all(|&nodes| nodes * 16 > total), "{spent:?}");
        }
    }

    #[test]
    fn a_boundless_search_without_an_answer_is_not_repeated() {
        let mut campaign = campaign(MateLength::MAX.0);
        campaign.learn(0, within(2), 10, News::Refuted(MateLength(2)));
        campaign.learn(0, BOUNDLESS, 10, News::Nothing);
        assert!(!campaign.is_over());
        assert!((0..4).all(|worker| campaign.next(worker).0 != BOUNDLESS));
        let narrow = campaign.narrow();
        assert!(campaign.lanes(0).iter().any(|(lane, _)| *lane == narrow));
        campaign.learn(0, narrow, 10, News::Nothing);
        assert!((0..4).all(|worker| campaign.lanes(worker).iter().all(|(lane, _)| *lane != narrow)));
    }

    #[test]
    fn a_mate_beyond_the_bound_ends_the_lane_that_found_it() {
        let mut campaign = campaign(20);
        campaign.learn(0, campaign.narrow(), 10, News::Mate(tree(21)));
        assert_eq!((campaign.narrow_over, campaign.boundless_over, length(&campaign)), (true, false, None));
        campaign.learn(0, BOUNDLESS, 10, News::Mate(tree(20)));
        assert_eq!(length(&campaign), Some(MateLength(20)));
    }

    #[test]
    fn the_narrow_lane_lets_the_king_have_one_flight_more() {
        let restriction = |text: &str| {
            let position = Position::from_chess(&crate::problem::fen::read(text).unwrap().chess);
            let attacker = shakmaty::Color::White;
            restriction(&Task { position, attacker, bound: MateLength::MAX, shortest: true, memory: 0 })
        };
        // From h8 the king can go to g7 and h7; g8 is covered.
        assert_eq!(restriction("7k/8/8/8/8/8/8/K5R1 w - -"), Restriction::Flights(2));
        assert_eq!(restriction("7k/8/8/8/8/8/8/K5R1 b - -"), Restriction::Flights(2));
        assert_eq!(restriction("7k/8/8/8/8/8/8/KR6 w - -"), Restriction::Flights(4));
    }

    #[test]
    fn a_proof_that_could_not_be_rebuilt_ends_no_lane_and_starves_none() {
        let mut campaign = campaign(MateLength::MAX.0);
        campaign.learn(0, within(2), 10, News::Refuted(MateLength(2)));
        let mut turns = Vec::new();
        for _ in 0..200 {
            let (lane, slice) = campaign.next(0);
            turns.push(lane);
            match lane {
                Lane::Prove(question) if question.moves().is_some() => campaign.learn(0, lane, 0, News::Nothing),
                _ => campaign.learn(0, lane, slice, News::More),
            }
        }
        for lane in [BOUNDLESS, campaign.narrow(), refute(3), Lane::Pvs] {
            assert!(turns.iter().filter(|&&turn| turn == lane).count() > 10, "{lane:?} of {turns:?}");
        }
        assert!(!campaign.is_over());
    }

    #[test]
    fn a_limit_ends_a_race_that_is_not_answered() {
        let mut campaign = campaign(3);
        campaign.learn(0, within(3), 10, News::Stopped(StopReason::Nodes));
        assert!(campaign.is_over());
        assert_eq!(campaign.into_answer().stopped, Some(StopReason::Nodes));
    }
}
