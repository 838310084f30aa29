//! Solves a file of problems, one on each line, on all cores. Shows the progress, and stops when Enter is pressed.
//!
//! ```text
//! cargo run --release --example batch -- problems/classics.epd
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::num::NonZero;
use std::thread;
use std::time::Duration;

use matesolve::Solver;

fn main() {
    if let Err(why) = run() {
        eprintln!("{why}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a file with one problem on each line")?;
    let lines = BufReader::new(File::open(&path)?).lines().count();
    let solver = Solver::new().time(Duration::from_secs(10)).hash(64 << 20);

    // The handle stops the batch from another thread: running searches end with what they have proved.
    let stop = solver.stop_handle();
    thread::spawn(move || {
        if io::stdin().read_line(&mut String::new()).is_ok_and(|bytes| bytes > 0) {
            stop.stop();
        }
    });

    let jobs = thread::available_parallelism().map_or(1, NonZero::get);
    let (mut answers, mut mates) = (0, 0);
    solver.batch(BufReader::new(File::open(&path)?), jobs, |solution| {
        let line = solution.line.unwrap_or(0);
        answers += 1;
        match (solution.error, solution.result.mate_in) {
            (Some(why), _) => println!("{line}: {why}"),
            (None, Some(moves)) => println!("{line}: mate in {moves}"),
            (None, None) => println!("{line}: no mate found"),
        }
        mates += usize::from(solution.result.mate_in.is_some());
        eprintln!("line {line} of {lines}, {mates} mates");
        Ok(())
    })?;
    let end = if solver.stop_handle().is_stopped() { "stopped" } else { "finished" };
    println!("{end}: {answers} answers, {mates} mates");
    Ok(())
}
