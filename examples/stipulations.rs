//! Solves one problem of every kind: direct mates, stalemates, selfmates, reflex mates and help play.
//!
//! `cargo run --release --example stipulations`

use matesolve::problem::Asked;
use matesolve::terms::Stipulation;
use matesolve::{Problem, Solver};

/// Stipulations with a position for each.
const PROBLEMS: [(&str, &str); 8] = [
    ("#2", "5Kbk/6pp/6P1/8/8/8/8/7R w - -"),
    ("#-1", "5Kbk/6pp/6PR/8/8/8/8/8 b - -"),
    ("=1", "k7/8/1K6/8/8/8/8/2Q5 w - -"),
    ("s#2", "8/B7/RQ6/7k/8/8/6PP/3n2RK w - -"),
    ("r#2", "8/B7/RQ6/7k/8/8/6PP/3n2RK w - -"),
    ("h#2", "4k2r/5N2/4B3/8/6K1/8/8/B7 b k -"),
    ("ser-#2", "5Kbk/6pp/6P1/8/8/8/8/7R w - -"),
    ("ser-h#2", "k7/8/2K5/8/8/8/7R/8 b - -"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let solver = Solver::new().nodes(1_000_000);
    for (text, position) in PROBLEMS {
        let told = Asked::default().stipulation(Stipulation::parse_stated(text)?, "stipulation")?;
        let solution = solver.solve(&Problem::read(position)?.asked(&told)?);
        // Where one side resists there is a main line; help play lists all solutions.
        let lines: Vec<String> = match &solution.help {
            Some(help) => help.solutions.iter().map(|line| line.san.clone()).collect(),
            None => solution.result.pv_san.clone().into_iter().collect(),
        };
        println!("{text:8} {:?}: {}", solution.result.status, lines.join("; "));
    }
    Ok(())
}
