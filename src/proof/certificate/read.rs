//! Reads a certificate line by line, and checks what needs no chess: the header, and the seal in the last line.

use std::io::BufRead;

use super::format::{END, HEADER_LINES, Header, TITLE};
use super::replay::{Proved, Replay};
use super::summed::SummedLines;
use super::{CertificateError, version1};

/// Reads a certificate of any version and replays its proof. `keeps_tree`: the tree of the proof is wanted, which may
/// be large.
pub(super) fn read(input: impl BufRead, keeps_tree: bool) -> Result<(Header, Proved), CertificateError> {
    let mut lines = SummedLines::new(input);
    match lines.next() {
        Ok(Some(TITLE)) => read_version2(lines, keeps_tree),
        Ok(Some(title)) if title.strip_suffix('\r').unwrap_or(title) == version1::TITLE => version1::read(lines),
        Err(CertificateError::Unreadable(error)) => Err(CertificateError::Unreadable(error)),
        _ => Err(CertificateError::Title),
    }
}

/// Reads what follows the first line of version 2.
fn read_version2(mut lines: SummedLines<impl BufRead>, keeps_tree: bool) -> Result<(Header, Proved), CertificateError> {
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
            Some((_, replay)) => replay.line(lines.number(), &line),
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

#[cfg(test)]
mod tests {
    use super::super::format::Crc;
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
