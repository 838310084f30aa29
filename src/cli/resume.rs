//! `batch -o FILE --resume`: continues a run that was ended, even by a crash.
//!
//! Results are written in input order, one JSON line each, so the lines of FILE say what is done. A last line without a
//! line break was being written when the run ended; it is removed. Beside FILE, `FILE.run` records the options and the
//! inputs of the run. A run with others is refused, and so is a FILE whose results belong to other problems.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::problem::source::InputLine;
use crate::results::Solution;
use crate::results::solution::{Check, Goal, Status};

use super::inputs;
use super::messages::CliError;
use super::output_file;

/// The output of a run that is continued.
#[derive(Debug)]
pub(super) struct Continued {
    path: PathBuf,
    /// Reads the results that are there.
    results: io::Lines<BufReader<File>>,
    /// The number of results read.
    read: usize,
}

/// The fields of a result that are needed to count it.
#[derive(Deserialize)]
struct Written {
    line: Option<usize>,
    id: Option<Value>,
    fen: Option<String>,
    stipulation: Option<WrittenGoal>,
    result: WrittenResult,
    stats: WrittenStats,
    error: Option<String>,
    check: Option<Check>,
}

#[derive(Deserialize)]
struct WrittenGoal {
    text: String,
    moves: Option<u16>,
}

#[derive(Deserialize)]
struct WrittenResult {
    status: Status,
    mate_in: Option<u16>,
    proved_shortest: bool,
}

#[derive(Deserialize)]
struct WrittenStats {
    nodes: u64,
    time_ms: u64,
}

/// Opens the output of a run for more results, and the results that it holds. `record` describes a run.
///
/// # Errors
/// Opens the output of a run for more results, and the results that it holds. `record` describes this run.
pub(super) fn open(path: &Path, record: &Map<String, Value>) -> Result<(File, Continued), CliError> {
    let mut file = output_file::lock(path)?;
    let failed = |error: io::Error| output_file::unwritable(path, &error.to_string());
    if file.metadata().map_err(failed)?.len() == 0 {
        write_record(path, record)?;
    } else {
        check_record(path, record)?;
    }
    let end = end_of_last_line(&file).map_err(failed)?;
    file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(failed)?;
    let results = BufReader::new(File::open(path).map_err(failed)?).lines();
    Ok((file, Continued { path: path.to_owned(), results, read: 0 }))
}

fn record_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".run");
    PathBuf::from(name)
}

/// Writes the record under another name first, so that it is whole or missing.
fn write_record(path: &Path, record: &Map<String, Value>) -> Result<(), CliError> {
    let (target, new) = (record_path(path), record_path(path).with_extension("run.new"));
    let text = format!("{}\n", serde_json::to_string_pretty(record).unwrap_or_default());
    let written = fs::write(&new, text).and_then(|()| fs::rename(&new, &target));
    written.map_err(|error| output_file::unwritable(&target, &error.to_string()))
}

fn check_record(path: &Path, record: &Map<String, Value>) -> Result<(), CliError> {
    let (name, beside) = (path.display(), record_path(path));
    let text = fs::read_to_string(&beside).unwrap_or_default();
    let Ok(old) = serde_json::from_str::<Map<String, Value>>(&text) else {
        return Err(CliError::Usage(format!(
            "{name} holds results, but {}, the record of their run, is not there; --resume continues only runs that \
             were started with --resume. Name another file, or remove this one",
            beside.display()
        )));
    };
    let differs = |key: &&String| old.get(*key) != record.get(*key);
    match record.keys().chain(old.keys()).find(differs) {
        None => Ok(()),
        Some(key) => {
            let value = |of: &Map<String, Value>| of.get(key).map_or("nothing".to_owned(), Value::to_string);
            Err(CliError::Usage(format!(
                "{name} was begun with another {key}: {}, and now it is {}; repeat the command as it was, or name \
                 another file",
                value(&old),
                value(record)
            )))
        }
    }
}

/// Names the inputs of a run with their sizes, for its record.
pub(super) fn inputs(paths: &[PathBuf]) -> String {
    let size = |path: &PathBuf| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len());
    let named = paths.iter().map(|path| format!("{} ({} bytes)", inputs::name(path), size(path).unwrap_or(0)));
    named.collect::<Vec<_>>().join(", ")
}

/// Returns the number of bytes up to the last line break.
fn end_of_last_line(mut file: &File) -> io::Result<u64> {
    let mut end = 0;
    let mut at = file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(file);
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(end);
        }
        if let Some(last) = buffer.iter().rposition(|&byte| byte == b'\n') {
            end = at + last as u64 + 1;
        }
        let used = buffer.len();
        at += used as u64;
        reader.consume(used);
    }
}

impl Continued {
    /// Reads the next result that is there already.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, CliError> {
        let Some(text) = self.results.next() else { return Ok(None) };
        self.read += 1;
        let (name, number) = (self.path.display(), self.read);
        let text = text.map_err(|error| CliError::Usage(format!("{name} cannot be read: {error}")))?;
        let not_a_result =
            |error| CliError::Usage(format!("line {number} of {name} is not a result ({error}); name another file"));
        serde_json::from_str(&text).map(Some).map_err(not_a_result)
    }

    /// The error for a result, the last one read, that does not belong to this line of the input.
    pub(super) fn other_input(&self, line: usize) -> CliError {
        CliError::Usage(format!(
            "line {} of {} is not the result of line {line} of the input, so the input is another one than before; \
             name another file",
            self.read,
            self.path.display()
        ))
    }

    /// Returns the result of a line of the input if it is there already, without moves. `None`: this line and those
    /// after it are not done.
    ///
    /// # Errors
    /// The result belongs to another problem, or cannot be read.
    pub(super) fn result_of(&mut self, line: &InputLine) -> Result<Option<Solution>, CliError> {
        let Some(written) = self.next::<Written>()? else { return Ok(None) };
        let mut solution = match &line.problem {
            Ok(problem) => Solution::of(problem),
            Err(error) => Solution::invalid(Some(line.number), error),
        };
        let id = written.id.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
        let id = id.filter(|id| id != "null");
        if (written.line, &id, &written.fen) != (solution.line, &solution.id, &solution.fen) {
            return Err(self.other_input(line.number));
        }
        solution.result.status = written.result.status;
        solution.result.mate_in = written.result.mate_in;
        solution.result.proved_shortest = written.result.proved_shortest;
        (solution.stats.nodes, solution.stats.time_ms) = (written.stats.nodes, written.stats.time_ms);
        solution.check = written.check;
        solution.internal_failure = written.error.is_some() && written.result.status != Status::Invalid;
        solution.stipulation = written.stipulation.zip(line.problem.as_ref().ok()).map(|(goal, problem)| Goal {
            text: goal.text,
            moves: goal.moves,
            attacker: problem.attacker(),
        });
        Ok(Some(solution))
    }

    /// Checks that the input has no fewer problems than there are results.
    pub(super) fn expect_end(&mut self) -> Result<(), CliError> {
        if self.results.next().is_none() {
            return Ok(());
        }
        Err(CliError::Usage(format!("{} holds more results than the input has problems", self.path.display())))
    }
}
