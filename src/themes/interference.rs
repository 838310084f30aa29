//! Men of the defender that cut each other's lines: Grimshaw, Novotny, Plachutta.
//!
//! **Interference**: a defence X to a square s allows a mate, because X stands on the line of another man Y. The re-test opens
//! the line: if Y could move over s, one of its moves would parry the mate, by an interposition or by capturing the man that
//! gives check, without leaving its king in check. X stays on s, so that nothing else changes. The mate must not capture on s.
//! Men **cut each other** if X shuts the line of Y and Y, on the same square, that of X, with two different mates.
//!
//! | name | rule |
//! |---|---|
//! | Grimshaw | rook and bishop cut each other on one square; databases use the word for a Novotny too |
//! | Novotny | rook and bishop cut each other by capturing the man that made the key |
//! | Plachutta | two men that move alike (rooks, bishops, or queen and one of them) cut each other on one square |
//! | Wurzburg-Plachutta | two men that move alike cut each other on one square, and neither captures there |

use shakmaty::{Chess, Position as _, Role, Square, attacks};

use crate::results::themes::{Retest, Theme};

use super::claim::Claim;
use super::key::word;
use super::phases::{Answer, Line, Phase, Scene};
use super::retest::{after, ask, moved, state};

pub(super) const NAMES: [&str; 4] = ["Grimshaw", "Novotny", "Plachutta", "Wurzburg-Plachutta"];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    if !scene.is_two_mover() {
        return Vec::new();
    }
    scene.solutions().flat_map(of_solution).collect()
}

/// A defence that shuts the line of another man.
struct Cut<'p, 'r> {
    line: &'p Line<'r>,
    mate: &'p Answer<'r>,
    /// The squares of the men whose lines are shut.
    shut: Vec<Square>,
    evidence: Vec<Retest>,
}

fn of_solution(key: &Phase<'_>) -> Vec<Theme> {
    let cuts: Vec<Cut<'_, '_>> =
        key.lines.iter().filter(|line| is_line_man(line.id.role)).flat_map(|line| cuts(key, line)).collect();
    let mut themes: Vec<Theme> = Vec::new();
    for (at, one) in cuts.iter().enumerate() {
        for two in &cuts[at + 1..] {
            let mutual = one.shut.contains(&two.line.id.home) && two.shut.contains(&one.line.id.home);
            if !mutual || one.line.id.to != two.line.id.to || one.mate.id == two.mate.id {
                continue;
            }
            let square = one.line.id.to;
            for name in names(key, one, two) {
                if themes.iter().any(|theme| theme.name == *name && theme.squares == [square]) {
                    continue;
                }
                let mut claim = Claim::new(name).on([square]);
                for cut in [one, two] {
                    claim = claim.answer(key, cut.line, cut.mate);
                    claim = cut.evidence.iter().fold(claim, |claim, retest| claim.shown_by(retest.clone()));
                }
                themes.push(claim.done());
            }
        }
    }
    themes
}

fn names(key: &Phase<'_>, one: &Cut<'_, '_>, two: &Cut<'_, '_>) -> &'static [&'static str] {
    let captures = one.line.ply.mv.is_capture();
    let of_key = captures && key.first.is_some_and(|first| first.mv.to() == one.line.id.to);
    let roles = [one.line.id.role, two.line.id.role];
    let alike = roles[0] == roles[1] || roles.contains(&Role::Queen);
    match (alike, captures, of_key) {
        (false, true, true) => &["Grimshaw", "Novotny"],
        (false, ..) => &["Grimshaw"],
        (true, false, _) => &["Plachutta", "Wurzburg-Plachutta"],
        (true, true, _) => &["Plachutta"],
    }
}

/// Returns the mates after a defence that work because it shuts a line.
fn cuts<'p, 'r>(key: &Phase<'r>, line: &'p Line<'r>) -> Vec<Cut<'p, 'r>> {
    let position = after(&key.position, line.ply.mv);
    line.answers.iter().filter_map(|mate| cut(&position, line, mate)).collect()
}

fn cut<'p, 'r>(position: &Chess, line: &'p Line<'r>, mate: &'p Answer<'r>) -> Option<Cut<'p, 'r>> {
    let (square, m) = (line.id.to, mate.ply.mv);
    if m.to() == square || m.is_castle() {
        return None;
    }
    let mated = after(position, m);
    let over = parries(&mated, square);
    let shut: Vec<Square> = over.iter().map(|&(from, ..)| from).collect();
    let (from, to, after_it) = over.into_iter().next()?;
    let man = mated.board().role_at(from).map_or("man", word);
    let change = format!("if the line were open on {square}, the {man} on {from} would parry on {to}");
    let evidence = vec![ask("nothing is changed".to_owned(), position, m), state(change, &after_it, true)];
    Some(Cut { line, mate, shut, evidence })
}

/// Returns the moves of line men over a square that would parry a mate if the square were empty: from, to, and the position
/// after the move, in which the man on the square stands where it is.
fn parries(mated: &Chess, square: Square) -> Vec<(Square, Square, Chess)> {
    let (board, defender) = (mated.board(), mated.turn());
    let (Some(king), Some(checker)) = (board.king_of(defender), mated.checkers().single_square()) else {
        return Vec::new();
    };
    let open = board.occupied().without(square);
    let mut found = Vec::new();
    for from in (board.sliders() & mated.us()).without(square) {
        let Some(piece) = board.piece_at(from) else { continue };
        let reached = attacks::attacks(from, piece, open) & attacks::between(checker, king).with(checker);
        for to in reached.into_iter().filter(|&to| attacks::between(from, to).contains(square)) {
            found.extend(moved(mated, from, to).map(|parried| (from, to, parried)));
        }
    }
    found
}

fn is_line_man(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}
