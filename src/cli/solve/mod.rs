//! `matesolve POSITION`: solves one position and prints the result.

pub(crate) mod args;
pub(crate) mod certificate;
pub(crate) mod moves;

use std::io::{BufWriter, Write};

use crate::chess::Goal;
use crate::output::Format;
use crate::problem::{Problem, ProblemError};
use crate::results::Solution;
use crate::solve::{self, MovesWanted, Request, Solved};
use crate::solver::Solver;

use crate::cli::files::output_file;
use crate::cli::files::written::WrittenFiles;
use crate::cli::options::config::{self, OutputSettings};
use crate::cli::options::position::{self, GivenPosition};
use crate::cli::solve::args::SolveArgs;
use crate::cli::terminal::{CliError, Exit, Interrupt, ProgressLine, print_message};

pub(crate) fn run(args: &SolveArgs) -> Result<Exit, CliError> {
    let request = config::single(&args.common)?;
    let settings = OutputSettings::new(&args.common.output);
    let single_moves = moves::wanted(args)?;
    let output = args.common.output.output.as_deref();
    let written = WrittenFiles::output(output).and_certificate(args.certificate.as_deref(), 0);
    written.check(&position::files(&args.position))?;
    let interrupt = Interrupt::install();
    let solved = match position::read(&args.position, args.game.ply, &args.common.question.asked()?, "solve")? {
        Ok(GivenPosition { problem, .. }) => {
            solve::refusal(&request, problem.question.stipulation).map_or(Ok(()), |why| Err(CliError::Usage(why)))?;
            if args.certificate.is_some() && problem.question.stipulation.is_helped() {
                let why = "certificates do not know help play, whose lines anybody can replay; leave --certificate out";
                return Err(CliError::Usage(why.to_owned()));
            }
            if args.certificate.is_some() && !problem.exclusive.is_empty() {
                let why = "castling rights exclude each other; give --certificate to `matesolve report`, whose \
                           certificates state that";
                return Err(CliError::Usage(why.to_owned()));
            }
            print_warnings(&problem.every_warning(), settings);
            if let Some(wanted) = single_moves {
                let mut out = output_file::open(output, settings.color)?;
                return first_moves(&problem, &request, wanted, settings, &interrupt, &mut *out);
            }
            let solved = search(&problem, &request, settings, &interrupt);
            print_new_warnings(&problem, &solved.solution, settings);
            solved
        }
        Err(error @ ProblemError::Asked(_)) => return Err(CliError::Usage(error.to_string())),
        Err(error) => Solved::of(Solution::invalid(None, &error)),
    };
    let solution = &solved.solution;
    if let Some(error) = &solution.error {
        print_message(&format!("matesolve: {error}"));
    }
    if let Some(lane) = solution.stats.found_by.as_ref().filter(|_| settings.verbose) {
        let what = solution.stipulation.map_or(Goal::MATE, |question| question.stipulation.goal()).noun();
        print_message(&format!("matesolve: the lane {lane} found the {what}"));
    }
    if settings.verbose && solution.result.pv_repeatable == Some(false) {
        print_message("matesolve: note: the line depends on timing; another run may print another one");
    }
    // The certificate is written first, so that it exists even if the reader of standard output closes the pipe.
    let certified = args.certificate.as_ref().map(|path| {
        if args.shortest {
            certificate::write_shortest(path, &solved, request.limits.hash, &interrupt, settings.quiet)
        } else {
            certificate::write(path, &solved)
        }
    });
    if solution.fen.is_some() || settings.format != Format::Text {
        interrupt.end_at_once();
        let mut out = BufWriter::new(output_file::open(output, settings.color)?);
        settings.format.write(solution, &mut out)?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(certified.transpose()?.flatten().unwrap_or(Exit::of(solution)))
}

/// Prints the first moves one by one.
fn first_moves(
    problem: &Problem,
    request: &Request,
    wanted: MovesWanted,
    settings: OutputSettings,
    interrupt: &Interrupt,
    out: &mut (dyn Write + Send),
) -> Result<Exit, CliError> {
    moves::check_side(problem)?;
    let solution = moves::run(problem, request, wanted, settings, interrupt, out)?;
    print_new_warnings(problem, &solution, settings);
    if let Some(error) = &solution.error {
        print_message(&format!("matesolve: {error}"));
    }
    match settings.format {
        Format::Text => writeln!(out, "{}", moves::end(&solution, wanted))?,
        format => writeln!(out, "{}", format.single(&solution))?,
    }
    out.flush()?;
    Ok(Exit::of(&solution))
}

/// Prints the warnings that came with the search; the solution repeats those of its problem first.
fn print_new_warnings(problem: &Problem, solution: &Solution, settings: OutputSettings) {
    let known = problem.every_warning().len();
    print_warnings(solution.warnings.get(known..).unwrap_or_default(), settings);
}

fn print_warnings(warnings: &[String], settings: OutputSettings) {
    for warning in warnings.iter().filter(|_| !settings.quiet) {
        print_message(&format!("matesolve: warning: {warning}"));
    }
}

/// Solves the problem. Meanwhile, shows progress and stops at Ctrl-C.
fn search(problem: &Problem, request: &Request, settings: OutputSettings, interrupt: &Interrupt) -> Solved {
    let mut progress = ProgressLine::new(settings).about(problem.question.stipulation);
    let solved =
        Solver::with_request(*request).stopped_by(interrupt.stop_handle()).solve_both_sides(problem, &mut progress);
    progress.remove();
    solved
}
