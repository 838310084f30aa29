//! What a check demands: the rules for a named checking man, and for double checks.
//!
//! The last move of a mate gives check. Either two men attack the king then, or one does and nothing may take him or
//! step between. So for each man that could be the only checker, on each square, these must fit into the moves left:
//!
//! 1. **The way.** He gets to his square, or stands there already. The last move creates the check, so a man who has
//!    not moved needs a line that another man opens with the last move (or a capture en passant); otherwise he goes
//!    away and comes back, two moves. A pawn cannot come back.
//! 2. **Men that must go.** A man of the defender who stands between, or who could take the checker or step between,
//!    has moved in the mate, unless he is pinned or was captured. Distinct men need distinct moves. Only refutations that
//!    no third man can shut out count: knights, pawns, and line pieces directly beside the square.
//! 3. **Blocks.** A man who would refute the check from a flight blocks nothing there, unless he can be pinned. A man
//!    who must go has his first move paid already.
//! 4. **Guards** by the other men, with the moves that are left.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Square, attacks};

use super::blocks::{Blockers, Costs};
use super::geometry::{BISHOP, CENTRE, Cover, FAR, Kind, NEIGHBOURS, ROOK, is_line_piece, is_pawn};
use super::options::{Check, Options};
use super::possible::{Guards, MEN, Man, Picture, Rules, hits};

/// Returns whether a mate by a double check, or by a man who alone gives check, is perhaps possible.
pub(super) fn exists(picture: &Picture<'_>, options: &Options, rules: Rules, blockers: &Blockers) -> bool {
    let off_board = picture.geometry.off_board(picture.king);
    let moves = picture.attacker_moves;
    let reaches: ArrayVec<Cover, MEN> = picture
        .view
        .attackers
        .iter()
        .map(|&(kind, from)| options.within(kind, from, picture.king, moves).last().map_or(0, |choice| choice.up_to))
        .collect();
    let mut men = picture.view.attackers.iter().enumerate().skip(1);
    men.any(|(at, &(kind, from))| {
        // What the others can cover at most, whoever checks from where.
        let others = reaches.iter().enumerate().filter(|&(other, _)| other != at);
        let others = others.fold(off_board, |all, (_, cover)| all | cover);
        let checks = options.checks(kind, from, picture.king);
        checks[..checks.partition_point(|check| check.cost <= moves)].iter().any(|check| {
            is_double(picture, at, check)
                || blockers.may_shut(NEIGHBOURS & !(others | check.choice.cover), check.choice.own)
                    && Single { picture, at, check }.is_possible(options, rules, blockers)
        })
    })
}

/// Returns whether another man can discover this check of a line piece while he gives check himself, or a capture en
/// passant can open the line.
fn is_double(picture: &Picture<'_>, at: usize, check: &Check) -> bool {
    if !is_line_piece(check.kind) || check.cost >= picture.attacker_moves {
        return false;
    }
    let line = attacks::between(check.from, picture.king);
    let moves = picture.attacker_moves - 1 - check.cost;
    (line & picture.view.en_passant).any() || opener(picture, at, line, moves, 1)
}

/// Returns whether a man other than the checker gets to one of these squares within `moves` moves. `from` is 1 if the
/// king does not count.
fn opener(picture: &Picture<'_>, at: usize, line: Bitboard, moves: u8, from: usize) -> bool {
    let men = picture.view.attackers.iter().enumerate().skip(from).filter(|&(other, _)| other != at);
    men.into_iter()
        .any(|(_, &(kind, square))| line.into_iter().any(|to| picture.geometry.moves(kind, square, to) <= moves))
}

/// A man who alone gives check.
struct Single<'a> {
    picture: &'a Picture<'a>,
    /// His place in the list of attackers.
    at: usize,
    check: &'a Check,
}

impl Single<'_> {
    fn is_possible(&self, options: &Options, rules: Rules, blockers: &Blockers) -> bool {
        let picture = self.picture;
        let line = attacks::between(self.check.from, picture.king);
        let Some(moves) = self.moves_left(line) else { return false };
        let guards = Guards { picture, options, without: Some(self.at), budget: moves };
        let covered = picture.geometry.off_board(picture.king) | self.check.choice.cover;
        let own = self.check.choice.own;
        if !rules.must {
            return guards.can_shut(covered, own, CENTRE, blockers);
        }
        let must = self.must_go(line, moves);
        let left = picture.defender_moves - must.count_ones().cast_signed();
        if left < 0 {
            return false;
        }
        let costs = self.block_costs(line, moves, must, rules);
        guards.can_shut(covered, own, CENTRE, &Blockers::new(costs, left, rules))
    }

    /// Returns the moves that are left for the other men; `None` if he cannot give this check in time.
    fn moves_left(&self, line: Bitboard) -> Option<u8> {
        let (picture, check) = (self.picture, self.check);
        if check.cost > 0 {
            return picture.attacker_moves.checked_sub(check.cost);
        }
        let opens = is_line_piece(check.kind)
            && ((line & picture.view.en_passant).any()
                || opener(picture, self.at, line, picture.attacker_moves.checked_sub(1)?, 0));
        if opens {
            return Some(picture.attacker_moves);
        }
        if is_pawn(check.kind) { None } else { picture.attacker_moves.checked_sub(2) }
    }

    /// Returns the defenders that must go, as bits of their places in the list.
    fn must_go(&self, line: Bitboard, moves: u8) -> u64 {
        let view = self.picture.view;
        let men = view.defenders.iter().zip(&view.hits).enumerate();
        men.filter(|&(_, (&man, &hits))| self.has_to_go(man, hits, line, moves)).fold(0, |set, (at, _)| set | 1 << at)
    }

    fn has_to_go(&self, man: Man, hits: Bitboard, line: Bitboard, moves: u8) -> bool {
        let (kind, square) = man;
        if square == self.check.from {
            return false;
        }
        if line.contains(square) {
            return !self.can_be_captured(square, moves);
        }
        self.refutes(kind, square, hits, line)
            && !self.can_be_pinned(square, moves)
            && !self.can_be_captured(square, moves)
    }

    /// Returns whether a man takes the checker or steps between, whatever stands elsewhere.
    #[inline]
    fn refutes(&self, kind: Kind, from: Square, hits: Bitboard, line: Bitboard) -> bool {
        if is_pawn(kind) {
            let ahead = if self.picture.view.color.is_white() { from.offset(-8) } else { from.offset(8) };
            return hits.contains(self.check.from) || ahead.is_some_and(|ahead| line.contains(ahead));
        }
        (hits & line.with(self.check.from)).any()
    }

    /// Returns whether a line piece can stand behind a man on `square`, seen from the king.
    fn can_be_pinned(&self, square: Square, moves: u8) -> bool {
        let king = self.picture.king;
        if attacks::ray(king, square).is_empty() {
            return false;
        }
        let straight: Kind = if king.file() == square.file() || king.rank() == square.rank() { ROOK } else { BISHOP };
        let behind = attacks::ray(king, square) & !attacks::king_attacks(king).with(king);
        let men = self.picture.view.attackers.iter().enumerate().skip(1).filter(|&(other, _)| other != self.at);
        men.into_iter().any(|(_, &(kind, from))| {
            let suits = kind == straight || kind == super::geometry::QUEEN || is_pawn(kind);
            suits
                && behind.into_iter().any(|to| {
                    attacks::between(king, to).contains(square) && self.picture.geometry.moves(kind, from, to) <= moves
                })
        })
    }

    /// Returns whether a man on `square` can be captured: by the checker on his way, by another man, or en passant.
    fn can_be_captured(&self, square: Square, moves: u8) -> bool {
        let geometry = self.picture.geometry;
        let (picture, check) = (self.picture, self.check);
        let mut others = picture.view.attackers.iter().enumerate().filter(|&(other, _)| other != self.at);
        if others.any(|(_, &(kind, from))| geometry.moves(kind, from, square) <= moves) {
            return true;
        }
        let (kind, from) = picture.view.attackers[self.at];
        let first = geometry.moves(kind, from, square);
        let then = if is_pawn(kind) { 0 } else { geometry.moves(kind, square, check.from) };
        if first != FAR && then != FAR && first + then <= picture.attacker_moves {
            return true;
        }
        let file = Bitboard::from(square.file());
        (picture.view.en_passant & file).any()
    }

    /// Returns what it costs each defender to block each flight.
    fn block_costs(&self, line: Bitboard, moves: u8, must: u64, rules: Rules) -> Costs {
        let picture = self.picture;
        let around = picture.geometry.around(picture.king);
        let men = picture.view.defenders.iter().enumerate();
        men.map(|(at, &(kind, from))| {
            let must_go = must >> at & 1 == 1;
            around.map(|flight| {
                let Some(flight) = flight else { return FAR };
                let cost = picture.geometry.moves(kind, from, flight);
                if cost == FAR || i32::from(cost) - i32::from(must_go) > picture.defender_moves {
                    return FAR;
                }
                let taken = flight == self.check.from || line.contains(flight) || must_go && cost == 0;
                let refutes = rules.blocks
                    && !is_pawn(kind)
                    && self.refutes(kind, flight, hits((kind, flight)), line)
                    && !self.can_be_pinned(flight, moves);
                if taken || refutes { FAR } else { cost - u8::from(must_go) }
            })
        })
        .collect()
    }
}
