//! Judges a problem as a composer does: its keys, its tries with their refutations, and whether it is sound.
//!
//! ```text
//! cargo run --release --example report -- "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;"
//! ```

use std::error::Error;

use matesolve::results::report::ReportOptions;
use matesolve::{Problem, Solver, output};

fn main() {
    if let Err(why) = run() {
        eprintln!("{why}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).ok_or("name a problem: an EPD line in quotes, with its length (dm 2;)")?;
    let problem = Problem::read(&text)?;
    // Tries that one defence refutes.
    let options = ReportOptions::default().with(|options| options.tries = Some(1));
    let report = Solver::new().nodes(10_000_000).report(&problem, options);
    if let Some(why) = report.error {
        return Err(why.into());
    }
    println!("{:?}", report.verdict.soundness);
    for key in &report.keys {
        println!("key {}, mate in {}", key.ply.san, key.mate_in);
    }
    for attempt in report.tries.iter().flatten() {
        let refutations: Vec<&str> = attempt.refutations.iter().map(|ply| ply.san.as_str()).collect();
        println!("try {}, refuted by {}", attempt.ply.san, refutations.join(" and "));
    }
    // The whole solution, in the layout of Popeye.
    print!("{}", output::popeye::full(&report));
    Ok(())
}
