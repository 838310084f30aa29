//! `matesolve split POSITION` and `matesolve join PARTS RESULTS…`: one problem on many machines.
//!
//! `split` writes the parts as EPD lines, `batch` solves them anywhere, and `join` prints the verdict and the keys, as
//! `report --soundness` does, and names the parts that are open.

pub(crate) mod args;

use std::borrow::Cow;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use crate::cli::files::inputs::{self, Share};
use crate::cli::files::output_file;
use crate::cli::files::written::WrittenFiles;
use crate::cli::options::position;
use crate::cli::split::args::{JoinArgs, SplitArgs};
use crate::cli::terminal::{CliError, Exit, print_message};
use crate::output::report::ReportStyle;
use crate::report::Castling;
use crate::results::Solution;
use crate::split::Whole;
use crate::split::join::{Answers, Parts, Refusal, join};
use crate::split::plan::plan;

/// The number of open parts that are named one by one.
const LISTED: usize = 20;

pub(crate) fn split(args: &SplitArgs) -> Result<Exit, CliError> {
    WrittenFiles::output(args.output.as_deref()).check(&position::files(&args.given.position))?;
    let Some(given) = args.given.read(args.quiet, "split")? else { return Ok(Exit::Invalid) };
    let castling = args.castling.unwrap_or_else(|| Castling::of_line(&given.line));
    let whole = Whole::new(given.problem, castling).map_err(CliError::Usage)?;
    let parts = plan(&whole, args.parts as usize, args.probe);
    let mut out = output_file::open(args.output.as_deref(), anstream::ColorChoice::Never)?;
    for line in parts.iter().filter_map(|part| whole.line_of(&part.path)) {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    if !args.quiet {
        let replies = parts.iter().filter(|part| part.path.len() > 1).count();
        let first = parts.len() - replies;
        print_message(&format!("parts {}: after a first move {first}, after a reply {replies}", parts.len()));
    }
    Ok(Exit::Answered)
}

pub(crate) fn run_join(args: &JoinArgs) -> Result<Exit, CliError> {
    let files: Vec<_> = args.results.iter().chain([&args.parts]).cloned().collect();
    WrittenFiles::output(args.output.as_deref()).check(&files)?;
    let entries = inputs::entries(&args.parts, inputs::open(&args.parts)?, 0, None, false);
    let in_parts = |why: String| CliError::Usage(format!("{}: {why}", inputs::name(&args.parts)));
    let parts = Parts::read(entries).map_err(in_parts)?;
    let mut answers = Answers::default();
    for path in &args.results {
        if let Some(fault) = add_results(path, &parts, &mut answers)? {
            print_message(&fault);
            return Ok(Exit::Disagrees);
        }
    }
    let joined = join(&parts, &answers, args.intended);
    for open in joined.open.iter().take(LISTED) {
        print_message(&format!("{}: {open}", inputs::name(&args.parts)));
    }
    if let more @ 1.. = joined.open.len().saturating_sub(LISTED) {
        print_message(&format!("{more} further parts are missing or undecided"));
    }
    let exit = if joined.open.is_empty() { Exit::of_report(&joined.report) } else { Exit::Incomplete };
    let mut out = BufWriter::new(output_file::open(args.output.as_deref(), args.color.into())?);
    args.format.write_to(Cow::Owned(joined.report), ReportStyle::default(), &mut out)?;
    writeln!(out)?;
    out.flush()?;
    Ok(exit)
}

/// Adds the results of a file. Returns a sentence about the first that is false.
fn add_results(path: &Path, parts: &Parts, answers: &mut Answers) -> Result<Option<String>, CliError> {
    let mut results = Share::open(path)?;
    while let Some((solution, _)) = results.next::<Solution>("a result in JSON lines, as batch writes them")? {
        let at = |why: String| format!("{}:{}: {why}", results.name, results.read);
        match answers.add(&solution, parts) {
            Ok(()) => {}
            Err(Refusal::Foreign(why)) => return Err(CliError::Usage(at(why))),
            Err(Refusal::False(why)) => return Ok(Some(at(why))),
        }
    }
    Ok(None)
}
