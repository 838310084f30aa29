//! The texts of stipulations: reads and writes them.
//!
//! Only direct mates are supported: `#3` (the side to move mates in three) and `#-3` (the side to move is mated in
//! three). Without a number, the shortest mate is to be found.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt;

use crate::chess::{MateLength, Stipulation};
use crate::printable::excerpt;

impl Stipulation {
    /// Reads `#3`, `#-3`, `3`, `-3`, `+3`.
    pub fn parse(text: &str) -> Result<Stipulation, StipulationError> {
        let refused = || StipulationError(text.to_owned());
        let value: i64 = text.strip_prefix('#').unwrap_or(text).parse().map_err(|_| refused())?;
        let moves = u16::try_from(value.unsigned_abs()).map_err(|_| refused())?;
        if moves == 0 || MateLength(moves) > MateLength::MAX {
            return Err(refused());
        }
        let moves = Some(MateLength(moves));
        Ok(if value < 0 { Stipulation::mated(moves) } else { Stipulation::mate(moves) })
    }

    /// Reads a stipulation as results state it: also `#` and `#-`, without a length.
    pub(crate) fn parse_stated(text: &str) -> Result<Stipulation, StipulationError> {
        match text {
            "#" => Ok(Stipulation::mate(None)),
            "#-" => Ok(Stipulation::mated(None)),
            text => Stipulation::parse(text),
        }
    }
}

impl fmt::Display for Stipulation {
    /// Writes `#3` or `#-3`; without a length `#` or `#-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.defender_begins() { "#-" } else { "#" })?;
        self.moves().map_or(Ok(()), |moves| moves.fmt(f))
    }
}

/// The error for a text that is not a direct-mate stipulation. Contains that text.
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
    fn other_stipulations_and_impossible_lengths_are_refused() {
        for text in ["h#2", "s#3", "#", "", "#0", "#1001", "#99999999999999999999", "=", "#3.5"] {
            assert!(Stipulation::parse(text).is_err(), "{text}");
        }
    }
}
