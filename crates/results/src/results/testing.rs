//! Proofs for the unit tests of the modules that show results.

use shakmaty::Color;

use crate::chess::Goal;
use crate::proof::{ProofNode, ProofTree, Verified, VerifiedFlag, check, parse_position};

/// Returns the proof of a checkmate on the board, for tests that need some proof.
pub(crate) fn of_a_checkmate() -> Verified {
    let mut tree = ProofTree::new();
    tree.push(ProofNode::MATE);
    let root = parse_position("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").expect("a legal position");
    check(&root, Color::White, Goal::MATE, tree).expect("checkmate")
}

/// Returns a flag that is set, for tests of the output formats.
pub(crate) fn verified() -> VerifiedFlag {
    VerifiedFlag::by(&of_a_checkmate())
}
