//! `matesolve merge FILE…`: puts the results of several shares together, in the order of the input.
//!
//! Each file has JSON lines in input order, as `batch --shard` writes them, so one line of each is in memory. Of
//! results for the same line the first is kept. With `--input` the results are compared with the problems they should
//! answer. Shares of an audit are put together by `merge_audits`.

use std::io::{self, BufRead as _, BufReader, Cursor, Lines, Read, Write as _};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::printable::json_fault;
use crate::problem::source::{self, InputLine, Reading};

use super::args::MergeArgs;
use super::exit::Exit;
use super::inputs;
use super::merge_audits;
use super::messages::{CliError, print_message};
use super::output_file;

/// A file of results.
pub(super) struct Share {
    pub name: String,
    pub reader: BufReader<Box<dyn Read + Send>>,
}

impl Share {
    fn open(path: &Path) -> Result<Share, CliError> {
        Ok(Share { name: inputs::name(path), reader: BufReader::new(inputs::open(path)?) })
    }

    /// Returns the text to the end of the first line that is not blank. It is read again afterwards.
    fn start(&mut self) -> Result<String, CliError> {
        let mut start = Vec::new();
        while start.trim_ascii().is_empty() {
            let read = self.reader.read_until(b'\n', &mut start);
            let read = read.map_err(|error| CliError::Usage(format!("{} cannot be read: {error}", self.name)))?;
            if read == 0 {
                break;
            }
        }
        let text = String::from_utf8_lossy(&start).into_owned();
        let empty: Box<dyn Read + Send> = Box::new(io::empty());
        let rest = std::mem::replace(&mut self.reader, BufReader::new(empty));
        self.reader = BufReader::new(Box::new(Cursor::new(start).chain(rest)));
        Ok(text)
    }
}

/// The results of one file.
struct Part {
    name: String,
    lines: Lines<BufReader<Box<dyn Read + Send>>>,
    /// The next result.
    next: Option<Found>,
    /// The number of lines read.
    read: usize,
}

/// A result: the line of the input that it answers, and its text.
struct Found {
    line: usize,
    fen: Option<String>,
    /// The answer, to compare with another for the same line.
    answer: (Value, Value),
    text: String,
}

#[derive(Deserialize)]
struct Fields {
    line: usize,
    fen: Option<String>,
    result: Answer,
}

#[derive(Deserialize)]
struct Answer {
    status: Value,
    mate_in: Value,
}

impl Part {
    fn new(Share { name, reader }: Share) -> Result<Part, CliError> {
        let mut part = Part { name, lines: reader.lines(), next: None, read: 0 };
        part.advance()?;
        Ok(part)
    }

    /// Reads the next result and returns the one before it.
    fn advance(&mut self) -> Result<Option<Found>, CliError> {
        let next = loop {
            let Some(text) = self.lines.next() else { break None };
            self.read += 1;
            let (name, read) = (&self.name, self.read);
            let text = text.map_err(|error| CliError::Usage(format!("{name} cannot be read: {error}")))?;
            if text.trim().is_empty() {
                continue;
            }
            let Fields { line, fen, result } = serde_json::from_str(&text).map_err(|error| {
                CliError::Usage(format!(
                    "{name}:{read}: not a result in JSON lines with the number of its line ({}); repeat the shard, \
                     with --resume if the run was ended",
                    json_fault(&error)
                ))
            })?;
            break Some(Found { line, fen, answer: (result.status, result.mate_in), text });
        };
        if let (Some(next), Some(before)) = (&next, &self.next)
            && next.line <= before.line
        {
            return Err(CliError::Usage(format!(
                "{}:{}: the result of line {} stands after that of line {}; give the files as batch wrote them",
                self.name, self.read, next.line, before.line
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

pub(super) fn run(args: &MergeArgs) -> Result<Exit, CliError> {
    let files: Vec<_> = args.files.iter().chain(&args.input).cloned().collect();
    output_file::check(&[args.output.as_deref()], &files)?;
    let mut shares = args.files.iter().map(|path| Share::open(path)).collect::<Result<Vec<_>, _>>()?;
    if merge_audits::is_audit(&shares[0].start()?) {
        return merge_audits::run(args, shares);
    }
    let mut parts = shares.into_iter().map(Part::new).collect::<Result<Vec<_>, _>>()?;
    let mut problems = match &args.input {
        Some(path) => {
            let olv = inputs::is_collection(path);
            Some(source::problems(BufReader::new(inputs::open(path)?), 0, Reading { olv, ply: args.game.ply }))
        }
        None => None,
    };
    let mut out = output_file::open(args.output.as_deref(), anstream::ColorChoice::Never)?;
    let mut faults = Faults::default();
    let (mut results, mut expected) = (0, problems.as_mut().and_then(Iterator::next));
    while let Some(found) = take_first(&mut parts, &mut faults)? {
        while let Some(missing) = expected.take_if(|problem| problem.number < found.line) {
            faults.miss(missing.number);
            expected = problems.as_mut().and_then(Iterator::next);
        }
        if args.input.is_some() {
            check_problem(&found, expected.as_ref(), &mut faults);
            if expected.take_if(|problem| problem.number == found.line).is_some() {
                expected = problems.as_mut().and_then(Iterator::next);
            }
        }
        writeln!(out, "{}", found.text)?;
        results += 1;
    }
    for missing in expected.into_iter().chain(problems.into_iter().flatten()) {
        faults.miss(missing.number);
    }
    faults.report_gap();
    out.flush()?;
    let Faults { missing, twice, wrong, .. } = faults;
    let missing_words = if args.input.is_some() { missing.to_string() } else { "unknown without --input".to_owned() };
    print_message(&format!("results {results}: missing {missing_words}, twice {twice}, of other problems {wrong}"));
    Ok(if missing + twice + wrong > 0 { Exit::Disagrees } else { Exit::Answered })
}

/// Takes the result with the smallest line number out of all parts, and drops others for the same line.
fn take_first(parts: &mut [Part], faults: &mut Faults) -> Result<Option<Found>, CliError> {
    let Some(line) = parts.iter().filter_map(|part| part.next.as_ref().map(|next| next.line)).min() else {
        return Ok(None);
    };
    let mut first: Option<(Found, String)> = None;
    for part in parts.iter_mut().filter(|part| part.next.as_ref().is_some_and(|next| next.line == line)) {
        let Some(found) = part.advance()? else { continue };
        match &first {
            None => first = Some((found, part.name.clone())),
            Some((kept, name)) => {
                faults.twice += 1;
                let same = if kept.answer == found.answer { "the same" } else { "another" };
                let other = &part.name;
                print_message(&format!("line {line}: {other} has {same} answer; that of {name} is kept"));
            }
        }
    }
    Ok(first.map(|(found, _)| found))
}

/// Checks that a result belongs to the problem of its line.
fn check_problem(found: &Found, expected: Option<&InputLine>, faults: &mut Faults) {
    let expected = expected.filter(|problem| problem.number == found.line);
    let fen = expected.map(|line| line.problem.as_ref().ok().map(|problem| problem.fen.as_str()));
    if fen != Some(found.fen.as_deref()) {
        faults.wrong += 1;
        print_message(&format!("line {}: the result is not for the problem of this line of the input", found.line));
    }
}
