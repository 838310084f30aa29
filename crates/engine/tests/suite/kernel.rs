//! Compares `chess::Position` with shakmaty: moves, checks, counts and mates in standard and random positions.

use matesolve_engine::chess::{Checks, ManList, Move, MoveCode, MoveList, Moves, Position};
use matesolve_testkit::chess;
use matesolve_testkit::generator::{self, Theme};
use matesolve_testkit::random::Random;
use shakmaty::{Chess, Position as _};

/// Returns the codes of the legal moves, by shakmaty.
fn codes(chess: &Chess) -> Vec<MoveCode> {
    let mut codes: Vec<MoveCode> = chess
        .legal_moves()
        .iter()
        .map(|m| {
            let to = match m {
                shakmaty::Move::Castle { rook, .. } => *rook,
                _ => m.to(),
            };
            MoveCode::new(m.from().unwrap(), to, m.promotion())
        })
        .collect();
    codes.sort_unstable();
    codes
}

/// Compares all functions of the two positions: moves, checks, counts and mates.
fn agree(chess: &Chess) {
    let position = Position::from_chess(chess);
    let moves = position.legal_moves();
    let mut ours: Vec<MoveCode> = moves.iter().map(|m| m.code()).collect();
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
    let mut men = ManList::new();
    let attack = position.attack(&mut men);
    assert_eq!(attack.count_moves(), moves.len(), "{fen}");
    let known_checks = Checks::of(&position);
    let mut mates = false;
    for m in &moves {
        let next = position.play(*m);
        let gives_check = next.is_check();
        assert_eq!(checks.contains(m), gives_check, "{fen} {m:?}");
        assert_eq!(known_checks.contain(&position, *m), gives_check, "{fen} {m:?}");
        if gives_check {
            assert_eq!(attack.evasions(*m) as usize, next.count_moves(), "{fen} {m:?}");
        }
        let mate = gives_check && next.to_chess().is_checkmate();
        assert_eq!(gives_check && attack.mates(*m), mate, "{fen} {m:?}");
        mates |= mate;
    }
    if !mates {
        assert_eq!(attack.mate_or_checks(), (None, checks.len()), "{fen}");
    }
    assert_eq!(position.mate_in_one().is_some(), mates, "{fen}");
    if let Some(m) = position.mate_in_one() {
        assert!(position.play(m).to_chess().is_checkmate(), "{fen} {m:?}");
    }
}

/// The initial position and positions that are widely used for perft.
const ROOTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
];

/// Tests `Position::allows` with the moves of an earlier position with the same side to move.
fn agree_on_earlier_moves(position: &Position, earlier: &[Move]) {
    let moves = position.legal_moves();
    for m in earlier {
        let expected = moves.contains(m) && !m.is_castle() && !m.is_en_passant();
        assert_eq!(position.allows(*m), expected, "{} {m:?}", position.fen());
    }
}

#[test]
fn kernel_agrees_with_shakmaty_on_random_games() {
    let mut random = Random(7);
    for round in 0..60 {
        let mut game = chess(ROOTS[round % ROOTS.len()]);
        let mut earlier = [MoveList::new(), MoveList::new()];
        for ply in 0..120 {
            agree(&game);
            let position = Position::from_chess(&game);
            agree_on_earlier_moves(&position, &earlier[ply % 2]);
            earlier[ply % 2] = position.legal_moves();
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[random.below(moves.len())];
            game.play_unchecked(m);
        }
    }
}

/// Counts the lines of `depth` plies.
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

/// Positions in which a rule is easily broken, with the rule or the special feature.
const SPECIAL_POSITIONS: [(&str, &str); 24] = [
    ("capturing a rook on its square ends the right", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    ("a promotion captures a rook that could castle", "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1"),
    ("the same for Black", "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1"),
    ("only the rook crosses an attacked square", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
    ("the king crosses an attacked square", "3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
    ("castling gives check, and mate", "5k2/8/8/8/8/8/6Q1/4K2R w K - 0 1"),
    ("only the rook moves, and it shielded the king", "4k3/8/8/8/8/8/8/qRK5 w B - 0 1"),
    ("only the rook moves, and it shielded nothing", "4k3/8/8/8/8/8/8/1RK5 w B - 0 1"),
    ("the king goes to its rook's square", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"),
    ("king and rook change places", "4k3/8/8/8/8/8/8/2RK4 w C - 0 1"),
    ("two rooks on the same side of the king", "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"),
    ("the king crosses the whole rank", "4k3/8/8/8/8/8/8/RK5R w AH - 0 1"),
    ("the castled king would stand in line with a rook that leaves", "4k3/8/8/8/8/8/8/r1R1K3 w C - 0 1"),
    ("en passant opens the rank", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1"),
    ("en passant opens a diagonal", "8/8/8/2KpP3/8/8/6b1/3b3k w - d6 0 1"),
    ("en passant opens a diagonal behind the captured pawn", "7b/8/8/3pP3/3K4/8/8/7k w - d6 0 1"),
    ("en passant captures the checking pawn", "8/8/8/3pP3/4K3/8/8/7k w - d6 0 1"),
    ("en passant is an interposition", "7k/8/q7/3pP3/8/8/8/3K4 w - d6 0 1"),
    ("en passant discovers checks on two lines", "3r4/8/8/3pP3/8/8/3K4/B6k w - d6 0 1"),
    ("three checkers", "4k3/8/8/8/8/5n2/8/r3K2q w - - 0 1"),
    ("five checkers", "4k3/4r3/8/b6b/8/3n4/8/r3K2q w - - 0 1"),
    ("two knights give check", "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1"),
    ("seven queens for each side", "qqqqkqqq/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1"),
    ("more queens than a game can have", "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1"),
];

#[test]
fn kernel_agrees_with_shakmaty_in_special_positions() {
    let mut random = Random(11);
    for (name, fen) in SPECIAL_POSITIONS {
        let start = chess(fen);
        let position = Position::from_chess(&start);
        for depth in 1..=if start.board().occupied().count() > 12 { 2 } else { 3 } {
            assert_eq!(perft(&position, depth), shakmaty::perft(&start, depth), "{name}: {fen}");
        }
        for _ in 0..20 {
            let mut game = start.clone();
            for _ in 0..12 {
                agree(&game);
                let moves = game.legal_moves();
                if moves.is_empty() {
                    break;
                }
                game.play_unchecked(moves[random.below(moves.len())]);
            }
        }
    }
}

/// Returns whether the side to move has a mate in two.
fn mates_in_two(position: &Position) -> bool {
    let mates_in_one = |position: &Position| position.mate_in_one().is_some();
    let forces = |next: Position| {
        let replies = next.legal_moves();
        !replies.is_empty() && replies.iter().all(|&reply| mates_in_one(&next.play(reply)))
    };
    mates_in_one(position) || position.legal_moves().iter().any(|&m| forces(position.play(m)))
}

/// Compares `has_no_net` with a search on random positions of few men, and on those where the defender's king stands
/// among men of his own. Returns how many have a mate in two, of every eighth, and how many have none without a search.
fn compare_nets(first_seed: u64, count: u64) -> (usize, usize) {
    let (mut mates, mut without) = (0, 0);
    for seed in first_seed..first_seed + count {
        let mut random = Random(seed);
        let men = 3 + random.below(7);
        let plies = random.below(6);
        let chess = match random.below(6) {
            0 => generator::placement(&mut random, men, Theme::Any),
            1 => generator::placement(&mut random, men.max(4), Theme::Promotion),
            2 | 3 => generator::placement(&mut random, men + 3, Theme::Crowded),
            _ => generator::before_mate(&mut random, men, plies),
        };
        let Some(chess) = chess else { continue };
        for chess in [generator::colors_flipped(&chess), chess] {
            let position = Position::from_chess(&chess);
            if position.has_no_net() {
                assert!(!mates_in_two(&position), "{} has a mate in two", position.fen());
                without += 1;
            } else if seed % 8 == 0 {
                mates += usize::from(mates_in_two(&position));
            }
        }
    }
    (mates, without)
}

#[test]
fn a_position_without_a_net_has_no_mate_in_two() {
    let (mates, without) = compare_nets(1, 60_000);
    assert!(mates > 500 && without > 5_000, "{mates} mates, {without} without a net");
}

#[test]
#[ignore = "two minutes: cargo test --release --test suite kernel:: -- --ignored"]
fn three_million_positions_without_a_net_have_no_mate_in_two() {
    compare_nets(1_000_000, 3_000_000);
}
