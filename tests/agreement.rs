//! Every engine against the reference, on positions from seeds.
//!
//! An engine may stop at its node limit, but what it says must be true: a proof survives the checker and is not
//! shorter than the shortest mate, a refutation does not reach it, and an answer without a stop is exact.

mod generator;
mod nulls;
mod reference;

use std::sync::atomic::AtomicBool;

use generator::{Random, Theme};
use matesolve::chess::{MateLength, Moves, NodeKind, Position};
use matesolve::proof::{Facts, check};
use matesolve::search::dfpn::Dfpn;
use matesolve::search::exhaustive::Exhaustive;
use matesolve::search::pn::{Graph, Init, Pn, PnOptions};
use matesolve::search::pvs::{Extensions, Finish, Pvs, PvsOptions};
use matesolve::search::race::{Race, RaceOptions};
use matesolve::search::{Answer, Control, Engine, Limits, Meter, Silent, Task};
use reference::Reference;
use shakmaty::{Chess, Color, Position as _};

/// A question with its answer.
struct Case {
    seed: u64,
    chess: Chess,
    attacker: Color,
    bound: u16,
    /// The shortest mate within the bound.
    shortest: Option<u16>,
}

impl Case {
    /// A position of 3–8 men, either side to move, either colour to mate in up to four; `None` when the throw fails.
    fn throw(seed: u64) -> Option<Case> {
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
            // Let the other side begin: by a move of White, which may be check, or by passing.
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
        let position = Position::from_chess(&chess);
        let kind = NodeKind::of(chess.turn(), attacker);
        let shortest = Reference::new(100_000).shortest(&position, kind, bound).ok()?;
        Some(Case { seed, chess, attacker, bound, shortest })
    }

    fn task(&self) -> Task {
        Task {
            position: Position::from_chess(&self.chess),
            attacker: self.attacker,
            bound: MateLength(self.bound),
            shortest: true,
            memory: 1 << 24,
        }
    }
}

/// So many cases from a seed on, a third of them mates.
fn cases(first_seed: u64, count: usize) -> impl Iterator<Item = Case> {
    let mut without = 0;
    let kept = (first_seed..).filter_map(Case::throw).filter(move |case| {
        without += usize::from(case.shortest.is_none());
        case.shortest.is_some() || without % 3 == 0
    });
    kept.take(count)
}

fn solve(engine: &mut dyn Engine, task: &Task, nodes: u64) -> Answer {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes: Some(nodes), deadline: None }, &stop);
    engine.solve(task, &mut Meter::new(&control), &Facts::with_bytes(1 << 20), &mut Silent)
}

/// What an answer without a stop says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Promise {
    /// The shortest mate, or that there is none.
    Exact,
    /// What it says is true; a mate may be missed.
    Truth,
}

/// An engine under test.
struct Entrant {
    /// What its failures go by.
    name: String,
    engine: Box<dyn Engine>,
    promise: Promise,
    /// It takes its turn on one of so many positions.
    every: usize,
}

impl Entrant {
    fn new(name: impl Into<String>, engine: impl Engine + 'static, every: usize) -> Entrant {
        Entrant { name: name.into(), engine: Box::new(engine), promise: Promise::Exact, every }
    }
}

/// The engines under test. A new engine, or a new mode of one, is tested by adding a line.
fn entrants() -> Vec<Entrant> {
    let mut entrants = vec![
        Entrant::new("exhaustive", Exhaustive, 1),
        Entrant::new("pvs exact", Pvs::new(PvsOptions::default().exact()), 1),
        Entrant::new("pvs", Pvs::default(), 1),
        Entrant::new("dfpn", Dfpn::default(), 2),
        Entrant::new("race", Race::default(), 2),
        Entrant::new("race of 3", Race::new(RaceOptions { threads: 3, ..RaceOptions::default() }), 2),
        Entrant::new("pvs lane", Pvs::new(PvsOptions::LANE), 4),
    ];
    for mode in pn_modes() {
        entrants.push(Entrant::new(format!("pn {mode:?}"), Pn::new(mode), 2));
    }
    for mode in pvs_modes() {
        let promise = if mode.finish == Finish::Exact { Promise::Exact } else { Promise::Truth };
        let name = format!("pvs {:?} {:?} {:?}", mode.null, mode.extensions, mode.finish);
        entrants.push(Entrant { promise, ..Entrant::new(name, Pvs::new(mode), 4) });
    }
    entrants
}

/// Every null move, with and without extensions, with and without the exact iterations at the end.
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

/// Every combination of what proof-number search lets one choose.
fn pn_modes() -> Vec<PnOptions> {
    let mut modes = Vec::new();
    for graph in [Graph::Tree, Graph::Dag] {
        for init in [Init::Mobility, Init::Unit] {
            for depth_weight in [0, 1, 2] {
                for mate_in_one in [false, true] {
                    modes.push(PnOptions { graph, init, depth_weight, mate_in_one });
                }
            }
        }
    }
    modes
}

/// Compares an answer with the truth; says whether it was complete.
fn agree(name: &str, promise: Promise, case: &Case, answer: &Answer) -> bool {
    let place = format!("{name}, seed {}: {} #{}", case.seed, Position::from_chess(&case.chess).fen(), case.bound);
    let length = answer.proof.as_ref().map(|proof| {
        let length = check(&case.chess, case.attacker, proof.clone())
            .unwrap_or_else(|fault| panic!("{place}: {fault}"))
            .length();
        assert!(case.shortest.is_some_and(|shortest| length.0 >= shortest), "{place}: mate in {length}");
        length.0
    });
    if let Some(shortest) = case.shortest {
        // "Refuted: 0" says nothing where the mate is already on the board.
        assert!(answer.refuted.0 < shortest.max(1), "{place}: refuted through {}", answer.refuted);
    }
    if answer.stopped.is_none() && promise == Promise::Exact {
        assert_eq!(length, case.shortest, "{place}");
        assert!(case.shortest.is_some() || answer.refuted.0 >= case.bound, "{place}: {}", answer.refuted);
    }
    answer.stopped.is_none()
}

/// Who is run on a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    /// Of the engines that come in many modes those whose turn it is.
    InTurn,
    Everybody,
}

/// Runs the engines on `count` cases from a seed on.
fn compare(first_seed: u64, count: usize, field: Field) {
    let mut entrants = entrants();
    let mut tally = vec![(0, 0); entrants.len()];
    let (mut lengths, mut defending, mut black) = ([0; 6], 0, 0);
    for (turn, case) in cases(first_seed, count).enumerate() {
        for (i, (entrant, (run, complete))) in entrants.iter_mut().zip(&mut tally).enumerate() {
            if field == Field::InTurn && (i + turn) % entrant.every > 0 {
                continue;
            }
            let answer = solve(entrant.engine.as_mut(), &case.task(), 100_000);
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
        assert!(complete * 10 > run * 8, "{name}: only {complete} of {run} answered");
    }
    assert!(lengths.iter().all(|&n| n * 60 >= count), "{lengths:?}");
    assert!(defending * 5 > count && black * 3 > count, "{defending} {black}");
}

// Two tests of half the positions each, because tests of one file run beside one another.

#[test]
fn engines_agree_with_the_reference() {
    compare(1, 1_500, Field::InTurn);
}

#[test]
fn engines_agree_with_the_reference_on_as_many_others() {
    compare(500_000, 1_500, Field::InTurn);
}

#[test]
#[ignore = "ten minutes: every mode on every one of 12,000 positions: cargo test --test agreement -- --ignored --nocapture"]
fn every_mode_agrees_with_the_reference_everywhere() {
    compare(10_000_000, 12_000, Field::Everybody);
}

/// What the kernel says of a position, as far as it does not depend on which side is which.
fn kernel_verdict(chess: &Chess) -> (usize, usize, bool, bool, bool) {
    let position = Position::from_chess(chess);
    let mut checks = matesolve::chess::MoveList::new();
    position.generate(Moves::Checks, &mut checks);
    let mates = position.mate_in_one().is_some();
    (position.count_moves(), checks.len(), mates, position.is_check(), position.is_checkmate())
}

#[test]
fn colours_and_sides_of_the_board_make_no_difference() {
    let mut mirrored = 0;
    for case in cases(1_000_000, 600) {
        let mut images = vec![(generator::colors_flipped(&case.chess), !case.attacker)];
        images.extend(generator::files_mirrored(&case.chess).map(|image| (image, case.attacker)));
        mirrored += images.len() - 1;
        for (chess, attacker) in images {
            let fen = Position::from_chess(&chess).fen();
            assert_eq!(kernel_verdict(&chess), kernel_verdict(&case.chess), "seed {}: {fen}", case.seed);
            let image = Case { chess, attacker, ..case };
            let kind = image.task().root_kind();
            let shortest = Reference::new(400_000).shortest(&image.task().position, kind, case.bound);
            assert_eq!(shortest, Ok(case.shortest), "seed {}: {fen}", case.seed);
            agree("exhaustive", Promise::Exact, &image, &solve(&mut Exhaustive, &image.task(), 50_000));
        }
    }
    assert!(mirrored > 300, "{mirrored}");
}

#[test]
fn a_step_into_a_proof_shortens_it() {
    // After the key every defence is mate in n − 1 at most, and one needs exactly n − 1.
    let mut keys = 0;
    for case in cases(2_000_000, 400) {
        let (Some(n), NodeKind::Or) = (case.shortest, case.task().root_kind()) else { continue };
        let mut reference = Reference::new(1_000_000);
        for key in reference.keys(&case.task().position, n).unwrap() {
            let after = case.task().position.play(key);
            let longest = after.legal_moves().into_iter().map(|m| {
                let answered = after.play(m);
                reference.shortest(&answered, NodeKind::Or, n).unwrap().unwrap_or(u16::MAX)
            });
            assert_eq!(longest.max().unwrap_or(0), n - 1, "seed {}: {} {key:?}", case.seed, after.fen());
            keys += 1;
        }
    }
    assert!(keys > 200, "{keys}");
}
