//! The search for all lines: depth first, with the dead positions and the relaxation.
//!
//! A move is followed unless it leads into a position known to be dead, its solutions are known already, the
//! stipulation forbids it, or the king cannot be mated (or stalemated) any more: by the relaxation, the list of
//! pictures, or the wishes of the last two half-moves. The set of squares where he can be mated is handed down, so each
//! position asks only about squares that were possible before. This loses nothing: what is impossible in a position
//! stays so in all that follow. Whether a position is dead does not depend on the way to it, so the table serves all
//! ways.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use shakmaty::{Bitboard, Color, Square};

use crate::chess::{End, Move, MoveCode, MoveList, Position, Side, rules};
use crate::search::{HelpCounts, Interrupted, Meter};

use super::dead::{DeadTable, Exact};
use super::living::{Edge, Known, MOST_BYTES, SolutionGraph, Solutions};
use super::pairs::Wishes;
use super::picture::{Checks, Origins};
use super::pictures::{Lists, Pictures};
use super::possible::Outlook;
use super::rules::Rules;
use super::view::MovesLeft;

/// The data that all threads of a search share.
pub(super) struct Shared {
    /// The position before the first half-move.
    pub position: Position,
    /// The side of each half-move.
    pub sides: Vec<Side>,
    /// The moves that each side has left before each half-move, and at the end.
    pub left: Vec<MovesLeft>,
    pub attacker: Color,
    pub end: End,
    /// Whether the last half-move must be forced: all moves that the duty allows reach the goal. One of them stands for
    /// all.
    pub is_forced: bool,
    /// Whether a side that can reach the goal at once must.
    pub is_reflex: bool,
    /// Whether the side that makes the last half-move but one must be able to mate (stalemate) instead.
    pub is_reciprocal: bool,
    pub rules: Rules,
    /// The final pictures; `None` if they are not listed.
    pub pictures: Option<Pictures>,
    pub dead: DeadTable,
    /// The number of solutions after which to stop.
    pub most: usize,
    /// The memory for the solutions and the pictures, in bytes.
    pub room: usize,
    /// The number of threads, at least 1.
    pub threads: usize,
    /// Whether all threads have to stop.
    pub is_ended: AtomicBool,
}

impl Shared {
    /// Returns whether the final pictures can be listed.
    pub(super) fn can_list(&self) -> bool {
        self.rules.listed && self.end != End::Any
    }

    /// Lists the final pictures, if that takes at most `steps` steps. They take part of the memory for the solutions.
    pub(super) fn list(&mut self, steps: u64, meter: &mut Meter<'_>, counts: &HelpCounts) {
        if let Some(&left) = self.left.first().filter(|_| self.can_list() && steps > 0) {
            let question = (&self.position, self.attacker, left, self.end);
            let room = self.room / 2 / self.threads;
            self.pictures = Pictures::list(question, self.rules, (steps, room), meter, &counts.pictures);
            self.room -= self.pictures.as_ref().map_or(0, Pictures::bytes).min(self.room);
        }
    }

    /// Returns the number of half-moves.
    pub(super) fn half_moves(&self) -> usize {
        self.sides.len()
    }

    /// Returns whether the mated side moves at this depth, and then the last half-move mates.
    fn ends_with_pair(&self, depth: usize) -> bool {
        self.rules.pairs
            && self.end == End::Mate
            && depth + 2 == self.half_moves()
            && self.sides[depth..] == [Side::Defender, Side::Attacker]
    }

    /// Returns the legal moves that can perhaps be followed by the goal.
    pub(super) fn candidates(&self, position: &Position, depth: usize, squares: Bitboard) -> MoveList {
        if !self.ends_with_pair(depth) {
            return position.legal_moves();
        }
        // A mate where the king stands now asks something of the last move of his side.
        let stays = squares.contains(position.king(position.turn()));
        let wishes = if stays { Wishes::of(position) } else { Wishes::none() };
        let mut moves = position.legal_moves();
        moves.retain(|&mut m| wishes.allow(m));
        moves
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

/// The result of a half-move.
pub(super) enum Entered {
    /// No solution.
    Dead,
    /// Solutions that were found before.
    Living(Solutions),
    /// A position to search, with the squares where the king can perhaps be mated.
    Open(Position, Bitboard),
}

/// The search of one thread.
pub(super) struct Worker<'a, 'c> {
    pub shared: &'a Shared,
    pub meter: Meter<'c>,
    /// The pictures that fit on the present way, if they are listed.
    pub lists: Option<Lists<'a>>,
    outlook: Outlook,
    /// By depth and square of the king: the squares from which each man can perhaps check.
    checks: Vec<Vec<Origins>>,
    /// The depth at which the present part begins.
    pub begun: usize,
    /// The solutions that this thread has found, and the positions of those that any has found.
    pub graph: SolutionGraph,
    known: &'a Known,
    /// The memory that the graph and the lists take, in bytes.
    taken: usize,
    /// The edges of the nodes that are not finished yet.
    pub edges: Vec<Edge>,
    /// The solutions found in the present part.
    pub found: u128,
    /// Why the search returned early; `None` if it did not.
    pub ended: Option<Ended>,
}

impl<'a, 'c> Worker<'a, 'c> {
    /// Makes the worker with this number.
    pub(super) fn new(shared: &'a Shared, known: &'a Known, meter: Meter<'c>, number: u16) -> Worker<'a, 'c> {
        Worker {
            shared,
            meter,
            lists: shared.pictures.as_ref().map(|pictures| Lists::new(pictures, shared.half_moves(), shared.rules)),
            outlook: Outlook::new(shared.attacker, shared.end, shared.rules),
            checks: vec![Vec::new(); shared.half_moves() + 1],
            begun: usize::MAX,
            graph: SolutionGraph::new(number),
            known,
            taken: 0,
            edges: Vec::new(),
            found: 0,
            ended: None,
        }
    }

    /// Goes to the position after these half-moves.
    pub(super) fn go_to(&mut self, path: &[MoveCode]) {
        let mut position = self.shared.position;
        for (depth, &code) in path.iter().enumerate() {
            let Some(m) = position.find_move(code) else { return };
            let Some(child) = self.shared.play(&position, m, depth) else { return };
            if let Some(lists) = &mut self.lists {
                lists.follow(depth, m, self.shared.left[depth + 1]);
            }
            position = child;
        }
    }

    /// Returns the squares of `squares` on which the king can perhaps be mated, at this depth. `moved` are the squares
    /// of the last half-move, if it moved one man and the checks before it are known.
    pub(super) fn possible(
        &mut self,
        position: &Position,
        depth: usize,
        squares: Bitboard,
        moved: Option<(Square, Square)>,
    ) -> Bitboard {
        let shared = self.shared;
        let left = shared.left[depth];
        // The side that is to be mated must not be able to mate before.
        if shared.is_reflex && shared.sides.get(depth) == Some(&Side::Defender) && rules::can_end(position, shared.end)
        {
            return Bitboard::EMPTY;
        }
        if shared.is_reciprocal && depth + 2 == shared.half_moves() && !rules::can_end(position, shared.end) {
            return Bitboard::EMPTY;
        }
        if shared.end == End::Any {
            return Bitboard::FULL;
        }
        let king = Bitboard::from(position.king(!shared.attacker));
        let squares = if left.defender == 0 { squares & king } else { squares };
        // The relaxation rules out hardly anything that the list has left.
        if squares.is_empty() || left.attacker == 0 || self.lists.is_some() {
            return squares;
        }
        let known = self.known_checks(depth);
        let outlook = &mut self.outlook;
        outlook.look(position, left);
        // Nobody asks about the checks after the last two half-moves.
        let refines = depth + 3 < shared.half_moves();
        if refines {
            self.checks[depth + 1].resize(64, [Bitboard::FULL; 64]);
        }
        let (before, after) = self.checks.split_at_mut(depth + 1);
        let (before, after) = (&before[known.unwrap_or(depth)], &mut after[0]);
        if position.castling_rights().any() {
            // The checks of the positions after castling are not known.
            if refines {
                squares.into_iter().for_each(|square| after[square as usize] = [Bitboard::FULL; 64]);
            }
            return squares.into_iter().filter(|&square| outlook.is_possible(square, &mut { Checks::ALL })).collect();
        }
        let moved = moved.filter(|_| known.is_some());
        let is_possible = |&square: &Square| {
            let before = moved.map(|_| &before[square as usize]);
            let moved = moved.unwrap_or((square, square));
            let after = after.get_mut(square as usize).filter(|_| refines);
            outlook.is_possible(square, &mut Checks { before, moved, after })
        };
        squares.into_iter().filter(is_possible).collect()
    }

    /// Returns the number of the checks that are known before the half-move to this depth. They are those of the
    /// position before it; before the last two half-moves, nobody has refined them, and those of the position two
    /// half-moves ago serve as well if the defender moved there, because his move moves none of the checking men.
    fn known_checks(&self, depth: usize) -> Option<usize> {
        let before = depth.checked_sub(2).filter(|&before| before >= self.begun);
        match self.shared.half_moves() - depth {
            3.. => Some(depth),
            2 => before.filter(|&at| self.shared.sides[at] == Side::Defender).map(|at| at + 1),
            _ => None,
        }
    }

    /// Follows every move from a position at this depth. Returns its solutions, as far as the search got.
    pub(super) fn search(&mut self, position: &Position, depth: usize, squares: Bitboard) -> Option<Solutions> {
        let (first, before) = (self.edges.len(), self.found);
        let result = if depth + 1 == self.shared.half_moves() {
            self.last(position)
        } else {
            self.follow(position, depth, squares)
        };
        if let Err(why) = result {
            self.ended = Some(why);
        }
        let is_stored = self.ended.is_none() && self.is_stored(depth);
        let exact = is_stored.then(|| Exact::of(position, self.shared.half_moves() - depth));
        if self.edges.len() == first {
            if let Some(exact) = exact {
                self.shared.dead.add(&exact, true);
            }
            return None;
        }
        let lines = (self.found - before).try_into().unwrap_or(usize::MAX);
        let solutions = self.graph.add(&mut self.edges[first..], lines, exact.map(|exact| (exact, self.known)));
        self.edges.truncate(first);
        if self.ended.is_none() && !self.fits() {
            self.ended = Some(Ended::Limit(Interrupted::Memory));
        }
        Some(solutions)
    }

    /// Returns whether the solutions fit into the memory. If they do not, the positions are forgotten first.
    fn fits(&mut self) -> bool {
        let taken = self.graph.bytes() + self.lists.as_ref().map_or(0, Lists::bytes);
        let more = taken - std::mem::replace(&mut self.taken, taken);
        self.known.fits(more, self.shared.room) && self.graph.bytes() <= MOST_BYTES
    }

    /// Returns whether positions at this depth are stored. Those before the last half-move are looked at once only.
    fn is_stored(&self, depth: usize) -> bool {
        self.shared.rules.dead && depth + 1 < self.shared.half_moves()
    }

    /// Follows every move, and adds the edges of those that lead to solutions.
    fn follow(&mut self, position: &Position, depth: usize, squares: Bitboard) -> Result<(), Ended> {
        for &m in &self.shared.candidates(position, depth, squares) {
            let solutions = match self.enter(position, m, depth, squares, true)? {
                Entered::Dead => continue,
                Entered::Living(solutions) => {
                    self.found += solutions.lines as u128;
                    Some(solutions)
                }
                Entered::Open(child, squares) => self.search(&child, depth + 1, squares),
            };
            self.edges.extend(solutions.map(|solutions| Edge::new(m.code(), Some(solutions.node))));
            if let Some(why) = self.ended {
                return Err(why);
            }
            if self.found > self.shared.most as u128 || self.shared.is_ended.load(Relaxed) {
                return Err(Ended::Full);
            }
        }
        Ok(())
    }

    /// Plays a move. `are_known`: whether the checks of the position before it are known.
    pub(super) fn enter(
        &mut self,
        position: &Position,
        m: Move,
        depth: usize,
        squares: Bitboard,
        are_known: bool,
    ) -> Result<Entered, Ended> {
        let shared = self.shared;
        let next = depth + 1;
        let mut squares = squares;
        if let Some(lists) = &mut self.lists {
            // A long list takes as long as many nodes.
            self.meter.looks(lists.len(depth))?;
            squares &= lists.follow(depth, m, shared.left[next]);
            if squares.is_empty() {
                return Ok(Entered::Dead);
            }
        }
        self.meter.node()?;
        let Some(child) = shared.play(position, m, depth) else { return Ok(Entered::Dead) };
        let exact = self.is_stored(next).then(|| Exact::of(&child, shared.half_moves() - next));
        // Before the last two half-moves, the relaxation costs less than a look into the table.
        let asks_table = next + 2 < shared.half_moves();
        if let Some(known) = exact.filter(|_| asks_table).and_then(|exact| self.known(&exact)) {
            return Ok(known);
        }
        let moved = Some((m.from(), m.to())).filter(|_| are_known && !m.is_castle());
        let squares = self.possible(&child, next, squares, moved);
        if squares.is_empty() {
            // What is stored here saves only the relaxation, so it replaces nothing.
            exact.filter(|_| asks_table).inspect(|exact| shared.dead.add(exact, false));
            return Ok(Entered::Dead);
        }
        let known = exact.filter(|_| !asks_table).and_then(|exact| self.known(&exact));
        Ok(known.unwrap_or(Entered::Open(child, squares)))
    }

    /// Returns what is stored of a position.
    fn known(&self, exact: &Exact) -> Option<Entered> {
        let is_dead = self.shared.dead.contains(exact);
        if is_dead { Some(Entered::Dead) } else { self.known.find(exact).map(Entered::Living) }
    }

    /// Finds the moves that reach the goal at once.
    pub(super) fn last(&mut self, position: &Position) -> Result<(), Ended> {
        let mut goals = rules::ends(position, self.shared.end);
        if self.shared.is_forced {
            let moves = if goals.is_empty() { MoveList::new() } else { position.legal_moves() };
            let moves = if self.shared.is_reflex { goals.clone() } else { moves };
            let is_forced = moves.len() == goals.len();
            goals.clear();
            goals.extend(moves.first().copied().filter(|_| is_forced));
        }
        for &m in &goals {
            self.meter.node()?;
            self.edges.push(Edge::new(m.code(), None));
            self.found += 1;
            if self.found > self.shared.most as u128 {
                return Err(Ended::Full);
            }
        }
        Ok(())
    }
}
