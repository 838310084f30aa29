//! What may be said of a position.
//!
//! Four words, never mixed: a mate in n that is proved shortest, a mate in at most n, no mate within n, undecided. They
//! are not four cases but two independent facts, and [`Bounds`] keeps them: how short a mate is *proved*, and through
//! which length mates are *refuted*. Both only ever improve; where they meet, the length is exact.

use crate::chess::MateLength;

/// What is known of a position: mates through `refuted` do not exist, a mate within `proved` does.
///
/// Lengths are in moves of the attacker. `refuted` of 0 says nothing: where the attacker is to move there is no mate in
/// 0, and where the defender is, it does not deny that he is checkmated already (`proved` of 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// No mate within this many moves: proved by full width.
    pub refuted: MateLength,
    /// A mate within this many moves: proved by a proof tree.
    pub proved: Option<MateLength>,
}

impl Bounds {
    /// Whether the length is exact: nothing shorter exists.
    pub fn is_exact(self) -> bool {
        self.proved.is_some_and(|length| length.0 == 0 || length.0 == self.refuted.0 + 1)
    }

    /// Adds what another search learned. The two must not contradict each other: [`Bounds::is_consistent`].
    #[must_use]
    pub fn merge(self, other: Bounds) -> Bounds {
        let proved = match (self.proved, other.proved) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Bounds { refuted: self.refuted.max(other.refuted), proved }
    }

    /// A mate within n and no mate within n cannot both hold. If they do, a search lied.
    pub fn is_consistent(self) -> bool {
        self.refuted.0 == 0 || self.proved.is_none_or(|length| length > self.refuted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_is_monotone_and_meets_at_the_exact_length() {
        let below = Bounds { refuted: MateLength(4), proved: None };
        let above = Bounds { refuted: MateLength(0), proved: Some(MateLength(5)) };
        assert!(below.merge(above).is_exact());
        assert!(!above.is_exact());
        let lie = Bounds { refuted: MateLength(5), proved: None };
        assert!(!lie.merge(above).is_consistent());
    }

    #[test]
    fn checkmate_on_the_board_is_exact_and_contradicts_nothing_but_a_refutation() {
        let mated = Bounds { refuted: MateLength(0), proved: Some(MateLength(0)) };
        assert!(mated.is_consistent() && mated.is_exact());
        let lie = Bounds { refuted: MateLength(1), proved: None };
        assert!(!lie.merge(mated).is_consistent());
    }
}
