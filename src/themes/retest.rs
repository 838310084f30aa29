//! Re-tests: a position is changed by one thing, and the board answers whether a move still mates.
//!
//! A motif is claimed only if the change has the expected effect: a man is taken off, put back, or a line is opened. The
//! rules of chess are shakmaty's. A changed position that cannot stand on a board (a king in check while the other side
//! moves) answers nothing, and then nothing is claimed.

use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Move, Position as _, PositionError, Setup, Square,
};

use crate::results::report::Ply;
use crate::results::themes::Retest;

/// The mode in which castling rights are read: it covers standard chess too.
const MODE: CastlingMode = CastlingMode::Chess960;

/// Returns the position of a setup, however unusual its material; rights that cannot be used are dropped.
pub(super) fn tolerant(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, MODE)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .ok()
}

/// Returns the position without the man on a square, with `turn` to move; `None` if it cannot be played.
pub(super) fn without(position: &Chess, turn: Color, square: Square) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    if turn != setup.turn {
        setup.turn = turn;
        setup.ep_square = None;
    }
    setup.board.discard_piece_at(square);
    tolerant(setup)
}

/// Returns the position after a move of a man of the side to move that the rules may forbid: the man is put on its square of
/// arrival, and takes off what stands there. `None` if its king is in check then.
pub(super) fn moved(position: &Chess, from: Square, to: Square) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    let piece = setup.board.remove_piece_at(from)?;
    setup.board.set_piece_at(to, piece);
    setup.turn = !setup.turn;
    setup.ep_square = None;
    tolerant(setup)
}

/// Returns the position after a move of the other side was taken back without its effects: its man stands where it came
/// from. `None` if something stands there, or if the position cannot be played.
pub(super) fn put_back(position: &Chess, turn: Color, m: Move) -> Option<Chess> {
    let from = m.from().filter(|_| !m.is_castle())?;
    let mut setup = position.to_setup(EnPassantMode::Legal);
    if setup.board.piece_at(from).is_some() {
        return None;
    }
    let piece = setup.board.remove_piece_at(m.to())?;
    setup.board.set_piece_at(from, shakmaty::Piece { role: m.role(), ..piece });
    setup.turn = turn;
    setup.ep_square = None;
    tolerant(setup)
}

/// Returns the position after a legal move.
pub(super) fn after(position: &Chess, m: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}

/// Returns the legal move between the same squares, with the same promotion, in another position.
pub(super) fn same_move(position: &Chess, m: Move) -> Option<Move> {
    let is_same = |other: &Move| {
        (other.from(), other.to(), other.promotion(), other.role()) == (m.from(), m.to(), m.promotion(), m.role())
    };
    position.legal_moves().into_iter().find(is_same)
}

/// Returns whether the move is legal in the position and mates.
pub(super) fn mates(position: &Chess, m: Move) -> bool {
    same_move(position, m).is_some_and(|m| after(position, m).is_checkmate())
}

/// Asks whether a move mates in a changed position, and keeps the answer as evidence.
pub(super) fn ask(change: String, position: &Chess, m: Move) -> Retest {
    Retest {
        change,
        fen: fen(position),
        uci: Some(m.to_uci(position.castles().mode()).to_string()),
        holds: mates(position, m),
    }
}

/// States the effect of a change on the position.
pub(super) fn state(change: String, position: &Chess, holds: bool) -> Retest {
    Retest { change, fen: fen(position), uci: None, holds }
}

/// Returns a legal move with its notation.
pub(super) fn ply(position: &Chess, mv: Move) -> Ply {
    Ply::of(position, mv, position.castles().mode())
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
