//! Squares to which several men move: defences on one square, mates on one square.
//!
//! | name | rule |
//! |---|---|
//! | Defences on same square | after the key at least three different men defend on one square, and their answers, without duals, are all different |
//! | Mates on same square | in the solution at least three different men mate on one square, without duals |

use shakmaty::Square;

use crate::results::themes::Theme;

use super::phases::{AttackersMove, Line, Phase, Scene, ThemeClaim};

pub(super) const NAMES: [&str; 2] = ["Defences on same square", "Mates on same square"];

/// The least number of men.
const MEN: usize = 3;

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    scene.solutions().flat_map(|key| defences(key).into_iter().chain(mates(key))).collect()
}

type Pair<'p, 'r> = (&'p Line<'r>, &'p AttackersMove<'r>);

fn defences(key: &Phase<'_>) -> Option<Theme> {
    let on = |(line, _): &Pair<'_, '_>| line.id.to;
    gathered("Defences on same square", key, on, |one, two| one.0.id.home != two.0.id.home && one.1.id != two.1.id)
}

fn mates(key: &Phase<'_>) -> Option<Theme> {
    let on = |(_, answer): &Pair<'_, '_>| answer.id.to;
    gathered("Mates on same square", key, on, |one, two| one.1.id.home != two.1.id.home)
}

/// Looks for a square with at least [`MEN`] lines, each of which differs from all others.
fn gathered(
    name: &'static str,
    key: &Phase<'_>,
    on: impl Fn(&Pair<'_, '_>) -> Square,
    differ: impl Fn(&Pair<'_, '_>, &Pair<'_, '_>) -> bool,
) -> Option<Theme> {
    for square in Square::ALL {
        let mut found: Vec<Pair<'_, '_>> = Vec::new();
        for line in key.single().filter(|line| on(line) == square) {
            if found.iter().all(|other| differ(&line, other)) {
                found.push(line);
            }
        }
        if found.len() >= MEN {
            let claim = ThemeClaim::new(name).on([square]);
            return Some(found.iter().fold(claim, |claim, (line, answer)| claim.answer(key, line, answer)).done());
        }
    }
    None
}
