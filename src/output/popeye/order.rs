//! The order in which Popeye generates moves, and so prints first moves and defences.
//!
//! Men move in the order of their squares, from a1 along the ranks. A man's directions are, for kings and line pieces,
//! the diagonals counter-clockwise from the lower left, then down, left, up and right; on a line, far squares come
//! first. A king castles before it moves. Pawns advance, two squares first, before they capture; promotions are to
//! queen, knight, rook and bishop.
//!
//! Within a variation, Popeye also tries the last successful move first. That is not imitated.

use shakmaty::{Move, Role};

use crate::results::report::Ply;

/// The steps of kings and line pieces, in files and ranks.
const LINES: [(i32, i32); 8] = [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (-1, 0), (0, 1), (1, 0)];

/// The jumps of a knight.
const JUMPS: [(i32, i32); 8] = [(-2, -1), (-1, -2), (1, -2), (2, -1), (2, 1), (1, 2), (-1, 2), (-2, 1)];

/// A key by which moves of one position are sorted: the square, the direction, the distance (far first), the promotion.
pub(super) type MoveOrder = (u32, usize, i32, usize);

/// Returns the place of a move in Popeye's order.
pub(super) fn order(ply: &Ply) -> MoveOrder {
    let mv = ply.mv;
    let (Some(from), role) = (mv.from(), mv.role()) else { return (u32::MAX, 0, 0, 0) };
    if let Move::Castle { king, rook } = mv {
        return (u32::from(king), 0, i32::MIN, usize::from(rook < king));
    }
    let to = mv.to();
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    let position = |steps: &[(i32, i32)], step: (i32, i32)| steps.iter().position(|known| *known == step);
    let direction = match role {
        Role::Knight => position(&JUMPS, (files, ranks)),
        Role::Pawn => Some(match files {
            0 => 0,
            1 => 1,
            _ => 2,
        }),
        _ => position(&LINES, (files.signum(), ranks.signum())),
    };
    let promotions = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];
    let promotion = mv.promotion().and_then(|role| promotions.iter().position(|known| *known == role));
    let distance = files.abs().max(ranks.abs());
    (u32::from(from), direction.unwrap_or(usize::MAX), -distance, promotion.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::sample::ply;

    fn sorted(fen: &str, moves: &str) -> String {
        let mut plies: Vec<Ply> = moves.split(' ').map(|uci| ply(fen, uci)).collect();
        plies.sort_by_key(order);
        plies.into_iter().map(|ply| ply.uci).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_are_in_popeyes_order() {
        let fen = "5r2/1R3p2/3P1kpP/3Q4/4PP2/5n2/1K6/8 w - -";
        let expected = "b2a1 b2c1 b2c3 b2a3 b2b1 b2a2 b2b3 b2c2 e4e5 d5a2 d5b3 d5c4 d5f7 d5e6 d5d1 d5a5 d5h5 d6d7 b7b3";
        let mut shuffled: Vec<&str> = expected.split(' ').collect();
        shuffled.sort_unstable();
        assert_eq!(sorted(fen, &shuffled.join(" ")), expected);
        let knight = "8/8/8/8/8/4n3/8/k1K5 b - -";
        let expected = "e3c2 e3d1 e3f1 e3g2 e3g4 e3f5 e3d5 e3c4";
        let mut shuffled: Vec<&str> = expected.split(' ').collect();
        shuffled.sort_unstable();
        assert_eq!(sorted(knight, &shuffled.join(" ")), expected);
        let pawns = "k7/8/8/8/8/3R1R2/4p3/K7 b - -";
        assert_eq!(sorted(pawns, "e2e1b e2e1n e2e1q e2e1r"), "e2e1q e2e1n e2e1r e2e1b");
        let castling = "4k3/8/8/8/8/8/8/R3K2R w KQ -";
        assert_eq!(sorted(castling, "h1h2 e1e2 e1a1 e1d2 e1h1 a1a2 e1f1"), "a1a2 e1h1 e1a1 e1d2 e1e2 e1f1 h1h2");
    }
}
