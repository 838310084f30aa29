//! A position in 24 bytes, for searches that list many positions.
//!
//! It holds the occupied squares and four bits for each man, in the order of the squares; at most 32 men. The four bits
//! also tell which side is to move, which rooks may castle and which pawn may be captured en passant. Rights that
//! exclude each other, which are the same in all positions of a search, and the half-moves left for an exact goal are
//! not packed. Apart from these, two positions are equal exactly if they are equal when packed.

use shakmaty::{Bitboard, Color, Role, Square};

use super::Position;
use super::position::Rights;

/// The most men that a packed position holds.
const MAX_MEN: usize = 32;

/// The code of a black man is that of the white man plus this.
const BLACK: u8 = 8;
/// The code of a white rook that may castle. Men without such marks have the number of their role, from 1 to 6.
const CASTLING_ROOK: u8 = 7;
/// The code of a pawn that may be captured en passant. It belongs to the side that is not to move.
const PASSED_PAWN: u8 = 0;
/// The code of the king of the side to move. The other king shows which colour that is.
const KING_TO_MOVE: u8 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PackedPosition {
    occupied: u64,
    /// Four bits for each man, the lowest square first.
    men: [u64; 2],
}

impl PackedPosition {
    /// Packs a position. `None` if it has more than 32 men.
    pub(crate) fn of(position: &Position) -> Option<PackedPosition> {
        let occupied = position.occupied();
        if occupied.count() > MAX_MEN {
            return None;
        }
        let (turn, castling) = (position.turn(), position.castling_rights());
        let passed = position.en_passant().map_or(Bitboard::EMPTY, |square| Bitboard::from(behind(square, turn)));
        let king = Bitboard::from(position.king(turn));
        let of = |roles: [Role; 3]| roles.into_iter().fold(Bitboard::EMPTY, |all, role| all | position.by_role(role));
        // The four bits of all codes, as one board for each bit.
        let bits = [
            (of([Role::Pawn, Role::Bishop, Role::Queen]) | castling) & !passed,
            (of([Role::Knight, Role::Bishop, Role::King]) | castling) & !king,
            of([Role::Rook, Role::Queen, Role::King]) & !king,
            (position.by_color(Color::Black) & !passed) | king,
        ];
        let mut men = [0; 2];
        for (place, square) in occupied.into_iter().enumerate() {
            let bit = |at: usize| (bits[at].0 >> square as u32 & 1) << at;
            men[place / 16] |= (bit(0) | bit(1) | bit(2) | bit(3)) << (4 * (place % 16));
        }
        Some(PackedPosition { occupied: occupied.0, men })
    }

    /// Returns the position. `root` is any position of the same search: it has the rights that exclude each other.
    pub(crate) fn unpack(self, root: &Position) -> Position {
        let squares = || Bitboard(self.occupied).into_iter().enumerate();
        let code = |place: usize| (self.men[place / 16] >> (4 * (place % 16)) & 15) as u8;
        let white_waits = squares().any(|(place, _)| code(place) == Role::King as u8);
        let turn = if white_waits { Color::Black } else { Color::White };
        let (mut castling, mut en_passant) = (Bitboard::EMPTY, None);
        let men = squares().map(|(place, square)| {
            let code = code(place);
            match code {
                KING_TO_MOVE => (turn, Role::King, square),
                PASSED_PAWN => {
                    en_passant = Some(behind(square, !turn));
                    (!turn, Role::Pawn, square)
                }
                _ => {
                    let color = Color::from_white(code < BLACK);
                    // The code of a rook that may castle is the number of no role.
                    let role = Role::try_from(u32::from(code % BLACK)).unwrap_or(Role::Rook);
                    if code % BLACK == CASTLING_ROOK {
                        castling.add(square);
                    }
                    (color, role, square)
                }
            }
        });
        let position = Position::from_men(turn, men);
        position.with_rights(Rights { castling, en_passant }, root)
    }
}

/// Returns the square behind a pawn of the side that is not to move, seen from that side; and the square of the pawn
/// for the square behind it, with the side to move.
fn behind(square: Square, color: Color) -> Square {
    square.offset(color.fold_wb(-8, 8)).unwrap_or(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    #[test]
    fn a_position_comes_back_from_its_packed_form() {
        assert_eq!(size_of::<PackedPosition>(), 24);
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq -",
            "8/6k1/8/3pP3/8/8/1B6/4K3 w - d6",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3",
            "7k/8/5K2/5NQN/8/8/8/8 w - -",
        ] {
            let root = position(text);
            for position in std::iter::once(root).chain(root.legal_moves().iter().map(|&m| root.play(m))) {
                let packed = PackedPosition::of(&position).unwrap();
                assert_eq!(packed.unpack(&root), position, "{}", position.fen());
            }
        }
    }

    #[test]
    fn each_part_of_a_position_counts() {
        let texts = [
            "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6",
            "4k3/8/8/3pP3/8/8/8/R3K3 w Q -",
            "4k3/8/8/3pP3/8/8/8/R3K3 w - -",
            "4k3/8/8/3pP3/8/8/8/R3K3 b Q -",
            "4k3/8/8/3pP3/8/8/8/N3K3 w - -",
            "4k3/8/8/3Pp3/8/8/8/R3K3 w Q -",
        ];
        let packed = texts.map(|text| PackedPosition::of(&position(text)).unwrap());
        for (i, one) in packed.iter().enumerate() {
            assert!(packed[i + 1..].iter().all(|other| other != one), "{}", texts[i]);
        }
    }

    #[test]
    fn more_than_32_men_do_not_fit() {
        assert!(PackedPosition::of(&position("kqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/8/K7 w - -")).is_none());
    }
}
