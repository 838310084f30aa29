//! The search engines, and the trait that they share.
//!
//! An [`Engine`] gets a [`Task`]: a position, and the question with its longest mate. It counts its nodes on a
//! [`Meter`], may read and write the proved bounds in [`Facts`], reports progress to an [`Observer`] and returns an
//! [`Answer`]. It does not print or end the process, and its limits of time are in the meter. Of the engines only
//! `race` runs others. "Mate" stands here for any goal that the engine can solve.
//!
//! | file | engine | from |
//! |---|---|---|
//! | `exhaustive` | full width without a table: tests compare other solvers with it | |
//! | `pvs` | principal-variation search for mates, with null moves and extensions | DUCK; David-Tabibi & Netanyahu 2002, 2008 |
//! | `pn` | proof-number search on a graph in memory, by thresholds | Breuker, Allis & van den Herik 1994 |
//! | `dfpn` | depth-first proof-number search with a table | Nagai 2002; Kishimoto & Müller 2005; Pawlewicz & Lew 2007 |
//! | `retro` | distance-to-mate tables of the men on the board, exact both ways | Thompson 1986 |
//! | `corridor` | lists what restrictions of the attacker leave, and solves the list backward: for long mates | after matetb |
//! | `papers` | `prover`, `bstar` and `selective`, the systems of other papers | |
//! | `race` | the default: several searches in turn or in parallel, by one table | |
//!
//! `help` finds the solutions of help play, where nobody resists before the last half-move: a search of its own, which
//! is no engine.
//!
//! `ladder` asks the prover of `dfpn` and `corridor` about positions with other pawns, up to the root: a lane of the
//! race. `decider` answers exact questions, such as those of a report, with the prover of `dfpn`. It cannot be chosen
//! as an engine. Its `pool` works through lists of such questions on several threads. `refuter` names the replies of a
//! refutation, for a certificate. `fortress` proves that no direct mate of any length exists, by positions that the
//! attacker cannot leave.
//!
//! Shared parts: `facts` (the shared table of bounds by position), `numbers` (proof and disproof numbers, and what else
//! `pn` and `dfpn` have in common), `horizon` (the moves left to the attacker), `descend` (shortens a first mate),
//! `claims` (the results of iterative deepening), `window` (mate lengths looked for by a principal-variation search),
//! `principal` (the core of `pvs` and `selective`), `saved` (what goes on in the next call), `mate_in_two` (exact
//! search), `learned` (killers and history), `rebuild` (builds a proof tree from a table), the tables of `retro`
//! (leaves with few men), `arena` (memory for a graph: slabs of a region, and an index), `syzygy` (tables from files),
//! `control` (limits and node counts).

pub(crate) mod arena;
pub(crate) mod claims;
mod control;
pub mod corridor;
pub mod decider;
pub mod descend;
pub mod dfpn;
pub mod exhaustive;
mod facts;
pub mod fortress;
pub mod help;
pub mod horizon;
pub(crate) mod ladder;
pub(crate) mod learned;
pub(crate) mod mate_in_two;
pub(crate) mod numbers;
pub mod papers;
pub mod pn;
pub(crate) mod principal;
pub mod pvs;
pub mod race;
pub(crate) mod rebuild;
pub mod refuter;
pub mod retro;
pub(crate) mod saved;
pub mod syzygy;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod window;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use shakmaty::Color;

use crate::chess::{MateLength, NodeKind, Position, Stipulation};
use crate::proof::ProofTree;

pub use arena::Region;
pub use control::{Control, Interrupted, Limits, Meter, StopReason};
pub(crate) use facts::Fact;
pub use facts::Facts;

/// The position that an engine searches, the mate it looks for, and its memory.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// The position at the root of the search.
    pub position: Position,
    /// The question: which side mates, and the longest mate to look for. If the defender begins, the root is an AND
    /// node.
    pub stipulation: Stipulation,
    /// Whether to go on after a first mate, until the mate found is proved to be the shortest.
    pub shortest: bool,
    /// The memory for the engine's own tables, in bytes. [`Facts`] is counted separately.
    pub memory: usize,
}

impl Task {
    /// Asks for the shortest mate by `attacker` of at most `bound` moves, without memory for an engine's own tables.
    pub fn mate(position: Position, attacker: Color, bound: MateLength) -> Task {
        let stipulation = Stipulation::mate_by(attacker, position.turn(), Some(bound));
        Task { position, stipulation, shortest: true, memory: 0 }
    }

    /// Returns the side that strives for the goal.
    pub fn attacker(&self) -> Color {
        self.stipulation.attacker(self.position.turn())
    }

    /// Returns the longest mate to look for, in moves.
    pub fn bound(&self) -> MateLength {
        self.stipulation.bound()
    }

    /// Returns the task with another longest mate, in moves.
    #[must_use]
    pub fn within(self, bound: MateLength) -> Task {
        Task { stipulation: self.stipulation.within(Some(bound)), ..self }
    }

    /// Returns the kind of the root node.
    pub fn root_kind(&self) -> NodeKind {
        self.stipulation.begins().into()
    }
}

/// The result of an engine. It may hold a proof, a refutation of shorter lengths, both, or neither.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The proof of the shortest mate found. It counts as a mate only after the checker has replayed it.
    pub proof: Option<ProofTree>,
    /// The proof of the shortest mate found, if it is longer than the task's bound. Only `race` and `corridor` go on to
    /// such mates.
    pub longer: Option<ProofTree>,
    /// The search of a race that found the mate; `None` without a mate and for other engines.
    pub found_by: Option<&'static str>,
    /// The search of a race that found the first mate, which may have been a longer one.
    pub first_found_by: Option<&'static str>,
    /// The largest length within which no mate exists, as far as the search has shown, in moves. `None` means nothing
    /// is refuted; `Some(0)` that neither does the goal stand on the board nor does the next move of the defender reach
    /// it.
    pub refuted: Option<MateLength>,
    /// Whether the refutation holds for every length, also beyond the task's bound: it came from a search without a
    /// horizon.
    pub refuted_at_any_length: bool,
    /// The reason why the engine stopped early. `None` if the task is answered.
    pub stopped: Option<StopReason>,
    /// Whether another run may find another proof, because several threads searched at the same time.
    pub depends_on_timing: bool,
    /// Whether Syzygy files have refuted positions on the way, which nobody replays ([`syzygy`]). What is refuted may
    /// then rest on them.
    pub with_tables: bool,
}

/// A result that a running search reports.
#[derive(Debug, Clone)]
pub enum Event<'a> {
    /// A mate, shorter than all mates reported before.
    Mate(&'a ProofTree),
    /// There is no mate within this length.
    Refuted(MateLength),
    /// A large distance-to-mate table is being built: that of the men `class`, such as `KBBKN`. All its mates of at
    /// most `known` moves are known.
    Building {
        /// The men, the attacker's first.
        class: &'a str,
        /// The longest mate that the table knows so far, in moves.
        known: MateLength,
    },
}

/// Receives progress from a running search. Called rarely, so it may be slow.
pub trait Observer {
    /// Receives one result. `nodes` is the number of nodes made so far.
    fn event(&mut self, event: Event<'_>, nodes: u64);

    /// Returns a counter to which a running search adds its nodes, so that others see them while it runs. `None`: there
    /// is no such counter.
    fn node_counter(&self) -> Option<Arc<AtomicU64>> {
        None
    }

    /// Returns counts into which a running search of help play writes how far it is. `None`: there are none.
    fn help_counts(&self) -> Option<Arc<HelpCounts>> {
        None
    }
}

/// How far a search of help play is. Others may read it while the search runs.
#[derive(Debug, Default)]
pub struct HelpCounts {
    /// The nodes made so far, over all searches of the problem.
    pub nodes: Arc<AtomicU64>,
    /// The parts of the present search: the first two half-moves that may lead to solutions.
    pub parts: AtomicUsize,
    /// The parts that are done.
    pub done: AtomicUsize,
    /// The solutions in the parts that are done.
    pub solutions: AtomicUsize,
    /// The final pictures listed so far, while they are being listed; else 0.
    pub pictures: AtomicUsize,
}

impl HelpCounts {
    /// Notes that a search of `parts` parts begins.
    fn begin(&self, parts: usize) {
        for (count, value) in [(&self.parts, parts), (&self.done, 0), (&self.solutions, 0), (&self.pictures, 0)] {
            count.store(value, Ordering::Relaxed);
        }
    }

    /// Notes that a part with `solutions` solutions is done.
    fn add(&self, solutions: usize) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.solutions.fetch_add(solutions, Ordering::Relaxed);
    }
}

/// An observer that ignores all events.
#[derive(Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: Event<'_>, _: u64) {}
}

/// A closure that takes the event and the number of nodes.
impl<F: FnMut(Event<'_>, u64)> Observer for F {
    fn event(&mut self, event: Event<'_>, nodes: u64) {
        self(event, nodes);
    }
}

/// A search engine for mates. One with a graph borrows a [`Region`] and stays on its thread; the others can be sent.
pub trait Engine {
    /// Returns the name of the engine, as given to `--engine`.
    fn name(&self) -> &'static str;

    /// Returns why the engine cannot search this task, as a sentence that says what to change; `None` if it can.
    fn refusal(&self, _: &Task) -> Option<String> {
        None
    }

    /// Sets the number of threads for the next call of `solve`, at least 1. Most engines search on one thread and
    /// ignore it.
    fn set_threads(&mut self, _threads: usize) {}

    /// Searches until the task is answered or a limit is reached. After a limit, some engines go on where they were if
    /// they are called again with the same task; their documentation says so. Engines call themselves once per ply, and
    /// lines can be thousands of plies long: the calling thread needs a stack of [`crate::base::threads::STACK_SIZE`]
    /// bytes.
    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer;
}
