//! Opens the input files of the commands, names them in messages, and recognises `.olv` collections.
//!
//! The path `-` means standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::messages::CliError;

/// Returns the name of an input as messages show it.
pub(super) fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens an input. Commands open all inputs before they search, so that a mistyped name is reported at once.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read + Send>, CliError> {
    if is_stdin(path) {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path).map_err(|error| unreadable(path, &error.to_string()))?;
    let metadata = file.metadata().map_err(|error| unreadable(path, &error.to_string()))?;
    if metadata.is_dir() {
        return Err(unreadable(path, "it is a directory; name the files in it"));
    }
    Ok(Box::new(file))
}

/// Reads a whole input.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|error| unreadable(path, &error.to_string()))?;
    Ok(bytes)
}

/// Returns whether the file extension is one of `.olv` collections.
pub(super) fn is_collection(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["olv", "yaml", "yml"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Returns whether the path means standard input.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn unreadable(path: &Path, why: &str) -> CliError {
    CliError::Usage(format!("{} cannot be read: {why}", name(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_are_recognised_by_their_extension() {
        for (path, expected) in
            [("my.olv", true), ("a/b.YAML", true), ("x.yml", true), ("x.epd", false), ("olv", false)]
        {
            assert_eq!(is_collection(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_dash_is_named_standard_input() {
        assert_eq!(name(Path::new("-")), "standard input");
        assert_eq!(name(Path::new("a/b.epd")), "a/b.epd");
    }
}
