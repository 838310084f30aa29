//! What the fields of one place state: a line of JSON, a row of a table, the operations of EPD.
//!
//! [`super::names`] says which field states which part. Here are the forms of their values, for the parts that have one
//! meaning wherever they stand.

use std::time::Duration;

use shakmaty::Color;

use super::fields::{self, Node};
use super::names::{Meaning, Part, meaning, misspelt};
use super::question::Said;
use super::twins::side_name;
use super::{Asked, Colors, ProblemError, fen};
use crate::base::printable::excerpt;
use crate::chess::Stipulation;

/// The limits that a line states for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LineLimits {
    /// The time.
    pub time: Option<Duration>,
    /// The number of nodes.
    pub nodes: Option<u64>,
}

impl LineLimits {
    /// Reads a limit, also as a `number`. Returns whether the text has the form of one.
    fn read(&mut self, part: Part, text: &str, number: Option<u64>) -> bool {
        match part {
            Part::Nodes => self.nodes = number,
            Part::Milliseconds => self.time = number.map(Duration::from_millis),
            _ => self.time = duration(text),
        }
        if part == Part::Nodes { self.nodes.is_some() } else { self.time.is_some() }
    }
}

/// The parts that each form of input reads itself.
const APART: [Part; 6] = [Part::Intended, Part::Twins, Part::Duplex, Part::Options, Part::Conditions, Part::Id];

/// What the fields of one place state: the parts that have one meaning wherever they stand.
#[derive(Debug, Clone, Default)]
pub(super) struct StatedParts {
    /// The question, but for kind and number.
    pub asked: Asked,
    /// The FEN, and the field that states it.
    pub position: Option<(String, &'static str)>,
    /// The kind of play, and the field that states it.
    kind: Option<(String, &'static str)>,
    /// The number of moves of the kind.
    number: Option<u16>,
    /// The keys.
    pub keys: Vec<String>,
    /// The printed solution.
    pub solution: Option<String>,
    /// The moves of a puzzle, separated by blanks.
    pub moves: Option<String>,
    /// The game in PGN that begins with the position.
    pub game: Option<String>,
    /// The themes of a puzzle, separated by blanks.
    pub themes: Option<String>,
    /// The limits.
    pub limits: LineLimits,
}

impl StatedParts {
    /// Takes the part that a field states, and returns which it is. Those of [`APART`], such as twins and options, are
    /// only returned: each form reads them itself.
    ///
    /// # Errors
    /// The name is almost that of a part, the value has not the form of its part, or the part is stated twice.
    pub(super) fn take(&mut self, name: &str, value: &Node) -> Result<Option<Part>, ProblemError> {
        let (part, by, must) = match meaning(name) {
            Meaning::Part(part, by) => (part, by, true),
            Meaning::PartIfRead(part, by) => (part, by, false),
            Meaning::Remark => return Ok(None),
            Meaning::Misspelt(known) => return Err(misspelt(name, known)),
        };
        let is_empty = matches!(value, Node::Null) || matches!(value, Node::Text(text) if text.trim().is_empty());
        if is_empty {
            return Ok(must.then_some(part));
        }
        let is_read = self.read(part, by, value)?;
        if must && is_read == Some(false) {
            return Err(fields::wrong(name, value, form(part)));
        }
        Ok((must || is_read == Some(true)).then_some(part))
    }

    /// Reads the value of a part; `Some(false)`: it has not the form of this part; `None`: it is not taken here.
    fn read(&mut self, part: Part, by: &'static str, value: &Node) -> Result<Option<bool>, ProblemError> {
        let text = scalar(value);
        let number = text.as_deref().and_then(|text| text.trim().parse::<u64>().ok());
        match (part, text.as_deref()) {
            (Part::Position, Some(text))
                if matches!(value, Node::Text(_)) && (by == "fen" || text.matches('/').count() == 7) =>
            {
                if let Some((_, other)) = self.position.as_ref().filter(|(known, _)| known != text) {
                    return Err(format!("\"{other}\" and \"{by}\" state different positions; remove one").into());
                }
                self.position = Some((text.to_owned(), by));
            }
            (Part::Mate, Some(text)) => self.asked = self.asked.stipulation(Stipulation::parse(text.trim())?, by)?,
            (Part::Stipulation, Some(text)) => {
                // Before `=3` an apostrophe stands in tables, so that no spreadsheet takes it for a formula.
                let (stipulation, star) = Stipulation::parse_starred(text.strip_prefix('\'').unwrap_or(text))?;
                self.asked = self.asked.stipulation(stipulation, by)?;
                self.star(star, by)?;
            }
            (Part::Kind, Some(text)) => {
                let plain = text.trim_end().strip_suffix('*');
                let Some(sign) = sign(plain.unwrap_or(text)) else { return Ok(Some(false)) };
                self.kind = Some((sign, by));
                self.star(plain.is_some(), by)?;
            }
            (Part::Number, _) => {
                self.number = number.and_then(|n| u16::try_from(n).ok()).filter(|n| *n > 0);
                return Ok(Some(self.number.is_some()));
            }
            (Part::Keys, _) => {
                let keys = words(value);
                if !(by == "bm" || by == "bestmove" || keys.iter().all(|key| super::moves::is_move(key))) {
                    return Ok(Some(false));
                }
                self.keys.extend(keys);
            }
            (Part::Solution, _) => self.solution = Some(value.words().join("\n")),
            (Part::Moves, _) => self.moves = Some(words(value).join(" ")),
            (Part::Game, Some(text)) => self.game = Some(text.to_owned()),
            (Part::Themes, _) => self.themes = Some(words(value).join(" ")),
            (Part::Attacker | Part::Begins, Some(text)) => {
                let colors = if part == Part::Attacker { Colors::Attacker } else { Colors::First };
                let Some(color) = color(text) else { return Ok(Some(false)) };
                self.asked = self.asked.colors(colors(color), by)?;
            }
            (Part::Time | Part::Milliseconds | Part::Nodes, Some(text)) => {
                return Ok(Some(self.limits.read(part, text, number)));
            }
            _ => return Ok(Some(false).filter(|_| !APART.contains(&part))),
        }
        Ok(Some(true))
    }

    /// Asks for the set play, if a star does.
    fn star(&mut self, is_there: bool, by: &'static str) -> Result<(), ProblemError> {
        let star = is_there.then_some(Said { value: true, by });
        self.asked = self.asked.and(Asked { set_play: star, ..Asked::default() })?;
        Ok(())
    }

    /// Returns the question that these parts state.
    ///
    /// # Errors
    /// They state two questions, or a kind whose length is missing.
    pub(super) fn question(&self) -> Result<Asked, ProblemError> {
        let open = self.asked.stipulation.filter(|said| said.value.moves().is_none());
        let kind = self.kind.clone().or(open.map(|said| (said.value.to_string(), said.by)));
        match (kind, self.number) {
            (Some((sign, by)), Some(n)) if !sign.contains(|c: char| c.is_ascii_digit()) => {
                let stipulation = Some(Said { value: Stipulation::parse_any(&format!("{sign}{n}"))?, by });
                let rest = Asked { stipulation: self.asked.stipulation.filter(|_| open.is_none()), ..self.asked };
                rest.and(Asked { stipulation, ..Asked::default() })
            }
            (Some((sign, by)), _) if self.kind.is_some() => {
                match (self.asked.stipulation, Stipulation::parse_stated(&sign)) {
                    // A kind alone says less than a stipulation of this kind.
                    (Some(said), _) if said.value.to_string().starts_with(&sign) => Ok(self.asked),
                    (_, Ok(stipulation)) if !stipulation.is_helped_at_any_length() => {
                        self.asked.stipulation(stipulation, by)
                    }
                    _ => Err(format!("\"{by}\" says {}, which needs a length; add one, as n", excerpt(&sign)).into()),
                }
            }
            _ => Ok(self.asked),
        }
    }
}

/// The form of a part, for messages.
pub(super) fn form(part: Part) -> &'static str {
    match part {
        Part::Time => "a time, such as 10, \"3s\" or \"500ms\"",
        Part::Milliseconds | Part::Nodes => "a whole number, such as 1000",
        Part::Position => "a FEN",
        Part::Stipulation => "\"#3\"",
        Part::Mate => "a number of moves, such as 3",
        Part::Attacker | Part::Begins => "white or black",
        _ => "one text",
    }
}

/// Returns a text or number.
fn scalar(value: &Node) -> Option<String> {
    match value {
        Node::Text(text) | Node::Number(text) => Some(text.clone()),
        _ => None,
    }
}

/// Returns the words of a text, or of the texts of a list.
fn words(value: &Node) -> Vec<String> {
    let separated = |text: &str| {
        let words = text.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty());
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    value.words().iter().flat_map(|text| separated(text)).collect()
}

/// Returns the colour of a word, or of words such as `White to move`.
fn color(text: &str) -> Option<Color> {
    let lower = text.to_lowercase();
    let (side, rest) = lower.trim().split_once(' ').unwrap_or((lower.trim(), ""));
    let is_side = rest.split_whitespace().all(|word| fen::AFTER_A_SIDE.contains(&word));
    match side {
        _ if !is_side => None,
        "w" => Some(Color::White),
        "b" => Some(Color::Black),
        side => side_name(side),
    }
}

/// Returns the sign of a kind: `s#` for `selfmate`, `s#2` for itself and for `selfmate in 2`; `None` if it is no kind.
fn sign(text: &str) -> Option<String> {
    let of_word = crate::chess::words::sign(text).map(str::to_owned);
    let text = text.trim();
    let is_sign = text.contains(['#', '=', '~'])
        && (Stipulation::parse_stated(text).is_ok() || Stipulation::parse_any(&format!("{text}1")).is_ok());
    let in_words = || crate::chess::words::read(text).map(|stipulation| stipulation.to_string());
    of_word.or(is_sign.then(|| text.to_owned())).or_else(in_words)
}

/// Returns a duration: a number of seconds, or one with the unit `ms`, `s`, `m`.
fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..at].parse().ok()?;
    let seconds = match text[at..].trim() {
        "" | "s" => number,
        "ms" => number / 1000.0,
        "m" => number * 60.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(fields: &[(&str, &str)]) -> Result<StatedParts, String> {
        let mut parts = StatedParts::default();
        for (name, value) in fields {
            parts.take(name, &Node::Text((*value).to_owned())).map_err(|error| error.to_string())?;
        }
        Ok(parts)
    }

    #[test]
    fn kinds_have_their_number_and_other_types_are_remarks() {
        let question = |fields: &[(&str, &str)]| {
            let asked = stated(fields)?.question().map_err(|error| error.to_string())?;
            Ok::<_, String>(asked.stipulation.map(|said| said.value.to_string()))
        };
        let is = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(question(&[("kind", "selfmate"), ("n", "2")]), is("s#2"));
        assert_eq!(question(&[("type", "h#"), ("n", "3")]), is("h#3"));
        assert_eq!(question(&[("goal", "s#2")]), is("s#2"));
        assert_eq!(question(&[("stip", "s#"), ("n", "4")]), is("s#4"));
        assert_eq!(question(&[("type", "puzzle"), ("board", "3"), ("key", "abc"), ("n", "7")]), Ok(None));
        assert!(question(&[("kind", "helpmate")]).is_err());
        assert!(question(&[("dm", "2"), ("stip", "s#2")]).is_err());
        assert!(question(&[("dm", "two")]).is_err());
    }

    #[test]
    fn limits_have_units() {
        let parts = stated(&[("time", "0.5"), ("nodes", "500")]).unwrap();
        assert_eq!(parts.limits, LineLimits { time: Some(Duration::from_millis(500)), nodes: Some(500) });
        assert_eq!(stated(&[("time", "12:30")]).unwrap().limits, LineLimits::default());
        assert_eq!(stated(&[("time_ms", "20")]).unwrap().limits.time, Some(Duration::from_millis(20)));
    }
}
