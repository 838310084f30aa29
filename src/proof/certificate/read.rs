//! Reads a certificate line by line, and checks what needs no chess: the header, and the seal in the last line.

use std::io::{BufRead, Read as _};

use super::format::{Crc, END, HEADER_LINES, Header, TITLE, number};
use super::replay::{Proved, Replay};
use super::{CertificateError, version1};

/// The longest line that is read, in bytes. A line with all the moves of a board full of queens is shorter.
const LONGEST_LINE: u64 = 1 << 16;

/// Reads a certificate of any version and replays its proof. `keeps_tree`: the tree of the proof is wanted, which may
/// be large.
pub(super) fn read(input: impl BufRead, keeps_tree: bool) -> Result<(Header, Proved), CertificateError> {
    let mut lines = Lines { input, line: Vec::new(), number: 0, bytes: 0, crc: Crc::default() };
    // A file that breaks off in its first line may still show that it was a certificate.
    match lines.next() {
        Ok(Some(TITLE)) => read_version2(lines, keeps_tree),
        Ok(Some(version1::TITLE | version1::TITLE_CRLF)) => version1::read(lines.input),
        Err(CertificateError::Unreadable(error)) => Err(CertificateError::Unreadable(error)),
        _ => Err(CertificateError::Title),
    }
}

/// Reads what follows the first line of version 2.
fn read_version2(mut lines: Lines<impl BufRead>, keeps_tree: bool) -> Result<(Header, Proved), CertificateError> {
    let mut header = Vec::new();
    let mut replay: Option<(Header, Replay)> = None;
    // Damage is reported as damage, so the whole text is read before the fault of a line counts.
    let mut fault = None;
    loop {
        let line = lines.next()?.ok_or(CertificateError::Cut)?;
        if let Some(seal) = line.strip_prefix(END) {
            let seal = seal.to_owned();
            lines.check_seal(&seal)?;
            break;
        }
        let line = line.to_owned();
        let read = match &mut replay {
            _ if fault.is_some() => continue,
            Some((_, replay)) => replay.line(lines.number, &line),
            None => {
                header.push(line);
                if header.len() < HEADER_LINES - 1 {
                    continue;
                }
                Header::read(&header).map(|(header, root)| {
                    let started = Replay::new(root, header.attacker, header.goal, keeps_tree);
                    replay = Some((header, started));
                })
            }
        };
        fault = read.err();
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    // A header that is complete has been read. The first line that is missing is the fault of another.
    let Some((header, replay)) = replay else { return Err(CertificateError::Unfinished) };
    Ok((header, replay.finish()?))
}

/// Reads the lines of a certificate, and sums them.
struct Lines<R> {
    input: R,
    line: Vec<u8>,
    /// The number of lines read so far.
    number: usize,
    /// The number of bytes before the last line that was read.
    bytes: usize,
    /// The checksum of these bytes.
    crc: Crc,
}

impl<R: BufRead> Lines<R> {
    /// Returns the next line, without its line feed; `None` at the end of the file.
    fn next(&mut self) -> Result<Option<&str>, CertificateError> {
        self.crc.add(&self.line);
        self.bytes += self.line.len();
        self.line.clear();
        let mut bounded = (&mut self.input).take(LONGEST_LINE);
        bounded.read_until(b'\n', &mut self.line).map_err(CertificateError::Unreadable)?;
        if self.line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let Some(line) = self.line.strip_suffix(b"\n") else {
            let is_cut = (self.line.len() as u64) < LONGEST_LINE;
            return Err(if is_cut { CertificateError::Cut } else { self.too_long() });
        };
        let line = std::str::from_utf8(line);
        line.map(Some).map_err(|error| CertificateError::NotText { byte: self.bytes + error.valid_up_to() })
    }

    fn too_long(&self) -> CertificateError {
        let part = String::from_utf8_lossy(&self.line).chars().take(40).collect();
        let why = "begins a line that is too long for any position";
        CertificateError::Node { line: self.number, part, why }
    }

    /// Checks the last line, of which this follows its first word, and that the file ends with it.
    fn check_seal(&mut self, seal: &str) -> Result<(), CertificateError> {
        let before = self.number - 1;
        let (count, stated) = seal.split_once(' ').ok_or(CertificateError::Cut)?;
        let stated_lines = number(count).ok_or(CertificateError::Cut)?;
        if before != stated_lines {
            return Err(CertificateError::Count { stated: stated_lines, found: before });
        }
        let computed = self.crc.to_string();
        if stated != computed {
            return Err(CertificateError::Checksum { stated: stated.chars().take(40).collect(), computed });
        }
        match self.next()? {
            None => Ok(()),
            Some(_) => Err(CertificateError::AfterEnd),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn error(text: &str) -> String {
        read(text.as_bytes(), false).unwrap_err().to_string()
    }

    #[test]
    fn long_lines_are_quoted_cut() {
        let header = "position x\nstipulation x\nclaim x\nproof x";
        let text = format!("{TITLE}\n{header}\n{}\n", "é".repeat(1 << 20));
        let expected = format!("line 6 of the certificate: \"{}\" begins a line that is too long", "é".repeat(40));
        assert!(error(&text).starts_with(&expected), "{}", error(&text));
        let stated = format!("{TITLE}\nend 1 {}\n", "x".repeat(60_000));
        assert!(error(&stated).len() < 200, "{}", error(&stated));
    }

    #[test]
    fn a_file_that_does_not_end_with_its_seal_is_cut() {
        for rest in ["", "position", "position x\n", "end", "end 1", "end 1 ", "end 1\n", "end one 00000000\n"] {
            assert!(error(&format!("{TITLE}\n{rest}")).starts_with("the certificate is cut off"), "{rest}");
        }
        assert!(error(TITLE).starts_with("not a certificate"));
        assert!(error(&format!("{TITLE}\nend 2 00000000\n")).starts_with("the certificate states 2 lines, but there"));
        assert!(error(&format!("{TITLE}\nend 1 00000000\n")).starts_with("the certificate was altered or damaged"));
        let mut crc = Crc::default();
        crc.add(format!("{TITLE}\n").as_bytes());
        assert!(error(&format!("{TITLE}\nend 1 {crc}\n")).starts_with("the certificate ends before"));
        assert!(error(&format!("{TITLE}\nend 1 {crc}\n\n")).starts_with("the certificate goes on after"));
    }

    #[test]
    fn an_error_of_the_input_is_passed_on() {
        for title in [TITLE, version1::TITLE] {
            let broken = io::BufReader::new(io::Read::chain(title.as_bytes(), Broken));
            assert!(matches!(read(broken, false).err(), Some(CertificateError::Unreadable(_))));
        }
    }

    /// An input that cannot be read.
    struct Broken;

    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}
