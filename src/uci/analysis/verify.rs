//! Verifies claimed mates: only what passes here is reported to the GUI as `mate N`, except `mate 0`.
//!
//! 1. The proof is compacted, so that every position has one node, and replayed by [`crate::proof::check`].
//! 2. With `Rule50` all its lines are searched for a draw that the losing side could claim ([`claimable_draw`]).
//! 3. The proof becomes scores of first moves with their main lines. Each line is played once more and must end in
//!    checkmate after exactly the number of plies that its score says.

use std::collections::HashMap;
use std::sync::Arc;

use shakmaty::{CastlingMode, Chess, Color, Position as _};

use crate::chess::{Goal, MoveCode};
use crate::proof::{Draw, NodeId, ProofError, ProofNode, ProofTree, Verified, check, claimable_draw};
use crate::uci::answer::root_moves::{ProvedMove, RootMove, Score};
use crate::uci::protocol::game::{self, Game};

/// Verifies claims about one position.
#[derive(Debug)]
pub(super) struct Verifier {
    /// The position on the board.
    chess: Chess,
    /// The way to write castling in main lines.
    castling_mode: CastlingMode,
    /// How often the game has had each position; `None` if draws do not count.
    occurrences: Option<HashMap<Chess, u32>>,
}

/// The reason why a claim is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The proof is wrong, for this reason.
    Wrong(String),
    /// The proof is right, but the losing side could claim a draw.
    Drawn(Draw),
}

impl From<ProofError> for Refusal {
    fn from(error: ProofError) -> Refusal {
        Refusal::Wrong(error.to_string())
    }
}

impl Verifier {
    /// Makes a verifier for the position on the board. With `rule50` a mate that can be turned into a draw is refused.
    pub(super) fn new(game: &Game, castling_mode: CastlingMode, rule50: bool) -> Verifier {
        Verifier { chess: game.chess().clone(), castling_mode, occurrences: rule50.then(|| game.occurrences()) }
    }

    /// Verifies the claim that `attacker` mates from the position on the board, or from the one after `first`.
    ///
    /// Returns the proved scores: of one first move, or of every reply if the side to move is mated.
    pub(super) fn verify(
        &self,
        first: Option<&RootMove>,
        attacker: Color,
        tree: &ProofTree,
    ) -> Result<Vec<ProvedMove>, Refusal> {
        let root = first.map_or(&self.chess, |m| &m.after);
        let proof = check(root, attacker, Goal::MATE, tree.compact(root, attacker, Goal::MATE, &[])?)?;
        if let Some(draw) = self.draw(first, &proof)? {
            return Err(Refusal::Drawn(draw));
        }
        self.proved_moves(first, &Arc::new(proof))
            .ok_or_else(|| Refusal::Wrong("a main line does not end in checkmate after the claimed length".to_owned()))
    }

    /// Looks for a draw that the losing side could claim in some line of the proof.
    fn draw(&self, first: Option<&RootMove>, proof: &Verified) -> Result<Option<Draw>, Refusal> {
        let Some(occurrences) = &self.occurrences else { return Ok(None) };
        // The occurrence of the root that is on the board now is not an earlier one.
        let times_before = |position: &Chess| {
            let now = u32::from(first.is_none() && *position == self.chess);
            occurrences.get(position).map_or(0, |times| times - now.min(*times))
        };
        // If the attacker is to move on the board, the loser can no longer claim a draw in that position.
        let at_root = first.is_some() || self.chess.turn() != proof.attacker();
        Ok(claimable_draw(proof, &times_before, at_root)?)
    }

    /// Turns a checked proof into scores of first moves; `None` if a main line does not fit its score.
    fn proved_moves(&self, first: Option<&RootMove>, proof: &Arc<Verified>) -> Option<Vec<ProvedMove>> {
        let (tree, length) = (proof.tree(), proof.length());
        let lengths = tree.lengths();
        let root = tree.root()?;
        let proved = |first: MoveCode, node: NodeId, score: Score| {
            let mut codes = vec![first];
            codes.extend(tree.longest_line_from(node, &lengths));
            let (pv, end) = game::write_line(&self.chess, &codes, self.castling_mode)?;
            let complete = end.is_checkmate() && pv.len() == score.plies() as usize;
            complete.then(|| ProvedMove { first, score, pv, proof: Arc::clone(proof), node })
        };
        match (first, &tree.nodes()[root as usize]) {
            (Some(m), _) if self.chess.turn() == proof.attacker() => {
                Some(vec![proved(m.code, root, Score::Mates(length.0 + 1))?])
            }
            (Some(m), _) => Some(vec![proved(m.code, root, Score::Mated(length.0))?]),
            (None, ProofNode::Attack(code, child)) => Some(vec![proved(*code, *child, Score::Mates(length.0))?]),
            (None, ProofNode::Defend(replies)) => {
                let mated =
                    |&(code, child): &(MoveCode, NodeId)| proved(code, child, Score::Mated(lengths[child as usize].0));
                replies.iter().map(mated).collect()
            }
            (None, ProofNode::End(_)) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ProofNode::{Attack, Defend};

    fn mv(text: &str) -> MoveCode {
        MoveCode::new(text[0..2].parse().unwrap(), text[2..4].parse().unwrap(), None)
    }

    /// 1. Kc7 Ka7 2. Ra1#.
    fn proof() -> ProofTree {
        let mut tree = ProofTree::new();
        for node in [ProofNode::MATE, Attack(mv("b1a1"), 0), Defend(vec![(mv("a8a7"), 1)]), Attack(mv("c6c7"), 2)] {
            tree.push(node);
        }
        tree
    }

    fn verify(position: &str, rule50: bool, tree: &ProofTree) -> Result<Vec<ProvedMove>, Refusal> {
        let game = Game::read(&position.split(' ').collect::<Vec<_>>()).unwrap().0;
        Verifier::new(&game, CastlingMode::Standard, rule50).verify(None, Color::White, tree)
    }

    #[test]
    fn a_proof_becomes_a_score_with_its_line() {
        let proved = verify("fen k7/8/2K5/8/8/8/8/1R6 w - -", true, &proof()).unwrap();
        assert_eq!((proved[0].score, proved[0].pv.join(" ")), (Score::Mates(2), "c6c7 a8a7 b1a1".to_owned()));
        let from_reply = proof().subproof(2);
        let proved = verify("fen k7/2K5/8/8/8/8/8/1R6 b - -", true, &from_reply).unwrap();
        assert_eq!((proved[0].score, proved[0].pv.join(" ")), (Score::Mated(1), "a8a7 b1a1".to_owned()));
    }

    #[test]
    fn a_wrong_proof_is_refused() {
        let refused = verify("fen k7/8/2K5/8/8/8/8/2R5 w - -", true, &proof());
        assert!(matches!(&refused, Err(Refusal::Wrong(why)) if why.contains("not legal")), "{refused:?}");
    }

    #[test]
    fn claimable_draws_count_only_with_rule50() {
        let late = "fen k7/8/2K5/8/8/8/8/1R6 w - - 98 90";
        assert_eq!(verify(late, true, &proof()).unwrap_err(), Refusal::Drawn(Draw::FiftyMoves));
        assert!(verify(late, false, &proof()).is_ok());
        // Two rounds have had the position after 1. Kc7 twice. At its third time Black can claim a draw.
        let shuffle = "c6c7 a8a7 c7c6 a7a8 ";
        let repeated = |times| format!("fen k7/8/2K5/8/8/8/8/1R6 w - - 0 1 moves {}", shuffle.repeat(times));
        assert!(verify(repeated(1).trim_end(), true, &proof()).is_ok());
        assert_eq!(verify(repeated(2).trim_end(), true, &proof()).unwrap_err(), Refusal::Drawn(Draw::Repetition));
        assert!(verify(repeated(2).trim_end(), false, &proof()).is_ok());
    }
}
