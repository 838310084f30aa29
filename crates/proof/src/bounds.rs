//! Bounds on the length of the shortest mate of one position.
//!
//! Two facts can be known of a position, independently of each other: a mate within p moves is **proved**, and every
//! mate within r moves is **refuted**. A mate in p is proved shortest if r is at least p − 1. For other goals, "mate"
//! stands for the goal.
//!
//! Both facts are monotone. A mate within n moves is a mate within every larger number of moves. If there is none
//! within n moves, there is none within any smaller number. So merging two bounds takes the shorter proof and the
//! longer refutation.

use matesolve_terms::MateLength;

/// What is known about the length of the shortest mate of a position, in moves of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    refuted: Option<MateLength>,
    proved: Option<MateLength>,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds { refuted: None, proved: None };

    /// Makes bounds from the longest refuted and the shortest proved length, either of which may be missing.
    ///
    /// A refutation of 0 moves says that the defender is not checkmated already.
    pub const fn new(refuted: Option<MateLength>, proved: Option<MateLength>) -> Bounds {
        Bounds { refuted, proved }
    }

    /// Returns the longest length that is refuted: no mate within this many moves exists. `None` if nothing is refuted.
    #[inline]
    pub const fn refuted(self) -> Option<MateLength> {
        self.refuted
    }

    /// Returns the shortest length that is proved: a mate within this many moves exists. `None` if no mate is proved.
    #[inline]
    pub const fn proved(self) -> Option<MateLength> {
        self.proved
    }

    /// Returns whether a mate within `n` moves is proved.
    #[inline]
    pub fn proves(self, n: MateLength) -> bool {
        self.proved.is_some_and(|proved| proved <= n)
    }

    /// Returns whether every mate within `n` moves is refuted.
    #[inline]
    pub fn refutes(self, n: MateLength) -> bool {
        self.refuted.is_some_and(|refuted| n <= refuted)
    }

    /// Returns the shortest length that is not refuted.
    #[inline]
    pub fn shortest_open(self) -> MateLength {
        self.refuted.map_or(MateLength(0), MateLength::longer)
    }

    /// Adds a proof of a mate within `n` moves.
    #[inline]
    pub fn prove(&mut self, n: MateLength) {
        self.proved = Some(self.proved.map_or(n, |proved| proved.min(n)));
    }

    /// Adds a refutation of all mates within `n` moves.
    #[inline]
    pub fn refute(&mut self, n: MateLength) {
        self.refuted = self.refuted.max(Some(n));
    }

    /// Combines the knowledge of two searches. If they contradict each other, the result [is not
    /// consistent](Bounds::is_consistent).
    #[must_use]
    pub fn merge(mut self, other: Bounds) -> Bounds {
        if let Some(n) = other.proved {
            self.prove(n);
        }
        if let Some(n) = other.refuted {
            self.refute(n);
        }
        self
    }

    /// Returns whether the proved mate is known to be the shortest.
    pub fn is_exact(self) -> bool {
        self.proved.is_some_and(|proved| proved.shorter().is_none_or(|shorter| self.refutes(shorter)))
    }

    /// Returns whether the two facts can both be true. If not, some search was wrong.
    pub fn is_consistent(self) -> bool {
        self.proved.is_none_or(|proved| !self.refutes(proved))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(refuted: Option<u16>, proved: Option<u16>) -> Bounds {
        Bounds::new(refuted.map(MateLength), proved.map(MateLength))
    }

    #[test]
    fn a_proof_covers_longer_mates_and_a_refutation_shorter_ones() {
        let known = bounds(Some(3), Some(9));
        let proves = [8, 9, 10].map(|n| known.proves(MateLength(n)));
        let refutes = [2, 3, 4].map(|n| known.refutes(MateLength(n)));
        assert_eq!((proves, refutes), ([false, true, true], [true, true, false]));
        assert_eq!(known.shortest_open(), MateLength(4));
        assert_eq!(Bounds::UNKNOWN.shortest_open(), MateLength(0));
        assert!(!Bounds::UNKNOWN.proves(MateLength::MAX) && !Bounds::UNKNOWN.refutes(MateLength(0)));
    }

    #[test]
    fn merged_bounds_keep_the_tighter_of_each_kind_and_are_exact_where_they_meet() {
        let (below, above) = (bounds(Some(4), None), bounds(Some(0), Some(5)));
        assert_eq!(below.merge(above), bounds(Some(4), Some(5)));
        assert!(below.merge(above).is_exact() && !above.is_exact());
        assert!(!bounds(Some(5), None).merge(above).is_consistent());
    }

    #[test]
    fn checkmate_on_the_board_is_exact_and_only_a_refutation_contradicts_it() {
        let mated = bounds(None, Some(0));
        assert!(mated.is_consistent() && mated.is_exact());
        assert!(!bounds(Some(0), None).merge(mated).is_consistent());
        assert!(!bounds(Some(1), None).merge(mated).is_consistent());
    }
}
