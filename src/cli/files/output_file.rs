//! `-o FILE`: the place where results are written.

use std::fs::{File, TryLockError};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::cli::files::inputs;
use crate::cli::terminal::messages::CliError;

/// Opens the output: the file, or standard output. ANSI styles are removed unless `color` allows them; in a file only
/// `--color always` does.
///
/// A file is created or emptied here, so inputs must be open already, and [`check`] must have compared them with it.
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

/// [`open`] for an output whose bytes are copied from an input: nothing is removed from them, unless they go to a
/// terminal.
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

/// Checks before the search that the outputs of a command can be created, and that writing them loses nothing: no
/// output is an input, and no two are the same file. A file is recognised under all its names (links, `-` for standard
/// input). Paths that are `-` are outputs to standard output.
pub(crate) fn check(outputs: &[Option<&Path>], inputs: &[PathBuf]) -> Result<(), CliError> {
    let outputs: Vec<&Path> = outputs.iter().copied().flatten().filter(|path| !inputs::is_stdin(path)).collect();
    for (at, path) in outputs.iter().enumerate() {
        check_path(path)?;
        if inputs.iter().any(|input| is_same_file(path, input)) {
            return Err(unwritable(path, "it is also an input; name another file"));
        }
        if outputs[..at].iter().any(|other| is_same_file(path, other)) {
            return Err(unwritable(path, "it is also another output; name another file"));
        }
    }
    let stdout = Handle::stdout().ok().filter(is_regular);
    if stdout.is_some_and(|stdout| inputs.iter().any(|input| handle(input).is_some_and(|input| input == stdout))) {
        let why = "standard output cannot be written: it is also an input; write to another file";
        return Err(CliError::Usage(why.to_owned()));
    }
    Ok(())
}

/// Returns whether an output is the same file as another path, which may be standard input.
fn is_same_file(output: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    match (handle(output), handle(other)) {
        (Some(output), Some(other)) => output == other,
        // One of them is not there yet.
        _ => !inputs::is_stdin(other) && place(output).is_some_and(|output| place(other) == Some(output)),
    }
}

/// Returns a file by its device and its number, if there is one on a disk. Terminals and pipes lose nothing.
fn handle(path: &Path) -> Option<Handle> {
    let handle = if inputs::is_stdin(path) { Handle::stdin() } else { Handle::from_path(path) };
    handle.ok().filter(is_regular)
}

fn is_regular(handle: &Handle) -> bool {
    handle.as_file().metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Checks that a file can be created at this path.
fn check_path(path: &Path) -> Result<(), CliError> {
    let unwritable = |why: &str| unwritable(path, why);
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
pub(crate) fn unwritable(path: &Path, why: &str) -> CliError {
    unwritable_as("", path, why)
}

/// Returns the error for a file that cannot be written. `what` is written before the path.
pub(crate) fn unwritable_as(what: &str, path: &Path, why: &str) -> CliError {
    CliError::Usage(format!("{what}{} cannot be written: {why}", path.display()))
}
