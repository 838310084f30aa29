//! Writes a certificate: turns a proof tree into text, each position before those that follow it.

use std::fmt::Write as _;
use std::io;

use shakmaty::{Position as _, Role};

use crate::chess::MoveCode;
use crate::proof::{NodeId, ProofNode, ProofTree};

use super::format::{Crc, END, Header, order};
use super::{Certificate, root};

impl Certificate {
    /// Writes the certificate as text, in version 2 of the format.
    ///
    /// # Errors
    /// The first error of `out`, or that the position of the certificate cannot be played.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let Certificate { fen, attacker, goal, length, tree } = self;
        let turn = root(fen).map_err(io::Error::other)?.turn();
        let header = Header { fen: fen.clone(), attacker: *attacker, goal: *goal, length: *length };
        let mut text = Sealed { out, crc: Crc::default(), lines: 0 };
        for line in header.text(turn).lines() {
            text.line(line)?;
        }
        write_proof(tree, &mut text)?;
        let Sealed { out, crc, lines } = text;
        writeln!(out, "{END}{lines} {crc}")
    }
}

/// A text whose lines are counted and summed as they are written.
struct Sealed<'a, W> {
    out: &'a mut W,
    crc: Crc,
    lines: usize,
}

impl<W: io::Write> Sealed<'_, W> {
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
fn write_proof<W: io::Write>(tree: &ProofTree, text: &mut Sealed<'_, W>) -> io::Result<()> {
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
        let _ = write!(token, "{}{}", code.from(), code.to());
        token.extend(code.promotion().map(Role::char));
        end = &tree.nodes()[*child as usize];
        if !matches!(end, ProofNode::End(_)) {
            waiting.push(*child);
        }
    }
    if matches!(end, ProofNode::End(_)) {
        token.push('#');
    }
}
