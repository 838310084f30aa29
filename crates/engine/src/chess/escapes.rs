//! The attacker's last moves of a selfmate or a stalemate that can be left out, because the defender keeps a move.
//!
//! With the attacker's last move the defender must be left without a move that misses the goal. Before it, moves that
//! he would have if the attacker passed are collected as **escapes**: in a selfmate moves without check, in a stalemate
//! any moves; at most [`MOST`], and no promotions, castling or captures en passant. An attacking move that does not
//! spoil one of them fails and is not even made. So of every man only the moves are listed that spoil *all* escapes.
//!
//! A move of a man from `w` to `t` spoils the escape of a man from `f` to `e` only if
//!
//! * it captures him: `t` is `f`; it stands in his way: `t` is between `f` and `e`, or on `e` where a pawn would step;
//!   or it takes away what a pawn would capture: `w` is `e`;
//! * it pins him: a line piece lands behind him on the line of his king;
//! * the escape gives check now, because `w` no longer blocks: the escape is of a line piece, and `w` stands between
//!   `e` and the attacker's king;
//! * the escape is a king's move, and `e` is attacked now: from `t`, or because `w` no longer blocks; or `t` is `e`.
//!
//! These moves are always listed: checks, moves of the king, castling, captures en passant, promotions, and those of
//! men that stand between a king and an enemy line piece on a line with it. If the attacker is in check or there is no
//! escape, all moves are listed.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Role, Square, attacks};

use std::ops::ControlFlow::{self, Break, Continue};

use super::movegen::{Board, Man, reach};
use super::{Checks, ManList, MoveList, Position};

/// The most escapes that are collected.
const MOST: usize = 24;

/// A move that the defender would have.
struct Escape {
    /// The squares on which any man spoils it, except a king's move.
    targets: Bitboard,
    /// The squares on which a line piece spoils it besides.
    pins: Bitboard,
    /// The men that spoil it by leaving.
    origins: Bitboard,
    /// The square to which the king goes.
    king_to: Option<Square>,
}

/// The escapes in a position.
struct Escapes<'a> {
    position: &'a Position,
    list: ArrayVec<Escape, MOST>,
    /// The men whose moves are all listed.
    always: Bitboard,
}

impl Position {
    /// Appends the legal moves of the attacker, without some after which the defender keeps a move that is no check;
    /// with `any_move`, without some after which he keeps any move.
    pub(crate) fn last_attacks(&self, any_move: bool, list: &mut MoveList) {
        let mut escapes = Escapes { position: self, list: ArrayVec::new(), always: Bitboard::EMPTY };
        if let Some(passed) = self.pass() {
            escapes.collect(&passed, any_move);
        }
        if escapes.list.is_empty() {
            self.generate(super::Moves::All, list);
            return;
        }
        let mut men = ManList::new();
        let attack = self.attack(&mut men);
        attack.checks(list);
        attack.quiet_moves_to(list, |man| escapes.spoiled_by(man));
    }
}

impl Escapes<'_> {
    /// Collects the escapes. `passed` is the same position with the defender to move.
    fn collect(&mut self, passed: &Position, any_move: bool) {
        let position = self.position;
        let us = position.turn();
        let (ours, theirs) = (position.king(us), position.king(!us));
        for (king, side) in [(ours, !us), (theirs, us)] {
            for sniper in position.snipers(king) & position.by_color(side) {
                self.always |= attacks::between(king, sniper);
            }
        }
        let board = Board::new(passed);
        let checks = Checks::of(passed);
        let quiet = |from, role| if any_move { Bitboard::FULL } else { !checks.squares(from, role) };
        let _: ControlFlow<()> = board.men(|man| {
            for to in man.targets & !board.promoting(&man) & quiet(man.from, man.role) {
                if self.list.is_full() {
                    return Break(());
                }
                let escape = self.of_man(&man, to);
                self.list.push(escape);
            }
            Continue(())
        });
        for to in board.flights() & quiet(board.king, Role::King) {
            let escape = self.of_king(to);
            let _ = self.list.try_push(escape);
        }
    }

    /// Returns the escape of a man other than the king.
    fn of_man(&self, man: &Man, to: Square) -> Escape {
        let position = self.position;
        let us = position.turn();
        let (ours, theirs) = (position.king(us), position.king(!us));
        let from = man.from;
        let mut targets = attacks::between(from, to).with(from);
        let mut origins = Bitboard::EMPTY;
        match man.role {
            Role::Pawn if from.file() == to.file() => targets.add(to),
            Role::Pawn => origins.add(to),
            Role::Knight => {}
            _ => origins |= attacks::between(to, ours),
        }
        let line = attacks::ray(theirs, from);
        let pins = if line.any() && (attacks::between(theirs, from) & position.occupied()).is_empty() {
            attacks::queen_attacks(from, position.occupied()) & line
        } else {
            Bitboard::EMPTY
        };
        Escape { targets, pins, origins, king_to: None }
    }

    fn of_king(&self, to: Square) -> Escape {
        let position = self.position;
        let mut origins = Bitboard::EMPTY;
        for sniper in position.snipers(to) & position.by_color(position.turn()) {
            origins |= attacks::between(to, sniper);
        }
        Escape { targets: Bitboard::from(to), pins: Bitboard::EMPTY, origins, king_to: Some(to) }
    }

    /// Returns the squares to which this man may go to spoil all escapes.
    fn spoiled_by(&self, man: &Man) -> Bitboard {
        let mut wanted = Bitboard::FULL;
        if self.always.contains(man.from) {
            return wanted;
        }
        for escape in &self.list {
            if escape.origins.contains(man.from) {
                continue;
            }
            wanted &= match escape.king_to {
                Some(to) => escape.targets | self.attackers_of(to, man.role),
                None if matches!(man.role, Role::Pawn | Role::Knight) => escape.targets,
                None => escape.targets | escape.pins,
            };
            if wanted.is_empty() {
                break;
            }
        }
        wanted
    }

    /// Returns the squares from which a man of the attacker attacks a square to which the king goes: those that a man
    /// of the defender would attack from there.
    fn attackers_of(&self, to: Square, role: Role) -> Bitboard {
        let them = !self.position.turn();
        reach(them, role, to, self.position.occupied().without(self.position.king(them)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    /// Compares the list with all moves: a move that is left out leaves the defender a move without check, or any move.
    fn left_out(position: &Position) -> [usize; 2] {
        [false, true].map(|any_move| {
            let mut listed = MoveList::new();
            position.last_attacks(any_move, &mut listed);
            let all = position.legal_moves();
            for m in all.iter().filter(|m| !listed.contains(m)) {
                let after = position.play(*m);
                let kept = after.legal_moves().into_iter().any(|reply| any_move || !after.play(reply).is_check());
                assert!(kept, "{m:?} in {}", position.fen());
            }
            assert!(listed.iter().all(|m| all.contains(m)));
            all.len() - listed.len()
        })
    }

    #[test]
    fn only_moves_that_leave_an_escape_are_left_out() {
        for (text, some) in [
            ("7k/5p1p/5P1P/8/4r3/8/2Q5/K7 w - -", true),
            ("k7/8/8/8/8/8/8/K6R w - -", true),
            ("4k3/8/8/3pP3/8/8/1B6/4K3 w - d6", true),
            ("4k3/8/8/8/8/8/4r3/4K3 w - -", false),
        ] {
            let count = left_out(&position(text));
            assert_eq!(count.iter().any(|&count| count > 0), some, "{text}: {count:?}");
        }
    }

    #[test]
    fn in_games_of_random_moves_only_moves_that_leave_an_escape_are_left_out() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "3n4/1pPP1p2/1P1K1P2/3BB1P1/R7/3kb1Q1/N6R/N5n1 w - -",
            "r3k2r/1P4p1/2q5/3Pp3/2b5/5N2/6PB/R3K2R w KQkq e6",
        ];
        let (mut seed, mut total) = (1u64, 0);
        for game in 0..60 {
            let mut position = position(starts[game % starts.len()]);
            for _ in 0..60 {
                total += left_out(&position)[0];
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                position = position.play(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
        assert!(total > 10_000, "{total}");
    }
}
