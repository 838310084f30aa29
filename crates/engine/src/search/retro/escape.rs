//! Tests whether every reply of the defender leads to a known mate.

use std::sync::atomic::Ordering::Relaxed;

use shakmaty::{Bitboard, Role, Square, attacks};

use crate::chess::{NodeKind, Side};

use super::build::Build;
use super::conversions::ahead;
use super::en_passant::{self, double_step, may_be_captured};
use super::frame::Frame;
use super::layout::is_pawn_square;

impl Build<'_> {
    /// Returns those of the positions in which every reply of the defender is answered by a mate in at most `n` moves.
    #[inline]
    pub fn without_escape(&self, frame: &Frame<'_>, mut set: Bitboard, n: u8) -> Bitboard {
        let bytes = self.table.word(NodeKind::And, frame.word);
        for last in set {
            if bytes[last as usize].load(Relaxed) > n {
                set.discard(last);
            }
        }
        for (man, role) in frame.men_of(Side::Defender) {
            if set.is_empty() {
                break;
            }
            set = match role {
                Role::Pawn => self.without_pawn_escape(frame, man, set, n),
                Role::King if frame.layout.is_pawnless() => self.without_anchor_escape(frame, set),
                _ => self.without_piece_escape(frame, man, set),
            };
        }
        set
    }

    #[inline]
    fn without_piece_escape(&self, frame: &Frame<'_>, man: usize, mut set: Bitboard) -> Bitboard {
        if man == frame.layout.last() {
            let open = !self.won.get(frame.word) & !frame.occupied;
            for last in set {
                if (frame.attacks_from(man, last) & open).any() {
                    set.discard(last);
                }
            }
            return set;
        }
        let from = frame.squares[man];
        for to in frame.attacks_from(man, from) & !frame.occupied {
            set &= self.won.get(frame.layout.word_after(frame.word, man, from, to)) | attacks::between(from, to);
        }
        set
    }

    fn without_anchor_escape(&self, frame: &Frame<'_>, mut set: Bitboard) -> Bitboard {
        for to in attacks::king_attacks(frame.squares[0]) & !frame.occupied {
            let symmetry = frame.layout.normaliser(to);
            let mut squares = frame.squares;
            squares[0] = to;
            let image = squares.map(|square| symmetry.square(square));
            set &= symmetry.set_with_image(self.won.get(frame.layout.word(image)));
        }
        set
    }

    fn without_pawn_escape(&self, frame: &Frame<'_>, man: usize, mut set: Bitboard, n: u8) -> Bitboard {
        let from = frame.squares[man];
        let to = ahead(Side::Defender, from, 1);
        if frame.occupied.contains(to) || !is_pawn_square(to) {
            return set;
        }
        set &= self.won.get(frame.layout.word_after(frame.word, man, from, to));
        if let Some(step) = double_step(frame, Side::Defender, from) {
            let won = self.won.get(frame.layout.word_after(frame.word, man, from, step.to)).with(step.over);
            let captured = set & !won;
            set &= won;
            if captured.any() && may_be_captured(frame, Side::Defender, step) {
                let mates = |last: &Square| en_passant::attack(frame, *last, step, self.tables) <= n;
                set |= captured.into_iter().filter(mates).collect::<Bitboard>();
            }
        }
        set
    }
}
