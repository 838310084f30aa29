//! The relaxation: can the king still be mated (or stalemated) on a square, with the moves that each side has left?
//!
//! The answer "no" is always true; "yes" may be wrong. Each rule asks for less than a game does: men move on an empty
//! board ([`super::geometry`]), captures are free, and nobody is in anybody's way, except where a rule says otherwise.
//!
//! **Why counting moves is sound.** Each half-move moves one man, castling apart ([`super::view`]). So the moves that
//! the men of a side need, each a lower bound by itself, add up.
//!
//! A **picture** is a square on which the king is to be mated, in a view. Its demands:
//!
//! 1. **Guards and blocks** ([`super::guards`]): each neighbour of the king's square is attacked by the mating side, or
//!    occupied by a man of the king's own side.
//! 2. **A check** ([`super::checker`]): two men attack the king, or one does and nothing may take him or step between.
//!
//! Most questions are answered by two sets: what the mating side can attack at all, and what the defenders can block.

use shakmaty::{Bitboard, Square, attacks};

use crate::chess::{End, Position};

use super::checker;
use super::geometry::{Geometry, KING, first};
use super::guards::Guards;
use super::stalemate;
use super::view::{Left, View};

/// The rules that a test can switch off, to see what each cuts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub struct Rules {
    /// The table of dead positions.
    pub dead: bool,
    /// The relaxation as a whole.
    pub pictures: bool,
    /// The demands of a named checker.
    pub checker: bool,
    /// The men that must go because they would refute the check.
    pub must: bool,
    /// A man that would refute the check blocks no flight.
    pub blocks: bool,
    /// Distinct flights need distinct men.
    pub matching: bool,
    /// The last two half-moves of a mate are looked for together.
    pub pairs: bool,
    /// In a stalemate, the men that can still move have to come to rest.
    pub resting: bool,
}

impl Rules {
    /// All rules.
    pub const ALL: Rules = Rules {
        dead: true,
        pictures: true,
        checker: true,
        must: true,
        blocks: true,
        matching: true,
        pairs: true,
        resting: true,
    };
}

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

/// A position with the questions about it.
pub(super) struct Outlook {
    view: View,
    castled: Vec<View>,
    end: End,
    rules: Rules,
}

impl Outlook {
    /// Looks at a position in which the side `color` is to mate, with these moves left.
    pub(super) fn new(position: &Position, color: shakmaty::Color, left: Left, end: End, rules: Rules) -> Outlook {
        let view = View::of(position, color, left);
        let castled = if position.castling_rights().any() { view.castled(position) } else { Vec::new() };
        Outlook { view, castled, end, rules }
    }

    /// Returns whether the king can perhaps be mated (or stalemated) on `square`. `checks` is refined.
    pub(super) fn is_possible(&self, square: Square, checks: &mut Checks<'_>) -> bool {
        let mut asks = |view| Picture::new(view, square, self.end, self.rules).is_possible(checks);
        // A castled rook may give check from where it could not get before.
        !self.rules.pictures || asks(&self.view) || self.castled.iter().any(asks)
    }
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
    fn new(view: &'a View, king: Square, end: End, rules: Rules) -> Picture<'a> {
        let geometry = Geometry::get();
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

    fn is_possible(&self, checks: &mut Checks<'_>) -> bool {
        if self.defender_moves < 0 || self.attacker_moves == 0 && self.king_is_near() {
            return false;
        }
        let is_mate = self.end == End::Mate;
        let attacked = self.view.attacked(self.attacker_moves, None);
        if is_mate && !attacked.contains(self.king)
            || !self.view.nearly_defended(self.near & !attacked, self.defender_moves)
        {
            return false;
        }
        if !is_mate {
            return (!self.rules.resting || stalemate::can_rest(self)) && Guards::of(self).can_shut();
        }
        if self.view.castled || !self.rules.checker {
            return Guards::of(self).can_shut();
        }
        checker::exists(self, checks)
    }
}
