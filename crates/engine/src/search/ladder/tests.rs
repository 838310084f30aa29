//! Tests of the ladder: its steps, its ends, and its mates against the checker.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::chess::Goal;
use crate::chess::testing::chess;
use crate::proof::{ProofTree, check};
use crate::search::{Control, Limits};

/// Pawns that can step on the d and h files; a mate in one without and with them.
const TWO_FREE: &str = "7n/3p3p/8/8/8/3P4/p1K4P/k1N5 w - -";

/// A mate in two by checks; a pawn can step.
const ROOKS: &str = "8/7k/R7/2p5/8/8/8/1R5K w - -";

/// Climbs in slices of `slice` nodes, at most 100 of them. Returns the proof, the nodes, and the ladder.
fn climb(text: &str, slice: u64) -> (Option<ProofTree>, u64, Ladder) {
    let root = chess(text);
    let white = Color::White;
    let task = Task { memory: 4 << 20, ..Task::mate(Position::from_chess(&root), white, MateLength::MAX) };
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), &stop);
    let (mut meter, facts) = (Meter::new(&control), Facts::with_bytes(1 << 16));
    let mut prover = Prover::new(task.memory);
    let mut ladder = Ladder::new(&task);
    for _ in 0..100 {
        meter.set_slice(Some(slice));
        let finding = ladder.climb(&mut prover, &task, &mut meter, &facts);
        assert!(prover.hints.is_none(), "the hints are lent");
        match finding {
            Ok(Finding::Proved(tree)) => {
                check(&root, white, Goal::MATE, tree.clone()).unwrap();
                return (Some(tree), meter.count(), ladder);
            }
            Ok(Finding::Nothing) => break,
            Err(StopReason::Slice) => {}
            other => panic!("{other:?}"),
        }
    }
    (None, meter.count(), ladder)
}

#[test]
fn all_pawns_come_back_and_the_mate_is_one_of_the_root() {
    let (tree, _, ladder) = climb(TWO_FREE, 1_000);
    assert_eq!(tree.map(|tree| tree.length()), Some(MateLength(1)));
    assert!(ladder.won.is_some_and(|won| !won.are_at_home()), "the root comes last");
}

#[test]
fn a_mate_is_proved_in_slices_and_in_one_go() {
    for slice in [20, 1_000_000] {
        let (tree, nodes, ladder) = climb(ROOKS, slice);
        assert_eq!(tree.map(|tree| tree.length()), Some(MateLength(2)));
        assert!(nodes < 2_000 && ladder.won.is_some(), "{nodes}");
    }
}

#[test]
fn a_proof_that_a_limit_breaks_off_is_built_later() {
    let root = chess(ROOKS);
    let task = Task { memory: 4 << 20, ..Task::mate(Position::from_chess(&root), Color::White, MateLength::MAX) };
    let stop = AtomicBool::new(false);
    let (_, whole, _) = climb(ROOKS, 1_000_000);
    for nodes in 1..whole {
        let facts = Facts::with_bytes(1 << 16);
        let (mut prover, mut ladder) = (Prover::new(task.memory), Ladder::new(&task));
        let mut go_on = |nodes| {
            let control = Control::new(Limits { nodes, deadline: None }, &stop);
            ladder.climb(&mut prover, &task, &mut Meter::new(&control), &facts)
        };
        let stopped = go_on(Some(nodes));
        assert!(matches!(stopped, Err(StopReason::Nodes)), "{nodes} of {whole}: {stopped:?}");
        assert!(matches!(go_on(None), Ok(Finding::Proved(_))), "{nodes} of {whole}");
    }
}

#[test]
fn without_free_pawns_or_without_a_core_the_lane_ends() {
    let (tree, nodes, _) = climb("8/8/8/2p5/1pp5/bppp4/1prrp2P/qnkbK3 w - -", 10_000);
    assert_eq!((tree, nodes), (None, 0), "no pawn can step");
    let (tree, nodes, ladder) = climb("7k/3p4/8/8/8/8/8/K1B5 w - -", 10_000);
    assert!(tree.is_none() && ladder.won.is_none());
    assert!(nodes < 1_000, "a bishop does not mate: {nodes}");
}

#[test]
fn after_a_lost_core_other_cores_are_tried() {
    let open = chess("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq -");
    let task = Task::mate(Position::from_chess(&open), Color::White, MateLength::MAX);
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), &stop);
    let mut meter = Meter::new(&control);
    meter.set_slice(Some(FIRST_CORE + 1_000));
    let mut ladder = Ladder::new(&task);
    let mut prover = Prover::new(4 << 20);
    let finding = ladder.climb(&mut prover, &task, &mut meter, &Facts::with_bytes(1 << 16));
    assert!(matches!(finding, Err(StopReason::Slice)) && ladder.won.is_none(), "{finding:?}");
    assert!(ladder.round == 1 && ladder.candidates.len() > 1, "{:?}", ladder.candidates);
}

#[test]
fn what_the_lists_prove_the_prover_knows_and_remembers() {
    let root = chess("8/8/8/2p5/1pp5/bppp4/1prrp2P/qnkbK3 w - -");
    let white = Color::White;
    let task = Task { memory: 64 << 20, ..Task::mate(Position::from_chess(&root), white, MateLength::MAX) };
    let question = Task { shortest: false, ..task };
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), &stop);
    let (mut meter, facts) = (Meter::new(&control), Facts::with_bytes(1 << 16));
    let mut prover = Prover::new(task.memory);
    let mut ladder = Ladder::new(&task);
    meter.set_slice(Some(30_000));
    let lists = Corridor::lane();
    assert!(ladder.ask_lists(lists, &mut prover, &question, &mut meter, &facts).unwrap());
    check(&root, white, Goal::MATE, ladder.proof.take().unwrap()).unwrap();
    assert!(ladder.hints.as_ref().is_some_and(|hints| hints.of(&task.position).is_some()), "the first move won");
    let before = meter.count();
    assert!(ladder.ask_prover(&mut prover, &question, &mut meter, &facts).unwrap());
    assert!(meter.count() - before < 10, "{}", meter.count() - before);
}
