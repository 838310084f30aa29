//! Compares the searches for every goal that one side forces with their definition, on generated positions: selfmates,
//! stalemates, reflex mates, and direct mates again.

use matesolve_engine::chess::{Goal, MateLength, Move, Position, Side, Stipulation, rules};
use matesolve_engine::search::dfpn::Dfpn;
use matesolve_engine::search::exhaustive::Exhaustive;
use matesolve_engine::search::race::{Race, RaceOptions};
use matesolve_engine::search::{Answer, Engine, Facts, Region, Task};
use matesolve_proof::{Certificate, CheckedCertificate, Claims, NodeFault, ProofError, check};
use matesolve_testkit::forced::{self, Forced};
use matesolve_testkit::solve;
use shakmaty::{Chess, Position as _};

/// A position with the shortest length of its solution within `most` moves.
struct Case {
    seed: u64,
    chess: Chess,
    question: Forced,
    most: u16,
    shortest: Option<u16>,
}

impl Case {
    fn new(seed: u64, goal: Goal, most: u16) -> Option<Case> {
        // A goal that stands in the diagram needs no search.
        let chess = forced::position(seed, goal).filter(|chess| !chess.legal_moves().is_empty())?;
        let question = Forced { goal, attacker: chess.turn() };
        let shortest = question.shortest(&chess, most);
        Some(Case { seed, chess, question, most, shortest })
    }

    fn describe(&self) -> String {
        format!("seed {}, {:?}, within {}: {}", self.seed, self.question.goal, self.most, self.position().fen())
    }

    fn position(&self) -> Position {
        Position::from_chess(&self.chess)
    }

    /// Solves the case, checks the proof, and compares the answer with the truth.
    fn compare(&self, engine: &mut dyn Engine, memory: usize) {
        let stipulation = Stipulation::forced(self.question.goal, Side::Attacker, Some(MateLength(self.most)));
        let task = Task { position: self.position().counting(stipulation), stipulation, shortest: true, memory };
        let facts = Facts::with_bytes(1 << 12).about(stipulation, self.question.attacker);
        let Answer { proof, refuted, stopped, .. } = solve(engine, &task, None, &facts);
        let (name, case) = (engine.name(), self.describe());
        assert_eq!(stopped, None, "{name}, {case}");
        let found = proof.map(|tree| {
            let proof = check(&self.chess, self.question.attacker, self.question.goal, tree);
            proof.unwrap_or_else(|fault| panic!("{name}, {case}: {fault}")).length().0
        });
        assert_eq!(found, self.shortest, "{name}, {case}");
        // Shorter lengths are refuted, and no others.
        let below = self.shortest.map_or(Some(self.most), |length| length.checked_sub(1)).map(MateLength);
        let refuted = refuted.max(stipulation.refuted_at_sight());
        assert!(
            refuted >= below && self.shortest.is_none_or(|length| refuted < Some(MateLength(length))),
            "{name}, {case}: {refuted:?} is refuted"
        );
    }
}

/// Returns `count` cases for a goal: all that have a solution, and one in four of the others.
fn cases(goal: Goal, first_seed: u64, most: u16, count: usize) -> impl Iterator<Item = Case> {
    let mut without = 0;
    let kept = (first_seed..).filter_map(move |seed| Case::new(seed, goal, most)).filter(move |case| {
        without += usize::from(case.shortest.is_none());
        case.shortest.is_some() || without % 4 == 0
    });
    kept.take(count)
}

/// Compares all engines on this many positions of each goal. Returns how many had a solution.
fn compare_engines(goal: Goal, first_seed: u64, most: u16, count: usize) -> usize {
    let mut solved = 0;
    for case in cases(goal, first_seed, most, count) {
        solved += usize::from(case.shortest.is_some());
        case.compare(&mut Exhaustive, 0);
        case.compare(&mut Dfpn, 1 << 20);
        // A table of one bucket forgets nearly everything.
        case.compare(&mut Dfpn, 0);
        for threads in [1, 2] {
            case.compare(
                &mut Race::new(RaceOptions { threads, ..RaceOptions::default() }, &Region::default()),
                1 << 20,
            );
        }
    }
    solved
}

#[test]
fn every_goal_is_solved_as_its_definition_says() {
    for goal in Goal::ALL {
        let (one, two) = (compare_engines(goal, 1, 1, 60), compare_engines(goal, 10_000, 2, 40));
        println!("{goal:?}: {one} of 60 and {two} of 40 have solutions");
        // Compelled stalemates are rare.
        let least = if goal == Goal::SELF_STALEMATE { 1 } else { 5 };
        assert!(one >= least && two >= least, "{goal:?}: too few positions with solutions, {one} and {two}");
    }
}

/// `cargo test --release --test suite forced:: -- --ignored --nocapture` takes about ten minutes.
#[test]
#[ignore = "takes about ten minutes"]
fn many_positions_of_every_goal() {
    for goal in Goal::ALL.into_iter().rev() {
        let solved = [(1, 1_000_000, 1_200), (2, 2_000_000, 700), (3, 3_000_000, 100)]
            .map(|(most, seed, count)| compare_engines(goal, seed, most, count));
        println!("{goal:?}: {solved:?} of 1,200, 700 and 100 have solutions");
    }
}

#[test]
fn the_checker_and_the_kernel_have_the_same_rules() {
    for goal in Goal::ALL {
        for chess in (500..900).filter_map(|seed| forced::position(seed, goal)) {
            let question = Forced { goal, attacker: !chess.turn() };
            let position = Position::from_chess(&chess);
            let mut by_shakmaty: Vec<_> =
                question.replies(&chess).into_iter().map(matesolve_testkit::helped::code).collect();
            let mut by_kernel: Vec<_> = rules::replies(goal, &position).into_iter().map(Move::code).collect();
            by_shakmaty.sort_unstable();
            by_kernel.sort_unstable();
            assert_eq!(by_kernel, by_shakmaty, "{goal:?}, {}", position.fen());
        }
    }
}

#[test]
fn a_proof_of_one_goal_is_refused_for_another() {
    let case = cases(Goal::SELFMATE, 77, 2, 400).find(|case| case.shortest == Some(2)).unwrap();
    let stipulation = Stipulation::forced(Goal::SELFMATE, Side::Attacker, Some(MateLength(2)));
    let task = Task { position: case.position(), stipulation, shortest: true, memory: 1 << 20 };
    let facts = Facts::with_bytes(1 << 12).about(stipulation, case.question.attacker);
    let tree = solve(&mut Dfpn, &task, None, &facts).proof.unwrap();
    for goal in Goal::ALL.into_iter().filter(|&goal| goal.duty == Goal::MATE.duty && goal != Goal::SELFMATE) {
        let refused = check(&case.chess, case.question.attacker, goal, tree.clone());
        assert!(matches!(refused, Err(ProofError::Node { fault: NodeFault::OtherGoal, .. })), "{goal:?}");
    }
    let proof = check(&case.chess, case.question.attacker, Goal::SELFMATE, tree).unwrap();
    let mut text = Vec::new();
    Certificate::new(&case.position().fen(), &proof).unwrap().write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let read = CheckedCertificate::read(text.as_bytes()).unwrap();
    assert_eq!((read.header().goal, &read.header().claims), (Goal::SELFMATE, &Claims::Solved(MateLength(2))));
    let other = text.replace("stipulation s#2", "stipulation s=2");
    assert!(CheckedCertificate::read(other.as_bytes()).is_err());
}
