//! `matesolve economy`, `mend`, `twins` and `retract`: the composer's workbench.
//!
//! On a terminal, a line counts what is tried and found. What was found follows at the end, also after Ctrl-C and at
//! `--time`.

pub(crate) mod args;

use std::io::Write;

use shakmaty::{Color, Position as _};

use crate::chess::Stipulation;
use crate::cli::files::output_file;
use crate::cli::files::written::WrittenFiles;
use crate::cli::options::config;
use crate::cli::options::position;
use crate::cli::terminal::columns::wrapping;
use crate::cli::terminal::{CliError, Exit, Interrupt, ProgressLine, print_message};
use crate::cli::workbench::args::{Asks, KeepArgs, ListArgs, MendArgs, WorkbenchArgs};
use crate::output::olv;
use crate::output::report::ReportFormat;
use crate::output::report::words::must_be_promoted;
use crate::output::workbench::{WorkbenchFormat, json, text};
use crate::problem::Problem;
use crate::problem::olv::list as olv_men;
use crate::report::{NoObserver, ReportRequest};
use crate::results::Report;
use crate::results::report::PromotedMen;
use crate::results::workbench::{Economy, Proposal, Proposals};
use crate::solve::Request;
use crate::solver::Solver;
use crate::workbench::{Refused, WorkbenchRequest};

/// An answer of the workbench.
enum Proposed {
    List(Proposals, &'static str),
    Economy(Economy),
}

impl Proposed {
    fn proposals(&self) -> &Proposals {
        match self {
            Proposed::List(found, _) => found,
            Proposed::Economy(economy) => &economy.versions,
        }
    }
}

pub(crate) fn mend(args: &WorkbenchArgs<MendArgs>) -> Result<Exit, CliError> {
    answer("mend", args, |solver, problem, request, shown| {
        solver.mend(problem, request, shown).map(|found| Proposed::List(found, "version"))
    })
}

pub(crate) fn twins(args: &WorkbenchArgs<ListArgs>) -> Result<Exit, CliError> {
    answer("twins", args, |solver, problem, request, shown| {
        solver.twins(problem, request, shown).map(|found| Proposed::List(found, "twin"))
    })
}

pub(crate) fn retract(args: &WorkbenchArgs<ListArgs>) -> Result<Exit, CliError> {
    answer("retract", args, |solver, problem, request, shown| {
        solver.retract(problem, request, shown).map(|found| Proposed::List(found, "diagram"))
    })
}

pub(crate) fn economy(args: &WorkbenchArgs<KeepArgs>) -> Result<Exit, CliError> {
    answer("economy", args, |solver, problem, request, shown| {
        solver.economy(problem, request, shown).map(Proposed::Economy)
    })
}

/// Reads the position for a command, asks the workbench and writes the answer.
fn answer(
    command: &str,
    WorkbenchArgs { common: args, own }: &WorkbenchArgs<impl Asks>,
    ask: impl FnOnce(&Solver, &Problem, &WorkbenchRequest, &ProgressLine) -> Result<Proposed, Refused>,
) -> Result<Exit, CliError> {
    WrittenFiles::output(args.output.as_deref()).check(&position::files(&args.given.position))?;
    let Some(given) = args.given.read(args.quiet, command)? else { return Ok(Exit::Invalid) };
    let request = own.of(WorkbenchRequest::default());
    let asked = given.problem.question.stipulation;
    let interrupt = Interrupt::install();
    let solver =
        Solver::with_request(Request { limits: config::of_one(&args.limits, args.quiet), ..Request::default() })
            .stopped_by(interrupt.stop_handle());
    let shown = ProgressLine::new(args.quiet, false);
    let answered = ask(&solver, &given.problem, &request, &shown);
    shown.remove();
    let out = || output_file::open(args.output.as_deref(), args.color.into());
    let answered = match answered {
        Ok(answered) => answered,
        Err(refused) => {
            print_message(&format!("matesolve: {refused}"));
            if args.format == WorkbenchFormat::Json {
                writeln!(out()?, "{}", json::of_refused(&given.problem.fen, asked, refused.to_string()))?;
            }
            return Ok(exit_of(&refused));
        }
    };
    let mut out = wrapping(out()?, args.format == WorkbenchFormat::Text && args.output.is_none());
    write_answer(args.format, &given.problem, asked, &answered, &mut out)?;
    out.flush()?;
    let found = answered.proposals();
    Ok(match answered {
        _ if interrupt.is_requested() => Exit::Interrupted,
        Proposed::List(..) if found.proposals.is_empty() && found.complete => Exit::Negative,
        Proposed::List(..) if found.proposals.is_empty() => Exit::Undecided,
        _ => Exit::Answered,
    })
}

/// Returns the exit code of a question that was not answered.
fn exit_of(refused: &Refused) -> Exit {
    match refused {
        Refused::Sound => Exit::Answered,
        Refused::Unsound | Refused::NotAfterKey(_) => Exit::Negative,
        Refused::Invalid(_) => Exit::Invalid,
        Refused::Undecided => Exit::Undecided,
        Refused::Failed(_) => Exit::Failed,
        _ => Exit::Usage,
    }
}

fn write_answer(
    format: WorkbenchFormat,
    problem: &Problem,
    asked: Stipulation,
    answer: &Proposed,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let found = answer.proposals();
    match (format, answer) {
        (WorkbenchFormat::Text, Proposed::List(_, what)) => {
            write!(out, "{}", text::of_proposals(found, what))?;
            let [white, black] = [Color::White, Color::Black].map(|color| olv_men(problem.chess.board(), color));
            if let Some(men) = must_be_promoted(&PromotedMen::of_board(problem.chess.board(), [&white, &black])) {
                writeln!(out, "in the given diagram must be promoted: {men}")?;
            }
        }
        (WorkbenchFormat::Text, Proposed::Economy(economy)) => write!(out, "{}", text::of_economy(economy, asked))?,
        (WorkbenchFormat::Json, Proposed::List(..)) => {
            writeln!(out, "{}", json::of_proposals(&problem.fen, asked, found))?;
        }
        (WorkbenchFormat::Json, Proposed::Economy(economy)) => {
            writeln!(out, "{}", json::of_economy(&problem.fen, asked, economy))?;
        }
        (WorkbenchFormat::Jsonl, _) => {
            found.proposals.iter().try_for_each(|proposal| writeln!(out, "{}", json::line(proposal)))?;
        }
        (WorkbenchFormat::Epd, _) => {
            found.proposals.iter().try_for_each(|proposal| writeln!(out, "{}", epd(proposal, asked)))?;
        }
        (WorkbenchFormat::Olv, _) => {
            for report in reports(found, asked) {
                write!(out, "{}", olv::new(&report).unwrap_or_default())?;
            }
        }
        (WorkbenchFormat::Html, _) => {
            let Some(mut booklet) = ReportFormat::Html.booklet() else { return Ok(()) };
            for (report, proposal) in reports(found, asked).zip(&found.proposals) {
                booklet.add(&report, &report, &proposal.heading);
            }
            booklet.write(problem.id.as_deref().unwrap_or("Proposals"), out)?;
        }
    }
    Ok(())
}

/// Returns a proposal as a line of EPD, with its question and its changes.
fn epd(proposal: &Proposal, asked: Stipulation) -> String {
    let mut fields: Vec<&str> = proposal.fen.split(' ').collect();
    fields.truncate(4);
    format!("{} stip \"{asked}\"; id \"{}\";", fields.join(" "), proposal.heading)
}

/// Returns the whole solutions of the proposals.
fn reports(found: &Proposals, asked: Stipulation) -> impl Iterator<Item = Report> {
    found.proposals.iter().filter_map(move |proposal| {
        let mut problem = Problem::read(&proposal.fen).ok()?;
        problem.id = Some(proposal.heading.clone());
        Some(Solver::new().report_observed(&problem.stipulated(asked), ReportRequest::default(), &NoObserver))
    })
}
