//! The symmetries of the board: mirror images and rotations, as maps of squares and of sets of squares.
//!
//! Without pawns a mate looks the same in all eight images of the board, so the first man of a table stands in a
//! triangle of ten squares. With pawns only left and right can be exchanged, and the first pawn stands on the files a
//! to d.

use shakmaty::{Bitboard, File, Square};

/// A symmetry of the board: the files are exchanged, then the ranks, then ranks with files, each if its bit is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symmetry(u8);

const EXCHANGE_FILES: u8 = 1;
const EXCHANGE_RANKS: u8 = 2;
/// Mirrors the board in the diagonal a1–h8.
const MIRROR: u8 = 4;

/// The number of squares in the triangle a1–d1–d4.
pub(super) const TRIANGLE_SQUARES: usize = 10;

/// The number of each square in the triangle a1–d1–d4; [`OUTSIDE`] for all other squares.
const TRIANGLE: [u8; 64] = triangle();
const OUTSIDE: u8 = u8::MAX;

const fn triangle() -> [u8; 64] {
    let mut numbers = [OUTSIDE; 64];
    let mut next = 0;
    let mut rank = 0;
    while rank < 4 {
        let mut file = rank;
        while file < 4 {
            numbers[8 * rank + file] = next;
            next += 1;
            file += 1;
        }
        rank += 1;
    }
    numbers
}

/// Returns the number of a square of the triangle, from 0 to 9.
#[inline]
pub(super) fn triangle_number(square: Square) -> usize {
    debug_assert!(TRIANGLE[square as usize] != OUTSIDE);
    usize::from(TRIANGLE[square as usize])
}

pub(super) fn triangle_square(number: usize) -> Square {
    let found = TRIANGLE.iter().position(|&n| usize::from(n) == number);
    Square::new(found.unwrap_or_default() as u32)
}

/// By symmetry and square: the image of the square.
const IMAGES: [[Square; 64]; 8] = images();

const fn images() -> [[Square; 64]; 8] {
    let mut images = [[Square::A1; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut number = 0;
        while number < 64 {
            let mut square = Square::new(number as u32);
            if symmetry & EXCHANGE_FILES as usize != 0 {
                square = square.flip_horizontal();
            }
            if symmetry & EXCHANGE_RANKS as usize != 0 {
                square = square.flip_vertical();
            }
            images[symmetry][number] = if symmetry & MIRROR as usize != 0 { square.flip_diagonal() } else { square };
            number += 1;
        }
        symmetry += 1;
    }
    images
}

/// The symmetries that take a square into the triangle a1–d1–d4, by square.
const TO_TRIANGLE: [Symmetry; 64] = to_triangle();

const fn to_triangle() -> [Symmetry; 64] {
    let mut symmetries = [Symmetry(0); 64];
    let mut number = 0;
    while number < 64 {
        let (mut file, mut rank, mut bits) = (number % 8, number / 8, 0);
        if file > 3 {
            bits |= EXCHANGE_FILES;
            file = 7 - file;
        }
        if rank > 3 {
            bits |= EXCHANGE_RANKS;
            rank = 7 - rank;
        }
        if rank > file {
            bits |= MIRROR;
        }
        symmetries[number] = Symmetry(bits);
        number += 1;
    }
    symmetries
}

impl Symmetry {
    /// The mirror image in the diagonal a1–h8.
    pub const DIAGONAL: Symmetry = Symmetry(MIRROR);

    /// Returns the symmetry that takes the square into the triangle a1–d1–d4. Squares of the triangle stay.
    #[inline]
    pub fn to_triangle(square: Square) -> Symmetry {
        TO_TRIANGLE[square as usize]
    }

    /// Returns the symmetry that takes the square to the files a to d and exchanges no ranks.
    #[inline]
    pub fn to_left(square: Square) -> Symmetry {
        Symmetry(if square.file() > File::D { EXCHANGE_FILES } else { 0 })
    }

    /// Returns the image of a square.
    #[inline]
    pub fn square(self, square: Square) -> Square {
        IMAGES[usize::from(self.0 & 7)][square as usize]
    }

    /// Returns the image of a set of squares.
    #[inline]
    pub fn set(self, mut set: Bitboard) -> Bitboard {
        if self.0 & EXCHANGE_FILES != 0 {
            set = set.flip_horizontal();
        }
        if self.0 & EXCHANGE_RANKS != 0 {
            set = set.flip_vertical();
        }
        if self.0 & MIRROR != 0 { set.flip_diagonal() } else { set }
    }

    /// Returns the set of squares that has this image.
    #[inline]
    pub fn set_with_image(self, mut image: Bitboard) -> Bitboard {
        if self.0 & MIRROR != 0 {
            image = image.flip_diagonal();
        }
        if self.0 & EXCHANGE_RANKS != 0 {
            image = image.flip_vertical();
        }
        if self.0 & EXCHANGE_FILES != 0 { image.flip_horizontal() } else { image }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_an_image_in_the_triangle_and_on_the_left() {
        let mut numbers = [false; TRIANGLE_SQUARES];
        for square in Square::ALL {
            let image = Symmetry::to_triangle(square).square(square);
            numbers[triangle_number(image)] = true;
            assert_eq!(triangle_square(triangle_number(image)), image);
            assert_eq!(Symmetry::to_triangle(image), Symmetry(0), "{image} is in the triangle");
            assert!(Symmetry::to_left(square).square(square).file() <= File::D);
        }
        assert_eq!(numbers, [true; TRIANGLE_SQUARES]);
    }

    #[test]
    fn sets_are_mapped_like_their_squares_and_back() {
        for bits in 0..8 {
            let symmetry = Symmetry(bits);
            for square in Square::ALL {
                let image = symmetry.set(Bitboard::from(square));
                assert_eq!(image, Bitboard::from(symmetry.square(square)));
                assert_eq!(symmetry.set_with_image(image), Bitboard::from(square));
            }
        }
    }
}
