//! `-o FILE`: the place where results are written.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::inputs;
use super::messages::CliError;

/// Opens the output: the file, or standard output. ANSI styles are removed unless `color` allows them; in a file only
/// `--color always` does.
///
/// A file is created or emptied here, so inputs must be open already. `inputs` are their paths.
///
/// # Errors
/// The file cannot be created, or it is one of the inputs.
pub(super) fn open(
    output: Option<&Path>,
    inputs: &[PathBuf],
    color: anstream::ColorChoice,
) -> Result<Box<dyn Write + Send>, CliError> {
    let Some(path) = output.filter(|path| !inputs::is_stdin(path)) else {
        return Ok(Box::new(anstream::AutoStream::new(io::stdout(), color)));
    };
    let same = |input: &PathBuf| path.canonicalize().is_ok_and(|path| input.canonicalize().is_ok_and(|it| it == path));
    if inputs.iter().any(same) {
        return Err(unwritable(&path.display().to_string(), "it is also an input; name another file"));
    }
    let file = File::create(path).map_err(|error| unwritable(&path.display().to_string(), &error.to_string()))?;
    let color = if color == anstream::ColorChoice::Auto { anstream::ColorChoice::Never } else { color };
    Ok(Box::new(anstream::AutoStream::new(file, color)))
}

/// Checks before the search that the file can be created, so that a mistyped folder is reported at once.
pub(super) fn check(output: Option<&Path>) -> Result<(), CliError> {
    output.filter(|path| !inputs::is_stdin(path)).map_or(Ok(()), |path| check_path(path, ""))
}

/// Checks that a file can be created at this path. `what` is written before the path in the error.
pub(super) fn check_path(path: &Path, what: &str) -> Result<(), CliError> {
    let unwritable = |why: &str| unwritable(&format!("{what}{}", path.display()), why);
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
pub(super) fn unwritable(file: &str, why: &str) -> CliError {
    CliError::Usage(format!("{file} cannot be written: {why}"))
}
