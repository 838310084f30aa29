//! Every problem in `problems/` is what its line says: the length, the keys, and what its suite is named for.

mod reference;
mod study;
mod suites;

use std::collections::{BTreeMap, HashSet};

use matesolve::chess::{MateLength, NodeKind, Position};
use matesolve::proof::check;
use reference::{Exhausted, Reference};
use shakmaty::{Chess, Position as _};
use study::Study;
use suites::{Claim, Problem, problems};

/// Nodes for one problem in the ordinary test run.
const NODES: u64 = 2_000_000;

/// Problems that take more; the ignored test has them.
const SLOW: [&str; 0] = [];

/// Problems no full-width search reaches: their length is the literature's until a certificate shows it.
const DEEP: &str = "deep";

fn is_quick(problem: &Problem) -> bool {
    problem.suite != DEEP && !SLOW.contains(&problem.id.as_str())
}

/// Solves the problem by full width and compares. Errors name the problem.
fn verify(problem: &Problem, nodes: u64) -> Result<(), Exhausted> {
    let chess = problem.chess();
    let kind = if matches!(problem.claim, Claim::Mated(_)) { NodeKind::And } else { NodeKind::Or };
    let (bound, expected) = match problem.claim {
        Claim::Mate(n) | Claim::Mated(n) | Claim::Cooked(n) => (n, Some(n)),
        Claim::NoMate(n) | Claim::NoSolution(n) => (n, None),
        Claim::Short { stipulated, mates } => (stipulated, Some(mates)),
    };
    let position = Position::from_chess(&chess);
    let mut reference = Reference::new(nodes);
    let shortest = reference.shortest(&position, kind, bound)?;
    assert_eq!(shortest, expected, "{}: {}", problem.place, problem.fen);
    if let Some(n) = shortest {
        let attacker = if kind == NodeKind::Or { chess.turn() } else { !chess.turn() };
        let proof = reference.proof(&position, kind, n)?;
        assert_eq!(check(&chess, attacker, &proof), Ok(MateLength(n)), "{}: {}", problem.place, problem.fen);
    }
    if let Some(keys) = &problem.keys {
        let study = study(&chess, bound, nodes)?;
        let found: Vec<&str> = study.sans.split(' ').collect();
        assert_eq!(&found, keys, "{}: {}", problem.place, problem.fen);
        assert_eq!(matches!(problem.claim, Claim::Cooked(_)), problem.suite == "unsound" && keys.len() > 1);
    }
    Ok(())
}

struct Solved {
    sans: String,
}

fn study(chess: &Chess, bound: u16, nodes: u64) -> Result<Solved, Exhausted> {
    Ok(Solved { sans: Study::of(chess, bound, nodes).ok_or(Exhausted)?.sans() })
}

#[test]
fn every_problem_is_as_long_as_it_says() {
    let slow: Vec<String> = problems()
        .iter()
        .filter(|problem| is_quick(problem) && verify(problem, NODES) == Err(Exhausted))
        .map(|problem| problem.id.clone())
        .collect();
    assert!(slow.is_empty(), "{NODES} nodes are not enough for {slow:?}");
}

#[test]
#[ignore = "takes minutes: cargo test --release --test problems -- --ignored"]
fn every_slow_problem_is_as_long_as_it_says() {
    for problem in problems().iter().filter(|problem| SLOW.contains(&problem.id.as_str())) {
        assert_eq!(verify(problem, 1_000 * NODES), Ok(()), "{}", problem.place);
        println!("{} verified", problem.place);
    }
}

#[test]
fn every_suite_shows_what_it_is_named_for() {
    for problem in problems().iter().filter(|problem| is_quick(problem)) {
        let shows: fn(&Study) -> bool = match problem.suite.as_str() {
            "quiet_keys" => study::quiet_key,
            "zugzwang" => study::zugzwang,
            "castling" => study::castling,
            "en_passant" => study::en_passant,
            "underpromotion" => study::underpromotion,
            "stalemate_traps" => study::stalemate_trap,
            "long_checks" => study::long_checks,
            _ => continue,
        };
        let Claim::Mate(n) = problem.claim else { panic!("{}: no dm", problem.place) };
        let study = Study::of(&problem.chess(), n, NODES).unwrap();
        assert!(shows(&study), "{} does not show what its suite is for: {}", problem.place, problem.fen);
    }
}

#[test]
fn the_suites_are_complete_and_nothing_is_in_them_twice() {
    let problems = problems();
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut ids, mut positions) = (HashSet::new(), HashSet::new());
    for problem in &problems {
        *sizes.entry(&problem.suite).or_default() += 1;
        assert!(ids.insert(&problem.id), "{}: the id {} is taken", problem.place, problem.id);
        assert!(!problem.source.is_empty(), "{}: no source", problem.place);
        assert!(positions.insert(&problem.fen), "{}: the position is there already", problem.place);
        let (mated, moves) = (matches!(problem.claim, Claim::Mated(_)), problem.chess().legal_moves());
        assert!(mated || !moves.is_empty(), "{}: nobody can move", problem.place);
    }
    println!("{} problems: {sizes:?}", problems.len());
    assert!(problems.len() >= 250, "{sizes:?}");
    let named = [
        "castling",
        "en_passant",
        "long_checks",
        "mated",
        "quiet_keys",
        "smoke",
        "stalemate_traps",
        "underpromotion",
        "unsolvable",
        "unsound",
        "zugzwang",
    ];
    assert!(named.iter().all(|suite| sizes.get(suite).is_some_and(|&size| size >= 15)), "{sizes:?}");
}
