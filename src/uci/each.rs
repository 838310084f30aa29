//! The questions asked of every first move: for `searchmoves`, for several lines, and where the best mate is a draw.
//!
//! After each first move there are the same two questions as in the position itself, with the other side to move. They
//! are asked in rounds with growing slices. A question is closed when its answer can no longer matter:
//!
//! - *does this move mate?* when it does and nothing shorter is left, or when it does not within the length of the k-th
//!   best mate that is known;
//! - *is one mated after this move?* when some move mates, or when it is answered.
//!
//! When all are closed the k best lines are exact. Until then each shows the length that is proved for it, or that
//! nothing is. What is learned after one move helps after the others: they share the tables of facts.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::chess::MateLength;
use crate::solve::STACK_SIZE;

use super::ask::{End, Lane, Question};
use super::search::{GROWTH, Search};
use super::standing::{Score, Standing};

/// Nodes of the first slice of each question.
const FIRST_SLICE: u64 = 2_000;

impl Search {
    /// Works on all first moves; asks of them also whether they lose, if `losing` is set.
    pub(super) fn each_move(&self, losing: bool) {
        let moves = self.desk.standing(Standing::order);
        let mut open: Vec<Question> = moves.iter().map(|&i| Question { first: Some(i), attacker: self.turn }).collect();
        if losing {
            open.extend(moves.iter().map(|&i| Question { first: Some(i), attacker: !self.turn }));
        }
        let mut slice = FIRST_SLICE;
        loop {
            open.retain(|&question| self.length_to_ask(question).is_some());
            if open.is_empty() || self.is_done() {
                return;
            }
            let count = open.len() as u64;
            let share = match self.left() {
                _ if count == 1 => None,
                Some(left) if left < (GROWTH + 1) * slice * count => Some(left.div_ceil(count)),
                _ => Some(slice),
            };
            open = self.round(&open, share);
            slice *= GROWTH;
        }
    }

    /// A slice for each question, on all threads; gives those that are still open.
    fn round(&self, questions: &[Question], share: Option<u64>) -> Vec<Question> {
        let threads = self.job.options.threads.min(questions.len());
        let next = AtomicUsize::new(0);
        let open = Mutex::new(vec![false; questions.len()]);
        let work = |lane: Lane| {
            while let Some((at, &question)) =
                Some(next.fetch_add(1, SeqCst)).and_then(|at| Some((at, questions.get(at)?)))
            {
                let still_open = self.slice(question, share, lane);
                open.lock().unwrap_or_else(PoisonError::into_inner)[at] = still_open;
            }
        };
        thread::scope(|scope| {
            for number in 1..threads {
                let lane = self.lane(number, threads);
                // With fewer threads it takes longer, no more.
                let _ = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, move || work(lane));
            }
            work(self.lane(0, threads));
        });
        let open = open.into_inner().unwrap_or_else(PoisonError::into_inner);
        questions.iter().zip(open).filter(|&(_, open)| open).map(|(&question, _)| question).collect()
    }

    /// Works on one question; false when that was the last time.
    fn slice(&self, question: Question, share: Option<u64>, lane: Lane) -> bool {
        if self.is_done() {
            return true;
        }
        let Some(length) = self.length_to_ask(question) else { return false };
        let task = (length, self.job.shortest);
        self.ask(question, task, lane, share) == End::Limit
    }

    /// The longest mate that would be news for the question, in the terms of its task; `None` if none would.
    fn length_to_ask(&self, question: Question) -> Option<MateLength> {
        self.desk.standing(|standing| {
            if question.attacker == self.turn {
                self.mate_to_look_for(standing, question.first?)
            } else {
                self.loss_to_look_for(standing, question.first?)
            }
        })
    }

    fn mate_to_look_for(&self, standing: &Standing, index: usize) -> Option<MateLength> {
        let m = &standing.moves[index];
        let worst_shown = standing.mate_number(self.job.options.multi_pv.min(standing.moves.len()));
        let most = match (m.score(), worst_shown) {
            (Some(Score::Mated(_)), _) => return None,
            (Some(Score::Mates(_)), _) | (_, Some(_)) if !self.job.shortest => return None,
            (Some(Score::Mates(n)), worst) if worst.is_none_or(|worst| n <= worst) => n - 1,
            (_, Some(worst)) => worst - 1,
            (_, None) => self.job.bounds.0.0,
        };
        // The first move is one of the mate's; that it does not mate at once is known.
        (most > m.no_mate.0 && most > 1).then(|| MateLength(most - 1))
    }

    fn loss_to_look_for(&self, standing: &Standing, index: usize) -> Option<MateLength> {
        let m = &standing.moves[index];
        let most = match (m.score(), standing.score()) {
            (Some(Score::Mates(_)), _) | (_, Some(Score::Mates(_))) => return None,
            (Some(Score::Mated(_)), _) if !self.job.shortest => return None,
            (Some(Score::Mated(n)), _) => n - 1,
            (None, _) => self.job.bounds.1.0,
        };
        // One move that does not lose is enough for the position not to be lost.
        let known = if self.job.options.multi_pv > 1 { m.not_mated } else { standing.not_mated() };
        (most > m.not_mated.0 && self.job.bounds.1 > known).then_some(MateLength(most))
    }
}
