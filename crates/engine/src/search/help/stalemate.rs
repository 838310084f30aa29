//! What a stalemate demands: every man of the stalemated side must have come to rest.
//!
//! A man is **at rest** if he cannot move whatever the other side does not do: an officer whose first squares in all
//! his directions (all squares of a knight) hold men of his own side, a pawn with a man in front of him. A man who is
//! not at rest now must be in the end, and that takes moves:
//!
//! * he is captured: a move of the mating side, and each captures one man;
//! * he is pinned: a line piece of the mating side stands behind him, and each pins one man;
//! * he has moved: a move of his own;
//! * the open squares beside him are filled. A man of his own side must have moved to each; in front of a pawn it may
//!   also be one of the mating side, and no square is in front of two pawns.
//!
//! So a move of the defender brings to rest the man who moves, and fills one square, which is a part of what each
//! neighbour of the square needs. A move of the mating side captures a man or blocks a pawn: to do both, the captured
//! man must have gone in front of the pawn, and then his own move has brought both to rest. (In a capture en passant
//! the captured pawn has moved, too.) These sums follow:
//!
//! 1. An officer with more open squares than the defender has moves, who cannot move to a square of rest in time
//!    either, must be captured or pinned. Where that cannot happen on his square, he must have moved.
//! 2. All men that are not at rest need no more than all moves can bring.
//! 3. Those that the mating side can neither capture on their squares nor block need no more than the moves of the
//!    defender, and pins, can bring.
//!
//! Castling moves two men, so a side that may castle is not asked.

use shakmaty::{Bitboard, Square, attacks};

use super::geometry::{BISHOP, QUEEN, ROOK, index, is_line_piece, is_pawn};
use super::picture::Picture;
use super::view::{Man, hits};

/// The whole need of a man, which can be divided by every number of open squares.
const WHOLE: u32 = 840;

/// The men that are not at rest, counted by what can bring them to rest.
#[derive(Default)]
struct Restless {
    all: u32,
    /// Those that the mating side cannot capture where they stand, nor stand in front of.
    safe: u32,
    /// Those that can be pinned where they stand.
    pinned: u32,
    /// Those that must be captured or pinned.
    hopeless: u32,
    /// Those of them for whom that is not possible where they stand.
    lost: u32,
}

/// Returns whether all men of the defender can perhaps come to rest in the moves that are left.
pub(super) fn can_rest(picture: &Picture<'_>) -> bool {
    let view = picture.view;
    if view.castled || view.can_castle {
        return true;
    }
    let theirs = view.theirs.with(picture.king);
    let mut needs = [0; 64];
    let mut men = Restless::default();
    let moves = picture.defender_moves.cast_unsigned();
    let reached = view.attackers.iter().fold(view.en_passant, |all, &(kind, from)| {
        all | picture.geometry.anywhere(kind, from)[index(picture.attacker_moves)]
    });
    for &man in &view.defenders {
        let (kind, square) = man;
        let open = if is_pawn(kind) {
            let ahead = if view.color.is_white() { square.offset(-8) } else { square.offset(8) };
            ahead.map_or(Bitboard::EMPTY, Bitboard::from) & !view.occupied.with(picture.king)
        } else {
            hits(man) & !theirs
        };
        if open.is_empty() {
            continue;
        }
        let is_reached = reached.contains(square) || is_pawn(kind) && (reached & open).any();
        let is_pinned = can_be_pinned(picture, man);
        men.all += 1;
        men.safe += u32::from(!is_reached);
        men.pinned += u32::from(is_pinned);
        let count = open.count() as u32;
        if count <= moves || is_pawn(kind) {
            open.into_iter().for_each(|square| needs[square as usize] += WHOLE / count);
        } else if !finds_rest(picture, man, theirs) {
            men.hopeless += 1;
            men.lost += u32::from(!is_reached && !is_pinned);
        }
    }
    let lines = view.attackers.iter().filter(|&&(kind, _)| is_line_piece(kind) || is_pawn(kind)).count() as u32;
    let captures = picture.attacker_moves.cast_unsigned();
    let pins = lines.min(men.pinned);
    // A man who has moved may be pinned on another square.
    if men.lost > moves || men.hopeless > captures + lines.min(men.pinned + moves) {
        return false;
    }
    let most = needs.iter().max().copied().unwrap_or_default();
    let by_others = |men: u32| men.saturating_sub(pins) * WHOLE <= moves * (WHOLE + most);
    by_others(men.safe) && by_others(men.all.saturating_sub(captures))
}

/// Returns whether a man can perhaps be pinned where he stands, so that he has no move. Along the line of the pin a
/// queen always has one, a rook on ranks and files, a bishop on diagonals, a pawn on files.
fn can_be_pinned(picture: &Picture<'_>, (kind, square): Man) -> bool {
    let (centre, view) = (picture.king, picture.view);
    let ray = attacks::ray(centre, square);
    if ray.is_empty() || kind == QUEEN {
        return false;
    }
    let is_straight = centre.file() == square.file() || centre.rank() == square.rank();
    let moves_along = match kind {
        ROOK => is_straight,
        BISHOP => !is_straight,
        _ => is_pawn(kind) && centre.file() == square.file(),
    };
    let straight = if is_straight { ROOK } else { BISHOP };
    let seen = attacks::queen_attacks(centre, Bitboard::from(square));
    let behind = ray & attacks::queen_attacks(square, Bitboard::from(centre)) & !seen.with(centre);
    let at = index(picture.attacker_moves);
    !moves_along
        && view.attackers.iter().any(|&(kind, from)| {
            (kind == straight || kind == QUEEN || is_pawn(kind))
                && (picture.geometry.anywhere(kind, from)[at] & behind).any()
        })
}

/// Returns whether an officer can move to a square where he is at rest, with the moves that fill the squares around it.
fn finds_rest(picture: &Picture<'_>, (kind, from): Man, theirs: Bitboard) -> bool {
    let steps = picture.view.others.anywhere(kind, from);
    let theirs = theirs.without(from);
    let moves = picture.defender_moves;
    (1..=moves).any(|way| {
        let squares = steps[index(way)] & !steps[index(way - 1)];
        let rests = |to: Square| (hits((kind, to)) & !theirs).count() as u32 <= (moves - way).cast_unsigned();
        squares.into_iter().any(rests)
    })
}
