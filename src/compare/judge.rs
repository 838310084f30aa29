//! Compares the claims of two runs about one position.
//!
//! Two claims contradict each other if they cannot both be true. A longer mate that is not claimed to be the shortest
//! does not contradict a shorter one.

use super::record::{ANY_LENGTH, RunClaims, SolutionCount};

/// How two answers differ. In the order of their weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Difference {
    /// Both cannot be true.
    Contradiction,
    /// Only one run has a mate; or only one has proved that no mate exists as asked, and the other has no answer.
    SolvedBy(Run),
    /// Both have a mate, and that of one run is shorter.
    ShorterBy(Run),
    /// Both have a mate of the same length, and one run has proved it to be the shortest; or both have solutions of
    /// help play, and those of one run are all.
    ProvedBy(Run),
}

/// One of the two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Run {
    /// The first.
    A,
    /// The second.
    B,
}

impl Difference {
    /// All differences, the weightiest first.
    pub(crate) const ALL: [Difference; 7] = [
        Difference::Contradiction,
        Difference::SolvedBy(Run::A),
        Difference::SolvedBy(Run::B),
        Difference::ShorterBy(Run::A),
        Difference::ShorterBy(Run::B),
        Difference::ProvedBy(Run::A),
        Difference::ProvedBy(Run::B),
    ];

    /// Returns the name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Difference::Contradiction => "contradiction",
            Difference::SolvedBy(Run::A) => "solved_by_a",
            Difference::SolvedBy(Run::B) => "solved_by_b",
            Difference::ShorterBy(Run::A) => "shorter_by_a",
            Difference::ShorterBy(Run::B) => "shorter_by_b",
            Difference::ProvedBy(Run::A) => "proved_by_a",
            Difference::ProvedBy(Run::B) => "proved_by_b",
        }
    }

    /// Returns the words for a heading.
    pub(crate) fn words(self) -> String {
        match self {
            Difference::Contradiction => "contradictions".to_owned(),
            Difference::SolvedBy(run) => format!("solved by {run:?} only"),
            Difference::ShorterBy(run) => format!("shorter mate by {run:?}"),
            Difference::ProvedBy(run) => format!("proved shortest by {run:?} only"),
        }
    }
}

/// Returns the difference between two answers; `None` if there is none.
pub(crate) fn difference(a: &RunClaims, b: &RunClaims) -> Option<Difference> {
    if contradict(a, b) || contradict(b, a) {
        return Some(Difference::Contradiction);
    }
    let more = |a: bool, b: bool, kind: fn(Run) -> Difference| match (a, b) {
        (true, false) => Some(kind(Run::A)),
        (false, true) => Some(kind(Run::B)),
        _ => None,
    };
    match (a.found(), b.found()) {
        (Some(a), Some(b)) if a != b => return more(a < b, b < a, Difference::ShorterBy),
        (Some(_), Some(_)) => return more(a.is_proved, b.is_proved, Difference::ProvedBy),
        (None, None) => {}
        (a, b) => return more(a.is_some(), b.is_some(), Difference::SolvedBy),
    }
    more(a.is_no, b.is_no, Difference::SolvedBy)
}

/// Returns whether a mate or a solution that `a` claims cannot be if what `b` says is true.
fn contradict(a: &RunClaims, b: &RunClaims) -> bool {
    let both_sides = a.mates.is_some() && b.mated.is_some();
    let refuted = |mate: Option<u16>, none: Option<u16>| matches!((mate, none), (Some(n), Some(none)) if n <= none);
    let too_many = matches!((a.solutions, b.solutions), (Some(a), Some(b)) if b.are_all && a.found > b.found);
    both_sides || too_many || refuted(a.mates, b.no_mate) || refuted(a.mated, b.not_mated)
}

/// Describes an answer in words.
pub(crate) fn words(claims: &RunClaims) -> String {
    let proved = if claims.is_proved { " (proved shortest)" } else { "" };
    let (reaches, none) = if claims.is_other_goal { ("solved", "no solution") } else { ("mate", "no mate") };
    match *claims {
        RunClaims { is_invalid: true, .. } => "invalid".to_owned(),
        RunClaims { solutions: Some(solutions), .. } => solution_words(solutions),
        RunClaims { mates: Some(n), .. } => format!("{reaches} in {n}{proved}"),
        RunClaims { mated: Some(0), .. } => "checkmated".to_owned(),
        RunClaims { mated: Some(n), .. } => format!("mated in {n}{proved}"),
        RunClaims { no_mate, not_mated, is_no: true, .. } => match no_mate.or(not_mated) {
            None => none.to_owned(),
            Some(ANY_LENGTH) => format!("{none} at all"),
            Some(n) => format!("{none} in {n}"),
        },
        RunClaims { no_mate, not_mated, .. } => match no_mate.or(not_mated) {
            None | Some(0) => "undecided".to_owned(),
            Some(n) => format!("undecided ({none} in {n})"),
        },
    }
}

/// Describes the solutions of help play in words.
fn solution_words(SolutionCount { found, are_all }: SolutionCount) -> String {
    match (found, are_all) {
        (0, true) => "no solution".to_owned(),
        (0, false) => "undecided".to_owned(),
        (1, true) => "1 solution, this is all".to_owned(),
        (_, true) => format!("{found} solutions, these are all"),
        (1, false) => "1 solution so far".to_owned(),
        (_, false) => format!("{found} solutions so far"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NONE: RunClaims = RunClaims {
        mates: None,
        no_mate: None,
        mated: None,
        not_mated: None,
        is_proved: false,
        is_no: false,
        is_invalid: false,
        is_other_goal: false,
        solutions: None,
    };

    fn mate(n: u16) -> RunClaims {
        RunClaims { mates: Some(n), ..NONE }
    }

    fn shortest(n: u16) -> RunClaims {
        RunClaims { no_mate: n.checked_sub(1), is_proved: true, ..mate(n) }
    }

    fn no_mate(n: u16) -> RunClaims {
        RunClaims { no_mate: Some(n), is_no: true, ..NONE }
    }

    #[test]
    fn what_is_said_of_the_other_side_is_no_answer_to_the_question() {
        let none = RunClaims { no_mate: Some(1), not_mated: Some(ANY_LENGTH), is_no: true, ..NONE };
        assert_eq!(words(&none), "no mate in 1");
    }

    #[test]
    fn only_claims_that_exclude_each_other_are_contradictions() {
        use Difference::{Contradiction, ProvedBy, ShorterBy, SolvedBy};
        let mated = RunClaims { mated: Some(4), ..NONE };
        for (a, b, expected) in [
            (shortest(3), mate(2), Some(Contradiction)),
            (shortest(3), shortest(4), Some(Contradiction)),
            (mate(3), no_mate(3), Some(Contradiction)),
            (mate(3), no_mate(ANY_LENGTH), Some(Contradiction)),
            (mate(3), mated, Some(Contradiction)),
            (mate(3), no_mate(2), Some(SolvedBy(Run::A))),
            (shortest(3), mate(4), Some(ShorterBy(Run::A))),
            (mate(4), mate(3), Some(ShorterBy(Run::B))),
            (mate(3), shortest(3), Some(ProvedBy(Run::B))),
            (NONE, mated, Some(SolvedBy(Run::B))),
            (no_mate(5), NONE, Some(SolvedBy(Run::A))),
            (no_mate(5), no_mate(9), None),
            (shortest(3), shortest(3), None),
        ] {
            assert_eq!(difference(&a, &b), expected, "{a:?} {b:?}");
        }
    }

    fn answers() -> impl Strategy<Value = (RunClaims, Option<u16>)> {
        // A true answer about a position whose shortest mate is `truth`.
        (prop::option::of(1u16..9), 0u16..9, 0u16..4, any::<bool>()).prop_map(|(truth, refuted, more, finds)| {
            let refuted = truth.map_or(refuted, |n| refuted.min(n - 1));
            let mates = truth.filter(|_| finds).map(|n| n + more);
            let is_proved = mates == Some(refuted + 1);
            let claims = RunClaims { mates, no_mate: Some(refuted), is_proved, ..NONE };
            (claims, truth)
        })
    }

    proptest! {
        #[test]
        fn true_answers_never_contradict_each_other(a in answers(), b in answers()) {
            prop_assume!(a.1 == b.1);
            prop_assert_ne!(difference(&a.0, &b.0), Some(Difference::Contradiction));
        }

        #[test]
        fn exchanged_runs_exchange_the_letters(a in answers(), b in answers()) {
            let exchanged = |name: &str| match name.rsplit_once('_') {
                Some((kind, "a")) => format!("{kind}_b"),
                Some((kind, _)) => format!("{kind}_a"),
                None => name.to_owned(),
            };
            let there = difference(&a.0, &b.0).map(|it| it.name().to_owned());
            prop_assert_eq!(there, difference(&b.0, &a.0).map(|it| exchanged(it.name())));
        }
    }
}
