//! The results of replies that were tried: by position, and by move and square of the reply.
//!
//! Trying a reply costs a position, and replies are tried again, also in other families. Two memories save that:
//!
//! 1. **By position**: different moves lead to the same position. Its result is known, and so is its node in the list.
//! 2. **By the moves**: a reply that answers a move at one position mostly answers it at the next one, too. When
//!    replies to one square, after the same move, have been tried eight times, always without a mate, such a reply is
//!    expected to stay open, and is not tried while a cost is counted.
//!
//! An expectation may be wrong: then a move counts as too expensive, and the corridor is narrower. It is never the
//! reason for a mate. When a move is listed, its replies are tried, unless a mate after them is known.

use hashbrown::HashMap;
use shakmaty::Square;

use crate::chess::{MateLength, MoveCode};

use super::list::NodeIndex;

/// The tries without a mate, in a row, after which a reply is expected to stay open. With 4 one mate fewer of the
/// tuning list is found, with 16 as many (`benches/tuning/corridor.md`).
const CERTAIN: u8 = 8;
/// The mark of a reply that was mated once: nothing is expected of it any more.
const UNCERTAIN: u8 = u8::MAX;

/// The bytes of the list for each entry of the maps. An entry of all maps together takes about a hundred. Halved, the
/// maps may take more than their part of the memory; doubled, less is remembered.
const BYTES_PER_ENTRY: usize = 512;
/// The most entries of a map. Halved, less is remembered; doubled, look-ups leave the cache more often.
const MOST_ENTRIES: usize = 1 << 20;

/// The result of trying a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    /// Nothing.
    Untried,
    /// The small search finds no mate after it.
    Open,
    /// The small search mates after it within this length.
    Mated(MateLength),
}

/// The result of a reply, by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub reply: Reply,
    /// The moves of the small search that gave the result.
    pub moves: u16,
    /// The number of the position in the list.
    pub node: Option<NodeIndex>,
}

/// The results of replies. A map that is full is emptied.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The most entries of each map.
    pub most: usize,
    known: HashMap<u64, Known>,
    /// By the attacker's move and the square of the reply: the tries in a row without a mate.
    open: HashMap<(MoveCode, Square), u8>,
}

impl Memory {
    /// Makes an empty memory beside a list of this many bytes. With the costs of rejected moves, it takes at most a
    /// fifth of that.
    pub fn beside(bytes: usize) -> Memory {
        Memory { most: (bytes / BYTES_PER_ENTRY).min(MOST_ENTRIES), ..Memory::default() }
    }

    /// Forgets what belongs to a list: another one begins. What is expected of replies stays if they are tried as
    /// before.
    pub fn begin(&mut self, as_before: bool) {
        self.known.values_mut().for_each(|known| known.node = None);
        if !as_before {
            self.open.clear();
        }
    }

    /// Returns the result at the position with this key, if a small search of `moves` moves can tell no more.
    pub fn known(&self, key: u64, moves: u16) -> Option<Known> {
        let is_final = |known: &Known| known.moves >= moves || matches!(known.reply, Reply::Mated(_));
        self.known.get(&key).copied().filter(is_final)
    }

    /// Remembers the result of a small search of `moves` moves.
    pub fn store(&mut self, key: u64, reply: Reply, moves: u16) {
        if self.known.len() >= self.most {
            self.known.clear();
        }
        let entry = self.known.entry(key).or_insert(Known { reply, moves, node: None });
        (entry.reply, entry.moves) = (reply, moves);
    }

    /// Remembers the number that a position has in the list.
    pub fn store_node(&mut self, key: u64, node: NodeIndex) {
        if let Some(known) = self.known.get_mut(&key) {
            known.node = Some(node);
        }
    }

    /// Returns whether a reply to this square is expected to stay open after the move.
    pub fn is_expected_open(&self, m: MoveCode, to: Square) -> bool {
        self.open.get(&(m, to)).is_some_and(|&tries| tries != UNCERTAIN && tries >= CERTAIN)
    }

    /// Counts the result of a reply to this square.
    pub fn learn(&mut self, m: MoveCode, to: Square, reply: Reply) {
        if self.open.len() >= self.most {
            self.open.clear();
        }
        let tries = self.open.entry((m, to)).or_insert(0);
        *tries = match reply {
            Reply::Open if *tries != UNCERTAIN => (*tries + 1).min(CERTAIN),
            _ => UNCERTAIN,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_expected_open_after_eight_tries_without_a_mate() {
        let mut memory = Memory::beside(1 << 20);
        let m = MoveCode::new(Square::A1, Square::A8, None);
        for tries in 0..12 {
            assert_eq!(memory.is_expected_open(m, Square::B8), tries >= 8, "{tries}");
            memory.learn(m, Square::B8, Reply::Open);
            memory.learn(m, Square::C8, if tries == 3 { Reply::Mated(MateLength(1)) } else { Reply::Open });
            assert!(!memory.is_expected_open(m, Square::C8), "it was mated once");
        }
    }

    #[test]
    fn a_longer_search_may_tell_more_unless_there_is_a_mate() {
        let mut memory = Memory::beside(1 << 20);
        memory.store(1, Reply::Open, 1);
        memory.store_node(1, 7);
        assert_eq!(memory.known(1, 1), Some(Known { reply: Reply::Open, moves: 1, node: Some(7) }));
        assert_eq!(memory.known(1, 2), None);
        memory.store(1, Reply::Open, 2);
        assert_eq!(memory.known(1, 2).and_then(|known| known.node), Some(7), "its node stays");
        memory.store(2, Reply::Mated(MateLength(1)), 1);
        assert!(memory.known(2, 4).is_some());
        assert_eq!(memory.known(3, 0), None);
    }

    #[test]
    fn another_list_keeps_the_results_of_replies_but_not_their_nodes() {
        let mut memory = Memory::beside(1 << 20);
        let m = MoveCode::new(Square::A1, Square::A8, None);
        memory.store(1, Reply::Open, 2);
        memory.store_node(1, 7);
        (0..CERTAIN).for_each(|_| memory.learn(m, Square::B8, Reply::Open));
        for as_before in [true, false] {
            memory.begin(as_before);
            assert_eq!(memory.known(1, 2), Some(Known { reply: Reply::Open, moves: 2, node: None }));
            assert_eq!(memory.is_expected_open(m, Square::B8), as_before);
        }
    }

    #[test]
    fn a_full_memory_is_emptied() {
        let mut memory = Memory::beside(10 * BYTES_PER_ENTRY);
        for key in 0..25 {
            memory.store(key, Reply::Open, 1);
            memory.learn(MoveCode::new(Square::A1, Square::new(1 + key as u32), None), Square::B8, Reply::Open);
            assert!(memory.known.len() <= 10 && memory.open.len() <= 10);
        }
        assert_eq!((memory.known(24, 1).is_some(), memory.known(0, 1)), (true, None));
    }
}
