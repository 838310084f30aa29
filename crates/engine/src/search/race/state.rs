//! The state of a race: its bounds, and what its lanes have done so far.
//!
//! A race has two bounds: the longest refuted length and the shortest proved one. Every **lane** is a search whose
//! answer may move them. Nothing here searches or waits. `schedule` chooses what runs next.

use hashbrown::HashMap;

use crate::chess::MateLength;
use crate::proof::ProofTree;
use crate::search::dfpn::Attempt;
use crate::search::horizon::Horizon;
use crate::search::{Answer, StopReason, Task};

use super::table::{FIRST_SLICE, LaneName, LaneSet};

/// The attempt at a mate of any length.
pub(super) const ANY_MATE: Attempt = Attempt::mate(Horizon::NONE);

/// A search and the question that it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lane {
    pub name: LaneName,
    /// `None`: the search chooses its questions itself.
    pub attempt: Option<Attempt>,
}

/// A worker's turn: a row of the table with its present question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    pub worker: usize,
    /// The number of the row.
    pub row: usize,
    pub lane: Lane,
}

/// The state of a race.
#[derive(Debug)]
pub(super) struct RaceState {
    /// The task, with the bound that it has now.
    pub(super) task: Task,
    /// The longest length that a search has refuted, in moves; `None` if none has.
    pub(super) refuted: Option<MateLength>,
    /// Whether mates of every length are refuted.
    pub(super) refuted_at_any_length: bool,
    /// The length of the shortest proved mate, and its proof until it is in an answer.
    pub(super) proof: Option<(MateLength, Option<ProofTree>)>,
    /// The nodes of all lanes and workers when the shortest mate was proved.
    pub(super) proved_at: u64,
    /// The lanes that take part.
    pub(super) set: LaneSet,
    /// The number of workers.
    pub(super) workers: usize,
    /// The lane that found the shortest proved mate, and the one that found the first.
    pub(super) found_by: Option<LaneName>,
    pub(super) first_found_by: Option<LaneName>,
    /// The lanes that have ended without an answer and are not run again.
    pub(super) closed: Vec<Lane>,
    /// The nodes of all lanes and workers.
    pub(super) nodes: u64,
    /// The nodes of each worker and row since its phase began, and what the row counts as having had before it began.
    pub(super) spent: HashMap<(usize, usize), u64>,
    /// The nodes for refuting each length, of all workers.
    pub(super) refuting: HashMap<MateLength, u64>,
    /// Whether a lane was closed because its memory was full.
    pub(super) out_of_memory: bool,
    /// The first limit that was reached.
    pub(super) stopped: Option<StopReason>,
    /// The nodes of all lanes and workers after which the race pauses for tables.
    pub(super) pause: Option<u64>,
}

/// The result of a slice.
#[derive(Debug)]
pub(super) enum SliceResult {
    /// A mate is proved.
    Mate(ProofTree),
    /// There is no mate in at most this many moves.
    Refuted(MateLength),
    /// There is no mate of any length.
    RefutedAtAnyLength,
    /// The search ended without an answer: its disproof is tainted, or its proof could not be rebuilt.
    NoAnswer,
    /// An engine ended, or its slice is used up.
    Answer(Answer),
    /// The slice is used up.
    Unfinished,
    /// A limit is reached.
    Stopped(StopReason),
}

impl RaceState {
    /// Returns the state at the start, when no length is proved or refuted.
    pub fn new(task: &Task, set: LaneSet, workers: usize) -> RaceState {
        RaceState {
            task: *task,
            refuted: None,
            refuted_at_any_length: false,
            proof: None,
            proved_at: 0,
            set,
            workers,
            found_by: None,
            first_found_by: None,
            closed: Vec::new(),
            nodes: 0,
            spent: HashMap::new(),
            refuting: HashMap::new(),
            out_of_memory: false,
            stopped: None,
            pause: None,
        }
    }

    /// Returns whether the task is answered, a limit is reached, every lane is closed, or tables are to be built.
    pub fn is_over(&self) -> bool {
        self.is_answered()
            || self.stopped.is_some()
            || self.is_paused()
            || (0..self.workers).all(|worker| self.rows(worker).is_empty())
    }

    /// Returns whether the task is not answered, and tables are to be built for it.
    pub fn is_paused(&self) -> bool {
        !self.is_answered() && self.stopped.is_none() && self.pause.is_some_and(|nodes| self.nodes >= nodes)
    }

    fn is_answered(&self) -> bool {
        match &self.proof {
            Some((length, _)) if *length <= self.task.bound() => !self.task.shortest || *length <= self.shortest_open(),
            _ => self.shortest_open() > self.task.bound(),
        }
    }

    /// Returns the longest open length, in moves: one less than the known mate, or the bound.
    pub(super) fn upper(&self) -> MateLength {
        let shorter = self.proof.as_ref().and_then(|(length, _)| length.shorter());
        shorter.unwrap_or(self.task.bound()).min(self.task.bound())
    }

    /// Returns whether the known mate is longer than the task asks for.
    pub(super) fn is_too_long(&self) -> bool {
        self.proof.as_ref().is_some_and(|(length, _)| *length > self.task.bound())
    }

    /// Records the result of a slice and the nodes it took.
    pub fn record(&mut self, turn: Turn, nodes: u64, result: SliceResult) {
        // A search that ends without an answer may take almost no nodes; without a minimum it would run again and
        // again.
        let least = if matches!(result, SliceResult::NoAnswer) { FIRST_SLICE } else { 1 };
        let (nodes, lane) = (nodes.max(least), turn.lane);
        self.nodes += nodes;
        *self.spent.entry((turn.worker, turn.row)).or_default() += nodes;
        if let Some(length) = lane.attempt.filter(|attempt| attempt.is_refutation()).and_then(Attempt::moves) {
            *self.refuting.entry(length).or_default() += nodes;
        }
        match result {
            SliceResult::Mate(tree) => {
                self.shorten(lane, tree);
                // `technique` and `ladder` would only find the same mate again.
                if lane.attempt.is_none() {
                    self.close(lane);
                }
            }
            SliceResult::Refuted(length) => self.refuted = self.refuted.max(Some(length)),
            SliceResult::RefutedAtAnyLength => {
                self.refuted = self.refuted.max(Some(self.task.bound()));
                self.refuted_at_any_length = true;
            }
            SliceResult::NoAnswer => self.close(lane),
            SliceResult::Answer(answer) => self.record_answer(lane, answer),
            SliceResult::Unfinished => {}
            SliceResult::Stopped(reason) => self.stop(reason),
        }
    }

    /// Records that a limit is reached.
    pub(super) fn stop(&mut self, reason: StopReason) {
        self.stopped = self.stopped.or(Some(reason));
    }

    /// Records the answer of an engine. An engine that has ended is not run again.
    fn record_answer(&mut self, lane: Lane, answer: Answer) {
        self.refuted = self.refuted.max(answer.refuted);
        self.refuted_at_any_length |= answer.refuted_at_any_length;
        if let Some(tree) = answer.proof.or(answer.longer) {
            self.shorten(lane, tree);
        }
        match answer.stopped {
            Some(StopReason::Slice) => {}
            None => self.close(lane),
            Some(StopReason::Memory) => {
                self.out_of_memory = true;
                self.close(lane);
            }
            Some(reason) => self.stop(reason),
        }
    }

    /// Closes a lane that has ended without an answer, unless it is the prover's and has a horizon: such an attempt may
    /// be decided the next time, by a proof that was lost or by what another attempt has learned meanwhile.
    fn close(&mut self, lane: Lane) {
        let has_horizon = lane.attempt.is_some_and(|attempt| attempt.moves().is_some());
        if !(lane.name.is_of_the_prover() && has_horizon) {
            self.closed.push(lane);
        }
    }

    /// Keeps a mate if it is shorter than the known one. It may be longer than the bound.
    fn shorten(&mut self, lane: Lane, tree: ProofTree) {
        let length = tree.length();
        if self.proof.as_ref().is_none_or(|(known, _)| length < *known) {
            if self.proof.is_none() {
                self.spent.clear();
                self.first_found_by = Some(lane.name);
            }
            self.proof = Some((length, Some(tree)));
            self.found_by = Some(lane.name);
            self.proved_at = self.nodes;
        }
    }

    /// Returns the shortest proved mate, with its length; `None` if it is in an answer already.
    pub fn proof(&self) -> Option<(MateLength, &ProofTree)> {
        self.proof.as_ref().and_then(|(length, tree)| Some((*length, tree.as_ref()?)))
    }

    /// Returns the shortest length that is not refuted, in moves.
    pub(super) fn shortest_open(&self) -> MateLength {
        self.refuted.map_or(self.task.stipulation.least(), MateLength::longer)
    }

    /// Returns the answer to the task. The proof of a mate is in one answer only.
    pub fn answer(&mut self) -> Answer {
        let full = self.out_of_memory.then_some(StopReason::Memory);
        let is_longer = self.is_too_long();
        let mut known = self.proof.as_mut().and_then(|(_, tree)| tree.take());
        Answer {
            stopped: if self.is_answered() { None } else { self.stopped.or(full) },
            proof: if is_longer { None } else { known.take() },
            longer: if is_longer { known } else { None },
            refuted: self.refuted,
            refuted_at_any_length: self.refuted_at_any_length,
            found_by: self.found_by.map(LaneName::name),
            first_found_by: self.first_found_by.map(LaneName::name),
            ..Answer::default()
        }
    }

    /// Prepares the state for going on after a limit, on this number of workers. What was proved and refuted stays.
    pub fn go_on(&mut self, task: &Task, workers: usize) {
        (self.task, self.workers, self.stopped, self.out_of_memory) = (*task, workers, None, false);
    }
}

#[cfg(test)]
impl RaceState {
    /// Returns the state at the start of a race on the initial position.
    pub(super) fn for_test(bound: u16, set: LaneSet, workers: usize) -> RaceState {
        let position = crate::chess::Position::from_chess(&shakmaty::Chess::default());
        let attacker = position.turn();
        let task = Task::mate(position, attacker, MateLength(bound));
        RaceState::new(&task, set, workers)
    }

    /// Records the result of an attempt of the prover on the first worker.
    pub(super) fn record_attempt(&mut self, attempt: Attempt, nodes: u64, result: SliceResult) {
        let lane = Lane { name: LaneName::Dfpn, attempt: Some(attempt) };
        let row = super::table::TABLE.iter().position(|row| row.lane == lane.name).unwrap();
        self.record(Turn { worker: 0, row, lane }, nodes, result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::tree_of_length;

    fn race(bound: u16) -> RaceState {
        RaceState::for_test(bound, LaneSet::default(), 1)
    }

    fn refute(n: u16) -> Attempt {
        Attempt::refutation(Horizon::within(MateLength(n)))
    }

    #[test]
    fn a_mate_beyond_the_bound_is_kept_and_is_no_answer() {
        let mut race = race(20);
        race.record_attempt(ANY_MATE, 10, SliceResult::Mate(tree_of_length(22)));
        assert_eq!(race.upper(), MateLength(20));
        let answer = race.answer();
        assert_eq!((answer.proof.is_some(), answer.longer.map(|tree| tree.length())), (false, Some(MateLength(22))));
        race.record_attempt(ANY_MATE, 10, SliceResult::Mate(tree_of_length(20)));
        race.record_attempt(refute(19), 10, SliceResult::Refuted(MateLength(19)));
        assert!(race.is_over());
        let answer = race.answer();
        assert_eq!((answer.proof.map(|tree| tree.length()), answer.longer.is_some()), (Some(MateLength(20)), false));
    }

    #[test]
    fn a_refuted_bound_ends_the_race_whatever_longer_mate_is_known() {
        let mut race = race(20);
        race.record_attempt(ANY_MATE, 10, SliceResult::Mate(tree_of_length(22)));
        race.record_attempt(refute(20), 10, SliceResult::Refuted(MateLength(20)));
        assert!(race.is_over());
        let answer = race.answer();
        assert_eq!((answer.stopped, answer.refuted, answer.longer.is_some()), (None, Some(MateLength(20)), true));
    }

    #[test]
    fn a_limit_ends_an_unanswered_race() {
        let mut race = race(3);
        race.record_attempt(refute(3), 10, SliceResult::Stopped(StopReason::Nodes));
        assert!(race.is_over());
        assert_eq!(race.answer().stopped, Some(StopReason::Nodes));
    }

    #[test]
    fn bounds_never_get_worse() {
        let mut race = race(MateLength::MAX.0);
        race.record_attempt(ANY_MATE, 10, SliceResult::Mate(tree_of_length(9)));
        let known = race.proof().unwrap().1.clone();
        race.record_attempt(ANY_MATE, 10, SliceResult::Mate(tree_of_length(10)));
        assert_eq!(race.proof(), Some((MateLength(9), &known)));
        race.record_attempt(refute(3), 10, SliceResult::Refuted(MateLength(3)));
        race.record_attempt(refute(2), 10, SliceResult::Refuted(MateLength(2)));
        assert_eq!(race.refuted, Some(MateLength(3)));
    }

    #[test]
    fn a_race_pauses_for_tables_unless_it_is_answered() {
        let mut race = RaceState { pause: Some(5_000), ..race(40) };
        race.record_attempt(ANY_MATE, 4_999, SliceResult::Unfinished);
        assert!(!race.is_over());
        race.record_attempt(ANY_MATE, 1, SliceResult::Unfinished);
        assert!(race.is_over() && race.is_paused() && race.answer().stopped.is_none());
        race.record_attempt(refute(40), 10, SliceResult::Refuted(MateLength(40)));
        assert!(race.is_over() && !race.is_paused());
    }
}
