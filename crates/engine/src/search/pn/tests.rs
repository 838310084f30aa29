//! Tests of the inner state of the search: exact numbers on small positions, consistent graphs, taint, collections.

use std::sync::atomic::AtomicBool;

use shakmaty::Color;

use crate::chess::testing::position;
use crate::chess::{MateLength, NodeKind, Position};
use crate::search::arena::{NodeIndex, Region};
use crate::search::descend::Finding;
use crate::search::numbers::ProofNumbers;
use crate::search::{Control, Facts, Limits, Meter, StopReason};

use super::graph::PnGraph;
use super::options::{Graph, Init, PnOptions};
use super::search::PnSearch;
use crate::search::horizon::Horizon;

const ROOK: &str = "k7/8/2K5/8/8/8/8/7R w - - 0 1";

/// Calls `inspect` with the position and a search in which White is the attacker.
fn with_search<R>(fen: &str, options: PnOptions, inspect: impl FnOnce(&Position, &mut PnSearch<'_, '_, '_>) -> R) -> R {
    let position = position(fen);
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes: Some(2_000_000), deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    let facts = Facts::with_bytes(1 << 12);
    let region = Region::default();
    let mut graph = PnGraph::new(&region, options, Color::White, 64 << 20);
    inspect(&position, &mut PnSearch { graph: &mut graph, meter: &mut meter, facts: &facts })
}

fn numbers(search: &PnSearch<'_, '_, '_>, id: NodeIndex) -> (u32, u32) {
    let ProofNumbers { pn, dn } = search.graph.arena.node(id).numbers;
    (pn, dn)
}

/// Runs the main loop once.
fn step(search: &mut PnSearch<'_, '_, '_>, root: NodeIndex, position: &Position) {
    assert!(search.graph.arena.make_room(700));
    if search.graph.path.is_empty() {
        search.extend_path(root, Horizon::NONE, *position);
    }
    if search.select_most_proving() {
        search.expand_and_update().unwrap();
    }
}

#[test]
fn mobility_numbers_are_those_after_the_expansion() {
    // White has 7 king moves and 14 rook moves. After the best of them the king in the corner has one reply. None of
    // the 21 positions is solved.
    for (init, before) in [(Init::Mobility, (1, 21)), (Init::Unit, (1, 1))] {
        let options = PnOptions { init, ..PnOptions::PAPER };
        with_search(ROOK, options, |position, search| {
            let root = search.add_root(position, Horizon::NONE).unwrap();
            assert_eq!(numbers(search, root), before, "{init:?}");
            step(search, root, position);
            assert_eq!(numbers(search, root), (1, 21), "{init:?}");
        });
    }
}

#[test]
fn the_depth_weight_is_added_once_and_only_to_proof_numbers() {
    let options = PnOptions { depth_weight: 2, ..PnOptions::PAPER };
    with_search(ROOK, options, |position, search| {
        let root = search.add_root(position, Horizon::NONE).unwrap();
        assert_eq!(numbers(search, root), (1, 21));
        step(search, root, position);
        assert_eq!(numbers(search, root), (3, 21));
        step(search, root, position);
        // The only reply lies two plies deep and has the number 1 + 2 · 2. Other moves, one ply deep, leave as few
        // replies.
        assert_eq!(numbers(search, root).0, 3);
    });
}

#[test]
fn a_mate_in_one_proves_the_root_at_its_expansion() {
    let fen = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
    with_search(fen, PnOptions::PAPER, |position, search| {
        let root = search.add_root(position, Horizon::NONE).unwrap();
        assert_eq!(numbers(search, root), (1, 20));
        step(search, root, position);
        assert!(search.graph.arena.node(root).numbers.is_proved());
    });
    with_search(fen, PnOptions::default(), |position, search| {
        let root = search.add_root(position, Horizon::NONE).unwrap();
        assert!(search.graph.arena.node(root).numbers.is_proved(), "proved before it is expanded");
    });
}

/// Checks that the numbers of every unsolved node that is not stale follow from its children. Returns the number of
/// nodes checked.
fn check_consistency(search: &PnSearch<'_, '_, '_>) -> usize {
    let mut checked = 0;
    for id in search.graph.arena.indices() {
        let node = search.graph.arena.node(id);
        if !node.is_expanded() || node.is_stale() || node.numbers.is_solved() {
            continue;
        }
        let mut expected = ProofNumbers::of_no_children(node.kind());
        for edge in search.graph.arena.edges(id) {
            expected.absorb(node.kind(), search.graph.arena.node(edge.child()).numbers);
        }
        assert_eq!(node.numbers, expected, "{id:?}");
        checked += 1;
    }
    checked
}

#[test]
fn updates_keep_the_graph_consistent_and_collections_keep_the_numbers() {
    let fen = "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - 0 1";
    for graph in [Graph::Tree, Graph::Dag] {
        let options = PnOptions { graph, ..PnOptions::PAPER };
        with_search(fen, options, |position, search| {
            let mut root = search.add_root(position, Horizon::NONE).unwrap();
            let mut freed = 0;
            for turn in 1..=400 {
                step(search, root, position);
                assert!(!search.graph.arena.node(root).numbers.is_solved());
                if turn % 100 > 0 {
                    continue;
                }
                assert!(check_consistency(search) > turn / 2);
                let before = numbers(search, root);
                search.shorten_path(0);
                let collected = search.graph.arena.collect(root);
                root = collected.root;
                freed += collected.before - collected.after;
                assert_eq!(numbers(search, root), before, "{graph:?}");
                check_consistency(search);
            }
            assert!(freed > 0, "{graph:?}");
        });
    }
}

#[test]
fn a_position_has_only_one_node_in_a_dag() {
    with_search(ROOK, PnOptions { graph: Graph::Dag, ..PnOptions::PAPER }, |position, search| {
        let root = search.add_root(position, Horizon::NONE).unwrap();
        for _ in 0..30 {
            step(search, root, position);
        }
        let mut keys: Vec<u64> = search.graph.arena.indices().map(|id| search.graph.arena.node(id).key).collect();
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all);
    });
}

#[test]
fn a_disproof_that_depends_on_a_repetition_is_no_answer() {
    // There is no mate for many moves: a fact within a horizon.
    let locked = "7k/5p1p/5P1P/8/8/8/8/K7 b - - 0 1";
    // White is stalemated: a disproof without a repetition.
    let stalemate = "K1k5/P7/8/8/8/8/8/8 w - - 0 1";
    for graph in [Graph::Tree, Graph::Dag] {
        let options = PnOptions { graph, ..PnOptions::PAPER };
        with_search(stalemate, options, |position, search| {
            let outcome = search.prove(position, Horizon::NONE);
            assert!(matches!(outcome, Ok(Finding::Refuted)), "{outcome:?}");
        });
        with_search(locked, options, |position, search| {
            assert_eq!(NodeKind::of(position.turn(), Color::White), NodeKind::And);
            let outcome = search.prove(position, Horizon::within(MateLength(3)));
            assert!(matches!(outcome, Ok(Finding::Refuted)), "{outcome:?}");
        });
    }
    // The pawns can never move and the kings never meet. The graph is finite and has no mate, but every line ends in a
    // repetition.
    let walled = "k7/1p6/1P6/8/8/1p6/1P6/K7 w - - 0 1";
    with_search(walled, PnOptions::default(), |position, search| {
        let outcome = search.prove(position, Horizon::NONE);
        assert!(matches!(outcome, Ok(Finding::Nothing)), "{outcome:?}");
    });
}

/// A mate in seven with checks: Ed. Lasker - Thomas, London 1912.
const LASKER: &str = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 0 1";

/// Puts a question in slices of `slice` nodes until it is answered. Returns the answer and the number of slices.
fn prove_in_slices(
    search: &mut PnSearch<'_, '_, '_>,
    position: &Position,
    horizon: Horizon,
    slice: u64,
) -> (Finding, u32) {
    for slices in 1.. {
        search.meter.set_slice(Some(slice));
        match search.prove(position, horizon) {
            Err(StopReason::Slice) => {}
            answer => return (answer.unwrap(), slices),
        }
    }
    unreachable!("the meter's own limit ends the search")
}

#[test]
fn a_search_in_slices_goes_on_where_it_was() {
    let horizon = Horizon::NONE;
    for graph in [Graph::Tree, Graph::Dag] {
        let options = PnOptions { graph, ..PnOptions::default() };
        let whole = with_search(LASKER, options, |position, search| {
            let answer = search.prove(position, horizon).unwrap();
            assert!(matches!(answer, Finding::Proved(_)), "{answer:?}");
            search.meter.count()
        });
        with_search(LASKER, options, |position, search| {
            let slice = whole / 8;
            let (answer, slices) = prove_in_slices(search, position, horizon, slice);
            assert!(matches!(answer, Finding::Proved(_)), "{graph:?}: {answer:?}");
            // An interrupted expansion is repeated. The attacker has 50 moves and more.
            let repeated = search.meter.count() - whole;
            assert!(slices >= 8 && repeated < 60 * u64::from(slices), "{graph:?}: {slices} slices, {repeated} nodes");
        });
    }
}

#[test]
fn another_question_between_two_slices_does_not_disturb_a_dag() {
    let options = PnOptions::default();
    let alone = with_search(LASKER, options, |position, search| {
        search.prove(position, Horizon::NONE).unwrap();
        search.meter.count()
    });
    with_search(LASKER, options, |position, search| {
        search.meter.set_slice(Some(alone / 2));
        assert_eq!(search.prove(position, Horizon::NONE).unwrap_err(), StopReason::Slice);
        search.meter.set_slice(None);
        let refuted = search.prove(position, Horizon::within(MateLength(2))).unwrap();
        assert!(matches!(refuted, Finding::Refuted), "{refuted:?}");
        let before = search.meter.count();
        assert!(matches!(search.prove(position, Horizon::NONE), Ok(Finding::Proved(_))));
        assert!(search.meter.count() - before < alone / 2 + 100, "{} of {alone}", search.meter.count() - before);
    });
}
