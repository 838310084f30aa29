//! Castling rights that exclude each other: help play has the lines of the plain problem in which not both sides
//! castle, and a solve of forced play has the answer of a report.

use matesolve::problem::Problem;
use matesolve::report::{NoObserver, ReportRequest};
use matesolve::results::report::ReportOptions;
use matesolve::results::solution::MoveOutcome;
use matesolve::shakmaty::Square;
use matesolve::solve::MovesWanted;
use matesolve::{Solution, Solver};
use matesolve_testkit::random::Random;

/// Both sides may castle, and ten of the solutions begin with 1.O-O O-O.
const BOTH: &str = "4k2r/7p/5p1p/5P1N/8/8/8/4K2R b Kk - 0 1";

fn problem(fen: &str, stipulation: &str, is_exclusive: bool) -> Problem {
    let options = if is_exclusive { "[\"CastlingMutuallyExclusive h1h8\"]" } else { "[]" };
    let line = format!("{{\"fen\": \"{fen}\", \"stipulation\": \"{stipulation}\", \"options\": {options}}}");
    Problem::read(&line).expect("a problem")
}

/// Returns the solutions, with all lines replayed by the checker.
fn lines(solution: Solution) -> Vec<String> {
    let help = solution.help.expect("help play");
    assert!(help.complete);
    help.solutions.into_iter().map(|line| line.san).collect()
}

fn solved(fen: &str, stipulation: &str, is_exclusive: bool) -> Vec<String> {
    let solution = Solver::new().solve(&problem(fen, stipulation, is_exclusive));
    assert_eq!(solution.error, None, "{fen}");
    lines(solution)
}

/// Returns whether both sides castle in a line.
fn both_castle(line: &str) -> bool {
    line.matches("O-O").count() > 1
}

#[test]
fn a_line_of_help_play_has_one_castling_of_a_pair() {
    let (plain, exclusive) = (solved(BOTH, "h#3", false), solved(BOTH, "h#3", true));
    assert_eq!((plain.len(), exclusive.len()), (78, 68));
    let expected: Vec<String> = plain.into_iter().filter(|line| !both_castle(line)).collect();
    assert_eq!(exclusive, expected);
    let pairs = vec![(Square::H1, Square::H8)];
    let request = ReportRequest::default().with(|request| request.exclusive = pairs);
    let report = Solver::new().report_observed(&problem(BOTH, "h#3", false), request, &NoObserver);
    let found: Vec<String> = report.help.expect("solutions").solutions.into_iter().map(|line| line.san).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_lines_are_those_of_the_plain_problem_in_which_not_both_castle() {
    let mut random = Random(0x6f2d_6f21);
    let (mut compared, mut left_out) = (0, 0);
    while compared < 60 {
        let Some(fen) = planted(&mut random) else { continue };
        for (text, side) in [("h#2", 'b'), ("h=2", 'b'), ("h#1.5", 'w')] {
            let fen = format!("{fen} {side} Kk - 0 1");
            let plain = solved(&fen, text, false);
            let expected: Vec<&String> = plain.iter().filter(|line| !both_castle(line)).collect();
            let found = solved(&fen, text, true);
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{fen} {text}");
            left_out += plain.len() - found.len();
            compared += 1;
        }
    }
    assert!(left_out > 0, "no line has both castlings");
}

/// Returns a board on which both sides may castle; most men stand near the kings.
fn planted(random: &mut Random) -> Option<String> {
    let mut squares = [['.'; 8]; 8];
    for (rank, file, man) in [(0, 4, 'K'), (0, 7, 'R'), (7, 4, 'k'), (7, 7, 'r')] {
        squares[rank][file] = man;
    }
    for _ in 0..4 + random.below(4) {
        let man = random.pick(&['Q', 'Q', 'R', 'B', 'N', 'P', 'p', 'p', 'n', 'b']);
        let (rank, file) = (1 + random.below(6), random.below(8));
        squares[rank][file] = man;
    }
    let ranks = squares.iter().rev().map(|rank| {
        let mut text = String::new();
        let mut empty = 0;
        for &man in rank {
            if man == '.' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            empty = 0;
            text.push(man);
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    });
    let board = ranks.collect::<Vec<_>>().join("/");
    // Neither side is in check.
    ["w", "b"].iter().all(|side| Problem::read(&format!("{board} {side} Kk -")).is_ok()).then_some(board)
}

/// Remling 1983: White castles and thereby proves that Black cannot castle. It has no other key.
const REMLING: &str = "n3k2r/1pp1pN1p/1P2BppP/b7/1P6/2P5/1PP3P1/R3K3 w Qk - 0 1";

#[test]
fn a_solve_of_forced_play_honours_the_pairs_as_a_report_does() {
    for (options, key) in [("[]", None), ("[\"CastlingMutuallyExclusive a1h8\"]", Some("O-O-O"))] {
        let line = format!("{{\"fen\": \"{REMLING}\", \"stipulation\": \"#2\", \"options\": {options}}}");
        let problem = Problem::read(&line).expect("a problem");
        let solution = Solver::new().solve(&problem);
        assert_eq!((solution.error.as_deref(), solution.result.mate_in), (None, key.map(|_| 2)), "{options}");
        let report = Solver::new().report(&problem, ReportOptions::default());
        let keys: Vec<&str> = report.keys.iter().map(|key| key.ply.san.as_str()).collect();
        assert_eq!(keys, Vec::from_iter(key), "{options}");
        let wanted = MovesWanted::All;
        let moves = Solver::new().first_moves(&problem, wanted, &mut |_: &MoveOutcome| ()).moves.expect("first moves");
        let solving: Vec<&str> =
            moves.iter().filter(|first| first.outcome.mate_in.is_some()).map(|first| first.san.as_str()).collect();
        assert_eq!(solving, Vec::from_iter(key), "{options}");
    }
}
