use std::sync::atomic::AtomicBool;

use super::*;
use crate::chess::testing::chess;
use crate::chess::{Goal, MateLength, NodeKind, Position};
use crate::proof::check;
use crate::search::window::{Value, Window};
use crate::search::{Control, Limits, Silent, StopReason};
use width::Width;

/// Mate in three by 1. Rg7.
const THREE: &str = "4k2r/5R2/8/1R5p/K7/8/8/8 w k - 0 1";

/// Sam Loyd's "Excelsior", 1861: mate in five, and none in four.
const EXCELSIOR: &str = "n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1";

/// A position without a mate in three: the king leaves the net.
const NONE: &str = "8/8/4k3/8/8/8/1R6/K7 w - -";

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

/// The value of one search from the root, within a length and a width.
fn value(text: &str, within: u16, width: Width) -> Value {
    let (_, task) = task(text, within);
    let mut table = LinkedTable::with_bytes(1 << 20);
    let (mut learned, facts) = (LearnedOrder::default(), Facts::with_bytes(1 << 10));
    limited(None, |meter| {
        let mut search = SelectiveSearch::new(&facts, meter, &mut table, &mut learned);
        search.search_root(NodeKind::Or, &task.position, Window::scout(MateLength(within)), width)
    })
    .unwrap()
}

#[test]
fn it_finds_the_shortest_mate_and_refutes_shorter_ones() {
    for entries in [1 << 20, 100, 4] {
        let (chess, task) = task(THREE, MateLength::MAX.0);
        let mut engine = Selective::new(SelectiveOptions { entries });
        let answer = limited(None, |meter| engine.solve(&task, meter, &Facts::with_bytes(64), &mut Silent));
        let proof = answer.proof.unwrap();
        assert_eq!(check(&chess, task.attacker(), Goal::MATE, proof).unwrap().length(), MateLength(3));
        assert_eq!((answer.refuted, answer.stopped), (Some(MateLength(2)), None), "{entries}");
    }
}

#[test]
fn only_a_search_at_full_width_refutes() {
    for within in [2, 3] {
        assert_eq!(value(NONE, within, Width::quarters(8)), Value::Unknown);
        assert_eq!(value(NONE, within, Width::FULL), Value::NoMate);
    }
}

#[test]
fn a_key_that_a_narrow_list_discards_is_found_on_a_wider_one() {
    let values: Vec<Value> = (0..=15).map(|bits| value(THREE, 3, Width::quarters(4 * bits))).collect();
    let found = values.iter().position(|&value| value == Value::Mate(MateLength(3))).unwrap();
    assert!(found > 0 && values[..found].iter().all(|&value| value == Value::Unknown), "{values:?}");
    assert!(values[found..].iter().all(|&value| value == Value::Mate(MateLength(3))), "{values:?}");
}

#[test]
fn every_reply_can_refute_an_apparent_mate() {
    // 1. Rd2 threatens Rd8 mate. At every width the quiet 1... h6, which only makes a flight, is found.
    for width in [8, 16, 24, 32, 40] {
        let value = value("6k1/5ppp/8/8/8/8/5R2/K4b2 w - -", 2, Width::quarters(width));
        assert!(!matches!(value, Value::Mate(_)), "{width}: {value:?}");
    }
}

/// A slice that is much smaller than the search for [`THREE`], in nodes.
const SLICE: u64 = 100;

#[test]
fn a_search_in_slices_goes_on_where_it_was() {
    let (_, task) = task(THREE, MateLength::MAX.0);
    let facts = Facts::with_bytes(1 << 16);
    let whole = limited(None, |meter| {
        Selective::default().solve(&task, meter, &Facts::with_bytes(1 << 16), &mut Silent);
        meter.count()
    });
    let mut engine = Selective::default();
    let sliced = limited(Some(20 * whole), |meter| {
        loop {
            meter.set_slice(Some(SLICE));
            let answer = engine.solve(&task, meter, &facts, &mut Silent);
            if answer.stopped != Some(StopReason::Slice) {
                assert_eq!((answer.proof.unwrap().length(), answer.refuted), (MateLength(3), Some(MateLength(2))));
                return meter.count();
            }
        }
    });
    assert!(whole > 2 * SLICE && sliced < 4 * whole, "{whole} nodes at once, {sliced} in slices");
}

#[test]
fn the_engine_knows_how_it_has_used_its_table() {
    let (_, task) = task(EXCELSIOR, MateLength::MAX.0);
    let mut engine = Selective::default();
    limited(Some(50_000), |meter| engine.solve(&task, meter, &Facts::with_bytes(64), &mut Silent));
    let table = engine.table_use();
    assert!(table.entries > 0 && table.used <= table.answers && table.salvaged <= table.active, "{table:?}");
    assert!(table.used > 0 && table.active > 0, "{table:?}");
}

#[test]
fn another_position_starts_a_new_search() {
    let mut engine = Selective::default();
    for (text, length) in [(THREE, Some(3)), (NONE, None), (THREE, Some(3))] {
        let (_, task) = task(text, 3);
        let answer = limited(None, |meter| engine.solve(&task, meter, &Facts::with_bytes(1 << 10), &mut Silent));
        assert_eq!(answer.proof.map(|proof| proof.length().0), length);
        assert_eq!((answer.refuted, answer.stopped), (Some(MateLength(length.map_or(3, |length| length - 1))), None));
    }
}
