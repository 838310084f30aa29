//! The order of work in one `go`.
//!
//! A GUI does not say which side mates, so there are two questions about a position: does the side to move mate, and is
//! it mated? At most one has the answer yes, and `likely` guesses which. The two questions are worked on in turn, so
//! that a wrong guess costs only a share of the nodes; with two threads or more they run at the same time. The first
//! proof closes the other question. Unless any mate will do, the nodes that are left then go into shortening the mate
//! and refuting shorter ones.
//!
//! The engines of both questions keep what they have learned, each in its share of the memory. Where a share does not
//! suffice, each question gets all the memory in its turn instead. A question for which that does not suffice either is
//! given up, with a sentence that says why.
//!
//! With `searchmoves` there are two questions about every first move instead. With several lines, a mate by the side to
//! move is followed by one question about each first move (`multipv`).
//!
//! Only the nodes of the engines count. Ranking the first moves, verifying proofs and writing lines cost no nodes.

use shakmaty::{Color, Position as _};

use crate::base::threads;
use crate::chess::{MateLength, Position};
use crate::search::{Engine, Region, Task, retro};
use crate::uci::analysis::context::{Context, SLICE_GROWTH, Slice, SliceEnd, Target};
use crate::uci::analysis::likely::LikelyAttacker;
use crate::uci::analysis::worker::{new_engine, run_alone, run_slice};
use crate::uci::analysis::{fallback, multipv};
use crate::uci::answer::root_moves::{RootMoves, Score};

/// The nodes of the first slice of the less likely question; the likely one gets a multiple.
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
    context.say_why_open();
}

/// Verifies the proofs that earlier searches have left, and records those that still hold.
fn verify_carried_proofs(context: &Context) {
    for proof in &context.job.carried {
        let index_of = |code| context.responder.read(|r: &RootMoves| r.moves.iter().position(|m| m.code == code));
        let (first, attacker) = (proof.first.map(index_of), proof.attacker);
        if first == Some(None) {
            continue;
        }
        // A proof that the options no longer allow is refused; the mate is then searched for again.
        let _ = context.verify_and_record(Target { first: first.flatten(), attacker }, &proof.tree);
    }
}

/// Records the first moves that mate at once or allow a mate in one, and that all others do not mate in one.
fn record_immediate_mates(context: &Context) {
    let moves = context.responder.read(|root_moves| root_moves.moves.clone());
    for (index, m) in moves.iter().enumerate() {
        if let Some((attacker, tree)) = fallback::immediate_mate(m) {
            let _ = context.verify_and_record(Target { first: Some(index), attacker }, &tree);
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
    let (mut previous, mut region) = (None, Region::default());
    while !context.flags.all_stopped() {
        let unproved = |r: &RootMoves| r.order().first().copied().filter(|&i| r.moves[i].score().is_none());
        let best = context.responder.read(unproved);
        let left = budget.saturating_sub(context.responder.nodes.total() - start);
        let Some(index) = best.filter(|_| best != previous && left > 0) else { return };
        previous = best;
        let slice = Slice {
            question: Target { first: Some(index), attacker: !context.turn },
            longest: MateLength(2),
            shortest: false,
            nodes: Some(left.div_ceil(4)),
        };
        run_alone(context, slice, context.slot(0, 1), &mut region);
    }
}

/// Returns whether the engines of both questions share the memory, so that each keeps what it learns from slice to
/// slice. They do not where the tables of few men fit into all of it only, because then nothing else decides the
/// question.
fn memory_is_shared(context: &Context, guess: LikelyAttacker) -> bool {
    let fits = |attacker: Color, memory: usize| {
        let position = Position::from_chess(context.job.game.chess());
        let task = Task { memory, ..Task::mate(position, attacker, context.length_limit(attacker)) };
        retro::nodes_before_tables(&task).is_some()
    };
    let needs_all = |attacker: Color| {
        let share = context.position_slot(0, 1, attacker == guess.attacker).memory;
        fits(attacker, context.slot(0, 1).memory) && !fits(attacker, share)
    };
    !(context.job.options.engine.is_default() && Color::ALL.into_iter().any(needs_all))
}

/// The end of the work on the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WorkEnd {
    /// Nothing is left to do.
    Done,
    /// The side to move mates, and the lines after several first moves are wanted.
    Lines,
    /// The proof of this attacker's mate does not count, because the other side could claim a draw.
    Drawn(Color),
    /// A share of the memory does not suffice. These questions are open, the likely attacker's first.
    Stuck([bool; 2]),
}

/// Works on both questions about the position until one is answered with a mate, then shortens that mate.
fn search_position(context: &Context) {
    let guess = LikelyAttacker::guess(&Position::from_chess(context.job.game.chess()));
    let shared = memory_is_shared(context, guess);
    let end = if shared { work_in_shares(context, guess) } else { WorkEnd::Stuck([true; 2]) };
    let end = if let WorkEnd::Stuck(open) = end { work_with_all_memory(context, guess, open) } else { end };
    if let WorkEnd::Drawn(_) = end {
        // This side mates if draws do not count, so the other side has no mate. The loser can turn the mate that was
        // found into a draw, but perhaps not the mates after other first moves.
        let why = "a mate was found that does not count, because the loser could claim a draw; with the option Rule50 \
                   false it would";
        context.give_up(why.to_owned());
    }
    if end == WorkEnd::Lines || end == WorkEnd::Drawn(context.turn) {
        multipv::run(context, false);
    }
}

/// Works with an engine for each question, which has a share of the memory and keeps what it learns.
fn work_in_shares(context: &Context, guess: LikelyAttacker) -> WorkEnd {
    let regions = [Region::default(), Region::default()];
    let mut engines = regions.each_ref().map(|region| new_engine(context, region));
    let mut open = [true; 2];
    if context.job.options.threads > 1 && context.score().is_none() {
        let ends = work_side_by_side(context, guess, &mut *engines[0]);
        open = ends.each_ref().map(|end| matches!(end, SliceEnd::Unfinished | SliceEnd::Stuck(_)));
        if ends.iter().any(|end| matches!(end, SliceEnd::Stuck(_))) {
            return WorkEnd::Stuck(open);
        }
    }
    work_in_turn(context, guess, open, &mut |slice| {
        let is_likely = slice.question.attacker == guess.attacker;
        let slot = context.position_slot(0, 1, is_likely);
        run_slice(context, slice, slot, &mut *engines[usize::from(!is_likely)])
    })
}

/// Works with an engine that has all memory, anew for each slice. What it has learned before is lost, but for the
/// facts.
fn work_with_all_memory(context: &Context, guess: LikelyAttacker, open: [bool; 2]) -> WorkEnd {
    let mut region = Region::default();
    work_in_turn(context, guess, open, &mut |slice| match run_alone(context, slice, context.slot(0, 1), &mut region) {
        SliceEnd::Stuck(why) => {
            context.give_up(why);
            SliceEnd::Answered
        }
        end => end,
    })
}

/// Works on the two questions alternately until a mate is proved, both are closed, or the search must end; then
/// shortens the mate. `open` says which questions are open, the likely attacker's first. `run` runs a slice.
fn work_in_turn(
    context: &Context,
    guess: LikelyAttacker,
    mut open: [bool; 2],
    run: &mut dyn FnMut(Slice) -> SliceEnd,
) -> WorkEnd {
    let attackers = [guess.attacker, !guess.attacker];
    let must_end = || context.is_done() || context.score().is_some();
    for round in 0.. {
        for place in 0..2 {
            if must_end() || !open[place] {
                continue;
            }
            let nodes = if open[1 - place] { slice_nodes(context, guess, round, place == 0) } else { None };
            match run(position_slice(context, attackers[place], nodes)) {
                SliceEnd::Unfinished => {}
                SliceEnd::Drawn => return WorkEnd::Drawn(attackers[place]),
                SliceEnd::Stuck(_) => return WorkEnd::Stuck(open),
                SliceEnd::Answered => open[place] = false,
            }
        }
        if must_end() || open == [false; 2] {
            break;
        }
    }
    let attacker = match context.score() {
        Some(Score::Mates(_)) if context.job.options.multi_pv > 1 => return WorkEnd::Lines,
        Some(Score::Mates(_)) => context.turn,
        Some(Score::Mated(_)) => !context.turn,
        None => return WorkEnd::Done,
    };
    if shorten_mate(context, attacker, run) { WorkEnd::Done } else { WorkEnd::Stuck([false; 2]) }
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
        question: Target { first: None, attacker },
        longest: context.length_limit(attacker),
        shortest: context.job.shortest,
        nodes,
    }
}

/// Works on both questions at the same time, on two threads: here, with this engine, on that of the likely attacker. A
/// proof of one stops the other, so both run from the start, each on a thread of its own: a pool might leave the second
/// until the first is done. The engine of the other question ends with its thread, and its facts remain.
///
/// Returns how both have ended, the likely attacker's first.
fn work_side_by_side(context: &Context, guess: LikelyAttacker, engine: &mut dyn Engine) -> [SliceEnd; 2] {
    let left = context.nodes_left();
    let work = |number: usize, engine: &mut dyn Engine| {
        let (attacker, weight) = if number == 0 { (guess.attacker, guess.weight) } else { (!guess.attacker, 1) };
        let nodes = left.map(|left| (left / (guess.weight + 1)).saturating_mul(weight).max(1));
        let slot = context.position_slot(number, 2, number == 0);
        let end = run_slice(context, position_slice(context, attacker, nodes), slot, engine);
        if matches!(end, SliceEnd::Stuck(_)) {
            // Both go on in turn.
            context.flags.stop_slot(1 - number);
        }
        end
    };
    let mut other = SliceEnd::Unfinished;
    let there = |end: &mut SliceEnd| {
        let region = Region::default();
        *end = work(1, &mut *new_engine(context, &region));
    };
    let likely = threads::beside([&mut other], there, || work(0, engine));
    [likely, other]
}

/// Looks for mates shorter than the known one, until the known one is proved shortest. Returns `false` if the memory of
/// the engine does not suffice.
fn shorten_mate(context: &Context, attacker: Color, run: &mut dyn FnMut(Slice) -> SliceEnd) -> bool {
    while !context.is_done() {
        let nodes = context.responder.nodes.total();
        let Some(shorter) = context.score().and_then(|score| MateLength(score.moves()).shorter()) else { break };
        let slice = position_slice(context, attacker, context.nodes_left());
        match run(Slice { longest: shorter.min(slice.longest), ..slice }) {
            SliceEnd::Unfinished if context.responder.nodes.total() > nodes => {}
            SliceEnd::Stuck(_) => return false,
            _ => break,
        }
    }
    true
}
