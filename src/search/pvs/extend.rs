//! Extensions: which moves are searched at less than a ply's cost.
//!
//! DUCK (Breuker, Allis & van den Herik, "Mate in 38", section 3.2) adds singular, check-evasion and recapture extensions
//! to the check extension every program has. In a mate search an extension stretches the *depth*, never the bound: a
//! check that costs no depth still costs the attacker one of his n moves, so the bound ends every run of checks, and a
//! search whose depth already covers its bound has nothing to extend.
//!
//! | extension | where | a ply is given back when |
//! |---|---|---|
//! | check | OR | the move gives check |
//! | evasion | AND | the defender has a single reply; half a ply for two, a quarter for three |
//! | recapture | both | the move takes the man that has just taken one |
//! | singular | AND | every other reply is mated at reduced depth, so that this one alone holds |
//!
//! A check with a single reply is therefore free, a check with many costs one ply, and a quiet move costs two: the depth
//! left measures how much freedom the attacker may still give, which is what proof-number search counts too. That is why
//! the evasion extension is graded, and why it does not ask for a check: what makes a reply forced is that there is no other.
//!
//! The singular extension of a game-playing program compares scores (Anantharaman, Campbell & Hsu 1990). A mate search
//! has no scores, but at an AND node the comparison is plain: a reply is singular if all others lose.

use crate::chess::{MateLength, Move, NodeKind};

use super::window::Depth;

/// One of the extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extension {
    /// A checking move of the attacker costs no depth.
    Check,
    /// The only reply costs no depth, one of two or three less than a ply.
    Evasion,
    /// A recapture costs no depth.
    Recapture,
    /// A reply that alone survives is searched deeper.
    Singular,
}

/// A set of extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extensions(u8);

impl Extensions {
    /// No extension: the depth is the bound.
    pub const NONE: Extensions = Extensions(0);
    /// Everything DUCK extends.
    pub const DUCK: Extensions = Extensions::NONE
        .with(Extension::Check)
        .with(Extension::Evasion)
        .with(Extension::Recapture)
        .with(Extension::Singular);

    /// The set with one more extension.
    #[must_use]
    pub const fn with(self, extension: Extension) -> Extensions {
        Extensions(self.0 | 1 << extension as u8)
    }

    /// The set with one extension less.
    #[must_use]
    pub const fn without(self, extension: Extension) -> Extensions {
        Extensions(self.0 & !(1 << extension as u8))
    }

    /// Whether the extension is in the set.
    pub const fn has(self, extension: Extension) -> bool {
        self.0 & 1 << extension as u8 != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The depth left for the child after the attacker's move, `n` being the bound there.
    pub fn after_attack(self, depth: Depth, n: MateLength, check: bool, m: Move, last: Option<Move>) -> Depth {
        let extend = (check && self.has(Extension::Check)) || self.recaptures(m, last);
        spend(depth, if extend { WHOLE } else { 0 }, NodeKind::And, n)
    }

    /// The depth left for the child after one of `replies` possible ones, `n` being the bound there.
    pub fn after_reply(self, depth: Depth, n: MateLength, replies: usize, m: Move, last: Option<Move>) -> Depth {
        let forced = if self.has(Extension::Evasion) { replies } else { usize::MAX };
        let back = match forced {
            _ if self.recaptures(m, last) => WHOLE,
            1 => WHOLE,
            2 => WHOLE / 2,
            3 => WHOLE / 4,
            _ => 0,
        };
        spend(depth, back, NodeKind::Or, n)
    }

    fn recaptures(self, m: Move, last: Option<Move>) -> bool {
        self.has(Extension::Recapture)
            && m.capture().is_some()
            && last.is_some_and(|last| last.capture().is_some() && last.to() == m.to())
    }
}

/// A ply's depth is spent, and some quarters of it given back where there is something left to cover.
fn spend(depth: Depth, back: i32, child: NodeKind, n: MateLength) -> Depth {
    let spent = depth.minus(1);
    if spent.covers(child, n) { spent } else { spent.plus_quarters(back) }
}

/// A whole ply, in quarters.
const WHOLE: i32 = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    #[test]
    fn an_extension_never_goes_beyond_the_bound() {
        let m = Move::normal(Square::A1, Square::A8, Role::Queen, None, None);
        let after = |depth, n| Extensions::DUCK.after_attack(Depth::plies(depth), MateLength(n), true, m, None);
        assert_eq!(after(5, 6), Depth::plies(5), "the bound allows more than the depth");
        assert_eq!(after(5, 2), Depth::plies(4), "the depth already covers the bound");
    }

    #[test]
    fn a_recapture_is_on_the_square_of_the_capture() {
        let take = |from, to| Move::normal(from, to, Role::Rook, Some(Role::Rook), None);
        let (n, depth) = (MateLength(9), Depth::plies(3));
        let after = |m, last| Extensions::DUCK.after_reply(depth, n, 9, m, last);
        assert_eq!(after(take(Square::A1, Square::B1), Some(take(Square::C1, Square::B1))), Depth::plies(3));
        assert_eq!(after(take(Square::A1, Square::B1), Some(take(Square::C1, Square::D1))), Depth::plies(2));
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let set = Extensions::DUCK.without(Extension::Singular);
        assert!(set.has(Extension::Check) && !set.has(Extension::Singular) && Extensions::NONE.is_empty());
    }
}
