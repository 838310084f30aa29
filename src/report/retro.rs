//! Retrograde analysis of one move: whether the last move must have been a double step of a pawn.
//!
//! By the Codex, a capture en passant may be the first move of a solution only if it can be proved that the last move
//! was the double step. This file proves it where looking one move back is enough: `chess::last_moves` takes back every
//! move that the side not to move may have made last. If all of them except one double step are impossible, that
//! double step was made. A proof may be missed, but a proof that is found is never wrong.

use shakmaty::{Bitboard, Board, Color, Piece, Rank, Role, Square, attacks};

use crate::chess::last_moves::{backward, is_possible, taken_back};

/// Returns the square on which `turn` may capture en passant, if the position proves it. `unmoved` are men that are
/// known not to have moved, such as those that may castle.
pub(super) fn proved_en_passant(board: &Board, turn: Color, unmoved: Bitboard) -> Option<Square> {
    let them = !turn;
    if !double_steps(board, them).any(|to| is_capturable(board, to, turn)) {
        return None;
    }
    let mut only = None;
    for before in taken_back(board, them, unmoved) {
        if !is_possible(&before.board, them) {
            continue;
        }
        match (before.double_step, only) {
            (Some(to), None) => only = Some(to),
            (Some(to), Some(other)) if to == other => {}
            _ => return None,
        }
    }
    only.filter(|&to| is_capturable(board, to, turn)).and_then(|to| to.offset(backward(them)))
}

/// Returns the squares of pawns of `side` that may have made a double step in the last move.
fn double_steps(board: &Board, side: Color) -> impl Iterator<Item = Square> {
    let rank = Bitboard::from(side.fold_wb(Rank::Fourth, Rank::Fifth));
    let pawns = board.by_piece(Piece { color: side, role: Role::Pawn }) & rank;
    let occupied = board.occupied();
    let free = move |square: Option<Square>| square.is_some_and(|square| !occupied.contains(square));
    pawns.into_iter().filter(move |to| free(to.offset(backward(side))) && free(to.offset(2 * backward(side))))
}

/// Returns whether a pawn of side `by` stands beside the pawn that made a double step to `stepped`.
fn is_capturable(board: &Board, stepped: Square, by: Color) -> bool {
    let beside = attacks::king_attacks(stepped) & Bitboard::from(stepped.rank());
    (beside & board.by_piece(Piece { color: by, role: Role::Pawn })).any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proved(board: &str, turn: Color) -> Option<Square> {
        proved_en_passant(&board.parse().unwrap(), turn, Bitboard::EMPTY)
    }

    #[test]
    fn a_double_step_is_proved_if_no_other_last_move_is_possible() {
        // A problem by Amelung. The king on h6 cannot have come from g7, because the pawn on f6 could not have given
        // check there. The pawn on g5 cannot have come from g6, because it would have attacked the king on f5.
        assert_eq!(proved("7R/7p/5P1k/4PKpP/8/8/8/8", Color::White), Some(Square::G6));
        // The same with the colours exchanged.
        assert_eq!(proved("8/8/8/8/4pkPp/5p1K/7P/7r", Color::Black), Some(Square::G3));
        // King and rook may castle, so they have not moved. On f6 the pawn would have given check to the king on g5.
        let board: Board = "4k2r/8/4P1P1/4PpK1/8/8/8/8".parse().unwrap();
        let unmoved = Bitboard::from(Square::E8).with(Square::H8);
        assert_eq!(proved_en_passant(&board, Color::White, unmoved), Some(Square::F6));
        assert_eq!(proved_en_passant(&board, Color::White, Bitboard::EMPTY), None);
    }

    #[test]
    fn another_possible_last_move_leaves_the_double_step_unproved() {
        // In the first position the knight may have made the last move; in the second the pawn may have come from g6.
        assert_eq!(proved("n6R/7p/5P1k/4PKpP/8/8/8/8", Color::White), None);
        assert_eq!(proved("7R/7p/5P1k/4P1pP/8/8/8/5K2", Color::White), None);
        // The pawn on f6 may have come from f5, and the king from g7.
        assert_eq!(proved("7R/7p/5P1k/6pP/4K3/8/8/8", Color::White), None);
        // No white pawn can capture en passant.
        assert_eq!(proved("7R/7p/5P1k/4PKp1/7P/8/8/8", Color::White), None);
    }
}
