//! What a stalemate demands: each man of the stalemated side is at rest, pinned or captured.
//!
//! A man is **at rest** here if his squares are filled: an officer whose first squares in all his directions (all
//! squares of a knight) hold men of his own side, a pawn with a man in front of him. A man who is not at rest now needs
//! one of these:
//!
//! * he is captured: a move of the mating side, and each captures one man;
//! * he is pinned, and cannot move along the line: a line piece of the mating side stands behind him, and each pins one
//!   man;
//! * he has moved: a move of his own;
//! * the open squares beside him are filled. A man of his own side must have moved to each; in front of a pawn it may
//!   also be one of the mating side, and no square is in front of two pawns.
//!
//! So a move of the defender brings to rest the man who moves, and fills one square, which is a part of what each
//! neighbour of the square needs. A move of the mating side captures a man or blocks a pawn: to do both, the captured
//! man must have gone in front of the pawn, and then his own move has brought both to rest. (In a capture en passant
//! the captured pawn has moved, too.) So the men that are not at rest must not need more than all moves, and pins, can
//! bring.
//!
//! Castling moves two men, so nothing is asked while somebody may castle, or of a view after castling.

use super::geometry::{ahead, is_line_piece, is_pawn, moves_along};
use super::picture::Picture;
use super::view::{hits, kinds};

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
    // The men that are not at rest, and those of them that can be pinned where they stand.
    let (mut restless, mut pinned) = (0_u32, 0);
    let moves = picture.defender_moves.cast_unsigned();
    let men = kinds(&view.defenders).flat_map(|(kind, men)| men.into_iter().map(move |square| (kind, square)));
    for man in men {
        let (kind, square) = man;
        let open = if is_pawn(kind) {
            ahead(view.color, square) & !view.occupied.with(picture.king)
        } else {
            hits(man) & !theirs
        };
        if open.is_empty() {
            continue;
        }
        let ours = view.attackers.iter().copied();
        let is_pinned = !moves_along(man, picture.king) && picture.can_be_pinned(square, picture.attacker_moves, ours);
        restless += 1;
        pinned += u32::from(is_pinned);
        let count = open.count() as u32;
        if count <= moves || is_pawn(kind) {
            open.into_iter().for_each(|square| needs[square as usize] += WHOLE / count);
        }
    }
    let lines = view.attackers.iter().filter(|&&(kind, _)| is_line_piece(kind) || is_pawn(kind)).count() as u32;
    let others = picture.attacker_moves.cast_unsigned() + lines.min(pinned);
    let most = needs.iter().max().copied().unwrap_or_default();
    restless.saturating_sub(others) * WHOLE <= moves * (WHOLE + most)
}
