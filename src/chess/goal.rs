//! Goals: what must stand on the board at the end, and what the sides must do on the way.
//!
//! Everything that depends on the kind of a problem with one side that resists comes from this file: when the play is
//! over, and which replies the rules allow. The searches and the reference call the same functions. The checker has its
//! own (`proof/rules.rs`), on shakmaty alone, and a test compares the two.
//!
//! | goal | stands on the board at the end | on the way |
//! |---|---|---|
//! | `#` | the defender is mated | |
//! | `=` | the defender is stalemated | |
//! | `s#`, `s=` | the attacker is mated, stalemated | |
//! | `semi-r#` | the attacker is mated | the defender must mate at once if he can |
//! | `r#` | the attacker is mated | the same; and where the attacker could mate, the play has failed, because he must |
//!
//! Any other end of the game fails: in a selfmate, a mate or a stalemate of the defender.
//!
//! CITE: Codex for Chess Composition (World Federation for Chess Composition), chapter II; Popeye 4.104.

use shakmaty::{Chess, Color, Position as _};

use super::{ManList, MoveList, NodeKind, Position, Side};

/// An end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum End {
    /// The side to move is in check and has no legal move.
    Mate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
}

impl End {
    /// Returns the end that stands on the board; `None` if the side to move has a legal move.
    pub(crate) fn of(position: &Position) -> Option<End> {
        if position.has_move() {
            return None;
        }
        Some(if position.is_check() { End::Mate } else { End::Stalemate })
    }

    /// The same for a position of shakmaty.
    pub(crate) fn of_chess(position: &Chess) -> Option<End> {
        match (position.legal_moves().is_empty(), position.is_check()) {
            (false, _) => None,
            (true, true) => Some(End::Mate),
            (true, false) => Some(End::Stalemate),
        }
    }
}

/// The side that must mate at once when it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Duty {
    /// Nobody.
    #[default]
    None,
    /// The defender: semi-reflex play.
    Defender,
    /// Both sides: reflex play.
    Both,
}

/// The end that must stand on the board, and what the sides must do on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Goal {
    /// The end that is wanted.
    pub end: End,
    /// The side to which it happens. It is to move at the end.
    pub of: Side,
    /// The side that must mate at once when it can.
    pub duty: Duty,
}

impl Goal {
    /// The goal of a direct mate: the defender is mated.
    pub const MATE: Goal = Goal { end: End::Mate, of: Side::Defender, duty: Duty::None };
    /// The defender is stalemated.
    pub const STALEMATE: Goal = Goal { end: End::Stalemate, ..Goal::MATE };
    /// The goal of a selfmate: the attacker is mated.
    pub const SELFMATE: Goal = Goal { of: Side::Attacker, ..Goal::MATE };
    /// The attacker is stalemated.
    pub const SELF_STALEMATE: Goal = Goal { end: End::Stalemate, ..Goal::SELFMATE };
    /// The goal of a semi-reflex mate.
    pub const SEMI_REFLEX: Goal = Goal { duty: Duty::Defender, ..Goal::SELFMATE };
    /// The goal of a reflex mate.
    pub const REFLEX: Goal = Goal { duty: Duty::Both, ..Goal::SELFMATE };

    /// All goals that one side can force.
    pub const ALL: [Goal; 6] =
        [Goal::MATE, Goal::STALEMATE, Goal::SELFMATE, Goal::SELF_STALEMATE, Goal::SEMI_REFLEX, Goal::REFLEX];

    /// Returns the goal of mating this side.
    pub(crate) fn of(side: Side) -> Goal {
        Goal { of: side, ..Goal::MATE }
    }

    /// Returns whether the goal is that of a direct mate.
    #[inline]
    pub fn is_mate(self) -> bool {
        self == Goal::MATE
    }

    /// Returns whether the goal happens to the attacker, so that the defender makes the last move.
    #[inline]
    pub fn is_self(self) -> bool {
        self.of == Side::Attacker
    }

    /// Returns the number of plies of a line in which the attacker makes `moves` moves and the goal is reached. `kind` is
    /// that of the position where it begins.
    pub(crate) fn plies(self, moves: super::MateLength, kind: NodeKind) -> usize {
        match kind {
            NodeKind::Or if self.is_self() => 2 * usize::from(moves.0),
            NodeKind::And if self.is_self() => 2 * usize::from(moves.0) + 1,
            kind => moves.plies(kind),
        }
    }

    /// Returns bits that differ for different goals; 0 for direct mates.
    pub(crate) fn salt(self) -> u64 {
        u64::from(self.is_self()) | u64::from(self.end == End::Stalemate) << 1 | (self.duty as u64) << 2
    }

    /// Returns whether the play is over in a position of this kind, and if so, whether the goal is reached.
    pub fn over(self, position: &Position, kind: NodeKind) -> Option<bool> {
        match End::of(position) {
            Some(end) => Some(end == self.end && NodeKind::from(self.of) == kind),
            None if kind == NodeKind::Or && self.must_mate(position, kind) => Some(false),
            None => None,
        }
    }

    /// Returns whether the side to move must mate at once. `kind` says which side that is. Where the attacker must, the
    /// play has failed.
    #[inline]
    pub(crate) fn must_mate(self, position: &Position, kind: NodeKind) -> bool {
        let is_bound = match kind {
            NodeKind::Or => self.duty == Duty::Both,
            NodeKind::And => self.duty != Duty::None,
        };
        is_bound && position.mate_in_one().is_some()
    }

    /// Returns the replies that the rules allow the defender: all legal moves; or, if he must mate at once and can, the
    /// moves that mate.
    pub fn replies(self, position: &Position) -> MoveList {
        if self.duty != Duty::None {
            let (mut men, mut mates) = (ManList::new(), MoveList::new());
            let attack = position.attack(&mut men);
            attack.checks(&mut mates);
            mates.retain(|m| attack.mates(*m));
            if !mates.is_empty() {
                return mates;
            }
        }
        position.legal_moves()
    }

    /// Returns whether the side that should mate has no men to do so, whatever happens.
    pub(crate) fn is_out_of_reach(self, position: &Position, attacker: Color) -> bool {
        self.end == End::Mate && position.cannot_mate(self.of.other().color(attacker))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    #[test]
    fn the_play_is_over_when_a_side_has_no_move_or_must_mate() {
        let mated = position("k7/1Q6/1K6/8/8/8/8/8 b - -");
        let over = |goal: Goal, kind| goal.over(&mated, kind);
        assert_eq!(over(Goal::MATE, NodeKind::And), Some(true));
        assert_eq!(over(Goal::STALEMATE, NodeKind::And), Some(false));
        assert_eq!(over(Goal::SELFMATE, NodeKind::And), Some(false), "the defender is mated");
        assert_eq!(over(Goal::SELFMATE, NodeKind::Or), Some(true));
        assert_eq!(Goal::STALEMATE.over(&position("k7/8/1QK5/8/8/8/8/8 b - -"), NodeKind::And), Some(true));
        let can_mate = position("k7/8/1K6/8/8/8/7Q/8 w - -");
        assert_eq!(Goal::REFLEX.over(&can_mate, NodeKind::Or), Some(false));
        assert_eq!(Goal::SEMI_REFLEX.over(&can_mate, NodeKind::Or), None);
    }

    #[test]
    fn a_defender_who_must_mate_has_no_other_reply() {
        let position = position("k7/8/1K6/8/8/8/8/5R1R w - -");
        assert_eq!(Goal::REFLEX.replies(&position).len(), 2, "Rf8 and Rh8");
        assert_eq!(Goal::SELFMATE.replies(&position).len(), position.legal_moves().len());
    }
}
