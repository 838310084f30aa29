//! How far one man gets from where he stands before the search.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Square};

use super::super::geometry::{Kind, LAST, Steps, index};
use super::super::view::Man;
use super::ways::{NEVER, Row, Ways, becomes};

/// The distances of one man.
pub(super) struct Reach {
    /// By what he is then: his distances, and the squares within each number of moves.
    pub ways: ArrayVec<(Kind, Row, Steps), 5>,
    /// His distances as anything.
    pub nearest: Row,
}

impl Reach {
    /// Looks at a man.
    pub(super) fn of(ways: &Ways, man: Man) -> Reach {
        let mut reach = Reach { ways: ArrayVec::new(), nearest: [NEVER; 64] };
        for &is in becomes(man.0) {
            let row = ways.row(man, is);
            reach.nearest.iter_mut().zip(row).for_each(|(nearest, moves)| *nearest = (*nearest).min(moves));
            let mut steps = [Bitboard::EMPTY; LAST + 1];
            for (square, moves) in Square::ALL.into_iter().zip(row).filter(|&(_, moves)| moves < NEVER) {
                steps[index(moves.into())..].iter_mut().for_each(|within| within.add(square));
            }
            reach.ways.push((is, row, steps));
        }
        reach
    }
}

/// Returns the squares of a list within `moves` moves.
#[inline]
pub(super) fn within(steps: &Steps, moves: i32) -> Bitboard {
    if moves < 0 { Bitboard::EMPTY } else { steps[index(moves)] }
}
