//! Decides AND nodes of a direct mate at which the attacker has one move left.
//!
//! A search within a horizon has many such nodes, and most of them are refuted. Proof numbers would not help: the
//! replies are tried until one leaves no mate in one. The reply that refuted most recently often refutes again; it is
//! tried before the other replies are listed.

use crate::chess::{MateLength, Move, MoveList, Moves, Position};
use crate::search::{Interrupted, Meter};

use super::leaf::NodeValue;
use super::order::ReplyOrder;

/// Decides a position with the defender to move where the attacker has one move left.
pub(crate) fn last_replies(
    position: &Position,
    order: &mut ReplyOrder,
    meter: &mut Meter<'_>,
) -> Result<NodeValue, Interrupted> {
    let tried = order.last_refutation.filter(|&m| position.allows(m));
    if let Some(m) = tried
        && refutes(position, m, meter)?
    {
        return Ok(NodeValue::DISPROVED);
    }
    let mut replies = MoveList::new();
    position.generate(Moves::All, &mut replies);
    if replies.is_empty() {
        return Ok(if position.is_check() { NodeValue::proved(MateLength(0)) } else { NodeValue::DISPROVED });
    }
    replies.retain(|m| Some(*m) != tried);
    for i in 0..replies.len() {
        let m = order.select_best(&mut replies[i..]);
        if refutes(position, m, meter)? {
            order.record_refutation(m);
            order.last_refutation = Some(m);
            return Ok(NodeValue::DISPROVED);
        }
    }
    Ok(NodeValue::proved(MateLength(1)))
}

/// Returns whether there is no mate in one after the reply.
#[inline]
fn refutes(position: &Position, reply: Move, meter: &mut Meter<'_>) -> Result<bool, Interrupted> {
    meter.node()?;
    Ok(position.play(reply).mate_in_one().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;
    use crate::search::testing::with_meter;

    #[test]
    fn the_last_refutation_is_tried_first_and_verified() {
        with_meter(|meter| {
            let mut order = ReplyOrder::new();
            let mut value = |text: &str| {
                let position = position(text);
                let before = meter.count();
                let value = last_replies(&position, &mut order, meter).unwrap();
                (value, meter.count() - before)
            };
            // Black takes the queen; otherwise Qg7 is mate.
            assert_eq!(value("2n4k/Q7/6K1/7p/8/8/8/8 b - -").0, NodeValue::DISPROVED);
            assert_eq!(value("2n4k/Q7/6K1/8/7p/8/8/8 b - -"), (NodeValue::DISPROVED, 1), "by the same move");
            // Without the knight the move does not exist.
            assert_eq!(value("7k/Q7/6K1/7p/8/8/8/8 b - -").0, NodeValue::proved(MateLength(1)));
            assert_eq!(value("7k/6Q1/6K1/8/8/8/8/8 b - -").0, NodeValue::proved(MateLength(0)));
            assert_eq!(value("7k/5Q2/6K1/8/8/8/8/8 b - -").0, NodeValue::DISPROVED, "stalemate");
        });
    }
}
