//! Black correction: a man commits the same error wherever it moves, but one of its moves corrects it.
//!
//! A man commits a **general error** if a mate works as soon as the man has left its square. The re-test takes the man
//! off the board: the mate must work then, and it must be no threat. Of the man's
//! defences that the report lists, at least two have the mate as their only answer, and no more than these stop it. One
//! that stops it, the **correction**, has a single other answer. The name is used for either colour of the defender.
//! Kings and pawns do not count.
//!
//! In a three-mover the answers to the first defences are compared, and an answer works if every defence to it has a
//! mate.

use shakmaty::{Position as _, Role, Square};

use crate::chess::{notation::after, passed};
use crate::results::ply::word;
use crate::results::themes::Theme;

use super::phases::{AttackersMove, Line, Phase, Scene, ThemeClaim};
use super::retest::{ask_in, solves, without};

pub(super) const NAMES: [&str; 1] = ["Black correction"];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    let Some(length) = scene.length_of_answers() else { return Vec::new() };
    scene.solutions().flat_map(|key| of_solution(key, length)).collect()
}

/// Returns the corrections of each man, one for each error. The answers mate in `length` moves.
fn of_solution(phase: &Phase<'_>, length: u16) -> Vec<Theme> {
    let mut homes: Vec<Square> = phase.lines.iter().filter(|line| may_correct(line)).map(|line| line.id.home).collect();
    homes.dedup();
    homes.sort_unstable();
    homes.dedup();
    homes.into_iter().filter_map(|home| of_man(phase, home, length)).collect()
}

fn may_correct(line: &Line<'_>) -> bool {
    !matches!(line.id.role, Role::King | Role::Pawn)
}

fn of_man(phase: &Phase<'_>, home: Square, length: u16) -> Option<Theme> {
    let lines: Vec<&Line<'_>> = phase.lines.iter().filter(|line| line.id.home == home).collect();
    let attacker = !phase.position.turn();
    let gone = without(&phase.position, attacker, home)?;
    let errors = lines.iter().filter_map(|line| Some((*line, line.only()?)));
    for (error, mate) in errors {
        let works = |line: &Line<'_>| solves(&after(&phase.position, line.ply.mv), mate.ply.mv, length);
        let corrections = corrections(&lines, mate, &works);
        let committed = lines.iter().filter(|line| line.only().is_some_and(|only| only.id == mate.id)).count();
        let is_general = committed >= 2 && committed >= corrections.len();
        let Some((correction, other)) = corrections.iter().find_map(|line| Some((*line, line.only()?))) else {
            continue;
        };
        if !is_general || threatens(phase, mate, length) || !solves(&gone, mate.ply.mv, length) {
            continue;
        }
        let change = format!("the {} on {home} is taken off", word(error.id.role));
        let claim = ThemeClaim::new("Black correction").answer(phase, error, mate).answer(phase, correction, other);
        return Some(claim.shown_by(ask_in(length, change, &gone, mate.ply.mv)).done());
    }
    None
}

/// Returns whether a move mates in `length` moves after a pass, also where a shorter mate is the threat.
pub(super) fn threatens(phase: &Phase<'_>, answer: &AttackersMove<'_>, length: u16) -> bool {
    let passes = || passed(&phase.position).is_some_and(|passed| solves(&passed, answer.ply.mv, length));
    phase.threatens(answer.id) || (length > 1 && passes())
}

/// Returns the moves of the same man after which the mate does not work. A shorter mate may have taken its place among
/// the answers, so the board is asked too.
fn corrections<'p, 'r>(
    lines: &[&'p Line<'r>],
    mate: &AttackersMove<'_>,
    works: &dyn Fn(&Line<'_>) -> bool,
) -> Vec<&'p Line<'r>> {
    let stops = |line: &&&'p Line<'r>| line.answers.iter().all(|answer| answer.id != mate.id) && !works(line);
    lines.iter().filter(stops).copied().collect()
}
