//! Makes ends of help play: mates and stalemates of few and many men.
//!
//! Men are added at random, most of them near the king; those that give more moves to the side that is to have none are
//! left out. So blocks, pins, double checks and many idle men are frequent.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Move, Piece, Position as _,
    PositionError, Rank, Role, Setup, Square, attacks,
};

use super::super::Random;
use crate::chess::{End, Play};

/// A feature that a line has often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Theme {
    /// Rare half-moves of all kinds.
    Any,
    /// A man beside the mated king comes from a promotion, if possible of a pawn who left the same square.
    Return,
    /// The last half-move opens the line of a man who gives check without moving.
    Opening,
    /// The last half-move captures en passant.
    Passing,
    /// One of the sides castles.
    Castling,
    /// A line piece that pins a man of the mated side comes from a promotion.
    Pinning,
    /// The king of the mating side captures.
    KingCaptures,
    /// An officer of the stalemated side has no move, because men of his side fill the squares beside him.
    Walled,
}

impl Theme {
    /// Picks a theme that a line of this kind can have.
    pub(super) fn pick(random: &mut Random, play: Play, end: End) -> Theme {
        use Theme::{Any, Castling, KingCaptures, Opening, Passing, Pinning, Return, Walled};
        const LIST: [Theme; 13] = [
            Any,
            Any,
            Return,
            Return,
            Opening,
            Passing,
            Castling,
            Castling,
            Pinning,
            KingCaptures,
            Walled,
            Walled,
            Walled,
        ];
        let is_forced = matches!(play, Play::HelpSelf | Play::SeriesSelf);
        let fits = |theme: Theme| match theme {
            Opening => !is_forced && end == End::Mate,
            Passing => !is_forced,
            Walled => end == End::Stalemate,
            _ => true,
        };
        let list: Vec<Theme> = LIST.into_iter().filter(|&theme| fits(theme)).collect();
        list[random.below(list.len())]
    }
}

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
    let squares = match random.below(4) {
        0 => Bitboard::FULL,
        1 => around,
        _ => beside,
    };
    any_of(random, squares).expect("a square beside the king")
}

fn any_of(random: &mut Random, squares: Bitboard) -> Option<Square> {
    squares.into_iter().nth(random.below(squares.count().max(1)))
}

/// Returns a piece of White that attacks the king along the line from `far`.
fn liner(random: &mut Random, king: Square, far: Square) -> Piece {
    let is_straight = king.file() == far.file() || king.rank() == far.rank();
    let role = if is_straight { Role::Rook } else { Role::Bishop };
    man(Color::White, [role, Role::Queen][random.below(2)])
}

/// Puts a line piece of White behind a square, seen from the king.
fn put_behind(random: &mut Random, board: &mut Board, king: Square, square: Square) -> bool {
    let is_behind = |&far: &Square| attacks::between(king, far).contains(square);
    let behind = attacks::ray(king, square).into_iter().filter(is_behind).collect();
    let Some(far) = any_of(random, behind) else { return false };
    let piece = liner(random, king, far);
    put(board, far, piece)
}

/// An end in the making.
#[derive(Debug, Clone)]
struct Sketch {
    board: Board,
    /// The king of Black.
    king: Square,
    castling_rights: Bitboard,
    /// The squares that stay empty, so that the half-moves of the theme can be taken back.
    empty: Bitboard,
    /// The squares of the theme's own men.
    kept: Bitboard,
}

impl Sketch {
    /// Places the kings, and the first men that the theme needs; `None` if they are in one another's way.
    fn begun(random: &mut Random, theme: Theme) -> Option<Sketch> {
        let mut sketch = if theme == Theme::Castling { castled(random)? } else { two_kings(random, theme) };
        let Sketch { board, king, empty, .. } = &mut sketch;
        let king = *king;
        let is_begun = match theme {
            Theme::Opening => {
                let far =
                    attacks::queen_attacks(king, Bitboard::EMPTY) & !attacks::king_attacks(king) & !board.occupied();
                let far = any_of(random, far)?;
                *empty = attacks::between(king, far);
                let piece = liner(random, king, far);
                put(board, far, piece)
            }
            Theme::Passing => {
                // A pawn who has captured, and mostly a line piece behind the square of the captured one.
                let file = shakmaty::File::new(random.below(8) as u32);
                let [behind, to, start] = [Rank::Fifth, Rank::Sixth, Rank::Seventh].map(|rank| (file, rank).into());
                *empty = Bitboard::from(behind).with(start);
                put(board, to, man(Color::White, Role::Pawn))
                    && (random.below(4) == 0 || put_behind(random, board, king, behind))
            }
            Theme::Pinning => add_pinned(random, board, king),
            Theme::Walled => add_walled(random, board),
            _ => true,
        };
        sketch.kept = sketch.board.occupied();
        (is_begun && (sketch.kept & sketch.empty).is_empty()).then_some(sketch)
    }

    fn legal(&self) -> Option<Chess> {
        let (board, castling_rights) = (self.board.clone(), self.castling_rights);
        legal(Setup { board, castling_rights, turn: Color::Black, ..Setup::empty() })
    }

    /// Adds a man, two men who may pin one another, or two who may check together, near the black king.
    fn add(&mut self, random: &mut Random) -> bool {
        let (board, king) = (&mut self.board, self.king);
        let is_added = match random.below(6) {
            0 => add_pinned(random, board, king),
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
        };
        is_added && (self.board.occupied() & self.empty).is_empty()
    }
}

/// Adds a man of Black, and a line piece of White behind him.
fn add_pinned(random: &mut Random, board: &mut Board, king: Square) -> bool {
    let square = near(random, king);
    let held = MEN[random.below(7)];
    put(board, square, man(Color::Black, held)) && put_behind(random, board, king, square)
}

/// Adds an officer of Black in a corner or at an edge, and men of Black beside him.
fn add_walled(random: &mut Random, board: &mut Board) -> bool {
    let squares = [Bitboard::CORNERS, Bitboard::EDGES][random.below(2)];
    let Some(square) = any_of(random, squares) else { return false };
    let role = OFFICERS[random.below(4)];
    let exits = match role {
        Role::Knight => attacks::knight_attacks(square),
        Role::Rook => attacks::king_attacks(square) & attacks::rook_attacks(square, Bitboard::EMPTY),
        Role::Bishop => attacks::king_attacks(square) & attacks::bishop_attacks(square, Bitboard::EMPTY),
        _ => attacks::king_attacks(square),
    };
    let mut fill =
        |exit| board.by_color(Color::Black).contains(exit) || put(board, exit, man(Color::Black, MEN[random.below(7)]));
    exits.into_iter().all(&mut fill) && put(board, square, man(Color::Black, role))
}

/// Places the kings, the black one near his last rank if a man of his is to come back.
fn two_kings(random: &mut Random, theme: Theme) -> Sketch {
    loop {
        let mut kings = [0, 1].map(|_| Square::new(random.below(64) as u32));
        if theme == Theme::Return {
            kings[1] = Square::new(random.below(24) as u32);
        } else if random.below(2) > 0 {
            kings[1] = any_of(random, Bitboard::EDGES).expect("squares");
        }
        if kings[0].distance(kings[1]) > 1 {
            let mut board = Board::empty();
            put(&mut board, kings[0], man(Color::White, Role::King));
            put(&mut board, kings[1], man(Color::Black, Role::King));
            return Sketch {
                board,
                king: kings[1],
                castling_rights: Bitboard::EMPTY,
                empty: Bitboard::EMPTY,
                kept: Bitboard::EMPTY,
            };
        }
    }
}

/// Places the king and the rook of a side that has castled. The other king stands anywhere, on the file of the rook, or
/// at home with the right to castle.
fn castled(random: &mut Random) -> Option<Sketch> {
    let mut sketch = Sketch {
        board: Board::empty(),
        king: Square::E8,
        castling_rights: Bitboard::EMPTY,
        empty: Bitboard::EMPTY,
        kept: Bitboard::EMPTY,
    };
    let side = [Color::White, Color::Black][random.below(2)];
    let (king, rook, empty) = [
        (Square::G1, Square::F1, Bitboard::from(Square::E1).with(Square::H1)),
        (Square::C1, Square::D1, Bitboard::from(Square::A1).with(Square::B1).with(Square::E1)),
    ][random.below(2)];
    let seen = |square: Square| side.fold_wb(square, square.flip_vertical());
    let other = match random.below(4) {
        0 => Square::new(random.below(64) as u32),
        1 => {
            let file = Bitboard::from(rook.file());
            any_of(random, file)?
        }
        2 => any_of(random, Bitboard::EDGES)?,
        _ => seen(Square::E8),
    };
    let board = &mut sketch.board;
    let are_placed = put(board, seen(king), man(side, Role::King))
        && put(board, seen(rook), man(side, Role::Rook))
        && put(board, other, man(!side, Role::King));
    if other == seen(Square::E8) {
        for corner in [Square::A8, Square::H8].map(seen) {
            if random.below(2) > 0 && put(board, corner, man(!side, Role::Rook)) {
                sketch.castling_rights.add(corner);
            }
        }
    }
    sketch.empty = empty.into_iter().map(seen).collect();
    sketch.king = board.king_of(Color::Black)?;
    are_placed.then_some(sketch)
}

/// Makes a mate or a stalemate of Black: men are added as long as Black gets no more moves by them. If it is to be
/// bare, the men who are not needed for the end or the theme are taken off again.
pub(super) fn end(random: &mut Random, end: End, theme: Theme, is_bare: bool) -> Option<Chess> {
    let mut sketch = Sketch::begun(random, theme)?;
    let mut moves = usize::MAX;
    for _ in 0..60 {
        let mut next = sketch.clone();
        if !next.add(random) {
            continue;
        }
        let Some(chess) = next.legal() else { continue };
        if end == End::Stalemate && chess.is_check() {
            continue;
        }
        let count = chess.legal_moves().len();
        if count > moves {
            continue;
        }
        (sketch, moves) = (next, count);
        let is_end = moves == 0 && chess.is_check() == (end == End::Mate);
        if is_end && random.below(3) > 0 {
            break;
        }
    }
    let chess = sketch.legal()?;
    let is_end = chess.legal_moves().is_empty() && chess.is_check() == (end == End::Mate);
    is_end.then(|| if is_bare { without_idle_men(chess, sketch.kept) } else { chess })
}

/// Returns a mate or a stalemate without the men that can be taken off one after the other.
fn without_idle_men(end: Chess, kept: Bitboard) -> Chess {
    let is_check = end.is_check();
    (end.board().occupied() & !kept).into_iter().fold(end, |chess, square| {
        let mut setup = chess.to_setup(EnPassantMode::Legal);
        setup.board.discard_piece_at(square);
        let is_same = |less: &Chess| less.legal_moves().is_empty() && less.is_check() == is_check;
        legal(setup).filter(is_same).unwrap_or(chess)
    })
}
