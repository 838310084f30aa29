//! Positions for questions of help play, most of which have solutions.
//!
//! A position from which the last half-move reaches the goal is found among random ones, and half-moves are taken back
//! from it (`backward`); or random lines are played from a random position until one ends with the goal
//! (`forward`). Few random positions compel a move that mates: for those the mated king and the side that must mate
//! are built.

use matesolve_engine::chess::{End, Play};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position as _, Role, Setup, Square, attacks};

use super::generator::{self, Theme};
use super::helped::{Question, has_pinned_guard, passed, played};
use super::random::Random;

/// Returns a position for the question, with at most `men` men, which are at least 4.
pub fn position(question: Question, random: &mut Random, men: usize) -> Chess {
    loop {
        let planted = match random.below(8) {
            0 if !question.compels_all() => placed(random, men),
            1..=3 if !question.compels_all() && question.play != Play::Reciprocal => forward(question, random, men),
            // Few men at the edge, where both sides can often mate.
            2..=7 if question.play == Play::Reciprocal => generator::few_men(random).map(|(chess, _)| chess),
            6 | 7 if question.is_reflex => generator::few_men(random).map(|(chess, _)| chess),
            _ => backward(question, random, men),
        };
        if let Some(chess) = planted.filter(|it| it.board().occupied().count() <= men && !it.legal_moves().is_empty()) {
            return chess;
        }
    }
}

/// Places men at random. The colours may be exchanged.
fn placed(random: &mut Random, men: usize) -> Option<Chess> {
    let theme = random.pick(&Theme::ALL);
    let men = 4 + random.below(men - 3);
    let chess = generator::placement(random, men, theme)?;
    Some(if random.one_in(2) { generator::colors_flipped(&chess) } else { chess })
}

/// Returns a random position from which one of some random lines reaches the goal.
fn forward(question: Question, random: &mut Random, men: usize) -> Option<Chess> {
    let chess = placed(random, men)?;
    let reaches = (0..30).any(|_| random_line_reaches(question, &chess, random));
    reaches.then_some(chess)
}

fn random_line_reaches(question: Question, chess: &Chess, random: &mut Random) -> bool {
    let mut chess = chess.clone();
    for at in 0..question.half_moves - 1 {
        let moves = chess.legal_moves();
        let is_special = |m: &Move| m.is_castle() || m.is_en_passant() || m.is_promotion();
        let special: Vec<Move> = moves.iter().copied().filter(is_special).collect();
        let list = if special.is_empty() || random.one_in(3) { &moves } else { special.as_slice() };
        if list.is_empty() {
            return false;
        }
        let Some(after) = question.after(&chess, random.pick(list), at) else { return false };
        chess = after;
    }
    !question.last(&chess).is_empty()
}

/// Takes half-moves back from a position in which the last half-move reaches the goal.
fn backward(question: Question, random: &mut Random, men: usize) -> Option<Chess> {
    let wanted = random.below(12);
    let finish = |random: &mut Random| {
        let chess = if question.compels_all() { compelled(random)? } else { placed(random, men)? };
        if chess.board().occupied().count() > men {
            return None;
        }
        let last = question.last(&chess);
        let is_wanted = |&m: &Move| match wanted {
            _ if question.compels_all() => true,
            0 | 1 => m.is_en_passant(),
            2 => m.is_castle(),
            3 if question.end == End::Mate => played(&chess, m).checkers().more_than_one(),
            4 | 5 if question.end == End::Mate => has_pinned_guard(&played(&chess, m)),
            _ => true,
        };
        last.iter().any(is_wanted).then_some(chess)
    };
    let mut chess = (0..2000).find_map(|_| finish(random))?;
    for at in (0..question.half_moves - 1).rev() {
        let before = |random: &mut Random| {
            // The side that moved last is not to move.
            let after = if question.goes_on(at) { passed(&chess)? } else { chess.clone() };
            generator::take_back(random, &after)
        };
        chess = (0..40).find_map(|_| before(random))?;
    }
    Some(chess)
}

/// Returns a position of a white king among his own men near a black piece, and of a black king who can hardly move.
/// Black is to move, White if the colours are exchanged.
fn compelled(random: &mut Random) -> Option<Chess> {
    let mut board = Board::empty();
    let man = |color, role| Piece { color, role };
    let edge = [Square::A1, Square::B1, Square::C1, Square::F1, Square::G1, Square::H1, Square::H3, Square::A4];
    let king = random.pick(&edge);
    board.set_piece_at(king, man(Color::White, Role::King));
    for at in attacks::king_attacks(king) {
        let role = random.pick(&[Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook]);
        if random.one_in(2) && !(role == Role::Pawn && Bitboard::BACKRANKS.contains(at)) {
            board.set_piece_at(at, man(Color::White, role));
        }
    }
    let free = |random: &mut Random, board: &Board| {
        let square = Square::new(random.below(64) as u32);
        board.piece_at(square).is_none().then_some(square)
    };
    let corner = random.pick(&[Square::A8, Square::H8, Square::H8, Square::B8, Square::A6, Square::H4]);
    let black_king = if random.one_in(3) { free(random, &board)? } else { corner };
    board.set_piece_at(black_king, man(Color::Black, Role::King));
    let mating = random.pick(&[Role::Queen, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn]);
    let attackers = [man(Color::White, random.pick(&[Role::Queen, Role::Rook, Role::Bishop, Role::Knight]))];
    for piece in
        [man(Color::Black, mating)].into_iter().chain(attackers).chain(attackers.into_iter().take(random.below(2)))
    {
        let square = free(random, &board)?;
        board.set_piece_at(square, piece);
    }
    for _ in 0..random.below(3) {
        let square = Square::new(8 + random.below(40) as u32);
        let above = square.offset(8)?;
        if board.piece_at(square).is_none() && board.piece_at(above).is_none() {
            board.set_piece_at(square, man(Color::White, Role::Pawn));
            board.set_piece_at(above, man(Color::Black, Role::Pawn));
        }
    }
    let chess = generator::playable(Setup { board, turn: Color::Black, ..Setup::empty() })?;
    let moves = chess.legal_moves();
    let is_near = (1..=4).contains(&moves.len()) && played(&chess, moves[0]).is_checkmate();
    is_near.then(|| if random.one_in(2) { generator::colors_flipped(&chess) } else { chess })
}

/// Returns the position with one man moved by one square; `None` if it is not playable.
pub fn mutated(random: &mut Random, chess: &Chess) -> Option<Chess> {
    let mut setup = chess.to_setup(shakmaty::EnPassantMode::Legal);
    let men: Vec<Square> = setup.board.occupied().into_iter().collect();
    let from = random.pick(&men);
    let near: Vec<Square> = (attacks::king_attacks(from) & !setup.board.occupied()).into_iter().collect();
    if near.is_empty() {
        return None;
    }
    let (to, man) = (random.pick(&near), setup.board.remove_piece_at(from)?);
    setup.board.set_piece_at(to, man);
    generator::playable(setup).filter(|it| !it.legal_moves().is_empty())
}
