//! `dfpn`: depth-first proof-number search over a table.
//!
//! CITE: Nagai 2002, "Df-pn algorithm for searching AND/OR trees and its applications"; Kishimoto & Müller 2005, "A
//! solution to the GHI problem for depth-first proof-number search"; Pawlewicz & Lew 2007, "Improving depth-first
//! PN-search: 1+ε trick".
//!
//! Like `pn`, the search works by thresholds. Instead of the graph it keeps one path, and a table that replaces entries
//! when it is full. Without a [`Horizon`] it looks for any mate: it finds long mates quickly, rarely the shortest.
//! Within n moves every node is a position with the attacker's moves left, and a refutation search is exact. An
//! [`Attempt`] says which. Several threads can share one table and divide an attempt (`parallel`). For other goals, a
//! mate here is the goal (`other_goals`).
//!
//! - **Repetition.** A move back to the path is disproved on this path and perhaps not on another one. Such disproofs
//!   are **tainted**, as are those of `technique`: they never become a fact, and a search that ends with one has no
//!   answer. The table keeps such a node open, mostly with twice its proof number (`lookup`). A search for a mate gives
//!   up repetitions within a horizon too; this saves far more nodes than the exact disproof is worth. A refutation
//!   search gives up nothing.
//! - **Proof by cycle** cannot happen: a node is proved only by what is proved already, from the goal upward.
//! - **Overcounting.** Where lines transpose, a sum counts a leaf once for each path. The numbers are then too large,
//!   which costs nodes but never correctness. Without a horizon `child_bounds` takes only a part of the sum at AND
//!   nodes.
//! - **Starvation.** Equal children would be visited in turn for one node each, so a threshold is a quarter above the
//!   second best child's number.
//!
//! Rejected: other leaf numbers, orders and thresholds, and sharing numbers between horizons
//! (`benches/tuning/leaves.md`, `benches/tuning/questions.md`).

mod decide;
mod hints;
mod last_moves;
mod lookup;
mod node;
mod other_goals;
mod parallel;
mod path;
mod rebuild;
mod replay;
mod search;
mod state;
mod table;
mod technique;
#[cfg(test)]
mod tests;

use shakmaty::Color;

use crate::chess::{Goal, NodeKind, Position};
use crate::proof::ProofTree;
use crate::search::Facts;

use super::descend::{Finding, descend};
use super::horizon::{Horizon, NEAR_BOUND};
use super::learned::Killers;
use super::numbers::few_men::FewMen;
use super::numbers::leaf::Taint;
use super::numbers::order::ReplyOrder;
use super::numbers::shared::{KnownMate, MIN_SHARED_WORK};
use super::rebuild::rebuild;
use super::retro::{Leaves, Material, endings};
use super::syzygy::{SyzygyFiles, SyzygyRefuter};
use super::{Answer, Engine, Interrupted, Meter, Observer, Task};

pub use super::numbers::attempt::Attempt;
pub(crate) use hints::Hints;

use node::PositionStack;
use path::Path;
use state::DfpnSearch;
use table::DfpnTable;
use technique::FactorCache;

/// The memory for proving a mate again is the task's divided by this: its search is short. Doubled, entries of long
/// proofs are replaced sooner; halved, both searches may exceed the memory.
const PROVE_AGAIN_MEMORY_DIVISOR: usize = 8;

/// The nodes for proving a mate again whose length is known. 23 of 25 such proofs took fewer than 100,000
/// (`benches/tuning/threads.md`). Halved, more main lines depend on timing; doubled, a few less, for more time.
const PROVE_AGAIN_NODES: u64 = 250_000;

/// Replaces the proof of a shortest mate by the one that a single thread finds if it knows the length.
///
/// The length that several threads prove is certain, but whose proof comes first is a matter of timing. The new proof
/// depends on the task alone: its search begins with an empty table, and its limit is a constant. If the limit is too
/// small, the answer says that its proof depends on timing.
pub(crate) fn prove_again(answer: &mut Answer, task: &Task, meter: &mut Meter<'_>) {
    let length = answer.proof.as_ref().map(ProofTree::length);
    let refuted = answer.refuted.max(task.stipulation.refuted_at_sight());
    let Some(length) = length.filter(|n| n.shorter() == refuted) else { return };
    let mut prover = Prover::new(task.memory / PROVE_AGAIN_MEMORY_DIVISOR).for_goal(task.stipulation.goal());
    meter.set_slice(Some(PROVE_AGAIN_NODES));
    let attempt = Attempt::mate(Horizon::within(length));
    if let Ok(Finding::Proved(tree)) = prover.prove(task, attempt, meter, &Facts::with_bytes(0))
        && tree.length() == length
    {
        answer.proof = Some(tree);
        answer.depends_on_timing = false;
    }
    meter.set_slice(None);
}

/// Makes attempts at one position by depth-first proof-number search, and keeps its table between them.
///
/// An interrupted search continues where it stopped when the same attempt is made again. A prover serves one attacker
/// only.
#[derive(Debug)]
pub struct Prover {
    /// Whether to read the shared facts at every node.
    reads_facts: bool,
    goal: Goal,
    table: DfpnTable,
    order: ReplyOrder,
    /// Other threads may be searching with the same table.
    shared: bool,
    few_men: FewMen,
    /// Moves that are tried first, if there are any: a caller lends them.
    pub(crate) hints: Option<Hints>,
}

impl Prover {
    /// Returns a prover whose table takes at most `bytes` bytes.
    pub fn new(bytes: usize) -> Prover {
        let (table, order) = (DfpnTable::with_bytes(bytes), ReplyOrder::new());
        Prover {
            reads_facts: false,
            goal: Goal::MATE,
            table,
            order,
            shared: false,
            few_men: FewMen::default(),
            hints: None,
        }
    }

    /// Returns a prover for the task's question that takes at most `bytes` bytes. Tables and Syzygy files know mates
    /// only. If the tables of the position itself are built soon, the prover is a small one.
    pub fn for_task(syzygy: Option<&'static SyzygyFiles>, task: &Task, bytes: usize) -> Prover {
        match (endings::memory_of_short_search(task), task.stipulation.goal()) {
            (Some(short), _) => Prover::new(short.min(bytes)),
            (None, goal) if goal.is_mate() => {
                Prover::for_men(syzygy, endings::leaves_for(&task.position, bytes), bytes)
            }
            (None, goal) => Prover::new(bytes).for_goal(goal),
        }
    }

    /// Returns a prover for a search that puts many questions about the positions of one problem, of at most `bytes`
    /// bytes.
    pub fn for_report(
        syzygy: Option<&'static SyzygyFiles>,
        position: &Position,
        attacker: Color,
        goal: Goal,
        bytes: usize,
    ) -> Prover {
        if !goal.is_mate() {
            return Prover::new(bytes).for_goal(goal);
        }
        let leaves = endings::leaves_of_all(Material::of(position, attacker), bytes);
        Prover::for_men(syzygy, leaves.or_else(|| endings::leaves_for(position, bytes)), bytes)
    }

    /// Returns a prover of at most `bytes` bytes with Syzygy files, if there are any, that refute positions of few men;
    /// and with tables for its leaves, if there are any, which leave it these bytes.
    pub(crate) fn for_men(
        syzygy: Option<&'static SyzygyFiles>,
        leaves: Option<(Leaves, usize)>,
        bytes: usize,
    ) -> Prover {
        let (leaves, left) = leaves.map_or((None, bytes), |(leaves, left)| (Some(leaves), left));
        let few_men = FewMen { leaves, syzygy: syzygy.map(SyzygyRefuter::new) };
        Prover { few_men, ..Prover::new(left) }
    }

    /// Returns the same prover for another goal. It must not have searched yet, and has no tables of few men.
    #[must_use]
    pub fn for_goal(mut self, goal: Goal) -> Prover {
        self.goal = goal;
        self
    }

    /// Returns what the attacker wants to force.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Returns whether Syzygy files have refuted a position.
    pub fn has_used_syzygy(&self) -> bool {
        self.few_men.syzygy.as_ref().is_some_and(SyzygyRefuter::has_refuted)
    }

    /// Returns what the prover knows of positions with few men.
    pub(crate) fn few_men(&self) -> FewMen {
        self.few_men.clone()
    }

    /// Returns the bytes of its memory that the prover's table will never need.
    pub(crate) fn spare_bytes(&self) -> usize {
        self.table.spare_bytes()
    }

    /// Writes mates that another search has proved into the table. A position that is entered costs no look at the
    /// shared facts then.
    pub(crate) fn learn(&mut self, mates: impl Iterator<Item = KnownMate>) {
        self.table.refresh();
        for (key, length, best) in mates {
            self.table.prove(key, length, best, MIN_SHARED_WORK);
        }
    }

    /// Reads the shared facts at every node from now on. This costs a cache miss for each and helps only while another
    /// search writes to the same facts. The search always writes its own results to them.
    pub fn read_facts(&mut self) {
        self.reads_facts = true;
    }

    /// Returns a prover for another thread that uses the same table. If both make the same attempt at the same time,
    /// they divide the work.
    #[must_use]
    pub fn sharing_table(&mut self) -> Prover {
        self.shared = true;
        let (table, few_men) = (self.table.clone(), self.few_men.clone());
        let (reads_facts, goal) = (self.reads_facts, self.goal);
        Prover { reads_facts, goal, table, order: ReplyOrder::new(), shared: true, few_men, hints: None }
    }

    /// Returns a search with this prover's tables.
    fn search<'s, 'c>(&'s mut self, meter: &'s mut Meter<'c>, facts: &'s Facts) -> DfpnSearch<'s, 'c> {
        DfpnSearch {
            reads_facts: self.reads_facts,
            goal: self.goal,
            last_attacks: Killers::default(),
            last_replies: Killers::default(),
            shared: self.shared,
            table: &mut self.table,
            order: &mut self.order,
            meter,
            facts,
            path: Path::default(),
            children: Vec::new(),
            positions: PositionStack::default(),
            keys: Vec::new(),
            factors: FactorCache::default(),
            root_flights: 0,
            few_men: &mut self.few_men,
            lost_nodes: u64::MAX,
            hints: self.hints.as_mut(),
        }
    }

    /// Makes the attempt at a node of this kind. Returns whether a mate is proved; no proof is built.
    pub(crate) fn finds_mate(
        &mut self,
        position: &Position,
        kind: NodeKind,
        attempt: Attempt,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<bool, Interrupted> {
        self.table.refresh();
        let value = self.search(meter, facts).solve(position, kind, attempt)?;
        Ok(value.numbers.is_proved())
    }

    /// Makes the attempt at the task's position. The task's own bound is ignored. When a proof is found, the
    /// meter's slice is removed so that the proof tree can be rebuilt.
    pub fn prove(
        &mut self,
        task: &Task,
        attempt: Attempt,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<Finding, Interrupted> {
        let kind = task.root_kind();
        self.table.refresh();
        let mut search = self.search(meter, facts);
        let value = search.solve(&task.position, kind, attempt)?;
        if value.numbers.is_disproved() {
            return Ok(if value.taint == Taint::None { Finding::Refuted } else { Finding::Nothing });
        }
        // A proof is built whole, but what is lost of it is searched again slice by slice, beside the other lanes.
        if search.meter.slice_left().is_some() {
            search.lost_nodes = search.meter.count() / 8 + 10_000;
        }
        search.meter.set_slice(None);
        let rebuilt = rebuild(&mut search, kind, &task.position, value.length, None)?;
        Ok(rebuilt.map_or(Finding::Nothing, Finding::Proved))
    }
}

/// The engine `dfpn`: finds a first mate without a horizon, then shorter ones, then proves that no shorter one exists.
#[derive(Debug, Default)]
pub struct Dfpn;

impl Engine for Dfpn {
    fn name(&self) -> &'static str {
        "dfpn"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let mut prover = Prover::new(task.memory).for_goal(task.stipulation.goal());
        // Most of the time goes into refutations. A mate within the horizon is found quickly even with their numbers.
        let mut search =
            |meter: &mut Meter<'_>, horizon| prover.prove(task, Attempt::refutation(horizon), meter, facts);
        descend(task, NEAR_BOUND, meter, &mut search, observer)
    }
}
