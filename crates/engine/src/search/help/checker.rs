//! What a check demands: the rules for a named checking man, and for double checks.
//!
//! The last move of a mate gives check. Either two men attack the king then, or one does and nothing may take him or
//! step between. So for each man that could be the only checker, on each square, these must fit into the moves left:
//!
//! 1. **The way.** He gets to his square, or stands there already. The last move creates the check. So if he stands
//!    there already, another man opens his line with the last move, or he goes away and comes back, which takes two
//!    moves. A pawn cannot come back.
//! 2. **Men that must go.** A man of the defender who stands between must have moved or been captured; one who could
//!    take the checker or step between, too, unless he is pinned. Distinct men need distinct moves. Only those count
//!    whom no third man can shut out: knights, pawns, and line pieces directly beside the square.
//! 3. **Blocks.** An officer who would refute the check from a flight does not block it: a man who pins him there
//!    guards it. A man who must go may go to a flight. He blocks his own square only as another man: a pawn who
//!    promotes on the way.
//! 4. **Guards** by the other men, with the moves that are left.
//!
//! In a **double check** a line piece gives check because another man, not the king, leaves the line with the last move
//! and gives check too. The line is free in the end, but no refuter has to go. A capture en passant, which can open a
//! line where no man of the mating side stood, is asked about in the same way.

use shakmaty::{Bitboard, attacks};

use super::geometry::{forms, index, is_line_piece, is_pawn};
use super::guards::Guards;
use super::picture::{Checks, Picture};
use super::single::Single;

/// The mates after which all further ones are taken to be possible. Doubled, more is ruled out for more work; halved,
/// less is.
const MANY: usize = 6;

/// Returns whether a mate by a double check, or by a man who alone gives check, is perhaps possible. If `checks` are to
/// be refined, it asks about all of them.
pub(super) fn exists(picture: &Picture<'_>, checks: &mut Checks<'_>) -> bool {
    let most = if checks.after.is_some() { MANY } else { 1 };
    let mut found = 0;
    for at in 1..picture.view.attackers.len() {
        let square = picture.view.attackers[at].1;
        let old = if square == checks.moved.1 { checks.moved.0 } else { square };
        let asked = checks.before.map_or(Bitboard::FULL, |before| before[old as usize]);
        let is_open = found < most && asked.any();
        let (more, squares) = if is_open { count(picture, at, asked, most - found) } else { (0, asked) };
        found += more;
        match &mut checks.after {
            Some(after) => after[square as usize] = squares,
            None if found > 0 => return true,
            None => {}
        }
    }
    found > 0
}

/// Counts the squares of `asked` from which this man perhaps mates, up to `most`, and returns them; when there are as
/// many, with all that were not asked.
fn count(picture: &Picture<'_>, at: usize, asked: Bitboard, most: usize) -> (usize, Bitboard) {
    let (geometry, moves, near) = (picture.geometry, picture.attacker_moves, picture.near);
    let (man, origin) = picture.view.attackers[at];
    let (mut found, mut possible) = (0, Bitboard::EMPTY);
    for &(form, kind) in forms(man) {
        let steps = geometry.within(form, origin);
        let sources = geometry.sources(kind, picture.king) & asked;
        if (steps[index(moves)] & sources).is_empty() {
            continue;
        }
        let mut before = Bitboard::EMPTY;
        for (cost, &within) in (0..=moves).zip(steps) {
            let squares = within & sources & !before;
            before = within;
            if squares.is_empty() {
                continue;
            }
            // What the others cannot attack must be attacked by the checker, or blocked.
            let others = picture.view.attacked(moves - cost, Some(at));
            let open = near & !others;
            // Where he stands himself, another must attack; and he alone attacks what nobody can block.
            let his = picture.view.never_defended(open, picture.defender_moves);
            let squares = his.into_iter().fold(squares & !open, |all, flight| all & geometry.sources(kind, flight));
            for from in squares {
                let reach = geometry.reach(kind, from);
                let open = open & !reach;
                if !picture.view.nearly_defended(open, picture.defender_moves) {
                    continue;
                }
                let line = attacks::between(from, picture.king);
                let check = Single { picture, at, kind, from, reach, line, cost, moves: 0 };
                if check.is_possible() || check.is_possible_double() {
                    found += 1;
                    possible.add(from);
                    if found == most {
                        return (found, asked);
                    }
                }
            }
        }
    }
    (found, possible)
}

impl Single<'_> {
    fn is_possible(&self) -> bool {
        let is_alone = self.picture.rules.must;
        self.moves_left().is_some_and(|moves| Guards::with(&Single { moves, ..*self }, is_alone).can_shut())
    }

    /// Returns whether another man can discover this check while he gives check himself, or a capture en passant can
    /// open the line.
    fn is_possible_double(&self) -> bool {
        let moves = self.picture.attacker_moves - self.cost;
        is_line_piece(self.kind)
            && moves > 0
            && ((self.line & self.picture.view.en_passant).any() || self.is_opened(moves - 1, 1))
            && Guards::with(&Single { moves, ..*self }, false).can_shut()
    }

    /// Returns the moves that are left for the other men; `None` if he cannot give this check in time.
    fn moves_left(&self) -> Option<i32> {
        let moves = self.picture.attacker_moves;
        if self.cost > 0 {
            return Some(moves - self.cost);
        }
        // What a capture en passant opens is asked about like a double check.
        if is_line_piece(self.kind) && moves > 0 && self.is_opened(moves - 1, 0) {
            return Some(moves);
        }
        Some(moves - 2).filter(|&left| left >= 0 && !is_pawn(self.kind))
    }
}
