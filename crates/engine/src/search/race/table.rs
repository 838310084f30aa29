//! The table of a race: which search may run when, on which worker, and for which share of the nodes.
//!
//! Every row is a **lane** and one kind of question to it. Four rules decide which row a worker runs next:
//!
//! 1. The row with the fewest nodes for its share runs next.
//! 2. A row that begins counts as if it had had its share until then: it does not catch up.
//! 3. With the first mate all counts begin anew.
//! 4. Where no row of the phase may run, those of *find* run, whatever *begins*, *told*, *fewmen* and *mate* say.
//!
//! docs/engines.md prints the table. Measurements are in `benches/tuning/lanes.md`.

use std::fmt::Debug;

use crate::chess::Goal;

use LaneName::{Corridor, Dfpn, Ladder, Pn, Pvs, Technique};
use Memory::{Part, Rest, Spare};
use NotIf::{Beside, FewMen, Mate, Told, With, Without};
use On::{All, Even, Odd, Worker};

/// A search that can take part in a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LaneName {
    /// The depth-first proof-number search (`dfpn`): finds, shortens and refutes.
    Dfpn,
    /// The same search, restricted to moves of the attacker that lose no material, with proof numbers by material
    /// (`technique`): for long endings.
    Technique,
    /// The proof-number search on a graph in memory (`pn`): looks for a mate of any length.
    Pn,
    /// The principal-variation search with verified null moves (`pvs`): opens the race.
    Pvs,
    /// Lists of what restrictions of the attacker leave (`corridor`): for long mates.
    Corridor,
    /// The prover, asked first without the defender's free pawns, which are put back step by step (`ladder`): for mates
    /// that wait until these pawns have no move left.
    Ladder,
}

impl LaneName {
    /// All lanes. All take part by default.
    pub const ALL: [LaneName; 6] = [Dfpn, Technique, Pn, Pvs, Corridor, Ladder];

    /// Returns the name, as in the option `lanes`.
    pub fn name(self) -> &'static str {
        ["dfpn", "technique", "pn", "pvs", "corridor", "ladder"][self as usize]
    }

    /// Returns whether the prover, which all threads share, runs this lane.
    pub(super) fn is_of_the_prover(self) -> bool {
        matches!(self, Dfpn | Technique)
    }
}

/// A set of lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneSet(u8);

impl LaneSet {
    /// Returns the set of these lanes.
    pub fn of(lanes: &[LaneName]) -> LaneSet {
        LaneSet(lanes.iter().fold(0, |bits, &lane| bits | 1 << lane as u8))
    }

    /// Returns whether a lane takes part.
    pub fn has(self, lane: LaneName) -> bool {
        self.0 & 1 << lane as u8 != 0
    }

    /// Returns the lanes, in the order of [`LaneName::ALL`].
    pub fn iter(self) -> impl Iterator<Item = LaneName> {
        LaneName::ALL.into_iter().filter(move |lane| self.has(*lane))
    }

    /// Returns whether the prover takes part, which all threads share.
    pub(super) fn has_prover(self) -> bool {
        self.iter().any(|lane| lane.is_of_the_prover() || lane == Ladder)
    }

    /// Returns whether the lane takes part that decides every question, so that tables may end the race.
    pub(super) fn is_exact(self) -> bool {
        self.has(Dfpn)
    }

    /// Returns the lanes of the prover alone.
    pub(super) fn of_the_prover(self) -> LaneSet {
        LaneSet::of(&self.iter().filter(|lane| lane.is_of_the_prover()).collect::<Vec<_>>())
    }

    /// Returns the lanes that can search for a goal: for another goal than a direct mate only `dfpn` can.
    pub(super) fn for_goal(self, goal: Goal) -> LaneSet {
        if goal.is_mate() { self } else { LaneSet::of(&[Dfpn]) }
    }

    /// Returns the memory of a lane in bytes, of `memory` bytes for the race. `spare` is what the table of the prover
    /// will never need of its own memory. Without the prover all lanes have equal parts.
    pub(super) fn memory_of(self, lane: LaneName, memory: usize, spare: usize) -> usize {
        let fixed = |lane: LaneName| match memory_of(lane) {
            Part(divisor) => memory / divisor,
            Rest | Spare(_) => 0,
        };
        match memory_of(lane) {
            _ if !self.has_prover() => memory / self.iter().count().max(1),
            Part(_) => fixed(lane),
            Rest => memory - self.iter().map(fixed).sum::<usize>(),
            Spare(eighths) => spare / 8 * eighths,
        }
    }

    /// Returns the memory of the prover in bytes, of `memory` bytes for the race.
    pub(super) fn memory_of_prover(self, memory: usize) -> usize {
        if self.has_prover() { self.memory_of(Dfpn, memory, 0) } else { 0 }
    }
}

/// Returns the memory of a lane.
fn memory_of(lane: LaneName) -> Memory {
    TABLE.iter().find(|row| row.lane == lane).map_or(Rest, |row| row.memory)
}

impl Default for LaneSet {
    fn default() -> LaneSet {
        LaneSet::of(&LaneName::ALL)
    }
}

/// The stage of a race. Each has its own shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// One or two moves are open.
    Short,
    /// There is no mate yet.
    Find,
    /// There is a mate, and refuting all shorter lengths would take too long.
    Shorten,
    /// The shorter lengths can be refuted.
    Close,
    /// The same, and one length is open, or the mate has stood for 200,000 nodes and for many times those of its proof.
    Last,
}

/// The question that a row puts to its lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// The shortest open length: is there a mate within it?
    Next,
    /// A mate of any length; within the bound, if that is short.
    Any,
    /// A mate a little longer than the refuted lengths.
    Ahead,
    /// A mate shorter than the known one.
    Shorter,
    /// The lane chooses its questions itself.
    Own,
}

/// The workers that run a row. The first has the number 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    /// This worker, or the last one if there are fewer.
    Worker(usize),
    /// The first, the third, ….
    Odd,
    /// The second, the fourth, ….
    Even,
    All,
}

/// The memory of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Memory {
    /// The memory of the race divided by this, from the start.
    Part(usize),
    /// The memory that these parts leave: for the table of the prover.
    Rest,
    /// These eighths of what the table of the prover will never need.
    Spare(usize),
}

/// A condition under which a row does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotIf {
    /// The task asks for a length of at most [`crate::search::horizon::NEAR_BOUND`].
    Told,
    /// At most eight men are on the board.
    FewMen,
    /// A mate of at most twenty moves is known.
    Mate,
    /// This lane takes part.
    With(LaneName),
    /// This lane does not take part.
    Without(LaneName),
    /// The worker can run a row of this lane.
    Beside(LaneName),
}

/// A lane, what it is asked, and when it may run.
#[derive(Debug)]
pub(super) struct Row {
    pub lane: LaneName,
    pub asks: Asks,
    pub on: On,
    /// The nodes of the race without a mate after which the row begins.
    pub begins: u64,
    /// The shares of the nodes in the phases, in 64ths of a full share; 0: the row does not run.
    pub shares: [u64; 5],
    memory: Memory,
    pub not_if: &'static [NotIf],
    /// Why its numbers are as they are.
    why: &'static str,
}

/// A full share.
pub(super) const FULL: u64 = 64;

/// The first slice of a row with a full share, in nodes: a search that is asked for less begins anew too often. Rows
/// with a smaller share begin with less, so that they get no more than their share of the first nodes.
pub(super) const FIRST_SLICE: u64 = 2_000;

macro_rules! rows {
    ($($lane:ident $asks:ident $on:expr, $begins:literal $shares:expr, $memory:expr, $not_if:expr, $why:literal;)*) => {
        &[$(Row {
            lane: $lane, asks: Asks::$asks, on: $on, begins: $begins, shares: $shares, memory: $memory,
            not_if: &$not_if, why: $why,
        }),*]
    };
}

/// The searches of a race. A new lane needs a name, a row here, and an arm in `worker`.
pub(super) const TABLE: &[Row] = rows! {
    Pvs Next Worker(1), 0 [64, 0, 0, 0, 0], Part(64), [],
        "mates in one and two come first: they take 1 % of 10,000 nodes";
    Dfpn Next Odd, 0 [64, 0, 0, 0, 0], Rest, [Beside(Pvs)],
        "so do they where `pvs` does not open the race";
    Pn Any Worker(1), 0 [0, 64, 0, 0, 0], Part(2), [Told, Without(Dfpn)],
        "the graph finds nearly all first mates; within a told length `dfpn` finds more";
    Pn Own Worker(1), 0 [0, 64, 64, 64, 64], Part(2), [With(Dfpn)],
        "without `dfpn` the graph shortens and refutes too";
    Dfpn Any Odd, 0 [0, 64, 0, 0, 0], Rest, [Beside(Pn)],
        "in place of the graph, where it is not or has ended";
    Dfpn Shorter Odd, 0 [0, 0, 64, 32, 8], Rest, [],
        "half as much as the refutations where these can end the race, little where it has long found nothing";
    Dfpn Next Odd, 20_000 [0, 4, 8, 64, 64], Rest, [],
        "before a mate, refutations only show what more of them would take";
    Dfpn Next Even, 0 [64, 64, 64, 64, 64], Rest, [],
        "every second thread refutes";
    Dfpn Any Even, 0 [0, 16, 0, 0, 0], Rest, [],
        "threads that divide an attempt end it sooner";
    Dfpn Ahead Even, 0 [0, 8, 0, 0, 0], Rest, [],
        "the search for any mate may miss a short one";
    Corridor Own Worker(2), 80_000 [0, 64, 32, 32, 32], Spare(7), [Told, FewMen, Mate],
        "its lists need few nodes where they find anything, and make long mates shorter";
    Ladder Own Worker(2), 1_000_000 [0, 128, 0, 0, 0], Spare(1), [Told],
        "near its end it needs most nodes";
    Technique Own All, 4_000_000 [0, 64, 0, 0, 0], Rest, [Told],
        "what the others have not found by then is mostly a long ending";
    Pvs Own Worker(3), 20_000 [0, 2, 0, 0, 0], Part(64), [],
        "it finds almost no first mate, and a larger share would cost some";
};

impl On {
    /// Returns whether a worker, one of `workers`, runs the row. The first worker has the number 0 here.
    pub(super) fn includes(self, worker: usize, workers: usize) -> bool {
        match self {
            On::Worker(number) => worker + 1 == number.min(workers),
            On::Odd => worker.is_multiple_of(2),
            On::Even => worker % 2 == 1,
            On::All => true,
        }
    }
}

/// Returns the table as the page docs/engines.md prints it.
pub fn table_in_markdown() -> String {
    let columns = "lane | asks | worker | begins | short | find | shorten | close | last | memory | not if | why";
    let head = format!("| {columns} |\n{}|\n", "|---".repeat(12));
    let words = |word: &dyn Debug| format!("{word:?}").to_lowercase().replace('(', " ").replace(')', "");
    let line = |row: &Row| {
        let Row { lane, asks, on, begins, shares, memory, not_if, why } = row;
        let shares = shares.map(|share| if share == 0 { String::new() } else { share.to_string() }).join(" | ");
        let not_if = not_if.iter().map(|condition| words(condition)).collect::<Vec<_>>().join(", ");
        let (asks, on, memory) = (words(asks), words(on).replace("worker ", ""), words(memory));
        format!("| `{}` | {asks} | {on} | {begins} | {shares} | {memory} | {not_if} | {why} |\n", lane.name())
    };
    std::iter::once(head).chain(TABLE.iter().map(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_has_a_row_that_looks_for_mates() {
        for lane in LaneName::ALL {
            let finds = |row: &Row| row.lane == lane && row.shares[Phase::Find as usize] > 0;
            assert!(TABLE.iter().any(finds), "{lane:?}");
        }
        for row in TABLE {
            assert!(row.shares.iter().all(|&share| share <= 2 * FULL) && row.shares.iter().any(|&share| share > 0));
            assert!(!row.why.is_empty());
        }
    }

    #[test]
    fn every_phase_has_a_row_for_every_worker() {
        for workers in 1..=4 {
            for (worker, phase) in (0..workers).flat_map(|worker| (0..5).map(move |phase| (worker, phase))) {
                let runs = |row: &Row| row.on.includes(worker, workers) && row.shares[phase] > 0;
                assert!(TABLE.iter().any(runs), "worker {worker} of {workers} in phase {phase}");
            }
        }
    }

    #[test]
    fn the_lanes_never_take_more_memory_than_there_is() {
        for bits in 1..1 << LaneName::ALL.len() {
            let set = LaneSet(bits);
            for (memory, spare) in [(0, 0), (1, 0), (1 << 20, 77), ((1 << 28) + 5, 1 << 24)] {
                let lanes = || set.iter().filter(|lane| !lane.is_of_the_prover());
                let is_spare = |lane: &LaneName| matches!(lane, LaneName::Corridor | LaneName::Ladder);
                let sum = |lanes: &mut dyn Iterator<Item = LaneName>| {
                    lanes.map(|lane| set.memory_of(lane, memory, spare)).sum::<usize>()
                };
                if set.has_prover() {
                    let fixed = sum(&mut lanes().filter(|lane| !is_spare(lane)));
                    assert!(fixed + set.memory_of_prover(memory) <= memory, "{set:?}");
                    assert!(sum(&mut lanes().filter(is_spare)) <= spare, "{set:?}");
                } else {
                    assert!(set.memory_of_prover(memory) == 0 && sum(&mut lanes()) <= memory, "{set:?}");
                }
            }
        }
        let set = LaneSet::default();
        assert_eq!((set.memory_of(LaneName::Pvs, 6400, 0), set.memory_of(LaneName::Pn, 6400, 0)), (100, 3200));
        assert_eq!(set.memory_of_prover(6400), 3100);
    }

    #[test]
    fn a_set_has_the_lanes_it_was_made_of() {
        let set = LaneSet::of(&[LaneName::Pvs, LaneName::Pn]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [LaneName::Pn, LaneName::Pvs]);
        assert!(!set.has_prover() && LaneSet::default().has_prover());
        assert_eq!(LaneSet::of(&[]).iter().count(), 0);
        assert_eq!(LaneSet::default().of_the_prover(), LaneSet::of(&[LaneName::Dfpn, LaneName::Technique]));
    }
}
