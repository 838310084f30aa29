//! `matesolve POSITION`: solves one position and prints the result.

pub(crate) mod args;
pub(crate) mod certificate;
pub(crate) mod moves;

use std::io::{BufWriter, Write};

use crate::chess::Goal;
use crate::output::{self, Format, text};
use crate::problem::{Problem, ProblemError};
use crate::results::Solution;
use crate::solve::{self, Request, Solved};

use crate::cli::files::written::WrittenFiles;
use crate::cli::files::{self, output_file};
use crate::cli::options::args::OutputArgs;
use crate::cli::options::config;
use crate::cli::options::position::{self, GivenPosition};
use crate::cli::solve::args::SolveArgs;
use crate::cli::terminal::board::print_warnings_and_board;
use crate::cli::terminal::columns::wrapping;
use crate::cli::terminal::{CliError, Exit, Interrupt, ProgressLine, print_message, print_warnings};

pub(crate) fn run(args: &SolveArgs) -> Result<Exit, CliError> {
    let settings = &args.common.output;
    let request = config::request(&args.common, config::of_one(&args.common.search.limits, settings.quiet))?;
    let single_moves = moves::wanted(args)?;
    let output = settings.output.as_deref();
    let is_text = settings.format == Format::Text && output.is_none();
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
            print_warnings_and_board(&problem, settings.quiet, args.board);
            let solved = match single_moves {
                Some(wanted) => Solved::of(moves::run(&problem, &request, wanted, settings, &interrupt)?),
                None => search(&problem, &request, settings, &interrupt),
            };
            // The solution repeats the warnings of its problem first.
            let known = problem.every_warning().len();
            print_warnings(solved.solution.warnings.iter().skip(known), settings.quiet);
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
    let certified = args.certificate.as_ref().filter(|_| solution.fen.is_some()).map(|path| {
        if args.shortest {
            let asked = certificate::of_shortest(&solved, request.limits.hash);
            files::certificate::make(path, asked, solved.proof.as_ref(), &interrupt, settings.quiet)
        } else {
            certificate::write(path, &solved)
        }
    });
    if solution.fen.is_some() || settings.format != Format::Text {
        interrupt.end_at_once();
        let mut out = BufWriter::new(wrapping(output_file::open(output, settings.color.into())?, is_text));
        match single_moves.filter(|_| settings.format == Format::Text && solution.moves.is_some()) {
            Some(wanted) => out.write_all(text::first_moves(solution, wanted.count()).as_bytes())?,
            None => settings.format.write(solution, &mut out)?,
        }
        writeln!(out)?;
        out.flush()?;
    }
    Ok(certified.transpose()?.flatten().unwrap_or(Exit::of(solution)))
}

/// Solves the problem. Meanwhile, shows progress and what the other colour would do if it were to move, and stops at
/// Ctrl-C.
fn search(problem: &Problem, request: &Request, settings: &OutputArgs, interrupt: &Interrupt) -> Solved {
    let mut progress = ProgressLine::new(settings.quiet, settings.verbose).about(problem);
    let line = progress.clone();
    let found = |other: &Solution| {
        if let Some(question) = other.stipulation {
            line.say(&format!("matesolve: {}", output::plain(&text::if_to_move(&other.result, question))));
        }
    };
    let solved = solve::solve_either_to_move(problem, request, interrupt.stop_flag(), &mut progress, &found);
    progress.remove();
    solved
}
