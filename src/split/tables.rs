//! Solves parts in a batch, with a table that is kept from part to part.
//!
//! All parts of a problem ask about the same attacker and the same goal, so what is found for one holds for all. One
//! table serves all jobs of the batch. If parts of another problem follow, it is replaced.
//!
//! A reply that refutes a first move decides this move. The other replies to it that come later are then not solved:
//! their result says so. Two runs may solve different ones, because each knows only its own results.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use shakmaty::{Color, Position as _};

use crate::chess::{Goal, Position};
use crate::problem::{Problem, Question};
use crate::results::Solution;
use crate::results::solution::Status;
use crate::search::Observer;
use crate::search::decider::engine::DeciderEngine;
use crate::search::dfpn::Prover;
use crate::solve::{EngineOf, Request, solve_by};

use super::PartOf;

/// The share of the memory that the table gets; the proofs get the rest.
const TABLE_SHARE: (usize, usize) = (3, 4);

/// The table of the problem whose parts were solved last.
#[derive(Debug)]
pub(crate) struct Tables {
    /// The number of parts that are solved at the same time.
    jobs: usize,
    kept: Mutex<Option<Kept>>,
}

#[derive(Debug)]
struct Kept {
    /// A part of the problem.
    of: PartOf,
    /// The side that strives for the goal, and the goal, of every part.
    aim: (Color, Goal),
    /// The engines that no job uses. They share one table.
    idle: Vec<DeciderEngine>,
    /// The positions with the defender to move that a reply refutes, by the moves to them.
    refuted: Vec<Vec<String>>,
}

impl Tables {
    /// Returns no table yet, for a batch that solves `jobs` problems at the same time.
    pub(crate) fn new(jobs: usize) -> Tables {
        Tables { jobs, kept: Mutex::new(None) }
    }

    /// Returns the operation of a part that this request asks about as it stands; `None` if the problem is no part, or
    /// the request has a question or an engine of its own.
    pub(crate) fn part(problem: &Problem, request: &Request) -> Option<PartOf> {
        let stated = problem.question.stipulation;
        let as_it_stands =
            request.engine.is_default() && problem.question == Question::of(stated, problem.chess.turn());
        PartOf::read(problem).filter(|_| as_it_stands && !stated.is_helped())
    }

    /// Solves a part.
    pub(crate) fn solve(
        &self,
        problem: &Problem,
        of: &PartOf,
        request: &Request,
        stop: &AtomicBool,
        observer: &mut (dyn Observer + Send),
    ) -> Solution {
        let Some(mut engine) = self.take(problem, of, request) else {
            let mut solution = Solution::of(problem);
            solution.warnings.push("not needed: another reply refutes the move before it".to_owned());
            return solution;
        };
        let solution = solve_by(problem, request, EngineOf::Caller(&mut engine), stop, observer).solution;
        let mut kept = self.kept();
        if let Some(kept) = kept.as_mut().filter(|kept| kept.serves(problem, of) && !solution.internal_failure) {
            kept.idle.push(engine);
            let is_refuted = matches!(solution.result.status, Status::NoMate | Status::NoSolution | Status::Stalemate);
            if is_refuted && !problem.question.stipulation.defender_begins() {
                kept.refuted.push(of.parent().to_vec());
            }
        }
        solution
    }

    /// Takes an engine with the table of the part's problem; `None` if the part is not needed.
    fn take(&self, problem: &Problem, of: &PartOf, request: &Request) -> Option<DeciderEngine> {
        let mut kept = self.kept();
        // An engine that broke down does not come back.
        kept.take_if(|kept| !kept.serves(problem, of) || kept.idle.is_empty());
        let kept = kept.get_or_insert_with(|| Kept::new(problem, of, request, self.jobs));
        let is_needed =
            problem.question.stipulation.defender_begins() || kept.refuted.iter().all(|it| it != of.parent());
        if is_needed { kept.idle.pop() } else { None }
    }

    fn kept(&self) -> MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn new(problem: &Problem, of: &PartOf, request: &Request, jobs: usize) -> Kept {
        let bytes = request.limits.hash / TABLE_SHARE.1 * TABLE_SHARE.0;
        let position = Position::from_chess(&problem.chess);
        let aim = (problem.attacker(), problem.question.stipulation.goal());
        let prover = Prover::for_report(request.limits.syzygy, &position, aim.0, aim.1, bytes);
        let mut first = DeciderEngine::new(prover, bytes);
        // A prover that shares its table makes more nodes, so one that is alone does not share it.
        let others: Vec<DeciderEngine> = (1..jobs).map(|_| first.sharing_table()).collect();
        Kept { of: of.clone(), aim, idle: std::iter::once(first).chain(others).collect(), refuted: Vec::new() }
    }

    /// Returns whether the table holds for this part. The line of a part may say anything, so its aim is compared too.
    fn serves(&self, problem: &Problem, of: &PartOf) -> bool {
        self.of.is_of_the_same(of) && self.aim == (problem.attacker(), problem.question.stipulation.goal())
    }
}
