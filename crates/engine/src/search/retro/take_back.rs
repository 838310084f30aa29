//! Takes moves back: the positions from which a move leads to one of a set of positions.
//!
//! Captures and promotions are not taken back: their values are known before the sweeps begin.

use shakmaty::{Bitboard, attacks};

use crate::chess::Side;

use super::build::Build;
use super::conversions::ahead;
use super::en_passant::{self, DoubleStep, may_be_captured};
use super::frame::Frame;
use super::layout::{Squares, is_pawn_square};
use super::sets::{PositionSet, WordSet};
use super::symmetry::Symmetry;
use super::table::LONGEST;

impl Build<'_> {
    /// Takes back the moves of a man that is neither a pawn nor the anchor king.
    #[inline]
    pub fn push_piece(
        &self,
        frame: &Frame<'_>,
        man: usize,
        set: Bitboard,
        decided: &PositionSet,
        touched: &mut Vec<u32>,
    ) {
        let word = frame.word;
        if man == frame.layout.last() {
            let mut origins = Bitboard::EMPTY;
            for square in set {
                origins |= frame.attacks_from(man, square);
            }
            self.touch(word, origins & !decided.get(word), touched);
            return;
        }
        let to = frame.squares[man];
        for from in frame.attacks_from(man, to) & !frame.occupied {
            let word = frame.layout.word_after(word, man, to, from);
            self.touch(word, set & !attacks::between(from, to) & !decided.get(word), touched);
        }
    }

    /// Takes back the moves of the defender's king where it is the anchor.
    #[inline]
    pub fn push_anchor_king(&self, frame: &Frame<'_>, set: Bitboard, touched: &mut Vec<u32>) {
        for from in attacks::king_attacks(frame.squares[0]) & !frame.occupied {
            let mut squares = frame.squares;
            squares[0] = from;
            let symmetry = frame.layout.normaliser(from);
            let (squares, set) = (squares.map(|square| symmetry.square(square)), symmetry.set(set));
            self.touch_lost(squares, set, touched);
            if squares[0].flip_diagonal() == squares[0] {
                // The mirror image of a position with the king on the diagonal has a number of its own.
                let mirror = Symmetry::DIAGONAL;
                self.touch_lost(squares.map(|square| mirror.square(square)), mirror.set(set), touched);
            }
        }
    }

    /// Adds positions with the defender to move to the candidates.
    #[inline]
    fn touch_lost(&self, squares: Squares, set: Bitboard, touched: &mut Vec<u32>) {
        let word = self.table.layout.word(squares);
        self.touch(word, set & !self.lost.get(word), touched);
    }

    /// Takes back the moves of a pawn. For a pawn of the attacker `late` is the length of the mate after the move, and
    /// the list of positions whose mate takes longer because of a capture en passant.
    pub fn push_pawn(
        &self,
        frame: &Frame<'_>,
        man: usize,
        set: Bitboard,
        side: Side,
        late: Option<(u8, &mut Vec<(u8, WordSet)>)>,
        touched: &mut Vec<u32>,
    ) {
        let to = frame.squares[man];
        let from = ahead(side, to, -1);
        let decided = if side == Side::Attacker { &self.won } else { &self.lost };
        if frame.occupied.contains(from) || !is_pawn_square(from) {
            return;
        }
        let word = frame.layout.word_after(frame.word, man, to, from);
        self.touch(word, set & !decided.get(word), touched);
        let fourth = if side == Side::Attacker { 3 } else { 4 };
        if to as u32 / 8 != fourth || frame.occupied.contains(ahead(side, to, -2)) {
            return;
        }
        let start = ahead(side, to, -2);
        let word = frame.layout.word_after(frame.word, man, to, start);
        let mut origins = set.without(from) & !decided.get(word);
        if let Some((n, late)) = late
            && origins.any()
        {
            let before = Frame::new(frame.layout, word);
            let step = DoubleStep { from: start, over: from, to };
            if may_be_captured(&before, side, step) {
                origins = self.not_captured(&before, origins, step, n, late);
            }
        }
        self.touch(word, origins, touched);
    }

    /// Returns those positions where the attacker mates in n + 1 moves by a double step that could be captured en
    /// passant. Where a capture en passant delays the mate, the position is added to `late`.
    #[cold]
    fn not_captured(
        &self,
        before: &Frame<'_>,
        origins: Bitboard,
        step: DoubleStep,
        n: u8,
        late: &mut Vec<(u8, WordSet)>,
    ) -> Bitboard {
        let mut now = Bitboard::EMPTY;
        for last in origins {
            match en_passant::defence(before, last, step, self.tables) {
                None => now.add(last),
                // `start_en_passant` has stored the value.
                Some(defence) if defence.only => {}
                Some(defence) if defence.byte <= n => now.add(last),
                Some(defence) if defence.byte < LONGEST => {
                    late.push((defence.byte + 1, WordSet { word: before.word as u32, set: Bitboard::from(last) }));
                }
                Some(_) => {}
            }
        }
        now
    }
}
