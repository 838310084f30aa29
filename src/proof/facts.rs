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

use crate::chess::MoveCode;

/// What is known of a position; lengths in attacker's moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact {
    /// Mates within fewer than this many moves are refuted (0: nothing is known; n + 1: no mate within n).
    pub none_below: u16,
    /// A mate within this many moves is proved ([`Fact::NEVER`]: none known).
    pub mate_within: u16,
    /// The attacker's move that proves the mate, at OR nodes; `NONE` if not recorded.
    pub best: MoveCode,
}

impl Fact {
    /// No proof known.
    pub const NEVER: u16 = 0x0fff;
    /// Nothing known at all.
    pub const UNKNOWN: Fact = Fact { none_below: 0, mate_within: Fact::NEVER, best: MoveCode::NONE };

    /// Whether a mate within `n` moves is proved.
    #[inline]
    pub fn proves(self, n: u16) -> bool {
        self.mate_within <= n
    }

    /// Whether a mate within `n` moves is refuted.
    #[inline]
    pub fn refutes(self, n: u16) -> bool {
        n < self.none_below
    }

    fn pack(self) -> u64 {
        u64::from(self.none_below) | u64::from(self.mate_within) << 12 | u64::from(self.best.0) << 24
    }

    fn unpack(data: u64) -> Fact {
        Fact {
            none_below: (data & 0xfff) as u16,
            mate_within: (data >> 12 & 0xfff) as u16,
            best: MoveCode((data >> 24 & 0xffff) as u16),
        }
    }
}

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

    /// Records a proved mate within `n` moves; `best` is the attacker's move at OR nodes, `NONE` at AND nodes.
    #[inline]
    pub fn prove(&self, key: u64, n: u16, best: MoveCode) {
        self.update(key, |fact| {
            if n < fact.mate_within {
                fact.mate_within = n;
                fact.best = best;
            }
        });
    }

    /// Records that there is no mate within `n` moves.
    #[inline]
    pub fn refute(&self, key: u64, n: u16) {
        self.update(key, |fact| fact.none_below = fact.none_below.max(n + 1));
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
        debug_assert!(fact.none_below <= fact.mate_within, "a mate within n was both proved and refuted: {fact:?}");
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

impl Fact {
    /// What losing the fact would cost: deep refutations and short proofs are the dear ones (Popeye's rule).
    fn worth(self) -> u32 {
        let proof = if self.mate_within == Fact::NEVER { 0 } else { 8 };
        1 + 4 * u32::from(self.none_below) + proof
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_only_improve() {
        let facts = Facts::with_bytes(1 << 10);
        assert_eq!(facts.get(42), Fact::UNKNOWN);
        facts.refute(42, 3);
        facts.refute(42, 2);
        facts.prove(42, 9, MoveCode(7));
        facts.prove(42, 11, MoveCode(8));
        let fact = facts.get(42);
        assert_eq!((fact.none_below, fact.mate_within, fact.best), (4, 9, MoveCode(7)));
        assert!(fact.refutes(3) && !fact.refutes(4) && fact.proves(9) && !fact.proves(8));
    }

    #[test]
    fn an_entry_takes_sixteen_bytes() {
        assert_eq!(size_of::<FactSlot>(), 16);
    }
}
