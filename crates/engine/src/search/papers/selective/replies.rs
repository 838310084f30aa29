//! The first order of the defender's replies. `nodes` changes it when a reply is mated.

use super::denial::Denial;
use crate::chess::{Checks, MoveCode, MoveList, NodeKind, Position};
use crate::search::learned::LearnedOrder;

/// Returns the defender's replies, likely refutations first: the move from the table, the moves that deny the threat,
/// killers, checks, captures, and the rest by history.
pub(super) fn ordered_replies(
    position: &Position,
    ply: usize,
    best: Option<MoveCode>,
    threat: Option<MoveCode>,
    learned: &LearnedOrder,
) -> MoveList {
    let mut moves = position.legal_moves();
    let denial = threat.map(Denial::of);
    let checks = Checks::of(position);
    moves.sort_by_cached_key(|&m| {
        let code = m.code();
        let denies = denial.is_some_and(|denial| denial.contains(position, m));
        let killer = learned.is_killer(ply, code);
        let captured = m.capture().map_or(0, |role| role as i32);
        let history = learned.rank(NodeKind::And, ply, code);
        (Some(code) != best, !denies, !killer, !checks.contain(position, m), -captured, -history)
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;
    use shakmaty::Square;

    #[test]
    fn the_moves_that_deny_the_threat_come_first() {
        // White threatens Ra8 mate. The knight can step between.
        let position = position("6k1/5ppp/8/1n4b1/8/8/6K1/R7 b - -");
        let threat = MoveCode::new(Square::A1, Square::A8, None);
        let learned = LearnedOrder::default();
        let at = |list: &MoveList, from, to| {
            list.iter()
                .position(|m| (m.from(), m.to()) == (from, to))
                .unwrap_or_else(|| panic!("{from}{to} is missing"))
        };
        let replies = ordered_replies(&position, 1, None, Some(threat), &learned);
        assert!(at(&replies, Square::B5, Square::A7) < at(&replies, Square::G5, Square::H4), "{replies:?}");
        let table_move = MoveCode::new(Square::H7, Square::H6, None);
        let replies = ordered_replies(&position, 1, Some(table_move), Some(threat), &learned);
        assert_eq!(at(&replies, Square::H7, Square::H6), 0);
    }
}
