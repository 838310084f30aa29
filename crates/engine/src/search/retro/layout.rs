//! The order of the positions in a table: men to squares to numbers, and back.
//!
//! A table is written for an attacker who plays White. Its men have an order: pawns, the defender's king, the
//! attacker's king, then the other men, weakest first. The squares of the men are the digits of the position's number.
//! The last man is the last digit: the 64 positions that differ only in its square are one **word**, and the squares of
//! the other men are the **frame** of the word. A set of positions stores one bit for each, so a set of the 64
//! positions of a frame is a bitboard, and the sweeps of `build` treat all 64 at once.
//!
//! The first man is the **anchor**: a symmetry takes it to one of ten squares if there is no pawn, to one of 24
//! otherwise. Without pawns the anchor is the defender's king. If it stands on the diagonal a1–h8, a position and its
//! mirror image both have a number; both are stored, with the same value.

use arrayvec::ArrayVec;
use shakmaty::{Color, Role, Square};

use crate::chess::{Position, Side};

use super::material::{Material, ROLES, SIDES};
use super::symmetry::{Symmetry, TRIANGLE_SQUARES, triangle_number, triangle_square};

/// The largest number of men of a table, with both kings.
pub const MAX_MEN: usize = 5;

/// The squares of the men, in the order of the layout. Squares after the last man have no meaning.
pub(super) type Squares = [Square; MAX_MEN];

/// A man of a table: its side and its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TableMan {
    pub side: Side,
    pub role: Role,
}

/// The numbering of the positions of one class.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    men: ArrayVec<TableMan, MAX_MEN>,
    /// By man: the difference of the position's number when its digit grows by one. 1 for the last man, 0 after it.
    strides: [usize; MAX_MEN],
    /// What the pawns other than the anchor add to a position's number if their squares, which begin at a2, are taken
    /// for digits.
    excess: usize,
    words: usize,
    pawns: bool,
}

/// The positions that differ only in the square of one man.
#[derive(Debug, Clone, Copy)]
pub(super) struct PositionRow {
    /// The number of the position in which the image of the man stands on a1.
    first: usize,
    stride: usize,
    symmetry: Symmetry,
}

impl PositionRow {
    /// Returns the number of the position in which the man stands on this square.
    #[inline]
    pub fn number(self, square: Square) -> usize {
        self.first + self.stride * self.symmetry.square(square) as usize
    }
}

/// The squares on which an anchor pawn may stand: the ranks 2 to 7 of the files a to d.
const ANCHOR_PAWN_SQUARES: usize = 24;
/// The squares on which any other pawn may stand.
const PAWN_SQUARES: usize = 48;

/// Returns whether a pawn may stand on the square.
pub(super) fn is_pawn_square(square: Square) -> bool {
    !matches!(square as u32 / 8, 0 | 7)
}

impl Layout {
    /// Returns the layout of a class of at most [`MAX_MEN`] men.
    pub fn new(material: Material) -> Layout {
        let mut men = ArrayVec::new();
        for role in ROLES {
            for side in SIDES {
                men.extend((0..material.count(side, role)).map(|_| TableMan { side, role }));
            }
            if role == Role::Pawn {
                men.extend([Side::Defender, Side::Attacker].map(|side| TableMan { side, role: Role::King }));
            }
        }
        let mut layout = Layout { men, strides: [0; MAX_MEN], excess: 0, words: 1, pawns: material.has_pawns() };
        let mut positions = 1;
        for man in (0..layout.men.len()).rev() {
            layout.strides[man] = positions;
            positions *= layout.digits(man);
            if man > 0 && layout.men[man].role == Role::Pawn {
                layout.excess += 8 * layout.strides[man];
            }
        }
        layout.words = positions / 64;
        layout
    }

    /// Returns the men, in order.
    pub fn men(&self) -> &[TableMan] {
        &self.men
    }

    /// Returns the number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Returns the index of the last man, whose squares are the bits of a word.
    #[inline]
    pub fn last(&self) -> usize {
        self.men.len() - 1
    }

    /// Returns the index of the king of a side.
    #[inline]
    pub fn king(&self, side: Side) -> usize {
        let king = TableMan { side, role: Role::King };
        self.men.iter().position(|man| *man == king).unwrap_or_default()
    }

    /// Returns whether the symmetries of the board without pawns apply. The first man is then the defender's king.
    #[inline]
    pub fn is_pawnless(&self) -> bool {
        !self.pawns
    }

    /// Returns the number of squares on which a man may stand.
    fn digits(&self, man: usize) -> usize {
        match (man, self.men[man].role) {
            (0, Role::Pawn) => ANCHOR_PAWN_SQUARES,
            (0, _) => TRIANGLE_SQUARES,
            (_, Role::Pawn) => PAWN_SQUARES,
            _ => 64,
        }
    }

    /// Returns the digit of the anchor, which must stand on one of its squares.
    #[inline]
    fn anchor_digit(&self, square: Square) -> usize {
        if self.pawns { 4 * (square as usize / 8 - 1) + square as usize % 8 } else { triangle_number(square) }
    }

    fn square(&self, man: usize, digit: usize) -> Square {
        let number = match (man, self.men[man].role) {
            (0, Role::Pawn) => 8 * (digit / 4 + 1) + digit % 4,
            (0, _) => return triangle_square(digit),
            (_, Role::Pawn) => digit + 8,
            _ => digit,
        };
        Square::new(number as u32)
    }

    /// Returns the number of a position whose anchor stands on one of its squares.
    #[inline]
    fn number_as_is(&self, squares: Squares) -> usize {
        let others: usize = (1..MAX_MEN).map(|man| squares[man] as usize * self.strides[man]).sum();
        self.anchor_digit(squares[0]) * self.strides[0] + others - self.excess
    }

    /// Returns the word of a frame. The anchor must stand on one of its squares.
    #[inline]
    pub fn word(&self, squares: Squares) -> usize {
        self.number_as_is(squares) / 64
    }

    /// Returns the word after a man that is neither the anchor king nor the last man has gone from one square to
    /// another.
    #[inline]
    pub fn word_after(&self, word: usize, man: usize, from: Square, to: Square) -> usize {
        let stride = self.strides[man] / 64;
        if man == 0 {
            return word + self.anchor_digit(to) * stride - self.anchor_digit(from) * stride;
        }
        word + to as usize * stride - from as usize * stride
    }

    /// Returns the frame of a word. The square of the last man has no meaning.
    pub fn frame(&self, word: usize) -> Squares {
        let mut squares = [Square::A1; MAX_MEN];
        let mut rest = 64 * word;
        for (man, square) in squares.iter_mut().enumerate().take(self.last()) {
            *square = self.square(man, rest / self.strides[man]);
            rest %= self.strides[man];
        }
        squares
    }

    /// Returns the symmetry that takes the anchor to one of its squares.
    #[inline]
    pub fn normaliser(&self, anchor: Square) -> Symmetry {
        if self.pawns { Symmetry::to_left(anchor) } else { Symmetry::to_triangle(anchor) }
    }

    /// Returns the number of a position: of the symmetric one whose anchor stands on one of its squares.
    #[inline]
    pub fn number(&self, squares: Squares) -> usize {
        let symmetry = self.normaliser(squares[0]);
        self.number_as_is(squares.map(|square| symmetry.square(square)))
    }

    /// Returns the row of the positions that differ only in the square of a man, which is neither the anchor nor a
    /// pawn. The square that `squares` has for it does not matter.
    #[inline]
    pub fn row(&self, squares: Squares, man: usize) -> PositionRow {
        debug_assert!(man > 0 && self.men[man].role != Role::Pawn);
        let symmetry = self.normaliser(squares[0]);
        let mut images = squares.map(|square| symmetry.square(square));
        images[man] = Square::A1;
        PositionRow { first: self.number_as_is(images), stride: self.strides[man], symmetry }
    }

    /// Returns the squares of the men of a position of this class, seen by an attacker who plays White.
    pub fn squares(&self, position: &Position, attacker: Color) -> Squares {
        let mut squares = [Square::A1; MAX_MEN];
        let mut earlier = None;
        let mut left = shakmaty::Bitboard::EMPTY;
        for (square, man) in squares.iter_mut().zip(&self.men) {
            if earlier != Some(*man) {
                let color = man.side.color(attacker);
                left = position.men(color, man.role);
                earlier = Some(*man);
            }
            let next = left.pop_front().unwrap_or(Square::A1);
            *square = if attacker == Color::White { next } else { next.flip_vertical() };
        }
        squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_frame_that_leads_back_to_it() {
        for (class, words) in [("KK", 10), ("KQK", 640), ("KBNK", 640 * 64), ("KPK", 24 * 64), ("KPKP", 24 * 48 * 64)] {
            let layout = Layout::new(class.parse().unwrap());
            assert_eq!(layout.words(), words, "{class}");
            assert!((0..words).all(|word| layout.word(layout.frame(word)) == word), "{class}");
        }
    }

    #[test]
    fn a_row_has_the_numbers_of_its_positions() {
        for class in ["KBNK", "KRKP", "KPKP"] {
            let layout = Layout::new(class.parse().unwrap());
            for anchor in [Square::B2, Square::G7, Square::D5] {
                for man in (1..layout.men().len()).filter(|&man| layout.men()[man].role != Role::Pawn) {
                    let mut squares = [anchor, Square::C3, Square::H4, Square::A6, Square::A1];
                    let row = layout.row(squares, man);
                    for square in Square::ALL {
                        squares[man] = square;
                        assert_eq!(row.number(square), layout.number(squares), "{class} {anchor} {man} {square}");
                    }
                }
            }
        }
    }

    #[test]
    fn mirror_images_have_the_same_number() {
        let layout = Layout::new("KRK".parse().unwrap());
        let number = |squares: [Square; 3]| {
            let [a, b, c] = squares;
            layout.number([a, b, c, Square::A1, Square::A1])
        };
        let expected = number([Square::B1, Square::D2, Square::H7]);
        for image in [[Square::G1, Square::E2, Square::A7], [Square::A7, Square::B5, Square::G1]] {
            assert_eq!(number(image), expected);
        }
    }
}
