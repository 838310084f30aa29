//! A diagram that stands after the key, if the key fails: the defences that refute it, and whether the wrong side is to
//! move.
//!
//! A diagram before the key, or one with the wrong side to move, is the usual reason for the failure. So up to two
//! other questions are put with a small limit, and a solution is named only after the checker has replayed its proof.

use shakmaty::{Chess, Color};

use crate::chess::{self, MateLength, Move, NodeKind, Position, rules};
use crate::proof::check_exclusive;
use crate::search::decider::Decider;
use crate::search::dfpn::Prover;
use crate::search::{Control, Facts, Interrupted, Meter};

use super::first_moves::{Diagram, FirstMoves};
use super::plays::{PlayKind, PlayRoot};
use super::progress::Workers;

/// The limit of each question about the other side, in nodes.
const NODES: u64 = 200_000;
/// The memory for these questions, in bytes.
const MEMORY: usize = 4 << 20;
/// The largest proof that answers such a question, in nodes.
const MAX_PROOF: usize = 20_000;

/// The defences that refute the key, and the play after the others.
#[derive(Debug)]
pub(super) struct Refuted {
    pub refutations: Vec<Move>,
    pub root: PlayRoot,
}

/// Finds all defences after which there is no mate in time. `None` if the key does not fail, if no length is
/// stipulated, or if a limit was reached. `kind` is that of the play after the other defences.
pub(super) fn refuted(
    diagram: &Diagram<'_>,
    first_moves: &FirstMoves,
    moves: Option<MateLength>,
    kind: PlayKind,
    workers: &mut Workers<'_, '_>,
) -> Option<Refuted> {
    let has_moves = |n: MateLength| n > MateLength(0) || diagram.goal().is_self();
    let left = moves.filter(|&n| has_moves(n) && first_moves.refuted_through >= Some(n))?;
    let all = |decider: &mut Decider<'_, '_>, root: &Position| decider.refutations(root, left, usize::MAX);
    let refutations = workers.map(&[diagram.root], all).pop()???;
    Some(Refuted { refutations, root: PlayRoot { position: diagram.root, left, kind } })
}

/// Returns a line after a refutation, with the position before each move: the attacker's moves that leave the fewest
/// defences, each with a defence; or the move by which he must mate. `left` is the number of moves that he has.
pub(super) fn line(
    decider: &mut Decider<'_, '_>,
    after: &Position,
    mut left: MateLength,
) -> Result<Vec<(Position, Move)>, Interrupted> {
    let (mut line, mut position) = (Vec::new(), *after);
    let goal = decider.goal();
    while let Some(rest) = left.shorter() {
        if rules::must_end(goal, &position, NodeKind::Or) {
            line.extend(position.mate_in_one().map(|m| (position, m)));
            break;
        }
        let mut best: Option<(Move, Position, Vec<Move>)> = None;
        for &m in &position.legal_moves() {
            let next = decider.play(&position, m)?;
            let most = best.as_ref().map_or(usize::MAX, |(.., defences)| defences.len() - 1);
            let defences = match rest {
                MateLength(0) if !goal.is_self() => Some(next.legal_moves().into_iter().collect()),
                rest => decider.refutations(&next, rest, most)?,
            };
            let better = defences.filter(|found: &Vec<Move>| !found.is_empty() && found.len() <= most);
            best = better.map(|found| (m, next, found)).or(best);
        }
        // Without a move, or if each of them stalemates, the line ends.
        let Some((m, next, defences)) = best else { break };
        line.extend([(position, m), (next, defences[0])]);
        position = decider.play(&next, defences[0])?;
        left = rest;
    }
    Ok(line)
}

/// Returns a sentence about the side to move if the diagram seems to stand before the key, or if the other side should
/// be to move. `left` is the number of moves that the attacker has left after the key.
pub(super) fn wrong_side(diagram: &Diagram<'_>, left: MateLength, control: &Control<'_>) -> Option<String> {
    let turn = diagram.root.turn();
    let (mover, other) = (name(turn), name(!turn));
    let goal = diagram.goal();
    let question = if goal.is_mate() {
        format!("{mover} is to move here, so the question is whether {mover} is mated")
    } else {
        format!("{mover} is to move here, so the question is whether {other} forces {}", goal.with_article())
    };
    let passed = || {
        let (root, chess) = (diagram.root.pass()?, chess::passed(diagram.chess)?);
        proved_length(diagram, &root, &chess, NodeKind::And, left, control)
    };
    if let Some(n) = passed() {
        let letter = turn.fold_wb('b', 'w');
        let answer = if goal.is_mate() { format!("{other} is mated") } else { format!("{mover} forces it") };
        return Some(format!("{question}; with {other} to move, {answer} in {n}: write {letter} for the side to move"));
    }
    let n = proved_length(diagram, &diagram.root, diagram.chess, NodeKind::Or, left.longer(), control)?;
    let answer = if goal.is_mate() { "mates" } else { "forces it" };
    Some(format!(
        "{question}; but {mover} {answer} in {n}: if the diagram stands before the key, do not ask for post-key play"
    ))
}

/// Returns the length of a solution by the side to move in the diagram, if one within `n` moves is proved and checked.
fn proved_length(
    diagram: &Diagram<'_>,
    position: &Position,
    chess: &Chess,
    kind: NodeKind,
    n: MateLength,
    control: &Control<'_>,
) -> Option<MateLength> {
    let (facts, goal) = (Facts::with_bytes(0), diagram.goal());
    if rules::over(goal, position, kind).is_some() {
        return None;
    }
    let prover = Prover::new(MEMORY).for_goal(goal);
    let mut decider = Decider::new(prover, &facts, Meter::new(control));
    decider.set_slice(Some(NODES));
    let tree = decider.prove(position, kind, n, MAX_PROOF).ok()??;
    let proof = check_exclusive(chess, diagram.root.turn(), goal, tree, diagram.exclusive).ok()?;
    (proof.length() <= n && proof.length() > MateLength(0)).then_some(proof.length())
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}
