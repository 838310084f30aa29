//! `pn`: proof-number search on a graph in memory.
//!
//! CITE: Breuker, Allis & van den Herik 1994, "Mate in 38: Applying Proof-Number Search to Chess"; Nagai 2002, "Df-pn
//! algorithm for searching AND/OR trees and its applications"; Pawlewicz & Lew 2007, "Improving depth-first PN-search:
//! 1+ε trick"; Schijf 1993, "Proof-number search and transpositions".
//!
//! Every node has a proof number and a disproof number (`numbers`). The paper's search goes from the root to the
//! **most-proving** leaf, expands it and updates its ancestors, which in a graph are many. This search works by
//! **thresholds**: it stays below a node until its numbers show that another node is more promising. So it needs no
//! lists of parents and no queue; a node learns of a change when it is visited next. In contrast to `dfpn`, which keeps
//! a table and lists the moves of a node at each visit, it stores the nodes that it has visited with their moves.
//!
//! | file | content |
//! |---|---|
//! | `store` | nodes and edges in an arena, and the index by key |
//! | `list` | the moves of a node and the numbers of its leaves |
//! | `search` | the visits |
//! | `kept` | positions made lately |
//! | `fold` | makes room in a full graph |
//! | `proof` | names the moves of a proof |
//!
//! [`PnOptions::depth_weight`] makes an attacking move harder to prove the deeper it lies, within 16 plies of the root,
//! so that first mates are shorter. New leaves get no weight when the graph is large, because then the mate is mostly a
//! long one.
//!
//! # Repetitions
//!
//! Repeating a position brings the attacker no nearer to mate, so a move back to a position on the path counts as
//! disproved. But on another path the same move may be progress:
//!
//! ```text
//!        root
//!       ╱    ╲            On the path root-A-B the move B→A is a repetition. If B has no other move, B looks
//!      A ───▶ B           disproved, and below A it is. But if B is reached from the root directly, it may go
//!      ▲      │           to A and win there: the "disproof" of B is worthless on that path.
//!      └──────┘
//! ```
//!
//! 1. *A node is proved only by what is proved already*: by mates on the board, by tables, by the facts of other
//!    searches and by proved children. So no node proves itself by a cycle, and a proof holds whatever moves led to the
//!    position. The length of a mate is larger at an OR node than at the child that proves it.
//! 2. *A move back to the path is disproved for this visit only*: the next visit reads the node's numbers again. If
//!    nothing else is left at a node, its parent takes it as disproved, also for its own visit only. The node itself
//!    stays open, and its proof number doubles, so that the search does not walk round and round
//!    (`benches/tuning/pn.md`). If nothing else is left at the root, the search has no answer. A disproof found without
//!    a horizon is never written to the shared [`Facts`].
//!
//! Within a horizon ([`crate::search::horizon`]) an open node is a position with a number of moves left, the graph has
//! no cycles, and a disproof is a fact.
//!
//! Without a horizon, the numbers of the nodes on a cycle add to each other without end, and the search would walk
//! among known nodes to reach them. So the disproof number of an OR node has a largest value (`search`); above it the
//! proof number alone decides.
//!
//! # Memory
//!
//! The graph grows within [`Task::memory`]. When it is full, the nodes below which the search has worked least become
//! leaves again (`fold`), and the search goes on. It ends with [`super::StopReason::Memory`] if that frees too little,
//! for example because nearly everything belongs to proofs.
//!
//! Rejected: other thresholds, other places for the depth weight, and other cures for cycles (`benches/tuning/pn.md`).

mod fold;
mod kept;
mod list;
mod proof;
mod search;
mod store;
#[cfg(test)]
mod tests;

use shakmaty::Color;

use crate::search::Facts;

use super::arena::Region;
use super::descend::{Finding, descend};
use super::horizon::{Horizon, NEAR_BOUND};
use super::numbers::attempt::Attempt;
use super::numbers::few_men::FewMen;
use super::numbers::order::ReplyOrder;
use super::numbers::shared::KnownMate;
use super::rebuild::rebuild;
use super::saved::SavedSearch;
use super::{Answer, Engine, Interrupted, Meter, Observer, Task};

use kept::KeptPositions;
use search::PnSearch;
use store::{Child, Edge, Node, Store};

/// The options of the engine `pn`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PnOptions {
    /// The eighths added to the proof number of a new leaf for every ply from the root, up to 16 plies: the first mates
    /// are shorter. The weight ends when the graph has 60,000 nodes: a mate of 25 moves and more is found less often if
    /// each ply of it counts. From 0 to 1000; default 1; 0 in the paper.
    pub depth_weight: u32,
}

impl Default for PnOptions {
    fn default() -> PnOptions {
        PnOptions { depth_weight: 1 }
    }
}

/// The engine `pn`. If it is called again with the same position, its graph goes on where it was interrupted.
#[derive(Debug)]
pub struct Pn<'r> {
    options: PnOptions,
    region: &'r Region,
    saved: Option<SavedSearch<PnGraph<'r>>>,
}

impl<'r> Pn<'r> {
    /// Creates an engine with these options, whose graph lies in a region.
    pub fn new(options: PnOptions, region: &'r Region) -> Pn<'r> {
        Pn { options, region, saved: None }
    }
}

impl Engine for Pn<'_> {
    fn name(&self) -> &'static str {
        "pn"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let new = |old| PnGraph::begin(old, self.region, self.options, task);
        let saved = SavedSearch::resume(self.saved.take(), task, new);
        self.saved.insert(saved).state.descend(task, meter, facts, observer)
    }
}

impl std::fmt::Debug for PnGraph<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.store)
    }
}

/// The graph of one position and one attacker.
pub(crate) struct PnGraph<'r> {
    store: Store<'r>,
    options: PnOptions,
    attacker: Color,
    order: ReplyOrder,
    kept: KeptPositions,
    /// Tables and Syzygy files for positions with few men.
    few_men: FewMen,
    /// The number of flights of the defender's king at the root.
    root_flights: u32,
    /// Whether nodes are looked up in the shared facts when they are expanded.
    reads_facts: bool,
    /// The edges of the moves that are being listed.
    listed: Vec<Edge>,
    /// The mates proved since they were last taken; no more are noted than fit into `most_mates`.
    mates: Vec<KnownMate>,
    most_mates: usize,
}

impl<'r> PnGraph<'r> {
    /// Returns an empty graph for the task's position that takes at most the task's memory. It has the slabs of the old
    /// one.
    pub(crate) fn begin(old: Option<PnGraph<'r>>, region: &'r Region, options: PnOptions, task: &Task) -> PnGraph<'r> {
        let memory = task.memory;
        PnGraph {
            store: Store::of_bytes(old.map(|graph| graph.store), region, memory),
            options,
            attacker: task.attacker(),
            order: ReplyOrder::new(),
            kept: KeptPositions::new(memory / 16),
            few_men: FewMen::default(),
            root_flights: 0,
            reads_facts: false,
            listed: Vec::new(),
            mates: Vec::new(),
            most_mates: memory / 64 / size_of::<KnownMate>(),
        }
    }

    /// Returns the same graph with tables and Syzygy files for positions of few men.
    #[must_use]
    pub(crate) fn with_few_men(mut self, few_men: FewMen) -> PnGraph<'r> {
        self.few_men = few_men;
        self
    }

    /// Looks nodes up in the shared facts from now on, when they are expanded. A proof may then rest on mates of which
    /// the graph knows no move.
    pub(crate) fn read_facts(&mut self) {
        self.reads_facts = true;
    }

    /// Returns the mates proved since the last call, for another search.
    pub(crate) fn take_mates(&mut self) -> impl Iterator<Item = KnownMate> {
        self.mates.drain(..)
    }

    /// Looks for the shortest mate of the task and refutes shorter ones. After an interruption the same call goes on
    /// where the search stopped.
    pub(crate) fn descend(
        &mut self,
        task: &Task,
        meter: &mut Meter<'_>,
        facts: &Facts,
        observer: &mut dyn Observer,
    ) -> Answer {
        let mut search = |meter: &mut Meter<'_>, horizon| self.prove(task, horizon, meter, facts);
        descend(task, NEAR_BOUND, meter, &mut search, observer)
    }

    /// Looks for a mate within `horizon` from the task's position. The task's own bound is ignored. After an
    /// interruption the same call goes on where the search stopped.
    pub(crate) fn prove(
        &mut self,
        task: &Task,
        horizon: Horizon,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<Finding, Interrupted> {
        let mut search = PnSearch::new(self, meter, facts);
        let root = search.solve(&task.position, Attempt::refutation(horizon))?;
        let node = *search.graph.store.node(root);
        if !node.numbers.is_proved() {
            return Ok(if node.numbers.is_disproved() { Finding::Refuted } else { Finding::Nothing });
        }
        search.meter.set_slice(None);
        let rebuilt = rebuild(&mut search, task.root_kind(), &task.position, node.length, None)?;
        Ok(rebuilt.map_or(Finding::Nothing, Finding::Proved))
    }

    /// Returns the node that stands for a position: a proved node whose mate lies within the horizon, or the position's
    /// own.
    #[inline]
    fn known(&self, key: u64, attempt: Attempt) -> Option<Child> {
        let serves = |node: &Node| node.numbers.is_proved() && attempt.admits(node.length);
        self.store.standing_for(key, attempt.horizon.salt(), serves)
    }
}
