//! Ranks the first moves, so that a sensible move can be played when no mate is found.
//!
//! A mate solver does not evaluate positions, but a game must go on. So every first move gets a rank: the material that
//! it wins, less what the best capture in reply wins, with small terms such as those for checks, castling and the
//! centre; stalemate ranks last. This file also finds first moves that mate or allow a mate in one, with the proof.
//! Longer mates need a search. The moves made here do not count as nodes.

use shakmaty::{Chess, Color, Position as _, Role, Square};

use crate::chess::notation::{after, code};
use crate::chess::{MateLength, MoveCode, Position, exchange};
use crate::proof::{ProofNode, ProofTree};
use crate::uci::answer::root_moves::RootMove;

/// Returns the value of a piece in hundredths of a pawn.
fn value(role: Role) -> i32 {
    10 * exchange::value(role)
}

/// Returns the ranked first moves, with nothing proved yet.
///
/// These are all legal moves, or only those in `wanted` if it is not empty.
pub(crate) fn root_moves(chess: &Chess, mode: shakmaty::CastlingMode, wanted: &[MoveCode]) -> Vec<RootMove> {
    let all = chess.legal_moves().into_iter().filter_map(|m| {
        let code = code(m);
        if !wanted.is_empty() && !wanted.contains(&code) {
            return None;
        }
        let after = after(chess, m);
        let rank = rank(chess, &after, m);
        let (no_mate, not_mated) = (MateLength(0), MateLength(0));
        Some(RootMove { code, text: m.to_uci(mode).to_string(), after, rank, proved: None, no_mate, not_mated })
    });
    all.collect()
}

/// Ranks a move: higher is more sensible.
fn rank(before: &Chess, after: &Chess, m: shakmaty::Move) -> i32 {
    if after.is_stalemate() {
        return -100_000;
    }
    let won = m.capture().map_or(0, value) + m.promotion().map_or(0, |role| value(role) - value(Role::Pawn));
    let position = Position::from_chess(after);
    let mut rank = won - best_capture(&position);
    rank += if after.is_check() { 15 } else { 0 };
    rank += match m {
        shakmaty::Move::Castle { .. } => 40,
        _ if m.role() == Role::King && !before.is_check() => -20,
        _ => 0,
    };
    rank + centre(m.to()) - m.from().map_or(0, centre)
}

/// Returns how central a square is: from 10 in the middle down to -2 at the edge.
fn centre(square: Square) -> i32 {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    12 - 2 * ((2 * file - 7).abs().max((2 * rank - 7).abs()))
}

/// Returns the most that one capture by the side to move can win, counting a recapture if there is one.
fn best_capture(position: &Position) -> i32 {
    let us = position.turn();
    let gain = |m: crate::chess::Move| {
        let taken = value(m.capture()?);
        let guarded = position.attackers(m.to(), !us, position.occupied()).any();
        let risked = if guarded { value(m.role_after()) } else { 0 };
        Some((taken - risked).max(0))
    };
    position.legal_moves().into_iter().filter_map(gain).max().unwrap_or(0)
}

/// Looks for a mate that needs no search after a first move: the move mates, or the reply mates in one.
///
/// Returns the side that mates and the proof for the position after the move.
pub(super) fn immediate_mate(m: &RootMove) -> Option<(Color, ProofTree)> {
    let mut tree = ProofTree::new();
    let mate = tree.push(ProofNode::MATE);
    if m.after.is_checkmate() {
        return Some((!m.after.turn(), tree));
    }
    let reply = Position::from_chess(&m.after).mate_in_one()?;
    tree.push(ProofNode::Attack(reply.code(), mate));
    Some((m.after.turn(), tree))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::fen;

    fn best(text: &str) -> String {
        let chess = fen::read(text).unwrap().chess;
        let moves = root_moves(&chess, shakmaty::CastlingMode::Standard, &[]);
        moves.into_iter().max_by_key(|m| m.rank).unwrap().text
    }

    #[test]
    fn pieces_are_captured_and_saved_and_stalemate_is_avoided() {
        assert_eq!(best("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"), "e4d5");
        assert_eq!(best("7k/P7/8/8/8/8/8/K7 w - - 0 1"), "a7a8q");
        // The queen is attacked.
        assert!(best("4k3/8/8/8/3p4/2Q5/8/4K3 w - - 0 1").starts_with("c3"));
        assert_ne!(best("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), "f1f7");
    }

    #[test]
    fn immediate_mates_of_both_sides_are_found() {
        let chess = fen::read("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2").unwrap().chess;
        let blunders: Vec<String> = root_moves(&chess, shakmaty::CastlingMode::Standard, &[])
            .into_iter()
            .filter(|m| immediate_mate(m).is_some_and(|(winner, _)| winner == Color::Black))
            .map(|m| m.text)
            .collect();
        assert_eq!(blunders, ["g2g4"]);
        let chess = fen::read("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").unwrap().chess;
        let all = root_moves(&chess, shakmaty::CastlingMode::Standard, &[]);
        let mates = all.iter().filter(|m| immediate_mate(m).is_some_and(|(winner, _)| winner == Color::White));
        assert_eq!(mates.map(|m| m.text.as_str()).collect::<Vec<_>>(), ["a1a8"]);
        assert_eq!(root_moves(&chess, shakmaty::CastlingMode::Standard, &[all[0].code]).len(), 1);
    }
}
