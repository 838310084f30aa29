//! The two-part transposition table: linked and available entries.
//!
//! **Linked** entries are the live variations: the line that is being searched, and for every position of it the
//! alternatives that have been decided, with the moves that decide them. They form a tree of pointers:
//!
//! ```text
//!   root ── first child ──> move 2 ── first child ──> reply ── …      (the line being searched)
//!                             │ next sibling
//!                             v
//!                           move 1 ── first child ──> its refutation ── …      (an alternative)
//! ```
//!
//! When a node is decided by one child (a mating move, a refuting reply), its other children are no longer live: they
//! are unlinked and become **available**. Both parts can be read, but a new position overwrites available entries only.
//! An available entry that answers a question is linked again, as part of the line that used it. When too many entries
//! are linked, the least valuable alternatives of the current line are unlinked; the value of an alternative is the
//! number of nodes that its search took.
//!
//! CITE: Marsland, "AWIT: a selective search chess program".

use std::num::NonZeroU32;

use super::super::table_use::TableUse;
use super::entry::Entry;

/// The index of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SlotId(NonZeroU32);

impl SlotId {
    fn new(index: usize) -> SlotId {
        // A table has fewer than 2³² slots: `with_bytes` sees to it.
        SlotId(NonZeroU32::MIN.saturating_add(index as u32))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The part of the table that a slot belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Part {
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
    part: Part,
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

/// The slots that are tried for one key.
const BUCKET: usize = 4;

/// The table.
#[derive(Debug)]
pub(super) struct LinkedTable {
    slots: Vec<Slot>,
    /// The key of the position where the tree of links begins.
    root: u64,
    line: Vec<Frame>,
    /// Whether entries are linked. If not, all are available.
    linking: bool,
    /// The linked entries, with those of the current line.
    linked: usize,
    /// The slots that hold an entry.
    filled: usize,
    counters: TableUse,
}

impl LinkedTable {
    /// Makes a table of at most `bytes` bytes, but of at least one bucket.
    pub fn with_bytes(bytes: usize, linking: bool) -> LinkedTable {
        let slots = (bytes / size_of::<Slot>()).clamp(BUCKET, u32::MAX as usize - BUCKET) / BUCKET * BUCKET;
        let slots = vec![Slot::default(); slots];
        LinkedTable { slots, root: 0, line: Vec::new(), linking, linked: 0, filled: 0, counters: TableUse::default() }
    }

    /// The size of a slot, in bytes.
    pub const fn bytes_per_entry() -> usize {
        size_of::<Slot>()
    }

    /// Returns the counters.
    pub fn counters(&self) -> TableUse {
        self.counters
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
                self.slot_mut(slot).part = Part::Linked;
            }
        }
        self.counters.active += self.filled as u64;
        self.counters.salvaged += self.linked as u64;
    }

    /// Opens a node: it becomes the end of the current line.
    pub fn open(&mut self, key: u64) {
        let slot = if self.linking { self.link(key, Part::OnLine) } else { None };
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
                self.slot_mut(slot).part = Part::Linked;
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
        self.counters.relinked += u64::from(part == Part::Available);
        if self.linking && part == Part::Available {
            self.link(key, Part::Linked);
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
        self.bucket(key).find(|&i| self.slots[i].key == key && self.slots[i].part != Part::Empty).map(SlotId::new)
    }

    /// Makes an entry for a key that the table does not hold, in place of the cheapest available entry. Returns `None`
    /// if all slots of the bucket are on the current line.
    fn insert(&mut self, key: u64) -> Option<SlotId> {
        let cheapest = |part: Part| {
            let slots = self.bucket(key).filter(|&i| self.slots[i].part == part);
            slots.min_by_key(|&i| self.slots[i].work).map(SlotId::new)
        };
        let place = match cheapest(Part::Empty).or_else(|| cheapest(Part::Available)) {
            Some(place) => place,
            None => {
                let place = cheapest(Part::Linked)?;
                self.unlink(place);
                place
            }
        };
        self.filled += usize::from(self.slot(place).part == Part::Empty);
        self.counters.entries += 1;
        *self.slot_mut(place) = Slot { key, part: Part::Available, ..Slot::default() };
        Some(place)
    }

    /// Links the entry of this key, which is made if necessary, as a child of the end of the line. Returns `None` if it
    /// cannot be a part of the line: there is no room, or the position is on the line already.
    fn link(&mut self, key: u64, part: Part) -> Option<SlotId> {
        if self.linked > self.slots.len() / 4 * 3 {
            self.make_room();
        }
        let parent = self.line.last().and_then(|frame| frame.slot);
        if parent.is_none() && (key != self.root || !self.line.is_empty()) {
            return None; // What the root does not reach could never be unlinked.
        }
        let slot = self.find(key).or_else(|| self.insert(key))?;
        match self.slot(slot).part {
            Part::OnLine => return None,
            Part::Linked => self.detach(slot),
            Part::Available | Part::Empty => self.linked += 1,
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

    /// Unlinks all children of a slot but one.
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
            (slot.part, slot.parent, slot.first_child, slot.next_sibling) = (Part::Available, None, None, None);
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
        alternatives.retain(|&slot| self.slot(slot).part == Part::Linked);
        alternatives.sort_by_key(|&slot| self.slot(slot).work);
        for slot in alternatives {
            if self.linked <= self.slots.len() / 2 {
                break;
            }
            let before = self.linked;
            self.unlink(slot);
            self.counters.unlinked += (before - self.linked) as u64;
        }
    }
}
