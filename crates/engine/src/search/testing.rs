//! Proof trees and a counter of nodes for the unit tests of the searches.

use crate::chess::MoveCode;
use crate::proof::{ProofNode, ProofTree};
use crate::search::{Control, Limits, Meter};

/// Calls `work` with a counter of nodes without a limit.
pub(crate) fn with_meter<R>(work: impl FnOnce(&mut Meter<'_>) -> R) -> R {
    let stop = std::sync::atomic::AtomicBool::new(false);
    work(&mut Meter::new(&Control::new(Limits::default(), &stop)))
}

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
