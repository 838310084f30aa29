//! The position that the searches use: bitboards, side to move, rights, half-moves left and an incremental key, in at
//! most 88 bytes.
//!
//! Input is parsed and proofs are checked with shakmaty's rules. This type exists because the searches need fast moves,
//! and checks, evasions and mates in one without a full move list. `benches/kernel.rs` at the root compares the speed
//! of both, and `tests/suite/kernel.rs` compares their moves.
//!
//! Positions are small and copied: [`Position::play`] returns the successor, and there is no function to undo a move.

use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Piece, Position as _, Rank, Role, Setup,
    Square, attacks,
};

use matesolve_terms::tolerated;

use super::exclusive::ExclusiveRights;
use super::{Move, MoveCode, Stipulation, zobrist};

/// A chess position as the searches use it. It has no history: the caller handles repetition and the fifty-move rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(super) roles: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    /// The squares of the rooks that may still castle.
    pub(super) castling: Bitboard,
    key: u64,
    pub(super) turn: Color,
    /// The square behind a pawn that has just made a double step, if an enemy pawn attacks that square.
    pub(super) en_passant: Option<Square>,
    /// Castling rights that exclude each other.
    exclusive: ExclusiveRights,
    /// The half-moves left until the goal must stand; [`UNCOUNTED`] if it may stand earlier.
    countdown: u16,
}

/// The countdown of positions whose half-moves do not count.
const UNCOUNTED: u16 = u16::MAX;

/// The rights of a position: the rooks that may castle, and the en passant square.
#[derive(Clone, Copy)]
pub(super) struct Rights {
    pub castling: Bitboard,
    pub en_passant: Option<Square>,
}

/// For each role and for none, by number: all ones at the place of its board among [`Position::roles`].
const MASKS: [[u64; 6]; 7] = {
    let mut masks = [[0; 6]; 7];
    let mut role = 1;
    while role < masks.len() {
        masks[role][role - 1] = u64::MAX;
        role += 1;
    }
    masks
};

impl Position {
    /// Converts a position of shakmaty. Shakmaty has validated it.
    pub fn from_chess(chess: &Chess) -> Position {
        let men = chess.board().into_iter().map(|(square, piece)| (piece.color, piece.role, square));
        let rights = Rights { castling: chess.castles().castling_rights(), en_passant: chess.legal_ep_square() };
        let position = Position::from_men(chess.turn(), men);
        position.with_rights(rights, &position)
    }

    /// Returns the position with these men, without castling rights and en passant. The men must stand on different
    /// squares, and each side must have one king.
    pub(crate) fn from_men(turn: Color, men: impl IntoIterator<Item = (Color, Role, Square)>) -> Position {
        let mut position = Position {
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            castling: Bitboard::EMPTY,
            key: if turn == Color::White { zobrist::TURN } else { 0 },
            turn,
            en_passant: None,
            exclusive: ExclusiveRights::default(),
            countdown: UNCOUNTED,
        };
        for (color, role, square) in men {
            position.toggle(color, role, square);
        }
        position
    }

    /// Returns the position with these rights. What `like`, a position of the same search, has of rights that exclude
    /// each other is taken over.
    pub(super) fn with_rights(mut self, rights: Rights, like: &Position) -> Position {
        (self.castling, self.en_passant, self.exclusive) = (rights.castling, rights.en_passant, like.exclusive);
        for rook in rights.castling {
            self.key ^= zobrist::castling(rook);
        }
        if let Some(square) = rights.en_passant {
            self.key ^= zobrist::en_passant(square);
        }
        self
    }

    /// Returns the same position with pairs of castling rights that exclude each other: castling with one rook of a
    /// pair takes away the right to castle with the other. A pair of two rooks of one side changes nothing, because its
    /// king can castle only once.
    #[must_use]
    pub fn with_exclusive_castling(mut self, pairs: &[(Square, Square)]) -> Position {
        let of = |color: Color, a: Square, b: Square| {
            [a, b].into_iter().find(|&rook| self.by_color(color).contains(rook)).map(|rook| (self.king(color), rook))
        };
        let mut exclusive = self.exclusive;
        for &(a, b) in pairs {
            if let (Some(white), Some(black)) = (of(Color::White, a, b), of(Color::Black, a, b)) {
                exclusive.add(white, black);
            }
        }
        self.exclusive = exclusive;
        self
    }

    /// Returns the position with the half-moves that are left in this question, if its goal must be reached with the
    /// last of them. They are part of the key, so that all that is known of a position holds for its moves left.
    #[must_use]
    pub fn counting(mut self, asked: Stipulation) -> Position {
        self.set_countdown(asked.half_moves().filter(|_| asked.goal().exact).unwrap_or(UNCOUNTED));
        self
    }

    /// Sets the half-moves left and updates the key.
    fn set_countdown(&mut self, countdown: u16) {
        for left in [self.countdown, countdown].into_iter().filter(|&left| left != UNCOUNTED) {
            self.key ^= zobrist::countdown(left);
        }
        self.countdown = countdown;
    }

    /// Returns the half-moves left until the goal must stand; `None` if it may stand earlier.
    #[inline]
    pub(super) fn countdown(&self) -> Option<u16> {
        Some(self.countdown).filter(|&left| left != UNCOUNTED)
    }

    /// Counts a half-move.
    #[inline]
    fn count_down(&mut self) {
        if self.countdown != UNCOUNTED {
            self.set_countdown(self.countdown.saturating_sub(1));
        }
    }

    /// Converts to a position of shakmaty, for notation and output. Positions that no game can reach (too many men of a
    /// kind, impossible checks) are accepted.
    pub fn to_chess(&self) -> Chess {
        let setup = Setup {
            board: self.board(),
            turn: self.turn,
            castling_rights: self.castling,
            ep_square: self.en_passant,
            ..Setup::empty()
        };
        tolerated(Chess::from_setup(setup, CastlingMode::Chess960))
            .expect("only positions that shakmaty accepted, and legal moves from them, get here")
    }

    fn board(&self) -> shakmaty::Board {
        let mut board = shakmaty::Board::empty();
        for square in self.occupied() {
            if let Some(role) = self.role_at(square) {
                let color = Color::from_white(self.colors[1].contains(square));
                board.set_piece_at(square, Piece { color, role });
            }
        }
        board
    }

    /// Returns the incremental key of men, side to move, castling rights, en passant square and countdown.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the squares of all men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Returns the squares of all men of a colour.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// Returns the squares of all men of a role, of both colours.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize - 1]
    }

    /// Returns the squares of the men of a role of one colour.
    #[inline]
    pub fn men(&self, color: Color, role: Role) -> Bitboard {
        self.by_role(role) & self.by_color(color)
    }

    /// Returns the square of the king of this colour.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.men(color, Role::King).first().unwrap_or(Square::A1)
    }

    /// Returns the squares of the rooks that may still castle.
    pub fn castling_rights(&self) -> Bitboard {
        self.castling
    }

    /// Returns the en passant square, if an enemy pawn attacks it.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Returns the role of the man on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.by_role(role).contains(square))
    }

    /// Returns the men of `by` that attack `square` if the squares of `occupied` are occupied.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        self.by_color(by)
            & ((attacks::rook_attacks(square, occupied) & (self.by_role(Role::Rook) | queens))
                | (attacks::bishop_attacks(square, occupied) & (self.by_role(Role::Bishop) | queens))
                | (attacks::knight_attacks(square) & self.by_role(Role::Knight))
                | (attacks::king_attacks(square) & self.by_role(Role::King))
                | (attacks::pawn_attacks(!by, square) & self.by_role(Role::Pawn)))
    }

    /// Returns the men that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), !self.turn, self.occupied())
    }

    /// Returns whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Returns the line pieces of both colours that would attack the square on an empty board.
    #[inline]
    pub(super) fn snipers(&self, square: Square) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        (attacks::rook_attacks(square, Bitboard::EMPTY) & (self.by_role(Role::Rook) | queens))
            | (attacks::bishop_attacks(square, Bitboard::EMPTY) & (self.by_role(Role::Bishop) | queens))
    }

    /// Returns the squares that the men of `by` attack or protect if the squares of `occupied` are occupied.
    #[inline]
    pub(super) fn covered(&self, by: Color, occupied: Bitboard) -> Bitboard {
        let men = self.by_color(by);
        let queens = self.by_role(Role::Queen);
        let pawns = men & self.by_role(Role::Pawn);
        let mut covered = if by == Color::White {
            (pawns & !Bitboard::from(File::A)).shift(7) | (pawns & !Bitboard::from(File::H)).shift(9)
        } else {
            (pawns & !Bitboard::from(File::A)).shift(-9) | (pawns & !Bitboard::from(File::H)).shift(-7)
        };
        covered |= attacks::king_attacks(self.king(by));
        for from in men & self.by_role(Role::Knight) {
            covered |= attacks::knight_attacks(from);
        }
        for from in men & (self.by_role(Role::Bishop) | queens) {
            covered |= attacks::bishop_attacks(from, occupied);
        }
        for from in men & (self.by_role(Role::Rook) | queens) {
            covered |= attacks::rook_attacks(from, occupied);
        }
        covered
    }

    /// Returns the men of `color` that stand alone between `square` and a line piece of the colour `snipers`. If
    /// `square` is the square of a king, these are pinned men (line pieces of the enemy) or men that can discover check
    /// (line pieces of the own side).
    #[inline]
    pub(super) fn blockers(&self, color: Color, square: Square, snipers: Color) -> Bitboard {
        shields(square, self.snipers(square) & self.by_color(snipers), self.occupied()) & self.by_color(color)
    }

    /// Returns the men of this colour that are pinned to their own king.
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.blockers(color, self.king(color), !color)
    }

    /// Returns the squares that the king of this colour could step to if its side were to move: not attacked, and
    /// without a man of its own side. Castling is not included.
    pub fn flights_of(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        let near = attacks::king_attacks(king) & !self.by_color(color);
        // The king is lifted off the board: it does not shield the squares behind it.
        if near.is_empty() { near } else { near & !self.covered(!color, self.occupied().without(king)) }
    }

    /// Returns the position with other pawns of this colour, the other men and the side to move being the same, without
    /// a capture en passant. `None` if a pawn would stand on another man, or if a king could be taken.
    pub(crate) fn with_pawns(&self, color: Color, pawns: Bitboard) -> Option<Position> {
        let mut next = *self;
        if let Some(square) = next.en_passant.take() {
            next.key ^= zobrist::en_passant(square);
        }
        let old = self.men(color, Role::Pawn);
        for square in old ^ pawns {
            next.toggle(color, Role::Pawn, square);
        }
        let is_free = (pawns & self.occupied() & !old).is_empty();
        let attackers = next.attackers(next.king(!self.turn), self.turn, next.occupied());
        (is_free && attackers.is_empty()).then_some(next)
    }

    /// Returns the key of the position without the pawns of this colour on these squares.
    pub(crate) fn key_without_pawns(&self, color: Color, squares: Bitboard) -> u64 {
        let pawns = self.men(color, Role::Pawn) & squares;
        pawns.into_iter().fold(self.key, |key, square| key ^ zobrist::piece(color, Role::Pawn, square))
    }

    /// Removes or adds a man and updates the key.
    #[inline]
    fn toggle(&mut self, color: Color, role: Role, square: Square) {
        self.roles[role as usize - 1].toggle(square);
        self.colors[color as usize].toggle(square);
        self.key ^= zobrist::piece(color, role, square);
    }

    /// Returns the position after a legal move.
    #[inline]
    #[must_use]
    pub fn play(&self, m: Move) -> Position {
        if !self.is_simple(m) {
            return self.play_any(m);
        }
        let (us, from, to) = (self.turn, Bitboard::from(m.from()), Bitboard::from(m.to()));
        let captured = m.capture().map_or(0, |role| role as usize);
        let (role, role_after) = (m.role() as usize, m.role_after() as usize);
        // Each set is computed; none is changed in memory, because a copy of the position would wait for the change.
        let roles = std::array::from_fn(|i| {
            let change = MASKS[role][i] & from.0 ^ MASKS[role_after][i] & to.0 ^ MASKS[captured][i] & to.0;
            self.roles[i] ^ Bitboard(change)
        });
        let (own, lost) = (from | to, if captured == 0 { Bitboard::EMPTY } else { to });
        let [black, white] = match us {
            Color::Black => [own, lost],
            Color::White => [lost, own],
        };
        let colors = [self.colors[0] ^ black, self.colors[1] ^ white];
        Position { roles, colors, key: self.key_after_simple(m), turn: !us, en_passant: None, ..*self }
    }

    /// Returns whether a move changes nothing but the men, the side to move and an en passant square that ends.
    #[inline]
    fn is_simple(&self, m: Move) -> bool {
        !(self.castling.any() || m.is_en_passant() || m.is_double_step() || self.countdown != UNCOUNTED)
    }

    /// Returns the position after any legal move.
    fn play_any(&self, m: Move) -> Position {
        let mut next = *self;
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        if let Some(square) = next.en_passant.take() {
            next.key ^= zobrist::en_passant(square);
        }
        if m.is_castle() {
            let (king_to, rook_to) = castling_targets(from, to);
            next.toggle(us, Role::King, from);
            next.toggle(us, Role::Rook, to);
            next.toggle(us, Role::King, king_to);
            next.toggle(us, Role::Rook, rook_to);
        } else {
            if let Some(captured) = m.capture() {
                let square = if m.is_en_passant() { Square::from_coords(to.file(), from.rank()) } else { to };
                next.toggle(!us, captured, square);
            }
            next.toggle(us, m.role(), from);
            next.toggle(us, m.role_after(), to);
        }
        if self.castling.any() {
            next.lose_castling(m);
        }
        if m.is_double_step() {
            let behind = Square::new(u32::midpoint(from as u32, to as u32));
            if (attacks::pawn_attacks(us, behind) & self.men(!us, Role::Pawn)).any() {
                next.en_passant = Some(behind);
                next.key ^= zobrist::en_passant(behind);
            }
        }
        next.turn = !us;
        next.key ^= zobrist::TURN;
        next.count_down();
        next
    }

    /// Returns the key of the position after a legal move; in most cases without playing it.
    #[inline]
    pub(crate) fn key_after(&self, m: Move) -> u64 {
        if self.is_simple(m) { self.key_after_simple(m) } else { self.play_any(m).key }
    }

    #[inline]
    fn key_after_simple(&self, m: Move) -> u64 {
        let (us, from, to) = (self.turn, m.from(), m.to());
        let mut key = self.key ^ zobrist::TURN ^ zobrist::piece(us, m.role(), from);
        key ^= zobrist::piece(us, m.role_after(), to);
        if let Some(captured) = m.capture() {
            key ^= zobrist::piece(!us, captured, to);
        }
        self.en_passant.map_or(key, |square| key ^ zobrist::en_passant(square))
    }

    /// Removes the castling rights that a move ends: the king moves, or the rook leaves its square or is captured on
    /// it.
    fn lose_castling(&mut self, m: Move) {
        let mut lost = self.castling & (Bitboard::from(m.from()) | Bitboard::from(m.to()));
        if m.role() == Role::King {
            lost |= self.castling & Bitboard::from(if self.turn == Color::White { Rank::First } else { Rank::Eighth });
        }
        if m.is_castle() {
            let (us, them) = (self.turn, !self.turn);
            for rook in self.castling & self.by_color(them) {
                if self.exclusive.deny(us, m.from(), m.to(), self.king(them), rook) {
                    lost.add(rook);
                }
            }
        }
        for rook in lost {
            self.key ^= zobrist::castling(rook);
        }
        self.castling &= !lost;
    }

    /// Returns the position after a null move of the side to move, or `None` if it is in check.
    pub fn pass(&self) -> Option<Position> {
        if self.is_check() {
            return None;
        }
        let mut next = *self;
        if let Some(square) = next.en_passant.take() {
            next.key ^= zobrist::en_passant(square);
        }
        next.turn = !self.turn;
        next.key ^= zobrist::TURN;
        next.count_down();
        Some(next)
    }

    /// Returns the legal move with this code.
    pub fn find_move(&self, code: MoveCode) -> Option<Move> {
        self.legal_moves().iter().copied().find(|m| m.code() == code)
    }

    /// Returns the first four fields of the FEN. Castling rights are in Shredder style where standard FEN is not
    /// enough.
    pub fn fen(&self) -> String {
        shakmaty::fen::Epd::from_position(&self.to_chess(), EnPassantMode::Legal).to_string()
    }
}

/// Returns the men of both colours that stand alone between the square and one of the `snipers`, line pieces that would
/// attack the square on an empty board.
#[inline]
pub(super) fn shields(square: Square, snipers: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut shields = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(square, sniper) & occupied;
        if !between.more_than_one() {
            shields |= between;
        }
    }
    shields
}

/// Returns the squares of king and rook after the king on the one square has castled with the rook on the other.
pub(crate) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = if rook > king { (File::G, File::F) } else { (File::C, File::D) };
    (Square::from_coords(king_file, king.rank()), Square::from_coords(rook_file, king.rank()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    /// Computes the key from the men, the rights and the half-moves left.
    fn computed_key(position: &Position) -> u64 {
        let men = position.board().into_iter().map(|(square, piece)| (piece.color, piece.role, square));
        let rights = Rights { castling: position.castling, en_passant: position.en_passant };
        let key = Position::from_men(position.turn, men).with_rights(rights, position).key;
        position.countdown().map_or(key, |left| key ^ zobrist::countdown(left))
    }

    #[test]
    fn incremental_key_equals_the_computed_one() {
        let fen: Fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap();
        let root = Position::from_chess(&fen.into_position(CastlingMode::Standard).unwrap());
        let counted = root.counting(Stipulation::parse_any("exact-#3").unwrap());
        assert_eq!((counted.countdown(), counted.pass().unwrap().countdown()), (Some(5), Some(4)));
        for m in counted.legal_moves() {
            let child = counted.play(m);
            assert_eq!((child.key, child.countdown()), (computed_key(&child), Some(4)), "{m:?}");
            assert_eq!(child.key, counted.key_after(m), "{m:?}");
        }
        for m in root.legal_moves() {
            let child = root.play(m);
            assert_eq!(child.key, computed_key(&child), "{m:?}");
            assert_eq!(child.key, root.key_after(m), "{m:?}");
            for n in child.legal_moves() {
                let grandchild = child.play(n);
                assert_eq!(grandchild.key, computed_key(&grandchild), "{m:?} {n:?}");
                assert_eq!(grandchild.key, child.key_after(n), "{m:?} {n:?}");
            }
        }
    }

    #[test]
    fn a_position_fits_into_88_bytes() {
        assert!(size_of::<Position>() <= 88);
    }
}
