use std::sync::atomic::AtomicBool;

use super::*;
use crate::chess::Position;
use crate::problem::fen;
use crate::proof::check;
use crate::search::{Control, Limits, Silent, StopReason};

/// Mate in three by 1. Rg7.
const THREE: &str = "4k2r/5R2/8/1R5p/K7/8/8/8 w k - 0 1";

fn task(text: &str, bound: u16) -> (shakmaty::Chess, Task) {
    let chess = fen::read(text).unwrap().chess;
    let position = Position::from_chess(&chess);
    let task = Task { position, attacker: position.turn(), bound: MateLength(bound), shortest: true, memory: 1 << 22 };
    (chess, task)
}

fn limited<T>(nodes: Option<u64>, search: impl FnOnce(&mut Meter<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes, deadline: None }, &stop);
    search(&mut Meter::new(&control))
}

#[test]
fn it_finds_the_shortest_mate_and_says_so() {
    let (chess, task) = task(THREE, MateLength::MAX.0);
    let answer = limited(None, |meter| Dfpn::default().solve(&task, meter, &Facts::with_bytes(1 << 16), &mut Silent));
    let proof = answer.proof.unwrap();
    assert_eq!(check(&chess, task.attacker, &proof).unwrap(), MateLength(3));
    assert_eq!((answer.refuted, answer.stopped), (MateLength(2), None));
}

#[test]
fn an_interrupted_search_goes_on_where_it_was() {
    // Sam Loyd's "Excelsior", 1861: mate in five, and none in four.
    let (_, task) = task("n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1", 5);
    let facts = Facts::with_bytes(1 << 10);
    let horizon = Horizon::within(MateLength(4));
    let refute = |aim: Aim, slice: Option<u64>| {
        limited(Some(10_000_000), |meter| {
            let mut prover = Prover::new(DfpnOptions::default(), 1 << 22);
            let mut slices = 0;
            loop {
                meter.set_slice(slice);
                slices += 1;
                match prover.prove(&task, horizon, aim, meter, &facts) {
                    Err(reason) => assert_eq!(reason, StopReason::Slice),
                    Ok(outcome) => {
                        assert!(matches!(outcome, Outcome::Refuted));
                        return (meter.count(), slices);
                    }
                }
            }
        })
    };
    for aim in [Aim::Mate, Aim::Refutation] {
        let (whole, _) = refute(aim, None);
        let (in_slices, slices) = refute(aim, Some(2_000));
        assert!(slices > 3 && in_slices < whole * 2, "{aim:?}: {whole} nodes at once, {in_slices} in {slices} slices");
    }
}

#[test]
fn a_repetition_disproves_nothing() {
    // White can mate with the queen's help of a king's march only; every other line repeats. A search without horizon
    // may give up, but it may not say that there is no mate.
    let (_, task) = task("8/8/8/8/8/1k6/8/1K3Q2 w - - 0 1", MateLength::MAX.0);
    let facts = Facts::with_bytes(1 << 16);
    let outcome = limited(Some(300_000), |meter| {
        Prover::new(DfpnOptions::default(), 1 << 22).prove(&task, Horizon::NONE, Aim::Mate, meter, &facts)
    });
    assert!(!matches!(outcome, Ok(Outcome::Refuted)), "{outcome:?}");
}

#[test]
fn two_bare_pieces_that_cannot_mate_are_refuted_without_horizon() {
    let (_, task) = task("8/8/8/8/8/1k6/8/1K6 w - - 0 1", MateLength::MAX.0);
    let facts = Facts::with_bytes(1 << 16);
    let outcome = limited(None, |meter| {
        Prover::new(DfpnOptions::default(), 1 << 22).prove(&task, Horizon::NONE, Aim::Mate, meter, &facts)
    });
    assert!(matches!(outcome, Ok(Outcome::Refuted)), "{outcome:?}");
}

#[test]
fn a_tiny_table_costs_nodes_and_not_truth() {
    let (chess, mut task) = task(THREE, MateLength::MAX.0);
    task.memory = 1 << 12;
    let answer =
        limited(Some(3_000_000), |meter| Dfpn::default().solve(&task, meter, &Facts::with_bytes(1 << 10), &mut Silent));
    if let Some(proof) = &answer.proof {
        assert!(check(&chess, task.attacker, proof).unwrap() >= MateLength(3));
    }
    assert!(answer.refuted <= MateLength(2));
}
