//! Compares the speed of the mating kernel with shakmaty on the same positions: `cargo bench --bench kernel`.
//!
//! The positions come from random games with a fixed seed. Each row of the output is a question that a mate search asks
//! often, answered by the kernel's bitboards and by playing moves with shakmaty. Both must give the same answers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]

use std::hint::black_box;
use std::time::Instant;

use matesolve_engine::chess::{ManList, MoveList, Position};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

/// The first positions of the games: an opening, a middle game, an ending and a position with promotions.
const ROOTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
];

/// The number of positions.
const POSITIONS: usize = 20_000;
/// The number of times that each row is measured.
const ROUNDS: usize = 5;

/// Plays random games and returns their positions.
fn positions() -> Vec<Chess> {
    let mut seed = 7_u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % n as u64) as usize
    };
    let mut positions = Vec::with_capacity(POSITIONS);
    for root in ROOTS.iter().cycle() {
        let mut game: Chess = root.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        for _ in 0..100 {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            if positions.len() == POSITIONS {
                return positions;
            }
            positions.push(game.clone());
            game.play_unchecked(moves[below(moves.len())]);
        }
    }
    positions
}

/// Counts the checks and the replies to them by playing all moves, and looks for a mate in one.
fn checks_by_playing(chess: &Chess) -> (u64, u64, bool) {
    let (mut checks, mut evasions, mut mates) = (0, 0, false);
    for m in chess.legal_moves() {
        let mut next = chess.clone();
        next.play_unchecked(m);
        if next.is_check() {
            let replies = next.legal_moves().len() as u64;
            (checks, evasions, mates) = (checks + 1, evasions + replies, mates || replies == 0);
        }
    }
    (checks, evasions, mates)
}

/// Returns the same as `checks_by_playing`, by the kernel.
fn checks_by_kernel(position: &Position) -> (u64, u64, bool) {
    let mut men = ManList::new();
    let attack = position.attack(&mut men);
    let mut checks = MoveList::new();
    attack.checks(&mut checks);
    let evasions = checks.iter().map(|&m| u64::from(attack.evasions(m))).sum();
    (checks.len() as u64, evasions, attack.mate().is_some())
}

/// Calls `answer` for all positions. Returns the sum of the answers and the nanoseconds a position in the fastest
/// round.
fn time<T>(positions: &[T], mut answer: impl FnMut(&T) -> u64) -> (u64, f64) {
    let mut best = f64::INFINITY;
    let mut sum = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        sum = positions.iter().map(|position| black_box(answer(position))).sum();
        best = best.min(start.elapsed().as_secs_f64());
    }
    (sum, best * 1e9 / positions.len() as f64)
}

/// Prints a row. The two sums of answers must be equal.
fn print_row(name: &str, shakmaty: (u64, f64), kernel: (u64, f64)) {
    assert_eq!(shakmaty.0, kernel.0, "{name}");
    println!("{name:<42} {:>9.0} {:>9.0} {:>7.1}", shakmaty.1, kernel.1, shakmaty.1 / kernel.1);
}

fn main() {
    let chess = positions();
    let kernel: Vec<Position> = chess.iter().map(Position::from_chess).collect();
    for (played, position) in chess.iter().zip(&kernel) {
        assert_eq!(checks_by_playing(played), checks_by_kernel(position), "{}", position.fen());
    }
    println!("{:<42} {:>9} {:>9} {:>7}", "nanoseconds a position", "shakmaty", "kernel", "ratio");
    print_row(
        "count the legal moves",
        time(&chess, |position| position.legal_moves().len() as u64),
        time(&kernel, |position| position.count_moves() as u64),
    );
    print_row(
        "play every legal move",
        time(&chess, |position| {
            position.legal_moves().into_iter().map(|m| u64::from(position.clone().play(m).is_ok())).sum()
        }),
        time(&kernel, |position| {
            position.legal_moves().into_iter().map(|m| u64::from(black_box(position.play(m)).key() != 0)).sum()
        }),
    );
    print_row(
        "count the checks and their evasions",
        time(&chess, |position| checks_by_playing(position).1),
        time(&kernel, |position| checks_by_kernel(position).1),
    );
    print_row(
        "find a mate in one",
        time(&chess, |position| u64::from(checks_by_playing(position).2)),
        time(&kernel, |position| u64::from(position.mate_in_one().is_some())),
    );
}
