//! First moves that come back as threats or mates in other phases.
//!
//! In the rules, "1.A (B)" is the first move A with the threat B; small letters are defences. Tries have one refutation
//! and do not give check.
//!
//! | name | rule |
//! |---|---|
//! | Threat reversal | 1.A (B); 1.B (A) |
//! | Reversal | 1.A a – B; 1.B a – A, after the same defence |
//! | Vladimirov | 1.A? a!; 1.B? b!; in the solution a – A, b – B |
//! | Banny | 1.A? a!; 1.B? b!; in the solution a – B, b – A |
//! | Urania | a move that is a first move in one phase, a threat in a second, and the only mate after a defence in a third |

use crate::results::themes::{PhaseKind, Theme};

use super::claim::ThemeClaim;
use super::phases::{AttackersMove, Line, Phase, PlayMove, Scene};

pub(super) const NAMES: [&str; 5] = ["Threat reversal", "Reversal", "Vladimirov", "Banny", "Urania"];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    if !scene.is_two_mover() {
        return Vec::new();
    }
    let played: Vec<&Phase<'_>> = scene.thematic().filter(|phase| is_played(phase)).collect();
    let mut pairs = Vec::new();
    for later in 0..played.len() {
        pairs.extend((0..later).map(|earlier| (played[earlier], played[later])));
    }
    pairs.reverse();
    let mut themes: Vec<Theme> = Vec::new();
    themes.extend(pairs.iter().find_map(|(one, two)| threat_reversal(one, two)));
    themes.extend(pairs.iter().find_map(|(one, two)| reversal(one, two)));
    for key in scene.solutions() {
        themes.extend(pairs.iter().find_map(|(one, two)| of_refutations(one, two, key)));
    }
    themes.extend(urania(scene, &played));
    themes
}

/// Returns whether a phase has a first move to compare. A try that gives check is no thematic try.
fn is_played(phase: &Phase<'_>) -> bool {
    phase.first.is_some_and(|first| phase.kind == PhaseKind::Solution || !first.check)
}

fn threat_reversal(one: &Phase<'_>, two: &Phase<'_>) -> Option<Theme> {
    let (a, b) = (one.first_id()?, two.first_id()?);
    let of_one = one.threats.iter().find(|threat| threat.id == b)?;
    let of_two = two.threats.iter().find(|threat| threat.id == a)?;
    Some(ThemeClaim::new("Threat reversal").threat(one, of_one).threat(two, of_two).done())
}

fn reversal(one: &Phase<'_>, two: &Phase<'_>) -> Option<Theme> {
    let (a, b) = (one.first_id()?, two.first_id()?);
    let of_one = one.single().filter(|(_, answer)| answer.id == b);
    let both = of_one.filter_map(|(line, answer)| {
        let back = two.single().find(|(other, answer)| other.id == line.id && answer.id == a)?;
        Some((line, answer, back))
    });
    let (line, answer, back) = both.into_iter().next()?;
    let claim = ThemeClaim::new("Reversal").first(one).answer(one, line, answer);
    Some(claim.first(two).answer(two, back.0, back.1).done())
}

fn of_refutations(one: &Phase<'_>, two: &Phase<'_>, key: &Phase<'_>) -> Option<Theme> {
    let [(_, a), (_, b)] = [one.refutations.first()?, two.refutations.first()?];
    let mate = |defence: PlayMove| key.line(defence).and_then(|line| Some((line, line.only()?)));
    let (after_a, after_b) = (mate(*a)?, mate(*b)?);
    let firsts = (one.first_id()?, two.first_id()?);
    let name = match (after_a.1.id, after_b.1.id) {
        _ if a == b => return None,
        mates if mates == firsts => "Vladimirov",
        mates if mates == (firsts.1, firsts.0) => "Banny",
        _ => return None,
    };
    let claim = ThemeClaim::new(name).refuted(one).refuted(two);
    Some(claim.answer(key, after_a.0, after_a.1).answer(key, after_b.0, after_b.1).done())
}

fn urania(scene: &Scene<'_>, played: &[&Phase<'_>]) -> Option<Theme> {
    let is_other = |one: &Phase<'_>, two: &Phase<'_>| !std::ptr::eq(one, two);
    for first in played {
        let Some(id) = first.first_id() else { continue };
        for second in played.iter().filter(|second| is_other(second, first)) {
            let Some(threat) = second.threats.iter().find(|threat| threat.id == id) else { continue };
            let with_mates = scene.thematic().filter(|third| third.kind == PhaseKind::SetPlay || is_played(third));
            for third in with_mates.filter(|third| is_other(third, first) && is_other(third, second)) {
                let found: Option<(&Line<'_>, &AttackersMove<'_>)> = third.single().find(|(_, answer)| answer.id == id);
                let has_solution = [first, second, &third].iter().any(|phase| phase.kind == PhaseKind::Solution);
                if let Some((line, answer)) = found.filter(|_| has_solution) {
                    let claim = ThemeClaim::new("Urania").first(first).threat(second, threat);
                    return Some(claim.answer(third, line, answer).done());
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::themes::testing::names;

    #[test]
    fn first_moves_come_back() {
        for (phases, expected) in [
            ("A? (B) !c / B! (A)", &["Threat reversal"][..]),
            ("A? (B) !c / B! (C)", &[]),
            ("A? aB !c / B! aA", &["Reversal"]),
            // Another defence; no second half; a try that gives check.
            ("A? aB !c / B! bA", &[]),
            ("A? aB !c / B! aC", &[]),
            ("A+? aB !c / B! aA", &[]),
            ("A? !a / B? !b / Y! aA bB", &["Vladimirov"]),
            ("A? !a / B? !b / Y! aB bA", &["Banny"]),
            ("A? !a / B? !b / Y! aA bC", &[]),
            ("A+? !a / B? !b / Y! aA bB", &[]),
            ("A? !a / B? !bc / Y! aA bB", &[]),
            ("A? !c / X? (A) !d / Y! aA", &["Urania"]),
            // The move is no threat; it is no mate; two of the roles fall into one phase.
            ("A? !c / X? (B) !d / Y! aA", &[]),
            ("A? !c / X? (A) !d / Y! aB", &[]),
            ("A? !c / Y! (A) aA", &[]),
        ] {
            assert_eq!(names(find, phases), expected, "{phases}");
        }
    }
}
