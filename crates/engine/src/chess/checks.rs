//! Decides whether a move gives check. Only castling and captures en passant are played for it.
//!
//! A man gives check on the squares from which it attacks the enemy king. A man that alone masks a line piece of its
//! own side also gives check on every square off that line. Both sets of squares are computed once for a position. A
//! promotion is judged by what the new man attacks.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::movegen::reach;
use super::{Move, Position};

/// The squares from which the side to move gives check.
#[derive(Debug, Clone, Copy)]
pub struct Checks {
    us: Color,
    /// The enemy king.
    pub(super) king: Square,
    /// The squares from which a man attacks the enemy king, indexed by `Role as usize`.
    direct: [Bitboard; 7],
    /// The men that alone stand between the enemy king and a line piece of their own side. Such a man gives check when
    /// it leaves the line.
    pub(super) discoverers: Bitboard,
}

impl Checks {
    /// Computes the checks of the side to move.
    #[inline]
    pub fn of(position: &Position) -> Checks {
        let us = position.turn();
        let king = position.king(!us);
        let diagonals = attacks::bishop_attacks(king, position.occupied());
        let lines = attacks::rook_attacks(king, position.occupied());
        Checks {
            us,
            king,
            direct: [
                Bitboard::EMPTY,
                attacks::pawn_attacks(!us, king),
                attacks::knight_attacks(king),
                diagonals,
                lines,
                diagonals | lines,
                Bitboard::EMPTY,
            ],
            discoverers: position.blockers(us, king, us),
        }
    }

    /// Returns the squares on which `role`, moving from `from`, gives check, directly or by discovery. Does not cover
    /// promotions, castling and captures en passant: see [`contain`](Checks::contain).
    #[inline]
    pub(super) fn squares(&self, from: Square, role: Role) -> Bitboard {
        let direct = self.direct[role as usize];
        if self.discoverers.contains(from) { direct | !attacks::ray(self.king, from) } else { direct }
    }

    /// Returns whether `m`, a legal move of `position`, gives check.
    #[inline]
    pub fn contain(&self, position: &Position, m: Move) -> bool {
        if m.is_castle() || m.is_en_passant() {
            return position.play(m).is_check();
        }
        let (from, to) = (m.from(), m.to());
        match m.promotion() {
            None => self.squares(from, m.role()).contains(to),
            Some(role) => {
                // The promoted man may attack the king along the line on which the pawn stood.
                let occupied = position.occupied().without(from);
                let discovers = self.discoverers.contains(from) && !attacks::ray(self.king, from).contains(to);
                discovers || reach(self.us, role, to, occupied).contains(self.king)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    fn uci(m: Move) -> String {
        let promotion = m.promotion().map(Role::char).map(String::from).unwrap_or_default();
        format!("{}{}{promotion}", m.from(), m.to())
    }

    fn checks(epd: &str) -> Vec<String> {
        let position = position(epd);
        let checks = Checks::of(&position);
        let moves = position.legal_moves();
        for &m in &moves {
            assert_eq!(checks.contain(&position, m), position.play(m).is_check(), "{m:?} in {epd}");
        }
        let mut found: Vec<String> = moves.iter().filter(|&&m| checks.contain(&position, m)).map(|&m| uci(m)).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn direct_and_discovered_checks() {
        // The rook checks on the eighth rank. The knight discovers a check of the bishop with each of its eight moves.
        assert_eq!(checks("7k/8/8/8/3N4/8/1B6/R6K w - -").len(), 9);
        // The king discovers a check of the rook when it leaves the file.
        assert_eq!(checks("4k3/8/8/8/8/4K3/8/4R3 w - -").len(), 6);
    }

    #[test]
    fn promotions_castling_and_captures_en_passant() {
        // On e8 the pawn gives check as a queen or a rook. On e7 it masked no line.
        assert_eq!(checks("k7/4P3/8/8/8/8/8/7K w - -"), ["e7e8q", "e7e8r"]);
        assert_eq!(checks("5k2/8/8/8/8/8/8/4K2R w K -"), ["e1h1", "h1f1", "h1h8"]);
        assert_eq!(checks("8/8/8/2k5/3Pp3/8/8/4K2B b - d3").len(), 0);
        assert_eq!(checks("8/8/8/8/R2pP2k/8/8/4K3 b - e3").len(), 0);
        assert_eq!(checks("8/6k1/8/3pP3/8/8/1B6/4K3 w - d6"), ["e5d6", "e5e6"]);
    }
}
