//! Refutes nodes at which the attacker has two moves left, without trying his moves.
//!
//! In endings many of these nodes are refuted because the defender's king can leave the reach of the few enemy men. The
//! kernel recognises some such OR nodes ([`Position::has_no_net`]). An AND node is refuted by a king's move to one; the
//! move that refuted most recently is tried first. Only refutation searches ask.

use shakmaty::Role;

use crate::chess::{MateLength, MoveList, Moves, Position};
use crate::search::{Interrupted, Meter};

use super::attempt::{Aim, Attempt};
use super::order::ReplyOrder;

/// Returns whether the attempt is the refutation of mates in at most two moves.
#[inline]
fn is_asked(attempt: Attempt) -> bool {
    attempt.aim == Aim::Refutation && attempt.moves() == Some(MateLength(2))
}

/// Returns whether an OR node is refuted: two moves are left, and they are not enough for a mate.
#[inline]
pub(crate) fn refuted(position: &Position, attempt: Attempt) -> bool {
    is_asked(attempt) && position.has_no_net()
}

/// Returns whether an AND node is refuted by a king's move: two moves are left, and afterwards they are not enough for
/// a mate.
#[inline]
pub(crate) fn king_escapes(
    position: &Position,
    attempt: Attempt,
    order: &mut ReplyOrder,
    meter: &mut Meter<'_>,
) -> Result<bool, Interrupted> {
    Ok(is_asked(attempt) && position.admits_net(!position.turn()) && some_king_move_escapes(position, order, meter)?)
}

fn some_king_move_escapes(
    position: &Position,
    order: &mut ReplyOrder,
    meter: &mut Meter<'_>,
) -> Result<bool, Interrupted> {
    let tried = order.last_escape.filter(|&m| position.allows(m));
    let mut moves = MoveList::new();
    if let Some(m) = tried {
        moves.push(m);
        if escapes(position, &moves, order, meter)? {
            return Ok(true);
        }
        moves.clear();
    }
    position.generate(Moves::All, &mut moves);
    moves.retain(|m| m.role() == Role::King && Some(*m) != tried);
    escapes(position, &moves, order, meter)
}

/// Returns whether one of the moves leads to a position without a mate in two.
fn escapes(
    position: &Position,
    moves: &MoveList,
    order: &mut ReplyOrder,
    meter: &mut Meter<'_>,
) -> Result<bool, Interrupted> {
    for &m in moves {
        meter.node()?;
        if position.play(m).has_no_net() {
            order.last_escape = Some(m);
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;
    use crate::search::horizon::Horizon;
    use crate::search::testing::with_meter;

    #[test]
    fn a_king_that_can_step_away_refutes_two_moves() {
        with_meter(|meter| {
            let mut order = ReplyOrder::new();
            let mut escapes = |text: &str, attempt| king_escapes(&position(text), attempt, &mut order, meter).unwrap();
            let refute = |n| Attempt::refutation(Horizon::within(MateLength(n)));
            let open = "8/8/8/4k3/8/8/8/KBN5 b - -";
            assert!(escapes(open, refute(2)));
            assert!(escapes(open, refute(2)), "by the move that is tried first");
            assert!(!escapes(open, refute(3)), "only two moves are examined");
            assert!(!escapes(open, Attempt::mate(Horizon::within(MateLength(2)))));
            assert!(!escapes("7k/8/5K2/6N1/8/8/8/1B6 b - -", refute(2)), "mate follows");
            assert!(!escapes("8/8/8/4k3/8/8/8/KQ6 b - -", refute(2)), "a queen is not examined");
        });
    }
}
