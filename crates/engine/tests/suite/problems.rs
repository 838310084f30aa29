//! Tests that the lines in `problems/` are true: the length, the keys, and the theme of the suite.

use std::collections::{BTreeMap, HashSet};

use matesolve_engine::chess::{Goal, MateLength, NodeKind, Position};
use matesolve_engine::search::exhaustive::Exhaustive;
use matesolve_engine::search::{Facts, Task};
use matesolve_proof::{Certificate, ProofNode, check};
use matesolve_testkit::reference::{Exhausted, Reference};
use matesolve_testkit::study::{self, Study};
use matesolve_testkit::suites::{self, Claim, Problem, problems};
use shakmaty::Position as _;

/// The node limit for a problem in the tests that are not ignored.
const NODES: u64 = 2_000_000;

/// The problems that need more nodes. An ignored test solves them.
const SLOW: [&str; 8] = [
    "loyd-1878-paris",
    "ending-queen",
    "ending-two-rooks",
    "zugzwang-pawns-05",
    "zugzwang-pawns-06",
    "zugzwang-pawns-07",
    "zugzwang-pawns-08",
    "zugzwang-pawns-09",
];

/// The suite of problems that are too long for a full-width search. A certificate beside the suite, `ID.cert`, proves a
/// mate of the length. That no shorter mate exists is stated by the literature and not tested.
const DEEP: &str = "deep";

/// Returns whether the tests that are not ignored solve the problem.
fn is_quick(problem: &Problem) -> bool {
    problem.suite != DEEP && !SLOW.contains(&problem.id.as_str())
}

/// Returns the kind of the root, the length to search, and the shortest mate within it.
fn expectation(problem: &Problem) -> (NodeKind, u16, Option<u16>) {
    match problem.claim {
        Claim::Mate(n) | Claim::Cooked(n) => (NodeKind::Or, n, Some(n)),
        Claim::Mated(n) => (NodeKind::And, n, Some(n)),
        Claim::NoMate(n) | Claim::NoSolution(n) => (NodeKind::Or, n, None),
        Claim::Short { stipulated, mates } => (NodeKind::Or, stipulated, Some(mates)),
    }
}

/// Solves the problem with the reference and compares length, proof and keys with its line.
fn verify(problem: &Problem, nodes: u64) -> Result<(), Exhausted> {
    let chess = problem.chess();
    let (kind, bound, expected) = expectation(problem);
    let position = Position::from_chess(&chess);
    let mut reference = Reference::new(nodes);
    let shortest = reference.shortest(&position, kind, bound)?;
    assert_eq!(shortest, expected, "{}: {}", problem.place, problem.fen);
    if let Some(n) = shortest {
        let attacker = if kind == NodeKind::Or { chess.turn() } else { !chess.turn() };
        let proof = reference.proof(&position, kind, n)?;
        assert_eq!(
            check(&chess, attacker, Goal::MATE, proof).map(|proof| proof.length()),
            Ok(MateLength(n)),
            "{}: {}",
            problem.place,
            problem.fen
        );
    }
    if let Some(keys) = &problem.keys {
        let sans = Study::of(&chess, bound, nodes).ok_or(Exhausted)?.sans();
        let found: Vec<&str> = sans.split(' ').collect();
        assert_eq!(&found, keys, "{}: {}", problem.place, problem.fen);
        assert_eq!(matches!(problem.claim, Claim::Cooked(_)), problem.suite == "unsound" && keys.len() > 1);
    }
    Ok(())
}

#[test]
fn every_problem_has_the_length_and_the_keys_of_its_line() {
    let slow: Vec<String> = problems()
        .iter()
        .filter(|problem| is_quick(problem) && verify(problem, NODES) == Err(Exhausted))
        .map(|problem| problem.id.clone())
        .collect();
    assert!(slow.is_empty(), "{NODES} nodes are not enough for {slow:?}");
}

#[test]
fn exhaustive_agrees_on_every_problem_that_it_can_solve() {
    let mut answered = 0;
    for problem in problems() {
        let (chess, (kind, bound, expected)) = (problem.chess(), expectation(&problem));
        let attacker = if kind == NodeKind::Or { chess.turn() } else { !chess.turn() };
        let position = Position::from_chess(&chess);
        let task = Task::mate(position, attacker, MateLength(bound));
        let answer = matesolve_testkit::solve(&mut Exhaustive, &task, Some(100_000), &Facts::with_bytes(1));
        if answer.stopped.is_none() {
            let length = answer.proof.map(|proof| check(&chess, attacker, Goal::MATE, proof).unwrap().length().0);
            assert_eq!(length, expected, "{}: {}", problem.place, problem.fen);
            answered += 1;
        }
    }
    println!("{answered} problems answered by exhaustive");
    assert!(answered >= 200, "{answered}");
}

#[test]
#[ignore = "many millions of nodes: cargo test --test suite problems:: -- --ignored"]
fn every_slow_problem_has_the_length_and_the_keys_of_its_line() {
    for problem in problems().iter().filter(|problem| SLOW.contains(&problem.id.as_str())) {
        assert_eq!(verify(problem, 1_000 * NODES), Ok(()), "{}", problem.place);
        println!("{} verified", problem.place);
    }
}

#[test]
fn every_deep_problem_has_a_certificate_of_its_length_and_key() {
    let mut certificates = suites::files("cert");
    // One stands among the certificates that every checker is tried on.
    let others = certificates[0].with_file_name("certificates");
    for problem in problems().iter().filter(|problem| problem.suite == DEEP) {
        let Claim::Mate(n) = problem.claim else { panic!("{}: no dm", problem.place) };
        let name = format!("{}.cert", problem.id);
        let place = certificates.iter().position(|file| file.ends_with(&name));
        let file = place.map_or_else(|| others.join(&name), |place| certificates.swap_remove(place));
        let certificate = Certificate::read(&std::fs::read(file).unwrap()).unwrap();
        assert_eq!(certificate.verify().unwrap().length(), MateLength(n), "{name}");
        assert_eq!(certificate.fen(), format!("{} 0 1", problem.fen), "{name}");
        let Some(ProofNode::Attack(key, _)) = certificate.tree().nodes().last() else { panic!("{name}: no key") };
        let position = Position::from_chess(&problem.chess());
        let study = Study { chess: problem.chess(), position, n, keys: position.find_move(*key).into_iter().collect() };
        assert_eq!(problem.keys, Some(vec![study.sans()]), "{name}");
    }
    assert!(certificates.is_empty(), "certificates without a problem: {certificates:?}");
}

#[test]
fn every_problem_shows_the_theme_of_its_suite() {
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
        assert!(shows(&study), "{} does not show the theme of its suite: {}", problem.place, problem.fen);
    }
}

#[test]
fn the_suites_are_large_enough_and_contain_no_problem_twice() {
    let problems = problems();
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut ids, mut positions) = (HashSet::new(), HashSet::new());
    for problem in &problems {
        *sizes.entry(&problem.suite).or_default() += 1;
        assert!(ids.insert(&problem.id), "{}: the id {} occurs twice", problem.place, problem.id);
        assert!(!problem.source.is_empty(), "{}: no source", problem.place);
        assert!(positions.insert(&problem.fen), "{}: the position occurs twice", problem.place);
        let (mated, moves) = (matches!(problem.claim, Claim::Mated(_)), problem.chess().legal_moves());
        assert!(mated || !moves.is_empty(), "{}: the side to move has no move", problem.place);
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
