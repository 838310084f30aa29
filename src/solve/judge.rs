//! Checks an engine's answer and turns it into an outcome.
//!
//! The checker replays the claimed proof, the refutation is compared with it, and an answer that contradicts itself is
//! refused as a whole.

use shakmaty::Position as _;

use crate::chess::{Duty, End, Goal, MateLength};
use crate::problem::Problem;
use crate::proof::{Bounds, ProofNode, ProofTree, Verified, VerifiedFlag, check_exclusive};
use crate::results::SidedStipulation;
use crate::results::solution::{Outcome, Status};
use crate::search::Answer;

/// An outcome with the proof it rests on, or the reason why the engine's answer is refused.
pub(super) type Judgement = Result<(Outcome, Option<Verified>), String>;

/// Returns the answer for a position in which the side to move has no legal move; `None` if it has one.
pub(super) fn game_over(problem: &Problem, question: SidedStipulation) -> Option<Judgement> {
    let end = End::of_chess(&problem.chess)?;
    let turn = problem.chess.turn();
    let mut goal = question.stipulation.goal();
    let mut attacker = question.attacker;
    if goal.is_mate() && end == End::Mate {
        // The side to move is mated, also if the question names it as the attacker.
        attacker = !turn;
    }
    let reached = goal.end == end && goal.of.color(attacker) == turn && !goal.exact;
    if reached {
        goal.duty = Duty::None;
        let mut tree = ProofTree::new();
        tree.push(ProofNode::End(end));
        let judgement = outcome_of_proof(problem, tree, attacker, goal, None);
        let repeatable = |(outcome, proof)| (Outcome { pv_repeatable: Some(true), ..outcome }, proof);
        return Some(judgement.map(repeatable));
    }
    let status = match end {
        End::Stalemate if goal.is_mate() => Status::Stalemate,
        _ => Status::NoSolution,
    };
    Some(Ok((Outcome { no_mate_at_all: true, ..Outcome::bare(status) }, None)))
}

/// Returns the flag of a helpmate in 0 moves: set, if the checker agrees that the side to move is mated.
pub(super) fn mated(problem: &Problem) -> Option<VerifiedFlag> {
    let mut tree = ProofTree::new();
    tree.push(ProofNode::End(End::Mate));
    let proof = check_exclusive(&problem.chess, !problem.chess.turn(), Goal::MATE, tree, &problem.exclusive);
    proof.ok().map(|proof| VerifiedFlag::by(&proof))
}

/// Checks an engine's answer.
pub(super) fn judge(problem: &Problem, asked: SidedStipulation, answer: Answer) -> Judgement {
    let goal = asked.stipulation.goal();
    let refuted = answer.refuted.max(asked.stipulation.refuted_at_sight());
    let fits = |length| length == asked.bound() || !goal.exact && length < asked.bound();
    if let Some(tree) = answer.proof.filter(|proof| fits(proof.length())) {
        return outcome_of_proof(problem, tree, asked.attacker, goal, refuted);
    }
    let none = none_of(goal);
    let status = if refuted >= Some(asked.bound()) { none } else { Status::Undecided };
    let no_mate_at_all = status == none && answer.refuted_at_any_length;
    let longer = answer.longer.map(|tree| outcome_of_proof(problem, tree, asked.attacker, goal, refuted));
    let longer_mate = longer.transpose()?.map(|(outcome, _)| Box::new(outcome));
    let refuted_through = refuted.map(|n| n.0);
    let outcome = Outcome { refuted_through, no_mate_at_all, longer_mate, ..Outcome::bare(status) };
    Ok((outcome, None))
}

/// Returns the status that says that the goal is not forced within the stated length.
pub(super) fn none_of(goal: Goal) -> Status {
    if goal.is_mate() { Status::NoMate } else { Status::NoSolution }
}

/// Replays a claimed proof and compares it with the refuted length.
fn outcome_of_proof(
    problem: &Problem,
    tree: ProofTree,
    attacker: shakmaty::Color,
    goal: Goal,
    refuted: Option<MateLength>,
) -> Judgement {
    let proof = check_exclusive(&problem.chess, attacker, goal, tree, &problem.exclusive)
        .map_err(|error| format!("its proof of a mate does not hold ({error})"))?;
    let bounds = Bounds::new(refuted, Some(proof.length()));
    if !bounds.is_consistent() {
        return Err(format!("it proved and refuted a mate in {}", proof.length()));
    }
    let outcome = Outcome::of_proof(&proof, bounds).ok_or("its main line does not end in the goal")?;
    Ok((outcome, Some(proof)))
}
