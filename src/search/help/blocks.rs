//! Blocks: flights that nobody attacks must be occupied by men of the king's own side.
//!
//! Each man stops on one flight only, and each move moves one man, so the cheapest **assignment** of distinct men to the
//! open flights is a lower bound of the moves that the defender needs. The sum of the nearest men's distances is a
//! weaker bound, which is cheaper to compute and is asked first.

use arrayvec::ArrayVec;

use super::geometry::{Cover, FAR};
use super::possible::{MEN, Picture, Rules};

/// The moves of each man to each of the eight neighbours; [`FAR`] if he cannot block there.
pub(super) type Costs = ArrayVec<[u8; 8], MEN>;

/// The costs of blocking the flights of a picture, in moves of the defender.
pub(super) struct Blockers {
    /// The costs of the men that can block something in time.
    costs: Costs,
    /// The least cost for each flight.
    least: [u8; 8],
    /// The moves that the defender has for it.
    moves: i32,
    rules: Rules,
}

impl Blockers {
    /// Every man can block every flight that he can reach in time.
    pub(super) fn of(picture: &Picture<'_>, rules: Rules) -> Blockers {
        let costs = picture.view.defenders.iter().map(|&(kind, from)| {
            picture
                .geometry
                .around(picture.king)
                .map(|near| near.map_or(FAR, |near| picture.geometry.moves(kind, from, near)))
        });
        Blockers::new(costs.collect(), picture.defender_moves, rules)
    }

    /// Blocks at these costs, one row for each man.
    pub(super) fn new(costs: Costs, moves: i32, rules: Rules) -> Blockers {
        let mut least = [FAR; 8];
        let mut useful = Costs::new();
        for row in costs {
            if row.iter().any(|&cost| i32::from(cost) <= moves) {
                for (least, cost) in least.iter_mut().zip(row) {
                    *least = cost.min(*least);
                }
                useful.push(row);
            }
        }
        Blockers { costs: useful, least, moves, rules }
    }

    /// Returns whether these flights can perhaps be blocked: no man of the mating side may stand on one, and the sum of
    /// the least costs must not be too large.
    #[inline]
    pub(super) fn may_shut(&self, flights: Cover, own: Cover) -> bool {
        if flights & own != 0 {
            return false;
        }
        let mut sum = 0;
        let mut open = flights;
        while open != 0 {
            sum += i32::from(self.least[open.trailing_zeros() as usize & 7]);
            open &= open - 1;
        }
        sum <= self.moves
    }

    /// Returns whether distinct men can block these flights in time.
    pub(super) fn can_shut(&self, flights: Cover, own: Cover) -> bool {
        self.may_shut(flights, own) && (!self.rules.matching || self.assign(flights, 0, self.moves))
    }

    /// Assigns men that are not in `used` to the flights, with at most `moves` moves in all.
    fn assign(&self, flights: Cover, used: u64, moves: i32) -> bool {
        if flights == 0 {
            return true;
        }
        let flight = flights.trailing_zeros() as usize & 7;
        let others = flights & (flights - 1);
        self.costs.iter().enumerate().any(|(man, row)| {
            let left = moves - i32::from(row[flight]);
            left >= 0 && used >> man & 1 == 0 && self.assign(others, used | 1 << man, left)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blockers(rows: &[[u8; 8]], moves: i32) -> Blockers {
        Blockers::new(rows.iter().copied().collect(), moves, Rules::ALL)
    }

    #[test]
    fn one_man_blocks_one_flight() {
        let one = [0, 1, 9, 9, 9, 9, 9, 9];
        let two = [3, 2, 9, 9, 9, 9, 9, 9];
        assert!(blockers(&[one, two], 2).can_shut(0b11, 0));
        assert!(!blockers(&[one, two], 1).can_shut(0b11, 0));
        assert!(blockers(&[one], 1).may_shut(0b11, 0), "the sum of the least costs is the weaker bound");
        assert!(!blockers(&[one], 1).can_shut(0b11, 0));
    }

    #[test]
    fn a_flight_with_a_man_of_the_mating_side_cannot_be_blocked() {
        assert!(!blockers(&[[0; 8]], 5).can_shut(0b1, 0b1));
        assert!(blockers(&[[0; 8]], 0).can_shut(0b1, 0b10));
    }
}
