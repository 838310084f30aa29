//! Mate pictures: whether a checkmate is pure, a model, or ideal.
//!
//! - **Pure**: each square around the king is either blocked by a man of his own and not attacked, or attacked once and
//!   not blocked. He is in check by one man; in a double check, each of the two checks alone could be parried by
//!   another man than the king. A man of his own that is pinned, and could otherwise parry the mate, counts as a block
//!   although its pinner, and no other man, attacks its square.
//! - **Model**: pure, and every piece of the mating side takes part, but for king and pawns.
//! - **Ideal**: pure, and every man on the board takes part.
//!
//! CITE: the glossary of the Codex for Chess Composition.
//!
//! To note another picture in lines of help play: add it here, its words in `HelpLine::remarks`
//! (`crates/results/src/results/help.rs`), and a field in both JSON schemas.

use matesolve_terms::tolerated;
use shakmaty::{Bitboard, Board, CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, Role, Square, attacks};

/// What a mate picture is. Each kind is also the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Picture {
    /// Whether the mate is pure.
    pub pure: bool,
    /// Whether it is a model mate.
    pub model: bool,
    /// Whether it is an ideal mate.
    pub ideal: bool,
}

impl Picture {
    /// Judges a position. A position that is no checkmate has none of the properties.
    pub fn of(mate: &Chess) -> Picture {
        let Some(used) = Some(mate).filter(|mate| mate.is_checkmate()).and_then(pure) else {
            return Picture::default();
        };
        let board = mate.board();
        let idle = board.occupied() & !used;
        let free = board.by_role(Role::King) | board.by_role(Role::Pawn);
        let model = (idle & mate.them() & !free).is_empty();
        Picture { pure: true, model, ideal: idle.is_empty() }
    }
}

/// Returns the men that take part in a pure mate; `None` if the mate is not pure.
fn pure(mate: &Chess) -> Option<Bitboard> {
    let board = mate.board();
    let king = board.king_of(mate.turn())?;
    let lifted = board.occupied().without(king);
    let attackers = |square| board.attacks_to(square, !mate.turn(), lifted);
    let checkers = mate.checkers();
    if checkers.count() > 1 && !checkers.into_iter().all(|checker| can_be_parried(mate, checker, None)) {
        return None;
    }
    // A pinned man that could parry the mate takes part, and so does its pinner, wherever they stand.
    let pins = pins(mate, king);
    let mut used = checkers.with(king) | pins.iter().fold(Bitboard::EMPTY, |all, &(man, by)| all.with(man).with(by));
    for square in attacks::king_attacks(king) {
        let by = attackers(square);
        let is_block = mate.us().contains(square);
        let is_pinned = pins.iter().any(|&(man, pinner)| man == square && by == Bitboard::from(pinner));
        if by.count() != usize::from(!is_block) && !is_pinned {
            return None;
        }
        used |= by;
        if is_block {
            used.add(square);
        }
    }
    Some(used)
}

/// Returns the pinned men that could otherwise parry the mate, each with its pinner.
fn pins(mate: &Chess, king: Square) -> Vec<(Square, Square)> {
    let board = mate.board();
    let lines = |role: fn(&Board) -> Bitboard, seen: Bitboard| role(board) & mate.them() & seen;
    let snipers = lines(Board::rooks_and_queens, attacks::rook_attacks(king, Bitboard::EMPTY))
        | lines(Board::bishops_and_queens, attacks::bishop_attacks(king, Bitboard::EMPTY));
    let pinned = snipers.into_iter().filter_map(|pinner| {
        let between = attacks::between(king, pinner) & board.occupied();
        let man = between.single_square().filter(|&man| mate.us().contains(man))?;
        can_be_parried(mate, pinner, Some(man)).then_some((man, pinner))
    });
    pinned.collect()
}

/// Returns whether a man other than the king has a legal move, or only the man on `by`, if a man of the mating side
/// were not there.
fn can_be_parried(mate: &Chess, without: Square, by: Option<Square>) -> bool {
    let mut setup = mate.to_setup(EnPassantMode::Legal);
    setup.board.discard_piece_at(without);
    tolerated(Chess::from_setup(setup, CastlingMode::Chess960)).is_ok_and(|position| {
        let counts = |m: &shakmaty::Move| m.role() != Role::King && by.is_none_or(|by| m.from() == Some(by));
        position.legal_moves().iter().any(counts)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_position;

    fn kinds(fen: &str) -> (bool, bool, bool) {
        let Picture { pure, model, ideal } = Picture::of(&parse_position(fen).unwrap());
        (pure, model, ideal)
    }

    #[test]
    fn a_pure_mate_has_one_reason_for_each_square() {
        assert_eq!(kinds("k6R/8/1K6/8/8/8/8/8 b - - 0 1"), (true, true, true), "king and rook");
        assert_eq!(kinds("k6R/8/1K6/8/8/8/8/N7 b - - 0 1"), (true, false, false), "an idle knight");
        assert_eq!(kinds("k6R/8/1K6/8/8/8/P7/8 b - - 0 1"), (true, true, false), "an idle pawn");
        assert_eq!(kinds("k6R/8/1K6/8/8/7p/8/8 b - - 0 1"), (true, true, false), "an idle black pawn");
        assert_eq!(kinds("k6R/7R/1K6/8/8/8/8/8 b - - 0 1"), (false, false, false), "a7 and b7 are guarded twice");
        assert_eq!(kinds("k7/8/1K6/8/8/8/8/7R b - - 0 1"), (false, false, false), "no mate");
    }

    #[test]
    fn blocks_are_pure_unless_they_are_attacked() {
        // The smothered mate: the rook on g8 and the pawns block, the knight on f7 checks.
        assert_eq!(kinds("6rk/5Npp/8/8/8/8/8/K7 b - - 0 1"), (true, true, false), "the king on a1 is idle");
        assert_eq!(kinds("6rk/5Npp/7N/8/8/8/8/K7 b - - 0 1"), (false, false, false), "g8 is blocked and attacked");
    }

    #[test]
    fn a_needed_pin_and_a_needed_double_check_are_pure() {
        // The knight on g8, pinned by the rook, could otherwise stand on f6; a bishop could not parry.
        assert_eq!(kinds("R5nk/8/6P1/8/3B4/8/8/2K5 b - - 0 1"), (true, true, false));
        assert_eq!(kinds("R5bk/8/6P1/8/3B4/8/8/2K5 b - - 0 1"), (false, false, false));
        // The rook could parry the bishop's check on g7, and the bishop on h5 the rook's.
        assert_eq!(kinds("6rk/8/8/8/3B4/8/8/2Kb3R b - - 0 1"), (true, true, false));
        assert_eq!(kinds("6rk/8/8/8/3B4/8/8/2K4R b - - 0 1"), (false, false, false), "the rook's check would do");
    }
}
