//! A man who gives check, perhaps alone: who can refute the check, and who can be pinned or captured instead.

use shakmaty::{Bitboard, Color, Square, attacks};

use super::geometry::{Kind, ahead, first, index, is_pawn};
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
        let (_, square) = man;
        if square == self.placed.from {
            return false;
        }
        if self.placed.line.contains(square) {
            return !self.can_be_captured(square);
        }
        self.refutes(man, hits(man))
            && !self.picture.can_be_pinned(square, self.moves, self.others(1))
            && !self.can_be_captured(square)
    }

    /// Returns whether a man takes the checker or steps between, whatever stands elsewhere.
    #[inline]
    pub(super) fn refutes(&self, man: Man, hits: Bitboard) -> bool {
        refutes(man, hits, self.picture.view.color, self.placed.from, self.placed.line)
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

/// Returns whether a man who hits these squares takes the checker or steps between him and the king, whatever stands
/// elsewhere. `color` is the checker's.
#[inline]
pub(super) fn refutes((kind, from): Man, hits: Bitboard, color: Color, checker: Square, line: Bitboard) -> bool {
    if is_pawn(kind) {
        return hits.contains(checker) || (ahead(color, from) & line).any();
    }
    (hits & line.with(checker)).any()
}
