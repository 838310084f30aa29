//! Makes ends of help play: mates and stalemates of few and many men.
//!
//! Men are added at random, most of them near the king, as long as the side that is to have no move gets no more moves
//! by them. So ends with blocks, pins, double checks and many idle men come about as often as plain ones.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Move, Piece, Position as _,
    PositionError, Role, Setup, Square, attacks,
};

use super::super::tests::Random;
use crate::chess::End;

/// Returns the position of a setup; too many men of a kind are accepted, as in problems.
pub(super) fn legal(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_too_much_material).ok()
}

pub(super) fn played(chess: &Chess, m: Move) -> Chess {
    let mut after = chess.clone();
    after.play_unchecked(m);
    after
}

pub(super) fn man(color: Color, role: Role) -> Piece {
    Piece { color, role }
}

pub(super) fn pick<T: Copy>(random: &mut Random, list: &[T]) -> Option<T> {
    (!list.is_empty()).then(|| list[random.below(list.len())])
}

const OFFICERS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
pub(super) const MEN: [Role; 7] =
    [Role::Pawn, Role::Pawn, Role::Pawn, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Puts a man on a free square. Returns `false` if he cannot stand there.
pub(super) fn put(board: &mut Board, square: Square, piece: Piece) -> bool {
    let is_free =
        board.piece_at(square).is_none() && !(piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(square));
    if is_free {
        board.set_piece_at(square, piece);
    }
    is_free
}

/// Returns a square near another one, or any square.
pub(super) fn near(random: &mut Random, square: Square) -> Square {
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
            // A king's square after castling.
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
pub(super) fn end(random: &mut Random, end: End, is_low: bool) -> Option<Chess> {
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

/// Returns a mate or a stalemate without the men that can be taken off one after the other.
pub(super) fn without_idle_men(end: &Chess) -> Chess {
    let mut chess = end.clone();
    for square in end.board().occupied() & !end.board().kings() {
        let mut setup = chess.to_setup(EnPassantMode::Legal);
        setup.board.discard_piece_at(square);
        let is_same = |less: &Chess| less.legal_moves().is_empty() && less.is_check() == end.is_check();
        chess = legal(setup).filter(is_same).unwrap_or(chess);
    }
    chess
}
