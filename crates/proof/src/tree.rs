//! Proof trees: claims that the attacker forces the goal, with the moves that are needed to check them.
//!
//! An OR node has one move of the attacker, an AND node has every reply that the goal allows, and an end node says what
//! stands on the board where the goal is reached. A position that occurs more than once can share one node, so the
//! "tree" is a directed acyclic graph. Nodes are stored children first and refer to earlier nodes only, which makes
//! cycles impossible.
//!
//! ```text
//!   index   0: End(Mate)            checkmate
//!           1: Attack Qg7  -> 0
//!           2: Defend [Kh8 -> 1]
//!   root    3: Attack Rh1+ -> 2     mate in 2
//! ```
//!
//! The tree holds no positions: [`super::checker`] obtains them by replaying the moves.

use matesolve_terms::{End, MateLength, MoveCode};

/// The index of a node in its tree, from 0.
pub type NodeId = u32;

/// One node of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofNode {
    /// OR node: the attacker's move and the node it leads to.
    Attack(MoveCode, NodeId),
    /// AND node: all legal replies, at least one, and the nodes they lead to.
    Defend(Vec<(MoveCode, NodeId)>),
    /// The goal is reached: this end of the game stands on the board.
    End(End),
}

impl ProofNode {
    /// The end node of a checkmate.
    pub const MATE: ProofNode = ProofNode::End(End::Mate);
}

/// The claim of a forced mate. Nothing in it is trusted until [`check`](super::check) has replayed it.
///
/// ```
/// use matesolve_terms::{Goal, MoveCode};
/// use matesolve_proof::{ProofNode, ProofTree, check};
/// use shakmaty::{CastlingMode, Chess, Color, Square, fen::Fen};
///
/// let code = |from, to| MoveCode::new(from, to, None);
/// let mut tree = ProofTree::new();
/// // 1. Kc7 Ka7 2. Ra1#, from the end to the beginning.
/// let checkmate = tree.push(ProofNode::MATE);
/// let second = tree.push(ProofNode::Attack(code(Square::B1, Square::A1), checkmate));
/// let defences = tree.push(ProofNode::Defend(vec![(code(Square::A8, Square::A7), second)]));
/// tree.push(ProofNode::Attack(code(Square::C6, Square::C7), defences));
///
/// let fen: Fen = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1".parse()?;
/// let root: Chess = fen.into_position(CastlingMode::Standard)?;
/// assert_eq!(check(&root, Color::White, Goal::MATE, tree)?.main_line_san(), "1. Kc7 Ka7 2. Ra1#");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProofTree {
    nodes: Vec<ProofNode>,
}

impl ProofTree {
    /// Makes an empty tree. Nodes are pushed children first; the last one is the root.
    pub fn new() -> ProofTree {
        ProofTree::default()
    }

    /// Adds a node whose children are already in the tree, and returns its index.
    ///
    /// # Panics
    /// If a child is not in the tree.
    pub fn push(&mut self, node: ProofNode) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("a proof has fewer than 2^32 nodes");
        let earlier = match &node {
            ProofNode::Attack(_, child) => *child < id,
            ProofNode::Defend(replies) => replies.iter().all(|&(_, child)| child < id),
            ProofNode::End(_) => true,
        };
        assert!(earlier, "children are pushed before their parents");
        self.nodes.push(node);
        id
    }

    /// Adds a new root: a move of the attacker that leads to the present root.
    #[must_use]
    pub fn after(mut self, m: MoveCode) -> ProofTree {
        if let Some(root) = self.root() {
            self.push(ProofNode::Attack(m, root));
        }
        self
    }

    /// Returns all nodes, children first, the root last. A [`NodeId`] is an index into them.
    pub fn nodes(&self) -> &[ProofNode] {
        &self.nodes
    }

    /// Returns the number of nodes that fit before the list of nodes grows.
    pub fn capacity(&self) -> usize {
        self.nodes.capacity()
    }

    /// Returns the index of the root; `None` if the tree is empty.
    pub fn root(&self) -> Option<NodeId> {
        self.nodes.len().checked_sub(1).map(|last| last as NodeId)
    }

    /// Returns the claimed length of the mate from every node, by index, in moves of the attacker. Lengths above 65,535
    /// are given as 65,535.
    pub fn lengths(&self) -> Vec<MateLength> {
        let mut lengths: Vec<MateLength> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            lengths.push(match node {
                ProofNode::Attack(_, child) => MateLength(lengths[*child as usize].0.saturating_add(1)),
                ProofNode::Defend(replies) => {
                    replies.iter().map(|&(_, child)| lengths[child as usize]).max().unwrap_or(MateLength(0))
                }
                ProofNode::End(_) => MateLength(0),
            });
        }
        lengths
    }

    /// Returns the claimed length of the mate from the root, in moves of the attacker; 0 if the tree is empty.
    pub fn length(&self) -> MateLength {
        self.lengths().last().copied().unwrap_or(MateLength(0))
    }

    /// Returns the proof from one of the nodes: a copy of the nodes up to this one, which becomes the root.
    #[must_use]
    pub fn subproof(&self, id: NodeId) -> ProofTree {
        ProofTree { nodes: self.nodes[..=id as usize].to_vec() }
    }

    /// Returns the longest line: the moves of the proof against the longest defence at each node; of equally long
    /// defences the first.
    pub fn longest_line(&self) -> Vec<MoveCode> {
        self.root().map_or_else(Vec::new, |root| self.longest_line_from(root, &self.lengths()))
    }

    /// Returns the longest line from one of the nodes. `lengths` is the result of [`ProofTree::lengths`].
    pub fn longest_line_from(&self, id: NodeId, lengths: &[MateLength]) -> Vec<MoveCode> {
        let mut line = Vec::new();
        let mut at = Some(id);
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
                ProofNode::End(_) => None,
            };
        }
        line
    }
}
