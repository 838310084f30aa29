//! Legal moves, checking moves, and counts, from attack bitboards.
//!
//! One walk over the men serves every question. It visits *bundles*: a man and the set of squares it may legally go
//! to. A list unpacks the bundles, a count adds up their sizes, a yes/no stops at the first that is not empty. Whether
//! a move gives check is likewise a matter of masks: a man gives check from the squares that attack the enemy king as
//! it does, and a man that masks a line piece of its own gives check wherever it leaves the line.
//!
//! En passant and castling, where two men leave their squares, are decided by looking at the board after the move.

use std::ops::ControlFlow::{self, Break, Continue};

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::position::castling_targets;
use super::{Move, MoveList, Position};

/// Which moves a walk is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    /// All legal moves.
    All,
    /// Those that give check.
    Checks,
    /// Those that do not.
    Quiet,
}

/// What a walk needs to know of the position, computed once.
struct Board<'a> {
    position: &'a Position,
    us: Color,
    ours: Bitboard,
    theirs: Bitboard,
    occupied: Bitboard,
    king: Square,
    checkers: Bitboard,
    pinned: Bitboard,
    /// Squares where a man other than the king may land: all, or those that end a single check.
    landing: Bitboard,
}

/// Where moves give check.
struct CheckSquares {
    king: Square,
    /// Indexed by `Role as usize`: squares from which such a man attacks the enemy king.
    direct: [Bitboard; 7],
    discoverers: Bitboard,
}

impl CheckSquares {
    fn of(board: &Board) -> CheckSquares {
        let king = board.position.king(!board.us);
        let diagonals = attacks::bishop_attacks(king, board.occupied);
        let lines = attacks::rook_attacks(king, board.occupied);
        CheckSquares {
            king,
            direct: [
                Bitboard::EMPTY,
                attacks::pawn_attacks(!board.us, king),
                attacks::knight_attacks(king),
                diagonals,
                lines,
                diagonals | lines,
                Bitboard::EMPTY,
            ],
            discoverers: board.position.blockers(board.us, king, board.us),
        }
    }

    /// The squares from which `role`, coming from `from`, gives check, on the line of sight or by discovery.
    #[inline]
    fn checking(&self, from: Square, role: Role) -> Bitboard {
        let direct = self.direct[role as usize];
        if self.discoverers.contains(from) { direct | !attacks::ray(self.king, from) } else { direct }
    }

    /// Whether a promotion gives check. The pawn may have stood on the line it now opens for itself.
    #[inline]
    fn promotion_checks(&self, from: Square, to: Square, role: Role, occupied: Bitboard) -> bool {
        let occupied = occupied.without(from).with(to);
        let direct = match role {
            Role::Knight => attacks::knight_attacks(to),
            Role::Bishop => attacks::bishop_attacks(to, occupied),
            Role::Rook => attacks::rook_attacks(to, occupied),
            _ => attacks::queen_attacks(to, occupied),
        };
        direct.contains(self.king) || (self.discoverers.contains(from) && !attacks::ray(self.king, from).contains(to))
    }
}

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

impl<'a> Board<'a> {
    #[inline]
    fn new(position: &'a Position) -> Board<'a> {
        let us = position.turn();
        let king = position.king(us);
        let checkers = position.checkers();
        let ours = position.by_color(us);
        let landing = match checkers.count() {
            0 => Bitboard::FULL,
            1 => checkers.first().map_or(checkers, |checker| attacks::between(king, checker) | checkers),
            _ => Bitboard::EMPTY,
        };
        Board {
            position,
            us,
            ours,
            theirs: position.by_color(!us),
            occupied: position.occupied(),
            king,
            checkers,
            pinned: position.blockers(us, king, !us),
            landing: landing & !ours,
        }
    }

    /// Flights: squares the king may step to.
    #[inline]
    fn flights(&self) -> Bitboard {
        let lifted = self.occupied.without(self.king);
        let mut flights = attacks::king_attacks(self.king) & !self.ours;
        for square in flights {
            if self.position.attackers(square, !self.us, lifted).any() {
                flights.discard(square);
            }
        }
        flights
    }

    #[inline]
    fn has_flight(&self) -> bool {
        let lifted = self.occupied.without(self.king);
        (attacks::king_attacks(self.king) & !self.ours)
            .into_iter()
            .any(|square| self.position.attackers(square, !self.us, lifted).is_empty())
    }

    /// Visits every man but the king with its legal targets; en passant and castling excepted.
    #[inline]
    fn walk<B>(&self, mut visit: impl FnMut(Square, Role, Bitboard) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.landing.is_empty() {
            return Continue(());
        }
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.position.men(self.us, role) {
                let reach = match role {
                    Role::Knight => attacks::knight_attacks(from),
                    Role::Bishop => attacks::bishop_attacks(from, self.occupied),
                    Role::Rook => attacks::rook_attacks(from, self.occupied),
                    _ => attacks::queen_attacks(from, self.occupied),
                };
                let targets = self.unpinned(from, reach & self.landing);
                if targets.any() {
                    visit(from, role, targets)?;
                }
            }
        }
        for from in self.position.men(self.us, Role::Pawn) {
            let takes = attacks::pawn_attacks(self.us, from) & self.theirs;
            let targets = self.unpinned(from, (takes | self.pushes(from)) & self.landing);
            if targets.any() {
                visit(from, Role::Pawn, targets)?;
            }
        }
        Continue(())
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
    fn en_passant(&self, mut visit: impl FnMut(Move)) {
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
    fn castling(&self, mut visit: impl FnMut(Move)) {
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

    fn last_rank(&self) -> Bitboard {
        Bitboard::from(if self.us == Color::White { Rank::Eighth } else { Rank::First })
    }

    /// Unpacks a bundle into moves.
    #[inline]
    fn push_moves(&self, list: &mut MoveList, from: Square, role: Role, targets: Bitboard) {
        for to in targets {
            list.push(Move::normal(from, to, role, self.captured(to), None));
        }
    }

    #[inline]
    fn captured(&self, to: Square) -> Option<Role> {
        if self.theirs.contains(to) { self.position.role_at(to) } else { None }
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Moves::All, &mut list);
        list
    }

    /// Appends the legal moves of a kind, king moves last.
    pub fn generate(&self, which: Moves, list: &mut MoveList) {
        let board = Board::new(self);
        let last_rank = board.last_rank();
        let checks = if which == Moves::All { None } else { Some(CheckSquares::of(&board)) };
        let select = |from, role, targets: Bitboard| match (&checks, which) {
            (Some(checks), Moves::Checks) => targets & checks.checking(from, role),
            (Some(checks), Moves::Quiet) => targets & !checks.checking(from, role),
            _ => targets,
        };
        let _: ControlFlow<()> = board.walk(|from, role, targets| {
            let promoting = if role == Role::Pawn { targets & last_rank } else { Bitboard::EMPTY };
            board.push_moves(list, from, role, select(from, role, targets & !promoting));
            for to in promoting {
                for promotion in PROMOTIONS {
                    let wanted = checks.as_ref().is_none_or(|checks| {
                        checks.promotion_checks(from, to, promotion, board.occupied) == (which == Moves::Checks)
                    });
                    if wanted {
                        list.push(Move::normal(from, to, role, board.captured(to), Some(promotion)));
                    }
                }
            }
            Continue(())
        });
        let special = |m: Move, list: &mut MoveList| {
            if which == Moves::All || self.play(m).is_check() == (which == Moves::Checks) {
                list.push(m);
            }
        };
        board.en_passant(|m| special(m, list));
        // Flights cost the most to compute; for checks only a king that masks a line piece matters.
        let king_may =
            checks.as_ref().is_none_or(|checks| which == Moves::Quiet || checks.discoverers.contains(board.king));
        if king_may {
            board.push_moves(list, board.king, Role::King, select(board.king, Role::King, board.flights()));
        }
        board.castling(|m| special(m, list));
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count_moves(&self) -> usize {
        let board = Board::new(self);
        let last_rank = board.last_rank();
        let mut count = board.flights().count();
        let _: ControlFlow<()> = board.walk(|_, role, targets| {
            count += targets.count();
            if role == Role::Pawn {
                count += 3 * (targets & last_rank).count();
            }
            Continue(())
        });
        board.en_passant(|_| count += 1);
        board.castling(|_| count += 1);
        count
    }

    /// The king's legal squares, castling not included.
    pub fn flights(&self) -> Bitboard {
        Board::new(self).flights()
    }

    /// Whether there is any legal move; stops at the first.
    #[inline]
    pub fn has_move(&self) -> bool {
        let board = Board::new(self);
        if board.has_flight() || board.walk(|_, _, _| Break(())).is_break() {
            return true;
        }
        let mut any = false;
        board.en_passant(|_| any = true);
        board.castling(|_| any = true);
        any
    }

    /// Whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_move()
    }
}
