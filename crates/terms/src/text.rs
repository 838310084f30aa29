//! Reads and writes the texts of stipulations, those of the table in `stipulation`.
//!
//! They are also read in capital letters, with blanks, and in other spellings, such as `h#2,5`, `h#2½`, `serh#4`,
//! `sh#4`. `#3` says that the side to move mates in three, `#-3` that it is mated in three; without a number, as
//! [`Stipulation::parse_stated`] reads them, the shortest solution is to be found.

use std::fmt;

use crate::printable::excerpt;
use crate::{Duty, End, Goal, MateLength, Play, Side, Stipulation, words};

impl Stipulation {
    /// Reads `#3`, `#-3`, `3`, `-3`, `#+3`. `+3` is none: with Popeye, it asks for a check.
    pub fn parse(text: &str) -> Result<Stipulation, StipulationError> {
        let number = text.strip_prefix('#').unwrap_or(text);
        let read = forced(Goal::MATE, number).filter(|_| !text.starts_with('+'));
        read.ok_or_else(|| StipulationError(text.to_owned()))
    }

    /// Reads every stipulation that can be solved: a direct mate like [`Stipulation::parse`], another goal that one
    /// side forces, or help play; also in words, such as `mate in 2`.
    pub fn parse_any(text: &str) -> Result<Stipulation, StipulationError> {
        let compact = compact(text);
        let other = Stipulation::parse_helped(&compact).or_else(|| {
            let (goal, number) = goal(&compact)?;
            forced(goal, number)
        });
        other.or_else(|| words::read(text)).map_or_else(|| Stipulation::parse(text), Ok)
    }

    /// Reads a stipulation as results state it: also `#`, `s#`, `#-` and `h#`, without a length. Who begins an `h#` is
    /// not in its text: the defender does here, as usual in help play.
    pub fn parse_stated(text: &str) -> Result<Stipulation, StipulationError> {
        let compact = compact(text);
        match goal(&compact) {
            None if compact == HELPMATE => Ok(Stipulation::helpmate(Side::Defender)),
            Some((goal, "")) if !goal.exact => Ok(Stipulation::forced(goal, Side::Attacker, None)),
            Some((goal, "-")) if !goal.exact => Ok(Stipulation::forced(goal, Side::Defender, None)),
            _ => Stipulation::parse_any(text),
        }
    }

    /// Reads a stipulation as results state it, and whether a star behind it asks for the set play, too: `h#2*`.
    pub fn parse_starred(text: &str) -> Result<(Stipulation, bool), StipulationError> {
        let plain = text.trim_end().strip_suffix('*');
        let read = Stipulation::parse_stated(plain.unwrap_or(text)).map_err(|_| StipulationError(text.to_owned()))?;
        Ok((read, plain.is_some()))
    }

    /// Returns the words for the kind of play and the goal, as results write them: `self` and `mate` for a selfmate.
    pub fn words(self) -> (&'static str, &'static str) {
        let goal = self.goal();
        let play = match self.play() {
            Play::Forced => match goal.duty {
                Duty::Both => "reflex",
                Duty::Defender => "semi-reflex",
                Duty::None if goal.is_self() => "self",
                Duty::None if goal.exact => "exact",
                Duty::None => "direct",
            },
            Play::Help => "help",
            Play::Reciprocal => "help-reciprocal",
            Play::Series => "series",
            Play::SeriesHelp => "series-help",
            Play::SeriesSelf if goal.duty != Duty::None => "series-reflex",
            Play::SeriesSelf => "series-self",
            Play::HelpSelf => "help-self",
        };
        (play, goal.end.noun())
    }

    /// Returns the stipulations that are solved, for a list: `#N`, `=N` and so on, with N for a length.
    pub fn solved() -> impl Iterator<Item = String> {
        let forced = GOALS.iter().map(|(_, signs, _)| format!("{}N", signs[0]));
        let helped =
            HELPED.iter().flat_map(|(_, _, spellings)| ["#", "="].map(|goal| format!("{}{goal}N", spellings[0])));
        forced.chain(helped).chain([ANY_MOVE.to_owned()])
    }

    /// Returns whether this is a direct mate, of any length.
    pub fn is_direct_mate(self) -> bool {
        self.play() == Play::Forced && self.goal().is_mate()
    }

    /// Reads a stipulation of help play, in small letters without blanks; `None` if the text is none, or its length is
    /// out of range.
    fn parse_helped(text: &str) -> Option<Stipulation> {
        if text == ANY_MOVE {
            return Some(Stipulation::helped(Play::Series, End::Any, 1));
        }
        let at = text.find(['#', '='])?;
        let (kind, rest) = text.split_at(at);
        let (end, length) = if let Some(length) = rest.strip_prefix('#') {
            (End::Mate, length)
        } else {
            (End::Stalemate, rest.strip_prefix('=')?)
        };
        let &(play, duty, _) = HELPED.iter().find(|(.., spellings)| spellings.contains(&kind))?;
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
            Play::HelpSelf | Play::Reciprocal if moves > 0 => moves.checked_mul(2)?.checked_add(u16::from(has_half))?,
            Play::Series if !has_half => moves,
            Play::SeriesHelp | Play::SeriesSelf if !has_half && moves > 0 => moves.checked_add(1)?,
            _ => return None,
        };
        (1..=MOST_HALF_MOVES).contains(&half_moves).then(|| Stipulation::helped(play, end, half_moves).with_duty(duty))
    }
}

/// The helpmate of any length.
const HELPMATE: &str = "h#";

/// The list of legal moves.
const ANY_MOVE: &str = "~1";

/// Help play: the duty of the sides, and the word before the goal, of which the first is written and all are read.
const HELPED: [(Play, Duty, &[&str]); 7] = [
    (Play::Help, Duty::None, &["h"]),
    (Play::Reciprocal, Duty::None, &["reci-h", "recih"]),
    (Play::HelpSelf, Duty::None, &["hs"]),
    (Play::Series, Duty::None, &["ser-", "ser"]),
    (Play::SeriesHelp, Duty::None, &["ser-h", "serh", "sh"]),
    (Play::SeriesSelf, Duty::None, &["ser-s", "sers", "ss"]),
    (Play::SeriesSelf, Duty::Both, &["ser-r", "serr"]),
];

/// Stipulations of orthodox chess that are not solved: the beginning, in small letters without blanks, and what it is.
const UNSOLVED: [(&str, &str); 10] = [
    ("hr#", "a help-reflex mate, whose sides help until the last move and must then mate if they can"),
    ("hr=", "a help-reflex stalemate"),
    ("h==", "a help play to a double stalemate"),
    ("h##", "a help play to a double mate"),
    ("pser-", "a series in which the other side may answer a check (parry series)"),
    ("phser-", "a series in which the other side may answer a check (parry series)"),
    ("ser-semi", "a semi-reflex mate in a series"),
    ("exact-", "a question of exactly so many moves, of which only exact-#N is solved"),
    ("~", "a list of lines of legal moves (a single move, ~1, is solved)"),
    ("==", "a play to a double stalemate"),
];

/// Goals that are not solved, behind any kind of play or none: the sign, and what it asks for.
const UNSOLVED_GOALS: [(&str, &str); 3] = [("##", "a double mate"), ("x", "a capture"), ("+", "a check")];

/// Returns what a stipulation asks for that is known but not solved; `None` if the text is no such stipulation.
pub fn unsolved(text: &str) -> Option<String> {
    let compact = compact(text);
    let is_number = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || ".,½".contains(c));
    let of_goal = || {
        UNSOLVED_GOALS.iter().find_map(|(sign, what)| {
            let (play, rest) = compact.split_at(compact.find(sign)?);
            let is_play = play.is_empty() || HELPED.iter().any(|(.., spellings)| spellings.contains(&play));
            (is_play && is_number(&rest[sign.len()..])).then(|| format!("a play to {what}"))
        })
    };
    if compact == "+" {
        return Some("a study, in which a side is to win".to_owned());
    }
    if compact.strip_prefix("dia").is_some_and(|length| !length.is_empty() && is_number(length)) {
        return Some("a proof game".to_owned());
    }
    let known = UNSOLVED.iter().find(|(begins, _)| compact.starts_with(begins));
    known.map(|(_, what)| (*what).to_owned()).or_else(of_goal)
}

/// The goals that one side forces: the signs, of which the first is written and all are read, and the noun for a
/// solution.
const GOALS: [(Goal, &[&str], &str); 9] = [
    (Goal::MATE, &["#"], "mate"),
    (Goal::EXACT, &["exact-#", "exact#"], "exact mate"),
    (Goal::STALEMATE, &["="], "stalemate"),
    (Goal::SELFMATE, &["s#"], "selfmate"),
    (Goal::SELF_STALEMATE, &["s="], "self-stalemate"),
    (Goal::SEMI_REFLEX, &["semi-r#", "semir#"], "semi-reflex mate"),
    (Goal::REFLEX, &["r#"], "reflex mate"),
    (Goal::SEMI_REFLEX_STALEMATE, &["semi-r=", "semir="], "semi-reflex stalemate"),
    (Goal::REFLEX_STALEMATE, &["r="], "reflex stalemate"),
];

impl Goal {
    /// Returns the noun for what solves a problem with this goal: `mate`, `selfmate`.
    pub fn noun(self) -> &'static str {
        GOALS.iter().find(|(goal, ..)| *goal == self).map_or("solution", |(.., noun)| noun)
    }

    /// Returns the sign of this goal in a stipulation: `#`, `s#`.
    pub fn sign(self) -> &'static str {
        GOALS.iter().find(|(goal, ..)| *goal == self).map_or("", |(_, signs, _)| signs[0])
    }

    /// Returns the noun with its article: `a mate`, `an exact mate`.
    pub fn with_article(self) -> String {
        let noun = self.noun();
        format!("{} {noun}", if noun.starts_with('e') { "an" } else { "a" })
    }
}

/// Returns a text in small letters, without blanks, and without the fraction of a whole number: `h#4.0`. The blank in
/// `h#2 5` stays, so that nobody reads it as another number.
fn compact(text: &str) -> String {
    let mut compact = String::new();
    for word in text.to_lowercase().split_whitespace() {
        let splits_number = compact.ends_with(is_of_number) && word.starts_with(is_of_number);
        compact.extend(splits_number.then_some(' '));
        compact.push_str(word);
    }
    let whole = [".0", ",0"].into_iter().find_map(|fraction| compact.strip_suffix(fraction));
    match whole.filter(|whole| whole.ends_with(|c: char| c.is_ascii_digit())) {
        Some(whole) => whole.to_owned(),
        None => compact,
    }
}

/// Returns whether a number is written with this character. The sign `½` may stand behind a blank.
fn is_of_number(c: char) -> bool {
    c.is_numeric() && c != '½' || matches!(c, '.' | ',')
}

/// Returns the goal with which a text begins, and the rest of the text.
fn goal(text: &str) -> Option<(Goal, &str)> {
    let (sign, number) = text.split_at(text.find(['#', '='])? + 1);
    let &(goal, ..) = GOALS.iter().find(|(_, signs, _)| signs.contains(&sign))?;
    Some((goal, number))
}

/// Reads the number of a stipulation with this goal: `3`, `+3`, or `-3` if the defender begins.
fn forced(goal: Goal, number: &str) -> Option<Stipulation> {
    let value: i64 = number.parse().ok()?;
    let moves = MateLength(u16::try_from(value.unsigned_abs()).ok()?);
    let begins = if number.starts_with('-') { Side::Defender } else { Side::Attacker };
    // After the key of a selfmate in one, the defender still has a move.
    let least = u16::from(begins == Side::Attacker || !goal.is_self());
    (least..=MateLength::MAX.0).contains(&moves.0).then(|| Stipulation::forced(goal, begins, Some(moves)))
}

impl fmt::Display for Stipulation {
    /// Writes `#3` or `#-3`, `s#3`, `r#3`, without a length `#` or `#-`; of help play `h#2.5`, `h=2`, `ser-#4`,
    /// `ser-h=4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.goal().end == End::Any {
            return f.write_str(ANY_MOVE);
        }
        let of = (self.play(), self.goal().duty);
        let kind =
            HELPED.iter().find(|&&(play, duty, _)| (play, duty) == of).map_or("", |(.., spellings)| spellings[0]);
        if self.is_helped_at_any_length() {
            return f.write_str(HELPMATE);
        }
        if let Some((moves, half)) = self.counted().filter(|_| self.is_helped()) {
            let goal = if self.goal().end == End::Mate { '#' } else { '=' };
            return write!(f, "{kind}{goal}{moves}{}", if half { ".5" } else { "" });
        }
        write!(f, "{}{}", self.goal().sign(), if self.defender_begins() { "-" } else { "" })?;
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
        write!(f, "\"{}\" ", excerpt(&self.0))?;
        match (wrong_length(&self.0), unsolved(&self.0)) {
            (Some(fault), _) => f.write_str(&fault),
            (None, Some(what)) => write!(f, "is {what}, which matesolve does not solve"),
            (None, None) => f.write_str("is not a stipulation that matesolve solves, such as #3, =2, s#2 or h#2.5"),
        }
    }
}

/// Returns what is wrong with the length of a stipulation whose kind is solved; `None` if the kind is not.
fn wrong_length(text: &str) -> Option<String> {
    let compact = compact(text);
    let compact = match compact.strip_suffix('*') {
        Some(plain) if Stipulation::parse_stated(plain).is_ok() => {
            return Some("has a star, which asks for the set play; leave it out here".to_owned());
        }
        plain => plain.unwrap_or(&compact),
    };
    let (kind, length) = compact.split_at(compact.find(['#', '=']).map_or(0, |at| at + 1));
    // Without a sign, `+3` asks for a check.
    let (kind, marks) = if kind.is_empty() { ("#", "-") } else { (kind, " +-.,½") };
    let is_length = length.chars().all(|c| c.is_ascii_digit() || marks.contains(c)) && !compact.is_empty();
    let read = |length: &str| Stipulation::parse_any(&format!("{kind}{length}")).ok().filter(|_| is_length);
    let lengths = [MateLength::MAX.0, MOST_HALF_MOVES, MOST_HALF_MOVES - 1, MOST_HALF_MOVES / 2];
    let (most, longest) = lengths.into_iter().find_map(|most| Some((most, read(&most.to_string())?)))?;
    let written = longest.to_string();
    let kind = written.trim_end_matches(|c: char| c.is_ascii_digit());
    let half = if read("2.5").is_some() { ", or one with half a move" } else { "" };
    Some(match length.parse::<f64>() {
        _ if length.is_empty() => format!("has no length; write {kind}N, such as {kind}3"),
        Ok(moves) if moves.abs() > f64::from(most) => format!("is too long: in {kind}N, N is at most {most}"),
        _ => format!("has a wrong length: in {kind}N, N is a number from 1 to {most}{half}"),
    })
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
            ("Reci-H# 2.5", "reci-h#2.5"),
            ("recih=1", "reci-h=1"),
            ("ser-#4", "ser-#4"),
            ("SER-=3", "ser-=3"),
            ("serh#7", "ser-h#7"),
            ("sh#7", "ser-h#7"),
            ("ser-h=1", "ser-h=1"),
            ("ser-s#3", "ser-s#3"),
            ("sers=2", "ser-s=2"),
            ("Ser-R# 4", "ser-r#4"),
            ("serr=2", "ser-r=2"),
            ("~ 1", "~1"),
            ("HS#2.5", "hs#2.5"),
            ("#3", "#3"),
            ("#2.0", "#2"),
            ("h#4,0", "h#4"),
            ("s# 3.0", "s#3"),
            (" h # 2 ½ ", "h#2.5"),
            ("ser - h # 12", "ser-h#12"),
        ] {
            let read = Stipulation::parse_any(text).unwrap();
            assert_eq!((read.to_string().as_str(), Stipulation::parse_stated(printed)), (printed, Ok(read)), "{text}");
        }
        for text in [
            "h#",
            "h#0",
            "h#-2",
            "ser-#2.5",
            "ser-h#0",
            "h#1000",
            "hs#0.5",
            "recih#.5",
            "ser-s#0",
            "pser-#4",
            "s#",
            "r=",
            "q#2",
            "s#0",
            "h#2.55",
            "h#+2",
            "h#.0",
            "#.0",
            "h#2.00",
            "h#2 5",
            "#1 2",
            "h#2 1.5",
            "h#2 .5",
            "h#2, 5",
            "h#4 .0",
            "h#1\u{a0}2",
            "ser-h#1 2",
            "s# 1 2",
            "~1 1",
            "1 2",
            "#- 1 2",
        ] {
            assert!(Stipulation::parse_any(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_other_goals_that_one_side_forces_are_read_and_written() {
        for (text, printed) in [
            ("=3", "=3"),
            ("S# 3", "s#3"),
            ("s=2", "s=2"),
            ("r#2", "r#2"),
            ("semi-r#2", "semi-r#2"),
            ("semir#2", "semi-r#2"),
            ("R= 2", "r=2"),
            ("semir=3", "semi-r=3"),
            ("EXACT-# 3", "exact-#3"),
            ("exact-#-2", "exact-#-2"),
            ("s#-2", "s#-2"),
            ("s#-0", "s#-0"),
        ] {
            let read = Stipulation::parse_any(text).unwrap();
            assert_eq!((read.to_string().as_str(), Stipulation::parse_stated(printed)), (printed, Ok(read)), "{text}");
        }
        for text in ["s#", "S #", "r#", "=", "semi-r#", "#", "#-"] {
            let read = Stipulation::parse_stated(text).unwrap();
            assert_eq!((read.moves(), Stipulation::parse_stated(&read.to_string())), (None, Ok(read)), "{text}");
            assert!(Stipulation::parse_any(text).is_err(), "{text}");
        }
        for text in ["exact-#", "exact-#-", "exact-=2", "exact-#0"] {
            assert!(Stipulation::parse_stated(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_refusal_says_what_is_wrong_in_one_line() {
        for (text, fault) in [
            ("pser-#4", "is a series in which the other side may answer a check (parry series), which matesolve"),
            ("za5", "is not a stipulation that matesolve solves, such as #3, =2, s#2 or h#2.5"),
            ("", "is not a stipulation"),
            ("#3 Circe", "is not a stipulation that matesolve solves"),
            (
                "hr#2",
                "is a help-reflex mate, whose sides help until the last move and must then mate if they can, which",
            ),
            ("ser-x3", "is a play to a capture, which matesolve does not solve"),
            ("dia5", "is a proof game, which matesolve does not solve"),
            ("+", "is a study, in which a side is to win, which matesolve does not solve"),
            ("+3", "is a play to a check, which matesolve does not solve"),
            ("~2", "is a list of lines of legal moves (a single move, ~1, is solved), which matesolve does not solve"),
            ("serh#", "has no length; write ser-h#N, such as ser-h#3"),
            ("h=*", "has no length; write h=N, such as h=3"),
            ("exact-#", "has no length; write exact-#N, such as exact-#3"),
            ("h#101", "is too long: in h#N, N is at most 100"),
            ("ser-h#200.0", "is too long: in ser-h#N, N is at most 199"),
            ("ser-#99999999999999999999999", "is too long: in ser-#N, N is at most 200"),
            ("30000", "is too long: in #N, N is at most 1000"),
            ("r#0", "has a wrong length: in r#N, N is a number from 1 to 1000"),
            ("ser-=2.5", "has a wrong length: in ser-=N, N is a number from 1 to 200"),
            ("h#2.55", "has a wrong length: in h#N, N is a number from 1 to 100, or one with half a move"),
        ] {
            let message = Stipulation::parse_starred(text).unwrap_err().to_string();
            assert!(message.starts_with(&format!("\"{text}\" {fault}")), "{message}");
            assert!(message.chars().count() < 150 && !message.contains('\n'), "{message}");
        }
        for text in Stipulation::solved() {
            assert!(Stipulation::parse_any(&text.replace('N', "2")).is_ok(), "{text}");
        }
    }

    #[test]
    fn other_stipulations_and_impossible_lengths_are_refused() {
        for text in ["h#2", "s#3", "#", "", "#0", "#-0", "#1001", "#99999999999999999999", "=", "#3.5"] {
            assert!(Stipulation::parse(text).is_err(), "{text}");
        }
    }
}
