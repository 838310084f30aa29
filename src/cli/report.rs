//! `matesolve report "<FEN or EPD>"`: the composer's report.

use std::io::Write as _;

use shakmaty::Square;

use crate::problem::{Problem, Stipulation, epd};
use crate::report::{Castling, ReportRequest, invalid, report};
use crate::results::report::ReportOptions;

use super::args::ReportArgs;
use super::interrupt::Interrupt;
use super::{Exit, Failure, collection, complain};

pub(super) fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    let text = args.position.join(" ");
    let request = request(args, &text)?;
    if let Some(files) = collection::files(&args.position) {
        return collection::run(args, request, &files);
    }
    let report = match Problem::read(&text) {
        Ok(problem) => {
            exclusive_rights_are_there(&problem, &request)?;
            report(&problem, &request, Interrupt::listen().stop())
        }
        Err(error) => invalid(&error, request.options),
    };
    for warning in report.warnings.iter().filter(|_| !args.quiet) {
        complain(&format!("matesolve: warning: {warning}"));
    }
    if let Some(error) = &report.error {
        complain(&format!("matesolve: {error}"));
    }
    if report.position.is_some() || args.format.writes_errors() {
        let mut out = anstream::AutoStream::new(std::io::stdout().lock(), args.color.into());
        writeln!(out, "{}", args.format.write(&report))?;
        out.flush()?;
    }
    Ok(Exit::of_report(&report))
}

fn request(args: &ReportArgs, text: &str) -> Result<ReportRequest, Failure> {
    let usage = |error: crate::problem::StipulationError| Failure::Usage(error.to_string());
    let stipulation = args.stipulation.as_deref().map(Stipulation::parse).transpose().map_err(usage)?;
    let content = &args.content;
    let options = ReportOptions {
        tries: content.tries,
        set_play: content.set_play,
        post_key: content.post_key,
        short_variations: content.short_variations,
        max_tree_nodes: content.max_tree_nodes as usize,
        intended_solutions: content.intended,
    };
    let exclusive = args.rights.castling_exclusive.iter().map(|text| exclusive(text));
    Ok(ReportRequest {
        stipulation,
        options,
        castling: args.rights.castling.unwrap_or_else(|| convention(text)),
        exclusive: exclusive.collect::<Result<_, _>>()?,
        time: args.limits.time,
        nodes: args.limits.nodes,
        hash: args.limits.hash,
    })
}

/// A diagram without a castling field says nothing about castling, and then the Codex does.
fn convention(text: &str) -> Castling {
    let fields = epd::split(text).0.split_whitespace().count();
    if fields < 3 && !text.trim_start().starts_with('{') { Castling::Assume } else { Castling::Fen }
}

/// `a1h8`: two rooks.
fn exclusive(text: &str) -> Result<(Square, Square), Failure> {
    let square = |part: Option<&str>| part.and_then(|part| part.parse::<Square>().ok());
    match (square(text.get(..2)), square(text.get(2..))) {
        (Some(a), Some(b)) if a != b => Ok((a, b)),
        _ => Err(Failure::Usage(format!(
            "--castling-exclusive \"{text}\" does not name two rooks; write their squares, such as a1h8"
        ))),
    }
}

/// A pair that names a rook without its right would silently mean nothing.
fn exclusive_rights_are_there(problem: &Problem, request: &ReportRequest) -> Result<(), Failure> {
    let rights = crate::report::castling_rights(&problem.chess, request.castling);
    for &(a, b) in &request.exclusive {
        if let Some(missing) = [a, b].into_iter().find(|&rook| !rights.contains(rook)) {
            return Err(Failure::Usage(format!(
                "--castling-exclusive {a}{b} names the rook on {missing}, which has no right to castle; state the right \
                 in the FEN, or use --castling assume"
            )));
        }
    }
    Ok(())
}
