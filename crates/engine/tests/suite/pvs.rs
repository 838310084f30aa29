//! Tests the PVS engine: its answers are correct in every mode, exact where it promises that, and the null moves find
//! the zugzwangs that they find in the papers.

use std::sync::atomic::AtomicBool;

use matesolve_engine::chess::{MateLength, Position};
use matesolve_engine::search::pvs::{Extension, Extensions, Finish, NullMove, Pvs, PvsOptions};
use matesolve_engine::search::{
    Answer, Control, Engine, Event, Facts, Limits, Meter, Observer, Silent, StopReason, Task,
};
use matesolve_testkit::case::Case;
use matesolve_testkit::generator::{self, Theme};
use matesolve_testkit::random::Random;
use matesolve_testkit::{nulls, solve, solve_observed, suites};
use shakmaty::Color;

/// The memory of an engine, in bytes.
const MEMORY: usize = 1 << 20;

/// Returns every null move, with and without extensions.
fn modes(finish: Finish) -> Vec<PvsOptions> {
    let extensions = [Extensions::NONE, Extensions::DUCK];
    let mode = |null, extensions| PvsOptions { null, extensions, threats: extensions != Extensions::NONE, finish };
    nulls::ALL.into_iter().flat_map(|null| extensions.map(|set| mode(null, set))).collect()
}

/// Returns a position from a seed with either side to move, and its shortest mate within two to four moves.
fn case(seed: u64) -> Option<Case> {
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
    Case::generated(seed, chess, attacker, bound, 60_000)
}

/// Returns `count` cases from consecutive seeds, most of them mates in two or more.
fn cases(first_seed: u64, count: usize) -> Vec<Case> {
    let all = (first_seed..).filter_map(case).enumerate();
    let kept = all.filter(|(i, case)| case.shortest.is_some_and(|n| n > 1) || i % 60 == 0);
    kept.map(|(_, case)| case).take(count).collect()
}

/// Solves a case without a node limit.
fn answer(case: &Case, options: PvsOptions) -> Answer {
    solve(&mut Pvs::new(options), &case.task(MEMORY), None, &Facts::with_bytes(1 << 18))
}

#[test]
fn every_mode_with_the_exact_finish_answers_exactly() {
    let modes = modes(Finish::Exact);
    for case in cases(1, 60) {
        for &options in &modes {
            let answer = answer(&case, options);
            assert_eq!(case.checked(&answer, &options), case.shortest, "{} {options:?}", case.describe());
            let refuted = case.shortest.map_or(Some(case.bound), |n| n.checked_sub(1)).map(MateLength);
            assert_eq!((answer.refuted, answer.stopped), (refuted, None), "{} {options:?}", case.describe());
        }
    }
}

#[test]
fn selective_searches_may_miss_a_mate_but_claim_nothing_false() {
    let modes = modes(Finish::Selective);
    let mut found = vec![0; modes.len()];
    let mut mates = 0;
    for case in cases(100_000, 90) {
        let place = case.describe();
        mates += usize::from(case.shortest.is_some());
        for (options, found) in modes.iter().zip(&mut found) {
            let answer = answer(&case, *options);
            let length = case.checked(&answer, options);
            *found += usize::from(length.is_some());
            let Some(shortest) = case.shortest else {
                assert_eq!(length, None, "{place} {options:?}");
                continue;
            };
            assert!(length.is_none_or(|n| n >= shortest), "{place} {options:?}: mate in {length:?}");
            let refuted = answer.refuted;
            assert!(refuted < Some(MateLength(shortest)), "{place} {options:?}: refuted through {refuted:?}");
        }
    }
    let found_by = |null, extensions| {
        let index = modes.iter().position(|mode| mode.null == null && mode.extensions == extensions);
        found[index.expect("a mode of the list")]
    };
    assert!(mates > 60, "{mates} mates");
    assert_eq!(found_by(NullMove::None, Extensions::NONE), mates);
    // An extension only adds to a search whose last depth covers the bound.
    assert_eq!(found_by(NullMove::None, Extensions::DUCK), mates);
    // Deeper iterations make up for reductions, but not for cuts.
    assert_eq!(found_by(NullMove::NMR, Extensions::NONE), mates);
    let standard = found_by(NullMove::Standard { r: 3 }, Extensions::NONE);
    let verified = found_by(NullMove::VERIFIED, Extensions::NONE);
    assert!(standard < verified && verified <= mates, "standard {standard}, verified {verified} of {mates}");
}

#[test]
fn selective_searches_share_only_exact_facts() {
    // A later exact search uses the facts that a selective search has written. It must stay exact.
    for case in cases(200_000, 20) {
        for options in modes(Finish::Selective) {
            let facts = Facts::with_bytes(1 << 20);
            solve(&mut Pvs::new(options), &case.task(MEMORY), None, &facts);
            let exact = options.exact();
            let answer = solve(&mut Pvs::new(exact), &case.task(MEMORY), None, &facts);
            assert_eq!(case.checked(&answer, &exact), case.shortest, "{} after {options:?}", case.describe());
        }
    }
}

#[test]
fn without_a_table_every_proof_is_still_found() {
    for case in cases(300_000, 25) {
        let options = PvsOptions::default();
        let answer = solve(&mut Pvs::new(options), &case.task(0), None, &Facts::with_bytes(0));
        assert_eq!(case.checked(&answer, &options), case.shortest, "{}", case.describe());
    }
}

#[test]
fn an_interrupted_search_continues_where_it_stopped() {
    for case in cases(400_000, 15) {
        for options in [PvsOptions::default(), PvsOptions::default().exact()] {
            let (mut engine, facts) = (Pvs::new(options), Facts::with_bytes(1 << 18));
            let stop = AtomicBool::new(false);
            let control = Control::new(Limits::default(), &stop);
            let mut meter = Meter::new(&control);
            let mut slice = 500;
            let answer = loop {
                meter.set_slice(Some(slice));
                let answer = engine.solve(&case.task(MEMORY), &mut meter, &facts, &mut Silent);
                if answer.stopped != Some(StopReason::Slice) {
                    break answer;
                }
                slice += slice / 2;
            };
            assert_eq!(case.checked(&answer, &options), case.shortest, "{}", case.describe());
        }
    }
}

/// Stores the lengths that a search proves and refutes.
#[derive(Default)]
struct Lengths {
    mates: Vec<u16>,
    refuted: Vec<u16>,
}

impl Observer for Lengths {
    fn event(&mut self, event: Event<'_>, _: u64) {
        match event {
            Event::Mate(tree) => self.mates.push(tree.length().0),
            Event::Refuted(length) => self.refuted.push(length.0),
            Event::Building { .. } => panic!("pvs builds no tables"),
        }
    }
}

#[test]
fn each_event_improves_on_the_one_before() {
    for case in cases(500_000, 15) {
        for options in modes(Finish::Exact) {
            let mut lengths = Lengths::default();
            let facts = Facts::with_bytes(1 << 18);
            let (answer, _) = solve_observed(&mut Pvs::new(options), &case.task(MEMORY), None, &facts, &mut lengths);
            assert!(lengths.mates.is_sorted_by(|a, b| a > b), "{:?}", lengths.mates);
            assert!(lengths.refuted.is_sorted_by(|a, b| a < b), "{:?}", lengths.refuted);
            assert_eq!(lengths.mates.last().copied(), answer.proof.map(|proof| proof.length().0));
        }
    }
}

#[test]
fn the_search_ends_with_the_first_mate_if_the_task_allows() {
    let mut longer = 0;
    for case in cases(600_000, 40) {
        let task = Task { shortest: false, ..case.task(MEMORY).within(MateLength(30)) };
        let Some(shortest) = case.shortest else { continue };
        let options = PvsOptions::default();
        let answer = solve(&mut Pvs::new(options), &task, Some(300_000), &Facts::with_bytes(1 << 18));
        if let Some(length) = case.checked(&answer, &options) {
            assert!(length >= shortest && answer.stopped.is_none());
            longer += usize::from(length > shortest);
        }
    }
    assert!(longer > 0, "no mate found was longer than the shortest");
}

#[test]
fn each_extension_can_be_switched_on_and_off() {
    let all = [Extension::Check, Extension::Evasion, Extension::Recapture, Extension::Singular];
    for case in cases(700_000, 10) {
        for extension in all {
            for extensions in [Extensions::NONE.with(extension), Extensions::DUCK.without(extension)] {
                let options = PvsOptions { extensions, ..PvsOptions::default() };
                let answer = answer(&case, options);
                assert_eq!(case.checked(&answer, &options), case.shortest, "{} {options:?}", case.describe());
            }
        }
    }
}

/// The problems of `problems/zugzwang_null.epd` that the standard null move misses at every depth, by its R. Their keys
/// are quiet pawn moves without a threat; a defender that may pass is never mated.
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

/// Returns the problems of a suite that a selective search finds with this null move and these extensions.
fn found_in_suite(suite: &str, null: NullMove, extensions: Extensions) -> Vec<String> {
    let suite = suites::problems().into_iter().filter(|problem| problem.suite == suite);
    let options = PvsOptions { null, extensions, threats: false, finish: Finish::Selective };
    let found = suite.filter(|problem| {
        let suites::Claim::Mate(bound) = problem.claim else { panic!("{}: no dm", problem.place) };
        let case = Case::mate_in(&problem.id, problem.chess(), bound);
        let length = case.checked(&answer(&case, options), &options);
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

/// The problems of `problems/zugzwang.epd` that the standard null move misses with any R from 1 to 3. In all others the
/// mate takes only two moves, and then no null move is tried.
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

/// The suite of positions like figure 3 of the paper of 2008: a quiet pawn move mates in 8 to 15 moves, the other push
/// of the pawn does not, and Black is in zugzwang at every move.
const PAWNS: &str = "zugzwang_pawns";

/// The problems of that suite that each null move finds within [`NODES_IN_PAWNS`] nodes per problem, by the last two
/// letters of the id. The verified null move does not verify below its first fail high, so that it misses a second
/// zugzwang, with one exception. The reducing null move never cuts, so that it finds more.
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

/// Returns whether this null move finds the mate within `nodes` nodes. Asserts that it finds no other length.
fn finds(problem: &suites::Problem, null: NullMove, nodes: u64) -> bool {
    let suites::Claim::Mate(bound) = problem.claim else { panic!("{}: no dm", problem.place) };
    let case = Case::mate_in(&problem.id, problem.chess(), bound);
    let options = PvsOptions { null, extensions: Extensions::NONE, threats: false, finish: Finish::Selective };
    let answer = solve(&mut Pvs::new(options), &case.task(64 << 20), Some(nodes), &Facts::with_bytes(1 << 24));
    let length = case.checked(&answer, &options);
    assert!(length.is_none_or(|n| n == bound), "{}: mate in {length:?}", problem.place);
    length.is_some()
}

/// Returns the problems of [`PAWNS`] of at most `longest` moves that a null move finds.
fn found_in_pawns(null: NullMove, nodes: u64, longest: u16) -> Vec<String> {
    let pawns = suites::problems().into_iter().filter(|problem| problem.suite == PAWNS);
    let short = pawns.filter(|problem| matches!(problem.claim, suites::Claim::Mate(n) if n <= longest));
    let found = short.filter(|problem| finds(problem, null, nodes));
    found.map(|problem| problem.id.trim_start_matches("zugzwang-pawns-").to_owned()).collect()
}

#[test]
fn long_pawn_zugzwangs_are_found_by_reductions_and_missed_by_cuts() {
    for (null, found) in FOUND_IN_PAWNS {
        assert_eq!(found_in_pawns(null, NODES_IN_PAWNS, 13), found, "{null:?}");
    }
}

#[test]
#[ignore = "two minutes, a billion nodes: cargo test --test suite pvs:: -- --ignored --nocapture"]
fn more_nodes_do_not_find_zugzwangs_that_are_cut_off() {
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

/// In Loyd's "Excelsior" 1861 (`problems/classics.epd`) a position occurs twice in a line: higher up, and again below
/// with a mate in two by another move. Move and length must be stored together, or the proof cannot be built.
#[test]
fn a_position_that_occurs_twice_in_a_line_keeps_the_move_of_its_shortest_mate() {
    let problem = suites::problems().into_iter().find(|problem| problem.id == "loyd-1861-excelsior").unwrap();
    let case = Case::mate_in(&problem.id, problem.chess(), 5);
    for options in [PvsOptions::default().exact(), PvsOptions { threats: false, ..PvsOptions::default().exact() }] {
        let answer = answer(&case, options);
        assert_eq!(
            (case.checked(&answer, &options), answer.refuted, answer.stopped),
            (Some(5), Some(MateLength(4)), None),
            "{options:?}"
        );
    }
}
