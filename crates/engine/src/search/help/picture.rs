//! A picture: a position as the relaxation sees it, with a square on which the king is to be mated or stalemated.

use shakmaty::{Bitboard, Square, attacks};

use crate::chess::End;

use super::geometry::{Geometry, KING, QUEEN, behind, first, index, is_pawn, line_piece};
use super::rules::Rules;
use super::view::{Man, View};

/// By square of a checking man: the squares from which he can perhaps give check in a mate.
pub(super) type Origins = [Bitboard; 64];

/// The squares from which each man can perhaps check, before and after a half-move, for one square of the king. What is
/// impossible before is not asked again.
pub(super) struct Checks<'a> {
    pub before: Option<&'a Origins>,
    /// The half-move: a man who has moved is found under his old square.
    pub moved: (Square, Square),
    /// `None`: it is enough to know whether there is one.
    pub after: Option<&'a mut Origins>,
}

impl Checks<'_> {
    /// Nothing is known.
    pub(super) const ALL: Checks<'static> = Checks { before: None, moved: (Square::A1, Square::A1), after: None };
}

/// A view and the square on which the king is to be mated.
pub(super) struct Picture<'a> {
    pub view: &'a View,
    pub geometry: &'static Geometry,
    pub king: Square,
    /// The neighbours of the square.
    pub near: Bitboard,
    pub end: End,
    pub rules: Rules,
    pub attacker_moves: i32,
    /// The moves of the defender that are left when the king has gone to his square; negative: he cannot.
    pub defender_moves: i32,
}

impl<'a> Picture<'a> {
    /// Makes the picture of this view with the king on `king`.
    pub(super) fn new(view: &'a View, king: Square, end: End, rules: Rules) -> Picture<'a> {
        let geometry = view.ours;
        let way = if king == view.king { Some(0) } else { first(geometry.anywhere(KING, view.king), king) };
        let defender_moves = way.map_or(-1, |way| i32::from(view.left.defender) - way);
        let near = attacks::king_attacks(king);
        Picture { view, geometry, king, near, end, rules, attacker_moves: view.left.attacker.into(), defender_moves }
    }

    /// Returns whether the king of the mating side stands where he cannot be in the end.
    #[inline]
    pub(super) fn king_is_near(&self) -> bool {
        self.near.with(self.king).contains(self.view.attackers[0].1)
    }

    /// Returns whether one of these men can stand behind a man on `square`, seen from the king, and pin him, within
    /// `moves` moves.
    pub(super) fn can_be_pinned(&self, square: Square, moves: i32, mut men: impl Iterator<Item = Man>) -> bool {
        let (behind, line) = (behind(self.king, square), line_piece(self.king, square));
        behind.any()
            && men.any(|(kind, from)| {
                (kind == line || kind == QUEEN || is_pawn(kind))
                    && (self.geometry.anywhere(kind, from)[index(moves)] & behind).any()
            })
    }
}
