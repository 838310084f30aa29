//! The transposition table of `pvs`: bounds, and failures with their depth.
//!
//! Like the shared [`Facts`](crate::search::Facts), this table holds the [`Bounds`] of a position, so that a mate can
//! be rebuilt even if other searches overwrite its facts. It also holds the last failure: "no mate within n moves was
//! found at depth d". A failure proves nothing and never leaves this table. It answers only questions that are no
//! harder ([`FailedSearch::answers`]).
//!
//! An entry takes two words, and four entries form a bucket. In a full bucket the entry that is cheapest to compute
//! again is replaced.

use crate::base::memory;
use crate::chess::{MateLength, MoveCode};
use crate::proof::Bounds;

use super::super::principal::Entry;
use super::depth::Depth;

/// A search that did not find a mate and proved nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FailedSearch {
    /// The longest mate that was looked for.
    pub within: MateLength,
    /// The depth of the search.
    pub depth: Depth,
    /// Whether null-move fail-highs were verified.
    pub verify: bool,
}

impl FailedSearch {
    /// Returns whether a search with these parameters would fail too.
    pub fn answers(self, within: MateLength, depth: Depth, verify: bool) -> bool {
        self.within >= within && self.depth >= depth && (self.verify || !verify)
    }
}

/// The results for one position.
pub(super) type PvsEntry = Entry<FailedSearch>;

/// The mask of a packed mate length.
const LENGTH: u64 = (1 << 10) - 1;
/// The mask of a packed depth.
const DEPTH: u64 = (1 << 12) - 1;

impl PvsEntry {
    /// Packs the entry: best move 16 bits, proved length 10, shortest open length 10, and the failure's length 10,
    /// depth 12 and verification 1. A length of 0 stands for no proof and for no failure: a position that is checkmate
    /// is recognised without the table.
    fn pack(self) -> u64 {
        let proved = self.bounds.proved().map_or(0, |length| u64::from(length.0));
        let open = u64::from(self.bounds.shortest_open().0);
        let failed = self.failure.map_or(0, |failure| {
            u64::from(failure.within.0)
                | u64::try_from(failure.depth.in_quarters()).map_or(0, |depth| depth.min(DEPTH)) << 10
                | u64::from(failure.verify) << 22
        });
        u64::from(MoveCode::pack(self.best)) | proved << 16 | open << 26 | failed << 36
    }

    fn unpack(data: u64) -> PvsEntry {
        let length = |shift: u32| MateLength((data >> shift & LENGTH) as u16);
        let proved = Some(length(16)).filter(|length| length.0 > 0);
        let failure = Some(FailedSearch {
            within: length(36),
            depth: Depth::quarters((data >> 46 & DEPTH) as i32),
            verify: data >> 58 & 1 == 1,
        });
        PvsEntry {
            best: MoveCode::unpack((data & 0xffff) as u16),
            bounds: Bounds::new(length(26).shorter(), proved),
            failure: failure.filter(|failure| failure.within.0 > 0),
        }
    }

    /// Returns an estimate of the cost of computing the entry again. Proofs count most: mates are rebuilt from them.
    fn replacement_cost(self) -> u32 {
        let proof = if self.bounds.proved().is_some() { 1 << 12 } else { 0 };
        let failed = self.failure.map_or(0, |failure| u32::try_from(failure.depth.in_plies()).unwrap_or(0));
        1 + proof + failed.max(2 * u32::from(self.bounds.shortest_open().0))
    }
}

/// The entries of a bucket, which are tried for one key. Doubled, a look-up takes longer; halved, more entries are
/// lost.
const BUCKET: usize = 4;

#[derive(Debug)]
pub(super) struct PvsTable {
    /// Keys and packed entries, in buckets. Slots after the last bucket are not used.
    slots: Box<[[u64; 2]]>,
    buckets: usize,
}

impl PvsTable {
    /// Creates a table of at most `bytes` bytes, but at least one bucket. It is smaller if there is not so much memory.
    pub fn with_bytes(bytes: usize) -> PvsTable {
        let (slots, len) = memory::zeroed((bytes / size_of::<[u64; 2]>()).max(BUCKET));
        PvsTable { slots, buckets: len / BUCKET }
    }

    /// Returns the first slot of the key's bucket.
    fn bucket_start(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets as u128) >> 64) as usize * BUCKET
    }

    /// Returns the entry of the position with this key, or an empty one.
    pub fn get(&self, key: u64) -> PvsEntry {
        let start = self.bucket_start(key);
        let slot = self.slots[start..start + BUCKET].iter().find(|slot| slot[0] == key && slot[1] != 0);
        slot.map_or(PvsEntry::default(), |slot| PvsEntry::unpack(slot[1]))
    }

    /// Changes the entry of this key. If there is none, an empty one replaces the cheapest entry of the bucket first.
    pub fn update(&mut self, key: u64, change: impl FnOnce(&mut PvsEntry)) {
        let start = self.bucket_start(key);
        let bucket = &mut self.slots[start..start + BUCKET];
        let at = bucket.iter().position(|slot| slot[0] == key && slot[1] != 0);
        let at = at.unwrap_or_else(|| {
            let cost = |slot: &[u64; 2]| if slot[1] == 0 { 0 } else { PvsEntry::unpack(slot[1]).replacement_cost() };
            (0..BUCKET).min_by_key(|&i| cost(&bucket[i])).unwrap_or(0)
        });
        let mut entry = if bucket[at][0] == key { PvsEntry::unpack(bucket[at][1]) } else { PvsEntry::default() };
        change(&mut entry);
        bucket[at] = [key, entry.pack()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpack_restores_a_packed_entry() {
        let entry = PvsEntry {
            best: MoveCode::unpack(0x7abc),
            bounds: Bounds::new(Some(MateLength(998)), Some(MateLength(1000))),
            failure: Some(FailedSearch { within: MateLength(77), depth: Depth::quarters(321), verify: true }),
        };
        assert_eq!(PvsEntry::unpack(entry.pack()), entry);
        assert_eq!(PvsEntry::unpack(PvsEntry::default().pack()), PvsEntry::default());
    }

    #[test]
    fn a_full_bucket_replaces_the_cheapest_entry() {
        let mut table = PvsTable::with_bytes(0);
        for key in 1..=4 {
            let failure = FailedSearch { within: MateLength(9), depth: Depth::plies(key as i32 * 2), verify: true };
            table.update(key, |entry| entry.failure = Some(failure));
        }
        table.update(1, |entry| entry.bounds.prove(MateLength(3)));
        table.update(5, |entry| entry.bounds.refute(MateLength(29)));
        assert_eq!(table.get(2), PvsEntry::default());
        assert_eq!(table.get(1).bounds.proved(), Some(MateLength(3)));
        assert_eq!(table.get(5).bounds.refuted(), Some(MateLength(29)));
    }

    #[test]
    fn a_failure_answers_questions_that_are_not_larger() {
        let failure = FailedSearch { within: MateLength(5), depth: Depth::plies(6), verify: false };
        assert!(
            failure.answers(MateLength(5), Depth::plies(6), false)
                && failure.answers(MateLength(4), Depth::plies(3), false)
        );
        assert!(
            !failure.answers(MateLength(6), Depth::plies(6), false)
                && !failure.answers(MateLength(5), Depth::plies(6), true)
        );
    }
}
