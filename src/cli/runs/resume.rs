//! `-o FILE --resume`: continues a run over files that was ended, for instance by a kill or a power cut.
//!
//! Results are written in input order, one JSON line each, so the lines of FILE say what is done. The run continues at
//! the first line that is cut, is no result, or is a result that the user interrupted; this line and those after it are
//! removed. But FILE is refused if a line is no result or has changed, although the record of the run says that it was
//! safe (`checkpoint`). A run with other options or inputs is refused, and so is a FILE whose results belong to other
//! problems.
//!
//! A run that was not begun with `--resume` has no record. Its results say themselves which problems they answer, so
//! they are kept as they are; a warning says that the options could not be compared. Without a record, FILE is refused
//! if a line is neither a result nor the cut beginning of one, because FILE may be anything.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::base::lines::{LONGEST_RESULT, Lines};
use crate::cli::files::written::{self, WrittenFiles};
use crate::cli::files::{inputs, output_file};
use crate::cli::runs::checkpoint::{Checkpoint, Problems, Record, SyncedFile};
use crate::cli::terminal::{CliError, print_message};
use crate::results::solution::{StoppedBy, name};

/// The output of a run that is continued.
#[derive(Debug)]
pub(crate) struct Continued {
    path: PathBuf,
    /// The file for more results. While it is open, no other run can write to it.
    file: File,
    record: Record,
    /// Reads the results that are there.
    results: Lines<BufReader<File>>,
    /// What the results were when they were last safe on the disk. `None` if there were none, if the file is shorter
    /// now, or if they have been compared.
    saved: Option<Checkpoint>,
    /// Whether the run has a record, or no results.
    is_recorded: bool,
    /// The results read so far.
    read: Checkpoint,
    /// The problems of the input.
    problems: Problems,
}

/// The part of a result that says which problem it answers.
#[derive(Debug, Deserialize)]
pub(crate) struct Identity {
    pub line: Option<usize>,
    #[serde(deserialize_with = "name", default)]
    pub id: Option<String>,
    pub file: Option<String>,
    fen: Option<String>,
    /// The position of a report: an object with its FEN.
    #[serde(default)]
    position: Value,
    #[serde(default)]
    stats: Value,
}

impl Identity {
    /// Returns the position of the problem.
    pub(crate) fn fen(&self) -> Option<&str> {
        self.fen.as_deref().or(self.position["fen"].as_str())
    }
}

/// Checks the outputs of a run before it begins: they are no inputs, and without `--resume` the results of a run that
/// can be continued are not overwritten.
pub(crate) fn check_outputs(path: Option<&Path>, resumes: bool, inputs: &[PathBuf]) -> Result<(), CliError> {
    WrittenFiles::output(path).and_record(path.filter(|_| resumes)).check(inputs)?;
    let record = path.filter(|path| !inputs::is_stdin(path)).map(written::record_of);
    let has_results = path.and_then(|path| std::fs::metadata(path).ok()).is_some_and(|file| file.len() > 0);
    match (path, record.filter(|record| !resumes && has_results && record.is_file())) {
        (Some(path), Some(record)) => Err(CliError::Usage(format!(
            "{} holds the results of a run that was started with --resume; repeat the command with --resume to continue \
             it, or remove {} to begin again",
            path.display(),
            record.display()
        ))),
        _ => Ok(()),
    }
}

/// Opens the output of a run for more results, and the results that it holds. `options` describe this run, `problems`
/// are those of its input.
///
/// # Errors
/// The file cannot be opened, or it belongs to a run with other options.
pub(crate) fn open(path: &Path, options: Map<String, Value>, problems: &Problems) -> Result<Continued, CliError> {
    let file = output_file::lock(path)?;
    let failed = |error: io::Error| output_file::unwritable(path, &error.to_string());
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(output_file::unwritable(path, "--resume needs a file on a disk, which it can read again"));
    }
    let record = Record::new(path, options);
    let recorded = if metadata.len() == 0 { Ok(Some(Checkpoint::default())) } else { record.read() };
    let recorded = recorded.map_err(|why| CliError::Usage(format!("{} {why}", path.display())))?;
    let (is_recorded, saved) = (recorded.is_some(), recorded.unwrap_or_default());
    if metadata.len() > 0 && metadata.len() < saved.bytes {
        print_message(&format!("matesolve: {} has lost results; they are solved again", path.display()));
    }
    let results = Lines::new(BufReader::new(File::open(path).map_err(failed)?), LONGEST_RESULT);
    let saved = (1..=metadata.len()).contains(&saved.bytes).then_some(saved);
    let (path, problems) = (path.to_owned(), problems.clone());
    Ok(Continued { path, file, record, results, saved, is_recorded, read: Checkpoint::default(), problems })
}

/// Returns whether what follows the last whole result is the beginning of another one, or nothing.
fn is_cut(rest: &[u8]) -> bool {
    rest.is_empty() || rest.starts_with(b"{") && !rest.ends_with(b"\n")
}

/// Names the inputs of a run with their sizes, for its record.
pub(crate) fn inputs(paths: &[PathBuf]) -> String {
    let size = |path: &PathBuf| std::fs::metadata(path).ok().filter(Metadata::is_file).map(|file| file.len());
    let named = paths.iter().map(|path| format!("{} ({} bytes)", inputs::name(path), size(path).unwrap_or(0)));
    named.collect::<Vec<_>>().join(", ")
}

impl Continued {
    /// Reads the next result that is there already. `None`: the problem that it would answer and those after it are not
    /// done.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn next<T: DeserializeOwned>(&mut self) -> Result<Option<(Identity, T)>, CliError> {
        let line = self.results.next_line().map(|line| line.map_or(Vec::new(), |line| line.bytes.to_vec()));
        let text = line.map_err(|error| self.error(&format!("cannot be read: {error}")))?;
        let number = self.read.results + 1;
        let written: (Identity, T) = match (serde_json::from_slice(&text), serde_json::from_slice(&text)) {
            (Ok(of), Ok(written)) if text.ends_with(b"\n") => (of, written),
            _ if !self.is_recorded && !is_cut(&text) => return Err(self.error(&self.no_result(number))),
            _ if self.is_safe() => return Err(self.error(&format!("is damaged: line {number} is not a result"))),
            _ => {
                if text.ends_with(b"\n") {
                    let name = self.path.display();
                    print_message(&format!("matesolve: line {number} of {name} is damaged; solving continues there"));
                }
                return Ok(None);
            }
        };
        // Problems whose search the user interrupted are solved again.
        if written.0.stats["stopped_by"] == json!(StoppedBy::Interrupt) {
            return Ok(None);
        }
        self.read.add(&text, &self.problems);
        Ok(Some(written))
    }

    /// Says that a line of a file without a record is no result.
    fn no_result(&self, number: u64) -> String {
        format!(
            "has no record of a run ({}), and its line {number} is not a result of this command",
            self.record.path.display()
        )
    }

    /// Says what could not be compared, if there is no record of the run that wrote the results.
    pub(crate) fn warn_uncompared(&self) {
        if self.is_recorded || self.read.results == 0 {
            return;
        }
        print_message(&format!(
            "matesolve: warning: {} was not begun with --resume: its {} results are kept as they are, and whether they \
             were made with these options and limits, by this version, could not be compared",
            self.path.display(),
            self.read.results
        ));
    }

    /// The error for a result, the last one read, that does not belong to this line of the input.
    pub(crate) fn other_input(&self, line: usize) -> CliError {
        CliError::Usage(format!(
            "line {} of {} is not the result of line {line} of the input, so the input is another one than before, or \
             the results are not in its order; name another file",
            self.read.results,
            self.path.display()
        ))
    }

    /// Returns whether the next line was safe on the disk.
    fn is_safe(&self) -> bool {
        self.saved.is_some_and(|saved| self.read.bytes < saved.bytes)
    }

    /// Compares the results that were safe, and the problems they answer, with those of today. To be called when the
    /// result that was read belongs to its problem.
    pub(crate) fn check_saved(&mut self) -> Result<(), CliError> {
        let Some(saved) = self.saved.take_if(|saved| self.read.bytes >= saved.bytes) else { return Ok(()) };
        if (saved.bytes, saved.results_checksum) != (self.read.bytes, self.read.results_checksum) {
            let first = saved.results;
            return Err(
                self.error(&format!("is damaged: its first {first} lines are not those that the run has written"))
            );
        }
        if saved.problems_checksum != self.read.problems_checksum {
            let (name, first) = (self.path.display(), saved.results);
            return Err(CliError::Usage(format!(
                "the input is another one than when {name} was begun: its first {first} problems have changed; name \
                 another file"
            )));
        }
        Ok(())
    }

    fn error(&self, what: &str) -> CliError {
        CliError::Usage(format!("{} {what}; name another file, or remove this one", self.path.display()))
    }

    /// Removes what follows the results that were read, and returns the file for more results. `is_end`: the input has
    /// no more problems.
    ///
    /// # Errors
    /// There are more results than problems, or the file cannot be written.
    pub(crate) fn finish(mut self, is_end: bool) -> Result<SyncedFile, CliError> {
        let failed = |error: io::Error| output_file::unwritable(&self.path, &error.to_string());
        let rest = if is_end { self.results.next_line().map_err(failed)? } else { None };
        if let Some(rest) = rest {
            let is_object = rest.is_ended && serde_json::from_slice::<Map<String, Value>>(rest.bytes).is_ok();
            let is_cut = is_cut(rest.bytes);
            if is_object {
                return Err(self.error("holds more results than the input has problems"));
            }
            if !self.is_recorded && !is_cut {
                return Err(self.error(&self.no_result(self.read.results + 1)));
            }
            let name = self.path.display();
            print_message(&format!("matesolve: what follows the last result in {name} is no result; it is removed"));
        }
        let end = self.read.bytes;
        self.file.set_len(end).and_then(|()| self.file.seek(SeekFrom::Start(end))).map_err(failed)?;
        SyncedFile::start(self.file, self.record, self.read, self.problems).map_err(failed)
    }
}
