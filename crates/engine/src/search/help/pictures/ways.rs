//! What final pictures ask of the geometry besides: distances as numbers, how far one man gets, and the squares on
//! which he can **capture** on his way.
//!
//! All of it follows from the sets of [`Geometry`], once for each number of captures that a pawn may make.

use std::sync::OnceLock;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Square};

use super::super::geometry::{
    FORM_COUNT, Form, Geometry, KIND_COUNT, Kind, LAST, MOST_CAPTURES, Steps, form, index, is_pawn,
};
use super::super::view::Man;

/// A distance that no man ever makes.
pub(super) const NEVER: u8 = 100;

/// The distances from one man to all squares.
pub(super) type Row = [u8; 64];

/// Distances and squares of captures, for a number of captures that a pawn may make.
pub(super) struct Ways {
    /// By form and origin: the moves that a man needs to each square, as this form.
    rows: Vec<[Row; 64]>,
    /// By form and origin: the squares on which a man can arrive with a capture, as this form.
    arrives: Vec<[Steps; 64]>,
    /// By form and target: the squares from which a man reaches the target, as this form.
    sources: Vec<[Steps; 64]>,
    /// By kind and origin: the squares on which a man can capture.
    captures: Vec<[Steps; 64]>,
    geometry: &'static Geometry,
}

static WAYS: [OnceLock<Ways>; MOST_CAPTURES + 1] = [const { OnceLock::new() }; MOST_CAPTURES + 1];

/// Returns the kinds that a man can be in the end, each with the form.
#[inline]
fn becomes(kind: Kind) -> impl Iterator<Item = (Kind, Form)> {
    (0..KIND_COUNT as Kind).filter_map(move |is| Some((is, form(kind, is)?)))
}

impl Ways {
    /// Returns the tables for pawns that capture at most so many times.
    #[inline]
    pub(super) fn with_captures(most: usize) -> &'static Ways {
        let most = most.min(MOST_CAPTURES);
        WAYS[most].get_or_init(|| Ways::make(most))
    }

    fn make(most: usize) -> Ways {
        let none = [Bitboard::EMPTY; LAST + 1];
        let geometry = Geometry::with_captures(most);
        let fewer = most.checked_sub(1).map(Geometry::with_captures);
        let mut ways = Ways {
            rows: vec![[[NEVER; 64]; 64]; FORM_COUNT],
            arrives: vec![[none; 64]; FORM_COUNT],
            sources: vec![[none; 64]; FORM_COUNT],
            captures: vec![[none; 64]; KIND_COUNT],
            geometry,
        };
        for kind in 0..KIND_COUNT as Kind {
            for (is, form) in becomes(kind) {
                for from in Square::ALL {
                    ways.add((kind, from), is, form, fewer);
                }
            }
        }
        ways
    }

    fn add(&mut self, (kind, from): Man, is: Kind, form: Form, fewer: Option<&Geometry>) {
        let steps = self.geometry.within(form, from);
        let mut seen = Bitboard::EMPTY;
        for (moves, &squares) in steps.iter().enumerate() {
            for to in squares & !seen {
                self.rows[form][from as usize][to as usize] = moves as u8;
                self.sources[form][to as usize][moves..].iter_mut().for_each(|sources| sources.add(from));
            }
            seen = squares;
        }
        let pawns = fewer.filter(|_| is_pawn(kind)).map(|fewer| fewer.within(kind.into(), from));
        for at in 1..=LAST {
            // The last set holds everything.
            let before = if at == LAST { LAST } else { at - 1 };
            let mut arrives = Bitboard::EMPTY;
            if !is_pawn(is) {
                arrives = self.spread(is, steps[before]);
            }
            if let Some(pawns) = pawns {
                let captures = self.spread(kind, pawns[before]);
                let last = captures & Bitboard::BACKRANKS;
                arrives |= if is_pawn(is) { captures & !last } else { last };
            }
            self.arrives[form][from as usize][at] = arrives;
            self.captures[usize::from(kind)][from as usize][at] |= arrives;
        }
    }

    /// Returns the squares that men of a kind attack from these squares.
    fn spread(&self, kind: Kind, squares: Bitboard) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | self.geometry.reach(kind, square))
    }

    /// Returns the moves that a man needs to be of this kind on this square; [`NEVER`] if he never is.
    #[inline]
    pub(super) fn distance(&self, (kind, from): Man, (is, to): Man) -> u8 {
        form(kind, is).map_or(NEVER, |form| self.rows[form][from as usize][to as usize])
    }

    /// Returns the squares where a man can be as anything, by the number of moves.
    #[inline]
    pub(super) fn anywhere(&self, (kind, from): Man) -> &Steps {
        self.geometry.anywhere(kind, from)
    }

    /// Returns the squares on which a man can capture within `moves` moves.
    #[inline]
    pub(super) fn captures(&self, (kind, from): Man, moves: i32) -> Bitboard {
        self.captures[usize::from(kind)][from as usize][index(moves)]
    }

    /// Returns the squares on which a man can capture when he must be of the kind and on the square of `then` within
    /// `moves` moves.
    pub(super) fn captures_on_way(&self, (kind, from): Man, then: Man, moves: i32) -> Bitboard {
        let (is, to) = then;
        let Some(whole) = form(kind, is) else { return Bitboard::EMPTY };
        let mut squares = self.through(kind.into(), whole, from, to, moves);
        if kind != is {
            squares |= self.through(whole, is.into(), from, to, moves);
        }
        squares
    }

    /// Returns the squares on which a man captures as the one form, and from which he goes on as the other. The
    /// captures before and after are limited each by themselves, which says too much, never too little.
    fn through(&self, arrives: Form, then: Form, from: Square, to: Square, moves: i32) -> Bitboard {
        let (arrives, sources) = (&self.arrives[arrives][from as usize], &self.sources[then][to as usize]);
        (1..=LAST)
            .zip(1..=moves)
            .fold(Bitboard::EMPTY, |all, (at, way)| all | (arrives[at] & sources[index(moves - way)]))
    }
}

/// How far one man gets from where he stands before the search.
pub(super) struct Reach {
    /// By what he is then: his distances, and the squares within each number of moves.
    pub ways: ArrayVec<(Kind, &'static Row, &'static Steps), 5>,
    /// His distances as anything.
    pub nearest: Row,
}

impl Reach {
    /// Looks at a man.
    pub(super) fn of(ways: &'static Ways, (kind, from): Man) -> Reach {
        let mut reach = Reach { ways: ArrayVec::new(), nearest: [NEVER; 64] };
        for (is, form) in becomes(kind) {
            let row = &ways.rows[form][from as usize];
            reach.nearest.iter_mut().zip(row).for_each(|(nearest, &moves)| *nearest = (*nearest).min(moves));
            reach.ways.push((is, row, ways.geometry.within(form, from)));
        }
        reach
    }
}

/// Returns the squares of a list within `moves` moves.
#[inline]
pub(super) fn within(steps: &Steps, moves: i32) -> Bitboard {
    if moves < 0 { Bitboard::EMPTY } else { steps[index(moves)] }
}

#[cfg(test)]
mod tests {
    use super::super::super::geometry::{BISHOP, BLACK_PAWN, QUEEN, ROOK};
    use super::*;

    const PAWN: Kind = BLACK_PAWN + 1;

    #[test]
    fn a_pawn_needs_captures_for_other_files() {
        let ways = |most| Ways::with_captures(most).distance((PAWN, Square::A5), (QUEEN, Square::A1));
        assert_eq!([ways(0), ways(1), ways(6)], [4, 4, 4]);
        let file = |most| Ways::with_captures(most).distance((PAWN, Square::A5), (PAWN, Square::C7));
        assert_eq!([file(0), file(1), file(2)], [NEVER, NEVER, 2]);
        let bishop = |most| Ways::with_captures(most).distance((PAWN, Square::A7), (BISHOP, Square::H8));
        assert_eq!([bishop(0), bishop(1)], [NEVER, 3]);
    }

    #[test]
    fn a_pawn_captures_beside_his_way_only() {
        let ways = Ways::with_captures(1);
        let squares = |list: &[Square]| list.iter().copied().collect::<Bitboard>();
        assert_eq!(
            ways.captures((PAWN, Square::A4), 2),
            squares(&[Square::B5, Square::B6]),
            "one step, then a capture, or at once"
        );
        assert_eq!(ways.captures_on_way((PAWN, Square::A4), (PAWN, Square::B6), 2), squares(&[Square::B5, Square::B6]));
        assert_eq!(ways.captures_on_way((PAWN, Square::A4), (PAWN, Square::A5), 1), Bitboard::EMPTY);
        let rook = ways.captures_on_way((ROOK, Square::A1), (ROOK, Square::A3), 1);
        assert_eq!(rook, squares(&[Square::A3]));
    }
}
