//! A proof outlives its search by as long as the game follows it.
//!
//! A mate in 9 that was proved before the last move is a mate in 8 now, if the last two moves are in the proof: there
//! is nothing to search for, and a game is not lost to a search that does not find its own mate again. The proof is
//! judged anew, since the game and the options may have changed.

use std::sync::Arc;

use shakmaty::{Chess, Color, Position as _};

use crate::chess::MoveCode;
use crate::proof::{NodeId, ProofNode, ProofTree};

use super::game::Game;
use super::standing::{Proved, Score, Standing};

/// What the last search has proved.
#[derive(Debug, Clone)]
pub(super) struct Known {
    root: Chess,
    proved: Vec<Proved>,
}

impl Known {
    /// What a search from this position has proved, if anything.
    pub(super) fn new(root: &Chess, standing: &Standing) -> Option<Known> {
        let proved: Vec<Proved> = standing.moves.iter().filter_map(|m| m.proved.clone()).collect();
        (!proved.is_empty()).then(|| Known { root: root.clone(), proved })
    }

    /// What of it holds in this game: after which first move (or in the position itself), who mates, and the proof.
    pub(super) fn recall(&self, game: &Game) -> Vec<(Option<MoveCode>, Color, ProofTree)> {
        let attacker = |proved: &Proved| match proved.score {
            Score::Mates(_) => self.root.turn(),
            Score::Mated(_) => !self.root.turn(),
        };
        match game.since(&self.root) {
            None => Vec::new(),
            Some([]) => {
                let whole = |proved: &Proved| {
                    let (tree, node) = &proved.proof;
                    (Some(proved.first), attacker(proved), tree.subproof(*node))
                };
                self.proved.iter().map(whole).collect()
            }
            Some([first, rest @ ..]) => {
                let proved = self.proved.iter().find(|proved| proved.first == *first);
                let left = proved.and_then(|proved| Some((None, attacker(proved), follow(&proved.proof, rest)?)));
                left.into_iter().collect()
            }
        }
    }
}

/// The proof that is left after these moves, if they are in it.
fn follow(proof: &(Arc<ProofTree>, NodeId), moves: &[MoveCode]) -> Option<ProofTree> {
    let (tree, start) = proof;
    let mut at = *start;
    for wanted in moves {
        at = match &tree.nodes()[at as usize] {
            ProofNode::Attack(code, child) => (code == wanted).then_some(*child)?,
            ProofNode::Defend(replies) => replies.iter().find(|(code, _)| code == wanted)?.1,
        };
    }
    Some(tree.subproof(at))
}
