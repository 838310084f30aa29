//! Static exchange evaluation: what a capture gains when both sides go on capturing on its square.
//!
//! Each side captures with its least valuable man, the king only an unprotected man, and may stop at any time. Pins,
//! checks, promotions and moves elsewhere are not considered.

use shakmaty::{Bitboard, Color, Role, Square};

use super::Position;

/// An amount of material in tenths of a pawn.
pub(crate) type Value = i32;

/// A man's value, after the usual count of chess books. The king's exceeds that of all other men.
pub const fn value(role: Role) -> Value {
    match role {
        Role::Pawn => 10,
        Role::Knight => 30,
        Role::Bishop => 32,
        Role::Rook => 50,
        Role::Queen => 95,
        Role::King => 2_000,
    }
}

/// The most captures on one square that are counted: with 32 men, every man but one takes part.
const MAX_CAPTURES: usize = 32;

impl Position {
    /// Returns what `by` gains if it captures the enemy man on `target` and both sides go on; 0 if it gains nothing or
    /// cannot capture.
    pub(crate) fn exchange(&self, target: Square, by: Color) -> Value {
        let Some(first) = self.role_at(target) else { return 0 };
        let mut gains = [0; MAX_CAPTURES];
        let (mut captures, mut on_target) = (0, value(first));
        let (mut side, mut occupied) = (by, self.occupied());
        while let Some((role, from)) = self.least_attacker(target, side, occupied) {
            let is_protected = || (self.attackers(target, !side, occupied) & occupied).any();
            if captures == MAX_CAPTURES || (role == Role::King && is_protected()) {
                break;
            }
            gains[captures] = on_target;
            captures += 1;
            on_target = value(role);
            occupied.discard(from);
            side = !side;
        }
        gains[..captures].iter().rev().fold(0, |rest, gain| (gain - rest).max(0))
    }

    /// Returns the least valuable man of `side` that attacks the square if only the squares of `occupied` are occupied.
    fn least_attacker(&self, target: Square, side: Color, occupied: Bitboard) -> Option<(Role, Square)> {
        let attackers = self.attackers(target, side, occupied) & occupied;
        if attackers.is_empty() {
            return None;
        }
        Role::ALL.into_iter().find_map(|role| Some((role, (attackers & self.by_role(role)).first()?)))
    }

    /// Returns the squares of the men of the other side, without the king, that `by` attacks.
    pub(crate) fn attacked_men(&self, by: Color) -> Bitboard {
        let men = self.by_color(!by) & !self.by_role(Role::King);
        men & self.covered(by, self.occupied())
    }

    /// Returns the men of the other side that `by` attacks, with what capturing each of them gains.
    pub(crate) fn exchanges(&self, by: Color) -> impl Iterator<Item = (Square, Value)> {
        self.attacked_men(by).into_iter().map(move |target| (target, self.exchange(target, by)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    fn gain(text: &str, target: Square) -> Value {
        let position = position(text);
        position.exchange(target, position.turn())
    }

    #[test]
    fn a_protected_man_is_worth_what_is_left_after_the_recaptures() {
        assert_eq!(gain("4k3/8/8/3r4/8/8/8/3RK3 w - -", Square::D5), value(Role::Rook), "not protected");
        assert_eq!(gain("4k3/8/4p3/3p4/8/8/8/3RK3 w - -", Square::D5), 0, "a rook for a pawn");
        assert_eq!(gain("4k3/8/4p3/3n4/4P3/8/8/3RK3 w - -", Square::D5), 30, "pawn takes, pawn takes, rook takes");
        assert_eq!(gain("3rk3/8/8/3n4/8/8/3R4/3RK3 w - -", Square::D5), 30, "a second rook stands behind the first");
        assert_eq!(gain("3rk3/8/8/3n4/8/8/8/3RK3 w - -", Square::D5), 0, "a rook for a knight");
    }

    #[test]
    fn a_king_takes_what_is_not_protected() {
        assert_eq!(gain("8/8/8/4k3/3P4/4K3/8/8 b - -", Square::D4), 0, "the king protects the pawn");
        assert_eq!(gain("8/8/8/4k3/3P4/8/8/4K3 b - -", Square::D4), 10);
        assert_eq!(gain("8/8/8/8/8/8/8/K6k w - -", Square::D4), 0, "an empty square");
    }

    #[test]
    fn all_attacked_men_are_listed() {
        let position = position("4k3/8/2n1p3/3p4/4P3/8/8/2R1K3 w - -");
        let found: Vec<_> = position.exchanges(Color::White).collect();
        assert_eq!(found, [(Square::D5, 0), (Square::C6, 30)]);
    }
}
