//! The transposition table: facts and numbers of a position in one entry.
//!
//! An entry holds the two monotone facts (no mate within fewer moves than `none_below`, a mate within `mate_within`) and
//! the proof numbers of one question still open between them, as the shogi solver `KomoringHeights` keeps them: one probe
//! touches one cache line. Numbers belong to the horizon they were searched with; a position met with several horizons
//! has several entries. Numbers of one horizon say little about another (measured: where they were shared, the positions
//! of a sample solved at their best known length fell from 71 % to 40 %), facts say everything.
//!
//! The table starts small, so that an easy problem stays in the processor's cache, and doubles until its memory is
//! used. From then on the entry of the least work in a window of four gives way (after Nagai's SmallTreeReplacement): a
//! large subtree costs most to search again. A fact lost costs time, never truth.

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
const NO_NUMBERS: u16 = 0;

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    numbers: ProofNumbers,
    work: u32,
    none_below: u16,
    mate_within: u16,
    best: MoveCode,
    question: u16,
}

impl Entry {
    const EMPTY: Entry = Entry {
        key: 0,
        numbers: ProofNumbers::PROVED,
        work: 0,
        none_below: 0,
        mate_within: NEVER,
        best: MoveCode::NONE,
        question: NO_NUMBERS,
    };

    fn worth(&self) -> u64 {
        if self.key == 0 {
            return 0;
        }
        let proof = if self.mate_within == NEVER { 0 } else { 16 };
        1 + u64::from(self.work) + proof + 4 * u64::from(self.none_below)
    }
}

/// The entries among which a position's are: two cache lines, and never three.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Window([Entry; 4]);

impl Window {
    const EMPTY: Window = Window([Entry::EMPTY; 4]);
}

/// Windows at the start.
const FIRST: usize = 1 << 11;

/// The table of one searching thread.
#[derive(Debug)]
pub(super) struct Table {
    windows: Vec<Window>,
    /// Entries in use.
    filled: usize,
    /// The most windows there may be.
    most: usize,
}

impl Table {
    /// A table that never takes more than this many bytes (but one window), also while it grows.
    pub fn with_bytes(bytes: usize) -> Table {
        // While it doubles, the old windows and twice as many new ones coexist.
        let most = (bytes / 3 * 2 / size_of::<Window>()).max(1);
        let most = 1 << most.ilog2();
        Table { windows: vec![Window::EMPTY; most.min(FIRST)], filled: 0, most }
    }

    #[inline]
    fn window(&self, key: u64) -> usize {
        key as usize & (self.windows.len() - 1)
    }

    /// Fetches the entries of these positions into the processor's cache: loads that do not wait for one another take
    /// little more time than one, while a look-up waits for its own. Asking for the same keys soon after is then cheap.
    #[inline]
    pub fn fetch(&self, keys: &[u64]) {
        let touched = keys.iter().fold(0, |touched, &key| {
            let Window([first, _, third, _]) = &self.windows[self.window(key)];
            touched ^ first.key ^ third.key
        });
        std::hint::black_box(touched);
    }

    /// What is stored of the position, for this question.
    #[inline]
    pub fn get(&self, key: u64, question: Question) -> Found {
        let mut found = Found { none_below: 0, mate_within: NEVER, best: MoveCode::NONE, numbers: None };
        for entry in self.windows[self.window(key)].0.iter().filter(|entry| entry.key == key) {
            found.none_below = found.none_below.max(entry.none_below);
            if entry.mate_within < found.mate_within {
                (found.mate_within, found.best) = (entry.mate_within, entry.best);
            }
            if entry.question == question.to_bits() && entry.question != NO_NUMBERS {
                found.numbers = Some(entry.numbers);
            }
        }
        found
    }

    /// Records a mate within `n` moves; `best` is the attacker's move, `NONE` at AND nodes. `work` is in nodes.
    #[inline]
    pub fn prove(&mut self, key: u64, n: u16, best: MoveCode, work: u64) {
        let entry = self.entry(key, NO_NUMBERS);
        if n < entry.mate_within {
            entry.mate_within = n;
            entry.best = best;
        }
        entry.work = entry.work.saturating_add(narrow(work));
    }

    /// Records that there is no mate within `n` moves.
    #[inline]
    pub fn refute(&mut self, key: u64, n: u16, work: u64) {
        let entry = self.entry(key, NO_NUMBERS);
        entry.none_below = entry.none_below.max(n.saturating_add(1));
        entry.work = entry.work.saturating_add(narrow(work));
    }

    /// Records the numbers of an open question, or its disproof by repetition.
    #[inline]
    pub fn store(&mut self, key: u64, question: Question, numbers: ProofNumbers, work: u64) {
        let entry = self.entry(key, question.to_bits());
        entry.question = question.to_bits();
        entry.numbers = numbers;
        entry.work = entry.work.saturating_add(narrow(work));
    }

    /// The entry of the position to write facts to, or the one with the numbers of this question; at the expense of the
    /// least valuable entry if there is none.
    #[inline]
    fn entry(&mut self, key: u64, question: u16) -> &mut Entry {
        if self.filled > self.windows.len() * 3 && self.windows.len() < self.most {
            self.grow();
        }
        let window = self.window(key);
        let window = &mut self.windows[window].0;
        let fits = |entry: &Entry| {
            let open = question == NO_NUMBERS || entry.question == question || entry.question == NO_NUMBERS;
            entry.key == key && open
        };
        let slot = window.iter().position(fits).unwrap_or_else(|| {
            let victim = (0..window.len()).min_by_key(|&i| window[i].worth()).unwrap_or(0);
            self.filled += usize::from(window[victim].key == 0);
            window[victim] = Entry { key, ..Entry::EMPTY };
            victim
        });
        &mut window[slot]
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Window::EMPTY; self.windows.len() * 2];
        let old = std::mem::replace(&mut self.windows, larger);
        self.filled = 0;
        for entry in old.into_iter().flat_map(|window| window.0).filter(|entry| entry.key != 0) {
            let window = self.window(entry.key);
            if let Some(slot) = self.windows[window].0.iter_mut().find(|slot| slot.key == 0) {
                *slot = entry;
                self.filled += 1;
            }
        }
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
        let mut table = Table::with_bytes(1 << 20);
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
    fn it_grows_without_forgetting_and_keeps_to_its_memory() {
        let mut table = Table::with_bytes(16 << 20);
        let keys = (1..=20_000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for key in keys.clone() {
            table.prove(key, 7, MoveCode(1), 1);
        }
        let kept = keys.filter(|&key| table.get(key, Question::mate(Horizon::NONE)).mate_within == 7).count();
        assert!(kept > 19_000, "{kept}");
        assert!(table.windows.len() * size_of::<Window>() * 3 / 2 <= 16 << 20);
        let mut small = Table::with_bytes(1 << 10);
        (1..1000).for_each(|key| small.prove(key, 1, MoveCode::NONE, key));
        assert!(small.windows.len() * size_of::<Window>() <= 1 << 10);
    }

    #[test]
    fn an_entry_takes_thirty_two_bytes() {
        assert_eq!((size_of::<Entry>(), size_of::<Window>()), (32, 128));
    }
}
