//! Lists the final pictures of stalemates, second part: where the men of the mating side must stand.
//!
//! When all men of the other side are placed, the position may still **need** something: a man in front of a pawn, a
//! line piece behind a man who is to be pinned (also a pawn who could capture), a guard of each open neighbour of the
//! king, somebody on the line on which a man who was placed would give check. One need is taken at a time, and each man
//! who is not placed yet is tried in each place where he meets it. Men that nobody needs may be anywhere.
//!
//! Nothing is lost: a need that is not met by the men placed so far is met in the end by one who is not placed yet,
//! because more men never make a line longer.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Square, attacks};

use super::super::geometry::{
    BISHOP, Geometry, KING, Kind, QUEEN, ROOK, ahead, behind, is_line_piece, is_pawn, line_piece,
};
use super::super::view::{MEN, Man, hits};
use super::FREE;
use super::listing::{Centre, Listing, Placed, Unlisted};
use super::men::{numbers, within};

/// The men of the mating side that are placed.
#[derive(Debug, Clone)]
struct Ours {
    men: ArrayVec<Man, MEN>,
    squares: Bitboard,
    left: u32,
    moves: i32,
}

/// A demand that a position does not meet yet.
enum Need {
    /// Somebody on one of these squares.
    Fill(Bitboard),
    /// A line piece of the kind or a queen, first on the line.
    Pin(Kind, Bitboard),
    /// A man who attacks the square.
    Guard(Square),
    /// A demand that no man can meet.
    Never,
}

/// Returns the squares that a man attacks among these men.
pub(super) fn attacked((kind, from): Man, occupied: Bitboard) -> Bitboard {
    match kind {
        QUEEN => attacks::queen_attacks(from, occupied),
        ROOK => attacks::rook_attacks(from, occupied),
        BISHOP => attacks::bishop_attacks(from, occupied),
        _ => Geometry::get().reach(kind, from),
    }
}

impl Listing<'_, '_> {
    /// Places the men of the mating side, when all others are placed.
    pub(super) fn guard(&mut self, centre: &Centre, placed: &Placed) -> Result<(), Unlisted> {
        for number in numbers(self.situation.men.alive & !self.situation.men.attackers) {
            let man = self.goals[number];
            // A man who has no move anyway is listed as not pinned.
            if man.0 < FREE && placed.pinned.contains(man.1) && (self.exits(man) & !placed.theirs).is_empty() {
                return Ok(());
            }
        }
        let men = self.situation.men;
        let ours = Ours {
            men: ArrayVec::new(),
            squares: Bitboard::EMPTY,
            left: men.attackers & men.alive,
            moves: self.situation.left.attacker.into(),
        };
        self.meet(centre, placed, &ours)
    }

    fn meet(&mut self, centre: &Centre, placed: &Placed, ours: &Ours) -> Result<(), Unlisted> {
        self.effort.step()?;
        let occupied = placed.theirs | ours.squares;
        let guarded = ours.men.iter().fold(Bitboard::EMPTY, |all, &man| all | attacked(man, occupied));
        let open = centre.near & !(placed.theirs | guarded);
        if self.situation.rules.needs && !centre.flights.can_guard(open, ours.moves) {
            return Ok(());
        }
        let Some(need) = self.need(centre, placed, ours, open) else { return self.add() };
        for number in numbers(ours.left) {
            for way in 0..self.men[number].ways.len() {
                let (kind, row, steps) = self.men[number].ways[way];
                let mut squares = match need {
                    Need::Fill(squares) => squares,
                    Need::Pin(line, squares) if kind == line || kind == QUEEN => squares,
                    Need::Pin(..) | Need::Never => Bitboard::EMPTY,
                    Need::Guard(square) => seen_from(kind, square, occupied),
                };
                squares &= within(steps, ours.moves) & !occupied;
                if kind == KING {
                    squares &= !centre.near;
                }
                for square in squares {
                    let man = (kind, square);
                    if gives_check_beside(man, centre.king) {
                        continue;
                    }
                    let mut next = ours.clone();
                    next.men.push(man);
                    next.squares.add(square);
                    next.left &= !(1 << number);
                    next.moves -= i32::from(row[square as usize]);
                    self.goals[number] = man;
                    self.meet(centre, placed, &next)?;
                    self.goals[number] = (FREE, Square::A1);
                }
            }
        }
        Ok(())
    }

    /// Returns the squares that must be filled if a man is to have no move.
    fn exits(&self, man: Man) -> Bitboard {
        if is_pawn(man.0) { ahead(self.situation.men.color, man.1) } else { hits(man) }
    }

    /// Returns something that the position needs; `None` if it needs nothing. `open` are the neighbours of the king
    /// that are neither filled nor guarded.
    fn need(&self, centre: &Centre, placed: &Placed, ours: &Ours, open: Bitboard) -> Option<Need> {
        if let Some(square) = (placed.ours & !ours.squares).first() {
            return Some(Need::Fill(square.into()));
        }
        for square in placed.pinned {
            if let Some(need) = pin(centre.king, square, placed.theirs, ours) {
                return Some(need);
            }
        }
        for square in placed.pawns {
            let captures = attacks::pawn_attacks(!self.situation.men.color, square) & ours.squares;
            if captures.is_empty() {
                continue;
            }
            let ray = attacks::ray(centre.king, square);
            // Along the line of a pin, he captures all the same.
            if ray.is_empty() || (captures & ray).any() {
                return Some(Need::Never);
            }
            if let Some(need) = pin(centre.king, square, placed.theirs, ours) {
                return Some(need);
            }
        }
        let occupied = placed.theirs | ours.squares;
        let checks = |&&man: &&Man| is_line_piece(man.0) && attacked(man, occupied).contains(centre.king);
        if let Some(&(_, from)) = ours.men.iter().find(checks) {
            return Some(Need::Fill(attacks::between(from, centre.king)));
        }
        open.first().map(Need::Guard)
    }
}

/// Returns what a man needs to be pinned on his square; `None` if he is.
fn pin(king: Square, square: Square, theirs: Bitboard, ours: &Ours) -> Option<Need> {
    let occupied = theirs | ours.squares;
    if (attacks::between(king, square) & occupied).any() {
        return Some(Need::Never);
    }
    let line = line_piece(king, square);
    let seen = behind(king, square) & attacks::queen_attacks(square, occupied);
    let pins = |&(kind, from): &Man| (kind == line || kind == QUEEN) && seen.contains(from);
    if ours.men.iter().any(pins) { None } else { Some(Need::Pin(line, seen & !occupied)) }
}

/// Returns the squares from which a man of this kind attacks a square among these men.
fn seen_from(kind: Kind, square: Square, occupied: Bitboard) -> Bitboard {
    if is_line_piece(kind) { attacked((kind, square), occupied) } else { Geometry::get().sources(kind, square) }
}

/// Returns whether a man gives a check that nobody can shut off.
fn gives_check_beside((kind, from): Man, centre: Square) -> bool {
    let is_close = !is_line_piece(kind) || attacks::king_attacks(from).contains(centre);
    is_close && Geometry::get().reach(kind, from).contains(centre)
}
