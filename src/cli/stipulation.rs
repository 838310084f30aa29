//! Reads `-s`, the stipulation, and applies it to problems.
//!
//! Before version 0.2, `--stipulation use|ignore` chose whether the length in the input counts. These words are still
//! read; `ignore` is now `--any-length`.

use serde_json::{Value, json};

use crate::chess::Stipulation;
use crate::problem::Problem;
use crate::solve::HelpOptions;

use super::args::{Begins, QuestionArgs};
use super::messages::print_message;

/// The value of `-s` of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StipulationArg {
    /// This stipulation, whatever the input states.
    Given(Stipulation),
    /// The old word `use`: the stipulation in the input.
    Use,
    /// The old word `ignore`: mates of any length.
    Ignore,
}

/// Reads a stipulation such as `#3` or `h#2.5`.
pub(super) fn parse_any(text: &str) -> Result<Stipulation, String> {
    Stipulation::parse_any(text)
        .map_err(|error| format!("{error}; or help play: h#N, h#N.5, h=N, ser-#N, ser-=N, ser-h#N or ser-h=N"))
}

/// Reads a stipulation or one of the old words.
pub(super) fn parse_or_use(text: &str) -> Result<StipulationArg, String> {
    match text {
        "use" => Ok(StipulationArg::Use),
        "ignore" => Ok(StipulationArg::Ignore),
        _ => parse_any(text).map(StipulationArg::Given),
    }
}

impl QuestionArgs {
    /// Returns whether the length that the input states does not count.
    pub(super) fn ignores_length(&self) -> bool {
        self.any_length || self.stipulation == Some(StipulationArg::Ignore)
    }

    /// Replaces the stipulation of a problem by that of `-s`, if there is one.
    pub(super) fn stipulate(&self, problem: &mut Problem) {
        if let Some(StipulationArg::Given(stipulation)) = self.stipulation {
            problem.stipulation = stipulation;
        }
    }

    /// Returns the options of help play.
    pub(super) fn help(&self) -> HelpOptions {
        HelpOptions {
            begins: self.begins.map(Begins::color),
            intended: usize::from(self.intended),
            set_play: self.set_play,
            most: self.max_solutions.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
        }
    }

    /// Describes the question, for the record of a run.
    pub(super) fn record(&self) -> Value {
        let stipulation = match self.stipulation {
            Some(StipulationArg::Given(stipulation)) => Some(stipulation.to_string()),
            Some(StipulationArg::Use | StipulationArg::Ignore) | None => None,
        };
        let any_length = self.ignores_length();
        json!({ "mate": self.mate, "max": self.max, "defend": self.defend, "stipulation": stipulation,
            "any_length": any_length, "begins": self.begins.map(|begins| format!("{begins:?}")),
            "intended": self.intended, "set_play": self.set_play, "max_solutions": self.max_solutions })
    }

    /// Prints the new spelling of an option that was given in the old one.
    pub(super) fn print_note(&self) {
        match self.stipulation {
            Some(StipulationArg::Ignore) => {
                print_message("matesolve: note: --stipulation ignore is now --any-length");
            }
            Some(StipulationArg::Use) => {
                print_message("matesolve: note: --stipulation use is the default and can be left out");
            }
            Some(StipulationArg::Given(_)) | None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stipulations_and_the_old_words_are_read() {
        let three = Stipulation::mate(Some(crate::chess::MateLength(3)));
        assert_eq!(parse_or_use("#3"), Ok(StipulationArg::Given(three)));
        assert_eq!(parse_or_use("ignore"), Ok(StipulationArg::Ignore));
        assert_eq!(parse_any("3"), Ok(three));
        assert!(parse_any("ignore").is_err() && parse_or_use("s#2").is_err());
    }
}
