//! The state of a race: its bounds, and what its lanes have done so far.
//!
//! A race has two bounds: the longest refuted length and the shortest proved one. Every **lane** is a search whose
//! answer moves one of them. Nothing here searches, counts nodes or waits; the same calls give the same results.
//! `schedule` chooses the lane that runs next.

use crate::chess::MateLength;
use crate::proof::ProofTree;
use crate::search::dfpn::Attempt;
use crate::search::horizon::Horizon;
use crate::search::{Answer, StopReason, Task};

use super::lanes::{LaneName, LaneSet};

/// The nodes of all workers without a mate after which `ladder` begins.
pub(super) const BEFORE_THE_LADDER: u64 = 1_000_000;

/// The nodes of all workers without a mate after which `corridor` gets as many as the prover in any case, and `ladder`
/// goes on if it waits.
pub(super) const LONG_WITHOUT_A_MATE: u64 = 1_000_000;

/// A search that a worker can spend a slice of nodes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// Depth-first proof-number search for this attempt.
    Prove(Attempt),
    /// Proof-number search on the graph for a mate within this horizon.
    Graph(Horizon),
    /// The prover without the defender's free pawns, which come back step by step.
    Ladder,
    /// A whole engine, which chooses its own attempts.
    Engine(LaneName),
}

impl Lane {
    /// Returns the name of the search.
    fn name(self) -> &'static str {
        let name = match self {
            TECHNIQUE => LaneName::Technique,
            Lane::Prove(_) => LaneName::Dfpn,
            Lane::Graph(_) => LaneName::Pn,
            Lane::Ladder => LaneName::Ladder,
            Lane::Engine(name) => name,
        };
        name.name()
    }
}

/// The lane that looks for a mate of any length.
pub(super) const ANY_MATE: Attempt = Attempt::mate(Horizon::NONE);

/// The lane that looks for a mate of any length by moves that lose no material.
pub(super) const TECHNIQUE: Lane = Lane::Prove(Attempt::TECHNIQUE);

/// The lane of `pn` that looks for a mate of any length.
pub(super) const ANY_ON_GRAPH: Lane = Lane::Graph(Horizon::NONE);

/// Returns the attempt for a mate in at most `n` moves.
pub(super) fn mate_within(n: MateLength) -> Attempt {
    Attempt::mate(Horizon::within(n))
}

/// Returns the attempt that refutes all mates in at most `n` moves.
pub(super) fn refutation_of(n: MateLength) -> Attempt {
    Attempt::refutation(Horizon::within(n))
}

/// Late lanes begin when the prover leaves more than the task's memory divided by this.
const LEAST_SHARE: usize = 16;

/// The first and smallest slice of a lane, in nodes.
pub(super) const FIRST_SLICE: u64 = 2_000;

/// The state of a race.
#[derive(Debug)]
pub(super) struct RaceState {
    /// The task's bound: the longest mate to look for, in moves.
    pub(super) bound: MateLength,
    /// Whether the task is to find the shortest mate and to prove that it is the shortest.
    pub(super) shortest: bool,
    /// The shortest length that a solution can have, in moves.
    pub(super) least: MateLength,
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
    /// The memory that the prover leaves for the late lanes, in bytes. They need more than `least_memory`.
    pub(super) spare_memory: usize,
    pub(super) least_memory: usize,
    /// The lane that found the shortest proved mate, and the one that found the first.
    pub(super) found_by: Option<Lane>,
    pub(super) first_found_by: Option<Lane>,
    /// The number of men at the root.
    pub(super) men: usize,
    /// The lanes that have ended without an answer and are not run again.
    pub(super) closed: Vec<Lane>,
    pub(super) spent: Vec<LaneNodes>,
    /// The nodes of all workers without a mate after which `ladder` runs.
    pub(super) before_the_ladder: u64,
    /// Whether a lane was closed because its memory was full.
    pub(super) out_of_memory: bool,
    /// The first limit that was reached.
    pub(super) stopped: Option<StopReason>,
    /// The nodes of all lanes and workers after which the race pauses for tables.
    pub(super) pause: Option<u64>,
}

/// The nodes that a worker has spent on a lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct LaneNodes {
    pub(super) worker: usize,
    pub(super) lane: Lane,
    pub(super) nodes: u64,
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
    /// The lane needs more memory than it has.
    OutOfMemory,
    /// A limit is reached.
    Stopped(StopReason),
}

impl RaceState {
    /// Returns the state at the start, when no length is proved or refuted.
    pub fn new(task: &Task, set: LaneSet, workers: usize) -> RaceState {
        RaceState {
            bound: task.bound(),
            shortest: task.shortest,
            least: task.stipulation.least(),
            refuted: None,
            refuted_at_any_length: false,
            proof: None,
            proved_at: 0,
            set,
            workers,
            spare_memory: 0,
            least_memory: task.memory / LEAST_SHARE,
            found_by: None,
            first_found_by: None,
            men: task.position.occupied().count(),
            closed: Vec::new(),
            spent: Vec::new(),
            before_the_ladder: BEFORE_THE_LADDER,
            out_of_memory: false,
            stopped: None,
            pause: None,
        }
    }

    /// Makes `ladder` wait until the race has searched for long.
    pub fn let_the_ladder_wait(&mut self) {
        self.before_the_ladder = LONG_WITHOUT_A_MATE;
    }

    /// Returns whether the task is answered, a limit is reached, every lane is closed, or tables are to be built.
    pub fn is_over(&self) -> bool {
        self.is_answered()
            || self.stopped.is_some()
            || self.is_paused()
            || (0..self.workers).all(|worker| self.lanes(worker).is_empty())
    }

    /// Returns whether the task is not answered, and tables are to be built for it.
    pub fn is_paused(&self) -> bool {
        !self.is_answered() && self.stopped.is_none() && self.pause.is_some_and(|nodes| self.nodes() >= nodes)
    }

    fn is_answered(&self) -> bool {
        match &self.proof {
            Some((length, _)) if *length <= self.bound => !self.shortest || *length <= self.shortest_open(),
            _ => self.shortest_open() > self.bound,
        }
    }

    /// Returns the longest open length, in moves: one less than the known mate, or the bound.
    pub(super) fn upper(&self) -> MateLength {
        let shorter = self.proof.as_ref().and_then(|(length, _)| length.shorter());
        shorter.unwrap_or(self.bound).min(self.bound)
    }

    /// Returns whether the known mate is longer than the task asks for.
    pub(super) fn is_too_long(&self) -> bool {
        self.proof.as_ref().is_some_and(|(length, _)| *length > self.bound)
    }

    /// Returns the nodes of all lanes and workers.
    pub(super) fn nodes(&self) -> u64 {
        self.spent.iter().map(|spent| spent.nodes).sum()
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
            SliceResult::Refuted(length) => self.refuted = self.refuted.max(Some(length)),
            SliceResult::RefutedAtAnyLength => {
                self.refuted = self.refuted.max(Some(self.bound));
                self.refuted_at_any_length = true;
            }
            SliceResult::NoAnswer => self.close(lane),
            SliceResult::Answer(answer) => self.record_answer(lane, answer),
            SliceResult::Unfinished => {}
            SliceResult::OutOfMemory => {
                self.out_of_memory = true;
                self.closed.push(lane);
            }
            SliceResult::Stopped(reason) => self.stopped = self.stopped.or(Some(reason)),
        }
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
            Some(reason) => self.stopped = self.stopped.or(Some(reason)),
        }
    }

    /// Closes a lane that has ended without an answer, if it has no horizon. A lane with a horizon stays open: its
    /// attempt may be decided the next time, by a proof that was lost or by what the refutation lane has learned
    /// meanwhile.
    fn close(&mut self, lane: Lane) {
        let open = match lane {
            Lane::Prove(attempt) => attempt.moves().is_some(),
            Lane::Graph(horizon) => horizon != Horizon::NONE,
            Lane::Ladder | Lane::Engine(_) => false,
        };
        if !open {
            self.closed.push(lane);
        }
    }

    /// Keeps a mate if it is shorter than the known one. It may be longer than the bound.
    fn shorten(&mut self, lane: Lane, tree: ProofTree) {
        let length = tree.length();
        if self.proof.as_ref().is_none_or(|(known, _)| length < *known) {
            self.proof = Some((length, Some(tree)));
            self.found_by = Some(lane);
            self.first_found_by = self.first_found_by.or(Some(lane));
            self.proved_at = self.nodes();
        }
    }

    /// Returns the shortest proved mate, with its length; `None` if it is in an answer already.
    pub fn proof(&self) -> Option<(MateLength, &ProofTree)> {
        self.proof.as_ref().and_then(|(length, tree)| Some((*length, tree.as_ref()?)))
    }

    /// Returns the longest refuted length: there is no mate in at most this many moves. `None` if nothing is refuted.
    pub fn refuted(&self) -> Option<MateLength> {
        self.refuted
    }

    /// Returns the shortest length that is not refuted, in moves.
    pub(super) fn shortest_open(&self) -> MateLength {
        self.refuted.map_or(self.least, MateLength::longer)
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
            found_by: self.found_by.map(Lane::name),
            first_found_by: self.first_found_by.map(Lane::name),
            depends_on_timing: false,
            with_tables: false,
        }
    }

    /// Prepares the state for going on after a limit, on this number of workers. `bound` and `shortest` are those of
    /// the task now. What was proved and refuted stays.
    pub fn go_on(&mut self, task: &Task, workers: usize) {
        (self.bound, self.shortest, self.workers) = (task.bound(), task.shortest, workers);
        (self.stopped, self.out_of_memory) = (None, false);
    }
}

#[cfg(test)]
impl RaceState {
    /// Returns the state at the start of a race on the initial position, with one worker.
    pub(super) fn for_test(bound: u16, set: LaneSet) -> RaceState {
        let position = crate::chess::Position::from_chess(&shakmaty::Chess::default());
        let attacker = position.turn();
        let task = Task::mate(position, attacker, MateLength(bound));
        RaceState::new(&task, set, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(bound: u16) -> RaceState {
        RaceState::for_test(bound, LaneSet::default())
    }

    const ANY: Lane = Lane::Prove(ANY_MATE);

    fn within(n: u16) -> Lane {
        Lane::Prove(mate_within(MateLength(n)))
    }

    fn refute(n: u16) -> Lane {
        Lane::Prove(refutation_of(MateLength(n)))
    }

    #[test]
    fn a_mate_beyond_the_bound_is_kept_and_is_no_answer() {
        let mut race = race(20);
        race.record(0, ANY, 10, SliceResult::Mate(crate::search::testing::tree_of_length(22)));
        assert_eq!(race.upper(), MateLength(20));
        let answer = race.answer();
        assert_eq!((answer.proof.is_some(), answer.longer.map(|tree| tree.length())), (false, Some(MateLength(22))));
        race.record(0, within(20), 10, SliceResult::Mate(crate::search::testing::tree_of_length(20)));
        race.record(0, refute(19), 10, SliceResult::Refuted(MateLength(19)));
        assert!(race.is_over());
        let answer = race.answer();
        assert_eq!((answer.proof.map(|tree| tree.length()), answer.longer.is_some()), (Some(MateLength(20)), false));
    }

    #[test]
    fn a_refuted_bound_ends_the_race_whatever_longer_mate_is_known() {
        let mut race = race(20);
        race.record(0, ANY, 10, SliceResult::Mate(crate::search::testing::tree_of_length(22)));
        race.record(0, refute(20), 10, SliceResult::Refuted(MateLength(20)));
        assert!(race.is_over());
        let answer = race.answer();
        assert_eq!((answer.stopped, answer.refuted, answer.longer.is_some()), (None, Some(MateLength(20)), true));
    }

    #[test]
    fn a_limit_ends_an_unanswered_race() {
        let mut race = race(3);
        race.record(0, within(3), 10, SliceResult::Stopped(StopReason::Nodes));
        assert!(race.is_over());
        assert_eq!(race.answer().stopped, Some(StopReason::Nodes));
    }
}
