//! Mate in one, and the evasions from a check, from bitboards alone.
//!
//! Every line of every proof ends here, so the question "can the side to move mate at once?" is asked more often than
//! any other. No position is made for it. Only checking moves are generated, and of each the kernel looks at the
//! board *as it would be*: the occupied squares and the attacker's men with one of them shifted. A check mates when
//!
//! 1. no flight is free (the king lifted off the board, so that it does not shield the squares behind it),
//! 2. and it is a double check, or
//! 3. the one checking man cannot be taken, and no man can step between.
//!
//! How many evasions a check leaves is counted on the same board.
//!
//! A pinned man never helps against a check: the line it may move on meets the checking line at the king only.
//! Castling, captures en passant and double steps that could be answered en passant are rare; they are played and looked at.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::movegen::Moves;
use super::{Move, MoveList, Position};

/// The board as it would be after a checking move: what the mated side's evasions depend on.
struct After {
    them: Color,
    king: Square,
    occupied: Bitboard,
    lines: Bitboard,
    diagonals: Bitboard,
    knights: Bitboard,
    pawns: Bitboard,
    our_king: Bitboard,
    /// The men of the side in check, without a captured one.
    theirs: Bitboard,
}

impl After {
    #[inline]
    fn new(position: &Position, m: Move) -> After {
        let us = position.turn();
        let (from, to) = (Bitboard::from(m.from()), Bitboard::from(m.to()));
        let ours = position.by_color(us);
        let stay = ours & !from;
        let queens = position.by_role(Role::Queen);
        let mut after = After {
            them: !us,
            king: position.king(!us),
            occupied: (position.occupied() & !from) | to,
            lines: stay & (position.by_role(Role::Rook) | queens),
            diagonals: stay & (position.by_role(Role::Bishop) | queens),
            knights: stay & position.by_role(Role::Knight),
            pawns: stay & position.by_role(Role::Pawn),
            our_king: stay & position.by_role(Role::King),
            theirs: position.by_color(!us) & !to,
        };
        match m.role_after() {
            Role::Pawn => after.pawns |= to,
            Role::Knight => after.knights |= to,
            Role::Bishop => after.diagonals |= to,
            Role::Rook => after.lines |= to,
            Role::Queen => {
                after.lines |= to;
                after.diagonals |= to;
            }
            Role::King => after.our_king |= to,
        }
        after
    }

    /// The mating side's men that attack the square.
    #[inline]
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::rook_attacks(square, occupied) & self.lines)
            | (attacks::bishop_attacks(square, occupied) & self.diagonals)
            | (attacks::knight_attacks(square) & self.knights)
            | (attacks::pawn_attacks(self.them, square) & self.pawns)
            | (attacks::king_attacks(square) & self.our_king)
    }

    #[inline]
    fn is_mate(&self, position: &Position) -> bool {
        let lifted = self.occupied.without(self.king);
        for square in attacks::king_attacks(self.king) & !self.theirs {
            if self.attackers(square, lifted).is_empty() {
                return false;
            }
        }
        let checkers = self.attackers(self.king, self.occupied);
        match checkers.single_square() {
            Some(checker) => !self.can_parry(position, checker),
            None => checkers.any(),
        }
    }

    /// Whether a man other than the king can take the checker or step between.
    #[inline]
    fn can_parry(&self, position: &Position, checker: Square) -> bool {
        let helpers = self.theirs.without(self.king) & !self.pinned();
        let queens = position.by_role(Role::Queen);
        let reaches = |square: Square| {
            helpers
                & ((attacks::rook_attacks(square, self.occupied) & (position.by_role(Role::Rook) | queens))
                    | (attacks::bishop_attacks(square, self.occupied) & (position.by_role(Role::Bishop) | queens))
                    | (attacks::knight_attacks(square) & position.by_role(Role::Knight)))
        };
        let pawns = helpers & position.by_role(Role::Pawn);
        if reaches(checker).any() || (attacks::pawn_attacks(!self.them, checker) & pawns).any() {
            return true;
        }
        attacks::between(self.king, checker)
            .into_iter()
            .any(|square| reaches(square).any() || self.pawn_reaches(square, pawns))
    }

    /// Whether a pawn can step onto the empty square.
    #[inline]
    fn pawn_reaches(&self, square: Square, pawns: Bitboard) -> bool {
        let (back, rank) = if self.them == Color::White { (-8, Rank::Fourth) } else { (8, Rank::Fifth) };
        match square.offset(back) {
            Some(one) if pawns.contains(one) => true,
            Some(one) if square.rank() == rank && !self.occupied.contains(one) => {
                one.offset(back).is_some_and(|two| pawns.contains(two))
            }
            _ => false,
        }
    }

    /// How many legal moves parry the check.
    #[inline]
    fn evasions(&self, position: &Position) -> u32 {
        let lifted = self.occupied.without(self.king);
        let mut count = 0;
        for square in attacks::king_attacks(self.king) & !self.theirs {
            count += u32::from(self.attackers(square, lifted).is_empty());
        }
        let checkers = self.attackers(self.king, self.occupied);
        let Some(checker) = checkers.single_square() else { return count };
        let helpers = self.theirs.without(self.king) & !self.pinned();
        let queens = position.by_role(Role::Queen);
        let lines = helpers & (position.by_role(Role::Rook) | queens);
        let diagonals = helpers & (position.by_role(Role::Bishop) | queens);
        let knights = helpers & position.by_role(Role::Knight);
        let pawns = helpers & position.by_role(Role::Pawn);
        let last = if self.them == Color::White { Rank::Eighth } else { Rank::First };
        for square in attacks::between(self.king, checker).with(checker) {
            let pieces = (attacks::rook_attacks(square, self.occupied) & lines)
                | (attacks::bishop_attacks(square, self.occupied) & diagonals)
                | (attacks::knight_attacks(square) & knights);
            let pawns = if square == checker {
                (attacks::pawn_attacks(!self.them, checker) & pawns).count() as u32
            } else {
                u32::from(self.pawn_reaches(square, pawns))
            };
            count += pieces.count() as u32 + if square.rank() == last { 4 * pawns } else { pawns };
        }
        count
    }

    fn pinned(&self) -> Bitboard {
        let snipers = (attacks::rook_attacks(self.king, Bitboard::EMPTY) & self.lines)
            | (attacks::bishop_attacks(self.king, Bitboard::EMPTY) & self.diagonals);
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(self.king, sniper) & self.occupied;
            if between.any() && !between.more_than_one() {
                pinned |= between & self.theirs;
            }
        }
        pinned
    }
}

/// Whether the move can be judged on the shifted board; otherwise it must be played.
#[inline]
fn is_plain(m: Move) -> bool {
    let double_step = m.role() == Role::Pawn && m.from().distance(m.to()) == 2;
    !(m.is_castle() || m.is_en_passant() || double_step)
}

/// What the side to move can do at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attack {
    /// A move that checkmates.
    pub mate: Option<Move>,
    /// How many moves give check.
    pub checks: usize,
}

impl Position {
    /// A move that checkmates at once, if there is one. Makes no position.
    #[inline]
    pub fn mate_in_one(&self) -> Option<Move> {
        self.attack().mate
    }

    /// A move that checkmates at once, if there is one, and how many moves give check. Makes no position.
    #[inline]
    pub fn attack(&self) -> Attack {
        let mut checks = MoveList::new();
        self.generate(Moves::Checks, &mut checks);
        Attack { mate: checks.iter().copied().find(|&m| self.mates(m)), checks: checks.len() }
    }

    /// Whether the side that has just moved would mate at once if it could move again: whether it threatens mate in one.
    /// Not defined when the side to move is in check: then `false`.
    #[inline]
    pub fn threatens_mate(&self) -> bool {
        self.pass().is_some_and(|turned| turned.mate_in_one().is_some())
    }

    /// Whether a legal move that gives check mates.
    #[inline]
    pub fn mates(&self, check: Move) -> bool {
        if is_plain(check) { After::new(self, check).is_mate(self) } else { !self.play(check).has_move() }
    }

    /// How many legal replies a legal move that gives check leaves.
    #[inline]
    pub fn evasions(&self, check: Move) -> u32 {
        if is_plain(check) { After::new(self, check).evasions(self) } else { self.play(check).count_moves() as u32 }
    }
}
