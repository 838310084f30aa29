//! The search for all lines: depth first, with the dead positions and the relaxation.
//!
//! Every move that does not lead into a position known to be dead, and after which the king can perhaps still be mated
//! somewhere, is followed. The set of squares where he can be mated is handed down, so that each position asks only
//! about squares that were possible before. This loses nothing: what is impossible in a position stays so in all that
//! follow. Whether a position is dead does not depend on the way to it, so the table may be used on every way.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use shakmaty::{Bitboard, Color, Square, attacks};

use crate::chess::{End, ManList, Move, MoveCode, MoveList, Position, Side};
use crate::search::{Interrupted, Meter};

use super::dead::DeadTable;
use super::pairs::Wishes;
use super::possible::{Checks, Origins, Outlook, Rules};
use super::view::Left;

/// The data that all threads of a search share.
pub(super) struct Shared {
    /// The side of each half-move.
    pub sides: Vec<Side>,
    /// The moves that each side has left before each half-move, and at the end.
    pub left: Vec<Left>,
    pub attacker: Color,
    pub end: End,
    pub rules: Rules,
    pub dead: DeadTable,
    /// The solutions found so far.
    pub found: AtomicUsize,
    /// The number of solutions after which to stop.
    pub most: usize,
}

impl Shared {
    /// Returns the number of half-moves.
    pub(super) fn half_moves(&self) -> usize {
        self.sides.len()
    }

    /// Returns the half-moves that are left at this depth, for the table.
    fn remaining(&self, depth: usize) -> u16 {
        (self.half_moves() - depth) as u16
    }

    /// Returns whether the mated side moves at this depth, and then the last half-move mates.
    fn ends_with_pair(&self, depth: usize) -> bool {
        self.rules.pairs
            && self.end == End::Mate
            && depth + 2 == self.half_moves()
            && self.sides[depth..] == [Side::Defender, Side::Attacker]
    }

    /// Returns the position after a half-move, with the side of the next one to move; `None` if the same side goes on
    /// and the move gave check.
    pub(super) fn play(&self, position: &Position, m: Move, depth: usize) -> Option<Position> {
        let child = position.play(m);
        let goes_on = self.sides.get(depth + 1) == self.sides.get(depth);
        if goes_on { child.pass() } else { Some(child) }
    }
}

/// The reason why a search returned early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// A limit was reached.
    Limit(Interrupted),
    /// As many solutions as asked for were found.
    Full,
}

impl From<Interrupted> for Ended {
    fn from(reason: Interrupted) -> Ended {
        Ended::Limit(reason)
    }
}

/// The search of one thread.
pub(super) struct Worker<'a, 'c> {
    pub shared: &'a Shared,
    pub meter: Meter<'c>,
    /// By depth and square of the king: the squares from which each man can perhaps check.
    checks: Vec<Vec<Origins>>,
    /// The moves to the present position.
    pub path: Vec<MoveCode>,
    /// The solutions found, one after the other, each of as many moves as there are half-moves.
    pub lines: Vec<MoveCode>,
    /// The solutions of the parts that are done, each with the place of the part in the list of all.
    pub parts: Vec<(usize, Vec<MoveCode>)>,
    /// Why the search returned early; `None` if it did not.
    pub ended: Option<Ended>,
}

impl<'a, 'c> Worker<'a, 'c> {
    pub(super) fn new(shared: &'a Shared, meter: Meter<'c>) -> Worker<'a, 'c> {
        Worker {
            shared,
            meter,
            checks: vec![Vec::new(); shared.half_moves() + 1],
            path: Vec::new(),
            lines: Vec::new(),
            parts: Vec::new(),
            ended: None,
        }
    }

    /// Returns the squares of `squares` on which the king can perhaps be mated, at this depth. `moved` are the squares of
    /// the last half-move, if it moved one man and the checks before it are known.
    pub(super) fn possible(
        &mut self,
        position: &Position,
        depth: usize,
        squares: Bitboard,
        moved: Option<(Square, Square)>,
    ) -> Bitboard {
        let shared = self.shared;
        let left = shared.left[depth];
        let king = Bitboard::from(position.king(!shared.attacker));
        let squares = if left.defender == 0 { squares & king } else { squares };
        if squares.is_empty() || left.attacker == 0 {
            return squares;
        }
        let outlook = Outlook::new(position, shared.attacker, left, shared.end, shared.rules);
        // Nobody asks about the checks after the last two half-moves.
        let refines = depth + 3 < shared.half_moves();
        if refines {
            self.checks[depth + 1].resize(64, [Bitboard::FULL; 64]);
        }
        let (before, after) = self.checks[depth..].split_at_mut(1);
        let (before, after) = (&before[0], &mut after[0]);
        if position.castling_rights().any() {
            // The checks of the positions after castling are not known.
            if refines {
                squares.into_iter().for_each(|square| after[square as usize] = [Bitboard::FULL; 64]);
            }
            return squares.into_iter().filter(|&square| outlook.is_possible(square, &mut { Checks::ALL })).collect();
        }
        let moved = moved.filter(|_| depth + 2 < shared.half_moves());
        let is_possible = |&square: &Square| {
            let before = moved.map(|_| &before[square as usize]);
            let moved = moved.unwrap_or((square, square));
            let after = after.get_mut(square as usize).filter(|_| refines);
            outlook.is_possible(square, &mut Checks { before, moved, after })
        };
        squares.into_iter().filter(is_possible).collect()
    }

    /// Follows every move from a position at this depth. Returns whether a solution was found below it.
    pub(super) fn search(&mut self, position: &Position, depth: usize, squares: Bitboard) -> Result<bool, Ended> {
        let shared = self.shared;
        if depth + 1 == shared.half_moves() {
            return self.last(position);
        }
        let pair = if shared.ends_with_pair(depth) { Some(self.wishes(position, squares)) } else { None };
        if pair.as_ref().is_some_and(|wishes| wishes.is_empty() && !king_can_move(position, squares)) {
            return Ok(false);
        }
        let mut found = false;
        for m in position.legal_moves() {
            if pair.as_ref().is_some_and(|wishes| !wishes.allow(m)) {
                continue;
            }
            if let Some((child, squares)) = self.enter(position, m, depth, squares, true)? {
                self.path.push(m.code());
                let below = self.search(&child, depth + 1, squares);
                self.path.pop();
                found |= below?;
            }
        }
        if !found && shared.rules.dead {
            shared.dead.add(position, shared.remaining(depth));
        }
        Ok(found)
    }

    /// Returns what the mates in one ask of the last move of the mated side.
    fn wishes(&self, position: &Position, squares: Bitboard) -> Wishes {
        if squares.contains(position.king(position.turn())) { Wishes::of(position) } else { Wishes::none() }
    }

    /// Plays a move; `None` if what follows holds no solution. `are_known` if the checks of the position are.
    pub(super) fn enter(
        &mut self,
        position: &Position,
        m: Move,
        depth: usize,
        squares: Bitboard,
        are_known: bool,
    ) -> Result<Option<(Position, Bitboard)>, Ended> {
        let shared = self.shared;
        self.meter.node()?;
        let Some(child) = shared.play(position, m, depth) else { return Ok(None) };
        let next = depth + 1;
        let moved = Some((m.from(), m.to())).filter(|_| are_known && !m.is_castle());
        // Most positions are impossible, which costs less to see than a look into the table.
        let squares = self.possible(&child, next, squares, moved);
        // The last half-move needs no entry: it is looked at only once.
        let stores = shared.rules.dead && next + 1 < shared.half_moves();
        if squares.is_empty() || stores && shared.dead.contains(&child, shared.remaining(next)) {
            return Ok(None);
        }
        Ok(Some((child, squares)))
    }

    /// Finds the moves that reach the goal at once.
    fn last(&mut self, position: &Position) -> Result<bool, Ended> {
        let goals = match self.shared.end {
            End::Mate => mates(position),
            End::Stalemate => stalemates(position),
        };
        for &m in &goals {
            self.meter.node()?;
            if self.shared.found.fetch_add(1, Relaxed) >= self.shared.most {
                return Err(Ended::Full);
            }
            self.lines.extend(&self.path);
            self.lines.push(m.code());
        }
        Ok(!goals.is_empty())
    }
}

/// Returns whether the king of the side to move can perhaps go to one of these squares, or castle.
fn king_can_move(position: &Position, squares: Bitboard) -> bool {
    let near = attacks::king_attacks(position.king(position.turn()));
    position.castling_rights().any() || (near & squares).any()
}

/// Returns the moves that checkmate.
fn mates(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    let mut men = ManList::new();
    let attack = position.attack(&mut men);
    attack.checks(&mut list);
    list.retain(|&mut m| attack.mates(m));
    list
}

/// Returns the moves that stalemate.
fn stalemates(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    position.attack(&mut ManList::new()).quiet_moves(&mut list);
    list.retain(|&mut m| !position.play(m).has_move());
    list
}
