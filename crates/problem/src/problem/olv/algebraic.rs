//! Reads the diagram of an entry: lists of men such as `Kh1, Qa1, Sf3`.

use shakmaty::{Board, Color, Piece};

use super::OlvError;
use crate::problem::fields::{self, ALGEBRAIC, Node};
use crate::problem::men;

/// Returns the board that the lists describe. A list may also be a text: `white: Kh1, Qa1`.
pub(super) fn board(algebraic: &Node) -> Result<Board, OlvError> {
    let Node::Map(sides) = algebraic else { return Err(fields::wrong("algebraic", algebraic, ALGEBRAIC)) };
    let mut board = Board::empty();
    let mut known: Vec<&str> = Vec::new();
    for (name, list) in sides {
        let field = format!("algebraic.{name}");
        if known.contains(&name.as_str()) {
            return Err(OlvError::FieldTwice(field));
        }
        known.push(name);
        let texts = fields::texts(&field, Some(list), ALGEBRAIC)?;
        let color = match name.as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            "neutral" if texts.is_empty() => continue,
            "neutral" => return Err(OlvError::Neutral),
            _ => return Err(OlvError::Side(name.clone())),
        };
        let is_text = matches!(list, Node::Text(_));
        for text in texts {
            let parts = text.split(|c: char| is_text && (c == ',' || c.is_whitespace()));
            for text in parts.filter(|part| !is_text || !part.is_empty()) {
                place(&mut board, text, color)?;
            }
        }
    }
    Ok(board)
}

/// Puts a man on the board.
fn place(board: &mut Board, text: &str, color: Color) -> Result<(), OlvError> {
    let (role, square) = men::man(text).ok_or_else(|| OlvError::Man(text.to_owned()))?;
    if board.piece_at(square).is_some() {
        return Err(OlvError::Twice(square));
    }
    board.set_piece_at(square, Piece { color, role });
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(fields: &str) -> Result<String, String> {
        let document = super::super::yaml::read(&format!("algebraic: {fields}\n"), 1).unwrap().unwrap();
        let board = board(document.get("algebraic").unwrap());
        board.map(|board| board.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_and_texts_are_read_and_other_forms_are_refused() {
        let expected = "7k/8/8/8/8/8/8/Q6K";
        for text in ["{white: [Kh1, Qa1], black: [Kh8]}", "{white: 'Kh1, Qa1', black: Kh8, neutral: []}"] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
        for (text, why) in [
            ("Kh1 Qa1", "\"algebraic\" is a text; write it as {white: [Kh1, Qa1], black: [Ka8]}"),
            ("[{white: [Kh1]}]", "\"algebraic\" is a list; write it as {white"),
            ("{white: {K: h1}, black: [Kh8]}", "\"algebraic.white\" is an object; write it as {white"),
            ("{white: [[Kh1, Qa1]], black: [Kh8]}", "\"algebraic.white, item 1\" is a list; write it as {white"),
            ("{white: [Kh1], White: [Qa1], black: [Kh8]}", "\"White\" stands in algebraic"),
            ("{white: [Kh1], white: [Qa1], black: [Kh8]}", "\"algebraic.white\" stands twice"),
            ("{white: [Kh1], black: [Kh8], neutral: [Sd4]}", "neutral men"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(why), "{text}: {message}");
        }
    }
}
