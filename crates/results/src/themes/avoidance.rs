//! Dual avoidance: two defences share an error that allows two mates, and each allows only one of them.
//!
//! The re-test keeps the error and leaves out the rest of the defence. Where one man makes both defences, the error is
//! that it leaves its square, and the man is taken off. Where two men come to one empty square, the error is that the
//! square is taken, and each man is replaced there by a pawn. In a three-mover the answers to the first defences
//! are compared, and an answer works if every defence to it has a mate.
//!
//! | name | rule |
//! |---|---|
//! | Dual avoidance | after the key a – A and b – B without duals; B can be played after a and A after b, but they fail, and not because the defending man parries on a square that it guarded before; in the re-tests of a and of b both A and B mate; neither A nor B is a threat; defences of the king and mates on the square of arrival of their defence do not count |

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position as _, Role, Square};

use crate::chess::notation::after;
use crate::results::ply::word;
use crate::results::themes::{Retest, Theme};

use super::correction::threatens;
use super::phases::{Answered, AttackersMove, Line, Phase, Scene, ThemeClaim};
use super::retest::{ask_in, parries, put_back, same_move, solves, turned, without};

pub(super) const NAMES: [&str; 1] = ["Dual avoidance"];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    let Some(length) = scene.length_of_answers() else { return Vec::new() };
    scene.solutions().filter_map(|key| of_solution(key, length)).collect()
}

/// Looks for two defences whose answers mate in `length` moves.
fn of_solution(key: &Phase<'_>, length: u16) -> Option<Theme> {
    let counts = |(line, mate): &Answered<'_, '_>| {
        line.id.role != Role::King && mate.id.to != line.id.to && !threatens(key, mate, length)
    };
    let lines: Vec<Answered<'_, '_>> = key.single().filter(counts).collect();
    let mut pairs =
        lines.iter().enumerate().flat_map(|(index, one)| lines[index + 1..].iter().map(move |two| (one, two)));
    pairs.find_map(|(one, two)| {
        let evidence = of_pair(key, one, two, length)?;
        let claim = ThemeClaim::new("Dual avoidance").answer(key, one.0, one.1).answer(key, two.0, two.1);
        Some(evidence.into_iter().fold(claim, ThemeClaim::shown_by).done())
    })
}

/// Tests whether two defences have the same error.
fn of_pair(key: &Phase<'_>, one: &Answered<'_, '_>, two: &Answered<'_, '_>, length: u16) -> Option<Vec<Retest>> {
    if one.1.id == two.1.id {
        return None;
    }
    let attacker = !key.position.turn();
    let (a, b) = (one.0.id, two.0.id);
    let positions = if a.home == b.home {
        let change = format!("the {} on {} is taken off", word(a.role), a.home);
        vec![(change, without(&key.position, attacker, a.home)?)]
    } else if a.to == b.to && !one.0.ply.mv.is_capture() {
        let of = |line: &Line<'_>| {
            let change = format!("a pawn stands on {} instead of the {}", line.id.to, word(line.id.role));
            Some((change, replaced(&key.position, attacker, line.id.home, line.id.to)?))
        };
        vec![of(one.0)?, of(two.0)?]
    } else {
        return None;
    };
    if !avoids(key, one, two.1, length) || !avoids(key, two, one.1, length) {
        return None;
    }
    let mates = [one.1.ply.mv, two.1.ply.mv];
    let tests = positions
        .into_iter()
        .flat_map(|(change, position)| mates.map(|m| ask_in(length, change.clone(), &position, m)));
    let tests: Vec<Retest> = tests.collect();
    tests.iter().all(|test| test.holds).then_some(tests)
}

/// Returns whether the other mate can be played after a defence and fails, and not because the defending man has kept a
/// guard: it parries on no square that it guarded before it moved.
fn avoids(key: &Phase<'_>, (line, _): &Answered<'_, '_>, other: &AttackersMove<'_>, length: u16) -> bool {
    let defended = after(&key.position, line.ply.mv);
    let Some(m) = same_move(&defended, other.ply.mv).filter(|&m| !solves(&defended, m, length)) else { return false };
    let played = after(&defended, m);
    let Some(back) = put_back(&played, played.turn(), line.ply.mv) else { return false };
    let reached = |position: &Chess, from: Square| -> Bitboard {
        parries(position, length - 1).iter().filter(|m| m.from() == Some(from)).map(|m| m.to()).collect()
    };
    (reached(&played, line.id.to) & reached(&back, line.id.home)).is_empty()
}

/// Returns the position with a pawn on a square instead of a man on another one.
fn replaced(position: &Chess, turn: Color, from: Square, to: Square) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    let piece = setup.board.remove_piece_at(from)?;
    setup.board.set_piece_at(to, Role::Pawn.of(piece.color));
    turned(setup, turn)
}
