//! The moves that may have led to a position. [`taken_back`] takes back the moves that a side may have made,
//! [`is_possible`] judges the position before them.
//!
//! A position is impossible if the king of the side not to move could be captured, or the king of the side to move is
//! in a check that no move could have given. A move may have captured a man of any kind, as long as no side gets more
//! than sixteen men; pawn captures are not counted. So an impossible move may be found. Castling of Chess960 from
//! unusual squares is missed.

use shakmaty::{Bitboard, Board, Color, File, Piece, Rank, Role, Square, attacks};

/// A move that may have been the last one, and the position before it.
pub struct TakenBack {
    /// The men before the move.
    pub board: Board,
    /// The square that the man left; for castling that of the king.
    pub from: Square,
    /// The square that the man reached; for castling that of the king.
    pub to: Square,
    /// Whether the move was a promotion. The man on `to` after the move says to what.
    pub promoted: bool,
    /// The corner from which the rook came, if the move was castling.
    pub castling: Option<Square>,
    /// Whether the move was a capture en passant.
    pub en_passant: bool,
    /// The square to which the move was a double step of a pawn; `None` if it was another move.
    pub double_step: Option<Square>,
}

/// Returns the offset of one step back for a pawn of this side.
pub fn backward(side: Color) -> i32 {
    side.fold_wb(-8, 8)
}

/// Returns whether a game may have reached this position with `side` to move: the other side is not in check, and if
/// `side` is in check, some move can have given it.
pub fn is_possible(board: &Board, side: Color) -> bool {
    if is_in_check(board, !side) {
        return false;
    }
    !is_in_check(board, side)
        || taken_back(board, !side, Bitboard::EMPTY).any(|before| !is_in_check(&before.board, side))
}

/// Returns whether the king of this side is in check.
fn is_in_check(board: &Board, king_of: Color) -> bool {
    board.king_of(king_of).is_some_and(|king| board.attacks_to(king, !king_of, board.occupied()).any())
}

/// Takes back every last move that `side` may have made, except moves of the men in `unmoved`. Some of the positions
/// before the move may be impossible. Castling is a move of the king.
pub fn taken_back(board: &Board, side: Color, unmoved: Bitboard) -> impl Iterator<Item = TakenBack> {
    let may_uncapture = board.by_color(!side).count() < 16;
    let men = board.by_color(side) & !unmoved;
    men.into_iter().flat_map(move |to| {
        let mut found = Vec::new();
        if let Some(role) = board.role_at(to) {
            let mut take_back = TakeBack { board, side, to, may_uncapture, found: &mut found };
            take_back.steps(role);
            take_back.en_passant(role);
            take_back.promotions(role);
            take_back.castling(role);
        }
        found
    })
}

/// Takes back the possible last moves of the man on `to`.
struct TakeBack<'a> {
    board: &'a Board,
    side: Color,
    to: Square,
    /// Whether the other side has fewer than sixteen men, so that the move may have been a capture.
    may_uncapture: bool,
    found: &'a mut Vec<TakenBack>,
}

impl TakeBack<'_> {
    fn empty(&self) -> Bitboard {
        !self.board.occupied()
    }

    /// Returns the position before a move without a capture: the man is put back on `from` as a man of this role.
    fn moved_back(&self, from: Square, role: Role) -> TakenBack {
        let mut board = self.board.clone();
        board.discard_piece_at(self.to);
        board.set_piece_at(from, Piece { color: self.side, role });
        TakenBack {
            board,
            from,
            to: self.to,
            promoted: role == Role::Pawn && Bitboard::BACKRANKS.contains(self.to),
            castling: None,
            en_passant: false,
            double_step: None,
        }
    }

    /// Adds the position before a move without a capture.
    fn quiet(&mut self, from: Square, role: Role, double_step: Option<Square>) {
        let before = self.moved_back(from, role);
        self.found.push(TakenBack { double_step, ..before });
    }

    /// Adds the positions before a capture of a man of any kind.
    fn captures(&mut self, from: Square, role: Role) {
        if !self.may_uncapture {
            return;
        }
        for captured in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            if captured != Role::Pawn || !Bitboard::BACKRANKS.contains(self.to) {
                let mut before = self.moved_back(from, role);
                before.board.set_piece_at(self.to, Piece { color: !self.side, role: captured });
                self.found.push(before);
            }
        }
    }

    /// Takes back ordinary moves.
    fn steps(&mut self, role: Role) {
        if role == Role::Pawn {
            self.pawn_steps(!Bitboard::BACKRANKS);
            return;
        }
        let piece = Piece { color: self.side, role };
        for from in attacks::attacks(self.to, piece, self.board.occupied()) & self.empty() {
            self.quiet(from, role, None);
            self.captures(from, role);
        }
    }

    /// Takes back pawn moves from the squares `within`.
    fn pawn_steps(&mut self, within: Bitboard) {
        let free = within & self.empty();
        let back = backward(self.side);
        if let Some(one) = self.to.offset(back).filter(|&one| free.contains(one)) {
            self.quiet(one, Role::Pawn, None);
            let fourth = self.side.fold_wb(Rank::Fourth, Rank::Fifth);
            if let Some(two) = one.offset(back).filter(|&two| self.to.rank() == fourth && free.contains(two)) {
                self.quiet(two, Role::Pawn, Some(self.to));
            }
        }
        for from in attacks::pawn_attacks(!self.side, self.to) & free {
            self.captures(from, Role::Pawn);
        }
    }

    /// Takes back a capture en passant.
    fn en_passant(&mut self, role: Role) {
        let sixth = self.side.fold_wb(Rank::Sixth, Rank::Third);
        let Some(taken) = self.to.offset(backward(self.side)).filter(|&taken| self.empty().contains(taken)) else {
            return;
        };
        if role != Role::Pawn || self.to.rank() != sixth || !self.may_uncapture {
            return;
        }
        for from in attacks::pawn_attacks(!self.side, self.to) & self.empty() {
            let mut before = self.moved_back(from, Role::Pawn);
            before.board.set_piece_at(taken, Piece { color: !self.side, role: Role::Pawn });
            self.found.push(TakenBack { en_passant: true, ..before });
        }
    }

    /// Takes back promotions to this man.
    fn promotions(&mut self, role: Role) {
        let last = self.side.fold_wb(Rank::Eighth, Rank::First);
        if self.to.rank() == last && !matches!(role, Role::King | Role::Pawn) {
            self.pawn_steps(Bitboard::FULL);
        }
    }

    /// Takes back castling, if king and rook are on the squares where castling puts them.
    fn castling(&mut self, role: Role) {
        let rank = self.side.fold_wb(Rank::First, Rank::Eighth);
        let square = |file| Square::from_coords(file, rank);
        for (king, rook, corner) in [(File::G, File::F, File::H), (File::C, File::D, File::A)] {
            let rook_piece = Piece { color: self.side, role: Role::Rook };
            let castled = role == Role::King
                && self.to == square(king)
                && self.board.piece_at(square(rook)) == Some(rook_piece)
                && self.empty().contains(square(File::E))
                && self.empty().contains(square(corner));
            if castled {
                let mut before = self.moved_back(square(File::E), Role::King);
                before.board.discard_piece_at(square(rook));
                before.board.set_piece_at(square(corner), rook_piece);
                self.found.push(TakenBack { castling: Some(square(corner)), ..before });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes back the last moves of the man on `man` and compares each of them with the board before it.
    fn moves_of(board: &str, side: Color, man: Square) -> Vec<TakenBack> {
        let board: Board = board.parse().unwrap();
        let unmoved = board.occupied().without(man);
        let moves: Vec<_> = taken_back(&board, side, unmoved).collect();
        for before in &moves {
            assert_eq!(before.to, man);
            assert_eq!(before.board.color_at(before.from), Some(side));
            assert_eq!(before.board.color_at(man), captured(before).filter(|_| !before.en_passant).map(|_| !side));
            let men = board.occupied().count() + usize::from(captured(before).is_some());
            assert_eq!(before.board.occupied().count(), men);
        }
        moves
    }

    /// Returns what the man was before the move.
    fn role(before: &TakenBack) -> Option<Role> {
        before.board.role_at(before.from)
    }

    /// Returns the captured man. It stood on `to`, unless the capture was en passant.
    fn captured(before: &TakenBack) -> Option<Role> {
        if before.en_passant { Some(Role::Pawn) } else { before.board.role_at(before.to) }
    }

    fn count(moves: &[TakenBack], is_counted: impl Fn(&TakenBack) -> bool) -> usize {
        moves.iter().filter(|before| is_counted(before)).count()
    }

    #[test]
    fn pawn_moves_are_taken_back() {
        // From e5; from d5 and f5 with a capture of five kinds or en passant.
        let moves = moves_of("4k3/8/4P3/8/8/8/8/4K3", Color::White, Square::E6);
        assert_eq!(moves.len(), 1 + 2 * (5 + 1));
        assert_eq!(count(&moves, |before| captured(before).is_none() && before.from == Square::E5), 1);
        assert_eq!(count(&moves, |before| before.en_passant), 2);
        let en_passant = moves.iter().find(|before| before.en_passant).unwrap();
        assert_eq!(en_passant.board.piece_at(Square::E5), Some(Piece { color: Color::Black, role: Role::Pawn }));
        // From e6 and e7; from d6 and f6 with a capture.
        let moves = moves_of("4k3/8/8/4p3/8/8/8/4K3", Color::Black, Square::E5);
        assert_eq!(moves.len(), 2 + 2 * 5);
        let double = moves.iter().find(|before| before.double_step == Some(Square::E5)).unwrap();
        assert_eq!((double.from, captured(double)), (Square::E7, None));
        assert_eq!(count(&moves, |before| before.double_step.is_some()), 1);
    }

    #[test]
    fn promotions_are_taken_back() {
        // A knight from four squares, or a pawn from e7, or from d7 and f7 with a capture. No pawn was captured on e8.
        let moves = moves_of("4N3/8/8/8/8/8/8/K6k", Color::White, Square::E8);
        assert_eq!(moves.len(), 4 * (1 + 4) + 1 + 2 * 4);
        assert_eq!(count(&moves, |before| before.promoted && role(before) == Some(Role::Pawn)), 1 + 2 * 4);
        assert_eq!(count(&moves, |before| !before.promoted && role(before) == Some(Role::Knight)), 4 * (1 + 4));
        assert_eq!(count(&moves, |before| captured(before) == Some(Role::Pawn)), 0);
    }

    #[test]
    fn castling_is_taken_back() {
        // From f2, g2, h2 and h1 with or without a capture, or castling.
        let moves = moves_of("7k/8/8/8/8/8/8/5RK1", Color::White, Square::G1);
        let captures = 4 * 4;
        assert_eq!(count(&moves, |before| captured(before).is_some()), captures);
        assert_eq!(moves.len(), 4 + captures + 1);
        let castling = moves.iter().find(|before| before.castling.is_some()).unwrap();
        assert_eq!(
            (castling.from, role(castling), castling.castling),
            (Square::E1, Some(Role::King), Some(Square::H1))
        );
        let rook = Some(Piece { color: Color::White, role: Role::Rook });
        assert_eq!((castling.board.piece_at(Square::H1), castling.board.piece_at(Square::F1)), (rook, None));
        // The other side has all its men, so nothing was captured. The king came from b8, or it castled.
        let moves = moves_of("2kr3n/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", Color::Black, Square::C8);
        assert_eq!(moves.iter().map(|before| before.castling).collect::<Vec<_>>(), [None, Some(Square::A8)]);
    }

    #[test]
    fn a_position_is_possible_if_a_move_can_have_led_to_it() {
        let possible = |board: &str, turn| is_possible(&board.parse().unwrap(), turn);
        assert!(possible("4k3/8/8/8/8/8/4R3/4K3", Color::Black));
        assert!(!possible("4k3/8/8/8/8/8/4R3/4K3", Color::White));
        // Two rooks give check on one file and one rank, and neither can have moved last.
        assert!(!possible("k3R3/8/8/8/R7/8/8/4K3", Color::Black));
        assert!(possible("k3R3/8/8/8/8/8/8/4K3", Color::Black));
    }
}
