//! What a stalemate demands: every man of the stalemated side must have come to rest.
//!
//! A man is **at rest** if he cannot move whatever the other side does not do: an officer whose first squares in all
//! his directions (all squares of a knight) hold men of his own side, a pawn with a man in front of him. Whoever is not
//! at rest now must be in the end, and that takes moves:
//!
//! * he is captured: a move of the mating side, and each captures one man;
//! * he is pinned: a line piece of the mating side stands behind him, and each pins one man;
//! * he has moved: a move of his own;
//! * the open squares beside him are filled. A man of his own side must have moved to each; in front of a pawn it may
//!   also be one of the mating side, and no square is in front of two pawns.
//!
//! So a move of the defender brings to rest the man who moves, and fills one square, which is a part of what each
//! neighbour of the square needs. A move of the mating side captures one man and blocks one pawn. Two sums follow:
//!
//! 1. An officer with more open squares than the defender has moves, who cannot move to a square of rest in time either,
//!    must be captured or pinned.
//! 2. All men that are not at rest need no more than all moves can bring.
//!
//! Castling moves two men, so a side that may castle is not asked.

use shakmaty::{Bitboard, Square};

use super::geometry::{index, is_line_piece, is_pawn};
use super::possible::Picture;
use super::view::{Man, hits};

/// The whole need of a man, which can be divided by every number of open squares.
const WHOLE: u32 = 840;

/// Returns whether all men of the defender can perhaps come to rest in the moves that are left.
pub(super) fn can_rest(picture: &Picture<'_>) -> bool {
    let view = picture.view;
    if view.castled || view.can_castle {
        return true;
    }
    let theirs = view.theirs.with(picture.king);
    let mut needs = [0; 64];
    let (mut restless, mut pawns, mut hopeless) = (0, 0, 0);
    let moves = picture.defender_moves.cast_unsigned();
    for &man in &view.defenders {
        let (kind, square) = man;
        if is_pawn(kind) {
            let ahead = if view.color.is_white() { square.offset(-8) } else { square.offset(8) };
            if let Some(ahead) = ahead.filter(|&ahead| !view.occupied.with(picture.king).contains(ahead)) {
                (restless, pawns) = (restless + 1, pawns + 1);
                needs[ahead as usize] += WHOLE;
            }
            continue;
        }
        let open = hits(man) & !theirs;
        if open.is_empty() {
            continue;
        }
        restless += 1;
        let count = open.count() as u32;
        if count <= moves {
            open.into_iter().for_each(|square| needs[square as usize] += WHOLE / count);
        } else if !finds_rest(picture, man, theirs) {
            hopeless += 1;
        }
    }
    let pins = view.attackers.iter().filter(|&&(kind, _)| is_line_piece(kind) || is_pawn(kind)).count() as u32;
    let captures = picture.attacker_moves.cast_unsigned();
    if hopeless > captures + pins {
        return false;
    }
    let most = needs.iter().max().copied().unwrap_or_default();
    restless * WHOLE <= (captures + captures.min(pawns) + pins) * WHOLE + moves * (WHOLE + most)
}

/// Returns whether an officer can move to a square where he is at rest, with the moves that fill the squares around it.
fn finds_rest(picture: &Picture<'_>, (kind, from): Man, theirs: Bitboard) -> bool {
    let steps = picture.geometry.anywhere(kind, from);
    let theirs = theirs.without(from);
    let moves = picture.defender_moves;
    (1..=moves).any(|way| {
        let squares = steps[index(way)] & !steps[index(way - 1)];
        let rests = |to: Square| (hits((kind, to)) & !theirs).count() as u32 <= (moves - way).cast_unsigned();
        squares.into_iter().any(rests)
    })
}
