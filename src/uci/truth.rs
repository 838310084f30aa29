//! The gate between a search and the GUI: nothing is a mate that has not been replayed here.
//!
//! An engine's claim is compacted, so that every position has one node, and given to [`crate::proof::check`]. With
//! `Rule50` every line of it is then searched for a draw that the losing side could claim ([`claimable_draw`]). What
//! passes is turned into scores of first moves with their main lines; each line is played once more and must end in
//! checkmate after exactly the plies that its score says.

use std::collections::HashMap;
use std::sync::Arc;

use shakmaty::{CastlingMode, Chess, Color, Position as _};

use crate::chess::MoveCode;
use crate::proof::{Draw, NodeId, ProofNode, ProofTree, Verified, check, claimable_draw};

use super::game::Game;
use super::notation;
use super::standing::{Proved, RootMove, Score};

/// Judges claims about one position.
#[derive(Debug)]
pub(super) struct Judge {
    chess: Chess,
    mode: CastlingMode,
    /// How often the game has had each position; `None` if draws do not count.
    occurrences: Option<HashMap<Chess, u32>>,
}

/// Why a claim is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The proof does not hold.
    Wrong(String),
    /// It holds, but the losing side could claim a draw.
    Drawn(Draw),
}

impl Judge {
    pub(super) fn new(game: &Game, mode: CastlingMode, rule50: bool) -> Judge {
        Judge { chess: game.chess().clone(), mode, occurrences: rule50.then(|| game.occurrences()) }
    }

    /// Judges the claim that `attacker` mates from the position, or from the one after a first move.
    pub(super) fn judge(
        &self,
        first: Option<&RootMove>,
        attacker: Color,
        tree: &ProofTree,
    ) -> Result<Vec<Proved>, Refusal> {
        let root = first.map_or(&self.chess, |m| &m.after);
        let wrong = |error: crate::proof::ProofError| Refusal::Wrong(error.to_string());
        let proof = tree.compact(root, attacker).and_then(|tree| check(root, attacker, tree)).map_err(wrong)?;
        if let Some(draw) = self.draw(first, &proof)? {
            return Err(Refusal::Drawn(draw));
        }
        self.lines(first, proof)
            .ok_or_else(|| Refusal::Wrong("a line of it does not end in checkmate where it should".to_owned()))
    }

    fn draw(&self, first: Option<&RootMove>, proof: &Verified) -> Result<Option<Draw>, Refusal> {
        let Some(occurrences) = &self.occurrences else { return Ok(None) };
        // The position on the board has itself been counted; that is no time before.
        let times = |position: &Chess| {
            let now = u32::from(first.is_none() && *position == self.chess);
            occurrences.get(position).map_or(0, |times| times - now.min(*times))
        };
        // Only where the attacker is to move on the board it is too late for a claim there.
        let at_root = first.is_some() || self.chess.turn() != proof.attacker();
        claimable_draw(proof, &times, at_root).map_err(|error| Refusal::Wrong(error.to_string()))
    }

    /// What a proof says about first moves.
    fn lines(&self, first: Option<&RootMove>, proof: Verified) -> Option<Vec<Proved>> {
        let length = proof.length();
        let ours = self.chess.turn() == proof.attacker();
        let tree = Arc::new(proof.into_tree());
        let lengths = tree.lengths();
        let root = tree.root()?;
        let line = |first: MoveCode, node: NodeId, score: Score| {
            let mut codes = vec![first];
            codes.extend(tree.longest_line_from(node, &lengths));
            let (pv, end) = notation::write(&self.chess, &codes, self.mode)?;
            let complete = end.is_checkmate() && pv.len() == score.plies() as usize;
            complete.then(|| Proved { first, score, pv, proof: (Arc::clone(&tree), node) })
        };
        match (first, &tree.nodes()[root as usize]) {
            (Some(m), _) if ours => Some(vec![line(m.code, root, Score::Mates(length.0 + 1))?]),
            (Some(m), _) => Some(vec![line(m.code, root, Score::Mated(length.0))?]),
            (None, ProofNode::Attack(code, child)) => Some(vec![line(*code, *child, Score::Mates(length.0))?]),
            (None, ProofNode::Defend(replies)) => {
                let mated =
                    |&(code, child): &(MoveCode, NodeId)| line(code, child, Score::Mated(lengths[child as usize].0));
                replies.iter().map(mated).collect()
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use ProofNode::{Attack, Defend};

    fn mv(text: &str) -> MoveCode {
        MoveCode::new(text[0..2].parse().unwrap(), text[2..4].parse().unwrap(), None)
    }

    /// 1. Kc7 Ka7 2. Ra1#.
    fn proof() -> ProofTree {
        let mut tree = ProofTree::new();
        for node in [Defend(vec![]), Attack(mv("b1a1"), 0), Defend(vec![(mv("a8a7"), 1)]), Attack(mv("c6c7"), 2)] {
            tree.push(node);
        }
        tree
    }

    fn judge(position: &str, rule50: bool, tree: &ProofTree) -> Result<Vec<Proved>, Refusal> {
        let game = Game::read(&position.split(' ').collect::<Vec<_>>()).unwrap().0;
        Judge::new(&game, CastlingMode::Standard, rule50).judge(None, Color::White, tree)
    }

    #[test]
    fn a_proof_becomes_a_line() {
        let proved = judge("fen k7/8/2K5/8/8/8/8/1R6 w - -", true, &proof()).unwrap();
        assert_eq!((proved[0].score, proved[0].pv.join(" ")), (Score::Mates(2), "c6c7 a8a7 b1a1".to_owned()));
        let from_reply = proof().subproof(2);
        let proved = judge("fen k7/2K5/8/8/8/8/8/1R6 b - -", true, &from_reply).unwrap();
        assert_eq!((proved[0].score, proved[0].pv.join(" ")), (Score::Mated(1), "a8a7 b1a1".to_owned()));
    }

    #[test]
    fn a_false_proof_does_not_pass() {
        let refused = judge("fen k7/8/2K5/8/8/8/8/2R5 w - -", true, &proof());
        assert!(matches!(&refused, Err(Refusal::Wrong(why)) if why.contains("not legal")), "{refused:?}");
    }

    #[test]
    fn draws_count_when_they_are_to() {
        let late = "fen k7/8/2K5/8/8/8/8/1R6 w - - 98 90";
        assert_eq!(judge(late, true, &proof()).unwrap_err(), Refusal::Drawn(Draw::FiftyMoves));
        assert!(judge(late, false, &proof()).is_ok());
        // Black has had Ka8 with White's king on c7 twice; a third time he claims.
        let shuffle = "c6c7 a8a7 c7c6 a7a8 ";
        let again = |times| format!("fen k7/8/2K5/8/8/8/8/1R6 w - - 0 1 moves {}", shuffle.repeat(times));
        assert!(judge(again(1).trim_end(), true, &proof()).is_ok());
        assert_eq!(judge(again(2).trim_end(), true, &proof()).unwrap_err(), Refusal::Drawn(Draw::Repetition));
        assert!(judge(again(2).trim_end(), false, &proof()).is_ok());
    }
}
