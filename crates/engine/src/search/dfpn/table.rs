//! The transposition table: the bounds of a position and its proof numbers, in one entry.
//!
//! An entry holds the [`Bounds`] of a position and the proof numbers of one attempt, as the shogi solver
//! `KomoringHeights` stores them: one look-up reads both. Bounds hold for every attempt. Numbers belong to their
//! attempt, so a position that is searched with several horizons may have several entries. Rejected: numbers shared
//! between horizons (`benches/tuning/questions.md`).
//!
//! The table starts small, so that an easy problem stays in the processor's cache, and doubles while its memory
//! suffices. In a full bucket of four the entry of least worth is replaced (after Nagai's `SmallTreeReplacement`):
//! mostly that with the least work, because a large subtree costs most to search again. Losing an entry costs time,
//! never correctness.
//!
//! Threads use one table without a lock (Hyatt & Mann, A lock-less transposition-table implementation for parallel
//! search, ICGA Journal 25, 2002): the first word holds the key combined with the rest of the entry by exclusive or, so
//! an entry half overwritten by another thread does not have the key. A thread that finds the table full makes a larger
//! one, if no thread still uses a smaller one. The others switch to it at their next attempt, or when they find theirs
//! full; what they stored in the old one meanwhile may be lost.

use std::cell::Cell;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use crate::base::memory;
use crate::chess::{MateLength, MoveCode};
use crate::proof::Bounds;
use crate::search::horizon::Horizon;
use crate::search::numbers::ProofNumbers;

use crate::search::numbers::attempt::Attempt;

/// The contents of the table for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TableData {
    /// The lengths that are proved and refuted, in moves.
    pub bounds: Bounds,
    /// The attacker's move that proves the mate. `None` if no mate is proved, at AND nodes, and if the move was not
    /// recorded.
    pub best: Option<MoveCode>,
    /// The numbers of the attempt. Disproved numbers are a tainted disproof; an exact one is in `bounds`.
    pub numbers: Option<ProofNumbers>,
}

impl TableData {
    /// Returns the length of the proved mate if the attempt admits it.
    #[inline]
    pub fn admitted_mate(self, attempt: Attempt) -> Option<MateLength> {
        self.bounds.proved().filter(|&length| attempt.admits(length))
    }
}

/// The content of a slot.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    numbers: ProofNumbers,
    /// The nodes searched below the position, saturating.
    work: u32,
    bounds: PackedBounds,
    /// The attacker's move that proves the mate, as in [`TableData`].
    best: Option<MoveCode>,
    /// The attempt that the numbers belong to; `None` if the entry has no numbers.
    attempt: Option<NonZeroU32>,
}

impl Entry {
    fn new(key: u64) -> Entry {
        let (numbers, bounds, best) = (ProofNumbers::PROVED, PackedBounds::UNKNOWN, None);
        Entry { key, numbers, work: 0, bounds, best, attempt: None }
    }

    /// Returns the value of keeping the entry; in a full bucket the entry with the smallest is replaced.
    fn worth(&self) -> u64 {
        let proof = if self.bounds.proved == PackedBounds::NO_PROOF { 0 } else { 16 };
        1 + u64::from(self.work) + proof + 4 * u64::from(self.bounds.open)
    }
}

/// The [`Bounds`] of an entry in 32 bits.
#[derive(Debug, Clone, Copy)]
struct PackedBounds {
    /// The shortest open length.
    open: u16,
    /// The proved length, or [`PackedBounds::NO_PROOF`].
    proved: u16,
}

impl PackedBounds {
    /// Stands for "no mate is proved". It is longer than every length.
    const NO_PROOF: u16 = u16::MAX;
    const UNKNOWN: PackedBounds = PackedBounds { open: 0, proved: PackedBounds::NO_PROOF };

    #[inline]
    fn unpack(self) -> Bounds {
        let proved = (self.proved != PackedBounds::NO_PROOF).then_some(MateLength(self.proved));
        Bounds::new(MateLength(self.open).shorter(), proved)
    }

    /// Adds a refutation of all mates within `n` moves.
    #[inline]
    fn refute(&mut self, n: MateLength) {
        self.open = self.open.max(n.longer().0);
    }
}

/// The word of a slot that also holds the highest bits of the key, and the number of bits below them.
const REST: usize = 3;
const TAG: u32 = 48;

/// An entry as it is stored in memory; all zero when it is empty.
#[derive(Debug, Default)]
struct Slot([AtomicU64; 4]);

impl Slot {
    /// Returns whether the entry may have this key. One word of the four excludes most other entries.
    #[inline]
    fn may_be(&self, key: u64) -> bool {
        self.0[REST].load(Relaxed) >> TAG == key >> TAG
    }

    /// Returns the key, if the entry was not half overwritten; 0 if the slot is empty.
    #[inline]
    fn key(&self) -> u64 {
        self.0.iter().fold(0, |key, word| key ^ word.load(Relaxed))
    }

    #[inline]
    fn load(&self) -> Entry {
        // One by one: in a build without optimisation across units, `map` of an array is a call.
        let Slot([mixed, numbers, bounds, rest]) = self;
        let (mixed, numbers) = (mixed.load(Relaxed), numbers.load(Relaxed));
        let (bounds, rest) = (bounds.load(Relaxed), rest.load(Relaxed));
        Entry {
            key: mixed ^ numbers ^ bounds ^ rest,
            numbers: ProofNumbers { pn: (numbers >> 32) as u32, dn: numbers as u32 },
            work: (bounds >> 32) as u32,
            bounds: PackedBounds { open: (bounds >> 16) as u16, proved: bounds as u16 },
            best: MoveCode::unpack((rest >> 32) as u16),
            attempt: NonZeroU32::new(rest as u32),
        }
    }

    #[inline]
    fn save(&self, entry: &Entry) {
        let numbers = u64::from(entry.numbers.pn) << 32 | u64::from(entry.numbers.dn);
        let PackedBounds { open, proved } = entry.bounds;
        let bounds = u64::from(entry.work) << 32 | u64::from(open) << 16 | u64::from(proved);
        let rest = entry.key >> TAG << TAG
            | u64::from(MoveCode::pack(entry.best)) << 32
            | entry.attempt.map_or(0, |bits| u64::from(bits.get()));
        let words = [entry.key ^ numbers ^ bounds ^ rest, numbers, bounds, rest];
        for (word, value) in self.0.iter().zip(words) {
            word.store(value, Relaxed);
        }
    }
}

/// The slots that the entries of a position are stored in. The alignment makes a bucket exactly two cache lines.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// The number of buckets at the start. Doubled, an easy problem leaves the cache sooner; halved, the table grows once
/// more.
const FIRST_BUCKETS: usize = 1 << 11;

/// A table of one size.
#[derive(Debug)]
struct Buckets {
    buckets: Vec<Bucket>,
    /// The number of entries in use; approximate with several threads.
    filled: AtomicUsize,
}

thread_local! {
    /// The smallest table that this thread had last, emptied, for the next problem. Memory that the system gives for
    /// the first time costs more than clearing this, and short problems leave it empty.
    static KEPT: Cell<Vec<Bucket>> = const { Cell::new(Vec::new()) };
}

impl Drop for Buckets {
    fn drop(&mut self) {
        if self.buckets.len() == FIRST_BUCKETS {
            if *self.filled.get_mut() > 0 {
                self.buckets.fill_with(Bucket::default);
            }
            // At the end of a thread there is no next problem.
            let _ = KEPT.try_with(|kept| kept.set(std::mem::take(&mut self.buckets)));
        }
    }
}

impl Buckets {
    /// Returns an empty table with this number of buckets; `None` if there is no memory for it.
    fn new(count: usize) -> Option<Buckets> {
        let kept = || KEPT.try_with(Cell::take).ok().filter(|kept| kept.len() == count);
        let kept = if count == FIRST_BUCKETS { kept() } else { None };
        let mut buckets = kept.map_or_else(|| memory::room(count), Some)?;
        // A table that was kept has this size, and is empty.
        buckets.resize_with(count, Bucket::default);
        Some(Buckets { buckets, filled: AtomicUsize::new(0) })
    }

    /// Returns a table of one bucket.
    fn smallest() -> Buckets {
        Buckets { buckets: vec![Bucket::default()], filled: AtomicUsize::new(0) }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    fn count_one(&self) {
        self.filled.store(self.filled.load(Relaxed) + 1, Relaxed);
    }

    /// Returns a table with twice as many buckets and the same entries; `None` if there is no memory for it.
    fn twice_as_large(&self) -> Option<Buckets> {
        let larger = Buckets::new(self.buckets.len() * 2)?;
        for entry in
            self.buckets.iter().flat_map(|bucket| bucket.0.iter().map(Slot::load)).filter(|entry| entry.key != 0)
        {
            if let Some(slot) = larger.bucket(entry.key).0.iter().find(|slot| slot.key() == 0) {
                slot.save(&entry);
                larger.count_one();
            }
        }
        Some(larger)
    }
}

/// A handle to a table. Its clones are handles to the same table.
#[derive(Debug, Clone)]
pub(super) struct DfpnTable {
    buckets: Arc<Buckets>,
    /// The largest table that any handle has made; all handles switch to it.
    latest: Arc<Mutex<Arc<Buckets>>>,
    /// The largest number of buckets.
    max_buckets: usize,
    /// The memory that the table may take, in bytes.
    bytes: usize,
}

impl DfpnTable {
    /// Returns a table that never takes more than `bytes` bytes, not even while it grows, but at least one bucket.
    pub fn with_bytes(bytes: usize) -> DfpnTable {
        // While the table doubles, the old buckets and twice as many new ones exist at the same time.
        let max = (bytes / 3 * 2 / size_of::<Bucket>()).max(1);
        let max = 1 << max.ilog2();
        let first = Buckets::new(max.min(FIRST_BUCKETS)).unwrap_or_else(Buckets::smallest);
        let buckets = Arc::new(first);
        DfpnTable { latest: Arc::new(Mutex::new(buckets.clone())), buckets, max_buckets: max, bytes }
    }

    /// Returns the bytes of its memory that the table will never need. There are more of them when it has its final
    /// size, because it no longer has to exist twice.
    pub fn spare_bytes(&self) -> usize {
        let largest = self.max_buckets * size_of::<Bucket>();
        let needed = if self.buckets.buckets.len() < self.max_buckets { largest / 2 * 3 } else { largest };
        self.bytes.saturating_sub(needed)
    }

    /// Loads the entries of these positions into the processor's cache, so that look-ups of the same keys soon after
    /// are cheap. Loads that do not wait for one another take little more time together than one; a look-up waits for
    /// its own.
    #[inline]
    pub fn fetch(&self, keys: &[u64]) {
        let touched = keys.iter().fold(0, |touched, &key| {
            let Bucket([first, _, third, _]) = self.buckets.bucket(key);
            touched ^ first.0[0].load(Relaxed) ^ third.0[0].load(Relaxed)
        });
        std::hint::black_box(touched);
    }

    /// Returns what is stored of the position, with the numbers of this attempt.
    #[inline]
    pub fn get(&self, key: u64, attempt: Attempt) -> TableData {
        let (mut bounds, mut best, mut numbers) = (PackedBounds::UNKNOWN, None, None);
        for slot in &self.buckets.bucket(key).0 {
            if !slot.may_be(key) {
                continue;
            }
            let entry = slot.load();
            if entry.key != key {
                continue;
            }
            bounds.open = bounds.open.max(entry.bounds.open);
            if entry.bounds.proved < bounds.proved {
                (bounds.proved, best) = (entry.bounds.proved, entry.best);
            }
            // Two threads may have begun an entry for the same attempt at once. From then on only the first is written
            // to. Reading the other would return the same old numbers for ever, and a search could wait for ever for
            // them to change.
            if numbers.is_none() && entry.attempt == Some(attempt.to_bits()) {
                numbers = Some(entry.numbers);
            }
        }
        TableData { bounds: bounds.unpack(), best, numbers }
    }

    /// Returns the bounds of the position, which hold for every attempt.
    #[inline]
    pub fn bounds(&self, key: u64) -> Bounds {
        self.get(key, Attempt::mate(Horizon::NONE)).bounds
    }

    /// Records a mate in at most `n` moves. `best` is the attacker's move, `None` at AND nodes; `work` is in nodes.
    #[inline]
    pub fn prove(&mut self, key: u64, n: MateLength, best: Option<MoveCode>, work: u64) {
        self.update(key, None, work, |entry| {
            if n.0 < entry.bounds.proved {
                (entry.bounds.proved, entry.best) = (n.0, best);
            }
        });
    }

    /// Records that there is no mate in at most `n` moves; `work` is in nodes.
    #[inline]
    pub fn refute(&mut self, key: u64, n: MateLength, work: u64) {
        self.update(key, None, work, |entry| entry.bounds.refute(n));
    }

    /// Records the numbers of an open attempt, or its tainted disproof; `work` is in nodes.
    #[inline]
    pub fn store(&mut self, key: u64, attempt: Attempt, numbers: ProofNumbers, work: u64) {
        let attempt = Some(attempt.to_bits());
        self.update(key, attempt, work, |entry| {
            entry.attempt = attempt;
            entry.numbers = numbers;
        });
    }

    /// Changes the entry of the position for this attempt, or any of its entries if `attempt` is `None`. If there is
    /// none, it replaces the least valuable entry of the bucket.
    #[inline]
    fn update(&mut self, key: u64, attempt: Option<NonZeroU32>, work: u64, change: impl FnOnce(&mut Entry)) {
        if self.buckets.filled.load(Relaxed) > self.buckets.buckets.len() * 3
            && self.buckets.buckets.len() < self.max_buckets
        {
            self.grow();
        }
        let slots = &self.buckets.bucket(key).0;
        let fits = |entry: &Entry| {
            let usable = attempt.is_none() || entry.attempt == attempt || entry.attempt.is_none();
            entry.key == key && usable
        };
        let mut known = slots.iter().filter(|slot| slot.may_be(key)).map(|slot| (slot, slot.load()));
        let (slot, mut entry) = known.find(|(_, entry)| fits(entry)).unwrap_or_else(|| {
            let worth = |slot: &Slot| Some(slot.load()).filter(|entry| entry.key != 0).map_or(0, |entry| entry.worth());
            let (least, victim) =
                slots.iter().map(|slot| (worth(slot), slot)).min_by_key(|(worth, _)| *worth).unwrap_or((0, &slots[0]));
            if least == 0 {
                self.buckets.count_one();
            }
            (victim, Entry::new(key))
        });
        change(&mut entry);
        entry.work = entry.work.saturating_add(u32::try_from(work).unwrap_or(u32::MAX));
        slot.save(&entry);
    }

    /// Switches to a larger table, which another thread may have made already. While a thread still uses a smaller
    /// table than this one, there is no memory for a larger one.
    #[cold]
    fn grow(&mut self) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let handles = Arc::strong_count(&self.latest);
        if Arc::ptr_eq(&latest, &self.buckets) && Arc::strong_count(&latest) == handles + 1 {
            match self.buckets.twice_as_large() {
                Some(larger) => *latest = Arc::new(larger),
                // The machine has less memory than the table may take: it stays as large as it is.
                None => self.max_buckets = self.buckets.buckets.len(),
            }
        }
        self.buckets = latest.clone();
    }

    /// Switches to the largest table that any handle has made.
    pub fn refresh(&mut self) {
        self.buckets = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::horizon::Horizon;

    #[test]
    fn what_the_table_never_needs_is_more_when_it_has_grown() {
        let bytes = 8 << 20;
        let mut table = DfpnTable::with_bytes(bytes);
        assert_eq!(table.spare_bytes(), bytes - (6 << 20));
        for key in 1..1 << 18 {
            table.store(key << 40 | key, within(4), ProofNumbers { pn: 3, dn: 5 }, 10);
        }
        assert_eq!(table.spare_bytes(), bytes - (4 << 20));
        assert_eq!(DfpnTable::with_bytes(0).spare_bytes(), 0);
    }

    fn within(n: u16) -> Attempt {
        Attempt::mate(Horizon::within(MateLength(n)))
    }

    #[test]
    fn bounds_hold_for_every_question_and_numbers_for_their_own() {
        let mut table = DfpnTable::with_bytes(1 << 20);
        let numbers = ProofNumbers { pn: 3, dn: 5 };
        table.store(77, within(4), numbers, 10);
        assert_eq!(table.get(77, within(4)).numbers, Some(numbers));
        assert_eq!(table.get(77, within(5)).numbers, None);
        table.refute(77, MateLength(2), 1);
        table.prove(77, MateLength(9), MoveCode::unpack(12), 1);
        let bounds = Bounds::new(Some(MateLength(2)), Some(MateLength(9)));
        let data = TableData { bounds, best: MoveCode::unpack(12), numbers: None };
        assert_eq!(table.get(77, within(5)), data);
        table.prove(77, MateLength(11), MoveCode::unpack(13), 1);
        assert_eq!(table.get(77, within(5)), data);
    }

    #[test]
    fn of_two_entries_for_one_question_the_one_that_is_updated_is_read() {
        let mut table = DfpnTable::with_bytes(1 << 20);
        table.store(77, within(4), ProofNumbers { pn: 3, dn: 5 }, 10);
        let [first, second, ..] = &table.buckets.bucket(77).0;
        second.save(&first.load());
        let new = ProofNumbers { pn: 4, dn: 7 };
        table.store(77, within(4), new, 10);
        assert_eq!(table.get(77, within(4)).numbers, Some(new));
    }

    #[test]
    fn it_grows_without_losing_entries_and_within_its_memory() {
        let mut table = DfpnTable::with_bytes(16 << 20);
        let keys = (1..=20_000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for key in keys.clone() {
            table.prove(key, MateLength(7), MoveCode::unpack(1), 1);
        }
        let seven = Bounds::new(None, Some(MateLength(7)));
        let kept = keys.filter(|&key| table.get(key, Attempt::mate(Horizon::NONE)).bounds == seven).count();
        assert!(kept > 19_000, "{kept}");
        assert!(table.buckets.buckets.len() * size_of::<Bucket>() * 3 / 2 <= 16 << 20);
        let mut small = DfpnTable::with_bytes(1 << 10);
        (1..1000).for_each(|key| small.prove(key, MateLength(1), None, key));
        assert!(small.buckets.buckets.len() * size_of::<Bucket>() <= 1 << 10);
    }

    #[test]
    fn an_entry_takes_thirty_two_bytes() {
        assert_eq!((size_of::<Slot>(), size_of::<Bucket>()), (32, 128));
    }
}
