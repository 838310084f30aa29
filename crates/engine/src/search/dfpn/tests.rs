use std::sync::atomic::AtomicBool;

use super::*;
use crate::chess::MateLength;
use crate::chess::testing::chess;
use crate::chess::{Goal, Position};
use crate::proof::check;
use crate::search::{Control, Limits, Silent, StopReason};

/// Mate in three by 1. Rg7.
pub(super) const THREE: &str = "4k2r/5R2/8/1R5p/K7/8/8/8 w k - 0 1";

/// Sam Loyd's "Excelsior", 1861: mate in five, and none in four.
const EXCELSIOR: &str = "n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1";

fn task(text: &str, bound: u16) -> (shakmaty::Chess, Task) {
    let chess = chess(text);
    let position = Position::from_chess(&chess);
    let task = Task { memory: 1 << 22, ..Task::mate(position, position.turn(), MateLength(bound)) };
    (chess, task)
}

fn limited<T>(nodes: Option<u64>, search: impl FnOnce(&mut Meter<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes, deadline: None }, &stop);
    search(&mut Meter::new(&control))
}

/// Calls `work` with a new search on this table, without limits.
pub(super) fn with_search<T>(table: &mut DfpnTable, work: impl FnOnce(&mut DfpnSearch<'_, '_>) -> T) -> T {
    let (facts, mut prover) = (Facts::with_bytes(1 << 10), Prover::new(0));
    std::mem::swap(&mut prover.table, table);
    let result = limited(None, |meter| work(&mut prover.search(meter, &facts)));
    std::mem::swap(&mut prover.table, table);
    result
}

#[test]
fn it_finds_the_shortest_mate_and_refutes_shorter_ones() {
    let (chess, task) = task(THREE, MateLength::MAX.0);
    let answer = limited(None, |meter| Dfpn.solve(&task, meter, &Facts::with_bytes(1 << 16), &mut Silent));
    let proof = answer.proof.unwrap();
    assert_eq!(check(&chess, task.attacker(), Goal::MATE, proof.clone()).unwrap().length(), MateLength(3));
    assert_eq!((answer.refuted, answer.stopped), (Some(MateLength(2)), None));
}

#[test]
fn an_interrupted_search_continues_where_it_stopped() {
    let (_, task) = task(EXCELSIOR, 5);
    let facts = Facts::with_bytes(1 << 10);
    let horizon = Horizon::within(MateLength(4));
    let refute = |attempt: Attempt, slice: Option<u64>| {
        limited(Some(10_000_000), |meter| {
            let mut prover = Prover::new(1 << 22);
            let mut slices = 0;
            loop {
                meter.set_slice(slice);
                slices += 1;
                match prover.prove(&task, attempt, meter, &facts) {
                    Err(reason) => assert_eq!(reason, StopReason::Slice),
                    Ok(outcome) => {
                        let tainted = matches!(outcome, Finding::Nothing) && attempt == Attempt::mate(horizon);
                        assert!(tainted || matches!(outcome, Finding::Refuted), "{attempt:?}: {outcome:?}");
                        return (meter.count(), slices);
                    }
                }
            }
        })
    };
    for attempt in [Attempt::mate(horizon), Attempt::refutation(horizon)] {
        let (whole, _) = refute(attempt, None);
        let (in_slices, slices) = refute(attempt, Some(1_000));
        assert!(
            slices > 3 && in_slices < whole * 2,
            "{attempt:?}: {whole} nodes at once, {in_slices} in {slices} slices"
        );
    }
}

#[test]
fn a_repetition_disproves_nothing() {
    // White mates only by bringing up the king; every other line repeats. A search without a horizon may end without an
    // answer, but it must not claim that there is no mate.
    let (_, task) = task("8/8/8/8/8/1k6/8/1K3Q2 w - - 0 1", MateLength::MAX.0);
    let facts = Facts::with_bytes(1 << 16);
    let outcome =
        limited(Some(300_000), |meter| Prover::new(1 << 22).prove(&task, Attempt::mate(Horizon::NONE), meter, &facts));
    assert!(!matches!(outcome, Ok(Finding::Refuted)), "{outcome:?}");
    // Within a horizon a search for a mate also gives up repetitions; a refutation search decides the attempt.
    let (_, task) = self::task(EXCELSIOR, 5);
    let within = |attempt: fn(Horizon) -> Attempt| {
        let attempt = attempt(Horizon::within(MateLength(4)));
        limited(None, |meter| Prover::new(1 << 22).prove(&task, attempt, meter, &facts))
    };
    assert!(matches!(within(Attempt::mate), Ok(Finding::Nothing)));
    assert!(matches!(within(Attempt::refutation), Ok(Finding::Refuted)));
}

#[test]
fn a_bare_king_is_refuted_without_a_horizon() {
    let (_, task) = task("8/8/8/8/8/1k6/8/1K6 w - - 0 1", MateLength::MAX.0);
    let facts = Facts::with_bytes(1 << 16);
    let outcome = limited(None, |meter| Prover::new(1 << 22).prove(&task, Attempt::mate(Horizon::NONE), meter, &facts));
    assert!(matches!(outcome, Ok(Finding::Refuted)), "{outcome:?}");
}

#[test]
fn a_tiny_table_costs_nodes_but_not_correctness() {
    let (chess, mut task) = task(THREE, MateLength::MAX.0);
    task.memory = 1 << 12;
    let answer = limited(Some(3_000_000), |meter| Dfpn.solve(&task, meter, &Facts::with_bytes(1 << 10), &mut Silent));
    if let Some(proof) = &answer.proof {
        assert!(check(&chess, task.attacker(), Goal::MATE, proof.clone()).unwrap().length() >= MateLength(3));
    }
    assert!(answer.refuted <= Some(MateLength(2)));
}

#[test]
fn sound_moves_win_an_ending_and_refute_nothing() {
    let solved = |text: &str| {
        let (chess, task) = task(text, MateLength::MAX.0);
        let facts = Facts::with_bytes(1 << 10);
        let mut prover = Prover::new(1 << 24);
        match limited(Some(1_000_000), |meter| prover.prove(&task, Attempt::TECHNIQUE, meter, &facts)) {
            Ok(Finding::Proved(tree)) => Some(check(&chess, task.attacker(), Goal::MATE, tree).unwrap().length()),
            Ok(Finding::Refuted) => panic!("sound moves refute nothing"),
            _ => None,
        }
    };
    let promotion = solved("8/3k4/8/1P6/1KP5/8/7p/6R1 w - -");
    assert!(promotion.is_some_and(|length| length > MateLength(5)), "{promotion:?}");
    // The rook is lost to the check; 1. Kb3 Bxe7 2. Qa8+ mates without it.
    assert!(solved("7k/4R1pp/8/2b5/8/K7/8/7Q w - -").is_some());
    // 1. Qb8+ Rxb8 2. Nc7#: the shortest mate begins with the loss of the queen.
    let without_sacrifice = solved("k1r5/pp6/8/1N6/5Q2/8/8/7K w - -");
    assert!(without_sacrifice.is_none_or(|length| length > MateLength(2)), "{without_sacrifice:?}");
}

#[test]
fn two_threads_with_one_table_agree_with_one() {
    let (_, task) = task(EXCELSIOR, 5);
    let facts = Facts::with_bytes(1 << 10);
    let attempt = Attempt::refutation(Horizon::within(MateLength(4)));
    let mut prover = Prover::new(1 << 16);
    let mut second = prover.sharing_table();
    let refuted = |prover: &mut Prover| {
        let outcome = limited(Some(10_000_000), |meter| prover.prove(&task, attempt, meter, &facts));
        matches!(outcome, Ok(Finding::Refuted))
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| refuted(&mut second));
        assert!(refuted(&mut prover) && other.join().unwrap());
    });
    let five = limited(None, |meter| prover.prove(&task, Attempt::mate(Horizon::within(MateLength(5))), meter, &facts));
    assert!(matches!(five, Ok(Finding::Proved(_))));
}
