//! Positions without a mate in two, recognised without a search.
//!
//! The **field** of a king is his square and the squares around it. He is mated only if the enemy attacks every square
//! of his field, except those that the king's own men occupy. One man attacks few squares of any field: a knight or a
//! pawn two, a bishop and a king three, a rook four, a queen six. In two moves without castling at most two men of the
//! attacker move. The others attack at most what they attack on an empty board, from where they stand now. So after
//! moves of the men a and b a king can be mated on a square only if a and b can attack what the others leave of its
//! field:
//!
//! ```text
//! N = field − squares attacked by the other men − squares of the defender's men
//! |N| ≤ most(a) + most(b),    |N − reach(a)| ≤ most(b),    |N − reach(b)| ≤ most(a),    N ⊆ reach(a) ∪ reach(b)
//! ```
//!
//! `most` is the number above, that of a queen for a pawn that can promote in two moves, and `reach` the squares that
//! the man can attack after one move. The same holds for one man that moves twice. Where no pair that contains a can
//! mate, the king is **safe** from a. If a moves first, the defender needs one flight to a safe square. Flights that
//! the others leave free are legal unless a attacks them, so he has one if there are more such flights than a can
//! attack. Nor is there a mate if his whole field is safe and no other man of his may step into it.
//!
//! All this errs on the side of the attacker: his line pieces see through all men, and the men that he may have
//! captured still block squares. So no mate is overlooked; `tests/suite/kernel.rs` compares the answers with a search.
//! The conditions are computed for all 64 squares at once, with counters whose bits are in different words. An attacker
//! with a queen or with more than [`MAX_MEN`] men is not examined, nor a position with castling rights.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

use super::Position;

/// With more men, kings included, the attacker is not examined.
const MAX_MEN: usize = 6;

/// The squares of one field that a queen can attack.
const MOST_OF_A_QUEEN: u32 = 6;

/// A set of squares; bit 0 is a1.
type Squares = u64;

/// The squares that a man attacks now and may attack later.
#[derive(Debug, Clone, Copy)]
struct Man {
    /// The squares that it attacks from its square on an empty board.
    attacked: Squares,
    /// The squares that it may attack after one move, and after two moves.
    reach: [Squares; 2],
    /// The largest number of squares of one field that it can attack.
    most: u32,
}

impl Man {
    fn new(role: Role, at: Square, color: Color) -> Man {
        let of_color = |dark: bool| if dark { Bitboard::DARK_SQUARES.0 } else { Bitboard::LIGHT_SQUARES.0 };
        let (attacked, reach, most) = match role {
            Role::King => {
                let attacked = attacks::king_attacks(at).0;
                (attacked, [fields(attacked), fields(fields(attacked))], 3)
            }
            Role::Knight => {
                let attacked = attacks::knight_attacks(at).0;
                (attacked, [knight_attacks(attacked), of_color(at.is_light())], 2)
            }
            Role::Bishop => (attacks::bishop_attacks(at, Bitboard::EMPTY).0, [of_color(at.is_dark()); 2], 3),
            Role::Rook => (attacks::rook_attacks(at, Bitboard::EMPTY).0, [!0; 2], 4),
            Role::Queen => (attacks::queen_attacks(at, Bitboard::EMPTY).0, [!0; 2], MOST_OF_A_QUEEN),
            Role::Pawn => return Man::pawn(at, color),
        };
        Man { attacked, reach, most }
    }

    /// A pawn that can promote in two moves counts as a queen.
    fn pawn(at: Square, color: Color) -> Man {
        let attacked = attacks::pawn_attacks(color, at).0;
        if color.fold_wb(at.rank(), at.rank().flip_vertical()) >= Rank::Sixth {
            return Man { attacked, reach: [!0; 2], most: MOST_OF_A_QUEEN };
        }
        // Two files to each side, and up to three ranks ahead.
        let near = fields(fields(Bitboard::from(at).0));
        let ahead = color.fold_wb(near << 8, near >> 8);
        Man { attacked, reach: [near | ahead, !0], most: 2 }
    }
}

/// A king's net: the men of the attacker, and what surrounds the defender's king.
#[derive(Debug)]
struct Net {
    men: ArrayVec<Man, MAX_MEN>,
    king: Squares,
    /// The defender's other men.
    blockers: Squares,
    /// Whether one of them may move to a free square of the king's field.
    may_block: bool,
    /// The squares that at least one, two and three men of the attacker attack.
    attacked: [Squares; 3],
}

impl Position {
    /// Returns whether it is certain, without a search, that the side to move has no mate in one or two moves. Fast;
    /// false does not mean that there is such a mate.
    pub fn has_no_net(&self) -> bool {
        self.admits_net(self.turn) && !Net::new(self).closes()
    }

    /// Returns whether [`Position::has_no_net`] is worth asking if this side is to move.
    #[inline]
    pub(crate) fn admits_net(&self, attacker: Color) -> bool {
        let men = self.by_color(attacker);
        men.count() <= MAX_MEN && (men & self.by_role(Role::Queen)).is_empty() && self.castling.is_empty()
    }
}

impl Net {
    fn new(position: &Position) -> Net {
        let (us, them) = (position.turn, !position.turn);
        let mut men = ArrayVec::new();
        let mut attacked = [0; 3];
        for role in [Role::Pawn, Role::Rook, Role::Bishop, Role::Knight, Role::King] {
            for at in position.men(us, role) {
                let man = Man::new(role, at, us);
                attacked[2] |= attacked[1] & man.attacked;
                attacked[1] |= attacked[0] & man.attacked;
                attacked[0] |= man.attacked;
                men.push(man);
            }
        }
        let king = position.king(them);
        let blockers = position.by_color(them).without(king).0;
        let king = Bitboard::from(king).0;
        let may_block = blockers != 0 && targets(position, them) & fields(king) & !king & !blockers != 0;
        Net { men, king, blockers, may_block, attacked }
    }

    /// Returns whether the attacker may have a mate in two.
    fn closes(&self) -> bool {
        let mut safe = [!0; MAX_MEN];
        for first in 0..self.men.len() {
            for second in first..self.men.len() {
                if safe[first] != 0 || safe[second] != 0 {
                    let squares = self.safe_from(first, second);
                    safe[first] &= squares;
                    safe[second] &= squares;
                }
            }
            if self.closes_after(first, safe[first]) {
                return true;
            }
        }
        false
    }

    /// Returns whether the attacker may have a mate in two that begins with a move of this man. `safe` are the squares
    /// that are safe from it.
    fn closes_after(&self, first: usize, safe: Squares) -> bool {
        let man = &self.men[first];
        let field = fields(self.king);
        let others = self.attacked[1] | self.attacked[0] & !man.attacked;
        let safe_flights = field & !self.king & !self.blockers & !others & safe;
        if safe_flights.count_ones() > man.most.min((safe_flights & man.reach[0]).count_ones()) {
            return false;
        }
        // The king may have no choice, but he can be mated only on his square or on one beside it.
        field & !safe != 0 || self.may_block
    }

    /// Returns the squares on which no king can be mated after one move of each of the two men, or after two moves of
    /// the one, if they are the same.
    fn safe_from(&self, first: usize, second: usize) -> Squares {
        let (a, b) = (&self.men[first], &self.men[second]);
        let [one, two, three] = self.attacked;
        if first == second {
            let needed = !self.blockers & !(two | one & !a.attacked);
            return fields(needed & !a.reach[1]) | more_than(a.most, needed);
        }
        let others = three | two & !(a.attacked & b.attacked) | one & !(a.attacked | b.attacked);
        let needed = !self.blockers & !others;
        let mut safe = fields(needed & !a.reach[0] & !b.reach[0]) | more_than(a.most + b.most, needed);
        for (left, most) in [(needed & !a.reach[0], b.most), (needed & !b.reach[0], a.most)] {
            if left != 0 {
                safe |= more_than(most, left);
            }
        }
        safe
    }
}

/// Returns the squares to which men of this side other than the king may move, and more.
fn targets(position: &Position, color: Color) -> Squares {
    let queens = position.men(color, Role::Queen);
    let mut targets = knight_attacks(position.men(color, Role::Knight).0);
    for at in position.men(color, Role::Bishop) | queens {
        targets |= attacks::bishop_attacks(at, Bitboard::EMPTY).0;
    }
    for at in position.men(color, Role::Rook) | queens {
        targets |= attacks::rook_attacks(at, Bitboard::EMPTY).0;
    }
    let pawns = position.men(color, Role::Pawn).0;
    let row = pawns | left(pawns) | right(pawns);
    targets | color.fold_wb(row << 8 | pawns << 16, row >> 8 | pawns >> 16)
}

const fn left(squares: Squares) -> Squares {
    squares >> 1 & !Bitboard::from_file(File::H).0
}

const fn right(squares: Squares) -> Squares {
    squares << 1 & !Bitboard::from_file(File::A).0
}

/// Returns the squares of all fields around these squares: the squares whose field contains one of them.
#[inline]
const fn fields(squares: Squares) -> Squares {
    let row = squares | left(squares) | right(squares);
    row | row << 8 | row >> 8
}

#[inline]
const fn knight_attacks(from: Squares) -> Squares {
    let (one, two) = (left(from) | right(from), left(left(from)) | right(right(from)));
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// Returns the squares whose field contains more than `n` of the given squares. Adds the three squares of each row,
/// then the three rows.
#[inline]
const fn more_than(n: u32, squares: Squares) -> Squares {
    let (ones, twos) = sum(left(squares), squares, right(squares));
    let (ones, carry) = sum(ones << 8, ones, ones >> 8);
    let (twos, fours) = sum(twos << 8, twos, twos >> 8);
    let (twos, carry) = (twos ^ carry, twos & carry);
    let (fours, eights) = (fours ^ carry, fours & carry);
    let more = compare(0, ones, n & 1);
    let more = compare(more, twos, n & 2);
    let more = compare(more, fours, n & 4);
    compare(more, eights, n & 8)
}

/// Adds three bits for every square: the sum's lower and higher bit.
const fn sum(a: Squares, b: Squares, c: Squares) -> (Squares, Squares) {
    (a ^ b ^ c, a & b | a & c | b & c)
}

/// Compares one bit of the numbers of all squares with the same bit of a limit. `more` is the result for the lower
/// bits.
const fn compare(more: Squares, bit: Squares, limit: u32) -> Squares {
    if limit == 0 { more | bit } else { more & bit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    fn has_no_net(text: &str) -> bool {
        position(text).has_no_net()
    }

    #[test]
    fn squares_of_a_field_are_counted_for_all_squares_at_once() {
        let squares = 0x8142_2418_1ff0_0f81;
        for n in 0..10 {
            let expected = Square::ALL.into_iter().filter(|&at| {
                let field = attacks::king_attacks(at).with(at);
                (field.0 & squares).count_ones() > n
            });
            assert_eq!(more_than(n, squares), expected.collect::<Bitboard>().0, "more than {n}");
        }
        assert_eq!(fields(squares), more_than(0, squares));
    }

    #[test]
    fn no_man_attacks_more_squares_of_a_field_than_counted() {
        for role in Role::ALL {
            let attacked = |at: Square| match role {
                Role::Pawn => attacks::pawn_attacks(Color::White, at),
                _ => attacks::attacks(at, role.of(Color::White), Bitboard::EMPTY),
            };
            let counts = Square::ALL.into_iter().flat_map(|king| {
                let field = attacks::king_attacks(king).with(king);
                // Kings do not stand beside each other.
                let taken = if role == Role::King { field } else { Bitboard::from(king) };
                let men = Square::ALL.into_iter().filter(move |&at| !taken.contains(at));
                men.map(move |at| (attacked(at) & field).count() as u32)
            });
            assert_eq!(counts.max(), Some(Man::new(role, Square::A2, Color::White).most), "{role:?}");
        }
    }

    #[test]
    fn a_king_without_enough_enemies_near_him_is_in_no_net() {
        assert!(has_no_net("8/8/2N5/K7/4k3/8/8/2B5 w - -"));
        assert!(has_no_net("7k/8/8/8/8/8/8/KBN5 w - -"));
        // Bishops of one colour attack only squares of that colour.
        assert!(has_no_net("7k/8/8/8/8/8/8/KB1B1B2 w - -"));
        // Two pawns promote, a queen is never examined, and after castling two men have moved.
        assert!(!has_no_net("7k/PP6/8/8/8/8/8/K7 w - -"));
        assert!(!has_no_net("8/8/8/4k3/8/8/8/KQ6 w - -"));
        assert!(!has_no_net("8/8/8/4k3/8/8/8/4K2R w K -"));
    }

    #[test]
    fn mates_in_two_are_in_a_net() {
        for text in [
            "7k/8/5K2/6N1/8/8/8/1B6 w - -",
            // The king must take a man that has just captured: 1. Rxh7+ Kxh7 2. Rh1 mate.
            "7k/4N1pp/8/8/8/7R/8/K5R1 w - -",
            // The defender blocks a square of his king's field.
            "kr6/p7/8/1N6/8/8/8/K7 w - -",
        ] {
            assert!(!has_no_net(text), "{text}");
        }
    }
}
