//! Proof trees: the claim of a mate, with everything needed to check it.
//!
//! An OR node keeps one attacker move, an AND node keeps every legal reply; an AND node without replies claims
//! checkmate. Positions that occur more than once share one node, so the "tree" is a directed acyclic graph; it is
//! stored children first, which makes cycles impossible by construction: a node refers only to nodes before it.
//!
//! ```text
//!   index   0: Defend []            checkmate
//!           1: Attack Qg7  -> 0
//!           2: Defend [Kh8 -> 1]
//!   root    3: Attack Rh1+ -> 2     mate in 2
//! ```
//!
//! The tree carries no positions; [`super::checker`] recovers them by replaying the moves.

use crate::chess::{MateLength, MoveCode};

/// Index of a node in its tree.
pub type NodeId = u32;

/// One node of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofNode {
    /// OR node: the attacker's move and the node it leads to.
    Attack(MoveCode, NodeId),
    /// AND node: all legal replies and where they lead; none means checkmate.
    Defend(Vec<(MoveCode, NodeId)>),
}

/// A claimed forced mate. Nothing in it is trusted until the checker has replayed it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProofTree {
    nodes: Vec<ProofNode>,
}

impl ProofTree {
    /// An empty tree to push nodes into, children first; the node pushed last is the root.
    pub fn new() -> ProofTree {
        ProofTree::default()
    }

    /// Adds a node whose children are already in the tree, and gives its index.
    ///
    /// # Panics
    /// If a child index is not smaller than the new node's own.
    pub fn push(&mut self, node: ProofNode) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("a proof has fewer than 2^32 nodes");
        let earlier = match &node {
            ProofNode::Attack(_, child) => *child < id,
            ProofNode::Defend(replies) => replies.iter().all(|&(_, child)| child < id),
        };
        assert!(earlier, "children are pushed before their parents");
        self.nodes.push(node);
        id
    }

    /// The proof with a move of the attacker before it.
    #[must_use]
    pub fn after(mut self, m: MoveCode) -> ProofTree {
        if let Some(root) = self.root() {
            self.push(ProofNode::Attack(m, root));
        }
        self
    }

    /// The nodes, children first, root last.
    pub fn nodes(&self) -> &[ProofNode] {
        &self.nodes
    }

    /// The root's index; `None` for an empty tree.
    pub fn root(&self) -> Option<NodeId> {
        self.nodes.len().checked_sub(1).map(|last| last as NodeId)
    }

    /// The claimed length from every node, by index; lengths beyond what [`MateLength`] holds stay at its end.
    pub fn lengths(&self) -> Vec<MateLength> {
        let mut lengths: Vec<MateLength> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            lengths.push(match node {
                ProofNode::Attack(_, child) => MateLength(lengths[*child as usize].0.saturating_add(1)),
                ProofNode::Defend(replies) => {
                    replies.iter().map(|&(_, child)| lengths[child as usize]).max().unwrap_or_default()
                }
            });
        }
        lengths
    }

    /// The claimed length at the root, in moves.
    pub fn length(&self) -> MateLength {
        self.lengths().last().copied().unwrap_or_default()
    }

    /// The longest line: the attacker's proof moves against the defence that holds out longest (the first such).
    pub fn longest_line(&self) -> Vec<MoveCode> {
        let lengths = self.lengths();
        let mut line = Vec::new();
        let mut at = self.root();
        while let Some(id) = at {
            at = match &self.nodes[id as usize] {
                ProofNode::Attack(code, child) => {
                    line.push(*code);
                    Some(*child)
                }
                ProofNode::Defend(replies) => {
                    let longest = replies.iter().map(|&(_, child)| lengths[child as usize]).max();
                    let reply = replies.iter().find(|&&(_, child)| Some(lengths[child as usize]) == longest);
                    reply.map(|&(code, child)| {
                        line.push(code);
                        child
                    })
                }
            };
        }
        line
    }
}
