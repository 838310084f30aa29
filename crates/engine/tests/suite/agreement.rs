//! Compares every engine with the reference on generated positions.
//!
//! The reference is `matesolve_testkit::reference`. An engine may stop at its node limit, but its answers must be true:
//! a proof passes the checker and is not shorter than the shortest mate, no length from that of the shortest mate on is
//! refuted, and an answer without a stop is exact.

use std::panic::resume_unwind;
use std::thread::Builder;

use matesolve_engine::base::threads::STACK_SIZE;
use matesolve_engine::chess::{MateLength, Moves, NodeKind, Position};
use matesolve_engine::search::corridor::{Corridor, CorridorOptions};
use matesolve_engine::search::dfpn::Dfpn;
use matesolve_engine::search::exhaustive::Exhaustive;
use matesolve_engine::search::papers::bstar::Bstar;
use matesolve_engine::search::papers::prover::{Init, TreeProver};
use matesolve_engine::search::papers::selective::{Selective, SelectiveOptions};
use matesolve_engine::search::pn::{Pn, PnOptions};
use matesolve_engine::search::pvs::{Extensions, Finish, Pvs, PvsOptions};
use matesolve_engine::search::race::{LaneName, LaneSet, Race, RaceOptions};
use matesolve_engine::search::retro::Retro;
use matesolve_engine::search::{Answer, Engine, Facts, Region};
use matesolve_testkit::case::Case;
use matesolve_testkit::generator::{self, Theme};
use matesolve_testkit::random::Random;
use matesolve_testkit::reference::Reference;
use matesolve_testkit::{nulls, solve};
use shakmaty::{Chess, Color, Position as _};

/// The memory of an engine, in bytes.
const MEMORY: usize = 1 << 24;

/// The memory of an engine with a table that replaces old entries, in bytes. A small table is cleared in little time.
const TABLE: usize = 96 << 10;

/// The memory of the facts, in bytes. Few facts are found faster, and none of these searches makes many.
const FACTS: usize = 1 << 17;

/// Returns a position of three to eight men from a seed: either side to move, either colour to mate in up to four
/// moves. Returns `None` if the seed gives no playable position, or if the reference needs too many nodes.
fn case(seed: u64) -> Option<Case> {
    let mut random = Random(seed);
    let men = 3 + random.below(6);
    let mut chess = match random.below(8) {
        0 | 1 => {
            let plies = random.below(6);
            generator::before_mate(&mut random, men, plies)?
        }
        2 => generator::placement(&mut random, men.max(4), Theme::Promotion)?,
        3 => generator::placement(&mut random, men.max(4), Theme::Castling)?,
        4 => generator::placement(&mut random, men.max(4), Theme::EnPassant)?,
        _ => generator::placement(&mut random, men, Theme::Any)?,
    };
    let mut attacker = Color::White;
    if random.one_in(3) {
        // The defender is to move: after a move of White, which may give check, or after a pass.
        let moves = chess.legal_moves();
        match Position::from_chess(&chess).pass() {
            Some(passed) if random.one_in(2) => chess = passed.to_chess(),
            _ if moves.is_empty() => return None,
            _ => chess.play_unchecked(random.pick(&moves)),
        }
    }
    if random.one_in(2) {
        chess = generator::colors_flipped(&chess);
        attacker = Color::Black;
    }
    let bound = 1 + random.below(4) as u16;
    Case::generated(seed, chess, attacker, bound, 100_000)
}

/// Returns `count` cases from consecutive seeds: all that are mates, and one in three of the others.
fn cases(first_seed: u64, count: usize) -> impl Iterator<Item = Case> {
    let mut without = 0;
    let kept = (first_seed..).filter_map(case).filter(move |case| {
        without += usize::from(case.shortest.is_none());
        case.shortest.is_some() || without % 3 == 0
    });
    kept.take(count)
}

/// Solves a case with a node limit and facts of its own.
fn answer(engine: &mut dyn Engine, case: &Case, memory: usize, nodes: u64) -> Answer {
    solve(engine, &case.task(memory), Some(nodes), &Facts::with_bytes(FACTS))
}

/// The meaning of an answer without a stop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Promise {
    /// The shortest mate, or that no mate exists.
    Exact,
    /// Every claim is true, but a mate may be missed.
    Truth,
    /// Every mate is true, and nothing is ever refuted. It may go on to its limit.
    Mates,
}

/// An engine under test.
struct Entrant<'r> {
    /// The name for messages.
    name: String,
    engine: Box<dyn Engine + 'r>,
    promise: Promise,
    /// The memory of the engine, in bytes.
    memory: usize,
    /// The engine solves one in `every` positions.
    every: usize,
}

impl<'r> Entrant<'r> {
    fn new(name: impl Into<String>, engine: impl Engine + 'r, every: usize) -> Entrant<'r> {
        Entrant { name: name.into(), engine: Box::new(engine), promise: Promise::Exact, memory: MEMORY, every }
    }

    /// Returns an engine with a table of its own.
    fn with_table(name: impl Into<String>, engine: impl Engine + 'r, every: usize) -> Entrant<'r> {
        Entrant { memory: TABLE, ..Entrant::new(name, engine, every) }
    }

    fn promising(self, promise: Promise) -> Entrant<'r> {
        Entrant { promise, ..self }
    }
}

/// Returns the engines under test, whose graphs lie in the region. Add a line here to test a new engine or a new mode.
fn entrants(region: &Region) -> Vec<Entrant<'_>> {
    let race_of = |name: &str, lanes: &[LaneName], threads: usize| {
        let options = RaceOptions { lanes: LaneSet::of(lanes), threads, ..RaceOptions::default() };
        Entrant::new(name, Race::new(options, region), 4)
    };
    let mut entrants = vec![
        Entrant::new("exhaustive", Exhaustive, 1),
        Entrant::with_table("pvs exact", Pvs::new(PvsOptions::default().exact()), 1),
        Entrant::with_table("pvs", Pvs::default(), 1),
        Entrant::new("dfpn", Dfpn, 2),
        Entrant::new("race", Race::new(RaceOptions::default(), region), 2),
        Entrant::new("race of 3", Race::new(RaceOptions { threads: 3, ..RaceOptions::default() }, region), 2),
        race_of("race of pn, pvs", &[LaneName::Pn, LaneName::Pvs], 1),
        race_of("race of pn, pvs on 2", &[LaneName::Pn, LaneName::Pvs], 2),
        race_of("race of dfpn, pn", &[LaneName::Dfpn, LaneName::Pn], 1),
        race_of("race of all lanes on 2", &LaneName::ALL, 2),
        race_of("race of technique, pvs", &[LaneName::Technique, LaneName::Pvs], 1).promising(Promise::Truth),
        race_of("race of ladder", &[LaneName::Ladder], 1).promising(Promise::Truth),
        race_of("race of technique, dfpn", &[LaneName::Technique, LaneName::Dfpn], 1),
        race_of("race of technique", &[LaneName::Technique], 1).promising(Promise::Truth),
        Entrant::new("retro", Retro::new(1), 16),
        Entrant::with_table("pvs lane", Pvs::new(PvsOptions::LANE), 4),
        Entrant::new("bstar", Bstar::new(region), 1),
        race_of("race of corridor, dfpn", &[LaneName::Corridor, LaneName::Dfpn], 1),
    ];
    for mode in corridor_modes() {
        entrants.push(Entrant::new(format!("{mode:?}"), Corridor::new(mode), 4).promising(Promise::Mates));
    }
    for mode in selective_modes() {
        entrants.push(Entrant::with_table(format!("selective {mode:?}"), Selective::new(mode), 3));
    }
    for init in [Init::Mobility, Init::Unit] {
        entrants.push(Entrant::new(format!("prover {init:?}"), TreeProver { init }, 6));
    }
    for depth_weight in [0, 1, 8] {
        entrants.push(Entrant::new(format!("pn {depth_weight}"), Pn::new(PnOptions { depth_weight }, region), 6));
    }
    for mode in pvs_modes() {
        let promise = if mode.finish == Finish::Exact { Promise::Exact } else { Promise::Truth };
        let name = format!("pvs {:?} {:?} {:?}", mode.null, mode.extensions, mode.finish);
        entrants.push(Entrant { promise, ..Entrant::with_table(name, Pvs::new(mode), 4) });
    }
    entrants
}

/// Returns the default of the selective search, and a small table.
fn selective_modes() -> [SelectiveOptions; 2] {
    [SelectiveOptions::default(), SelectiveOptions { entries: 100 }]
}

/// Returns the default of `corridor`, and all families without shortening.
fn corridor_modes() -> [CorridorOptions; 2] {
    let default = CorridorOptions::default();
    [default, CorridorOptions { families: u16::MAX, side_moves: 3, shorten: false }]
}

/// Returns every null move, with and without extensions, with and without the exact iterations at the end.
fn pvs_modes() -> Vec<PvsOptions> {
    let mut modes = Vec::new();
    for null in nulls::ALL {
        for extensions in [Extensions::NONE, Extensions::DUCK] {
            for finish in [Finish::Exact, Finish::Selective] {
                modes.push(PvsOptions { null, extensions, threats: false, finish });
            }
        }
    }
    modes
}

/// Compares an answer with the reference. Returns whether the engine finished within its limits; of one that looks for
/// mates only, whether it missed none.
fn agree(name: &str, promise: Promise, case: &Case, answer: &Answer) -> bool {
    let place = format!("{name}, {}", case.describe());
    let length = case.checked(answer, &name);
    if let Some(length) = length {
        assert!(case.shortest.is_some_and(|shortest| length >= shortest), "{place}: mate in {length}");
    }
    if let Some(shortest) = case.shortest {
        assert!(answer.refuted < Some(MateLength(shortest)), "{place}: refuted through {:?}", answer.refuted);
    }
    if answer.stopped.is_none() && promise == Promise::Exact {
        assert_eq!(length, case.shortest, "{place}");
        assert!(
            case.shortest.is_some() || answer.refuted >= Some(MateLength(case.bound)),
            "{place}: {:?}",
            answer.refuted
        );
    }
    if promise == Promise::Mates {
        assert_eq!((answer.refuted, answer.refuted_at_any_length), (None, false), "{place}");
        return length.is_some() || case.shortest.is_none();
    }
    answer.stopped.is_none()
}

/// The engines that solve a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Selection {
    /// One in [`Entrant::every`] positions for each engine.
    InTurn,
    /// Every engine.
    All,
}

impl Selection {
    /// Returns the node limit of an engine. One that looks for mates only gets less, because it often goes on to it,
    /// and always where there is no mate.
    fn nodes(self, promise: Promise, case: &Case) -> u64 {
        match (self, promise, case.shortest) {
            (Selection::InTurn, Promise::Mates, None) => 4_000,
            (Selection::InTurn, Promise::Mates, Some(_)) => 20_000,
            _ => 100_000,
        }
    }
}

/// Runs the engines on `count` cases from consecutive seeds, on the stack that a search needs.
fn compare(first_seed: u64, count: usize, selection: Selection) {
    let thread = Builder::new().stack_size(STACK_SIZE).spawn(move || compare_here(first_seed, count, selection));
    if let Err(panic) = thread.expect("a thread").join() {
        resume_unwind(panic);
    }
}

fn compare_here(first_seed: u64, count: usize, selection: Selection) {
    let region = Region::default();
    let mut entrants = entrants(&region);
    let mut tally = vec![(0, 0); entrants.len()];
    let (mut lengths, mut defending, mut black) = ([0; 6], 0, 0);
    for (turn, case) in cases(first_seed, count).enumerate() {
        for (i, (entrant, (run, complete))) in entrants.iter_mut().zip(&mut tally).enumerate() {
            let refused = entrant.engine.refusal(&case.task(entrant.memory)).is_some();
            if refused || (selection == Selection::InTurn && (i + turn) % entrant.every > 0) {
                continue;
            }
            let nodes = selection.nodes(entrant.promise, &case);
            let answer = answer(entrant.engine.as_mut(), &case, entrant.memory, nodes);
            *run += 1;
            *complete += usize::from(agree(&entrant.name, entrant.promise, &case, &answer));
        }
        lengths[case.shortest.map_or(5, usize::from)] += 1;
        defending += usize::from(case.chess.turn() != case.attacker);
        black += usize::from(case.attacker == Color::Black);
    }
    println!("#0 to #4 and none: {lengths:?}; {defending} with the defender to move, {black} with Black mating");
    for (Entrant { name, .. }, (run, complete)) in entrants.iter().zip(tally) {
        println!("{name}: {complete} of {run} answered");
        assert!(complete * 4 > run * 3, "{name}: only {complete} of {run} answered");
    }
    assert!(lengths.iter().all(|&n| n * 60 >= count), "{lengths:?}");
    assert!(defending * 5 > count && black * 3 > count, "{defending} {black}");
}

// Two tests with half of the positions each, because the tests of a file run in parallel.

#[test]
fn engines_agree_with_the_reference_on_the_first_half() {
    compare(1, 400, Selection::InTurn);
}

#[test]
fn engines_agree_with_the_reference_on_the_second_half() {
    compare(500_000, 400, Selection::InTurn);
}

#[test]
#[ignore = "an hour: every mode on every one of 12,000 positions: cargo test --test suite agreement:: -- --ignored --nocapture"]
fn every_mode_agrees_with_the_reference_everywhere() {
    compare(10_000_000, 12_000, Selection::All);
}

/// Returns properties of a position that stay the same when colours are exchanged or files are reversed.
fn symmetrical_properties(chess: &Chess) -> (usize, usize, bool, bool, bool) {
    let position = Position::from_chess(chess);
    let mut checks = matesolve_engine::chess::MoveList::new();
    position.generate(Moves::Checks, &mut checks);
    let mates = position.mate_in_one().is_some();
    (position.count_moves(), checks.len(), mates, position.is_check(), position.is_checkmate())
}

#[test]
fn exchanged_colours_and_reversed_files_make_no_difference() {
    let mut mirrored = 0;
    for case in cases(1_000_000, 600) {
        let mut images = vec![(generator::colors_flipped(&case.chess), !case.attacker)];
        images.extend(generator::files_mirrored(&case.chess).map(|image| (image, case.attacker)));
        mirrored += images.len() - 1;
        for (chess, attacker) in images {
            let image = Case { chess, attacker, ..case.clone() };
            let properties = symmetrical_properties(&image.chess);
            assert_eq!(properties, symmetrical_properties(&case.chess), "{}", image.describe());
            let kind = image.task(MEMORY).root_kind();
            let shortest = Reference::new(400_000).shortest(&image.position(), kind, case.bound);
            assert_eq!(shortest, Ok(case.shortest), "{}", image.describe());
            agree("exhaustive", Promise::Exact, &image, &answer(&mut Exhaustive, &image, MEMORY, 50_000));
        }
    }
    assert!(mirrored > 300, "{mirrored}");
}

#[test]
fn after_a_key_the_mate_is_one_move_shorter() {
    // Every defence is mated in at most n − 1 moves, and one defence takes exactly n − 1.
    let mut keys = 0;
    for case in cases(2_000_000, 400) {
        let (Some(n), NodeKind::Or) = (case.shortest, case.task(MEMORY).root_kind()) else { continue };
        let mut reference = Reference::new(1_000_000);
        for key in reference.keys(&case.position(), n).unwrap() {
            let after = case.position().play(key);
            let lengths = after.legal_moves().into_iter().map(|m| {
                let shortest = reference.shortest(&after.play(m), NodeKind::Or, n).unwrap();
                shortest.unwrap_or_else(|| panic!("{}: {m:?} refutes the key {key:?}", case.describe()))
            });
            assert_eq!(lengths.max().unwrap_or(0), n - 1, "{}: {} {key:?}", case.describe(), after.fen());
            keys += 1;
        }
    }
    assert!(keys > 200, "{keys}");
}
