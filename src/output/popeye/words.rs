//! The words of Popeye's output in its three languages.

use crate::output::report::letters::Letters;
use crate::problem::popeye::Language;

/// The words of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PopeyeWords {
    pub zugzwang: &'static str,
    pub threat: &'static str,
    /// Stands before the refutations of a try.
    pub but: &'static str,
    /// Stands after a defence to which the play after the key has no answer.
    pub refutes: &'static str,
    pub finished: &'static str,
    pub partial: &'static str,
    pub time: &'static str,
    pub duplex: &'static str,
    pub half_duplex: &'static str,
    pub exclusive: &'static str,
    pub zero_position: &'static str,
    pub letters: Letters,
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
};

impl PopeyeWords {
    /// Returns the words of a language.
    pub(crate) fn of(language: Language) -> PopeyeWords {
        match language {
            Language::English => ENGLISH,
            Language::German => GERMAN,
            Language::French => FRENCH,
        }
    }
}
