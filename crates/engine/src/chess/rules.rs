//! The goals of problems in positions of the kernel: when the play is over, and which replies the rules allow.
//!
//! The searches call these functions. The checker has its own (`crates/proof/src/rules.rs`), on shakmaty alone.
//! `tests/suite/forced.rs` compares the replies with a third reading of the rules.

use super::{Duty, End, Goal, ManList, MoveList, NodeKind, Position};

/// Returns the end that stands on the board; `None` if the side to move has a legal move.
pub fn end(position: &Position) -> Option<End> {
    if position.has_move() {
        return None;
    }
    Some(if position.is_check() { End::Mate } else { End::Stalemate })
}

/// Returns whether the play for this goal is over in a position of this kind, and if so, whether the goal is reached.
pub fn over(goal: Goal, position: &Position, kind: NodeKind) -> Option<bool> {
    debug_assert!(!goal.exact || position.countdown().is_some(), "the half-moves of this goal count");
    match end(position) {
        Some(end) => {
            let is_due = position.countdown().is_none_or(|left| left == 0);
            Some(end == goal.end && NodeKind::from(goal.of) == kind && is_due)
        }
        None if kind == NodeKind::Or && must_end(goal, position, kind) => Some(false),
        None if position.countdown() == Some(0) => Some(false),
        None => None,
    }
}

/// Returns the fewest moves of the attacker in which the goal can be reached, as far as the half-moves that are left
/// say it; 0 if they do not count. `kind` is that of the position.
#[inline]
pub fn least(position: &Position, kind: NodeKind) -> u16 {
    position.countdown().map_or(0, |left| (left + u16::from(kind == NodeKind::Or)).div_euclid(2))
}

/// Returns whether the side to move must bring the end about at once. `kind` says which side that is. Where the
/// attacker must, the play has failed.
#[inline]
pub fn must_end(goal: Goal, position: &Position, kind: NodeKind) -> bool {
    let is_bound = match kind {
        NodeKind::Or => goal.duty == Duty::Both,
        NodeKind::And => goal.duty != Duty::None,
    };
    is_bound && can_end(position, goal.end)
}

/// Returns whether the side to move has a move that mates or stalemates.
pub fn can_end(position: &Position, end: End) -> bool {
    match end {
        End::Mate => position.mate_in_one().is_some(),
        End::Stalemate | End::Any => !ends(position, end).is_empty(),
    }
}

/// Returns the moves that mate, or stalemate, or all.
pub fn ends(position: &Position, end: End) -> MoveList {
    let (mut men, mut list) = (ManList::new(), MoveList::new());
    let attack = position.attack(&mut men);
    match end {
        End::Mate => {
            attack.checks(&mut list);
            list.retain(|&mut m| attack.mates(m));
        }
        End::Stalemate => {
            attack.quiet_moves(&mut list);
            list.retain(|&mut m| !position.play(m).has_move());
        }
        End::Any => return position.legal_moves(),
    }
    list
}

/// Returns the replies that the rules allow the defender: all legal moves; or, if he must bring the end about at once
/// and can, the moves that do.
pub fn replies(goal: Goal, position: &Position) -> MoveList {
    if goal.duty != Duty::None {
        let ends = ends(position, goal.end);
        if !ends.is_empty() {
            return ends;
        }
    }
    position.legal_moves()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Stipulation;
    use crate::chess::testing::position;

    #[test]
    fn the_play_is_over_when_a_side_has_no_move_or_must_mate() {
        let mated = position("k7/1Q6/1K6/8/8/8/8/8 b - -");
        let over = |goal: Goal, kind| super::over(goal, &mated, kind);
        assert_eq!(over(Goal::MATE, NodeKind::And), Some(true));
        assert_eq!(over(Goal::STALEMATE, NodeKind::And), Some(false));
        assert_eq!(over(Goal::SELFMATE, NodeKind::And), Some(false), "the defender is mated");
        assert_eq!(over(Goal::SELFMATE, NodeKind::Or), Some(true));
        assert_eq!(super::over(Goal::STALEMATE, &position("k7/8/1QK5/8/8/8/8/8 b - -"), NodeKind::And), Some(true));
        let counted = |text| mated.counting(Stipulation::parse_any(text).unwrap());
        assert_eq!(super::over(Goal::EXACT, &counted("exact-#-1"), NodeKind::And), Some(false), "too early");
        let can_mate = position("k7/8/1K6/8/8/8/7Q/8 w - -");
        assert_eq!(super::over(Goal::REFLEX, &can_mate, NodeKind::Or), Some(false));
        assert_eq!(super::over(Goal::SEMI_REFLEX, &can_mate, NodeKind::Or), None);
        assert_eq!(super::over(Goal::REFLEX_STALEMATE, &can_mate, NodeKind::Or), Some(false), "Qc7 stalemates");
    }

    #[test]
    fn a_defender_who_must_mate_has_no_other_reply() {
        let bishop = position("k7/8/1K6/8/8/8/8/6B1 w - -");
        let position = position("k7/8/1K6/8/8/8/8/5R1R w - -");
        assert_eq!(replies(Goal::REFLEX, &position).len(), 2, "Rf8 and Rh8");
        assert_eq!(replies(Goal::REFLEX_STALEMATE, &bishop).len(), 2, "Bh2 and Kc7");
        assert_eq!(replies(Goal::SELFMATE, &position).len(), position.legal_moves().len());
    }
}
