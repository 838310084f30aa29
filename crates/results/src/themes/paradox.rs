//! Threats and mates that change places between two or three phases.
//!
//! In the rules, "1.x (A)" is a first move with the threat A, small letters are defences, capitals mates. Phases are
//! the solutions of a two-mover and its tries with one refutation. Mates after defences have no dual; in a Fleck only
//! the threats are counted.
//!
//! | name | rule |
//! |---|---|
//! | Le Grand | 1.x (A) a – B; 1.y (B) a – A |
//! | Pseudo Le Grand | 1.x (A) a – B; 1.y (B) b – A, where a ≠ b, and no two phases show a Le Grand |
//! | Dombrovskis | 1.x? (A) a!; 1.y? (B) b!; in the solution a – A, b – B |
//! | Hannelius | 1.x? (A) a!; 1.y? (B) b!; in the solution a – B, b – A |
//!
//! In both Le Grands each phase has one threat only: with several, the pattern arises by chance.
//!
//! The second table has phases with several threats, and what becomes of the threats.
//!
//! | name | rule |
//! |---|---|
//! | Fleck | a solution with at least three threats: for each threat there is a defence that leaves it as the only threat |
//! | Karlstrom-Fleck | a Fleck with a further defence that stops all threats and has an answer of its own |
//! | Rudenko | a first move with exactly two threats A and B; in another phase, a solution, A and B are no threats, but the only mates after two different defences |
//! | Barnes | three first moves with the threats A and B, A alone, B alone |
//!
//! The third table has first moves that come back as threats or mates in other phases.
//!
//! In these rules, "1.A (B)" is the first move A with the threat B. Tries have one refutation and do not give check.
//! The third phase of an Urania may be the set play.
//!
//! | name | rule |
//! |---|---|
//! | Threat reversal | 1.A (B); 1.B (A) |
//! | Reversal | 1.A a – B; 1.B a – A, after the same defence |
//! | Vladimirov | 1.A? a!; 1.B? b!; in the solution a – A, b – B |
//! | Banny | 1.A? a!; 1.B? b!; in the solution a – B, b – A |
//! | Urania | a move that is a first move in one phase, a threat in a second, and the only mate after a defence in a third; one of the three is a solution |

use crate::results::themes::{PhaseKind, Theme};
use crate::themes::phases::{Answered, AttackersMove, Line, Phase, PlayMove, Scene, ThemeClaim, pairs};

pub(super) const NAMES: [&str; 4] = ["Le Grand", "Pseudo Le Grand", "Dombrovskis", "Hannelius"];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    let played: Vec<&Phase<'_>> = scene.thematic().filter(|phase| phase.kind != PhaseKind::SetPlay).collect();
    let pairs = pairs(&played);
    let le_grand = pairs.iter().find_map(|(one, two)| exchange(one, two, true));
    let pseudo = || pairs.iter().find_map(|(one, two)| exchange(one, two, false));
    let mut themes: Vec<Theme> = le_grand.or_else(pseudo).into_iter().collect();
    for key in scene.solutions() {
        themes.extend(pairs.iter().find_map(|(one, two)| of_refutations(one, two, key)));
    }
    themes
}

/// Returns the lines after which the mate is the only answer.
fn line_with<'p, 'r>(phase: &'p Phase<'r>, mate: PlayMove) -> Vec<Answered<'p, 'r>> {
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
    let (after_a, after_b) = after_refutations(one, two, key)?;
    let (of_a, of_b) = (after_a.1.id, after_b.1.id);
    if of_a == of_b {
        return None;
    }
    let show = |name, first: &AttackersMove<'_>, second: &AttackersMove<'_>| {
        let claim = ThemeClaim::new(name).threat(one, first).refuted(one).threat(two, second).refuted(two);
        claim.answer(key, after_a.0, after_a.1).answer(key, after_b.0, after_b.1).done()
    };
    let shown = |name, first: PlayMove, second: PlayMove| {
        let first = one.threats.iter().find(|threat| threat.id == first)?;
        Some(show(name, first, two.threats.iter().find(|threat| threat.id == second)?))
    };
    shown("Dombrovskis", of_a, of_b).or_else(|| shown("Hannelius", of_b, of_a))
}

/// Returns the only mates that a solution has after the refutations of two tries, if these differ.
fn after_refutations<'p, 'r>(
    one: &Phase<'_>,
    two: &Phase<'_>,
    key: &'p Phase<'r>,
) -> Option<(Answered<'p, 'r>, Answered<'p, 'r>)> {
    let [(_, a), (_, b)] = [one.refutations.first()?, two.refutations.first()?];
    let mate = |defence: PlayMove| key.line(defence).and_then(|line| Some((line, line.only()?)));
    Some((mate(*a)?, mate(*b)?)).filter(|_| a != b)
}

pub(super) const THREAT_NAMES: [&str; 4] = ["Fleck", "Karlstrom-Fleck", "Rudenko", "Barnes"];

/// The least number of threats of a Fleck.
const FLECK: usize = 3;

pub(super) fn find_threats(scene: &Scene<'_>) -> Vec<Theme> {
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
                key.single().find(|(_, answer)| answer.id == threat.id && !key.threatens(threat.id))
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

pub(super) const REVERSAL_NAMES: [&str; 5] = ["Threat reversal", "Reversal", "Vladimirov", "Banny", "Urania"];

pub(super) fn find_reversals(scene: &Scene<'_>) -> Vec<Theme> {
    let played: Vec<&Phase<'_>> = scene.thematic().filter(|phase| is_played(phase)).collect();
    let pairs = pairs(&played);
    let mut themes: Vec<Theme> = Vec::new();
    themes.extend(pairs.iter().find_map(|(one, two)| threat_reversal(one, two)));
    themes.extend(pairs.iter().find_map(|(one, two)| reversal(one, two)));
    for key in scene.solutions() {
        themes.extend(pairs.iter().find_map(|(one, two)| first_moves_after_refutations(one, two, key)));
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

fn first_moves_after_refutations(one: &Phase<'_>, two: &Phase<'_>, key: &Phase<'_>) -> Option<Theme> {
    let (after_a, after_b) = after_refutations(one, two, key)?;
    let firsts = (one.first_id()?, two.first_id()?);
    let name = match (after_a.1.id, after_b.1.id) {
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
            assert_eq!(names(find_threats, phases), expected, "{phases}");
        }
    }

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
            assert_eq!(names(find_reversals, phases), expected, "{phases}");
        }
    }
}
