//! A position in 40 bytes, for checks that must remember many positions at once.
//!
//! It holds all that the legal moves depend on: men, side to move, castling rights, and the en passant square if the
//! capture is legal. Two positions are equal exactly if they are equal when packed.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, FromSetup as _, Position as _, PositionError, Role,
    Setup, Square,
};

/// A packed position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PackedPosition {
    /// The white men.
    white: u64,
    /// The number of each man's role, from 1, in binary: by bit, the squares of the men that have it.
    roles: [u64; 3],
    /// The rooks with castling rights: by file, those of the first rank and those of the eighth.
    castling: [u8; 2],
    /// The square behind a pawn that can be captured en passant.
    en_passant: Option<Square>,
    turn: Color,
}

impl PackedPosition {
    pub(super) fn of(position: &Chess) -> PackedPosition {
        let board = position.board();
        let bit = |bit: u32| {
            let roles = Role::ALL.into_iter().filter(|&role| role as u32 >> bit & 1 == 1);
            roles.fold(0, |squares, role| squares | board.by_role(role).0)
        };
        let rights = position.castles().castling_rights().0.to_le_bytes();
        PackedPosition {
            white: board.white().0,
            roles: [bit(0), bit(1), bit(2)],
            castling: [rights[0], rights[7]],
            en_passant: position.legal_ep_square(),
            turn: position.turn(),
        }
    }

    /// Returns the position; `None` if there is no such position, which would be a fault of the program.
    pub(super) fn unpack(&self, mode: CastlingMode) -> Option<Chess> {
        let squares = |role: Role| {
            let with = |bit: usize| if role as u32 >> bit & 1 == 1 { self.roles[bit] } else { !self.roles[bit] };
            Bitboard(with(0) & with(1) & with(2))
        };
        let men = Bitboard(self.roles[0] | self.roles[1] | self.roles[2]);
        let by_color = ByColor { white: Bitboard(self.white), black: men & !Bitboard(self.white) };
        let [first, eighth] = self.castling;
        let setup = Setup {
            board: Board::try_from_bitboards(ByRole::new_with(squares), by_color).ok()?,
            turn: self.turn,
            castling_rights: Bitboard(u64::from_le_bytes([first, 0, 0, 0, 0, 0, 0, eighth])),
            ep_square: self.en_passant,
            ..Setup::empty()
        };
        let position = Chess::from_setup(setup, mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()?;
        (PackedPosition::of(&position) == *self).then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::parse_position;

    #[test]
    fn a_position_is_the_same_when_packed_and_unpacked() {
        assert_eq!(size_of::<PackedPosition>(), 40);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 17",
            "7R/7p/5P1k/4PKpP/8/8/8/8 w - g6 0 1",
            "4rkr1/R7/8/8/8/8/6P1/5KR1 w Gg - 0 1",
            "k7/8/1K6/8/2QQ4/2QQ4/2Q1Q3/2QQQQQ1 w - - 0 1",
            "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
        ] {
            let position = parse_position(fen).unwrap();
            let packed = PackedPosition::of(&position);
            assert_eq!(packed.unpack(position.castles().mode()), Some(position), "{fen}");
        }
    }

    #[test]
    fn each_part_of_a_position_counts() {
        let packed = |fen: &str| PackedPosition::of(&parse_position(fen).unwrap());
        let fens = [
            "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 1",
            "4k3/8/8/3pP3/8/8/8/R3K3 w Q - 0 1",
            "4k3/8/8/3pP3/8/8/8/R3K3 w - - 0 1",
            "4k3/8/8/3pP3/8/8/8/R3K3 b Q - 0 1",
            "4k3/8/8/3pP3/8/8/8/N3K3 w - - 0 1",
            "4k3/8/8/3Pp3/8/8/8/R3K3 w Q - 0 1",
        ];
        for (i, one) in fens.iter().enumerate() {
            for (j, other) in fens.iter().enumerate() {
                assert_eq!(packed(one) == packed(other), i == j, "{one} {other}");
            }
        }
        // The counters and an en passant square without a capture do not matter.
        assert_eq!(packed("4k3/8/8/3p4/8/8/8/4K3 w - d6 9 9"), packed("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"));
    }
}
