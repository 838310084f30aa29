//! `matesolve "<FEN or EPD>"`: one position, one answer.

use std::io::Write as _;

use crate::problem::Problem;
use crate::results::Solution;
use crate::solve::{Request, Solved, solve_with_proof};

use super::args::SolveArgs;
use super::certificate::{self, Written};
use super::config::{self, Output};
use super::interrupt::Interrupt;
use super::progress::Progress;
use super::{Exit, Failure, complain};

pub(super) fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let request = config::single(&args.common)?;
    let output = Output::new(&args.common.output);
    if let Some(path) = &args.certificate {
        certificate::can_be_written(path)?;
    }
    let solved = match Problem::read(&args.position.join(" ")) {
        Ok(problem) => {
            for warning in problem.warnings.iter().filter(|_| !output.quiet) {
                complain(&format!("matesolve: warning: {warning}"));
            }
            let told = problem.warnings.len();
            let solved = search(&problem, &request, output);
            for warning in solved.solution.warnings.iter().skip(told).filter(|_| !output.quiet) {
                complain(&format!("matesolve: warning: {warning}"));
            }
            solved
        }
        Err(error) => Solved { solution: Solution::invalid(None, &error), proof: None },
    };
    let solution = &solved.solution;
    if let Some(error) = &solution.error {
        complain(&format!("matesolve: {error}"));
    }
    // Before the answer is printed: a reader who leaves early may still want the file.
    let written = args.certificate.as_ref().map(|path| certificate::write(path, &solved));
    if solution.fen.is_some() || output.format != crate::output::Format::Text {
        let mut out = output.stdout();
        writeln!(out, "{}", output.format.single(solution))?;
        out.flush()?;
    }
    Ok(match written.transpose()? {
        Some(Written::Refused) => Exit::Failed,
        _ => Exit::of(solution),
    })
}

/// Solves the problem while showing progress and listening to Ctrl-C.
fn search(problem: &Problem, request: &Request, output: Output) -> Solved {
    let interrupt = Interrupt::listen();
    let mut progress = Progress::new(output);
    let solved = solve_with_proof(problem, request, interrupt.stop(), &mut progress);
    progress.end();
    solved
}
