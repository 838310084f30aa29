//! Positions from seeds: random placement, random play, and retrograde steps from mates.
//!
//! Everything follows from the seed, on every machine, so a failing test prints the seed and the position.
#![allow(dead_code, reason = "every test binary takes the kinds of positions it needs")]

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, FromSetup as _, Piece, Position as _, Rank, Role, Setup, Square,
    attacks,
};

/// A small random generator (Steele, Lea & Flood 2014, splitmix64).
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn square(&mut self) -> Square {
        Square::new(self.below(64) as u32)
    }
}

/// What a placement is to make likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Nothing in particular.
    Any,
    /// A king and a rook that may castle, of either side.
    Castling,
    /// The same with Chess960 places.
    Castling960,
    /// A double step has just been made and can be taken.
    EnPassant,
    /// The attacker has a pawn about to promote.
    Promotion,
    /// Many pawns that block each other.
    Blocked,
}

/// Accepts a setup that a game could have brought about, as far as shakmaty can tell.
pub fn playable(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Chess960).ok()
}

fn setup(board: Board, turn: Color) -> Setup {
    Setup { board, turn, ..Setup::empty() }
}

/// A random position of so many men with White to mate, men of both sides crowded round the black king. `None` when
/// the throw is not playable.
pub fn placement(random: &mut Random, men: usize, theme: Theme) -> Option<Chess> {
    let mut board = Board::empty();
    let mut position = setup(Board::empty(), Color::White);
    let put = |board: &mut Board, square, color, role| {
        if board.piece_at(square).is_none() {
            board.set_piece_at(square, Piece { color, role });
        }
    };
    themed(random, theme, &mut board, &mut position);
    for color in Color::ALL {
        if board.king_of(color).is_none() {
            let square = random.square();
            put(&mut board, square, color, Role::King);
        }
    }
    let target = board.king_of(Color::Black)?;
    while board.occupied().count() < men {
        let color = if random.below(5) < 3 { Color::White } else { Color::Black };
        let weights: &[Role] = if theme == Theme::Blocked {
            &[Role::Pawn, Role::Pawn, Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        } else {
            &[Role::Pawn, Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Rook, Role::Queen]
        };
        let role = random.pick(weights);
        let square = random.square();
        let far = square.distance(target) > 3 && random.below(3) > 0;
        let last_rank = Bitboard::BACKRANKS.contains(square) && role == Role::Pawn;
        if !far && !last_rank {
            put(&mut board, square, color, role);
        }
    }
    position.board = board;
    playable(position)
}

fn themed(random: &mut Random, theme: Theme, board: &mut Board, position: &mut Setup) {
    let man = |color, role| Piece { color, role };
    match theme {
        Theme::Any | Theme::Blocked => {}
        Theme::Castling | Theme::Castling960 => {
            let color = if random.one_in(3) { Color::Black } else { Color::White };
            let rank = color.fold_wb(Rank::First, Rank::Eighth);
            let (king, rook) = if theme == Theme::Castling {
                (4, random.pick(&[0, 7]))
            } else {
                let king = 1 + random.below(6);
                (king, if random.one_in(2) { random.below(king) } else { king + 1 + random.below(7 - king) })
            };
            let square = |file: usize| Square::from_coords(shakmaty::File::new(file as u32), rank);
            board.set_piece_at(square(king), man(color, Role::King));
            board.set_piece_at(square(rook), man(color, Role::Rook));
            position.castling_rights = Bitboard::from(square(rook));
        }
        Theme::EnPassant => {
            let to = Square::from_coords(shakmaty::File::new(random.below(8) as u32), Rank::Sixth);
            let taken = Square::new(to as u32 - 8);
            board.set_piece_at(taken, man(Color::Black, Role::Pawn));
            let from: Vec<Square> = attacks::pawn_attacks(Color::Black, to).into_iter().collect();
            board.set_piece_at(random.pick(&from), man(Color::White, Role::Pawn));
            position.ep_square = Some(to);
        }
        Theme::Promotion => {
            let file = shakmaty::File::new(random.below(8) as u32);
            board.set_piece_at(Square::from_coords(file, Rank::Seventh), man(Color::White, Role::Pawn));
        }
    }
}

/// The position after so many random moves from the start, captures and checks preferred a little.
pub fn random_game(random: &mut Random, plies: usize) -> Option<Chess> {
    let mut game = Chess::default();
    for _ in 0..plies {
        let moves = game.legal_moves();
        if moves.is_empty() {
            return None;
        }
        let mut m = moves[random.below(moves.len())];
        if !m.is_capture() {
            m = moves[random.below(moves.len())];
        }
        game.play_unchecked(m);
    }
    Some(game)
}

/// Takes back one random move of the side not to move: a man steps backwards, perhaps leaving a captured man behind.
/// Castling, en passant and lost castling rights are not taken back; a promotion sometimes is. `None` when the throw
/// is not playable.
pub fn take_back(random: &mut Random, position: &Chess) -> Option<Chess> {
    let us = !position.turn();
    let board = position.board();
    let men: Vec<Square> = board.by_color(us).into_iter().collect();
    let to = random.pick(&men);
    let role = board.role_at(to)?;
    let promoted = to.rank() == us.fold_wb(Rank::Eighth, Rank::First) && role != Role::King && random.one_in(2);
    let mover = if promoted { Role::Pawn } else { role };
    let leave =
        random.one_in(4).then(|| random.pick(&[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]));
    let sources = if mover == Role::Pawn {
        pawn_sources(us, to, leave.is_some())
    } else {
        attacks::attacks(to, Piece { color: us, role: mover }, board.occupied())
    };
    let free: Vec<Square> = (sources & !board.occupied()).into_iter().collect();
    if free.is_empty() {
        return None;
    }
    let from = random.pick(&free);
    let mut before = board.clone();
    before.discard_piece_at(to);
    before.set_piece_at(from, Piece { color: us, role: mover });
    if let Some(captured) = leave {
        before.set_piece_at(to, Piece { color: !us, role: captured });
    }
    let before = playable(setup(before, us))?;
    // A backward step over a piece, say, is found out by playing forward.
    let forward = before.legal_moves().into_iter().any(|m| {
        let mut after = before.clone();
        after.play_unchecked(m);
        after.board() == board
    });
    forward.then_some(before)
}

fn pawn_sources(us: Color, to: Square, capture: bool) -> Bitboard {
    if capture {
        return attacks::pawn_attacks(!us, to);
    }
    let step = us.fold_wb(-8, 8);
    let mut sources = Bitboard::EMPTY;
    if let Some(one) = to.offset(step) {
        sources.add(one);
        if to.rank() == us.fold_wb(Rank::Fourth, Rank::Fifth) {
            sources.extend(one.offset(step));
        }
    }
    sources
}

/// A position some plies before a checkmate.
pub fn before_mate(random: &mut Random, men: usize, plies: usize) -> Option<Chess> {
    let mut position = (0..400).find_map(|_| {
        let mut placed = placement(random, men, Theme::Any)?;
        let moves = placed.legal_moves();
        let mate = moves.into_iter().find(|&m| {
            let mut after = placed.clone();
            after.play_unchecked(m);
            after.is_checkmate()
        })?;
        placed.play_unchecked(mate);
        Some(placed)
    })?;
    for _ in 0..plies {
        position = (0..40).find_map(|_| take_back(random, &position))?;
    }
    Some(position)
}

/// The same position with the colours exchanged and the board turned upside down.
pub fn colors_flipped(position: &Chess) -> Chess {
    let mut setup = position.to_setup(shakmaty::EnPassantMode::Legal);
    setup.mirror();
    playable_again(setup)
}

/// The same position with the files exchanged. Only without castling rights: castling is not symmetrical.
pub fn files_mirrored(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(shakmaty::EnPassantMode::Legal);
    if setup.castling_rights.any() {
        return None;
    }
    setup.board.flip_horizontal();
    setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
    Some(playable_again(setup))
}

/// A legal position stays legal when mirrored.
fn playable_again(setup: Setup) -> Chess {
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .expect("mirroring changes no rule that shakmaty asks about")
}
