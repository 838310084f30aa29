//! Prints positions with their legal moves, to compare them with those of another program: `FEN<TAB>moves`, in the
//! order and with the names of `docs/certificates.md`. The positions come from random games and from random placements
//! of men, the same in every run. Counts of what they have go to standard error.
//!
//! ```text
//! cargo run --release --example legal_moves -- 10000
//! ```

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]

use std::error::Error;

use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup as _, Move, Piece, Position as _,
    PositionError, Rank, Role, Setup, Square, attacks,
};

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: usize = std::env::args().nth(1).ok_or("name the number of positions")?.parse()?;
    let mut random = Random(2026);
    let mut counts = [0; 6];
    let mut game = start(&mut random);
    for number in 0..wanted {
        let position = if number % 2 == 0 {
            let moves = game.legal_moves();
            if moves.is_empty() || game.halfmoves() > 60 {
                game = start(&mut random);
            } else {
                game.play_unchecked(moves[random.below(moves.len())]);
            }
            game.clone()
        } else {
            placement(&mut random)
        };
        for (count, has) in counts.iter_mut().zip(features(&position)) {
            *count += usize::from(has);
        }
        println!("{}\t{}", Fen::from_position(&position, EnPassantMode::Always), names(&position).join(" "));
    }
    let [castling, en_passant, promotion, check, double_check, pin] = counts;
    eprintln!("{wanted} positions: {castling} with a legal castling, {en_passant} with a legal capture en passant,");
    eprintln!(
        "{promotion} with a promotion, {check} with a check, {double_check} with a double check, {pin} with a pin"
    );
    Ok(())
}

/// Returns the first position of a game of Chess960; the position of orthodox chess is one of them.
fn start(random: &mut Random) -> Chess {
    let men = *b"rnbqkbnr";
    let rank = loop {
        let mut rank = men;
        // Half of the games are orthodox.
        if random.below(2) == 0 {
            (1..8).rev().for_each(|last| rank.swap(last, random.below(last + 1)));
        }
        let places = |man| (0..8).filter(move |&file| rank[file] == man).collect::<Vec<_>>();
        let (rooks, bishops, king) = (places(b'r'), places(b'b'), places(b'k')[0]);
        if rooks[0] < king && king < rooks[1] && bishops[0] % 2 != bishops[1] % 2 {
            break String::from_utf8_lossy(&rank).into_owned();
        }
    };
    let fen = format!("{rank}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", rank.to_uppercase());
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap()
}

/// Returns a position with men on random squares. Kings and rooks often stand on their back rank, with the rights to
/// castle that they allow. In many positions, the last move was a double step of a pawn beside one of the other side.
fn placement(random: &mut Random) -> Chess {
    loop {
        let mut board = Board::empty();
        for color in Color::ALL {
            let king = if random.below(2) == 0 { home(color, random) } else { Square::ALL[random.below(64)] };
            board.set_piece_at(king, color.king());
            for _ in 0..random.below(9) {
                let role = Role::ALL[random.below(5)];
                let square = match role {
                    Role::Rook => home(color, random),
                    Role::Pawn => Square::ALL[8 + random.below(48)],
                    _ => Square::ALL[random.below(64)],
                };
                if board.piece_at(square).is_none() {
                    board.set_piece_at(square, Piece { color, role });
                }
            }
        }
        let turn = if random.below(2) == 0 { Color::White } else { Color::Black };
        let ep_square = (random.below(2) == 0).then(|| double_step(&mut board, turn, random));
        // At most one rook on each side of a king may have a right.
        let castling_rights = Color::ALL.into_iter().fold(Bitboard::EMPTY, |rights, color| {
            let rooks = board.by_piece(color.rook()) & color.backrank();
            rights | rooks.first().into_iter().chain(rooks.last()).collect::<Bitboard>()
        });
        let setup = Setup { board, turn, castling_rights, ep_square, ..Setup::empty() };
        let position = Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square);
        if let Ok(position) = position {
            return position;
        }
    }
}

/// Returns a square of a side's back rank.
fn home(color: Color, random: &mut Random) -> Square {
    Square::from_coords(File::ALL[random.below(8)], color.backrank())
}

/// Places a pawn that has just made a double step beside one of the side to move. Returns the square that it passed.
fn double_step(board: &mut Board, turn: Color, random: &mut Random) -> Square {
    let file = random.below(7);
    let (file, beside) = if random.below(2) == 0 { (file, file + 1) } else { (file + 1, file) };
    let [rank, passed] = turn.fold_wb([Rank::Fifth, Rank::Sixth], [Rank::Fourth, Rank::Third]);
    board.set_piece_at(Square::from_coords(File::ALL[file], rank), (!turn).pawn());
    board.set_piece_at(Square::from_coords(File::ALL[beside], rank), turn.pawn());
    Square::from_coords(File::ALL[file], passed)
}

/// Returns the names of the legal moves in their order.
fn names(position: &Chess) -> Vec<String> {
    // Only drops of other variants have no square where they begin.
    let order = |m: &Move| (m.from().unwrap_or(m.to()), m.to(), m.promotion());
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(order);
    let name = |(from, to, role): (Square, Square, Option<Role>)| {
        format!("{from}{to}{}", role.map_or(String::new(), |role| role.char().to_string()))
    };
    moves.iter().map(|m| name(order(m))).collect()
}

/// Returns whether a position has a legal castling, a legal capture en passant, a promotion, a check, a double check
/// and a pinned man of the side to move.
fn features(position: &Chess) -> [bool; 6] {
    let moves = position.legal_moves();
    let (board, turn) = (position.board(), position.turn());
    let king = board.king_of(turn).unwrap();
    let enemies = board.by_color(!turn);
    let pinners = attacks::rook_attacks(king, enemies) & enemies & board.rooks_and_queens()
        | attacks::bishop_attacks(king, enemies) & enemies & board.bishops_and_queens();
    let pin = pinners.into_iter().any(|pinner| (attacks::between(king, pinner) & board.occupied()).count() == 1);
    [
        moves.iter().any(|m| m.is_castle()),
        moves.iter().any(|m| m.is_en_passant()),
        moves.iter().any(|m| m.is_promotion()),
        position.is_check(),
        position.checkers().count() > 1,
        pin,
    ]
}

/// A small generator of random numbers, the same in every run.
// CITE: Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators".
struct Random(u64);

impl Random {
    /// Returns a number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}
