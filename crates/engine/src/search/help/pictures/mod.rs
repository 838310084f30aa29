//! Final pictures: all positions in which the play can end, listed once before the search.
//!
//! A **picture** says of each man what becomes of him: he must stand on a certain square as a certain man, he must be
//! captured, or nothing is asked of him. Every solution ends in one of the pictures ([`listing`]). The search carries
//! the list down and keeps at each half-move the pictures that still **fit**; where none does, there is no solution.
//!
//! **When a picture fits.** Each half-move moves one man, so the moves that the men of a side still need add up
//! ([`super::geometry`]); what is left besides is the **slack** of the side.
//!
//! * Each man to be captured costs the mating side a move that captures. A pawn of the mating side captures at most as
//!   often as there are men to be captured, one of the other side as often as there are men of the mating side of whom
//!   nothing is asked.
//! * A man who captures arrives on the captured man's square within his own moves and the slack, since all others need
//!   theirs. So a man to be captured must come to one of these squares, or of a pawn, in front of it (en passant).
//!
//! A half-move that captures nobody changes the way of one man. If it is the defender's, the squares of captures stay.
//!
//! The relaxation ([`super::possible`]) is not asked besides: it rules out one position in a hundred of those left.
//!
//! Castling moves two men, so where somebody may castle nothing is listed.
//!
//! **Why the table of dead positions holds.** The list covers all solutions through a position, so an empty list says
//! something of the position, whatever the way to it.

mod flights;
mod list;
mod listing;
mod men;
mod needs;

use std::sync::atomic::AtomicUsize;

use shakmaty::{Bitboard, Color, Rank};

use crate::chess::Position;
use crate::search::Meter;

use super::geometry::{Geometry, Kind, is_pawn};
use super::rules::Rules;
use super::view::{Left, Man};
pub(super) use list::Lists;
use listing::Listing;
use men::{ATTACKER_KING, Men, Step, numbers};

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
    /// The position that was asked about.
    men: Men,
    left: Left,
}

impl Pictures {
    /// Lists the pictures of a position in which the side `color` is to stalemate, with these moves left; `None` if
    /// that takes more than `steps` steps or `room` bytes, a limit is reached, or somebody may castle. `counts` says
    /// how many there are so far.
    pub(super) fn list(
        (position, color, left): (&Position, Color, Left),
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
        let most = room / (men.len() * size_of::<Goal>() + 4 * size_of::<Fit>());
        let listed = Listing::new(&situation, meter, (steps, most), counts).all().ok()?;
        Some(Pictures { goals: listed.into_iter().flatten().collect(), men, left })
    }

    /// Returns the memory that the pictures take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.goals.capacity() * size_of::<Goal>()
    }

    /// Returns the number of pictures.
    fn len(&self) -> usize {
        self.goals.len() / self.men.len()
    }

    /// Returns the goals of a picture.
    fn goals(&self, picture: u32) -> &[Goal] {
        let first = picture as usize * self.men.len();
        &self.goals[first..first + self.men.len()]
    }
}

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
    /// The squares on which the mating side can capture.
    reach: Bitboard,
}

/// What a bound is asked about.
struct Situation<'a> {
    men: &'a Men,
    left: Left,
    rules: Rules,
}

impl Situation<'_> {
    /// Returns what is left of the moves if this picture is to be reached; `None` if it cannot be.
    fn fit(&self, picture: u32, goals: &[Goal]) -> Option<Fit> {
        let (attacker, defender) = (self.left.attacker, self.left.defender);
        let mut fit = Fit { picture, attacker, defender, spare: 0, taken: 0, free: 0, reach: Bitboard::EMPTY };
        for (number, &(goal, _)) in goals.iter().enumerate() {
            let is_alive = self.men.alive >> number & 1 == 1;
            match goal {
                TAKEN => fit.taken += u8::from(is_alive),
                FREE => fit.free += u8::from(is_alive && number != ATTACKER_KING),
                _ if !is_alive => return None,
                _ => {}
            }
        }
        if fit.taken > self.left.attacker {
            return None;
        }
        let (ours, theirs) = self.ways(&fit);
        for (number, &goal) in goals.iter().enumerate().filter(|(_, goal)| goal.0 < FREE) {
            let is_ours = self.men.attackers >> number & 1 == 1;
            let (ways, moves) = if is_ours { (ours, &mut fit.attacker) } else { (theirs, &mut fit.defender) };
            *moves = moves.checked_sub(ways.distance(self.men.man(number), goal))?;
        }
        self.with_captures(fit, goals)
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
            fit.reach = self.reach(ours, goals, fit.attacker.into());
            for number in numbers(self.men.alive).filter(|&number| goals[number].0 == TAKEN) {
                let way = comes_to(theirs, self.men.man(number), self.men.color, fit.reach)?;
                fit.spare = fit.spare.checked_sub(way)?;
            }
        }
        Some(fit)
    }

    /// Returns the picture after a half-move; `None` if it fits no longer.
    fn next(&self, fit: &Fit, goals: &[Goal], step: &Step, before: Left) -> Option<Fit> {
        let is_ours = self.men.attackers >> step.man & 1 == 1;
        if let Some(captured) = step.captured {
            let is_lost = goals[captured].0 != if is_ours { TAKEN } else { FREE };
            return if is_lost { None } else { self.fit(fit.picture, goals) };
        }
        let (ours, theirs) = self.ways(fit);
        let goal = goals[step.man];
        let mut next = *fit;
        if is_ours {
            let way = |man| if goal.0 < FREE { ours.distance(man, goal) } else { 0 };
            let spent = before.attacker - self.left.attacker + way(step.after);
            next.attacker = (fit.attacker + way(step.before)).checked_sub(spent)?;
            return if next.taken > self.left.attacker { None } else { self.with_captures(next, goals) };
        }
        let way = |man| match goal.0 {
            TAKEN if self.rules.taken => comes_to(theirs, man, self.men.color, fit.reach),
            TAKEN => Some(0),
            _ => Some(theirs.distance(man, goal)),
        };
        let spent = before.defender - self.left.defender;
        let (way_before, way_after) = (way(step.before)?, way(step.after)?);
        next.spare = (fit.spare + way_before).checked_sub(spent + way_after)?;
        next.defender =
            if goal.0 == TAKEN { fit.defender - spent } else { fit.defender + way_before - spent - way_after };
        Some(next)
    }

    /// Returns the squares on which the mating side can capture, if it has so many moves more than the picture needs.
    fn reach(&self, ways: &Geometry, goals: &[Goal], slack: i32) -> Bitboard {
        let ours = numbers(self.men.attackers & self.men.alive);
        ours.fold(Bitboard::EMPTY, |all, number| {
            let (man, goal) = (self.men.man(number), goals[number]);
            all | match goal.0 {
                FREE => ways.captures(man, slack),
                _ => ways.captures_on_way(man, goal, i32::from(ways.distance(man, goal)) + slack),
            }
        })
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
