//! Windows on the mate length and the value of a node, for the principal-variation searches.
//!
//! A game-playing search has one score. A mate search asks: *is there a mate within n moves, and how short is it?* A
//! value is therefore a mate length or one of two kinds of failure, and a window has two lengths:
//!
//! ```text
//!      1 ........ enough ........ within ........ ∞
//!      │ good enough │  look for it │  does not count
//! ```
//!
//! A mate within [`Window::within`] counts. A mate within [`Window::enough`] ends the search of the node, because a
//! shorter one would change nothing above. If both are equal, the window is a *scout*: a yes/no question. Principal
//! variation search (Marsland 1986, "A review of game-tree pruning") scouts, after a first mate, whether another move
//! mates sooner, and only then searches that move with an open window.
//!
//! `within` is also the number of moves that the attacker may still make. It falls by one with every move of his.
//! Everything rests on one rule:
//!
//! * a mate is a proof, whatever the search left out;
//! * a failure is [`Value::NoMate`] only if every failure that it depends on is one. If it depends on a move left out,
//!   a null-move cut, a repetition or too small a depth, it is [`Value::Unknown`].
//!
//! Taking one kind of failure for the other could print "no mate" where there is one.

use crate::chess::MateLength;

/// The result of a node's search within its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    /// A mate of this length: a proof, whatever the depth.
    Mate(MateLength),
    /// A full-width search has shown that there is no mate within the bound.
    NoMate,
    /// No mate was found, but part of the search was cut off. This proves nothing.
    Unknown,
}

impl Value {
    /// Returns the length of a mate.
    pub fn length(self) -> Option<MateLength> {
        if let Value::Mate(length) = self { Some(length) } else { None }
    }
}

/// The mate lengths looked for at a node, in moves of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
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
        let less = |length: MateLength| length.shorter().unwrap_or(MateLength(0));
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
}
