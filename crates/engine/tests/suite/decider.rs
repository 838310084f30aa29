//! Tests that the decider is exact, on one thread and on several with one table: for every first move of generated
//! positions it finds whether the move mates.

use std::sync::atomic::AtomicBool;

use matesolve_engine::chess::{Goal, MateLength, Move, NodeKind, Position};
use matesolve_engine::search::decider::Decider;
use matesolve_engine::search::dfpn::Prover;
use matesolve_engine::search::exhaustive::Exhaustive;
use matesolve_engine::search::{Control, Facts, Limits, Meter, StopReason, Task};
use matesolve_proof::{NodeFault, ProofError, check, check_exclusive};
use matesolve_testkit::generator::{self, Theme};
use matesolve_testkit::random::Random;
use matesolve_testkit::reference::Reference;
use shakmaty::{Chess, Position as _, Square};

/// Calls `run` with a decider that has a table of `bytes` bytes and a limit of nodes.
fn with_decider<R>(bytes: usize, nodes: Option<u64>, run: impl FnOnce(&mut Decider) -> R) -> R {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits { nodes, deadline: None }, &stop);
    let facts = Facts::with_bytes(1 << 10);
    run(&mut Decider::new(Prover::new(bytes), &facts, Meter::new(&control)))
}

/// A proof limit that no proof of these tests reaches.
const MAX_PROOF: usize = 1 << 20;

/// Returns a position from a seed.
fn position(seed: u64) -> Option<Chess> {
    let mut random = Random(seed);
    let men = 4 + random.below(8);
    let theme = random.pick(&[
        Theme::Any,
        Theme::Castling,
        Theme::Castling960,
        Theme::EnPassant,
        Theme::Promotion,
        Theme::Blocked,
    ]);
    let chess = if random.one_in(2) {
        generator::placement(&mut random, men, theme)?
    } else {
        let plies = 1 + random.below(5);
        generator::before_mate(&mut random, men, plies)?
    };
    Some(if random.one_in(2) { generator::colors_flipped(&chess) } else { chess })
}

/// The truth about a position: its shortest mate, and for each first move whether it mates within 0, 1, … moves after
/// it.
struct Truth {
    chess: Chess,
    n: u16,
    shortest: Option<u16>,
    moves: Vec<(Move, u16, bool)>,
}

impl Truth {
    /// Asks the reference; `None` if it needs too many nodes.
    fn of(chess: &Chess, n: u16) -> Option<Truth> {
        let root = Position::from_chess(chess);
        let mut reference = Reference::new(300_000);
        let shortest = reference.shortest(&root, NodeKind::Or, n).ok()?;
        let mut moves = Vec::new();
        for m in root.legal_moves() {
            for k in 0..n {
                moves.push((m, k, reference.mated(&root.play(m), k).ok()?));
            }
        }
        Some(Truth { chess: chess.clone(), n, shortest, moves })
    }

    /// Compares all answers of a decider with the truth.
    fn compare(&self, decider: &mut Decider) {
        let root = Position::from_chess(&self.chess);
        let fen = root.fen();
        let shortest = decider.shortest_mate(&root, MateLength(self.n)).unwrap();
        assert_eq!(shortest.map(|n| n.0), self.shortest, "{fen}");
        for &(m, k, mated) in &self.moves {
            let found = decider.mated(&root.play(m), MateLength(k)).unwrap();
            assert_eq!(found.is_some(), mated, "{fen} {m:?} within {k}");
            assert!(found.is_none_or(|length| length.0 <= k), "{fen} {m:?}: {found:?} is longer than {k}");
        }
        let mating = decider.mating_moves(&root, MateLength(self.n)).unwrap();
        let last = self.n - 1;
        let expected = self.moves.iter().filter(|&&(_, k, mated)| k == last && mated).count();
        assert_eq!(mating.len(), expected, "{fen}: {mating:?}");
        let proof = decider.prove(&root, NodeKind::Or, MateLength(self.n), MAX_PROOF).unwrap();
        let turn = self.chess.turn();
        let length = proof.map(|tree| check(&self.chess, turn, Goal::MATE, tree).expect("the proof holds").length().0);
        assert!(self.shortest <= length && length <= Some(self.n), "{fen}: {length:?}");
        assert_eq!(length.is_some(), self.shortest.is_some(), "{fen}");
    }
}

#[test]
fn the_decider_agrees_with_the_reference_about_every_move() {
    let (mut compared, mut mating) = (0, 0);
    for seed in 0..700 {
        let Some(chess) = position(77_000_000 + seed) else { continue };
        let n = if seed % 4 == 0 { 4 } else { 3 };
        // In a table of one bucket nearly everything is lost and searched again.
        let bytes = if seed % 3 == 0 { 64 } else { 1 << 18 };
        let Some(truth) = Truth::of(&chess, n) else { continue };
        with_decider(bytes, None, |decider| truth.compare(decider));
        compared += 1;
        mating += truth.moves.iter().filter(|&&(_, _, mated)| mated).count();
    }
    println!("{compared} positions, {mating} answers were mates");
    assert!(compared > 350 && mating > 3000, "{compared} {mating}");
}

#[test]
fn deciders_on_three_threads_with_one_table_agree_with_the_reference() {
    let mut compared = 0;
    for seed in 0..150 {
        let Some(chess) = position(79_000_000 + seed) else { continue };
        let Some(truth) = Truth::of(&chess, 3 + u16::from(seed % 2 == 0)) else { continue };
        let bytes = if seed % 3 == 0 { 64 } else { 1 << 16 };
        with_decider(bytes, None, |first| {
            let mut others = [first.for_another_thread(), first.for_another_thread()];
            std::thread::scope(|scope| {
                for other in &mut others {
                    scope.spawn(|| truth.compare(other));
                }
                truth.compare(first);
            });
        });
        compared += 1;
    }
    println!("{compared} positions");
    assert!(compared > 70, "{compared}");
}

#[test]
fn the_decider_agrees_with_the_oracle() {
    let mut compared = 0;
    for seed in 0..400 {
        let Some(chess) = position(78_000_000 + seed) else { continue };
        let position = Position::from_chess(&chess);
        let task = Task::mate(position, chess.turn(), MateLength(3));
        let answer = matesolve_testkit::solve(&mut Exhaustive, &task, Some(200_000), &Facts::with_bytes(1));
        if answer.stopped.is_none() {
            let expected = answer.proof.map(|proof| proof.length());
            let found = with_decider(1 << 16, None, |decider| decider.shortest_mate(&position, MateLength(3)));
            assert_eq!(found, Ok(expected), "{}", position.fen());
            compared += 1;
        }
    }
    println!("{compared} positions");
    assert!(compared > 60, "{compared}");
}

#[test]
fn the_node_limit_is_kept_and_gives_no_answer() {
    let root = Position::from_chess(&Chess::default());
    let (answer, nodes) =
        with_decider(1 << 16, Some(5000), |decider| (decider.mates(&root, MateLength(5)), decider.nodes()));
    assert_eq!((answer, nodes), (Err(StopReason::Nodes), 5000));
}

#[test]
fn castling_rights_that_exclude_each_other_are_searched_and_checked() {
    // Remling 1983: White castles and thereby proves that Black cannot castle.
    let chess = matesolve_testkit::chess("n3k2r/1pp1pN1p/1P2BppP/b7/1P6/2P5/1PP3P1/R3K3 w Qk - 0 1");
    let pairs = vec![(Square::A1, Square::H8)];
    let root = Position::from_chess(&chess);
    let exclusive = root.with_exclusive_castling(&pairs);
    let two = MateLength(2);
    let proof = with_decider(1 << 16, None, |decider| decider.prove(&exclusive, NodeKind::Or, two, MAX_PROOF));
    let proof = proof.unwrap().expect("castling mates in two");
    let checked = check_exclusive(&chess, chess.turn(), Goal::MATE, proof.clone(), &pairs);
    assert_eq!(checked.map(|proof| proof.length()), Ok(two));
    // If both sides may castle, Black escapes by castling.
    assert!(matches!(
        check(&chess, chess.turn(), Goal::MATE, proof),
        Err(ProofError::Node { fault: NodeFault::MissingDefence(_), .. })
    ));
    assert_eq!(with_decider(1 << 16, None, |decider| decider.mates(&root, two)), Ok(None));
}

#[test]
fn a_proof_larger_than_the_limit_ends_the_search() {
    let chess = matesolve_testkit::chess("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - 0 1");
    let root = Position::from_chess(&chess);
    with_decider(1 << 16, None, |decider| {
        let mut prove = |max| decider.prove(&root, NodeKind::Or, MateLength(3), max);
        assert_eq!(prove(10), Err(StopReason::Memory));
        assert!(prove(10_000).is_ok_and(|proof| proof.is_some()));
    });
}
