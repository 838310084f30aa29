//! The remarks of a collection about soundness, and whether they are true.
//!
//! The YACPDB writes `Cooked`, `Unsound` and `Shortmate`; other collections write `Short mate` or `No solution`. Doubts
//! (`Stipulation?`, `Position?`) claim nothing that can be checked, but say that the problem is not taken for sound.

use crate::chess::Soundness;

/// The claim of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// There are more keys than intended.
    Cooked,
    /// There is a mate in fewer moves than stipulated.
    ShortMate,
    /// There is no mate within the stipulated length.
    NoSolution,
    /// The problem is not sound, for whatever reason.
    Unsound,
    /// The diagram or the stipulation is in doubt.
    Doubtful,
}

impl Claim {
    /// Returns the claim of a keyword; `None` if it says nothing about soundness.
    pub fn of(keyword: &str) -> Option<Claim> {
        let letters: String = keyword.chars().filter(|c| c.is_alphanumeric() || *c == '?').collect();
        Some(match letters.to_lowercase().as_str() {
            "cooked" | "cook" | "cooks" => Claim::Cooked,
            "shortmate" | "shortsolution" => Claim::ShortMate,
            "nosolution" | "insoluble" | "unsolvable" => Claim::NoSolution,
            "unsound" | "incorrect" => Claim::Unsound,
            "stipulation?" | "position?" => Claim::Doubtful,
            _ => return None,
        })
    }

    /// Returns whether the claim is wrong. A short solution is also a cook, as many use the word.
    pub fn is_wrong(self, truth: Soundness) -> bool {
        match self {
            _ if truth == Soundness::Undecided => false,
            Claim::Cooked => !matches!(truth, Soundness::Cooked | Soundness::ShortSolution),
            Claim::ShortMate => truth != Soundness::ShortSolution,
            Claim::NoSolution => !matches!(truth, Soundness::NoSolution | Soundness::Incomplete),
            Claim::Unsound => truth == Soundness::Sound,
            Claim::Doubtful => false,
        }
    }
}

/// The keyword of the YACPDB that says this; `None` if there is nothing to say.
pub fn keyword_for(truth: Soundness) -> Option<&'static str> {
    match truth {
        Soundness::Sound | Soundness::Undecided => None,
        Soundness::Cooked => Some("Cooked"),
        Soundness::ShortSolution => Some("Shortmate"),
        Soundness::NoSolution | Soundness::Incomplete => Some("Unsound"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_is_compared_with_the_truth() {
        let all = [Soundness::Sound, Soundness::Cooked, Soundness::ShortSolution, Soundness::NoSolution];
        for (keyword, wrong) in [
            ("Cooked", [true, false, false, true]),
            ("Short mate", [true, true, false, true]),
            ("No solution", [true, true, true, false]),
            ("unsound", [true, false, false, false]),
            ("Position?", [false; 4]),
        ] {
            let claim = Claim::of(keyword);
            assert_eq!(all.map(|truth| claim.is_some_and(|claim| claim.is_wrong(truth))), wrong, "{keyword}");
            assert!(claim.is_some_and(|claim| !claim.is_wrong(Soundness::Undecided)));
        }
        assert_eq!((Claim::of("Retro"), Claim::of("Cook-Turton"), Claim::of("")), (None, None, None));
        for truth in all {
            let claim = keyword_for(truth).and_then(Claim::of);
            assert!(claim.is_none_or(|claim| !claim.is_wrong(truth)));
        }
    }
}
