//! Final pictures of mates and stalemates, listed before the search: how the play can end.
//!
//! A **picture** says of each man what becomes of him: he must stand on a certain square as a certain man, he must be
//! captured, or nothing is asked of him. A picture of a mate states no squares of the mated side's men but its king: it
//! says which squares they block, and where they must not stand ([`blocks`]). Every solution ends in one of the
//! pictures ([`mates`], [`listing`]). The search carries the list down and keeps at each half-move the pictures that
//! still **fit**; where none does, there is no solution.
//!
//! **When a picture fits.** Each half-move moves one man, so the moves that the men of a side still need add up
//! ([`super::geometry`]); the moves to spare are the **slack** of the side.
//!
//! * A man to be captured costs the mating side a move that captures. In a mate, the men of the mated side who block
//!   nothing may be captured. A pawn captures at most as often as there are such men; one of the mated side, as there
//!   are men of the mating side, besides its king, of whom nothing is asked.
//! * A man who captures arrives on the captured man's square within his own moves and the slack, since all others need
//!   theirs. So a man to be captured must come to one of these squares; a pawn may also come in front of one (en
//!   passant).
//!
//! A half-move that captures nobody changes the way of one man. If it is the defender's, the squares of captures of a
//! stalemate stay.
//!
//! The relaxation ([`super::possible`]) is not asked besides: it rules out hardly anything that is left.
//!
//! Castling moves two men, so where somebody may castle nothing is listed.
//!
//! **Why the table of dead positions holds.** The list covers all solutions through a position, so an empty list says
//! something of the position, whatever the way to it.

mod blocks;
mod flights;
mod list;
mod listing;
pub(super) mod mates;
mod men;
mod needs;

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use shakmaty::{Bitboard, Color, Rank, Square};

use crate::chess::{End, Position};
use crate::search::Meter;

use super::geometry::{Geometry, KING, Kind, NEVER, is_pawn};
use super::rules::Rules;
use super::view::{Man, MovesLeft};
pub(super) use blocks::{Blocks, cheapest, pins};
pub(super) use list::Lists;
use listing::{Effort, Listing, Unlisted};
use mates::Places;
use men::{ATTACKER_KING, Reach, Step};
pub(super) use men::{DEFENDER_KING, MOST_MEN, Men, numbers};

/// Nothing is asked of a man.
const FREE: Kind = 8;
/// A man must be captured.
const TAKEN: Kind = 9;

/// What becomes of a man: what he must be, and where; or [`FREE`] or [`TAKEN`].
type Goal = Man;

/// All pictures of a question.
#[derive(Debug)]
pub(super) struct Pictures {
    /// For each picture, the goals of all men.
    goals: Vec<Goal>,
    /// For each picture of a mate, what it asks of the mated side's men. Of none of them but the king a goal is stated.
    blocks: Vec<Blocks>,
    /// The position that was asked about.
    men: Men,
    left: MovesLeft,
}

impl Pictures {
    /// Lists the pictures of a position in which the side `color` is to mate or stalemate, with these moves left;
    /// `None` if that takes more than `steps` steps or `room` bytes, a limit is reached, or somebody may castle.
    /// `counts` says how many there are so far.
    pub(super) fn list(
        (position, color, left, end): (&Position, Color, MovesLeft, End),
        rules: Rules,
        (steps, room): (u64, usize),
        meter: &mut Meter<'_>,
        counts: &AtomicUsize,
    ) -> Option<Pictures> {
        if position.castling_rights().any() {
            return None;
        }
        let men = Men::of(position, color)?;
        let situation = Situation { men: &men, left, rules };
        // Each depth of the search holds a list; the first ones are the longest.
        let most = room / (men.len() * size_of::<Goal>() + 4 * size_of::<Fit>() + size_of::<Blocks>());
        let (goals, blocks): (Vec<_>, Vec<_>) = if end == End::Mate {
            situation.mates(meter, (steps, most.min(MOST_MATES)), counts).ok()?.into_iter().unzip()
        } else {
            (Listing::new(&situation, meter, (steps, most), counts).all().ok()?.into_iter().collect(), Vec::new())
        };
        Some(Pictures { goals: goals.into_iter().flatten().collect(), blocks, men, left })
    }

    /// Returns the memory that the pictures take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.goals.capacity() * size_of::<Goal>() + self.blocks.capacity() * size_of::<Blocks>()
    }

    /// Returns the number of pictures.
    fn len(&self) -> usize {
        self.goals.len() / self.men.len()
    }

    /// Returns a picture.
    fn picture(&self, number: u32) -> Picture<'_> {
        let first = number as usize * self.men.len();
        (&self.goals[first..first + self.men.len()], self.blocks.get(number as usize))
    }
}

/// The goals of all men, and what a mate asks of the mated side's men.
type Picture<'a> = (&'a [Goal], Option<&'a Blocks>);

/// The goals of all men in a mate that is listed, and what it asks of the mated side's men.
type ListedMate = (Box<[Goal]>, Blocks);

/// A set whose order is the same in each run, so that a search makes the same steps.
type Set<T> = HashSet<T, BuildHasherDefault<DefaultHasher>>;

/// The most pictures of mates that are listed: more of them cost more than they cut. Halved, fewer searches have a
/// list.
const MOST_MATES: usize = 2_000;

/// A picture that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fit {
    picture: u32,
    /// The moves of each side besides those of the men who must stand somewhere.
    attacker: u8,
    defender: u8,
    /// Those of the defender besides those of the men to be captured, too.
    spare: u8,
    /// The men who are still to be captured, and those of the mating side without its king of whom nothing is asked.
    taken: u8,
    free: u8,
    /// Of a stalemate, the squares on which the mating side can capture; of a mate, those of the men who must go.
    squares: Bitboard,
}

/// The position that a bound is asked about.
struct Situation<'a> {
    men: &'a Men,
    left: MovesLeft,
    rules: Rules,
}

impl Situation<'_> {
    /// Returns the moves to spare if this picture is to be reached; `None` if it cannot be.
    fn fit(&self, number: u32, picture: Picture<'_>) -> Option<Fit> {
        let (goals, blocks) = picture;
        let (attacker, defender) = (self.left.attacker, self.left.defender);
        let mut fit =
            Fit { picture: number, attacker, defender, spare: 0, taken: 0, free: 0, squares: Bitboard::EMPTY };
        for (number, &(goal, _)) in goals.iter().enumerate() {
            let is_alive = self.men.alive >> number & 1 == 1;
            match goal {
                FREE if self.men.attackers >> number & 1 == 1 => {
                    fit.free += u8::from(is_alive && number != ATTACKER_KING);
                }
                // In a mate, a man who does not block can be captured.
                TAKEN | FREE => fit.taken += u8::from(is_alive),
                _ if !is_alive => return None,
                _ => {}
            }
        }
        match blocks {
            Some(blocks) => fit.taken = fit.taken.checked_sub(blocks.squares.count() as u8)?,
            None if fit.taken > self.left.attacker => return None,
            None => {}
        }
        let (ours, theirs) = self.ways(&fit);
        for (number, &goal) in goals.iter().enumerate().filter(|(_, goal)| goal.0 < FREE) {
            let is_ours = self.men.attackers >> number & 1 == 1;
            let (ways, moves) = if is_ours { (ours, &mut fit.attacker) } else { (theirs, &mut fit.defender) };
            *moves = moves.checked_sub(ways.distance(self.men.man(number), goal))?;
        }
        self.complete(fit, picture)
    }

    /// Completes a picture by what the men of the mated side need who have no square; `None` if that is too much.
    fn complete(&self, mut fit: Fit, (goals, blocks): Picture<'_>) -> Option<Fit> {
        let Some(blocks) = blocks else { return self.with_captures(fit, goals) };
        if self.checks_early(goals, blocks, &fit) {
            return None;
        }
        let (need, squares) = self.need(goals, blocks, &fit)?;
        (fit.spare, fit.squares) = (fit.defender - need, squares);
        Some(fit)
    }

    /// Returns the ways of each side, whose pawns capture only as often as the picture allows.
    fn ways(&self, fit: &Fit) -> (&'static Geometry, &'static Geometry) {
        let limit = |captures: u8| if self.rules.captures { captures.into() } else { usize::MAX };
        (Geometry::with_captures(limit(fit.taken)), Geometry::with_captures(limit(fit.free)))
    }

    /// Completes a picture by the moves of the men to be captured; `None` if they cannot come to where they can be.
    fn with_captures(&self, mut fit: Fit, goals: &[Goal]) -> Option<Fit> {
        fit.spare = fit.defender;
        if fit.taken > 0 && self.rules.taken {
            let (ours, theirs) = self.ways(&fit);
            fit.squares = self.reach(ours, goals, fit.attacker.into());
            for number in numbers(self.men.alive).filter(|&number| goals[number].0 == TAKEN) {
                let way = comes_to(theirs, self.men.man(number), self.men.color, fit.squares)?;
                fit.spare = fit.spare.checked_sub(way)?;
            }
        }
        Some(fit)
    }

    /// Returns the picture after a half-move; `None` if it fits no longer.
    #[inline]
    fn next(&self, fit: &Fit, picture: Picture<'_>, step: &Step, before: MovesLeft) -> Option<Fit> {
        let (goals, blocks) = picture;
        let is_ours = self.men.attackers >> step.man & 1 == 1;
        if let Some(captured) = step.captured {
            let is_lost = goals[captured].0 != if is_ours && blocks.is_none() { TAKEN } else { FREE };
            return if is_lost { None } else { self.fit(fit.picture, picture) };
        }
        // Only the ways of pawns depend on captures.
        let (ours, theirs) = if is_pawn(step.before.0) { self.ways(fit) } else { [Geometry::get(); 2].into() };
        let goal = goals[step.man];
        let mut next = *fit;
        if is_ours {
            let way = |man| if goal.0 < FREE { ours.distance(man, goal) } else { 0 };
            let spent = before.attacker - self.left.attacker + way(step.after);
            next.attacker = (fit.attacker + way(step.before)).checked_sub(spent)?;
            if let Some(blocks) = blocks {
                // With fewer moves left over, the others need no less than before.
                return if self.checks_early(goals, blocks, &next) { None } else { Some(next) };
            }
            return if next.taken > self.left.attacker { None } else { self.with_captures(next, goals) };
        }
        let way = |man| match goal.0 {
            TAKEN if self.rules.taken => comes_to(theirs, man, self.men.color, fit.squares),
            TAKEN => Some(0),
            _ => Some(theirs.distance(man, goal)),
        };
        let spent = before.defender - self.left.defender;
        if let Some(blocks) = blocks.filter(|_| goal.0 == FREE) {
            next.defender = fit.defender.checked_sub(spent)?;
            let is_too_much = fit.spare < spent && !Situation::may_lessen(blocks, fit, step);
            return if is_too_much { None } else { self.complete(next, picture) };
        }
        let (way_before, way_after) = (way(step.before)?, way(step.after)?);
        next.spare = (fit.spare + way_before).checked_sub(spent + way_after)?;
        next.defender =
            if goal.0 == TAKEN { fit.defender - spent } else { fit.defender + way_before - spent - way_after };
        Some(next)
    }

    /// Returns the ways of each side, whose pawns capture as often as they can.
    fn longest_ways(&self) -> (&'static Geometry, &'static Geometry) {
        let MovesLeft { attacker, defender } = self.left;
        let men = |set: u32| (set & self.men.alive).count_ones() - 1;
        let limit = |men: u32, moves: u8| if self.rules.captures { men.min(moves.into()) as usize } else { usize::MAX };
        let (ours, theirs) = (self.men.attackers, !self.men.attackers);
        let [ours, theirs] = [limit(men(theirs), attacker), limit(men(ours), defender)].map(Geometry::with_captures);
        (ours, theirs)
    }

    /// Returns, by number, how far each man gets.
    fn reaches(&self) -> Vec<Reach> {
        let (ours, theirs) = self.longest_ways();
        let ways = |number: usize| if self.men.attackers >> number & 1 == 1 { ours } else { theirs };
        (0..self.men.len()).map(|number| Reach::of(ways(number), self.men.man(number))).collect()
    }

    /// Returns where men can be placed in a mate within the moves left.
    fn places(&self) -> Places {
        let (attacker, defender) = (self.left.attacker.into(), self.left.defender.into());
        let reaches = self.reaches();
        let moves = |number: usize| if self.men.attackers >> number & 1 == 1 { attacker } else { defender };
        let ways = reaches.iter().enumerate().map(|(number, reach)| {
            reach.ways.iter().map(|&(kind, row, steps)| (kind, men::within(steps, moves(number)), row)).collect()
        });
        let blockers = self.men.alive & !self.men.attackers & !(1 << DEFENDER_KING);
        let mut nearest = [NEVER; 64];
        for number in numbers(blockers) {
            nearest.iter_mut().zip(reaches[number].nearest).for_each(|(nearest, moves)| *nearest = moves.min(*nearest));
        }
        Places {
            ways: ways.collect(),
            ours: numbers(self.men.alive & self.men.attackers).collect(),
            nearest,
            men: blockers.count_ones() as usize,
            solid: Bitboard::EMPTY,
            our_solid: Bitboard::EMPTY,
            attacker,
            defender,
        }
    }

    /// Lists the pictures of mates that fit.
    fn mates(
        &self,
        meter: &mut Meter<'_>,
        (steps, most): (u64, usize),
        counts: &AtomicUsize,
    ) -> Result<Set<ListedMate>, Unlisted> {
        let (mut listed, mut effort) = (Set::default(), Effort::new(meter, steps));
        let ended = mates::each(&self.places(), &mut |mate, is_whole| {
            if effort.step().is_err() || listed.len() > most {
                return Break(Unlisted);
            }
            if is_whole {
                let mut goals = vec![(FREE, Square::A1); self.men.len()];
                mate.men.iter().for_each(|&(number, man)| goals[number] = man);
                goals[DEFENDER_KING] = (KING, mate.king);
                let blocks = Blocks::of(mate, self.men.color, self.rules);
                if self.fit(0, (&goals, Some(&blocks))).is_some() {
                    listed.insert((goals.into(), blocks));
                    counts.store(listed.len(), Relaxed);
                }
            }
            Continue(())
        });
        ended.map_break(Err).break_value().unwrap_or(Ok(listed))
    }

    /// Returns the squares on which the mating side can capture, if it has `slack` moves more than the picture needs.
    fn reach(&self, ways: &Geometry, goals: &[Goal], slack: i32) -> Bitboard {
        let ours = numbers(self.men.attackers & self.men.alive);
        ours.fold(Bitboard::EMPTY, |all, number| all | self.arrivals(ways, goals, number, slack))
    }

    /// Returns the squares on which a man of the mating side arrives, or captures, with `slack` moves more than he
    /// needs.
    fn arrivals(&self, ways: &Geometry, goals: &[Goal], number: usize, slack: i32) -> Bitboard {
        let (man, goal) = (self.men.man(number), goals[number]);
        match goal.0 {
            FREE => ways.captures(man, slack),
            _ => ways.captures_on_way(man, goal, i32::from(ways.distance(man, goal)) + slack),
        }
    }
}

/// Returns the moves that a man needs to a square on which he can be captured; `None` if he never comes there. `color`
/// is that of his captors.
fn comes_to(ways: &Geometry, man: Man, color: Color, reach: Bitboard) -> Option<u8> {
    let mut squares = reach;
    if is_pawn(man.0) {
        // Captured en passant, he stands in front of the square on which his captor arrives.
        let (behind, forward) = color.fold_wb((Rank::Sixth, -8), (Rank::Third, 8));
        let passed = (reach & Bitboard::from(behind)).into_iter().filter_map(|square| square.offset(forward));
        squares |= passed.collect::<Bitboard>();
    }
    let steps = ways.anywhere(man.0, man.1);
    (0..).zip(steps).find(|&(_, &within)| (within & squares).any()).map(|(moves, _)| moves)
}
