//! Makes positions of help play that have a solution by construction: an end is made, and half-moves are taken back.
//!
//! Random games end in few kinds of mates, and their last moves are mostly plain. Here the end comes first, and what is
//! taken back is chosen for being rare: promotions to every man, captures by pawns and en passant, castling, men who
//! come back to a square that they have left, men who are pinned at the end, double checks, checks on the way. A
//! half-move that was taken back is kept only if it is legal and leads to the position from which it was taken back.
//!
//! Only shakmaty is used here. White mates; [`Unplayed::flipped`] exchanges the colours.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Move, Piece, Position as _,
    PositionError, Rank, Role, Setup, Square, attacks,
};

use super::tests::Random;
use crate::chess::End;

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
    /// Whether every legal move must reach the goal at the end.
    pub is_forced: bool,
}

impl Wanted {
    /// Returns whether the side that makes half-move `at` makes the next one too.
    fn goes_on(&self, at: usize) -> bool {
        self.sides.get(at + 1) == self.sides.get(at)
    }

    /// Makes an end and takes all half-moves back; `None` if it comes to a position where nothing can be taken back.
    /// `is_steered`: a man beside the mated king comes from a promotion.
    pub(super) fn unplayed(&self, random: &mut Random, ends: &mut ForcedEnds, is_steered: bool) -> Option<Unplayed> {
        let forced = self.is_forced.then(|| ends.pick(random));
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

/// Returns the position of a setup; too many men of a kind are accepted, as in problems.
fn legal(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_too_much_material).ok()
}

fn played(chess: &Chess, m: Move) -> Chess {
    let mut after = chess.clone();
    after.play_unchecked(m);
    after
}

fn man(color: Color, role: Role) -> Piece {
    Piece { color, role }
}

fn pick<T: Copy>(random: &mut Random, list: &[T]) -> Option<T> {
    (!list.is_empty()).then(|| list[random.below(list.len())])
}

const OFFICERS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
const MEN: [Role; 7] = [Role::Pawn, Role::Pawn, Role::Pawn, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Puts a man on a free square. Returns `false` if he cannot stand there.
fn put(board: &mut Board, square: Square, piece: Piece) -> bool {
    let is_free =
        board.piece_at(square).is_none() && !(piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(square));
    if is_free {
        board.set_piece_at(square, piece);
    }
    is_free
}

/// Returns a square near another one, or any square.
fn near(random: &mut Random, square: Square) -> Square {
    let beside = attacks::king_attacks(square);
    let around = beside.into_iter().fold(beside, |all, next| all | attacks::king_attacks(next));
    let squares: Vec<Square> = match random.below(4) {
        0 => Bitboard::FULL,
        1 => around,
        _ => beside,
    }
    .into_iter()
    .collect();
    squares[random.below(squares.len())]
}

/// Adds a man, two men who may pin one another, or two who may check together, near the black king.
fn add(random: &mut Random, board: &mut Board, king: Square) -> bool {
    match random.below(6) {
        0 => {
            // A man of Black, and a line piece of White behind him.
            let square = near(random, king);
            let ray = attacks::ray(king, square) & !attacks::between(king, square).with(square).with(king);
            let behind: Vec<Square> =
                ray.into_iter().filter(|&far| attacks::between(king, far).contains(square)).collect();
            let Some(far) = pick(random, &behind) else { return false };
            let is_straight = king.file() == far.file() || king.rank() == far.rank();
            let liner = if is_straight { Role::Rook } else { Role::Bishop };
            let (held, liner) = (MEN[random.below(7)], [liner, Role::Queen][random.below(2)]);
            put(board, square, man(Color::Black, held)) && put(board, far, man(Color::White, liner))
        }
        1 => {
            let squares = [near(random, king), Square::new(random.below(64) as u32)];
            squares.into_iter().all(|square| {
                let role = OFFICERS[random.below(4)];
                put(board, square, man(Color::White, role))
            })
        }
        _ => {
            let square = near(random, king);
            let color = if random.below(5) < 3 { Color::White } else { Color::Black };
            put(board, square, man(color, MEN[random.below(7)]))
        }
    }
}

/// Places the kings; the black one near his last rank if `is_low`. Returns his square, too.
fn two_kings(random: &mut Random, is_low: bool) -> (Board, Square) {
    loop {
        let mut kings = [0, 1].map(|_| Square::new(random.below(64) as u32));
        if is_low {
            kings[1] = Square::new(random.below(24) as u32);
        } else if random.below(2) > 0 {
            let edge: Vec<Square> = Bitboard::EDGES.into_iter().collect();
            kings[1] = edge[random.below(edge.len())];
        }
        if random.below(8) == 0 {
            // Where he has castled to.
            kings[0] = [Square::G1, Square::C1][random.below(2)];
        }
        if kings[0].distance(kings[1]) > 1 {
            let mut board = Board::empty();
            put(&mut board, kings[0], man(Color::White, Role::King));
            put(&mut board, kings[1], man(Color::Black, Role::King));
            if kings[0] == Square::G1 && random.below(2) > 0 {
                put(&mut board, Square::F1, man(Color::White, Role::Rook));
            }
            return (board, kings[1]);
        }
    }
}

/// Makes a mate or a stalemate of Black: men are added as long as Black gets no more moves by them.
fn end(random: &mut Random, end: End, is_low: bool) -> Option<Chess> {
    let (mut board, king) = two_kings(random, is_low);
    let mut moves = usize::MAX;
    for _ in 0..60 {
        let mut next = board.clone();
        if !add(random, &mut next, king) {
            continue;
        }
        let Some(chess) = legal(Setup { board: next.clone(), turn: Color::Black, ..Setup::empty() }) else { continue };
        if end == End::Stalemate && chess.is_check() {
            continue;
        }
        let count = chess.legal_moves().len();
        if count > moves {
            continue;
        }
        (board, moves) = (next, count);
        let is_end = moves == 0 && chess.is_check() == (end == End::Mate);
        if is_end && random.below(3) > 0 {
            return Some(chess);
        }
    }
    let chess = legal(Setup { board, turn: Color::Black, ..Setup::empty() })?;
    (chess.legal_moves().is_empty() && chess.is_check() == (end == End::Mate)).then_some(chess)
}

/// Positions in which every legal move mates. They are rare, so each serves for some lines.
#[derive(Debug, Default)]
pub(super) struct ForcedEnds {
    kept: Vec<(Chess, Move)>,
    picked: usize,
}

impl ForcedEnds {
    /// Returns one of the positions kept, with a move that mates. Every forty times one is made and replaces another.
    fn pick(&mut self, random: &mut Random) -> (Chess, Move) {
        if self.kept.len() < 8 || self.picked.is_multiple_of(40) {
            let made = loop {
                if let Some(made) = forced_end(random) {
                    break made;
                }
            };
            if self.kept.len() >= 64 {
                self.kept.swap_remove(random.below(64));
            }
            self.kept.push(made);
        }
        self.picked += 1;
        self.kept[random.below(self.kept.len())].clone()
    }
}

/// Makes a position in which every legal move of White mates, and one of these moves. Men who are not needed for a mate
/// are taken off, the mating move is taken back, White is mostly put in check, and men are added as long as White gets
/// no more moves that do not mate.
fn forced_end(random: &mut Random) -> Option<(Chess, Move)> {
    let mate = without_idle_men(&end(random, End::Mate, false)?);
    let taken = Taken::new(random, mate.board());
    let (mut chess, mating) = (0..20).find_map(|_| taken.back(random, &mate, Color::White, false))?;
    let king = chess.board().king_of(Color::White)?;
    let is_answered = |chess: &Chess| chess.is_legal(mating) && played(chess, mating).is_checkmate();
    let others = |chess: &Chess| chess.legal_moves().iter().filter(|&&m| !played(chess, m).is_checkmate()).count();
    let with = |chess: &Chess, square, piece| {
        let mut setup = chess.to_setup(EnPassantMode::Legal);
        if put(&mut setup.board, square, piece) { legal(setup).filter(is_answered) } else { None }
    };
    if random.below(8) > 0 {
        let lines: Vec<Square> =
            (attacks::queen_attacks(king, Bitboard::EMPTY) | attacks::knight_attacks(king)).into_iter().collect();
        let checked = |random: &mut Random| {
            let square = if random.below(3) > 0 { mating.to() } else { pick(random, &lines)? };
            with(&chess, square, man(Color::Black, MEN[random.below(7)])).filter(Chess::is_check)
        };
        chess = (0..20).find_map(|_| checked(random))?;
    }
    let mut left = others(&chess);
    for _ in 0..40 {
        if left == 0 {
            return Some((chess, mating));
        }
        let square = if random.below(4) > 0 { near(random, king) } else { Square::new(random.below(64) as u32) };
        let color = if random.below(3) > 0 { Color::Black } else { Color::White };
        let Some(next) = with(&chess, square, man(color, MEN[random.below(7)])) else { continue };
        let count = others(&next);
        if count <= left {
            (chess, left) = (next, count);
        }
    }
    None
}

/// Returns a mate or a stalemate without the men that can be taken off one after the other.
fn without_idle_men(end: &Chess) -> Chess {
    let mut chess = end.clone();
    for square in end.board().occupied() & !end.board().kings() {
        let mut setup = chess.to_setup(EnPassantMode::Legal);
        setup.board.discard_piece_at(square);
        let is_same = |less: &Chess| less.legal_moves().is_empty() && less.is_check() == end.is_check();
        chess = legal(setup).filter(is_same).unwrap_or(chess);
    }
    chess
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
struct Taken {
    /// For the man who stands on a square now: the squares where he will stand later.
    later: [Bitboard; 64],
    /// The man of each side who is taken back most often, by his square.
    focus: [Option<Square>; 2],
    /// Whether the man of Black comes from a promotion, if possible of a pawn who left the square of the end.
    is_steered: bool,
}

/// Chooses half-moves by what is rare in them.
type Rarity = fn(&Unmove, later: &[Bitboard; 64]) -> bool;

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

fn leads_to_last_rank(it: &Unmove) -> bool {
    !matches!(it.role, Role::King | Role::Pawn) && it.from.rank() == Rank::First
}

/// The squares on which the man stands after the move that is taken back.
fn later_of(it: &Unmove, later: &[Bitboard; 64]) -> Bitboard {
    later[it.to as usize].with(it.to)
}

impl Taken {
    fn new(random: &mut Random, board: &Board) -> Taken {
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
    fn back(&self, random: &mut Random, after: &Chess, us: Color, goes_on: bool) -> Option<(Chess, Move)> {
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
        let of_kind = |rarity: &Rarity| list.iter().copied().filter(|it| rarity(it, &self.later)).collect::<Vec<_>>();
        let chosen = kinds[start..].iter().map(of_kind).find(|list| !list.is_empty())?;
        let unmove = pick(random, &chosen)?;
        let captures = unmove.captures.unwrap_or_else(|| random.below(5) == 0);
        let captured = captures.then(|| MEN[random.below(7)]);
        let before = legal(unmove.before(after, us, captured)?)?;
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
                let passed = if then.is_check() { None } else { then.swap_turn().ok_or_too_many() };
                let Some(passed) = passed else { return false };
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

/// Accepts positions with too many men of a kind.
trait OkOrTooMany {
    fn ok_or_too_many(self) -> Option<Chess>;
}

impl OkOrTooMany for Result<Chess, PositionError<Chess>> {
    fn ok_or_too_many(self) -> Option<Chess> {
        self.or_else(PositionError::ignore_too_much_material).ok()
    }
}

impl Unmove {
    /// Returns the position before; `None` if a captured man cannot have stood there.
    fn before(&self, after: &Chess, us: Color, captured: Option<Role>) -> Option<Setup> {
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
    let (up, last) = (us.fold_wb(8, -8), us.fold_wb(Rank::Eighth, Rank::First));
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
        if to.rank() == last && role != Role::King {
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
    one.into_iter().for_each(|from| add(from, false));
    let two = one.filter(|&from| !occupied.contains(from)).and_then(|from| from.offset(-up));
    two.filter(|_| to.rank() == us.fold_wb(Rank::Fourth, Rank::Fifth)).into_iter().for_each(|from| add(from, false));
    attacks::pawn_attacks(!us, to).into_iter().for_each(|from| add(from, true));
}

impl Unmove {
    fn plain(from: Square, to: Square, role: Role, captures: Option<bool>) -> Unmove {
        Unmove { from, to, role, promotion: false, captures, en_passant: false, castling: false }
    }
}
