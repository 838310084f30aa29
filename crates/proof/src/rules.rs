//! The demands of the rules of chess on a single node of a proof. All checkers of this crate rest on this file.
//!
//! - A node with an attacker's move has the attacker to move, and the move is legal.
//! - A node with defences has the defender to move, and the defences, at least one, are *all* legal moves, each exactly
//!   once. If the goal makes the defender mate or stalemate at once when he can, they are all moves that do.
//! - If the goal makes the attacker do so too, a node with the attacker to move is no position in which he can: what he
//!   brings about is not the goal.
//! - An end node is the end that the goal asks for: mate or stalemate, of the side that the goal names.
//!
//! The rules come from shakmaty, not from the chess kernel on which the searches run.

use matesolve_terms::notation::code;
use matesolve_terms::{Duty, End, Goal, MoveCode, tolerated};
use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, FromSetup as _, Move, Position as _, Role, Square, san::San,
};

use super::fault::NodeFault;

/// Checks a node with this move of the attacker, and returns the move.
pub(super) fn attack(position: &Chess, attacker: Color, goal: Goal, code: MoveCode) -> Result<Move, NodeFault> {
    if position.turn() != attacker {
        return Err(NodeFault::AttackOutOfTurn);
    }
    let legal = legal_moves(position);
    if let Some(m) = bound_to(position, goal) {
        return Err(NodeFault::MustEnd(san(position, m)));
    }
    let played = legal.into_iter().find(|&(legal, _)| legal == code);
    played.map(|(_, m)| m).ok_or_else(|| NodeFault::IllegalMove(code.to_string()))
}

/// Checks an end node: the side that the goal names is to move, has no legal move, and is in check if the goal is mate.
pub(super) fn end(position: &Chess, attacker: Color, goal: Goal, claimed: End) -> Result<(), NodeFault> {
    if position.turn() != goal.of.color(attacker) || claimed != goal.end {
        return Err(NodeFault::OtherGoal);
    }
    match (legal_moves(position).first(), claimed) {
        (Some(&(_, m)), _) => Err(NodeFault::NotCheckmate(san(position, m))),
        (None, End::Mate) if !position.is_check() => Err(NodeFault::Stalemate),
        (None, End::Stalemate) if position.is_check() => Err(NodeFault::OtherGoal),
        (None, _) => Ok(()),
    }
}

/// Checks a node with these defences, at least one, and returns them in their order.
pub(super) fn defences(
    position: &Chess,
    attacker: Color,
    goal: Goal,
    codes: impl Iterator<Item = MoveCode>,
) -> Result<Vec<Move>, NodeFault> {
    if position.turn() == attacker {
        return Err(NodeFault::DefenceOutOfTurn);
    }
    let legal = replies(position, goal);
    if legal.is_empty() {
        return Err(NodeFault::NoDefences);
    }
    let mut answered = vec![false; legal.len()];
    let mut moves = Vec::with_capacity(legal.len());
    for code in codes {
        let Ok(found) = legal.binary_search_by_key(&code, |&(legal, _)| legal) else {
            return Err(NodeFault::IllegalDefence(code.to_string()));
        };
        let m = legal[found].1;
        if std::mem::replace(&mut answered[found], true) {
            return Err(NodeFault::DoubledDefence(san(position, m)));
        }
        moves.push(m);
    }
    match answered.iter().position(|answered| !answered) {
        Some(missing) => Err(NodeFault::MissingDefence(san(position, legal[missing].1))),
        None => Ok(moves),
    }
}

/// Plays a legal move. Castling with one rook of an exclusive pair ends the right to castle with the other.
pub fn play(position: &Chess, m: Move, exclusive: &[(Square, Square)]) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(m);
    match m {
        Move::Castle { rook, .. } if !exclusive.is_empty() => without_excluded_rights(next, exclusive, rook),
        _ => next,
    }
}

/// Removes the castling rights that castling with `rook` excludes.
fn without_excluded_rights(position: Chess, exclusive: &[(Square, Square)], rook: Square) -> Chess {
    let excluded = exclusive.iter().filter_map(|&(a, b)| match rook {
        _ if rook == a => Some(b),
        _ if rook == b => Some(a),
        _ => None,
    });
    let excluded: Bitboard = excluded.collect();
    if (position.castles().castling_rights() & excluded).is_empty() {
        return position;
    }
    let mut setup = position.to_setup(EnPassantMode::Always);
    setup.castling_rights &= !excluded;
    tolerated(Chess::from_setup(setup, position.castles().mode())).unwrap_or(position)
}

/// Returns the moves that the defender may make, with their codes, sorted by code.
pub(super) fn replies(position: &Chess, goal: Goal) -> Vec<(MoveCode, Move)> {
    let mut replies = unsorted_replies(position, goal);
    replies.sort_unstable_by_key(|&(code, _)| code);
    replies
}

/// Returns the moves that the defender may make, with their codes, in no order.
pub(super) fn unsorted_replies(position: &Chess, goal: Goal) -> Vec<(MoveCode, Move)> {
    let legal = unsorted_moves(position);
    if goal.duty != Duty::None {
        let ending: Vec<_> = legal.iter().copied().filter(|&(_, m)| brings(position, m, goal.end)).collect();
        if !ending.is_empty() {
            return ending;
        }
    }
    legal
}

/// Returns the move with which the attacker must bring the end about at once, so that the play has failed; `None` if he
/// has none, or no such duty.
pub(super) fn bound_to(position: &Chess, goal: Goal) -> Option<Move> {
    let is_bound = goal.duty == Duty::Both;
    let mut moves = is_bound.then(|| unsorted_moves(position)).into_iter().flatten();
    moves.find_map(|(_, m)| brings(position, m, goal.end).then_some(m))
}

/// Returns whether this end stands on the board after a legal move.
pub(super) fn brings(position: &Chess, m: Move, end: End) -> bool {
    let mut next = position.clone();
    next.play_unchecked(m);
    end.is_on(&next)
}

/// Returns the legal moves with their codes, sorted by code.
pub(super) fn legal_moves(position: &Chess) -> Vec<(MoveCode, Move)> {
    let mut moves = unsorted_moves(position);
    moves.sort_unstable_by_key(|&(code, _)| code);
    moves
}

/// Returns the legal moves with their codes, in no order.
pub(super) fn unsorted_moves(position: &Chess) -> Vec<(MoveCode, Move)> {
    if position.us().count() <= GAME_MEN {
        position.legal_moves().iter().map(|&m| (code(m), m)).collect()
    } else {
        crowded_moves(position).into_iter().map(|m| (code(m), m)).collect()
    }
}

/// The most men of one side in a game. With no more than these, all legal moves fit shakmaty's move list.
const GAME_MEN: usize = 16;

/// Collects the legal moves square by square. With dozens of queens there may be more moves than fit shakmaty's move
/// list.
fn crowded_moves(position: &Chess) -> Vec<Move> {
    let mut moves = Vec::new();
    for to in Square::ALL {
        for role in Role::ALL {
            moves.extend(position.san_candidates(role, to));
        }
    }
    for side in CastlingSide::ALL {
        moves.extend(position.castling_moves(side));
    }
    moves
}

pub(super) fn san(position: &Chess, m: Move) -> String {
    San::from_move(position, m).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_position;

    #[test]
    fn all_moves_of_many_queens_are_found() {
        let position = parse_position("kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1").unwrap();
        let mut gathered: Vec<MoveCode> = crowded_moves(&position).into_iter().map(code).collect();
        let mut listed: Vec<MoveCode> = position.legal_moves().into_iter().map(code).collect();
        gathered.sort_unstable();
        listed.sort_unstable();
        assert_eq!((gathered.len(), gathered), (270, listed));
    }

    #[test]
    fn a_node_is_faulty_if_a_defence_is_missing_doubled_or_not_legal() {
        // Black has Kg8 and Kh7.
        let position = parse_position("7k/8/5K2/8/8/8/8/R7 b - - 0 1").unwrap();
        let code = |text: &str| MoveCode::new(text[..2].parse().unwrap(), text[2..].parse().unwrap(), None);
        let node = |moves: &[&str]| defences(&position, Color::White, Goal::MATE, moves.iter().map(|text| code(text)));
        assert_eq!(node(&["h8h7", "h8g8"]).map(|moves| moves.len()), Ok(2));
        assert_eq!(node(&["h8h7"]), Err(NodeFault::MissingDefence("Kg8".to_owned())));
        assert_eq!(node(&["h8h7", "h8h7"]), Err(NodeFault::DoubledDefence("Kh7".to_owned())));
        assert_eq!(node(&["h8h7", "h8g8", "h8g7"]), Err(NodeFault::IllegalDefence("h8g7".to_owned())));
        assert_eq!(node(&[]), Err(NodeFault::MissingDefence("Kh7".to_owned())));
        assert_eq!(attack(&position, Color::White, Goal::MATE, code("a1a8")), Err(NodeFault::AttackOutOfTurn));
        assert!(attack(&position, Color::Black, Goal::MATE, code("h8h7")).is_ok());
    }

    #[test]
    fn an_end_is_what_the_goal_asks_for() {
        let end = |fen: &str, goal, claimed| super::end(&parse_position(fen).unwrap(), Color::White, goal, claimed);
        let stalemate = Goal::STALEMATE;
        let selfmate = Goal::SELFMATE;
        let mated = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1";
        assert_eq!(end(mated, Goal::MATE, End::Mate), Ok(()));
        assert_eq!(end(mated, stalemate, End::Stalemate), Err(NodeFault::OtherGoal));
        assert_eq!(end(mated, stalemate, End::Mate), Err(NodeFault::OtherGoal));
        assert_eq!(end(mated, selfmate, End::Mate), Err(NodeFault::OtherGoal));
        let stalemated = "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1";
        assert_eq!(end(stalemated, Goal::MATE, End::Mate), Err(NodeFault::Stalemate));
        assert_eq!(end(stalemated, stalemate, End::Stalemate), Ok(()));
        assert_eq!(end("8/8/8/8/8/5k2/5p2/5K1r w - - 0 1", selfmate, End::Mate), Ok(()));
        let open = "k7/8/2K5/8/8/8/8/8 b - - 0 1";
        assert_eq!(end(open, Goal::MATE, End::Mate), Err(NodeFault::NotCheckmate("Ka7".to_owned())));
    }
}
