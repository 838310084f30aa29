//! The options that state the question, such as the stipulation (`-s`), the length and the side that begins.

use clap::{Args as ClapArgs, ValueEnum};
use shakmaty::Color;

use crate::chess::{MateLength, Stipulation, StipulationError};
use crate::cli::terminal::CliError;
use crate::problem::question::Said;
use crate::problem::{Asked, Colors};

// Each flag of the command line is a bool of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Question")]
pub(crate) struct QuestionArgs {
    /// The stipulation, instead of the one in the input: #3, s#2, h#2.5 and others (`matesolve help stipulations`);
    /// s# or h# without a number: the shortest; h#2* with its set play
    #[arg(short, long, value_name = "#N", allow_hyphen_values = true, value_parser = parse_starred)]
    pub stipulation: Option<StipulationArg>,
    /// Look for the shortest mate of at most N moves (-s '#N' means the same)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub mate: Option<u16>,
    /// The first mate found will do, which need not be the shortest; with -s 'h#': can this side still mate?
    #[arg(long)]
    pub first: bool,
    /// Look for mates of any length, even if the input states one; a negative length still means that the side to move
    /// is mated
    #[arg(long, conflicts_with = "mate")]
    pub any_length: bool,
    /// Find in how many moves the side to move is mated
    #[arg(long)]
    pub defend: bool,
    /// Help play: the side that makes the first half-move [default: as the stipulation says when White mates]
    #[arg(long, value_name = "SIDE")]
    pub begins: Option<Begins>,
    /// The side that mates in the end, or reaches another goal [default: as the stipulation says; in help play, white]
    #[arg(long, value_name = "SIDE", conflicts_with = "begins")]
    pub attacker: Option<Begins>,
    /// Help play: the number of solutions that are intended [default: that of the input, or 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub intended: Option<u16>,
    /// Help play: list the set play too, in which the side that begins makes none of its first moves
    #[arg(long)]
    pub set_play: bool,
    /// Help play: stop after N solutions [default: as many as half of --hash holds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_solutions: Option<u32>,
}

/// The side that makes the first half-move, or the one that mates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Begins {
    White,
    Black,
}

/// Returns what `--begins` or `--attacker` says of the sides.
pub(crate) fn colors(begins: Option<Begins>, attacker: Option<Begins>) -> Option<Said<Colors>> {
    let color = |side: Begins| Color::from_white(side == Begins::White);
    let first = begins.map(|side| Said { value: Colors::First(color(side)), by: "--begins" });
    first.or(attacker.map(|side| Said { value: Colors::Attacker(color(side)), by: "--attacker" }))
}

/// The value of `-s`: the stipulation, whatever the input states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StipulationArg {
    pub stipulation: Stipulation,
    /// Whether a star asks for the set play, too.
    pub set_play: bool,
}

impl StipulationArg {
    /// Returns what `-s` asks.
    pub(crate) fn asked(self) -> Asked {
        let stipulation = Some(Said { value: self.stipulation, by: OPTION });
        Asked { stipulation, set_play: self.set_play.then_some(Said { value: true, by: OPTION }), ..Asked::default() }
    }
}

/// The option that states the stipulation.
const OPTION: &str = "-s";

/// Reads a stipulation such as `#3` or `h#2.5`, and a star after it; without a length (`s#`) the shortest solution is
/// asked for.
pub(crate) fn parse_starred(text: &str) -> Result<StipulationArg, StipulationError> {
    Stipulation::parse_starred(text).map(|(stipulation, set_play)| StipulationArg { stipulation, set_play })
}

impl QuestionArgs {
    /// Returns what the command line asks.
    ///
    /// # Errors
    /// It states a length twice.
    pub(crate) fn asked(&self) -> Result<Asked, CliError> {
        let any = self.any_length.then_some(Said { value: None, by: "--any-length" });
        let of_stipulation = self.stipulation.map(StipulationArg::asked).unwrap_or_default();
        let set_play = self.set_play.then_some(Said { value: true, by: "--set-play" });
        let asked = Asked {
            length: within(self.mate).or(any),
            first: self.first.then_some(Said { value: true, by: "--first" }),
            defend: self.defend.then_some(Said { value: true, by: "--defend" }),
            colors: colors(self.begins, self.attacker),
            intended: self.intended.map(|value| Said { value, by: "--intended" }),
            set_play: set_play.or(of_stipulation.set_play),
            most: most(self.max_solutions),
            ..of_stipulation
        };
        asked.of_request().map_err(|why| CliError::Usage(why.to_string()))
    }
}

/// Returns the length that `--mate` states, in moves.
pub(crate) fn within(moves: Option<u16>) -> Option<Said<Option<MateLength>>> {
    moves.map(|moves| Said { value: Some(MateLength(moves)), by: "--mate" })
}

/// Returns the number of solutions after which to stop, as `--max-solutions` states it.
pub(crate) fn most(solutions: Option<u32>) -> Option<Said<usize>> {
    solutions.map(|most| Said { value: usize::try_from(most).unwrap_or(usize::MAX), by: "--max-solutions" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_asks_for_the_set_play() {
        let three = Stipulation::mate(Some(crate::chess::MateLength(3)));
        assert_eq!(parse_starred("#3"), Ok(StipulationArg { stipulation: three, set_play: false }));
        assert_eq!(parse_starred("#3*"), Ok(StipulationArg { stipulation: three, set_play: true }));
        assert!(parse_starred("pser-#2").is_err() && parse_starred("*").is_err());
    }
}
