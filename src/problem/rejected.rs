//! What is kept of a line that is not a problem, for its result: the name and the text.
//!
//! The name is looked for without the position: in the operations of an EPD line, in the fields of a JSON object, in
//! the tags of a game.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::Value;

use super::items::Cut;
use super::{epd, pasted};

/// The longest text that is kept, in characters.
const LONGEST_TEXT: usize = 1000;

/// A line that is not a problem.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rejected {
    /// The name that the line gives to the problem.
    pub id: Option<String>,
    /// Whether the name is a number in JSON.
    pub id_is_number: bool,
    /// The text of the line, at most its first 1000 characters; `None` if it could not be read.
    pub text: Option<String>,
}

impl Rejected {
    /// Keeps a text, which has no name.
    pub(crate) fn text(text: &str) -> Rejected {
        let text: String = text.trim().chars().take(LONGEST_TEXT).collect();
        Rejected { text: (!text.is_empty()).then_some(text), ..Rejected::default() }
    }

    /// Keeps a line of FEN, EPD or JSON.
    pub(crate) fn line(text: &str) -> Rejected {
        if text.starts_with('{') {
            return Rejected::json(text);
        }
        let operations = epd::read(epd::split(text).1).unwrap_or_default();
        let id = operations.iter().find(|operation| operation.code == "id");
        let id = id.and_then(|operation| operation.operands.first()).map(epd::Operand::meaning);
        Rejected { id, ..Rejected::text(text) }
    }

    /// Keeps an object of a JSON array, or a game.
    pub(super) fn item(text: &str, cut: Cut) -> Rejected {
        match cut {
            Cut::JsonObjects | Cut::Entries => Rejected::json(text),
            Cut::Lines => Rejected::line(text),
            Cut::Games => Rejected { id: pasted::name_of_game(text), ..Rejected::text(text) },
        }
    }

    fn json(text: &str) -> Rejected {
        let object: Value = serde_json::from_str(text).unwrap_or_default();
        let (id, id_is_number) = match object.get("id") {
            Some(Value::String(id)) => (Some(id.clone()), false),
            Some(Value::Number(id)) => (Some(id.to_string()), true),
            _ => (None, false),
        };
        Rejected { id, id_is_number, ..Rejected::text(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_line_is_found_without_its_position() {
        let found = |rejected: Rejected| (rejected.id, rejected.id_is_number, rejected.text);
        let named = |id: &str, number, text: &str| (Some(id.to_owned()), number, Some(text.to_owned()));
        let epd = "9/8 w - - dm 2; id \"a b\";";
        assert_eq!(found(Rejected::line(epd)), named("a b", false, epd));
        let json = r#"{"id":7,"fen":"x"}"#;
        assert_eq!(found(Rejected::line(json)), named("7", true, json));
        let text = r#"{"id":"n"}"#;
        assert_eq!(found(Rejected::item(text, Cut::JsonObjects)), named("n", false, text));
        assert_eq!(found(Rejected::line("nonsense")), (None, false, Some("nonsense".to_owned())));
        assert_eq!(found(Rejected::line("{\"id\":")), (None, false, Some("{\"id\":".to_owned())));
        assert_eq!(Rejected::text(&"x".repeat(5000)).text.map(|text| text.len()), Some(1000));
        assert_eq!(Rejected::text(" "), Rejected::default());
    }
}
