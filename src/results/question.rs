//! The question that a result answers: a stipulation, with the colour of the side that strives for the goal.
//!
//! In JSON it is an object with the stipulation's text, its length and the attacker:
//! `{"text":"#5","moves":5,"attacker":"white"}`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use shakmaty::Color;

use crate::chess::{MateLength, Stipulation};

/// A stipulation and the colour of its attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// The half-moves, the goal and the length.
    pub stipulation: Stipulation,
    /// The colour of the side that strives for the goal.
    pub attacker: Color,
}

impl Question {
    /// Returns the question of this stipulation in a diagram where `turn` is to move.
    pub fn of(stipulation: Stipulation, turn: Color) -> Question {
        Question { stipulation, attacker: stipulation.attacker(turn) }
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
}

/// The question as JSON has it.
#[derive(Serialize, Deserialize)]
struct Written {
    text: String,
    moves: Option<u16>,
    attacker: String,
}

impl Serialize for Question {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let attacker = self.attacker.fold_wb("white", "black").to_owned();
        Written { text: self.text(), moves: self.moves(), attacker }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Question {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Question, D::Error> {
        let Written { text, moves, attacker } = Written::deserialize(deserializer)?;
        let stipulation = Stipulation::parse_stated(&text).map_err(D::Error::custom)?;
        if stipulation.moves() != moves.map(MateLength) {
            return Err(D::Error::custom(format!("the stipulation {text} and the length beside it differ")));
        }
        let attacker = match attacker.as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return Err(D::Error::custom("an attacker is \"white\" or \"black\"")),
        };
        Ok(Question { stipulation, attacker })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_written_and_read() {
        for (stipulation, json) in [
            (Stipulation::mate(Some(MateLength(5))), r##"{"text":"#5","moves":5,"attacker":"white"}"##),
            (Stipulation::mated(None), r##"{"text":"#-","moves":null,"attacker":"black"}"##),
        ] {
            let question = Question::of(stipulation, Color::White);
            assert_eq!(serde_json::to_string(&question).ok().as_deref(), Some(json));
            assert_eq!(serde_json::from_str::<Question>(json).ok(), Some(question));
        }
        for wrong in
            [r##"{"text":"#5","moves":4,"attacker":"white"}"##, r##"{"text":"#","moves":null,"attacker":"x"}"##]
        {
            assert!(serde_json::from_str::<Question>(wrong).is_err(), "{wrong}");
        }
    }
}
