//! The errors of making, reading and verifying a certificate, as sentences for the user.

use std::fmt;

use matesolve_terms::MateLength;
use matesolve_terms::printable::excerpt;

use super::format::TITLE;
use crate::ProofError;

/// The reason why a certificate cannot be made or read, or does not pass the check.
#[derive(Debug)]
pub enum CertificateError {
    /// The first line is not the title of a certificate.
    Title,
    /// The file is not UTF-8 text.
    NotText {
        /// The offset of the first wrong byte, from 0.
        byte: usize,
    },
    /// The file does not come to its end.
    Cut,
    /// Something stands after the last line.
    AfterEnd,
    /// The lines end before the proof is complete.
    Unfinished,
    /// A line of the header is missing or cannot be read.
    Header {
        /// The number of the line in the file, from 1.
        line: usize,
        /// The form that the line must have.
        expected: &'static str,
    },
    /// The checksum is not that of the other lines.
    Checksum {
        /// The checksum in the file.
        stated: String,
        /// The checksum of the lines.
        computed: String,
    },
    /// The number of lines is not the one that the certificate states.
    Count {
        /// The number that it states.
        stated: usize,
        /// The number of these lines in the file.
        found: usize,
    },
    /// A line of the proof cannot be read.
    Node {
        /// The number of the line in the file, from 1.
        line: usize,
        /// The part of the line that cannot be read, at most 40 characters of it.
        part: String,
        /// The fault, as the end of a sentence that begins with the part.
        why: &'static str,
    },
    /// The input cannot be read any further.
    Unreadable(std::io::Error),
    /// The FEN is not a playable position.
    Position {
        /// The FEN in the certificate.
        fen: String,
        /// The reason why it cannot be played.
        why: String,
    },
    /// The first line of a section is not the one that the claims ask for.
    Section {
        /// The number of the line in the file, from 1.
        line: usize,
        /// The line that should stand there.
        expected: String,
    },
    /// A line of a section that shows that there is no solution has a fault.
    Refutation {
        /// The number of the line in the file, from 1.
        line: usize,
        /// The position that the line is about.
        fen: String,
        /// The fault, as the end of a sentence.
        why: String,
    },
    /// The certificate claims something else than one solution.
    OtherClaim,
    /// A section that shows a solution begins with another move than the key that the claims name.
    OtherKey,
    /// The claim says that a key is too short, but none is.
    NotShort,
    /// The replay found a fault in the proof.
    Proof(ProofError),
    /// The proof holds, but its length is not the claimed one.
    Length {
        /// The length in the header, in moves.
        claimed: MateLength,
        /// The length of the proof, in moves.
        proved: MateLength,
    },
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateError::Title => write!(f, "not a certificate: the first line must be \"{TITLE}\""),
            CertificateError::NotText { byte } => {
                write!(f, "byte {byte} is not text: the certificate was damaged or is another kind of file")
            }
            CertificateError::Cut => {
                write!(f, "the certificate is cut off: it does not come to its last line; copy the file again")
            }
            CertificateError::AfterEnd => write!(f, "the certificate goes on after its last line"),
            CertificateError::Unfinished => write!(f, "the certificate ends before its proof is complete"),
            CertificateError::Header { line, expected } => {
                write!(f, "line {line} of the certificate must be \"{expected}\"")
            }
            CertificateError::Checksum { stated, computed } => write!(
                f,
                "the certificate was altered or damaged: its checksum is {stated}, that of its content is {computed}"
            ),
            CertificateError::Count { stated, found } => {
                write!(f, "the certificate states {stated} lines, but there are {found}")
            }
            CertificateError::Node { line, part, why } => {
                write!(f, "line {line} of the certificate: \"{part}\" {why}")
            }
            CertificateError::Section { line, expected } => {
                write!(f, "line {line} of the certificate must be \"{expected}\": the claims ask for it")
            }
            CertificateError::Refutation { line, fen, why } => {
                write!(f, "line {line} of the certificate: the proof is wrong: in the position {fen}, {why}")
            }
            CertificateError::OtherClaim => write!(f, "the certificate claims something else than one solution"),
            CertificateError::OtherKey => {
                write!(f, "a solution in the certificate begins with another move than its key")
            }
            CertificateError::NotShort => {
                write!(f, "the certificate claims a solution in fewer moves than stipulated, but has none")
            }
            CertificateError::Unreadable(error) => write!(f, "the certificate cannot be read any further: {error}"),
            CertificateError::Position { fen, why } => {
                write!(f, "the certificate's position \"{}\" cannot be played: {why}", excerpt(fen))
            }
            CertificateError::Proof(error) => write!(f, "the proof is wrong: {error}"),
            CertificateError::Length { claimed, proved } => {
                write!(f, "the certificate claims mate in {claimed}, but its proof is of mate in {proved}")
            }
        }
    }
}

impl std::error::Error for CertificateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CertificateError::Proof(error) => Some(error),
            CertificateError::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ProofError> for CertificateError {
    fn from(error: ProofError) -> CertificateError {
        CertificateError::Proof(error)
    }
}
