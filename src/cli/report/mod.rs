//! `matesolve report POSITION`: prints the composer's report on one problem; `collection` reports on files.

pub(crate) mod args;
pub(crate) mod collection;

use std::borrow::Cow;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use shakmaty::Position as _;

use crate::base::printable;
use crate::certify::CertifyRequest;
use crate::output::report::{Depth, ReportFormat};
use crate::problem::question::Said;
use crate::problem::{Asked, Problem, ProblemError};
use crate::report::{Castling, ReportContext, ReportRequest, ask_why, invalid, report, settled_diagram};
use crate::results::report::{Extent, Report, ReportOptions};
use crate::solve::Limits;

use crate::cli::files::certificate;
use crate::cli::files::inputs;
use crate::cli::files::output_file;
use crate::cli::files::written::{self, WrittenFiles};
use crate::cli::options::config;
use crate::cli::options::position::{self, GivenPosition, two_squares};
use crate::cli::options::question::{self, StipulationArg};
use crate::cli::report::args::ReportArgs;
use crate::cli::terminal::board::print_board;
use crate::cli::terminal::columns::wrapping;
use crate::cli::terminal::{CliError, Exit, Interrupt, ProgressLine, print_message, print_warnings};

pub(crate) fn run(args: &ReportArgs) -> Result<Exit, CliError> {
    check_style(args)?;
    let check_written = |phases: usize| {
        let written = WrittenFiles::output(args.output.as_deref());
        written.and_certificate(args.certificate.as_deref(), phases).check(&position::files(&args.position))
    };
    check_written(0)?;
    // With --ply, standard input is one game.
    let is_one_game =
        |files: &Vec<_>| args.game.ply.is_some() && files.iter().any(|path: &PathBuf| inputs::is_stdin(path));
    if let Some(files) = args.files().filter(|files| !is_one_game(files)) {
        if args.why.is_some() || !args.twin.is_empty() || args.certificate.is_some() {
            let why = "--twin, --why and --certificate belong to one position, not to files; give a FEN";
            return Err(CliError::Usage(why.to_owned()));
        }
        return collection::run(args, asked(args)?, request(args, "")?, &files);
    }
    args.run.check_one()?;
    let told = asked(args)?;
    let given = position::read(&args.position, args.game.ply, &told, "report")?;
    let mut request = request(args, given.as_ref().map_or("", |given| &given.line))?;
    let interrupt = Interrupt::install();
    let report = match given {
        Ok(GivenPosition { mut problem, .. }) => {
            check_exclusive_rights(&problem, &request)?;
            if args.certificate.is_some() && problem.question.stipulation.is_helped() {
                let why = "certificates do not know help play, whose lines anybody can replay; leave --certificate out";
                return Err(CliError::Usage(why.to_owned()));
            }
            request.exclusive.extend(&problem.exclusive);
            if let Some(text) = &args.why {
                let refuse = |why| CliError::Usage(format!("--why \"{}\": {why}", printable::excerpt(text)));
                ask_why(&mut problem, &mut request, text).map_err(refuse)?;
            }
            match add_twins(&mut problem, &told, &args.twin)? {
                Ok(()) => {
                    check_written(problem.phases.len())?;
                    let report = search(&problem, &request, args, &interrupt);
                    print_board(&problem, args.quiet || report.warnings.is_empty(), false);
                    report
                }
                Err(error) => invalid(&error, request.options),
            }
        }
        Err(error) => invalid(&error, request.options),
    };
    print_warnings(&report.warnings, args.quiet);
    if let Some(error) = &report.error {
        print_message(&format!("matesolve: {error}"));
    }
    // The certificate is written first, so that it exists even if the reader of standard output closes the pipe.
    let certified = args.certificate.as_ref().map(|path| certify(path, &report, &request, &interrupt, args.quiet));
    let exit = certified.transpose()?.flatten().unwrap_or(Exit::of_report(&report));
    if report.position.is_some() || !report.phases.is_empty() || args.format.writes_errors() {
        let out = output_file::open(args.output.as_deref(), args.color.into())?;
        let mut out = BufWriter::new(wrapping(out, args.format == ReportFormat::Text && args.output.is_none()));
        let id = args.title.clone().or(report.id);
        args.format.write_to(Cow::Owned(Report { id, ..report }), args.style(), &mut out)?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(exit)
}

/// Returns what the command line asks.
fn asked(args: &ReportArgs) -> Result<Asked, CliError> {
    if args.content.soundness && args.stipulation.is_some_and(|given| given.set_play) {
        let why = "--soundness prints no set play, for which the star of -s asks; leave one of them out";
        return Err(CliError::Usage(why.to_owned()));
    }
    let of_stipulation = args.stipulation.map(StipulationArg::asked).unwrap_or_default();
    let asked = Asked {
        length: question::within(args.mate),
        colors: question::colors(args.content.begins, args.content.attacker),
        intended: args.content.intended.map(|value| Said { value, by: "--intended" }),
        most: question::most(args.content.max_solutions),
        ..of_stipulation
    };
    asked.of_request().map_err(|why| CliError::Usage(why.to_string()))
}

/// Adds the twins of the command line. The stipulation of the command line is that of the diagram, because a twin may
/// have another.
fn add_twins(problem: &mut Problem, told: &Asked, twins: &[String]) -> Result<Result<(), ProblemError>, CliError> {
    if twins.is_empty() {
        return Ok(Ok(()));
    }
    if !problem.phases.is_empty() {
        let why = "the problem has twins of its own; leave out --twin, or the twins of the input";
        return Err(CliError::Usage(why.to_owned()));
    }
    Ok(problem.add_twins(twins, told))
}

/// Makes the report. Meanwhile, shows progress and stops at Ctrl-C.
fn search(problem: &Problem, request: &ReportRequest, args: &ReportArgs, interrupt: &Interrupt) -> Report {
    let progress = ProgressLine::new(args.quiet, args.verbose).about(problem);
    let report = report(problem, request, ReportContext::new(interrupt.stop_flag()).observed(&progress));
    progress.remove();
    report
}

/// Writes a certificate of the verdict, or of each phase's verdict. Returns an exit code if the program failed.
fn certify(
    path: &Path,
    report: &Report,
    request: &ReportRequest,
    interrupt: &Interrupt,
    quiet: bool,
) -> Result<Option<Exit>, CliError> {
    let of_phase = |path: &Path, report: &Report| {
        let asked = CertifyRequest::of_report(report, &request.exclusive, request.limits.hash);
        certificate::make(path, asked, None, interrupt, quiet)
    };
    if report.phases.is_empty() {
        return of_phase(path, report);
    }
    let mut failed = None;
    for (number, phase) in (1..).zip(&report.phases) {
        failed = of_phase(&written::numbered(path, number), phase)?.or(failed);
    }
    Ok(failed)
}

/// Returns the request that the arguments describe. `line` is the position as a line of FEN, EPD or JSON.
fn request(args: &ReportArgs, line: &str) -> Result<ReportRequest, CliError> {
    let content = &args.content;
    let mut options = ReportOptions {
        set_play: content.set_play,
        phases_table: content.phases,
        themes: content.themes,
        extent: if content.soundness { Extent::Soundness } else { Extent::WholeSolution },
        post_key: content.post_key,
        short_variations: content.short_variations,
        max_tree_nodes: content.max_tree_nodes as usize,
        ..ReportOptions::default()
    };
    options.show(content.tries);
    if content.full {
        options.add_full();
    }
    let limits = Limits { syzygy: config::syzygy_files(&args.syzygy)?, ..config::of_one(&args.limits, args.quiet) };
    let exclusive = args.rights.castling_exclusive.iter();
    let exclusive = exclusive.map(|text| two_squares("--castling-exclusive", text, "two rooks; write their squares"));
    Ok(ReportRequest {
        options,
        castling: args.rights.castling.unwrap_or_else(|| Castling::of_line(line)),
        exclusive: exclusive.collect::<Result<_, _>>()?,
        why: None,
        proves_en_passant: true,
        limits,
    })
}

/// Refuses letters and a depth that the format cannot have.
fn check_style(args: &ReportArgs) -> Result<(), CliError> {
    let why = if args.letters.is_some() && !args.format.has_letters() {
        "--letters needs --format text, popeye, html or latex: JSON and PGN have standard notation, and .olv entries have \
         the letters of their collections"
    } else if args.title.is_some() && !matches!(args.format, ReportFormat::Html | ReportFormat::Latex) {
        "--title is the title of a page; add --format html or latex"
    } else if matches!(args.depth, Some(Depth::Moves(_))) && args.format == ReportFormat::Olv {
        "--depth cannot shorten an .olv entry, whose solution must be whole; leave it out"
    } else {
        return Ok(());
    };
    Err(CliError::Usage(why.to_owned()))
}

/// Checks that every rook named by `--castling-exclusive` has a castling right; without one the pair would have no
/// effect.
fn check_exclusive_rights(problem: &Problem, request: &ReportRequest) -> Result<(), CliError> {
    let rights = settled_diagram(&problem.chess, request.castling, true).castles().castling_rights();
    for &(a, b) in &request.exclusive {
        if let Some(missing) = [a, b].into_iter().find(|&rook| !rights.contains(rook)) {
            return Err(CliError::Usage(format!(
                "--castling-exclusive {a}{b} names the rook on {missing}, which has no right to castle; state the \
                 right in the FEN, or use --castling assume"
            )));
        }
    }
    Ok(())
}
