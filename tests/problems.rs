//! Every problem in `problems/` is what its line says: the length, the keys, and what its suite is named for.

mod reference;
mod study;
mod suites;

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicBool;

use matesolve::chess::{MateLength, NodeKind, Position};
use matesolve::proof::{Certificate, Facts, ProofNode, check};
use matesolve::search::exhaustive::Exhaustive;
use matesolve::search::{Control, Engine as _, Limits, Meter, Silent, Task};
use reference::{Exhausted, Reference};
use shakmaty::Position as _;
use study::Study;
use suites::{Claim, Problem, problems};

/// Nodes for one problem in the ordinary test run.
const NODES: u64 = 2_000_000;

/// Problems that take more; the ignored test has them.
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

/// Problems no full-width search reaches. A certificate beside the suite, `ID.cert`, proves a mate of the length; that
/// nothing shorter exists is the literature's word.
const DEEP: &str = "deep";

fn is_quick(problem: &Problem) -> bool {
    problem.suite != DEEP && !SLOW.contains(&problem.id.as_str())
}

/// The length to search and the shortest mate within it.
fn expectation(problem: &Problem) -> (NodeKind, u16, Option<u16>) {
    match problem.claim {
        Claim::Mate(n) | Claim::Cooked(n) => (NodeKind::Or, n, Some(n)),
        Claim::Mated(n) => (NodeKind::And, n, Some(n)),
        Claim::NoMate(n) | Claim::NoSolution(n) => (NodeKind::Or, n, None),
        Claim::Short { stipulated, mates } => (NodeKind::Or, stipulated, Some(mates)),
    }
}

/// Solves the problem by full width and compares. Errors name the problem.
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
            check(&chess, attacker, proof).map(|proof| proof.length()),
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
fn every_problem_is_as_long_as_it_says() {
    let slow: Vec<String> = problems()
        .iter()
        .filter(|problem| is_quick(problem) && verify(problem, NODES) == Err(Exhausted))
        .map(|problem| problem.id.clone())
        .collect();
    assert!(slow.is_empty(), "{NODES} nodes are not enough for {slow:?}");
}

#[test]
fn the_oracle_says_the_same_of_every_problem_it_can_do() {
    let mut answered = 0;
    for problem in problems() {
        let (chess, (kind, bound, expected)) = (problem.chess(), expectation(&problem));
        let attacker = if kind == NodeKind::Or { chess.turn() } else { !chess.turn() };
        let position = Position::from_chess(&chess);
        let task = Task { position, attacker, bound: MateLength(bound), shortest: true, memory: 0 };
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(100_000), deadline: None }, &stop);
        let answer = Exhaustive.solve(&task, &mut Meter::new(&control), &Facts::with_bytes(1), &mut Silent);
        if answer.stopped.is_none() {
            let length = answer.proof.map(|proof| check(&chess, attacker, proof).unwrap().length().0);
            assert_eq!(length, expected, "{}: {}", problem.place, problem.fen);
            answered += 1;
        }
    }
    println!("{answered} problems answered by the oracle");
    assert!(answered >= 200, "{answered}");
}

#[test]
#[ignore = "many millions of nodes: cargo test --test problems -- --ignored"]
fn every_slow_problem_is_as_long_as_it_says() {
    for problem in problems().iter().filter(|problem| SLOW.contains(&problem.id.as_str())) {
        assert_eq!(verify(problem, 1_000 * NODES), Ok(()), "{}", problem.place);
        println!("{} verified", problem.place);
    }
}

#[test]
fn every_deep_problem_has_a_certificate_of_its_length_and_key() {
    let mut certificates = suites::files("cert");
    for problem in problems().iter().filter(|problem| problem.suite == DEEP) {
        let Claim::Mate(n) = problem.claim else { panic!("{}: no dm", problem.place) };
        let name = format!("{}.cert", problem.id);
        let place = certificates.iter().position(|file| file.ends_with(&name));
        let file = certificates.swap_remove(place.unwrap_or_else(|| panic!("{}: no {name}", problem.place)));
        let certificate = Certificate::read(&std::fs::read(file).unwrap()).unwrap();
        assert_eq!(certificate.verify().unwrap().length(), MateLength(n), "{name}");
        assert_eq!(certificate.fen(), format!("{} 0 1", problem.fen), "{name}");
        let Some(ProofNode::Attack(key, _)) = certificate.tree().nodes().last() else { panic!("{name}: no key") };
        let position = Position::from_chess(&problem.chess());
        let study = Study { chess: problem.chess(), position, n, keys: position.find_move(*key).into_iter().collect() };
        assert_eq!(problem.keys, Some(vec![study.sans()]), "{name}");
    }
    assert!(certificates.is_empty(), "certificates of no problem: {certificates:?}");
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
