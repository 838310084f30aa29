//! The order of work in one `go`.
//!
//! A GUI does not say which side mates, so there are two questions about a position: does the side to move mate, and is
//! it mated? At most one has the answer yes, and `likely_attacker` guesses which. The two questions are worked on in
//! turn, so that a wrong guess costs only a share of the nodes; with two threads they run at the same time. The first
//! proof closes the other question. All nodes that are left then go into shortening the mate and refuting shorter ones.
//!
//! With `searchmoves` or several lines, there are two questions about every first move instead; see `multipv`.
//!
//! Only the nodes of the engines count. Ranking the first moves, verifying proofs and writing lines cost no nodes.

use shakmaty::{Color, Position as _};

use crate::base::threads;
use crate::chess::{MateLength, Position};
use crate::uci::answer::root_moves::{RootMoves, Score};

use super::context::Context;
use super::likely_attacker::LikelyAttacker;
use super::target::{SLICE_GROWTH, Slice, SliceEnd, Target};
use super::worker::run_slice;
use super::{fallback, multipv};

/// The nodes of the first slice without a node limit.
const FIRST_SLICE: u64 = 10_000;
/// The most nodes for finding a move that does not allow a mate in two.
const BLUNDER_NODES: u64 = 20_000;

/// Searches until the answer cannot be improved, the nodes are used up, or the search is stopped.
pub(crate) fn run(context: &Context) {
    if context.responder.read(|root_moves| root_moves.moves.is_empty()) {
        return;
    }
    verify_carried_proofs(context);
    record_immediate_mates(context);
    context.responder.print_first_lines();
    if context.is_done() {
        return;
    }
    skip_blunders(context);
    if context.job.restricted {
        multipv::run(context, true);
    } else {
        search_position(context);
    }
}

/// Verifies the proofs that earlier searches have left, and records those that still hold.
fn verify_carried_proofs(context: &Context) {
    for proof in &context.job.carried {
        let index_of = |code| context.responder.read(|r: &RootMoves| r.moves.iter().position(|m| m.code == code));
        let question = match proof.first.map(index_of) {
            None => Target::whole_position(proof.attacker),
            Some(Some(index)) => Target::after_move(index, proof.attacker),
            Some(None) => continue,
        };
        // A proof that the options no longer allow is refused; the mate is then searched for again.
        let _ = context.verify_and_record(question, &proof.tree);
    }
}

/// Records the first moves that mate at once or allow a mate in one, and that all others do not mate in one.
fn record_immediate_mates(context: &Context) {
    let moves = context.responder.read(|root_moves| root_moves.moves.clone());
    for (index, m) in moves.iter().enumerate() {
        if let Some((attacker, tree)) = fallback::immediate_mate(m) {
            let _ = context.verify_and_record(Target::after_move(index, attacker), &tree);
        }
        let refuted = MateLength(u16::from(!m.after.is_checkmate()));
        context.responder.update(|root_moves| root_moves.moves[index].no_mate = refuted);
    }
}

/// Looks for a mate in two against the best-ranked move, and moves on to the next move if there is one.
///
/// So the fallback move does not allow a mate in two, as far as the nodes suffice.
fn skip_blunders(context: &Context) {
    let budget = context.nodes_left().map_or(BLUNDER_NODES, |left| (left / 40).min(BLUNDER_NODES));
    let start = context.responder.nodes.total();
    let mut previous = None;
    while !context.flags.all_stopped() {
        let unproved = |r: &RootMoves| r.order().first().copied().filter(|&i| r.moves[i].score().is_none());
        let best = context.responder.read(unproved);
        let left = budget.saturating_sub(context.responder.nodes.total() - start);
        let Some(index) = best.filter(|_| best != previous && left > 0) else { return };
        previous = best;
        let slice = Slice {
            question: Target::after_move(index, !context.turn),
            longest: MateLength(2),
            shortest: false,
            nodes: Some(left.div_ceil(4)),
        };
        run_slice(context, slice, context.slot(0, 1));
    }
}

/// Works on both questions about the position until one is answered with a mate, then shortens that mate.
fn search_position(context: &Context) {
    let guess = LikelyAttacker::guess(&Position::from_chess(context.job.game.chess()));
    let mut open = [true; 2];
    if context.job.options.threads > 1 && context.score().is_none() {
        open = work_side_by_side(context, guess);
    }
    if let Some(attacker) = work_in_turn(context, guess, open) {
        // This side mates if draws do not count, so the other side has no mate. The loser can turn the mate that was
        // found into a draw, but perhaps not the mates after other first moves.
        if attacker == context.turn {
            context.drop_engines();
            multipv::run(context, false);
        }
        return;
    }
    match context.score() {
        Some(Score::Mates(_)) if context.job.options.multi_pv > 1 => {
            context.drop_engines();
            multipv::run(context, false);
        }
        Some(Score::Mates(_)) => shorten_mate(context, guess, context.turn),
        Some(Score::Mated(_)) => shorten_mate(context, guess, !context.turn),
        None => {}
    }
}

/// Works on the two questions alternately until a mate is proved, both are closed, or the search must end.
///
/// `open` says which questions are open, the likely attacker's first. Returns the attacker of a proof that was refused
/// because the other side could claim a draw; `None` if there was no such proof.
fn work_in_turn(context: &Context, guess: LikelyAttacker, mut open: [bool; 2]) -> Option<Color> {
    let attackers = [guess.attacker, !guess.attacker];
    let must_end = || context.is_done() || context.score().is_some();
    for round in 0.. {
        for place in 0..2 {
            if must_end() || !open[place] {
                continue;
            }
            let nodes = if open[1 - place] { slice_nodes(context, guess, round, place == 0) } else { None };
            let slot = context.position_slot(0, 1, place == 0);
            let end = run_slice(context, position_slice(context, attackers[place], nodes), slot);
            open[place] = end == SliceEnd::Unfinished;
            if end == SliceEnd::Drawn {
                return Some(attackers[place]);
            }
        }
        if must_end() || open == [false; 2] {
            break;
        }
    }
    None
}

/// Returns the nodes of a slice while both questions are open; `None` for all nodes that are left.
///
/// `round` counts from 0; `likely` marks the likely attacker's question. The slices grow from round to round. If too
/// few nodes are left for another round, the likely question gets them all.
fn slice_nodes(context: &Context, guess: LikelyAttacker, round: u32, likely: bool) -> Option<u64> {
    let nodes = |weight: u64| FIRST_SLICE.saturating_mul(weight).saturating_mul(SLICE_GROWTH.saturating_pow(round));
    let wanted = nodes(if likely { guess.weight } else { 1 });
    let enough = nodes(guess.weight.saturating_add(1));
    (!likely || context.nodes_left().is_none_or(|left| left > enough)).then_some(wanted)
}

/// Returns a slice for the question whether `attacker` mates in the position.
fn position_slice(context: &Context, attacker: Color, nodes: Option<u64>) -> Slice {
    Slice {
        question: Target::whole_position(attacker),
        longest: context.length_limit(attacker),
        shortest: context.job.shortest,
        nodes,
    }
}

/// Works on both questions at the same time, on two threads. A proof of one stops the other.
///
/// Returns which questions are still open, the likely attacker's first.
fn work_side_by_side(context: &Context, guess: LikelyAttacker) -> [bool; 2] {
    let left = context.nodes_left();
    let mut sides = [(guess.attacker, 0, true), (!guess.attacker, 1, true)];
    threads::crew(&mut sides, |(attacker, number, open)| {
        let weight = if *attacker == guess.attacker { guess.weight } else { 1 };
        let nodes = left.map(|left| (left / (guess.weight + 1)).saturating_mul(weight).max(1));
        let slice = position_slice(context, *attacker, nodes);
        let slot = context.position_slot(*number, 2, *number == 0);
        *open = run_slice(context, slice, slot) == SliceEnd::Unfinished;
    });
    sides.map(|(_, _, open)| open)
}

/// Looks for mates shorter than the known one, until the known one is proved shortest.
fn shorten_mate(context: &Context, guess: LikelyAttacker, attacker: Color) {
    let likely = attacker == guess.attacker;
    while !context.is_done() {
        let before = context.responder.nodes.total();
        let Some(shorter) = context.score().and_then(|score| MateLength(score.moves()).shorter()) else { return };
        let slice = position_slice(context, attacker, context.nodes_left());
        let slice = Slice { longest: shorter.min(slice.longest), ..slice };
        let end = run_slice(context, slice, context.position_slot(0, 1, likely));
        if end != SliceEnd::Unfinished || context.responder.nodes.total() == before {
            return;
        }
    }
}
