//! Tests proof-number search on a graph and on a tree: it agrees with the engine `exhaustive`, its proofs pass the
//! checker, and it keeps its limits.

use matesolve_engine::chess::{Goal, MateLength, NodeKind, Position};
use matesolve_engine::search::exhaustive::Exhaustive;
use matesolve_engine::search::papers::prover::{Init, TreeProver};
use matesolve_engine::search::pn::{Pn, PnOptions};
use matesolve_engine::search::{Answer, Engine, Event, Facts, Observer, Region, Silent, StopReason, Task};
use matesolve_proof::{Bounds, ProofTree, check};
use matesolve_testkit::random::Random;
use matesolve_testkit::{chess, four_fields, generator, solve_observed};
use shakmaty::{Chess, Color, Position as _};

/// The memory of an engine, in bytes.
const MEMORY: usize = 64 << 20;

fn task(game: &Chess, attacker: Color, bound: u16) -> Task {
    Task { memory: MEMORY, ..Task::mate(Position::from_chess(game), attacker, MateLength(bound)) }
}

/// Runs an engine with a node limit and a small table of facts.
fn solve(engine: &mut dyn Engine, task: &Task, nodes: u64, observer: &mut dyn Observer) -> (Answer, u64) {
    solve_observed(engine, task, Some(nodes), &Facts::with_bytes(1 << 16), observer)
}

/// Checks the proof of an answer and returns the bounds that the answer states.
fn checked(game: &Chess, attacker: Color, answer: &Answer) -> Bounds {
    let proved = answer.proof.as_ref().map(|tree| {
        let length = check(game, attacker, Goal::MATE, tree.clone())
            .unwrap_or_else(|fault| panic!("{}: {fault}", four_fields(game)))
            .length();
        assert_eq!(length, tree.length(), "{}", four_fields(game));
        length
    });
    // Unless the mate stands on the board, it takes a move.
    let at_sight = (proved != Some(MateLength(0))).then_some(MateLength(0));
    Bounds::new(answer.refuted.max(at_sight), proved)
}

/// Returns the engines to test, whose graphs lie in the region.
fn engines(region: &Region) -> Vec<Box<dyn Engine + '_>> {
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    for init in [Init::Mobility, Init::Unit] {
        engines.push(Box::new(TreeProver { init }));
    }
    for depth_weight in [0, 1, 8] {
        engines.push(Box::new(Pn::new(PnOptions { depth_weight }, region)));
    }
    engines
}

/// Returns the bounds that `exhaustive` finds within `bound` moves, or `None` if it needs too many nodes.
fn exhaustive_bounds(game: &Chess, attacker: Color, bound: u16) -> Option<Bounds> {
    let (answer, _) = solve(&mut Exhaustive, &task(game, attacker, bound), 150_000, &mut Silent);
    answer.stopped.is_none().then(|| checked(game, attacker, &answer))
}

/// A number of random positions for a test.
struct Trial {
    seed: u64,
    /// The number of positions.
    positions: usize,
    /// The longest mate to look for, in moves.
    bound: u16,
}

impl Trial {
    /// Calls `examine` with each position and the bounds that `exhaustive` finds. Returns the number of mates.
    fn run(&self, mut examine: impl FnMut(&Chess, Color, Bounds)) -> usize {
        let mut random = Random(self.seed);
        let (mut solved, mut mates) = (0, 0);
        while solved < self.positions {
            let Some((game, attacker)) = generator::few_men(&mut random) else { continue };
            if game.is_game_over() {
                continue;
            }
            let Some(expected) = exhaustive_bounds(&game, attacker, self.bound) else { continue };
            // Most positions are not mates. One in twelve of those is enough.
            if expected.proved().is_none() && random.below(12) > 0 {
                continue;
            }
            solved += 1;
            mates += usize::from(expected.proved().is_some());
            examine(&game, attacker, expected);
        }
        mates
    }
}

#[test]
fn every_mode_agrees_with_the_oracle_within_a_bound() {
    for (bound, positions, seed) in [(1, 200, 1), (2, 200, 2), (3, 100, 3), (4, 30, 4)] {
        let mates = Trial { seed, positions, bound }.run(|game, attacker, expected| {
            for mut engine in engines(&Region::default()) {
                let task = task(game, attacker, bound);
                let (answer, _) = solve(&mut *engine, &task, 3_000_000, &mut Silent);
                assert_eq!(answer.stopped, None, "{} {}", four_fields(game), engine.name());
                assert_eq!(
                    checked(game, attacker, &answer),
                    expected,
                    "{} {attacker} {}",
                    four_fields(game),
                    engine.name()
                );
            }
        });
        assert!(mates * 4 > positions, "only {mates} mates among {positions} positions");
    }
}

#[test]
fn without_a_bound_no_mode_contradicts_the_oracle() {
    let mut exact = 0;
    let mates = Trial { seed: 5, positions: 100, bound: 3 }.run(|game, attacker, expected| {
        for mut engine in engines(&Region::default()) {
            let task = task(game, attacker, MateLength::MAX.0);
            let (answer, _) = solve(&mut *engine, &task, 20_000, &mut Silent);
            let found = checked(game, attacker, &answer);
            assert!(
                found.merge(expected).is_consistent(),
                "{} {}: {found:?}, {expected:?}",
                four_fields(game),
                engine.name()
            );
            let is_open = found.proved().is_none() && answer.refuted < Some(MateLength::MAX);
            assert!(answer.stopped.is_some() || !is_open && (found.proved().is_none() || found.is_exact()));
            if found.is_exact() && expected.proved().is_some() {
                assert_eq!(found.proved(), expected.proved(), "{} {}", four_fields(game), engine.name());
                exact += 1;
            }
        }
    });
    assert!(exact > mates * engines(&Region::default()).len() / 2, "only {exact} exact answers for {mates} mates");
}

/// Stores the events of a search.
#[derive(Default)]
struct Listener {
    mates: Vec<ProofTree>,
    refuted: Option<MateLength>,
}

impl Observer for Listener {
    fn event(&mut self, event: Event<'_>, _: u64) {
        match event {
            Event::Mate(tree) => self.mates.push(tree.clone()),
            Event::Refuted(length) => self.refuted = Some(length),
            Event::Building { .. } => panic!("pn builds no tables"),
        }
    }
}

#[test]
fn a_long_first_mate_is_shortened_until_it_is_proved_shortest() {
    // King and rook against the king in the corner, a mate in 2. Proof numbers ignore the length, so that the first
    // mate found is often longer.
    let game = chess("8/8/8/8/8/2K5/7R/k7 w - - 0 1");
    let shortest = exhaustive_bounds(&game, Color::White, 2).unwrap().proved();
    let mut improved = 0;
    for mut engine in engines(&Region::default()) {
        let mut listener = Listener::default();
        let (answer, _) = solve(&mut *engine, &task(&game, Color::White, 1000), 2_000_000, &mut listener);
        let lengths: Vec<MateLength> = listener
            .mates
            .iter()
            .map(|tree| check(&game, Color::White, Goal::MATE, tree.clone()).unwrap().length())
            .collect();
        assert!(lengths.windows(2).all(|pair| pair[1] < pair[0]), "{} {lengths:?}", engine.name());
        improved += lengths.len() - 1;
        assert_eq!((answer.stopped, lengths.last().copied()), (None, shortest), "{}", engine.name());
        assert_eq!(answer.refuted, shortest.and_then(MateLength::shorter), "{}", engine.name());
        assert_eq!(listener.refuted, answer.refuted);
        assert_eq!(answer.proof.map(|tree| tree.length()), shortest);
    }
    assert!(improved > 0);
}

#[test]
fn the_search_ends_with_the_first_mate_if_the_task_allows() {
    let game = chess("8/8/8/8/8/2K5/7R/k7 w - - 0 1");
    let task = Task { shortest: false, ..task(&game, Color::White, 1000) };
    let (answer, _) = solve(&mut TreeProver::default(), &task, 2_000_000, &mut Silent);
    let length = check(&game, Color::White, Goal::MATE, answer.proof.unwrap()).unwrap().length();
    assert!(length >= MateLength(2), "{length}");
    assert_eq!((answer.refuted, answer.stopped), (None, None));
}

#[test]
fn a_repetition_is_not_a_disproof() {
    // The pawns are locked. Without a bound every line ends in a repetition, so only the lengths of full-width searches
    // are refuted.
    let locked = chess("k7/1p6/1P6/8/8/8/8/7K w - - 0 1");
    let (answer, _) = solve(
        &mut Pn::new(PnOptions::default(), &Region::default()),
        &task(&locked, Color::White, 1000),
        100_000,
        &mut Silent,
    );
    assert_eq!((answer.proof, answer.stopped), (None, Some(StopReason::Nodes)));
    let refuted = answer.refuted.unwrap();
    assert!(refuted > MateLength(2) && refuted < MateLength(500), "{refuted}");

    // A bare king never mates, and this disproof does not depend on a repetition.
    let bare = chess("8/8/8/8/8/1k6/8/K7 w - - 0 1");
    let (answer, _) = solve(
        &mut Pn::new(PnOptions::default(), &Region::default()),
        &task(&bare, Color::White, 1000),
        50_000,
        &mut Silent,
    );
    assert_eq!((answer.proof, answer.refuted, answer.stopped), (None, Some(MateLength(1000)), None));
}

#[test]
fn running_out_of_memory_gives_no_answer() {
    let game = chess("r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - 0 1");
    let region = Region::default();
    let too_little = [0, 1 << 10, 200 << 10].map(|memory| (memory, StopReason::Memory));
    for is_tree in [true, false] {
        // Only the graph makes room; the tree of 300,000 nodes takes 14 MB.
        let enough = if is_tree { [16 << 20, 32 << 20] } else { [1 << 20, 3 << 20] };
        for (memory, reason) in too_little.into_iter().chain(enough.map(|memory| (memory, StopReason::Nodes))) {
            let tree: Box<dyn Engine> = Box::new(TreeProver::default());
            let mut engine =
                if is_tree { tree } else { Box::new(Pn::new(PnOptions::default(), &region)) as Box<dyn Engine> };
            let task = Task { memory, ..task(&game, Color::White, 1000) };
            let (answer, nodes) = solve(&mut *engine, &task, 300_000, &mut Silent);
            assert_eq!(answer.stopped, Some(reason), "{} {memory} after {nodes} nodes", engine.name());
            assert!(answer.proof.is_none() && answer.refuted.is_none());
        }
    }
}

#[test]
fn with_little_memory_the_search_frees_nodes_and_stays_correct() {
    let mut solved = 0;
    Trial { seed: 6, positions: 40, bound: 4 }.run(|game, attacker, expected| {
        let region = Region::default();
        let engines: [Box<dyn Engine>; 2] =
            [Box::new(TreeProver::default()), Box::new(Pn::new(PnOptions::default(), &region))];
        for mut engine in engines {
            let task = Task { memory: 600 << 10, ..task(game, attacker, 4) };
            let (answer, nodes) = solve(&mut *engine, &task, 3_000_000, &mut Silent);
            let found = checked(game, attacker, &answer);
            match answer.stopped {
                None => {
                    assert_eq!(found, expected, "{} {}", four_fields(game), engine.name());
                    // Twice as many nodes as fit into the memory: the search must have freed some.
                    solved += usize::from(nodes > 2 * (600 << 10) / 48);
                }
                Some(reason) => {
                    assert_eq!(reason, StopReason::Memory);
                    assert!(found.merge(expected).is_consistent(), "{} {}", four_fields(game), engine.name());
                }
            }
        }
    });
    assert!(solved > 0);
}

#[test]
fn the_same_task_takes_the_same_number_of_nodes() {
    let game = chess("6k1/5ppp/8/8/8/8/5PPP/R2Q2K1 w - - 0 1");
    for mut engine in engines(&Region::default()) {
        let mut counts = Vec::new();
        for _ in 0..2 {
            let (answer, nodes) = solve(&mut *engine, &task(&game, Color::White, 1000), 50_000, &mut Silent);
            counts.push((nodes, answer.refuted, answer.proof.map(|tree| tree.length())));
        }
        assert_eq!(counts[0], counts[1], "{}", engine.name());
    }
}

#[test]
fn the_defender_may_be_to_move() {
    let game = chess("7k/8/5KQ1/8/8/8/8/8 b - - 0 1");
    let stalemate = task(&game, Color::White, 5);
    assert_eq!(stalemate.root_kind(), NodeKind::And);
    let (answer, _) = solve(&mut Pn::new(PnOptions::default(), &Region::default()), &stalemate, 10_000, &mut Silent);
    assert_eq!((answer.proof, answer.refuted, answer.stopped), (None, Some(MateLength(5)), None));

    let mated = chess("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1");
    let (answer, _) = solve(
        &mut Pn::new(PnOptions::default(), &Region::default()),
        &task(&mated, Color::White, 5),
        10_000,
        &mut Silent,
    );
    assert_eq!(answer.proof.map(|tree| tree.length()), Some(MateLength(0)));
}
