//! Null moves: searches in which the defender passes, as in the papers that `pvs` is compared with.
//!
//! In a mate search the two sides would pass for different reasons:
//!
//! * **The defender passes** at an AND node: *does the attacker threaten mate?* If he mates after the pass, his first
//!   move is the threat and a good guess against every real reply. If not, his last move seems to achieve nothing: a
//!   fail-high for the defender. This conclusion is wrong in **zugzwang**, where every real move is worse than a pass,
//!   and problems are full of zugzwangs.
//! * **The attacker passes** at an OR node: *does he mate even if he wastes a move?* Then a waiting move very likely
//!   mates, but there may be no legal one. An OR node needs a proof, so this engine never passes for the attacker.
//!
//! A pass is searched `R` plies shallower than a real reply, but at least one ply deep. The papers differ in what
//! follows a fail-high:
//!
//! | mode | after a fail-high | mates that may be lost at every depth |
//! |---|---|---|
//! | [`NullMove::Standard`] (Beal 1989; Donninger 1993) | cut | zugzwangs |
//! | [`NullMove::Adaptive`] (Heinz 1999) | cut | zugzwangs |
//! | [`NullMove::Verified`] (David-Tabibi & Netanyahu 2002, fig. 3) | one ply less, no verification below: a second fail-high below cuts | zugzwangs below zugzwangs |
//! | [`NullMove::Nmr`] (David-Tabibi & Netanyahu 2008, fig. 2) | `DR` plies less; a cut only if no depth is left | none |
//!
//! At a given depth these modes also lose mates whose threat is deeper than the reduced search. Deeper iterations find
//! them.
//!
//! The 2002 paper searches again at full depth if the reduced search contradicts the fail-high. Here the contradiction
//! is a proof that every reply is mated, so it needs no second search. With an open window the second search remains,
//! because it may find a shorter mate.
//!
//! A failure that depends on a fail-high proves nothing ([`crate::search::window::Value::Unknown`]). Null moves end two
//! moves before the bound, where the exact search begins.

use super::depth::Depth;
use crate::chess::MateLength;

/// The kind of null move that the defender may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NullMove {
    /// No null move.
    #[default]
    None,
    /// A fail-high cuts the node.
    Standard {
        /// R: the plies by which the search after the pass is reduced. The papers try 1 to 4.
        r: u8,
    },
    /// Like standard, with an R that depends on the depth (Heinz 1999).
    Adaptive {
        /// R at depths of at most six plies.
        shallow: u8,
        /// R at larger depths.
        deep: u8,
    },
    /// A fail-high reduces the depth by a ply and switches to the standard null move below.
    Verified {
        /// R, as above. The paper's choice is 3.
        r: u8,
    },
    /// A fail-high only reduces the depth.
    Nmr {
        /// R at depths of at most six plies. The paper's choice is 3.
        shallow: u8,
        /// R at larger depths. The paper's choice is 4.
        deep: u8,
        /// DR: the plies by which a fail-high reduces the depth. The paper's choice is 4.
        dr: u8,
    },
}

/// The consequence of a fail-high.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailHigh {
    /// The node fails without a search of its replies.
    Cut,
    /// The replies are searched.
    Continue {
        /// The depth, which is reduced.
        depth: Depth,
        /// Whether fail-highs below are verified. If not, they cut.
        verify: bool,
    },
}

/// The largest depth at which `shallow` is used for R. Doubled, null moves reduce less in deep searches; halved, more.
const SHALLOW: Depth = Depth::plies(6);

impl NullMove {
    /// The setting of the 2002 paper, R = 3.
    pub const VERIFIED: NullMove = NullMove::Verified { r: 3 };
    /// The setting of the 2008 paper, R = 3 ~ 4 and DR = 4.
    pub const NMR: NullMove = NullMove::Nmr { shallow: 3, deep: 4, dr: 4 };
    /// The largest bound without null moves, in moves: the exact search is cheaper than a pass.
    pub(super) const EXACT: MateLength = MateLength(2);

    /// Returns the depth of the search after a pass, at least one ply, or `None` if there is no pass at this depth.
    pub(super) fn depth_after(self, depth: Depth, verify: bool) -> Option<Depth> {
        let r = match self {
            NullMove::None => return None,
            // With one ply left there is no depth for the verification.
            NullMove::Verified { .. } if verify && depth <= Depth::plies(1) => return None,
            NullMove::Standard { r } | NullMove::Verified { r } => r,
            NullMove::Adaptive { shallow, deep } | NullMove::Nmr { shallow, deep, .. } => {
                if depth > SHALLOW {
                    deep
                } else {
                    shallow
                }
            }
        };
        Some(depth.minus(1 + i32::from(r)).max(Depth::plies(1)))
    }

    /// Returns the consequence of a fail-high at this depth.
    pub(super) fn fail_high(self, depth: Depth, verify: bool) -> FailHigh {
        match self {
            NullMove::Verified { .. } if verify => FailHigh::Continue { depth: depth.minus(1), verify: false },
            NullMove::Nmr { dr, .. } if depth > Depth::plies(i32::from(dr)) => {
                FailHigh::Continue { depth: depth.minus(i32::from(dr)), verify }
            }
            _ => FailHigh::Cut,
        }
    }

    /// Returns the depth beyond which deeper iterations find no new mate within `n` moves. `depth` is this depth
    /// without null moves. Every reduction can be made up for by more depth; there may be one before each move of the
    /// attacker. A cut at a zugzwang happens at every depth.
    pub(super) fn last_useful_depth(self, depth: Depth, n: MateLength) -> Depth {
        let plies = match self {
            NullMove::None => 0,
            NullMove::Standard { r } => r,
            NullMove::Verified { r } => r.saturating_add(1),
            NullMove::Adaptive { shallow, deep } => shallow.max(deep),
            NullMove::Nmr { shallow, deep, dr } => shallow.max(deep).max(dr),
        };
        depth.plus(i32::from(plies) * i32::from(n.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verified_null_move_cuts_only_at_a_second_fail_high() {
        let null = NullMove::VERIFIED;
        assert_eq!(null.fail_high(Depth::plies(7), true), FailHigh::Continue { depth: Depth::plies(6), verify: false });
        assert_eq!(null.fail_high(Depth::plies(6), false), FailHigh::Cut);
        assert_eq!(null.depth_after(Depth::plies(1), true), None);
    }

    #[test]
    fn nmr_reduces_and_does_not_cut_until_the_depth_is_used_up() {
        assert_eq!(NullMove::NMR.depth_after(Depth::plies(9), true), Some(Depth::plies(4)));
        assert_eq!(NullMove::NMR.depth_after(Depth::plies(6), true), Some(Depth::plies(2)));
        assert_eq!(
            NullMove::NMR.fail_high(Depth::plies(9), true),
            FailHigh::Continue { depth: Depth::plies(5), verify: true }
        );
        assert_eq!(NullMove::NMR.fail_high(Depth::plies(4), true), FailHigh::Cut);
    }
}
