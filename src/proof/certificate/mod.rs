//! Certificates: proofs of mates as text files that other programs can check too.
//!
//! The documentation of [`Certificate`] describes the file format.
//!
//! | file | idea |
//! |---|---|
//! | `format` | the parts that reader and writer share: title, size of the header, checksum |
//! | `write` | writes a proof tree as text |
//! | `body` | the lines of a proof, packed |
//! | `read` | reads the lines from text, and a proof tree from the lines |
//! | `checked` | replays a proof from its lines, without a tree |
//! | `error` | the faults of a certificate |

mod body;
mod checked;
mod error;
mod format;
mod read;
mod write;

use shakmaty::{CastlingMode, Chess, Color, PositionError, fen::Fen};

use crate::chess::{Goal, MateLength};

use super::{ProofTree, Verified, check};

pub use checked::CheckedCertificate;
pub use error::CertificateError;

/// A proof of a mate for a file, with the position, the side that mates and the length that it proves.
///
/// A certificate is a text file, so that a checker can be written in any language that has a chess library. The file
/// gives each position of the proof once:
///
/// ```text
/// matesolve certificate 1
/// fen k7/8/2K5/8/8/8/8/1R6 w - - 0 1
/// attacker white
/// mate 2
/// nodes 2
/// checksum 7e04031b53365913
/// a8a7:b1a1
/// :c6c7-1
/// ```
///
/// - The first six lines are the header. `mate` is the length in moves of the attacker, `nodes` the number of lines
///   after the header.
/// - Each line after the header is a position with the defender to move. It lists all legal defences, separated by
///   spaces, each with the attacker's answer: `defence:answer-k`. The position after the answer is the line `k` lines
///   further up. An answer without `-k` gives checkmate. So a line stands above all lines that refer to it.
/// - The last line is the diagram. If the attacker is to move there, the line is his first move alone, `:move-k`. If
///   the diagram is checkmate already, the line is `#`.
/// - Moves are in coordinates, `e7e8q` for a promotion. Castling is written as the king taking his own rook (`e1h1`),
///   which also covers Chess960.
/// - The checksum is the 64-bit FNV-1a hash of all other lines, each with its line feed. It finds damage only: a person
///   who changes the proof can change the checksum too. [`Certificate::verify`] finds every false proof, because it
///   replays the proof by the rules of chess.
///
/// A certificate does *not* show that no shorter mate exists.
///
/// ```
/// use matesolve::proof::Certificate;
/// use matesolve::{Problem, Solver};
///
/// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -")?;
/// let proof = Solver::new().solve_with_proof(&problem).proof.expect("there is a mate in two");
/// let mut file = Vec::new();
/// Certificate::new(&problem.fen, &proof)?.write(&mut file)?;
///
/// let certificate = Certificate::read(&file)?;
/// assert_eq!(certificate.length().0, 2);
/// assert_eq!(certificate.verify()?.main_line_san(), "1. Rh6 Ba2 2. Rxh7#");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    fen: String,
    attacker: Color,
    length: MateLength,
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
        let (root, attacker) = (root(&fen)?, proof.attacker());
        let proof = check(&root, attacker, Goal::MATE, proof.tree().compact(&root, attacker, Goal::MATE)?)?;
        Ok(Certificate { fen, attacker, length: proof.length(), tree: proof.into_tree() })
    }

    /// Returns the FEN of the position in which the proof starts, as it was given.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// Returns the side that mates.
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// Returns the claimed length, in moves of the attacker.
    pub fn length(&self) -> MateLength {
        self.length
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
        let proof = check(&root(&self.fen)?, self.attacker, Goal::MATE, self.tree)?;
        if proof.length() != self.length {
            return Err(CertificateError::Length { claimed: self.length, proved: proof.length() });
        }
        Ok(proof)
    }
}

/// Returns the position of a certificate's FEN.
fn root(fen: &str) -> Result<Chess, CertificateError> {
    parse_position(fen).map_err(|why| CertificateError::Position { fen: fen.to_owned(), why })
}

/// Reads a FEN for checking. The error is a sentence that says why the position cannot be played.
///
/// Accepts unusual material and checks that no game could bring about, because problems have them. Uses shakmaty alone:
/// the code that checks a mate shares no parser with the code that found it.
pub(crate) fn parse_position(fen: &str) -> Result<Chess, String> {
    let parsed: Fen = fen.parse().map_err(|error: shakmaty::fen::ParseFenError| error.to_string())?;
    parsed
        .into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::ProofNode;

    /// The example in the documentation of [`Certificate`].
    const EXAMPLE: &str = "\
matesolve certificate 1
fen k7/8/2K5/8/8/8/8/1R6 w - - 0 1
attacker white
mate 2
nodes 2
checksum 7e04031b53365913
a8a7:b1a1
:c6c7-1
";

    #[test]
    fn the_example_is_read_verified_and_written() {
        let certificate = Certificate::read(EXAMPLE.as_bytes()).unwrap();
        let proof = certificate.verify().unwrap();
        assert_eq!(proof.length(), MateLength(2));
        let again = Certificate::new(certificate.fen(), &proof).unwrap();
        let mut written = Vec::new();
        again.write(&mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), EXAMPLE);
    }

    #[test]
    fn a_checkmate_on_the_board_is_one_line_of_proof() {
        let mut tree = ProofTree::new();
        tree.push(ProofNode::MATE);
        let fen = "R5k1/5ppp/8/8/8/8/8/K7 b - -";
        let proof = check(&parse_position(fen).unwrap(), Color::White, Goal::MATE, tree).unwrap();
        let certificate = Certificate::new(fen, &proof).unwrap();
        let mut written = Vec::new();
        certificate.write(&mut written).unwrap();
        assert!(written.ends_with(b"\n#\n"));
        assert_eq!(Certificate::read(&written).unwrap().verify().unwrap().length(), MateLength(0));
    }
}
