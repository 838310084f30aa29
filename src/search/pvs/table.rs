//! The engine's own transposition table: bounds, and failures with the depth they happened at.
//!
//! The shared [`Facts`](crate::proof::Facts) hold what is true of a position. This table holds that too, so that a mate
//! found here can be rebuilt whatever others write there, and besides what is merely *tried*: "within n moves nothing
//! was found at depth d". Such a failure answers the same question asked again at the same or a smaller depth, and it
//! never leaves this table. An entry is two words, four to a window; the least expensive to redo is overwritten.

use crate::chess::{MateLength, MoveCode};

use super::window::Depth;

/// A search that did not find a mate and proved nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// The bound it was asked for.
    pub within: MateLength,
    /// How deep it looked.
    pub depth: Depth,
    /// Whether null-move fail-highs were verified.
    pub verify: bool,
}

impl Failure {
    /// Whether it answers a question.
    pub fn answers(self, within: MateLength, depth: Depth, verify: bool) -> bool {
        self.within >= within && self.depth >= depth && (self.verify || !verify)
    }
}

/// What the table knows of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PvsEntry {
    /// The move that proved, refuted or came nearest.
    pub best: MoveCode,
    /// A mate within so many moves is proved.
    pub proved: Option<MateLength>,
    /// No mate within fewer moves than this (0: nothing known).
    pub none_below: u16,
    /// The last failure that proves nothing.
    pub failure: Option<Failure>,
}

const LENGTH: u64 = (1 << 10) - 1;
const DEPTH: u64 = (1 << 12) - 1;

impl PvsEntry {
    fn pack(self) -> u64 {
        let proved = self.proved.map_or(0, |length| u64::from(length.0));
        let failed = self.failure.map_or(0, |failure| {
            u64::from(failure.within.0)
                | u64::try_from(failure.depth.in_quarters()).map_or(0, |depth| depth.min(DEPTH)) << 10
                | u64::from(failure.verify) << 22
        });
        u64::from(self.best.0) | proved << 16 | u64::from(self.none_below) << 26 | failed << 36
    }

    fn unpack(data: u64) -> PvsEntry {
        let length = |shift: u32| (data >> shift & LENGTH) as u16;
        let proved = Some(MateLength(length(16))).filter(|length| length.0 > 0);
        let failure = Some(Failure {
            within: MateLength(length(36)),
            depth: Depth::quarters((data >> 46 & DEPTH) as i32),
            verify: data >> 58 & 1 == 1,
        });
        PvsEntry {
            best: MoveCode((data & 0xffff) as u16),
            proved,
            none_below: length(26),
            failure: failure.filter(|failure| failure.within.0 > 0),
        }
    }

    /// What losing the entry would cost: proofs most, since claims are rebuilt from them.
    fn worth(self) -> u32 {
        let proof = if self.proved.is_some() { 1 << 12 } else { 0 };
        let failed = self.failure.map_or(0, |failure| u32::try_from(failure.depth.in_plies()).unwrap_or(0));
        1 + proof + failed.max(2 * u32::from(self.none_below))
    }
}

/// Entries tried for one key.
const WINDOW: usize = 4;

/// The table: key and packed entry.
#[derive(Debug, Default)]
pub struct PvsTable {
    slots: Vec<[u64; 2]>,
}

impl PvsTable {
    /// A table of at most so many bytes, and at least one window.
    pub fn with_bytes(bytes: usize) -> PvsTable {
        PvsTable { slots: vec![[0; 2]; (bytes / size_of::<[u64; 2]>()).max(WINDOW) / WINDOW * WINDOW] }
    }

    fn start(&self, key: u64) -> usize {
        let windows = self.slots.len() / WINDOW;
        ((u128::from(key) * windows as u128) >> 64) as usize * WINDOW
    }

    /// What is known of the position with this key.
    pub fn get(&self, key: u64) -> PvsEntry {
        let start = self.start(key);
        let slot = self.slots[start..start + WINDOW].iter().find(|slot| slot[0] == key && slot[1] != 0);
        slot.map_or(PvsEntry::default(), |slot| PvsEntry::unpack(slot[1]))
    }

    /// Changes the entry of this key, making room for it if there is none.
    pub fn update(&mut self, key: u64, change: impl FnOnce(&mut PvsEntry)) {
        let start = self.start(key);
        let window = &mut self.slots[start..start + WINDOW];
        let at = window.iter().position(|slot| slot[0] == key && slot[1] != 0);
        let at = at.unwrap_or_else(|| {
            let worth = |slot: &[u64; 2]| if slot[1] == 0 { 0 } else { PvsEntry::unpack(slot[1]).worth() };
            (0..WINDOW).min_by_key(|&i| worth(&window[i])).unwrap_or(0)
        });
        let mut entry = if window[at][0] == key { PvsEntry::unpack(window[at][1]) } else { PvsEntry::default() };
        change(&mut entry);
        window[at] = [key, entry.pack()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_survives_packing() {
        let entry = PvsEntry {
            best: MoveCode(0x7abc),
            proved: Some(MateLength(1000)),
            none_below: 999,
            failure: Some(Failure { within: MateLength(77), depth: Depth::quarters(321), verify: true }),
        };
        assert_eq!(PvsEntry::unpack(entry.pack()), entry);
        assert_eq!(PvsEntry::unpack(PvsEntry::default().pack()), PvsEntry::default());
    }

    #[test]
    fn a_full_window_gives_up_the_cheapest() {
        let mut table = PvsTable::with_bytes(0);
        for key in 1..=4 {
            let failure = Failure { within: MateLength(9), depth: Depth::plies(key as i32 * 2), verify: true };
            table.update(key, |entry| entry.failure = Some(failure));
        }
        table.update(1, |entry| entry.proved = Some(MateLength(3)));
        table.update(5, |entry| entry.none_below = 30);
        assert_eq!(table.get(2), PvsEntry::default());
        assert_eq!(table.get(1).proved, Some(MateLength(3)));
        assert_eq!(table.get(5).none_below, 30);
    }

    #[test]
    fn a_failure_answers_what_asks_no_more() {
        let failure = Failure { within: MateLength(5), depth: Depth::plies(6), verify: false };
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
