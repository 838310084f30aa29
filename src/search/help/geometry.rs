//! Distances and covers on an empty board: what one man can do by himself, and in how many moves.
//!
//! An empty board only makes a man faster, so each distance here is a **lower bound** of the moves that he needs in a
//! game. A pawn captures whenever it helps him, steps twice from his second rank, and becomes a queen or a knight on the
//! last rank; the queen stands for rook and bishop too.
//!
//! A **picture** is a square `k` on which the king is to be mated. The eight neighbours of `k` are numbered, and a
//! [`Cover`] is a set of them, with one bit more for `k` itself. Lines run through `k`, because the king does not
//! shelter the squares behind him. Neighbours off the board count as covered by everybody.

use std::sync::LazyLock;

use shakmaty::{Bitboard, Color, Role, Square, attacks};

/// A set of neighbours of a square (bits 0 to 7), and the square itself ([`CENTRE`]).
pub(super) type Cover = u16;

/// The bit of the square in the middle.
pub(super) const CENTRE: Cover = 1 << 8;

/// The bits of the eight neighbours.
pub(super) const NEIGHBOURS: Cover = CENTRE - 1;

/// More moves than any question has.
pub(super) const FAR: u8 = 99;

/// The kinds of men that move differently: the five pieces, and the pawns of each colour.
pub(super) const KIND_COUNT: usize = 7;

/// A kind of men, below [`KIND_COUNT`].
pub(super) type Kind = u8;

pub(super) const KING: Kind = 0;
pub(super) const QUEEN: Kind = 1;
pub(super) const ROOK: Kind = 2;
pub(super) const BISHOP: Kind = 3;
pub(super) const KNIGHT: Kind = 4;
const BLACK_PAWN: Kind = 5;

/// Returns the kind of a man.
pub(super) fn kind(color: Color, role: Role) -> Kind {
    match role {
        Role::King => KING,
        Role::Queen => QUEEN,
        Role::Rook => ROOK,
        Role::Bishop => BISHOP,
        Role::Knight => KNIGHT,
        Role::Pawn => BLACK_PAWN + color as Kind,
    }
}

/// Returns whether this is a kind of pawns.
pub(super) fn is_pawn(kind: Kind) -> bool {
    kind >= BLACK_PAWN
}

/// Returns whether this kind moves along lines.
pub(super) fn is_line_piece(kind: Kind) -> bool {
    matches!(kind, QUEEN | ROOK | BISHOP)
}

/// Returns the squares that a man of this kind attacks on an empty board.
pub(super) fn reach(kind: Kind, from: Square) -> Bitboard {
    match kind {
        KING => attacks::king_attacks(from),
        QUEEN => attacks::queen_attacks(from, Bitboard::EMPTY),
        ROOK => attacks::rook_attacks(from, Bitboard::EMPTY),
        BISHOP => attacks::bishop_attacks(from, Bitboard::EMPTY),
        KNIGHT => attacks::knight_attacks(from),
        BLACK_PAWN => attacks::pawn_attacks(Color::Black, from),
        _ => attacks::pawn_attacks(Color::White, from),
    }
}

type Distances = [[u8; 64]; 64];

/// The distances of all kinds, and those of pawns that have become queens or knights.
pub(super) struct Geometry {
    /// By kind, origin and target, for a man that stays what he is.
    same: Vec<Distances>,
    /// By colour of the pawn: to a square as a queen.
    as_queen: [Distances; 2],
    /// By colour of the pawn: to a square as a knight.
    as_knight: [Distances; 2],
    /// By kind: to a square as whatever he becomes.
    any: Vec<Distances>,
    /// By square: its neighbours' numbers are the places in this list; those off the board are `None`.
    around: [[Option<Square>; 8]; 64],
}

/// The eight steps of a king, in the order of the bits of a [`Cover`].
const STEPS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

static GEOMETRY: LazyLock<Box<Geometry>> = LazyLock::new(Geometry::make);

impl Geometry {
    /// Returns the tables, which are made once.
    pub(super) fn get() -> &'static Geometry {
        &GEOMETRY
    }

    fn make() -> Box<Geometry> {
        let far = [[FAR; 64]; 64];
        let mut tables = Box::new(Geometry {
            same: vec![far; KIND_COUNT],
            as_queen: [far; 2],
            as_knight: [far; 2],
            any: vec![far; KIND_COUNT],
            around: [[None; 8]; 64],
        });
        for kind in KING..BLACK_PAWN {
            for from in Square::ALL {
                tables.same[usize::from(kind)][from as usize] = steps(kind, from);
            }
        }
        for color in Color::ALL {
            tables.add_pawns(color);
        }
        for square in Square::ALL {
            tables.around[square as usize] = STEPS.map(|(file, rank)| {
                let (file, rank) = (square.file() as i32 + file, square.rank() as i32 + rank);
                let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
                on_board.then(|| Square::new((8 * rank + file).cast_unsigned()))
            });
        }
        for kind in KING..BLACK_PAWN {
            tables.any[usize::from(kind)] = tables.same[usize::from(kind)];
        }
        tables
    }

    fn add_pawns(&mut self, color: Color) {
        let index = color as usize;
        let pawn = usize::from(kind(color, Role::Pawn));
        for from in Square::ALL {
            for to in Square::ALL {
                let steps = pawn_steps(color, from, to);
                if steps >= FAR {
                    continue;
                }
                if advance(color, to) < 7 {
                    self.same[pawn][from as usize][to as usize] = steps;
                    continue;
                }
                for then in Square::ALL {
                    for (list, officer) in [(&mut self.as_queen, QUEEN), (&mut self.as_knight, KNIGHT)] {
                        let best = &mut list[index][from as usize][then as usize];
                        *best = (*best).min(steps + self.same[usize::from(officer)][to as usize][then as usize]);
                    }
                }
            }
            for to in 0..64 {
                let as_officer = self.as_queen[index][from as usize][to].min(self.as_knight[index][from as usize][to]);
                self.any[pawn][from as usize][to] = as_officer.min(self.same[pawn][from as usize][to]);
            }
        }
    }

    /// Returns the least number of moves in which a man gets to a square, as whatever he becomes; [`FAR`] if he cannot.
    #[inline]
    pub(super) fn moves(&self, kind: Kind, from: Square, to: Square) -> u8 {
        self.any[usize::from(kind)][from as usize][to as usize]
    }

    /// Returns the least number of moves in which a man gets to a square and is of kind `as_kind` there.
    #[inline]
    pub(super) fn moves_as(&self, kind: Kind, from: Square, as_kind: Kind, to: Square) -> u8 {
        let (from, to) = (from as usize, to as usize);
        match as_kind {
            _ if as_kind == kind => self.same[usize::from(kind)][from][to],
            QUEEN if is_pawn(kind) => self.as_queen[usize::from(kind - BLACK_PAWN)][from][to],
            KNIGHT if is_pawn(kind) => self.as_knight[usize::from(kind - BLACK_PAWN)][from][to],
            _ => FAR,
        }
    }

    /// Returns what a man of this kind can be at the end: itself, and for a pawn also a queen or a knight.
    pub(super) fn becomes(kind: Kind) -> &'static [Kind] {
        match kind {
            KING => &[KING],
            QUEEN => &[QUEEN],
            ROOK => &[ROOK],
            BISHOP => &[BISHOP],
            KNIGHT => &[KNIGHT],
            BLACK_PAWN => &[BLACK_PAWN, QUEEN, KNIGHT],
            _ => &[BLACK_PAWN + 1, QUEEN, KNIGHT],
        }
    }

    /// Returns the neighbours of a square, in the order of the bits of a [`Cover`].
    pub(super) fn around(&self, square: Square) -> &[Option<Square>; 8] {
        &self.around[square as usize]
    }

    /// Returns the bit of `square` among the neighbours of `centre`; 0 if it is none.
    pub(super) fn bit(&self, centre: Square, square: Square) -> Cover {
        self.around(centre).iter().position(|&near| near == Some(square)).map_or(0, |at| 1 << at)
    }

    /// Returns the neighbours of a square that are off the board.
    pub(super) fn off_board(&self, centre: Square) -> Cover {
        self.around(centre).iter().enumerate().filter(|(_, near)| near.is_none()).fold(0, |set, (at, _)| set | 1 << at)
    }

    /// Returns which neighbours of `centre`, and whether `centre` itself, a man attacks from `from` on an empty board.
    pub(super) fn cover(&self, kind: Kind, from: Square, centre: Square) -> Cover {
        let reach = reach(kind, from);
        let near = self.around(centre).iter().enumerate();
        let cover = near
            .filter(|(_, near)| near.is_some_and(|near| reach.contains(near)))
            .fold(0, |set, (at, _)| set | 1 << at);
        if reach.contains(centre) { cover | CENTRE } else { cover }
    }
}

/// Returns the number of moves of an officer to each square of an empty board.
fn steps(kind: Kind, from: Square) -> [u8; 64] {
    let mut steps = [FAR; 64];
    steps[from as usize] = 0;
    let mut edge = Bitboard::from(from);
    let mut count = 0;
    while edge.any() {
        count += 1;
        let mut next = Bitboard::EMPTY;
        for square in edge {
            for to in reach(kind, square) {
                if steps[to as usize] == FAR {
                    steps[to as usize] = count;
                    next.add(to);
                }
            }
        }
        edge = next;
    }
    steps
}

/// Returns how many ranks a pawn of this colour on `square` has from its first rank.
fn advance(color: Color, square: Square) -> i32 {
    if color.is_white() { square.rank() as i32 } else { 7 - square.rank() as i32 }
}

/// Returns the number of moves of a pawn to a square, captures free; [`FAR`] if it cannot get there.
fn pawn_steps(color: Color, from: Square, to: Square) -> u8 {
    let forward = advance(color, to) - advance(color, from);
    let aside = (to.file() as i32 - from.file() as i32).abs();
    let steps = match forward {
        0 if aside == 0 => 0,
        2.. if advance(color, from) <= 1 && aside <= forward - 2 => forward - 1,
        1.. if aside <= forward => forward,
        _ => return FAR,
    };
    u8::try_from(steps).unwrap_or(FAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_an_empty_board() {
        let tables = Geometry::get();
        assert_eq!(tables.moves(KNIGHT, Square::A1, Square::B2), 4);
        assert_eq!(tables.moves(BISHOP, Square::A1, Square::A2), FAR);
        let pawn = kind(Color::White, Role::Pawn);
        assert_eq!(tables.moves(pawn, Square::E2, Square::E4), 1);
        assert_eq!(tables.moves(pawn, Square::E2, Square::F4), 2);
        assert_eq!(tables.moves_as(pawn, Square::A7, QUEEN, Square::H8), 2);
        assert_eq!(tables.moves_as(pawn, Square::A7, KNIGHT, Square::C7), 2);
        assert_eq!(tables.moves(kind(Color::Black, Role::Pawn), Square::E2, Square::E4), 2);
    }

    #[test]
    fn covers_run_through_the_king() {
        let tables = Geometry::get();
        let cover = tables.cover(ROOK, Square::A4, Square::D4);
        let squares = [Square::C4, Square::E4].map(|square| tables.bit(Square::D4, square));
        assert_eq!(cover, squares[0] | squares[1] | CENTRE);
        assert_eq!(tables.off_board(Square::A1).count_ones(), 5);
    }
}
