//! The texts of stipulations: reads and writes them.
//!
//! Direct mates: `#3` (the side to move mates in three) and `#-3` (the side to move is mated in three). Without a
//! number, the shortest mate is to be found. The same for the other goals that one side forces: `=3`, `s#3`, `s=3`,
//! `r#3`, `semi-r#3`. Help play: `h#3`, `h#2.5`, `h=2`, `ser-#4`, `ser-=4`, `ser-h#4`, `ser-h=4`,
//! `ser-s#4`, `hs#4`, in capital letters too, with blanks, and in the spellings `h#2,5`, `h#2½`, `serh#4`, `sh#4`, `sers#4`.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt;

use crate::base::printable::excerpt;
use crate::chess::{End, Goal, MateLength, Play, Side, Stipulation};

impl Stipulation {
    /// Reads `#3`, `#-3`, `3`, `-3`, `+3`.
    pub fn parse(text: &str) -> Result<Stipulation, StipulationError> {
        let number = text.strip_prefix('#').unwrap_or(text);
        forced(Goal::MATE, number).ok_or_else(|| StipulationError(text.to_owned()))
    }

    /// Reads every stipulation that can be solved: a direct mate like [`Stipulation::parse`], another goal that one side
    /// forces, or help play.
    pub fn parse_any(text: &str) -> Result<Stipulation, StipulationError> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
        let other = Stipulation::parse_helped(&compact).or_else(|| {
            let (goal, number) = goal(&compact)?;
            forced(goal, number)
        });
        other.map_or_else(|| Stipulation::parse(text), Ok)
    }

    /// Reads a stipulation as results state it: also `#`, `s#` and `#-`, without a length.
    pub(crate) fn parse_stated(text: &str) -> Result<Stipulation, StipulationError> {
        match goal(text) {
            Some((goal, "")) => Ok(Stipulation::forced(goal, Side::Attacker, None)),
            Some((goal, "-")) => Ok(Stipulation::forced(goal, Side::Defender, None)),
            _ => Stipulation::parse_any(text),
        }
    }

    /// Reads a stipulation of help play, in small letters without blanks; `None` if the text is none, or its length is
    /// out of range.
    fn parse_helped(text: &str) -> Option<Stipulation> {
        let at = text.find(['#', '='])?;
        let (kind, rest) = text.split_at(at);
        let (end, length) = if let Some(length) = rest.strip_prefix('#') {
            (End::Mate, length)
        } else {
            (End::Stalemate, rest.strip_prefix('=')?)
        };
        let play = match kind {
            "h" => Play::Help,
            "ser-" | "ser" => Play::Series,
            "ser-h" | "serh" | "sh" => Play::SeriesHelp,
            "ser-s" | "sers" | "ss" => Play::SeriesSelf,
            "hs" => Play::HelpSelf,
            _ => return None,
        };
        let whole = [".5", ",5", "½"].into_iter().find_map(|half| length.strip_suffix(half));
        let has_half = whole.is_some();
        let digits = whole.unwrap_or(length);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let moves: u16 = match digits {
            // h#½
            "" if has_half => 0,
            digits => digits.parse().ok().filter(|_| is_number)?,
        };
        let half_moves = match play {
            Play::Help => moves.checked_mul(2)?.checked_add(u16::from(has_half))?,
            Play::HelpSelf if moves > 0 => moves.checked_mul(2)?.checked_add(u16::from(has_half))?,
            Play::Series if !has_half => moves,
            Play::SeriesHelp | Play::SeriesSelf if !has_half && moves > 0 => moves.checked_add(1)?,
            _ => return None,
        };
        (1..=MOST_HALF_MOVES).contains(&half_moves).then(|| Stipulation::helped(play, end, half_moves))
    }
}

/// The goals that one side forces, as they are written first; a line's other spellings are read too.
const GOALS: [(Goal, &[&str]); 6] = [
    (Goal::MATE, &["#"]),
    (Goal::STALEMATE, &["="]),
    (Goal::SELFMATE, &["s#"]),
    (Goal::SELF_STALEMATE, &["s="]),
    (Goal::SEMI_REFLEX, &["semi-r#", "semir#"]),
    (Goal::REFLEX, &["r#"]),
];

/// Returns the goal with which a text begins, and the rest of the text.
fn goal(text: &str) -> Option<(Goal, &str)> {
    let (sign, number) = text.split_at(text.find(['#', '='])? + 1);
    let &(goal, _) = GOALS.iter().find(|(_, signs)| signs.contains(&sign))?;
    Some((goal, number))
}

/// Reads the number of a stipulation with this goal: `3`, `+3`, or `-3` if the defender begins.
fn forced(goal: Goal, number: &str) -> Option<Stipulation> {
    let value: i64 = number.parse().ok()?;
    let moves = MateLength(u16::try_from(value.unsigned_abs()).ok()?);
    let begins = if value < 0 { Side::Defender } else { Side::Attacker };
    (moves.0 > 0 && moves <= MateLength::MAX).then(|| Stipulation::forced(goal, begins, Some(moves)))
}

impl fmt::Display for Stipulation {
    /// Writes `#3` or `#-3`, `s#3`, `r#3`, without a length `#` or `#-`; of help play `h#2.5`, `h=2`, `ser-#4`, `ser-h=4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.play() {
            Play::Forced => "",
            Play::Help => "h",
            Play::Series => "ser-",
            Play::SeriesHelp => "ser-h",
            Play::SeriesSelf => "ser-s",
            Play::HelpSelf => "hs",
        };
        if let Some((moves, half)) = self.counted().filter(|_| self.is_helped()) {
            let goal = if self.goal().end == End::Mate { '#' } else { '=' };
            return write!(f, "{kind}{goal}{moves}{}", if half { ".5" } else { "" });
        }
        let sign = GOALS.iter().find(|(goal, _)| *goal == self.goal()).map_or("", |(_, signs)| signs[0]);
        write!(f, "{sign}{}", if self.defender_begins() { "-" } else { "" })?;
        self.moves().map_or(Ok(()), |moves| moves.fmt(f))
    }
}

/// The largest number of half-moves of help play.
const MOST_HALF_MOVES: u16 = 200;

/// The error for a text that is not a stipulation. Contains that text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StipulationError(pub String);

impl fmt::Display for StipulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is not a stipulation matesolve understands; write #N (the side to move mates in N) or #-N (it is \
             mated in N), N from 1 to {}",
            excerpt(&self.0),
            MateLength::MAX
        )
    }
}

impl std::error::Error for StipulationError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stipulations_are_read_with_and_without_signs() {
        for (text, printed) in [("#3", "#3"), ("#-9", "#-9"), ("4", "#4"), ("-2", "#-2"), ("#+5", "#5")] {
            assert_eq!(Stipulation::parse(text).unwrap().to_string(), printed);
        }
        assert_eq!(Stipulation::mated(None).to_string(), "#-");
    }

    #[test]
    fn help_play_is_read_in_every_spelling_and_written_in_one() {
        for (text, printed) in [
            ("h#3", "h#3"),
            ("H# 2,5", "h#2.5"),
            ("h#2½", "h#2.5"),
            ("h#0.5", "h#0.5"),
            ("h=2", "h=2"),
            ("ser-#4", "ser-#4"),
            ("SER-=3", "ser-=3"),
            ("serh#7", "ser-h#7"),
            ("sh#7", "ser-h#7"),
            ("ser-h=1", "ser-h=1"),
            ("ser-s#3", "ser-s#3"),
            ("sers=2", "ser-s=2"),
            ("HS#2.5", "hs#2.5"),
            ("#3", "#3"),
        ] {
            let read = Stipulation::parse_any(text).unwrap();
            assert_eq!((read.to_string().as_str(), Stipulation::parse_stated(printed)), (printed, Ok(read)), "{text}");
        }
        for text in [
            "h#", "h#0", "h#-2", "ser-#2.5", "ser-h#0", "h#1000", "hs#0.5", "ser-s#0", "pser-#4", "s#", "r=2", "q#2",
            "s#0", "h#2.55", "h#+2",
        ] {
            assert!(Stipulation::parse_any(text).is_err(), "{text}");
        }
    }

    #[test]
    fn other_stipulations_and_impossible_lengths_are_refused() {
        for text in ["h#2", "s#3", "#", "", "#0", "#1001", "#99999999999999999999", "=", "#3.5"] {
            assert!(Stipulation::parse(text).is_err(), "{text}");
        }
    }
}
