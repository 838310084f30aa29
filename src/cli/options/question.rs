//! The question: the stipulation (`-s`), the length, the side that begins, and what concerns help play.
//!
//! Before version 0.2, `--stipulation use|ignore` chose whether the length in the input counts. These words are still
//! read; `ignore` is now `--any-length`.

use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Value, json};
use shakmaty::Color;

use crate::chess::Stipulation;
use crate::problem::{Asked, Problem};
use crate::solve::HelpOptions;

use crate::cli::terminal::messages::print_message;

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Question")]
pub(crate) struct QuestionArgs {
    /// Look for any mate in at most N moves, not necessarily the shortest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub mate: Option<u16>,
    /// Look for the shortest mate of at most N moves
    #[arg(long, value_name = "N", conflicts_with = "mate", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub max: Option<u16>,
    /// Find in how many moves the side to move is mated
    #[arg(long)]
    pub defend: bool,
    /// The stipulation, instead of the one in the input: #3, #-3 if the side to move is mated, =3, s#3, s=3, r#3,
    /// semi-r#3, h#2.5, h=2, hs#3, ser-#4, ser-=4, ser-h#4, ser-h=4 or ser-s#4; s# without a number: the shortest
    #[arg(short, long, value_name = "#N", allow_hyphen_values = true, value_parser = parse_or_use)]
    pub stipulation: Option<StipulationArg>,
    /// Look for mates of any length, even if the input states one; a negative length still means that the side to move
    /// is mated
    #[arg(long, conflicts_with_all = ["mate", "max"])]
    pub any_length: bool,
    /// Help play: the side that makes the first half-move [default: as the stipulation says when White mates]
    #[arg(long, value_name = "SIDE")]
    pub begins: Option<Begins>,
    /// Help play: the number of solutions that are intended
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub intended: u16,
    /// Help play: list the set play too, in which the side that begins makes none of its first moves
    #[arg(long)]
    pub set_play: bool,
    /// Help play: stop after N solutions [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_solutions: Option<u32>,
}

/// The side that makes the first half-move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Begins {
    White,
    Black,
}

impl Begins {
    /// Returns the colour of the side.
    pub(crate) fn color(self) -> Color {
        if self == Begins::White { Color::White } else { Color::Black }
    }
}

/// The value of `-s` of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StipulationArg {
    /// This stipulation, whatever the input states.
    Given(Stipulation),
    /// The old word `use`: the stipulation in the input.
    Use,
    /// The old word `ignore`: mates of any length.
    Ignore,
}

/// Reads a stipulation such as `#3` or `h#2.5`; without a length (`s#`) the shortest solution is asked for.
pub(crate) fn parse_any(text: &str) -> Result<Stipulation, String> {
    Stipulation::parse_stated(text).map_err(|error| error.to_string())
}

/// Reads a stipulation, with or without a length, or one of the old words.
pub(crate) fn parse_or_use(text: &str) -> Result<StipulationArg, String> {
    match text {
        "use" => Ok(StipulationArg::Use),
        "ignore" => Ok(StipulationArg::Ignore),
        _ => Stipulation::parse_stated(text).map(StipulationArg::Given).map_err(|error| error.to_string()),
    }
}

impl QuestionArgs {
    /// Returns whether the length that the input states does not count.
    pub(crate) fn ignores_length(&self) -> bool {
        self.any_length || self.stipulation == Some(StipulationArg::Ignore)
    }

    /// Returns the sentence for a stipulation with a length beside an option that states one too, if both are given.
    pub(crate) fn two_lengths(&self) -> Option<String> {
        let Some(StipulationArg::Given(stipulation)) = self.stipulation else { return None };
        let options =
            [("--mate", self.mate.is_some()), ("--max", self.max.is_some()), ("--any-length", self.any_length)];
        let (option, _) = options.into_iter().find(|(_, is_given)| *is_given)?;
        let without = stipulation.within(None);
        let advice =
            if stipulation.is_helped() { String::new() } else { format!("; with {option}, write -s '{without}'") };
        stipulation.moves().map(|_| format!("-s '{stipulation}' states the length, and {option} another one{advice}"))
    }

    /// Returns the question, as far as it says who begins.
    pub(crate) fn asked(&self) -> Asked {
        let stipulation = match self.stipulation {
            Some(StipulationArg::Given(stipulation)) => Some(stipulation),
            Some(StipulationArg::Use | StipulationArg::Ignore) | None => None,
        };
        Asked { stipulation, begins: self.begins.map(Begins::color) }
    }

    /// Replaces the stipulation of a problem by that of `-s`, if there is one.
    pub(crate) fn stipulate(&self, problem: &mut Problem) {
        problem.stipulation = self.asked().stipulation.unwrap_or(problem.stipulation);
    }

    /// Returns the options of help play.
    pub(crate) fn help(&self) -> HelpOptions {
        HelpOptions {
            begins: self.begins.map(Begins::color),
            intended: usize::from(self.intended),
            set_play: self.set_play,
            most: self.max_solutions.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
        }
    }

    /// Describes the question, for the record of a run.
    pub(crate) fn record(&self) -> Value {
        let stipulation = self.asked().stipulation.map(|stipulation| stipulation.to_string());
        let any_length = self.ignores_length();
        json!({ "mate": self.mate, "max": self.max, "defend": self.defend, "stipulation": stipulation,
            "any_length": any_length, "begins": self.begins.map(|begins| format!("{begins:?}")),
            "intended": self.intended, "set_play": self.set_play, "max_solutions": self.max_solutions })
    }

    /// Prints the new spelling of an option that was given in the old one.
    pub(crate) fn print_note(&self) {
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
        assert!(parse_any("ignore").is_err() && parse_or_use("pser-#2").is_err());
        let selfmate = parse_any("s#2").unwrap();
        assert_eq!(parse_or_use("s#"), Ok(StipulationArg::Given(selfmate.within(None))));
    }
}
