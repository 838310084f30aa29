//! Makes positions of help play that have a solution by construction: an end is made, and half-moves are taken back.
//!
//! Random games end in few kinds of mates, and their last moves are mostly plain. Here the end comes first, and what is
//! taken back is chosen for being rare: promotions to every man, captures by pawns and en passant, castling, men who
//! come back to a square that they have left, men who are pinned at the end, double checks, checks on the way. A
//! half-move that was taken back is kept only if it is legal and leads to the position from which it was taken back.
//!
//! Only shakmaty is used here. White mates; [`Unplayed::flipped`] exchanges the colours.

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Move, Position as _, Rank, Role, Setup, Square, attacks};

use super::super::tests::Random;
use super::ends::{MEN, end, legal, man, pick, played, put, without_idle_men};
use crate::chess::{End, passed};

/// A line that reaches the goal.
#[derive(Debug, Clone)]
pub(super) struct Unplayed {
    /// The position before each half-move.
    pub positions: Vec<Chess>,
    pub moves: Vec<Move>,
    /// The position in which the goal is reached.
    pub end: Chess,
}

/// What is asked: who moves, and what the line ends with.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// The side of each half-move. White mates.
    pub sides: Vec<Color>,
    pub end: End,
}

impl Wanted {
    /// Returns whether the side that makes half-move `at` makes the next one too.
    fn goes_on(&self, at: usize) -> bool {
        self.sides.get(at + 1) == self.sides.get(at)
    }

    /// Makes an end and takes all half-moves back; `None` if it comes to a position where nothing can be taken back.
    /// `forced`: a position in which every move mates, and one of these moves, if the last half-move is compelled.
    /// `is_steered`: a man beside the mated king comes from a promotion.
    pub(super) fn unplayed(
        &self,
        random: &mut Random,
        forced: Option<(Chess, Move)>,
        is_steered: bool,
    ) -> Option<Unplayed> {
        let (end, known) = match forced {
            Some((before, m)) => (played(&before, m), Some((before, m))),
            None if is_steered || random.below(3) == 0 => (without_idle_men(&end(random, self.end, is_steered)?), None),
            None => (end(random, self.end, is_steered)?, None),
        };
        let mut taken = Taken::new(random, end.board());
        if is_steered {
            taken.steer(random, &end)?;
        }
        let (mut positions, mut moves): (Vec<Chess>, Vec<Move>) = known.into_iter().unzip();
        let most = self.sides.len() - positions.len();
        for at in (0..most).rev() {
            let after = positions.last().unwrap_or(&end).clone();
            let (before, m) = (0..12).find_map(|_| taken.back(random, &after, self.sides[at], self.goes_on(at)))?;
            taken.note(m);
            positions.push(before);
            moves.push(m);
        }
        positions.reverse();
        moves.reverse();
        Some(Unplayed { positions, moves, end })
    }
}

impl Unplayed {
    /// Returns the line with the colours exchanged.
    pub(super) fn flipped(&self) -> Unplayed {
        let flip = |chess: &Chess| {
            let mut setup = chess.to_setup(EnPassantMode::Legal);
            setup.mirror();
            legal(setup).expect("a mirrored position is legal")
        };
        let positions: Vec<Chess> = self.positions.iter().map(flip).collect();
        let mirrored = |(chess, m): (&Chess, &Move)| {
            let is_it = |it: &Move| {
                it.from() == m.from().map(Square::flip_vertical)
                    && it.to() == m.to().flip_vertical()
                    && it.promotion() == m.promotion()
            };
            chess.legal_moves().into_iter().find(is_it).expect("a mirrored move is legal")
        };
        let moves = positions.iter().zip(&self.moves).map(mirrored).collect();
        Unplayed { moves, end: flip(&self.end), positions }
    }
}

/// A half-move that could be taken back.
#[derive(Debug, Clone, Copy)]
struct Unmove {
    from: Square,
    to: Square,
    /// What moved.
    role: Role,
    promotion: bool,
    /// Whether a man was captured: always, never, or either.
    captures: Option<bool>,
    en_passant: bool,
    castling: bool,
}

/// The bookkeeping of taking back.
pub(super) struct Taken {
    /// For the man who stands on a square now: the squares where he will stand later.
    later: [Bitboard; 64],
    /// The man of each side who is taken back most often, by his square.
    focus: [Option<Square>; 2],
    /// Whether the man of Black comes from a promotion, if possible of a pawn who left the square of the end.
    is_steered: bool,
}

/// Chooses half-moves by what is rare in them.
type Rarity = fn(Unmove, later: &[Bitboard; 64]) -> bool;

/// What is rare, the rarest first.
const RARE: [Rarity; 7] = [
    |it, later| it.promotion && later[it.to as usize].contains(it.from),
    |it, _| it.promotion,
    |it, later| later[it.to as usize].contains(it.from),
    |it, _| it.en_passant || it.castling,
    |it, _| it.role != Role::King && Bitboard::BACKRANKS.contains(it.from),
    |it, _| it.role == Role::Pawn && it.captures == Some(true),
    |_, _| true,
];

/// What leads a man back to a pawn who promotes, best to one who left the square on which the man stands later.
const STEERED: [Rarity; 6] = [
    RARE[0],
    |it, later| !it.promotion && leads_to_last_rank(it) && (attacks::king_attacks(it.from) & later_of(it, later)).any(),
    RARE[1],
    |it, later| it.role == Role::Pawn && later[it.to as usize].contains(it.from),
    |it, _| leads_to_last_rank(it),
    RARE[6],
];

fn leads_to_last_rank(it: Unmove) -> bool {
    !matches!(it.role, Role::King | Role::Pawn) && it.from.rank() == Rank::First
}

/// The squares on which the man stands after the move that is taken back.
fn later_of(it: Unmove, later: &[Bitboard; 64]) -> Bitboard {
    later[it.to as usize].with(it.to)
}

impl Taken {
    pub(super) fn new(random: &mut Random, board: &Board) -> Taken {
        let focus = Color::ALL.map(|color| {
            let men: Vec<Square> = board.by_color(color).into_iter().collect();
            pick(random, &men).filter(|_| random.below(4) > 0)
        });
        Taken { later: [Bitboard::EMPTY; 64], focus, is_steered: false }
    }

    /// Steers a man of Black beside his king, who may come from a promotion; `None` if there is none. In a mate he is one
    /// who would refute the check as a pawn: so he has to leave, if he begins there.
    fn steer(&mut self, random: &mut Random, end: &Chess) -> Option<()> {
        let board = end.board();
        let king = board.king_of(Color::Black)?;
        let checks = end.checkers().into_iter().fold(end.checkers(), |all, from| all | attacks::between(king, from));
        let hits = |square: Square| {
            let ahead = square.offset(-8).map_or(Bitboard::EMPTY, Bitboard::from) & !end.checkers();
            (attacks::pawn_attacks(Color::Black, square) & end.checkers() | ahead & checks).any()
        };
        let men = board.black() & attacks::king_attacks(king) & !board.pawns() & !Bitboard::BACKRANKS;
        let highest = if random.below(3) > 0 { Rank::Second } else { Rank::Fourth };
        let is_low = |square: &Square| square.rank() <= highest;
        let men: Vec<Square> = men.into_iter().filter(is_low).filter(|&it| checks.is_empty() || hits(it)).collect();
        (self.focus[Color::Black as usize], self.is_steered) = (Some(pick(random, &men)?), true);
        Some(())
    }

    /// Notes a move that was taken back.
    fn note(&mut self, m: Move) {
        let (Some(from), to) = (m.from(), m.to()) else { return };
        if m.is_castle() {
            self.focus = self.focus.map(|focus| focus.filter(|&square| square != to));
            return;
        }
        self.later[from as usize] = self.later[to as usize].with(to);
        self.later[to as usize] = Bitboard::EMPTY;
        for focus in self.focus.iter_mut().flatten().filter(|square| **square == to) {
            *focus = from;
        }
    }

    /// Takes a half-move of `us` back, if the one that is chosen is legal.
    pub(super) fn back(&self, random: &mut Random, after: &Chess, us: Color, goes_on: bool) -> Option<(Chess, Move)> {
        let list = unmoves(after, us, goes_on);
        let is_steered = self.is_steered && us == Color::Black;
        let focus = self.focus[us as usize].filter(|_| random.below(if is_steered { 9 } else { 3 }) > 0);
        let of_focus: Vec<Unmove> = list.iter().copied().filter(|it| Some(it.to) == focus).collect();
        let list = if of_focus.is_empty() { list } else { of_focus };
        let kinds: &[Rarity] = if is_steered { &STEERED } else { &RARE };
        let is_plain = random.below(if is_steered { 9 } else { 2 }) == 0;
        let start = if is_plain {
            kinds.len() - 1
        } else if is_steered {
            0
        } else {
            random.below(kinds.len())
        };
        let of_kind = |rarity: &Rarity| list.iter().copied().filter(|&it| rarity(it, &self.later)).collect::<Vec<_>>();
        let chosen = kinds[start..].iter().map(of_kind).find(|list| !list.is_empty())?;
        let unmove = pick(random, &chosen)?;
        let captures = unmove.captures.unwrap_or_else(|| random.below(5) == 0);
        let man_taken = captures.then(|| MEN[random.below(7)]);
        let before = legal(unmove.before(after, us, man_taken)?)?;
        if !before.is_check() && random.below(6) == 0 {
            // Looks for a move out of check instead.
            return None;
        }
        let is_it = |m: &Move| {
            let to = if unmove.castling { m.to() } else { unmove.to };
            m.from() == Some(unmove.from)
                && m.to() == to
                && m.is_castle() == unmove.castling
                && m.promotion().is_some() == unmove.promotion
                && (!m.is_promotion() || m.promotion() == after.board().role_at(unmove.to))
        };
        let leads_there = |&m: &Move| {
            let mut then = played(&before, m);
            if goes_on {
                let Some(passed) = passed(&then) else { return false };
                then = passed;
            }
            is_same(&then, after)
        };
        let m = before.legal_moves().into_iter().filter(is_it).find(leads_there)?;
        Some((before, m))
    }
}

/// Returns whether two positions are the same.
fn is_same(one: &Chess, other: &Chess) -> bool {
    one.board() == other.board()
        && one.turn() == other.turn()
        && one.castles().castling_rights() == other.castles().castling_rights()
        && one.legal_ep_square() == other.legal_ep_square()
}

impl Unmove {
    /// Returns the position before; `None` if a captured man cannot have stood there.
    fn before(self, after: &Chess, us: Color, captured: Option<Role>) -> Option<Setup> {
        let mut setup = after.to_setup(EnPassantMode::Legal);
        setup.ep_square = None;
        setup.turn = us;
        let board = &mut setup.board;
        if self.castling {
            let rook =
                if self.to.file() > self.from.file() { (Square::H1, Square::F1) } else { (Square::A1, Square::D1) };
            let home = |square: Square| us.fold_wb(square, square.flip_vertical());
            board.discard_piece_at(self.to);
            board.discard_piece_at(home(rook.1));
            board.set_piece_at(self.from, man(us, Role::King));
            board.set_piece_at(home(rook.0), man(us, Role::Rook));
            setup.castling_rights.add(home(rook.0));
            return Some(setup);
        }
        board.discard_piece_at(self.to);
        board.set_piece_at(self.from, man(us, self.role));
        if self.en_passant {
            let behind = Square::from_coords(self.to.file(), self.from.rank());
            board.set_piece_at(behind, man(!us, Role::Pawn));
            setup.ep_square = Some(self.to);
        } else if let Some(role) = captured
            && !put(board, self.to, man(!us, role))
        {
            return None;
        }
        Some(setup)
    }
}

/// Returns the half-moves of `us` that may have led to a position. Not all are legal.
fn unmoves(after: &Chess, us: Color, goes_on: bool) -> Vec<Unmove> {
    let (board, occupied) = (after.board(), after.board().occupied());
    let rights = after.castles().castling_rights() & board.by_color(us);
    let (up, final_rank) = (us.fold_wb(8, -8), us.fold_wb(Rank::Eighth, Rank::First));
    let mut list = Vec::new();
    let is_free = |square: Square| !occupied.contains(square);
    if let Some(passed) = after.legal_ep_square() {
        // The right to capture en passant comes from a double step.
        if let (Some(from), Some(to), false) = (passed.offset(-up), passed.offset(up), goes_on) {
            list.push(Unmove::plain(from, to, Role::Pawn, Some(false)));
        }
        return list;
    }
    for to in board.by_color(us) {
        let Some(role) = board.role_at(to) else { continue };
        if rights.contains(to) || role == Role::King && rights.any() {
            continue;
        }
        if role == Role::Pawn {
            pawn_unmoves(us, to, false, occupied, &mut list);
            let taken = to.offset(-up);
            let start = to.offset(up);
            let from = attacks::pawn_attacks(!us, to) & !occupied;
            let is_passant = to.rank() == us.fold_wb(Rank::Sixth, Rank::Third)
                && [taken, start].into_iter().all(|square| square.is_some_and(is_free));
            list.extend(
                from.into_iter()
                    .filter(|_| is_passant)
                    .map(|from| Unmove { en_passant: true, ..Unmove::plain(from, to, Role::Pawn, Some(false)) }),
            );
            continue;
        }
        let from = attacks::attacks(to, man(us, role), occupied) & !occupied;
        list.extend(from.into_iter().map(|from| Unmove::plain(from, to, role, None)));
        if to.rank() == final_rank && role != Role::King {
            pawn_unmoves(us, to, true, occupied, &mut list);
        }
        let home = us.fold_wb(Square::E1, Square::E8);
        if role == Role::King && matches!(to.file() as u32, 2 | 6) && to.rank() == home.rank() && is_free(home) {
            list.push(Unmove { castling: true, ..Unmove::plain(home, to, Role::King, Some(false)) });
        }
    }
    list
}

fn pawn_unmoves(us: Color, to: Square, promotion: bool, occupied: Bitboard, list: &mut Vec<Unmove>) {
    let up = us.fold_wb(8, -8);
    let mut add = |from: Square, captures| {
        if !occupied.contains(from) && !Bitboard::BACKRANKS.contains(from) {
            list.push(Unmove { promotion, ..Unmove::plain(from, to, Role::Pawn, Some(captures)) });
        }
    };
    let one = to.offset(-up);
    if let Some(from) = one {
        add(from, false);
    }
    let two = one.filter(|&from| !occupied.contains(from)).and_then(|from| from.offset(-up));
    if let Some(from) = two.filter(|_| to.rank() == us.fold_wb(Rank::Fourth, Rank::Fifth)) {
        add(from, false);
    }
    attacks::pawn_attacks(!us, to).into_iter().for_each(|from| add(from, true));
}

impl Unmove {
    fn plain(from: Square, to: Square, role: Role, captures: Option<bool>) -> Unmove {
        Unmove { from, to, role, promotion: false, captures, en_passant: false, castling: false }
    }
}
