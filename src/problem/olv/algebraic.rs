//! Reads the diagram of an entry: lists of men such as `Kh1, Qa1, Sf3`.

use shakmaty::{Board, Color, Piece};

use super::OlvError;
use super::yaml::YamlNode;
use crate::problem::men;

/// Returns the board that the lists describe.
pub(super) fn board(algebraic: &YamlNode) -> Result<Board, OlvError> {
    let mut board = Board::empty();
    for (name, color) in [("white", Color::White), ("black", Color::Black)] {
        for item in algebraic.get(name).map_or(&[][..], YamlNode::items) {
            let text = item.text().unwrap_or_default();
            let (role, square) = men::man(text).ok_or_else(|| OlvError::Man(text.to_owned()))?;
            if board.piece_at(square).is_some() {
                return Err(OlvError::Twice(square));
            }
            board.set_piece_at(square, Piece { color, role });
        }
    }
    if algebraic.get("neutral").is_some_and(|list| !list.items().is_empty()) {
        return Err(OlvError::Neutral);
    }
    Ok(board)
}
