//! The options of `corridor`.

use super::family::Family;

/// Options of the engine `corridor`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorridorOptions {
    /// The families that take part, as bits in the order of [`Family::ALL`]; at least one. Default: all.
    pub families: u16,
    /// The longest mate that the small search off the corridor looks for, in moves. From 1 to 4; default 2.
    pub side_moves: u16,
    /// Whether a mate is shortened in its list. Default: true.
    pub shorten: bool,
}

impl Default for CorridorOptions {
    fn default() -> CorridorOptions {
        CorridorOptions { families: (1 << Family::ALL.len()) - 1, side_moves: 2, shorten: true }
    }
}

impl CorridorOptions {
    /// Returns the families that take part, in the order in which they are tried.
    pub(super) fn families(self) -> impl Iterator<Item = Family> {
        Family::ALL.into_iter().enumerate().filter(move |(bit, _)| self.families >> bit & 1 == 1).map(|(_, f)| f)
    }
}
