//! Phases with several threats, and what becomes of the threats.
//!
//! | name | rule |
//! |---|---|
//! | Fleck | a solution with at least three threats: for each threat there is a defence that leaves it as the only threat |
//! | Karlstrom-Fleck | a Fleck with a further defence that stops all threats and has an answer of its own |
//! | Rudenko | a first move with exactly two threats A and B; in the solution A and B are no threats, but the only mates after two different defences |
//! | Barnes | three first moves with the threats A and B, A alone, B alone |
//!
//! The single threats of a Fleck are compared with the *threats* only: a defence may allow another mate beside.

use crate::results::themes::{PhaseKind, Theme};

use super::claim::ThemeClaim;
use super::phases::{AttackersMove, Line, Phase, Scene};

pub(super) const NAMES: [&str; 4] = ["Fleck", "Karlstrom-Fleck", "Rudenko", "Barnes"];

/// The least number of threats of a Fleck.
const FLECK: usize = 3;

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    if !scene.is_two_mover() {
        return Vec::new();
    }
    let mut themes: Vec<Theme> = scene.solutions().flat_map(fleck).collect();
    themes.extend(rudenko(scene));
    themes.extend(barnes(scene));
    themes
}

fn fleck(key: &Phase<'_>) -> Vec<Theme> {
    if key.threats.len() < FLECK {
        return Vec::new();
    }
    let left = |line: &Line<'_>| line.answers.iter().filter(|answer| key.threatens(answer.id)).count();
    let separates = |line: &&Line<'_>, threat: &AttackersMove<'_>| {
        left(line) == 1 && line.answers.iter().any(|answer| answer.id == threat.id)
    };
    let separating: Option<Vec<(&Line<'_>, &AttackersMove<'_>)>> = key
        .threats
        .iter()
        .map(|threat| Some((key.lines.iter().find(|line| separates(line, threat))?, threat)))
        .collect();
    let Some(separating) = separating else { return Vec::new() };
    let show = |name| {
        let claim = key.threats.iter().take(1).fold(ThemeClaim::new(name), |claim, _| claim.first(key));
        separating.iter().fold(claim, |claim, (line, threat)| claim.answer(key, line, threat))
    };
    let mut themes = vec![show("Fleck").done()];
    let further = key.lines.iter().find(|line| !line.answers.is_empty() && left(line) == 0);
    if let Some((line, answer)) = further.and_then(|line| Some((line, line.answers.first()?))) {
        themes.push(show("Karlstrom-Fleck").answer(key, line, answer).done());
    }
    themes
}

fn rudenko(scene: &Scene<'_>) -> Option<Theme> {
    for double in scene.thematic() {
        let [a, b] = &double.threats[..] else { continue };
        for key in scene.solutions().filter(|key| !std::ptr::eq(*key, double)) {
            let after = |threat: &AttackersMove<'_>| {
                if key.threatens(threat.id) {
                    return None;
                }
                key.single().find(|(_, answer)| answer.id == threat.id)
            };
            if let (Some(first), Some(second)) = (after(a), after(b)) {
                let claim = ThemeClaim::new("Rudenko").threat(double, a).moves(double, 2, [b.ply]);
                return Some(claim.answer(key, first.0, first.1).answer(key, second.0, second.1).done());
            }
        }
    }
    None
}

fn barnes(scene: &Scene<'_>) -> Option<Theme> {
    let played: Vec<&Phase<'_>> = scene.thematic().filter(|phase| phase.kind != PhaseKind::SetPlay).collect();
    for double in &played {
        let [a, b] = &double.threats[..] else { continue };
        let alone = |threat: &AttackersMove<'_>| {
            let is_alone = |phase: &&&Phase<'_>| matches!(&phase.threats[..], [only] if only.id == threat.id);
            played.iter().rev().find(is_alone)
        };
        if let (Some(of_a), Some(of_b)) = (alone(a), alone(b)) {
            let claim = ThemeClaim::new("Barnes").threat(double, a).moves(double, 2, [b.ply]);
            return Some(claim.threat(of_a, &of_a.threats[0]).threat(of_b, &of_b.threats[0]).done());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::themes::testing::names;

    #[test]
    fn threats_are_separated_and_come_back() {
        for (phases, expected) in [
            ("Y! (ABC) aA bB cC", &["Fleck"][..]),
            ("Y! (ABC) aA bB cC dD", &["Fleck", "Karlstrom-Fleck"]),
            // Two threats; a threat that no defence leaves alone; a defence that leaves two.
            ("Y! (AB) aA bB", &[]),
            ("Y! (ABC) aA bB cB", &[]),
            ("Y! (ABC) aA bB cBC", &[]),
            ("X? (AB) !c / Y! aA bB", &["Rudenko"]),
            // Three threats; one mate; the threats of the solution; a dual; two refutations.
            ("X? (ABC) !c / Y! aA bB", &[]),
            ("X? (AB) !c / Y! aA bC", &[]),
            ("X? (AB) !c / Y! (A) aA bB", &[]),
            ("X? (AB) !c / Y! aAC bB", &[]),
            ("X? (AB) !cd / Y! aA bB", &[]),
            ("X? (A) !c / Z? (B) !d / Y! (AB)", &["Barnes"]),
            ("X? (A) !c / Z? (AC) !d / Y! (AB)", &[]),
            ("X? (A) !c / Z? (A) !d / Y! (AB)", &[]),
            ("X? (A) !c / Z? (B) !d / Y! (ABC)", &[]),
        ] {
            assert_eq!(names(find, phases), expected, "{phases}");
        }
    }
}
