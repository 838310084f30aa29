//! The two-part transposition table: linked and available entries.
//!
//! **Linked** entries are the live variations: the line that is being searched, and the alternatives to its moves that
//! have been decided, with the moves that decide them. They form a tree of pointers:
//!
//! ```text
//!   root ── first child ──> move 2 ── first child ──> reply ── …      (the line being searched)
//!                             │ next sibling
//!                             v
//!                           move 1 ── first child ──> its refutation ── …      (an alternative)
//! ```
//!
//! When a node is decided by one child (a mating move, a refuting reply), its other children are no longer live: they
//! are unlinked and become **available**. Both parts can be read. A new position overwrites an available entry, or a
//! linked one only if its bucket has no other. An available entry that answers a question is linked again, if the end
//! of the line is linked. When more than three quarters of the slots are linked, the alternatives of the current line
//! whose searches took the fewest nodes are unlinked.
//!
//! CITE: Marsland, "AWIT: a selective search chess program".

use std::num::NonZeroU32;

use crate::base::memory;

use super::entry::Entry;

/// The index of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SlotId(NonZeroU32);

impl SlotId {
    fn new(index: usize) -> SlotId {
        // `with_bytes` guarantees that a table has fewer than 2³² slots.
        SlotId(NonZeroU32::MIN.saturating_add(index as u32))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The part of the table that a slot belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum SlotPart {
    /// The slot holds no entry.
    #[default]
    Empty,
    /// A new position may overwrite the entry.
    Available,
    /// The entry belongs to an alternative of the current line.
    Linked,
    /// The entry is on the current line.
    OnLine,
}

/// A place for one entry.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    entry: Entry,
    /// The nodes that the last search of the position took.
    work: u32,
    parent: Option<SlotId>,
    first_child: Option<SlotId>,
    next_sibling: Option<SlotId>,
    part: SlotPart,
    /// Whether the entry has been used instead of a search.
    used: bool,
}

/// A node of the current line.
#[derive(Debug, Clone, Copy)]
struct Frame {
    key: u64,
    /// The slot, if it is linked as a part of the line.
    slot: Option<SlotId>,
    /// The child that was searched or used last.
    last_child: Option<SlotId>,
}

/// The children that stay linked when a node is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// The last one decides: it mates, or it refutes.
    Last,
    /// All of them: every move fails, or every reply is mated.
    All,
}

/// The slots that are tried for one key. Doubled, a look-up takes longer; halved, more entries are lost.
const BUCKET: usize = 4;

#[derive(Debug)]
pub(super) struct LinkedTable {
    slots: Vec<Slot>,
    /// The key of the position where the tree of links begins.
    root: u64,
    line: Vec<Frame>,
    /// The linked entries, with those of the current line.
    linked: usize,
    /// The slots that hold an entry.
    filled: usize,
    pub counters: TableUse,
}

/// How a search used its table, as the AWIT paper reports it (Marsland, "AWIT: a selective search chess program").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableUse {
    /// The entries made: each is a position that the table did not hold.
    pub entries: u64,
    /// The entries used at least once instead of a search.
    pub used: u64,
    /// The searches saved by an entry. One entry may save several.
    pub answers: u64,
    /// The saved searches whose entry was available, not linked: it belonged to a discarded variation.
    pub relinked: u64,
    /// The active entries at the ends of the iterations, summed.
    pub active: u64,
    /// Those of the active entries that were still linked, as the beginning of the next iteration.
    pub salvaged: u64,
}

impl LinkedTable {
    /// The memory for one entry, in bytes.
    pub const BYTES_PER_ENTRY: usize = size_of::<Slot>();

    /// Makes a table of at most `bytes` bytes, but of at least one bucket.
    pub fn with_bytes(bytes: usize) -> LinkedTable {
        let slots = (bytes / LinkedTable::BYTES_PER_ENTRY).clamp(BUCKET, u32::MAX as usize - BUCKET) / BUCKET * BUCKET;
        let halved = std::iter::successors(Some(slots), |&slots| (slots > BUCKET).then_some(slots / 2));
        let (mut list, slots) = halved
            .map(|slots| (memory::room(slots), slots))
            .find_map(|(list, slots)| Some((list?, slots)))
            .unwrap_or_else(|| (Vec::new(), BUCKET));
        list.resize(slots / BUCKET * BUCKET, Slot::default());
        let slots = list;
        LinkedTable { slots, root: 0, line: Vec::new(), linked: 0, filled: 0, counters: TableUse::default() }
    }

    /// Returns the entry of the position with this key, linked or available, or an empty one.
    pub fn get(&self, key: u64) -> Entry {
        self.find(key).map_or(Entry::default(), |slot| self.slot(slot).entry)
    }

    /// Prepares the table for an iteration from the position with this key. What is linked now is its beginning.
    pub fn begin_iteration(&mut self, root: u64) {
        self.root = root;
        for frame in std::mem::take(&mut self.line) {
            if let Some(slot) = frame.slot {
                self.slot_mut(slot).part = SlotPart::Linked;
            }
        }
        self.counters.active += self.filled as u64;
        self.counters.salvaged += self.linked as u64;
    }

    /// Opens a node: it becomes the end of the current line.
    pub fn open(&mut self, key: u64) {
        let slot = self.link(key, SlotPart::OnLine);
        self.line.push(Frame { key, slot, last_child: None });
    }

    /// Closes the node at the end of the line, changes its entry, and unlinks the children that are not kept. Its
    /// search took `work` nodes.
    pub fn close(&mut self, work: u64, keep: Keep, change: impl FnOnce(&mut Entry)) {
        let Some(frame) = self.line.pop() else { return };
        let slot = match frame.slot {
            Some(slot) => {
                if keep == Keep::Last {
                    self.unlink_children(slot, frame.last_child);
                }
                self.slot_mut(slot).part = SlotPart::Linked;
                Some(slot)
            }
            None => self.find(frame.key).or_else(|| self.insert(frame.key)),
        };
        if let Some(slot) = slot {
            let slot = self.slot_mut(slot);
            slot.work = u32::try_from(work).unwrap_or(u32::MAX);
            change(&mut slot.entry);
        }
        if let Some(parent) = self.line.last_mut() {
            parent.last_child = slot.filter(|_| frame.slot.is_some());
        }
    }

    /// Records that the entry of this key was used instead of a search, and links it to the current line.
    pub fn count_answer(&mut self, key: u64) {
        let Some(slot) = self.find(key) else { return };
        self.counters.answers += 1;
        let Slot { used, part, .. } = *self.slot(slot);
        self.counters.used += u64::from(!used);
        self.slot_mut(slot).used = true;
        if part == SlotPart::Available {
            self.counters.relinked += 1;
            self.link(key, SlotPart::Linked);
        }
        if let Some(parent) = self.line.last_mut() {
            parent.last_child = Some(slot);
        }
    }

    fn slot(&self, slot: SlotId) -> &Slot {
        &self.slots[slot.index()]
    }

    fn slot_mut(&mut self, slot: SlotId) -> &mut Slot {
        &mut self.slots[slot.index()]
    }

    /// Returns the indices of the slots in which this key can be stored.
    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let buckets = self.slots.len() / BUCKET;
        let start = ((u128::from(key) * buckets as u128) >> 64) as usize * BUCKET;
        start..start + BUCKET
    }

    fn find(&self, key: u64) -> Option<SlotId> {
        self.bucket(key).find(|&i| self.slots[i].key == key && self.slots[i].part != SlotPart::Empty).map(SlotId::new)
    }

    /// Makes an entry for a key that the table does not hold, in place of the cheapest available entry. Returns `None`
    /// if all slots of the bucket are on the current line.
    fn insert(&mut self, key: u64) -> Option<SlotId> {
        let cheapest = |part: SlotPart| {
            let slots = self.bucket(key).filter(|&i| self.slots[i].part == part);
            slots.min_by_key(|&i| self.slots[i].work).map(SlotId::new)
        };
        let place = if let Some(place) = cheapest(SlotPart::Empty).or_else(|| cheapest(SlotPart::Available)) {
            place
        } else {
            let place = cheapest(SlotPart::Linked)?;
            self.unlink(place);
            place
        };
        self.filled += usize::from(self.slot(place).part == SlotPart::Empty);
        self.counters.entries += 1;
        *self.slot_mut(place) = Slot { key, part: SlotPart::Available, ..Slot::default() };
        Some(place)
    }

    /// Links the entry of this key, which is made if necessary, as a child of the end of the line. Returns `None` if it
    /// cannot be a part of the line: there is no room, or the position is on the line already.
    fn link(&mut self, key: u64, part: SlotPart) -> Option<SlotId> {
        if self.linked > self.slots.len() / 4 * 3 {
            self.make_room();
        }
        let parent = self.line.last().and_then(|frame| frame.slot);
        if parent.is_none() && (key != self.root || !self.line.is_empty()) {
            return None; // What the root does not reach could never be unlinked.
        }
        let slot = self.find(key).or_else(|| self.insert(key))?;
        match self.slot(slot).part {
            SlotPart::OnLine => return None,
            SlotPart::Linked => self.detach(slot),
            SlotPart::Available | SlotPart::Empty => self.linked += 1,
        }
        let next_sibling = parent.and_then(|parent| self.slot_mut(parent).first_child.replace(slot));
        let slot_data = self.slot_mut(slot);
        (slot_data.part, slot_data.parent, slot_data.next_sibling) = (part, parent, next_sibling);
        Some(slot)
    }

    /// Takes a linked entry, with everything below it, out of its parent's list of children.
    fn detach(&mut self, slot: SlotId) {
        let Slot { parent, next_sibling, .. } = *self.slot(slot);
        self.slot_mut(slot).parent = None;
        self.slot_mut(slot).next_sibling = None;
        let Some(parent) = parent else { return };
        if self.slot(parent).first_child == Some(slot) {
            self.slot_mut(parent).first_child = next_sibling;
            return;
        }
        let mut child = self.slot(parent).first_child;
        while let Some(at) = child {
            child = self.slot(at).next_sibling;
            if child == Some(slot) {
                self.slot_mut(at).next_sibling = next_sibling;
                return;
            }
        }
    }

    /// Takes a linked entry out of the tree and makes it available, with everything below it.
    fn unlink(&mut self, slot: SlotId) {
        self.detach(slot);
        self.release(slot);
    }

    fn unlink_children(&mut self, slot: SlotId, but: Option<SlotId>) {
        let children: Vec<SlotId> = self.children(slot).collect();
        let kept = but.filter(|but| children.contains(but));
        self.slot_mut(slot).first_child = kept;
        for child in children {
            if Some(child) == kept {
                self.slot_mut(child).next_sibling = None;
            } else {
                self.release(child);
            }
        }
    }

    /// Makes an entry that is out of the tree available, with everything below it.
    fn release(&mut self, slot: SlotId) {
        let mut below = vec![slot];
        while let Some(at) = below.pop() {
            below.extend(self.children(at));
            let slot = self.slot_mut(at);
            (slot.part, slot.parent, slot.first_child, slot.next_sibling) = (SlotPart::Available, None, None, None);
            self.linked -= 1;
        }
    }

    fn children(&self, slot: SlotId) -> impl Iterator<Item = SlotId> {
        std::iter::successors(self.slot(slot).first_child, |&child| self.slot(child).next_sibling)
    }

    /// Unlinks the least valuable alternatives of the current line, until half of the table is available.
    fn make_room(&mut self) {
        let line: Vec<SlotId> = self.line.iter().filter_map(|frame| frame.slot).collect();
        let mut alternatives: Vec<SlotId> = line.iter().flat_map(|&slot| self.children(slot)).collect();
        alternatives.retain(|&slot| self.slot(slot).part == SlotPart::Linked);
        alternatives.sort_by_key(|&slot| self.slot(slot).work);
        for slot in alternatives {
            if self.linked <= self.slots.len() / 2 {
                break;
            }
            self.unlink(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MateLength;

    /// The key of the root. All keys are below 2³², so they share one bucket in a table of any size.
    const ROOT: u64 = 1;

    fn table(slots: usize) -> LinkedTable {
        let mut table = LinkedTable::with_bytes(slots * LinkedTable::BYTES_PER_ENTRY);
        table.begin_iteration(ROOT);
        table
    }

    /// Spreads small numbers over the buckets of a table.
    fn spread(n: u64) -> u64 {
        n.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn visit(table: &mut LinkedTable, key: u64, work: u64) {
        table.open(key);
        table.close(work, Keep::All, |entry| entry.bounds.refute(MateLength(work as u16)));
    }

    fn is_known(table: &LinkedTable, key: u64) -> bool {
        table.get(key) != Entry::default()
    }

    #[test]
    fn new_positions_overwrite_available_entries_only() {
        let mut table = table(BUCKET);
        table.open(ROOT);
        table.open(2);
        visit(&mut table, 3, 9);
        visit(&mut table, 4, 1);
        // The reply 4 decides: 3 is available, though its search took more work.
        table.close(10, Keep::Last, |entry| entry.bounds.refute(MateLength(1)));
        assert!([2, 3, 4].iter().all(|&key| is_known(&table, key)), "both parts can be read");
        visit(&mut table, 5, 1);
        assert!(is_known(&table, 2) && is_known(&table, 4) && is_known(&table, 5) && !is_known(&table, 3));
    }

    #[test]
    fn when_room_is_short_the_least_valuable_alternatives_are_unlinked() {
        let mut table = table(64);
        table.open(ROOT);
        // Alternatives of the root with one reply each; the work of the first ones is the smallest.
        let mut n = 2;
        while table.linked + 2 >= n as usize {
            table.open(spread(n));
            visit(&mut table, spread(1000 + n), 1);
            table.close(n, Keep::All, |entry| entry.bounds.refute(MateLength(1)));
            n += 1;
        }
        let linked = |key: u64| table.find(spread(key)).is_some_and(|slot| table.slot(slot).part == SlotPart::Linked);
        assert!(!linked(2) && !linked(1002), "the least valuable alternative and what is below it");
        assert!(linked(n - 1) && linked(n - 2), "the most valuable ones stay");
        assert!(table.linked <= 64 / 2 + 2);
    }

    #[test]
    fn an_available_entry_that_is_used_is_linked_again() {
        let mut table = table(64);
        table.open(ROOT);
        table.open(spread(2));
        visit(&mut table, spread(3), 5);
        visit(&mut table, spread(4), 5);
        table.close(10, Keep::Last, |entry| entry.bounds.refute(MateLength(1)));
        let linked = table.linked;
        table.open(spread(5));
        table.count_answer(spread(3));
        table.count_answer(spread(3));
        table.close(0, Keep::All, |_| {});
        assert_eq!(table.linked, linked + 2, "the position 5 and the relinked 3");
        let counters = table.counters;
        assert_eq!((counters.entries, counters.used, counters.answers, counters.relinked), (5, 1, 2, 1));
    }

    #[test]
    fn what_is_still_linked_is_salvaged_for_the_next_iteration() {
        let mut table = table(64);
        table.open(ROOT);
        table.open(spread(2));
        visit(&mut table, spread(3), 5);
        visit(&mut table, spread(4), 5);
        table.close(10, Keep::Last, |entry| entry.bounds.refute(MateLength(1)));
        table.close(20, Keep::All, |entry| entry.bounds.refute(MateLength(1)));
        table.begin_iteration(ROOT);
        let counters = table.counters;
        assert_eq!((counters.active, counters.salvaged), (4, 3));
    }

    #[test]
    fn after_an_interruption_the_line_is_an_alternative() {
        let mut table = table(64);
        table.open(ROOT);
        table.open(spread(2));
        table.begin_iteration(ROOT);
        assert!(table.line.is_empty() && table.slots.iter().all(|slot| slot.part != SlotPart::OnLine));
        assert_eq!(table.linked, 2);
    }

    #[test]
    fn a_position_that_repeats_on_the_line_is_linked_once() {
        let mut table = table(64);
        table.open(ROOT);
        table.open(spread(2));
        table.open(ROOT);
        table.close(1, Keep::Last, |entry| entry.bounds.refute(MateLength(1)));
        assert_eq!((table.linked, table.line.len()), (2, 2));
        table.close(1, Keep::All, |_| {});
        table.close(1, Keep::All, |entry| entry.bounds.refute(MateLength(2)));
        assert_eq!(table.get(ROOT).bounds.refuted(), Some(MateLength(2)));
    }
}
