//! The words of Popeye's output in its three languages.

use crate::output::report::letters::{self, Letters, SIDES};
use crate::problem::popeye::Language;

/// The words for transformations of the board in the headings of twins.
const TRANSFORMATIONS: [&str; 4] = ["rotate", "mirror", "shift", "PolishType"];

/// The words of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PopeyeWords {
    pub(crate) zugzwang: &'static str,
    pub(crate) threat: &'static str,
    /// Stands before the refutations of a try.
    pub(crate) but: &'static str,
    /// Stands after a defence to which the play after the key has no answer.
    pub(crate) refutes: &'static str,
    pub(crate) finished: &'static str,
    pub(crate) partial: &'static str,
    pub(crate) time: &'static str,
    pub(crate) duplex: &'static str,
    pub(crate) half_duplex: &'static str,
    pub(crate) exclusive: &'static str,
    pub(crate) zero_position: &'static str,
    pub(crate) letters: Letters,
    /// The letters of White and Black in the headings of twins.
    pub(crate) sides: [char; 2],
    /// The words for `rotate`, `mirror`, `shift` and `PolishType` in these headings.
    pub(crate) transformations: [&'static str; 4],
}

pub(crate) const ENGLISH: PopeyeWords = PopeyeWords {
    zugzwang: "zugzwang.",
    threat: "threat:",
    but: "but",
    refutes: "refutes.",
    finished: "solution finished.",
    partial: "Partial solution",
    time: "Time",
    duplex: "Duplex",
    half_duplex: "HalfDuplex",
    exclusive: "CastlingMutuallyExclusive",
    zero_position: "zeroposition",
    letters: Letters::EnS,
    sides: SIDES,
    transformations: TRANSFORMATIONS,
};

const GERMAN: PopeyeWords = PopeyeWords {
    zugzwang: "Zugzwang.",
    threat: "Drohung:",
    but: "Aber",
    refutes: "Widerlegt.",
    finished: "Loesung beendet.",
    partial: "Partielle Loesung",
    time: "Zeit",
    duplex: "Duplex",
    half_duplex: "HalbDuplex",
    exclusive: "RochadenGegenseitigAusschliessend",
    zero_position: "NullStellung",
    letters: Letters::De,
    sides: ['w', 's'],
    transformations: ["Drehung", "Spiegelung", "Verschiebung", "Farbwechsel"],
};

const FRENCH: PopeyeWords = PopeyeWords {
    zugzwang: "blocus.",
    threat: "menace:",
    but: "mais",
    refutes: "Refute.",
    finished: "solution terminee.",
    partial: "solution partielle",
    time: "Temps",
    duplex: "Duplex",
    half_duplex: "DemiDuplex",
    exclusive: "RoquesMutuellementExclusifs",
    zero_position: "zeroposition",
    letters: Letters::Fr,
    sides: ['b', 'n'],
    transformations: ["rotation", "miroir", "translation", "CouleurEchange"],
};

impl PopeyeWords {
    /// Returns the heading of a twin in this language: `b) wTh1-->g1  Drehung 90` has the heading `wTh1-->g1  Drehung
    /// 90`.
    pub fn heading(&self, text: &str) -> String {
        let translated = |part: &str| {
            let pairs = TRANSFORMATIONS.iter().zip(self.transformations);
            let word = part.split(' ').next().unwrap_or_default();
            let (_, own) = pairs.into_iter().find(|(english, _)| **english == word)?;
            Some(format!("{own}{}", &part[word.len()..]))
        };
        let men = letters::heading(self.letters, text, self.sides);
        let part = |part: &str| translated(part).unwrap_or_else(|| part.to_owned());
        men.split("  ").map(part).collect::<Vec<_>>().join("  ")
    }

    /// Returns the words of a language.
    pub fn of(language: Language) -> PopeyeWords {
        match language {
            Language::English => ENGLISH,
            Language::German => GERMAN,
            Language::French => FRENCH,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headings_of_twins_are_in_the_language() {
        let heading = "wRh1-->g1  -bPh7  rotate 90  mirror a1<-->h1  shift a2 ==> b2  PolishType  #3";
        for (words, expected) in [
            (ENGLISH, heading),
            (GERMAN, "wTh1-->g1  -sBh7  Drehung 90  Spiegelung a1<-->h1  Verschiebung a2 ==> b2  Farbwechsel  #3"),
            (FRENCH, "bTh1-->g1  -nPh7  rotation 90  miroir a1<-->h1  translation a2 ==> b2  CouleurEchange  #3"),
        ] {
            assert_eq!(words.heading(heading), expected);
        }
    }
}
