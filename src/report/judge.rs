//! Decides the verdict of a report from the keys that were found, the stipulated length, and the keys that the composer
//! intended.

use shakmaty::{Chess, Position as _, san::SanPlus};

use crate::chess::notation::code;
use crate::chess::{Duty, End, Goal, MateLength, Move, Position, Stipulation, rules};
use crate::problem::Problem;
use crate::proof::{ProofNode, ProofTree, VerifiedFlag, check};
use crate::results::report::{Key, Ply, Report, Soundness, Verdict};
use crate::results::solution::Status;

use super::first_moves::FirstMoves;

/// Returns the legal moves that the problem's line names as keys (`bm Rh6;`); `None` if it names none.
pub(crate) fn named_keys(problem: &Problem, chess: &Chess) -> Option<Vec<Move>> {
    let operation =
        problem.operations.iter().find(|operation| operation.code == "bm" && !operation.first().starts_with('#'))?;
    let position = Position::from_chess(chess);
    let named = operation.operands.iter().filter_map(|operand| {
        let san: SanPlus = operand.text.parse().ok()?;
        let m = san.san.to_move(chess).ok()?;
        position.find_move(code(m))
    });
    let named: Vec<Move> = named.collect();
    (!named.is_empty()).then_some(named)
}

/// Returns the verdict on a diagram in which the side to move has no legal move; `None` if it has one.
pub(super) fn game_over(chess: &Chess, asked: Stipulation) -> Option<Verdict> {
    let (end, mut goal) = (End::of_chess(chess)?, asked.goal());
    // Nobody has a duty where nobody can move.
    goal.duty = Duty::None;
    let attacker = match end {
        // A mate of the side to move is stated, whichever side was to mate.
        End::Mate if goal.is_mate() => !chess.turn(),
        _ => asked.attacker(chess.turn()),
    };
    let mut tree = ProofTree::new();
    tree.push(ProofNode::End(end));
    let Some(reached) = check(chess, attacker, goal, tree).ok().filter(|_| !goal.exact) else {
        let status = if goal.is_mate() { Status::Stalemate } else { Status::NoSolution };
        return Some(Verdict { soundness: Soundness::NoSolution, ..Verdict::bare(status) });
    };
    let fails = goal.is_mate() && !asked.defender_begins();
    let soundness = if fails { Soundness::NoSolution } else { Soundness::ShortSolution };
    let (mate_in, verified) = (Some(reached.length().0), VerifiedFlag::by(&reached));
    let status = if goal.is_mate() { Status::Mated } else { Status::Solved };
    Some(Verdict { soundness, mate_in, verified, ..Verdict::bare(status) })
}

/// Returns the moves of the side to move that mate or stalemate at once, each checked. An error is one that does not.
pub(super) fn ends_in_one(chess: &Chess, position: &Position, end: End) -> Result<Vec<Move>, String> {
    let reaches = |&m: &Move| rules::end(&position.play(m)) == Some(end);
    let moves: Vec<Move> = position.legal_moves().into_iter().filter(reaches).collect();
    for m in &moves {
        let mut tree = ProofTree::new();
        tree.push(ProofNode::End(end));
        check(chess, chess.turn(), Goal { end, ..Goal::MATE }, tree.after(m.code()))
            .map_err(|fault| format!("a claimed mate does not hold ({fault})"))?;
    }
    Ok(moves)
}

/// Returns the verdict on the first moves. `decided`: no limit was reached before all of them were decided. `moves` is
/// the stipulated length, if there is one.
pub(super) fn verdict(report: &Report, first_moves: &FirstMoves, decided: bool, moves: Option<MateLength>) -> Verdict {
    let shortest = first_moves.shortest;
    let is_mate = report.goal().is_mate();
    let status = match shortest {
        None if !decided => Status::Undecided,
        Some(_) if !is_mate => Status::Solved,
        None if !is_mate => Status::NoSolution,
        Some(_) if report.options.post_key => Status::Mated,
        Some(_) => Status::Mate,
        None => Status::NoMate,
    };
    let length = moves.or(shortest);
    let is_short = |key: &&Key| length.is_some_and(|length| key.mate_in < length.0);
    let plies = |keys: Vec<&Key>| -> Vec<Ply> { keys.into_iter().map(|key| key.ply.clone()).collect() };
    let (short, full): (Vec<&Key>, Vec<&Key>) = report.keys.iter().partition(is_short);
    let cooks = cooks(&full, report.options.intended_solutions);
    let mut verdict = Verdict {
        mate_in: shortest.map(|n| n.0),
        refuted_through: first_moves.refuted_through.map(|n| n.0),
        verified: first_moves.verified,
        short_solutions: plies(short),
        cooks: plies(cooks),
        ..Verdict::bare(status)
    };
    let too_short = !verdict.short_solutions.is_empty() || (report.options.post_key && shortest < length);
    // Cooks have the length of the shortest mate. If none is stipulated, that must be known.
    let is_length_known = moves.is_some()
        || shortest.is_some_and(|n| n.shorter().is_none_or(|shorter| first_moves.refuted_through >= Some(shorter)));
    let missing = full.len() < usize::from(report.options.intended_solutions);
    verdict.soundness = match shortest {
        Some(_) if too_short => Soundness::ShortSolution,
        Some(_) if !verdict.cooks.is_empty() && is_length_known => Soundness::Cooked,
        _ if !decided => Soundness::Undecided,
        Some(_) if missing && !report.options.post_key => Soundness::NoSolution,
        Some(_) => Soundness::Sound,
        None => Soundness::NoSolution,
    };
    verdict
}

/// Returns the keys of the stipulated length that were not intended.
fn cooks<'k>(full: &[&'k Key], intended: u16) -> Vec<&'k Key> {
    if full.iter().any(|key| key.intended.is_some()) {
        return full.iter().copied().filter(|key| key.intended == Some(false)).collect();
    }
    if full.len() > usize::from(intended) { full.to_vec() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::report::{ReportContext, ReportRequest, report};

    #[test]
    fn without_a_length_a_cook_is_certain_only_if_no_mate_is_shorter() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - bm Rg1;").unwrap();
        let report = report(&problem, &ReportRequest::default(), ReportContext::new(&AtomicBool::new(false)));
        assert_eq!((report.verdict.soundness, report.keys[0].intended), (Soundness::Cooked, Some(false)));
        let judged = |refuted: u16| {
            let mut found = FirstMoves::within(MateLength::MAX);
            found.shortest = report.verdict.mate_in.map(MateLength);
            found.refuted_through = Some(MateLength(refuted));
            verdict(&report, &found, false, None).soundness
        };
        assert_eq!([judged(0), judged(1)], [Soundness::Undecided, Soundness::Cooked]);
    }
}
