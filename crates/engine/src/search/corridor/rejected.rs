//! The costs of rejected moves, by the position after them.
//!
//! Nearly every move that is looked at was rejected before, so this is asked most often. An entry is one word, and a new
//! one replaces what stood in its place: a lost cost is counted again.

/// The bits of a cost, and those of the number of the list.
const COST_BITS: u32 = 16;
const LIST_BITS: u32 = 8;

/// For each place 40 bits of a key, the number of a list, and a cost.
#[derive(Debug, Default)]
pub(super) struct Rejected {
    entries: Vec<u64>,
    /// The number of the list, from 1. Entries of other lists count as empty.
    list: u64,
}

impl Rejected {
    /// Returns an empty table for about this many costs.
    pub fn new(costs: usize) -> Rejected {
        Rejected { entries: vec![0; costs.next_power_of_two() * 2], list: 1 }
    }

    /// Forgets all costs: another list begins.
    pub fn begin(&mut self) {
        self.list += 1;
        if self.list >> LIST_BITS > 0 {
            (self.entries, self.list) = (vec![0; self.entries.len()], 1);
        }
    }

    /// Returns the place of a key and what its entry holds but for the cost. A place is at most 24 bits of the key.
    fn place(&self, key: u64) -> (usize, u64) {
        (key as usize & (self.entries.len() - 1), (key >> 24 << LIST_BITS) | self.list)
    }

    /// Returns a cost that the move to the position with this key has at least; 0 if nothing is known.
    pub fn get(&self, key: u64) -> u16 {
        let (place, mark) = self.place(key);
        let entry = self.entries[place];
        if entry >> COST_BITS == mark { entry as u16 } else { 0 }
    }

    /// Remembers that the move to the position with this key costs at least this.
    pub fn insert(&mut self, key: u64, cost: u16) {
        let (place, mark) = self.place(key);
        self.entries[place] = mark << COST_BITS | u64::from(cost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_found_by_its_key_until_another_list_begins() {
        let mut rejected = Rejected::new(8);
        for list in 0..600 {
            assert_eq!([1 << 40, 1 << 63, 5].map(|key| rejected.get(key)), [0; 3], "{list}");
            rejected.insert(1 << 40, 3);
            rejected.insert(5, u16::MAX);
            assert_eq!([1 << 40, 1 << 63, 5].map(|key| rejected.get(key)), [3, 0, u16::MAX], "{list}");
            rejected.insert(1 << 63, 4);
            assert_eq!([1 << 40, 1 << 63].map(|key| rejected.get(key)), [0, 4], "the last one stays");
            rejected.begin();
        }
    }
}
