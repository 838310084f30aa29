//! The half-moves that may have led to a position, by the types of shakmaty. Not all of them are legal.

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position as _, Rank, Role, Setup, Square, attacks};

use super::ends::{man, put};

/// A half-move that could be taken back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unmove {
    pub from: Square,
    pub to: Square,
    /// The man that moved.
    pub role: Role,
    pub promotion: bool,
    /// Whether a man was captured: always, never, or either.
    pub captures: Option<bool>,
    pub en_passant: bool,
    pub castling: bool,
}

impl Unmove {
    fn plain(from: Square, to: Square, role: Role, captures: Option<bool>) -> Unmove {
        Unmove { from, to, role, promotion: false, captures, en_passant: false, castling: false }
    }

    /// Returns the position before; `None` if a captured man cannot have stood there.
    pub(super) fn before(self, after: &Chess, us: Color, captured: Option<Role>) -> Option<Setup> {
        let mut setup = after.to_setup(EnPassantMode::Legal);
        setup.ep_square = None;
        setup.turn = us;
        let board = &mut setup.board;
        if self.castling {
            let rook =
                if self.to.file() > self.from.file() { (Square::H1, Square::F1) } else { (Square::A1, Square::D1) };
            let home = |square: Square| us.fold_wb(square, square.flip_vertical());
            board.discard_piece_at(self.to);
            board.discard_piece_at(home(rook.1));
            board.set_piece_at(self.from, man(us, Role::King));
            board.set_piece_at(home(rook.0), man(us, Role::Rook));
            // A rook in the other corner had not moved either: the king may have had both rights.
            for corner in [Square::A1, Square::H1].map(home) {
                if board.piece_at(corner) == Some(man(us, Role::Rook)) {
                    setup.castling_rights.add(corner);
                }
            }
            return Some(setup);
        }
        board.discard_piece_at(self.to);
        board.set_piece_at(self.from, man(us, self.role));
        if self.en_passant {
            let behind = Square::from_coords(self.to.file(), self.from.rank());
            board.set_piece_at(behind, man(!us, Role::Pawn));
            setup.ep_square = Some(self.to);
        } else if let Some(role) = captured
            && !put(board, self.to, man(!us, role))
        {
            return None;
        }
        Some(setup)
    }
}

/// Returns the half-moves of `us` that may have led to a position. Not all are legal.
pub(super) fn unmoves(after: &Chess, us: Color, goes_on: bool) -> Vec<Unmove> {
    let (board, occupied) = (after.board(), after.board().occupied());
    let rights = after.castles().castling_rights() & board.by_color(us);
    let (up, final_rank) = (us.fold_wb(8, -8), us.fold_wb(Rank::Eighth, Rank::First));
    let mut list = Vec::new();
    let is_free = |square: Square| !occupied.contains(square);
    if let Some(passed) = after.legal_ep_square() {
        // The right to capture en passant comes from a double step.
        if let (Some(from), Some(to), false) = (passed.offset(-up), passed.offset(up), goes_on) {
            list.push(Unmove::plain(from, to, Role::Pawn, Some(false)));
        }
        return list;
    }
    for to in board.by_color(us) {
        let Some(role) = board.role_at(to) else { continue };
        if rights.contains(to) || role == Role::King && rights.any() {
            continue;
        }
        if role == Role::Pawn {
            pawn_unmoves(us, to, false, occupied, &mut list);
            let taken = to.offset(-up);
            let start = to.offset(up);
            let from = attacks::pawn_attacks(!us, to) & !occupied;
            let is_passant = to.rank() == us.fold_wb(Rank::Sixth, Rank::Third)
                && [taken, start].into_iter().all(|square| square.is_some_and(is_free));
            list.extend(
                from.into_iter()
                    .filter(|_| is_passant)
                    .map(|from| Unmove { en_passant: true, ..Unmove::plain(from, to, Role::Pawn, Some(false)) }),
            );
            continue;
        }
        let from = attacks::attacks(to, man(us, role), occupied) & !occupied;
        list.extend(from.into_iter().map(|from| Unmove::plain(from, to, role, None)));
        if to.rank() == final_rank && role != Role::King {
            pawn_unmoves(us, to, true, occupied, &mut list);
        }
        let home = us.fold_wb(Square::E1, Square::E8);
        if role == Role::King && matches!(to.file() as u32, 2 | 6) && to.rank() == home.rank() && is_free(home) {
            list.push(Unmove { castling: true, ..Unmove::plain(home, to, Role::King, Some(false)) });
        }
    }
    list
}

fn pawn_unmoves(us: Color, to: Square, promotion: bool, occupied: Bitboard, list: &mut Vec<Unmove>) {
    let up = us.fold_wb(8, -8);
    let mut add = |from: Square, captures| {
        if !occupied.contains(from) && !Bitboard::BACKRANKS.contains(from) {
            list.push(Unmove { promotion, ..Unmove::plain(from, to, Role::Pawn, Some(captures)) });
        }
    };
    let one = to.offset(-up);
    if let Some(from) = one {
        add(from, false);
    }
    let two = one.filter(|&from| !occupied.contains(from)).and_then(|from| from.offset(-up));
    if let Some(from) = two.filter(|_| to.rank() == us.fold_wb(Rank::Fourth, Rank::Fifth)) {
        add(from, false);
    }
    attacks::pawn_attacks(!us, to).into_iter().for_each(|from| add(from, true));
}
