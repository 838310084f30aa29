//! Blocks: problems in which every move of the defender has a mate before the key.
//!
//! | name | rule |
//! |---|---|
//! | Block | the set play answers every defence, the key only waits (zugzwang), and no set mate is replaced |
//! | Mutate | the same, but the key replaces at least one set mate: none of the set answers to that defence mates any more |
//!
//! A key that merely adds a dual, or removes one, leaves a block.

use hashbrown::HashSet;

use crate::results::themes::Theme;

use super::claim::ThemeClaim;
use super::phases::{Line, Phase, Scene};

pub(super) const NAMES: [&str; 2] = ["Block", "Mutate"];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    let Some(set) = scene.set_play().filter(|set| set.complete && !set.cut && scene.is_two_mover()) else {
        return Vec::new();
    };
    scene.solutions().filter(|key| key.zugzwang && !key.cut).map(|key| of_key(set, key)).collect()
}

fn of_key(set: &Phase<'_>, key: &Phase<'_>) -> Theme {
    let replaced = key.lines.iter().filter_map(|line| Some((set.line(line.id)?, line)));
    let replaced: Vec<(&Line<'_>, &Line<'_>)> = replaced.filter(|(before, now)| is_replaced(before, now)).collect();
    if replaced.is_empty() {
        return ThemeClaim::new("Block").first(key).done();
    }
    let mut seen = HashSet::new();
    let mates = |line: &Line<'_>| line.answers.iter().map(|answer| answer.id).collect::<Vec<_>>();
    let replaced: Vec<_> =
        replaced.into_iter().filter(|(before, now)| seen.insert((mates(before), mates(now)))).collect();
    let claim = replaced.iter().fold(ThemeClaim::new("Mutate"), |claim, (before, _)| show(claim, set, before));
    replaced.iter().fold(claim, |claim, (_, now)| show(claim, key, now)).done()
}

fn show(claim: ThemeClaim, phase: &Phase<'_>, line: &Line<'_>) -> ThemeClaim {
    match line.answers.first() {
        Some(answer) => claim.answer(phase, line, answer),
        None => claim,
    }
}

/// Returns whether none of the answers is left.
fn is_replaced(before: &Line<'_>, now: &Line<'_>) -> bool {
    let stays = |answer| now.answers.iter().any(|other| other.id == answer);
    !before.answers.is_empty() && !now.answers.is_empty() && !before.answers.iter().any(|answer| stays(answer.id))
}
