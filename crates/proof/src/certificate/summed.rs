//! The lines of a certificate with their checksum. The last line (the seal) states their number and the checksum.

use std::io::BufRead;

use matesolve_terms::lines::Lines;

use super::CertificateError;
use super::format::{Crc, number};

/// The longest line that is read, in bytes. A line with all the moves of a board full of queens is shorter.
const LONGEST_LINE: usize = (1 << 16) - 1;

/// Reads the lines of a certificate, and sums them.
pub(super) struct SummedLines<R> {
    lines: Lines<R>,
    /// The number of bytes before the last line that was read, and after it.
    bytes: usize,
    read: usize,
    /// The checksums of these bytes.
    before: Crc,
    crc: Crc,
}

impl<R: BufRead> SummedLines<R> {
    pub(super) fn new(input: R) -> SummedLines<R> {
        let lines = Lines::new(input, LONGEST_LINE);
        SummedLines { lines, bytes: 0, read: 0, before: Crc::default(), crc: Crc::default() }
    }

    /// Returns the next line, without its line feed; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<&str>, CertificateError> {
        self.bytes = self.read;
        self.before = self.crc.clone();
        let read = self.lines.next_seen(|part| {
            self.read += part.len();
            self.crc.add(part);
        });
        let Some(line) = read.map_err(CertificateError::Unreadable)? else { return Ok(None) };
        if line.is_cut {
            let why = "begins a line that is too long for any position";
            return Err(CertificateError::node(line.number, &String::from_utf8_lossy(line.bytes), why));
        }
        if !line.is_ended {
            return Err(CertificateError::Cut);
        }
        let text = std::str::from_utf8(&line.bytes[..line.bytes.len() - 1]);
        text.map(Some).map_err(|error| CertificateError::NotText { byte: self.bytes + error.valid_up_to() })
    }

    /// Returns the number of the last line that was read, from 1.
    pub(super) fn number(&self) -> usize {
        self.lines.number()
    }

    /// Checks the last line, of which this follows its first word, and that the file ends with it.
    pub(super) fn check_seal(&mut self, seal: &str) -> Result<(), CertificateError> {
        let before = self.lines.number() - 1;
        let (count, stated) = seal.split_once(' ').ok_or(CertificateError::Cut)?;
        let stated_lines = number(count).ok_or(CertificateError::Cut)?;
        if before != stated_lines {
            return Err(CertificateError::Count { stated: stated_lines, found: before });
        }
        let computed = self.before.to_string();
        if stated != computed {
            return Err(CertificateError::Checksum { stated: stated.chars().take(40).collect(), computed });
        }
        match self.next()? {
            None => Ok(()),
            Some(_) => Err(CertificateError::AfterEnd),
        }
    }
}
