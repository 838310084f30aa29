//! Which moves give check, told from the board before them.
//!
//! A man gives check from the squares on which it attacks the enemy king, and a man that masks a line piece of its own
//! side wherever it leaves the line. Both are sets of squares that are the same for all moves of a position.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::movegen::reach;
use super::{Move, Position};

/// The checks that the side to move can give.
#[derive(Debug, Clone, Copy)]
pub struct Checks {
    us: Color,
    /// The enemy king.
    pub(super) king: Square,
    /// Indexed by `Role as usize`: squares from which such a man attacks the enemy king.
    direct: [Bitboard; 7],
    /// Men that alone mask a line piece of their own side.
    discoverers: Bitboard,
}

impl Checks {
    /// The checks of the side to move.
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

    /// The squares from which `role`, coming from `from`, gives check, on the line of sight or by discovery. Not told for
    /// promotions and for moves in which two men leave their squares.
    #[inline]
    pub(super) fn squares(&self, from: Square, role: Role) -> Bitboard {
        let direct = self.direct[role as usize];
        if self.discoverers.contains(from) { direct | !attacks::ray(self.king, from) } else { direct }
    }

    /// The men that give check when they leave their line.
    #[inline]
    pub(super) fn discoverers(&self) -> Bitboard {
        self.discoverers
    }

    /// Whether a legal move of the position gives check.
    #[inline]
    pub fn contain(&self, position: &Position, m: Move) -> bool {
        if m.is_castle() || m.is_en_passant() {
            return position.play(m).is_check();
        }
        let (from, to) = (m.from(), m.to());
        match m.promotion() {
            None => self.squares(from, m.role()).contains(to),
            Some(role) => {
                // The pawn may have stood on the line that it opens.
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
    use crate::problem::fen;

    fn text(m: Move) -> String {
        let promotion = m.promotion().map(Role::char).map(String::from).unwrap_or_default();
        format!("{}{}{promotion}", m.from(), m.to())
    }

    fn checks(epd: &str) -> Vec<String> {
        let position = Position::from_chess(&fen::read(epd).unwrap().chess);
        let checks = Checks::of(&position);
        let moves = position.legal_moves();
        for &m in &moves {
            assert_eq!(checks.contain(&position, m), position.play(m).is_check(), "{m:?} in {epd}");
        }
        let mut found: Vec<String> =
            moves.iter().filter(|&&m| checks.contain(&position, m)).map(|&m| text(m)).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn direct_and_discovered_checks() {
        // The rook checks on the eighth rank; the knight uncovers the bishop wherever it goes.
        assert_eq!(checks("7k/8/8/8/3N4/8/1B6/R6K w - -").len(), 9);
        // The king uncovers the rook where it leaves the file.
        assert_eq!(checks("4k3/8/8/8/8/4K3/8/4R3 w - -").len(), 6);
    }

    #[test]
    fn promotions_castling_and_captures_en_passant() {
        // On e8 the pawn checks as a queen or a rook; where it stood it masked nothing.
        assert_eq!(checks("k7/4P3/8/8/8/8/8/7K w - -"), ["e7e8q", "e7e8r"]);
        assert_eq!(checks("5k2/8/8/8/8/8/8/4K2R w K -"), ["e1h1", "h1f1", "h1h8"]);
        assert_eq!(checks("8/8/8/2k5/3Pp3/8/8/4K2B b - d3").len(), 0);
        assert_eq!(checks("8/8/8/8/R2pP2k/8/8/4K3 b - e3").len(), 0);
        assert_eq!(checks("8/6k1/8/3pP3/8/8/1B6/4K3 w - d6"), ["e5d6", "e5e6"]);
    }
}
