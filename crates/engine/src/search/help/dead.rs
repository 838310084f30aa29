//! The table of dead positions: positions from which no solution exists in the half-moves that are left.
//!
//! "These are all solutions" rests on this table, so an entry holds the **whole** position (men, side to move, castling
//! rights, en passant) and the half-moves left, not a key of it: an entry that matches is about this very position.
//!
//! All threads share the table without waiting for one another. Each entry has a count that is odd while somebody
//! writes it; a reader who sees it odd, or changed when he has finished, has read nothing. A writer who finds an entry
//! being written leaves it alone.

use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

use shakmaty::{Color, Role};

use crate::base::memory;
use crate::chess::Position;

/// The men of a position by colour and role, and everything else it is made of, in four and a half words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exact {
    men: [u64; 4],
    /// Castling rights (16 bits), en passant square (7), side to move (1), half-moves left (10).
    rest: u64,
}

impl Exact {
    /// Returns the position with `left` half-moves left.
    pub(super) fn of(position: &Position, left: usize) -> Exact {
        let [pawns, knights, bishops, rooks, queens, kings] = Role::ALL.map(|role| position.by_role(role).0);
        let rights = position.castling_rights().0.to_le_bytes();
        let en_passant = position.en_passant().map_or(64, |square| square as u64);
        let men = [
            position.by_color(Color::White).0,
            pawns | bishops | queens,
            knights | bishops | kings,
            rooks | queens | kings,
        ];
        let rest = u64::from(rights[0])
            | u64::from(rights[7]) << 8
            | en_passant << 16
            | u64::from(position.turn().is_white()) << 23
            | (left as u64 & 1023) << 24;
        Exact { men, rest }
    }

    fn left(&self) -> u64 {
        self.rest >> 24 & 1023
    }

    /// Mixes all bits, so that similar positions are stored far from each other.
    pub(super) fn hash(&self) -> usize {
        let mixed = self.men.iter().fold(self.rest, |hash, &word| {
            let product = u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03;
            product as u64 ^ (product >> 64) as u64
        });
        mixed as usize
    }
}

/// The lowest bit of the count in an entry's last word; below it is [`Exact::rest`].
const WRITES: u32 = 34;

/// An entry: the four words of the men, then the rest with the count of writes. All zero: empty.
type Entry = [AtomicU64; 5];

fn holds([men @ .., rest]: &Entry, exact: &Exact) -> bool {
    let before = rest.load(Acquire);
    if before >> WRITES & 1 == 1 || before & ((1 << WRITES) - 1) != exact.rest {
        return false;
    }
    let same = men.iter().zip(exact.men).all(|(word, men)| word.load(Relaxed) == men);
    fence(Acquire);
    same && rest.load(Relaxed) == before
}

fn write([men @ .., rest]: &Entry, exact: &Exact) {
    let before = rest.load(Relaxed);
    let count = before >> WRITES;
    let odd = (count + 1) << WRITES;
    if count & 1 == 1 || rest.compare_exchange(before, odd, Acquire, Relaxed).is_err() {
        return;
    }
    fence(Release);
    for (word, men) in men.iter().zip(exact.men) {
        word.store(men, Relaxed);
    }
    rest.store((count + 2) << WRITES | exact.rest, Release);
}

/// Returns the position in an entry; `None` if there is none, or somebody writes it.
fn read([men @ .., rest]: &Entry) -> Option<Exact> {
    let before = rest.load(Acquire);
    let exact = Exact {
        men: [&men[0], &men[1], &men[2], &men[3]].map(|word| word.load(Relaxed)),
        rest: before & ((1 << WRITES) - 1),
    };
    fence(Acquire);
    let is_whole = before >> WRITES & 1 == 0 && exact.left() > 0;
    (is_whole && rest.load(Relaxed) == before).then_some(exact)
}

/// Returns the half-moves left of the position in an entry; 0 if it is empty.
fn left([.., rest]: &Entry) -> u64 {
    rest.load(Relaxed) >> 24 & 1023
}

/// The pairs of entries with which a table begins. Doubled, an easy problem clears more memory; halved, the table grows
/// once more.
const FIRST_PAIRS: usize = 1 << 10;

/// A table of dead positions, which grows as it is used: fresh memory costs more than the search of a short problem.
///
/// The number of pairs in use is a power of two. In each pair, one entry keeps the position with more half-moves left,
/// and in the other, newer ones replace older ones. When the pairs are nearly full, four times as many are used, and
/// one thread moves the entries. Until it has done so, positions are looked up in their old places, too.
pub(super) struct DeadTable {
    /// All pairs that there may be. Those that are not in use yet take no memory.
    pairs: Box<[[Entry; 2]]>,
    /// The largest number of pairs in use.
    most: usize,
    /// The number of pairs in use.
    len: AtomicUsize,
    /// The number of pairs when the entries were moved last.
    moved: AtomicUsize,
    /// The approximate number of entries that are used since then.
    used: Apart<AtomicUsize>,
}

/// A value that threads often write, on cache lines of its own. Otherwise each write would take the values beside it
/// from the other threads, which read them at every node.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Apart<T>(T);

/// Of 16 entries one is counted, for all of them.
const COUNTED: usize = 16;

/// A page of memory, in bytes.
const PAGE: usize = 4096;

impl DeadTable {
    /// Makes a table of at most `bytes` bytes.
    pub(super) fn new(bytes: usize) -> DeadTable {
        let (pairs, most) = memory::zeroed(1 << (bytes / size_of::<[Entry; 2]>()).max(1).ilog2());
        let [len, moved] = [FIRST_PAIRS.min(most); 2].map(AtomicUsize::new);
        DeadTable { pairs, most, len, moved, used: Apart(AtomicUsize::new(0)) }
    }

    /// Returns the pair of entries for a position, with this number of pairs in use.
    #[inline]
    fn pair(&self, len: usize, exact: &Exact) -> Option<&[Entry; 2]> {
        self.pairs.get(exact.hash() & len.saturating_sub(1))
    }

    /// Returns whether the position is known to have no solution in exactly the half-moves left.
    pub(super) fn contains(&self, exact: &Exact) -> bool {
        let (len, moved) = (self.len.load(Relaxed), self.moved.load(Relaxed));
        let is_in = |len| self.pair(len, exact).is_some_and(|pair| pair.iter().any(|entry| holds(entry, exact)));
        is_in(len) || moved < len && is_in(moved)
    }

    /// Stores that the position has no solution in exactly the half-moves left; unless it `replaces`, only into an
    /// empty entry.
    pub(super) fn add(&self, exact: &Exact, replaces: bool) {
        let len = self.len.load(Relaxed);
        // Three quarters of the entries.
        if self.store(exact, replaces) && self.used.0.load(Relaxed) >= len * 3 / 2 && len < self.most {
            self.grow(len, self.most.min(4 * len));
        }
    }

    fn grow(&self, len: usize, next: usize) {
        if self.len.compare_exchange(len, next, Relaxed, Relaxed).is_err() {
            return;
        }
        self.used.0.store(0, Relaxed);
        // A page that is read before it is written makes the system interrupt all threads at the first write. Soon all
        // of these pages are used, so each is written at once.
        for [[word, ..], _] in self.pairs[len..next].iter().step_by(PAGE / size_of::<[Entry; 2]>()) {
            let _ = word.compare_exchange(0, 0, Relaxed, Relaxed);
        }
        for entry in self.pairs[..len].iter().flatten() {
            if let Some(exact) = read(entry).filter(|exact| exact.hash() & (next - len) != 0) {
                self.store(&exact, true);
                write(entry, &Exact { men: [0; 4], rest: 0 });
            }
        }
        self.moved.fetch_max(next, Relaxed);
    }

    /// Stores a position. Returns whether it took an empty entry that is counted.
    fn store(&self, exact: &Exact, replaces: bool) -> bool {
        let Some([first, second]) = self.pair(self.len.load(Relaxed), exact) else { return false };
        let is_better = left(first) == 0 || left(second) > 0 && exact.left() >= left(first);
        let entry = if is_better { first } else { second };
        if left(entry) > 0 && !replaces {
            return false;
        }
        // The lower bits of the number choose the pair.
        let is_counted = left(entry) == 0 && (exact.hash() >> (usize::BITS - 8)).is_multiple_of(COUNTED);
        if is_counted {
            self.used.0.fetch_add(COUNTED, Relaxed);
        }
        write(entry, exact);
        is_counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    #[test]
    fn an_entry_is_about_one_position_and_one_number_of_half_moves() {
        let table = DeadTable::new(1 << 20);
        let fens = [
            "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6",
            "4k3/8/8/3pP3/8/8/8/R3K3 w Q -",
            "4k3/8/8/3pP3/8/8/8/R3K3 w - -",
            "4k3/8/8/3pP3/8/8/8/R3K3 b Q -",
            "4k3/8/8/3pP3/8/8/8/B3K3 w - -",
        ];
        let contains = |position: &Position, left| table.contains(&Exact::of(position, left));
        for fen in fens {
            let position = position(fen);
            assert!(!contains(&position, 4), "{fen}");
            table.add(&Exact::of(&position, 4), true);
            assert!(contains(&position, 4) && !contains(&position, 5), "{fen}");
        }
    }

    #[test]
    fn a_tiny_table_forgets_but_does_not_confuse() {
        let table = DeadTable::new(1);
        let (one, other) = (position("8/8/8/8/8/k7/8/K6R w - -"), position("8/8/8/8/8/1k6/8/K6R w - -"));
        for left in [3, 2, 2, 5] {
            table.add(&Exact::of(&one, left), true);
            assert!(table.contains(&Exact::of(&one, left)) && !table.contains(&Exact::of(&other, left)));
            table.add(&Exact::of(&other, left), true);
            assert!(table.contains(&Exact::of(&other, left)));
        }
    }

    #[test]
    fn what_does_not_replace_takes_an_empty_entry_only() {
        let table = DeadTable::new(1);
        let position = position("8/8/8/8/8/k7/8/K6R w - -");
        let exact = |left| Exact::of(&position, left);
        for (left, replaces) in [(3, true), (2, false), (9, false)] {
            table.add(&exact(left), replaces);
        }
        assert_eq!([3, 2, 9].map(|left| table.contains(&exact(left))), [true, true, false]);
        table.add(&exact(1), true);
        assert_eq!([3, 2, 1].map(|left| table.contains(&exact(left))), [true, false, true]);
    }

    #[test]
    fn threads_that_make_a_table_grow_do_not_confuse_positions() {
        let table = DeadTable::new(1 << 20);
        let root = position("8/8/8/8/8/k7/8/K6R w - -");
        let moves = root.legal_moves();
        let children: Vec<Position> = moves.iter().take(5).map(|&m| root.play(m)).collect();
        let (stored, never) = children.split_at(4);
        std::thread::scope(|scope| {
            for positions in stored.chunks(2) {
                let table = &table;
                let adds =
                    move |left| positions.iter().for_each(|position| table.add(&Exact::of(position, left), true));
                scope.spawn(move || (1..=1000).for_each(adds));
            }
        });
        let [all, copied] = [&table.len, &table.moved].map(|len| len.load(Relaxed));
        assert!(all > FIRST_PAIRS && copied == all, "it has grown");
        let kept = |position: &Position| (1..=1000).filter(|&left| table.contains(&Exact::of(position, left))).count();
        assert!(stored.iter().all(|position| kept(position) > 500));
        assert_eq!(kept(&never[0]), 0);
    }

    #[test]
    fn a_table_that_grows_keeps_what_was_stored_last() {
        let table = DeadTable::new(1 << 20);
        let root = position("8/8/8/8/8/k7/8/K6R w - -");
        let mut stored = Vec::new();
        for m in root.legal_moves().iter().take(3) {
            stored.extend((1..=1000).map(|left| (root.play(*m), left)));
        }
        for (position, left) in &stored {
            table.add(&Exact::of(position, *left), true);
        }
        assert!(table.len.load(Relaxed) > FIRST_PAIRS, "it has grown");
        let kept = stored.iter().filter(|(position, left)| table.contains(&Exact::of(position, *left))).count();
        assert!(kept > stored.len() / 2, "{kept}");
    }
}
