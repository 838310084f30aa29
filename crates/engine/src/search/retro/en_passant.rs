//! Captures en passant, exactly.
//!
//! A table has no positions with a right to capture en passant: such a right lasts one move. Instead, a double step
//! that ends beside an enemy pawn is searched one ply deeper. This is rare, so the positions are made one by one with
//! the chess kernel.

use shakmaty::{Bitboard, Color, Rank, Role, Square};

use crate::chess::{Move, MoveList, Position, Side};

use super::conversions::ahead;
use super::frame::{Frame, color};
use super::table::{Distance, NO_MATE};
use super::tables::Tables;

/// A double step of a pawn, which an enemy pawn could capture en passant if that is legal.
#[derive(Debug, Clone, Copy)]
pub(super) struct DoubleStep {
    pub from: Square,
    pub over: Square,
    pub to: Square,
}

/// Returns the double step of a pawn in a frame, if the frame leaves it room.
#[inline]
pub(super) fn double_step(frame: &Frame<'_>, side: Side, from: Square) -> Option<DoubleStep> {
    if from.rank() != color(side).fold_wb(Rank::Second, Rank::Seventh) {
        return None;
    }
    let (over, to) = (ahead(side, from, 1), ahead(side, from, 2));
    let free = !frame.occupied.contains(over) && !frame.occupied.contains(to);
    free.then_some(DoubleStep { from, over, to })
}

/// Returns whether an enemy pawn stands beside the target of a double step of `side`.
#[inline]
pub(super) fn may_be_captured(frame: &Frame<'_>, side: Side, step: DoubleStep) -> bool {
    let men = frame.layout.men().iter().zip(frame.squares);
    men.filter(|(man, _)| man.role == Role::Pawn && man.side != side)
        .any(|(_, square)| square.rank() == step.to.rank() && square.file().distance(step.to.file()) == 1)
}

/// Returns the double steps of a side that an enemy pawn could capture.
pub(super) fn capturable_steps(frame: &Frame<'_>, side: Side) -> impl Iterator<Item = DoubleStep> {
    let pawns = frame.men_of(side).filter(|&(_, role)| role == Role::Pawn);
    let steps = pawns.filter_map(move |(man, _)| double_step(frame, side, frame.squares[man]));
    steps.filter(move |&step| may_be_captured(frame, side, step))
}

/// Returns the squares of the last man for which a double step is legal: it does not stand in the way, and the position
/// after the step is legal.
pub(super) fn legal(frame: &Frame<'_>, step: DoubleStep, side: Side) -> Bitboard {
    let after = frame.squares.map(|square| if square == step.from { step.to } else { square });
    let after = Frame::new(frame.layout, frame.layout.word(after));
    let exposed = after.king_attacked_by(side.other());
    !(exposed | after.occupied).with(step.over)
}

/// The captures en passant of the defender after a double step of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Defence {
    /// The longest mate after a capture en passant, as a byte of a table.
    pub byte: u8,
    /// Whether the defender has no other move.
    pub only: bool,
}

/// Returns the captures en passant that are legal after a double step of the attacker; `None` if there is none. `last`
/// is the square of the last man. The step must be legal.
pub(super) fn defence(frame: &Frame<'_>, last: Square, step: DoubleStep, tables: &Tables) -> Option<Defence> {
    let after = after(frame, last, Side::Attacker, step);
    let moves = after.legal_moves();
    let only = moves.iter().all(|m| m.is_en_passant());
    captures(&after, &moves, tables).max().map(|byte| Defence { byte, only })
}

/// Returns the length of the shortest mate by a capture en passant after a double step of the defender, that capture
/// counted, as a byte of a table.
pub(super) fn attack(frame: &Frame<'_>, last: Square, step: DoubleStep, tables: &Tables) -> u8 {
    let after = after(frame, last, Side::Defender, step);
    captures(&after, &after.legal_moves(), tables).min().map_or(NO_MATE, |byte| byte.saturating_add(1))
}

fn after(frame: &Frame<'_>, last: Square, side: Side, step: DoubleStep) -> Position {
    frame.position(last, side).play(Move::normal(step.from, step.to, Role::Pawn, None, None))
}

/// Returns the values of the positions after the captures en passant among these moves, as bytes of a table.
fn captures(after: &Position, moves: &MoveList, tables: &Tables) -> impl Iterator<Item = u8> {
    let captures = moves.iter().filter(|m| m.is_en_passant());
    captures.map(|&m| match tables.look_up(&after.play(m), Color::White) {
        Some(Distance::Mate(length)) => length.0 as u8,
        Some(Distance::NoMate) | None => NO_MATE,
    })
}
