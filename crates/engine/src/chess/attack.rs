//! Mate in one: finds the checks of the side to move and counts their evasions with bitboards. Few of them are played.
//!
//! An [`Attack`] stores the squares that each man of that side, without the king, attacks. It judges a check on the
//! board after the move: the moved man attacks from its new square, line pieces that attack one of the two squares of
//! the move are computed again, and all other men attack the same squares as before. A check is mate when the king has
//! no flight and one of these holds:
//!
//! 1. it is a double check, or
//! 2. the only checking man cannot be taken and no man can step between it and the king.
//!
//! Flights are computed with the king lifted off the board, so that it does not shield the squares behind it. Unless
//! the move opens a line, a flight that was not attacked before and that the moved man does not attack refutes it; this
//! is tested first.
//!
//! A pinned man never helps against a check: the line of the pin meets the line of the check only at the king.
//! Castling, captures en passant and double steps that can be captured en passant are rare: these moves are played.

use std::ops::ControlFlow::{self, Break, Continue};

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::movegen::{Board, Man, PROMOTIONS, reach};
use super::position::shields;
use super::{Checks, Move, MoveList, Position};

/// A list of the men of the attacking side, without the king.
///
/// The caller owns the list and an [`Attack`] borrows it, because the list is too large to be copied.
pub type ManList = ArrayVec<Man, 63>;

/// Finds the checks and the mates in one of the side to move. The enemy king must not be in check.
///
/// [`Position::attack`] makes one.
pub struct Attack<'a> {
    board: Board<'a>,
    /// The squares next to the enemy king, except those where men of its own side stand.
    near: Bitboard,
    checks: Checks,
    /// All squares that the side to move attacks or protects.
    covered: Bitboard,
    /// The squares that its line pieces attack or protect.
    by_lines: Bitboard,
    men: &'a [Man],
}

/// The facts about the board after a check on which the replies to it depend.
struct AfterCheck {
    occupied: Bitboard,
    /// The men of the side in check, without a captured one.
    theirs: Bitboard,
    /// The squares that the king in check may step to.
    flights: Bitboard,
    checkers: Bitboard,
}

impl<'a> Attack<'a> {
    #[inline]
    fn new(position: &'a Position, men: &'a mut ManList) -> Attack<'a> {
        let board = Board::new(position);
        let checks = Checks::of(position);
        let mut covered = attacks::king_attacks(board.king);
        let mut by_lines = Bitboard::EMPTY;
        men.clear();
        let _: ControlFlow<()> = board.men(|man| {
            covered |= man.reach;
            if is_line_piece(man.role) {
                by_lines |= man.reach;
            }
            men.push(man);
            Continue(())
        });
        let near = attacks::king_attacks(checks.king) & !board.theirs;
        Attack { board, near, checks, covered, by_lines, men }
    }

    /// Appends the legal moves that give check.
    #[inline]
    pub fn checks(&self, list: &mut MoveList) {
        let _: ControlFlow<()> = self.each_check(|m| {
            list.push(m);
            Continue(())
        });
    }

    /// Returns a move that checkmates at once, if there is one.
    #[inline]
    pub fn mate(&self) -> Option<Move> {
        self.mate_or_checks().0
    }

    /// Returns a move that checkmates at once and, if there is none, the number of moves that give check.
    #[inline]
    pub fn mate_or_checks(&self) -> (Option<Move>, usize) {
        let mut checks = 0;
        let mate = self.each_check(|m| {
            checks += 1;
            if self.mates(m) { Break(m) } else { Continue(()) }
        });
        (mate.break_value(), checks)
    }

    /// Appends the legal moves that do not give check.
    pub(crate) fn quiet_moves(&self, list: &mut MoveList) {
        self.quiet_moves_to(list, |_| Bitboard::FULL);
    }

    /// Appends the legal moves that do not give check, but of men other than the king, which do not promote, only those
    /// to the squares that `wanted` names.
    #[inline]
    pub(super) fn quiet_moves_to(&self, list: &mut MoveList, wanted: impl Fn(&Man) -> Bitboard) {
        let board = &self.board;
        for man in self.men {
            let Man { from, role, targets, .. } = *man;
            let promoting = board.promoting(man);
            let quiet = targets & !promoting & !self.checks.squares(from, role);
            if quiet.any() {
                board.push_moves(list, from, role, quiet & wanted(man));
            }
            self.promotions(from, promoting, |m| list.extend(Some(m).filter(|&m| !self.gives_check(m))));
        }
        let quiet = |m: Move| !self.gives_check(m);
        board.en_passant(|m| list.extend(Some(m).filter(|&m| quiet(m))));
        board.push_moves(list, board.king, Role::King, board.flights() & !self.checks.squares(board.king, Role::King));
        board.castling(|m| list.extend(Some(m).filter(|&m| quiet(m))));
    }

    /// Counts the legal moves, with and without check.
    #[inline]
    pub fn count_moves(&self) -> usize {
        let men: usize = self.men.iter().map(|man| self.board.count(man)).sum();
        men + self.board.flights().count() + self.board.count_special()
    }

    /// Visits the legal moves that give check, king moves last.
    #[inline]
    fn each_check<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let board = &self.board;
        for man in self.men {
            let Man { from, role, targets, .. } = *man;
            let promoting = board.promoting(man);
            for to in targets & !promoting & self.checks.squares(from, role) {
                visit(Move::normal(from, to, role, board.captured(to), None))?;
            }
            if promoting.any() {
                let mut checks = ArrayVec::<Move, 12>::new();
                self.promotions(from, promoting, |m| checks.extend(Some(m).filter(|&m| self.gives_check(m))));
                checks.into_iter().try_for_each(&mut visit)?;
            }
        }
        let mut special = ArrayVec::<Move, 2>::new();
        board.en_passant(|m| special.push(m));
        special.drain(..).filter(|&m| self.gives_check(m)).try_for_each(&mut visit)?;
        // Flights cost the most to compute. They matter only if the king masks a line piece of its own side.
        if self.checks.discoverers.contains(board.king) {
            for to in board.flights() & self.checks.squares(board.king, Role::King) {
                visit(Move::normal(board.king, to, Role::King, board.captured(to), None))?;
            }
        }
        board.castling(|m| special.push(m));
        special.into_iter().filter(|&m| self.gives_check(m)).try_for_each(visit)
    }

    /// Visits the promotions of a pawn.
    fn promotions(&self, from: Square, promoting: Bitboard, mut visit: impl FnMut(Move)) {
        for to in promoting {
            for role in PROMOTIONS {
                visit(Move::normal(from, to, Role::Pawn, self.board.captured(to), Some(role)));
            }
        }
    }

    fn gives_check(&self, m: Move) -> bool {
        self.checks.contain(self.board.position, m)
    }

    /// Returns whether `check`, a legal move that gives check, is mate.
    #[inline]
    pub fn mates(&self, check: Move) -> bool {
        if !self.is_plain(check) {
            return !self.board.position.play(check).has_move();
        }
        let mover_reach = self.mover_reach(check);
        // Unless the move opens a line, only the moved man attacks squares that were not attacked before.
        let open = (self.near & !self.covered & !mover_reach).without(check.to());
        if open.any() && !self.by_lines.contains(check.from()) {
            return false;
        }
        let after = self.after(check, mover_reach);
        after.flights.is_empty() && self.parries(&after, check, 1) == 0
    }

    /// Counts the legal replies to `check`, a legal move that gives check.
    #[inline]
    pub fn evasions(&self, check: Move) -> u32 {
        if !self.is_plain(check) {
            return self.board.position.play(check).count_moves() as u32;
        }
        let after = self.after(check, self.mover_reach(check));
        after.flights.count() as u32 + self.parries(&after, check, u32::MAX)
    }

    /// Counts the squares that the enemy king may step to after `check`, a legal move that gives check.
    pub(crate) fn flights_after(&self, check: Move) -> u32 {
        let flights = if self.is_plain(check) {
            self.after(check, self.mover_reach(check)).flights
        } else {
            self.board.position.play(check).flights()
        };
        flights.count() as u32
    }

    /// Returns whether the move can be judged without playing it.
    #[inline]
    fn is_plain(&self, m: Move) -> bool {
        if m.is_double_step() {
            let behind = Square::new(u32::midpoint(m.from() as u32, m.to() as u32));
            let pawns = self.board.theirs & self.board.position.by_role(Role::Pawn);
            return (attacks::pawn_attacks(self.board.us, behind) & pawns).is_empty();
        }
        !(m.is_castle() || m.is_en_passant())
    }

    /// Returns the squares that the moved man attacks or protects from its new square, through the enemy king.
    #[inline]
    fn mover_reach(&self, m: Move) -> Bitboard {
        let occupied = self.board.occupied.without(m.from()).without(self.checks.king);
        reach(self.board.us, m.role_after(), m.to(), occupied)
    }

    /// Computes the board after a move that gives check.
    #[inline]
    fn after(&self, m: Move, mover_reach: Bitboard) -> AfterCheck {
        let moved = Bitboard::from(m.from()) | Bitboard::from(m.to());
        let occupied = self.board.occupied.without(m.from()).with(m.to());
        let lifted = occupied.without(self.checks.king);
        let mut covered = mover_reach;
        let mut checkers =
            if mover_reach.contains(self.checks.king) { Bitboard::from(m.to()) } else { Bitboard::EMPTY };
        if m.role() != Role::King {
            covered |= attacks::king_attacks(self.board.king);
        }
        for man in self.men {
            if man.from == m.from() {
                continue;
            }
            if (man.reach & moved).is_empty() || !is_line_piece(man.role) {
                covered |= man.reach;
                continue;
            }
            let reach = reach(self.board.us, man.role, man.from, lifted);
            covered |= reach;
            if reach.contains(self.checks.king) {
                checkers.add(man.from);
            }
        }
        let theirs = self.board.theirs.without(m.to());
        AfterCheck { occupied, theirs, flights: attacks::king_attacks(self.checks.king) & !theirs & !covered, checkers }
    }

    /// Counts the moves of men other than the king that take the only checker or step between. The count may stop as
    /// soon as it reaches `enough`. It is 0 for a double check.
    #[inline]
    fn parries(&self, after: &AfterCheck, check: Move, enough: u32) -> u32 {
        let Some(checker) = after.checkers.single_square() else { return 0 };
        let position = self.board.position;
        let helpers = after.theirs.without(self.checks.king) & !self.pinned(after, check);
        let queens = position.by_role(Role::Queen);
        let lines = helpers & (position.by_role(Role::Rook) | queens);
        let diagonals = helpers & (position.by_role(Role::Bishop) | queens);
        let knights = helpers & position.by_role(Role::Knight);
        let pawns = helpers & position.by_role(Role::Pawn);
        let pieces = |square: Square| {
            let mut pieces = attacks::knight_attacks(square) & knights;
            if lines.any() {
                pieces |= attacks::rook_attacks(square, after.occupied) & lines;
            }
            if diagonals.any() {
                pieces |= attacks::bishop_attacks(square, after.occupied) & diagonals;
            }
            pieces.count() as u32
        };
        let last = if self.board.us == Color::White { Rank::First } else { Rank::Eighth };
        let pawn_moves = |square: Square, pawns: u32| if square.rank() == last { 4 * pawns } else { pawns };
        let takers = (attacks::pawn_attacks(self.board.us, checker) & pawns).count() as u32;
        let mut count = pieces(checker) + pawn_moves(checker, takers);
        for square in attacks::between(self.checks.king, checker) {
            if count >= enough {
                break;
            }
            count += pieces(square) + pawn_moves(square, u32::from(self.pawn_reaches(after, square, pawns)));
        }
        count
    }

    /// Returns whether one of the `pawns` of the side in check can step onto the empty `square`.
    #[inline]
    fn pawn_reaches(&self, after: &AfterCheck, square: Square, pawns: Bitboard) -> bool {
        let (back, rank) = if self.board.us == Color::White { (8, Rank::Fifth) } else { (-8, Rank::Fourth) };
        match square.offset(back) {
            Some(one) if pawns.contains(one) => true,
            Some(one) if square.rank() == rank && !after.occupied.contains(one) => {
                one.offset(back).is_some_and(|two| pawns.contains(two))
            }
            _ => false,
        }
    }

    /// Returns the men of the side in check that are pinned after the check.
    #[inline]
    fn pinned(&self, after: &AfterCheck, check: Move) -> Bitboard {
        let position = self.board.position;
        let mut snipers = position.snipers(self.checks.king) & position.by_color(self.board.us).without(check.from());
        // If the moved man gives check, nothing stands between it and the king: it pins nothing. If it only discovers
        // check, it may also pin.
        if !after.checkers.contains(check.to()) && is_line_piece(check.role_after()) {
            let lines = reach(self.board.us, check.role_after(), check.to(), Bitboard::EMPTY);
            snipers.set(check.to(), lines.contains(self.checks.king));
        }
        shields(self.checks.king, snipers, after.occupied) & after.theirs
    }
}

fn is_line_piece(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

impl Position {
    /// Computes what is needed to find the checks and mates in one of the side to move. `men` is working memory; its
    /// content is overwritten. The enemy king must not be in check.
    #[inline]
    pub fn attack<'a>(&'a self, men: &'a mut ManList) -> Attack<'a> {
        Attack::new(self, men)
    }

    /// Returns a move that checkmates at once, if there is one.
    #[inline]
    pub fn mate_in_one(&self) -> Option<Move> {
        self.attack(&mut ManList::new()).mate()
    }

    /// Returns whether the side that has just moved threatens mate in one: whether it could mate if it moved again.
    /// Returns `false` if the side to move is in check, because then it cannot pass.
    #[inline]
    pub(crate) fn threatens_mate(&self) -> bool {
        self.pass().is_some_and(|turned| turned.mate_in_one().is_some())
    }
}
