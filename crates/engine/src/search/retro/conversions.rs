//! Captures and promotions: the moves that lead from one table to another one. Captures en passant are in
//! [`super::en_passant`].
//!
//! The tables of the classes after a conversion are built first, so the values of all conversions are known before a
//! table is built. A [`Link`] says how the men of a class go on in the class after a conversion.

use std::sync::Arc;

use shakmaty::{Bitboard, Rank, Role, Square, attacks};

use crate::chess::{NodeKind, Side};

use super::frame::{Frame, color};
use super::layout::{Layout, MAX_MEN, PositionRow, Squares, TableMan};
use super::material::{Material, PROMOTIONS};
use super::table::{ClassTable, ILLEGAL, LONGEST, NO_MATE};

/// The table of a class after a conversion, and where its men come from.
#[derive(Debug)]
struct Link {
    table: Arc<ClassTable>,
    /// By man of that table: the index of the same man before the conversion.
    origin: [usize; MAX_MEN],
}

impl Link {
    /// Returns the byte of the position after a conversion. `squares` are the squares of the men before it, except that
    /// the moved man has moved.
    #[inline]
    fn byte(&self, to_move: NodeKind, squares: Squares) -> u8 {
        self.table.byte(to_move, self.origin.map(|man| squares[man]))
    }

    /// Returns the row of the positions after a conversion that differ only in the square of a man, given by its index
    /// before the conversion. The man is neither the anchor nor a pawn.
    #[inline]
    fn row(&self, squares: Squares, man: usize) -> PositionRow {
        let at = self.origin.iter().position(|&origin| origin == man).unwrap_or_default();
        self.table.layout.row(self.origin.map(|man| squares[man]), at)
    }
}

/// A conversion, apart from its squares: which man is captured, and which pawn becomes what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Change {
    captured: Option<usize>,
    promoted: Option<(usize, Role)>,
}

/// The number of possible values of [`Change::promoted`].
const PROMOTION_SLOTS: usize = 1 + MAX_MEN * PROMOTIONS.len();

impl Change {
    #[inline]
    fn slot(self) -> usize {
        let captured = self.captured.map_or(0, |man| man + 1);
        // Knight, bishop, rook and queen have the numbers 2 to 5.
        let promoted = self.promoted.map_or(0, |(pawn, role)| 1 + PROMOTIONS.len() * pawn + role as usize - 2);
        PROMOTION_SLOTS * captured + promoted
    }
}

/// The conversions of one class.
#[derive(Debug)]
pub(super) struct Conversions {
    /// By [`Change::slot`].
    links: Vec<Option<Link>>,
}

impl Conversions {
    /// Collects the conversions of a class. `table` returns the table of a class that comes after it.
    pub fn new(layout: &Layout, table: impl Fn(Material) -> Option<Arc<ClassTable>>) -> Conversions {
        let mut links = Vec::new();
        links.resize_with(PROMOTION_SLOTS * (MAX_MEN + 1), || None);
        let men = layout.men();
        let captures = (0..men.len()).filter(|&man| men[man].role != Role::King).map(Some).chain([None]);
        for captured in captures {
            let pawns = (0..men.len()).filter(|&man| men[man].role == Role::Pawn);
            let promotions = pawns.flat_map(|pawn| PROMOTIONS.map(|role| Some((pawn, role)))).chain([None]);
            for promoted in promotions {
                let change = Change { captured, promoted };
                links[change.slot()] = link(layout, change, &table);
            }
        }
        Conversions { links }
    }

    /// Computes the values of all captures and promotions of `side` from the positions of a frame in which the last man
    /// stands on one of the squares `legal`. `values` are the best values so far, by that square; they begin with no
    /// conversion.
    pub fn values(&self, frame: &Frame<'_>, side: Side, legal: Bitboard, values: &mut [u8; 64]) {
        let last = frame.layout.last();
        let other = side.other();
        for (man, role) in frame.men_of(side) {
            let from = frame.squares[man];
            for (victim, _) in frame.men_of(other).filter(|&(_, role)| role != Role::King) {
                let to = frame.squares[victim];
                if man == last {
                    for from in frame.attacks_from(man, to) & legal {
                        self.step(frame, from, man, to, Some(victim), values);
                    }
                } else if victim == last {
                    for to in frame.attacks_from(man, from) & legal {
                        self.step(frame, to, man, to, Some(victim), values);
                    }
                } else if frame.attacks_from(man, from).contains(to) {
                    self.step_row(frame, legal & !attacks::between(from, to), man, to, Some(victim), values);
                }
            }
            if role == Role::Pawn && from.rank() == color(side).fold_wb(Rank::Seventh, Rank::Second) {
                let to = ahead(side, from, 1);
                if !frame.occupied.contains(to) {
                    self.step_row(frame, legal.without(to), man, to, None, values);
                }
            }
        }
    }

    /// Adds the value of the move of one man to a square, with all promotions if it is a pawn on the last rank.
    #[inline]
    fn step(
        &self,
        frame: &Frame<'_>,
        last: Square,
        man: usize,
        to: Square,
        captured: Option<usize>,
        values: &mut [u8; 64],
    ) {
        let mover = frame.layout.men()[man];
        let value = &mut values[last as usize];
        let mut squares = frame.with_last(last);
        squares[man] = to;
        for promoted in promotions(mover, man, to) {
            // Most conversions of the defender escape, and then no other one matters.
            if *value != best_possible(mover.side)
                && let Some(link) = &self.links[Change { captured, promoted }.slot()]
            {
                *value = better(mover.side, *value, link.byte(NodeKind::from(mover.side.other()), squares));
            }
        }
    }

    /// Does the same as [`Conversions::step`] for several squares of the last man, which neither moves nor is captured.
    /// The positions after the conversion are a row of their table.
    fn step_row(
        &self,
        frame: &Frame<'_>,
        lasts: Bitboard,
        man: usize,
        to: Square,
        captured: Option<usize>,
        values: &mut [u8; 64],
    ) {
        let mover = frame.layout.men()[man];
        let mut squares = frame.squares;
        squares[man] = to;
        for promoted in promotions(mover, man, to) {
            let Some(link) = &self.links[Change { captured, promoted }.slot()] else { continue };
            let row = link.row(squares, frame.layout.last());
            for last in lasts {
                let value = &mut values[last as usize];
                if *value != best_possible(mover.side) {
                    let byte = link.table.byte_at(NodeKind::from(mover.side.other()), row.number(last));
                    *value = better(mover.side, *value, byte);
                }
            }
        }
    }
}

/// Returns what a man that goes to a square becomes: all promotions of a pawn on the last rank, otherwise only `None`.
#[inline]
fn promotions(mover: TableMan, man: usize, to: Square) -> impl Iterator<Item = Option<(usize, Role)>> {
    let promotes = mover.role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
    let roles = if promotes { &PROMOTIONS[..] } else { &[] };
    roles.iter().map(move |&role| Some((man, role))).chain((!promotes).then_some(None))
}

/// Returns the value at which no other conversion of a side matters.
#[inline]
fn best_possible(side: Side) -> u8 {
    if side == Side::Attacker { 1 } else { NO_MATE }
}

/// Returns the better of a value and that of a conversion of the side, which leads to a position with the byte `after`:
/// the shorter mate for the attacker, the longer one for the defender. A conversion that leaves the mover's king in
/// check has no value.
#[inline]
fn better(side: Side, value: u8, after: u8) -> u8 {
    match side {
        Side::Attacker if after < LONGEST => value.min(after + 1),
        Side::Defender if after != ILLEGAL => value.max(after),
        _ => value,
    }
}

/// Returns the square that lies this many ranks ahead of a pawn. The square must be on the board.
#[inline]
pub(super) fn ahead(side: Side, square: Square, ranks: i32) -> Square {
    let step = if side == Side::Attacker { 8 } else { -8 };
    square.offset(step * ranks).unwrap_or(square)
}

/// Returns the link for a change. `None` if the change is impossible.
fn link(layout: &Layout, change: Change, table: impl Fn(Material) -> Option<Arc<ClassTable>>) -> Option<Link> {
    if change.captured.is_some() && change.captured == change.promoted.map(|(pawn, _)| pawn) {
        return None;
    }
    // The men after the change, each with its index before it.
    let mut men = Vec::new();
    let mut material = Material::KINGS;
    for (index, man) in layout.men().iter().enumerate().filter(|(index, _)| change.captured != Some(*index)) {
        let mut man = *man;
        if let Some((pawn, role)) = change.promoted
            && pawn == index
        {
            man.role = role;
        }
        if man.role != Role::King {
            material = material.with(man.side, man.role);
        }
        men.push((man, index));
    }
    let table = table(material)?;
    let mut origin = [0; MAX_MEN];
    for (origin, wanted) in origin.iter_mut().zip(table.layout.men()) {
        let at = men.iter().position(|(man, _)| man == wanted)?;
        *origin = men.remove(at).1;
    }
    Some(Link { table, origin })
}
