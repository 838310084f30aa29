//! `--certificate FILE`: writes certificates to files, compressed if the file's name ends in `.gz`.
//!
//! A certificate is first written to a file with `.part` after its name, and renamed when it is complete. So a run that
//! is interrupted, or a disk that is full, leaves no file that looks whole, and an older certificate stays. A pipe or a
//! device is written to directly.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::certify::{CertifyError, CertifyRequest, Progress};
use crate::output::text::grouped;
use crate::proof::Verified;

use crate::cli::files::written;
use crate::cli::terminal::{CliError, Exit, Interrupt, ProgressLine, print_message};

/// Makes a certificate and writes it. Meanwhile, shows progress. Returns an exit code if the program failed; why there
/// is no certificate is printed.
pub(crate) fn make(
    path: &Path,
    request: Result<CertifyRequest, CertifyError>,
    proof: Option<&Verified>,
    interrupt: &Interrupt,
    quiet: bool,
) -> Result<Option<Exit>, CliError> {
    write(path, |out| {
        let progress = ProgressLine::new(quiet, false);
        let mut show = |Progress { lines, estimate }| {
            let (lines, estimate) = (grouped(lines as u64), grouped(estimate));
            progress.show(format!("certificate: {lines} lines, at most about {estimate}"));
        };
        let made = request?.write(proof, out, interrupt.stop_flag(), &mut show);
        progress.remove();
        made.map(|_| ())
    })
}

/// Writes a certificate with this function, which gets the file.
pub(crate) fn write(
    path: &Path,
    make: impl FnOnce(&mut dyn Write) -> Result<(), CertifyError>,
) -> Result<Option<Exit>, CliError> {
    match make_file(path, make) {
        Ok(()) => Ok(None),
        Err(CertifyError::Unwritten(error)) => {
            Err(CliError::Usage(format!("the certificate {} cannot be written: {error}", path.display())))
        }
        Err(why) => {
            print_message(&format!("matesolve: {} is not written: {why}", path.display()));
            Ok(matches!(why, CertifyError::Failed(_)).then_some(Exit::Failed))
        }
    }
}

fn make_file(path: &Path, make: impl FnOnce(&mut dyn Write) -> Result<(), CertifyError>) -> Result<(), CertifyError> {
    // A pipe or a device cannot be replaced.
    let is_file = fs::metadata(path).map_or(true, |metadata| metadata.is_file());
    let part = if is_file { written::part_of(path) } else { path.to_owned() };
    let result = make_in(&part, path, make);
    if is_file {
        match &result {
            Ok(()) => fs::rename(&part, written::target(path))?,
            Err(_) => drop(fs::remove_file(&part)),
        }
    }
    result
}

fn make_in(
    file: &Path,
    named: &Path,
    make: impl FnOnce(&mut dyn Write) -> Result<(), CertifyError>,
) -> Result<(), CertifyError> {
    let mut out = BufWriter::with_capacity(1 << 16, Lazily { path: file, file: None });
    if named.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        let mut compressed = GzEncoder::new(out, Compression::default());
        make(&mut compressed)?;
        out = compressed.finish()?;
    } else {
        make(&mut out)?;
    }
    Ok(out.flush()?)
}

/// A file that is created when something is written.
struct Lazily<'p> {
    path: &'p Path,
    file: Option<File>,
}

impl Write for Lazily<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_none() {
            self.file = Some(File::create(self.path)?);
        }
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_complete_leaves_no_file_and_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mate.cert");
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let cut = |out: &mut dyn Write| {
            out.write_all(&vec![b'x'; 1 << 20])?;
            Err(CertifyError::Stopped)
        };
        assert!(write(&path, cut).unwrap().is_none() && names() == 0);
        let whole = |out: &mut dyn Write| Ok(out.write_all(b"whole")?);
        assert!(write(&path, whole).unwrap().is_none());
        assert!(write(&path, cut).unwrap().is_none());
        assert_eq!((fs::read(&path).unwrap().as_slice(), names()), (&b"whole"[..], 1));
        assert_eq!(write(&path, |_| Err(CertifyError::Failed("x".to_owned()))).unwrap(), Some(Exit::Failed));
        assert!(write(&folder.path().join("no/such.cert"), whole).is_err());
    }
}
