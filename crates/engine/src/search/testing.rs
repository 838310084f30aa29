//! Proof trees for the unit tests of the searches.

use crate::chess::MoveCode;
use crate::proof::{ProofNode, ProofTree};

/// Returns a proof of this length, for tests that do not look at its moves.
pub(crate) fn tree_of_length(length: u16) -> ProofTree {
    let code = MoveCode::new(shakmaty::Square::A1, shakmaty::Square::B1, None);
    let mut tree = ProofTree::new();
    let mut last = tree.push(ProofNode::MATE);
    for n in 0..length {
        if n > 0 {
            last = tree.push(ProofNode::Defend(vec![(code, last)]));
        }
        last = tree.push(ProofNode::Attack(code, last));
    }
    tree
}
