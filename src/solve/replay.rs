//! Replays a claimed proof with nothing but shakmaty's rules.
//!
//! Every reachable pair of (node, position) is visited once: the attacker's move must be legal, the defender's replies
//! must be exactly the legal ones, and a node without replies must be checkmate.

use std::collections::HashMap;
use std::fmt;

use shakmaty::{Chess, Color, Move, Position as _};

use crate::chess::{MateLength, MoveCode};
use crate::proof::{NodeId, ProofNode, ProofTree};

/// What is wrong with a claimed proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProofError {
    /// The tree has no nodes.
    Empty,
    /// A node's kind does not fit the side to move.
    WrongSide(NodeId),
    /// A move is not legal where it is to be played.
    IllegalMove(NodeId, MoveCode),
    /// A legal defence is not answered.
    MissingDefence(NodeId, String),
    /// The line ends without checkmate.
    NoCheckmate(NodeId),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::Empty => f.write_str("the proof is empty"),
            ProofError::WrongSide(node) => write!(f, "the wrong side moves at node {node}"),
            ProofError::IllegalMove(node, code) => write!(f, "{code:?} is illegal at node {node}"),
            ProofError::MissingDefence(node, reply) => write!(f, "the defence {reply} is not answered at node {node}"),
            ProofError::NoCheckmate(node) => write!(f, "node {node} is not checkmate"),
        }
    }
}

/// The legal move with this code.
pub(super) fn legal_move(chess: &Chess, code: MoveCode) -> Option<Move> {
    let target = |m: &Move| match m {
        Move::Castle { rook, .. } => *rook,
        _ => m.to(),
    };
    chess
        .legal_moves()
        .into_iter()
        .find(|m| m.from() == Some(code.from()) && target(m) == code.to() && m.promotion() == code.promotion())
}

/// Checks the proof of a mate by `attacker` and gives its length.
pub(super) fn check(root: &Chess, attacker: Color, tree: &ProofTree) -> Result<MateLength, ProofError> {
    let mut seen: HashMap<NodeId, Vec<Chess>> = HashMap::new();
    let mut open = vec![(tree.root().ok_or(ProofError::Empty)?, root.clone())];
    while let Some((id, chess)) = open.pop() {
        let known = seen.entry(id).or_default();
        if known.contains(&chess) {
            continue;
        }
        let mut child = |code: MoveCode, child: NodeId| {
            let m = legal_move(&chess, code).ok_or(ProofError::IllegalMove(id, code))?;
            let mut next = chess.clone();
            next.play_unchecked(m);
            open.push((child, next));
            Ok(m)
        };
        match &tree.nodes()[id as usize] {
            ProofNode::Attack(code, to) if chess.turn() == attacker => {
                child(*code, *to)?;
            }
            ProofNode::Defend(replies) if chess.turn() != attacker => {
                let answered: Vec<Move> =
                    replies.iter().map(|&(code, to)| child(code, to)).collect::<Result<_, ProofError>>()?;
                if let Some(missing) = chess.legal_moves().iter().find(|m| !answered.contains(m)) {
                    return Err(ProofError::MissingDefence(id, missing.to_string()));
                }
                if replies.is_empty() && !chess.is_checkmate() {
                    return Err(ProofError::NoCheckmate(id));
                }
            }
            _ => return Err(ProofError::WrongSide(id)),
        }
        known.push(chess);
    }
    Ok(tree.length())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Square, fen::Fen};

    fn chess(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn code(from: Square, to: Square) -> MoveCode {
        MoveCode::new(from, to, None)
    }

    /// Black to move has two replies, both mated at once; the tree with the given replies.
    fn tree(replies: &[(Square, Square, Square)]) -> ProofTree {
        let mut tree = ProofTree::new();
        let mate = tree.push(ProofNode::Defend(vec![]));
        let replies = replies
            .iter()
            .map(|&(from, to, mating)| (code(from, to), tree.push(ProofNode::Attack(code(Square::B1, mating), mate))))
            .collect();
        tree.push(ProofNode::Defend(replies));
        tree
    }

    #[test]
    fn complete_proofs_pass_and_mutilated_ones_do_not() {
        // The king on h8 may only go to g8; the pawn may only go to a5.
        let root = chess("7k/R7/p5K1/8/8/8/8/1R6 b - - 0 1");
        let good = [(Square::H8, Square::G8, Square::B8), (Square::A6, Square::A5, Square::B8)];
        assert_eq!(check(&root, Color::White, &tree(&good)), Ok(MateLength(1)));
        assert!(matches!(check(&root, Color::White, &tree(&good[..1])), Err(ProofError::MissingDefence(..))));
        let illegal = [(Square::H8, Square::G8, Square::C3), good[1]];
        assert!(matches!(check(&root, Color::White, &tree(&illegal)), Err(ProofError::IllegalMove(..))));
        let quiet = [(Square::H8, Square::G8, Square::B2), good[1]];
        assert!(matches!(check(&root, Color::White, &tree(&quiet)), Err(ProofError::MissingDefence(..))));
        assert!(matches!(check(&root, Color::Black, &tree(&good)), Err(ProofError::WrongSide(_))));
        assert_eq!(check(&root, Color::White, &ProofTree::new()), Err(ProofError::Empty));
    }

    #[test]
    fn stalemate_is_no_mate() {
        let root = chess("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
        let mut tree = ProofTree::new();
        let leaf = tree.push(ProofNode::Defend(vec![]));
        tree.push(ProofNode::Attack(code(Square::F1, Square::F7), leaf));
        assert_eq!(check(&root, Color::White, &tree), Err(ProofError::NoCheckmate(0)));
    }
}
