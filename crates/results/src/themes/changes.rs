//! Mates that change from phase to phase: the patterns of two and three phases that compare answers.
//!
//! In the first table, small letters are defences and capitals are mates. Phases are the set play, the tries with one
//! refutation and the solutions of a two-mover, and only answers without a dual count.
//!
//! | name | rule |
//! |---|---|
//! | Changed mates | a – A, b – B in one phase; a – C, b – D in another, where A ≠ C, B ≠ D, A ≠ B and C ≠ D |
//! | Transferred mates | two mates A and B of one phase, each of which follows in a later one a defence that it does not follow in the first |
//! | Reciprocal | a – A, b – B; a – B, b – A |
//! | Lacny | a – A, b – B, c – C; a – B, b – C, c – A |
//! | Zagoruiko | a has three different mates in three phases, and so has b; in no phase do they have the same mate |
//! | Rukhlis | a – A, b – B, no mate after c and d; c – A, d – B, and a – C, b – D |
//!
//! The second table has blocks: problems in which every move of the defender has a mate before the key.
//!
//! | name | rule |
//! |---|---|
//! | Block | the set play answers every defence, the key only waits (zugzwang), and no set mate is replaced |
//! | Mutate | the same, but the key replaces at least one set mate: none of the set answers to that defence mates any more |
//!
//! A key that merely adds a dual, or removes one, leaves a block.

use hashbrown::{HashMap, HashSet};

use crate::results::themes::{PhaseKind, Theme};
use crate::themes::phases::{Answered, Line, Phase, PlayMove, Scene, ThemeClaim, pairs};

pub(super) const NAMES: [&str; 6] =
    ["Changed mates", "Transferred mates", "Reciprocal", "Lacny", "Zagoruiko", "Rukhlis"];

pub(super) fn find(scene: &Scene<'_>) -> Vec<Theme> {
    let phases: Vec<Mates<'_, '_>> = scene.thematic().map(Mates::of).collect();
    let best = |find: fn(&Mates<'_, '_>, &Mates<'_, '_>) -> Option<Theme>| {
        // A pattern that the solution shows says more than one between tries.
        pairs(&phases).into_iter().find_map(|(earlier, later)| find(earlier, later))
    };
    let found = [best(changed), best(transferred), best(reciprocal), best(lacny), zagoruiko(&phases), best(rukhlis)];
    found.into_iter().flatten().collect()
}

/// The mates of a phase that have no dual.
struct Mates<'p, 'r> {
    phase: &'p Phase<'r>,
    /// The lines, in the order of the report.
    lines: Vec<Answered<'p, 'r>>,
    /// The mate after each defence.
    after: HashMap<PlayMove, PlayMove>,
}

impl<'p, 'r> Mates<'p, 'r> {
    fn of(phase: &'p Phase<'r>) -> Mates<'p, 'r> {
        let lines: Vec<_> = phase.single().collect();
        let after = lines.iter().map(|(line, answer)| (line.id, answer.id)).collect();
        Mates { phase, lines, after }
    }

    /// Returns the lines whose defence has another mate in the other phase, as (defence, mate here, mate there).
    fn changes(&self, other: &Mates<'_, '_>) -> Vec<(PlayMove, PlayMove, PlayMove)> {
        let change = |(line, answer): &Answered<'_, '_>| {
            let there = *other.after.get(&line.id)?;
            (there != answer.id).then_some((line.id, answer.id, there))
        };
        self.lines.iter().filter_map(change).collect()
    }

    /// Returns a defence after which the mate follows.
    fn defence_of(&self, mate: PlayMove) -> Option<PlayMove> {
        self.lines.iter().find(|(_, answer)| answer.id == mate).map(|(line, _)| line.id)
    }

    /// Adds the lines of these defences to a claim.
    fn show(&self, claim: ThemeClaim, defences: &[PlayMove]) -> ThemeClaim {
        let lines = defences.iter().filter_map(|id| self.lines.iter().find(|(line, _)| line.id == *id));
        lines.fold(claim, |claim, (line, answer)| claim.answer(self.phase, line, answer))
    }
}

/// Returns the first element with the next one after it that fits it.
fn first_pair<T>(all: &[T], fit: impl Fn(&T, &T) -> bool) -> Option<(&T, &T)> {
    all.iter().enumerate().find_map(|(at, one)| Some((one, all[at + 1..].iter().find(|two| fit(one, two))?)))
}

/// Shows the same defences in both phases.
fn both(name: &'static str, one: &Mates<'_, '_>, two: &Mates<'_, '_>, defences: &[PlayMove]) -> Theme {
    two.show(one.show(ThemeClaim::new(name), defences), defences).done()
}

fn changed(one: &Mates<'_, '_>, two: &Mates<'_, '_>) -> Option<Theme> {
    let changes = one.changes(two);
    let (a, b) = first_pair(&changes, |a, b| a.1 != b.1 && a.2 != b.2)?;
    Some(both("Changed mates", one, two, &[a.0, b.0]))
}

fn transferred(one: &Mates<'_, '_>, two: &Mates<'_, '_>) -> Option<Theme> {
    let mut found: Vec<(PlayMove, PlayMove, PlayMove)> = Vec::new();
    for (line, answer) in &two.lines {
        let is_new = one.after.get(&line.id) != Some(&answer.id);
        let is_known = found.iter().any(|&(mate, ..)| mate == answer.id);
        if let Some(before) = one.defence_of(answer.id).filter(|_| is_new && !is_known) {
            found.push((answer.id, before, line.id));
        }
    }
    let [a, b, ..] = found[..] else { return None };
    let claim = one.show(ThemeClaim::new("Transferred mates"), &[a.1, b.1]);
    Some(two.show(claim, &[a.2, b.2]).done())
}

fn reciprocal(one: &Mates<'_, '_>, two: &Mates<'_, '_>) -> Option<Theme> {
    let changes = one.changes(two);
    let (a, b) = first_pair(&changes, |a, b| a.1 == b.2 && a.2 == b.1)?;
    Some(both("Reciprocal", one, two, &[a.0, b.0]))
}

fn lacny(one: &Mates<'_, '_>, two: &Mates<'_, '_>) -> Option<Theme> {
    let changes = one.changes(two);
    for &(a, mate_a, mate_b) in &changes {
        for &(b, ..) in changes.iter().filter(|it| it.1 == mate_b) {
            let mate_c = two.after[&b];
            let third = changes.iter().find(|it| it.1 == mate_c && it.2 == mate_a && mate_c != mate_a);
            if let Some(&(c, ..)) = third {
                return Some(both("Lacny", one, two, &[a, b, c]));
            }
        }
    }
    None
}

fn rukhlis(one: &Mates<'_, '_>, two: &Mates<'_, '_>) -> Option<Theme> {
    // The mates of changed defences that follow other defences now.
    let moved: Vec<(PlayMove, PlayMove, PlayMove, PlayMove)> = one
        .changes(two)
        .into_iter()
        .filter_map(|(a, before, after)| Some((a, before, after, two.defence_of(before)?)))
        .filter(|&(_, _, _, c)| one.after.get(&c).is_none())
        .collect();
    let (a, b) = first_pair(&moved, |a, b| a.1 != b.1 && a.2 != b.2 && a.3 != b.3)?;
    let claim = one.show(ThemeClaim::new("Rukhlis"), &[a.0, b.0]);
    Some(two.show(claim, &[a.3, b.3, a.0, b.0]).done())
}

fn zagoruiko(phases: &[Mates<'_, '_>]) -> Option<Theme> {
    for third in (2..phases.len()).rev() {
        for second in (1..third).rev() {
            let changes = phases[second].changes(&phases[third]);
            if changes.len() < 2 {
                continue;
            }
            for first in (0..second).rev() {
                let differs = |&&(a, two, three): &&(PlayMove, PlayMove, PlayMove)| {
                    phases[first].after.get(&a).is_some_and(|&one| one != two && one != three)
                };
                let steady: Vec<_> = changes.iter().filter(differs).collect();
                let of_first = &phases[first].after;
                let pair = first_pair(&steady, |a, b| a.1 != b.1 && a.2 != b.2 && of_first[&a.0] != of_first[&b.0]);
                if let Some((a, b)) = pair {
                    let shown = [first, second, third].into_iter();
                    let claim = ThemeClaim::new("Zagoruiko");
                    let claim = shown.fold(claim, |claim, phase| phases[phase].show(claim, &[a.0, b.0]));
                    return Some(claim.done());
                }
            }
        }
    }
    None
}

pub(super) const BLOCK_NAMES: [&str; 2] = ["Block", "Mutate"];

pub(super) fn find_blocks(scene: &Scene<'_>) -> Vec<Theme> {
    let set_play = scene.phases.iter().find(|phase| phase.kind == PhaseKind::SetPlay);
    let Some(set) = set_play.filter(|set| set.complete && !set.cut) else { return Vec::new() };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::themes::testing::names;

    #[test]
    fn each_change_is_claimed_by_its_definition() {
        for (phases, expected) in [
            ("set: aA bB / Y! aC bD", &["Changed mates"][..]),
            // One mate; the same old mate twice; the same new mate twice; a dual.
            ("set: aA bB / Y! aC bB", &[]),
            ("set: aA bA / Y! aC bD", &[]),
            ("set: aA bB / Y! aC bC", &[]),
            ("set: aA bB / Y! aCE bD", &[]),
            ("X? aA bB !e / Y! cA dB", &["Transferred mates"]),
            // One mate only; a try with two refutations.
            ("X? aA bB !e / Y! cA bB", &[]),
            ("X? aA bB !ef / Y! cA dB", &[]),
            ("set: aA bB / Y! aB bA", &["Changed mates", "Transferred mates", "Reciprocal"]),
            ("set: aA bB cC / Y! aB bC cA", &["Changed mates", "Transferred mates", "Lacny"]),
            ("set: aA bB cC / Y! aB bA cC", &["Changed mates", "Transferred mates", "Reciprocal"]),
            ("set: aA bB / X? aC bD !e / Y! aE bF", &["Changed mates", "Zagoruiko"]),
            // A mate comes back in the third phase.
            ("set: aA bB / X? aC bD !e / Y! aE bB", &["Changed mates"]),
            ("set: aA bB / X? aC bD !e / Y! aA bF", &["Changed mates"]),
            ("set: aA bB / Y! cA dB aC bD", &["Changed mates", "Transferred mates", "Rukhlis"]),
            ("set: aA bB / Y! cA dB aC bB", &["Transferred mates"]),
        ] {
            assert_eq!(names(find, phases), expected, "{phases}");
        }
    }
}
