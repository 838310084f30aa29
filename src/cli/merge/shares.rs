//! The files that `matesolve merge` puts together: JSON objects line by line, read as they are needed.

use std::io::{self, BufRead as _, BufReader, Cursor, Read};
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::printable::json_fault;

use crate::cli::files::inputs;
use crate::cli::terminal::messages::CliError;

/// A file of results or audits.
pub(crate) struct Share {
    /// The name of the file, as it was given.
    pub name: String,
    /// The number of lines read.
    pub read: usize,
    reader: BufReader<Box<dyn Read + Send>>,
}

impl Share {
    pub(crate) fn open(path: &Path) -> Result<Share, CliError> {
        Ok(Share { name: inputs::name(path), read: 0, reader: BufReader::new(inputs::open(path)?) })
    }

    /// Returns the text to the end of the first line that is not blank. It is read again afterwards.
    pub(crate) fn start(&mut self) -> Result<String, CliError> {
        let mut start = Vec::new();
        while start.trim_ascii().is_empty() {
            let read = self.reader.read_until(b'\n', &mut start).map_err(|error| self.unreadable(&error))?;
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

    /// Reads the next object and its text; `None` at the end of the file. `expected` says what a line should hold.
    pub(crate) fn next<T: DeserializeOwned>(&mut self, expected: &str) -> Result<Option<(T, String)>, CliError> {
        loop {
            let mut text = String::new();
            let read = self.reader.read_line(&mut text).map_err(|error| self.unreadable(&error))?;
            if read == 0 {
                return Ok(None);
            }
            self.read += 1;
            let text = text.trim_end_matches(['\n', '\r']);
            if text.trim().is_empty() {
                continue;
            }
            let object = serde_json::from_str(text).map_err(|error| {
                CliError::Usage(format!(
                    "{}:{}: not {expected} ({}); repeat the shard, with --resume if the run was ended",
                    self.name,
                    self.read,
                    json_fault(&error)
                ))
            })?;
            return Ok(Some((object, text.to_owned())));
        }
    }

    fn unreadable(&self, error: &io::Error) -> CliError {
        CliError::Usage(format!("{} cannot be read: {error}", self.name))
    }
}
