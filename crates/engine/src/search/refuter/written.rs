//! Remembers which positions have lines.
//!
//! A position that is forgotten is written again, so a small table makes a longer certificate, and no wrong one. Two
//! positions with the same key may make one that the checker refuses.

use std::ops::Range;

/// The positions that have lines, by key. In a full bucket a new line replaces one with the fewest moves left.
pub(super) struct WrittenLines {
    /// The key; and the line with the moves left in its lowest bits, 0 if the slot is empty.
    slots: Vec<[u64; 2]>,
}

/// The number of slots in which one key can stand. Doubled, a look-up takes longer; halved, more lines are written
/// twice.
const BUCKET: usize = 4;

/// The bits of the moves left.
const LEFT_BITS: u32 = 16;

impl WrittenLines {
    pub(super) fn new(bytes: usize) -> WrittenLines {
        let slots = (bytes / size_of::<[u64; 2]>()).max(BUCKET) / BUCKET * BUCKET;
        WrittenLines { slots: vec![[0; 2]; slots] }
    }

    /// Returns the slots in which this key can stand.
    fn bucket(&self, key: u64) -> Range<usize> {
        let start = ((u128::from(key) * (self.slots.len() / BUCKET) as u128) >> 64) as usize * BUCKET;
        start..start + BUCKET
    }

    /// Returns a line of this position with `left` moves left, or more.
    pub(super) fn get(&self, key: u64, left: u16) -> Option<usize> {
        let known =
            self.slots[self.bucket(key)].iter().find(|&&[known, line]| known == key && line as u16 >= left.max(1));
        known.map(|&[_, line]| (line >> LEFT_BITS) as usize)
    }

    pub(super) fn insert(&mut self, key: u64, left: u16, line: usize) {
        let range = self.bucket(key);
        let bucket = &mut self.slots[range];
        // Where all slots are full, one of those with the fewest moves left is lost, a different one each time.
        let of_key = bucket.iter().position(|&[known, _]| known == key);
        let least = || (0..BUCKET).map(|at| (at + line) % BUCKET).min_by_key(|&at| bucket[at][1] as u16);
        if let Some(at) = of_key.or_else(least) {
            bucket[at] = [key, (line as u64) << LEFT_BITS | u64::from(left)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_serves_as_many_moves_as_it_has_or_fewer() {
        let key = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut written = WrittenLines::new(1 << 10);
        written.insert(key(1), 3, 70_000);
        assert_eq!([written.get(key(1), 2), written.get(key(1), 3)], [Some(70_000); 2]);
        assert_eq!([written.get(key(1), 4), written.get(key(2), 2)], [None; 2]);
        written.insert(key(1), 4, 70_001);
        assert_eq!(written.get(key(1), 2), Some(70_001));
        // A full bucket keeps the lines with the most moves left.
        (2..1_000).for_each(|n| written.insert(key(n), 2, n as usize));
        assert_eq!(written.get(key(1), 4), Some(70_001));
        assert!((2..1_000).filter(|&n| written.get(key(n), 2) == Some(n as usize)).count() > 40);
    }
}
