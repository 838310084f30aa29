//! Lists the final pictures of mates: where the men of the mating side stand, and which squares are filled or empty.
//!
//! For each square of the king that is to be mated, one man of the mating side gives check, or two do, and each flight
//! is **guarded** or **blocked**: one of the placed men attacks it (if squares lie between, they join those that must
//! be empty), another man is placed where he attacks it, or a man of the king's own side stands there. One flight is
//! taken at a time. Men that nobody needs may be anywhere. The blockers are left open: the bound assigns distinct men
//! ([`super::blocks`]).
//!
//! Nothing is lost: of a mate, the branch of its checkers is taken, and for each flight that of a man who really guards
//! it, or of the man who stands there. A man who checks besides, because nothing can stand between, belongs to the
//! branch of the double checks. In a double check one line was opened with the last move, so it is longer than a step.
//!
//! The same routine asks whether there is any mate in the squares that each man can ever reach
//! ([`super::super::reach`]): then no man needs a move to his squares.

use std::ops::ControlFlow::{self, Continue};

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Square, attacks};

use super::super::geometry::{Geometry, KING, Kind, Row, is_line_piece};
use super::super::view::Man;
use super::men::DEFENDER_KING;

/// A kind that a man can be, the squares for it, and the moves that he needs.
pub(in super::super) type Way = (Kind, Bitboard, &'static Row);

/// The men who can be placed, and the moves there are.
pub(in super::super) struct Places {
    /// By number: the ways of each man. Of the side that is mated only the king's are used.
    pub ways: Vec<ArrayVec<Way, 5>>,
    /// The numbers of the men of the mating side, its king first.
    pub ours: Vec<usize>,
    /// The moves of the nearest man who can block a square, and the number of these men.
    pub nearest: Row,
    pub men: usize,
    /// The squares on which a man stands in the end, whatever is played, and those of them of the mating side.
    pub solid: Bitboard,
    pub our_solid: Bitboard,
    /// The moves of each side.
    pub attacker: i32,
    pub defender: i32,
}

/// The men placed so far.
#[derive(Debug, Clone)]
pub(in super::super) struct Mate {
    pub king: Square,
    /// The placed men of the mating side, by number.
    pub men: ArrayVec<(usize, Man), 10>,
    /// The only man who gives check; `None` in a double check.
    pub checker: Option<Square>,
    pub blocks: Bitboard,
    pub empty: Bitboard,
    squares: Bitboard,
    checkers: Bitboard,
    attacker: i32,
    defender: i32,
}

/// Visits all mates, and all branches on the way, with whether the mate is complete.
pub(in super::super) fn each<B>(
    places: &Places,
    visit: &mut impl FnMut(&Mate, bool) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (_, kings, row) = places.ways[DEFENDER_KING][0];
    for king in kings {
        let defender = places.defender - i32::from(row[king as usize]);
        let none = Bitboard::EMPTY;
        let mate = Mate {
            king,
            men: ArrayVec::new(),
            checker: None,
            blocks: none,
            empty: none,
            squares: none,
            checkers: none,
            attacker: places.attacker,
            defender,
        };
        places.check(&mate, visit)?;
    }
    Continue(())
}

impl Places {
    /// Places one man who gives check, and a second one.
    fn check<B>(&self, none: &Mate, visit: &mut impl FnMut(&Mate, bool) -> ControlFlow<B>) -> ControlFlow<B> {
        let men = &self.ours[1..];
        for (at, &first) in men.iter().enumerate() {
            self.place(none, first, none.king, true, &mut |one, line| {
                let alone = Mate { checker: one.men.first().map(|&(_, (_, from))| from), ..one.clone() };
                self.guard(&alone, visit)?;
                for &second in &men[at + 1..] {
                    self.place(one, second, none.king, true, &mut |both, other| {
                        if (line | other).any() { self.guard(both, visit) } else { Continue(()) }
                    })?;
                }
                Continue(())
            })?;
        }
        Continue(())
    }

    /// Places a man on each square from which he attacks a square, as a checker or not.
    fn place<B>(
        &self,
        mate: &Mate,
        number: usize,
        target: Square,
        checks: bool,
        then: &mut impl FnMut(&Mate, Bitboard) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let geometry = Geometry::get();
        let shut = mate.squares | mate.blocks | Bitboard::from(mate.king);
        for &(kind, places, row) in &self.ways[number] {
            let mut squares = places & geometry.sources(kind, target) & !(shut | mate.empty);
            if kind == KING {
                squares &= !attacks::king_attacks(mate.king);
            }
            for from in squares {
                let attacker = mate.attacker - i32::from(row[from as usize]);
                let line = attacks::between(from, target);
                if attacker < 0 || (line & (shut | self.solid)).any() {
                    continue;
                }
                let mut next = Mate { attacker, empty: mate.empty | line, ..mate.clone() };
                next.men.push((number, (kind, from)));
                next.squares.add(from);
                if checks {
                    next.checkers.add(from);
                }
                then(&next, line)?;
            }
        }
        Continue(())
    }

    /// Guards or blocks the first flight that is neither.
    fn guard<B>(&self, mate: &Mate, visit: &mut impl FnMut(&Mate, bool) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut guarded = Bitboard::EMPTY;
        for &(_, (kind, from)) in &mate.men {
            let attacked = sure_attacks((kind, from), mate.empty);
            if attacked.contains(mate.king) && !mate.checkers.contains(from) {
                return Continue(());
            }
            // The king does not hide the squares behind him.
            guarded |= if mate.checkers.contains(from) {
                sure_attacks((kind, from), mate.empty.with(mate.king))
            } else {
                attacked
            };
        }
        let Some(flight) = (attacks::king_attacks(mate.king) & !(mate.blocks | guarded)).first() else {
            return visit(mate, true);
        };
        visit(mate, false)?;
        let moves = i32::from(self.nearest[flight as usize]);
        let never = mate.squares | mate.empty | self.our_solid;
        if !never.contains(flight) && moves <= mate.defender && mate.blocks.count() < self.men {
            let (blocks, defender) = (mate.blocks.with(flight), mate.defender - moves);
            self.guard(&Mate { blocks, defender, ..mate.clone() }, visit)?;
        }
        for &(_, (kind, from)) in mate.men.iter().filter(|(_, (kind, _))| is_line_piece(*kind)) {
            let line = attacks::between(from, flight);
            let shut = mate.squares | mate.blocks | self.solid | Bitboard::from(mate.king);
            if line.any() && (line & shut).is_empty() && Geometry::get().reach(kind, from).contains(flight) {
                self.guard(&Mate { empty: mate.empty | line, ..mate.clone() }, visit)?;
            }
        }
        for &number in self.ours.iter().filter(|&&number| mate.men.iter().all(|man| man.0 != number)) {
            self.place(mate, number, flight, false, &mut |next, _| self.guard(next, visit))?;
        }
        Continue(())
    }
}

/// Returns the squares that a man attacks, whatever stands on squares other than these empty ones.
pub(super) fn sure_attacks((kind, from): Man, empty: Bitboard) -> Bitboard {
    if is_line_piece(kind) { super::needs::attacked((kind, from), !empty) } else { Geometry::get().reach(kind, from) }
}
