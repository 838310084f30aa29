//! Extensions: moves that cost less than a ply of depth.
//!
//! DUCK ("Mate in 38", section 3.2) adds singular, check-evasion and recapture extensions to the usual check extension.
//! In a mate search an extension adds to the *depth*, never to the bound. A check that costs no depth is still one of
//! the attacker's n moves, so the bound ends every run of checks. A search whose depth covers its bound has nothing to
//! extend.
//!
//! | extension | at | a ply of depth is given back if |
//! |---|---|---|
//! | check | OR | the move gives check |
//! | evasion | AND | there is only one reply; half a ply for two replies, a quarter for three |
//! | recapture | both | the move captures the man that has just captured |
//! | singular | AND | at a depth of at least four plies, every other reply is mated, those tried after it at reduced depth |
//!
//! A check with a single reply therefore costs no depth, a check with many replies one ply, and a quiet move with many
//! replies two. The depth measures how much freedom the attacker may leave, which is what proof numbers count too. For
//! this reason the evasion extension has three grades and does not require a check.
//!
//! The singular extension of a game-playing program compares scores (Anantharaman, Campbell & Hsu 1990). A mate search
//! has no scores: a reply is singular if all others lose.

use crate::chess::{MateLength, Move, NodeKind};

use super::depth::Depth;

/// A kind of search extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extension {
    /// A checking move of the attacker costs no depth.
    Check,
    /// The only reply costs no depth. One of two or three replies costs less than a ply.
    Evasion,
    /// A recapture costs no depth.
    Recapture,
    /// The only reply that survives is searched a ply deeper.
    Singular,
}

/// A set of search extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extensions(u8);

impl Extensions {
    /// No extension.
    pub const NONE: Extensions = Extensions(0);
    /// The extensions of DUCK: all four.
    pub const DUCK: Extensions = Extensions::NONE
        .with(Extension::Check)
        .with(Extension::Evasion)
        .with(Extension::Recapture)
        .with(Extension::Singular);

    /// Returns the set with this extension added.
    #[must_use]
    pub const fn with(self, extension: Extension) -> Extensions {
        Extensions(self.0 | 1 << extension as u8)
    }

    /// Returns the set with this extension removed.
    #[must_use]
    pub const fn without(self, extension: Extension) -> Extensions {
        Extensions(self.0 & !(1 << extension as u8))
    }

    /// Returns whether the extension is in the set.
    pub const fn has(self, extension: Extension) -> bool {
        self.0 & 1 << extension as u8 != 0
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the child's depth after the attacker's move `m`. `n` is the bound at the child, `last` the move before
    /// `m`.
    pub(super) fn after_attack(self, depth: Depth, n: MateLength, check: bool, m: Move, last: Option<Move>) -> Depth {
        let extend = (check && self.has(Extension::Check)) || self.recaptures(m, last);
        spend(depth, if extend { PLY } else { 0 }, NodeKind::And, n)
    }

    /// Returns the child's depth after the reply `m`, one of `replies`. `n` is the bound at the child, `last` the move
    /// before `m`.
    pub(super) fn after_reply(self, depth: Depth, n: MateLength, replies: usize, m: Move, last: Option<Move>) -> Depth {
        let evasion = self.has(Extension::Evasion);
        let back = match replies {
            _ if self.recaptures(m, last) => PLY,
            1 if evasion => PLY,
            2 if evasion => PLY / 2,
            3 if evasion => PLY / 4,
            _ => 0,
        };
        spend(depth, back, NodeKind::Or, n)
    }

    /// Returns whether recaptures are extended and `m` captures the man that captured with `last`.
    fn recaptures(self, m: Move, last: Option<Move>) -> bool {
        self.has(Extension::Recapture)
            && m.capture().is_some()
            && last.is_some_and(|last| last.capture().is_some() && last.to() == m.to())
    }
}

/// Returns the depth less one ply, plus `back` quarters of a ply if it does not cover the bound `n`.
fn spend(depth: Depth, back: i32, child: NodeKind, n: MateLength) -> Depth {
    let spent = depth.minus(1);
    if spent.covers(child, n) { spent } else { spent.plus_quarters(back) }
}

/// One ply, in quarters of a ply.
const PLY: i32 = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    #[test]
    fn a_depth_that_covers_the_bound_is_not_extended() {
        let m = Move::normal(Square::A1, Square::A8, Role::Queen, None, None);
        let after = |depth, n| Extensions::DUCK.after_attack(Depth::plies(depth), MateLength(n), true, m, None);
        assert_eq!(after(5, 6), Depth::plies(5), "the bound allows more than the depth");
        assert_eq!(after(5, 2), Depth::plies(4), "the depth already covers the bound");
    }

    #[test]
    fn only_a_capture_on_the_square_of_the_last_capture_is_a_recapture() {
        let take = |from, to| Move::normal(from, to, Role::Rook, Some(Role::Rook), None);
        let (n, depth) = (MateLength(9), Depth::plies(3));
        let after = |m, last| Extensions::DUCK.after_reply(depth, n, 9, m, last);
        assert_eq!(after(take(Square::A1, Square::B1), Some(take(Square::C1, Square::B1))), Depth::plies(3));
        assert_eq!(after(take(Square::A1, Square::B1), Some(take(Square::C1, Square::D1))), Depth::plies(2));
    }

    #[test]
    fn a_set_holds_the_extensions_that_were_added() {
        let set = Extensions::DUCK.without(Extension::Singular);
        assert!(set.has(Extension::Check) && !set.has(Extension::Singular) && Extensions::NONE.is_empty());
    }
}
