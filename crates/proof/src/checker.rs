//! The checker: replays a proof with the rules of chess and nothing else.
//!
//! The proof trees of forced play rest on this file, so it runs no code of the crate with the searches and their chess
//! kernel. The rules come from shakmaty, whose tables of attacks the kernel uses, too. In common with the searches are
//! also words such as [`MoveCode`] and [`Goal`], and the form of a proof ([`ProofTree`]). A proof that is wrong by a
//! fault in the kernel, in a search or in a table is refused.
//!
//! Every node that can be reached from the root must meet the demands of [`super::rules`]. A node that several lines
//! reach must be the same position in all of them (men, side to move, castling rights, en passant). Otherwise one
//! replay of the node would not be valid for all these lines.
//!
//! Children stand before their parents in a tree. Walking from the last node to the first therefore meets every node
//! after all its parents: each node is replayed once, without recursion, and its position is freed at once. Nodes that
//! cannot be reached from the root are not part of the proof and are not replayed.

use matesolve_terms::{Goal, MateLength, MoveCode};
use shakmaty::{Chess, Color, Move, Position as _, Square};

use super::fault::LineText;
use super::rules::{self, legal_moves};
use super::{NodeId, ProofError, ProofNode, ProofTree, Verified};

/// Checks a proof that `attacker` reaches the goal, starting from the position `root`. Every [`Verified`] proof is made
/// by this function or by [`check_exclusive`].
///
/// # Errors
/// The first fault found, with the line of moves that leads to it.
///
/// ```
/// use matesolve_terms::{Goal, MoveCode};
/// use matesolve_proof::{ProofNode, ProofTree, check};
/// use shakmaty::{CastlingMode, Chess, Color, Square, fen::Fen};
///
/// let root: Chess = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse::<Fen>()?.into_position(CastlingMode::Standard)?;
/// let rook_to = |square| {
///     let mut tree = ProofTree::new();
///     let checkmate = tree.push(ProofNode::MATE);
///     tree.push(ProofNode::Attack(MoveCode::new(Square::A1, square, None), checkmate));
///     tree
/// };
/// let proof = check(&root, Color::White, Goal::MATE, rook_to(Square::A8))?;
/// assert_eq!(proof.length().0, 1);
///
/// let fault = check(&root, Color::White, Goal::MATE, rook_to(Square::A7)).unwrap_err();
/// assert_eq!(fault.to_string(), "after 1. Ra7 the proof ends, but it is not checkmate: the defender has f5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(root: &Chess, attacker: Color, goal: Goal, tree: ProofTree) -> Result<Verified, ProofError> {
    check_exclusive(root, attacker, goal, tree, &[])
}

/// Checks a proof like [`check`], for a diagram in which pairs of castling rights exclude each other: castling with one
/// rook of a pair takes away the right to castle with the other. The squares are those of the rooks.
///
/// # Errors
/// The first fault found, with the line of moves that leads to it.
pub fn check_exclusive(
    root: &Chess,
    attacker: Color,
    goal: Goal,
    tree: ProofTree,
    exclusive: &[(Square, Square)],
) -> Result<Verified, ProofError> {
    let length = replay(root, attacker, goal, &tree, exclusive, |_, _| ())?;
    Ok(Verified::new(root.clone(), attacker, goal, length, tree))
}

/// Replays a proof and returns the length of the mate against the longest defence. Calls `visit` with each node of the
/// proof and its position, parents first.
pub(super) fn replay(
    root: &Chess,
    attacker: Color,
    goal: Goal,
    tree: &ProofTree,
    exclusive: &[(Square, Square)],
    mut visit: impl FnMut(NodeId, &Chess),
) -> Result<MateLength, ProofError> {
    let last = tree.root().ok_or(ProofError::Empty)?;
    let mut replay = Replay {
        root,
        attacker,
        goal,
        tree,
        exclusive,
        pending: vec![None; tree.nodes().len()],
        reached_by: vec![None; tree.nodes().len()],
    };
    replay.pending[last as usize] = Some(Box::new(root.clone()));
    for id in (0..=last).rev() {
        if let Some(position) = replay.pending[id as usize].take() {
            visit(id, &position);
            replay.check_node(id, &position)?;
        }
    }
    length(tree, goal)
}

struct Replay<'a> {
    root: &'a Chess,
    attacker: Color,
    goal: Goal,
    tree: &'a ProofTree,
    /// The squares of rooks whose castling rights exclude each other, in pairs.
    exclusive: &'a [(Square, Square)],
    /// By node: its position, from when the node is reached until it is replayed.
    pending: Vec<Option<Box<Chess>>>,
    /// By node: the parent and the move by which it was first reached. `None` for the root.
    reached_by: Vec<Option<(NodeId, MoveCode)>>,
}

impl Replay<'_> {
    /// Checks one node and plays its moves to its children.
    fn check_node(&mut self, id: NodeId, position: &Chess) -> Result<(), ProofError> {
        let tree = self.tree;
        match &tree.nodes()[id as usize] {
            ProofNode::Attack(code, child) => {
                let m = rules::attack(position, self.attacker, self.goal, *code);
                let m = m.map_err(|fault| fault.after(self.line(id)))?;
                self.reach(*child, id, *code, position, m)
            }
            ProofNode::Defend(replies) => {
                let codes = replies.iter().map(|&(code, _)| code);
                let moves = rules::defences(position, self.attacker, self.goal, codes);
                let moves = moves.map_err(|fault| fault.after(self.line(id)))?;
                for (&(code, child), m) in replies.iter().zip(moves) {
                    self.reach(child, id, code, position, m)?;
                }
                Ok(())
            }
            ProofNode::End(end) => {
                rules::end(position, self.attacker, self.goal, *end).map_err(|fault| fault.after(self.line(id)))
            }
        }
    }

    /// Plays a move to a child and checks that all lines to the child end in the same position.
    fn reach(
        &mut self,
        child: NodeId,
        parent: NodeId,
        code: MoveCode,
        position: &Chess,
        m: Move,
    ) -> Result<(), ProofError> {
        let next = rules::play(position, m, self.exclusive);
        match &self.pending[child as usize] {
            None => {
                self.pending[child as usize] = Some(Box::new(next));
                self.reached_by[child as usize] = Some((parent, code));
                Ok(())
            }
            // shakmaty compares men, side to move, castling rights and legal en passant: all that the legal moves
            // depend on.
            Some(earlier) if **earlier == next => Ok(()),
            Some(_) => {
                let mut moves = self.moves(parent);
                moves.push(m);
                Err(ProofError::TwoPositions { line: self.line(child), other: LineText::of(self.root, &moves) })
            }
        }
    }

    /// Returns the moves from the root by which a node was first reached.
    fn moves(&self, id: NodeId) -> Vec<Move> {
        let mut codes = Vec::new();
        let mut at = id;
        while let Some((parent, code)) = self.reached_by[at as usize] {
            codes.push(code);
            at = parent;
        }
        let mut position = self.root.clone();
        let mut moves = Vec::with_capacity(codes.len());
        for code in codes.into_iter().rev() {
            let legal = legal_moves(&position);
            let Some(&(_, m)) = legal.iter().find(|&&(legal, _)| legal == code) else { break };
            position.play_unchecked(m);
            moves.push(m);
        }
        moves
    }

    fn line(&self, id: NodeId) -> LineText {
        LineText::of(self.root, &self.moves(id))
    }
}

/// Returns the defences of a node.
fn replies_of(node: &ProofNode) -> &[(MoveCode, NodeId)] {
    if let ProofNode::Defend(replies) = node { replies } else { &[] }
}

/// Returns the length of a replayed tree; a goal may demand that all its lines have the same. Counts in `u32`: an
/// invalid tree may be longer than a `MateLength` can hold.
fn length(tree: &ProofTree, goal: Goal) -> Result<MateLength, ProofError> {
    let mut lengths: Vec<u32> = Vec::with_capacity(tree.nodes().len());
    for node in tree.nodes() {
        let mut rests = replies_of(node).iter().map(|&(_, child)| lengths[child as usize]);
        if goal.exact && rests.next().is_some_and(|first| rests.any(|rest| rest != first)) {
            return Err(ProofError::Uneven);
        }
        lengths.push(match node {
            ProofNode::Attack(_, child) => lengths[*child as usize] + 1,
            ProofNode::Defend(replies) => {
                replies.iter().map(|&(_, child)| lengths[child as usize]).max().unwrap_or_default()
            }
            ProofNode::End(_) => 0,
        });
    }
    let moves = lengths.last().copied().unwrap_or_default();
    if moves > u32::from(MateLength::MAX.0) {
        return Err(ProofError::TooLong { moves });
    }
    Ok(MateLength(moves as u16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::chess;

    use ProofNode::{Attack, Defend};

    fn mv(text: &str) -> MoveCode {
        MoveCode::new(text[0..2].parse().unwrap(), text[2..4].parse().unwrap(), None)
    }

    fn tree(nodes: Vec<ProofNode>) -> ProofTree {
        let mut tree = ProofTree::new();
        for node in nodes {
            tree.push(node);
        }
        tree
    }

    fn fault(fen: &str, nodes: Vec<ProofNode>) -> String {
        check(&chess(fen), Color::White, Goal::MATE, tree(nodes)).unwrap_err().to_string()
    }

    /// 1. Kc7 Ka7 2. Ra1#.
    const ROOK: &str = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1";
    /// 1. Qc8#; 1. Qc7 is stalemate.
    const QUEEN: &str = "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1";

    #[test]
    fn a_proof_has_the_length_of_its_longest_line() {
        let proof =
            tree(vec![ProofNode::MATE, Attack(mv("b1a1"), 0), Defend(vec![(mv("a8a7"), 1)]), Attack(mv("c6c7"), 2)]);
        assert_eq!(check(&chess(ROOK), Color::White, Goal::MATE, proof.clone()).unwrap().length(), MateLength(2));
        assert_eq!(
            check(&chess(ROOK), Color::Black, Goal::MATE, proof).unwrap_err().to_string(),
            "in the diagram the proof has a move of the attacker, but the defender is to move"
        );
    }

    #[test]
    fn faults_are_named_with_the_line_that_leads_to_them() {
        assert_eq!(fault(ROOK, vec![]), "the proof is empty");
        assert_eq!(
            fault(ROOK, vec![ProofNode::MATE, Attack(mv("c6c7"), 0)]),
            "after 1. Kc7 the proof ends, but it is not checkmate: the defender has Ka7"
        );
        assert_eq!(
            fault(QUEEN, vec![ProofNode::MATE, Attack(mv("c1c7"), 0)]),
            "after 1. Qc7 the proof claims checkmate, but it is stalemate"
        );
        assert_eq!(
            fault(QUEEN, vec![ProofNode::MATE, Attack(mv("c1d3"), 0)]),
            "in the diagram the attacker's move c1d3 is not legal"
        );
        assert_eq!(
            fault(QUEEN, vec![ProofNode::MATE, Defend(vec![(mv("c1c8"), 0)])]),
            "in the diagram the proof has moves of the defender, but the attacker is to move"
        );
    }

    #[test]
    fn every_defence_must_be_answered_exactly_once() {
        let after = |replies| vec![ProofNode::MATE, Attack(mv("b1a1"), 0), Defend(replies), Attack(mv("c6c7"), 2)];
        assert_eq!(
            fault(ROOK, after(vec![(mv("a8a7"), 1), (mv("a8a7"), 1)])),
            "after 1. Kc7 the proof answers the defence Ka7 twice"
        );
        assert_eq!(
            fault(ROOK, after(vec![(mv("a8a7"), 1), (mv("a8b8"), 1)])),
            "after 1. Kc7 the proof answers the defence a8b8, which is not legal"
        );
        let wide = "7k/8/5K2/8/8/8/8/R7 b - - 0 1"; // 1... Kg8 and 1... Kh7
        assert_eq!(
            fault(wide, vec![ProofNode::MATE, Attack(mv("a1a8"), 0), Defend(vec![(mv("h8g8"), 1)])]),
            "in the diagram the proof has no answer to the defence Kh7"
        );
    }

    #[test]
    fn a_node_must_be_the_same_position_in_all_lines() {
        let shared = vec![ProofNode::MATE, Attack(mv("a1a8"), 0), Defend(vec![(mv("h8g8"), 1), (mv("h8h7"), 1)])];
        assert_eq!(
            fault("7k/8/5K2/8/8/8/8/R7 b - - 0 1", shared),
            "after 1... Kg8 and after 1... Kh7 the proof uses the same node for two different positions"
        );
    }

    /// Returns a mate in `moves` moves: the kings move to and fro, the defender's by force, until the queen mates.
    fn long_proof(moves: u16) -> ProofTree {
        let mut nodes = vec![ProofNode::MATE, Attack(mv("g2g7"), 0)];
        for left in 1..u32::from(moves) {
            let outward = (u32::from(moves) - left) % 2 == 1;
            let (white, black) = if outward { ("a1b1", "h8h7") } else { ("b1a1", "h7h8") };
            nodes.push(Defend(vec![(mv(black), 2 * left - 1)]));
            nodes.push(Attack(mv(white), 2 * left));
        }
        tree(nodes)
    }

    #[test]
    fn a_proof_of_any_depth_is_checked_without_recursion() {
        let root = chess("7k/8/7p/7P/8/8/6Q1/K5R1 w - - 0 1");
        let length = |moves| check(&root, Color::White, Goal::MATE, long_proof(moves)).map(|proof| proof.length());
        assert_eq!(length(1000), Ok(MateLength(1000)));
        assert_eq!(length(1001), Err(ProofError::TooLong { moves: 1001 }));
        assert_eq!(length(u16::MAX), Err(ProofError::TooLong { moves: 65535 }));
    }
}
