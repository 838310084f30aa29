//! Castling and en passant rights of a diagram, by the conventions of the Codex for Chess Composition.
//!
//! A diagram shows the men, but not the moves that led to it. The Codex (article 16) says what may be assumed: castling
//! is allowed unless it can be proved that king or rook has moved; a capture en passant is allowed as the first move
//! only if it can be proved that the last move was the double step. Rights that a FEN states are believed by default.
//! `--castling assume` applies the convention; so does a line without a castling field ([`Castling::of_line`]). A
//! capture en passant that the FEN does not state is allowed if it is proved here, unless the request forbids that.
//!
//! **The last move.** This file proves that the last move was a double step where looking one move back is enough:
//! `chess::last_moves` takes back every move that the side not to move may have made last. If all of them except one
//! double step are impossible, that double step was made. A proof may be missed.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position as _, Rank, Role, Setup,
    Square, attacks,
};

use matesolve_terms::tolerated;

use crate::chess::last_moves::{backward, is_possible, taken_back};
use crate::problem::epd;
use crate::problem::men::rooks_at_home;
use crate::results::report::Source;

/// The source of castling rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Castling {
    /// As the FEN says
    #[default]
    Fen,
    /// Wherever king and rook are on their original squares, unless the position shows that one of them has moved
    Assume,
    /// Never
    None,
}

impl Castling {
    /// Returns the convention for a line of FEN, EPD or JSON if nobody chooses one: the FEN decides if it has a
    /// castling field; else castling is assumed to be legal, as the Codex says.
    pub fn of_line(line: &str) -> Castling {
        let fields = epd::split(line).0.split_whitespace().count();
        if fields < 3 && !line.trim_start().starts_with('{') { Castling::Assume } else { Castling::Fen }
    }
}

/// A diagram after its castling and en passant rights were decided.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    pub chess: Chess,
    pub castling: Source,
    pub en_passant: Source,
    pub warnings: Vec<String>,
}

/// Decides the castling and en passant rights of a diagram. `proves_en_passant`: the position itself may prove the
/// right to an en passant capture.
pub(super) fn settle(stated: &Chess, castling: Castling, proves_en_passant: bool) -> Settled {
    let mut setup = stated.to_setup(EnPassantMode::Always);
    let mut warnings = Vec::new();
    let source = match castling {
        Castling::Fen => Source::Fen,
        Castling::None => {
            setup.castling_rights = Bitboard::EMPTY;
            Source::None
        }
        Castling::Assume => {
            let added = assumed(&setup) & !setup.castling_rights;
            for rook in added {
                warnings.push(format!("castling with the rook on {rook} is assumed to be possible"));
            }
            setup.castling_rights |= added;
            Source::Assumed
        }
    };
    let en_passant = if setup.ep_square.is_some() {
        Source::Fen
    } else if !proves_en_passant {
        Source::None
    } else {
        // A castling right that the FEN states is a fact: king and rook have not moved. An assumed right proves
        // nothing.
        let unmoved = if castling == Castling::Fen { unmoved(&setup) } else { Bitboard::EMPTY };
        setup.ep_square = proved_en_passant(&setup.board, setup.turn, unmoved);
        setup.ep_square.map_or(Source::None, |_| Source::Proved)
    };
    let chess = rebuilt(setup, stated);
    Settled { chess, castling: source, en_passant, warnings }
}

/// Returns the rooks that may castle, and their kings.
fn unmoved(setup: &Setup) -> Bitboard {
    let rights = setup.castling_rights;
    let kings = Color::ALL.into_iter().filter(|&color| (rights & setup.board.by_color(color)).any());
    kings.filter_map(|color| setup.board.king_of(color)).fold(rights, Bitboard::with)
}

/// Returns the position of `setup`, or the stated one if `setup` is not a position.
fn rebuilt(setup: Setup, stated: &Chess) -> Chess {
    let mode = stated.castles().mode();
    let mode = if setup.castling_rights.is_empty() { CastlingMode::Standard } else { mode };
    tolerated(Chess::from_setup(setup, mode)).unwrap_or_else(|_| stated.clone())
}

/// Returns the rooks that may castle by the convention.
fn assumed(setup: &Setup) -> Bitboard {
    let at_home: Bitboard = rooks_at_home(&setup.board).collect();
    let other = !setup.turn;
    let theirs = at_home & setup.board.by_color(other);
    if has_just_moved_king_or_rook(setup, other, theirs) { at_home & !theirs } else { at_home }
}

/// Returns whether only the king or the one rook of this side can have made the last move: the side has no other men
/// than pawns on their original squares, which have not moved.
fn has_just_moved_king_or_rook(setup: &Setup, color: Color, rooks: Bitboard) -> bool {
    let home = Bitboard::from(color.fold_wb(Rank::Second, Rank::Seventh));
    let unmoved = setup.board.by_piece(Piece { color, role: Role::Pawn }) & home;
    let king = Bitboard::from(color.fold_wb(Square::E1, Square::E8));
    rooks.count() == 1 && setup.board.by_color(color) == unmoved | rooks | king
}

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
