//! `pn`: best-first proof-number search on a graph in memory.
//!
//! CITE: Breuker, Allis & van den Herik 1994, "Mate in 38: Applying Proof-Number Search to Chess".
//!
//! Every node has a proof number and a disproof number (`numbers`). From the root the search goes to a
//! child with the same proof number at OR nodes, and to one with the same disproof number at AND nodes. The leaf that
//! it reaches is the **most-proving node**: it belongs to a smallest set of leaves that proves the root, and to a
//! smallest set that disproves it. The leaf is expanded, its children are evaluated, its ancestors are updated, and the
//! selection starts again. The search uses no knowledge beyond the rules of chess: the defender's mobility guides it.
//!
//! In **tree** mode, the paper's, every sequence of moves has its own node. In **DAG** mode every position has one
//! node, however it is reached, and an update goes to all its ancestors (Schijf 1993).
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
//! Two rules keep such disproofs out of the answers.
//!
//! 1. *A node is proved only by children that are already proved.* Proofs grow from the checkmates upwards (a least
//!    fixed point), so no node proves itself by a cycle, and a proof holds whatever moves led to the position.
//! 2. *A disproof that depends on a repetition is* **tainted**, and so is every disproof that depends on a tainted one.
//!    An edge that closes a cycle leads to a special node, `arena::REPETITION`, and never to the stored position. If
//!    the root is disproved and tainted, the search has no answer. A disproof found without a horizon is never written
//!    to the shared [`Facts`].
//!
//! Within a horizon ([`crate::search::horizon`]) the graph has no cycles, no node is tainted and every disproof is a
//! fact.
//!
//! If a proof used a cycle, the checker would refuse the mate and the program would stop. If a repetition were stored
//! as a fact, a mate would be denied, and no check would notice.
//!
//! # Shortest mates
//!
//! Proof numbers say nothing about the length of a mate. After a mate in L the search continues with a horizon of L − 1
//! moves ([`crate::search::descend`]), and proofs found before stay in the graph. The paper's other method makes deep
//! leaves look harder: [`PnOptions::depth_weight`] is added to a leaf's proof number once for every ply from the root,
//! when the leaf is made. A shared node keeps the weight of its first path, so that its numbers do not change with the
//! path.
//!
//! # Memory
//!
//! The graph (`arena`) stays within [`Task::memory`]. When it is full, nodes that cannot change the answer are freed.
//! If this frees less than an eighth, leaves are removed too; they can be made again. If this also frees less than an
//! eighth, the search ends with [`super::StopReason::Memory`]. `benches/tuning/pn.md` compares the options.

mod graph;
mod options;
mod proof;
mod search;
#[cfg(test)]
mod tests;
mod update;

use crate::chess::MateLength;
use crate::search::Facts;

use super::arena::Region;
use super::descend::{Finding, HorizonSearch, descend};
use super::horizon::Horizon;
use super::{Answer, Engine, Interrupted, Meter, Observer, Task};

pub(crate) use graph::PnGraph;
pub use options::{Graph, Init, PnOptions};

use search::PnSearch;

/// A task whose bound is at most this many moves is searched within that bound from the start.
const NEAR_BOUND: MateLength = MateLength(30);

/// The engine `pn`. It keeps no state from one task to the next.
#[derive(Debug, Default)]
pub struct Pn {
    options: PnOptions,
}

impl Pn {
    /// Creates an engine with these options.
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
        let mut graph = PnGraph::new(&region, self.options, task.attacker(), task.memory);
        descend(task, NEAR_BOUND, &mut PnSearch { graph: &mut graph, meter, facts }, observer)
    }
}

impl PnGraph<'_> {
    /// Looks for a mate within `horizon` from the task's position. The task's own bound is ignored. After an
    /// interruption the same call goes on where the search stopped.
    pub(crate) fn prove(
        &mut self,
        task: &Task,
        horizon: Horizon,
        meter: &mut Meter<'_>,
        facts: &Facts,
    ) -> Result<Finding, Interrupted> {
        PnSearch { graph: self, meter, facts }.prove(&task.position, horizon)
    }
}

impl HorizonSearch for PnSearch<'_, '_, '_> {
    fn search(&mut self, task: &Task, horizon: Horizon) -> Result<Finding, Interrupted> {
        self.prove(&task.position, horizon)
    }

    fn meter(&self) -> &Meter<'_> {
        self.meter
    }
}
