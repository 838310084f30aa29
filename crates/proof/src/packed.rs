//! A position in 40 bytes, for checks that must remember many positions at once.
//!
//! It holds all that the legal moves depend on: men, side to move, castling rights, and the en passant square if the
//! capture is legal. Two positions are equal exactly if they are equal when packed.

use shakmaty::{Chess, Color, Position as _, Role, Square};

/// A packed position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackedPosition {
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
    /// Packs a position.
    pub fn of(position: &Chess) -> PackedPosition {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_position;

    #[test]
    fn each_part_of_a_position_counts() {
        assert_eq!(size_of::<PackedPosition>(), 40);
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
