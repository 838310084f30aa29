//! `--moves` and `--lines K`: the first moves of a position one by one.

use crate::output::Format;
use crate::problem::Problem;
use crate::results::Solution;
use crate::solve::moves::MOVE_ENGINES;
use crate::solve::{MovesWanted, Request, solve_moves};

use crate::cli::options::args::OutputArgs;
use crate::cli::options::config;
use crate::cli::options::words::Words as _;
use crate::cli::solve::args::SolveArgs;
use crate::cli::terminal::{CliError, Interrupt, ProgressLine};

/// Returns the moves that the arguments ask for, if they ask for single moves.
pub(crate) fn wanted(args: &SolveArgs) -> Result<Option<MovesWanted>, CliError> {
    let wanted = match args.lines {
        Some(count) => MovesWanted::Best(usize::from(count)),
        None if args.moves => MovesWanted::All,
        None => return Ok(None),
    };
    let option = if args.moves { "--moves" } else { "--lines" };
    let format = args.common.output.format;
    if matches!(format, Format::Epd | Format::Csv | Format::Pgn) {
        let name = format.word().to_uppercase();
        return Err(CliError::Usage(format!("{option} cannot be printed as {name}; use --format text, json or jsonl")));
    }
    if !MOVE_ENGINES.contains(&args.common.search.engine.name) {
        let engines = MOVE_ENGINES.join(" or ");
        return Err(CliError::Usage(format!("{option} uses the engine {engines}; leave out --engine")));
    }
    Ok(Some(wanted))
}

/// Checks that the problem asks what the side to move can force.
fn check_side(problem: &Problem) -> Result<(), CliError> {
    if problem.question.stipulation.is_helped() {
        let why = "--moves and --lines are for play in which one side resists; help play lists all its solutions \
                   without them";
        return Err(CliError::Usage(why.to_owned()));
    }
    if problem.question.stipulation.defender_begins() {
        let why = "--moves and --lines list the moves of the side that strives for the goal; here it is not to move";
        return Err(CliError::Usage(why.to_owned()));
    }
    Ok(())
}

/// Searches the moves. Without any limit there is one of time.
///
/// # Errors
/// If the side to move does not strive for the goal.
pub(crate) fn run(
    problem: &Problem,
    request: &Request,
    wanted: MovesWanted,
    settings: &OutputArgs,
    interrupt: &Interrupt,
) -> Result<Solution, CliError> {
    check_side(problem)?;
    // Building tables ends by itself.
    let is_bounded = problem.question.stipulation.moves().is_some() || request.engine.name == MOVE_ENGINES[1];
    let mut request = *request;
    if !is_bounded {
        request.limits.time = config::batch_time(request.limits.time, request.limits.nodes);
    }
    let mut progress = ProgressLine::new(settings.quiet, settings.verbose).about(problem);
    let solution = solve_moves(problem, &request, wanted, interrupt.stop_flag(), &mut progress);
    progress.remove();
    Ok(solution)
}
