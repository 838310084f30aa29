//! Men of the defender that cut each other's lines: Grimshaw, Novotny, Plachutta.
//!
//! **Interference**: a defence X to a square s allows a mate, because X stands on the line of another man Y. The re-tests: the
//! mate works; with X taken off s it fails, and one of the moves that parry it is a move of Y over s or to s. So it is X that
//! shuts the line. The mate must not capture on s. Men **cut each other** if X shuts the line of Y and Y, on the same square,
//! that of X, with two different mates.
//!
//! | name | rule |
//! |---|---|
//! | Grimshaw | rook and bishop cut each other on one square; databases use the word for a Novotny too |
//! | Novotny | rook and bishop cut each other by capturing the man that made the key |
//! | Plachutta | two men that move alike (rooks, bishops, or queen and one of them) cut each other by capturing the man that made the key |
//! | Wurzburg-Plachutta | two men that move alike cut each other on one square without a capture |

use shakmaty::{Chess, Move, Position as _, Role, Square, attacks};

use crate::results::themes::{Retest, Theme};

use super::claim::Claim;
use super::key::word;
use super::phases::{Answer, Line, Phase, Scene};
use super::retest::{after, ask, same_move, state, without};

/// The most re-tests of a cut that are kept.
const EVIDENCE: usize = 3;

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
        (true, true, true) => &["Plachutta"],
        (true, false, _) => &["Wurzburg-Plachutta"],
        (true, true, false) => &[],
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
    let open = without(position, position.turn(), square)?;
    let played = after(&open, same_move(&open, m)?);
    let parries: Vec<Move> = played.legal_moves().into_iter().filter(|&parry| crosses(parry, square)).collect();
    if parries.is_empty() {
        return None;
    }
    let mut evidence = vec![
        ask("nothing is changed".to_owned(), position, m),
        ask(format!("the {} on {square} is taken off", word(line.id.role)), &open, m),
    ];
    let mut shut: Vec<Square> = parries.iter().filter_map(|parry| parry.from()).collect();
    shut.dedup();
    for parry in &parries {
        let from = parry.from().map_or_else(String::new, |from| from.to_string());
        let change = format!("then the {} on {from} parries on {}", word(parry.role()), parry.to());
        evidence.push(state(change, &after(&played, *parry), true));
    }
    evidence.truncate(EVIDENCE);
    Some(Cut { line, mate, shut, evidence })
}

/// Returns whether a line man moves over a square or to it.
fn crosses(m: Move, square: Square) -> bool {
    let passes = |from| m.to() == square || attacks::between(from, m.to()).contains(square);
    is_line_man(m.role()) && m.from().is_some_and(passes)
}
