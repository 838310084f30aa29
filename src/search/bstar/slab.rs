//! A list of records that grows without moving them, so that it never needs twice its memory.

use std::ops::{Index, IndexMut};

/// The records in one chunk, as a power of two.
const CHUNK_BITS: u32 = 12;
const CHUNK: usize = 1 << CHUNK_BITS;

/// A growing list of records in chunks of 4096.
#[derive(Debug)]
pub(super) struct Slab<T> {
    chunks: Vec<Vec<T>>,
    len: u32,
}

impl<T> Slab<T> {
    /// Creates an empty list.
    pub fn new() -> Slab<T> {
        Slab { chunks: Vec::new(), len: 0 }
    }

    /// Returns the number of records.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Returns the bytes taken.
    pub fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * size_of::<T>() + self.chunks.capacity() * size_of::<Vec<T>>()
    }

    /// Returns the bytes that `n` more records would take beside those taken already.
    pub fn bytes_for(&self, n: usize) -> usize {
        let chunks = (self.len as usize + n).div_ceil(CHUNK);
        chunks.saturating_sub(self.chunks.len()) * CHUNK * size_of::<T>()
    }

    /// Allocates the chunks for `n` more records. Returns `false` if the system has no memory for them.
    pub fn make_room(&mut self, n: usize) -> bool {
        let chunks = (self.len as usize + n).div_ceil(CHUNK);
        if self.chunks.try_reserve(chunks.saturating_sub(self.chunks.len())).is_err() {
            return false;
        }
        while self.chunks.len() < chunks {
            let mut chunk = Vec::new();
            if chunk.try_reserve_exact(CHUNK).is_err() {
                return false;
            }
            self.chunks.push(chunk);
        }
        true
    }

    /// Appends a record and returns its index. Without [`Slab::make_room`], it allocates memory if it needs some.
    pub fn push(&mut self, record: T) -> u32 {
        let at = self.len;
        let chunk = (at >> CHUNK_BITS) as usize;
        if chunk == self.chunks.len() {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        self.chunks[chunk].push(record);
        self.len += 1;
        at
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: u32) -> &T {
        &self.chunks[(at >> CHUNK_BITS) as usize][at as usize % CHUNK]
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut T {
        &mut self.chunks[(at >> CHUNK_BITS) as usize][at as usize % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_stay_where_they_are_and_the_bytes_are_foretold() {
        let mut slab = Slab::new();
        for n in 0..10_000_u64 {
            let before = slab.bytes_for(1);
            let chunks = slab.chunks.len();
            assert_eq!(slab.push(n), n as u32);
            assert_eq!(before, (slab.chunks.len() - chunks) * CHUNK * size_of::<u64>());
        }
        assert!((0..10_000_u32).all(|n| slab[n] == u64::from(n)));
        assert_eq!((slab.len(), slab.bytes_for(5 * CHUNK)), (10_000, 5 * CHUNK * 8));
        slab[3] = 7;
        assert_eq!(slab[3], 7);
    }

    #[test]
    fn room_is_made_ahead_and_a_failure_changes_nothing() {
        let mut slab = Slab::new();
        assert!(slab.make_room(2 * CHUNK + 1) && slab.chunks.len() == 3);
        let bytes = slab.bytes();
        assert!((0..=2 * CHUNK as u64).all(|n| slab.push(n) == n as u32));
        assert_eq!((slab.bytes(), slab.len()), (bytes, 2 * CHUNK as u32 + 1));
        assert!(!slab.make_room(usize::MAX / 2));
        assert!(slab[4096] == 4096 && slab.push(1) == 2 * CHUNK as u32 + 1);
    }
}
