//! Tests of the whole engine: targets, interruption, repetitions and memory.

use std::sync::atomic::AtomicBool;

use crate::chess::MateLength;
use crate::chess::testing::position;
use crate::search::{Answer, Control, Engine, Facts, Limits, Meter, Region, Silent, StopReason, Task};

use super::Bstar;

/// A mate in three with a quiet key.
const THREE: &str = "5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -";
/// No pawn can move and the kings never meet: there is no mate, but every line ends in a repetition.
const WALLED: &str = "k7/1p6/1P6/8/8/1p6/1P6/K7 w - -";

fn task(text: &str, bound: MateLength, memory: usize) -> Task {
    let position = position(text);
    Task { memory, ..Task::mate(position, position.turn(), bound) }
}

fn with_meter<R>(nodes: u64, search: impl FnOnce(&mut Meter<'_>) -> R) -> (R, u64) {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes: Some(nodes), deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    let result = search(&mut meter);
    (result, meter.count())
}

fn length(answer: &Answer) -> Option<u16> {
    answer.proof.as_ref().map(|tree| tree.length().0)
}

#[test]
fn the_shortest_mate_is_found_and_shorter_ones_are_refuted() {
    for bound in [MateLength(3), MateLength::MAX] {
        let (answer, nodes) = with_meter(200_000, |meter| {
            let facts = Facts::with_bytes(1 << 16);
            Bstar::new(&Region::default()).solve(&task(THREE, bound, 1 << 24), meter, &facts, &mut Silent)
        });
        assert_eq!((length(&answer), answer.refuted, answer.stopped), (Some(3), Some(MateLength(2)), None));
        assert!(nodes > 100, "{nodes} nodes");
    }
}

#[test]
fn an_interrupted_search_goes_on_where_it_stopped() {
    let task = task(THREE, MateLength::MAX, 1 << 24);
    let facts = Facts::with_bytes(1 << 16);
    let (_, whole) =
        with_meter(200_000, |meter| Bstar::new(&Region::default()).solve(&task, meter, &facts, &mut Silent));
    let facts = Facts::with_bytes(1 << 16);
    let region = Region::default();
    let mut engine = Bstar::new(&region);
    let ((answer, slices), total) = with_meter(200_000, |meter| {
        let mut slices = 0;
        loop {
            meter.set_slice(Some(whole / 5));
            slices += 1;
            let answer = engine.solve(&task, meter, &facts, &mut Silent);
            if answer.stopped != Some(StopReason::Slice) {
                return (answer, slices);
            }
        }
    });
    assert_eq!((length(&answer), answer.refuted, answer.stopped), (Some(3), Some(MateLength(2)), None));
    // An expansion that is cut off is made again: at most one per slice.
    assert!(slices >= 5 && total <= whole + slices * 100, "{total} nodes in {slices} slices, {whole} in one");
}

#[test]
fn repetitions_refute_nothing_unless_there_is_a_horizon() {
    let answer = |bound, nodes| {
        let facts = Facts::with_bytes(1 << 16);
        let search = |meter: &mut Meter<'_>| {
            Bstar::new(&Region::default()).solve(&task(WALLED, bound, 1 << 24), meter, &facts, &mut Silent)
        };
        let (answer, _) = with_meter(nodes, search);
        (length(&answer), answer.refuted, answer.stopped)
    };
    // Without a horizon every line ends in a repetition, which proves nothing.
    assert_eq!(answer(MateLength::MAX, 20_000), (None, None, Some(StopReason::Nodes)));
    assert_eq!(answer(MateLength(6), 200_000), (None, Some(MateLength(6)), None));
}

#[test]
fn a_small_memory_ends_the_search_without_an_answer() {
    // A mate in seven, too large for the graph. The answer stays unknown and nothing false is claimed.
    let hard = "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq -";
    let (answer, nodes) = with_meter(2_000_000, |meter| {
        let facts = Facts::with_bytes(1 << 16);
        Bstar::new(&Region::default()).solve(&task(hard, MateLength::MAX, 1 << 20), meter, &facts, &mut Silent)
    });
    assert_eq!((length(&answer), answer.stopped), (None, Some(StopReason::Memory)));
    assert!(nodes > 5_000, "{nodes} nodes");
}
