//! Retrograde analysis of one move: whether the last move must have been a double step of a pawn.
//!
//! By the Codex, a capture en passant may be the first move of a solution only if it can be proved that the last move
//! was the double step. This file proves it where looking one move back is enough: it takes back every move that the
//! side not to move may have made last. If all of them except one double step are impossible, that double step was
//! made.
//!
//! A move is impossible only if the position before it is impossible: the king of the side not to move could be
//! captured in it, or the king of the side to move is in a check that no move could have given. All other moves
//! count as possible: a move may have captured a man of any kind, as long as no side has more than sixteen men, and
//! pawn captures are not counted. So a proof may be missed, but a proof that is found is never wrong.

use shakmaty::{Bitboard, Board, Color, File, Piece, Rank, Role, Square, attacks};

/// A position before the last move.
pub(crate) struct Before {
    pub board: Board,
    /// The square to which the last move was a double step of a pawn; `None` if it was another move.
    double_step: Option<Square>,
}

/// Returns the square on which `turn` may capture en passant, if the position proves it. `unmoved` are men that are
/// known not to have moved, such as those that may castle.
pub(super) fn proved_en_passant(board: &Board, turn: Color, unmoved: Bitboard) -> Option<Square> {
    let them = !turn;
    if !double_steps(board, them).any(|to| is_capturable(board, to, turn)) {
        return None;
    }
    let mut only = None;
    for before in retractions(board, them, unmoved) {
        if !is_possible(&before.board, them) {
            continue;
        }
        match (before.double_step, only) {
            (Some(to), None) => only = Some(to),
            (Some(to), Some(other)) if to == other => {}
            _ => return None,
        }
    }
    only.filter(|&to| is_capturable(board, to, turn)).and_then(|to| to.offset(backward(them)))
}

/// Returns the squares of pawns of `side` that may have made a double step in the last move.
fn double_steps(board: &Board, side: Color) -> impl Iterator<Item = Square> {
    let rank = Bitboard::from(side.fold_wb(Rank::Fourth, Rank::Fifth));
    let pawns = board.by_piece(Piece { color: side, role: Role::Pawn }) & rank;
    let occupied = board.occupied();
    let free = move |square: Option<Square>| square.is_some_and(|square| !occupied.contains(square));
    pawns.into_iter().filter(move |to| free(to.offset(backward(side))) && free(to.offset(2 * backward(side))))
}

/// Returns whether a pawn of side `by` stands beside the pawn that made a double step to `stepped`.
fn is_capturable(board: &Board, stepped: Square, by: Color) -> bool {
    let beside = attacks::king_attacks(stepped) & Bitboard::from(stepped.rank());
    (beside & board.by_piece(Piece { color: by, role: Role::Pawn })).any()
}

/// Returns the offset of one step back for a pawn of this side.
fn backward(side: Color) -> i32 {
    side.fold_wb(-8, 8)
}

/// Returns whether a game may have reached this position with `side` to move: the other side is not in check, and if
/// `side` is in check, some move can have given it.
pub(crate) fn is_possible(board: &Board, side: Color) -> bool {
    if is_in_check(board, !side) {
        return false;
    }
    !is_in_check(board, side)
        || retractions(board, !side, Bitboard::EMPTY).any(|before| !is_in_check(&before.board, side))
}

/// Returns whether the king of this side is in check.
fn is_in_check(board: &Board, king_of: Color) -> bool {
    board.king_of(king_of).is_some_and(|king| board.attacks_to(king, !king_of, board.occupied()).any())
}

/// Takes back every last move that `side` may have made. Some of the positions may be impossible.
pub(crate) fn retractions(board: &Board, side: Color, unmoved: Bitboard) -> impl Iterator<Item = Before> {
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
    found: &'a mut Vec<Before>,
}

impl TakeBack<'_> {
    fn empty(&self) -> Bitboard {
        !self.board.occupied()
    }

    /// Returns the board with the man put back on `from` as a man of this role.
    fn moved_back(&self, from: Square, role: Role) -> Board {
        let mut board = self.board.clone();
        board.discard_piece_at(self.to);
        board.set_piece_at(from, Piece { color: self.side, role });
        board
    }

    /// Adds the position before a move without a capture.
    fn quiet(&mut self, from: Square, role: Role, double_step: Option<Square>) {
        let board = self.moved_back(from, role);
        self.found.push(Before { board, double_step });
    }

    /// Adds the positions before a capture of a man of any kind.
    fn captures(&mut self, from: Square, role: Role) {
        if !self.may_uncapture {
            return;
        }
        for captured in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            if captured != Role::Pawn || !Bitboard::BACKRANKS.contains(self.to) {
                let mut board = self.moved_back(from, role);
                board.set_piece_at(self.to, Piece { color: !self.side, role: captured });
                self.found.push(Before { board, double_step: None });
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
            let mut board = self.moved_back(from, Role::Pawn);
            board.set_piece_at(taken, Piece { color: !self.side, role: Role::Pawn });
            self.found.push(Before { board, double_step: None });
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
                let mut board = self.moved_back(square(File::E), Role::King);
                board.discard_piece_at(square(rook));
                board.set_piece_at(square(corner), rook_piece);
                self.found.push(Before { board, double_step: None });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proved(board: &str, turn: Color) -> Option<Square> {
        proved_en_passant(&board.parse().unwrap(), turn, Bitboard::EMPTY)
    }

    #[test]
    fn a_double_step_is_proved_if_no_other_last_move_is_possible() {
        // A problem by Amelung. The king on h6 cannot have come from g7, because the pawn on f6 could not have given
        // check there. The pawn on g5 cannot have come from g6, because it would have attacked the king on f5.
        assert_eq!(proved("7R/7p/5P1k/4PKpP/8/8/8/8", Color::White), Some(Square::G6));
        // The same with the colours exchanged.
        assert_eq!(proved("8/8/8/8/4pkPp/5p1K/7P/7r", Color::Black), Some(Square::G3));
        // King and rook may castle, so they have not moved. On f6 the pawn would have given check to the king on g5.
        let board: Board = "4k2r/8/4P1P1/4PpK1/8/8/8/8".parse().unwrap();
        let unmoved = Bitboard::from(Square::E8).with(Square::H8);
        assert_eq!(proved_en_passant(&board, Color::White, unmoved), Some(Square::F6));
        assert_eq!(proved_en_passant(&board, Color::White, Bitboard::EMPTY), None);
    }

    #[test]
    fn another_possible_last_move_leaves_the_double_step_unproved() {
        // In the first position the knight may have made the last move; in the second the pawn may have come from g6.
        assert_eq!(proved("n6R/7p/5P1k/4PKpP/8/8/8/8", Color::White), None);
        assert_eq!(proved("7R/7p/5P1k/4P1pP/8/8/8/5K2", Color::White), None);
        // The pawn on f6 may have come from f5, and the king from g7.
        assert_eq!(proved("7R/7p/5P1k/6pP/4K3/8/8/8", Color::White), None);
        // No white pawn can capture en passant.
        assert_eq!(proved("7R/7p/5P1k/4PKp1/7P/8/8/8", Color::White), None);
    }
}
