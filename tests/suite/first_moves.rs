//! Compares the answers for single first moves (`--moves`, `--lines`) of every goal that one side forces with the
//! definition of the goal, on generated positions; and the same question put after the move, where the defender begins.

use matesolve::Solver;
use matesolve::problem::Problem;
use matesolve::results::solution::{MoveOutcome, Outcome, Status};
use matesolve::solve::MovesWanted;
use matesolve_engine::chess::{Duty, Goal, MateLength, Side, Stipulation};
use matesolve_testkit::forced::{self, Forced};
use matesolve_testkit::helped::{code, played};
use matesolve_testkit::random::Random;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};

/// A position with the shortest length of the solution by each of its first moves, within `most` moves.
struct Case {
    chess: Chess,
    question: Forced,
    most: u16,
    /// By move in UCI notation.
    lengths: Vec<(String, Option<u16>)>,
}

impl Case {
    /// Makes a case from a seed. `None` if the seed gives no position with a legal move, or one that takes the
    /// definition long: it plays every line.
    fn new(seed: u64, goal: Goal) -> Option<Case> {
        let chess = forced::position(seed, goal)?;
        let men = chess.board().occupied().count();
        let most = match seed % 4 {
            0 | 1 => 1,
            2 if men <= 5 => 3,
            _ if men <= 9 => 2,
            _ => 1,
        };
        let question = Forced { goal, attacker: chess.turn() };
        let moves = chess.legal_moves();
        // An attacker who must mate has no other move, and so no solution.
        let must_end = goal.duty == Duty::Both && moves.iter().any(|&m| question.ends(&chess, m));
        let length =
            |after: &Chess| (question.least(most).max(1)..=most).find(|n| !must_end && question.solves(after, n - 1));
        // Castling is written as in the position that is read.
        let mode = read(&chess).chess.castles().mode();
        let lengths = moves.iter().map(|&m| (m.to_uci(mode).to_string(), length(&played(&chess, m))));
        let lengths: Vec<_> = lengths.collect();
        (!lengths.is_empty()).then_some(Case { chess, question, most, lengths })
    }

    fn is_solved(&self) -> bool {
        self.lengths.iter().any(|(_, length)| length.is_some())
    }

    fn fen(&self) -> String {
        read(&self.chess).fen
    }

    fn problem(&self) -> Problem {
        let stipulation = Stipulation::forced(self.question.goal, Side::Attacker, Some(MateLength(self.most)));
        read(&self.chess).stipulated(stipulation)
    }

    /// Compares an answer with the length of the definition. `least` is the shortest length that there can be.
    fn compare(&self, outcome: &Outcome, length: Option<u16>, least: u16, what: &str) {
        let place = || format!("{what} of {:?} within {}: {}", self.question.goal, self.most, self.fen());
        assert_eq!(outcome.length(), length, "{}", place());
        let refuted = outcome.refuted_through;
        let Some(length) = length else {
            assert!(matches!(outcome.status, Status::NoMate | Status::NoSolution | Status::Stalemate), "{}", place());
            return;
        };
        assert!(outcome.verified.is_set() && outcome.proved_shortest, "{}: {outcome:?}", place());
        let shorter = length.checked_sub(1).filter(|&n| n >= least);
        assert!(shorter <= refuted && refuted < Some(length), "{}: {refuted:?}", place());
    }

    /// Compares the answers for all first moves, on this number of threads, and those for the best two.
    fn first_moves(&self, threads: usize) {
        let solver = Solver::new().threads(threads).hash(1 << 20);
        let mut emitted = 0;
        let mut observer = |_: &MoveOutcome| emitted += 1;
        let solution = solver.first_moves(&self.problem(), MovesWanted::All, &mut observer);
        assert_eq!(solution.error, None, "{:?} {}", self.question.goal, self.fen());
        let listed = solution.moves.expect("all moves are listed");
        assert_eq!((listed.len(), emitted), (self.lengths.len(), listed.len()), "{}", self.fen());
        for (uci, length) in &self.lengths {
            let stated = listed.iter().find(|m| m.uci == *uci).unwrap_or_else(|| panic!("no {uci}: {}", self.fen()));
            self.compare(&stated.outcome, *length, 1, uci);
        }
        let mut lengths: Vec<u16> = self.lengths.iter().filter_map(|(_, length)| *length).collect();
        lengths.sort_unstable();
        self.compare(&solution.result, lengths.first().copied(), 1, "the answer");
        let best = solver.first_moves(&self.problem(), MovesWanted::Best(2), &mut |_: &MoveOutcome| ());
        let best = best.moves.expect("the moves are listed").into_iter().filter_map(|m| m.outcome.length());
        assert!(best.take(2).eq(lengths.iter().copied().take(2)), "{:?} {}", self.question.goal, self.fen());
    }

    /// Compares the question in which the defender begins (`s#-0`), after one of the first moves.
    fn after_a_move(&self, random: &mut Random) {
        let m = random.pick(&self.chess.legal_moves());
        let (after, goal) = (played(&self.chess, m), self.question.goal);
        let rest = MateLength(self.most - 1);
        let stipulation = Stipulation::forced(goal, Side::Defender, Some(rest));
        let problem = read(&after).stipulated(stipulation);
        // A direct goal in no moves asks whether it stands on the board.
        let is_over = after.legal_moves().is_empty();
        if goal.is_mate() && is_over || stipulation.half_moves() == Some(0) {
            return;
        }
        let solution = Solver::new().hash(1 << 20).solve(&problem);
        let length = self.question.shortest(&after, rest.0);
        let least = u16::from(!goal.is_self() && !is_over);
        self.compare(&solution.result, length, least, &format!("{stipulation} after {:?}", code(m)));
    }
}

/// Reads a position as the program does.
fn read(chess: &Chess) -> Problem {
    let fen = Fen::from_position(chess, EnPassantMode::Always).to_string();
    Problem::read(&fen).expect("generated positions can be read")
}

/// Compares `count` positions of a goal: all in which a move solves, and one in four of the others. Returns how many
/// first moves solve.
fn compare(goal: Goal, first_seed: u64, count: usize) -> usize {
    let (mut without, mut solving, mut random) = (0, 0, Random(first_seed));
    let kept = (first_seed..).filter_map(|seed| Case::new(seed, goal)).filter(|case| {
        without += usize::from(!case.is_solved());
        case.is_solved() || without % 4 == 0
    });
    for (index, case) in kept.take(count).enumerate() {
        solving += case.lengths.iter().filter(|(_, length)| length.is_some()).count();
        case.first_moves(1 + usize::from(index % 8 == 0));
        case.after_a_move(&mut random);
    }
    println!("{goal:?}: {solving} first moves of {count} positions solve");
    solving
}

#[test]
fn every_first_move_is_answered_as_the_definition_says() {
    for goal in Goal::ALL {
        // Compelled stalemates are rare.
        let least = if goal == Goal::SELF_STALEMATE { 1 } else { 12 };
        let solving = compare(goal, 70_000_000, 40);
        assert!(solving >= least, "{goal:?}: only {solving} first moves solve");
    }
}

/// `cargo test --release --test suite first_moves:: -- --ignored --nocapture` takes some minutes.
#[test]
#[ignore = "takes some minutes"]
fn first_moves_of_many_positions() {
    for goal in Goal::ALL {
        let solving = compare(goal, 80_000_000, 2_000);
        assert!(solving >= 20, "{goal:?}: only {solving} first moves solve");
    }
}
