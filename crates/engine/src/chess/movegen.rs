//! Generates and counts legal moves with attack bitboards.
//!
//! Lists of all moves and counts use one walk over the men. It visits each man but the king with the set of squares to
//! which it may legally go. A move list expands the sets, a count adds up their sizes, with four moves for a promotion,
//! and "is there a legal move?" stops at the first set that is not empty. Lists of the moves with check, or without,
//! are made in [`super::attack`].
//!
//! Castling and captures en passant, where two men leave their squares, are tested one by one.

use std::ops::ControlFlow::{self, Break, Continue};

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::position::castling_targets;
use super::{ManList, Move, MoveList, Position};

/// The kinds of moves that can be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    /// All legal moves.
    All,
    /// The legal moves that give check.
    Checks,
    /// The legal moves that do not give check.
    Quiet,
}

/// A position with the sets of squares that move generation needs. They are computed once.
pub(super) struct Board<'a> {
    pub position: &'a Position,
    pub us: Color,
    ours: Bitboard,
    pub theirs: Bitboard,
    pub occupied: Bitboard,
    pub king: Square,
    checkers: Bitboard,
    pinned: Bitboard,
    /// The squares that a man other than the king may move to: all if there is no check, those that end a single check,
    /// none in a double check. Squares with men of its own side are excluded.
    landing: Bitboard,
}

/// A man (piece or pawn) of the side to move, other than the king.
#[derive(Debug, Clone, Copy)]
pub struct Man {
    pub from: Square,
    pub role: Role,
    /// The squares it attacks or protects.
    pub reach: Bitboard,
    /// The squares to which it may legally go, without captures en passant.
    pub targets: Bitboard,
}

pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

impl<'a> Board<'a> {
    #[inline]
    pub fn new(position: &'a Position) -> Board<'a> {
        let us = position.turn();
        let king = position.king(us);
        let (ours, theirs) = (position.by_color(us), position.by_color(!us));
        let occupied = position.occupied();
        let mut checkers = theirs
            & ((attacks::knight_attacks(king) & position.by_role(Role::Knight))
                | (attacks::pawn_attacks(us, king) & position.by_role(Role::Pawn)));
        let mut pinned = Bitboard::EMPTY;
        for sniper in position.snipers(king) & theirs {
            let between = attacks::between(king, sniper) & occupied;
            if between.is_empty() {
                checkers.add(sniper);
            } else if !between.more_than_one() {
                pinned |= between & ours;
            }
        }
        let landing = match checkers.single_square() {
            Some(checker) => attacks::between(king, checker).with(checker),
            None if checkers.is_empty() => Bitboard::FULL,
            None => Bitboard::EMPTY,
        };
        Board { position, us, ours, theirs, occupied, king, checkers, pinned, landing: landing & !ours }
    }

    /// Returns the flights: the squares that the king may step to.
    #[inline]
    pub fn flights(&self) -> Bitboard {
        self.position.flights_of(self.us)
    }

    #[inline]
    fn has_flight(&self) -> bool {
        let lifted = self.occupied.without(self.king);
        (attacks::king_attacks(self.king) & !self.ours)
            .into_iter()
            .any(|square| self.position.attackers(square, !self.us, lifted).is_empty())
    }

    /// Returns the man of the side to move on this square, which must not be the king.
    #[inline]
    fn man(&self, from: Square, role: Role) -> Man {
        let reach = reach(self.us, role, from, self.occupied);
        let targets = if role == Role::Pawn { (reach & self.theirs) | self.pushes(from) } else { reach };
        Man { from, role, reach, targets: self.unpinned(from, targets & self.landing) }
    }

    /// Visits every man except the king.
    #[inline]
    pub fn men<B>(&self, mut visit: impl FnMut(Man) -> ControlFlow<B>) -> ControlFlow<B> {
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::Pawn] {
            for from in self.position.men(self.us, role) {
                visit(self.man(from, role))?;
            }
        }
        Continue(())
    }

    /// Visits every man, except the king, that has a legal move other than castling and captures en passant.
    #[inline]
    fn walk<B>(&self, mut visit: impl FnMut(Man) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.landing.is_empty() {
            return Continue(());
        }
        self.men(|man| if man.targets.any() { visit(man) } else { Continue(()) })
    }

    #[inline]
    fn unpinned(&self, from: Square, targets: Bitboard) -> Bitboard {
        if self.pinned.contains(from) { targets & attacks::ray(self.king, from) } else { targets }
    }

    #[inline]
    fn pushes(&self, from: Square) -> Bitboard {
        let (shift, start): (i32, Rank) = if self.us == Color::White { (8, Rank::Second) } else { (-8, Rank::Seventh) };
        let Some(one) = from.offset(shift).filter(|&to| !self.occupied.contains(to)) else {
            return Bitboard::EMPTY;
        };
        let single = Bitboard::from(one);
        match one.offset(shift) {
            Some(two) if from.rank() == start && !self.occupied.contains(two) => single.with(two),
            _ => single,
        }
    }

    /// Visits the legal captures en passant.
    #[inline]
    pub fn en_passant(&self, mut visit: impl FnMut(Move)) {
        let Some(to) = self.position.en_passant else { return };
        for from in attacks::pawn_attacks(!self.us, to) & self.position.men(self.us, Role::Pawn) {
            let taken = Square::from_coords(to.file(), from.rank());
            let occupied = self.occupied.without(from).without(taken).with(to);
            let attackers = self.position.attackers(self.king, !self.us, occupied);
            if attackers.without(taken).is_empty() {
                visit(Move::en_passant(from, to));
            }
        }
    }

    /// Visits the legal castling moves.
    #[inline]
    pub fn castling(&self, mut visit: impl FnMut(Move)) {
        if self.checkers.any() {
            return;
        }
        for rook in self.position.castling & self.ours {
            let (king_to, rook_to) = castling_targets(self.king, rook);
            let others = self.occupied.without(self.king).without(rook);
            let path = attacks::between(self.king, king_to).with(king_to);
            let rook_path = attacks::between(rook, rook_to).with(rook_to);
            let lifted = self.occupied.without(self.king);
            let attacked = |square, occupied| self.position.attackers(square, !self.us, occupied).any();
            if ((path | rook_path) & others).is_empty()
                && !path.into_iter().any(|square| attacked(square, lifted))
                && !attacked(king_to, others.with(rook_to))
            {
                visit(Move::castle(self.king, rook));
            }
        }
    }

    /// Returns the squares where the man promotes.
    #[inline]
    pub fn promoting(&self, man: &Man) -> Bitboard {
        let last_rank = if self.us == Color::White { Rank::Eighth } else { Rank::First };
        if man.role == Role::Pawn { man.targets & Bitboard::from(last_rank) } else { Bitboard::EMPTY }
    }

    /// Returns the role of the enemy man on a square.
    #[inline]
    pub fn captured(&self, to: Square) -> Option<Role> {
        if self.theirs.contains(to) { self.position.role_at(to) } else { None }
    }

    /// Appends the moves of a man to these squares. None of them may be a promotion.
    #[inline]
    pub(crate) fn push_moves(&self, list: &mut MoveList, from: Square, role: Role, targets: Bitboard) {
        for to in targets {
            list.push(Move::normal(from, to, role, self.captured(to), None));
        }
    }

    /// Counts the moves of a man to its targets; a promotion counts four times.
    #[inline]
    pub fn count(&self, man: &Man) -> usize {
        man.targets.count() + (PROMOTIONS.len() - 1) * self.promoting(man).count()
    }

    /// Counts the castling moves and the captures en passant.
    #[inline]
    pub(crate) fn count_special(&self) -> usize {
        let mut count = 0;
        self.en_passant(|_| count += 1);
        self.castling(|_| count += 1);
        count
    }
}

/// Returns the squares that a man attacks or protects.
#[inline]
pub(super) fn reach(us: Color, role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => attacks::pawn_attacks(us, from),
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::King => attacks::king_attacks(from),
    }
}

impl Position {
    /// Returns all legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Moves::All, &mut list);
        list
    }

    /// Appends the legal moves of a kind, king moves last.
    pub fn generate(&self, kind: Moves, list: &mut MoveList) {
        match kind {
            Moves::All => self.generate_all(list),
            Moves::Checks => self.attack(&mut ManList::new()).checks(list),
            Moves::Quiet => self.attack(&mut ManList::new()).quiet_moves(list),
        }
    }

    fn generate_all(&self, list: &mut MoveList) {
        let board = Board::new(self);
        let _: ControlFlow<()> = board.walk(|man| {
            let Man { from, role, targets, .. } = man;
            let promoting = board.promoting(&man);
            board.push_moves(list, from, role, targets & !promoting);
            for to in promoting {
                for promotion in PROMOTIONS {
                    list.push(Move::normal(from, to, role, board.captured(to), Some(promotion)));
                }
            }
            Continue(())
        });
        board.en_passant(|m| list.push(m));
        board.push_moves(list, board.king, Role::King, board.flights());
        board.castling(|m| list.push(m));
    }

    /// Counts the legal moves.
    #[inline]
    pub fn count_moves(&self) -> usize {
        let board = Board::new(self);
        let mut count = board.flights().count() + board.count_special();
        let _: ControlFlow<()> = board.walk(|man| {
            count += board.count(&man);
            Continue(())
        });
        count
    }

    /// Returns whether `m`, a move of the same side in another position, is legal here and captures the same role.
    /// Returns `false` for castling and captures en passant.
    #[inline]
    pub fn allows(&self, m: Move) -> bool {
        let (from, to, role) = (m.from(), m.to(), m.role());
        let board = Board::new(self);
        let can_move = self.men(board.us, role).contains(from) && !board.ours.contains(to);
        if m.is_castle() || m.is_en_passant() || !can_move || board.captured(to) != m.capture() {
            return false;
        }
        match role {
            Role::King => self.attackers(to, !board.us, board.occupied.without(from)).is_empty(),
            _ => board.man(from, role).targets.contains(to),
        }
    }

    /// Returns the squares that the king of the side to move may step to, without castling.
    #[inline]
    pub fn flights(&self) -> Bitboard {
        self.flights_of(self.turn())
    }

    /// Returns whether there is a legal move; stops at the first.
    #[inline]
    pub fn has_move(&self) -> bool {
        let board = Board::new(self);
        board.has_flight() || board.walk(|_| Break(())).is_break() || board.count_special() > 0
    }

    /// Returns whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_move()
    }
}
