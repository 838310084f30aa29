//! Sets of positions while a table is built, and the order in which they are visited.
//!
//! A [`PositionSet`] has one bit for each position of a table. Several threads may add to it. A [`WordSet`] is the part
//! of a set in one word. The [`Agenda`] lists, by length, the positions that a conversion or a capture en passant may
//! decide.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shakmaty::Bitboard;

use super::table::LONGEST;
use crate::base::parallel::{Pool, prelude::*};

/// A set of positions of a table, one bit for each.
#[derive(Debug)]
pub(super) struct PositionSet(Vec<AtomicU64>);

impl PositionSet {
    /// Returns the empty set of positions of a table with this number of words.
    pub fn empty(words: usize) -> PositionSet {
        let mut set = Vec::new();
        set.resize_with(words, AtomicU64::default);
        PositionSet(set)
    }

    /// Returns the part of the set in a word.
    #[inline]
    pub fn get(&self, word: usize) -> Bitboard {
        Bitboard(self.0[word].load(Relaxed))
    }

    /// Replaces the part of the set in a word.
    #[inline]
    pub fn set(&self, word: usize, part: Bitboard) {
        self.0[word].store(part.0, Relaxed);
    }

    /// Adds to the part of the set in a word. Returns whether that part was empty and is no longer.
    #[inline]
    pub fn add(&self, word: usize, part: Bitboard) -> bool {
        let slot = &self.0[word];
        if part.0 & !slot.load(Relaxed) == 0 {
            return false;
        }
        slot.fetch_or(part.0, Relaxed) == 0
    }

    /// Removes the part of the set in a word and returns it.
    #[inline]
    pub fn take(&self, word: usize) -> Bitboard {
        let part = self.get(word);
        self.set(word, Bitboard::EMPTY);
        part
    }
}

/// The positions of a set in one word.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordSet {
    pub word: u32,
    pub set: Bitboard,
}

/// By length in moves: the positions to look at when all mates of smaller length are known.
#[derive(Debug)]
pub(super) struct Agenda {
    /// Words in which some position's conversions have this value.
    words: Vec<Vec<u32>>,
    /// Positions whose captures en passant have this value.
    sets: Vec<Vec<WordSet>>,
}

impl Default for Agenda {
    fn default() -> Agenda {
        let levels = usize::from(LONGEST) + 1;
        Agenda { words: vec![Vec::new(); levels], sets: vec![Vec::new(); levels] }
    }
}

impl Agenda {
    /// Adds a word of which some position has a conversion of this value.
    pub fn add_word(&mut self, level: u8, word: usize) {
        self.words[usize::from(level)].push(word as u32);
    }

    /// Adds positions.
    pub fn add_set(&mut self, level: u8, set: WordSet) {
        self.sets[usize::from(level)].push(set);
    }

    /// Adds all that another agenda lists.
    pub fn merge(&mut self, other: Agenda) {
        self.words.iter_mut().zip(other.words).for_each(|(all, more)| all.extend(more));
        self.sets.iter_mut().zip(other.sets).for_each(|(all, more)| all.extend(more));
    }

    /// Removes and returns what is listed for this level.
    pub fn take(&mut self, level: u8) -> (Vec<u32>, Vec<WordSet>) {
        let level = usize::from(level);
        (std::mem::take(&mut self.words[level]), std::mem::take(&mut self.sets[level]))
    }

    /// Returns whether nothing is listed for this level or a higher one.
    pub fn is_done_from(&self, level: u8) -> bool {
        let level = usize::from(level);
        self.words[level..].iter().all(Vec::is_empty) && self.sets[level..].iter().all(Vec::is_empty)
    }
}

/// The least number of items for which threads are used. Halved, threads start for work that is done before they run;
/// doubled, they start later.
pub(super) const PARALLEL_ITEMS: usize = 4_096;

/// The parts that each thread gets, more or less: with several, those that are done early help with the rest. Doubled,
/// there is more to hand out; halved, threads wait longer for the last part.
const PARTS_PER_THREAD: usize = 8;

/// Divides the items among the threads of the pool and returns the results of all parts, in order.
pub(super) fn in_parallel<T: Sync, R: Send>(
    pool: Option<&Pool>,
    items: &[T],
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let Some(pool) = pool.filter(|_| items.len() >= PARALLEL_ITEMS) else { return vec![work(items)] };
    let size = (items.len() / (PARTS_PER_THREAD * pool.threads())).max(1);
    pool.run(|| items.par_chunks(size).map(&work).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_new_once() {
        let set = PositionSet::empty(2);
        assert!(set.add(1, Bitboard(5)) && !set.add(1, Bitboard(2)) && !set.add(1, Bitboard(1)));
        assert_eq!((set.take(1), set.take(1), set.get(0)), (Bitboard(7), Bitboard(0), Bitboard(0)));
    }

    #[test]
    fn every_item_is_visited_once_and_the_results_keep_their_order() {
        let items: Vec<usize> = (0..3 * PARALLEL_ITEMS).collect();
        for threads in [1, 3] {
            assert_eq!(in_parallel(Pool::of(threads).as_ref(), &items, <[usize]>::to_vec).concat(), items);
        }
    }
}
