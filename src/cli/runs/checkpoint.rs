//! `FILE.run`, the record of a run that writes FILE with `--resume`: its version, inputs and options, and how many
//! results are on the disk.
//!
//! What a program has written survives its end, even by a kill. It survives a power cut only if it was *synced*: the
//! system writes files to the disk at its own time. So a [`SyncedFile`] syncs the results at the beginning, after a
//! result if the last sync is a second old, and at the end. Then it writes a [`Checkpoint`]: how many results there
//! are, their bytes, their checksum, and that of the problems they answer. The record is written under another name
//! first, so that after a power cut it is the new one or the old one.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cli::files::written;
use crate::cli::runs::options;

use super::checksum::Checksum;

/// The time between two checkpoints while results are written.
const INTERVAL: Duration = Duration::from_secs(1);

/// The first results of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    /// The number of results.
    pub results: u64,
    /// The number of bytes of the results.
    pub bytes: u64,
    /// The checksum of the results.
    pub results_checksum: Checksum,
    /// The checksum of the problems that they answer.
    pub problems_checksum: Checksum,
}

impl Checkpoint {
    /// Adds bytes that follow. Each line break among them ends the result of the next problem.
    pub(crate) fn add(&mut self, bytes: &[u8], problems: &Problems) {
        self.bytes += bytes.len() as u64;
        self.results_checksum.add(bytes);
        for _ in bytes.iter().filter(|&&byte| byte == b'\n') {
            self.results += 1;
            self.problems_checksum.add(&problems.next().0.to_le_bytes());
        }
    }
}

/// The checksums of the problems that have been read and whose results are not written yet, in input order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Problems(Arc<Mutex<VecDeque<Checksum>>>);

impl Problems {
    /// Returns the same items, and notes the checksums of their texts as they are read.
    pub(crate) fn watch<L: Iterator, F: Fn(&L::Item) -> String>(
        &self,
        lines: L,
        text: F,
    ) -> impl Iterator<Item = L::Item> + use<L, F> {
        let problems = self.clone();
        let note = move |line: &L::Item| {
            let mut checksum = Checksum::default();
            checksum.add(text(line).as_bytes());
            problems.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(checksum);
        };
        lines.inspect(note)
    }

    fn next(&self) -> Checksum {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front().unwrap_or_default()
    }
}

/// The form of the record, which changes when its fields do.
const FORM: u64 = 2;

/// The text of a record.
#[derive(Serialize, Deserialize)]
struct WrittenRecord {
    form: u64,
    options: Map<String, Value>,
    checkpoint: Checkpoint,
}

/// The record of a run beside its results.
#[derive(Debug)]
pub(crate) struct Record {
    pub path: PathBuf,
    /// The options that change the results (see [`options`]), the version and the inputs.
    options: Map<String, Value>,
}

impl Record {
    /// The record of a run that writes to `results`.
    pub(crate) fn new(results: &Path, options: Map<String, Value>) -> Record {
        Record { path: written::record_of(results), options }
    }

    /// Reads the record that is there, and returns the checkpoint; `None` if there is no record.
    ///
    /// # Errors
    /// The record is that of another run, or cannot be read. A sentence says so, without its subject.
    pub(crate) fn read(&self) -> Result<Option<Checkpoint>, String> {
        let Ok(text) = fs::read_to_string(&self.path) else { return Ok(None) };
        let old = serde_json::from_str::<WrittenRecord>(&text).ok().filter(|old| old.form == FORM);
        let old = old.ok_or_else(|| {
            let name = self.path.display();
            format!(
                "has a record, {name}, in a form that this version does not read; end the run with the version that \
                 began it, or remove {name} to continue without comparing the options"
            )
        })?;
        let differs = |name: &&String| old.options.get(*name) != self.options.get(*name);
        let Some(name) = self.options.keys().chain(old.options.keys()).find(differs) else {
            return Ok(Some(old.checkpoint));
        };
        let [then, now] = [&old.options, &self.options].map(|options| options::typed(name, options.get(name)));
        Err(format!("was begun with {then}, and now it is {now}; repeat the command as it was, or name another file"))
    }

    /// Writes the record with this checkpoint.
    fn write(&self, checkpoint: Checkpoint) -> io::Result<()> {
        let record = WrittenRecord { form: FORM, options: self.options.clone(), checkpoint };
        let new = written::new_record_of(&self.path);
        let mut file = File::create(&new)?;
        file.write_all(format!("{}\n", serde_json::to_string_pretty(&record)?).as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &self.path)
    }

    /// Makes the names of new files survive a power cut.
    fn sync_folder(&self) {
        // Not every system can do it for a folder.
        let _ = File::open(written::folder_of(&self.path)).and_then(|folder| folder.sync_all());
    }
}

/// A file of results that survives a power cut up to the last checkpoint.
#[derive(Debug)]
pub(crate) struct SyncedFile {
    file: File,
    record: Record,
    written: Checkpoint,
    problems: Problems,
    synced: Instant,
}

impl SyncedFile {
    /// Continues a file that holds `written`, and writes the first checkpoint. Results are written at the file's
    /// position; `problems` are those that follow.
    pub(crate) fn start(file: File, record: Record, written: Checkpoint, problems: Problems) -> io::Result<SyncedFile> {
        let mut file = SyncedFile { file, record, written, problems, synced: Instant::now() };
        file.sync()?;
        file.record.sync_folder();
        Ok(file)
    }

    /// Waits until everything that was written is on the disk.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        self.record.write(self.written)?;
        self.synced = Instant::now();
        Ok(())
    }
}

impl Write for SyncedFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = self.file.write(buffer)?;
        self.written.add(&buffer[..count], &self.problems);
        Ok(count)
    }

    /// To be called after whole results.
    fn flush(&mut self) -> io::Result<()> {
        if self.synced.elapsed() >= INTERVAL { self.sync() } else { Ok(()) }
    }
}

/// The output of a run: a new one, or the file of a run that is continued.
pub(crate) enum RunOutput {
    New(Box<dyn Write + Send>),
    Continued(SyncedFile),
}

impl RunOutput {
    /// Returns where results are written.
    pub(crate) fn writer(&mut self) -> &mut (dyn Write + Send) {
        match self {
            RunOutput::New(out) => out,
            RunOutput::Continued(file) => file,
        }
    }

    /// Ends the output.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        match self {
            RunOutput::New(out) => out.flush(),
            RunOutput::Continued(file) => file.sync(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::runs::run::RunItem as _;
    use crate::problem::input::Entry;
    use crate::problem::input::rows::Rows;

    #[test]
    fn a_checkpoint_tells_results_and_problems_apart_from_others() {
        let checkpoint = |problems: &'static str, results: &[&str]| {
            let watched = Problems::default();
            watched.watch(Rows::new(problems.as_bytes()), Entry::text).for_each(drop);
            let mut checkpoint = Checkpoint::default();
            for part in results {
                checkpoint.add(part.as_bytes(), &watched);
            }
            checkpoint
        };
        let one = checkpoint("8/8/8/8/8/8/8/K1k5 w - - dm 2;\nx", &["a\n", "b\n"]);
        assert_eq!(one, checkpoint("8/8/8/8/8/8/8/K1k5 w - - dm 2;\nx\n8/8 w", &["a", "\nb\n"]));
        assert_eq!((one.results, one.bytes), (2, 4));
        assert_ne!(one, checkpoint("8/8/8/8/8/8/8/K1k5 w - - dm 3;\nx", &["a\n", "b\n"]));
        assert_ne!(one, checkpoint("8/8/8/8/8/8/8/K1k5 w - - dm 2;\nx", &["a\n", "c\n"]));
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let options = |nodes: u64| Map::from_iter([("--nodes".to_owned(), nodes.into())]);
        let record = |nodes| Record::new(&folder.path().join("out"), options(nodes));
        assert_eq!(record(1).read(), Ok(None));
        let file = File::create(folder.path().join("out")).unwrap();
        let mut file = SyncedFile::start(file, record(1), Checkpoint::default(), Problems::default()).unwrap();
        assert_eq!(record(1).read().unwrap().unwrap().results, 0);
        file.write_all(b"one\n").unwrap();
        file.sync().unwrap();
        assert_eq!(record(1).read(), Ok(Some(file.written)));
        assert!(record(2).read().unwrap_err().starts_with("was begun with --nodes 1, and now it is --nodes 2; repeat"));
        let text = fs::read_to_string(folder.path().join("out.run")).unwrap();
        for other in [text.replace("\"form\": 2", "\"form\": 3"), text.replace("\"form\": 2,", ""), "x".to_owned()] {
            fs::write(folder.path().join("out.run"), other).unwrap();
            assert!(record(1).read().unwrap_err().contains("in a form that this version does not read"));
        }
    }
}
