//! The files that `matesolve merge` and `join` put together: JSON objects line by line, read as they are needed.

use std::io::{BufReader, Read};
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::base::json_fault::json_fault;
use crate::base::lines::{LONGEST_RESULT, Lines};

use crate::cli::files::inputs;
use crate::cli::terminal::messages::CliError;

/// A file of results or audits.
pub(crate) struct Share {
    /// The name of the file, as it was given.
    pub name: String,
    /// The number of lines read.
    pub read: usize,
    lines: Lines<BufReader<Box<dyn Read + Send>>>,
    /// The first line that is not blank, if it has been looked at and not been returned yet.
    first: Option<String>,
}

impl Share {
    pub(crate) fn open(path: &Path) -> Result<Share, CliError> {
        let lines = Lines::new(BufReader::new(inputs::open(path)?), LONGEST_RESULT);
        Ok(Share { name: inputs::name(path), read: 0, lines, first: None })
    }

    /// Returns the first line that is not blank. It is read again afterwards.
    pub(crate) fn start(&mut self) -> Result<String, CliError> {
        self.first = self.line()?;
        Ok(self.first.clone().unwrap_or_default())
    }

    /// Reads the next object and its text; `None` at the end of the file. `expected` says what a line should hold.
    pub(crate) fn next<T: DeserializeOwned>(&mut self, expected: &str) -> Result<Option<(T, String)>, CliError> {
        let first = self.first.take();
        let Some(text) = first.map_or_else(|| self.line(), |first| Ok(Some(first)))? else { return Ok(None) };
        let object = serde_json::from_str(&text).map_err(|error| {
            self.fault(&format!(
                "not {expected} ({}); repeat the shard, with --resume if the run was ended",
                json_fault(&error)
            ))
        })?;
        Ok(Some((object, text)))
    }

    /// Reads the next line that is not blank.
    fn line(&mut self) -> Result<Option<String>, CliError> {
        loop {
            let line = match self.lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return Ok(None),
                Err(error) => return Err(CliError::Usage(format!("{} cannot be read: {error}", self.name))),
            };
            self.read = line.number;
            let text = std::str::from_utf8(line.content()).ok().filter(|_| !line.is_cut).map(str::to_owned);
            let why = "the line is too long, or not UTF-8 text; repeat the shard";
            let text = text.ok_or_else(|| self.fault(why))?;
            if !text.trim().is_empty() {
                return Ok(Some(text));
            }
        }
    }

    /// The error about the line that was read last.
    fn fault(&self, why: &str) -> CliError {
        CliError::Usage(format!("{}:{}: {why}", self.name, self.read))
    }
}
