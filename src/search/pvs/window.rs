//! Windows on the mate length, the value of a node, and the search depth.
//!
//! A game-playing search has one score and one depth. A mate search asks: *is there a mate within n moves, and how
//! short is it?* A value is therefore a mate length or one of two kinds of failure, and a window has two lengths:
//!
//! ```text
//!      1 ........ enough ........ within ........ ∞
//!      │ good enough │  look for it │  does not count
//! ```
//!
//! A mate within [`Window::within`] counts. A mate within [`Window::enough`] ends the search of the node, because a
//! shorter one would change nothing above. If both are equal, the window is a *scout*: a yes/no question. Principal
//! variation search (Marsland 1986, "A review of game-tree pruning") opens the window for the first move only, and
//! scouts whether a later move is shorter.
//!
//! The **bound** is the number of moves that the attacker may still make. It falls by one with every move of his and is
//! never extended. The **depth** is the number of plies that the search looks ahead. Extensions increase it and
//! reductions decrease it. If the depth covers the bound, the search is full-width; if not, a failure proves nothing.
//! Everything rests on one rule:
//!
//! * a mate is a proof, whatever the depth at which it was found;
//! * a failure is [`Value::NoMate`] only if every failure that it depends on is one, down to positions where the
//!   attacker has no move left. A depth limit, a null-move cut or a repetition anywhere below makes it
//!   [`Value::Unknown`].
//!
//! Taking one kind of failure for the other would print "no mate" where there is one.

use crate::chess::{MateLength, NodeKind};

/// The result of a node's search within its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// A mate of this length: a proof, whatever the depth.
    Mate(MateLength),
    /// A full-width search has shown that there is no mate within the bound.
    NoMate,
    /// No mate was found, but part of the search was cut off. This proves nothing.
    Unknown,
}

/// The mate lengths looked for at a node, in moves of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    /// A mate within this length ends the search of the node.
    pub enough: MateLength,
    /// The longest mate that counts.
    pub within: MateLength,
}

impl Window {
    /// Returns the window that asks whether there is a mate within `within` moves.
    pub fn scout(within: MateLength) -> Window {
        Window { enough: within, within }
    }

    /// Returns the window that asks for the shortest mate within `within` moves, down to a length of `enough`.
    pub fn open(enough: MateLength, within: MateLength) -> Window {
        Window { enough: enough.min(within), within }
    }

    /// Returns the window after a move of the attacker.
    #[must_use]
    pub fn after_attack(self) -> Window {
        let less = |length: MateLength| length.shorter().unwrap_or_default();
        Window { enough: less(self.enough), within: less(self.within) }
    }

    /// Returns the scout window for a mate shorter than `found`, or `None` if `found` is good enough.
    #[must_use]
    pub fn shorter_than(self, found: MateLength) -> Option<Window> {
        found.shorter().filter(|_| found > self.enough).map(Window::scout)
    }

    /// Returns the window for a reply if another reply is mated in `longest` moves: a shorter mate makes no difference.
    #[must_use]
    pub fn at_least(self, longest: MateLength) -> Window {
        Window::open(self.enough.max(longest), self.within)
    }
}

/// The depth of a search from a node downwards, in quarters of a ply, because a nearly forced reply costs less than a
/// whole ply. With a depth of zero or less nothing is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

/// The number of units in a ply.
const PARTS: i32 = 4;

impl Depth {
    /// Returns a depth given in plies.
    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * PARTS)
    }

    /// Returns a depth given in quarters of a ply.
    pub(super) const fn quarters(quarters: i32) -> Depth {
        Depth(quarters)
    }

    /// Converts the depth to quarters of a ply.
    pub(super) const fn in_quarters(self) -> i32 {
        self.0
    }

    /// Converts the depth to whole plies, rounded down.
    pub(super) const fn in_plies(self) -> i32 {
        self.0.div_euclid(PARTS)
    }

    /// Returns the smallest depth that is enough for every mate within `n` moves.
    pub(super) fn full(kind: NodeKind, n: MateLength) -> Depth {
        Depth::plies(i32::try_from(n.plies(kind)).unwrap_or(i32::MAX / PARTS))
    }

    /// Returns the depth of an iteration that looks for a mate within `n` moves: one ply more than necessary. The
    /// papers do the same (8 plies for mates in 4, 10 plies for mates in 5). A null move with R = 1 uses up the spare
    /// ply.
    pub(super) fn iteration(kind: NodeKind, n: MateLength) -> Depth {
        Depth::full(kind, n).plus(1)
    }

    /// Returns whether the depth is enough for every mate within `n` moves.
    pub(super) fn covers(self, kind: NodeKind, n: MateLength) -> bool {
        self >= Depth::full(kind, n)
    }

    /// Returns the depth increased by `plies` plies.
    #[must_use]
    pub(super) fn plus(self, plies: i32) -> Depth {
        Depth(self.0 + plies * PARTS)
    }

    /// Returns the depth decreased by `plies` plies.
    #[must_use]
    pub(super) fn minus(self, plies: i32) -> Depth {
        self.plus(-plies)
    }

    /// Returns the depth increased by `quarters` quarters of a ply.
    #[must_use]
    pub(super) fn plus_quarters(self, quarters: i32) -> Depth {
        Depth(self.0 + quarters)
    }

    /// Returns the number of moves that the attacker can make before the depth is used up, if it is his turn.
    pub(super) fn moves(self) -> u16 {
        u16::try_from((self.in_plies() + 1).div_euclid(2)).unwrap_or(0).min(MateLength::MAX.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_found_narrows_the_window_to_shorter_ones() {
        let window = Window::open(MateLength(2), MateLength(6));
        assert_eq!(window.shorter_than(MateLength(5)), Some(Window::scout(MateLength(4))));
        assert_eq!(window.shorter_than(MateLength(2)), None);
        assert_eq!(window.after_attack(), Window::open(MateLength(1), MateLength(5)));
        assert_eq!(window.at_least(MateLength(4)).enough, MateLength(4));
        assert_eq!(Window::scout(MateLength(3)).shorter_than(MateLength(3)), None);
    }

    #[test]
    fn the_depth_of_an_iteration_covers_its_bound() {
        let depth = Depth::iteration(NodeKind::Or, MateLength(4));
        assert_eq!(depth, Depth::plies(8));
        assert!(depth.covers(NodeKind::Or, MateLength(4)) && !depth.covers(NodeKind::Or, MateLength(5)));
        assert_eq!([-3, 0, 1, 2, 3].map(|plies| Depth::plies(plies).moves()), [0, 0, 1, 1, 2]);
        assert_eq!(Depth::quarters(3).moves(), 0, "less than a ply is not enough for a move");
    }
}
