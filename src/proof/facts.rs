//! The shared table of facts: for a position, through which length mates are refuted and within which one is proved.
//!
//! Facts are monotone. A mate within n is a mate within every n' ≥ n; no mate within n is none within n' ≤ n. Merging
//! takes the larger refutation and the smaller proof, so engines on several threads may write in any order and what a
//! reader sees is always true, if sometimes less than is known.
//!
//! An entry is two words, `key ^ data` and `data` (Hyatt & Mann 2002, "A lockless transposition-table implementation
//! with parallel access"): a torn write makes the key disagree and the entry is not found. The table replaces; a fact
//! lost costs time, never truth.
//!
//! Who may write what: proofs by any engine, since a proof needs no history; refutations only by full-width searches
//! keyed on (position, remaining moves). Anything that leaned on a repetition, a null move, a reduction or a
//! restriction stays out.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::chess::{MateLength, MoveCode};

use super::Bounds;

/// What is known of one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact {
    /// The lengths that are proved and refuted.
    pub bounds: Bounds,
    /// The attacker's move that proves the mate, where the attacker is to move; `NONE` if it is not recorded.
    pub best: MoveCode,
}

impl Fact {
    /// Nothing is known.
    pub const UNKNOWN: Fact = Fact { bounds: Bounds::UNKNOWN, best: MoveCode::NONE };

    /// Packs the fact into 40 bits: the refuted length plus one (0: nothing is refuted), the proved length
    /// ([`NO_PROOF`]: none), the move.
    fn pack(self) -> u64 {
        let refuted = self.bounds.refuted().map_or(0, |n| u64::from(n.0) + 1);
        let proved = self.bounds.proved().map_or(NO_PROOF, |n| u64::from(n.0));
        refuted | proved << LENGTH_BITS | u64::from(self.best.0) << (2 * LENGTH_BITS)
    }

    fn unpack(data: u64) -> Fact {
        let (refuted, proved) = (data & NO_PROOF, data >> LENGTH_BITS & NO_PROOF);
        let length = |n: u64| MateLength(n as u16);
        let bounds = Bounds::new(refuted.checked_sub(1).map(length), (proved != NO_PROOF).then(|| length(proved)));
        Fact { bounds, best: MoveCode((data >> (2 * LENGTH_BITS) & 0xffff) as u16) }
    }

    /// The cost of losing the fact: long refutations and all proofs are expensive to find again (Popeye's rule).
    fn worth(self) -> u32 {
        let proof = if self.bounds.proved().is_some() { 8 } else { 0 };
        1 + 4 * self.bounds.refuted().map_or(0, |n| u32::from(n.0) + 1) + proof
    }
}

/// The bits of a length in a packed fact: enough for [`MateLength::MAX`] and one more.
const LENGTH_BITS: u32 = 12;
/// The packed length that stands for "no proof"; also the mask of a length.
const NO_PROOF: u64 = (1 << LENGTH_BITS) - 1;

#[derive(Debug, Default)]
struct FactSlot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Entries tried for one key.
const WINDOW: usize = 4;

/// The table. Shared by reference between threads.
#[derive(Debug)]
pub struct Facts {
    entries: Vec<FactSlot>,
}

impl Facts {
    /// A table of at most this many bytes (at least one window).
    pub fn with_bytes(bytes: usize) -> Facts {
        let entries = (bytes / size_of::<FactSlot>()).max(WINDOW);
        let mut table = Vec::new();
        table.resize_with(entries, FactSlot::default);
        Facts { entries: table }
    }

    #[inline]
    fn window(&self, key: u64) -> &[FactSlot] {
        let windows = self.entries.len() / WINDOW;
        // The high bits of the key choose the window (Lemire 2016, multiply-shift instead of a division).
        let start = ((u128::from(key) * windows as u128) >> 64) as usize * WINDOW;
        &self.entries[start..start + WINDOW]
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Fact {
        for entry in self.window(key) {
            let data = entry.data.load(Relaxed);
            if data != 0 && entry.check.load(Relaxed) ^ data == key {
                return Fact::unpack(data);
            }
        }
        Fact::UNKNOWN
    }

    /// Records a proved mate within `n` moves; `best` is the attacker's move, or `NONE` where the defender is to move.
    #[inline]
    pub fn prove(&self, key: u64, n: MateLength, best: MoveCode) {
        self.update(key, |fact| {
            if !fact.bounds.proves(n) {
                fact.bounds.prove(n);
                fact.best = best;
            }
        });
    }

    /// Records that no mate within `n` moves exists.
    #[inline]
    pub fn refute(&self, key: u64, n: MateLength) {
        self.update(key, |fact| fact.bounds.refute(n));
    }

    /// Merges into the key's entry, or replaces the least valuable of its window.
    #[inline]
    fn update(&self, key: u64, change: impl FnOnce(&mut Fact)) {
        let mut victim = 0;
        let mut least = u32::MAX;
        let window = self.window(key);
        let mut fact = Fact::UNKNOWN;
        for (i, entry) in window.iter().enumerate() {
            let data = entry.data.load(Relaxed);
            if data != 0 && entry.check.load(Relaxed) ^ data == key {
                fact = Fact::unpack(data);
                victim = i;
                break;
            }
            let worth = if data == 0 { 0 } else { Fact::unpack(data).worth() };
            if worth < least {
                (least, victim) = (worth, i);
            }
        }
        change(&mut fact);
        debug_assert!(fact.bounds.is_consistent(), "a length was both proved and refuted: {fact:?}");
        let data = fact.pack();
        window[victim].data.store(data, Relaxed);
        window[victim].check.store(key ^ data, Relaxed);
    }

    /// How full the table is, in permille, judged by its first entries.
    pub fn permille(&self) -> usize {
        let sample = &self.entries[..self.entries.len().min(4000)];
        sample.iter().filter(|entry| entry.data.load(Relaxed) != 0).count() * 1000 / sample.len()
    }

    /// The bytes the table takes.
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<FactSlot>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_only_improve() {
        let facts = Facts::with_bytes(1 << 10);
        assert_eq!(facts.get(42), Fact::UNKNOWN);
        facts.refute(42, MateLength(3));
        facts.refute(42, MateLength(2));
        facts.prove(42, MateLength(9), MoveCode(7));
        facts.prove(42, MateLength(11), MoveCode(8));
        let bounds = Bounds::new(Some(MateLength(3)), Some(MateLength(9)));
        assert_eq!(facts.get(42), Fact { bounds, best: MoveCode(7) });
    }

    #[test]
    fn the_longest_lengths_fit_a_packed_fact() {
        for (refuted, proved) in
            [(None, None), (Some(0), None), (None, Some(0)), (Some(1000), None), (Some(999), Some(1000))]
        {
            let bounds = Bounds::new(refuted.map(MateLength), proved.map(MateLength));
            let fact = Fact { bounds, best: MoveCode(0x7fff) };
            assert_eq!(Fact::unpack(fact.pack()), fact);
        }
    }

    #[test]
    fn an_entry_takes_sixteen_bytes() {
        assert_eq!(size_of::<FactSlot>(), 16);
    }
}
