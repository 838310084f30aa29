//! Threats and mates that change places between two or three phases.
//!
//! In the rules, "1.x (A)" is a first move with the threat A, small letters are defences, capitals mates. Phases are
//! those of a two-mover with a first move; tries have one refutation. Mates after defences have no dual.
//!
//! | name | rule |
//! |---|---|
//! | Le Grand | 1.x (A) a – B; 1.y (B) a – A |
//! | Pseudo Le Grand | 1.x (A) a – B; 1.y (B) b – A, where a ≠ b, and it is no Le Grand |
//! | Dombrovskis | 1.x? (A) a!; 1.y? (B) b!; in the solution a – A, b – B |
//! | Hannelius | 1.x? (A) a!; 1.y? (B) b!; in the solution a – B, b – A |
//!
//! In a Le Grand each phase has one threat only: with several, the pattern arises by chance.

use crate::results::themes::{PhaseKind, Theme};

use super::claim::ThemeClaim;
use super::phases::{AttackersMove, Line, Phase, PlayMove, Scene};

pub(super) const NAMES: [&str; 4] = ["Le Grand", "Pseudo Le Grand", "Dombrovskis", "Hannelius"];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    if !scene.is_two_mover() {
        return Vec::new();
    }
    let played: Vec<&Phase<'_>> = scene.thematic().filter(|phase| phase.kind != PhaseKind::SetPlay).collect();
    let mut pairs = Vec::new();
    for later in 0..played.len() {
        pairs.extend((0..later).map(|earlier| (played[earlier], played[later])));
    }
    pairs.reverse();
    let le_grand = pairs.iter().find_map(|(one, two)| exchange(one, two, true));
    let pseudo = || pairs.iter().find_map(|(one, two)| exchange(one, two, false));
    let mut themes: Vec<Theme> = le_grand.or_else(pseudo).into_iter().collect();
    for key in scene.solutions() {
        let refuted = |(one, two): &(&Phase<'_>, &Phase<'_>)| of_refutations(one, two, key);
        themes.extend(pairs.iter().find_map(refuted));
    }
    themes
}

/// Returns the line after which the mate is the only one, and not a threat.
fn line_with<'p, 'r>(phase: &'p Phase<'r>, mate: PlayMove) -> Vec<(&'p Line<'r>, &'p AttackersMove<'r>)> {
    phase.single().filter(|(_, answer)| answer.id == mate).collect()
}

/// Looks for a threat and a mate that change places. `same`: after the same defence.
fn exchange(one: &Phase<'_>, two: &Phase<'_>, same: bool) -> Option<Theme> {
    let ([a], [b]) = (&one.threats[..], &two.threats[..]) else { return None };
    if a.id == b.id {
        return None;
    }
    let name = if same { "Le Grand" } else { "Pseudo Le Grand" };
    for (line, mate) in line_with(one, b.id) {
        let others = line_with(two, a.id);
        let other = others.iter().find(|(other, _)| (other.id == line.id) == same);
        if let Some((other, answer)) = other {
            let claim = ThemeClaim::new(name).threat(one, a).answer(one, line, mate);
            return Some(claim.threat(two, b).answer(two, other, answer).done());
        }
    }
    None
}

/// Looks for the threats of two tries behind their refutations.
fn of_refutations(one: &Phase<'_>, two: &Phase<'_>, key: &Phase<'_>) -> Option<Theme> {
    let [(_, a), (_, b)] = [one.refutations.first()?, two.refutations.first()?];
    let mates = [a, b].map(|&defence| key.line(defence).and_then(|line| Some((line, line.only()?))));
    let [Some(after_a), Some(after_b)] = mates else { return None };
    if a == b || after_a.1.id == after_b.1.id {
        return None;
    }
    let show = |name, first: &AttackersMove<'_>, second: &AttackersMove<'_>| {
        let claim = ThemeClaim::new(name).threat(one, first).refuted(one).threat(two, second).refuted(two);
        claim.answer(key, after_a.0, after_a.1).answer(key, after_b.0, after_b.1).done()
    };
    let threat = |phase: &Phase<'_>, mate: PlayMove| phase.threats.iter().position(|threat| threat.id == mate);
    let (of_a, of_b) = (after_a.1.id, after_b.1.id);
    if let (Some(first), Some(second)) = (threat(one, of_a), threat(two, of_b)) {
        return Some(show("Dombrovskis", &one.threats[first], &two.threats[second]));
    }
    if let (Some(first), Some(second)) = (threat(one, of_b), threat(two, of_a)) {
        return Some(show("Hannelius", &one.threats[first], &two.threats[second]));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::themes::testing::names;

    #[test]
    fn threats_and_mates_change_places() {
        for (phases, expected) in [
            ("X? (A) aB !c / Y! (B) aA", &["Le Grand"][..]),
            ("X? (A) aB !c / Y! (B) bA", &["Pseudo Le Grand"]),
            // A double threat; the same threat; only one mate; a dual.
            ("X? (AC) aB !c / Y! (B) aA", &[]),
            ("X? (A) aB !c / Y! (A) aB", &[]),
            ("X? (A) aB !c / Y! (B) aC", &[]),
            ("X? (A) aBC !c / Y! (B) aA", &[]),
            ("X? (A) !a / Z? (B) !b / Y! aA bB", &["Dombrovskis"]),
            ("X? (A) !a / Z? (B) !b / Y! aB bA", &["Hannelius"]),
            // The same refutation; one mate; two refutations; set play.
            ("X? (A) !a / Z? (B) !a / Y! aA bB", &[]),
            ("X? (A) !a / Z? (B) !b / Y! aA bC", &[]),
            ("X? (A) !ac / Z? (B) !b / Y! aA bB", &[]),
            ("set: aB / X? (A) !a / Y! bB", &[]),
        ] {
            assert_eq!(names(find, phases), expected, "{phases}");
        }
    }
}
