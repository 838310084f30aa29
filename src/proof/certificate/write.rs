//! Writes a certificate: turns a proof tree into text.

use std::fmt::Write as _;
use std::io;

use shakmaty::Role;

use crate::chess::MoveCode;
use crate::proof::{NodeId, ProofNode, ProofTree};

use super::Certificate;
use super::format::{TITLE, TextChecksum};

impl Certificate {
    /// Writes the certificate as text.
    ///
    /// # Errors
    /// The first error of `out`.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let body = TreeWriter::new(&self.tree).write();
        let Certificate { fen, attacker, length, .. } = self;
        let nodes = body.lines().count();
        let head = format!("{TITLE}\nfen {fen}\nattacker {attacker}\nmate {length}\nnodes {nodes}\n");
        let mut checksum = TextChecksum::default();
        checksum.add(head.as_bytes());
        checksum.add(body.as_bytes());
        write!(out, "{head}checksum {checksum}\n{body}")
    }
}

/// Writes the lines after the header.
struct TreeWriter<'a> {
    tree: &'a ProofTree,
    text: String,
    /// The number of lines written so far.
    lines: usize,
    /// By node: the index of its line, from 0. `None` for nodes without a line: checkmates and the attacker's nodes.
    line_of: Vec<Option<usize>>,
}

impl TreeWriter<'_> {
    fn new(tree: &ProofTree) -> TreeWriter<'_> {
        TreeWriter { tree, text: String::new(), lines: 0, line_of: vec![None; tree.nodes().len()] }
    }

    fn write(mut self) -> String {
        let tree = self.tree;
        for (id, node) in (0..).zip(tree.nodes()) {
            let is_root = Some(id) == tree.root();
            match node {
                ProofNode::Defend(replies) => {
                    self.defences(replies);
                    self.line_of[id as usize] = Some(self.lines);
                }
                ProofNode::End(_) if is_root => self.text.push('#'),
                ProofNode::Attack(..) if is_root => self.answer(id),
                _ => continue,
            }
            self.text.push('\n');
            self.lines += 1;
        }
        self.text
    }

    fn defences(&mut self, replies: &[(MoveCode, NodeId)]) {
        for (i, &(code, child)) in replies.iter().enumerate() {
            if i > 0 {
                self.text.push(' ');
            }
            self.push_move(code);
            self.answer(child);
        }
    }

    /// Writes the move of an attacker's node and the distance to the line of the position after it.
    fn answer(&mut self, node: NodeId) {
        if let ProofNode::Attack(code, child) = &self.tree.nodes()[node as usize] {
            self.text.push(':');
            self.push_move(*code);
            if let Some(line) = self.line_of[*child as usize] {
                let _ = write!(self.text, "-{}", self.lines - line);
            }
        }
    }

    fn push_move(&mut self, code: MoveCode) {
        let _ = write!(self.text, "{}{}", code.from(), code.to());
        self.text.extend(code.promotion().map(Role::char));
    }
}
