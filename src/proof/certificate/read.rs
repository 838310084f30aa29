//! Reads a certificate line by line: its header, and the lines of its proof in packed form. No move is played.

use std::io::BufRead;

use shakmaty::{Color, Role, Square};

use crate::chess::{MateLength, MoveCode};
use crate::lines::Lines;
use crate::printable::excerpt;
use crate::proof::{NodeId, ProofNode, ProofTree};

use super::body::{Body, Part};
use super::format::{Checksum, HEADER_LINES, TITLE};
use super::{Certificate, CertificateError};

/// The longest line that is read, in bytes. A line with all the moves of a board full of queens is shorter.
const LONGEST_LINE: usize = 1 << 16;

/// The longest certificate that is read, in bytes.
const MOST_BYTES: u64 = u32::MAX as u64;

/// A certificate as it was read. Whether its proof holds is not known.
pub(super) struct Claim {
    pub fen: String,
    pub attacker: Color,
    /// The claimed length.
    pub length: MateLength,
    pub body: Body,
}

impl Certificate {
    /// Reads a certificate and checks everything that needs no chess: the header, the checksum, and the number and form
    /// of the lines. [`Certificate::verify`] checks the proof itself.
    ///
    /// # Errors
    /// If the bytes are not the text of a certificate.
    pub fn read(bytes: &[u8]) -> Result<Certificate, CertificateError> {
        let Claim { fen, attacker, length, body } = read(bytes)?;
        Ok(Certificate { fen, attacker, length, tree: tree(&body) })
    }
}

/// Reads a certificate and checks everything that needs no chess.
pub(super) fn read(input: impl BufRead) -> Result<Claim, CertificateError> {
    let mut lines = CertificateLines { lines: Lines::new(input.take(MOST_BYTES + 1), LONGEST_LINE), bytes: 0 };
    let mut checksum = Checksum::default();
    let mut header: Vec<String> = Vec::with_capacity(HEADER_LINES);
    let mut proof = BodyReader::default();
    // Damage is reported as damage, so the whole text is read before the fault of a line counts.
    let mut fault = None;
    while let Some((line, is_cut)) = lines.next(&mut checksum)? {
        if header.len() == HEADER_LINES {
            if fault.is_none() {
                fault = proof.add(line, is_cut).err();
            }
            continue;
        }
        if header.is_empty() && line != TITLE {
            return Err(CertificateError::Title);
        }
        header.push(line.to_owned());
    }
    if header.is_empty() {
        return Err(CertificateError::Title);
    }
    let stated = field(&header, 6, "checksum", "checksum HEX")?;
    let computed = checksum.to_string();
    if stated != computed {
        return Err(CertificateError::Checksum { stated: excerpt(stated), computed });
    }
    let (fen, attacker, length) = claim(&header)?;
    let (stated, found) = (number(&header, 5, "nodes", "nodes COUNT")?, lines.lines.number() - HEADER_LINES);
    if stated != found {
        return Err(CertificateError::Count { stated, found });
    }
    match fault {
        Some(fault) => Err(fault),
        None => Ok(Claim { fen: fen.to_owned(), attacker, length, body: proof.finish()? }),
    }
}

/// The lines of a certificate, of each at most [`LONGEST_LINE`] bytes.
struct CertificateLines<R> {
    lines: Lines<R>,
    /// The number of bytes read so far.
    bytes: u64,
}

impl<R: BufRead> CertificateLines<R> {
    /// Returns the next line, without its line break, and whether it was cut. Adds it to the checksum, unless it is the
    /// line of the checksum.
    fn next(&mut self, checksum: &mut Checksum) -> Result<Option<(&str, bool)>, CertificateError> {
        let start = self.bytes;
        let is_counted = self.lines.number() + 1 != HEADER_LINES;
        let read = self.lines.next_seen(|part| {
            self.bytes += part.len() as u64;
            if is_counted {
                checksum.add(part);
            }
        });
        let Some(line) = read.map_err(CertificateError::Unreadable)? else { return Ok(None) };
        let content = line.content();
        if self.bytes > MOST_BYTES {
            return Err(CertificateError::Size);
        }
        if !line.is_ended {
            let is_other = line.number == 1 && content != TITLE.as_bytes();
            return Err(if is_other { CertificateError::Title } else { CertificateError::Size });
        }
        match std::str::from_utf8(content) {
            Ok(text) => Ok(Some((text, line.is_cut))),
            // The last character may have been cut.
            Err(error) if line.is_cut && error.error_len().is_none() => {
                Ok(std::str::from_utf8(&content[..error.valid_up_to()]).ok().map(|text| (text, true)))
            }
            Err(error) => Err(CertificateError::NotText { byte: start as usize + error.valid_up_to() }),
        }
    }
}

/// Returns the position, the attacker and the length that the header states.
fn claim(header: &[String]) -> Result<(&str, Color, MateLength), CertificateError> {
    let fen = field(header, 2, "fen", "fen FEN")?;
    let expected = "attacker white|black";
    let attacker = match field(header, 3, "attacker", expected)? {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return Err(CertificateError::Header { line: 3, expected }),
    };
    Ok((fen, attacker, MateLength(number(header, 4, "mate", "mate MOVES")?)))
}

/// Returns the value of a field: the rest of the line (numbered from 1) after the field's name and a space.
fn field<'a>(
    lines: &'a [String],
    line: usize,
    name: &str,
    expected: &'static str,
) -> Result<&'a str, CertificateError> {
    let value = lines.get(line - 1).and_then(|text| text.strip_prefix(name)?.strip_prefix(' '));
    value.ok_or(CertificateError::Header { line, expected })
}

/// Returns the value of a field that holds a number.
fn number<N: std::str::FromStr>(
    lines: &[String],
    line: usize,
    name: &str,
    expected: &'static str,
) -> Result<N, CertificateError> {
    field(lines, line, name, expected)?.parse().map_err(|_| CertificateError::Header { line, expected })
}

/// Builds the tree of a proof from its lines.
fn tree(body: &Body) -> ProofTree {
    let mut tree = ProofTree::new();
    // By line: its node.
    let mut nodes: Vec<NodeId> = Vec::with_capacity(body.len());
    for line in body.lines() {
        let mut replies = Vec::new();
        for part in line.parts() {
            let after = match part.distance {
                0 => tree.push(ProofNode::MATE),
                distance => nodes[line.index - distance as usize],
            };
            replies.push((part.defence, tree.push(ProofNode::Attack(part.answer, after))));
        }
        if body.begins_with_attack && line.index + 1 == body.len() {
            break;
        }
        // A large proof has millions of these lists, and growing has left up to half of each unused.
        replies.shrink_to_fit();
        let node = if replies.is_empty() { ProofNode::MATE } else { ProofNode::Defend(replies) };
        nodes.push(tree.push(node));
    }
    tree
}

/// Packs the lines after the header.
#[derive(Default)]
struct BodyReader {
    body: Body,
    /// By line: whether a later line refers to it.
    referenced: Vec<bool>,
    /// The last line if it can only be the last one: `#` or `:answer-k`.
    last: Option<String>,
    parts: Vec<Part>,
}

/// A part of a line that cannot be read.
struct Malformed<'a> {
    part: &'a str,
    /// The fault, as the end of a sentence that begins with the part.
    why: &'static str,
}

impl Malformed<'_> {
    /// Returns the error for this line of the proof, counted from 0.
    fn on_line(self, index: usize) -> CertificateError {
        let part = self.part.chars().take(40).collect();
        CertificateError::Node { line: HEADER_LINES + 1 + index, part, why: self.why }
    }
}

impl BodyReader {
    /// Adds a line.
    fn add(&mut self, text: &str, is_cut: bool) -> Result<(), CertificateError> {
        let index = self.body.len();
        if let Some(last) = &self.last {
            let why = "is not of the form defence:answer-k";
            return Err(Malformed { part: last, why }.on_line(index - 1));
        }
        let is_last = text == "#" || text.starts_with(':');
        let parsed = match text {
            _ if is_cut => Err(Malformed { part: text, why: "begins a line that is too long for any position" }),
            "#" => Ok(()),
            _ if is_last => self.attack(&text[1..]),
            _ => text.split(' ').try_for_each(|part| self.part(part)),
        };
        parsed.map_err(|malformed| malformed.on_line(index))?;
        self.last = is_last.then(|| text.chars().take(40).collect());
        self.body.push(&self.parts);
        self.parts.clear();
        self.referenced.push(false);
        Ok(())
    }

    /// Returns the proof, if every line but the last is referred to.
    fn finish(mut self) -> Result<Body, CertificateError> {
        self.body.begins_with_attack = self.last.is_some_and(|text| text != "#");
        self.referenced.pop();
        match self.referenced.iter().position(|referenced| !referenced) {
            Some(index) => Err(CertificateError::Unused { line: HEADER_LINES + 1 + index }),
            None => Ok(self.body),
        }
    }

    /// Reads a defence and its answer: `defence:answer-k`.
    fn part<'a>(&mut self, text: &'a str) -> Result<(), Malformed<'a>> {
        let malformed = |why| Malformed { part: text, why };
        let (defence, answer) = text.split_once(':').ok_or(malformed("is not of the form defence:answer-k"))?;
        let defence = parse_move(defence).ok_or(malformed("does not begin with a move such as e2e4 or e7e8q"))?;
        let (answer, distance) = self.answer(answer)?;
        self.parts.push(Part { defence, answer, distance });
        Ok(())
    }

    /// Reads the attacker's first move.
    fn attack<'a>(&mut self, text: &'a str) -> Result<(), Malformed<'a>> {
        let (answer, distance) = self.answer(text)?;
        self.parts.push(Part { defence: answer, answer, distance });
        Ok(())
    }

    /// Reads an answer: `move-k`, or `move` alone for a mating move.
    fn answer<'a>(&mut self, text: &'a str) -> Result<(MoveCode, u32), Malformed<'a>> {
        let malformed = |why| Malformed { part: text, why };
        let (code, distance) = text.split_once('-').map_or((text, None), |(code, k)| (code, Some(k)));
        let code = parse_move(code).ok_or(malformed("is not a move such as e2e4 or e7e8q"))?;
        let Some(distance) = distance else { return Ok((code, 0)) };
        let distance: u32 = distance.parse().map_err(|_| malformed("does not end in a number of lines"))?;
        let line = self.body.len().checked_sub(distance as usize).filter(|_| distance > 0);
        let line = line.ok_or(malformed("refers to a line that is not above it in the proof"))?;
        self.referenced[line] = true;
        Ok((code, distance))
    }
}

/// Reads a move in coordinates, such as `e2e4` or `e7e8q`.
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
    let square = |text| Square::from_ascii(text).ok();
    Some(MoveCode::new(square(&squares[..2])?, square(&squares[2..])?, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn error(lines: &[&str]) -> String {
        let mut reader = BodyReader::default();
        let added = lines.iter().try_for_each(|line| reader.add(line, false));
        added.and_then(|()| reader.finish()).unwrap_err().to_string()
    }

    #[test]
    fn a_malformed_line_is_named_with_its_fault() {
        let cases = [
            (["a8a7", ":c6c7"], "line 7 of the certificate: \"a8a7\" is not of the form defence:answer-k"),
            ([":a8a7", ":c6c7"], "line 7 of the certificate: \":a8a7\" is not of the form defence:answer-k"),
            (["#", ":c6c7"], "line 7 of the certificate: \"#\" is not of the form defence:answer-k"),
            (
                ["a8:b1a1", ":c6c7"],
                "line 7 of the certificate: \"a8:b1a1\" does not begin with a move such as e2e4 or e7e8q",
            ),
            (["a8a7:b1a1k", ":c6c7"], "line 7 of the certificate: \"b1a1k\" is not a move such as e2e4 or e7e8q"),
            (["a8a7:b1a1", ":c6c7-x"], "line 8 of the certificate: \"c6c7-x\" does not end in a number of lines"),
            (
                ["a8a7:b1a1", ":c6c7-2"],
                "line 8 of the certificate: \"c6c7-2\" refers to a line that is not above it in the proof",
            ),
            (["a8a7:b1a1", ":c6c7"], "line 7 of the certificate is referred to by no later line"),
        ];
        for (lines, sentence) in cases {
            assert_eq!(error(&lines), sentence);
        }
    }

    #[test]
    fn long_lines_are_quoted_cut() {
        let header = "matesolve certificate 1\nfen x\nattacker white\nmate 1\nnodes 1\nchecksum ";
        let text = format!("{header}\n{}\n", "é".repeat(1 << 20));
        let Err(CertificateError::Checksum { computed, .. }) = Certificate::read(text.as_bytes()) else { panic!() };
        let text = text.replace("checksum ", &format!("checksum {computed}"));
        let error = Certificate::read(text.as_bytes()).unwrap_err().to_string();
        let expected = format!("line 7 of the certificate: \"{}\" begins a line that is too long", "é".repeat(40));
        assert!(error.starts_with(&expected), "{error}");
    }

    #[test]
    fn an_error_of_the_input_is_passed_on() {
        let broken = io::BufReader::new(io::Read::chain(TITLE.as_bytes(), Broken));
        assert!(matches!(read(broken).err(), Some(CertificateError::Unreadable(_))));
    }

    /// An input that cannot be read.
    struct Broken;

    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}
