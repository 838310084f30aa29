//! Re-tests: a position is changed by one thing, and the board answers whether a move still mates, or what else
//! follows.
//!
//! The rules of chess are shakmaty's. A changed position that cannot stand on a board (a king in check while the other
//! side moves) answers nothing, and a motif that needs the answer is not claimed.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Move, Position as _, Setup, Square};

use crate::chess::{notation::after, tolerated};
use crate::results::ply::{Ply, word};
use crate::results::themes::Retest;

/// The mode in which castling rights are read: it covers standard chess too.
const MODE: CastlingMode = CastlingMode::Chess960;

/// Returns the English word for the man on a square.
pub(super) fn man(position: &Chess, square: Square) -> &'static str {
    position.board().role_at(square).map_or("man", word)
}

/// Returns the position of a setup, however unusual its material; rights that cannot be used are dropped.
pub(super) fn tolerant(setup: Setup) -> Option<Chess> {
    tolerated(Chess::from_setup(setup, MODE)).ok()
}

/// Returns the position without the man on a square, with `turn` to move; `None` if it cannot be played.
pub(super) fn without(position: &Chess, turn: Color, square: Square) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.board.discard_piece_at(square);
    if turn == setup.turn { tolerant(setup) } else { turned(setup, turn) }
}

/// Returns the position of a setup with `turn` to move, who cannot capture en passant.
pub(super) fn turned(mut setup: Setup, turn: Color) -> Option<Chess> {
    setup.turn = turn;
    setup.ep_square = None;
    tolerant(setup)
}

/// Returns the position after a move of a man of the side to move that the rules may forbid: the man is put on its
/// square of arrival, and takes off what stands there. `None` if its king is in check then.
pub(super) fn moved(position: &Chess, from: Square, to: Square) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    let piece = setup.board.remove_piece_at(from)?;
    setup.board.set_piece_at(to, piece);
    turned(setup, !position.turn())
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
    turned(setup, turn)
}

/// Returns the legal move between the same squares, with the same promotion, in another position.
pub(super) fn same_move(position: &Chess, m: Move) -> Option<Move> {
    let is_same = |other: &Move| {
        (other.from(), other.to(), other.promotion(), other.role()) == (m.from(), m.to(), m.promotion(), m.role())
    };
    position.legal_moves().into_iter().find(is_same)
}

/// Returns whether the move is legal and mates in at most `length` moves of the attacker, which is 1 or 2.
pub(super) fn solves(position: &Chess, m: Move, length: u16) -> bool {
    let Some(m) = same_move(position, m) else { return false };
    let next = after(position, m);
    let defences = next.legal_moves();
    if defences.is_empty() {
        return next.is_check();
    }
    length == 2 && defences.iter().all(|&defence| has_mate(&after(&next, defence)))
}

/// Returns the defences after which the attacker, who made the move before, has no mate in `length` moves: 0 or 1.
pub(super) fn parries(position: &Chess, length: u16) -> Vec<Move> {
    let stops = |defence: &Move| length == 0 || !has_mate(&after(position, *defence));
    position.legal_moves().into_iter().filter(stops).collect()
}

fn has_mate(position: &Chess) -> bool {
    position.legal_moves().iter().any(|&m| after(position, m).is_checkmate())
}

/// Asks whether a move mates in at most `length` moves of the attacker, 1 or 2, in a changed position. If it does not
/// mate at once, the sentence says that every defence has a mate.
pub(super) fn ask_in(length: u16, change: String, position: &Chess, m: Move) -> Retest {
    if length == 1 || solves(position, m, 1) {
        return ask(change, position, m);
    }
    let san = same_move(position, m).map_or_else(String::new, |m| ply(position, m).san);
    state(format!("{change}: after {san} every defence has a mate"), position, solves(position, m, length))
}

/// Asks whether a move mates in a changed position, and keeps the answer as evidence.
pub(super) fn ask(change: String, position: &Chess, m: Move) -> Retest {
    Retest {
        change,
        fen: fen(position),
        uci: Some(m.to_uci(position.castles().mode()).to_string()),
        holds: solves(position, m, 1),
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
