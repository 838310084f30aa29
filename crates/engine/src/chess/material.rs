//! Material that cannot mate, whatever both sides play.
//!
//! These are theorems about positions of checkmate: with such material none exists in which the defender is mated, and
//! no capture or promotion changes that. They need no search. `tests/suite/retro.rs`, at the root, compares them with
//! tables of small endings.

use shakmaty::{Bitboard, Color, Role};

use super::Position;

impl Position {
    /// Returns whether `attacker` can never mate, even if the defender helps:
    ///
    /// - with a lone king,
    /// - with one knight, if the defender has no men besides king and queens,
    /// - with bishops, if all bishops on the board stand on squares of one colour and there are no pawns and no
    ///   knights.
    #[inline]
    pub fn cannot_mate(&self, attacker: Color) -> bool {
        let ours = self.by_color(attacker);
        let strong = self.by_role(Role::Pawn) | self.by_role(Role::Rook) | self.by_role(Role::Queen);
        (ours & strong).is_empty() && self.has_too_few_minor_pieces(attacker)
    }

    fn has_too_few_minor_pieces(&self, attacker: Color) -> bool {
        let (knights, bishops) = (self.by_role(Role::Knight), self.by_role(Role::Bishop));
        let ours = self.by_color(attacker);
        match ((ours & knights).count(), (ours & bishops).count()) {
            (0, 0) => true,
            (1, 0) => {
                let harmless = self.by_role(Role::King) | self.by_role(Role::Queen);
                (self.by_color(!attacker) & !harmless).is_empty()
            }
            (0, _) => {
                let dark = bishops & Bitboard::DARK_SQUARES;
                (dark.is_empty() || dark == bishops) && (self.by_role(Role::Pawn) | knights).is_empty()
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    #[test]
    fn too_little_material_is_recognised() {
        for (text, cannot) in [
            ("8/8/8/3k4/8/8/8/K7 w - -", true),
            ("8/8/8/3k4/3q4/8/8/KN6 w - -", true),
            ("8/8/8/3k4/3p4/8/8/KN6 w - -", false),
            ("8/8/8/3k4/3r4/8/8/KN6 w - -", false),
            ("8/8/8/3k4/8/8/8/KNN5 w - -", false),
            ("8/8/8/3k4/8/8/8/KNB5 w - -", false),
            ("8/8/8/3k4/8/8/8/KBB5 w - -", false),
            ("8/8/8/3k4/8/2B5/8/K1B5 w - -", true),
            ("8/8/8/3k4/3r4/2B5/8/K1B5 w - -", true),
            ("8/8/8/3k4/3b4/2B5/8/K1B5 w - -", true),
            ("8/8/8/3k4/2b5/2B5/8/K7 w - -", false),
            ("8/8/8/3k4/2p5/2B5/8/K7 w - -", false),
            ("8/8/8/3k4/8/8/4P3/K7 w - -", false),
        ] {
            let position = position(text);
            assert_eq!(position.cannot_mate(Color::White), cannot, "{text}");
        }
    }
}
