//! Distances on an empty board: what one man can do by himself, and in how many moves.
//!
//! An empty board only makes a man faster, so each distance here is a **lower bound** of the moves that he needs in a
//! game, castling apart. A pawn captures whenever it helps him, steps twice from his second rank, and promotes on the
//! last rank. Tables for a limited number of captures are made when they are asked for ([`Geometry::with_captures`]).
//!
//! Most tables are sets of squares for each number of moves, because the questions are about sets: which of the squares
//! around a king can be attacked in two moves, from which squares does a rook that has two moves give check? The last
//! set of each list ([`LAST`]) holds all that the man ever reaches, so it serves larger numbers of moves, too.

use std::sync::OnceLock;

use shakmaty::{Bitboard, Color, Role, Square, attacks};

/// The kinds of men that move differently: the five pieces, and the pawns of each colour.
pub(super) const KIND_COUNT: usize = 7;

/// A kind of men, below [`KIND_COUNT`].
pub(super) type Kind = u8;

pub(super) const KING: Kind = 0;
pub(super) const QUEEN: Kind = 1;
pub(super) const ROOK: Kind = 2;
pub(super) const BISHOP: Kind = 3;
pub(super) const KNIGHT: Kind = 4;
pub(super) const BLACK_PAWN: Kind = 5;

/// What a man becomes: his kind, or for pawns also "as a queen" and the other officers, of each colour.
pub(super) const FORM_COUNT: usize = KIND_COUNT + 8;

/// A man as what he has become, below [`FORM_COUNT`].
pub(super) type Form = usize;

/// The most captures that a pawn can make.
pub(super) const MOST_CAPTURES: usize = 6;

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
#[inline]
pub(super) fn is_pawn(kind: Kind) -> bool {
    kind >= BLACK_PAWN
}

/// Returns whether this kind moves along lines.
#[inline]
pub(super) fn is_line_piece(kind: Kind) -> bool {
    matches!(kind, QUEEN | ROOK | BISHOP)
}

/// Returns the form in which a man of a kind is a man of the other; `None` if he never is.
#[inline]
pub(super) fn form(kind: Kind, other: Kind) -> Option<Form> {
    match other {
        _ if kind == other => Some(kind.into()),
        QUEEN..=KNIGHT if is_pawn(kind) => {
            let first = [KIND_COUNT, KIND_COUNT + 4, KIND_COUNT + 6, KIND_COUNT + 2];
            Some(first[usize::from(other - QUEEN)] + usize::from(kind - BLACK_PAWN))
        }
        _ => None,
    }
}

/// Returns the forms in which a man can end, each with the kind that he then is. A queen stands for rook and bishop.
#[inline]
pub(super) fn forms(kind: Kind) -> &'static [(Form, Kind)] {
    const OFFICERS: [[(Form, Kind); 1]; 5] = [[(0, KING)], [(1, QUEEN)], [(2, ROOK)], [(3, BISHOP)], [(4, KNIGHT)]];
    const PAWNS: [[(Form, Kind); 3]; 2] =
        [[(5, BLACK_PAWN), (7, QUEEN), (9, KNIGHT)], [(6, BLACK_PAWN + 1), (8, QUEEN), (10, KNIGHT)]];
    match kind {
        0..BLACK_PAWN => &OFFICERS[usize::from(kind)],
        _ => &PAWNS[usize::from(kind - BLACK_PAWN)],
    }
}

/// Returns the kinds that a man can be in the end, each with the form.
#[inline]
pub(super) fn becomes(kind: Kind) -> impl Iterator<Item = (Kind, Form)> {
    (0..KIND_COUNT as Kind).filter_map(move |is| Some((is, form(kind, is)?)))
}

/// The last index of each list of sets.
pub(super) const LAST: usize = 8;

/// For each number of moves, a set of squares; the last set has no limit of moves.
pub(super) type Steps = [Bitboard; LAST + 1];

/// The distances of all men.
#[derive(Debug)]
pub(super) struct Geometry {
    reach: Vec<[Bitboard; 64]>,
    /// By form and origin: the squares where he can be, as this form.
    within: Vec<[Steps; 64]>,
    /// By kind and origin: the squares where he can be, as anything.
    anywhere: Vec<[Steps; 64]>,
    /// By kind and origin: the squares that he can attack, as anything.
    attacked: Vec<[Steps; 64]>,
    /// By form and target: the squares from which he can be there, as this form.
    origins: Vec<[Steps; 64]>,
    /// By form and origin: the moves that he needs to each square, as this form.
    rows: Vec<[Row; 64]>,
    /// By form and origin: the squares on which he can arrive with a capture, as this form.
    arrives: Vec<[Steps; 64]>,
}

/// A distance that no man ever makes.
pub(super) const NEVER: u8 = 100;

/// The distances from one man to all squares.
pub(super) type Row = [u8; 64];

static LIMITED: [OnceLock<Geometry>; MOST_CAPTURES + 1] = [const { OnceLock::new() }; MOST_CAPTURES + 1];

impl Geometry {
    /// Returns the tables, which are made once.
    #[inline]
    pub(super) fn get() -> &'static Geometry {
        Geometry::with_captures(MOST_CAPTURES)
    }

    /// Returns the tables in which a pawn captures at most this number of times.
    #[inline]
    pub(super) fn with_captures(most: usize) -> &'static Geometry {
        let most = most.min(MOST_CAPTURES);
        LIMITED[most].get_or_init(|| Geometry::make(most))
    }

    /// Makes the tables. `captures`: the most that a pawn makes.
    fn make(captures: usize) -> Geometry {
        let none = [Bitboard::EMPTY; LAST + 1];
        let mut tables = Geometry {
            reach: vec![[Bitboard::EMPTY; 64]; KIND_COUNT],
            within: vec![[none; 64]; FORM_COUNT],
            anywhere: vec![[none; 64]; KIND_COUNT],
            attacked: vec![[none; 64]; KIND_COUNT],
            origins: vec![[none; 64]; FORM_COUNT],
            rows: vec![[[NEVER; 64]; 64]; FORM_COUNT],
            arrives: vec![[none; 64]; FORM_COUNT],
        };
        for (kind, squares) in (0..).zip(&mut tables.reach) {
            *squares = Square::ALL.map(|from| reach(kind, from));
        }
        for from in Square::ALL {
            for kind in KING..BLACK_PAWN {
                let steps = tables.officer(kind, from);
                tables.within[usize::from(kind)][from as usize] = steps;
            }
        }
        for color in Color::ALL {
            tables.add_pawns(color, captures);
        }
        for kind in 0..KIND_COUNT as Kind {
            for from in Square::ALL {
                tables.add_union(kind, from);
                becomes(kind).for_each(|(is, form)| tables.add_ways((kind, from), is, form, captures));
            }
        }
        tables
    }

    /// Returns the squares that an officer reaches.
    fn officer(&self, kind: Kind, from: Square) -> Steps {
        let mut steps = [Bitboard::from(from); LAST + 1];
        let mut edge = Bitboard::from(from);
        for at in 1..=LAST {
            let next = edge.into_iter().fold(Bitboard::EMPTY, |all, square| all | self.reach(kind, square));
            edge = next & !steps[at - 1];
            steps[at] = steps[at - 1] | edge;
        }
        steps
    }

    /// Adds the pawns of a colour, from the last rank backwards, so that the squares in front of each are known.
    fn add_pawns(&mut self, color: Color, captures: usize) {
        let fewer = captures.checked_sub(1).map(Geometry::with_captures);
        let own = usize::from(kind(color, Role::Pawn));
        for ahead in (0..7).rev() {
            for file in 0..8 {
                let rank = color.fold_wb(ahead, 7 - ahead);
                let from = Square::new(8 * rank + file);
                self.within[own][from as usize] = [Bitboard::from(from); LAST + 1];
                let forward = color.fold_wb(8, -8);
                let step = from.offset(forward);
                let double = step.and_then(|step| step.offset(forward)).filter(|_| ahead == 1);
                for to in step.into_iter().chain(double) {
                    self.add_pawn_step(color, from, to, None);
                }
                let diagonal = if captures == 0 { Bitboard::EMPTY } else { attacks::pawn_attacks(color, from) };
                for to in diagonal {
                    self.add_pawn_step(color, from, to, fewer);
                }
            }
        }
    }

    /// Adds a step of a pawn. `then`: the tables that hold after it, if others than these.
    fn add_pawn_step(&mut self, color: Color, from: Square, to: Square, then: Option<&Geometry>) {
        let own = kind(color, Role::Pawn);
        let is_last = Bitboard::BACKRANKS.contains(to);
        for becomes in [own, QUEEN, ROOK, BISHOP, KNIGHT].into_iter().skip(usize::from(is_last)) {
            let Some(form) = form(own, becomes) else { continue };
            let after = if is_last { usize::from(becomes) } else { form };
            // The last set holds everything, so it also follows from the last set.
            for at in 1..=LAST {
                let within = then.map_or(&self.within, |then| &then.within);
                let after = within[after][to as usize][if at == LAST { LAST } else { at - 1 }];
                self.within[form][from as usize][at] |= after;
            }
        }
    }

    fn add_union(&mut self, kind: Kind, from: Square) {
        let mut attacked = [Bitboard::EMPTY; LAST + 1];
        let mut anywhere = [Bitboard::EMPTY; LAST + 1];
        for &(form, is) in forms(kind) {
            let (mut all, mut seen) = (Bitboard::EMPTY, Bitboard::EMPTY);
            for (at, &squares) in self.within[form][from as usize].iter().enumerate() {
                all = (squares & !seen).into_iter().fold(all, |all, square| all | self.reach(is, square));
                seen = squares;
                attacked[at] |= all;
                anywhere[at] |= squares;
            }
        }
        self.attacked[usize::from(kind)][from as usize] = attacked;
        self.anywhere[usize::from(kind)][from as usize] = anywhere;
    }

    /// Adds the ways of a man to the squares where he is of the kind `is`.
    fn add_ways(&mut self, (kind, from): (Kind, Square), is: Kind, form: Form, captures: usize) {
        let steps = self.within[form][from as usize];
        let mut seen = Bitboard::EMPTY;
        for (moves, &squares) in steps.iter().enumerate() {
            for to in squares & !seen {
                self.rows[form][from as usize][to as usize] = moves as u8;
                self.origins[form][to as usize][moves..].iter_mut().for_each(|origins| origins.add(from));
            }
            seen = squares;
        }
        let fewer = captures.checked_sub(1).filter(|_| is_pawn(kind)).map(Geometry::with_captures);
        let spread = |kind, squares: Bitboard| {
            squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | self.reach(kind, square))
        };
        let mut arrives = [Bitboard::EMPTY; LAST + 1];
        for (at, arrives) in arrives.iter_mut().enumerate().skip(1) {
            // The last set holds everything.
            let before = if at == LAST { LAST } else { at - 1 };
            if !is_pawn(is) {
                *arrives = spread(is, steps[before]);
            }
            if let Some(fewer) = fewer {
                let captures = spread(kind, fewer.within(kind.into(), from)[before]);
                let last = captures & Bitboard::BACKRANKS;
                *arrives |= if is_pawn(is) { captures & !last } else { last };
            }
        }
        self.arrives[form][from as usize] = arrives;
    }

    /// Returns the squares that a man of this kind attacks on an empty board.
    #[inline]
    pub(super) fn reach(&self, kind: Kind, from: Square) -> Bitboard {
        self.reach[usize::from(kind)][from as usize]
    }

    /// Returns the squares from which a man of this kind attacks `to` on an empty board.
    #[inline]
    pub(super) fn sources(&self, kind: Kind, to: Square) -> Bitboard {
        // A pawn attacks from where a pawn of the other colour on the square would attack.
        let kind = if is_pawn(kind) { 2 * BLACK_PAWN + 1 - kind } else { kind };
        self.reach[usize::from(kind)][to as usize]
    }

    /// Returns the squares where a man can be in one of his [`forms`], by the number of moves.
    #[inline]
    pub(super) fn within(&self, form: Form, from: Square) -> &Steps {
        &self.within[form][from as usize]
    }

    /// Returns the squares where a man can be as anything, by the number of moves.
    #[inline]
    pub(super) fn anywhere(&self, kind: Kind, from: Square) -> &Steps {
        &self.anywhere[usize::from(kind)][from as usize]
    }

    /// Returns the squares from which a man can be on `to` within `moves` moves, as anything.
    #[inline]
    pub(super) fn origins(&self, kind: Kind, to: Square, moves: i32) -> Bitboard {
        let origins = |all, &(form, _): &(Form, Kind)| all | self.origins[form][to as usize][index(moves)];
        forms(kind).iter().fold(Bitboard::EMPTY, origins)
    }

    /// Returns the moves that a man needs to each square in one of his forms; [`NEVER`] if he never is there.
    #[inline]
    pub(super) fn row(&self, form: Form, from: Square) -> &Row {
        &self.rows[form][from as usize]
    }

    /// Returns the moves that a man needs to be of this kind on this square; [`NEVER`] if he never is.
    #[inline]
    pub(super) fn distance(&self, (kind, from): (Kind, Square), (is, to): (Kind, Square)) -> u8 {
        form(kind, is).map_or(NEVER, |form| self.row(form, from)[to as usize])
    }

    /// Returns the squares on which a man can capture within `moves` moves. A pawn may capture once more than on his
    /// other ways.
    #[inline]
    pub(super) fn captures(&self, (kind, from): (Kind, Square), moves: i32) -> Bitboard {
        if moves > 0 { self.attacked(kind, from)[index(moves - 1)] } else { Bitboard::EMPTY }
    }

    /// Returns the squares on which a man can capture when he must be of the kind and on the square of `then` within
    /// `moves` moves.
    pub(super) fn captures_on_way(&self, (kind, from): (Kind, Square), then: (Kind, Square), moves: i32) -> Bitboard {
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
        let (arrives, origins) = (&self.arrives[arrives][from as usize], &self.origins[then][to as usize]);
        (1..=LAST)
            .zip(1..=moves)
            .fold(Bitboard::EMPTY, |all, (at, way)| all | (arrives[at] & origins[index(moves - way)]))
    }

    /// Returns the squares that a man can attack, as anything, by the number of moves.
    #[inline]
    pub(super) fn attacked(&self, kind: Kind, from: Square) -> &Steps {
        &self.attacked[usize::from(kind)][from as usize]
    }
}

/// Returns the index for a number of moves.
#[inline]
pub(super) fn index(moves: i32) -> usize {
    (moves.max(0).cast_unsigned() as usize).min(LAST)
}

/// Returns the number of squares.
#[inline]
pub(super) fn number(squares: Bitboard) -> i32 {
    squares.0.count_ones().cast_signed()
}

/// Returns the least number of moves until a square is in the sets; `None` if it never is.
#[inline]
pub(super) fn first(steps: &Steps, square: Square) -> Option<i32> {
    (0..).zip(steps).find(|(_, squares)| squares.contains(square)).map(|(at, _)| at)
}

/// Returns the square in front of a pawn, as a set. `color` is the other side's.
#[inline]
pub(super) fn ahead(color: Color, square: Square) -> Bitboard {
    square.offset(color.fold_wb(-8, 8)).map_or(Bitboard::EMPTY, Bitboard::from)
}

/// Returns the squares of a line that a man on `square` hides from the king.
#[inline]
pub(super) fn behind(king: Square, square: Square) -> Bitboard {
    let ray = attacks::ray(king, square);
    if ray.is_empty() {
        return ray;
    }
    let seen = attacks::queen_attacks(king, Bitboard::from(square));
    ray & attacks::queen_attacks(square, Bitboard::from(king)) & !seen.with(king)
}

/// Returns the line piece besides the queen that moves between two squares of a line.
#[inline]
pub(super) fn line_piece(one: Square, other: Square) -> Kind {
    if one.file() == other.file() || one.rank() == other.rank() { ROOK } else { BISHOP }
}

/// Returns whether a pinned man can move along the line of the pin. A pawn on a file can, unless somebody stands in
/// front of him.
pub(super) fn moves_along((man, square): (Kind, Square), king: Square) -> bool {
    match man {
        KNIGHT => false,
        QUEEN => true,
        ROOK | BISHOP => man == line_piece(king, square),
        _ => king.file() == square.file(),
    }
}

fn reach(kind: Kind, from: Square) -> Bitboard {
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

#[cfg(test)]
mod tests {
    use shakmaty::Rank;

    use super::*;

    #[test]
    fn distances_are_those_of_an_empty_board() {
        let tables = Geometry::get();
        let moves = |kind, from, to| first(tables.anywhere(kind, from), to);
        assert_eq!(moves(KNIGHT, Square::A1, Square::B2), Some(4));
        assert_eq!(moves(BISHOP, Square::A1, Square::A2), None);
        let pawn = kind(Color::White, Role::Pawn);
        assert_eq!(moves(pawn, Square::E2, Square::E4), Some(1));
        assert_eq!(moves(pawn, Square::E2, Square::F4), Some(2));
        let as_kind = |wanted, to| {
            let &(form, _) = forms(pawn).iter().find(|&&(_, is)| is == wanted).unwrap();
            first(tables.within(form, Square::A7), to)
        };
        assert_eq!(as_kind(QUEEN, Square::H8), Some(2));
        assert_eq!(as_kind(KNIGHT, Square::C7), Some(2));
        assert_eq!(as_kind(pawn, Square::A8), None);
        assert_eq!(moves(kind(Color::Black, Role::Pawn), Square::E2, Square::E4), Some(2));
    }

    #[test]
    fn the_last_set_has_no_limit_of_moves() {
        let tables = Geometry::get();
        let pawn = kind(Color::White, Role::Pawn);
        let (knight, _) = forms(pawn)[2];
        assert_eq!(tables.within(knight, Square::A2)[LAST], Bitboard::FULL);
    }

    #[test]
    fn men_attack_from_their_sources() {
        let tables = Geometry::get();
        for kind in 0..KIND_COUNT as Kind {
            for (from, to) in [(Square::E4, Square::F5), (Square::E4, Square::D3), (Square::B1, Square::C3)] {
                assert_eq!(tables.reach(kind, from).contains(to), tables.sources(kind, to).contains(from), "{kind}");
            }
        }
    }

    const PAWN: Kind = BLACK_PAWN + 1;

    #[test]
    fn a_pawn_needs_captures_for_other_files() {
        let ways = |most| Geometry::with_captures(most).distance((PAWN, Square::A5), (QUEEN, Square::A1));
        assert_eq!([ways(0), ways(1), ways(6)], [4, 4, 4]);
        let file = |most| Geometry::with_captures(most).distance((PAWN, Square::A5), (PAWN, Square::C7));
        assert_eq!([file(0), file(1), file(2)], [NEVER, NEVER, 2]);
        let bishop = |most| Geometry::with_captures(most).distance((PAWN, Square::A7), (BISHOP, Square::H8));
        assert_eq!([bishop(0), bishop(1)], [NEVER, 3]);
    }

    #[test]
    fn a_pawn_captures_beside_his_way_only() {
        let ways = Geometry::with_captures(1);
        let squares = |list: &[Square]| list.iter().copied().collect::<Bitboard>();
        let either = ways.captures((PAWN, Square::A4), 2);
        assert!(
            squares(&[Square::B5, Square::B6]).is_subset(either) && (either & Bitboard::from(Rank::Seventh)).is_empty()
        );
        assert_eq!(ways.captures_on_way((PAWN, Square::A4), (PAWN, Square::B6), 2), squares(&[Square::B5, Square::B6]));
        assert_eq!(ways.captures_on_way((PAWN, Square::A4), (PAWN, Square::A5), 1), Bitboard::EMPTY);
        let rook = ways.captures_on_way((ROOK, Square::A1), (ROOK, Square::A3), 1);
        assert_eq!(rook, squares(&[Square::A3]));
    }
}
