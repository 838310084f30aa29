//! `-o FILE`: the place where results are written.
//!
//! [`Rewriting`] writes collections again (`--format olv`), one file after the other, with the text around their
//! entries.

use std::borrow::Cow;
use std::fs::{File, TryLockError};
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

use matesolve_terms::encoding::encoded;

use crate::base::printable;
use crate::cli::files::inputs;
use crate::cli::terminal::CliError;
use crate::problem::input::Entry;
use crate::problem::olv::documents;

/// Opens the output: the file, or standard output. ANSI styles are removed unless `color` allows them; in a file only
/// `--color always` does.
///
/// A file is created or emptied here, so inputs must be open already, and [`written`](super::written) must have
/// compared them with it.
///
/// # Errors
/// The file cannot be created, or another run is writing to it.
pub(crate) fn open(output: Option<&Path>, color: anstream::ColorChoice) -> Result<Box<dyn Write + Send>, CliError> {
    let Some(path) = output.filter(|path| !inputs::is_stdin(path)) else {
        return Ok(Box::new(anstream::AutoStream::new(io::stdout(), color)));
    };
    let color = if color == anstream::ColorChoice::Auto { anstream::ColorChoice::Never } else { color };
    Ok(Box::new(anstream::AutoStream::new(emptied(path)?, color)))
}

/// Writes a text without ANSI styles to the output.
pub(crate) fn write(output: Option<&Path>, text: &str) -> Result<(), CliError> {
    let mut out = open(output, anstream::ColorChoice::Never)?;
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// [`open`] for an output from which nothing is to be removed, unless it goes to a terminal: bytes that are copied from
/// an input, or JSON, which has no styles.
pub(crate) fn open_exact(output: Option<&Path>) -> Result<Box<dyn Write + Send>, CliError> {
    match output.filter(|path| !inputs::is_stdin(path)) {
        Some(path) => Ok(Box::new(emptied(path)?)),
        None if io::stdout().is_terminal() => open(None, anstream::ColorChoice::Never),
        None => Ok(Box::new(io::stdout())),
    }
}

/// Creates or empties a file.
fn emptied(path: &Path) -> Result<File, CliError> {
    let file = lock(path)?;
    if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        file.set_len(0).map_err(|error| unwritable(path, &error.to_string()))?;
    }
    Ok(file)
}

/// Opens a file for writing as it is, or creates it. Until it is closed, no other run can open it.
///
/// # Errors
/// Another run is writing to it, or it cannot be opened.
pub(crate) fn lock(path: &Path) -> Result<File, CliError> {
    let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
    // A terminal or a pipe may refuse to be read.
    let file = file.or_else(|_| File::options().write(true).open(path));
    let file = file.map_err(|error| unwritable(path, &error.to_string()))?;
    // Devices are shared by all programs. A file system without locks is used without them.
    let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
    match file.try_lock() {
        Err(TryLockError::WouldBlock) if is_file => {
            Err(unwritable(path, "another run is writing to it; wait for its end, or name another file"))
        }
        _ => Ok(file),
    }
}

/// Returns the error for a file that cannot be written.
pub(crate) fn unwritable(path: &Path, why: &str) -> CliError {
    CliError::Usage(format!("{} cannot be written: {why}", path.display()))
}

/// The state of writing collections again: how much of them is written.
#[derive(Debug)]
pub(crate) struct Rewriting {
    /// Whether every byte is written, also one that changes what a terminal shows.
    is_exact: bool,
    /// The index of the file whose bytes were written last.
    file: Option<usize>,
    /// Whether the last byte ends a line.
    ends_line: bool,
}

impl Rewriting {
    pub(crate) fn new(is_exact: bool) -> Rewriting {
        Rewriting { is_exact, file: None, ends_line: false }
    }

    /// Writes an entry again with what stands before it. `text` is its new text; `None`: it stays as it is.
    pub(crate) fn entry(&mut self, entry: &Entry, text: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
        let text = text.map(|text| encoded(text, entry.is_latin1));
        let source = entry.source.as_deref().or(entry.olv.as_ref().map(|olv| olv.source().as_bytes()));
        let text = text.as_deref().or(source).unwrap_or_default();
        let [before, text] = [&entry.before[..], text]
            .map(|bytes| if self.is_exact { Cow::Borrowed(bytes) } else { printable::bytes(bytes) });
        self.write(out, entry.file, &before, &text)
    }

    /// Writes the bytes before an entry of a file, and its text. If another file was written before, a line break and
    /// a separator are added where the files have none.
    fn write(&mut self, out: &mut dyn Write, file: usize, before: &[u8], text: &[u8]) -> io::Result<()> {
        let is_joint = self.file.is_some_and(|last| last != file);
        if before.is_empty() && text.is_empty() {
            return Ok(());
        }
        if is_joint && !self.ends_line {
            out.write_all(b"\n")?;
        }
        if is_joint {
            out.write_all(documents::joint(before))?;
        }
        out.write_all(before)?;
        out.write_all(text)?;
        self.file = Some(file);
        self.ends_line = text.last().or(before.last()) == Some(&b'\n');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_divided_by_separators_and_nothing_else_is_added() {
        let mut written = Vec::new();
        let mut rewriting = Rewriting::new(true);
        for (file, before, text) in [
            (0, "# start\n---\n", "a: 1\n"),
            (0, "--- # b\n", "b: 2"),
            (0, "", ""),
            (1, "", "c: 3\n"),
            (2, "%YAML 1.2\n---", " {d: 4}\n"),
            (3, "# e\n---\n", "e: 5\n"),
        ] {
            rewriting.write(&mut written, file, before.as_bytes(), text.as_bytes()).unwrap();
        }
        let expected = "# start\n---\na: 1\n--- # b\nb: 2\n---\nc: 3\n...\n%YAML 1.2\n--- {d: 4}\n# e\n---\ne: 5\n";
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }
}
