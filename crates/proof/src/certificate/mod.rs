//! Certificates: proofs in text files that other programs can check too.
//!
//! `docs/certificates.md` is the page about the format: its grammar, its meaning, and why it proves what it says.
//!
//! | file | idea |
//! |---|---|
//! | `claims` | what a certificate claims, and the sections that the claims ask for |
//! | `header` | the lines before the proof |
//! | `format` | numbers, moves and the checksum as text |
//! | `write` | writes solutions and refutations as text |
//! | `read` | reads the lines, compares the sections with the claims, and checks the last line |
//! | `replay` | replays a solution while its lines are read |
//! | `refuted` | replays a refutation while its lines are read |
//! | `summed` | the lines with their checksum |
//! | `error` | the faults of a certificate |
//!
//! To add a goal: `header.rs`; a claim: `claims.rs` with its sections; then `replay.rs` or `refuted.rs`,
//! `bindings/python/python/matesolve/check.py`, `docs/certificates.md`, files in `problems/certificates/` with their
//! rows in its table, and in `verified/` `Game.v`, `Format.v`, `Nodes.v`, `Checker.v` and the proofs.

mod claims;
mod error;
mod format;
mod header;
mod read;
mod refuted;
mod replay;
mod summed;
mod write;

use std::io::{self, BufRead};

use matesolve_terms::{Goal, MateLength, tolerated};
use shakmaty::{CastlingMode, Chess, Color, fen::Fen};

use super::{ProofTree, Verified, check};

pub use claims::{Claims, LeftOut, Section, VerdictWord};
pub use error::CertificateError;
pub use format::order;
pub use header::Header;
pub use write::{CertificateWriter, Refusal, Reply};

/// A proof that can be written to a file, with its position, the side that reaches the goal, and the length.
///
/// The file is a text, so that a checker can be written in any language that has a chess library. It gives each
/// position of the proof once:
///
/// ```text
/// matesolve certificate 2
/// position 5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1
/// stipulation #2
/// claim solved in 2
/// proof solved in 2
/// h1h6
/// g6g7# h6h7#*6
/// end 7 603d8242
/// ```
///
/// After the header, each line is a position with the defender to move: for each of his moves the answer of the
/// attacker, and `#` if the goal stands after it. An answer without `#` is followed by the line of the position after
/// it. `docs/certificates.md` describes the format. Such a certificate does *not* show that no shorter solution exists.
///
/// ```
/// use matesolve_proof::Certificate;
///
/// let text = "\
/// matesolve certificate 2
/// position 5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1
/// stipulation #2
/// claim solved in 2
/// proof solved in 2
/// h1h6
/// g6g7# h6h7#*6
/// end 7 603d8242
/// ";
/// let certificate = Certificate::read(text.as_bytes())?;
/// assert_eq!(certificate.length().0, 2);
/// let proof = certificate.verify()?;
/// assert_eq!(proof.main_line_san(), "1. Rh6 gxh6 2. g7#");
///
/// let mut file = Vec::new();
/// Certificate::new(certificate.fen(), &proof)?.write(&mut file)?;
/// assert_eq!(String::from_utf8(file)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// It claims one solution, of the length of its stipulation.
    header: Header,
    tree: ProofTree,
}

impl Certificate {
    /// Makes a certificate of a proof that starts from the position of this FEN. Move counters may be missing; castling
    /// rights may be written in any style.
    ///
    /// The proof is compacted to one node for each position and checked again, starting from the position of the FEN.
    ///
    /// # Errors
    /// If the FEN is not a playable position, or not the position of the proof.
    pub fn new(fen: &str, proof: &Verified) -> Result<Certificate, CertificateError> {
        let fen = fen.split_whitespace().collect::<Vec<_>>().join(" ");
        let (root, attacker, goal) = (root(&fen)?, proof.attacker(), proof.goal());
        let proof = check(&root, attacker, goal, proof.tree().compact(&root, attacker, goal, &[])?)?;
        Ok(Certificate::of(fen, attacker, goal, proof.length(), proof.into_tree()))
    }

    /// Reads a certificate of one solution with its tree, which may be large. The proof is replayed, since the defences
    /// are not written; [`Certificate::verify`] compares the length, too.
    ///
    /// # Errors
    /// If the bytes are not the text of a certificate, its claim is another one, or its proof has a fault.
    pub fn read(bytes: &[u8]) -> Result<Certificate, CertificateError> {
        let (header, proved) = read::read(bytes, true)?;
        let Claims::Solved(length) = header.claims else { return Err(CertificateError::OtherClaim) };
        Ok(Certificate::of(header.fen, header.attacker, header.goal, length, proved.tree))
    }

    fn of(fen: String, attacker: Color, goal: Goal, moves: MateLength, tree: ProofTree) -> Certificate {
        let (exclusive, claims) = (Vec::new(), Claims::Solved(moves));
        Certificate { header: Header { fen, exclusive, attacker, goal, moves, intended: 1, claims }, tree }
    }

    /// Writes the certificate as text.
    ///
    /// # Errors
    /// The first error of `out`, or that the position of the certificate cannot be played.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut writer = CertificateWriter::begin(&self.header, out)?;
        writer.tree(&self.tree, &Section::Solved { moves: self.header.moves, or_fewer: false, first: None })?;
        writer.end().map(|_| ())
    }

    /// Returns the FEN of the position in which the proof starts, as it was given.
    pub fn fen(&self) -> &str {
        &self.header.fen
    }

    /// Returns the side that reaches the goal.
    pub fn attacker(&self) -> Color {
        self.header.attacker
    }

    /// Returns the claimed length, in moves of the attacker.
    pub fn length(&self) -> MateLength {
        self.header.moves
    }

    /// Returns the claimed proof. Only [`Certificate::verify`] shows whether it holds.
    pub fn tree(&self) -> &ProofTree {
        &self.tree
    }

    /// Replays the proof by the rules of chess and compares its length with the claimed one.
    ///
    /// # Errors
    /// If the FEN is not a playable position, the proof has a fault, or its length is not the claimed one.
    pub fn verify(&self) -> Result<Verified, CertificateError> {
        self.clone().into_verified()
    }

    /// Does the same as [`Certificate::verify`] without a copy of the proof, which may be large.
    ///
    /// # Errors
    /// Those of [`Certificate::verify`].
    pub fn into_verified(self) -> Result<Verified, CertificateError> {
        let Header { fen, attacker, goal, moves: claimed, .. } = self.header;
        let proof = check(&root(&fen)?, attacker, goal, self.tree)?;
        if proof.length() != claimed {
            return Err(CertificateError::Length { claimed, proved: proof.length() });
        }
        Ok(proof)
    }
}

/// What a certificate shows whose proof was replayed by the rules of chess. Only [`CheckedCertificate::read`] makes it.
///
/// ```
/// use matesolve_proof::{CheckedCertificate, Claims};
///
/// let file = "\
/// matesolve certificate 2
/// position 5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1
/// stipulation #2
/// claim solved in 2
/// proof solved in 2
/// h1h6
/// g6g7# h6h7#*6
/// end 7 603d8242
/// ";
/// let checked = CheckedCertificate::read(file.as_bytes())?;
/// assert_eq!((&checked.header().claims, checked.positions()), (&Claims::Solved(checked.header().moves), 1));
///
/// let error = CheckedCertificate::read(file.replace("h1h6", "h1h5").as_bytes()).unwrap_err();
/// assert!(error.to_string().starts_with("the certificate was altered or damaged"));
/// # Ok::<(), matesolve_proof::CertificateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedCertificate {
    header: Header,
    positions: usize,
    refuted: usize,
}

impl CheckedCertificate {
    /// Reads a certificate, replays its sections by the rules of chess as the lines come, and compares them with its
    /// claims. Of solutions little is kept, of refutations each position in 48 bytes.
    ///
    /// # Errors
    /// If the input is not a certificate, its proof has a fault, or the proof is not that of its claims.
    pub fn read(input: impl BufRead) -> Result<CheckedCertificate, CertificateError> {
        let (header, proved) = read::read(input, false)?;
        Ok(CheckedCertificate { header, positions: proved.positions, refuted: proved.refuted })
    }

    /// Returns the position, the stipulation and what is proved.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the number of positions in which all legal defences are answered.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Returns the number of positions in which all moves of the attacker are refuted.
    pub fn refuted(&self) -> usize {
        self.refuted
    }
}

/// The result of replaying all sections.
#[derive(Debug)]
struct Proved {
    /// The number of positions in which all legal defences are answered.
    positions: usize,
    /// The number of positions in which all moves of the attacker are refuted.
    refuted: usize,
    /// The tree of the solution, if it was wanted and there is only one.
    tree: ProofTree,
}

/// Returns the position of a certificate's FEN.
fn root(fen: &str) -> Result<Chess, CertificateError> {
    parse_position(fen).map_err(|why| CertificateError::Position { fen: fen.to_owned(), why })
}

/// Reads a FEN for checking. The error is a sentence that says why the position cannot be played.
///
/// Accepts unusual material and checks that no game could bring about, because problems have them. Its parser is
/// shakmaty's: the code that checks a mate shares no parser with the code that found it.
pub fn parse_position(fen: &str) -> Result<Chess, String> {
    let parsed: Fen = fen.parse().map_err(|error: shakmaty::fen::ParseFenError| error.to_string())?;
    tolerated(parsed.into_position(CastlingMode::Chess960))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProofNode;

    fn written(fen: &str, proof: &Verified) -> String {
        let mut written = Vec::new();
        Certificate::new(fen, proof).unwrap().write(&mut written).unwrap();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn a_checkmate_on_the_board_is_one_line_of_proof() {
        let mut tree = ProofTree::new();
        tree.push(ProofNode::MATE);
        let fen = "R5k1/5ppp/8/8/8/8/8/K7 b - -";
        let proof = check(&parse_position(fen).unwrap(), Color::White, Goal::MATE, tree).unwrap();
        let written = written(fen, &proof);
        assert!(written.contains("\nstipulation #-0\nclaim solved in 0\nproof solved in 0\n#\nend 6 "), "{written}");
        assert_eq!(Certificate::read(written.as_bytes()).unwrap().verify().unwrap().length(), MateLength(0));
    }
}
