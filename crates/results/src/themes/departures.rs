//! What a defence gives up by leaving its square: a guard, or the closure of a line of the attacker.
//!
//! The re-test puts the defending man back on the square that it left: in the mating position, or before the mate if
//! the mate passes over the square. The man is no king and stays where the defence put it; nothing comes to the square
//! that it left, and no move between passes over it. Only mates without a dual count. Where several lines are needed,
//! their defences and their mates differ.
//!
//! | name | rule |
//! |---|---|
//! | Unguard | in at least two lines the defending man, put back, could parry the mate; the check remains, and the mate does not pass over the square |
//! | Line opening | in at least two lines the defending man, put back, shuts a line of the attacker, and there is no mate: the line man that mates cannot pass, the line gives no check, the king has a flight on it (not the defending man's square of arrival), or a man that was pinned on it is free |
//! | Ambush | the key leads a line man from elsewhere behind a man of the defender; in at least two lines such a man leaves, and the mate uses the line as in a line opening |

use shakmaty::{Chess, Position as _, Role, Square, attacks};

use crate::results::ply::word;
use crate::results::themes::{Retest, Theme};

use super::lines::{MateLine, Shown, mate_lines, several};
use super::phases::{Phase, Scene, ThemeClaim};
use super::pins::pins;
use super::retest::{ask, man, put_back, state};

pub(super) const NAMES: [&str; 3] = ["Unguard", "Line opening", "Ambush"];

pub(super) fn find(scene: &Scene<'_>, key: &Phase<'_>) -> Vec<Theme> {
    let lines = mate_lines(scene, key);
    let single = || lines.iter().filter(|line| line.is_only);
    let mut themes = Vec::new();
    let unguards = single().flat_map(|line| line.defences().filter_map(|at| unguard(line, at)));
    themes.extend(several(ThemeClaim::new("Unguard"), key, unguards));
    let openings: Vec<Opening<'_, '_>> =
        single().flat_map(|line| line.defences().filter_map(|at| opening(line, at))).collect();
    let ambushes: Vec<&Opening<'_, '_>> = openings.iter().filter(|it| is_ambush(key, it)).collect();
    let ambush = ThemeClaim::new("Ambush").on(ambushes.first().map(|it| it.by)).first(key);
    themes.extend(several(ambush, key, ambushes.iter().map(|it| it.shown.clone())));
    themes.extend(several(ThemeClaim::new("Line opening"), key, openings.iter().map(|it| it.shown.clone())));
    themes
}

/// Returns the square that the man of a defence left for good, if the later moves do not pass over it. The mate may do
/// so.
fn left(line: &MateLine<'_>, at: usize) -> Option<Square> {
    let m = line.plies[at].mv;
    let from = m.from().filter(|_| m.role() != Role::King && line.stays(at))?;
    let between = &line.plies[at + 1..line.plies.len() - 1];
    let passes = |from_to: shakmaty::Move| {
        from_to.from().is_some_and(|start| attacks::between(start, from_to.to()).contains(from))
    };
    (line.is_still(from, at) && !between.iter().any(|ply| passes(ply.mv))).then_some(from)
}

fn passes_over(line: &MateLine<'_>, square: Square) -> bool {
    let m = line.mate().mv;
    m.from().is_some_and(|from| attacks::between(from, m.to()).contains(square))
}

/// Tests whether the man of a defence could parry the mate from the square that it left.
fn unguard<'l, 'r>(line: &'l MateLine<'r>, at: usize) -> Option<Shown<'l, 'r>> {
    let m = line.plies[at].mv;
    let from = left(line, at).filter(|&from| !passes_over(line, from))?;
    let back = put_back(line.mated(), line.mated().turn(), m).filter(Chess::is_check)?;
    let parry = back.legal_moves().into_iter().find(|parry| parry.from() == Some(from))?;
    let change = format!("the {} is put back on {from}: it parries on {}", word(m.role()), parry.to());
    Some(Shown::by_mate(line, at, state(change, &back, true)))
}

/// A defence that opens a line of the attacker, which the mate uses.
struct Opening<'l, 'r> {
    shown: Shown<'l, 'r>,
    /// The square of the line man, before the mate.
    by: Square,
    /// The square that the defending man left.
    left: Square,
}

/// Tests whether the man of a defence would shut a line from the square that it left, so that there were no mate.
fn opening<'l, 'r>(line: &'l MateLine<'r>, at: usize) -> Option<Opening<'l, 'r>> {
    let from = left(line, at)?;
    let (by, retest) = if passes_over(line, from) { gate(line, at, from)? } else { shut_line(line, at, from)? };
    Some(Opening { shown: Shown::by_mate(line, at, retest), by, left: from })
}

/// Tests whether a line man passes over the square to mate.
fn gate(line: &MateLine<'_>, at: usize, from: Square) -> Option<(Square, Retest)> {
    let (m, mate) = (line.plies[at].mv, line.mate().mv);
    let is_line_man = matches!(mate.role(), Role::Bishop | Role::Rook | Role::Queen);
    let before = line.before(line.plies.len() - 1);
    let back = put_back(before, before.turn(), m).filter(|_| is_line_man)?;
    let change = format!("the {} is put back on {from}: the mate cannot pass", word(m.role()));
    Some((mate.from()?, ask(change, &back, mate))).filter(|(_, retest)| !retest.holds)
}

/// Tests whether the mate needs a line over the square, to check, to guard a flight or to pin.
fn shut_line(line: &MateLine<'_>, at: usize, from: Square) -> Option<(Square, Retest)> {
    let (m, mated) = (line.plies[at].mv, line.mated());
    let back = put_back(mated, mated.turn(), m)?;
    let by = needed(mated, &back, from, m.to())?;
    let (role, line_man) = (word(m.role()), man(mated, by));
    let change =
        format!("the {role} is put back on {from}: it shuts the line of the {line_man} on {by}, and there is no mate");
    Some((by, state(change, &back, true)))
}

/// Returns the line man of the attacker whose line over a square the mate needs.
fn needed(mated: &Chess, back: &Chess, over: Square, arrived: Square) -> Option<Square> {
    let (board, defender) = (mated.board(), mated.turn());
    let king = board.king_of(defender)?;
    let line_men = || (board.sliders() & board.by_color(!defender)).into_iter();
    let reaches = |by: Square, square: Square| {
        let free = board.occupied().without(king);
        let piece = board.piece_at(by);
        attacks::between(by, square).contains(over)
            && piece.is_some_and(|piece| attacks::attacks(by, piece, free).contains(square))
    };
    if !back.is_check() {
        return line_men().find(|&by| mated.checkers().contains(by) && reaches(by, king));
    }
    let pins = pins(mated, defender);
    back.legal_moves().into_iter().find_map(|m| match m.role() {
        Role::King if m.to() == arrived || m.is_castle() => None,
        Role::King => line_men().find(|&by| reaches(by, m.to())),
        _ if m.from() == Some(over) => None,
        _ => {
            let is_over = |by: Square| attacks::between(by, king).contains(over);
            pins.iter().find(|&&(pinned, by)| m.from() == Some(pinned) && is_over(by)).map(|&(_, by)| by)
        }
    })
}

/// Returns whether the key led the line man behind the man that opens its line.
fn is_ambush(key: &Phase<'_>, opening: &Opening<'_, '_>) -> bool {
    let Some(first) = key.first.map(|first| first.mv) else { return false };
    let line = opening.shown.line;
    let came = first.from().filter(|_| first.to() == opening.by && !first.is_castle());
    let from_elsewhere = came.is_some_and(|from| !attacks::ray(opening.by, opening.left).contains(from));
    let is_first = line.plies[..opening.shown.at].iter().all(|ply| {
        [ply.mv.from(), Some(ply.mv.to())].iter().all(|it| *it != Some(opening.by) && *it != Some(opening.left))
    });
    from_elsewhere && is_first && line.plies[..line.plies.len() - 1].iter().all(|ply| ply.mv.from() != Some(opening.by))
}
