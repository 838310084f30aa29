//! One move back: is it plain that the last move was a double step?
//!
//! By the Codex a capture en passant may be the first move only if it can be proved that the last move was the double
//! step. This file proves it where one look back is enough: it takes back every move that the side not to move could
//! have made last, and if all but one double step are impossible, that one was made.
//!
//! A move is called impossible only if the position before it is: a king of the side that had just moved could have
//! been taken, or stood in check and no move of the other side could have given that check. Everything else counts as
//! possible (men of any kind may have been captured, up to sixteen a side; nobody counts pawn captures), so the proof
//! may be missed, but never be wrong.

use shakmaty::{Bitboard, Board, Color, File, Piece, Rank, Role, Square, attacks};

/// A position before the last move.
struct Before {
    board: Board,
    /// The last move was a double step of a pawn to this square.
    double_step: Option<Square>,
}

/// The square on which `turn` may capture en passant, if the position proves it. `unmoved` are men that are known not
/// to have moved, such as those that may castle.
pub(super) fn proved_en_passant(board: &Board, turn: Color, unmoved: Bitboard) -> Option<Square> {
    let them = !turn;
    if !double_steps(board, them).any(|to| is_capturable(board, to, turn)) {
        return None;
    }
    let mut only = None;
    for before in unmoves(board, them, unmoved) {
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

/// Where pawns of `side` stand that may just have made a double step.
fn double_steps(board: &Board, side: Color) -> impl Iterator<Item = Square> {
    let rank = Bitboard::from(side.fold_wb(Rank::Fourth, Rank::Fifth));
    let pawns = board.by_piece(Piece { color: side, role: Role::Pawn }) & rank;
    let occupied = board.occupied();
    let free = move |square: Option<Square>| square.is_some_and(|square| !occupied.contains(square));
    pawns.into_iter().filter(move |to| free(to.offset(backward(side))) && free(to.offset(2 * backward(side))))
}

fn is_capturable(board: &Board, stepped: Square, by: Color) -> bool {
    let beside = attacks::king_attacks(stepped) & Bitboard::from(stepped.rank());
    (beside & board.by_piece(Piece { color: by, role: Role::Pawn })).any()
}

/// A pawn's step back.
fn backward(side: Color) -> i32 {
    side.fold_wb(-8, 8)
}

/// Whether `side` may be to move here: the other king cannot be taken, and a check can have been given.
fn is_possible(board: &Board, side: Color) -> bool {
    if can_be_taken(board, !side) {
        return false;
    }
    !can_be_taken(board, side)
        || unmoves(board, !side, Bitboard::EMPTY).any(|before| !can_be_taken(&before.board, side))
}

fn can_be_taken(board: &Board, king_of: Color) -> bool {
    board.king_of(king_of).is_some_and(|king| board.attacks_to(king, !king_of, board.occupied()).any())
}

/// Every position from which `side` may have moved to this one, and some more.
fn unmoves(board: &Board, side: Color, unmoved: Bitboard) -> impl Iterator<Item = Before> {
    let may_uncapture = board.by_color(!side).count() < 16;
    let men = board.by_color(side) & !unmoved;
    men.into_iter().flat_map(move |to| {
        let mut found = Vec::new();
        if let Some(role) = board.role_at(to) {
            let mut backwards = Backwards { board, side, to, may_uncapture, found: &mut found };
            backwards.steps(role);
            backwards.en_passant(role);
            backwards.promotions(role);
            backwards.castling(role);
        }
        found
    })
}

/// Takes back the moves of the man on `to`.
struct Backwards<'a> {
    board: &'a Board,
    side: Color,
    to: Square,
    may_uncapture: bool,
    found: &'a mut Vec<Before>,
}

impl Backwards<'_> {
    fn empty(&self) -> Bitboard {
        !self.board.occupied()
    }

    fn unmoved_to(&self, from: Square, role: Role) -> Board {
        let mut board = self.board.clone();
        board.discard_piece_at(self.to);
        board.set_piece_at(from, Piece { color: self.side, role });
        board
    }

    fn quietly(&mut self, from: Square, role: Role, double_step: Option<Square>) {
        let board = self.unmoved_to(from, role);
        self.found.push(Before { board, double_step });
    }

    /// The move captured a man of any kind.
    fn capturing(&mut self, from: Square, role: Role) {
        if !self.may_uncapture {
            return;
        }
        for captured in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            if captured != Role::Pawn || !Bitboard::BACKRANKS.contains(self.to) {
                let mut board = self.unmoved_to(from, role);
                board.set_piece_at(self.to, Piece { color: !self.side, role: captured });
                self.found.push(Before { board, double_step: None });
            }
        }
    }

    fn steps(&mut self, role: Role) {
        if role == Role::Pawn {
            self.pawn_steps(!Bitboard::BACKRANKS);
            return;
        }
        let piece = Piece { color: self.side, role };
        for from in attacks::attacks(self.to, piece, self.board.occupied()) & self.empty() {
            self.quietly(from, role, None);
            self.capturing(from, role);
        }
    }

    /// Moves of a pawn to this square from within `from`.
    fn pawn_steps(&mut self, within: Bitboard) {
        let free = within & self.empty();
        let back = backward(self.side);
        if let Some(one) = self.to.offset(back).filter(|&one| free.contains(one)) {
            self.quietly(one, Role::Pawn, None);
            let fourth = self.side.fold_wb(Rank::Fourth, Rank::Fifth);
            if let Some(two) = one.offset(back).filter(|&two| self.to.rank() == fourth && free.contains(two)) {
                self.quietly(two, Role::Pawn, Some(self.to));
            }
        }
        for from in attacks::pawn_attacks(!self.side, self.to) & free {
            self.capturing(from, Role::Pawn);
        }
    }

    fn en_passant(&mut self, role: Role) {
        let sixth = self.side.fold_wb(Rank::Sixth, Rank::Third);
        let Some(taken) = self.to.offset(backward(self.side)).filter(|&taken| self.empty().contains(taken)) else {
            return;
        };
        if role != Role::Pawn || self.to.rank() != sixth || !self.may_uncapture {
            return;
        }
        for from in attacks::pawn_attacks(!self.side, self.to) & self.empty() {
            let mut board = self.unmoved_to(from, Role::Pawn);
            board.set_piece_at(taken, Piece { color: !self.side, role: Role::Pawn });
            self.found.push(Before { board, double_step: None });
        }
    }

    fn promotions(&mut self, role: Role) {
        let last = self.side.fold_wb(Rank::Eighth, Rank::First);
        if self.to.rank() == last && !matches!(role, Role::King | Role::Pawn) {
            self.pawn_steps(Bitboard::FULL);
        }
    }

    /// The king stands where castling puts it, the rook beside it.
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
                let mut board = self.unmoved_to(square(File::E), Role::King);
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
    fn the_only_last_move_is_a_proof() {
        // Amelung: the king cannot have come from g7, where the pawn on f6 would have checked it from nowhere, nor the
        // pawn from g6, where it would have checked.
        assert_eq!(proved("7R/7p/5P1k/4PKpP/8/8/8/8", Color::White), Some(Square::G6));
        // The same with the colours exchanged.
        assert_eq!(proved("8/8/8/8/4pkPp/5p1K/7P/7r", Color::Black), Some(Square::G3));
        // King and rook may castle, so they have not moved; the pawn would have checked from f6.
        let board: Board = "4k2r/8/4P1P1/4PpK1/8/8/8/8".parse().unwrap();
        let unmoved = Bitboard::from(Square::E8).with(Square::H8);
        assert_eq!(proved_en_passant(&board, Color::White, unmoved), Some(Square::F6));
        assert_eq!(proved_en_passant(&board, Color::White, Bitboard::EMPTY), None);
    }

    #[test]
    fn any_other_last_move_disproves_it() {
        // A free knight may have moved; so may the pawn of the diagram by one step if the king is not in its way.
        assert_eq!(proved("n6R/7p/5P1k/4PKpP/8/8/8/8", Color::White), None);
        assert_eq!(proved("7R/7p/5P1k/4P1pP/8/8/8/5K2", Color::White), None);
        // The pawn on f6 may have come from f5, and the king from g7.
        assert_eq!(proved("7R/7p/5P1k/6pP/4K3/8/8/8", Color::White), None);
        // No pawn can take.
        assert_eq!(proved("7R/7p/5P1k/4PKp1/7P/8/8/8", Color::White), None);
    }
}
