//! The distances of all positions of a world, and the numbers of lines.

use std::collections::HashMap;

use matesolve_engine::chess::End;
use shakmaty::{Chess, Color, Position as _};

use super::state::State;
use super::{MATE, NO_POSITION, OPEN, STALEMATE, World};
use crate::helped::played;
use crate::random::Random;

impl World {
    /// Returns the distance of every position from the nearest mate or stalemate of Black.
    pub fn distances(&self, end: End) -> Distances<'_> {
        let goal = if end == End::Mate { MATE } else { STALEMATE };
        let begin = |&kind: &u8| match kind {
            NO_POSITION => NO_POSITION,
            kind if kind == goal => 0,
            _ => OPEN,
        };
        let mut table: Vec<u8> = self.kinds.iter().map(begin).collect();
        for distance in 0.. {
            let turn = Color::from_black(distance % 2 == 0);
            let mut has_found = false;
            for set in &self.sets {
                for place in set.places(turn) {
                    if table[place] == distance {
                        self.before(&set.state(place), &mut |before| {
                            if table[before] == OPEN {
                                table[before] = distance + 1;
                                has_found = true;
                            }
                        });
                    }
                }
            }
            if !has_found {
                break;
            }
        }
        Distances { world: self, table }
    }
}

/// The distances of the positions of a world from the nearest mate or stalemate of Black, in half-moves.
pub struct Distances<'a> {
    world: &'a World,
    table: Vec<u8>,
}

/// The numbers of lines that are known, by place and length.
pub type Counts = HashMap<(usize, u8), u64>;

impl Distances<'_> {
    /// Returns the distance of a position; `None` if Black cannot be mated or stalemated.
    pub fn of(&self, chess: &Chess) -> Option<u8> {
        let place = self.world.place(&State::of(chess)).expect("a position of this world");
        self.at(place)
    }

    fn at(&self, place: usize) -> Option<u8> {
        let distance = self.table[place];
        assert_ne!(distance, NO_POSITION);
        (distance != OPEN).then_some(distance)
    }

    /// Returns the number of positions of a set at each distance, and last those without one.
    pub fn histogram(&self, set: usize) -> Vec<usize> {
        let mut counts = vec![0; usize::from(OPEN) + 1];
        let set = &self.world.sets[set];
        for place in set.places(Color::White).chain(set.places(Color::Black)) {
            if self.table[place] != NO_POSITION {
                counts[usize::from(self.table[place])] += 1;
            }
        }
        let without = counts.pop().expect("the positions without a distance");
        counts.truncate(counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1));
        counts.push(without);
        counts
    }

    /// Compares the distances of every `step`th place with shakmaty. A distance is 0 if the goal stands on the board.
    /// Else it is one more than the least one after a legal move. Returns the number of positions.
    pub fn check(&self, end: End, step: usize) -> usize {
        let mut positions = 0;
        for set in &self.world.sets {
            for place in set.places(Color::White).chain(set.places(Color::Black)).step_by(step) {
                if self.table[place] == NO_POSITION {
                    continue;
                }
                let chess = set.state(place).chess().expect("a position");
                let is_end = if end == End::Mate { chess.is_checkmate() } else { chess.is_stalemate() };
                let after = chess.legal_moves().into_iter().filter_map(|m| self.of(&played(&chess, m))).min();
                let expected = if is_end && chess.turn().is_black() { Some(0) } else { after.map(|after| after + 1) };
                assert_eq!(self.at(place), expected, "{chess:?}");
                positions += 1;
            }
        }
        positions
    }

    /// Returns `count` random positions of a set whose distance is wanted, all if there are no more. Distances 0 are
    /// left out: nothing is asked about a goal that stands.
    pub fn draw(
        &self,
        set: usize,
        count: usize,
        random: &mut Random,
        is_wanted: impl Fn(Option<u8>) -> bool,
    ) -> Vec<Chess> {
        let set = &self.world.sets[set];
        let is_wanted = |place: &usize| match self.table[*place] {
            NO_POSITION | 0 => false,
            OPEN => is_wanted(None),
            distance => is_wanted(Some(distance)),
        };
        let places = set.places(Color::White).start..set.places(Color::Black).end;
        let mut wanted: Vec<usize> = places.clone().filter(is_wanted).take(count + 1).collect();
        if wanted.len() > count {
            let drawn = std::iter::repeat_with(|| places.start + random.below(places.len()));
            wanted = drawn.filter(is_wanted).take(count).collect();
        }
        wanted.into_iter().map(|place| set.state(place).chess().expect("a position")).collect()
    }

    /// Returns the number of lines of exactly `length` half-moves; `u64::MAX` if there are more.
    pub fn lines(&self, chess: &Chess, length: u8, known: &mut Counts) -> u64 {
        let place = self.world.place(&State::of(chess)).expect("a position of this world");
        match self.at(place) {
            None => return 0,
            Some(distance) if distance > length => return 0,
            Some(0) if length == 0 => return 1,
            _ => {}
        }
        if let Some(&count) = known.get(&(place, length)) {
            return count;
        }
        if length == 0 {
            return 0;
        }
        let moves = chess.legal_moves().into_iter();
        let count = moves.map(|m| self.lines(&played(chess, m), length - 1, known)).fold(0, u64::saturating_add);
        known.insert((place, length), count);
        count
    }
}
