//! Works on the questions about every first move. Used for `searchmoves`, for several lines, and when the mate that was
//! found could be turned into a draw.
//!
//! After each first move there are the same two questions as in the position itself. They are worked on in rounds of
//! growing slices. A question is closed when its answer can no longer change the shown lines:
//!
//! - *does this move mate?* is closed when the shortest mate after it is known, or when it does not mate within the
//!   length of the k-th fastest known mate, where k is the number of lines;
//! - *is the side to move mated after this move?* is closed when some move mates, or when it is answered.
//!
//! When all questions are closed, the k best lines are exact. Until then each line shows the proved length of its move,
//! if there is one. The searches share the tables of facts, so what is learned after one move helps after the others.

use crate::base::threads;
use crate::chess::MateLength;
use crate::solve::first_moves::Wanted;
use crate::uci::answer::root_moves::{RootMove, RootMoves, Score};

use super::context::Context;
use super::question::{RootQuestion, SLICE_GROWTH, Slice, SliceEnd, WorkerSlot};
use super::worker::run_slice;

/// The nodes of the first slice of each question.
const FIRST_SLICE: u64 = 2_000;

/// Works on the questions about all first moves until all are closed or the search must end.
///
/// With `include_losses` this includes the questions whether the side to move is mated after each move.
pub(super) fn run(context: &Context, include_losses: bool) {
    let moves = context.responder.read(RootMoves::order);
    let questions = |attacker| moves.iter().map(move |&index| RootQuestion::after_move(index, attacker));
    let mut open: Vec<RootQuestion> = questions(context.turn).collect();
    if include_losses {
        open.extend(questions(!context.turn));
    }
    let mut slice_nodes = FIRST_SLICE;
    loop {
        open.retain(|&question| useful_length(context, question).is_some());
        if open.is_empty() || context.is_done() {
            return;
        }
        let count = open.len() as u64;
        let nodes = match context.nodes_left() {
            _ if count == 1 => None,
            // Too few nodes for another round after this one: divide all that are left.
            Some(left) if left < (SLICE_GROWTH + 1) * slice_nodes * count => Some(left.div_ceil(count)),
            _ => Some(slice_nodes),
        };
        open = run_round(context, &open, nodes);
        slice_nodes *= SLICE_GROWTH;
    }
}

/// Works one slice on each question, on all threads. Returns the questions that are still open.
fn run_round(context: &Context, questions: &[RootQuestion], nodes: Option<u64>) -> Vec<RootQuestion> {
    let threads = context.job.options.threads.min(questions.len());
    let mut slots: Vec<WorkerSlot> = (0..threads).map(|number| context.slot(number, threads)).collect();
    let open = threads::share(&mut slots, questions, |slot, &question| work_on(context, question, nodes, *slot));
    questions.iter().zip(open).filter(|&(_, open)| open).map(|(&question, _)| question).collect()
}

/// Works one slice on a question. Returns whether the question is still open.
fn work_on(context: &Context, question: RootQuestion, nodes: Option<u64>, slot: WorkerSlot) -> bool {
    if context.is_done() {
        return true;
    }
    let Some(longest) = useful_length(context, question) else { return false };
    let slice = Slice { question, longest, shortest: context.job.shortest, nodes };
    run_slice(context, slice, slot) == SliceEnd::Unfinished
}

/// Returns the longest mate that would change the shown lines, in moves after the first move; `None` if none would.
fn useful_length(context: &Context, question: RootQuestion) -> Option<MateLength> {
    let index = question.first?;
    context.responder.read(|root_moves| {
        if question.attacker == context.turn {
            useful_mate(context, root_moves, index)
        } else {
            useful_loss(context, root_moves, index)
        }
    })
}

/// Returns the longest useful mate by the side to move after its move `index`.
fn useful_mate(context: &Context, root_moves: &RootMoves, index: usize) -> Option<MateLength> {
    let m = &root_moves.moves[index];
    let lines = context.job.options.multi_pv.min(root_moves.moves.len());
    let worst_shown = root_moves.kth_mate_length(lines);
    let mate_of = |m: &RootMove| match m.score() {
        Some(Score::Mates(n)) => Some(MateLength(n)),
        _ => None,
    };
    let is_lost = matches!(m.score(), Some(Score::Mated(_)));
    if is_lost || (!context.job.shortest && (mate_of(m).is_some() || worst_shown.is_some())) {
        return None;
    }
    let wanted = Wanted { bound: context.job.limits.mating, shortest: true, best: Some(lines) };
    let longest = wanted.useful(m.no_mate, mate_of(m), root_moves.moves.iter().filter_map(mate_of))?;
    // The first move is itself a move of the mate, and mates in one are known already.
    longest.shorter().filter(|&rest| rest > MateLength(0))
}

/// Returns the longest useful mate against the side to move after its move `index`.
fn useful_loss(context: &Context, root_moves: &RootMoves, index: usize) -> Option<MateLength> {
    let m = &root_moves.moves[index];
    let limit = context.job.limits.mated;
    let longest = match (m.score(), root_moves.score()) {
        (Some(Score::Mates(_)), _) | (_, Some(Score::Mates(_))) => return None,
        (Some(Score::Mated(_)), _) if !context.job.shortest => return None,
        (Some(Score::Mated(n)), _) => n - 1,
        (None, _) => limit.0,
    };
    // With one line, one move that does not lose is enough: the position is then not lost.
    let refuted = if context.job.options.multi_pv > 1 { m.not_mated } else { root_moves.not_mated() };
    (longest > m.not_mated.0 && limit > refuted).then_some(MateLength(longest))
}
