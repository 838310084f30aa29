//! The errors of making, reading and verifying a certificate, as sentences for the user.

use matesolve_terms::MateLength;
use matesolve_terms::printable::excerpt;
use thiserror::Error;

use super::format::TITLE;
use crate::ProofError;

/// The reason why a certificate cannot be made or read, or does not pass the check.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// The first line is not the title of a certificate.
    #[error("not a certificate: the first line must be \"{TITLE}\"")]
    Title,
    /// The file is not UTF-8 text.
    #[error("byte {byte} is not text: the certificate was damaged or is another kind of file")]
    NotText {
        /// The offset of the first wrong byte, from 0.
        byte: usize,
    },
    /// The file does not come to its end.
    #[error("the certificate is cut off: it does not come to its last line; copy the file again")]
    Cut,
    /// Something stands after the last line.
    #[error("the certificate goes on after its last line")]
    AfterEnd,
    /// The lines end before the proof is complete.
    #[error("the certificate ends before its proof is complete")]
    Unfinished,
    /// A line of the header is missing or cannot be read.
    #[error("line {line} of the certificate must be \"{expected}\"")]
    Header {
        /// The number of the line in the file, from 1.
        line: usize,
        /// The form that the line must have.
        expected: &'static str,
    },
    /// The checksum is not that of the other lines.
    #[error("the certificate was altered or damaged: its checksum is {stated}, that of its content is {computed}")]
    Checksum {
        /// The checksum in the file.
        stated: String,
        /// The checksum of the lines.
        computed: String,
    },
    /// The number of lines is not the one that the certificate states.
    #[error("the certificate states {stated} lines, but there are {found}")]
    Count {
        /// The number that it states.
        stated: usize,
        /// The number of these lines in the file.
        found: usize,
    },
    /// A line of the proof cannot be read.
    #[error("line {line} of the certificate: \"{part}\" {why}")]
    Node {
        /// The number of the line in the file, from 1.
        line: usize,
        /// The part of the line that cannot be read, at most 40 characters of it.
        part: String,
        /// The fault, as the end of a sentence that begins with the part.
        why: &'static str,
    },
    /// The input cannot be read any further.
    #[error("the certificate cannot be read any further: {0}")]
    Unreadable(#[source] std::io::Error),
    /// The FEN is not a playable position.
    #[error("the certificate's position \"{}\" cannot be played: {why}", excerpt(.fen))]
    Position {
        /// The FEN in the certificate.
        fen: String,
        /// The reason why it cannot be played.
        why: String,
    },
    /// The first line of a section is not the one that the claims ask for.
    #[error("line {line} of the certificate must be \"{expected}\": the claims ask for it")]
    Section {
        /// The number of the line in the file, from 1.
        line: usize,
        /// The line that should stand there.
        expected: String,
    },
    /// A line of a section that shows that there is no solution has a fault.
    #[error("line {line} of the certificate: the proof is wrong: in the position {fen}, {why}")]
    Refutation {
        /// The number of the line in the file, from 1.
        line: usize,
        /// The position that the line is about.
        fen: String,
        /// The fault, as the end of a sentence.
        why: String,
    },
    /// The certificate claims something else than one solution.
    #[error("the certificate claims something else than one solution")]
    OtherClaim,
    /// A section that shows a solution begins with another move than the key that the claims name.
    #[error("a solution in the certificate begins with another move than its key")]
    OtherKey,
    /// The claim says that a key is too short, but none is.
    #[error("the certificate claims a solution in fewer moves than stipulated, but has none")]
    NotShort,
    /// The replay found a fault in the proof.
    #[error("the proof is wrong: {0}")]
    Proof(#[from] ProofError),
    /// The proof holds, but its length is not the claimed one.
    #[error("the certificate claims mate in {claimed}, but its proof is of mate in {proved}")]
    Length {
        /// The length in the header, in moves.
        claimed: MateLength,
        /// The length of the proof, in moves.
        proved: MateLength,
    },
}

impl CertificateError {
    /// Returns the error of a part of a line that cannot be read. `why` ends a sentence that begins with the part.
    pub(super) fn node(line: usize, part: &str, why: &'static str) -> CertificateError {
        CertificateError::Node { line, part: part.chars().take(40).collect(), why }
    }
}
