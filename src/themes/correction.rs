//! Black correction: a man commits the same error wherever it moves, except where one of its moves makes up for it.
//!
//! A **general error** of a man is a mate that works as soon as the man has left its square. The re-test takes the man off
//! the board: the mate must work then, and it must be no threat. Some move of the man must allow it, so the error is
//! committed; another move, the **correction**, must stop it, and meet another answer. The name is used for either colour of
//! the defender. Kings and pawns do not count, because a pawn has no random move.

use shakmaty::{Position as _, Role, Square};

use crate::results::themes::Theme;

use super::claim::Claim;
use super::phases::{Answer, Line, Phase, Scene};
use super::retest::{ask, mates, without};
use super::words::word;

pub(super) const NAMES: [&str; 1] = ["Black correction"];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    if !scene.is_two_mover() {
        return Vec::new();
    }
    scene.solutions().flat_map(of_solution).collect()
}

/// Returns the corrections of each man, one for each error.
fn of_solution(phase: &Phase<'_>) -> Vec<Theme> {
    let mut homes: Vec<Square> = phase.lines.iter().filter(|line| may_correct(line)).map(|line| line.id.home).collect();
    homes.dedup();
    homes.sort_unstable();
    homes.dedup();
    homes.into_iter().filter_map(|home| of_man(phase, home)).collect()
}

fn may_correct(line: &Line<'_>) -> bool {
    !matches!(line.id.role, Role::King | Role::Pawn)
}

fn of_man(phase: &Phase<'_>, home: Square) -> Option<Theme> {
    let lines: Vec<&Line<'_>> = phase.lines.iter().filter(|line| line.id.home == home).collect();
    let attacker = !phase.position.turn();
    let gone = without(&phase.position, attacker, home)?;
    let errors = lines.iter().filter_map(|line| Some((*line, line.only()?)));
    for (error, mate) in errors {
        if phase.threatens(mate.id) || !mates(&gone, mate.ply.mv) {
            continue;
        }
        let Some((correction, other)) = correction(&lines, mate) else { continue };
        let change = format!("the {} on {home} is taken off", word(error.id.role));
        let claim = Claim::new("Black correction").answer(phase, error, mate).answer(phase, correction, other);
        return Some(claim.shown_by(ask(change, &gone, mate.ply.mv)).done());
    }
    None
}

/// Returns a move of the same man after which the mate does not work, with its first answer.
fn correction<'p, 'r>(lines: &[&'p Line<'r>], mate: &Answer<'_>) -> Option<(&'p Line<'r>, &'p Answer<'r>)> {
    let stops = |line: &&&'p Line<'r>| line.answers.iter().all(|answer| answer.id != mate.id);
    lines.iter().filter(stops).find_map(|line| Some((*line, line.answers.first()?)))
}
