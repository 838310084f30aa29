//! The men of a position, each with a number that he keeps as long as he lives.
//!
//! A picture speaks of single men, so the search has to know at every half-move which man is where.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Role, Square};

use crate::chess::{Move, Position};

use super::super::geometry::{Geometry, Kind, NEVER, Row, Steps, becomes, index, kind};
use super::super::view::Man;

/// The most men of a position that is asked about.
pub(in super::super) const MOST_MEN: usize = 32;

/// The numbers of the kings: first that of the mating side.
pub(super) const ATTACKER_KING: usize = 0;
pub(in super::super) const DEFENDER_KING: usize = 1;

/// The men by their numbers.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Men {
    list: [Man; MOST_MEN],
    len: usize,
    /// The men of the mating side, and the men that are not captured, as bits of their numbers.
    pub attackers: u32,
    pub alive: u32,
    pub color: Color,
}

/// The change of the men by a half-move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// The man who moves.
    pub man: usize,
    pub before: Man,
    pub after: Man,
    pub captured: Option<usize>,
}

/// The numbers in a set.
pub(in super::super) fn numbers(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

impl Men {
    /// Numbers the men of a position in which the side `color` is to mate; `None` if there are too many.
    pub(in super::super) fn of(position: &Position, color: Color) -> Option<Men> {
        let len = position.occupied().count();
        let mut men = Men { list: [(0, Square::A1); MOST_MEN], len: 0, attackers: 0, alive: 0, color };
        if len > MOST_MEN {
            return None;
        }
        for role in [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            for side in [color, !color] {
                for square in position.men(side, role) {
                    men.list[men.len] = (kind(side, role), square);
                    men.attackers |= u32::from(side == color) << men.len;
                    men.alive |= 1 << men.len;
                    men.len += 1;
                }
            }
        }
        Some(men)
    }

    /// Returns the number of men at the beginning.
    pub(in super::super) fn len(&self) -> usize {
        self.len
    }

    /// Returns a man by his number.
    #[inline]
    pub(in super::super) fn man(&self, number: usize) -> Man {
        self.list[number]
    }

    fn number(&self, square: Square) -> Option<usize> {
        numbers(self.alive).find(|&number| self.list[number].1 == square)
    }

    /// Returns what a half-move does. `None` if there is no man on the square.
    pub(super) fn step(&self, m: Move) -> Option<Step> {
        let man = self.number(m.from())?;
        let before = self.list[man];
        let side = if self.attackers >> man & 1 == 1 { self.color } else { !self.color };
        let square = if m.is_en_passant() { Square::from_coords(m.to().file(), m.from().rank()) } else { m.to() };
        let captured = m.capture().and_then(|_| self.number(square));
        Some(Step { man, before, after: (kind(side, m.role_after()), m.to()), captured })
    }

    /// Returns the men after a half-move.
    pub(super) fn after(&self, step: &Step) -> Men {
        let mut next = *self;
        next.alive &= !step.captured.map_or(0, |captured| 1 << captured);
        next.list[step.man] = step.after;
        next
    }
}

/// The squares that one man gets to from where he stands before the search.
pub(super) struct Reach {
    /// By what he is then: his distances, and the squares within each number of moves.
    pub ways: ArrayVec<(Kind, &'static Row, &'static Steps), 5>,
    /// His distances as anything.
    pub nearest: Row,
}

impl Reach {
    /// Looks at a man.
    pub(super) fn of(geometry: &'static Geometry, (kind, from): Man) -> Reach {
        let mut reach = Reach { ways: ArrayVec::new(), nearest: [NEVER; 64] };
        for (is, form) in becomes(kind) {
            let row = geometry.row(form, from);
            reach.nearest.iter_mut().zip(row).for_each(|(nearest, &moves)| *nearest = (*nearest).min(moves));
            reach.ways.push((is, row, geometry.within(form, from)));
        }
        reach
    }
}

/// Returns the squares of a list within `moves` moves.
#[inline]
pub(super) fn within(steps: &Steps, moves: i32) -> Bitboard {
    if moves < 0 { Bitboard::EMPTY } else { steps[index(moves)] }
}
