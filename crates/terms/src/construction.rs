//! Diagrams that no game from the usual initial position can lead to, as far as simple conditions show it.
//!
//! Each condition here is necessary: a position of such a game passes. The men of a side are at most sixteen, and each
//! promoted man costs a pawn. A pawn that stands on another file than its own has captured, once for each file, and
//! every capture took a man of the other side. A bishop cannot leave its first square while the two pawns before it
//! have not moved, and none can come to a corner behind such a pawn.

use shakmaty::attacks::pawn_attacks;
use shakmaty::{Bitboard, Board, Color, Piece, Rank, Role};

/// Returns the least number of promoted men of a side.
pub fn promoted(board: &Board, color: Color) -> usize {
    promotions(board, color).iter().map(|(_, least)| least).sum()
}

/// Returns sets of men of a side, each with the least number of promoted men among them.
pub fn promotions(board: &Board, color: Color) -> [(Bitboard, usize); 5] {
    let more = |role, at_first: usize| {
        let men = board.by_piece(Piece { color, role });
        (men, men.count().saturating_sub(at_first))
    };
    let bishops = |squares| bishops(board, color, squares);
    let [light, dark] = [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES].map(bishops);
    [more(Role::Queen, 1), more(Role::Rook, 2), light, dark, more(Role::Knight, 2)]
}

/// Returns the bishops of a side on squares of one colour that may be promoted, and how many of them must be.
fn bishops(board: &Board, color: Color, squares: Bitboard) -> (Bitboard, usize) {
    let all = board.by_piece(Piece { color, role: Role::Bishop }) & squares;
    let first = color.fold_wb(Rank::First, Rank::Eighth);
    let home = (squares & first).into_iter().find(|at| matches!(at.file(), shakmaty::File::C | shakmaty::File::F));
    let locked = home.is_some_and(|home| (pawn_attacks(color, home) & pawns(board, color)).count() == 2);
    match home {
        // The bishop of the initial position still stands there, or was captured there.
        Some(home) if locked => (all.without(home), all.without(home).count()),
        _ => (all, all.count().saturating_sub(1)),
    }
}

fn pawns(board: &Board, color: Color) -> Bitboard {
    board.by_piece(Piece { color, role: Role::Pawn })
}

/// Returns whether a game may have led to these men.
pub fn is_constructible(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let captured = 16_usize.saturating_sub(board.by_color(!color).count());
        board.by_color(color).count() <= 16
            && pawns(board, color).count() + promoted(board, color) <= 8
            && !has_locked_corner(board, color)
            && captures(board, color).is_some_and(|captures| captures <= captured)
    })
}

/// Returns whether a bishop stands in a corner behind a pawn of its own that has not moved.
fn has_locked_corner(board: &Board, color: Color) -> bool {
    let corners = Bitboard::CORNERS & color.fold_wb(Rank::First, Rank::Eighth);
    let bishops = board.by_piece(Piece { color, role: Role::Bishop }) & corners;
    bishops.into_iter().any(|corner| (pawn_attacks(color, corner) & pawns(board, color)).any())
}

/// Returns the least number of captures by the pawns of a side; `None` if they cannot have come to their squares.
///
/// Each pawn on the board has begun on a file of its own. `least[files]` is the least number of captures by the pawns
/// looked at so far, if they began on this set of files.
fn captures(board: &Board, color: Color) -> Option<usize> {
    let mut least = [usize::MAX; 256];
    least[0] = 0;
    for pawn in pawns(board, color) {
        let second = color.fold_wb(1, 6);
        let steps = (i32::from(pawn.rank()) - second).unsigned_abs() as usize;
        let mut next = [usize::MAX; 256];
        for files in (0..256).filter(|&files| least[files] != usize::MAX) {
            for file in (0..8_usize).filter(|file| files & (1 << file) == 0) {
                let distance = file.abs_diff(usize::from(pawn.file()));
                if distance <= steps {
                    let with = &mut next[files | 1 << file];
                    *with = (*with).min(least[files] + distance);
                }
            }
        }
        least = next;
    }
    least.into_iter().min().filter(|&captures| captures != usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        fen.parse().unwrap()
    }

    #[test]
    fn positions_of_games_pass() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1",
            "Q3k3/8/8/8/8/8/PP3PPP/RNBQKBNR",
            "4k3/8/8/8/4P3/4P3/4P3/4K3",
            "2b1k3/1p1p4/8/8/8/8/1P1P4/2B1K3",
        ] {
            assert!(is_constructible(&board(fen)), "{fen}");
        }
    }

    #[test]
    fn pawns_need_captures_that_the_missing_men_explain() {
        // The white pawns on the a-file need three captures; Black has lost two men, then three.
        assert!(!is_constructible(&board("1nbqkbnr/1ppppppp/8/8/P7/P7/P7/4K3")));
        assert!(is_constructible(&board("2bqkbnr/1ppppppp/8/8/P7/P7/P7/4K3")));
        // Three pawns on a2, b2 and a3: the third has no file from which it can have come in one step.
        assert!(!is_constructible(&board("4k3/8/8/8/8/P7/PP6/4K3")));
        assert!(!is_constructible(&board("4k3/pp6/p7/8/8/8/8/4K3")));
        assert!(is_constructible(&board("4k3/8/8/8/8/P7/P7/4K3")));
    }

    #[test]
    fn promoted_men_are_counted() {
        let count = |fen| promoted(&board(fen), Color::White);
        assert_eq!(count("4k3/8/8/8/8/8/8/QQRRRNNK"), 2);
        assert_eq!(count("4k3/8/8/8/8/B1B5/8/4K3"), 1);
        // The pawns on b2 and d2 have not moved, so the bishop of c1 has not either.
        assert_eq!(count("4k3/8/8/8/8/B7/1P1P4/4K3"), 1);
        assert_eq!(count("4k3/8/8/8/8/8/1P1P4/2B1K3"), 0);
        assert!(!is_constructible(&board("4k3/8/8/8/8/8/PPPPPPPP/1QQ1K3")));
    }

    #[test]
    fn a_bishop_behind_a_pawn_in_the_corner_is_impossible() {
        assert!(!is_constructible(&board("4k3/8/8/8/8/8/1P6/B3K3")));
        assert!(!is_constructible(&board("4k2b/6p1/8/8/8/8/8/4K3")));
        assert!(is_constructible(&board("4k2b/5p2/8/8/8/8/8/B3K3")));
    }
}
