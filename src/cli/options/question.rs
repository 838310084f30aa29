//! The question: the stipulation (`-s`), the length, the side that begins, and what concerns help play.

use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Value, json};
use shakmaty::Color;

use crate::chess::Stipulation;
use crate::problem::{Asked, Problem};
use crate::solve::HelpOptions;

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
    /// semi-r#3, h#2.5, h=2, reci-h#2, hs#3, ser-#4, ser-=4, ser-h#4, ser-h=4, ser-s#4 or ser-s=4; s# without a
    /// number: the shortest; h#2* with its set play
    #[arg(short, long, value_name = "#N", allow_hyphen_values = true, value_parser = parse_starred)]
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

/// The value of `-s`: the stipulation, whatever the input states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StipulationArg {
    pub stipulation: Stipulation,
    /// Whether a star asks for the set play, too.
    pub set_play: bool,
}

/// Reads a stipulation such as `#3` or `h#2.5`; without a length (`s#`) the shortest solution is asked for.
pub(crate) fn parse_any(text: &str) -> Result<Stipulation, String> {
    Stipulation::parse_stated(text).map_err(|error| error.to_string())
}

/// Reads a stipulation as [`parse_any`] does, and a star after it.
pub(crate) fn parse_starred(text: &str) -> Result<StipulationArg, String> {
    let read = Stipulation::parse_starred(text).map_err(|error| error.to_string())?;
    Ok(StipulationArg { stipulation: read.0, set_play: read.1 })
}

impl QuestionArgs {
    /// Returns the sentence for a stipulation with a length beside an option that states one too, if both are given.
    pub(crate) fn two_lengths(&self) -> Option<String> {
        let stipulation = self.stipulation?.stipulation;
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
        Asked { stipulation: self.stipulation.map(|given| given.stipulation), begins: self.begins.map(Begins::color) }
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
            set_play: self.set_play || self.stipulation.is_some_and(|given| given.set_play),
            most: self.max_solutions.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
        }
    }

    /// Describes the question, for the record of a run.
    pub(crate) fn record(&self) -> Value {
        let stipulation = self.asked().stipulation.map(|stipulation| stipulation.to_string());
        json!({ "mate": self.mate, "max": self.max, "defend": self.defend, "stipulation": stipulation,
            "any_length": self.any_length, "begins": self.begins.map(|begins| format!("{begins:?}")),
            "intended": self.intended, "set_play": self.help().set_play, "max_solutions": self.max_solutions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_asks_for_the_set_play() {
        let three = Stipulation::mate(Some(crate::chess::MateLength(3)));
        assert_eq!(parse_starred("#3"), Ok(StipulationArg { stipulation: three, set_play: false }));
        assert_eq!(parse_starred("#3*"), Ok(StipulationArg { stipulation: three, set_play: true }));
        assert_eq!(parse_any("3"), Ok(three));
        assert!(parse_any("#3*").is_err() && parse_starred("pser-#2").is_err() && parse_starred("*").is_err());
    }
}
