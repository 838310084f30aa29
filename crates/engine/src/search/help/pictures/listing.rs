//! Lists the final pictures of stalemates: first what becomes of the men of the side that is to have no move.
//!
//! For each square of the king, every other man of his side is captured, or placed on a square where he has no move in
//! the end. For that, the squares beside a line piece and those that a knight attacks hold men of his own side, the
//! square in front of a pawn holds any man, or the man is pinned. So a man who is placed asks for more men. One open
//! square is taken at a time, and each man who is not placed yet is tried there; in front of a pawn, the mating side,
//! too. In the end one of them stands there, so nothing is lost. When nothing is asked for, the next man is captured or
//! placed anywhere.
//!
//! A branch is given up when, among other things,
//!
//! * more squares must be filled than there are men left, those neighbours of the king among them that the mating side
//!   cannot guard ([`super::flights`]); or filling them takes too many moves;
//! * the mating side has not the moves to stand where it must, in front of pawns or behind men who are pinned.
//!
//! Then the men of the mating side are placed ([`super::needs`]), so that pawns cannot capture them.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use shakmaty::{Bitboard, Square, attacks};

use super::super::geometry::{
    BISHOP, KING, Kind, NEVER, QUEEN, ROOK, Row, ahead, behind, is_pawn, line_piece, moves_along,
};
use super::super::view::{Man, hits};
use super::flights::Flights;
use super::men::{DEFENDER_KING, Reach, numbers, within};
use super::{FREE, Goal, Set, Situation, TAKEN, comes_to};
use crate::search::{Interrupted, Meter};

/// The listing ended early: it takes too long or too much memory, or a limit was reached, which the search notices,
/// too.
pub(super) struct Unlisted;

impl From<Interrupted> for Unlisted {
    fn from(_: Interrupted) -> Unlisted {
        Unlisted
    }
}

/// The steps of a listing, which is given up when there are too many.
pub(super) struct Effort<'a, 'c> {
    meter: &'a mut Meter<'c>,
    /// The steps that are left.
    steps: u64,
}

impl<'a, 'c> Effort<'a, 'c> {
    pub(super) fn new(meter: &'a mut Meter<'c>, steps: u64) -> Effort<'a, 'c> {
        Effort { meter, steps }
    }

    /// Counts a step.
    pub(super) fn step(&mut self) -> Result<(), Unlisted> {
        self.meter.look()?;
        self.steps = self.steps.checked_sub(1).ok_or(Unlisted)?;
        Ok(())
    }
}

/// A listing under way.
pub(super) struct Listing<'a, 'c> {
    pub situation: &'a Situation<'a>,
    /// By number: how far each man gets.
    pub men: Vec<Reach>,
    /// The nearest man of the mating side, of any kind; as a rook or queen; as a bishop or queen.
    nearest: Row,
    straight: Row,
    diagonal: Row,
    /// The moves that each man needs to be captured.
    taken: Vec<i32>,
    pictures: Set<Box<[Goal]>>,
    /// The goals of the branch.
    pub goals: Vec<Goal>,
    pub effort: Effort<'a, 'c>,
    most_pictures: usize,
    counts: &'a AtomicUsize,
}

/// A square of the king.
pub(super) struct Centre {
    pub king: Square,
    /// The neighbours of the square.
    pub near: Bitboard,
    pub flights: Flights,
}

/// The decisions about the men of the side that is to have no move.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Placed {
    /// The squares on which they stand, the king's among them.
    pub theirs: Bitboard,
    /// The pawns among them.
    pub pawns: Bitboard,
    /// The men who must be pinned, and the squares that are empty for that.
    pub pinned: Bitboard,
    empty: Bitboard,
    /// The squares beside men who are not pinned: their own side must fill them.
    exits: Bitboard,
    /// The squares in front of pawns that are not pinned: anybody may stand there.
    ahead: Bitboard,
    /// The squares of those on which the mating side must stand.
    pub ours: Bitboard,
    left: u32,
    moves: i32,
    taken: i32,
    /// The moves that the mating side needs for pins and in front of pawns.
    pins: i32,
    fronts: i32,
}

impl<'a, 'c> Listing<'a, 'c> {
    pub(super) fn new(
        situation: &'a Situation<'a>,
        meter: &'a mut Meter<'c>,
        (most_steps, most_pictures): (u64, usize),
        counts: &'a AtomicUsize,
    ) -> Listing<'a, 'c> {
        let men = situation.men;
        let ours = men.attackers & men.alive;
        let moves = situation.left;
        let (our_ways, their_ways) = situation.longest_ways();
        let reach = situation.reaches();
        let free = vec![(FREE, Square::A1); men.len()];
        let captures = situation.reach(our_ways, &free, moves.attacker.into());
        let taken = |number| comes_to(their_ways, men.man(number), men.color, captures).unwrap_or(NEVER).into();
        let row = |kinds: &[Kind]| {
            let mut nearest = [NEVER; 64];
            for number in numbers(ours) {
                for (_, row, _) in reach[number].ways.iter().filter(|(kind, _, _)| kinds.contains(kind)) {
                    nearest.iter_mut().zip(*row).for_each(|(nearest, &moves)| *nearest = (*nearest).min(moves));
                }
            }
            nearest
        };
        Listing {
            nearest: row(&[0, 1, 2, 3, 4, 5, 6]),
            straight: row(&[QUEEN, ROOK]),
            diagonal: row(&[QUEEN, BISHOP]),
            taken: (0..men.len()).map(taken).collect(),
            situation,
            men: reach,
            pictures: Set::default(),
            goals: free,
            effort: Effort::new(meter, most_steps),
            most_pictures,
            counts,
        }
    }

    /// Lists all pictures, each by the goals of all men.
    pub(super) fn all(mut self) -> Result<Set<Box<[Goal]>>, Unlisted> {
        let men = self.situation.men;
        let moves = i32::from(self.situation.left.defender);
        let ours = numbers(men.attackers & men.alive).collect::<Vec<_>>();
        for king in within(self.men[DEFENDER_KING].ways[0].2, moves) {
            let flights =
                Flights::of(king, ours.iter().map(|&number| &self.men[number]), self.situation.left.attacker.into());
            let centre = Centre { king, near: attacks::king_attacks(king), flights };
            self.goals[DEFENDER_KING] = (KING, king);
            self.place(
                &centre,
                &Placed {
                    theirs: king.into(),
                    left: men.alive & !men.attackers & !(1 << DEFENDER_KING),
                    moves: moves - i32::from(self.men[DEFENDER_KING].nearest[king as usize]),
                    ..Placed::default()
                },
            )?;
        }
        Ok(self.pictures)
    }

    /// Adds the picture of the present goals if it can be reached.
    pub(super) fn add(&mut self) -> Result<(), Unlisted> {
        if self.situation.fit(0, (&self.goals, None)).is_some() {
            self.pictures.insert(self.goals.as_slice().into());
            self.counts.store(self.pictures.len(), Relaxed);
        }
        if self.pictures.len() > self.most_pictures { Err(Unlisted) } else { Ok(()) }
    }

    /// Returns the moves of the nearest man of a set to a square.
    fn nearest(&self, left: u32, square: Square) -> i32 {
        numbers(left).map(|number| self.men[number].nearest[square as usize]).min().unwrap_or(NEVER).into()
    }

    fn is_hopeless(&self, centre: &Centre, placed: &Placed) -> bool {
        let Placed { theirs, exits, ahead, ours, left, .. } = *placed;
        let open = exits & !theirs;
        let fronts = ahead & !theirs & !ours;
        if (open & (placed.empty | ours)).any() || (fronts & placed.empty).any() {
            return true;
        }
        if !self.situation.rules.needs {
            return false;
        }
        let flights = centre.near & !(theirs | open);
        if open.count() + centre.flights.blocks(flights) > left.count_ones() as usize {
            return true;
        }
        let fill = open.into_iter().map(|square| self.nearest(left, square)).sum::<i32>();
        let attacker = i32::from(self.situation.left.attacker);
        fill > placed.moves || placed.pins > attacker || placed.fronts > attacker
    }

    fn place(&mut self, centre: &Centre, placed: &Placed) -> Result<(), Unlisted> {
        self.effort.step()?;
        if self.is_hopeless(centre, placed) {
            return Ok(());
        }
        let exit = (placed.exits & !placed.theirs).first();
        let front = (placed.ahead & !placed.theirs & !placed.ours).first();
        if let Some(square) = exit.or(front) {
            for number in numbers(placed.left) {
                for way in 0..self.men[number].ways.len() {
                    let (kind, row, _) = self.men[number].ways[way];
                    let cost = i32::from(row[square as usize]);
                    if cost <= placed.moves {
                        self.put(centre, placed, number, (kind, square), cost)?;
                    }
                }
            }
            if exit.is_none() {
                let cost = i32::from(self.nearest[square as usize]);
                let next = Placed { ours: placed.ours.with(square), fronts: placed.fronts + cost, ..*placed };
                self.place(centre, &next)?;
            }
            return Ok(());
        }
        let Some(number) = numbers(placed.left).next() else { return self.guard(centre, placed) };
        let cost = self.taken[number];
        if placed.taken < self.situation.left.attacker.into() && cost <= placed.moves {
            self.goals[number] = (TAKEN, Square::A1);
            let next = Placed {
                left: placed.left & !(1 << number),
                moves: placed.moves - cost,
                taken: placed.taken + 1,
                ..*placed
            };
            self.place(centre, &next)?;
        }
        for way in 0..self.men[number].ways.len() {
            let (kind, row, steps) = self.men[number].ways[way];
            for square in within(steps, placed.moves) & !placed.theirs {
                self.put(centre, placed, number, (kind, square), row[square as usize].into())?;
            }
        }
        Ok(())
    }

    /// Places a man, at this cost.
    fn put(&mut self, centre: &Centre, placed: &Placed, number: usize, man: Man, cost: i32) -> Result<(), Unlisted> {
        let (kind, square) = man;
        if cost > placed.moves || (placed.theirs | placed.empty | placed.ours).contains(square) {
            return Ok(());
        }
        self.goals[number] = man;
        let theirs = placed.theirs.with(square);
        let pawn = if is_pawn(kind) { Bitboard::from(square) } else { Bitboard::EMPTY };
        let next = Placed {
            theirs,
            pawns: placed.pawns | pawn,
            left: placed.left & !(1 << number),
            moves: placed.moves - cost,
            ..*placed
        };
        let (exits, ahead) = if is_pawn(kind) {
            (Bitboard::EMPTY, ahead(self.situation.men.color, square))
        } else {
            (hits(man), Bitboard::EMPTY)
        };
        if ((exits | ahead) & !theirs).any()
            && let Some((between, cost)) = self.pin(centre, placed, man)
        {
            let pinned = Placed {
                pinned: next.pinned.with(square),
                empty: next.empty | between,
                pins: next.pins + cost,
                ..next
            };
            self.place(centre, &pinned)?;
        }
        self.place(centre, &Placed { exits: next.exits | exits, ahead: next.ahead | ahead, ..next })
    }

    /// Returns the squares between the king and a man who is to be pinned there, so that he has no move, and the moves
    /// of the nearest man who pins him; `None` if he cannot be.
    fn pin(&self, centre: &Centre, placed: &Placed, man: Man) -> Option<(Bitboard, i32)> {
        let (_, square) = man;
        let between = attacks::between(centre.king, square);
        if moves_along(man, centre.king) || (between & (placed.theirs | placed.ours)).any() {
            return None;
        }
        let row = if line_piece(centre.king, square) == ROOK { &self.straight } else { &self.diagonal };
        let cost = behind(centre.king, square).into_iter().map(|from| row[from as usize]).min()?;
        (i32::from(cost) <= self.situation.left.attacker.into()).then_some((between, cost.into()))
    }
}
