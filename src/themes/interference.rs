//! Men of the defender that cut each other's lines: Grimshaw, Novotny, Plachutta.
//!
//! **Interference**: a defence X to a square s allows a mate, because X stands on the line of another man Y. The re-tests: the
//! mate works; with X taken off s it fails; with Y taken off too it works again. So it is Y, along its line through s, that
//! would stop the mate, and X that shuts the line. The mate must not capture on s.
//!
//! | name | rule |
//! |---|---|
//! | Grimshaw | rook and bishop cut each other on one square, with two different mates, and neither captures there |
//! | Novotny | rook and bishop cut each other on the square of the man that made the key, by capturing it |
//! | Plachutta | two men that move alike (rooks, bishops, or queen and one of them) cut each other by capturing the man that made the key |
//! | Wurzburg-Plachutta | two men that move alike cut each other on one square without a capture |

use shakmaty::{Chess, Color, Position as _, Role, Square, attacks};

use crate::results::themes::{Retest, Theme};

use super::claim::Claim;
use super::key::word;
use super::phases::{Answer, Line, Phase, Scene};
use super::retest::{after, ask, mates, without};

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
    /// The man whose line is shut, and its square.
    shut: (Role, Square),
    evidence: Vec<Retest>,
}

fn of_solution(key: &Phase<'_>) -> Vec<Theme> {
    let cuts: Vec<Cut<'_, '_>> =
        key.lines.iter().filter(|line| is_line_man(line.id.role)).flat_map(|line| cuts(key, line)).collect();
    let mut themes: Vec<Theme> = Vec::new();
    for (at, one) in cuts.iter().enumerate() {
        for two in &cuts[at + 1..] {
            let mutual = one.shut.1 == two.line.id.home && two.shut.1 == one.line.id.home;
            if !mutual || one.line.id.to != two.line.id.to || one.mate.id == two.mate.id {
                continue;
            }
            let Some(name) = name(key, one, two) else { continue };
            let square = one.line.id.to;
            if themes.iter().any(|theme| theme.name == name && theme.squares == [square]) {
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
    themes
}

fn name(key: &Phase<'_>, one: &Cut<'_, '_>, two: &Cut<'_, '_>) -> Option<&'static str> {
    let captures = one.line.ply.mv.is_capture();
    let of_key = captures && key.first.is_some_and(|first| first.mv.to() == one.line.id.to);
    let roles = [one.line.id.role, two.line.id.role];
    let alike = roles[0] == roles[1] || roles.contains(&Role::Queen);
    match (alike, captures, of_key) {
        (false, false, _) => Some("Grimshaw"),
        (false, true, true) => Some("Novotny"),
        (true, true, true) => Some("Plachutta"),
        (true, false, _) => Some("Wurzburg-Plachutta"),
        (_, true, false) => None,
    }
}

pub(super) fn is_line_man(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
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
    let attacker = position.turn();
    let open = without(position, attacker, square)?;
    if mates(&open, m) {
        return None;
    }
    let (role, from) = line_men(&open, !attacker, square).find(|&(_, from)| {
        let gone = without(&open, attacker, from);
        gone.is_some_and(|gone| mates(&gone, m))
    })?;
    let gone = without(&open, attacker, from)?;
    let off = format!("the {} on {square} is taken off", word(line.id.role));
    let evidence = vec![
        ask("nothing is changed".to_owned(), position, m),
        ask(off.clone(), &open, m),
        ask(format!("{off}, and the {} on {from} too", word(role)), &gone, m),
    ];
    Some(Cut { line, mate, shut: (role, from), evidence })
}

/// Returns the bishops, rooks and queens of a side that attack a square.
fn line_men(position: &Chess, color: Color, square: Square) -> impl Iterator<Item = (Role, Square)> {
    let board = position.board();
    let men = (board.sliders() & board.by_color(color)).into_iter();
    let board = board.clone();
    men.filter_map(move |from| {
        let piece = board.piece_at(from)?;
        attacks::attacks(from, piece, board.occupied()).contains(square).then_some((piece.role, from))
    })
}
