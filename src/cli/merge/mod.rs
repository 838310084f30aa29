//! `matesolve merge FILE…`: puts the results of several shares together, in the order of the input.
//!
//! Each file has JSON lines in input order, as `batch`, `report` and `puzzles` write them with `--shard`, so one line
//! of each is in memory. Of results for the same line, that of the file named first is kept. With `--input` their
//! positions are compared with those of the problems; without it, a missing result is not noticed. Results of runs that
//! asked different questions on the command line are refused. Shares of an audit are put together by `audits`.

pub(crate) mod audits;

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use serde::Deserialize;
use serde_json::Value;

use crate::problem::input::Entry;
use crate::problem::question::Said;
use crate::problem::{Asked, Colors};
use crate::results::SidedStipulation;

use crate::cli::files::inputs::{self, Share};
use crate::cli::files::output_file;
use crate::cli::files::written::WrittenFiles;
use crate::cli::options::args::GameArgs;
use crate::cli::runs::resume::Identity;
use crate::cli::terminal::{CliError, Exit, print_message};

/// The arguments of `matesolve merge`.
#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// Files of results in JSON lines, one for each share; of an audit, in the order 1/N, 2/N, …, N/N
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The input of the batches, to find results that are missing or belong to other problems
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    #[command(flatten)]
    pub game: GameArgs,
    /// Write the results to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The results of one file.
struct MergedFile {
    share: Share,
    /// The next result.
    next: Option<ShareResult>,
}

/// A result: the line of the input that it answers, and its text.
struct ShareResult {
    line: usize,
    fen: Option<String>,
    /// The part of the question that the command line of its run stated, see [`asked_beside`].
    asked: Option<String>,
    /// The question that it answers.
    question: Option<SidedStipulation>,
    /// The answer, to compare with another for the same line.
    answer: (Value, Value),
    text: String,
}

/// Returns what the command line of the run asked about this result, which is the same for all results of a run: the
/// option that states the question, with the stipulation or the length. `None` if the result has no question.
fn asked_beside(stipulation: &Value) -> Option<String> {
    let text = stipulation["text"].as_str()?;
    Some(match stipulation["from"].as_str() {
        Some(by @ "-s") => format!("{by} '{text}'"),
        Some(by) if by.starts_with('-') => stipulation["moves"].as_u64().map_or(by.into(), |n| format!("{by} {n}")),
        _ => "the questions of the input".to_owned(),
    })
}

#[derive(Deserialize)]
struct Fields {
    line: usize,
    #[serde(default)]
    stipulation: Value,
    #[serde(flatten)]
    identity: Identity,
    #[serde(flatten)]
    answer: ShareAnswer,
}

/// The answer in a result or a report, or in a certified puzzle.
#[derive(Deserialize)]
#[serde(untagged)]
enum ShareAnswer {
    Result { result: ResultAnswer },
    Puzzle { verdict: Value, mate_in: Value },
}

#[derive(Deserialize)]
struct ResultAnswer {
    status: Value,
    mate_in: Value,
}

impl MergedFile {
    fn new(share: Share) -> Result<MergedFile, CliError> {
        let mut part = MergedFile { share, next: None };
        part.advance()?;
        Ok(part)
    }

    /// Reads the next result and returns the one before it.
    fn advance(&mut self) -> Result<Option<ShareResult>, CliError> {
        let found = |(Fields { line, stipulation, identity, answer }, text): (Fields, String)| {
            let fen = identity.fen().map(str::to_owned);
            let answer = match answer {
                ShareAnswer::Result { result } => (result.status, result.mate_in),
                ShareAnswer::Puzzle { verdict, mate_in } => (verdict, mate_in),
            };
            let (asked, question) = (asked_beside(&stipulation), serde_json::from_value(stipulation).ok());
            ShareResult { line, fen, asked, question, answer, text }
        };
        let next = self.share.next("a result in JSON lines with the number of its line")?.map(found);
        if let (Some(next), Some(before)) = (&next, &self.next)
            && next.line <= before.line
        {
            return Err(CliError::Usage(format!(
                "{}:{}: the result of line {} stands after that of line {}; give the files as batch wrote them",
                self.share.name, self.share.read, next.line, before.line
            )));
        }
        Ok(std::mem::replace(&mut self.next, next))
    }
}

/// The numbers of lines whose results are at fault.
#[derive(Default)]
struct Faults {
    missing: usize,
    /// The lines without a result that follow one another and are not reported yet: the first and the last.
    gap: Option<(usize, usize)>,
    /// The number of gaps that were reported.
    gaps: usize,
    twice: usize,
    wrong: usize,
}

/// The number of gaps that are reported one by one.
const LISTED_GAPS: usize = 20;

impl Faults {
    /// Records that a line has no result.
    fn miss(&mut self, line: usize) {
        self.missing += 1;
        match &mut self.gap {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => {
                self.report_gap();
                self.gap = Some((line, line));
            }
        }
    }

    /// Reports the lines that follow one another without a result.
    fn report_gap(&mut self) {
        let Some((first, last)) = self.gap.take() else { return };
        self.gaps += 1;
        match self.gaps {
            gaps if gaps > LISTED_GAPS => {}
            LISTED_GAPS => print_message("further missing results are counted, not listed"),
            _ if first == last => print_message(&format!("line {first}: the result is missing")),
            _ => print_message(&format!("lines {first} to {last}: the results are missing")),
        }
    }
}

pub(crate) fn run(args: &MergeArgs) -> Result<Exit, CliError> {
    let files: Vec<_> = args.files.iter().chain(&args.input).cloned().collect();
    WrittenFiles::output(args.output.as_deref()).check(&files)?;
    let mut shares = args.files.iter().map(|path| Share::open(path)).collect::<Result<Vec<_>, _>>()?;
    if audits::is_audit(&shares[0].start()?) {
        return audits::run(args, shares);
    }
    let mut parts = shares.into_iter().map(MergedFile::new).collect::<Result<Vec<_>, _>>()?;
    let entries = |path: &PathBuf| inputs::open(path).map(|it| inputs::entries(path, it, 0, args.game.ply, false));
    let mut problems = args.input.as_ref().map(entries).transpose()?;
    let mut out = output_file::open(args.output.as_deref(), anstream::ColorChoice::Never)?;
    let mut faults = Faults::default();
    let (mut results, mut expected) = (0, problems.as_mut().and_then(Iterator::next));
    let mut asked = None;
    while let Some(found) = take_first(&mut parts, &mut faults)? {
        check_question(&found, &mut asked)?;
        while let Some(missing) = expected.take_if(|problem| problem.line < found.line) {
            faults.miss(missing.line);
            expected = problems.as_mut().and_then(Iterator::next);
        }
        if args.input.is_some() {
            check_problem(&found, expected.as_ref(), &mut faults);
            if expected.take_if(|problem| problem.line == found.line).is_some() {
                expected = problems.as_mut().and_then(Iterator::next);
            }
        }
        writeln!(out, "{}", found.text)?;
        results += 1;
    }
    for missing in expected.into_iter().chain(problems.into_iter().flatten()) {
        faults.miss(missing.line);
    }
    faults.report_gap();
    out.flush()?;
    let Faults { missing, twice, wrong, .. } = faults;
    if args.input.is_some() {
        print_message(&format!("results {results}: missing {missing}, twice {twice}, of other problems {wrong}"));
    } else {
        print_message(&format!("results {results}: twice {twice}; unknown whether these are all, without --input"));
    }
    Ok(match missing + twice + wrong {
        1.. => Exit::Disagrees,
        // A puzzle has no question of its own, and no line that could be compared.
        _ if args.input.is_none() && asked.is_some() => Exit::Incomplete,
        _ => Exit::Answered,
    })
}

/// Refuses a result of a run that was asked another question on its command line than that of the first result, which
/// stands in `first` with its line.
fn check_question(found: &ShareResult, first: &mut Option<(usize, String)>) -> Result<(), CliError> {
    let Some(asked) = &found.asked else { return Ok(()) };
    match first.get_or_insert_with(|| (found.line, asked.clone())) {
        (_, other) if other == asked => Ok(()),
        (line, other) => Err(CliError::Usage(format!(
            "the shares answer different questions: line {line} that of {other}, line {} that of {asked}; repeat one with \
             the options of the other",
            found.line
        ))),
    }
}

/// Takes the result with the smallest line number out of all parts, and drops others for the same line.
fn take_first(parts: &mut [MergedFile], faults: &mut Faults) -> Result<Option<ShareResult>, CliError> {
    let Some(line) = parts.iter().filter_map(|part| part.next.as_ref().map(|next| next.line)).min() else {
        return Ok(None);
    };
    let mut first: Option<(ShareResult, String)> = None;
    for part in parts.iter_mut().filter(|part| part.next.as_ref().is_some_and(|next| next.line == line)) {
        let Some(found) = part.advance()? else { continue };
        match &first {
            None => first = Some((found, part.share.name.clone())),
            Some((kept, name)) => {
                faults.twice += 1;
                let same = if kept.answer == found.answer { "the same" } else { "another" };
                let other = &part.share.name;
                print_message(&format!("line {line}: {other} has {same} answer; that of {name} is kept"));
            }
        }
    }
    Ok(first.map(|(found, _)| found))
}

/// Checks that a result belongs to the problem of its line.
fn check_problem(found: &ShareResult, expected: Option<&Entry>, faults: &mut Faults) {
    // The question of the result says which side begins help play.
    let told = found.question.map_or(Asked::default(), |SidedStipulation { stipulation, attacker, .. }| Asked {
        stipulation: Some(Said { value: stipulation, by: "result" }),
        colors: stipulation.is_helped().then_some(Said { value: Colors::Attacker(attacker), by: "result" }),
        ..Asked::default()
    });
    let expected = expected.filter(|problem| problem.line == found.line);
    let fen = expected.map(|line| told.of(line.problem.clone()).ok().map(|problem| problem.fen));
    if fen.as_ref() != Some(&found.fen) {
        faults.wrong += 1;
        print_message(&format!("line {}: the result is not for the problem of this line of the input", found.line));
    }
}
