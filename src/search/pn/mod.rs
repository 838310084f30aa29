//! Proof-number search over a graph that is kept in memory.
//!
//! CITE: Breuker, Allis & van den Herik 1994, "Mate in 38: Applying Proof-Number Search to Chess".
//!
//! Every node carries the least number of leaves that must be proved to prove it, and the least number that must be
//! disproved to disprove it ([`crate::search::numbers`]). From the root one goes to a child with the same proof number
//! at OR nodes and the same disproof number at AND nodes; the leaf this leads to is the **most-proving node**: it belongs
//! to a smallest set of leaves that would prove the root and to a smallest one that would disprove it. It is expanded, its
//! children are evaluated, its ancestors are updated, and the search starts again from the root. The search knows
//! nothing of chess but its rules: what guides it is the mobility left to the defender.
//!
//! # Two kinds of graph
//!
//! In **tree** mode (the paper's) every sequence of moves has its own node. In **DAG** mode every position has one,
//! with all the moves that lead to it; all ancestors, along every one of them, are updated (Schijf 1993).
//!
//! # Repetitions
//!
//! Repeating a position brings the attacker no nearer to a mate, so a move back to a position on the path counts as
//! disproved. But on another path the same move may be a step forward:
//!
//! ```text
//!        root
//!       ╱    ╲            On the path root-A-B the move B→A is a repetition. B, with nothing else to try, looks
//!      A ───▶ B           disproved; so it is, below A. Reached from the root directly, B may go to A and win there:
//!      ▲      │           B's "disproof" is worth nothing on that path.
//!      └──────┘
//! ```
//!
//! Two rules keep such half-truths out of every answer.
//!
//! 1. *A node is proved only by children that are already proved.* Proofs are therefore made from the checkmates upward
//!    (a least fixed point); no node proves itself by way of a cycle, and a proof needs no history.
//! 2. *A disproof that leaned on a repetition is* **tainted**, and so is every disproof that leaned on it. An edge that
//!    closes a cycle leads to a node of its own, [`crate::search::arena::REPETITION`], and never to the stored position.
//!    If the root is disproved and tainted, the search says nothing about it; disproofs without horizon are never
//!    published.
//!
//! Within a horizon (below) the graph has no cycles, nothing is tainted and every disproof is a fact.
//!
//! # Lengths
//!
//! Proof numbers do not know how long a mate is; mates in 114 where there is one in 4 are in the paper. Once a mate in L
//! is proved, and if the task asks for the shortest, the search continues with a horizon of L − 1 moves, on nodes that
//! are keyed by position *and* moves left, until a mate is refuted or a limit is reached. Proofs found before stay in
//! the graph and answer wherever they are short enough. If the bound of the task is at most [`NEAR`] moves the search
//! has that horizon from the start; if a search without horizon ends tainted, horizons of 1, 2, 3 … moves decide.
//!
//! The paper's other cure is to start leaf numbers higher the deeper the leaf lies. [`PnOptions::depth_weight`] is added
//! to the proof number once for every ply between root and leaf, at the moment the leaf is made: a shared node keeps the
//! weight of the level it was first met at, for a weight that changed with the path would make its numbers depend on it.
//!
//! # Memory
//!
//! [`crate::search::arena`] keeps to [`Task::memory`]. When it is full, solved subtrees and whatever else can no longer
//! change the answer are freed; when that frees less than an eighth, untouched leaves are forgotten, which costs making
//! them again but changes no number. Only when that too frees less than an eighth, the search ends with
//! [`super::StopReason::Memory`].
//!
//! # What it costs to get it wrong
//!
//! A proof by cycle would be a mate that does not exist: the checker would refuse it and the program stop. A stored
//! repetition would be a mate denied, and nobody would notice.

mod proof;
mod search;
#[cfg(test)]
mod tests;
mod update;

use crate::chess::MateLength;
use crate::proof::Facts;

use super::arena::Region;
use super::descend::{Finding, HorizonSearch, descend};
use super::horizon::Horizon;
use super::{Answer, Engine, Interrupted, Meter, Observer, Task};

use search::PnSearch;

/// Whether a position is one node however it is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Graph {
    /// Every sequence of moves has a node of its own: the paper's plain form.
    Tree,
    /// One node per position, with several parents.
    #[default]
    Dag,
}

/// The numbers a leaf starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Init {
    /// (1, n) at OR nodes and (n, 1) at AND nodes with n legal moves: what the leaf would have after its expansion.
    #[default]
    Mobility,
    /// (1, 1): what proof-number search does in games where counting moves costs more than it tells.
    Unit,
}

/// What can be varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PnOptions {
    /// Tree or DAG. Default: DAG.
    pub graph: Graph,
    /// The numbers of a new leaf. Default: mobility.
    pub init: Init,
    /// Added to a new leaf's proof number for every ply from the root. 0 (the paper) to 1000; default 0.
    pub depth_weight: u32,
    /// Look for a mate in one whenever an OR node is made. Default: true; the paper's plain form is false.
    pub mate_in_one: bool,
}

impl Default for PnOptions {
    fn default() -> PnOptions {
        PnOptions { graph: Graph::Dag, init: Init::Mobility, depth_weight: 0, mate_in_one: true }
    }
}

impl PnOptions {
    /// PROVER as the paper describes it.
    pub const PAPER: PnOptions =
        PnOptions { graph: Graph::Tree, init: Init::Mobility, depth_weight: 0, mate_in_one: false };
}

/// A task bounded by at most so many moves is searched with that horizon from the start.
pub const NEAR: MateLength = MateLength(30);

/// The engine. It keeps nothing from one task to the next.
#[derive(Debug, Default)]
pub struct Pn {
    options: PnOptions,
}

impl Pn {
    /// An engine with these options.
    pub fn new(options: PnOptions) -> Pn {
        Pn { options }
    }
}

impl Engine for Pn {
    fn name(&self) -> &'static str {
        "pn"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let region = Region::default();
        let mut search = PnSearch::new(&region, self.options, task, meter, facts);
        descend(task, NEAR, &mut search, observer)
    }
}

impl HorizonSearch for PnSearch<'_, '_> {
    fn search(&mut self, task: &Task, horizon: Horizon) -> Result<Finding, Interrupted> {
        self.prove(&task.position, horizon)
    }

    fn meter(&self) -> &Meter<'_> {
        self.meter
    }
}
