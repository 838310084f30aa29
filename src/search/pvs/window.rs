//! The window at the mate bound, the value of a node, and the depth: three things that one number does not hold.
//!
//! In a game-playing search a value is a score and the depth is how far it was looked for. A mate search asks something
//! narrower: *is there a mate within n moves, and if so, how short?* So a value here is a mate distance or one of two
//! failures, and the window consists of two distances.
//!
//! ```text
//!      1 ........ enough ........ within ........ ∞
//!      │ good enough │  look for it │  does not count
//! ```
//!
//! A mate within [`Window::within`] counts; one within [`Window::enough`] ends the search of the node, because a better
//! one would change nothing above. Where the two coincide the window is a *scout*: a question answered by yes or no.
//! Principal variation search (Marsland 1986, "A review of game-tree pruning") opens the window for the first move only
//! and asks of every later one whether it is shorter.
//!
//! The bound and the depth are two numbers. The **bound** is how many moves the attacker may still make: it belongs to
//! the question, falls by one with every move of his, and is never extended. The **depth** is how many plies the search
//! is willing to look: it is what extensions stretch and reductions cut. Where the depth covers the bound the search is
//! full-width; where it falls short, a failure to mate says nothing about the position. Hence the rule on which
//! everything else rests:
//!
//! * a mate is a proof, at whatever depth it was found;
//! * a failure is [`Value::NoMate`] only if every failure it leans on is one, down to positions where no move is left to
//!   the attacker; a single horizon, null-move cut or repetition below makes it [`Value::Unknown`].
//!
//! Taint is thus not declared but computed. Confusing the two failures would print "no mate" where there is one.

use crate::chess::{MateLength, NodeKind};

/// What the search of a node found, within its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// A mate within so many moves: a proof, whatever the depth.
    Mate(MateLength),
    /// No mate within the bound, by full width: a refutation.
    NoMate,
    /// None was found, but something was cut off: proves nothing.
    Unknown,
}

/// Which mates are looked for at a node, in moves of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// A mate within this many moves is as good as any.
    pub enough: MateLength,
    /// A longer mate does not count.
    pub within: MateLength,
}

impl Window {
    /// The yes/no question: is there a mate within so many moves?
    pub fn scout(within: MateLength) -> Window {
        Window { enough: within, within }
    }

    /// The open question: how short is the mate, if it takes more than `enough − 1` and at most `within` moves?
    pub fn open(enough: MateLength, within: MateLength) -> Window {
        Window { enough: enough.min(within), within }
    }

    /// The window after a move of the attacker.
    #[must_use]
    pub fn after_attack(self) -> Window {
        let less = |length: MateLength| length.shorter().unwrap_or_default();
        Window { enough: less(self.enough), within: less(self.within) }
    }

    /// The scout that asks of the remaining moves for something shorter than a mate already found; `None` if that one
    /// is good enough.
    #[must_use]
    pub fn shorter_than(self, found: MateLength) -> Option<Window> {
        found.shorter().filter(|_| found > self.enough).map(Window::scout)
    }

    /// The window for a defence when another one already holds out for `longest`: nothing shorter is of interest.
    #[must_use]
    pub fn at_least(self, longest: MateLength) -> Window {
        Window::open(self.enough.max(longest), self.within)
    }
}

/// How far a search is willing to look, from a node downwards: quarters of a ply, because a reply that is nearly forced
/// costs less than a free one. May be zero or less: then it does not look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

/// The parts of a ply.
const PARTS: i32 = 4;

impl Depth {
    /// So many plies.
    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * PARTS)
    }

    /// So many quarters of a ply.
    pub const fn quarters(quarters: i32) -> Depth {
        Depth(quarters)
    }

    /// In quarters of a ply.
    pub const fn in_quarters(self) -> i32 {
        self.0
    }

    /// In whole plies, rounded down.
    pub const fn in_plies(self) -> i32 {
        self.0.div_euclid(PARTS)
    }

    /// The least depth at which a mate within `n` moves cannot be overlooked for want of depth.
    pub fn full(kind: NodeKind, n: MateLength) -> Depth {
        Depth::plies(i32::try_from(n.plies(kind)).unwrap_or(i32::MAX / PARTS))
    }

    /// The depth of an iteration that looks for a mate within `n` moves: one ply more than necessary, as in the papers,
    /// who search mates in 4 to 8 plies and mates in 5 to 10. The spare ply is what a null move of R = 1 costs.
    pub fn iteration(kind: NodeKind, n: MateLength) -> Depth {
        Depth::full(kind, n).plus(1)
    }

    /// Whether nothing within the bound can be overlooked for want of depth.
    pub fn covers(self, kind: NodeKind, n: MateLength) -> bool {
        self >= Depth::full(kind, n)
    }

    /// The depth so many plies larger.
    #[must_use]
    pub fn plus(self, plies: i32) -> Depth {
        Depth(self.0 + plies * PARTS)
    }

    /// The depth so many plies smaller.
    #[must_use]
    pub fn minus(self, plies: i32) -> Depth {
        self.plus(-plies)
    }

    /// The depth so many quarters of a ply larger.
    #[must_use]
    pub fn plus_quarters(self, quarters: i32) -> Depth {
        Depth(self.0 + quarters)
    }

    /// How many moves the attacker, being to move, can make before the depth is used up.
    pub fn moves(self) -> u16 {
        u16::try_from((self.in_plies() + 1).div_euclid(2)).unwrap_or(0).min(MateLength::MAX.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_closes_on_the_shortest_mate() {
        let window = Window::open(MateLength(2), MateLength(6));
        assert_eq!(window.shorter_than(MateLength(5)), Some(Window::scout(MateLength(4))));
        assert_eq!(window.shorter_than(MateLength(2)), None);
        assert_eq!(window.after_attack(), Window::open(MateLength(1), MateLength(5)));
        assert_eq!(window.at_least(MateLength(4)).enough, MateLength(4));
        assert_eq!(Window::scout(MateLength(3)).shorter_than(MateLength(3)), None);
    }

    #[test]
    fn depth_and_bound_are_two_numbers() {
        let depth = Depth::iteration(NodeKind::Or, MateLength(4));
        assert_eq!(depth, Depth::plies(8));
        assert!(depth.covers(NodeKind::Or, MateLength(4)) && !depth.covers(NodeKind::Or, MateLength(5)));
        assert_eq!([-3, 0, 1, 2, 3].map(|plies| Depth::plies(plies).moves()), [0, 0, 1, 1, 2]);
        assert_eq!(Depth::quarters(3).moves(), 0, "less than a ply does not reach a move");
    }
}
