//! Solves one position, and prints what is proved as the search goes on.
//!
//! ```text
//! cargo run --release --example solve -- "5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - -"
//! ```

use std::error::Error;

use matesolve::Event;
use matesolve::{Problem, Solver};

fn main() {
    if let Err(why) = run() {
        eprintln!("{why}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).ok_or("name a position: a FEN in quotes")?;
    let problem = Problem::read(&text)?;
    let mut observer = |event: Event<'_>, nodes: u64| match event {
        Event::Mate(proof) => println!("{nodes} nodes: a mate in {}", proof.length().0),
        Event::Refuted(length) => println!("{nodes} nodes: no mate in {}", length.0),
        Event::Building { .. } => {}
    };
    // With a limit of nodes, two runs print the same. Without a limit, the search goes on until it has an answer.
    let solved = Solver::new().nodes(10_000_000).solve_observed(&problem, &mut observer);
    let result = solved.solution.result;
    match (result.mate_in, result.pv_san) {
        (Some(moves), Some(line)) if result.proved_shortest => println!("the shortest mate: in {moves}, by {line}"),
        (Some(moves), Some(line)) => println!("a mate in {moves}, by {line}; there may be a shorter one"),
        _ if result.no_mate_at_all => println!("there is no mate"),
        _ => println!("no mate in {}; more was not decided", result.refuted_through.unwrap_or(0)),
    }
    Ok(())
}
