//! An engine for many questions about the positions of one problem: it decides them exactly and keeps its table.
//!
//! It serves the parts of a divided problem. Most of them have no solution, and the searches that refute them have much
//! in common. So this engine only decides, as a report does ([`super::Decider`]), and its table outlives the question.
//! Engines on several threads can share one table.
//!
//! It decides length by length, so after a limit the answer has the lengths that are refuted.

use crate::chess::MateLength;
use crate::search::Facts;

use crate::search::dfpn::Prover;
use crate::search::{Answer, Engine, Event, Interrupted, Meter, Observer, Task};

/// The bytes that a node of a proof takes, with its replies, in the tree, while it is made and while it is checked.
/// Halved, a proof may take more than its memory; doubled, proofs are given up that would fit.
pub const BYTES_PER_PROOF_NODE: usize = 128;

/// An engine whose prover outlives the question. All questions must have the same attacker and the same goal.
#[derive(Debug)]
pub struct DeciderEngine {
    prover: Prover,
    /// The memory of the prover, in bytes.
    bytes: usize,
}

impl DeciderEngine {
    /// Returns an engine that searches with this prover, which takes at most `bytes` bytes.
    pub fn new(prover: Prover, bytes: usize) -> DeciderEngine {
        DeciderEngine { prover, bytes }
    }

    /// Returns an engine for another thread that uses the same table.
    #[must_use]
    pub fn sharing_table(&mut self) -> DeciderEngine {
        DeciderEngine { prover: self.prover.sharing_table(), bytes: self.bytes }
    }

    fn decide(
        &mut self,
        task: &Task,
        answer: &mut Answer,
        meter: &mut Meter<'_>,
        facts: &Facts,
        observer: &mut dyn Observer,
    ) -> Result<(), Interrupted> {
        let (position, kind) = (&task.position, task.root_kind());
        for n in (task.stipulation.least().0..=task.bound().0).map(MateLength) {
            if let Some(length) = self.prover.decide(position, kind, n, meter, facts)? {
                let most = task.memory.saturating_sub(self.bytes) / BYTES_PER_PROOF_NODE;
                answer.proof = self.prover.proof(position, kind, length, most, meter, facts)?;
                if let Some(tree) = &answer.proof {
                    observer.event(Event::Mate(tree), meter.count());
                }
                break;
            }
            answer.refuted = Some(n);
            observer.event(Event::Refuted(n), meter.count());
        }
        Ok(())
    }
}

impl Engine for DeciderEngine {
    fn name(&self) -> &'static str {
        "decider"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, facts: &Facts, observer: &mut dyn Observer) -> Answer {
        let mut answer = Answer::default();
        answer.stopped = self.decide(task, &mut answer, meter, facts, observer).err();
        answer.with_tables = self.prover.has_used_syzygy();
        answer
    }
}
