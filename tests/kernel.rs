//! The mating kernel against shakmaty: the same moves, checks, counts and mates on random and standard positions.
use matesolve::chess::{MoveList, Moves, Position};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

fn chess(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    fen.into_position(CastlingMode::Chess960).unwrap()
}

fn codes(chess: &Chess) -> Vec<u16> {
    let mut codes: Vec<u16> = chess
        .legal_moves()
        .iter()
        .map(|m| {
            let to = match m {
                shakmaty::Move::Castle { rook, .. } => *rook,
                _ => m.to(),
            };
            matesolve::chess::MoveCode::new(m.from().unwrap(), to, m.promotion()).0
        })
        .collect();
    codes.sort_unstable();
    codes
}

/// Compares every question the kernel answers with shakmaty's answer.
fn agree(chess: &Chess) {
    let position = Position::from_chess(chess);
    let moves = position.legal_moves();
    let mut ours: Vec<u16> = moves.iter().map(|m| m.code().0).collect();
    ours.sort_unstable();
    let fen = position.fen();
    assert_eq!(ours, codes(chess), "{fen}");
    assert_eq!(position.count_moves(), ours.len(), "{fen}");
    assert_eq!(position.has_move(), !ours.is_empty(), "{fen}");
    assert_eq!(position.is_check(), chess.is_check(), "{fen}");
    let (mut checks, mut quiet) = (MoveList::new(), MoveList::new());
    position.generate(Moves::Checks, &mut checks);
    position.generate(Moves::Quiet, &mut quiet);
    assert_eq!(checks.len() + quiet.len(), moves.len(), "{fen}");
    let mut mates = false;
    for m in &moves {
        let next = position.play(*m);
        let gives_check = next.is_check();
        assert_eq!(checks.contains(m), gives_check, "{fen} {m:?}");
        mates |= gives_check && next.to_chess().is_checkmate();
    }
    assert_eq!(position.mate_in_one().is_some(), mates, "{fen}");
    if let Some(m) = position.mate_in_one() {
        assert!(position.play(m).to_chess().is_checkmate(), "{fen} {m:?}");
    }
}

struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

const ROOTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
];

#[test]
fn kernel_agrees_with_shakmaty_on_random_games() {
    let mut random = Random(7);
    for round in 0..60 {
        let mut game = chess(ROOTS[round % ROOTS.len()]);
        for _ in 0..120 {
            agree(&game);
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[random.below(moves.len())];
            game.play_unchecked(m);
        }
    }
}

fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_moves() as u64;
    }
    position.legal_moves().into_iter().map(|m| perft(&position.play(m), depth - 1)).sum()
}

#[test]
fn perft_agrees_with_shakmaty() {
    for (fen, depth) in ROOTS.iter().zip([4, 3, 5, 4, 4, 4, 4]) {
        let start = chess(fen);
        assert_eq!(perft(&Position::from_chess(&start), depth), shakmaty::perft(&start, depth), "{fen}");
    }
}
