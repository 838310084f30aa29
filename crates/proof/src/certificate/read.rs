//! Reads a certificate line by line: the header, the sections that its claims ask for, and the last line.

use std::collections::VecDeque;
use std::io::BufRead;

use matesolve_terms::MateLength;

use super::claims::{Claims, Section, VerdictWord};
use super::format::{END, PROOF, TITLE, number};
use super::header::Header;
use super::refuted::Refutation;
use super::replay::Replay;
use super::summed::SummedLines;
use super::{CertificateError, Proved};

/// Reads a certificate and replays its proof. `keeps_tree`: the tree of the proof is wanted, which may be large.
pub(super) fn read(input: impl BufRead, keeps_tree: bool) -> Result<(Header, Proved), CertificateError> {
    let mut lines = SummedLines::new(input);
    match lines.next() {
        Ok(Some(TITLE)) => {}
        Err(CertificateError::Unreadable(error)) => return Err(CertificateError::Unreadable(error)),
        _ => return Err(CertificateError::Title),
    }
    let mut reader = Reader { keeps_tree, header: Vec::new(), sections: None };
    // Damage is reported as damage, so the whole text is read before the fault of a line counts.
    let mut fault = None;
    loop {
        let line = lines.next()?.ok_or(CertificateError::Cut)?;
        if let Some(seal) = line.strip_prefix(END) {
            let seal = seal.to_owned();
            lines.check_seal(&seal)?;
            break;
        }
        if fault.is_none() {
            let line = line.to_owned();
            fault = reader.line(lines.number(), &line).err();
        }
    }
    fault.map_or(Ok(()), Err)?;
    reader.finish()
}

/// The lines before the first section, and from then on the sections.
struct Reader {
    keeps_tree: bool,
    header: Vec<String>,
    sections: Option<(Header, Sections)>,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) -> Result<(), CertificateError> {
        if let Some((_, sections)) = &mut self.sections {
            return sections.line(number, line);
        }
        if !line.starts_with(PROOF) {
            self.header.push(line.to_owned());
            return Ok(());
        }
        let (header, root) = Header::read(&self.header)?;
        let (attacker, goal, exclusive) = (header.attacker, header.goal, header.exclusive.clone());
        let mut sections = Sections {
            expected: header.claims.sections(header.moves, header.goal.exact).into(),
            solutions: Replay::new(root.clone(), attacker, goal, exclusive.clone(), self.keeps_tree),
            refutations: Refutation::new(root, attacker, goal, exclusive),
            current: None,
            shortest: MateLength::MAX,
        };
        let begun = sections.line(number, line);
        self.sections = Some((header, sections));
        begun
    }

    fn finish(self) -> Result<(Header, Proved), CertificateError> {
        // The first line that is missing in a header that is cut is named.
        let Some((header, mut sections)) = self.sections else {
            Header::read(&self.header)?;
            return Err(CertificateError::Unfinished);
        };
        sections.end()?;
        if !sections.expected.is_empty() {
            return Err(CertificateError::Unfinished);
        }
        let is_short = matches!(header.claims, Claims::Verdict { word: VerdictWord::Short, .. });
        if is_short && sections.shortest >= header.moves {
            return Err(CertificateError::NotShort);
        }
        let Sections { solutions, refutations, .. } = sections;
        let (positions, refuted) = (solutions.positions, refutations.positions);
        Ok((header, Proved { positions, refuted, tree: solutions.into_tree() }))
    }
}

/// The sections of a proof while they are read.
struct Sections {
    /// Those that are still to come.
    expected: VecDeque<Section>,
    solutions: Replay,
    refutations: Refutation,
    /// The section that is read, with the number of moves that it states.
    current: Option<Section>,
    /// The length of the shortest solution so far.
    shortest: MateLength,
}

impl Sections {
    fn line(&mut self, number: usize, line: &str) -> Result<(), CertificateError> {
        if line.starts_with(PROOF) {
            self.end()?;
            return self.begin(number, line);
        }
        match self.current {
            Some(Section::Nothing { .. }) => self.refutations.line(number, line),
            _ => self.solutions.line(number, line),
        }
    }

    /// Begins a section with this title.
    fn begin(&mut self, number: usize, title: &str) -> Result<(), CertificateError> {
        let Some(mut section) = self.expected.pop_front() else {
            return Err(CertificateError::node(number, title, "begins a section that the claims do not ask for"));
        };
        if let Section::Solved { moves, or_fewer: true, .. } = &mut section {
            let stated = title.strip_prefix("proof solved in ").and_then(self::number).map(MateLength);
            *moves = stated.filter(|stated| stated <= moves).unwrap_or(*moves);
        }
        if section.title() != title {
            return Err(CertificateError::Section { line: number, expected: section.title() });
        }
        match &section {
            Section::Solved { .. } => self.solutions.begin(),
            Section::Nothing { moves, left_out } => self.refutations.begin(number, *moves, left_out.clone())?,
        }
        self.current = Some(section);
        Ok(())
    }

    /// Ends the current section, if there is one.
    fn end(&mut self) -> Result<(), CertificateError> {
        match self.current.take() {
            None => Ok(()),
            Some(Section::Nothing { .. }) => self.refutations.end(),
            Some(Section::Solved { moves: claimed, first, .. }) => {
                let (proved, begins_with) = self.solutions.end()?;
                if proved != claimed {
                    return Err(CertificateError::Length { claimed, proved });
                }
                if first.is_some() && first != begins_with {
                    return Err(CertificateError::OtherKey);
                }
                self.shortest = self.shortest.min(proved);
                Ok(())
            }
        }
    }
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
        assert!(error("matesolve certificate 1\nfen x\n").starts_with("not a certificate"));
        assert!(error(&format!("{TITLE}\nend 2 00000000\n")).starts_with("the certificate states 2 lines, but there"));
        assert!(error(&format!("{TITLE}\nend 1 00000000\n")).starts_with("the certificate was altered or damaged"));
        let mut crc = Crc::default();
        crc.add(format!("{TITLE}\n").as_bytes());
        assert!(error(&format!("{TITLE}\nend 1 {crc}\n")).starts_with("line 2 of the certificate must be \"position"));
        assert!(error(&format!("{TITLE}\nend 1 {crc}\n\n")).starts_with("the certificate goes on after"));
    }

    #[test]
    fn an_error_of_the_input_is_passed_on() {
        let broken = io::BufReader::new(io::Read::chain(TITLE.as_bytes(), Broken));
        assert!(matches!(read(broken, false).err(), Some(CertificateError::Unreadable(_))));
    }

    /// An input that cannot be read.
    struct Broken;

    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}
