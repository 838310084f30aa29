//! The shared table of facts: for a position, the length through which mates are refuted, and the length of a proved
//! mate with its move.
//!
//! Both facts are monotone ([`Bounds`]). An update keeps the longer refutation and the shorter proof, so several
//! threads may write in any order. A reader gets true facts, though not always the best ones, unless two positions
//! share a key.
//!
//! A slot of the table is two words, `key ^ data` and `data` (Hyatt & Mann 2002, "A lockless transposition-table
//! implementation with parallel access"). If two threads write at once and the words do not match, the slot is not
//! found. A new fact replaces the least valuable one of its bucket; a lost fact costs time, not correctness.
//!
//! Pages of memory that the system gives for the first time are slow. So a thread keeps the memory of its last table,
//! if it is not too large, for the next one of the same size. Facts carry the number of their table, and those of
//! another one count as empty slots.
//!
//! Any engine may write proofs, because a proof does not depend on the moves before the position. A refutation may be
//! written only if it holds for the position and the length, whatever was played before. A failure that depends on a
//! repetition, a null move, a reduction or a restriction must not be written.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shakmaty::Color;

use crate::base::memory;
use crate::chess::{MateLength, MoveCode, Stipulation};
use crate::proof::Bounds;

/// The bounds that are known of one position, and the move that proves the mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fact {
    /// The lengths that are proved and refuted, in moves.
    pub bounds: Bounds,
    /// The attacker's move that proves the mate. `None` if no mate is proved, if the defender is to move, or if the
    /// move is not recorded.
    pub best: Option<MoveCode>,
}

impl Fact {
    /// Nothing is known.
    pub const UNKNOWN: Fact = Fact { bounds: Bounds::UNKNOWN, best: None };

    /// Packs the fact into 40 bits: the refuted length plus one (0: nothing is refuted), the proved length
    /// ([`NO_PROOF`]: no mate is proved) and the move.
    fn pack(self) -> u64 {
        let refuted = self.bounds.refuted().map_or(0, |n| u64::from(n.0) + 1);
        let proved = self.bounds.proved().map_or(NO_PROOF, |n| u64::from(n.0));
        refuted | proved << LENGTH_BITS | u64::from(MoveCode::pack(self.best)) << (2 * LENGTH_BITS)
    }

    /// Reverses [`Fact::pack`].
    fn unpack(data: u64) -> Fact {
        let (refuted, proved) = (data & NO_PROOF, data >> LENGTH_BITS & NO_PROOF);
        let length = |n: u64| MateLength(n as u16);
        let bounds = Bounds::new(refuted.checked_sub(1).map(length), (proved != NO_PROOF).then(|| length(proved)));
        Fact { bounds, best: MoveCode::unpack((data >> (2 * LENGTH_BITS)) as u16) }
    }

    /// Returns the value of keeping the fact: long refutations and all proofs are expensive to find again (Popeye's
    /// rule).
    fn worth(self) -> u32 {
        let proof = if self.bounds.proved().is_some() { 8 } else { 0 };
        1 + 4 * self.bounds.refuted().map_or(0, |n| u32::from(n.0) + 1) + proof
    }
}

/// The bits of a length in a packed fact: enough for [`MateLength::MAX`] + 1.
const LENGTH_BITS: u32 = 12;
/// The packed length that stands for "no mate is proved". Also the mask of a packed length.
const NO_PROOF: u64 = (1 << LENGTH_BITS) - 1;

/// A place for one fact: the position's key XOR the packed fact, and the packed fact with the number of its table. A
/// new slot is 0.
type FactSlot = [AtomicU64; 2];

/// The first bit of the number of the table in a packed fact, and the largest such number.
const TABLE_SHIFT: u32 = 2 * LENGTH_BITS + 16;
const LAST_TABLE: u64 = u64::MAX >> TABLE_SHIFT;

/// The largest memory, in slots, that a thread keeps for its next table. Doubled, idle threads hold more memory;
/// halved, more tables take their pages from the system again.
const LARGEST_KEPT: usize = (64 << 20) / size_of::<FactSlot>();

thread_local! {
    /// The memory of this thread's last table.
    static KEPT: Cell<Option<Slots>> = const { Cell::new(None) };
}

/// The memory of a table.
#[derive(Debug, Default)]
struct Slots {
    list: Box<[FactSlot]>,
    /// The number of slots that are used.
    used: usize,
    /// The number of the table in its facts, at least 1.
    table: u64,
    /// A bit for each bucket in which a proof has been stored. The table is larger than the processor's cache, and
    /// these bits are not: most questions for proofs end here.
    proofs: Box<[AtomicU64]>,
}

impl Slots {
    /// Returns `len` empty slots, or fewer if there is not enough memory.
    fn new(len: usize) -> Slots {
        // Memory kept of another size is freed before more is taken.
        let kept = KEPT.try_with(Cell::take).ok().flatten();
        if let Some(mut kept) = kept.filter(|kept| kept.used == len && kept.table < LAST_TABLE) {
            kept.table += 1;
            kept.proofs.iter_mut().for_each(|bits| *bits.get_mut() = 0);
            return kept;
        }
        let (list, used) = memory::zeroed(len);
        let proofs = (0..(used / BUCKET_SIZE).div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Slots { list, used, table: 1, proofs }
    }
}

/// The memory of a table in use. When it is dropped, the thread keeps it.
#[derive(Debug)]
struct LentSlots(Slots);

impl Drop for LentSlots {
    fn drop(&mut self) {
        if self.0.used <= LARGEST_KEPT {
            let kept = std::mem::take(&mut self.0);
            // At the end of a thread there is no next table.
            let _ = KEPT.try_with(|place| place.set(Some(kept)));
        }
    }
}

/// The number of slots in which one key can be stored. Doubled, a look-up reads two lines of the cache; halved, more
/// facts are lost.
const BUCKET_SIZE: usize = 4;

/// A table of facts by position. Threads share it by reference.
///
/// The facts are those about one question: one attacker and one goal. [`Facts::about`] gives the same table for another
/// question.
#[derive(Debug)]
pub struct Facts {
    /// The slots of all buckets; those after them are not used.
    lent: Arc<LentSlots>,
    buckets: usize,
    /// Changes the keys, so that the facts about different questions are not mixed. Changes low bits only: the bucket
    /// does not depend on it.
    salt: u64,
}

impl Facts {
    /// Makes an empty table of at most this many bytes, but of at least 64, for direct mates by White. It is smaller if
    /// there is not so much memory.
    pub fn with_bytes(bytes: usize) -> Facts {
        let slots = Slots::new((bytes / size_of::<FactSlot>()).max(BUCKET_SIZE));
        Facts { buckets: slots.used / BUCKET_SIZE, lent: Arc::new(LentSlots(slots)), salt: 0 }
    }

    /// Returns this table for the facts about another question. Both share the memory, and no facts.
    #[must_use]
    pub fn about(&self, stipulation: Stipulation, attacker: Color) -> Facts {
        Facts { lent: Arc::clone(&self.lent), salt: stipulation.salt(attacker), ..*self }
    }

    /// Returns the number of the bucket in which this key can be stored.
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        // CITE: Lemire 2016, "A fast alternative to the modulo reduction". The high bits of the key choose the bucket.
        ((u128::from(key) * self.buckets as u128) >> 64) as usize
    }

    #[inline]
    fn slots(&self, bucket: usize) -> &[FactSlot] {
        &self.lent.0.list[bucket * BUCKET_SIZE..][..BUCKET_SIZE]
    }

    /// Returns whether a packed fact is one of this table.
    #[inline]
    fn has(&self, data: u64) -> bool {
        data >> TABLE_SHIFT == self.lent.0.table
    }

    /// Returns the facts about the position with this key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Fact {
        let key = key ^ self.salt;
        for [check, data] in self.slots(self.bucket(key)) {
            let data = data.load(Relaxed);
            if self.has(data) && check.load(Relaxed) ^ data == key {
                return Fact::unpack(data);
            }
        }
        Fact::UNKNOWN
    }

    /// Returns the length of the mate that is proved from the position with this key.
    #[inline]
    pub(crate) fn proved(&self, key: u64) -> Option<MateLength> {
        let bucket = self.bucket(key ^ self.salt);
        let has_proof = self.lent.0.proofs[bucket / 64].load(Relaxed) >> (bucket % 64) & 1 != 0;
        if has_proof { self.get(key).bounds.proved() } else { None }
    }

    /// Records that a mate within `n` moves is proved. `best` is the attacker's move, or `None` where the defender is
    /// to move.
    #[inline]
    pub(crate) fn prove(&self, key: u64, n: MateLength, best: Option<MoveCode>) {
        self.update(key, |fact| {
            if !fact.bounds.proves(n) {
                fact.bounds.prove(n);
                fact.best = best;
            }
        });
    }

    /// Records that no mate within `n` moves exists.
    #[inline]
    pub(crate) fn refute(&self, key: u64, n: MateLength) {
        self.update(key, |fact| fact.bounds.refute(n));
    }

    /// Changes the fact of this key, or replaces the least valuable fact of its bucket.
    #[inline]
    fn update(&self, key: u64, change: impl FnOnce(&mut Fact)) {
        let key = key ^ self.salt;
        let mut victim = 0;
        let mut least = u32::MAX;
        let bucket = self.bucket(key);
        let slots = self.slots(bucket);
        let mut fact = Fact::UNKNOWN;
        for (i, [check, data]) in slots.iter().enumerate() {
            let data = data.load(Relaxed);
            if self.has(data) && check.load(Relaxed) ^ data == key {
                fact = Fact::unpack(data);
                victim = i;
                break;
            }
            let worth = if self.has(data) { Fact::unpack(data).worth() } else { 0 };
            if worth < least {
                (least, victim) = (worth, i);
            }
        }
        change(&mut fact);
        debug_assert!(fact.bounds.is_consistent(), "a length was both proved and refuted: {fact:?}");
        let data = fact.pack() | self.lent.0.table << TABLE_SHIFT;
        let [check, stored] = &slots[victim];
        stored.store(data, Relaxed);
        check.store(key ^ data, Relaxed);
        if fact.bounds.proved().is_some() {
            let (bits, bit) = (&self.lent.0.proofs[bucket / 64], 1 << (bucket % 64));
            if bits.load(Relaxed) & bit == 0 {
                bits.fetch_or(bit, Relaxed);
            }
        }
    }

    /// Returns the used part of the table in permille, estimated from its first 4000 slots.
    pub fn permille(&self) -> usize {
        let sample = &self.lent.0.list[..(self.buckets * BUCKET_SIZE).min(4000)];
        sample.iter().filter(|[_, data]| self.has(data.load(Relaxed))).count() * 1000 / sample.len()
    }

    /// Returns the size of the table, in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets * BUCKET_SIZE * size_of::<FactSlot>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_keeps_the_longer_refutation_and_the_shorter_proof() {
        let facts = Facts::with_bytes(1 << 10);
        assert_eq!(facts.get(42), Fact::UNKNOWN);
        facts.refute(42, MateLength(3));
        facts.refute(42, MateLength(2));
        facts.prove(42, MateLength(9), MoveCode::unpack(7));
        facts.prove(42, MateLength(11), MoveCode::unpack(8));
        let bounds = Bounds::new(Some(MateLength(3)), Some(MateLength(9)));
        assert_eq!(facts.get(42), Fact { bounds, best: MoveCode::unpack(7) });
    }

    #[test]
    fn a_table_in_the_memory_of_another_one_is_empty() {
        for n in 1..5 {
            let facts = Facts::with_bytes(1 << 12);
            assert_eq!((facts.get(42), facts.permille(), facts.lent.0.table), (Fact::UNKNOWN, 0, u64::from(n)));
            facts.refute(42, MateLength(n));
            assert_eq!(facts.get(42).bounds, Bounds::new(Some(MateLength(n)), None));
        }
        assert_eq!(Facts::with_bytes(1 << 13).lent.0.table, 1);
    }

    #[test]
    fn every_proof_of_this_table_is_told_and_nothing_else() {
        for table in 0..2_u64 {
            let facts = Facts::with_bytes(1 << 14);
            let keys = |first: u64| (first..first + 100).map(|n| (2 * n + table).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            keys(0).for_each(|key| facts.refute(key, MateLength(3)));
            assert!(keys(0).chain(keys(100)).all(|key| facts.proved(key).is_none()), "{table}");
            for key in keys(100) {
                facts.prove(key, MateLength(7), None);
                facts.refute(key, MateLength(4));
                assert_eq!(facts.proved(key), Some(MateLength(7)), "{table}");
            }
            let bits = facts.lent.0.proofs.iter().map(|bits| bits.load(Relaxed).count_ones()).sum::<u32>();
            assert!((1..=100).contains(&bits), "a bit for each bucket with a proof, none of the table before: {bits}");
            // A proof whose slot has been taken by another fact.
            let lost = keys(100).next().unwrap();
            (1..=4).for_each(|n| facts.refute(lost ^ n, MateLength(99)));
            assert_eq!(facts.proved(lost), None);
        }
    }

    #[test]
    fn questions_share_no_facts() {
        let facts = Facts::with_bytes(1 << 10);
        let others =
            [facts.about(Stipulation::default(), Color::Black), facts.about(Stipulation::mated(None), Color::Black)];
        facts.refute(42, MateLength(3));
        assert!(others.iter().all(|other| other.get(42) == Fact::UNKNOWN));
        others[0].prove(42, MateLength(2), None);
        assert_eq!(others[1].get(42).bounds, Bounds::new(None, Some(MateLength(2))));
        let same = facts.about(Stipulation::mate(Some(MateLength(5))), Color::White);
        assert_eq!(same.get(42).bounds, Bounds::new(Some(MateLength(3)), None));
    }

    #[test]
    fn the_longest_lengths_fit_a_packed_fact() {
        for (refuted, proved) in
            [(None, None), (Some(0), None), (None, Some(0)), (Some(1000), None), (Some(999), Some(1000))]
        {
            let bounds = Bounds::new(refuted.map(MateLength), proved.map(MateLength));
            let fact = Fact { bounds, best: MoveCode::unpack(0xffff) };
            assert_eq!(Fact::unpack(fact.pack()), fact);
        }
    }

    #[test]
    fn a_slot_takes_sixteen_bytes() {
        assert_eq!(size_of::<FactSlot>(), 16);
    }
}
