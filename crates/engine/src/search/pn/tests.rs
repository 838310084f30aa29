//! Tests of the inner state of the search, such as leaves, repetitions, slices and folding.

use std::sync::atomic::AtomicBool;

use hashbrown::HashSet;
use shakmaty::{Color, Square};

use crate::chess::testing::position;
use crate::chess::{MateLength, MoveCode, NodeKind, Position};
use crate::search::Facts;
use crate::search::arena::Region;
use crate::search::descend::Finding;
use crate::search::horizon::Horizon;
use crate::search::numbers::ProofNumbers;
use crate::search::numbers::attempt::Attempt;
use crate::search::{Control, Limits, Meter, StopReason, Task};

use super::search::PnSearch;
use super::store::{Child, Node, Store};
use super::{PnGraph, PnOptions};

/// A mate in seven with checks: Ed. Lasker - Thomas, London 1912.
const LASKER: &str = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 0 1";
/// A mate in five: Loyd 1861, Excelsior.
const EXCELSIOR: &str = "n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1";
/// A position with many moves, whose mate is far away if there is one.
const OPEN: &str = "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - 0 1";

const ANY: Attempt = Attempt::mate(Horizon::NONE);

/// Calls `inspect` with the position and a search in which White is the attacker, with this much memory.
fn with_memory<R>(
    fen: &str,
    options: PnOptions,
    memory: usize,
    inspect: impl FnOnce(&Position, &mut PnSearch<'_, '_, '_>) -> R,
) -> R {
    let position = position(fen);
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes: Some(2_000_000), deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    let facts = Facts::with_bytes(1 << 12);
    let region = Region::default();
    let task = Task { memory, ..Task::mate(position, Color::White, MateLength::MAX) };
    let mut graph = PnGraph::begin(None, &region, options, &task);
    inspect(&position, &mut PnSearch::new(&mut graph, &mut meter, &facts))
}

fn with_search<R>(fen: &str, inspect: impl FnOnce(&Position, &mut PnSearch<'_, '_, '_>) -> R) -> R {
    with_memory(fen, PnOptions::default(), 64 << 20, inspect)
}

/// Puts a question to the graph of a search.
fn prove(search: &mut PnSearch<'_, '_, '_>, position: &Position, horizon: Horizon) -> Result<Finding, StopReason> {
    let task = Task::mate(*position, Color::White, MateLength::MAX);
    search.graph.prove(&task, horizon, search.meter, search.facts)
}

/// Searches this many nodes for a mate of any length.
fn search_for(search: &mut PnSearch<'_, '_, '_>, position: &Position, nodes: u64) {
    search.meter.set_slice(Some(nodes));
    assert_eq!(search.solve(position, ANY), Err(StopReason::Slice));
    search.meter.set_slice(None);
}

fn nodes<'s>(store: &'s Store<'_>) -> impl Iterator<Item = (Child, &'s Node)> {
    (Child::FIRST..store.nodes.len).map(|id| (Child(id), store.node(Child(id))))
}

#[test]
fn records_are_small() {
    assert_eq!((size_of::<Node>(), size_of::<super::store::Edge>()), (32, 16));
}

#[test]
fn checks_are_leaves_with_their_evasions_and_quiet_moves_are_one_edge() {
    // Checks: Qg7 is mate; Qh5 leaves one evasion, Kg8; so does Qg8+, Kxg8.
    let two = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    for (depth_weight, ply, extra) in [(0, 0, 0), (8, 3, 3), (4, 3, 1)] {
        with_memory(two, PnOptions { depth_weight }, 1 << 20, |position, search| {
            let id = search.graph.store.add(Node::new(NodeKind::Or, position.key(), ProofNumbers { pn: 1, dn: 1 }));
            let id = id.unwrap();
            (search.ply, search.graph.root_flights) = (ply, 1);
            search.list_attacks(id, position, ANY).unwrap();
            let store = &search.graph.store;
            let edge = |code: &str| {
                let mut edges = store.node(id).range().map(|at| store.edge(at));
                *edges.find(|edge| format!("{}{}", edge.played.from(), edge.played.to()) == code).unwrap()
            };
            assert_eq!((edge("g5g7").child, edge("g5g7").numbers), (Child::MATE, ProofNumbers::PROVED));
            assert_eq!(
                (edge("g5h5").child, edge("g5h5").numbers),
                (Child::LEAF, ProofNumbers { pn: 1 + extra, dn: 1 })
            );
            let quiet = store.node(id).range().filter(|&at| store.edge(at).child == Child::QUIET).count();
            assert_eq!(quiet, 1);
            assert_eq!(search.meter.count(), 0, "no position is made");
        });
    }
}

#[test]
fn a_search_that_reads_facts_ends_at_the_mates_of_others() {
    with_search(LASKER, |position, search| {
        let play = |position: &Position, code: MoveCode| position.play(position.find_move(code).unwrap());
        let check = play(position, MoveCode::new(Square::H5, Square::H7, None));
        let after = play(&check, MoveCode::new(Square::G8, Square::H7, None));
        search.facts.prove(after.key(), MateLength(6), None);
        search.graph.read_facts();
        let found = prove(search, position, Horizon::NONE);
        assert!(matches!(found, Ok(Finding::Nothing)), "the fact has no move: {found:?}");
        let root = search.graph.store.find(position.key()).unwrap();
        let node = search.graph.store.node(root);
        assert_eq!((node.numbers, node.length), (ProofNumbers::PROVED, MateLength(7)));
        assert!(search.meter.count() < 100, "{}", search.meter.count());
        assert!(matches!(prove(search, position, Horizon::within(MateLength(3))), Ok(Finding::Refuted)), "too long");
    });
}

#[test]
fn a_position_has_only_one_node() {
    with_search(OPEN, |position, search| {
        search_for(search, position, 10_000);
        let keys: Vec<u64> = nodes(&search.graph.store).map(|(_, node)| node.key).collect();
        assert!(keys.len() > 500);
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
        assert!(nodes(&search.graph.store).all(|(id, node)| search.graph.store.find(node.key) == Some(id)));
        assert!(nodes(&search.graph.store).all(|(_, node)| !node.is_on_path()));
    });
}

#[test]
fn a_disproof_that_depends_on_a_repetition_is_no_answer_and_no_fact() {
    // White is stalemated: a disproof without a repetition.
    with_search("K1k5/P7/8/8/8/8/8/8 w - - 0 1", |position, search| {
        assert!(matches!(prove(search, position, Horizon::NONE), Ok(Finding::Refuted)));
    });
    // There is no mate for many moves: a fact within a horizon.
    with_search("7k/5p1p/5P1P/8/8/8/8/K7 b - - 0 1", |position, search| {
        assert!(matches!(prove(search, position, Horizon::within(MateLength(3))), Ok(Finding::Refuted)));
    });
    // The pawns can never move and the kings never meet. The graph is finite and has no mate, but every line ends in a
    // repetition.
    with_search("k7/1p6/1P6/8/8/1p6/1P6/K7 w - - 0 1", |position, search| {
        let answer = prove(search, position, Horizon::NONE);
        assert!(matches!(answer, Ok(Finding::Nothing)), "{answer:?}");
        let refuted = |node: &Node| search.facts.get(node.key).bounds.refuted();
        assert!(nodes(&search.graph.store).all(|(_, node)| refuted(node).is_none()));
        // Most nodes stay open: on another path the repetition would be none.
        let disproved = nodes(&search.graph.store).filter(|(_, node)| node.numbers.is_disproved()).count();
        assert!(disproved * 10 < nodes(&search.graph.store).count(), "{disproved}");
        // Within a horizon the same graph has an answer.
        assert!(matches!(prove(search, position, Horizon::within(MateLength(4))), Ok(Finding::Refuted)));
    });
}

/// Puts a question in slices of `slice` nodes until it is answered. Returns the answer and the number of slices.
fn prove_in_slices(search: &mut PnSearch<'_, '_, '_>, position: &Position, slice: u64) -> (Finding, u32) {
    for slices in 1.. {
        search.meter.set_slice(Some(slice));
        match prove(search, position, Horizon::NONE) {
            Err(StopReason::Slice) => {}
            answer => return (answer.unwrap(), slices),
        }
    }
    unreachable!("the meter's own limit ends the search")
}

#[test]
fn a_search_in_slices_goes_on_where_it_was_also_with_another_question_between() {
    let whole = with_search(EXCELSIOR, |position, search| {
        assert!(matches!(prove(search, position, Horizon::NONE), Ok(Finding::Proved(_))));
        search.meter.count()
    });
    with_search(EXCELSIOR, |position, search| {
        let (answer, slices) = prove_in_slices(search, position, whole / 8);
        assert!(matches!(answer, Finding::Proved(_)) && slices >= 8, "{slices}");
        assert!(search.meter.count() < whole * 3 / 2, "{} of {whole}", search.meter.count());
    });
    with_search(EXCELSIOR, |position, search| {
        search_for(search, position, whole / 2);
        assert!(matches!(prove(search, position, Horizon::within(MateLength(2))), Ok(Finding::Refuted)));
        let before = search.meter.count();
        assert!(matches!(prove(search, position, Horizon::NONE), Ok(Finding::Proved(_))));
        assert!(search.meter.count() - before < whole * 3 / 4, "{} of {whole}", search.meter.count() - before);
    });
}

#[test]
fn folding_halves_the_graph_and_keeps_numbers_and_links() {
    with_search(EXCELSIOR, |position, search| {
        search_for(search, position, 10_000);
        let store = &mut search.graph.store;
        let root = store.find(position.key()).unwrap();
        let (before, numbers) = (store.nodes.len, store.node(root).numbers);
        let proved: Vec<(u64, MateLength)> = nodes(store)
            .filter(|(_, node)| node.numbers.is_proved() && node.kind() == NodeKind::And)
            .map(|(_, node)| (node.key, node.length))
            .collect();
        let root = store.fold(root).unwrap();
        assert!(store.nodes.len * 4 < before * 3, "{} of {before}", store.nodes.len);
        assert_eq!((store.node(root).key, store.node(root).numbers), (position.key(), numbers));
        assert_eq!(store.find(position.key()), Some(root));
        assert!(nodes(store).all(|(id, node)| store.find(node.key) == Some(id)));
        for (_, node) in nodes(store) {
            for at in node.range() {
                let edge = store.edge(at);
                assert!(at < store.edges.len && (!edge.child.is_node() || edge.child.0 < store.nodes.len));
                let other = edge.child.is_node().then(|| store.node(edge.child).kind());
                assert_ne!(other, Some(node.kind()), "attacker and defender take turns");
            }
        }
        let kept = proved.iter().filter(|(key, length)| {
            store.find(*key).is_some_and(|id| store.node(id).numbers.is_proved() && store.node(id).length == *length)
        });
        assert!(kept.count() > 0, "{} proofs", proved.len());
        assert!(matches!(prove(search, position, Horizon::NONE), Ok(Finding::Proved(_))));
    });
}

#[test]
fn a_mate_is_found_in_memory_that_does_not_hold_the_graph() {
    // Two fifths of the memory that the search takes.
    let taken = with_search(EXCELSIOR, |position, search| {
        assert!(matches!(prove(search, position, Horizon::NONE), Ok(Finding::Proved(_))));
        search.graph.store.bytes()
    });
    let memory = (taken * 2 / 5).max(400 << 10);
    with_memory(EXCELSIOR, PnOptions::default(), memory, |position, search| {
        let answer = prove(search, position, Horizon::NONE);
        assert!(matches!(answer, Ok(Finding::Proved(_))), "{answer:?}");
        assert!(search.graph.store.bytes() <= memory);
    });
}
