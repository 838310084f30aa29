//! Reads version 1 of the format, which is no longer written.
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
//! - `nodes` is the number of lines after these six.
//! - Each of them is a position with the defender to move. It lists all legal defences, each with the attacker's
//!   answer: `defence:answer-k`. The position after the answer is the line `k` lines further up. An answer without `-k`
//!   gives checkmate.
//! - The last line is the diagram: the attacker's first move alone, `:move-k`, if he is to move there; `#` if it is
//!   checkmate already.
//! - The checksum is the 64-bit FNV-1a hash of all other lines, each with its line feed; `\r\n` counts as `\n`.

use std::io::BufRead;

use matesolve_terms::checksum::Checksum;
use matesolve_terms::printable::excerpt;
use matesolve_terms::{Goal, MateLength, MoveCode};
use shakmaty::Color;

use super::claims::Claims;
use super::format::parse_move;
use super::header::Header;
use super::summed::SummedLines;
use super::{CertificateError, Proved, root};
use crate::{NodeId, ProofNode, ProofTree, check};

/// The first line.
pub(super) const TITLE: &str = "matesolve certificate 1";

/// The number of lines in the header, the first one included.
const HEADER_LINES: usize = 6;

/// The longest certificate that is read, in bytes.
const MOST_BYTES: usize = 1 << 30;

/// Reads what follows the first line of a certificate, and checks its proof.
pub(super) fn read(mut input: SummedLines<impl BufRead>) -> Result<(Header, Proved), CertificateError> {
    let mut lines = vec![TITLE.to_owned()];
    let mut bytes = 0;
    while let Some(line) = input.next()? {
        bytes += line.len();
        if bytes > MOST_BYTES {
            return Err(CertificateError::Cut);
        }
        lines.push(line.strip_suffix('\r').unwrap_or(line).to_owned());
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (header, tree) = parse(&lines)?;
    let proof = check(&root(&header.fen)?, header.attacker, Goal::MATE, tree)?;
    let is_answered = |node: &&ProofNode| matches!(node, ProofNode::Defend(_));
    let positions = proof.tree().nodes().iter().filter(is_answered).count();
    if proof.length() != header.moves {
        return Err(CertificateError::Length { claimed: header.moves, proved: proof.length() });
    }
    Ok((header, Proved { positions, refuted: 0, tree: proof.into_tree() }))
}

/// Reads the lines, and checks everything that needs no chess.
fn parse(lines: &[&str]) -> Result<(Header, ProofTree), CertificateError> {
    let stated = field(lines, 6, "checksum", "checksum HEX")?;
    let computed = format!("{:016x}", checksum(lines));
    if stated != computed {
        return Err(CertificateError::Checksum { stated: excerpt(stated), computed });
    }
    let fen = field(lines, 2, "fen", "fen FEN")?.to_owned();
    let expected = "attacker white|black";
    let attacker = match field(lines, 3, "attacker", expected)? {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return Err(CertificateError::Header { line: 3, expected }),
    };
    let length = MateLength(number(lines, 4, "mate", "mate MOVES")?);
    let (stated, found) = (number(lines, 5, "nodes", "nodes COUNT")?, lines.len() - HEADER_LINES);
    if stated != found {
        return Err(CertificateError::Count { stated, found });
    }
    let mut proof = ProofReader::default();
    lines[HEADER_LINES..].iter().try_for_each(|line| proof.add(line))?;
    let header = Header {
        fen,
        exclusive: Vec::new(),
        attacker,
        goal: Goal::MATE,
        moves: length,
        intended: 1,
        claims: Claims::Solved(length),
    };
    Ok((header, proof.finish()?))
}

/// The checksum of all lines but its own.
fn checksum(lines: &[&str]) -> u64 {
    let others = lines.iter().enumerate().filter(|&(at, _)| at + 1 != HEADER_LINES);
    let mut checksum = Checksum::default();
    others.flat_map(|(_, line)| [line.as_bytes(), b"\n"]).for_each(|bytes| checksum.add(bytes));
    checksum.value()
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

/// Builds the tree of a proof from its lines.
#[derive(Default)]
struct ProofReader {
    tree: ProofTree,
    /// By line: its node, and whether a later line refers to it.
    lines: Vec<(NodeId, bool)>,
    /// The last line if it can only be the last one: `#` or `:answer-k`.
    last: Option<String>,
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

impl ProofReader {
    /// Adds a line.
    fn add(&mut self, text: &str) -> Result<(), CertificateError> {
        let index = self.lines.len();
        if let Some(last) = &self.last {
            let why = "is not of the form defence:answer-k";
            return Err(Malformed { part: last, why }.on_line(index - 1));
        }
        let node = if text == "#" {
            Ok(ProofNode::MATE)
        } else if let Some(answer) = text.strip_prefix(':') {
            self.answer(answer).map(|(code, child)| ProofNode::Attack(code, child))
        } else {
            text.split(' ').map(|part| self.part(part)).collect::<Result<_, _>>().map(ProofNode::Defend)
        };
        let node = node.map_err(|malformed| malformed.on_line(index))?;
        self.last = (!matches!(node, ProofNode::Defend(_))).then(|| text.chars().take(40).collect());
        let node = self.tree.push(node);
        self.lines.push((node, false));
        Ok(())
    }

    /// Returns the proof, if every line but the last is referred to.
    fn finish(mut self) -> Result<ProofTree, CertificateError> {
        self.lines.pop();
        match self.lines.iter().position(|&(_, is_referenced)| !is_referenced) {
            Some(index) => Err(CertificateError::Unused { line: HEADER_LINES + 1 + index }),
            None => Ok(self.tree),
        }
    }

    /// Reads a defence and its answer: `defence:answer-k`.
    fn part<'a>(&mut self, text: &'a str) -> Result<(MoveCode, NodeId), Malformed<'a>> {
        let malformed = |why| Malformed { part: text, why };
        let (defence, answer) = text.split_once(':').ok_or(malformed("is not of the form defence:answer-k"))?;
        let defence = parse_move(defence).ok_or(malformed("does not begin with a move such as e2e4 or e7e8q"))?;
        let (code, child) = self.answer(answer)?;
        Ok((defence, self.tree.push(ProofNode::Attack(code, child))))
    }

    /// Reads an answer: `move-k`, or `move` alone for a mating move. Returns the move and the node after it.
    fn answer<'a>(&mut self, text: &'a str) -> Result<(MoveCode, NodeId), Malformed<'a>> {
        let malformed = |why| Malformed { part: text, why };
        let (code, distance) = text.split_once('-').map_or((text, None), |(code, k)| (code, Some(k)));
        let code = parse_move(code).ok_or(malformed("is not a move such as e2e4 or e7e8q"))?;
        let Some(distance) = distance else { return Ok((code, self.tree.push(ProofNode::MATE))) };
        let distance: u32 = distance.parse().map_err(|_| malformed("does not end in a number of lines"))?;
        let line = self.lines.len().checked_sub(distance as usize).filter(|_| distance > 0);
        let line = line.ok_or(malformed("refers to a line that is not above it in the proof"))?;
        let (node, is_referenced) = &mut self.lines[line];
        *is_referenced = true;
        Ok((code, *node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckedCertificate;

    fn error(lines: &[&str]) -> String {
        let mut reader = ProofReader::default();
        let added = lines.iter().try_for_each(|line| reader.add(line));
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
    fn the_checksum_is_fnv_1a() {
        // The second value is the offset basis that the authors of the algorithm publish.
        assert_eq!(checksum(&["a"]), 0x089b_dc07_b544_e7b2);
        assert_eq!(checksum(&[]), 0xcbf2_9ce4_8422_2325);
        assert_ne!(checksum(&["a8a7:b1a1"]), checksum(&["a8a7:b1a2"]));
    }

    #[test]
    fn the_kind_of_line_break_does_not_matter() {
        let text = "matesolve certificate 1\nfen k7/8/2K5/8/8/8/8/1R6 w - - 0 1\nattacker white\nmate 2\nnodes 2\n\
                    checksum 7e04031b53365913\na8a7:b1a1\n:c6c7-1\n";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let checked = CheckedCertificate::read(text.as_bytes()).unwrap();
            assert_eq!((checked.moves(), checked.positions()), (MateLength(2), 1));
        }
    }
}
