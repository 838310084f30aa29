//! What the key itself does: it gives check, offers a man, castles, or crosses the board from corner to corner.
//!
//! | name | rule |
//! |---|---|
//! | Checking key | the key gives check |
//! | Active sacrifice | the defender can capture the man that made the key, which is not the king, on its square of arrival |
//! | Corner to corner | the key moves a man from one corner of the board to another |
//! | Miniature | at most seven men |
//! | No pawns | no pawn stands on the diagram |
//! | Organ pipes | bishop, rook, rook and bishop of the defender, or rook, bishop, bishop and rook, stand side by side on a rank |

use shakmaty::{Bitboard, Position as _, Role, Square};

use crate::results::themes::Theme;

use super::claim::ThemeClaim;
use super::phases::{Phase, Scene};
use super::retest::{after, state};
use super::words::word;

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
