//! Opens the input files of the commands, names them in messages, and recognises `.olv` collections.
//!
//! The path `-` means standard input.
//!
//! [`Share`] reads the files that `matesolve merge` and `join` put together: JSON objects, line by line.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use matesolve_terms::encoding::{Decoded, decoded, latin1_warning};
use serde::de::DeserializeOwned;

use crate::base::json_fault::json_fault;
use crate::base::lines::{LONGEST_RESULT, Lines};
use crate::cli::terminal::{CliError, print_message};
use crate::problem::input::{self, Entries, InputFormat, Reading, file};

/// Returns the name of an input as messages show it.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens an input. Commands open all inputs before they search, so that a mistyped name is reported at once.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read + Send>, CliError> {
    let opened = if is_stdin(path) { file::decompressed(io::stdin()) } else { file::open(path) };
    opened.map_err(|error| unreadable(path, &error.to_string()))
}

/// Reads a whole input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|error| unreadable(path, &error.to_string()))?;
    Ok(bytes)
}

/// Returns the text of an input. One that is not UTF-8 is read as Latin-1, and a warning on standard error says so.
pub(crate) fn text(path: &Path, bytes: Vec<u8>) -> String {
    let Decoded { text, is_latin1 } = decoded(bytes);
    if is_latin1 {
        print_message(&format!("warning: {}", latin1_warning(&name(path))));
    }
    text
}

/// Returns the entries of an opened input, which has the index `index` among several. Of games, `ply` chooses the
/// half-move. `keeps_bytes`: every byte of a collection is kept. A warning names the input at its first entry that is
/// not UTF-8.
pub(crate) fn entries(
    path: &Path,
    input: impl Read + Send + 'static,
    index: usize,
    ply: Option<u16>,
    keeps_bytes: bool,
) -> Entries<'static> {
    let format = file::format(path).filter(|&format| format == InputFormat::Collection);
    let reading = Reading { format, ply, keeps_bytes, is_whole: is_whole(path) };
    let entries = input::entries(BufReader::new(input), index, reading);
    Box::new(warned(name(path), entries, |entry| entry.is_latin1))
}

/// Opens several inputs, and returns the entries of all of them, one input after the other.
pub(crate) fn all_entries(paths: &[PathBuf], ply: Option<u16>, keeps_bytes: bool) -> Result<Entries<'_>, CliError> {
    let opened = paths.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
    let opened = paths.iter().zip(opened).enumerate();
    Ok(Box::new(opened.flat_map(move |(index, (path, input))| entries(path, input, index, ply, keeps_bytes))))
}

/// Prints a warning at the first item that is not UTF-8 of the input with this name.
pub(crate) fn warned<T>(
    name: String,
    items: impl Iterator<Item = T> + Send,
    is_latin1: impl Fn(&T) -> bool + Send,
) -> impl Iterator<Item = T> + Send {
    let mut is_said = false;
    items.inspect(move |item| {
        if is_latin1(item) && !std::mem::replace(&mut is_said, true) {
            print_message(&format!("warning: {}", latin1_warning(&name)));
        }
    })
}

/// Returns whether the end of a file's name says that it is an `.olv` collection. What says that it is compressed may
/// follow.
pub(crate) fn is_collection(path: &Path) -> bool {
    file::format(path) == Some(InputFormat::Collection)
}

/// Returns whether an input is a file, and not a pipe or standard input.
pub(crate) fn is_whole(path: &Path) -> bool {
    !is_stdin(path) && path.is_file()
}

/// Returns whether the path means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn unreadable(path: &Path, why: &str) -> CliError {
    CliError::Usage(format!("{} cannot be read: {why}", name(path)))
}

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
        let lines = Lines::new(BufReader::new(open(path)?), LONGEST_RESULT);
        Ok(Share { name: name(path), read: 0, lines, first: None })
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
        let unreadable = |error| CliError::Usage(format!("{} cannot be read: {error}", self.name));
        while let Some(line) = self.lines.next_line().map_err(unreadable)? {
            self.read = line.number;
            let text = std::str::from_utf8(line.content()).ok().filter(|_| !line.is_cut).map(str::to_owned);
            let why = "the line is too long, or not UTF-8 text; repeat the shard";
            let text = text.ok_or_else(|| self.fault(why))?;
            if !text.trim().is_empty() {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// The error about the line that was read last.
    fn fault(&self, why: &str) -> CliError {
        CliError::Usage(format!("{}:{}: {why}", self.name, self.read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_are_recognised_by_their_extension() {
        for (path, expected) in [
            ("my.olv", true),
            ("a/b.YAML", true),
            ("x.yml", true),
            ("x.olv.gz", true),
            ("x.epd.zst", false),
            ("x.epd", false),
            ("olv", false),
        ] {
            assert_eq!(is_collection(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_dash_is_named_standard_input() {
        assert_eq!(name(Path::new("-")), "standard input");
        assert_eq!(name(Path::new("a/b.epd")), "a/b.epd");
    }
}
