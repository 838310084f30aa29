//! Tests of the engine: its mates against the reference and the checker, limits, and going on after them.

use std::sync::atomic::AtomicBool;

use shakmaty::{Color, Role, Square};

use super::*;
use crate::chess::testing::chess;
use crate::chess::{Goal, Position};
use crate::proof::check;
use crate::search::exhaustive::Exhaustive;
use crate::search::{Control, Limits, Silent};

const MEMORY: usize = 4 << 20;

fn solve(engine: &mut impl Engine, task: &Task, nodes: u64) -> (Answer, u64) {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes: Some(nodes), deadline: None }, &stop);
    let mut meter = Meter::new(&control);
    let answer = engine.solve(task, &mut meter, &Facts::with_bytes(1 << 16), &mut Silent);
    (answer, meter.count())
}

fn task(position: Position, attacker: Color, bound: MateLength) -> Task {
    Task { memory: MEMORY, ..Task::mate(position, attacker, bound) }
}

/// A mate in 15: the defender has moves of his pawns only (`problems/zugzwang_pawns.epd`).
pub(super) const NARROW: &str = "8/8/8/2p5/1pp5/bppp4/1prrp2P/qnkbK3 w - -";

/// The defender has only moves of a pawn while the king walks round.
const LONG: &str = "8/8/8/8/p7/1p2p3/1P1pP1K1/k2B4 w - -";

#[test]
fn every_mate_of_a_list_is_a_mate_and_none_is_shorter_than_the_shortest() {
    let mut seed = 7u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let (mut found, mut mates) = (0, 0);
    for _ in 0..300 {
        let mut men = vec![(Color::Black, Role::King, Square::new(random(8) as u32))];
        for (color, role) in [
            (Color::White, Role::King),
            (Color::White, Role::Rook),
            (Color::White, Role::Knight),
            (Color::Black, Role::Pawn),
            (Color::Black, Role::Pawn),
        ] {
            let square = Square::new(8 + random(48) as u32);
            if men.iter().all(|man| man.2 != square) {
                men.push((color, role, square));
            }
        }
        if men.iter().filter(|man| man.1 == Role::King).count() != 2 {
            continue;
        }
        let turn = if random(3) == 0 { Color::Black } else { Color::White };
        let position = Position::from_men(turn, men);
        if position.attackers(position.king(!turn), turn, position.occupied()).any() {
            continue;
        }
        let short = task(position, Color::White, MateLength(3));
        let reference = solve(&mut Exhaustive, &short, u64::MAX).0;
        let any = task(position, Color::White, MateLength::MAX);
        let answer = solve(&mut Corridor::default(), &any, 8_000).0;
        mates += u32::from(reference.proof.is_some());
        let Some(tree) = answer.proof else { continue };
        let root = position.to_chess();
        let proof = check(&root, Color::White, Goal::MATE, tree).unwrap_or_else(|fault| panic!("{fault}: {root:?}"));
        assert!(Some(proof.length()) > reference.refuted, "{}", position.fen());
        found += u32::from(reference.proof.is_some());
    }
    assert!(mates > 10 && found * 2 > mates, "{found} of {mates}");
}

#[test]
fn known_mates_are_found_at_their_length_by_both_sides_to_move() {
    for (text, length) in [(NARROW, 15), ("8/7k/R7/8/8/8/8/1R5K w - -", 2), ("7k/5Q2/6K1/8/8/8/8/8 w - -", 1)] {
        let root = chess(text);
        let position = Position::from_chess(&root);
        let answer = solve(&mut Corridor::default(), &task(position, Color::White, MateLength::MAX), 300_000).0;
        let proof = check(&root, Color::White, Goal::MATE, answer.proof.unwrap()).unwrap();
        assert_eq!(proof.length(), MateLength(length), "{text}");
    }
    let mated = chess("k7/8/1K6/8/8/8/8/7R b - -");
    let answer =
        solve(&mut Corridor::default(), &task(Position::from_chess(&mated), Color::White, MateLength::MAX), 9_000).0;
    assert_eq!(check(&mated, Color::White, Goal::MATE, answer.proof.unwrap()).unwrap().length(), MateLength(1));
}

#[test]
fn nothing_is_refuted_and_stalemate_is_no_mate() {
    for text in ["7k/8/8/8/8/8/8/K6N w - -", "k7/2Q5/8/8/8/8/8/7K b - -", LONG] {
        let position = Position::from_chess(&chess(text));
        let answer = solve(&mut Corridor::default(), &task(position, Color::White, MateLength::MAX), 20_000).0;
        assert_eq!((answer.refuted, answer.refuted_at_any_length), (None, false), "{text}");
        assert!(answer.proof.is_none() || text == LONG);
    }
}

#[test]
fn a_search_in_slices_makes_the_same_nodes() {
    let narrow = task(Position::from_chess(&chess(NARROW)), Color::White, MateLength::MAX);
    let whole = solve(&mut Corridor::default(), &narrow, 60_000);
    assert_eq!(solve(&mut Corridor::default(), &narrow, 60_000).1, whole.1);
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), &stop);
    let (mut meter, facts) = (Meter::new(&control), Facts::with_bytes(1 << 16));
    let (mut engine, mut shortest) = (Corridor::default(), None);
    while shortest != Some(MateLength(15)) && meter.count() < 100_000 {
        meter.set_slice(Some(2_000));
        let answer = engine.solve(&narrow, &mut meter, &facts, &mut Silent);
        shortest = answer.proof.map(|tree| tree.length()).or(shortest);
    }
    assert_eq!(shortest, whole.0.proof.map(|tree| tree.length()));
}

#[test]
fn a_mate_longer_than_the_bound_is_offered_as_such() {
    let position = Position::from_chess(&chess(NARROW));
    let answer = solve(&mut Corridor::default(), &task(position, Color::White, MateLength(14)), 60_000).0;
    assert_eq!((answer.proof.is_some(), answer.longer.map(|tree| tree.length())), (false, Some(MateLength(15))));
}

#[test]
fn a_search_without_memory_comes_to_an_end() {
    let position = Position::from_chess(&chess(NARROW));
    let task = Task { memory: 0, ..task(position, Color::White, MateLength::MAX) };
    let answer = solve(&mut Corridor::default(), &task, u64::MAX).0;
    assert_eq!((answer.proof.is_none(), answer.stopped), (true, Some(StopReason::Memory)));
}

/// Computes the lengths of a list by going over all nodes until nothing changes.
fn plain_lengths(list: &list::List) -> Vec<Option<u16>> {
    let mut lengths: Vec<Option<u16>> = vec![None; list.len()];
    loop {
        let before = lengths.clone();
        for at in list.indices() {
            let node = list.node(at);
            let after: Vec<Option<u16>> = list.children(at).map(|child| lengths[child as usize]).collect();
            lengths[at as usize] = if node.kind == crate::chess::NodeKind::Or {
                after.into_iter().flatten().min().map(|length| length + 1)
            } else if node.stalemate {
                None
            } else {
                after.into_iter().try_fold(node.bound, |longest, length| Some(longest.max(length?)))
            };
        }
        if lengths == before {
            return lengths;
        }
    }
}

#[test]
fn the_lengths_in_a_list_are_those_of_a_plain_backward_solve() {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), &stop);
    let facts = Facts::with_bytes(1 << 10);
    let (mut compared, mut solved) = (0, 0);
    for text in [NARROW, LONG, "8/7k/R7/8/8/8/8/1R5K w - -", "8/8/8/8/2p5/p1P5/p1K5/k2N4 w - -"] {
        for family in Family::ALL {
            let mut meter = Meter::new(&control);
            let mut context = Context { meter: &mut meter, facts: &facts, hints: None };
            let mut corridor = levels::CorridorList::new(Position::from_chess(&chess(text)), 2, MEMORY);
            corridor.begin(family, u16::MAX, 2, u16::MAX);
            let kind = crate::chess::NodeKind::Or;
            let outcome = corridor.run(kind, 20_000, &mut context).unwrap();
            for whole in [false, true] {
                if whole {
                    corridor.set_whole(39);
                    corridor.run(kind, context.meter.count() + 2_000, &mut context).unwrap();
                }
                corridor.compute_length();
                for (at, plain) in corridor.list.indices().zip(plain_lengths(&corridor.list)) {
                    let length = corridor.list.node(at).length;
                    assert_eq!((length != UNKNOWN).then_some(length), plain, "{text} {family:?} {at}");
                    compared += u32::from(plain.is_some());
                }
            }
            solved += u32::from(outcome == RunEnd::Solved);
        }
    }
    assert!(compared > 1_500 && solved > 10, "{compared} {solved}");
}
