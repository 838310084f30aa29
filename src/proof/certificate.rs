//! Certificates: proofs as files that anybody can check.
//!
//! A certificate is text, so that a checker in any language with a chess library is an evening's work. It says which
//! position, who mates, in how many moves, and gives the whole proof, every position once:
//!
//! ```text
//! matesolve certificate 1
//! fen k7/8/2K5/8/8/8/8/1R6 w - - 0 1
//! attacker white
//! mate 2
//! nodes 2
//! checksum 7e04031b53365913
//! a8a7:b1a1
//! :c6c7-1
//! ```
//!
//! After the six lines of the header every line is one position with the defender to move, given by all legal
//! defences, each with the attacker's answer, as `defence:answer-k`. The position after the answer is the line `k` lines
//! further up; without `-k` the answer is checkmate. Lines come before the lines that refer to them, and the last one
//! is the diagram. If the attacker is to move there, it is his first move alone, `:move-k`; if the diagram is checkmate
//! already, it is `#`. Moves are in coordinates, `e7e8q` for promotion; castling is king takes rook (`e1h1`), so that
//! Chess960 needs no second notation.
//!
//! The checksum (64-bit FNV-1a of all lines but its own, each with its line feed) finds accidents, not malice: whoever
//! changes the proof can change the checksum. Malice is found by [`Certificate::verify`], which replays the proof by
//! the rules of chess and believes nothing. What a certificate does *not* show is that no shorter mate exists.

use std::fmt::{self, Write as _};
use std::io;

use shakmaty::{CastlingMode, Chess, Color, PositionError, Role, fen::Fen};

use crate::chess::{MateLength, MoveCode};

use super::{NodeId, ProofError, ProofNode, ProofTree, Verified, check};

const TITLE: &str = "matesolve certificate 1";
/// Lines before the proof.
const HEADER: usize = 6;

/// A proof together with what it proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    fen: String,
    attacker: Color,
    length: MateLength,
    tree: ProofTree,
}

/// Why a certificate cannot be made, read or believed. Lines are numbered from 1.
#[derive(Debug)]
pub enum CertificateError {
    /// The file is not a certificate of this version.
    Title,
    /// The bytes are not UTF-8 text.
    NotText {
        /// The first byte that is wrong, from 0.
        byte: usize,
    },
    /// The file does not end with a line feed, or is too large to be read.
    Size,
    /// A line of the header is missing or unreadable.
    Header {
        /// Which.
        line: usize,
        /// What stands there in a proper certificate.
        expected: &'static str,
    },
    /// The content is not what the checksum was made of.
    Checksum {
        /// As the file says.
        stated: String,
        /// As the content has it.
        computed: String,
    },
    /// There are more or fewer lines than the header says.
    Count {
        /// As the header says.
        stated: usize,
        /// As it is.
        found: usize,
    },
    /// A line of the proof cannot be read.
    Node {
        /// Which.
        line: usize,
        /// The part that is wrong.
        part: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The FEN is not a position that can be played.
    Position {
        /// As given.
        fen: String,
        /// The parser's reason.
        why: String,
    },
    /// The replay found a fault.
    Proof(ProofError),
    /// The proof is sound, but of another length.
    Length {
        /// As the header says, in moves.
        claimed: MateLength,
        /// As it is.
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
            CertificateError::Size => write!(f, "the certificate is cut off (no end of line at its end) or over 4 GB"),
            CertificateError::Header { line, expected } => {
                write!(f, "line {line} of the certificate must be \"{expected}\"")
            }
            CertificateError::Checksum { stated, computed } => write!(
                f,
                "the certificate was altered or damaged: its checksum is {stated}, that of its content is {computed}"
            ),
            CertificateError::Count { stated, found } => {
                write!(f, "the certificate announces {stated} lines of proof and has {found}")
            }
            CertificateError::Node { line, part, why } => {
                write!(f, "line {line} of the certificate: \"{part}\" {why}")
            }
            CertificateError::Position { fen, why } => {
                write!(f, "the certificate's position \"{fen}\" cannot be played: {why}")
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
        if let CertificateError::Proof(error) = self { Some(error) } else { None }
    }
}

impl From<ProofError> for CertificateError {
    fn from(error: ProofError) -> CertificateError {
        CertificateError::Proof(error)
    }
}

impl Certificate {
    /// Certifies a proof that starts from the position of this FEN (counters may be missing; castling rights in any style).
    /// The proof is compacted and checked once more, from the position as the FEN states it.
    ///
    /// # Errors
    /// If the FEN cannot be played, or if it is not the FEN of the proof's position, so that the replay fails.
    pub fn new(fen: &str, proof: &Verified) -> Result<Certificate, CertificateError> {
        let fen = fen.split_whitespace().collect::<Vec<_>>().join(" ");
        let (root, attacker) = (position(&fen)?, proof.attacker());
        let proof = check(&root, attacker, proof.tree().compact(&root, attacker)?)?;
        Ok(Certificate { fen, attacker, length: proof.length(), tree: proof.into_tree() })
    }

    /// The position as it was given.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// The side that mates.
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// The claimed length, in moves.
    pub fn length(&self) -> MateLength {
        self.length
    }

    /// The claimed proof.
    pub fn tree(&self) -> &ProofTree {
        &self.tree
    }

    /// Replays the proof by the rules of chess and compares its length with the claim.
    ///
    /// # Errors
    /// If the FEN cannot be played, the proof has a fault, or its length is not the one claimed.
    pub fn verify(&self) -> Result<Verified, CertificateError> {
        let proof = check(&position(&self.fen)?, self.attacker, self.tree.clone())?;
        if proof.length() != self.length {
            return Err(CertificateError::Length { claimed: self.length, proved: proof.length() });
        }
        Ok(proof)
    }

    /// Writes the certificate.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let body = body(&self.tree);
        let attacker = self.attacker;
        let (fen, mate, nodes) = (&self.fen, self.length, body.lines().count());
        let head = format!("{TITLE}\nfen {fen}\nattacker {attacker}\nmate {mate}\nnodes {nodes}\n");
        let checksum = checksum(head.lines().chain(body.lines()));
        write!(out, "{head}checksum {checksum}\n{body}")
    }

    /// Reads a certificate. Everything that can be said without playing chess is checked; the proof is not:
    /// that is [`Certificate::verify`].
    pub fn read(bytes: &[u8]) -> Result<Certificate, CertificateError> {
        let text =
            std::str::from_utf8(bytes).map_err(|error| CertificateError::NotText { byte: error.valid_up_to() })?;
        let lines: Vec<&str> = text.lines().collect();
        if lines.first() != Some(&TITLE) {
            return Err(CertificateError::Title);
        }
        if !text.ends_with('\n') || u32::try_from(bytes.len()).is_err() {
            return Err(CertificateError::Size);
        }
        let field = |line: usize, name: &str, expected| {
            let value = lines.get(line - 1).and_then(|text| text.strip_prefix(name)?.strip_prefix(' '));
            value.ok_or(CertificateError::Header { line, expected })
        };
        let stated = field(6, "checksum", "checksum HEX")?;
        let computed = checksum(lines[..HEADER - 1].iter().chain(&lines[HEADER..]).copied());
        if stated != computed {
            return Err(CertificateError::Checksum { stated: stated.into(), computed });
        }
        let fen = field(2, "fen", "fen FEN")?.to_owned();
        let attacker = match field(3, "attacker", "attacker white|black")? {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return Err(CertificateError::Header { line: 3, expected: "attacker white|black" }),
        };
        let expected = "mate MOVES";
        let length = field(4, "mate", expected)?.parse::<u16>();
        let length = MateLength(length.map_err(|_| CertificateError::Header { line: 4, expected })?);
        let expected = "nodes COUNT";
        let stated = field(5, "nodes", expected)?.parse::<usize>();
        let stated = stated.map_err(|_| CertificateError::Header { line: 5, expected })?;
        let found = lines.len() - HEADER;
        if stated != found {
            return Err(CertificateError::Count { stated, found });
        }
        Ok(Certificate { fen, attacker, length, tree: Reader::default().read(&lines[HEADER..])? })
    }
}

fn position(fen: &str) -> Result<Chess, CertificateError> {
    playable(fen).map_err(|why| CertificateError::Position { fen: fen.to_owned(), why })
}

/// The position of a FEN, or why it cannot be played. Unusual material and checks that no game could bring about are
/// problemists' daily bread. Read by shakmaty alone: who checks claims shares no parser with who makes them.
pub(crate) fn playable(fen: &str) -> Result<Chess, String> {
    let parsed: Fen = fen.parse().map_err(|error: shakmaty::fen::ParseFenError| error.to_string())?;
    parsed
        .into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| error.to_string())
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits. Any single altered byte alters it: every step is a bijection of the state.
fn checksum<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for line in lines {
        for &byte in line.as_bytes().iter().chain(b"\n") {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// The lines of the proof.
fn body(tree: &ProofTree) -> String {
    let mut text = String::new();
    // By node: the line of a defender's node, counted from 1; 0 for checkmates and the attacker's nodes.
    let mut line_of = vec![0_usize; tree.nodes().len()];
    let mut line = 1;
    let answer = |text: &mut String, node: NodeId, line: usize, line_of: &[usize]| {
        if let ProofNode::Attack(code, child) = &tree.nodes()[node as usize] {
            text.push(':');
            push_move(text, *code);
            match line_of[*child as usize] {
                0 => {}
                target => write!(text, "-{}", line - target).unwrap_or_default(),
            }
        }
    };
    for (id, node) in tree.nodes().iter().enumerate() {
        let is_root = id + 1 == tree.nodes().len();
        match node {
            ProofNode::Defend(replies) if !replies.is_empty() => {
                for (i, &(code, child)) in replies.iter().enumerate() {
                    if i > 0 {
                        text.push(' ');
                    }
                    push_move(&mut text, code);
                    answer(&mut text, child, line, &line_of);
                }
                text.push('\n');
                line_of[id] = line;
                line += 1;
            }
            ProofNode::Defend(_) if is_root => text.push_str("#\n"),
            ProofNode::Attack(..) if is_root => {
                answer(&mut text, id as NodeId, line, &line_of);
                text.push('\n');
            }
            _ => {}
        }
    }
    text
}

fn push_move(text: &mut String, code: MoveCode) {
    let _ = write!(text, "{}{}", code.from(), code.to());
    text.extend(code.promotion().map(Role::char));
}

/// Rebuilds the tree from the lines of the proof.
#[derive(Default)]
struct Reader {
    tree: ProofTree,
    /// By line: its node.
    nodes: Vec<NodeId>,
    /// By line: whether a later one refers to it.
    used: Vec<bool>,
}

impl Reader {
    fn read(mut self, lines: &[&str]) -> Result<ProofTree, CertificateError> {
        for (i, text) in lines.iter().enumerate() {
            let wrong = |(part, why): (&str, &'static str)| CertificateError::Node {
                line: HEADER + 1 + i,
                part: part.chars().take(40).collect(),
                why,
            };
            let is_root = i + 1 == lines.len();
            let node = match *text {
                "#" if is_root => ProofNode::Defend(Vec::new()),
                _ if is_root && text.starts_with(':') => self.answer(&text[1..]).map_err(wrong)?,
                _ => self.defences(text).map_err(wrong)?,
            };
            self.nodes.push(self.tree.push(node));
            self.used.push(is_root);
        }
        match self.used.iter().position(|used| !used) {
            Some(i) => Err(CertificateError::Node {
                line: HEADER + 1 + i,
                part: lines[i].chars().take(40).collect(),
                why: "is referred to by no later line",
            }),
            None => Ok(self.tree),
        }
    }

    fn defences<'a>(&mut self, text: &'a str) -> Result<ProofNode, (&'a str, &'static str)> {
        let mut replies = Vec::new();
        for part in text.split(' ') {
            let (defence, answer) = part.split_once(':').ok_or((part, "is not of the form defence:answer-k"))?;
            let defence = parse_move(defence).ok_or((part, "has no readable defence"))?;
            let answer = self.answer(answer)?;
            replies.push((defence, self.tree.push(answer)));
        }
        Ok(ProofNode::Defend(replies))
    }

    /// `move-k`, or `move` alone for a mating move.
    fn answer<'a>(&mut self, text: &'a str) -> Result<ProofNode, (&'a str, &'static str)> {
        let (code, back) = text.split_once('-').map_or((text, None), |(code, back)| (code, Some(back)));
        let code = parse_move(code).ok_or((text, "is not a move such as e2e4 or e7e8q"))?;
        let Some(back) = back else {
            return Ok(ProofNode::Attack(code, self.tree.push(ProofNode::Defend(Vec::new()))));
        };
        let back: usize = back.parse().map_err(|_| (text, "does not end in a number of lines"))?;
        let line = self.nodes.len().checked_sub(back).filter(|_| back > 0);
        let line = line.ok_or((text, "refers to a line that is not above it in the proof"))?;
        self.used[line] = true;
        Ok(ProofNode::Attack(code, self.nodes[line]))
    }
}

fn parse_move(text: &str) -> Option<MoveCode> {
    let bytes = text.as_bytes();
    let promotion = match bytes.get(4) {
        None => None,
        Some(b'n') => Some(Role::Knight),
        Some(b'b') => Some(Role::Bishop),
        Some(b'r') => Some(Role::Rook),
        Some(b'q') => Some(Role::Queen),
        Some(_) => return None,
    };
    let squares = bytes.get(..4).filter(|_| bytes.len() <= 5)?;
    let square = |text| shakmaty::Square::from_ascii(text).ok();
    Some(MoveCode::new(square(&squares[..2])?, square(&squares[2..])?, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the essay above.
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
    fn a_checkmate_needs_no_line_of_proof_but_one() {
        let mut tree = ProofTree::new();
        tree.push(ProofNode::Defend(Vec::new()));
        let fen = "R5k1/5ppp/8/8/8/8/8/K7 b - -";
        let proof = check(&playable(fen).unwrap(), Color::White, tree).unwrap();
        let certificate = Certificate::new(fen, &proof).unwrap();
        let mut written = Vec::new();
        certificate.write(&mut written).unwrap();
        assert!(written.ends_with(b"\n#\n"));
        assert_eq!(Certificate::read(&written).unwrap().verify().unwrap().length(), MateLength(0));
    }
}
