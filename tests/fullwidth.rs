//! Tests that the full-width searcher is exact: for every first move of generated positions it finds whether the move
//! mates.

mod support;

use std::sync::atomic::AtomicBool;

use matesolve::chess::{MateLength, NodeKind, Position};
use matesolve::proof::{Facts, ProofError, check, check_exclusive};
use matesolve::search::exhaustive::Exhaustive;
use matesolve::search::fullwidth::{Exclusive, FullWidth};
use matesolve::search::{Control, Limits, Meter, StopReason, Task};
use shakmaty::{Chess, Position as _, Square};
use support::generator::{self, Theme};
use support::random::Random;
use support::reference::Reference;

/// Calls `run` with a searcher that has a table of `bytes` bytes and a limit of nodes.
fn with_searcher<R>(bytes: usize, nodes: Option<u64>, run: impl FnOnce(&mut FullWidth) -> R) -> R {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes, deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    run(&mut FullWidth::new(&Facts::with_bytes(bytes), &mut meter, Exclusive::default()))
}

/// Returns a position from a seed.
fn position(seed: u64) -> Option<Chess> {
    let mut random = Random(seed);
    let men = 4 + random.below(8);
    let theme = random.pick(&[
        Theme::Any,
        Theme::Castling,
        Theme::Castling960,
        Theme::EnPassant,
        Theme::Promotion,
        Theme::Blocked,
    ]);
    let chess = if random.one_in(2) {
        generator::placement(&mut random, men, theme)?
    } else {
        let plies = 1 + random.below(5);
        generator::before_mate(&mut random, men, plies)?
    };
    Some(if random.one_in(2) { generator::colors_flipped(&chess) } else { chess })
}

/// Compares the searcher with the reference about a position and all its moves, within `n` moves. In a table of few
/// bytes facts are lost and replaced. Returns the number of mating answers, or `None` if the reference needs too many
/// nodes.
fn compare(chess: &Chess, n: u16, bytes: usize) -> Option<usize> {
    let root = Position::from_chess(chess);
    let mut reference = Reference::new(300_000);
    let shortest = reference.shortest(&root, NodeKind::Or, n).ok()?;
    let mut expected = Vec::new();
    for m in root.legal_moves() {
        for k in 0..n {
            expected.push((m, k, reference.mated(&root.play(m), k).ok()?));
        }
    }
    with_searcher(bytes, None, |searcher| {
        assert_eq!(searcher.shortest(&root, n), Ok(shortest), "{}", root.fen());
        for &(m, k, mated) in &expected {
            assert_eq!(searcher.mated(&root.play(m), k), Ok(mated), "{} {m:?} within {k}", root.fen());
        }
        let proof = searcher.prove(&root, NodeKind::Or, n).unwrap();
        let length = proof.map(|tree| check(chess, chess.turn(), tree).expect("the proof holds").length().0);
        assert_eq!(length, shortest, "{}", root.fen());
    });
    Some(expected.iter().filter(|&&(_, _, mated)| mated).count())
}

#[test]
fn the_searcher_agrees_with_the_reference_about_every_move() {
    let (mut compared, mut mating) = (0, 0);
    for seed in 0..700 {
        let Some(chess) = position(77_000_000 + seed) else { continue };
        let n = if seed % 4 == 0 { 4 } else { 3 };
        let bytes = if seed % 3 == 0 { 64 } else { 1 << 18 };
        if let Some(moves) = compare(&chess, n, bytes) {
            compared += 1;
            mating += moves;
        }
    }
    println!("{compared} positions, {mating} answers were mates");
    assert!(compared > 350 && mating > 3000, "{compared} {mating}");
}

#[test]
fn the_searcher_agrees_with_the_oracle() {
    let mut compared = 0;
    for seed in 0..400 {
        let Some(chess) = position(78_000_000 + seed) else { continue };
        let position = Position::from_chess(&chess);
        let task = Task { position, attacker: chess.turn(), bound: MateLength(3), shortest: true, memory: 0 };
        let answer = support::solve(&mut Exhaustive, &task, Some(200_000), &Facts::with_bytes(1));
        if answer.stopped.is_none() {
            let expected = answer.proof.map(|proof| proof.length().0);
            let found = with_searcher(1 << 16, None, |searcher| searcher.shortest(&position, 3));
            assert_eq!(found, Ok(expected), "{}", position.fen());
            compared += 1;
        }
    }
    println!("{compared} positions");
    assert!(compared > 60, "{compared}");
}

#[test]
fn the_node_limit_is_kept_and_gives_no_answer() {
    let chess = Chess::default();
    let root = Position::from_chess(&chess);
    let (answer, nodes) = with_searcher(1 << 16, Some(5000), |searcher| (searcher.mates(&root, 5), searcher.nodes()));
    assert_eq!((answer, nodes), (Err(StopReason::Nodes), 5000));
}

#[test]
fn castling_rights_that_exclude_each_other_are_searched_and_checked() {
    // Remling 1983: White castles and thereby proves that Black cannot castle.
    let chess = support::chess("n3k2r/1pp1pN1p/1P2BppP/b7/1P6/2P5/1PP3P1/R3K3 w Qk - 0 1");
    let root = Position::from_chess(&chess);
    let pairs = vec![(Square::A1, Square::H8)];
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), &stop);
    let mut meter = Meter::new(&control);
    let facts = Facts::with_bytes(1 << 16);
    let mut searcher = FullWidth::new(&facts, &mut meter, Exclusive::pairs(pairs.clone()));
    let proof = searcher.prove(&root, NodeKind::Or, 2).unwrap().expect("castling mates in two");
    let checked = check_exclusive(&chess, chess.turn(), proof.clone(), &pairs);
    assert_eq!(checked.map(|proof| proof.length()), Ok(MateLength(2)));
    // If both sides may castle, Black escapes by castling.
    assert!(matches!(check(&chess, chess.turn(), proof), Err(ProofError::MissingDefence { .. })));
    assert_eq!(with_searcher(1 << 16, None, |searcher| searcher.mates(&root, 2)), Ok(false));
}

#[test]
fn a_proof_larger_than_the_limit_ends_the_search() {
    let chess = support::chess("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - 0 1");
    let root = Position::from_chess(&chess);
    with_searcher(1 << 16, None, |searcher| {
        searcher.set_proof_limit(10);
        assert_eq!(searcher.prove(&root, NodeKind::Or, 3), Err(StopReason::Memory));
        searcher.set_proof_limit(10_000);
        assert!(searcher.prove(&root, NodeKind::Or, 3).is_ok_and(|proof| proof.is_some()));
    });
}
