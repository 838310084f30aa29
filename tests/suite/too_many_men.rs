//! Positions with more men of a kind than a game can give, which are solved as they stand: every kind of play through
//! the whole program, readers and checker included, against the definition on shakmaty.

use matesolve::Solver;
use matesolve::problem::{Asked, Colors, Problem};
use matesolve::proof::{Certificate, CheckedCertificate, Claims};
use matesolve::results::help::{HelpLine, HelpSolutions};
use matesolve_engine::chess::{End, Goal, MateLength, MoveCode, Play, Side, Stipulation};
use shakmaty::{Chess, Color, Position as _};

use matesolve_testkit::forced::Forced;
use matesolve_testkit::four_fields;
use matesolve_testkit::generator::{self, Theme};
use matesolve_testkit::helped::{Line, Question, passed};
use matesolve_testkit::random::Random;

/// Returns a position with too many men of a kind, some of its men near the king of the side that is not to move.
fn placed(random: &mut Random) -> Chess {
    loop {
        let men = 11 + random.below(5);
        let Some(placed) = generator::placement(random, men, Theme::TooMany) else { continue };
        assert!(generator::has_too_many_men(&placed), "{}", four_fields(&placed));
        return if random.one_in(2) { generator::colors_flipped(&placed) } else { placed };
    }
}

/// Returns the lines that the program gives of the question and its set play, each replayed by the checker. `stated` is
/// the diagram as it is written, perhaps with the wrong side to move.
fn answered(question: Question, stated: &Chess, turn: Color) -> HelpSolutions {
    let problem = Problem::read(&four_fields(stated)).expect("a position that the readers take");
    let told = Asked::default().stipulation(question.stipulation(), "-s").and_then(|told| told.set_play(true, "set"));
    let told = told.and_then(|told| told.colors(Colors::First(turn), "--begins")).expect("one source");
    let solution = Solver::new().asking(told).solve(&problem);
    solution.help.unwrap_or_else(|| panic!("{} {:?}", problem.fen, solution.error))
}

/// Returns the moves of lines in UCI notation, sorted. A compelled move at the end, which stands for all, is left out.
fn written(question: Question, lines: &[HelpLine]) -> Vec<Vec<String>> {
    let kept = |line: &HelpLine| line.moves[..line.moves.len() - usize::from(question.is_compelled())].to_vec();
    let mut lines: Vec<Vec<String>> = lines.iter().map(kept).collect();
    lines.sort_unstable();
    lines
}

/// Returns the lines of the definition as [`written`] returns them.
fn defined(lines: &[Line]) -> Vec<Vec<String>> {
    let uci = |m: &MoveCode| {
        let promotion = m.promotion().map_or(String::new(), |role| role.char().to_string());
        format!("{}{}{promotion}", m.from(), m.to())
    };
    let mut lines: Vec<Vec<String>> = lines.iter().map(|line| line.iter().map(uci).collect()).collect();
    lines.sort_unstable();
    lines
}

/// The questions that are asked of positions with too many men.
const OF_TOO_MANY_MEN: [(Play, End, usize); 12] = [
    (Play::Help, End::Mate, 1),
    (Play::Help, End::Mate, 2),
    (Play::Help, End::Mate, 3),
    (Play::Help, End::Stalemate, 2),
    (Play::Series, End::Mate, 2),
    (Play::Series, End::Stalemate, 2),
    (Play::SeriesHelp, End::Mate, 2),
    (Play::SeriesHelp, End::Mate, 3),
    (Play::SeriesHelp, End::Stalemate, 3),
    (Play::SeriesSelf, End::Mate, 2),
    (Play::SeriesSelf, End::Mate, 3),
    (Play::HelpSelf, End::Mate, 2),
];

#[test]
fn help_play_is_solved_with_all_its_lines() {
    let mut random = Random(0x006d_656e);
    let (mut solved, mut set) = (0, 0);
    for (play, end, half_moves) in OF_TOO_MANY_MEN {
        let question = Question::new(play, end, half_moves);
        let mut compared = 0;
        while compared < 8 {
            let chess = placed(&mut random);
            let Some(expected) = question.plain(&chess, 60_000) else { continue };
            if expected.is_empty() && !random.one_in(10) {
                continue;
            }
            let stated = passed(&chess).filter(|_| random.one_in(2)).unwrap_or_else(|| chess.clone());
            let help = answered(question, &stated, chess.turn());
            let place = format!("{} {}", question.stipulation(), four_fields(&chess));
            assert_eq!(written(question, &help.solutions), defined(&expected), "{place}");
            let set_play = question.set_play(&chess).map(|(asked, start)| asked.plain(&start, 60_000));
            if let Some(expected) = set_play.flatten() {
                let found = help.set_play.unwrap_or_else(|| panic!("{place}: there is set play"));
                assert_eq!(written(question, &found), defined(&expected), "{place}");
                set += usize::from(!found.is_empty());
            }
            (solved, compared) = (solved + usize::from(!expected.is_empty()), compared + 1);
        }
    }
    assert!(solved >= 20 && set >= 5, "{solved} with solutions, {set} with set play");
}

#[test]
fn goals_that_one_side_forces_are_solved_and_certified() {
    let mut random = Random(0x006d_656f);
    let mut solved = 0;
    for goal in Goal::ALL {
        let mut compared = 0;
        while compared < 12 {
            let chess = placed(&mut random);
            let question = Forced { goal, attacker: chess.turn() };
            let expected = question.shortest(&chess, 1);
            // A goal that stands on the board already is no question.
            if chess.legal_moves().is_empty() || expected.is_none() && !random.one_in(20) {
                continue;
            }
            compared += 1;
            let problem = Problem::read(&four_fields(&chess)).expect("a position that the readers take");
            let problem = problem.stipulated(Stipulation::forced(goal, Side::Attacker, Some(MateLength(1))));
            let answer = Solver::new().hash(1 << 22).solve_with_proof(&problem);
            let place = format!("{} {}", problem.question.stipulation, problem.fen);
            assert_eq!(answer.solution.result.length(), expected, "{place}");
            if let Some(proof) = answer.proof {
                let mut text = Vec::new();
                Certificate::new(&problem.fen, &proof).expect("it fits").write(&mut text).expect("memory");
                let read = CheckedCertificate::read(text.as_slice()).unwrap_or_else(|error| panic!("{place}: {error}"));
                assert_eq!(read.header().claims, Claims::Solved(MateLength(1)), "{place}");
                solved += 1;
            }
        }
    }
    assert!(solved >= 10, "{solved} with solutions");
}
