//! The relaxation: can the king still be mated (or stalemated) on a square, with the moves that each side has left?
//!
//! The answer "no" is always true; "yes" may be wrong. Each rule asks for less than a game does: men move on an empty
//! board ([`super::geometry`]), captures are free, and nobody is in anybody's way, except where a rule says otherwise.
//! A pawn captures at most as often as the other side has men besides its king, and as his side has moves.
//!
//! **Why counting moves is sound.** Each half-move moves one man, castling apart ([`super::view`]). So the moves that
//! the men of a side need, each a lower bound by itself, add up.
//!
//! A **picture** is a square on which the king is to be mated or stalemated, in a view. Among its demands:
//!
//! 1. **Guards and blocks** ([`super::guards`]): each neighbour of the king's square is attacked by the mating side, or
//!    occupied by a man of the king's own side.
//! 2. **In a mate, a check** ([`super::checker`]): two men attack the king, or one does and nothing may take him or
//!    step between.
//! 3. **In a stalemate, rest** ([`super::stalemate`]): the men of the stalemated side have no move.
//!
//! After castling 2 and 3 are not asked, and 3 not as long as somebody may castle.

use shakmaty::{Color, Square};

use crate::chess::{End, Position};

use super::checker;
use super::guards::Guards;
use super::picture::{Checks, Picture};
use super::rules::Rules;
use super::stalemate;
use super::view::{MovesLeft, View};

/// A position with the questions about it.
pub(super) struct Outlook {
    view: View,
    castled: Vec<View>,
    end: End,
    rules: Rules,
}

impl Outlook {
    /// Asks about positions in which the side `color` is to mate, or to stalemate.
    pub(super) fn new(color: Color, end: End, rules: Rules) -> Outlook {
        Outlook { view: View::new(color), castled: Vec::new(), end, rules }
    }

    /// Looks at a position with these moves left.
    pub(super) fn look(&mut self, position: &Position, left: MovesLeft) {
        self.view.look(position, left, self.rules);
        self.castled.clear();
        if position.castling_rights().any() {
            self.castled = self.view.castled(position);
        }
    }

    /// Returns whether the king can perhaps be mated (or stalemated) on `square`. `checks` is refined.
    pub(super) fn is_possible(&self, square: Square, checks: &mut Checks<'_>) -> bool {
        let mut asks = |view| is_possible(&Picture::new(view, square, self.end, self.rules), checks);
        // A castled rook may give check from where it could not get before.
        !self.rules.pictures || asks(&self.view) || self.castled.iter().any(asks)
    }
}

/// Returns whether what a picture demands fits into the moves that are left. `checks` is refined.
fn is_possible(picture: &Picture<'_>, checks: &mut Checks<'_>) -> bool {
    if picture.defender_moves < 0 || picture.attacker_moves == 0 && picture.king_is_near() {
        return false;
    }
    if picture.end == End::Stalemate {
        return (!picture.rules.resting || stalemate::can_rest(picture)) && Guards::of(picture).can_shut();
    }
    if picture.view.castled || !picture.rules.checker {
        return Guards::of(picture).can_shut();
    }
    checker::exists(picture, checks)
}
