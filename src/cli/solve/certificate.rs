//! `--certificate FILE`: writes the proof of the mate to a file.
//!
//! The certificate is built in memory and then written in one call, compressed if the file's name ends in `.gz`. An
//! existing file is replaced only if there is a mate to certify.

use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::chess::Goal;
use crate::proof::Certificate;
use crate::solve::Solved;

use crate::cli::files::output_file;
use crate::cli::terminal::messages::{CliError, print_message};

/// The words before the path in an error.
const WHAT: &str = "the certificate ";

/// The result of writing a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteOutcome {
    /// The file was written.
    Written,
    /// There is no mate to certify, so no file was written.
    NoMate,
    /// The proof failed the check that every certificate must pass, so no file was written.
    ProofRejected,
}

/// Writes the certificate of the mate that was found, if any.
pub(crate) fn write(path: &Path, solved: &Solved) -> Result<WriteOutcome, CliError> {
    // Without a FEN the position is invalid, and its error has already been printed.
    let Some(fen) = &solved.solution.fen else { return Ok(WriteOutcome::NoMate) };
    let Some(proof) = &solved.proof else {
        let question = solved.solution.stipulation;
        let what = question.map_or(Goal::MATE, |question| question.stipulation.goal()).noun();
        print_message(&format!("matesolve: {} is not written: there is no {what} to certify", path.display()));
        return Ok(WriteOutcome::NoMate);
    };
    let certificate = match Certificate::new(fen, proof) {
        Ok(certificate) => certificate,
        Err(error) => {
            print_message(&format!(
                "matesolve: {} is not written: {error}; please report this position",
                path.display()
            ));
            return Ok(WriteOutcome::ProofRejected);
        }
    };
    let bytes = if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
        certificate.write(&mut compressed).and_then(|()| compressed.finish())
    } else {
        let mut bytes = Vec::new();
        certificate.write(&mut bytes).map(|()| bytes)
    };
    let written = bytes.and_then(|bytes| std::fs::write(path, bytes));
    written.map_err(|error| output_file::unwritable_as(WHAT, path, &error.to_string()))?;
    Ok(WriteOutcome::Written)
}
