//! `exhaustive`: a full-width search without any refinement, slow and simple. Tests compare other solvers with it.
//!
//! It has no table and no move ordering, and leaves out only what a move that decides a node makes needless: it is the
//! definition of "mate in n", and of every other goal that one side can force ([`Goal`]), written as a program. Lengths
//! are tried upwards, so the first proof is a shortest one and all smaller lengths are refuted.

use crate::chess::{Goal, MateLength, NodeKind, Position, rules};
use crate::proof::{NodeId, ProofNode, ProofTree};
use crate::search::Facts;

use super::{Answer, Engine, Event, Interrupted, Meter, Observer, Task};

/// The engine `exhaustive`. It has no state.
#[derive(Debug, Default)]
pub struct Exhaustive;

impl Engine for Exhaustive {
    fn name(&self) -> &'static str {
        "exhaustive"
    }

    fn solve(&mut self, task: &Task, meter: &mut Meter<'_>, _: &Facts, observer: &mut dyn Observer) -> Answer {
        let mut answer = Answer::default();
        let goal = task.stipulation.goal();
        let first = u16::from(task.root_kind() == NodeKind::Or && !goal.is_self());
        for n in first..=task.bound().0 {
            let mut tree = ProofTree::new();
            let proved = match task.root_kind() {
                NodeKind::Or => attack(&task.position, goal, n, meter, &mut tree),
                NodeKind::And => defend(&task.position, goal, n, meter, &mut tree),
            };
            match proved {
                Ok(Some(_)) => {
                    observer.event(Event::Mate(&tree), meter.count());
                    answer.proof = Some(tree);
                    return answer;
                }
                Ok(None) => {
                    answer.refuted = Some(MateLength(n));
                    observer.event(Event::Refuted(MateLength(n)), meter.count());
                }
                Err(reason) => {
                    answer.stopped = Some(reason);
                    return answer;
                }
            }
        }
        answer
    }
}

/// Searches an OR node for a move that reaches the goal within `n` moves. Returns the root of its proof in `tree`.
fn attack(
    position: &Position,
    goal: Goal,
    n: u16,
    meter: &mut Meter<'_>,
    tree: &mut ProofTree,
) -> Result<Option<NodeId>, Interrupted> {
    if let Some(reached) = rules::over(goal, position, NodeKind::Or) {
        return Ok(reached.then(|| tree.push(ProofNode::End(goal.end))));
    }
    if n == 0 {
        return Ok(None);
    }
    for &m in &position.legal_moves() {
        meter.node()?;
        if let Some(child) = defend(&position.play(m), goal, n - 1, meter, tree)? {
            return Ok(Some(tree.push(ProofNode::Attack(m.code(), child))));
        }
    }
    Ok(None)
}

/// Searches an AND node. Returns the root of a proof in `tree` if the goal stands on the board or is reached within `n`
/// moves of the attacker after every reply.
fn defend(
    position: &Position,
    goal: Goal,
    n: u16,
    meter: &mut Meter<'_>,
    tree: &mut ProofTree,
) -> Result<Option<NodeId>, Interrupted> {
    if let Some(reached) = rules::over(goal, position, NodeKind::And) {
        return Ok(reached.then(|| tree.push(ProofNode::End(goal.end))));
    }
    if n == 0 && !goal.is_self() {
        return Ok(None);
    }
    let moves = rules::replies(goal, position);
    let mut replies = Vec::with_capacity(moves.len());
    for &m in &moves {
        meter.node()?;
        match attack(&position.play(m), goal, n, meter, tree)? {
            Some(child) => replies.push((m.code(), child)),
            None => return Ok(None),
        }
    }
    Ok(Some(tree.push(ProofNode::Defend(replies))))
}
