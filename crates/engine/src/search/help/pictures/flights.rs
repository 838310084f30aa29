//! Which sets of flights can the mating side guard, and at what cost? A table for one square of the king.
//!
//! Each man stays or moves to a place from where he attacks some of the neighbours of the king, on an empty board. The
//! least sum of moves for each of the 256 sets is found man by man. From it follows how many neighbours the other side
//! must fill at least.

use shakmaty::{Bitboard, Square, attacks};

use super::super::geometry::{Geometry, KING};
use super::men::Reach;

/// A cost that nobody can pay.
const TOO_MUCH: u8 = u8::MAX;

/// The cost of shutting the neighbours of a square, by sets of them.
pub(super) struct Flights {
    near: Bitboard,
    /// The moves of the mating side that guard all neighbours of a set.
    guards: [u8; 256],
    /// The neighbours of a set that the other side must fill at least.
    blocks: [u8; 256],
}

impl Flights {
    /// Makes the table for a king on `king`. The mating side has `moves` moves.
    pub(super) fn of<'a>(king: Square, men: impl Iterator<Item = &'a Reach>, moves: i32) -> Flights {
        let near = attacks::king_attacks(king);
        let mut flights = Flights { near, guards: [TOO_MUCH; 256], blocks: [0; 256] };
        flights.guards[0] = 0;
        for man in men {
            flights.add(king, man, moves);
        }
        // Who guards a set guards every part of it.
        for bit in 0..8 {
            for set in 0..256_usize {
                if set >> bit & 1 == 0 {
                    flights.guards[set] = flights.guards[set].min(flights.guards[set | 1 << bit]);
                }
            }
        }
        for set in 1..256_usize {
            if i32::from(flights.guards[set]) > moves {
                let fewer = (0..8).filter(|bit| set >> bit & 1 == 1).map(|bit| flights.blocks[set & !(1 << bit)]);
                flights.blocks[set] = 1 + fewer.min().unwrap_or_default();
            }
        }
        flights
    }

    fn add(&mut self, king: Square, man: &Reach, moves: i32) {
        let geometry = Geometry::get();
        let mut best = [TOO_MUCH; 256];
        for &(kind, row, _) in &man.ways {
            let all = self.near.into_iter().fold(Bitboard::EMPTY, |all, flight| all | geometry.sources(kind, flight));
            let places = if kind == KING { all & !self.near } else { all };
            for from in places.without(king) {
                let cost = row[from as usize];
                if i32::from(cost) <= moves {
                    let set = self.set(geometry.reach(kind, from));
                    best[set] = best[set].min(cost);
                }
            }
        }
        let options: Vec<(usize, u8)> = (1..256).zip(best[1..].iter().copied()).filter(|it| it.1 < TOO_MUCH).collect();
        let before = self.guards;
        for (set, cost) in (0..256).zip(before).filter(|it| it.1 < TOO_MUCH) {
            for &(more, moves) in &options {
                let both = &mut self.guards[set | more];
                *both = (*both).min(cost.saturating_add(moves));
            }
        }
    }

    /// Returns the number of a set of neighbours.
    #[inline]
    fn set(&self, squares: Bitboard) -> usize {
        let mut set = 0;
        for (bit, square) in self.near.into_iter().enumerate() {
            set |= usize::from(squares.contains(square)) << bit;
        }
        set
    }

    /// Returns whether these neighbours can be guarded within `moves` moves.
    pub(super) fn can_guard(&self, squares: Bitboard, moves: i32) -> bool {
        i32::from(self.guards[self.set(squares)]) <= moves
    }

    /// Returns how many of these neighbours must be filled at least, because they cannot all be guarded.
    pub(super) fn blocks(&self, squares: Bitboard) -> usize {
        self.blocks[self.set(squares)].into()
    }
}
