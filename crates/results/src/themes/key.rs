//! What the key itself does: it gives check, offers a man, or crosses the board from corner to corner; and which men
//! stand on the diagram.
//!
//! | name | rule |
//! |---|---|
//! | Checking key | the key gives check |
//! | Active sacrifice | the defender can capture the man that made the key, which is not the king, on its square of arrival |
//! | Corner to corner | the key moves a queen, rook or bishop from one corner of the board to another |
//! | Miniature | at most seven men |
//! | No pawns | no pawn stands on the diagram |
//! | Organ pipes | bishop, rook, rook and bishop of the defender, or rook, bishop, bishop and rook, stand side by side on a rank |
//!
//! A problem without a solution shows none of these.
//!
//! The second table has the flights that the key gives or takes, and the figures that the king's flights form after it.
//!
//! A **flight** is a square to which the defender's king can move, if the defender is to move in the diagram (before)
//! or after the key (after). Databases name the key by the *difference* of the two numbers. If the attacker is in
//! check in the diagram, none of these themes is claimed.
//!
//! | name | rule |
//! |---|---|
//! | Flight giving key | one flight more after than before |
//! | 2 flights giving key | two flights more |
//! | 3+ flights giving key | three flights more, or more than three |
//! | Flight taking key | fewer flights after than before |
//! | Flight giving and taking key | at least one flight is new, and at least one is gone |
//! | King star flight | the king has all four flights that touch a corner of his square |
//! | King plus flight | the king has all four flights that touch a side of his square |
//! | King Y-flight | the king has the flights at the corners of one side of his square, and the one at the opposite side |
//!
//! For given and taken flights, the re-test takes the man of the key off its square of arrival (not the king, nor after
//! castling). If the king can still go to a new flight, the man gave it by leaving its square, else by its arrival. If
//! he can go again to a flight that is gone, the man takes it itself, else another man takes it.

use shakmaty::{Bitboard, Chess, Position as _, Role, Square};

use crate::chess::{notation::after, passed};
use crate::results::ply::word;
use crate::results::themes::{Retest, Theme};
use crate::themes::phases::{Phase, Scene, ThemeClaim};
use crate::themes::retest::{man, state, without};

pub(super) const NAMES: [&str; 6] =
    ["Checking key", "Active sacrifice", "Corner to corner", "Miniature", "No pawns", "Organ pipes"];

/// The most men of a miniature.
const MINIATURE: usize = 7;

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    let mut themes: Vec<Theme> = scene.solutions().flat_map(|phase| of_key(phase)).collect();
    let Some(phase) = scene.solutions().next() else { return themes };
    if scene.diagram.board().occupied().count() <= MINIATURE {
        themes.push(ThemeClaim::new("Miniature").first(phase).done());
    }
    if scene.diagram.board().pawns().is_empty() {
        themes.push(ThemeClaim::new("No pawns").first(phase).done());
    }
    if let Some(pipes) = organ_pipes(scene) {
        themes.push(ThemeClaim::new("Organ pipes").on(pipes).first(phase).done());
    }
    themes
}

/// Returns the squares of organ pipes, if there are any.
fn organ_pipes(scene: &Scene<'_>) -> Option<[Square; 4]> {
    let board = scene.diagram.board();
    let man = |square: Square| board.piece_at(square).filter(|piece| piece.color != scene.attacker).map(|it| it.role);
    let beside = |square: Square| {
        let files = [0, 1, 2, 3].map(|step| square.file().offset(step));
        let [Some(a), Some(b), Some(c), Some(d)] = files else { return None };
        Some([a, b, c, d].map(|file| Square::from_coords(file, square.rank())))
    };
    let are_pipes = |squares: &[Square; 4]| {
        let roles = squares.map(man);
        let of = |outer, inner| roles == [Some(outer), Some(inner), Some(inner), Some(outer)];
        of(Role::Bishop, Role::Rook) || of(Role::Rook, Role::Bishop)
    };
    Square::ALL.into_iter().filter_map(beside).find(are_pipes)
}

fn of_key(phase: &Phase<'_>) -> Vec<Theme> {
    let Some(first) = phase.first else { return Vec::new() };
    let mut themes = Vec::new();
    if first.check {
        themes.push(ThemeClaim::new("Checking key").first(phase).done());
    }
    let to = first.mv.to();
    let captures = phase.position.legal_moves();
    let capture = captures.iter().find(|m| m.is_capture() && m.to() == to);
    if let Some(&capture) = capture.filter(|_| first.mv.role() != Role::King) {
        let change = format!("the {} that made the key is captured on {to}", word(first.mv.role()));
        let taken = after(&phase.position, capture);
        themes.push(
            ThemeClaim::new("Active sacrifice").on([to]).first(phase).shown_by(state(change, &taken, true)).done(),
        );
    }
    if let Some(from) = first.mv.from()
        && Bitboard::CORNERS.is_superset(Bitboard::from(from).with(to))
        && !first.mv.is_castle()
    {
        themes.push(ThemeClaim::new("Corner to corner").on([from, to]).first(phase).done());
    }
    themes
}

pub(super) const FLIGHT_NAMES: [&str; 8] = [
    "Flight giving key",
    "2 flights giving key",
    "3+ flights giving key",
    "Flight taking key",
    "Flight giving and taking key",
    "King star flight",
    "King plus flight",
    "King Y-flight",
];

pub(super) fn find_flights(scene: &Scene<'_>) -> Vec<Theme> {
    let Some(before) = passed(&scene.diagram).map(|diagram| flights(&diagram)) else { return Vec::new() };
    scene.solutions().filter(|phase| phase.first.is_some()).flat_map(|phase| flights_of_key(phase, before)).collect()
}

fn flights_of_key(phase: &Phase<'_>, before: Bitboard) -> Vec<Theme> {
    let after = flights(&phase.position);
    let (given, taken) = (after & !before, before & !after);
    let more = after.count().checked_sub(before.count());
    let claim = |name, squares: Bitboard| {
        let tests = causes(phase, squares & given, squares & taken);
        tests.into_iter().fold(ThemeClaim::new(name).on(squares).first(phase), ThemeClaim::shown_by).done()
    };
    let mut themes = Vec::new();
    match more {
        None => themes.push(claim("Flight taking key", taken)),
        Some(0) => {}
        Some(1) => themes.push(claim("Flight giving key", given)),
        Some(2) => themes.push(claim("2 flights giving key", given)),
        Some(_) => themes.push(claim("3+ flights giving key", given)),
    }
    if given.any() && taken.any() {
        themes.push(claim("Flight giving and taking key", given | taken));
    }
    let Some(king) = phase.position.board().king_of(phase.position.turn()) else { return themes };
    for (name, figure) in figures(king) {
        if after.is_superset(figure) && !themes.iter().any(|theme: &Theme| theme.name == name) {
            themes.push(ThemeClaim::new(name).on(figure).first(phase).done());
        }
    }
    themes
}

/// Tests how the key gives and takes flights. A key of the king has no re-test, because a king cannot be taken off.
fn causes(phase: &Phase<'_>, given: Bitboard, taken: Bitboard) -> Vec<Retest> {
    let Some(first) = phase.first.map(|first| first.mv).filter(|first| !first.is_castle()) else { return Vec::new() };
    let (from, to, defender) = (first.from(), first.to(), phase.position.turn());
    let off = without(&phase.position, defender, to).filter(|_| first.role() != Role::King);
    let (Some(off), Some(from)) = (off, from) else { return Vec::new() };
    let role = man(&phase.position, to);
    let open = flights(&off);
    let test = |square: Square| {
        let effect = match (given.contains(square), open.contains(square)) {
            (true, true) => format!("the king still has {square}, which the key gives by leaving {from}"),
            (true, false) => format!("the king has no {square}, which the key gives by its arrival"),
            (false, true) => format!("the king has {square} again, which the {role} takes"),
            (false, false) => format!("the king has no {square}, which another man takes"),
        };
        state(format!("the {role} is taken off {to}: {effect}"), &off, true)
    };
    (given | taken).into_iter().map(test).collect()
}

/// Returns the squares to which the king of the side to move can move.
pub(super) fn flights(position: &Chess) -> Bitboard {
    let moves = position.legal_moves();
    moves.iter().filter(|m| m.role() == Role::King && !m.is_castle()).map(|m| m.to()).collect()
}

/// Returns the figures of flights around a king that lie on the board.
fn figures(king: Square) -> Vec<(&'static str, Bitboard)> {
    let set = |steps: &[(i32, i32)]| -> Option<Bitboard> { steps.iter().map(|&step| beside(king, step)).collect() };
    let mut figures = Vec::new();
    let mut add = |name, steps: &[(i32, i32)]| figures.extend(set(steps).map(|squares| (name, squares)));
    add("King star flight", &[(1, 1), (1, -1), (-1, 1), (-1, -1)]);
    add("King plus flight", &[(1, 0), (-1, 0), (0, 1), (0, -1)]);
    for way in [-1, 1] {
        add("King Y-flight", &[(-1, way), (1, way), (0, -way)]);
        add("King Y-flight", &[(way, -1), (way, 1), (-way, 0)]);
    }
    figures
}

/// Returns the square that lies files and ranks away.
fn beside(square: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    Some(Square::from_coords(square.file().offset(files)?, square.rank().offset(ranks)?))
}
