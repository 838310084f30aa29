//! Writes certificates: the header, proof trees as text, and the lines of refutations as they come.

use std::fmt::Write as _;
use std::io;

use matesolve_terms::MoveCode;
use shakmaty::Position as _;

use super::claims::Section;
use super::format::{Crc, END, order};
use super::header::Header;
use super::root;
use crate::{NodeId, ProofNode, ProofTree, Verified};

/// Writes a certificate, section by section. Nothing that was written is kept.
pub struct CertificateWriter<W> {
    out: W,
    crc: Crc,
    lines: usize,
    text: String,
}

/// A line of a refutation.
#[derive(Debug, Clone, Copy)]
pub enum Refusal<'a> {
    /// The position of this line of the file, which has as many moves left, or more.
    Same(usize),
    /// The replies to the moves of the attacker.
    Replies(&'a [Reply]),
}

/// A reply of the defender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub code: MoveCode,
    /// The numbers of the attacking moves that it answers; empty for all to which no other reply is named.
    pub to: Vec<u16>,
}

impl<W: io::Write> CertificateWriter<W> {
    /// Begins a certificate.
    ///
    /// # Errors
    /// The first error of `out`, or that the position of the header cannot be played.
    pub fn begin(header: &Header, out: W) -> io::Result<CertificateWriter<W>> {
        let turn = root(&header.fen).map_err(io::Error::other)?.turn();
        let mut writer = CertificateWriter { out, crc: Crc::default(), lines: 0, text: String::new() };
        for line in header.text(turn).lines() {
            writer.line(line)?;
        }
        Ok(writer)
    }

    /// Writes a section that shows a solution.
    pub fn solution(&mut self, proof: &Verified) -> io::Result<()> {
        self.tree(proof.tree(), &Section::Solved { moves: proof.length(), or_fewer: false, first: None })
    }

    /// Writes the title of a section and the lines of a proof tree.
    pub(super) fn tree(&mut self, tree: &ProofTree, section: &Section) -> io::Result<()> {
        self.section(section)?;
        write_proof(tree, self)
    }

    /// Writes the title of a section.
    pub fn section(&mut self, section: &Section) -> io::Result<()> {
        self.line(&section.title())
    }

    /// Writes a line of a section that shows that there is no solution. Returns its number in the file.
    pub fn refusal(&mut self, refusal: Refusal<'_>) -> io::Result<usize> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        match refusal {
            Refusal::Same(line) => {
                let _ = write!(text, "={line}");
            }
            Refusal::Replies([]) => text.push('-'),
            Refusal::Replies(replies) => {
                for (at, Reply { code, to }) in replies.iter().enumerate() {
                    let _ = write!(text, "{}{code}", if at > 0 { " " } else { "" });
                    for (at, number) in to.iter().enumerate() {
                        let _ = write!(text, "{}{number}", if at > 0 { ',' } else { ':' });
                    }
                }
            }
        }
        self.line(&text)?;
        self.text = text;
        Ok(self.lines)
    }

    /// Writes the last line. Without it, the file is none that a checker accepts.
    pub fn end(mut self) -> io::Result<W> {
        writeln!(self.out, "{END}{} {}", self.lines, self.crc)?;
        Ok(self.out)
    }

    /// Returns the number of lines so far.
    pub fn lines(&self) -> usize {
        self.lines
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        for bytes in [line.as_bytes(), b"\n"] {
            self.crc.add(bytes);
            self.out.write_all(bytes)?;
        }
        self.lines += 1;
        Ok(())
    }
}

/// Writes the lines of a proof. The positions that are still to be written stand on a stack, the next one on top.
fn write_proof<W: io::Write>(tree: &ProofTree, text: &mut CertificateWriter<W>) -> io::Result<()> {
    let visits = visits(tree);
    // By node: the number of its line.
    let mut lines: Vec<Option<usize>> = vec![None; visits.len()];
    let mut waiting: Vec<NodeId> = tree.root().into_iter().collect();
    let mut line = String::new();
    while let Some(id) = waiting.pop() {
        line.clear();
        if let Some(earlier) = lines[id as usize] {
            let _ = write!(line, "={earlier}");
        } else {
            lines[id as usize] = Some(text.lines + 1);
            line.push_str(if visits[id as usize] > 1 { "& " } else { "" });
            let first = waiting.len();
            write_node(tree, id, &mut line, &mut waiting);
            waiting[first..].reverse();
        }
        text.line(&line)?;
    }
    Ok(())
}

/// Returns how many answers of the attacker lead to each node.
fn visits(tree: &ProofTree) -> Vec<u32> {
    let mut visits = vec![0; tree.nodes().len()];
    for node in tree.nodes() {
        if let ProofNode::Defend(replies) = node {
            for &(_, reply) in replies {
                if let ProofNode::Attack(_, child) = tree.nodes()[reply as usize] {
                    visits[child as usize] += 1;
                }
            }
        }
    }
    visits
}

/// Writes the line of a node, and adds the nodes that must follow it to `waiting`.
fn write_node(tree: &ProofTree, id: NodeId, line: &mut String, waiting: &mut Vec<NodeId>) {
    let ProofNode::Defend(replies) = &tree.nodes()[id as usize] else {
        return write_answer(tree, id, line, waiting);
    };
    let mut replies: Vec<(MoveCode, NodeId)> = replies.clone();
    replies.sort_unstable_by_key(|&(defence, _)| order(defence));
    let mut tokens = replies.iter().map(|&(_, reply)| {
        let mut token = String::new();
        write_answer(tree, reply, &mut token, waiting);
        token
    });
    let mut next = tokens.next();
    let mut separator = "";
    while let Some(token) = next {
        let mut count = 1;
        next = tokens.find(|other| {
            count += usize::from(*other == token);
            *other != token
        });
        let _ = write!(line, "{separator}{token}");
        if count > 1 {
            let _ = write!(line, "*{count}");
        }
        separator = " ";
    }
}

/// Writes the token of a node where the attacker moves or the goal stands. A position that is left to be written is
/// added to `waiting`.
fn write_answer(tree: &ProofTree, id: NodeId, token: &mut String, waiting: &mut Vec<NodeId>) {
    let mut end = &tree.nodes()[id as usize];
    if let ProofNode::Attack(code, child) = end {
        let _ = write!(token, "{code}");
        end = &tree.nodes()[*child as usize];
        if !matches!(end, ProofNode::End(_)) {
            waiting.push(*child);
        }
    }
    if matches!(end, ProofNode::End(_)) {
        token.push('#');
    }
}
