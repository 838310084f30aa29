//! Lines of moves in standard algebraic notation (for people) and in UCI notation (for chess programs), and the moves
//! that codes and texts name.

use std::fmt::Write as _;

use shakmaty::{CastlingMode, Chess, Color, Move, Position as _, Rank, Square, san::SanPlus, uci::UciMove};

use crate::{End, MoveCode};

/// A legal line of moves in both notations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenLine {
    /// The moves in UCI notation. Castling is `e1g1`, or "king takes rook" if the castling rights are those of
    /// Chess960.
    pub uci: Vec<String>,
    /// The line in standard algebraic notation, with move numbers.
    pub san: String,
    /// The end of the game that stands on the board after the line; `None` if there is a legal move.
    pub end: Option<End>,
}

/// Plays the moves from `root` and returns them in both notations, or `None` if a move is illegal.
pub fn line(root: &Chess, codes: &[MoveCode]) -> Option<WrittenLine> {
    let mode: CastlingMode = root.castles().mode();
    let mut chess = root.clone();
    let mut line = WrittenLine { uci: Vec::with_capacity(codes.len()), san: String::new(), end: None };
    let mut number = 1;
    for (ply, &code) in codes.iter().enumerate() {
        let turn = chess.turn();
        let m = legal_move(&chess, code)?;
        line.uci.push(m.to_uci(mode).to_string());
        if ply > 0 {
            line.san.push(' ');
        }
        if turn == Color::White || ply == 0 {
            let dots = turn.fold_wb(".", "...");
            let _ = write!(line.san, "{number}{dots} ");
        }
        if turn == Color::Black {
            number += 1;
        }
        let _ = write!(line.san, "{}", SanPlus::from_move_and_play_unchecked(&mut chess, m));
    }
    line.end = End::of_chess(&chess);
    Some(line)
}

/// Returns the code of a shakmaty move; castling is king takes rook.
pub fn code(m: Move) -> MoveCode {
    let to = if let Move::Castle { rook, .. } = m { rook } else { m.to() };
    // Only a drop has no origin, and there are no drops in chess.
    MoveCode::new(m.from().unwrap_or(to), to, m.promotion())
}

/// Finds the legal move that a text names in UCI notation. Castling may be written in either form.
pub fn of_uci(chess: &Chess, text: &str) -> Option<Move> {
    text.parse::<UciMove>().ok()?.to_move(chess).ok()
}

/// Returns the position after a legal move.
pub fn after(chess: &Chess, m: Move) -> Chess {
    let mut next = chess.clone();
    next.play_unchecked(m);
    next
}

/// Returns the squares to which castling brings the king and the rook; `None` if it is another move.
pub fn castled(m: Move) -> Option<[Square; 2]> {
    let (side, color) = (m.castling_side()?, Color::from_white(m.to().rank() == Rank::First));
    Some([side.king_to(color), side.rook_to(color)])
}

/// Returns the legal move with this code, as a shakmaty move.
pub fn legal_move(chess: &Chess, wanted: MoveCode) -> Option<Move> {
    chess.legal_moves().into_iter().find(|&m| code(m) == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::chess;
    use shakmaty::Square;

    fn code(from: Square, to: Square) -> MoveCode {
        MoveCode::new(from, to, None)
    }

    #[test]
    fn castling_notation_depends_on_the_castling_rights() {
        let codes = [code(Square::E1, Square::H1), code(Square::H8, Square::H7)];
        let standard = chess("8/3k4/8/8/8/8/8/4K2R w K - 0 1");
        let written = line(&standard, &codes[..1]).unwrap();
        assert_eq!((written.uci, written.san.as_str()), (vec!["e1g1".to_owned()], "1. O-O"));
        let other = chess("7k/8/8/8/8/8/8/4K1R1 w G - 0 1");
        let written = line(&other, &[code(Square::E1, Square::G1), codes[1]]).unwrap();
        assert_eq!((written.uci.join(" "), written.san.as_str()), ("e1g1 h8h7".to_owned(), "1. O-O Kh7"));
        let inner = chess("7k/8/8/8/8/8/8/3K2R1 w G - 0 1");
        assert_eq!(line(&inner, &[code(Square::D1, Square::G1)]).unwrap().uci, ["d1g1"]);
    }

    #[test]
    fn a_line_that_black_starts_begins_with_three_dots() {
        let diagram = chess("7k/8/8/8/8/8/8/K7 b - - 0 1");
        let codes = [code(Square::H8, Square::H7), code(Square::A1, Square::A2), code(Square::H7, Square::H8)];
        let written = line(&diagram, &codes).unwrap();
        assert_eq!(written.san, "1... Kh7 2. Ka2 Kh8");
        assert_eq!(written.end, None);
        assert!(line(&diagram, &codes[1..]).is_none());
    }
}
