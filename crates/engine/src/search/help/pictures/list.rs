//! The list of pictures that still fit, for each half-move of the way that the search is on.

use shakmaty::Bitboard;

use crate::chess::Move;

use super::super::rules::Rules;
use super::super::view::MovesLeft;
use super::men::{DEFENDER_KING, Men};
use super::{Fit, Pictures, Situation};

/// The pictures that fit after some half-moves.
#[derive(Debug, Clone)]
struct Ply {
    men: Men,
    left: MovesLeft,
    fits: Vec<Fit>,
}

/// The pictures that fit, for each half-move of a way.
#[derive(Debug, Clone)]
pub(in super::super) struct Lists<'a> {
    pictures: &'a Pictures,
    rules: Rules,
    plies: Vec<Ply>,
}

impl<'a> Lists<'a> {
    /// Begins with the position for which the pictures were listed.
    pub(in super::super) fn new(pictures: &'a Pictures, half_moves: usize, rules: Rules) -> Lists<'a> {
        let Pictures { men, left, .. } = pictures;
        let situation = Situation { men, left: *left, rules };
        let fits =
            (0..pictures.len()).filter_map(|number| situation.fit(number as u32, pictures.picture(number as u32)));
        let first = Ply { men: *men, left: *left, fits: fits.collect() };
        let empty = Ply { fits: Vec::new(), ..first.clone() };
        let plies = std::iter::once(first).chain((0..half_moves).map(|_| empty.clone())).collect();
        Lists { pictures, rules, plies }
    }

    /// Returns the memory that the lists take, in bytes.
    pub(in super::super) fn bytes(&self) -> usize {
        self.plies.iter().map(|ply| ply.fits.capacity() * size_of::<Fit>()).sum()
    }

    /// Returns the number of pictures that fit at this depth.
    pub(in super::super) fn len(&self, depth: usize) -> usize {
        self.plies[depth].fits.len()
    }

    /// Keeps the pictures that fit after a half-move from this depth. Returns the squares of the king in them.
    pub(in super::super) fn follow(&mut self, depth: usize, m: Move, left: MovesLeft) -> Bitboard {
        let (before, after) = self.plies.split_at_mut(depth + 1);
        let (before, after) = (&before[depth], &mut after[0]);
        after.fits.clear();
        let Some(step) = before.men.step(m) else { return Bitboard::EMPTY };
        after.men = before.men.after(&step);
        after.left = left;
        let situation = Situation { men: &after.men, left, rules: self.rules };
        let mut kings = Bitboard::EMPTY;
        for fit in &before.fits {
            let picture = self.pictures.picture(fit.picture);
            if let Some(next) = situation.next(fit, picture, &step, before.left) {
                kings.add(picture.0[DEFENDER_KING].1);
                after.fits.push(next);
            }
        }
        kings
    }
}

#[cfg(test)]
mod tests {
    use super::super::men::numbers;
    use super::super::{Blocks, FREE, Goal, Picture, TAKEN};
    use super::*;

    impl Lists<'_> {
        /// Returns the number of pictures that fit at this depth, and how many of them are reached with this line.
        pub(in super::super::super) fn reached(&self, depth: usize, line: &[Move]) -> (usize, usize) {
            let start = self.plies[0].men;
            let end = line.iter().fold(start, |men, &m| men.after(&men.step(m).expect("a man on his square")));
            let is_reached = |(number, &(goal, square)): (usize, &Goal)| match goal {
                FREE => true,
                TAKEN => end.alive >> number & 1 == 0,
                _ => end.alive >> number & 1 == 1 && end.man(number) == (goal, square),
            };
            let fits = &self.plies[depth].fits;
            let theirs = || numbers(end.alive & !end.attackers & !(1 << DEFENDER_KING)).map(|number| end.man(number));
            let is_mate = |blocks: &Blocks| {
                let filled: Bitboard = theirs().map(|(_, square)| square).collect();
                (blocks.squares & !filled).is_empty() && theirs().all(|man| blocks.allow(man, || true))
            };
            let is_it =
                |(goals, blocks): &Picture<'_>| goals.iter().enumerate().all(is_reached) && blocks.is_none_or(is_mate);
            let pictures = fits.iter().map(|fit| self.pictures.picture(fit.picture));
            (fits.len(), pictures.filter(is_it).count())
        }
    }
}
