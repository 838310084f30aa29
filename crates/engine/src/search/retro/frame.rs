//! A frame: the squares of all men of a table except the last, and the sets of squares of the last man.
//!
//! A question is put to the 64 positions of a frame at once: the answer is the set of squares of the last man for which
//! something is true.

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use crate::chess::{Position, Side};

use super::layout::{Layout, Squares};

/// A frame of a layout.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'t> {
    pub layout: &'t Layout,
    pub word: usize,
    /// The squares of the men; the last one has no meaning.
    pub squares: Squares,
    /// The squares of all men but the last.
    pub occupied: Bitboard,
}

/// Returns the colour of a side in tables: the attacker plays White.
#[inline]
pub(super) fn color(side: Side) -> Color {
    side.color(Color::White)
}

impl<'t> Frame<'t> {
    /// Returns the frame of a word.
    #[inline]
    pub fn new(layout: &'t Layout, word: usize) -> Frame<'t> {
        let squares = layout.frame(word);
        let occupied = squares[..layout.last()].iter().copied().collect();
        Frame { layout, word, squares, occupied }
    }

    /// Returns whether no two men of the frame stand on one square.
    pub fn is_possible(&self) -> bool {
        self.occupied.count() == self.layout.last()
    }

    /// Returns the squares that a man would attack from a square if the last man stood nowhere.
    #[inline]
    pub fn attacks_from(&self, man: usize, square: Square) -> Bitboard {
        let man = self.layout.men()[man];
        attacks::attacks(square, Piece { color: color(man.side), role: man.role }, self.occupied)
    }

    /// Returns the squares of the last man for which a man of `side` attacks the king of the other side.
    pub fn king_attacked_by(&self, side: Side) -> Bitboard {
        let (layout, last) = (self.layout, self.layout.last());
        let king = layout.king(side.other());
        let mut attacked = Bitboard::EMPTY;
        for man in (0..=last).filter(|&man| layout.men()[man].side == side) {
            attacked |= if man == last {
                // A man that is not a pawn attacks the square from all squares that it would attack from there.
                self.attacks_from(man, self.squares[king])
            } else if king == last {
                self.attacks_from(man, self.squares[man])
            } else if self.attacks_from(man, self.squares[man]).contains(self.squares[king]) {
                !attacks::between(self.squares[man], self.squares[king])
            } else {
                Bitboard::EMPTY
            };
        }
        attacked
    }

    /// Returns the squares of all men for one square of the last man.
    #[inline]
    pub fn with_last(&self, square: Square) -> Squares {
        let mut squares = self.squares;
        squares[self.layout.last()] = square;
        squares
    }

    /// Returns the men of a side, by index, with their roles.
    #[inline]
    pub fn men_of(&self, side: Side) -> impl Iterator<Item = (usize, Role)> + use<'t> {
        let men = self.layout.men().iter().enumerate();
        men.filter(move |(_, man)| man.side == side).map(|(index, man)| (index, man.role))
    }

    /// Returns one of the positions of the frame.
    pub fn position(&self, last: Square, turn: Side) -> Position {
        let squares = self.with_last(last);
        let men = self.layout.men().iter().zip(squares).map(|(man, square)| (color(man.side), man.role, square));
        Position::from_men(color(turn), men)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacked_kings_are_those_in_check() {
        for class in ["KK", "KNK", "KQKR", "KBKP", "KPKP"] {
            let layout = Layout::new(class.parse().unwrap());
            for word in (0..layout.words()).step_by(97) {
                let frame = Frame::new(&layout, word);
                if !frame.is_possible() {
                    continue;
                }
                let (mate, mated) = (frame.king_attacked_by(Side::Attacker), frame.king_attacked_by(Side::Defender));
                for square in !frame.occupied {
                    let in_check = |side| frame.position(square, side).is_check();
                    assert_eq!(mate.contains(square), in_check(Side::Defender), "{class} {word} {square}");
                    assert_eq!(mated.contains(square), in_check(Side::Attacker), "{class} {word} {square}");
                }
            }
        }
    }
}
