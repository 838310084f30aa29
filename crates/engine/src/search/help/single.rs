//! A man who gives check, perhaps alone: who can refute the check, and who can be pinned or captured instead.

use shakmaty::{Bitboard, Square, attacks};

use super::geometry::{BISHOP, Kind, QUEEN, ROOK, first, index, is_pawn};
use super::picture::Picture;
use super::view::{Man, hits};

/// The man who gives check: his part of a picture is fixed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    /// His place in the list of attackers.
    pub at: usize,
    /// The square from which he gives check.
    pub from: Square,
    /// The squares that he attacks from there.
    pub reach: Bitboard,
    /// The squares between him and the king.
    pub line: Bitboard,
}

/// A man who gives check, perhaps alone.
pub(super) struct Single<'a> {
    pub picture: &'a Picture<'a>,
    pub placed: Placed,
    /// The kind of man that he is when he gives check.
    pub kind: Kind,
    /// The moves that he needs.
    pub cost: i32,
    /// The moves that are left for the other men.
    pub moves: i32,
}

impl Single<'_> {
    /// Returns whether another man gets between within `moves` moves. `first` is 1 if the king does not count.
    pub(super) fn is_opened(&self, moves: i32, first: usize) -> bool {
        let (at, line) = (index(moves), self.placed.line);
        line.any()
            && self.others(first).any(|(kind, from)| (self.picture.geometry.anywhere(kind, from)[at] & line).any())
    }

    /// Returns the men of the mating side but the checker, from this place in the list on.
    pub(super) fn others(&self, first: usize) -> impl Iterator<Item = Man> {
        let men = self.picture.view.attackers.iter().enumerate().skip(first);
        men.filter(|&(other, _)| other != self.placed.at).map(|(_, &man)| man)
    }

    /// Returns the defenders that must go, as bits of their places in the list.
    pub(super) fn must_go(&self) -> u64 {
        // Only a man on the line, or not further away than a knight or a king moves, can refute the check.
        let Placed { from, line, .. } = self.placed;
        let beside = |square| attacks::king_attacks(square) | attacks::knight_attacks(square);
        let near =
            line.with(from).into_iter().fold(line, |near, square| near | beside(square)) & self.picture.view.theirs;
        let men = self.picture.view.defenders.iter().enumerate();
        men.filter(|&(_, &man)| near.contains(man.1) && self.has_to_go(man)).fold(0, |set, (at, _)| set | 1 << at)
    }

    fn has_to_go(&self, man: Man) -> bool {
        let (kind, square) = man;
        if square == self.placed.from {
            return false;
        }
        if self.placed.line.contains(square) {
            return !self.can_be_captured(square);
        }
        self.refutes(kind, square, hits(man)) && !self.can_be_pinned(square) && !self.can_be_captured(square)
    }

    /// Returns whether a man takes the checker or steps between, whatever stands elsewhere.
    #[inline]
    pub(super) fn refutes(&self, kind: Kind, from: Square, hits: Bitboard) -> bool {
        let Placed { from: checker, line, .. } = self.placed;
        if is_pawn(kind) {
            let ahead = if self.picture.view.color.is_white() { from.offset(-8) } else { from.offset(8) };
            return hits.contains(checker) || ahead.is_some_and(|ahead| line.contains(ahead));
        }
        (hits & line.with(checker)).any()
    }

    /// Returns whether a line piece can stand behind a man on `square`, seen from the king.
    pub(super) fn can_be_pinned(&self, square: Square) -> bool {
        let king = self.picture.king;
        let ray = attacks::ray(king, square);
        if ray.is_empty() {
            return false;
        }
        let straight: Kind = if king.file() == square.file() || king.rank() == square.rank() { ROOK } else { BISHOP };
        // The squares of the line that the man hides from the king.
        let seen = attacks::queen_attacks(king, Bitboard::from(square));
        let behind = ray & attacks::queen_attacks(square, Bitboard::from(king)) & !seen.with(king);
        let at = index(self.moves);
        behind.any()
            && self.others(1).any(|(kind, from)| {
                (kind == straight || kind == QUEEN || is_pawn(kind))
                    && (self.picture.geometry.anywhere(kind, from)[at] & behind).any()
            })
    }

    /// Returns whether a man on `square` can be captured: by the checker on his way, by another man, or en passant.
    fn can_be_captured(&self, square: Square) -> bool {
        let (geometry, picture) = (self.picture.geometry, self.picture);
        let at = index(self.moves);
        if self.others(0).any(|(kind, from)| geometry.anywhere(kind, from)[at].contains(square)) {
            return true;
        }
        let (kind, from) = picture.view.attackers[self.placed.at];
        let then = if is_pawn(kind) { Some(0) } else { first(geometry.anywhere(kind, square), self.placed.from) };
        let way = first(geometry.anywhere(kind, from), square).zip(then).map(|(there, then)| there + then);
        way.is_some_and(|way| way <= picture.attacker_moves)
            || (picture.view.en_passant & Bitboard::from(square.file())).any()
    }
}
