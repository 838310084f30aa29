//! Keeps the proofs of one search for the next one, as long as the game follows them.
//!
//! A mate in 9 that was proved before the last two moves is a mate in 8 afterwards, if both moves are in the proof.
//! Without this, a new search might not find its own mate again. The proof is verified again before use, because the
//! game and the options may have changed.

use shakmaty::{Chess, Color, Position as _};

use crate::chess::MoveCode;
use crate::proof::{ProofNode, ProofTree};
use crate::uci::analysis::context::CarriedProof;
use crate::uci::answer::root_moves::{ProvedMove, RootMoves, Score};
use crate::uci::protocol::game::Game;

/// The proofs of the last search that found any.
#[derive(Debug, Clone)]
pub(super) struct CarryOver {
    /// The position that was searched.
    root: Chess,
    proofs: Vec<ProvedMove>,
}

impl CarryOver {
    /// Takes the proofs of a search of `root`; `None` if it proved nothing.
    pub(super) fn new(root: &Chess, root_moves: &RootMoves) -> Option<CarryOver> {
        let proofs: Vec<ProvedMove> = root_moves.moves.iter().filter_map(|m| m.proved.clone()).collect();
        (!proofs.is_empty()).then(|| CarryOver { root: root.clone(), proofs })
    }

    /// Returns the proofs about the position on the board of `game`; none if the game has left them.
    pub(super) fn proofs_for(&self, game: &Game) -> Vec<CarriedProof> {
        match game.moves_since(&self.root) {
            None => Vec::new(),
            Some([]) => {
                let unchanged = |proved: &ProvedMove| CarriedProof {
                    first: Some(proved.first),
                    attacker: self.attacker(proved),
                    tree: proved.proof.tree().subproof(proved.node),
                };
                self.proofs.iter().map(unchanged).collect()
            }
            Some([first, rest @ ..]) => {
                let proved = self.proofs.iter().find(|proved| proved.first == *first);
                let remaining = proved.and_then(|proved| {
                    let tree = follow(proved, rest)?;
                    Some(CarriedProof { first: None, attacker: self.attacker(proved), tree })
                });
                remaining.into_iter().collect()
            }
        }
    }

    /// Returns the side that mates.
    fn attacker(&self, proved: &ProvedMove) -> Color {
        match proved.score {
            Score::Mates(_) => self.root.turn(),
            Score::Mated(_) => !self.root.turn(),
        }
    }
}

/// Returns the rest of a proof after these moves, played after its first move; `None` if one is not in the proof.
fn follow(proved: &ProvedMove, moves: &[MoveCode]) -> Option<ProofTree> {
    let mut node = proved.node;
    for played in moves {
        node = match &proved.proof.tree().nodes()[node as usize] {
            ProofNode::Attack(code, child) => (code == played).then_some(*child)?,
            ProofNode::Defend(replies) => replies.iter().find(|(code, _)| code == played)?.1,
            ProofNode::End(_) => return None,
        };
    }
    Some(proved.proof.tree().subproof(node))
}
