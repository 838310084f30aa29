//! The first moves of a diagram as Popeye numbers them.
//!
//! Popeye gives a move its number before it looks whether the own king is left in check. So moves that are illegal for
//! this reason have numbers, too.

use shakmaty::{Bitboard, Chess, Move, Position as _, Rank, Role, Square, attacks};

use crate::results::report::Ply;

use super::order::order;

/// Returns all first moves in Popeye's order, also those that leave the king in check.
pub fn first_moves(chess: &Chess) -> Vec<Ply> {
    let special = |mv: &Move| matches!(mv, Move::Castle { .. } | Move::EnPassant { .. });
    let mut moves: Vec<Move> = chess.legal_moves().into_iter().filter(special).collect();
    for from in chess.us() {
        moves.extend(moves_of(chess, from));
    }
    let mut plies: Vec<Ply> = moves.into_iter().map(|mv| ply(chess, mv)).collect();
    plies.sort_by_key(order);
    plies
}

/// Returns the moves of one man, without castling and en passant.
fn moves_of(chess: &Chess, from: Square) -> Vec<Move> {
    let board = chess.board();
    let Some(man) = board.piece_at(from) else { return Vec::new() };
    let attacked = attacks::attacks(from, man, board.occupied());
    let targets = match man.role {
        Role::Pawn => (attacked & chess.them()) | advances(chess, from),
        _ => attacked & !chess.us(),
    };
    let promotes = |to: Square| man.role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
    let promotions = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop].map(Some);
    targets
        .into_iter()
        .flat_map(|to| {
            let promotions: &[Option<Role>] = if promotes(to) { &promotions } else { &[None] };
            let normal = |&promotion| Move::Normal { role: man.role, from, capture: board.role_at(to), to, promotion };
            promotions.iter().map(normal).collect::<Vec<_>>()
        })
        .collect()
}

/// Returns the squares to which a pawn can advance.
fn advances(chess: &Chess, from: Square) -> Bitboard {
    let (step, home) = chess.turn().fold_wb((8, Rank::Second), (-8, Rank::Seventh));
    let free = |square: &Square| chess.board().piece_at(*square).is_none();
    let one = from.offset(step).filter(free);
    let two = one.filter(|_| from.rank() == home).and_then(|one| one.offset(step)).filter(free);
    one.into_iter().chain(two).collect()
}

fn ply(chess: &Chess, mv: Move) -> Ply {
    let mut next = chess.clone();
    next.play_unchecked(mv);
    let uci = mv.to_uci(chess.castles().mode()).to_string();
    Ply { mv, check: next.is_check(), mate: false, san: String::new(), uci }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(fen: &str) -> String {
        let fen: shakmaty::fen::Fen = fen.parse().expect("the text is a FEN");
        let chess: Chess = fen.into_position(shakmaty::CastlingMode::Standard).expect("the position can be played");
        first_moves(&chess).into_iter().map(|ply| ply.uci).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_that_leave_the_king_in_check_have_a_number() {
        assert_eq!(numbered("4K3/8/7b/8/8/8/8/k7 w - -"), "e8d7 e8f7 e8e7 e8d8 e8f8");
    }

    #[test]
    fn pawns_advance_capture_and_promote() {
        assert_eq!(
            numbered("k7/4K3/8/8/8/3p1p2/4P3/8 w - -").split(' ').take(4).collect::<Vec<_>>().join(" "),
            "e2e4 e2e3 e2f3 e2d3"
        );
        assert!(numbered("k7/4P3/8/8/8/8/8/K7 w - -").ends_with("e7e8q e7e8n e7e8r e7e8b"));
        assert!(numbered("4k3/8/8/Pp6/8/8/8/4K2R w K b6 0 1").starts_with("e1g1 e1f2"));
        assert!(numbered("4k3/8/8/Pp6/8/8/8/4K2R w K b6 0 1").ends_with("a5a6 a5b6"));
    }
}
