//! Flights that the key gives or takes, and the figures that the king's flights form.
//!
//! A **flight** is a square to which the defender's king can move, if the defender is to move in the diagram (before) or
//! after the key (after). Databases name the key by the *difference* of the two numbers, so a key that gives one flight and
//! takes another is not called flight giving, but flight giving and taking.
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
//! | King Y-flight | two flights beside one another at the corners, and the one opposite them at a side |

use shakmaty::{Bitboard, Chess, Position as _, Role, Square};

use crate::results::themes::Theme;

use super::claim::Claim;
use super::phases::{Phase, Scene, passed};

pub(super) const NAMES: [&str; 8] = [
    "Flight giving key",
    "2 flights giving key",
    "3+ flights giving key",
    "Flight taking key",
    "Flight giving and taking key",
    "King star flight",
    "King plus flight",
    "King Y-flight",
];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    let Some(before) = passed(&scene.diagram).map(|diagram| flights(&diagram)) else { return Vec::new() };
    scene.solutions().filter(|phase| phase.first.is_some()).flat_map(|phase| of_key(phase, before)).collect()
}

fn of_key(phase: &Phase<'_>, before: Bitboard) -> Vec<Theme> {
    let after = flights(&phase.position);
    let (given, taken) = (after & !before, before & !after);
    let more = after.count().checked_sub(before.count());
    let claim = |name, squares: Bitboard| Claim::new(name).on(squares).first(phase).done();
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
            themes.push(claim(name, figure));
        }
    }
    themes
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
