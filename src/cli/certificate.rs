//! `--certificate FILE`: the proof of the mate that was found, as a file.
//!
//! The file is made in memory first and written in one go. An existing file is replaced, but only when there is a mate to
//! certify.

use std::path::Path;

use crate::proof::Certificate;
use crate::solve::Solved;

use super::{Failure, complain};

/// What became of the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// It is in its file.
    Yes,
    /// There is no mate to certify.
    NoMate,
    /// The proof did not pass the check of its certificate.
    Refused,
}

/// Looks before anything is solved, so that a mistyped folder does not come up after an hour.
pub(super) fn can_be_written(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return Err(unwritable(path, "it is a directory; name a file in it"));
    }
    if !folder.is_dir() {
        return Err(unwritable(path, &format!("there is no directory {}", folder.display())));
    }
    Ok(())
}

fn unwritable(path: &Path, why: &str) -> Failure {
    Failure::Usage(format!("the certificate {} cannot be written: {why}", path.display()))
}

/// Writes the certificate of a mate.
pub(super) fn write(path: &Path, solved: &Solved) -> Result<Written, Failure> {
    // An invalid position has been complained of already.
    let Some(fen) = &solved.solution.fen else { return Ok(Written::NoMate) };
    let Some(proof) = &solved.proof else {
        complain(&format!("matesolve: {} is not written: there is no mate to certify", path.display()));
        return Ok(Written::NoMate);
    };
    let certificate = match Certificate::new(fen, proof) {
        Ok(certificate) => certificate,
        Err(error) => {
            complain(&format!("matesolve: {} is not written: {error}; please report this position", path.display()));
            return Ok(Written::Refused);
        }
    };
    let mut bytes = Vec::new();
    let written = certificate.write(&mut bytes).and_then(|()| std::fs::write(path, bytes));
    written.map_err(|error| unwritable(path, &error.to_string()))?;
    Ok(Written::Yes)
}
