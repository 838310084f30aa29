//! The stipulation that a result answers, with the colour of the side that strives for the goal.
//!
//! In JSON it is an object: `{"text":"#5","moves":5,"attacker":"white","from":"dm"}`. The field or option `from` states
//! it. A stipulation that is no direct mate has its kind and its goal besides:
//! `{"text":"s#3","moves":3,"attacker":"white","from":null,"play":"self","goal":"mate"}`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Number;
use shakmaty::Color;

use crate::chess::{MateLength, Side, Stipulation};
use crate::problem::{Problem, Question, names};

/// A stipulation and the colour of its attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SidedStipulation {
    /// The half-moves, the goal and the length.
    pub stipulation: Stipulation,
    /// The colour of the side that strives for the goal.
    pub attacker: Color,
    /// The field or option that states the question; `None` if nothing does.
    pub from: Option<&'static str>,
}

impl SidedStipulation {
    /// Returns the question of this stipulation in a diagram where `turn` is to move.
    pub fn of(stipulation: Stipulation, turn: Color) -> SidedStipulation {
        SidedStipulation { stipulation, attacker: stipulation.attacker(turn), from: None }
    }

    /// Returns the question of a problem.
    pub fn of_problem(problem: &Problem) -> SidedStipulation {
        let Question { stipulation, attacker, .. } = problem.question;
        SidedStipulation { stipulation, attacker, from: problem.stated_by }
    }

    /// Returns the same for the side to move as the attacker.
    #[must_use]
    pub fn by_the_side_to_move(self, turn: Color) -> SidedStipulation {
        SidedStipulation { from: self.from, ..SidedStipulation::of(self.stipulation.begun_by(Side::Attacker), turn) }
    }

    /// Returns the same question for a diagram in which `turn` is to move: the text of an `h#` does not say which side
    /// begins.
    #[must_use]
    pub fn in_diagram(self, turn: Color) -> SidedStipulation {
        let begins = if turn == self.attacker { Side::Attacker } else { Side::Defender };
        let is_open = self.stipulation.is_helped_at_any_length();
        let stipulation = if is_open { Stipulation::helpmate(begins) } else { self.stipulation };
        SidedStipulation { stipulation, ..self }
    }

    /// Returns the longest length that counts, in moves of the attacker.
    pub fn bound(self) -> MateLength {
        self.stipulation.bound()
    }

    /// Returns the stipulation as text: `#5` if the side to move mates, `#-5` if it is mated; `#` or `#-` without a
    /// stated length.
    pub fn text(&self) -> String {
        self.stipulation.to_string()
    }

    /// Returns the stated length, in moves of the attacker; `None`: the shortest, whatever its length.
    pub fn moves(&self) -> Option<u16> {
        self.stipulation.moves().map(|moves| moves.0)
    }

    /// Returns the stated length in moves, as JSON has it: a number, with half a move more in help play.
    pub fn length(self) -> Option<Number> {
        let (moves, half) = self.stipulation.counted()?;
        if half { Number::from_f64(f64::from(moves) + 0.5) } else { Some(moves.into()) }
    }
}

/// The question as JSON has it.
#[derive(Serialize, Deserialize)]
struct Written {
    text: String,
    moves: Option<Number>,
    attacker: String,
    #[serde(default)]
    from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    play: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
}

impl Serialize for SidedStipulation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let attacker = self.attacker.fold_wb("white", "black").to_owned();
        let words = (!self.stipulation.is_direct_mate()).then(|| self.stipulation.words());
        let (play, goal) = words.map(|(play, goal)| (play.to_owned(), goal.to_owned())).unzip();
        let (text, moves, from) = (self.text(), self.length(), self.from.map(str::to_owned));
        Written { text, moves, attacker, from, play, goal }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SidedStipulation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SidedStipulation, D::Error> {
        let Written { text, moves, attacker, from, .. } = Written::deserialize(deserializer)?;
        let stipulation = Stipulation::parse_stated(&text).map_err(D::Error::custom)?;
        if SidedStipulation::of(stipulation, Color::White).length() != moves {
            return Err(D::Error::custom(format!("the stipulation {text} and the length beside it differ")));
        }
        let attacker = match attacker.as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return Err(D::Error::custom("an attacker is \"white\" or \"black\"")),
        };
        Ok(SidedStipulation { stipulation, attacker, from: from.as_deref().and_then(names::source) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MateLength;

    #[test]
    fn a_question_is_written_and_read() {
        for (stipulation, json) in [
            (Stipulation::mate(Some(MateLength(5))), r##"{"text":"#5","moves":5,"attacker":"white","from":null}"##),
            (
                Stipulation::parse_any("h#2.5").unwrap(),
                r#"{"text":"h#2.5","moves":2.5,"attacker":"white","from":null,"play":"help","goal":"mate"}"#,
            ),
            (Stipulation::mated(None), r##"{"text":"#-","moves":null,"attacker":"black","from":null}"##),
            (
                Stipulation::parse_any("=3").unwrap(),
                r#"{"text":"=3","moves":3,"attacker":"white","from":null,"play":"direct","goal":"stalemate"}"#,
            ),
            (
                Stipulation::parse_any("s#2").unwrap(),
                r#"{"text":"s#2","moves":2,"attacker":"white","from":null,"play":"self","goal":"mate"}"#,
            ),
            (
                Stipulation::parse_stated("r#").unwrap(),
                r#"{"text":"r#","moves":null,"attacker":"white","from":null,"play":"reflex","goal":"mate"}"#,
            ),
            (
                Stipulation::parse_any("semi-r#2").unwrap(),
                r#"{"text":"semi-r#2","moves":2,"attacker":"white","from":null,"play":"semi-reflex","goal":"mate"}"#,
            ),
        ] {
            let question = SidedStipulation::of(stipulation, Color::White);
            assert_eq!(serde_json::to_string(&question).ok().as_deref(), Some(json));
            assert_eq!(serde_json::from_str::<SidedStipulation>(json).ok(), Some(question));
        }
        for wrong in [
            r##"{"text":"#5","moves":4,"attacker":"white","from":null}"##,
            r##"{"text":"#","moves":null,"attacker":"x"}"##,
        ] {
            assert!(serde_json::from_str::<SidedStipulation>(wrong).is_err(), "{wrong}");
        }
    }
}
