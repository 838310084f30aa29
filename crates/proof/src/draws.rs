//! Finds draws that the losing side could claim before the mate.
//!
//! A problem's mate does not depend on move counters. In a game, the side that is being mated may claim a draw when
//! fifty moves of both sides have passed without a capture or a pawn move, or when a position occurs for the third time
//! (FIDE Laws 9.2 and 9.3). A mate that is reported to a program that plays games must allow neither claim, and not
//! only in the main line: the losing side chooses the line. So this file examines *every* line of the proof.
//!
//! - **Fifty moves.** Several lines may reach a position with different counts. The largest count of each node is kept,
//!   parents before children. No position except a checkmate may be reached with a count of 100 half-moves or more.
//! - **Repetition.** A proof with one node for each position ([`super::ProofTree::compact`]) has no cycles, so no line
//!   of it meets a position twice. A third occurrence therefore needs two occurrences in the game: no position of the
//!   proof except a checkmate may be one that the game has had twice.
//!
//! The root counts only if the caller says so. Elsewhere the losing side is assumed to know every claim before it
//! moves, as the Laws allow.

use shakmaty::{Chess, Position as _, Role};

use super::checker::replay;
use super::{NodeId, ProofError, ProofNode, Verified};

/// Half-moves without a capture or a pawn move after which a draw can be claimed.
const FIFTY_MOVES: u32 = 100;

/// The rule by which the losing side could claim a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// Fifty moves of both sides without a capture or a pawn move.
    FiftyMoves,
    /// The same position for the third time.
    Repetition,
}

/// Finds a draw that the losing side could claim in some line of the proof, which must have one node for each position
/// ([`super::ProofTree::compact`]).
///
/// The count of half-moves starts with that of the root. `times_before` returns how many times the game has had a
/// position, not counting the root that is on the board. `at_root` says whether the losing side could claim a draw in
/// the root position: it can if it is to move there, or if its own move led there.
///
/// # Errors
/// If the proof does not pass another replay, which would be a fault of the program.
pub fn claimable_draw(
    proof: &Verified,
    times_before: &dyn Fn(&Chess) -> u32,
    at_root: bool,
) -> Result<Option<Draw>, ProofError> {
    let (root, tree) = (proof.root(), proof.tree());
    let mut counts: Vec<u32> = vec![0; tree.nodes().len()];
    let last = tree.root().ok_or(ProofError::Empty)?;
    counts[last as usize] = root.halfmoves();
    let mut draw = None;
    replay(root, proof.attacker(), proof.goal(), tree, &[], |id, position| {
        let node = &tree.nodes()[id as usize];
        let count = counts[id as usize];
        let mate = matches!(node, ProofNode::End(_));
        if !mate && (id != last || at_root) {
            if count >= FIFTY_MOVES {
                draw = draw.or(Some(Draw::FiftyMoves));
            }
            if times_before(position) >= 2 {
                draw = draw.or(Some(Draw::Repetition));
            }
        }
        let mut reach = |code: matesolve_terms::MoveCode, child: NodeId| {
            let zeroing =
                position.board().role_at(code.from()) == Some(Role::Pawn) || position.them().contains(code.to());
            let next = if zeroing { 0 } else { count + 1 };
            let worst = &mut counts[child as usize];
            *worst = next.max(*worst);
        };
        match node {
            ProofNode::Attack(code, child) => reach(*code, *child),
            ProofNode::Defend(replies) => replies.iter().for_each(|&(code, child)| reach(code, child)),
            ProofNode::End(_) => (),
        }
    })?;
    Ok(draw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::chess;
    use crate::{ProofTree, check};
    use matesolve_terms::{Goal, MoveCode};
    use shakmaty::Color;

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

    fn judge(count: u32) -> Option<Draw> {
        let root = chess(&format!("k7/8/2K5/8/8/8/8/1R6 w - - {count} 80"));
        claimable_draw(&verified(&root, proof()), &|_| 0, false).unwrap()
    }

    fn verified(root: &Chess, tree: ProofTree) -> Verified {
        check(root, Color::White, Goal::MATE, tree).unwrap()
    }

    #[test]
    fn fifty_moves_must_not_pass_before_the_mate() {
        // After 1. Kc7 Ka7 the count is two higher. It does not matter after 2. Ra1#.
        assert_eq!((judge(0), judge(97), judge(98)), (None, None, Some(Draw::FiftyMoves)));
        // In the root the attacker is to move; the losing side can claim there only if its own move led there.
        let mut one = ProofTree::new();
        one.push(ProofNode::MATE);
        one.push(Attack(mv("b1a1"), 0));
        let root = chess("8/k1K5/8/8/8/8/8/1R6 w - - 120 80");
        let one = verified(&root, one);
        let drawn = |at_root| claimable_draw(&one, &|_| 0, at_root).unwrap();
        assert_eq!((drawn(false), drawn(true)), (None, Some(Draw::FiftyMoves)));
    }

    #[test]
    fn a_position_that_the_game_has_had_twice_must_not_occur_again() {
        let root = chess("k7/8/2K5/8/8/8/8/1R6 w - - 0 1");
        let twice = chess("8/k1K5/8/8/8/8/8/1R6 w - - 0 1");
        let seen = |times| move |position: &Chess| if *position == twice { times } else { 0 };
        let proof = verified(&root, proof());
        assert_eq!(claimable_draw(&proof, &seen.clone()(1), false).unwrap(), None);
        assert_eq!(claimable_draw(&proof, &seen(2), false).unwrap(), Some(Draw::Repetition));
    }

    #[test]
    fn a_pawn_move_resets_the_count() {
        // 1. a4 Kh8 2. Qg7#: the first move is a pawn move.
        let root = chess("8/7k/7p/7P/8/8/P5Q1/K5R1 w - - 99 80");
        let mut tree = ProofTree::new();
        for node in [ProofNode::MATE, Attack(mv("g2g7"), 0), Defend(vec![(mv("h7h8"), 1)]), Attack(mv("a2a4"), 2)] {
            tree.push(node);
        }
        assert_eq!(claimable_draw(&verified(&root, tree), &|_| 0, false).unwrap(), None);
    }
}
