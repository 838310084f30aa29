//! The PVS engine: truthful in every mode, exact where it says so, and wise to zugzwang where the papers are.

mod generator;
mod nulls;
mod reference;
mod suites;

use std::sync::atomic::AtomicBool;

use generator::{Random, Theme};
use matesolve::chess::{MateLength, NodeKind, Position};
use matesolve::proof::{Facts, check};
use matesolve::search::pvs::{Extension, Extensions, Finish, NullMove, Pvs, PvsOptions};
use matesolve::search::{Answer, Control, Engine, Event, Limits, Meter, Observer, Silent, StopReason, Task};
use reference::Reference;
use shakmaty::{Chess, Color, Position as _};

/// Every null move, with and without extensions.
fn modes(finish: Finish) -> Vec<PvsOptions> {
    let extensions = [Extensions::NONE, Extensions::DUCK];
    let mode = |null, extensions| PvsOptions { null, extensions, threats: extensions != Extensions::NONE, finish };
    nulls::ALL.into_iter().flat_map(|null| extensions.map(|set| mode(null, set))).collect()
}

struct Case {
    chess: Chess,
    attacker: Color,
    bound: u16,
    shortest: Option<u16>,
}

impl Case {
    /// A position from a seed, either side to move, and its shortest mate within up to four moves.
    fn throw(seed: u64) -> Option<Case> {
        let mut random = Random(seed);
        let men = 4 + random.below(6);
        let theme = random.pick(&[Theme::Any, Theme::Any, Theme::Promotion, Theme::EnPassant, Theme::Blocked]);
        let mut chess = generator::placement(&mut random, men, theme)?;
        if random.one_in(4) {
            chess = Position::from_chess(&chess).pass()?.to_chess();
        }
        let mut attacker = Color::White;
        if random.one_in(2) {
            chess = generator::colors_flipped(&chess);
            attacker = Color::Black;
        }
        let bound = 2 + random.below(3) as u16;
        let position = Position::from_chess(&chess);
        let kind = NodeKind::of(chess.turn(), attacker);
        let shortest = Reference::new(60_000).shortest(&position, kind, bound).ok()?;
        Some(Case { chess, attacker, bound, shortest })
    }

    fn task(&self) -> Task {
        let position = Position::from_chess(&self.chess);
        Task { position, attacker: self.attacker, bound: MateLength(self.bound), shortest: true, memory: 1 << 20 }
    }

    fn solve(&self, options: PvsOptions) -> Answer {
        solve(&mut Pvs::new(options), &self.task(), None, &Facts::with_bytes(1 << 18))
    }

    /// The length of the claimed mate, replayed by the checker.
    fn checked(&self, answer: &Answer, options: PvsOptions) -> Option<u16> {
        let fen = Position::from_chess(&self.chess).fen();
        let tree = answer.proof.as_ref()?;
        let proof = check(&self.chess, self.attacker, tree.clone())
            .unwrap_or_else(|fault| panic!("{fen} {options:?}: {fault}"));
        Some(proof.length().0)
    }
}

/// Cases from a seed on, most of them mates in two or more.
fn cases(first_seed: u64, count: usize) -> Vec<Case> {
    let thrown = (first_seed..).filter_map(Case::throw).enumerate();
    let kept = thrown.filter(|(i, case)| case.shortest.is_some_and(|n| n > 1) || i % 60 == 0);
    kept.map(|(_, case)| case).take(count).collect()
}

fn solve(engine: &mut Pvs, task: &Task, nodes: Option<u64>, facts: &Facts) -> Answer {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes, deadline: None }, &stop);
    engine.solve(task, &mut Meter::new(&control), facts, &mut Silent)
}

#[test]
fn every_mode_with_the_exact_finish_answers_exactly() {
    let modes = modes(Finish::Exact);
    for case in cases(1, 60) {
        let fen = Position::from_chess(&case.chess).fen();
        for &options in &modes {
            let answer = case.solve(options);
            assert_eq!(case.checked(&answer, options), case.shortest, "{fen} #{} {options:?}", case.bound);
            let refuted = case.shortest.map_or(case.bound, |n| n.saturating_sub(1));
            assert_eq!((answer.refuted.0, answer.stopped), (refuted, None), "{fen} {options:?}");
        }
    }
}

#[test]
fn selective_searches_may_miss_a_mate_and_never_lie() {
    let modes = modes(Finish::Selective);
    let mut found = vec![0; modes.len()];
    let mut mates = 0;
    for case in cases(100_000, 90) {
        let fen = Position::from_chess(&case.chess).fen();
        mates += usize::from(case.shortest.is_some());
        for (options, found) in modes.iter().zip(&mut found) {
            let answer = case.solve(*options);
            let length = case.checked(&answer, *options);
            *found += usize::from(length.is_some());
            let Some(shortest) = case.shortest else {
                assert_eq!(length, None, "{fen} {options:?}");
                continue;
            };
            assert!(length.is_none_or(|n| n >= shortest), "{fen} {options:?}: mate in {length:?}");
            assert!(answer.refuted.0 < shortest.max(1), "{fen} {options:?}: refuted through {}", answer.refuted);
        }
    }
    let of = |null, set| {
        let place = modes.iter().position(|mode| mode.null == null && mode.extensions == set);
        found[place.expect("a mode of the list")]
    };
    assert!(mates > 60, "{mates} mates");
    assert_eq!(of(NullMove::None, Extensions::NONE), mates);
    // An extension cannot take from a search whose last depth covers the bound.
    assert_eq!(of(NullMove::None, Extensions::DUCK), mates);
    // Reductions can be outwaited, cuts cannot.
    assert_eq!(of(NullMove::NMR, Extensions::NONE), mates);
    let (standard, verified) =
        (of(NullMove::Standard { r: 3 }, Extensions::NONE), of(NullMove::VERIFIED, Extensions::NONE));
    assert!(standard < verified && verified <= mates, "standard {standard}, verified {verified} of {mates}");
}

#[test]
fn exact_facts_are_all_that_is_published() {
    // What a selective search writes for others must be true: a fresh exact search that trusts it must stay exact.
    for case in cases(200_000, 20) {
        let fen = Position::from_chess(&case.chess).fen();
        for options in modes(Finish::Selective) {
            let facts = Facts::with_bytes(1 << 20);
            solve(&mut Pvs::new(options), &case.task(), None, &facts);
            let exact = options.exact();
            let answer = solve(&mut Pvs::new(exact), &case.task(), None, &facts);
            assert_eq!(case.checked(&answer, exact), case.shortest, "{fen} #{} after {options:?}", case.bound);
        }
    }
}

#[test]
fn a_lost_table_costs_nodes_and_no_proof() {
    for case in cases(300_000, 25) {
        let options = PvsOptions::default();
        let task = Task { memory: 0, ..case.task() };
        let answer = solve(&mut Pvs::new(options), &task, None, &Facts::with_bytes(0));
        assert_eq!(case.checked(&answer, options), case.shortest, "{}", task.position.fen());
    }
}

#[test]
fn an_interrupted_search_goes_on_where_it_stopped() {
    for case in cases(400_000, 15) {
        for options in [PvsOptions::default(), PvsOptions::default().exact()] {
            let (mut engine, facts) = (Pvs::new(options), Facts::with_bytes(1 << 18));
            let stop = AtomicBool::new(false);
            let control = Control::new(Limits::default(), &stop);
            let mut meter = Meter::new(&control);
            let mut slice = 500;
            let answer = loop {
                meter.set_slice(Some(slice));
                let answer = engine.solve(&case.task(), &mut meter, &facts, &mut Silent);
                if answer.stopped != Some(StopReason::Slice) {
                    break answer;
                }
                slice += slice / 2;
            };
            assert_eq!(case.checked(&answer, options), case.shortest, "{}", case.task().position.fen());
        }
    }
}

/// Notes the lengths claimed and refuted.
#[derive(Default)]
struct Notes {
    mates: Vec<u16>,
    refuted: Vec<u16>,
}

impl Observer for Notes {
    fn event(&mut self, event: Event<'_>, _: u64) {
        match event {
            Event::Mate(tree) => self.mates.push(tree.length().0),
            Event::Refuted(length) => self.refuted.push(length.0),
        }
    }
}

#[test]
fn news_only_improves() {
    for case in cases(500_000, 15) {
        for options in modes(Finish::Exact) {
            let mut notes = Notes::default();
            let stop = AtomicBool::new(false);
            let control = Control::new(Limits::default(), &stop);
            let facts = Facts::with_bytes(1 << 18);
            let answer = Pvs::new(options).solve(&case.task(), &mut Meter::new(&control), &facts, &mut notes);
            assert!(notes.mates.is_sorted_by(|a, b| a > b), "{:?}", notes.mates);
            assert!(notes.refuted.is_sorted_by(|a, b| a < b), "{:?}", notes.refuted);
            assert_eq!(notes.mates.last().copied(), answer.proof.map(|proof| proof.length().0));
        }
    }
}

#[test]
fn without_shortest_the_first_mate_will_do() {
    let mut longer = 0;
    for case in cases(600_000, 40) {
        let task = Task { shortest: false, bound: MateLength(30), ..case.task() };
        let Some(shortest) = case.shortest else { continue };
        let options = PvsOptions::default();
        let answer = solve(&mut Pvs::new(options), &task, Some(300_000), &Facts::with_bytes(1 << 18));
        if let Some(length) = case.checked(&answer, options) {
            assert!(length >= shortest && answer.stopped.is_none());
            longer += usize::from(length > shortest);
        }
    }
    assert!(longer > 0, "extensions find some mate that is not the shortest");
}

#[test]
fn extensions_can_be_switched_one_by_one() {
    let all = [Extension::Check, Extension::Evasion, Extension::Recapture, Extension::Singular];
    for case in cases(700_000, 10) {
        for extension in all {
            for extensions in [Extensions::NONE.with(extension), Extensions::DUCK.without(extension)] {
                let options = PvsOptions { extensions, ..PvsOptions::default() };
                let answer = case.solve(options);
                assert_eq!(case.checked(&answer, options), case.shortest, "{} {options:?}", case.task().position.fen());
            }
        }
    }
}

/// The problems of `problems/zugzwang_null.epd` that the standard null move misses at every depth, by its R. Their keys are
/// quiet pawn moves that threaten nothing; a defender who may pass is never mated.
const MISSED_BY_STANDARD: [(u8, [&str; 15]); 3] = {
    const ALL: [&str; 15] = [
        "zugzwang-null-01",
        "zugzwang-null-02",
        "zugzwang-null-03",
        "zugzwang-null-04",
        "zugzwang-null-05",
        "zugzwang-null-06",
        "zugzwang-null-07",
        "zugzwang-null-08",
        "zugzwang-null-09",
        "zugzwang-null-10",
        "zugzwang-null-11",
        "zugzwang-null-12",
        "zugzwang-null-13",
        "zugzwang-null-14",
        "zugzwang-null-15",
    ];
    [(1, ALL), (2, ALL), (3, ALL)]
};

/// The problems of a suite found with this null move and these extensions, without the exact finish.
fn found_in_suite(suite: &str, null: NullMove, extensions: Extensions) -> Vec<String> {
    let suite = suites::problems().into_iter().filter(|problem| problem.suite == suite);
    let options = PvsOptions { null, extensions, threats: false, finish: Finish::Selective };
    let found = suite.filter(|problem| {
        let suites::Claim::Mate(bound) = problem.claim else { panic!("{}: no dm", problem.place) };
        let chess = problem.chess();
        let case = Case { attacker: chess.turn(), chess, bound, shortest: Some(bound) };
        let length = case.checked(&case.solve(options), options);
        assert!(length.is_none_or(|n| n == bound), "{}: mate in {length:?}", problem.place);
        length.is_some()
    });
    found.map(|problem| problem.id).collect()
}

#[test]
fn zugzwangs_are_found_by_verified_and_reduced_null_moves_and_missed_by_standard_ones() {
    let all = MISSED_BY_STANDARD[0].1;
    for extensions in [Extensions::NONE, Extensions::DUCK] {
        for null in [NullMove::None, NullMove::VERIFIED, NullMove::NMR] {
            assert_eq!(found_in_suite("zugzwang_null", null, extensions), all, "{null:?} {extensions:?}");
        }
    }
    for (r, missed) in MISSED_BY_STANDARD {
        let found = found_in_suite("zugzwang_null", NullMove::Standard { r }, Extensions::NONE);
        assert!(missed.iter().all(|id| !found.iter().any(|found| found == id)), "R = {r} finds {found:?}");
        assert_eq!(found.len() + missed.len(), all.len());
    }
}

/// The problems of `problems/zugzwang.epd` that the standard null move misses, whatever its R from 1 to 3: all that are
/// long enough for a pass to be tried, which is never with two moves to go.
const MISSED_IN_ZUGZWANG: [&str; 4] = ["zugzwang-002", "zugzwang-006", "zugzwang-014", "zugzwang-017"];

#[test]
fn classical_zugzwangs_are_found_by_verified_and_reduced_null_moves() {
    let ids = |null| found_in_suite("zugzwang", null, Extensions::NONE);
    let all: Vec<String> = suites::problems().into_iter().filter(|p| p.suite == "zugzwang").map(|p| p.id).collect();
    for null in [NullMove::None, NullMove::VERIFIED, NullMove::NMR] {
        assert_eq!(ids(null), all, "{null:?}");
    }
    for r in 1..=3 {
        let found = ids(NullMove::Standard { r });
        let missed: Vec<&String> = all.iter().filter(|id| !found.contains(id)).collect();
        assert_eq!(missed, MISSED_IN_ZUGZWANG, "R = {r}");
    }
}

/// The suite like the 2008 paper's figure 3: a quiet pawn move mates in 8 to 15, the other push of the pawn does not, and
/// whatever Black plays in between is zugzwang.
const PAWNS: &str = "zugzwang_pawns";

/// What each null move finds there, by the last two letters of the id, within so many nodes a problem. Below its first
/// fail-high verification is off, so that a second zugzwang is cut off, with one exception here; a reduction that never
/// cuts comes through.
const FOUND_IN_PAWNS: [(NullMove, &[&str]); 7] = [
    (NullMove::None, &["01", "02", "03", "04", "06"]),
    (NullMove::Standard { r: 1 }, &[]),
    (NullMove::Standard { r: 2 }, &[]),
    (NullMove::Standard { r: 3 }, &[]),
    (NullMove::Adaptive { shallow: 2, deep: 3 }, &[]),
    (NullMove::VERIFIED, &["05"]),
    (NullMove::NMR, &["01", "02", "03", "04", "05"]),
];
const NODES_IN_PAWNS: u64 = 620_000;

/// Whether this null move finds the mate within so many nodes, and that it finds no shorter one.
fn finds(problem: &suites::Problem, null: NullMove, nodes: u64) -> bool {
    let suites::Claim::Mate(bound) = problem.claim else { panic!("{}: no dm", problem.place) };
    let chess = problem.chess();
    let case = Case { attacker: chess.turn(), chess, bound, shortest: Some(bound) };
    let options = PvsOptions { null, extensions: Extensions::NONE, threats: false, finish: Finish::Selective };
    let task = Task { memory: 64 << 20, ..case.task() };
    let answer = solve(&mut Pvs::new(options), &task, Some(nodes), &Facts::with_bytes(1 << 24));
    let length = case.checked(&answer, options);
    assert!(length.is_none_or(|n| n == bound), "{}: mate in {length:?}", problem.place);
    length.is_some()
}

fn found_in_pawns(null: NullMove, nodes: u64, longest: u16) -> Vec<String> {
    let pawns = suites::problems().into_iter().filter(|problem| problem.suite == PAWNS);
    let short = pawns.filter(|problem| matches!(problem.claim, suites::Claim::Mate(n) if n <= longest));
    let found = short.filter(|problem| finds(problem, null, nodes));
    found.map(|problem| problem.id.trim_start_matches("zugzwang-pawns-").to_owned()).collect()
}

#[test]
fn a_pawn_move_that_decides_whose_turn_it_is_is_found_by_reductions_and_missed_by_cuts() {
    for (null, found) in FOUND_IN_PAWNS {
        assert_eq!(found_in_pawns(null, NODES_IN_PAWNS, 13), found, "{null:?}");
    }
}

#[test]
#[ignore = "two minutes, a billion nodes: cargo test --test pvs -- --ignored --nocapture"]
fn more_nodes_do_not_help_where_zugzwangs_are_cut_off() {
    for (null, _) in FOUND_IN_PAWNS {
        let found = found_in_pawns(null, 20_000_000, 15);
        println!("{null:?}: {found:?}");
        let last: &[&str] = match null {
            NullMove::Standard { .. } | NullMove::Adaptive { .. } => &[],
            NullMove::Verified { .. } => &["05"],
            NullMove::Nmr { .. } => &["01", "02", "03", "04", "05", "06"],
            NullMove::None => &["01", "02", "03", "04", "05", "06", "07", "08"],
        };
        assert_eq!(found, last, "{null:?}");
    }
}

/// Loyd's "Excelsior" 1861 (`problems/classics.epd`): a position is mated in two below itself, by another move than it is
/// mated by higher up. Move and length must be remembered together, or the proof cannot be put together.
#[test]
fn a_position_mated_faster_below_itself_keeps_the_move_that_does_it() {
    let problem = suites::problems().into_iter().find(|problem| problem.id == "loyd-1861-excelsior").unwrap();
    let chess = problem.chess();
    let case = Case { attacker: chess.turn(), chess, bound: 5, shortest: Some(5) };
    for options in [PvsOptions::default().exact(), PvsOptions { threats: false, ..PvsOptions::default().exact() }] {
        let answer = case.solve(options);
        assert_eq!(
            (case.checked(&answer, options), answer.refuted.0, answer.stopped),
            (Some(5), 4, None),
            "{options:?}"
        );
    }
}
