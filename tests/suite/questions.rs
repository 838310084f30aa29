//! Questions on their way through files: results that are read again ask the same question, and a batch answers each
//! line as if it stood alone.

use std::sync::Mutex;

use matesolve::Solver;
use matesolve::output::Format;
use matesolve::problem::input::{Reading, entries};
use matesolve::problem::{Asked, Colors, Problem, ProblemKey};
use matesolve::results::Solution;
use matesolve_engine::chess::Stipulation;
use shakmaty::Color;

use matesolve_testkit::random::Random;

/// Diagrams with few men, so that every question is answered at once.
const DIAGRAMS: [&str; 8] = [
    "5Kbk/6pp/6P1/8/8/8/8/7R w - -",
    "8/8/8/8/8/1k6/7r/K7 w - -",
    "8/8/8/8/8/1K6/7R/k7 b - -",
    "7k/5Q2/6K1/8/8/8/8/8 w - -",
    "8/8/8/8/8/2k5/7q/K7 w - -",
    "k7/8/2K5/8/8/8/7R/8 b - -",
    "8/8/8/8/8/2K5/7R/k7 b - -",
    "8/8/8/8/8/1p6/rq6/k1K5 w - -",
];

const STIPULATIONS: [&str; 16] = [
    "#1", "#2", "#-1", "#-2", "#", "s#1", "s#2", "=1", "r#1", "h#1", "h#1.5", "h=1", "ser-h#1", "ser-#1", "hs#2",
    "exact-#2",
];

fn asked(text: &str, colors: Option<Colors>, intended: u16) -> Asked {
    let asked = Asked::default().stipulation(Stipulation::parse_stated(text).unwrap(), "-s").unwrap();
    let asked = if intended > 1 { asked.intended(intended, "--intended").unwrap() } else { asked };
    colors.map_or(asked, |colors| asked.colors(colors, "--begins").unwrap())
}

/// Returns all questions about all diagrams, as far as they can be asked.
fn problems() -> Vec<Problem> {
    let mut found = Vec::new();
    for fen in DIAGRAMS {
        let read = Problem::read(fen).unwrap();
        for text in STIPULATIONS {
            let sides: &[Option<Color>] = if Stipulation::parse_stated(text).unwrap().is_helped() {
                &[None, Some(Color::White), Some(Color::Black)]
            } else {
                &[None]
            };
            for &side in sides {
                for intended in if side.is_some() { 1..=2 } else { 1..=1 } {
                    found.extend(read.clone().asked(&asked(text, side.map(Colors::First), intended)));
                }
            }
        }
    }
    found
}

fn key(problem: &Problem) -> ProblemKey {
    problem.key()
}

#[test]
fn every_writer_writes_a_question_that_is_read_back_as_the_same() {
    let solver = Solver::new().nodes(3_000);
    let (mut compared, mut lost) = (0, Vec::new());
    for problem in problems() {
        let solution = solver.solve(&problem);
        for format in [Format::Jsonl, Format::Json, Format::Epd, Format::Csv] {
            // A direct mate that was found is the question of its length.
            let found = solution.result.mate_in.filter(|_| format == Format::Epd);
            let expected = found.map_or(problem.clone(), |n| {
                let moves = Some(matesolve_engine::chess::MateLength(n));
                problem.clone().stipulated(problem.question.stipulation.within(moves))
            });
            let text = written(&solution, format);
            let read: Vec<_> = entries(text.as_bytes(), 0, Reading::default()).map(|entry| entry.problem).collect();
            let same = matches!(&read[..], [Ok(again)] if key(again) == key(&expected));
            compared += 1;
            if !same {
                lost.push(format!("{} {format:?}: {text} {read:?}", problem.question.stipulation));
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
    assert!(lost.is_empty(), "{} of {compared} are lost, such as {:?}", lost.len(), &lost[..lost.len().min(3)]);
}

fn written(solution: &Solution, format: Format) -> String {
    let mut text = Vec::new();
    format.write_item(solution, true, &mut text).unwrap();
    String::from_utf8(text).unwrap() + format.end(false).unwrap_or_default()
}

/// Returns a line of JSON that states the question of a problem.
fn line(problem: &Problem) -> String {
    let attacker = problem.attacker().fold_wb("white", "black");
    let (text, intended) = (problem.question.stipulation.to_string(), problem.question.intended);
    format!(
        "{{\"fen\":\"{}\",\"stipulation\":{{\"text\":\"{text}\",\"attacker\":\"{attacker}\"}},\"intended\":{intended}}}",
        problem.fen
    )
}

#[test]
fn a_batch_answers_each_line_as_if_it_stood_alone() {
    let mut random = Random(89);
    let all = problems();
    let lines: Vec<String> = (0..200).map(|_| line(&all[random.below(all.len())])).collect();
    let solver = Solver::new().nodes(2_000);
    let plain = |solution: &Solution| {
        let (line, stats) = (None, matesolve::results::solution::Stats::default());
        let solution = Solution { line, stats, ..solution.clone() };
        written(&solution, Format::Jsonl)
    };
    for jobs in [1, 2] {
        let answers = Mutex::new(Vec::new());
        let emit = |solution: Solution| {
            answers.lock().unwrap().push(plain(&solution));
            Ok(())
        };
        solver.batch(lines.join("\n").as_bytes(), jobs, emit).unwrap();
        for (line, answer) in lines.iter().zip(answers.into_inner().unwrap()) {
            let alone = plain(&solver.solve(&Problem::read(line).unwrap()));
            assert_eq!(answer, alone, "{line}");
        }
    }
}
