//! `-o FILE`: the place where results are written.

use std::fs::{File, TryLockError};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use super::inputs;
use super::messages::CliError;

/// Opens the output: the file, or standard output. ANSI styles are removed unless `color` allows them; in a file only
/// `--color always` does.
///
/// A file is created or emptied here, so inputs must be open already. `inputs` are their paths.
///
/// # Errors
/// The file cannot be created, it is one of the inputs, or another run is writing to it.
pub(super) fn open(
    output: Option<&Path>,
    inputs: &[PathBuf],
    color: anstream::ColorChoice,
) -> Result<Box<dyn Write + Send>, CliError> {
    let Some(path) = output.filter(|path| !inputs::is_stdin(path)) else {
        return Ok(Box::new(anstream::AutoStream::new(io::stdout(), color)));
    };
    let color = if color == anstream::ColorChoice::Auto { anstream::ColorChoice::Never } else { color };
    Ok(Box::new(anstream::AutoStream::new(emptied(path, inputs)?, color)))
}

/// [`open`] for an output whose bytes are copied from an input: nothing is removed from them, unless they go to a
/// terminal.
pub(super) fn open_exact(output: Option<&Path>, inputs: &[PathBuf]) -> Result<Box<dyn Write + Send>, CliError> {
    match output.filter(|path| !inputs::is_stdin(path)) {
        Some(path) => Ok(Box::new(emptied(path, inputs)?)),
        None if io::stdout().is_terminal() => open(None, inputs, anstream::ColorChoice::Never),
        None => Ok(Box::new(io::stdout())),
    }
}

/// Creates or empties a file that is no input.
fn emptied(path: &Path, inputs: &[PathBuf]) -> Result<File, CliError> {
    let same = |input: &PathBuf| path.canonicalize().is_ok_and(|path| input.canonicalize().is_ok_and(|it| it == path));
    if inputs.iter().any(same) {
        return Err(unwritable(path, "it is also an input; name another file"));
    }
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
pub(super) fn lock(path: &Path) -> Result<File, CliError> {
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

/// Checks before the search that the file can be created, so that a mistyped folder is reported at once.
pub(super) fn check(output: Option<&Path>) -> Result<(), CliError> {
    output.filter(|path| !inputs::is_stdin(path)).map_or(Ok(()), |path| check_path(path, ""))
}

/// Checks that a file can be created at this path. `what` is written before the path in the error.
pub(super) fn check_path(path: &Path, what: &str) -> Result<(), CliError> {
    let unwritable = |why: &str| unwritable_as(what, path, why);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return Err(unwritable("it is a directory; name a file in it"));
    }
    if !folder.is_dir() {
        return Err(unwritable(&format!("there is no directory {}", folder.display())));
    }
    Ok(())
}

/// Returns the error for a file that cannot be written.
pub(super) fn unwritable(path: &Path, why: &str) -> CliError {
    unwritable_as("", path, why)
}

/// Returns the error for a file that cannot be written. `what` is written before the path.
pub(super) fn unwritable_as(what: &str, path: &Path, why: &str) -> CliError {
    CliError::Usage(format!("{what}{} cannot be written: {why}", path.display()))
}
