//! The diagrams from which a position after the key can have come: the first moves that lead to it are taken back.
//! Diagrams that `mend` finds impossible are left out, and by default those with more promoted men.
//!
//! One search of the position decides whether all these first moves solve. The judge says whether another move solves
//! in a diagram; a report lists the keys and the tries.

use hashbrown::HashSet;

use shakmaty::{Bitboard, Chess, Position as _, Square};

use super::change::{self, Change, Diagram, named};
use super::judge::{Judged, Question};
use super::mend::can_stand;
use super::trials::{AT_ONCE, Trials, report_on};
use super::{Refused, WorkbenchObserver, WorkbenchRequest};
use crate::chess::last_moves::taken_back;
use crate::chess::notation::{self, code, legal_move};
use crate::chess::{MateLength, MoveCode, Position, Stipulation};
use crate::problem::twins::TwinCommand;
use crate::results::report::{Extent, ReportOptions};
use crate::results::workbench::{Kept, Proposal, Proposals};

/// A diagram before the first move.
struct Earlier {
    diagram: Diagram,
    chess: Chess,
    first: MoveCode,
    changes: Vec<Change>,
}

/// Finds the diagrams. Those in which no other first move solves come first, then those with fewer men.
pub(super) fn retract(
    after: &Chess,
    asked: Stipulation,
    request: &WorkbenchRequest,
    trials: &mut Trials<'_, '_>,
    observer: &dyn WorkbenchObserver,
) -> Result<Proposals, Refused> {
    let position = Position::from_chess(after);
    let rest = asked.moves().and_then(MateLength::shorter).unwrap_or(MateLength(0));
    let solved = trials.ask(|decider| decider.mated(&position, rest)).ok_or(Refused::Undecided)?;
    if solved.is_none() {
        return Err(Refused::NotAfterKey(asked));
    }
    let mut result = Proposals { complete: true, ..Proposals::default() };
    let all = earlier(after, request.promoted);
    let mut judged = Vec::new();
    for part in all.chunks(AT_ONCE) {
        let found = trials.map(part, |decider, judge, earlier| {
            let question = Question { keys: vec![earlier.first], ..Question::default() };
            judge.judge(decider, &Position::from_chess(&earlier.chess), &question)
        });
        for (earlier, found) in part.iter().zip(found) {
            match found {
                Some(found) => {
                    result.tried += 1;
                    let is_sound = matches!(found, Judged::Sound(_));
                    result.sound += u64::from(is_sound);
                    judged.push((!is_sound, earlier));
                }
                None => result.undecided += 1,
            }
        }
        observer.tried(result.tried, result.sound);
    }
    result.complete = !trials.is_stopped() && result.undecided == 0;
    judged.sort_by_key(|(is_unsound, earlier)| (*is_unsound, earlier.diagram.board.occupied().count()));
    let best = judged.into_iter().take(request.proposals);
    result.proposals = best.filter_map(|(_, earlier)| proposal(earlier, after, asked)).collect();
    Ok(result)
}

/// Reports on a diagram; `None` if the report fails.
fn proposal(earlier: &Earlier, after: &Chess, asked: Stipulation) -> Option<Proposal> {
    let options = ReportOptions { extent: Extent::WholeSolution, tries: Some(1), ..ReportOptions::default() };
    let report = report_on(&earlier.chess, asked, options);
    if report.error.is_some() {
        return None;
    }
    let key = report.keys.iter().any(|key| code(key.ply.mv) == earlier.first);
    let kept = Kept { key, ..Kept::default() };
    Some(change::proposal(&Diagram::of(after), &earlier.changes, &earlier.chess, report, kept))
}

/// Returns every diagram from which a first move leads to this position.
fn earlier(after: &Chess, promoted: bool) -> Vec<Earlier> {
    let given = Diagram::of(after);
    let attacker = !given.turn;
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for before in taken_back(&given.board, attacker, given.castling) {
        if !seen.insert((before.board.clone(), before.en_passant)) {
            continue;
        }
        let mut diagram = given.before(before.board, before.en_passant.then_some(before.to));
        diagram.castling.extend(before.castling);
        let promotion = before.promoted.then(|| given.board.role_at(before.to)).flatten();
        let first = MoveCode::new(before.from, before.castling.unwrap_or(before.to), promotion);
        if !can_stand(&diagram) || !promoted && diagram.promotes_more_than(&given) {
            continue;
        }
        let Some(chess) = diagram.chess() else { continue };
        let leads = legal_move(&chess, first).is_some_and(|m| {
            let next = notation::after(&chess, m);
            next.board() == &given.board && next.castles().castling_rights() == given.castling
        });
        if leads {
            let changes = changes(&given, &diagram);
            found.push(Earlier { diagram, chess, first, changes });
        }
    }
    found
}

/// Returns the changes that lead from the position after the key to the diagram.
fn changes(after: &Diagram, before: &Diagram) -> Vec<Change> {
    let piece = |diagram: &Diagram, square| diagram.board.piece_at(square);
    let differing: Bitboard = Square::ALL.into_iter().filter(|&at| piece(after, at) != piece(before, at)).collect();
    let (mut changes, mut placed) = (Vec::new(), Bitboard::EMPTY);
    for from in differing {
        let Some(man) = piece(after, from) else { continue };
        let target = differing.into_iter().find(|&to| piece(before, to) == Some(man) && !placed.contains(to));
        changes.push(match target {
            Some(to) => {
                placed.add(to);
                TwinCommand::Move(named(man, from), to)
            }
            None => TwinCommand::Remove(named(man, from)),
        });
    }
    for at in differing & !placed {
        changes.extend(piece(before, at).map(|man| TwinCommand::Add(man.color, man.role, at)));
    }
    let rights = before.castling & !after.castling;
    changes.into_iter().map(Change::Men).chain(rights.into_iter().map(|rook| Change::Castling(rook, true))).collect()
}
