//! Generates positions from seeds: by random placement, by random play, and by retracting moves from checkmates.
//!
//! A seed gives the same position on every machine, so a failing test prints the seed and the position.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, FromSetup as _, Piece, Position as _, PositionError,
    PositionErrorKinds, Rank, Role, Setup, Square, attacks,
};

use super::random::Random;

/// The feature that a random placement makes likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// No special feature.
    Any,
    /// One side has a king and a rook that may castle.
    Castling,
    /// One side has a king and a rook that may castle, on squares of Chess960.
    Castling960,
    /// Black has just made a double step that White can capture en passant.
    EnPassant,
    /// White has a pawn on the seventh rank.
    Promotion,
    /// There are many pawns, which often block each other.
    Blocked,
    /// Black's own men stand around his king.
    Crowded,
    /// A side has more men of a kind than a game can give it; at least 11 men are on the board.
    TooMany,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 8] = [
        Theme::Any,
        Theme::Castling,
        Theme::Castling960,
        Theme::EnPassant,
        Theme::Promotion,
        Theme::Blocked,
        Theme::Crowded,
        Theme::TooMany,
    ];
}

fn square(random: &mut Random) -> Square {
    Square::new(random.below(64) as u32)
}

/// Returns the position of a setup that the readers take: one that could occur in a game, as far as shakmaty can tell,
/// or that has too many men of a kind.
pub fn playable(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Chess960).or_else(PositionError::ignore_too_much_material).ok()
}

/// Returns whether a side has more men than a game can give it.
pub fn has_too_many_men(chess: &Chess) -> bool {
    let setup = chess.to_setup(shakmaty::EnPassantMode::Legal);
    let kinds = Chess::from_setup(setup, CastlingMode::Chess960).map_err(|error| error.kinds());
    kinds.is_err_and(|kinds| kinds.contains(PositionErrorKinds::TOO_MUCH_MATERIAL))
}

fn setup(board: Board, turn: Color) -> Setup {
    Setup { board, turn, ..Setup::empty() }
}

/// Places `men` men at random, most of them near the black king, with White to move. Returns `None` if the position is
/// not playable.
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
            let square = square(random);
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
        let square = square(random);
        let far = square.distance(target) > 3 && random.below(3) > 0;
        let last_rank = Bitboard::BACKRANKS.contains(square) && role == Role::Pawn;
        if !far && !last_rank {
            put(&mut board, square, color, role);
        }
    }
    position.board = board;
    playable(position)
}

/// Places the men that a theme needs, and sets its rights.
fn themed(random: &mut Random, theme: Theme, board: &mut Board, position: &mut Setup) {
    let man = |color, role| Piece { color, role };
    match theme {
        Theme::Any | Theme::Blocked => {}
        Theme::Crowded => {
            let king = square(random);
            board.set_piece_at(king, man(Color::Black, Role::King));
            for at in attacks::king_attacks(king) {
                let role = random.pick(&[Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook]);
                if random.one_in(2) && !(role == Role::Pawn && Bitboard::BACKRANKS.contains(at)) {
                    board.set_piece_at(at, man(Color::Black, role));
                }
            }
        }
        Theme::TooMany => {
            let color = Color::from_white(random.one_in(2));
            // Beside eight pawns these are too many.
            let surplus = random.pick(&[(Role::Pawn, 1), (Role::Queen, 2), (Role::Rook, 3), (Role::Knight, 3)]);
            let men = std::iter::repeat_n(Role::Pawn, 8).chain(std::iter::repeat_n(surplus.0, surplus.1));
            for role in men {
                let is_free = |&at: &Square| {
                    board.piece_at(at).is_none() && !(role == Role::Pawn && Bitboard::BACKRANKS.contains(at))
                };
                if let Some(at) = std::iter::repeat_with(|| square(random)).find(is_free) {
                    board.set_piece_at(at, man(color, role));
                }
            }
        }
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

/// Plays `plies` random moves from the initial position; captures are a little more likely than other moves.
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

/// Retracts one random move of the side that is not to move, with or without uncapturing a man. Promotions are
/// sometimes retracted; castling, captures en passant and moves that end castling rights are not, so that the rights
/// stay. Returns `None` if the position is not playable.
pub fn take_back(random: &mut Random, position: &Chess) -> Option<Chess> {
    let us = !position.turn();
    let board = position.board();
    let men: Vec<Square> = board.by_color(us).into_iter().collect();
    // A capture en passant that is possible asks for the double step.
    let passed = position.ep_square(shakmaty::EnPassantMode::Always);
    let to = passed.and_then(|square| square.offset(us.fold_wb(8, -8))).unwrap_or_else(|| random.pick(&men));
    let role = board.role_at(to)?;
    let promoted = to.rank() == us.fold_wb(Rank::Eighth, Rank::First) && role != Role::King && random.one_in(2);
    let mover = if promoted { Role::Pawn } else { role };
    let captured = (passed.is_none() && random.one_in(4))
        .then(|| random.pick(&[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]));
    let sources = if let Some(square) = passed {
        Bitboard::from(square.offset(us.fold_wb(-8, 8))?)
    } else if mover == Role::Pawn {
        pawn_sources(us, to, captured.is_some())
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
    if let Some(captured) = captured {
        before.set_piece_at(to, Piece { color: !us, role: captured });
    }
    let castling_rights = position.castles().castling_rights();
    let before = playable(Setup { castling_rights, ..setup(before, us) })?;
    // Playing the move forward finds illegal retractions, such as a step over a man.
    let forward = before.legal_moves().into_iter().any(|m| {
        let mut after = before.clone();
        after.play_unchecked(m);
        after.board() == board
    });
    forward.then_some(before)
}

/// Returns the squares from which a pawn can have moved to `to`.
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

/// Returns a position that is `plies` plies before a checkmate position.
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

/// Returns a position with the two kings, one to three more men of the attacker and up to two of the defender, and the
/// attacker's colour. Mates are frequent, because the defender's king stands on the edge. Returns `None` if the
/// position is not playable.
pub fn few_men(random: &mut Random) -> Option<(Chess, Color)> {
    const MEN: [Role; 6] = [Role::Queen, Role::Rook, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let attacker = Color::from_white(random.one_in(2));
    let mut board = Board::empty();
    let edge: Vec<Square> = Bitboard::BACKRANKS.into_iter().collect();
    board.set_piece_at(random.pick(&edge), Piece { color: !attacker, role: Role::King });
    let mut men = vec![Piece { color: attacker, role: Role::King }];
    for _ in 0..=random.below(3) {
        men.push(Piece { color: attacker, role: random.pick(&MEN) });
    }
    for _ in 0..random.below(3) {
        men.push(Piece { color: !attacker, role: random.pick(&MEN) });
    }
    for man in men {
        let square = square(random);
        if board.piece_at(square).is_some() {
            return None;
        }
        board.set_piece_at(square, man);
    }
    let turn = if random.one_in(3) { !attacker } else { attacker };
    Chess::from_setup(setup(board, turn), CastlingMode::Standard).ok().map(|chess| (chess, attacker))
}

/// Returns the position with the colours exchanged and the ranks reversed.
pub fn colors_flipped(position: &Chess) -> Chess {
    let mut setup = position.to_setup(shakmaty::EnPassantMode::Legal);
    setup.mirror();
    playable_again(setup)
}

/// Returns the position with the files reversed; `None` if there are castling rights, because castling is not
/// symmetrical.
pub fn files_mirrored(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(shakmaty::EnPassantMode::Legal);
    if setup.castling_rights.any() {
        return None;
    }
    setup.board.flip_horizontal();
    setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
    Some(playable_again(setup))
}

/// Returns the position of a mirrored setup. A legal position stays legal when mirrored.
fn playable_again(setup: Setup) -> Chess {
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .expect("a mirrored position is legal")
}
