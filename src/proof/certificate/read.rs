//! Reads a certificate: builds the proof tree from the text, without playing any move.

use shakmaty::{Color, Role, Square};

use crate::chess::{MateLength, MoveCode};
use crate::printable::excerpt;
use crate::proof::{NodeId, ProofNode, ProofTree};

use super::format::{HEADER_LINES, TITLE, checksum};
use super::{Certificate, CertificateError};

impl Certificate {
    /// Reads a certificate and checks everything that needs no chess: the header, the checksum, and the number and form
    /// of the lines. [`Certificate::verify`] checks the proof itself.
    ///
    /// # Errors
    /// If the bytes are not the text of a certificate.
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
        let stated = field(&lines, 6, "checksum", "checksum HEX")?;
        let (header, body) = lines.split_at(HEADER_LINES);
        let computed = checksum(header[..HEADER_LINES - 1].iter().chain(body).copied());
        if stated != computed {
            return Err(CertificateError::Checksum { stated: excerpt(stated), computed });
        }
        let (fen, attacker, length) = claim(header)?;
        let (stated, found) = (number(header, 5, "nodes", "nodes COUNT")?, body.len());
        if stated != found {
            return Err(CertificateError::Count { stated, found });
        }
        Ok(Certificate { fen: fen.to_owned(), attacker, length, tree: TreeReader::default().read(body)? })
    }
}

/// Returns the position, the attacker and the length that the header states.
fn claim<'a>(header: &[&'a str]) -> Result<(&'a str, Color, MateLength), CertificateError> {
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
fn field<'a>(lines: &[&'a str], line: usize, name: &str, expected: &'static str) -> Result<&'a str, CertificateError> {
    let value = lines.get(line - 1).and_then(|text| text.strip_prefix(name)?.strip_prefix(' '));
    value.ok_or(CertificateError::Header { line, expected })
}

/// Returns the value of a field that holds a number.
fn number<N: std::str::FromStr>(
    lines: &[&str],
    line: usize,
    name: &str,
    expected: &'static str,
) -> Result<N, CertificateError> {
    field(lines, line, name, expected)?.parse().map_err(|_| CertificateError::Header { line, expected })
}

/// Builds the tree from the lines after the header.
#[derive(Default)]
struct TreeReader {
    tree: ProofTree,
    /// By line: its node.
    nodes: Vec<NodeId>,
    /// By line: whether a later line refers to it.
    referenced: Vec<bool>,
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

impl TreeReader {
    fn read(mut self, lines: &[&str]) -> Result<ProofTree, CertificateError> {
        for (i, text) in lines.iter().enumerate() {
            let is_root = i + 1 == lines.len();
            let node = match *text {
                "#" if is_root => Ok(ProofNode::Defend(Vec::new())),
                _ if is_root && text.starts_with(':') => self.answer(&text[1..]),
                _ => self.defences(text),
            };
            let node = node.map_err(|malformed| malformed.on_line(i))?;
            self.nodes.push(self.tree.push(node));
            self.referenced.push(is_root);
        }
        match self.referenced.iter().position(|referenced| !referenced) {
            Some(i) => Err(Malformed { part: lines[i], why: "is referred to by no later line" }.on_line(i)),
            None => Ok(self.tree),
        }
    }

    /// Reads a line of defences, each as `defence:answer-k`.
    fn defences<'a>(&mut self, text: &'a str) -> Result<ProofNode, Malformed<'a>> {
        let mut replies = Vec::new();
        for part in text.split(' ') {
            let malformed = |why| Malformed { part, why };
            let (defence, answer) = part.split_once(':').ok_or(malformed("is not of the form defence:answer-k"))?;
            let defence = parse_move(defence).ok_or(malformed("does not begin with a move such as e2e4 or e7e8q"))?;
            let answer = self.answer(answer)?;
            replies.push((defence, self.tree.push(answer)));
        }
        // A large proof has millions of these lists, and growing has left up to half of each unused.
        replies.shrink_to_fit();
        Ok(ProofNode::Defend(replies))
    }

    /// Reads an answer: `move-k`, or `move` alone for a mating move.
    fn answer<'a>(&mut self, text: &'a str) -> Result<ProofNode, Malformed<'a>> {
        let malformed = |why| Malformed { part: text, why };
        let (code, distance) = text.split_once('-').map_or((text, None), |(code, k)| (code, Some(k)));
        let code = parse_move(code).ok_or(malformed("is not a move such as e2e4 or e7e8q"))?;
        let Some(distance) = distance else {
            return Ok(ProofNode::Attack(code, self.tree.push(ProofNode::Defend(Vec::new()))));
        };
        let distance: usize = distance.parse().map_err(|_| malformed("does not end in a number of lines"))?;
        let line = self.nodes.len().checked_sub(distance).filter(|_| distance > 0);
        let line = line.ok_or(malformed("refers to a line that is not above it in the proof"))?;
        self.referenced[line] = true;
        Ok(ProofNode::Attack(code, self.nodes[line]))
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

    fn error(lines: &[&str]) -> String {
        TreeReader::default().read(lines).unwrap_err().to_string()
    }

    #[test]
    fn a_malformed_line_is_named_with_its_fault() {
        let cases = [
            (["a8a7", ":c6c7"], "line 7 of the certificate: \"a8a7\" is not of the form defence:answer-k"),
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
            (["a8a7:b1a1", ":c6c7"], "line 7 of the certificate: \"a8a7:b1a1\" is referred to by no later line"),
        ];
        for (lines, sentence) in cases {
            assert_eq!(error(&lines), sentence);
        }
    }
}
