//! The transposition table: facts and numbers of a position in one entry.
//!
//! An entry holds the two monotone facts (no mate within fewer moves than `none_below`, a mate within `mate_within`) and
//! the proof numbers of one question still open between them, as the shogi solver `KomoringHeights` keeps them: one look-up
//! brings both. Numbers belong to the horizon they were searched with; a position met with several horizons
//! has several entries. Numbers of one horizon say little about another (measured: where they were shared, the positions
//! of a sample solved at their best known length fell from 71 % to 40 %), facts say everything.
//!
//! The table starts small, so that an easy problem stays in the processor's cache, and doubles until its memory is
//! used. From then on the entry of the least work in a bucket of four gives way (after Nagai's SmallTreeReplacement): a
//! large subtree costs most to search again. A fact lost costs time, never truth.
//!
//! Searches on several threads share one table without a lock (Hyatt & Mann, A lock-less transposition-table
//! implementation for parallel search, ICGA Journal 25, 2002): what is stored in place of the key is the key combined with the
//! rest of the entry, so that an entry half overwritten by another thread answers to no key. Whoever finds the table full
//! makes the larger one; the others go over to it when they find theirs full, and what they stored meanwhile is lost.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use crate::chess::MoveCode;
use crate::search::numbers::ProofNumbers;

use super::question::Question;

/// What a look-up finds; lengths in attacker's moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// No mate within fewer moves than this (0: nothing known).
    pub none_below: u16,
    /// A mate within so many moves is proved ([`NEVER`]: none known).
    pub mate_within: u16,
    /// The proof's move at OR nodes, if it was recorded.
    pub best: MoveCode,
    /// The numbers for the question asked. Disproved here means: disproved, leaning on a repetition.
    pub numbers: Option<ProofNumbers>,
}

/// No proof is known.
pub(super) const NEVER: u16 = u16::MAX;

/// The question of an entry without numbers.
const NO_NUMBERS: u32 = 0;

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    numbers: ProofNumbers,
    work: u32,
    none_below: u16,
    mate_within: u16,
    best: MoveCode,
    question: u32,
}

impl Entry {
    fn new(key: u64) -> Entry {
        let (numbers, best) = (ProofNumbers::PROVED, MoveCode::NONE);
        Entry { key, numbers, work: 0, none_below: 0, mate_within: NEVER, best, question: NO_NUMBERS }
    }

    fn worth(&self) -> u64 {
        let proof = if self.mate_within == NEVER { 0 } else { 16 };
        1 + u64::from(self.work) + proof + 4 * u64::from(self.none_below)
    }
}

/// The word of a slot that has the first bits of the key besides, and where they begin.
const REST: usize = 3;
const TAG: u32 = 48;

/// An entry as it lies in memory; all zero when it is empty.
#[derive(Debug, Default)]
struct Slot([AtomicU64; 4]);

impl Slot {
    /// Whether the entry may be the one of this key: most others are told by one word of four.
    #[inline]
    fn may_be(&self, key: u64) -> bool {
        self.0[REST].load(Relaxed) >> TAG == key >> TAG
    }

    /// The key of an entry that was stored whole; 0 if it is empty.
    #[inline]
    fn key(&self) -> u64 {
        self.0.iter().fold(0, |key, word| key ^ word.load(Relaxed))
    }

    #[inline]
    fn load(&self) -> Entry {
        let [mixed, numbers, lengths, rest] = self.0.each_ref().map(|word| word.load(Relaxed));
        Entry {
            key: mixed ^ numbers ^ lengths ^ rest,
            numbers: ProofNumbers { pn: (numbers >> 32) as u32, dn: numbers as u32 },
            work: (lengths >> 32) as u32,
            none_below: (lengths >> 16) as u16,
            mate_within: lengths as u16,
            best: MoveCode((rest >> 32) as u16),
            question: rest as u32,
        }
    }

    #[inline]
    fn save(&self, entry: &Entry) {
        let numbers = u64::from(entry.numbers.pn) << 32 | u64::from(entry.numbers.dn);
        let lengths = u64::from(entry.work) << 32 | u64::from(entry.none_below) << 16 | u64::from(entry.mate_within);
        let rest = entry.key >> TAG << TAG | u64::from(entry.best.0) << 32 | u64::from(entry.question);
        let words = [entry.key ^ numbers ^ lengths ^ rest, numbers, lengths, rest];
        for (word, value) in self.0.iter().zip(words) {
            word.store(value, Relaxed);
        }
    }
}

/// The entries among which a position's are: two cache lines, and never three.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// Buckets at the start.
const FIRST: usize = 1 << 11;

/// A table of one size.
#[derive(Debug)]
struct Buckets {
    buckets: Box<[Bucket]>,
    /// Entries in use; on several threads about so many.
    filled: AtomicUsize,
}

impl Buckets {
    fn new(count: usize) -> Buckets {
        let buckets = std::iter::repeat_with(Bucket::default).take(count).collect();
        Buckets { buckets, filled: AtomicUsize::new(0) }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    fn count_one(&self) {
        self.filled.store(self.filled.load(Relaxed) + 1, Relaxed);
    }

    fn twice_as_large(&self) -> Buckets {
        let larger = Buckets::new(self.buckets.len() * 2);
        for entry in
            self.buckets.iter().flat_map(|bucket| bucket.0.iter().map(Slot::load)).filter(|entry| entry.key != 0)
        {
            if let Some(slot) = larger.bucket(entry.key).0.iter().find(|slot| slot.key() == 0) {
                slot.save(&entry);
                larger.count_one();
            }
        }
        larger
    }
}

/// A searcher's hold on a table; its clones are holds on the same table.
#[derive(Debug, Clone)]
pub(super) struct DfpnTable {
    buckets: Arc<Buckets>,
    /// The table all go over to.
    latest: Arc<Mutex<Arc<Buckets>>>,
    /// The most buckets there may be.
    most: usize,
}

impl DfpnTable {
    /// A table that never takes more than this many bytes (but one bucket), also while it grows.
    pub fn with_bytes(bytes: usize) -> DfpnTable {
        // While it doubles, the old buckets and twice as many new ones coexist.
        let most = (bytes / 3 * 2 / size_of::<Bucket>()).max(1);
        let most = 1 << most.ilog2();
        let buckets = Arc::new(Buckets::new(most.min(FIRST)));
        DfpnTable { latest: Arc::new(Mutex::new(buckets.clone())), buckets, most }
    }

    /// Fetches the entries of these positions into the processor's cache: loads that do not wait for one another take
    /// little more time than one, while a look-up waits for its own. Asking for the same keys soon after is then cheap.
    #[inline]
    pub fn fetch(&self, keys: &[u64]) {
        let touched = keys.iter().fold(0, |touched, &key| {
            let Bucket([first, _, third, _]) = self.buckets.bucket(key);
            touched ^ first.0[0].load(Relaxed) ^ third.0[0].load(Relaxed)
        });
        std::hint::black_box(touched);
    }

    /// What is stored of the position, for this question.
    #[inline]
    pub fn get(&self, key: u64, question: Question) -> Found {
        let mut found = Found { none_below: 0, mate_within: NEVER, best: MoveCode::NONE, numbers: None };
        for slot in &self.buckets.bucket(key).0 {
            if !slot.may_be(key) {
                continue;
            }
            let entry = slot.load();
            if entry.key != key {
                continue;
            }
            found.none_below = found.none_below.max(entry.none_below);
            if entry.mate_within < found.mate_within {
                (found.mate_within, found.best) = (entry.mate_within, entry.best);
            }
            // Two threads may have begun an entry for the same question at once. The first is the one that is written to
            // from then on; to read the other is to read the same old numbers for ever, and a search could wait for ever
            // for them to change.
            if found.numbers.is_none() && entry.question == question.to_bits() && entry.question != NO_NUMBERS {
                found.numbers = Some(entry.numbers);
            }
        }
        found
    }

    /// Records a mate within `n` moves; `best` is the attacker's move, `NONE` at AND nodes. `work` is in nodes.
    #[inline]
    pub fn prove(&mut self, key: u64, n: u16, best: MoveCode, work: u64) {
        self.update(key, NO_NUMBERS, work, |entry| {
            if n < entry.mate_within {
                entry.mate_within = n;
                entry.best = best;
            }
        });
    }

    /// Records that there is no mate within `n` moves.
    #[inline]
    pub fn refute(&mut self, key: u64, n: u16, work: u64) {
        self.update(key, NO_NUMBERS, work, |entry| entry.none_below = entry.none_below.max(n.saturating_add(1)));
    }

    /// Records the numbers of an open question, or its disproof by repetition.
    #[inline]
    pub fn store(&mut self, key: u64, question: Question, numbers: ProofNumbers, work: u64) {
        self.update(key, question.to_bits(), work, |entry| {
            entry.question = question.to_bits();
            entry.numbers = numbers;
        });
    }

    /// Changes the entry of the position to write facts to, or the one with the numbers of this question; at the expense of
    /// the least valuable entry if there is none.
    #[inline]
    fn update(&mut self, key: u64, question: u32, work: u64, change: impl FnOnce(&mut Entry)) {
        if self.buckets.filled.load(Relaxed) > self.buckets.buckets.len() * 3 && self.buckets.buckets.len() < self.most
        {
            self.grow();
        }
        let slots = &self.buckets.bucket(key).0;
        let fits = |entry: &Entry| {
            let open = question == NO_NUMBERS || entry.question == question || entry.question == NO_NUMBERS;
            entry.key == key && open
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
        entry.work = entry.work.saturating_add(narrow(work));
        slot.save(&entry);
    }

    /// Goes over to a larger table, which somebody else may have made already. While anybody holds on to one smaller still,
    /// there is no memory for it.
    #[cold]
    fn grow(&mut self) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let holds = Arc::strong_count(&self.latest);
        if Arc::ptr_eq(&latest, &self.buckets) && Arc::strong_count(&latest) == holds + 1 {
            *latest = Arc::new(self.buckets.twice_as_large());
        }
        self.buckets = latest.clone();
    }

    /// Goes over to the largest table there is.
    pub fn refresh(&mut self) {
        self.buckets = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
    }
}

fn narrow(work: u64) -> u32 {
    u32::try_from(work).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MateLength;
    use crate::search::horizon::Horizon;

    fn within(n: u16) -> Question {
        Question::mate(Horizon::within(MateLength(n)))
    }

    #[test]
    fn facts_answer_every_question_and_numbers_their_own() {
        let mut table = DfpnTable::with_bytes(1 << 20);
        let numbers = ProofNumbers { pn: 3, dn: 5 };
        table.store(77, within(4), numbers, 10);
        assert_eq!(table.get(77, within(4)).numbers, Some(numbers));
        assert_eq!(table.get(77, within(5)).numbers, None);
        table.refute(77, 2, 1);
        table.prove(77, 9, MoveCode(12), 1);
        let found = table.get(77, within(5));
        assert_eq!((found.none_below, found.mate_within, found.best), (3, 9, MoveCode(12)));
        table.prove(77, 11, MoveCode(13), 1);
        assert_eq!(table.get(77, within(5)).best, MoveCode(12));
    }

    #[test]
    fn of_two_entries_that_threads_began_at_once_the_one_that_is_written_to_is_read() {
        let mut table = DfpnTable::with_bytes(1 << 20);
        table.store(77, within(4), ProofNumbers { pn: 3, dn: 5 }, 10);
        let [first, second, ..] = &table.buckets.bucket(77).0;
        second.save(&first.load());
        let news = ProofNumbers { pn: 4, dn: 7 };
        table.store(77, within(4), news, 10);
        assert_eq!(table.get(77, within(4)).numbers, Some(news));
    }

    #[test]
    fn it_grows_without_forgetting_and_keeps_to_its_memory() {
        let mut table = DfpnTable::with_bytes(16 << 20);
        let keys = (1..=20_000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for key in keys.clone() {
            table.prove(key, 7, MoveCode(1), 1);
        }
        let kept = keys.filter(|&key| table.get(key, Question::mate(Horizon::NONE)).mate_within == 7).count();
        assert!(kept > 19_000, "{kept}");
        assert!(table.buckets.buckets.len() * size_of::<Bucket>() * 3 / 2 <= 16 << 20);
        let mut small = DfpnTable::with_bytes(1 << 10);
        (1..1000).for_each(|key| small.prove(key, 1, MoveCode::NONE, key));
        assert!(small.buckets.buckets.len() * size_of::<Bucket>() <= 1 << 10);
    }

    #[test]
    fn an_entry_takes_thirty_two_bytes() {
        assert_eq!((size_of::<Slot>(), size_of::<Bucket>()), (32, 128));
    }
}
