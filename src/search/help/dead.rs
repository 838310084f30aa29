//! The table of dead positions: positions from which no solution exists in the half-moves that are left.
//!
//! "These are all solutions" rests on this table, so an entry holds the **whole** position (men, side to move, castling
//! rights, en passant) and the half-moves left, not a key of it: an entry that matches is about this very position.
//!
//! All threads share the table without waiting for one another. Each entry has a count that is odd while somebody
//! writes it; a reader who sees it odd, or changed when he has finished, has read nothing. A writer who finds an entry
//! being written leaves it alone.

use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

use shakmaty::{Color, Role};

use crate::chess::Position;
use crate::memory;

/// The men of a position by colour and role, and everything else it is made of, in four and a half words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Exact {
    men: [u64; 4],
    /// Castling rights (16 bits), en passant square (7), side to move (1), half-moves left (10).
    rest: u64,
}

impl Exact {
    fn of(position: &Position, left: u16) -> Exact {
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
            | u64::from(left & 1023) << 24;
        Exact { men, rest }
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

/// Returns the half-moves left of the position in an entry.
fn left([.., rest]: &Entry) -> u64 {
    rest.load(Relaxed) >> 24 & 1023
}

/// A table of dead positions, of a fixed size. Newer entries replace older ones; in each pair of entries, one keeps the
/// position with more half-moves left.
pub(super) struct DeadTable {
    entries: Box<[Entry]>,
    /// The number of pairs minus 1; the number is a power of two.
    mask: usize,
}

impl DeadTable {
    /// Makes a table of at most `entries` entries and at most `bytes` bytes.
    pub(super) fn new(entries: usize, bytes: usize) -> DeadTable {
        let most = (bytes / size_of::<Entry>()).clamp(2, entries.max(2));
        let (entries, len) = memory::zeroed::<Entry>(1 << most.ilog2());
        DeadTable { mask: (len / 2).max(1) - 1, entries }
    }

    fn pair(&self, position: &Position, left: u16) -> Option<&[Entry]> {
        let key = (position.key() ^ u64::from(left)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let at = 2 * ((key >> 20) as usize & self.mask);
        self.entries.get(at..at + 2)
    }

    /// Returns whether the position is known to have no solution in exactly `left` half-moves.
    pub(super) fn contains(&self, position: &Position, left: u16) -> bool {
        let exact = Exact::of(position, left);
        self.pair(position, left).is_some_and(|pair| pair.iter().any(|entry| holds(entry, &exact)))
    }

    /// Stores that the position has no solution in exactly `left` half-moves.
    pub(super) fn add(&self, position: &Position, left: u16) {
        if let Some([first, second]) = self.pair(position, left) {
            let entry = if u64::from(left) >= self::left(first) { first } else { second };
            write(entry, &Exact::of(position, left));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::testing::position;

    #[test]
    fn an_entry_is_about_one_position_and_one_number_of_half_moves() {
        let table = DeadTable::new(1 << 10, 1 << 20);
        let fens = [
            "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6",
            "4k3/8/8/3pP3/8/8/8/R3K3 w Q -",
            "4k3/8/8/3pP3/8/8/8/R3K3 w - -",
            "4k3/8/8/3pP3/8/8/8/R3K3 b Q -",
            "4k3/8/8/3pP3/8/8/8/B3K3 w - -",
        ];
        for fen in fens {
            let position = position(fen);
            assert!(!table.contains(&position, 4), "{fen}");
            table.add(&position, 4);
            assert!(table.contains(&position, 4) && !table.contains(&position, 5), "{fen}");
        }
    }

    #[test]
    fn a_tiny_table_forgets_but_does_not_confuse() {
        let table = DeadTable::new(1 << 10, 1);
        let (one, other) = (position("8/8/8/8/8/k7/8/K6R w - -"), position("8/8/8/8/8/1k6/8/K6R w - -"));
        for left in [3, 2, 2, 5] {
            table.add(&one, left);
            assert!(table.contains(&one, left) && !table.contains(&other, left));
            table.add(&other, left);
            assert!(table.contains(&other, left));
        }
    }
}
